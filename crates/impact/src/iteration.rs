//! Safe schedules one after the other: Algorithm 1 of Metzler, Suri and Weissenbacher.
//!
//! An iteration follows one thread at a time, round robin, switching when a thread jumps back, blocks or completes (or less
//! often: see [`crate::pace`]), until all that inputs can lead to is covered by earlier nodes on fair cycles or comes to an end of
//! the program. Where something goes wrong it goes back to the last node where another thread can run. Each further iteration
//! begins at the first node at which another thread could run, too.

use std::collections::VecDeque;

use interp::Checks;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Added;
use crate::expand::{Counterexample, Cuts, Expanded, Situation};
use crate::pace::Long;
use crate::tree::{NodeId, Standing, Stop, Tree};

/// More nodes that could cover each other, were it fair, mean that it never is.
const MOST_TWINS: usize = 24;

/// What an iteration came to.
pub(crate) enum Iterated {
    /// More is permitted than before.
    Progress,
    /// The new start leads to nothing but errors.
    Failed,
    /// There is nothing left to try.
    NoProgress,
    /// It takes too many nodes.
    TooLarge,
}

/// The iterations on one tree.
pub(crate) struct Iterations<'t, 'a, 'p> {
    pub(crate) tree: &'t mut Tree<'a, 'p>,
    pub(crate) checks: &'t Checks,
    pub(crate) cuts: Cuts,
    pub(crate) counterexamples: Vec<Counterexample>,
    pub(crate) most_nodes: usize,
    /// Who runs when, if not one round each.
    long: Option<Long>,
    /// What threads can do at the nodes that were looked at.
    standings: FxHashMap<NodeId, Vec<Standing>>,
    work: Vec<NodeId>,
    /// Below this choice nothing is given up but the choice itself.
    floor: Option<(NodeId, u32)>,
    started: bool,
}

impl<'t, 'a, 'p> Iterations<'t, 'a, 'p> {
    pub(crate) fn new(
        tree: &'t mut Tree<'a, 'p>,
        checks: &'t Checks,
        most_nodes: usize,
        long: Option<Long>,
    ) -> Self {
        Iterations {
            tree,
            checks,
            cuts: Vec::new(),
            counterexamples: Vec::new(),
            most_nodes,
            long,
            standings: FxHashMap::default(),
            work: Vec::new(),
            floor: None,
            started: false,
        }
    }

    /// One iteration.
    pub(crate) fn next(&mut self) -> Result<Iterated, Stop> {
        if self.started {
            return self.another();
        }
        self.started = true;
        self.work = vec![NodeId::from_u32(0)];
        self.run()
    }

    /// Begins at the first node where another thread can run, in breadth-first order.
    fn another(&mut self) -> Result<Iterated, Stop> {
        for node in self.reachable() {
            let Some(standings) = self.standings.get(&node).cloned() else { continue };
            for standing in standings {
                let chosen =
                    self.tree.nodes[node].choices.iter().any(|choice| choice.thread == standing.thread);
                if chosen || !standing.surely || self.tree.stands_alone(node, &standing) {
                    continue;
                }
                self.floor = Some((node, standing.thread));
                // That it can run has to follow from the label.
                self.tree.strengthen(node, standing.guard)?;
                return match self.tree.expand(node, &standing, self.checks, &mut self.cuts)? {
                    Expanded::Fails(counterexample) => {
                        self.counterexamples.extend(counterexample);
                        self.drop_choice(node, standing.thread);
                        Ok(Iterated::Failed)
                    }
                    Expanded::Children(children) => {
                        self.work = children;
                        self.run()
                    }
                };
            }
        }
        Ok(Iterated::NoProgress)
    }

    /// The nodes that the choices lead to, in breadth-first order, except those that are covered.
    pub(crate) fn reachable(&self) -> Vec<NodeId> {
        let root = NodeId::from_u32(0);
        let mut order = Vec::new();
        let mut seen = FxHashSet::default();
        let mut queue = VecDeque::from([root]);
        seen.insert(root);
        while let Some(node) = queue.pop_front() {
            order.push(node);
            for choice in self.tree.nodes[node].choices.iter().filter(|choice| !choice.fails) {
                for child in &choice.children {
                    let target = self.tree.nodes[*child].cover.unwrap_or(*child);
                    if seen.insert(target) {
                        queue.push_back(target);
                    }
                }
            }
        }
        order
    }

    /// Where the last iteration began, unless it was the first.
    pub(crate) fn added(&self) -> Option<Added> {
        self.floor.map(|(node, thread)| Added { after: self.tree.steps_to(node).len(), thread })
    }

    fn run(&mut self) -> Result<Iterated, Stop> {
        loop {
            let reopened = std::mem::take(&mut self.tree.reopened);
            self.work.extend(reopened);
            let Some(node) = self.work.pop() else { return Ok(Iterated::Progress) };
            self.tree.solving.may_go_on()?;
            let known = &self.tree.nodes[node];
            if known.removed || known.cover.is_some() || known.choices.iter().any(|choice| !choice.fails) {
                continue;
            }
            if self.tree.nodes.len() > self.most_nodes {
                return Ok(Iterated::TooLarge);
            }
            self.arrive(node)?;
            if self.take_back(node) || self.close(node)? {
                continue;
            }
            // It comes back to the same states again and again, and never fairly.
            let long = self.long.as_ref();
            let counts = |twin| long.is_none_or(|long| long.ends_cycle(twin));
            if counts(node) && self.tree.twins(node).filter(|twin| counts(*twin)).count() > MOST_TWINS {
                return Ok(Iterated::TooLarge);
            }
            if !self.advance(node)? && !self.give_up(node)? {
                return Ok(Iterated::Failed);
            }
        }
    }

    fn standings(&mut self, node: NodeId) -> Result<Vec<Standing>, Stop> {
        if let Some(known) = self.standings.get(&node) {
            return Ok(known.clone());
        }
        let standings = self.tree.standings(node)?;
        self.standings.insert(node, standings.clone());
        Ok(standings)
    }

    /// Notes at a long pace what led to a node.
    fn arrive(&mut self, node: NodeId) -> Result<(), Stop> {
        if self.long.is_some() {
            let standings = self.standings(node)?;
            if let Some(long) = &mut self.long {
                long.arrive(self.tree, node, &standings);
            }
        }
        Ok(())
    }

    /// Takes back the round that ends at a node, if it did nothing and somebody else can run instead.
    fn take_back(&mut self, node: NodeId) -> bool {
        let Some(long) = &mut self.long else { return false };
        let standings = &self.standings;
        let surely = |node: NodeId| {
            let standings = standings.get(&node).into_iter().flatten();
            standings.filter(|standing| standing.surely).map(|standing| standing.thread).collect()
        };
        let Some((began, thread)) = long.taken_back(self.tree, node, &surely) else { return false };
        long.leave_out(self.tree, began, thread, standings.get(&began).map_or(&[], Vec::as_slice));
        self.drop_choice(began, thread);
        self.work.push(began);
        true
    }

    /// Covers a node, if that makes only fair cycles.
    fn close(&mut self, node: NodeId) -> Result<bool, Stop> {
        let (standings, long) = (&self.standings, &self.long);
        let eligible = |by| long.as_ref().is_none_or(|long| long.may_cover(by, node));
        self.tree.close(node, &eligible, &mut |tree, by| fair(tree, standings, node, by))
    }

    /// Lets the next thread run at a node, or another one; nothing if all fail.
    fn advance(&mut self, node: NodeId) -> Result<bool, Stop> {
        let standings = self.standings(node)?;
        match self.tree.situation(node, &standings)? {
            Situation::End => return Ok(true),
            Situation::Deadlock(counterexample) => {
                if self.checks.deadlocks {
                    self.counterexamples.push(counterexample);
                }
                return Ok(false);
            }
            Situation::Live => {}
        }
        for thread in self.preference(node, &standings) {
            let Some(standing) = standings.iter().find(|standing| standing.thread == thread) else {
                continue;
            };
            let chosen = self.tree.nodes[node].choices.iter().any(|choice| choice.thread == thread);
            if chosen || !standing.surely {
                continue;
            }
            self.tree.strengthen(node, standing.guard)?;
            match self.tree.expand(node, standing, self.checks, &mut self.cuts)? {
                Expanded::Children(children) => {
                    self.work.extend(children.into_iter().rev());
                    return Ok(true);
                }
                Expanded::Fails(counterexample) => {
                    self.counterexamples.extend(counterexample);
                    self.drop_choice(node, thread);
                }
            }
        }
        Ok(false)
    }

    /// The order in which to try threads: the same goes on until it jumps back.
    fn preference(&self, node: NodeId, standings: &[Standing]) -> Vec<u32> {
        let mut threads: Vec<u32> = standings.iter().map(|standing| standing.thread).collect();
        if let Some(long) = &self.long {
            long.preference(node, &mut threads);
        } else if let Some(parent) = &self.tree.nodes[node].parent {
            let first = if parent.path.back { parent.thread + 1 } else { parent.thread };
            let at = threads.iter().position(|thread| *thread >= first).unwrap_or(0);
            threads.rotate_left(at);
        }
        threads
    }

    /// A thread must not run at a node.
    fn drop_choice(&mut self, node: NodeId, thread: u32) {
        let choice = self.tree.nodes[node].choices.iter_mut().find(|choice| choice.thread == thread);
        let Some(choice) = choice else { return };
        choice.fails = true;
        for child in choice.children.clone() {
            self.tree.remove(child);
        }
    }

    /// Goes back from a node at which nothing is right to one where another thread can run.
    fn give_up(&mut self, node: NodeId) -> Result<bool, Stop> {
        let mut node = node;
        loop {
            let Some(parent) = self.tree.nodes[node].parent.clone() else { return Ok(false) };
            self.drop_choice(parent.node, parent.thread);
            if self.floor == Some((parent.node, parent.thread)) {
                return Ok(false);
            }
            if self.tree.nodes[parent.node].removed {
                return Ok(true);
            }
            let others = self.tree.nodes[parent.node].choices.iter().any(|choice| !choice.fails);
            if others || self.advance(parent.node)? {
                return Ok(true);
            }
            node = parent.node;
        }
    }
}

/// Whether each cycle that a covering closes is fair: a thread that can run somewhere on it runs on it.
fn fair(tree: &Tree<'_, '_>, standings: &FxHashMap<NodeId, Vec<Standing>>, node: NodeId, by: NodeId) -> bool {
    let threads = tree.model.info(tree.nodes[node].loc).location.threads.len();
    if !way_is_fair(tree, standings, node, by) {
        return false;
    }
    (0u32..).take(threads).all(|thread| {
        // The nodes between the two, without steps of the thread.
        let forward = reach(tree, by, |tree, node, out| {
            for choice in &tree.nodes[node].choices {
                if choice.thread != thread && !choice.fails {
                    out.extend(&choice.children);
                }
            }
            out.extend(tree.nodes[node].cover);
        });
        if !forward.contains(&node) {
            return true;
        }
        let backward = reach(tree, node, |tree, node, out| {
            if let Some(parent) = &tree.nodes[node].parent
                && parent.thread != thread
            {
                out.push(parent.node);
            }
            out.extend(&tree.nodes[node].covers);
        });
        let enabled = |node: &NodeId| {
            standings.get(node).is_some_and(|standings| {
                standings.iter().any(|standing| standing.thread == thread && !standing.ways.is_empty())
            })
        };
        !forward.iter().any(|node| backward.contains(node) && enabled(node))
    })
}

/// Whether the way in the tree from a node to one below it is fair, if there is one: most that are unfair show here.
fn way_is_fair(
    tree: &Tree<'_, '_>,
    standings: &FxHashMap<NodeId, Vec<Standing>>,
    node: NodeId,
    above: NodeId,
) -> bool {
    // Sets of threads; with very many of them, those with the same bit are not told apart, which is looked at in `fair`.
    let bit = |thread: u32| 1_u64 << (thread % u64::BITS);
    let (mut ran, mut could) = (0, 0);
    let mut at = node;
    while at != above {
        let Some(parent) = &tree.nodes[at].parent else { return true };
        ran |= bit(parent.thread);
        at = parent.node;
        let enabled = standings.get(&at).into_iter().flatten().filter(|standing| !standing.ways.is_empty());
        could = enabled.fold(could, |could, standing| could | bit(standing.thread));
    }
    could & !ran == 0
}

fn reach(
    tree: &Tree<'_, '_>,
    from: NodeId,
    next: impl Fn(&Tree<'_, '_>, NodeId, &mut Vec<NodeId>),
) -> FxHashSet<NodeId> {
    let mut seen = FxHashSet::default();
    let mut work = vec![from];
    while let Some(node) = work.pop() {
        if seen.insert(node) {
            next(tree, node, &mut work);
        }
    }
    seen
}
