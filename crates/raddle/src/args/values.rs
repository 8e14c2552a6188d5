//! What options can be set to.

use clap::ValueEnum;
use engine::{Fairness, IntRange, SwitchAt};

/// What `check` looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckKind {
    Assertion,
    Deadlock,
    Memory,
    #[value(alias = "data-race")]
    Race,
    Atomicity,
    NonTermination,
}

/// What happens when a program leaves its schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnDivergence {
    Abort,
    Continue,
}

/// What `predict` looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PredictKind {
    Atomicity,
    Assertion,
    Deadlock,
    Memory,
    #[value(alias = "data-race")]
    Race,
}

/// How potential violations of atomicity are decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MethodName {
    /// By formulas, exactly
    Symbolic,
    /// By locks alone: what is reported need not be real
    Lockset,
}

/// When `verify` stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum UntilName {
    Complete,
    FirstSchedule,
    Exhausted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Human,
    Json,
    Sarif,
    // JUnit's XML, for continuous integration.
    Junit,
    // A line per place, as compilers write them.
    Short,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorName {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    Assertion,
    Deadlock,
    Memory,
    #[value(alias = "data-race")]
    Race,
    NonTermination,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FairnessName {
    Strong,
    Weak,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchedulerName {
    /// Every interleaving
    All,
    /// Depth-first with delays
    Df,
    /// Depth-first with delays, tasks that wait do not run
    Dfw,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DelayingName {
    /// Depth-first with delays, tasks that wait do not run
    Dfw,
    /// Depth-first with delays
    Df,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SequentialName {
    /// Depth-first with delays, tasks that wait do not run
    Dfw,
    /// Depth-first with delays
    Df,
    /// Infinite executions: what runs once, and what is repeated
    Lasso,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SwitchName {
    Visible,
    Yield,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SearchName {
    Bfs,
    Dfs,
}

impl From<FairnessName> for Fairness {
    fn from(name: FairnessName) -> Self {
        match name {
            FairnessName::Strong => Fairness::Strong,
            FairnessName::Weak => Fairness::Weak,
            FairnessName::None => Fairness::None,
        }
    }
}

impl From<SwitchName> for SwitchAt {
    fn from(name: SwitchName) -> Self {
        match name {
            SwitchName::Visible => SwitchAt::Visible,
            SwitchName::Yield => SwitchAt::Yield,
        }
    }
}

pub(super) fn int_range(text: &str) -> Result<IntRange, String> {
    let parts = text.split_once("..").map(|(low, high)| (low.trim().parse(), high.trim().parse()));
    let Some((Ok(low), Ok(high))) = parts else {
        return Err("expected two integers, as in -4..4".to_owned());
    };
    if low > high {
        return Err(format!("{low} is greater than {high}"));
    }
    IntRange::new(low, high).ok_or_else(|| "more than 2^32 numbers".to_owned())
}

pub(super) fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number <= 1e9 => Ok(number),
        _ => Err("expected a positive number".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        assert_eq!(int_range("-4..4"), Ok(IntRange::default()));
        assert!(int_range("0..0").is_ok());
        assert!(int_range("1..0").is_err());
        assert!(int_range("0..9999999999999999999999").is_err());
        assert!(int_range("-9223372036854775808..9223372036854775807").is_err());
        assert!(int_range("4").is_err());
        assert!(positive("nan").is_err() && positive("0").is_err() && positive("0.5").is_ok());
    }
}
