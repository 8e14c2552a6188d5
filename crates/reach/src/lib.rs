//! Bounded reachability of sequential programs.
//!
//! Can an assertion fail? The program is turned into formulas lazily, after Lal, Qadeer and Lahiri, "A Solver for
//! Reachability Modulo Theories", CAV 2012 (stratified inlining): first every call that is not yet inlined is taken to
//! be impossible; a model is then a real run. Otherwise, such calls are taken to do anything; if there is no model even
//! so, there is no run, and if there is one, the calls on its way are inlined. Loops are procedures that call
//! themselves. How often a procedure may be inlined inside itself is bounded, and the bound grows.
//!
//! One solver holds all formulas, which are only ever added: what differs between the questions is assumed.

mod axioms;
mod bounded;
mod clauses;
mod effects;
mod encode;
mod graph;
mod liveness;
mod merge;
mod path;
mod split;
mod state;
mod stratified;
mod units;

use engine::{Domains, Trace};
pub use formula::Unsupported;
use ir::{GlobalId, OpRef, Program};
use smt::{Limits, Solver};
use source::Span;

/// What to search, and how far.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// How often a loop may jump back, and a procedure call itself.
    pub unroll: u32,
    /// Of which ops the trace shall tell the values; the others have none.
    pub values: &'a dyn Fn(OpRef) -> bool,
    /// Globals of which the trace shall tell every assignment, whether it matters or not.
    pub observed: &'a [GlobalId],
    /// Globals that keep ways apart: where ways join, they are merged only if these have the same values. Each with the
    /// values that it can have, and a literal one to start with.
    pub split: &'a [(GlobalId, Vec<Literal>)],
    /// What variables can be where they are arbitrary.
    pub domains: &'a Domains,
    /// Whether to see first if the axioms contradict each other.
    pub doubt_axioms: bool,
    /// Asked from time to time while formulas are made: whether to stop.
    pub stop: &'a dyn Fn() -> bool,
}

/// A value of a global that keeps ways apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Literal {
    /// A truth value.
    Bool(bool),
    /// A number.
    Int(u32),
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// An assertion fails.
    Violated(Trace),
    /// No assertion can fail.
    Safe,
    /// No assertion can fail unless a loop jumps back, or a procedure calls itself, more often than allowed.
    SafeWithin {
        /// How often that is.
        unroll: u32,
    },
    /// The solver could not tell, or it was asked to stop.
    Unknown(smt::Reason),
}

/// What a search took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Questions to the solver.
    pub queries: u64,
    /// Procedures and loops inlined on demand.
    pub inlined: u64,
    /// Formulas asserted.
    pub formulas: u64,
    /// How often a loop was allowed to jump back, and a procedure to call itself.
    pub unroll: u32,
}

/// Asked before each question to the solver, with what was done so far: what the question may use, or nothing to stop.
pub type Watch<'a> = &'a mut dyn FnMut(&Statistics) -> Option<Limits>;

/// Why there is no answer at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The program is not sequential, or has something that formulas cannot express.
    Unsupported(Unsupported),
    /// The axioms contradict each other, so that there are no runs at all. One of those that do.
    Contradiction(Span),
    /// The solver failed.
    Solver(smt::Error),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Unsupported(unsupported) => f.write_str(&unsupported.what),
            Error::Contradiction(_) => f.write_str("the axioms contradict each other"),
            Error::Solver(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<Unsupported> for Error {
    fn from(unsupported: Unsupported) -> Self {
        Error::Unsupported(unsupported)
    }
}

impl From<smt::Error> for Error {
    fn from(error: smt::Error) -> Self {
        Error::Solver(error)
    }
}

/// Looks for a run of a valid sequential program in which an assertion fails. Nothing must have been asserted in the
/// solver before.
///
/// # Errors
/// When the program is not sequential, or the solver fails (running out of time or memory is an answer).
pub fn reach<'a>(
    program: &'a Program,
    solver: &'a mut dyn Solver,
    options: &Options<'a>,
    watch: Watch<'a>,
) -> Result<(Outcome, Statistics), Error> {
    stratified::search(program, solver, options, watch)
}
