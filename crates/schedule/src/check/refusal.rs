//! Why a tree is not accepted.

use std::fmt;

use formula::Unsupported;
use ir::AssertKind;

use crate::NodeId;

/// Why a tree was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The tree does not show what is claimed.
    Defect {
        /// Where.
        node: NodeId,
        /// What is wrong.
        defect: Defect,
    },
    /// The program does something there that formulas cannot express.
    Unsupported {
        /// Where; nowhere if it is in the declarations.
        node: Option<NodeId>,
        /// What.
        what: Unsupported,
    },
    /// The solver could not tell.
    Undecided {
        /// Where.
        node: NodeId,
        /// Why.
        reason: smt::Reason,
    },
    /// The solver failed.
    Solver(smt::Error),
    /// The caller asked to stop.
    Stopped,
}

/// What is wrong at a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Defect {
    /// It is no tree at all: ids that name nothing, constants that stand for two things.
    Malformed(String),
    /// The root is not where the program starts.
    RootLocation,
    /// Part of the label of the root does not follow from the initial state.
    RootLabel(String),
    /// A covered node has choices.
    CoveredWithChoices,
    /// The covering node is at another location.
    CoverLocation(NodeId),
    /// The covering node is covered itself.
    CoverCovered(NodeId),
    /// Part of the label of the covering node does not follow.
    CoverLabel(NodeId, String),
    /// The covering node covers it with its threads renamed, which is not right.
    Renamed(NodeId, &'static str),
    /// A thread with a choice is not running.
    NotRunning(u32),
    /// A thread has two choices.
    ChosenTwice(u32),
    /// Two edges of a choice have the same ops and lead to the same location.
    SameEdges(u32),
    /// No step of the thread is like this edge.
    StrayEdge(u32, NodeId),
    /// The thread can step in a way that has no edge; the last op that it runs.
    MissingEdge(u32, String),
    /// Part of the label of the target does not follow from a step.
    Label {
        /// Who steps.
        thread: u32,
        /// Where to.
        target: NodeId,
        /// What does not follow.
        part: String,
    },
    /// An assertion can fail.
    Fails {
        /// Who fails.
        thread: u32,
        /// Of which kind.
        kind: AssertKind,
        /// The assertion.
        op: String,
    },
    /// A thread that may run can be blocked.
    Blocked(u32, String),
    /// Nobody can run, and not because of an assume.
    Deadlock,
    /// Nobody who may run can run, but somebody else can.
    Withheld,
    /// A thread can be enabled again and again without ever running.
    Unfair(u32),
    /// A thread can run but has no choice, and is not independent of the one that has.
    Unexpanded(u32, String),
    /// On a cycle of nodes at which only one thread has a choice, others are left out for ever.
    LeftOut,
    /// Two threads can access the same variable at once.
    Race(u32, u32, String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Defect { node, defect } => write!(f, "node {node}: {defect}"),
            Refusal::Unsupported { node: Some(node), what } => {
                write!(f, "node {node}: formulas cannot express {}", what.what)
            }
            Refusal::Unsupported { node: None, what } => write!(f, "formulas cannot express {}", what.what),
            Refusal::Undecided { node, reason } => write!(f, "node {node}: {reason}"),
            Refusal::Solver(error) => error.fmt(f),
            Refusal::Stopped => f.write_str("the check was asked to stop"),
        }
    }
}

impl std::error::Error for Refusal {}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Defect::Malformed(what) => f.write_str(what),
            Defect::RootLocation => f.write_str("the root is not where the program starts"),
            Defect::RootLabel(part) => write!(f, "`{part}` does not follow from the initial state"),
            Defect::CoveredWithChoices => f.write_str("it is covered, but has choices"),
            Defect::CoverLocation(by) => write!(f, "{by} covers it, but is at another location"),
            Defect::CoverCovered(by) => write!(f, "{by} covers it, but is covered itself"),
            Defect::CoverLabel(by, part) => {
                write!(f, "{by} covers it, but `{part}` of its label does not follow")
            }
            Defect::Renamed(by, why) => write!(f, "{by} covers it with its threads renamed, but {why}"),
            Defect::NotRunning(thread) => {
                write!(f, "thread {thread} has a choice, but has completed or was never started")
            }
            Defect::ChosenTwice(thread) => write!(f, "thread {thread} has two choices"),
            Defect::SameEdges(thread) => write!(
                f,
                "thread {thread} has two edges with the same ops to the same location: one of them is enough"
            ),
            Defect::StrayEdge(thread, target) => {
                write!(f, "thread {thread} has an edge to {target} that is none of its steps")
            }
            Defect::MissingEdge(thread, op) => {
                write!(f, "thread {thread} can step in a way that has no edge, up to `{op}`")
            }
            Defect::Label { thread, target, part } => {
                write!(f, "after the step of thread {thread} to {target}, `{part}` need not hold")
            }
            Defect::Fails { thread, kind, op } => {
                let what = match kind {
                    AssertKind::Assertion => "an assertion",
                    AssertKind::Memory => "a check of a memory access",
                };
                write!(f, "{what} of thread {thread} can fail: `{op}`")
            }
            Defect::Blocked(thread, op) => {
                write!(f, "thread {thread} may run, but can be blocked at `{op}`")
            }
            Defect::Deadlock => f.write_str("nobody can run: a deadlock"),
            Defect::Withheld => {
                f.write_str("no thread that may run can run, though one that may not run could")
            }
            Defect::Unfair(thread) => {
                write!(f, "on a cycle through it thread {thread} can be enabled, but never runs")
            }
            Defect::Unexpanded(thread, why) => {
                write!(f, "thread {thread} can run, but has no choice: {why}")
            }
            Defect::LeftOut => f.write_str("on a cycle through it all but one thread are always left out"),
            Defect::Race(a, b, variable) => {
                write!(f, "threads {a} and {b} can access `{variable}` at once")
            }
        }
    }
}
