//! What variables hold while a recorded run is executed: as terms, and as the values that were observed.

use ir::{GlobalId, LocalId, OpRef, Place, ProcId};
use rustc_hash::FxHashMap;
use smt::TermId;

/// A value as a term over uses of shared variables, and the one that it had in the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) term: TermId,
    pub(crate) observed: TermId,
}

impl Pair {
    pub(crate) fn known(term: TermId) -> Self {
        Pair { term, observed: term }
    }
}

/// A procedure that is running.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) proc: ProcId,
    /// What is missing is arbitrary.
    pub(crate) locals: FxHashMap<LocalId, Pair>,
    /// Where the results of the procedure that it has called go.
    pub(crate) results: Vec<Place>,
    /// The position of the first event that is all its own.
    pub(crate) from: usize,
    /// The op that called it; none for the first of a thread.
    pub(crate) call: Option<OpRef>,
}

/// What a global held in the run. Cells that were assigned stand beside what all others hold.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub(crate) rest: TermId,
    pub(crate) cells: FxHashMap<Vec<TermId>, TermId>,
}

/// A moment of the run.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub(crate) frames: Vec<Vec<Frame>>,
    /// Which threads were started, and which have completed.
    pub(crate) started: Vec<bool>,
    pub(crate) done: Vec<bool>,
    pub(crate) results: Vec<Vec<Option<Pair>>>,
    pub(crate) globals: FxHashMap<GlobalId, Held>,
    /// The locks that are held, by whom and how often.
    pub(crate) held: FxHashMap<(GlobalId, Vec<TermId>), (usize, usize)>,
    /// The marks of transactions that each thread is in: the position of the event before.
    pub(crate) marks: Vec<Vec<usize>>,
}

impl State {
    pub(crate) fn top(&self, thread: usize) -> Option<&Frame> {
        self.frames[thread].last()
    }

    pub(crate) fn top_mut(&mut self, thread: usize) -> Option<&mut Frame> {
        self.frames[thread].last_mut()
    }
}
