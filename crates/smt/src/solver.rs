//! What a solver is.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::{TermId, TermPool, Value};

/// Decides whether terms can be true together.
///
/// A solver works with the terms of one pool, which is handed to the calls that read terms. Sorts and functions are
/// declared when a term first uses them.
pub trait Solver {
    /// Names the solver, for messages.
    fn name(&self) -> String;

    /// What a query may use from now on.
    fn set_limits(&mut self, limits: Limits);

    /// Makes a backtracking point.
    fn push(&mut self);

    /// Goes back over some backtracking points, forgetting what was asserted since.
    ///
    /// # Panics
    /// If there are not as many.
    fn pop(&mut self, levels: usize);

    /// Demands that a closed formula be true.
    ///
    /// # Panics
    /// If the term is not a closed formula.
    fn assert(&mut self, pool: &TermPool, term: TermId);

    /// Whether all that is asserted, together with the assumptions, can be true.
    ///
    /// # Errors
    /// Only where the question itself went wrong, as when two solvers contradict each other.
    fn check_sat(&mut self, pool: &TermPool, assumptions: &[TermId]) -> Result<Answer, Error>;

    /// Right after an `Unsat`: assumptions that suffice for it, in the order they were given.
    ///
    /// # Errors
    /// If the last answer was not `Unsat`, or the solver has no core to give.
    fn unsat_core(&mut self, pool: &TermPool) -> Result<Vec<TermId>, Error>;

    /// Right after a `Sat`: the value of a closed term in the model found. Where the model leaves a value open, the
    /// solver chooses one and keeps to it.
    ///
    /// # Errors
    /// If the last answer was not `Sat`, or the solver has no plain value to give.
    fn value(&mut self, pool: &TermPool, term: TermId) -> Result<Value, Error>;
}

impl<S: Solver + ?Sized> Solver for Box<S> {
    fn name(&self) -> String {
        (**self).name()
    }

    fn set_limits(&mut self, limits: Limits) {
        (**self).set_limits(limits);
    }

    fn push(&mut self) {
        (**self).push();
    }

    fn pop(&mut self, levels: usize) {
        (**self).pop(levels);
    }

    fn assert(&mut self, pool: &TermPool, term: TermId) {
        (**self).assert(pool, term);
    }

    fn check_sat(&mut self, pool: &TermPool, assumptions: &[TermId]) -> Result<Answer, Error> {
        (**self).check_sat(pool, assumptions)
    }

    fn unsat_core(&mut self, pool: &TermPool) -> Result<Vec<TermId>, Error> {
        (**self).unsat_core(pool)
    }

    fn value(&mut self, pool: &TermPool, term: TermId) -> Result<Value, Error> {
        (**self).value(pool, term)
    }
}

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// The solver could not tell.
    Unknown(Reason),
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Sat => f.write_str("sat"),
            Answer::Unsat => f.write_str("unsat"),
            Answer::Unknown(reason) => write!(f, "unknown ({reason})"),
        }
    }
}

/// Why a solver could not tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The time limit was reached.
    Timeout,
    /// The memory limit was reached.
    Memory,
    /// The caller asked to stop.
    Cancelled,
    /// It would take more work than allowed.
    Effort,
    /// The solver gave up, for the reason it names.
    Incomplete(String),
    /// The solver's process could not be started, or ended by itself.
    Crashed(String),
    /// The solver refused the query or said something that is no answer.
    Garbled(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Timeout => f.write_str("the solver ran out of time"),
            Reason::Memory => f.write_str("the solver ran out of memory"),
            Reason::Cancelled => f.write_str("the solver was asked to stop"),
            Reason::Effort => f.write_str("the question is too hard for the work allowed"),
            Reason::Incomplete(why) => write!(f, "the solver gave up: {why}"),
            Reason::Crashed(why) => write!(f, "the solver crashed: {why}"),
            Reason::Garbled(what) => write!(f, "the solver gave no answer but: {what}"),
        }
    }
}

/// What one query may use.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Memory in bytes. In-process solvers of one process share their memory, so for them it limits the sum.
    pub memory: Option<u64>,
    /// Work, in units that are the same on every machine. Only the solver in this process counts them.
    pub effort: Option<u32>,
    /// Somebody else may set this to stop the query.
    pub cancel: Option<Arc<AtomicBool>>,
}

/// What went wrong with a question to a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// Two solvers contradict each other; at least one is wrong.
    Disagreement {
        /// The name of the one that says `Sat`.
        sat: String,
        /// The name of the one that says `Unsat`.
        unsat: String,
        /// Whether the model of the first was found to be right, or wrong, by evaluation.
        evaluated: Option<bool>,
        /// Where the question is, for others to answer.
        file: PathBuf,
    },
    /// A solver gave a model that does not satisfy what it was asked.
    WrongModel {
        /// The name of the solver.
        solver: String,
        /// Where the question is.
        file: PathBuf,
    },
    /// A model or core was asked for where there is none.
    NothingToShow(String),
    /// The solver has a value that cannot be read as one.
    NoValue(String),
    /// The solver had a model or core, but gave up when it was asked for it.
    GaveUp(Reason),
    /// A query could not be written to disk.
    Log(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Disagreement { sat, unsat, evaluated, file } => {
                write!(f, "two solvers contradict each other: {sat} says sat, {unsat} says unsat")?;
                match evaluated {
                    Some(true) => f.write_str(", and evaluation shows that the model is right")?,
                    Some(false) => f.write_str(", and evaluation shows that the model is wrong")?,
                    None => {}
                }
                write!(f, "; the question is in `{}`", file.display())
            }
            Error::WrongModel { solver, file } => write!(
                f,
                "{solver} gave a model that does not satisfy what it was asked; the question is in `{}`",
                file.display()
            ),
            Error::NothingToShow(what) => write!(f, "no {what} to show: the last answer has none"),
            Error::GaveUp(reason) => reason.fmt(f),
            Error::NoValue(what) => write!(f, "no value can be read from `{what}`"),
            Error::Log(what) => write!(f, "cannot log a query: {what}"),
        }
    }
}

impl std::error::Error for Error {}
