//! What is asked, with which command lines, and what need not be.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use engine::{Verdict, ViolationKind};

use super::Done;
use super::facts::Facts;
use crate::args::{CheckKind, CheckOptions};

const ANSWERED: &str = "the exploration has the answer";

/// A program that runs for ever is not followed for that long.
const MOST_STEPS: &str = "20000";
/// The most violations of one analysis.
const MOST_VIOLATIONS: &str = "20";

/// An analysis. The cheap ones come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    Explore,
    Repeats,
    Predict,
    Verify,
    Async,
    Live,
}

impl Step {
    pub(super) const ALL: [Step; 6] =
        [Step::Explore, Step::Repeats, Step::Predict, Step::Verify, Step::Async, Step::Live];

    /// The analysis whose answer decides whether, or how, this one is made.
    pub(super) fn after(self) -> Option<Step> {
        match self {
            Step::Explore | Step::Repeats => None,
            Step::Predict | Step::Verify | Step::Async => Some(Step::Explore),
            Step::Live => Some(Step::Repeats),
        }
    }

    /// Whether it can take all the time that there is, and is not the only one to answer its question, or rests on bounds.
    pub(super) fn is_patient(self) -> bool {
        matches!(self, Step::Predict | Step::Async | Step::Live)
    }

    /// What it asks.
    pub(super) fn asks(self) -> &'static str {
        match self {
            Step::Explore => "explore: does any order of steps go wrong, state by state?",
            Step::Predict => "predict: does another order of the events of one run go wrong?",
            Step::Repeats => "explore: can it run for ever under a fair scheduler, state by state?",
            Step::Verify => "verify: which schedules are proven safe?",
            Step::Async => "async: do a few unusual orders of tasks go wrong?",
            Step::Live => "live: can it run for ever under a fair scheduler, within a few rounds?",
        }
    }

    /// The command that makes it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Step::Explore | Step::Repeats => "explore",
            Step::Predict => "predict",
            Step::Verify => "verify",
            Step::Async => "async",
            Step::Live => "live",
        }
    }
}

/// What is asked about a program.
pub(super) struct Plan<'a> {
    pub(super) options: &'a CheckOptions,
    pub(super) flags: &'a [String],
    pub(super) facts: Facts,
}

impl Plan<'_> {
    fn wants(&self, kind: CheckKind) -> bool {
        let default = match kind {
            // In Boogie every global is shared on purpose.
            CheckKind::Memory | CheckKind::Race => self.options.program.is_c(),
            _ => true,
        };
        if self.options.check.is_empty() { default } else { self.options.check.contains(&kind) }
    }

    /// The kinds of violations that a step looks for, as its command names them.
    fn kinds(&self, step: Step, done: &BTreeMap<Step, Done>) -> Vec<&'static str> {
        use CheckKind as Kind;
        let known: &[(Kind, &str)] = match step {
            Step::Explore => &[
                (Kind::Assertion, "assertion"),
                (Kind::Deadlock, "deadlock"),
                (Kind::Memory, "memory"),
                (Kind::Race, "race"),
            ],
            // What no state shows, no order of one run does.
            Step::Predict if is_proven(done) => &[(Kind::Atomicity, "atomicity")],
            Step::Predict => &[
                (Kind::Atomicity, "atomicity"),
                (Kind::Assertion, "assertion"),
                (Kind::Deadlock, "deadlock"),
                (Kind::Memory, "memory"),
                (Kind::Race, "race"),
            ],
            Step::Repeats | Step::Live => &[(Kind::NonTermination, "non-termination")],
            // On a schedule, accesses are ordered.
            Step::Verify => {
                &[(Kind::Assertion, "assertion"), (Kind::Deadlock, "deadlock"), (Kind::Memory, "memory")]
            }
            Step::Async => &[(Kind::Assertion, "assertion")],
        };
        known.iter().filter(|(kind, _)| self.wants(*kind)).map(|(_, name)| *name).collect()
    }

    /// Why a step need not be made, if so.
    pub(super) fn skips(&self, step: Step, done: &BTreeMap<Step, Done>) -> Option<String> {
        let answer = |step: Step| done.get(&step).and_then(|done| done.outcome.as_ref().ok());
        let decided =
            |step: Step| answer(step).is_some_and(|answer| !matches!(answer.verdict, Verdict::Unknown(_)));
        let why = if self.kinds(step, done).is_empty() {
            "--check leaves it out"
        } else {
            match step {
                Step::Predict | Step::Async if !self.facts.is_concurrent => "it has one thread only",
                Step::Repeats | Step::Live if !self.facts.can_repeat => {
                    "it has no loops and no recursion, so each run ends"
                }
                Step::Verify if is_proven(done) => {
                    "every state was explored, and no order of steps goes wrong"
                }
                Step::Async if decided(Step::Explore) => ANSWERED,
                Step::Live if decided(Step::Repeats) => ANSWERED,
                _ => return None,
            }
        };
        Some(why.to_owned())
    }

    /// The command line that does the same as a step.
    pub(super) fn command(&self, step: Step, done: &BTreeMap<Step, Done>) -> Vec<OsString> {
        let until = (step == Step::Verify && found_unsafe(done)).then_some("first-schedule");
        self.words(step, &self.kinds(step, done).join(","), true, until)
    }

    /// The command line that shows one violation, or all of its kind if there are several.
    pub(super) fn showing(&self, step: Step, kind: ViolationKind, several: bool) -> String {
        shown(&self.words(
            step,
            if kind == ViolationKind::DataRace { "race" } else { kind.name() },
            several,
            None,
        ))
    }

    fn words(&self, step: Step, kinds: &str, several: bool, until: Option<&str>) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec!["raddle".into(), step.name().into()];
        words.extend(self.options.program.words(self.flags));
        let mut add = |more: &[&str]| words.extend(more.iter().map(OsString::from));
        match step {
            Step::Explore | Step::Repeats => {
                add(&["--check", kinds]);
                if several {
                    add(&["--violations", MOST_VIOLATIONS]);
                }
            }
            Step::Predict => {
                add(&["--check", kinds]);
                if !self.options.atomic.is_empty() {
                    add(&["--atomic", &self.options.atomic.join(",")]);
                }
                add(&["--max-steps", MOST_STEPS]);
                if self.options.no_run {
                    add(&["--simulate", "--no-run"]);
                }
            }
            Step::Verify => {
                add(&["--check", kinds]);
                // Who has found a bug wants a schedule without it.
                if let Some(until) = until {
                    add(&["--until", until]);
                }
            }
            Step::Async | Step::Live => {}
        }
        words.extend(self.options.program.last_words());
        words
    }

    /// The command line of a step with what it may use, and where to keep what it finds.
    pub(super) fn limited(&self, step: Step, command: &[OsString], slice: Duration) -> Vec<OsString> {
        let mut more: Vec<OsString> =
            vec!["--quiet".into(), format!("--timeout={}", slice.as_secs_f64()).into()];
        if let Some(memory) = self.options.budget.memory {
            more.push(format!("--memory={memory}").into());
        }
        let mut keep = |option: &str, path: &Path| {
            more.push(option.into());
            more.push(path.into());
        };
        if let Some(folder) = &self.options.keep {
            match step {
                // It keeps its counterexamples beside its schedules.
                Step::Verify => {
                    keep("--schedules", folder);
                    keep("--opt", Path::new("2"));
                }
                Step::Repeats => keep("--witness", &folder.join("repeats.json")),
                _ => keep("--witness", &folder.join(format!("{}.json", step.name()))),
            }
        }
        let mut words = command.to_vec();
        words.splice(2..2, more);
        words
    }
}

/// Whether the exploration saw every state, and nothing wrong.
fn is_proven(done: &BTreeMap<Step, Done>) -> bool {
    let explored = done.get(&Step::Explore).and_then(|done| done.outcome.as_ref().ok());
    explored.is_some_and(|answer| matches!(answer.verdict, Verdict::Safe(_) | Verdict::SafeWithin(..)))
}

/// Whether the exploration found something that a schedule can avoid.
fn found_unsafe(done: &BTreeMap<Step, Done>) -> bool {
    let explored = done.get(&Step::Explore).and_then(|done| done.outcome.as_ref().ok());
    explored.is_some_and(|answer| !answer.verdict.findings().is_empty())
}

/// The command that runs a program on a safe schedule.
pub(super) fn run_command(options: &CheckOptions, flags: &[String]) -> String {
    let mut words: Vec<OsString> = vec!["raddle".into(), "run".into()];
    if let Some(folder) = &options.keep {
        words.push("--schedule".into());
        words.push(folder.join("schedule-1.txt").into());
    }
    words.extend(options.program.words(flags));
    words.extend(options.program.last_words());
    shown(&words)
}

/// A command line as a shell reads it.
pub(super) fn shown(words: &[OsString]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    let quoted = |word: &OsString| {
        let word = word.to_string_lossy();
        if !word.is_empty() && word.chars().all(plain) {
            word.into_owned()
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_quoted_for_the_shell() {
        let words = ["raddle", "a b.c", "it's", "--x=1,2", ""].map(OsString::from);
        assert_eq!(shown(&words), r"raddle 'a b.c' 'it'\''s' --x=1,2 ''");
    }
}
