//! A second way to solve such games, for tests: slow, and nothing like the first.
//!
//! A record of the pairs, the one granted last in front, turns the Streett condition into a parity condition (the index
//! appearance record of Safra); parity games are solved by lifting progress measures (Jurdziński, STACS 2000).

use std::collections::BTreeMap;

use super::arena::{Arena, Player, Set};

/// A position, the record of pairs when it is entered, and its priority.
#[derive(Debug)]
struct Node {
    owner: Player,
    moves: Vec<usize>,
    /// The scheduler wins if the largest that comes infinitely often is even.
    priority: usize,
}

/// The positions from which the scheduler wins.
pub(super) fn won(arena: &Arena, lost: &Set) -> Set {
    let (nodes, entries) = product(arena, lost);
    let winning = solve(&nodes);
    entries.iter().map(|&node| winning[node]).collect()
}

/// The product with the record; for each position the node where a play starts.
fn product(arena: &Arena, lost: &Set) -> (Vec<Node>, Vec<usize>) {
    let pairs = arena.pairs.len();
    let mut numbers: BTreeMap<(usize, Vec<usize>), usize> = BTreeMap::new();
    let mut keys = Vec::new();
    let mut number = |position: usize, record: &[usize], keys: &mut Vec<(usize, Vec<usize>)>| {
        let key = (position, record.to_vec());
        *numbers.entry(key.clone()).or_insert_with(|| {
            keys.push(key);
            keys.len() - 1
        })
    };
    let start: Vec<usize> = (0..pairs).collect();
    let entries: Vec<usize> = (0..arena.len()).map(|position| number(position, &start, &mut keys)).collect();
    let mut nodes = Vec::new();
    while nodes.len() < keys.len() {
        let at = nodes.len();
        let (position, record) = keys[at].clone();
        let is_in = |set: &[u32]| set.iter().any(|&p| p as usize == position);
        let last = |pick: fn(&super::arena::Pair) -> &[u32]| {
            (0..pairs).filter(|&at| is_in(pick(&arena.pairs[record[at]]))).map(|at| at + 1).max().unwrap_or(0)
        };
        let (asked, granted) = (last(|pair| &pair.asked), last(|pair| &pair.granted));
        let priority = if granted >= asked { 2 * granted } else { 2 * asked - 1 };
        if lost[position] {
            nodes.push(Node { owner: Player::Adversary, moves: vec![at], priority: 2 * pairs + 1 });
            continue;
        }
        let (mut front, mut back): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        for &pair in &record {
            if is_in(&arena.pairs[pair].granted) { front.push(pair) } else { back.push(pair) }
        }
        front.append(&mut back);
        let moves = arena.moves(position).iter().map(|&to| number(to as usize, &front, &mut keys)).collect();
        nodes.push(Node { owner: arena.owner(position), moves, priority });
    }
    (nodes, entries)
}

/// Progress measures count how often each odd priority may still come before a larger one does; nothing is for nodes that
/// the scheduler loses.
type Measure = Option<Vec<usize>>;

fn solve(nodes: &[Node]) -> Vec<bool> {
    let most = nodes.iter().map(|node| node.priority).max().unwrap_or(0);
    let bounds: Vec<usize> = (0..=most)
        .rev()
        .map(|p| if p % 2 == 1 { nodes.iter().filter(|node| node.priority == p).count() } else { 0 })
        .collect();
    let mut measures: Vec<Measure> = vec![Some(vec![0; most + 1]); nodes.len()];
    loop {
        let mut changed = false;
        for (at, node) in nodes.iter().enumerate() {
            let after = node.moves.iter().map(|&to| raised(&measures[to], node.priority, most, &bounds));
            // Nothing is the largest.
            let order = |measure: &Measure| (measure.is_none(), measure.clone());
            let new = match node.owner {
                Player::Scheduler => after.min_by_key(order),
                Player::Adversary => after.max_by_key(order),
            };
            let new = new.expect("every node has a move");
            if order(&new) > order(&measures[at]) {
                measures[at] = new;
                changed = true;
            }
        }
        if !changed {
            return measures.iter().map(Option::is_some).collect();
        }
    }
}

/// The least measure that a node of some priority can have if it moves to one with the given measure. Measures list
/// priorities from the largest down.
fn raised(after: &Measure, priority: usize, most: usize, bounds: &[usize]) -> Measure {
    let mut measure = after.clone()?;
    let at = most - priority;
    measure[at + 1..].fill(0);
    if priority.is_multiple_of(2) {
        return Some(measure);
    }
    for at in (0..=at).rev() {
        if measure[at] < bounds[at] {
            measure[at] += 1;
            return Some(measure);
        }
        measure[at] = 0;
    }
    None
}
