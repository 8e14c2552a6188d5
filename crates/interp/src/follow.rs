//! Whether a program that keeps to a schedule is safe: the schedule is followed on explicit states.
//!
//! A schedule is a graph: at each of its nodes some threads may run, and each step leads to another node. The product with
//! the states of the program is searched, with the permitted threads only and all their choices. In it there must be no
//! violation, no step for which the schedule has no edge, no state in which only threads can step that may not, and no
//! infinite run in which a thread is enabled infinitely often and scheduled finitely often. What the schedule says of values
//! is not looked at; it is enough that what it permits is right.
//!
//! Ops are those of the program with its synchronization expanded (see [`ir::expand`]). Schedules number threads in the order
//! in which they were started, from 0, and no number is used again; in states numbers are. So which number is whose is a part
//! of the product. Fair choices are choices like any other: a run that refuses one for ever has to be fair to threads.

mod fairness;
#[cfg(test)]
mod tests;

use indexmap::IndexSet;
use ir::{OpRef, ProcId, Program};
use rustc_hash::FxBuildHasher;

use crate::compile::compile;
use crate::explore::{Flow, Progress};
use crate::pack::StateId;
use crate::run::{Config, Cut, ViolationKind};
use crate::steps::{self, Slot, Steps};

/// A schedule: which threads may run where.
pub trait Constraints {
    /// The node for the initial states.
    fn root(&mut self) -> u32;

    /// The threads that may run at a node.
    fn permitted(&mut self, node: u32) -> Vec<u32>;

    /// The node to which a step of a permitted thread leads, if there is one.
    fn next(&mut self, node: u32, step: &StepTaken<'_>) -> Option<u32>;
}

/// A step that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepTaken<'a> {
    /// The thread.
    pub thread: u32,
    /// The ops that it ran, in order. An op at which it was blocked or would have failed, and that is no scheduling point,
    /// is not one of them.
    pub ops: &'a [OpRef],
    /// Where all threads are now that were ever started, in the order in which they were. After `exit` there are none.
    pub location: &'a [Standing],
}

/// Where a thread is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// For each of its frames, oldest first: the call in which it is, and for the newest the op that is next.
    Running(Vec<OpRef>),
    /// It has completed; which procedure it ran.
    Completed(ProcId),
}

/// One step on the way to a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The thread.
    pub thread: u32,
    /// The ops that it ran.
    pub ops: Vec<OpRef>,
    /// The node of the schedule to which that leads.
    pub node: u32,
}

/// What is wrong with a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A permitted step fails, or the program comes to a deadlock.
    Violation {
        /// The kind.
        kind: ViolationKind,
        /// In words, if there are any.
        message: String,
    },
    /// The schedule has no edge for a step that it permits.
    NoEdge {
        /// The thread.
        thread: u32,
        /// The ops that it ran.
        ops: Vec<OpRef>,
        /// Where that leads.
        location: Vec<Standing>,
    },
    /// Some threads can step, and none of them may.
    Stuck {
        /// Those that can.
        enabled: Vec<u32>,
    },
    /// A thread is enabled again and again and never runs: the moves from this one on repeat for ever.
    Unfair {
        /// The thread.
        thread: u32,
        /// Where the cycle begins.
        lasso_start: usize,
    },
}

/// How it went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conduct {
    /// All runs that the schedule permits are safe, free of deadlocks and fair.
    Fine,
    /// One is not.
    Wrong(Problem, Vec<Move>),
    /// A permitted step could not be followed.
    Cut(Cut),
    /// The search was stopped.
    Stopped,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Followed {
    /// How it went.
    pub conduct: Conduct,
    /// How many pairs of a state and a node were reached.
    pub states: usize,
    /// How many steps lead from one to the other.
    pub steps: usize,
}

/// Follows a schedule of a valid program. Of the configuration, the scheduler, the reduction, data races, infinite
/// executions and the number of violations are ignored. `control` is called every so often and can stop the search.
pub fn follow(
    program: &Program,
    config: &Config,
    constraints: &mut dyn Constraints,
    control: &mut dyn FnMut(&Progress) -> Flow,
) -> Followed {
    let expanded = ir::expand(program).program;
    let code = compile(&expanded, config.switch_at);
    let mut product = Product {
        steps: Steps::new(&code, config),
        deadlocks: config.checks.deadlocks,
        constraints,
        slots: IndexSet::default(),
        places: IndexSet::default(),
        parents: Vec::new(),
        starts: vec![0],
        edges: Vec::new(),
    };
    let conduct = match product.search(control) {
        Ok(()) => match product.unfair() {
            Some((problem, moves)) => Conduct::Wrong(problem, moves),
            None => Conduct::Fine,
        },
        Err(conduct) => *conduct,
    };
    Followed { conduct, states: product.places.len(), steps: product.edges.len() }
}

/// How often `control` is called, in pairs of a state and a node.
const REPORT_EVERY: usize = 256;

/// A state, a node, and which threads there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    state: StateId,
    node: u32,
    /// Position in [`Product::slots`].
    slots: u32,
}

/// An edge of the product.
#[derive(Clone, Copy, Debug)]
struct Edge {
    to: u32,
    thread: u32,
    /// Which of the steps of the state it is.
    step: u32,
}

/// The product of the states and the schedule, as far as it was searched.
struct Product<'p> {
    steps: Steps<'p>,
    deadlocks: bool,
    constraints: &'p mut dyn Constraints,
    /// The numbers in states of all threads that were started.
    slots: IndexSet<Vec<Slot>, FxBuildHasher>,
    places: IndexSet<Place, FxBuildHasher>,
    /// For each place that is not initial, one before it, and the edge.
    parents: Vec<Option<(u32, u32)>>,
    /// Where the edges of each place start, and where the last end.
    starts: Vec<usize>,
    edges: Vec<Edge>,
}

impl Product<'_> {
    /// Searches all places, breadth first.
    fn search(&mut self, control: &mut dyn FnMut(&Progress) -> Flow) -> Result<(), Box<Conduct>> {
        let root = self.constraints.root();
        let initial = self.steps.initial().map_err(|cut| Box::new(Conduct::Cut(*cut)))?;
        for (state, slots) in initial {
            self.place(state, root, slots, None);
        }
        let mut next = 0;
        while next < self.places.len() {
            if next.is_multiple_of(REPORT_EVERY) {
                let progress = Progress {
                    states: self.places.len(),
                    pending: self.places.len() - next,
                    transitions: self.edges.len() as u64,
                    memory: self.steps.memory(),
                };
                if control(&progress) == Flow::Stop {
                    return Err(Box::new(Conduct::Stopped));
                }
            }
            self.expand(number(next))?;
            self.starts.push(self.edges.len());
            next += 1;
        }
        Ok(())
    }

    fn place(&mut self, state: StateId, node: u32, slots: Vec<Slot>, from: Option<(u32, u32)>) -> u32 {
        let slots = number(self.slots.insert_full(slots).0);
        let (place, new) = self.places.insert_full(Place { state, node, slots });
        if new {
            self.parents.push(from);
        }
        number(place)
    }

    /// Takes all steps that are permitted at a place.
    fn expand(&mut self, at: u32) -> Result<(), Box<Conduct>> {
        let Place { state, node, slots } = self.places[at as usize];
        let slots = self.slots[slots as usize].clone();
        let expansion = self.steps.of(state);
        if expansion.enabled == 0 {
            let deadlock = expansion.live != 0 && expansion.assuming == 0;
            if deadlock && self.deadlocks {
                let problem = Problem::Violation { kind: ViolationKind::Deadlock, message: String::new() };
                return Err(self.wrong(at, problem));
            }
            return Ok(());
        }
        let mut permitted = self.constraints.permitted(node);
        permitted.sort_unstable();
        let mut moved = false;
        for (index, step) in expansion.steps.iter().enumerate() {
            let thread = steps::number_of(&slots, step.thread);
            if permitted.binary_search(&thread).is_err() {
                continue;
            }
            moved = true;
            let target = match &step.end {
                steps::End::Moved(target) => *target,
                steps::End::Failed(Some(kind), message) => {
                    let problem = Problem::Violation { kind: *kind, message: message.clone() };
                    return Err(self.wrong(at, problem));
                }
                // A failure that is no violation ends the run.
                steps::End::Failed(None, _) => continue,
                steps::End::Cut(cut) => return Err(Box::new(Conduct::Cut((**cut).clone()))),
            };
            let after = self.steps.slots_after(&expansion, step, target, &slots);
            let location = self.steps.location(target, &after);
            let taken = StepTaken { thread, ops: &step.ops, location: &location };
            let Some(node) = self.constraints.next(node, &taken) else {
                let problem = Problem::NoEdge { thread, ops: step.ops.clone(), location };
                return Err(self.wrong(at, problem));
            };
            let to = self.place(target, node, after, Some((at, number(self.edges.len()))));
            self.edges.push(Edge { to, thread, step: number(index) });
        }
        if !moved {
            let enabled = self.enabled(at);
            return Err(self.wrong(at, Problem::Stuck { enabled }));
        }
        Ok(())
    }

    /// The threads that can step at a place.
    fn enabled(&mut self, at: u32) -> Vec<u32> {
        let Place { state, slots, .. } = self.places[at as usize];
        let enabled = self.steps.of(state).enabled;
        let slots = self.slots[slots as usize].iter();
        let can_step = |slot: &Slot| matches!(slot, Slot::At(thread) if enabled & (1 << thread) != 0);
        (0..).zip(slots).filter(|(_, slot)| can_step(slot)).map(|(thread, _)| thread).collect()
    }

    fn wrong(&mut self, at: u32, problem: Problem) -> Box<Conduct> {
        let moves = self.path_to(at);
        Box::new(Conduct::Wrong(problem, moves))
    }

    /// The moves from an initial place to another one.
    fn path_to(&mut self, mut at: u32) -> Vec<Move> {
        let mut moves = Vec::new();
        while let Some((before, edge)) = self.parents[at as usize] {
            moves.push(self.described(before, edge));
            at = before;
        }
        moves.reverse();
        moves
    }

    fn described(&mut self, from: u32, edge: u32) -> Move {
        let Edge { to, thread, step } = self.edges[edge as usize];
        let steps = self.steps.of(self.places[from as usize].state);
        let node = self.places[to as usize].node;
        Move { thread, ops: steps.steps[step as usize].ops.clone(), node }
    }
}

fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
