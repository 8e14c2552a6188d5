//! Runs raddle on a program of the corpus, and compares.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};
use serde::Deserialize;

use super::{AsyncOptions, Engine, Expected, Scheduler, Subject};
use crate::process;

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

/// How that compares with what was expected.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    Agrees,
    Disagrees,
    /// Beyond what raddle can do.
    Beyond(String),
    Incomparable,
}

impl Ours {
    pub(super) fn judge(&self, expected: Expected) -> Judgement {
        match (self, expected) {
            (Ours::Unknown(why) | Ours::Refused(why), _)
            | (Ours::Violation { doubtful: Some(why) }, Expected::Correct) => Judgement::Beyond(why.clone()),
            (_, Expected::Nothing | Expected::TimeOver) => Judgement::Incomparable,
            (Ours::Violation { .. }, Expected::Violation) | (Ours::None, Expected::Correct) => {
                Judgement::Agrees
            }
            (Ours::Violation { .. }, Expected::Correct) | (Ours::None, Expected::Violation) => {
                Judgement::Disagrees
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

impl Judgement {
    pub(super) fn shown(&self) -> String {
        match self {
            Judgement::Agrees => "agrees".to_owned(),
            Judgement::Disagrees => "**disagrees**".to_owned(),
            Judgement::Beyond(why) => format!("beyond: {}", why.replace('|', "\\|")),
            Judgement::Incomparable => "-".to_owned(),
        }
    }
}

/// The part of raddle's result that is read here.
#[derive(Deserialize)]
struct Answer {
    verdict: String,
    reason: Option<Reason>,
}

#[derive(Deserialize)]
struct Reason {
    message: String,
}

/// Runs raddle on a program.
pub(super) fn run(raddle: &Path, subject: &Subject, program: &Path, options: &AsyncOptions) -> Result<Ours> {
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
    let timed = process::timed(&command, 2.0 * options.timeout + 10.0)?;
    match timed.code {
        None => Ok(Ours::Unknown("it did not stop at its time limit".to_owned())),
        Some(2) => Ok(Ours::Refused(problem(&timed.stderr, "error"))),
        Some(_) => match serde_json::from_str(&timed.stdout) {
            Ok(answer) => read(answer, &timed.stderr),
            Err(error) => bail!(
                "`{}`: cannot read the result ({error}):\n{}{}",
                process::shown(&command),
                timed.stdout,
                timed.stderr
            ),
        },
    }
}

fn read(answer: Answer, stderr: &str) -> Result<Ours> {
    Ok(match answer.verdict.as_str() {
        "violation" | "unsafe" => {
            Ours::Violation { doubtful: stderr.contains("warning: ").then(|| problem(stderr, "warning")) }
        }
        "none-within-bounds" | "safe" => Ours::None,
        "unknown" => {
            // What comes last says it most precisely.
            let message = answer.reason.map_or_else(|| "no reason given".to_owned(), |reason| reason.message);
            Ours::Unknown(message.rsplit(": ").next().unwrap_or_default().to_owned())
        }
        other => bail!("the verdict `{other}` is unknown"),
    })
}

/// The first diagnostic of a severity.
fn problem(stderr: &str, severity: &str) -> String {
    let found = stderr.lines().find_map(|line| line.strip_prefix(severity)?.strip_prefix(": "));
    found.unwrap_or("no message").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(json: &str, stderr: &str) -> Result<Ours> {
        read(serde_json::from_str(json).unwrap(), stderr)
    }

    #[test]
    fn results_of_both_commands_are_read() {
        let sure = Ours::Violation { doubtful: None };
        assert_eq!(answer(r#"{"verdict": "violation"}"#, "").unwrap(), sure);
        assert_eq!(answer(r#"{"verdict": "unsafe"}"#, "").unwrap(), sure);
        let doubtful = Ours::Violation { doubtful: Some("any number".to_owned()) };
        assert_eq!(answer(r#"{"verdict": "unsafe"}"#, "warning: any number\n --> x").unwrap(), doubtful);
        assert_eq!(answer(r#"{"verdict": "safe"}"#, "").unwrap(), Ours::None);
        let unknown = r#"{"verdict": "unknown", "reason": {"kind": "time", "message": "late"}}"#;
        assert_eq!(answer(unknown, "").unwrap(), Ours::Unknown("late".to_owned()));
        assert!(answer(r#"{"verdict": "perhaps"}"#, "").is_err());
        assert_eq!(problem("error: no such type\n", "error"), "no such type");
    }

    #[test]
    fn judgements() {
        let sure = Ours::Violation { doubtful: None };
        assert_eq!(sure.judge(Expected::Violation), Judgement::Agrees);
        assert_eq!(sure.judge(Expected::Correct), Judgement::Disagrees);
        assert_eq!(Ours::None.judge(Expected::Violation), Judgement::Disagrees);
        assert_eq!(Ours::None.judge(Expected::Correct), Judgement::Agrees);
        assert_eq!(Ours::None.judge(Expected::Nothing), Judgement::Incomparable);
        let late = Ours::Unknown("late".to_owned());
        assert_eq!(late.judge(Expected::Correct), Judgement::Beyond("late".to_owned()));
    }
}
