//! Iterative lazy abstraction with interpolants for concurrent programs.
//!
//! After Metzler, Suri and Weissenbacher, "Extracting safe thread schedules from incomplete model checking results", STTT
//! 2020, which iterates Impact for concurrent programs (Wachter, Kroening, Ouaknine, FMCAD 2013; McMillan, CAV 2006). It
//! yields schedules that are safe, free of deadlocks and fair, one after the other, each permitting more, and finally says
//! whether all schedules are safe, some are, or none is.

mod covering;
mod exact;
mod exhaustive;
mod expand;
mod export;
mod game;
mod invariants;
mod iteration;
mod linear;
mod liveness;
mod model;
mod pace;
mod query;
mod refine;
mod step;
mod symmetry;
mod tree;
mod verify;
mod witness;
mod zone;

use engine::{Config, Disagreement, Finding, Reason};
use formula::Unsupported;
use ir::Program;
use schedule::Art;
use smt::{Limits, Solver};

pub use pace::Pace;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// When the verdict is known.
    Complete,
    /// When there is a safe schedule.
    FirstSchedule,
    /// When all schedules were looked at.
    Exhausted,
}

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// When to stop.
    pub until: Until,
    /// How many schedules to make one after the other before trying all.
    pub max_schedules: usize,
    /// How threads take turns in the first of them.
    pub pace: Pace,
}

/// A schedule that was checked.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// Counted from 1.
    pub number: usize,
    /// What it permits, and why that is safe.
    pub art: Art,
    /// What it permits beyond the one before, if there is one.
    pub added: Option<Added>,
}

/// A thread that may run at a node at which it could not before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Added {
    /// How many steps lead to that node.
    pub after: usize,
    /// The thread.
    pub thread: u32,
}

/// What happens on the way.
pub enum Event<'a> {
    /// There is a schedule.
    Schedule(&'a Schedule),
    /// There is a violation.
    Violation(&'a Finding),
}

/// The answer.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// All schedules are safe, and this is the proof.
    Safe(Box<Art>),
    /// Some are safe, some are not.
    PartiallySafe,
    /// No fair schedule is safe.
    Unsafe,
    /// That is not known.
    Unknown(Reason),
}

/// What it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Nodes of all trees.
    pub nodes: u64,
    /// Questions to the solver.
    pub queries: u64,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// Safe schedules, in the order in which they were found.
    pub schedules: Vec<Schedule>,
    /// Violations.
    pub findings: Vec<Finding>,
    /// What it took.
    pub statistics: Statistics,
}

/// Why there is no answer at all.
#[derive(Clone, Debug)]
pub enum Error {
    /// The program has something that formulas cannot express.
    Unsupported(Unsupported),
    /// The solver failed.
    Solver(smt::Error),
    /// A violation does not come out on replay.
    Disagreement(Disagreement),
    /// A tree does not prove what it should.
    Refused(String),
}

impl From<Unsupported> for Error {
    fn from(unsupported: Unsupported) -> Self {
        Error::Unsupported(unsupported)
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Unsupported(unsupported) => f.write_str(&unsupported.what),
            Error::Solver(error) => error.fmt(f),
            Error::Disagreement(disagreement) => disagreement.fmt(f),
            Error::Refused(why) => write!(f, "a proof was refused by its checker: {why}"),
        }
    }
}

impl std::error::Error for Error {}

/// Verifies a valid program. Of the configuration, the checks and limits count. `watch` is asked again and again what the
/// next question to the solver may use, or nothing to stop. What is proven is checked with solvers of
/// its own.
///
/// # Errors
/// When the program cannot be expressed, the solver fails, or a result does not stand up to its check.
pub fn verify(
    program: &Program,
    config: &Config,
    options: &Options,
    solver: &mut dyn Solver,
    watch: &mut dyn FnMut(&Statistics) -> Option<Limits>,
    checker: &mut dyn FnMut() -> Box<dyn Solver>,
    events: &mut dyn FnMut(Event<'_>),
) -> Result<Outcome, Error> {
    verify::verify(program, config, options, solver, watch, checker, events)
}
