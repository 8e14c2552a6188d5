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
    /// Some run goes round a loop, or calls a procedure inside itself, more often.
    Unroll,
    /// An infinite execution may have more rounds before or in what it repeats.
    Rounds,
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
            Touched::Unroll => "unroll",
            Touched::Rounds => "rounds",
        }
    }
}

/// The most rounds of an infinite execution: in each, every task runs once, in a fixed order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounds {
    /// Before what it repeats.
    pub stem: u32,
    /// In what it repeats.
    pub lasso: u32,
}

impl std::fmt::Display for Rounds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "stem {}, lasso {}", self.stem, self.lasso)
    }
}

/// The bounds of a search, and which of them mattered. A bound that the engine does not have is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// What arbitrary integers were chosen from.
    pub int_range: Option<IntRange>,
    /// Bounds on states.
    pub limits: Option<Limits>,
    /// How often a run may go round a loop, or call a procedure inside itself.
    pub unroll: Option<u32>,
    /// Which schedules were explored.
    pub scheduler: Scheduler,
    /// The rounds of the infinite executions that were sought.
    pub rounds: Option<Rounds>,
    /// Where threads were switched.
    pub switch_at: SwitchAt,
    /// The bounds that mattered, each once, in order. If there are none, the answer holds without bounds.
    pub touched: Vec<Touched>,
}

impl Bounds {
    /// The bounds of a search by formulas, of which only some schedules and perhaps only so many rounds of loops
    /// were looked at.
    #[must_use]
    pub fn of_formulas(
        scheduler: Scheduler,
        switch_at: SwitchAt,
        unroll: u32,
        unroll_mattered: bool,
    ) -> Self {
        let mut touched = vec![Touched::Scheduler];
        touched.extend((switch_at == SwitchAt::Yield).then_some(Touched::SwitchAt));
        touched.extend(unroll_mattered.then_some(Touched::Unroll));
        let unroll = Some(unroll);
        Bounds { int_range: None, limits: None, unroll, scheduler, rounds: None, switch_at, touched }
    }

    /// The bounds of a search for infinite executions by formulas.
    #[must_use]
    pub fn of_lassos(rounds: Rounds, unroll: u32, unroll_mattered: bool) -> Self {
        let mut bounds = Bounds::of_formulas(Scheduler::All, SwitchAt::Visible, unroll, unroll_mattered);
        bounds.rounds = Some(rounds);
        bounds.touched =
            std::iter::once(Touched::Rounds).chain(unroll_mattered.then_some(Touched::Unroll)).collect();
        bounds.touched.sort_unstable();
        bounds
    }

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
            int_range: Some(config.int_range),
            limits: Some(config.limits),
            unroll: None,
            scheduler: config.scheduler,
            rounds: None,
            switch_at: config.switch_at,
            touched: checks.into_iter().filter_map(|(is, touched)| is.then_some(touched)).collect(),
        }
    }
}
