//! What came out.

use std::collections::BTreeSet;

use engine::{Access, Finding, Reason, ViolationKind};
use ir::{GlobalId, OpRef, ProcId};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Span;

use crate::ctp::Origin;
use crate::encode::Undecided;

/// What makes two violations of atomicity the same for whoever reads about them.
pub(crate) type Kind = (OpRef, OpRef, OpRef, GlobalId);

/// Where something happens: at an op, or, where there are very many of these, somewhere in a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place {
    proc: ProcId,
    op: Option<OpRef>,
}

impl Place {
    pub(crate) fn new(op: OpRef, by_procedure: bool) -> Self {
        Place { proc: op.proc, op: (!by_procedure).then_some(op) }
    }
}

/// What makes two violations of atomicity so much alike that one of them is enough.
pub(crate) type Likeness = ([Place; 3], GlobalId);

/// What makes two races so much alike: for procedures the global, too.
pub(crate) type RaceLikeness = (BTreeSet<Place>, Option<GlobalId>);

/// What was found so far, in all windows.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) findings: Vec<Finding>,
    /// See [`Outcome::is_own`].
    pub(crate) is_own: bool,
    pub(crate) kinds: FxHashMap<Kind, usize>,
    pub(crate) alike: FxHashSet<Likeness>,
    pub(crate) races: FxHashSet<RaceLikeness>,
    pub(crate) failing: FxHashSet<OpRef>,
    pub(crate) stuck_at: FxHashSet<OpRef>,
    /// The branches that went another way than in the run, and how often.
    pub(crate) turned: FxHashMap<OpRef, usize>,
    /// See [`Outcome::beyond`].
    pub(crate) beyond: Vec<(usize, Span)>,
    /// Ways beyond the run that the interpreter does not have.
    pub(crate) dropped: usize,
    /// Orders that the solver found and the interpreter does not have.
    pub(crate) unconfirmed: Vec<String>,
    pub(crate) undecided: Option<Undecided>,
    /// Potential violations that were not looked at since one of their kind was found.
    pub(crate) skipped: usize,
}

impl Found {
    /// Keeps a violation, or counts it if there is one about the same lines.
    pub(crate) fn add(&mut self, finding: Finding) {
        let same = |known: &&mut Finding| known.kind() == finding.kind() && places(known) == places(&finding);
        match self.findings.iter_mut().find(same) {
            Some(known) => known.count_another(),
            None => self.findings.push(finding),
        }
    }

    /// Counts another violation of atomicity, if there is one of its kind.
    pub(crate) fn count_again(&mut self, kind: Kind) -> bool {
        match self.kinds.get(&kind) {
            Some(&at) => {
                self.findings[at].count_another();
                true
            }
            None => false,
        }
    }

    /// Keeps a violation of atomicity.
    pub(crate) fn add_kind(&mut self, kind: Kind, finding: Finding) {
        let known = self
            .findings
            .iter()
            .position(|known| known.kind() == ViolationKind::Atomicity && places(known) == places(&finding));
        let at = match known {
            Some(at) => {
                self.findings[at].count_another();
                at
            }
            None => {
                self.findings.push(finding);
                self.findings.len() - 1
            }
        };
        self.kinds.insert(kind, at);
    }
}

/// The lines that a violation is about; where there are none, the ops.
fn places(finding: &Finding) -> Vec<(Span, Option<OpRef>)> {
    let accesses = [Some(finding.access()), finding.other(), finding.last()];
    let place = |access: Access| (access.span, (access.span == Span::NONE).then_some(access.at));
    accesses.into_iter().flatten().map(place).collect()
}

/// The figures of a prediction, as in Table 1 of the paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Threads of the run.
    pub threads: usize,
    /// Variables that two threads access, one of them writing; of several windows, the most.
    pub shared: usize,
    /// Ops of the run.
    pub ops: usize,
    /// Events: steps that others can see.
    pub events: usize,
    /// Events that matter for some question.
    pub simplified: usize,
    /// Transactions.
    pub regions: usize,
    /// Potential violations of atomicity.
    pub potential: usize,
    /// Those that what must happen before what does not rule out.
    pub after_happens_before: usize,
    /// Those that locks do not rule out either.
    pub after_locksets: usize,
    /// Those that are real.
    pub real: usize,
    /// Questions to the solver.
    pub queries: u64,
    /// Windows.
    pub windows: usize,
}

/// A potential violation of atomicity, and whether it is real.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Potential {
    /// The steps of the run that are its accesses.
    pub steps: [usize; 3],
    /// Where these are in the source.
    pub spans: [Span; 3],
    /// The global, in the program with its synchronization expanded.
    pub global: GlobalId,
    /// Whether some order of the events shows it; nothing if only locks were looked at.
    pub real: Option<bool>,
}

/// What came out of a prediction.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Violations, each replayed.
    pub findings: Vec<Finding>,
    /// Whether the first of them is that of the run itself, and no other order is needed for it.
    pub is_own: bool,
    /// The violations, by position, that come after events which the run did not have, and where a thread takes another way than in the
    /// run.
    pub beyond: Vec<(usize, Span)>,
    /// Why something may be missing, if so.
    pub incomplete: Option<Reason>,
    /// What a window can miss, where the run cannot be followed, and the like: for people.
    pub notes: Vec<String>,
    /// What was taken for a transaction, why, and how often.
    pub blocks: Vec<(Origin, String, usize)>,
    /// The potential violations of atomicity that locks do not rule out.
    pub potential: Vec<Potential>,
    /// What it took.
    pub figures: Figures,
}
