//! The answer, with its evidence inside.

use interp::{Cut, IntRange};
use ir::OpRef;
use source::Span;

use crate::{Bounds, Exhausted, Finding};

/// Why a program is safe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Every reachable state was explored (up to the order of independent steps, if `reduced`).
    Exhaustive {
        /// How many there are.
        states: usize,
        /// Whether interleavings that differ only in the order of independent steps were left out.
        reduced: bool,
    },
    /// A tree of states and formulas about them, which was checked, has all runs in it.
    Tree {
        /// How many nodes it has.
        nodes: usize,
    },
    /// A solver found that no run can fail.
    Unsatisfiable {
        /// How many questions it answered.
        queries: u64,
    },
}

/// A place where a run could not be followed any further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutAt {
    /// Why.
    pub cut: Cut,
    /// The op.
    pub at: Option<OpRef>,
    /// Its source.
    pub span: Span,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The budget was used up.
    Exhausted(Exhausted),
    /// Some runs could not be followed to their ends; at least one.
    Cut(Vec<CutAt>),
    /// Nothing wrong was found, but values that are arbitrary were only some of all there are, and nobody asked for that.
    Sampled(IntRange),
    /// The solver could not tell, for the reason it gives.
    Solver(String),
    /// What was asked for was found, and nobody asked for more.
    Enough,
    /// What is known of values does not suffice to tell whether some schedule is safe.
    Undecidable,
    /// A violation was found that the interpreter cannot run, for the reason given. It may be real.
    Unconfirmed(String),
    /// So many violations are possible as far as order and locks are concerned. Data was not looked at, so none need be real.
    Potential(usize),
    /// A recorded run could not be followed to its end, for the reason given, and nothing wrong was found before.
    Unfollowed(String),
}

/// The answer of an engine.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Nothing is wrong.
    Safe(Proof),
    /// Nothing is wrong within bounds, and the bounds mattered.
    SafeWithin(Bounds, Proof),
    /// Something is wrong: at least one violation, each replayed.
    Unsafe(Vec<Finding>),
    /// Something is wrong, as above, but not in all schedules: there is one that is safe, free of deadlocks and fair.
    PartiallySafe(Vec<Finding>),
    /// Something is wrong; whether some schedule is safe all the same is not known.
    Violated(Vec<Finding>, Reason),
    /// The engine cannot tell.
    Unknown(Reason),
}

impl Verdict {
    /// The violations.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        match self {
            Verdict::Unsafe(findings) | Verdict::PartiallySafe(findings) | Verdict::Violated(findings, _) => {
                findings
            }
            Verdict::Safe(_) | Verdict::SafeWithin(..) | Verdict::Unknown(_) => &[],
        }
    }
}
