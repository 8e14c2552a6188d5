//! Runs raddle on a program of the corpus, and compares.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use super::{Engine, Expected, Options, Scheduler, Subject};
use crate::answer::{self, Answer, Said, Violation};
use crate::corpus::judgement::Judgement;

/// What raddle says of a program.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Ours {
    /// With the warning of the frontend that takes its force away, if there is one.
    Violation {
        doubtful: Option<String>,
    },
    None,
    /// The reason.
    Unknown(String),
    /// Why the program is not accepted.
    Refused(String),
}

impl Ours {
    /// Judges; a violation may be out of reach if only the delays of each task are bounded.
    pub(super) fn judge(&self, expected: Expected, per_task: Option<u32>) -> Judgement {
        match (self, expected) {
            (Ours::Unknown(why) | Ours::Refused(why), _)
            | (Ours::Violation { doubtful: Some(why) }, Expected::Correct) => Judgement::Beyond(why.clone()),
            (_, Expected::Nothing | Expected::TimeOver) => Judgement::Incomparable,
            (Ours::Violation { .. }, Expected::Violation) | (Ours::None, Expected::Correct) => {
                Judgement::Agrees
            }
            (Ours::Violation { .. }, Expected::Correct) => Judgement::Disagrees,
            (Ours::None, Expected::Violation) => {
                per_task.filter(|times| *times > 0).map_or(Judgement::Disagrees, |times| {
                    Judgement::Beyond(format!(
                        "each task may be delayed {times} times, so there are schedules with more delays"
                    ))
                })
            }
        }
    }

    pub(super) fn shown(&self) -> String {
        match self {
            Ours::Violation { .. } => "violation",
            Ours::None => "none",
            Ours::Unknown(_) => "unknown",
            Ours::Refused(_) => "refused",
        }
        .to_owned()
    }
}

/// Runs raddle on a program.
pub(super) fn run(raddle: &Path, subject: &Subject, program: &Path, options: &Options) -> Result<Ours> {
    let mut command = Command::new(raddle);
    command.arg(match options.with {
        Engine::Async => "async",
        Engine::Explore => "explore",
    });
    let scheduler = match options.scheduler {
        Scheduler::Dfw => "dfw",
        Scheduler::Df => "df",
    };
    command.args(["--format", "json", "--scheduler", scheduler, "--delays", &subject.delays.to_string()]);
    command.args(["--timeout", &options.timeout.to_string()]);
    // The explorer goes through loops as long as they last.
    if let (Engine::Async, Some(unroll)) = (options.with, subject.unroll) {
        command.args(["--unroll", &unroll.to_string()]);
    }
    if subject.cooperative {
        command.args(["--switch-at", "yield"]);
    }
    if let Some(entry) = &subject.entry {
        command.args(["--entry", entry]);
    }
    command.arg(program);
    let reply = answer::ask(&command, 2.0 * options.timeout + 10.0)?;
    match reply.said {
        Said::Nothing => Ok(Ours::Unknown("it did not stop at its time limit".to_owned())),
        Said::Refusal(why) => Ok(Ours::Refused(why)),
        Said::Answer(answer) => read(&answer, subject.per_task, reply.warning),
    }
}

fn read(answer: &Answer, per_task: Option<u32>, warning: Option<String>) -> Result<Ours> {
    let most = answer.violations.iter().map(Violation::most_delays).max().unwrap_or(0);
    Ok(match answer.verdict.as_str() {
        "violation" | "unsafe" if per_task.is_some_and(|allowed| most > allowed) => {
            Ours::Unknown(format!("what was found delays one task {most} times"))
        }
        "violation" | "unsafe" => Ours::Violation { doubtful: warning },
        "none-within-bounds" | "safe" => Ours::None,
        "unknown" => Ours::Unknown(answer.reason().to_owned()),
        other => bail!("the verdict `{other}` is unknown"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(json: &str, warning: Option<&str>) -> Result<Ours> {
        read(&serde_json::from_str(json).unwrap(), Some(2), warning.map(str::to_owned))
    }

    #[test]
    fn results_of_both_commands_are_read() {
        let sure = Ours::Violation { doubtful: None };
        assert_eq!(answer(r#"{"verdict": "violation"}"#, None).unwrap(), sure);
        assert_eq!(answer(r#"{"verdict": "unsafe"}"#, None).unwrap(), sure);
        let doubtful = Ours::Violation { doubtful: Some("any number".to_owned()) };
        assert_eq!(answer(r#"{"verdict": "unsafe"}"#, Some("any number")).unwrap(), doubtful);
        let delayed = |times| {
            let steps = vec![r#"{"thread": "one", "delay": true}, {"thread": "two"}"#; times].join(", ");
            format!(r#"{{"verdict": "unsafe", "violations": [{{"kind": "assertion", "steps": [{steps}]}}]}}"#)
        };
        assert_eq!(answer(&delayed(2), None).unwrap(), sure);
        let often = Ours::Unknown("what was found delays one task 3 times".to_owned());
        assert_eq!(answer(&delayed(3), None).unwrap(), often);
        assert_eq!(answer(r#"{"verdict": "safe"}"#, None).unwrap(), Ours::None);
        let unknown = r#"{"verdict": "unknown", "reason": {"kind": "time", "message": "late"}}"#;
        assert_eq!(answer(unknown, None).unwrap(), Ours::Unknown("late".to_owned()));
        assert!(answer(r#"{"verdict": "perhaps"}"#, None).is_err());
    }

    #[test]
    fn judgements() {
        let sure = Ours::Violation { doubtful: None };
        assert_eq!(sure.judge(Expected::Violation, None), Judgement::Agrees);
        assert_eq!(sure.judge(Expected::Correct, None), Judgement::Disagrees);
        assert_eq!(Ours::None.judge(Expected::Violation, None), Judgement::Disagrees);
        assert!(matches!(Ours::None.judge(Expected::Violation, Some(2)), Judgement::Beyond(_)));
        assert_eq!(Ours::None.judge(Expected::Correct, None), Judgement::Agrees);
        assert_eq!(Ours::None.judge(Expected::Nothing, None), Judgement::Incomparable);
        let late = Ours::Unknown("late".to_owned());
        assert_eq!(late.judge(Expected::Correct, None), Judgement::Beyond("late".to_owned()));
    }
}
