//! What all analyses together found.

use engine::Finding;

use crate::{Compiled, Cost, Report, Scheduled};

/// The answer to `raddle check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckVerdict {
    /// Something is wrong.
    Violations,
    /// Nothing wrong was found, and everything that applies was looked at, at least within its bounds.
    None,
    /// Nothing wrong was found, but not everything could be looked at.
    Unknown,
}

impl CheckVerdict {
    /// The word for it in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            CheckVerdict::Violations => "violations",
            CheckVerdict::None => "none",
            CheckVerdict::Unknown => "unknown",
        }
    }
}

/// What all analyses together found, to be told in any format.
#[derive(Debug)]
pub struct Checked<'a> {
    /// The program as the user named it.
    pub input: &'a str,
    /// The answer.
    pub verdict: CheckVerdict,
    /// What is wrong.
    pub problems: Vec<Problem<'a>>,
    /// What is wrong only if code is meant to be indivisible of which nobody has said so.
    pub suspicions: Vec<Problem<'a>>,
    /// What was asked, in the order in which it was.
    pub analyses: Vec<Analysis<'a>>,
    /// How to keep the program on a safe schedule, if there is one.
    pub refuge: Option<Refuge<'a>>,
    /// What it took.
    pub cost: Cost,
}

/// A violation, by whoever found it.
#[derive(Debug)]
pub struct Problem<'a> {
    /// The answer that it is from.
    pub report: Report<'a>,
    /// What is wrong.
    pub finding: &'a Finding,
    /// The analyses that found it.
    pub found_by: Vec<&'a str>,
    /// What the compiled program did when it was forced on it, if that was tried.
    pub compiled: Option<Compiled<'a>>,
    /// Of a race: at how many more pairs of lines there is one on the same variable.
    pub more: usize,
    /// The file that it was kept in.
    pub witness: Option<&'a str>,
    /// The command that shows it.
    pub command: &'a str,
}

/// One of the analyses.
#[derive(Debug)]
pub struct Analysis<'a> {
    /// Its short name: what it asks.
    pub asks: &'static str,
    /// The command that does the same.
    pub command: &'a str,
    /// What came of it.
    pub outcome: Outcome<'a>,
}

impl<'a> Analysis<'a> {
    /// Its answer, if it gave one.
    pub(crate) fn report(&self) -> Option<Report<'a>> {
        match &self.outcome {
            Outcome::Answered(report) => Some(**report),
            Outcome::Refused(_) | Outcome::Skipped(_) => None,
        }
    }
}

/// What came of an analysis.
#[derive(Debug)]
pub enum Outcome<'a> {
    /// It gave an answer.
    Answered(Box<Report<'a>>),
    /// It cannot be made, for this reason.
    Refused(&'a str),
    /// It was not made, for this reason.
    Skipped(&'a str),
}

/// A safe schedule.
#[derive(Clone, Copy, Debug)]
pub struct Refuge<'a> {
    /// Which one.
    pub schedule: &'a Scheduled,
    /// The command that keeps the program on it, if it can be run.
    pub command: Option<&'a str>,
}
