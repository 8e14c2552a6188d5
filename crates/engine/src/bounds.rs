//! Within which bounds an answer holds.

use interp::{Config, Cut, IntRange, Limits, Scheduler, SwitchAt};

/// A bound that kept the engine from seeing everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touched {
    /// Arbitrary values were chosen from a part of their type.
    IntRange,
    /// Only the schedules of a delay-bounding scheduler were explored.
    Scheduler,
    /// Threads were switched at `yield` only.
    SwitchAt,
    /// Some run starts more threads.
    Threads,
    /// Some run has more procedure frames.
    Frames,
}

impl Touched {
    /// The name in results: that of the option that sets the bound.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Touched::IntRange => "int-range",
            Touched::Scheduler => "scheduler",
            Touched::SwitchAt => "switch-at",
            Touched::Threads => "max-threads",
            Touched::Frames => "max-frames",
        }
    }
}

/// The bounds of an exploration, and which of them mattered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// What arbitrary integers were chosen from.
    pub int_range: IntRange,
    /// Bounds on states.
    pub limits: Limits,
    /// Which schedules were explored.
    pub scheduler: Scheduler,
    /// Where threads were switched.
    pub switch_at: SwitchAt,
    /// The bounds that mattered, each once, in order. If there are none, the answer holds without bounds.
    pub touched: Vec<Touched>,
}

impl Bounds {
    /// The bounds of a configuration; `limited` says whether arbitrary values were chosen from a part of their type.
    #[must_use]
    pub fn of(config: &Config, limited: bool, cuts: &[Cut]) -> Self {
        let checks = [
            (limited, Touched::IntRange),
            (config.scheduler != Scheduler::All, Touched::Scheduler),
            (config.switch_at == SwitchAt::Yield, Touched::SwitchAt),
            (cuts.iter().any(|cut| matches!(cut, Cut::Threads(_))), Touched::Threads),
            (cuts.iter().any(|cut| matches!(cut, Cut::Frames(_))), Touched::Frames),
        ];
        Bounds {
            int_range: config.int_range,
            limits: config.limits,
            scheduler: config.scheduler,
            switch_at: config.switch_at,
            touched: checks.into_iter().filter_map(|(is, touched)| is.then_some(touched)).collect(),
        }
    }
}
