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
//! the program to the state in which long ones begin and end.

use std::rc::Rc;

use ir::GlobalId;
use rustc_hash::{FxHashMap, FxHashSet};
use schedule::Variable;
use smt::TermId;

use crate::model::{LocId, Model};
use crate::tree::{NodeId, Standing, Tree};

/// How many rounds a thread has in each cycle; the last number is that of all further ones.
const ROUNDS: [u32; 3] = [1, 8, 64];
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
#[derive(Clone, Default, PartialEq, Eq)]
struct Runner {
    /// How many rounds of this cycle it has used.
    used: u32,
    /// Its last round did nothing, and nobody has done anything since.
    idle: bool,
    /// Who could go on after it.
    partner: Option<u32>,
    /// The state in which its round began, what it has written since, and how many ops it took.
    began: Option<(LocId, Rc<[TermId]>)>,
    wrote: bool,
    ops: usize,
}

/// What everybody did on the way to a node.
#[derive(Clone, Default, PartialEq, Eq)]
struct Turns {
    cycle: usize,
    runners: Vec<Runner>,
    /// Who did something last, and whether it came to where it can do nothing more by itself.
    last: Option<u32>,
    stuck: bool,
    /// Who ran last, unless it is somebody else's turn.
    goes_on: Option<u32>,
    /// Who ran last.
    current: u32,
    /// Whether a cycle is over here, and whether it was one of full length.
    over: bool,
    full: bool,
}

/// Turns at a long pace.
pub(crate) struct Long {
    /// What locks and such are made of: to take one and give it back is to do nothing.
    locks: FxHashSet<GlobalId>,
    turns: FxHashMap<NodeId, Rc<Turns>>,
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
        ROUNDS[self.cycle.min(ROUNDS.len() - 1)]
    }

    /// Whether a thread has something left to do in this cycle.
    fn has_left(&self, thread: u32) -> bool {
        let runner = self.runners.get(thread as usize);
        runner.is_none_or(|runner| runner.used < self.rounds() && !runner.idle)
    }

    /// A thread jumps back. Whether it did something, its round counts; then it may go on.
    fn round(&mut self, thread: u32, at: (LocId, Rc<[TermId]>)) {
        let rounds = self.rounds();
        let runner = self.runner(thread);
        let useful = runner.wrote || runner.began.as_ref().is_none_or(|began| *began != at);
        let short = runner.ops <= SHORT;
        (runner.wrote, runner.ops, runner.began) = (false, 0, Some(at));
        if !useful {
            runner.idle = true;
            self.goes_on = None;
            self.stuck |= self.last == Some(thread);
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
    pub(crate) fn new(locks: FxHashSet<GlobalId>) -> Self {
        Long { locks, turns: FxHashMap::default() }
    }

    /// Whether a node may be covered by an earlier one: a full cycle is over at one, and another was at the other; or all did the
    /// same on the way to both, where ways part that make no difference.
    pub(crate) fn may_cover(&self, by: NodeId, node: NodeId) -> bool {
        let (Some(earlier), Some(later)) = (self.turns.get(&by), self.turns.get(&node)) else { return false };
        later.full && earlier.over || earlier == later
    }

    /// Whether a cycle is over at a node.
    pub(crate) fn ends_cycle(&self, node: NodeId) -> bool {
        self.turns.get(&node).is_some_and(|turns| turns.over)
    }

    /// The tree comes to a node.
    pub(crate) fn arrive(&mut self, tree: &Tree<'_, '_>, node: NodeId, standings: &[Standing]) {
        if self.turns.contains_key(&node) {
            return;
        }
        let here = &tree.nodes[node];
        let mut turns = match &here.parent {
            None => Turns::default(),
            Some(parent) => {
                let mut turns =
                    self.turns.get(&parent.node).map(|turns| Turns::clone(turns)).unwrap_or_default();
                let thread = parent.thread;
                let sleeps = parent.path.ops.iter().any(|op| matches!(tree.model.op(*op), ir::Op::Yield));
                let wrote = parent.path.updates.iter().any(|(var, _)| self.counts(tree.model, *var));
                (turns.goes_on, turns.current) = (Some(thread), thread);
                (turns.over, turns.full) = (false, false);
                let runner = turns.runner(thread);
                if runner.began.is_none() {
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
        let can = |thread: u32| standings.iter().any(|standing| standing.thread == thread && standing.surely);
        if turns.goes_on.is_none_or(|thread| !can(thread)) {
            turns.stuck |= turns.goes_on.is_some() && turns.goes_on == turns.last;
            turns.goes_on = None;
            let left = standings.iter().any(|standing| standing.surely && turns.has_left(standing.thread));
            if !left {
                turns.over = true;
                turns.cycle += 1;
                turns.full = turns.cycle >= ROUNDS.len();
                for runner in &mut turns.runners {
                    (runner.used, runner.idle) = (0, false);
                }
            }
        }
        self.turns.insert(node, Rc::new(turns));
    }

    fn counts(&self, model: &Model<'_>, var: crate::model::VarId) -> bool {
        matches!(model.variable(var), Variable::Global(id) if !self.locks.contains(&id))
    }

    /// The order in which to try threads at a node.
    pub(crate) fn preference(&self, node: NodeId, threads: &mut [u32]) {
        let Some(turns) = self.turns.get(&node) else { return };
        let current = turns.current;
        let partner = turns.runners.get(current as usize).and_then(|runner| runner.partner);
        let idle = turns.runners.get(current as usize).is_some_and(|runner| runner.idle);
        let first = if idle { current + 1 } else { 0 };
        threads.sort_by_key(|&thread| {
            let favourite = if turns.goes_on == Some(thread) {
                0
            } else if !turns.has_left(thread) {
                3
            } else if partner == Some(thread) && !turns.over {
                1
            } else {
                2
            };
            (favourite, thread < first, thread)
        });
    }
}
