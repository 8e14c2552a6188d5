//! The state graph: who can step where, and where steps lead.
//!
//! States and edges are numbers in a few long vectors. It is built state by state while the explorer expands them.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::code::Pc;
use crate::machine::Effects;
use crate::pack::StateId;

/// What an edge of the graph stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Label {
    pub(crate) thread: u8,
    pub(crate) progress: bool,
    pub(crate) fair: Vec<(Pc, bool)>,
}

/// Sets of threads in a state, as bits.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Threads {
    /// Those that have not completed.
    pub(crate) live: u64,
    /// Those that can step.
    pub(crate) enabled: u64,
    /// Those that cannot, with some choices because of an assume that does not hold.
    pub(crate) at_false_assume: u64,
    /// Those of which some step is a violation.
    pub(crate) failing: u64,
}

/// The state graph.
#[derive(Default)]
pub(crate) struct Graph {
    /// Each state's first edge and how many it has.
    ranges: Vec<(u64, u32)>,
    threads: Vec<Threads>,
    edges: Vec<(StateId, u32)>,
    labels: IndexSet<Label, FxBuildHasher>,
    current: StateId,
}

impl Graph {
    /// The edges that follow are those of a state.
    pub(crate) fn begin(&mut self, state: StateId) {
        let needed = state as usize + 1;
        if self.ranges.len() < needed {
            self.ranges.resize(needed, (0, 0));
            self.threads.resize(needed, Threads::default());
        }
        self.current = state;
        self.ranges[state as usize] = (self.edges.len() as u64, 0);
    }

    pub(crate) fn edge(&mut self, target: StateId, thread: usize, effects: &Effects) {
        let thread = u8::try_from(thread).unwrap_or(u8::MAX);
        let label = Label { thread, progress: effects.progress, fair: effects.fair.clone() };
        let (label, _) = self.labels.insert_full(label);
        self.edges.push((target, u32::try_from(label).unwrap_or(u32::MAX)));
        self.ranges[self.current as usize].1 += 1;
    }

    /// The current state has no more edges.
    pub(crate) fn end(&mut self, threads: Threads) {
        self.threads[self.current as usize] = threads;
    }

    pub(crate) fn memory(&self) -> usize {
        self.edges.len() * 8 + self.ranges.len() * 48
    }

    /// The threads of a state.
    pub(crate) fn threads(&self, state: StateId) -> Threads {
        self.threads.get(state as usize).copied().unwrap_or_default()
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.ranges.len()
    }

    /// The steps of a state, those of one thread next to each other, with the states to which they lead.
    pub(crate) fn edges_of(&self, state: StateId) -> impl Iterator<Item = (StateId, &Label)> + '_ {
        let (first, count) = self.ranges.get(state as usize).copied().unwrap_or_default();
        let first = usize::try_from(first).unwrap_or(usize::MAX);
        self.edges[first..first + count as usize]
            .iter()
            .map(|&(to, label)| (to, &self.labels[label as usize]))
    }

    /// All states.
    pub(crate) fn states(&self) -> Vec<StateId> {
        (0..self.ranges.len()).map(|at| StateId::try_from(at).unwrap_or(StateId::MAX)).collect()
    }

    /// The states to which a step leads.
    pub(crate) fn successors(&self, state: StateId) -> impl Iterator<Item = StateId> + '_ {
        self.edges_of(state).map(|(to, _)| to)
    }
}
