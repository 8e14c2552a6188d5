//! Runs raddle on a program of the corpus, and compares.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use super::{Engine, Expected, Options, Scheduler, Subject};
use crate::answer::{self, Answer, Said};
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
    /// Judges; `fewer` says why a violation may be out of reach, if it may.
    pub(super) fn judge(&self, expected: Expected, fewer: Option<&str>) -> Judgement {
        match (self, expected) {
            (Ours::Unknown(why) | Ours::Refused(why), _)
            | (Ours::Violation { doubtful: Some(why) }, Expected::Correct) => Judgement::Beyond(why.clone()),
            (_, Expected::Nothing | Expected::TimeOver) => Judgement::Incomparable,
            (Ours::Violation { .. }, Expected::Violation) | (Ours::None, Expected::Correct) => {
                Judgement::Agrees
            }
            (Ours::Violation { .. }, Expected::Correct) => Judgement::Disagrees,
            (Ours::None, Expected::Violation) => {
                fewer.map_or(Judgement::Disagrees, |why| Judgement::Beyond(why.to_owned()))
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
        Said::Answer(answer) => read(&answer, reply.warning),
    }
}

fn read(answer: &Answer, warning: Option<String>) -> Result<Ours> {
    Ok(match answer.verdict.as_str() {
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
        read(&serde_json::from_str(json).unwrap(), warning.map(str::to_owned))
    }

    #[test]
    fn results_of_both_commands_are_read() {
        let sure = Ours::Violation { doubtful: None };
        assert_eq!(answer(r#"{"verdict": "violation"}"#, None).unwrap(), sure);
        assert_eq!(answer(r#"{"verdict": "unsafe"}"#, None).unwrap(), sure);
        let doubtful = Ours::Violation { doubtful: Some("any number".to_owned()) };
        assert_eq!(answer(r#"{"verdict": "unsafe"}"#, Some("any number")).unwrap(), doubtful);
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
        assert_eq!(Ours::None.judge(Expected::Violation, Some("far")), Judgement::Beyond("far".to_owned()));
        assert_eq!(Ours::None.judge(Expected::Correct, None), Judgement::Agrees);
        assert_eq!(Ours::None.judge(Expected::Nothing, None), Judgement::Incomparable);
        let late = Ours::Unknown("late".to_owned());
        assert_eq!(late.judge(Expected::Correct, None), Judgement::Beyond("late".to_owned()));
    }
}
