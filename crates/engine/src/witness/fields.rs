//! The parts of a witness file that have names or limits of their own.

use interp::{Fairness, Limits, Run, Scheduler, Step, SwitchAt, ViolationKind};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SchedulerField {
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    delays: Option<u32>,
}

impl SchedulerField {
    pub(super) fn of(scheduler: Scheduler) -> Self {
        let (kind, delays) = match scheduler {
            Scheduler::All => ("all", None),
            Scheduler::Df(delays) => ("df", Some(delays)),
            Scheduler::Dfw(delays) => ("dfw", Some(delays)),
        };
        SchedulerField { kind: kind.to_owned(), delays }
    }

    pub(super) fn check(&self) -> Result<Scheduler, String> {
        match (self.kind.as_str(), self.delays) {
            ("all", None) => Ok(Scheduler::All),
            ("df", Some(delays)) => Ok(Scheduler::Df(delays)),
            ("dfw", Some(delays)) => Ok(Scheduler::Dfw(delays)),
            ("all", Some(_)) => Err("the scheduler \"all\" has no \"delays\"".to_owned()),
            ("df" | "dfw", None) => Err(format!("the scheduler \"{}\" needs \"delays\"", self.kind)),
            (other, _) => Err(format!("unknown scheduler \"{other}\"; expected \"all\", \"df\" or \"dfw\"")),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LimitsField {
    pub(super) threads: usize,
    pub(super) frames: usize,
}

impl LimitsField {
    pub(super) fn check(&self) -> Result<Limits, String> {
        let most = Limits::MOST_RUN;
        if !(1..=most).contains(&self.threads) {
            return Err(format!("the limit of {} threads is not between 1 and {most}", self.threads));
        }
        if !(1..=1_000_000).contains(&self.frames) {
            return Err(format!("the limit of {} frames is not between 1 and 1000000", self.frames));
        }
        Ok(Limits { threads: self.threads, frames: self.frames })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StepField {
    thread: usize,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    delay: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    choices: Vec<i64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RunField {
    initial: Vec<i64>,
    steps: Vec<StepField>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lasso_start: Option<usize>,
}

impl RunField {
    pub(super) fn of(run: &Run) -> Self {
        let steps = run.steps.iter().map(|step| StepField {
            thread: step.thread,
            delay: step.delay,
            choices: step.choices.clone(),
        });
        RunField { initial: run.initial.clone(), steps: steps.collect(), lasso_start: run.lasso_start }
    }

    pub(super) fn check(self) -> Result<Run, String> {
        if let Some(start) = self.lasso_start.filter(|&start| start >= self.steps.len()) {
            return Err(format!("\"lasso_start\" is {start}, but there are {} steps", self.steps.len()));
        }
        let steps = self.steps.into_iter();
        let steps = steps.map(|s| Step { thread: s.thread, delay: s.delay, choices: s.choices });
        Ok(Run { initial: self.initial, steps: steps.collect(), lasso_start: self.lasso_start })
    }
}

pub(super) fn switch_at_name(switch_at: SwitchAt) -> &'static str {
    match switch_at {
        SwitchAt::Visible => "visible",
        SwitchAt::Yield => "yield",
    }
}

pub(super) fn switch_at(name: &str) -> Result<SwitchAt, String> {
    match name {
        "visible" => Ok(SwitchAt::Visible),
        "yield" => Ok(SwitchAt::Yield),
        _ => Err(format!("unknown \"switch_at\" \"{name}\"; expected \"visible\" or \"yield\"")),
    }
}

pub(super) fn fairness_name(fairness: Fairness) -> &'static str {
    match fairness {
        Fairness::Strong => "strong",
        Fairness::Weak => "weak",
        Fairness::None => "none",
    }
}

pub(super) fn fairness(name: &str) -> Result<Fairness, String> {
    match name {
        "strong" => Ok(Fairness::Strong),
        "weak" => Ok(Fairness::Weak),
        "none" => Ok(Fairness::None),
        _ => Err(format!("unknown fairness \"{name}\"; expected \"strong\", \"weak\" or \"none\"")),
    }
}

pub(super) fn kind(name: &str) -> Result<ViolationKind, String> {
    let kinds = [
        ViolationKind::Assertion,
        ViolationKind::Memory,
        ViolationKind::Deadlock,
        ViolationKind::DataRace,
        ViolationKind::NonTermination,
        ViolationKind::Atomicity,
    ];
    kinds.into_iter().find(|kind| kind.name() == name).ok_or_else(|| format!("unknown kind \"{name}\""))
}
