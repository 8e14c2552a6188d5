//! What an engine sees of the outside. Libraries read no clock and print nothing: the binary does it for them.

use std::time::Duration;

use interp::{Progress, Scheduler};

use crate::{Attempt, Rounds};

/// What an engine is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Exploring states; how far that is.
    Explore(Progress),
    /// Solving formulas.
    Solve(Solving),
    /// Replaying what was found.
    Replay,
}

/// How far a search by formulas is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solving {
    /// The schedules that it looks at.
    pub scheduler: Scheduler,
    /// The rounds of the infinite executions that it looks at, if it is those.
    pub rounds: Option<Rounds>,
    /// How often a run may go round a loop.
    pub unroll: u32,
    /// Questions to the solver.
    pub queries: u64,
    /// Calls and loops that were inlined on demand.
    pub inlined: u64,
}

/// Clock, memory meter and audience of an engine.
pub trait Observer {
    /// Time since the command was started.
    fn now(&self) -> Duration;

    /// Bytes of memory that the process takes, if that can be known.
    fn memory(&self) -> Option<u64>;

    /// Told every so often how far the engine is. Nobody has to listen.
    fn progress(&mut self, phase: Phase) {
        let _ = phase;
    }

    /// Told when one of several searches is over. Nobody has to listen.
    fn attempted(&mut self, attempt: &Attempt) {
        let _ = attempt;
    }
}
