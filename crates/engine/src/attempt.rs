//! One of several searches that a command makes, each within larger bounds than the one before.

use std::time::Duration;

use interp::Scheduler;

use crate::Rounds;

/// How a search came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// A violation, which was replayed.
    Violation,
    /// No run of these schedules fails.
    Nothing,
    /// No run of these schedules fails that goes round a loop at most as often as allowed.
    NothingWithinUnroll,
    /// It ended before it had an answer.
    Undecided,
}

/// A search and what it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The schedules searched.
    pub scheduler: Scheduler,
    /// The rounds of the infinite executions sought, if it is those.
    pub rounds: Option<Rounds>,
    /// How it came out.
    pub found: Found,
    /// Time it took.
    pub time: Duration,
    /// Questions to the solver.
    pub queries: u64,
    /// Calls and loops that were inlined on demand.
    pub inlined: u64,
    /// How often a run was allowed to go round a loop.
    pub unroll: u32,
    /// How many states there are, if they were looked at one by one.
    pub states: Option<usize>,
}
