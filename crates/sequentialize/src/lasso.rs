//! Fair infinite executions: the stem and lasso sequentialization.
//!
//! Atig, Bouajjani, Emmi and Lal, "Detecting Fair Non-Termination in Multithreaded Programs", CAV 2012. The sequential
//! program runs one task after the other through the rounds of a stem and those of a lasso, on guessed values of the
//! shared variables, and an assertion fails if the guesses fit, the lasso comes back to where it began, and it is fair.
//!
//! It differs from Figure 2 of the paper in this:
//!
//! - The tasks, their order and their rounds are those of DF(K): a task that is started runs where it is started, so
//!   that there are as many as the program starts. Only the number of rounds is bounded, not that of delays.
//! - The lasso begins for all tasks at the same moment, between two rounds. There each task is in a state that is guessed
//!   when the task begins: for each procedure on its stack the place and the values of the locals. It is checked at the
//!   lasso's beginning and, by the very same test, at its end: of the newest frame at once, of the others when control
//!   comes back to them. So no shift is needed, no second copy of the rounds, and a frame may be left and entered again.
//! - The key frame is not guessed when it is called: it is the lowest frame that control came back to. Those above it have
//!   to be the same at the end, counted from the top, whether the stack has grown or not; see `keyframe`.
//! - What the last task leaves in the last round is what the first one finds in the first round of the lasso.
//! - A task completes in the stem, or runs in the lasso and comes back, or stands still in the lasso, or is started in
//!   the lasso and completes there. What a task that stands still waits for is a guess, too, which every step of others
//!   in the lasso is checked against: any guard will do, not only a lock.
//!
//! A response property narrows down which lassos count: see `response`.
//!
//! `interp` judges what is fair: see its `fair_cycle`.

mod code;
mod keyframe;
mod response;
mod section;
mod state;
mod watch;

use engine::{Domains, Trace};
use interp::{Config, Fairness, ReplayError, Run, Scheduler as Schedules, SwitchAt};
use ir::{BackMap, GlobalId, OpRef, Program, Response};
use rustc_hash::FxHashMap;
use source::Span;

use crate::{Mark, Sequential, Unsupported};

pub(crate) use code::delay;
pub(crate) use response::respond;
pub(crate) use state::phase::LAST as LAST_PHASE;
pub(crate) use state::{Form, declare};
pub(crate) use watch::declare as watch;

/// A sequential program in which an assertion fails if the original has a fair infinite execution.
#[derive(Clone, Debug)]
pub struct Lasso {
    pub(crate) sequential: Sequential,
    /// The rounds of the stem, at least one.
    pub stem: u32,
    /// The rounds of the lasso, at least one.
    pub lasso: u32,
    /// Which infinite executions count.
    pub fairness: Fairness,
    /// Where executions may be missed.
    pub gaps: Vec<Gap>,
}

/// What is sought.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) stem: u32,
    pub(crate) fairness: Fairness,
    pub(crate) response: Option<Response>,
}

/// A place at which a task is taken never to be blocked for ever, though it may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Why, in words.
    pub what: String,
    /// Where.
    pub span: Span,
}

impl Lasso {
    /// The program. Its only assertion fails at the end of its only thread.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.sequential.program
    }

    /// The program with all that is known of it.
    #[must_use]
    pub fn into_sequential(self) -> Sequential {
        self.sequential
    }

    /// From its ops to those of the original.
    #[must_use]
    pub fn back(&self) -> &BackMap {
        &self.sequential.back
    }

    /// The ops that tell how the tasks were scheduled.
    #[must_use]
    pub fn marks(&self) -> &FxHashMap<OpRef, Mark> {
        &self.sequential.marks
    }

    /// The variable that has the number of the running task.
    #[must_use]
    pub fn task(&self) -> GlobalId {
        self.sequential.variables.task
    }

    /// See [`Sequential::controls`].
    #[must_use]
    pub fn controls(&self) -> &[crate::Control] {
        &self.sequential.controls
    }

    /// See [`Sequential::domains`].
    #[must_use]
    pub fn domains(&self) -> &Domains {
        &self.sequential.domains
    }

    /// The configuration under which a run of the original replays.
    #[must_use]
    pub fn config(&self, config: &Config) -> Config {
        let limits = interp::Limits {
            threads: config.limits.threads.min(interp::Limits::MOST_EXPLORED),
            ..config.limits
        };
        Config { scheduler: Schedules::All, switch_at: SwitchAt::Visible, limits, ..*config }
    }

    /// The infinite execution of the original that a trace of [`Lasso::program`] stands for; replay it under
    /// [`Lasso::config`]. Only the limits of `config` matter here.
    ///
    /// # Errors
    /// When the interpreter cannot run it, or does not come back to the same state, and when the trace is none.
    pub fn run(&self, original: &Program, config: &Config, trace: &Trace) -> Result<Run, ReplayError> {
        crate::concurrent::run_lasso(self, original, config, trace)
    }
}

/// The sequential program in which an assertion fails if and only if a valid program has an infinite execution that is
/// as fair as asked and has at the most `stem` rounds before and `lasso` rounds in what it repeats. A bound of 0 counts
/// as 1. With a response property a request in it is never answered; without one it passes no progress mark.
///
/// # Errors
/// When the program has something that cannot be expressed; see [`Unsupported`].
pub fn lasso(
    program: &Program,
    stem: u32,
    lasso: u32,
    fairness: Fairness,
    response: Option<Response>,
) -> Result<Lasso, Unsupported> {
    let (stem, lasso) = (stem.max(1), lasso.max(1));
    let wanted = Wanted { stem, fairness, response };
    let (sequential, gaps) = crate::context::lasso(program, wanted, lasso)?;
    Ok(Lasso { sequential, stem, lasso, fairness, gaps })
}
