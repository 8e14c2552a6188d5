//! Whether some fair schedule is safe: a game on the tree, of the scheduler, which picks threads, against inputs.
//!
//! The scheduler must never come to where something goes wrong, and every thread that can run infinitely often must run
//! infinitely often. Such games (Streett games) are solved by the recursion of Zielonka, as Horn describes it ("Streett games
//! on finite graphs", 2005), which also says what to do: go for one thread after the other; where that cannot be had, stay
//! where it cannot run. [`Plan`] is that strategy.

use rustc_hash::FxHashMap;

use crate::tree::Stop;

/// A position of the game.
pub(crate) type Position = usize;

/// Positions at which the scheduler moves, and those at which inputs do.
#[derive(Default)]
pub(crate) struct Arena {
    /// Whether the scheduler moves.
    schedulers: Vec<bool>,
    moves: Vec<Vec<Position>>,
    before: Vec<Vec<Position>>,
    /// For each thread, the positions at which it could run and those at which it was picked.
    pub(crate) asked: Vec<Vec<Position>>,
    pub(crate) granted: Vec<Vec<Position>>,
}

/// Positions.
type Set = Vec<bool>;

/// Asked again and again whether to go on.
pub(crate) type GoOn<'g> = &'g mut dyn FnMut() -> Result<(), Stop>;

/// Who moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Player {
    Scheduler,
    Inputs,
}

/// What the scheduler does in a part of the game.
#[derive(Debug)]
pub(crate) enum Plan {
    /// Anything that stays there.
    Any(FxHashMap<Position, Position>),
    /// Lets one thread after the other run.
    Round(Vec<Turn>),
}

/// How to let a thread run, or to be where it cannot.
#[derive(Debug)]
pub(crate) struct Turn {
    /// The positions at which it is picked.
    granted: Vec<Position>,
    /// Towards these.
    toward: FxHashMap<Position, Position>,
    /// Elsewhere.
    otherwise: Vec<Layer>,
}

/// A part in which another plan is followed, and the way there.
#[derive(Debug)]
struct Layer {
    part: Set,
    plan: Plan,
    toward: FxHashMap<Position, Position>,
}

/// A plan for the whole game.
#[derive(Debug)]
pub(crate) struct Strategy {
    layers: Vec<Layer>,
}

/// What the scheduler has to remember.
pub(crate) type Memory = Vec<usize>;

impl Arena {
    pub(crate) fn position(&mut self, scheduler: bool) -> Position {
        self.schedulers.push(scheduler);
        self.moves.push(Vec::new());
        self.before.push(Vec::new());
        self.schedulers.len() - 1
    }

    pub(crate) fn edge(&mut self, from: Position, to: Position) {
        self.moves[from].push(to);
        self.before[to].push(from);
    }

    /// The positions from which a player can force a visit to others, and the moves of the scheduler that do.
    fn attractor(
        &self,
        part: &Set,
        goal: impl IntoIterator<Item = Position>,
        player: Player,
    ) -> (Set, FxHashMap<Position, Position>) {
        let mut forced = vec![false; part.len()];
        let mut moves = FxHashMap::default();
        let mut left: FxHashMap<Position, usize> = FxHashMap::default();
        let mut work = Vec::new();
        for at in goal {
            if part[at] && !forced[at] {
                forced[at] = true;
                work.push(at);
            }
        }
        while let Some(at) = work.pop() {
            for &before in &self.before[at] {
                if !part[before] || forced[before] {
                    continue;
                }
                let own = self.schedulers[before] == (player == Player::Scheduler);
                if own {
                    if player == Player::Scheduler {
                        moves.insert(before, at);
                    }
                } else {
                    let all = || self.moves[before].iter().filter(|to| part[**to]).count();
                    let left = left.entry(before).or_insert_with(all);
                    *left -= 1;
                    if *left > 0 {
                        continue;
                    }
                }
                forced[before] = true;
                work.push(before);
            }
        }
        (forced, moves)
    }

    /// What the scheduler does to win from a position, if it can. Some positions are lost; from each of the others
    /// there is a move.
    pub(crate) fn solve(
        &self,
        lost: &Set,
        start: Position,
        go_on: GoOn<'_>,
    ) -> Result<Option<Strategy>, Stop> {
        let all = vec![true; self.schedulers.len()];
        let (bad, _) = self.attractor(&all, members(lost), Player::Inputs);
        let part = without(&all, &bad);
        if !part[start] {
            return Ok(None);
        }
        // Where plays end nobody asks for anything.
        let (noisy, _) = self.attractor(&part, self.asked.iter().flatten().copied(), Player::Inputs);
        let quiet = without(&part, &noisy);
        let (ended, toward) = self.attractor(&part, members(&quiet), Player::Scheduler);
        let rest = without(&part, &ended);
        let ending = Layer { plan: self.any(&quiet), part: quiet, toward };
        let threads: Vec<usize> = (0..self.asked.len()).collect();
        let (won, plan) = self.scheduler_wins(rest, &threads, go_on)?;
        if !won[start] && !ended[start] {
            return Ok(None);
        }
        // Inputs may lead from the rest to the end.
        let round = Layer { part: won, plan, toward: FxHashMap::default() };
        Ok(Some(Strategy { layers: vec![ending, round] }))
    }

    /// Any move that stays in a part.
    fn any(&self, part: &Set) -> Plan {
        let stay = |at: Position| self.moves[at].iter().copied().find(|to| part[*to]).map(|to| (at, to));
        Plan::Any(members(part).filter(|at| self.schedulers[*at]).filter_map(stay).collect())
    }

    fn scheduler_wins(&self, mut part: Set, threads: &[usize], go_on: GoOn<'_>) -> Result<(Set, Plan), Stop> {
        'smaller: loop {
            let asks = |thread: &&usize| self.asked[**thread].iter().any(|at| part[*at]);
            let threads: Vec<usize> = threads.iter().filter(asks).copied().collect();
            let mut turns = Vec::new();
            for &thread in &threads {
                go_on()?;
                let granted = self.granted[thread].iter().copied();
                let (forced, toward) = self.attractor(&part, granted, Player::Scheduler);
                let rest = without(&part, &forced);
                let others: Vec<usize> = threads.iter().copied().filter(|other| *other != thread).collect();
                let (lost, otherwise) = self.inputs_win(rest, thread, &others, go_on)?;
                if lost.contains(&true) {
                    let (lost, _) = self.attractor(&part, members(&lost), Player::Inputs);
                    part = without(&part, &lost);
                    continue 'smaller;
                }
                turns.push(Turn { granted: self.granted[thread].clone(), toward, otherwise });
            }
            let plan = if turns.is_empty() { self.any(&part) } else { Plan::Round(turns) };
            return Ok((part, plan));
        }
    }

    /// Where inputs win in a part in which a thread is never picked, and what the scheduler does elsewhere.
    fn inputs_win(
        &self,
        mut part: Set,
        thread: usize,
        others: &[usize],
        go_on: GoOn<'_>,
    ) -> Result<(Set, Vec<Layer>), Stop> {
        let mut layers = Vec::new();
        while part.contains(&true) {
            go_on()?;
            let (asked, _) = self.attractor(&part, self.asked[thread].iter().copied(), Player::Inputs);
            let (won, plan) = self.scheduler_wins(without(&part, &asked), others, go_on)?;
            if !won.contains(&true) {
                break;
            }
            let (reached, toward) = self.attractor(&part, members(&won), Player::Scheduler);
            part = without(&part, &reached);
            layers.push(Layer { part: won, plan, toward });
        }
        Ok((part, layers))
    }
}

fn without(set: &Set, other: &Set) -> Set {
    set.iter().zip(other).map(|(is, not)| *is && !*not).collect()
}

fn members(set: &Set) -> impl Iterator<Item = Position> + '_ {
    set.iter().enumerate().filter(|(_, is)| **is).map(|(at, _)| at)
}

impl Strategy {
    /// The move at a position of the scheduler.
    pub(crate) fn decide(&self, memory: &mut Memory, at: Position) -> Option<Position> {
        decide_layers(&self.layers, memory, 0, at)
    }
}

fn decide_layers(layers: &[Layer], memory: &mut Memory, depth: usize, at: Position) -> Option<Position> {
    for (number, layer) in layers.iter().enumerate() {
        if layer.part[at] {
            if memory.get(depth) != Some(&number) {
                memory.truncate(depth);
                memory.push(number);
            }
            return decide(&layer.plan, memory, depth + 1, at);
        }
        if let Some(to) = layer.toward.get(&at) {
            memory.truncate(depth);
            return Some(*to);
        }
    }
    None
}

fn decide(plan: &Plan, memory: &mut Memory, depth: usize, at: Position) -> Option<Position> {
    match plan {
        Plan::Any(moves) => {
            memory.truncate(depth);
            moves.get(&at).copied()
        }
        Plan::Round(turns) => {
            if memory.len() <= depth {
                memory.push(0);
            }
            let number = memory[depth] % turns.len();
            let turn = &turns[number];
            if let Some(to) = turn.toward.get(&at) {
                memory.truncate(depth + 1);
                if turn.granted.contains(to) {
                    memory[depth] = (number + 1) % turns.len();
                }
                return Some(*to);
            }
            decide_layers(&turn.otherwise, memory, depth + 1, at)
        }
    }
}
