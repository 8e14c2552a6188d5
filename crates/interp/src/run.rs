//! What to explore, and the runs that come out of it.

use crate::step::Outcome;
use crate::{Fairness, SwitchAt};

/// The integers that an arbitrary integer is chosen from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntRange {
    low: i64,
    high: i64,
}

impl IntRange {
    /// The range `low..=high`, or nothing if it is empty or has more than 2^32 numbers.
    #[must_use]
    pub fn new(low: i64, high: i64) -> Option<Self> {
        let size = i128::from(high) - i128::from(low) + 1;
        (1..=1 << 32).contains(&size).then_some(IntRange { low, high })
    }

    /// The smallest.
    #[must_use]
    pub fn low(self) -> i64 {
        self.low
    }

    /// The largest.
    #[must_use]
    pub fn high(self) -> i64 {
        self.high
    }

    pub(crate) fn size(self) -> u64 {
        self.high.abs_diff(self.low) + 1
    }

    pub(crate) fn nth(self, index: u64) -> i64 {
        self.low.wrapping_add_unsigned(index)
    }
}

impl Default for IntRange {
    /// Small, with both signs.
    fn default() -> Self {
        IntRange { low: -4, high: 4 }
    }
}

/// Bounds that keep a state finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most threads at once: at the most [`Limits::MOST_RUN`], of which searches use at the most [`Limits::MOST_EXPLORED`].
    pub threads: usize,
    /// Most procedure frames of one thread.
    pub frames: usize,
}

impl Limits {
    /// The most threads that there can be where all schedules are looked at, or a lasso: sets of threads are words there.
    pub const MOST_EXPLORED: usize = 63;
    /// The most threads that a run without a lasso can have, and a search under a delay-bounding scheduler: there one thread runs
    /// at a time, and completed threads count.
    pub const MOST_RUN: usize = 1_000_000;
}

impl Default for Limits {
    fn default() -> Self {
        Limits { threads: 32, frames: 256 }
    }
}

/// Who decides which thread runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheduler {
    /// Any enabled thread, at every scheduling point.
    All,
    /// The depth-first scheduler with the given number of delays.
    Df(u32),
    /// The synchronization-exploiting depth-first scheduler with the given number of delays.
    Dfw(u32),
}

impl std::fmt::Display for Scheduler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Scheduler::All => f.write_str("all"),
            Scheduler::Df(delays) => write!(f, "DF({delays})"),
            Scheduler::Dfw(delays) => write!(f, "DFW({delays})"),
        }
    }
}

/// The order in which states are explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchOrder {
    /// Shortest counterexamples.
    BreadthFirst,
    /// Deep ones first.
    DepthFirst,
}

/// What counts as a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    /// Failing assertions of the program.
    pub assertions: bool,
    /// Failing checks of memory accesses.
    pub memory: bool,
    /// States in which some thread is blocked and none can step.
    pub deadlocks: bool,
    /// Two conflicting plain accesses that are enabled at once.
    pub races: bool,
    /// Infinite executions, of the given fairness.
    pub non_termination: Option<Fairness>,
    /// Of these only those in which a request stays unanswered, whatever progress they make. It has a part in the choices
    /// of all runs: see `response`.
    pub response: Option<ir::Response>,
    /// Blocks that are meant to be indivisible and are divided. Only who predicts from a run looks for these.
    pub atomicity: bool,
}

impl Checks {
    /// What the failure of an assertion of some kind violates, if that is looked for.
    pub(crate) fn violated_by(&self, kind: ir::AssertKind) -> Option<ViolationKind> {
        match kind {
            ir::AssertKind::Assertion => self.assertions.then_some(ViolationKind::Assertion),
            ir::AssertKind::Memory => self.memory.then_some(ViolationKind::Memory),
        }
    }

    /// How a step ended, in view of what is looked for: an assertion that fails ends a run, but after an access to memory that is not valid
    /// anything can happen, and nothing is known of such a run.
    pub(crate) fn judged(&self, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Failed(failure) if failure.kind == ir::AssertKind::Memory && !self.memory => {
                Outcome::Cut(Box::new(Cut::Undefined(failure.message)))
            }
            outcome => outcome,
        }
    }
}

impl Default for Checks {
    fn default() -> Self {
        Checks {
            assertions: true,
            memory: true,
            deadlocks: true,
            races: false,
            non_termination: None,
            response: None,
            atomicity: false,
        }
    }
}

/// How to explore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Who decides which thread runs.
    pub scheduler: Scheduler,
    /// Where threads can be switched.
    pub switch_at: SwitchAt,
    /// What arbitrary integers are chosen from.
    pub int_range: IntRange,
    /// What to look for.
    pub checks: Checks,
    /// Which states first.
    pub order: SearchOrder,
    /// Whether to leave out interleavings that differ only in the order of independent steps. Ignored when
    /// looking for races or infinite executions, and under a delay-bounding scheduler.
    pub reduction: bool,
    /// Bounds on states.
    pub limits: Limits,
    /// Whether to collect the values of the globals in the states in which all threads have completed.
    pub valuations: bool,
    /// How many violations to find before stopping.
    pub most_violations: usize,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            scheduler: Scheduler::All,
            switch_at: SwitchAt::Visible,
            int_range: IntRange::default(),
            checks: Checks::default(),
            order: SearchOrder::BreadthFirst,
            reduction: true,
            limits: Limits::default(),
            valuations: false,
            most_violations: 1,
        }
    }
}

/// Why a run could not be followed to its end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cut {
    /// It needs something the explorer cannot evaluate.
    Unsupported(String),
    /// It comes to something that the frontend could not express.
    Opaque(String),
    /// It accesses memory in a way that is not valid, and that is not looked for.
    Undefined(String),
    /// A number left the range of 64 bits.
    Range,
    /// It starts more threads than allowed.
    Threads(usize),
    /// It has more procedure frames than allowed.
    Frames(usize),
    /// A single step does not end, or not in any reasonable time.
    LongStep,
    /// A recorded run does not fit the program.
    Script(String),
    /// An engine leaves out some runs that do this.
    LeftOut(String),
}

impl std::fmt::Display for Cut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Cut::Unsupported(what) => write!(f, "the explorer cannot evaluate this: {what}"),
            Cut::Opaque(what) => write!(f, "{what} is not supported"),
            Cut::Undefined(what) => {
                write!(f, "{what}: nothing is known of what happens after that (see --check memory)")
            }
            Cut::Range => f.write_str("a number leaves the range of 64 bits"),
            Cut::Threads(limit) => write!(f, "more than {limit} threads at once (see --max-threads)"),
            Cut::Frames(limit) => write!(f, "more than {limit} nested procedure calls"),
            Cut::LongStep => f.write_str("a single step takes too long: an atomic block, a stretch without scheduling points, or a quantifier"),
            Cut::LeftOut(what) => write!(f, "some runs with this are left out: {what}"),
            Cut::Script(what) => write!(f, "the recorded run does not fit the program: {what}"),
        }
    }
}

/// One step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which thread, by its number in the state.
    pub thread: usize,
    /// Under a delay-bounding scheduler: the thread is delayed instead of run.
    pub delay: bool,
    /// The values chosen, in the order in which they are needed.
    pub choices: Vec<i64>,
}

/// An execution: everything that is not determined by the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The choices made for the initial state.
    pub initial: Vec<i64>,
    /// The steps.
    pub steps: Vec<Step>,
    /// For an infinite execution: the step from which on it repeats.
    pub lasso_start: Option<usize>,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ViolationKind {
    /// A failing assertion.
    Assertion,
    /// An invalid access to memory.
    Memory,
    /// Nobody can step.
    Deadlock,
    /// A data race.
    DataRace,
    /// An infinite execution.
    NonTermination,
    /// A block that is meant to be indivisible is divided by an access of another thread.
    Atomicity,
}

impl ViolationKind {
    /// The name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ViolationKind::Assertion => "assertion",
            ViolationKind::Memory => "memory",
            ViolationKind::Deadlock => "deadlock",
            ViolationKind::DataRace => "data-race",
            ViolationKind::NonTermination => "non-termination",
            ViolationKind::Atomicity => "atomicity",
        }
    }
}
