//! Who runs next while a schedule is made.
//!
//! At an even pace each thread runs one round, which ends when it jumps back, and then the next one does. That gives the shortest
//! cycles, and so the smallest trees. A program that is kept on such a schedule changes threads all the time, and each change
//! takes far longer than a short round.
//!
//! At a long pace a thread goes on as long as its rounds do something, up to a number of rounds. Then comes the thread that
//! could go on after it the last time, so that a producer and a consumer take turns while all others sleep; or else the next
//! that has rounds left. When nobody has rounds left who could do something, a *cycle* is over, and all begin anew. Trees are
//! closed only from there to the end of an earlier one, and where ways meet again on which all did the same: what is covered
//! elsewhere would make cycles short. The first cycles have fewer rounds: they bring
//! the program to the state in which long ones begin and end, and tell how long those may be.
//!
//! A round in which a thread only looks and finds nothing to do is taken back: whoever runs next would have to wait for it, and the
//! thread would have to be woken for nothing. It stays only if the thread has not run in the cycle at all and nobody else has
//! anything to do, since a cycle without a thread that can run is not fair.

use std::hash::BuildHasher;
use std::rc::Rc;

use ir::GlobalId;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use schedule::Variable;
use smt::TermId;

use crate::model::{LocId, Model};
use crate::tree::{NodeId, Standing, Tree};

/// How many rounds a thread has in each of the first cycles.
const FIRST_ROUNDS: [u32; 2] = [1, 8];
/// How many it has in all further ones, at least.
pub(crate) const FEWEST_ROUNDS: u32 = 64;
/// The most, unless a cycle gets longer than so many steps.
pub(crate) const MOST_ROUNDS: u32 = 256;
const LONGEST_CYCLE: usize = 16_384;
/// A round with more ops is worth a change of threads: others may have as much to do at the same time. So is one that sleeps, or
/// does what is not looked at.
const SHORT: usize = 256;

/// How threads take turns while a schedule is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// One round each.
    #[default]
    Even,
    /// Many rounds each, if that gives a schedule; otherwise one.
    Long,
}

/// What a thread did last.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct Runner {
    /// How many rounds of this cycle it has used.
    used: u32,
    /// Its last round did nothing, or would, and nobody has done anything since.
    idle: bool,
    /// Whether it has run in this cycle.
    ran: bool,
    /// Who could go on after it.
    partner: Option<u32>,
    /// The state in which its round began, what it has written since, and how many ops it took.
    began: Option<(LocId, Rc<[TermId]>)>,
    wrote: bool,
    ops: usize,
}

/// What everybody did on the way to a node.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct Turns {
    cycle: usize,
    /// How many rounds everybody has in a long cycle, once that is known.
    rounds: u32,
    runners: Vec<Runner>,
    /// Who did something last, and whether it came to where it can do nothing more by itself.
    last: Option<u32>,
    stuck: bool,
    /// Who ran last, unless it is somebody else's turn.
    goes_on: Option<u32>,
    /// Who ran last, and whether it ended a round in which it did nothing.
    current: u32,
    in_vain: bool,
    /// Whether a cycle is over here, and whether it was one of full length.
    over: bool,
    full: bool,
}

/// Turns at a long pace.
pub(crate) struct Long {
    /// What locks and such are made of: to take one and give it back is to do nothing.
    locks: FxHashSet<GlobalId>,
    /// The most rounds of a cycle.
    most_rounds: u32,
    /// With a number that tells most apart: a node is compared with all earlier ones.
    turns: FxHashMap<NodeId, (u64, Rc<Turns>)>,
}

impl Turns {
    fn runner(&mut self, thread: u32) -> &mut Runner {
        let at = thread as usize;
        if self.runners.len() <= at {
            self.runners.resize_with(at + 1, Runner::default);
        }
        &mut self.runners[at]
    }

    fn rounds(&self) -> u32 {
        FIRST_ROUNDS.get(self.cycle).copied().unwrap_or(self.rounds)
    }

    /// Whether a thread has something left to do in this cycle.
    fn has_left(&self, thread: u32) -> bool {
        let runner = self.runners.get(thread as usize);
        runner.is_none_or(|runner| runner.used < self.rounds() && !runner.idle)
    }

    /// Whether it has run in this cycle.
    fn has_run(&self, thread: u32) -> bool {
        self.runners.get(thread as usize).is_some_and(|runner| runner.ran)
    }

    /// Whether it is at the beginning of a round.
    fn begins(&self, thread: u32) -> bool {
        self.runners.get(thread as usize).is_none_or(|runner| runner.ops == 0)
    }

    /// Who can go on here; if nobody has anything left to do, a cycle is over.
    fn settle(&mut self, standings: &[Standing]) {
        let can = |thread: u32| standings.iter().any(|standing| standing.thread == thread && standing.surely);
        if self.goes_on.is_some_and(can) {
            return;
        }
        self.stuck |= self.goes_on.is_some() && self.goes_on == self.last;
        self.goes_on = None;
        let left = |thread: u32| self.has_left(thread) || !self.has_run(thread);
        if !standings.iter().any(|standing| standing.surely && left(standing.thread)) {
            self.over = true;
            self.cycle += 1;
            self.full = self.cycle > FIRST_ROUNDS.len();
            for runner in &mut self.runners {
                (runner.used, runner.idle, runner.ran) = (0, false, false);
            }
        }
    }

    fn has_nothing_to_do(&mut self, thread: u32) {
        self.runner(thread).idle = true;
        if self.goes_on == Some(thread) {
            self.goes_on = None;
        }
        self.stuck |= self.last == Some(thread);
    }

    /// A thread jumps back. Whether it did something, its round counts; then it may go on.
    fn round(&mut self, thread: u32, at: (LocId, Rc<[TermId]>)) {
        let rounds = self.rounds();
        let runner = self.runner(thread);
        let useful = runner.wrote || runner.began.as_ref().is_none_or(|began| *began != at);
        let short = runner.ops <= SHORT;
        (runner.wrote, runner.ops, runner.began) = (false, 0, Some(at));
        if !useful {
            self.in_vain = true;
            self.has_nothing_to_do(thread);
            return;
        }
        runner.used = if short { runner.used + 1 } else { rounds };
        if runner.used >= rounds {
            self.goes_on = None;
        }
        for runner in &mut self.runners {
            runner.idle = false;
        }
        let stuck = std::mem::replace(&mut self.stuck, false);
        if let Some(last) = self.last.replace(thread)
            && last != thread
            && stuck
        {
            self.runner(last).partner = Some(thread);
        }
    }
}

impl Long {
    pub(crate) fn new(locks: FxHashSet<GlobalId>, most_rounds: u32) -> Self {
        Long { locks, most_rounds, turns: FxHashMap::default() }
    }

    /// Whether a node may be covered by an earlier one: a full cycle is over at one, and another was at the other; or all did the
    /// same on the way to both, where ways part that make no difference.
    pub(crate) fn may_cover(&self, by: NodeId, node: NodeId) -> bool {
        let (Some(earlier), Some(later)) = (self.turns.get(&by), self.turns.get(&node)) else { return false };
        later.1.full && earlier.1.over || earlier == later
    }

    /// Whether a cycle is over at a node.
    pub(crate) fn ends_cycle(&self, node: NodeId) -> bool {
        self.turns.get(&node).is_some_and(|(_, turns)| turns.over)
    }

    /// The tree comes to a node.
    pub(crate) fn arrive(&mut self, tree: &Tree<'_, '_>, node: NodeId, standings: &[Standing]) {
        if self.turns.contains_key(&node) {
            return;
        }
        let here = &tree.nodes[node];
        let turns = match &here.parent {
            None => Turns::default(),
            Some(parent) => {
                let mut turns =
                    self.turns.get(&parent.node).map(|(_, turns)| Turns::clone(turns)).unwrap_or_default();
                let thread = parent.thread;
                let sleeps = parent.path.ops.iter().any(|op| matches!(tree.model.op(*op), ir::Op::Yield));
                let wrote = parent.path.updates.iter().any(|(var, _)| self.counts(tree.model, *var));
                (turns.goes_on, turns.current) = (Some(thread), thread);
                (turns.over, turns.full, turns.in_vain) = (false, false, false);
                let runner = turns.runner(thread);
                runner.ran = true;
                // What others have done since its last round does not count.
                if runner.ops == 0 {
                    let before = &tree.nodes[parent.node];
                    runner.began = Some((before.loc, Rc::clone(&before.facts)));
                }
                runner.wrote |= wrote;
                runner.ops += parent.path.ops.len() + if sleeps { SHORT } else { 0 };
                if parent.path.back {
                    turns.round(thread, (here.loc, Rc::clone(&here.facts)));
                }
                turns
            }
        };
        self.settle(tree, node, turns, standings);
    }

    fn settle(&mut self, tree: &Tree<'_, '_>, node: NodeId, mut turns: Turns, standings: &[Standing]) {
        turns.settle(standings);
        if turns.over && turns.rounds == 0 && turns.cycle == FIRST_ROUNDS.len() {
            turns.rounds = self.rounds_after(tree, node);
        }
        self.turns.insert(node, (FxBuildHasher.hash_one(&turns), Rc::new(turns)));
    }

    /// How many rounds a long cycle has, given that the last of the short ones is over: as many as there is room for.
    fn rounds_after(&self, tree: &Tree<'_, '_>, node: NodeId) -> u32 {
        let mut steps = 0;
        let mut at = node;
        while let Some(parent) = &tree.nodes[at].parent {
            steps += 1;
            at = parent.node;
            if self.ends_cycle(at) {
                break;
            }
        }
        let short = FIRST_ROUNDS[FIRST_ROUNDS.len() - 1];
        let mut rounds = self.most_rounds;
        while rounds > FEWEST_ROUNDS && steps * (rounds / short) as usize > LONGEST_CYCLE {
            rounds /= 2;
        }
        rounds
    }

    /// If a round ends at a node that did nothing and need not be: where it began, and whose it is. Somebody else can run there
    /// instead, and what it did has no other outcomes.
    pub(crate) fn taken_back(
        &self,
        tree: &Tree<'_, '_>,
        node: NodeId,
        standings: &dyn Fn(NodeId) -> Vec<u32>,
    ) -> Option<(NodeId, u32)> {
        let (_, turns) = self.turns.get(&node).filter(|(_, turns)| turns.in_vain)?;
        let thread = turns.current;
        let mut at = node;
        let before = loop {
            let parent = tree.nodes[at].parent.as_ref().filter(|parent| parent.thread == thread)?;
            let kept = tree.nodes[parent.node].choices.iter().filter(|choice| !choice.fails);
            if kept.map(|choice| choice.children.len()).sum::<usize>() != 1 {
                return None;
            }
            at = parent.node;
            let (_, before) = self.turns.get(&at)?;
            if before.begins(thread) {
                break before;
            }
        };
        let tried = |other: u32| tree.nodes[at].choices.iter().any(|choice| choice.thread == other);
        let mut others = standings(at);
        others.retain(|other| *other != thread && !tried(*other));
        let left = others.iter().any(|other| before.has_left(*other));
        (left || before.has_run(thread) && !others.is_empty()).then_some((at, thread))
    }

    /// A thread would have nothing to do at a node.
    pub(crate) fn leave_out(
        &mut self,
        tree: &Tree<'_, '_>,
        node: NodeId,
        thread: u32,
        standings: &[Standing],
    ) {
        if let Some((_, turns)) = self.turns.get(&node) {
            let mut turns = Turns::clone(turns);
            turns.has_nothing_to_do(thread);
            self.settle(tree, node, turns, standings);
        }
    }

    fn counts(&self, model: &Model<'_>, var: crate::model::VarId) -> bool {
        matches!(model.variable(var), Variable::Global(id) if !self.locks.contains(&id))
    }

    /// The order in which to try threads at a node.
    pub(crate) fn preference(&self, node: NodeId, threads: &mut [u32]) {
        let Some((_, turns)) = self.turns.get(&node) else { return };
        let current = turns.current;
        let partner = turns.runners.get(current as usize).and_then(|runner| runner.partner);
        let idle = turns.runners.get(current as usize).is_some_and(|runner| runner.idle);
        let first = if idle { current + 1 } else { 0 };
        threads.sort_by_key(|&thread| {
            let favourite = if turns.goes_on == Some(thread) {
                0
            } else if !turns.has_left(thread) {
                if turns.has_run(thread) { 4 } else { 3 }
            } else if partner == Some(thread) && !turns.over {
                1
            } else {
                2
            };
            (favourite, thread < first, thread)
        });
    }
}
