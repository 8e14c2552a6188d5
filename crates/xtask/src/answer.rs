//! What raddle answers to one command with `--format json`: the parts of the result that tasks read.

use std::collections::BTreeMap;
use std::process::Command;

use anyhow::{Result, bail};
use serde::Deserialize;

use crate::process;

/// The exit code for a wrong input or command.
const REFUSED: i32 = 2;

/// One run of raddle.
#[derive(Debug)]
pub(crate) struct Reply {
    /// By the clock on the wall, with start-up.
    pub(crate) seconds: f64,
    pub(crate) said: Said,
    /// The frontend's or the engine's first warning.
    pub(crate) warning: Option<String>,
}

/// How it ended.
#[derive(Debug)]
pub(crate) enum Said {
    Answer(Answer),
    /// The program is not accepted: the first error.
    Refusal(String),
    /// The time was over, and it had to be ended.
    Nothing,
}

/// A result in the schema `raddle-result/1`.
#[derive(Debug, Deserialize)]
pub(crate) struct Answer {
    pub(crate) verdict: String,
    #[serde(default)]
    pub(crate) schedules: Vec<serde::de::IgnoredAny>,
    #[serde(default)]
    pub(crate) violations: Vec<Violation>,
    reason: Option<Reason>,
    /// The searches made, one after the other.
    #[serde(default)]
    pub(crate) attempts: Vec<Attempt>,
    #[serde(default)]
    pub(crate) statistics: Statistics,
    /// How it was predicted from one run.
    pub(crate) prediction: Option<Box<Prediction>>,
}

/// The figures of a prediction.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Prediction {
    pub(crate) threads: u64,
    pub(crate) shared: u64,
    pub(crate) events: u64,
    pub(crate) simplified: u64,
    pub(crate) regions: u64,
    pub(crate) potential: u64,
    pub(crate) after_happens_before: u64,
    pub(crate) after_locksets: u64,
    pub(crate) real: Option<u64>,
    pub(crate) windows: u64,
    #[serde(default)]
    pub(crate) notes: Vec<String>,
}

/// Something that goes wrong.
#[derive(Debug, Deserialize)]
pub(crate) struct Violation {
    pub(crate) kind: String,
    /// The run that leads to it.
    #[serde(default)]
    steps: Vec<Step>,
}

#[derive(Debug, Deserialize)]
struct Step {
    thread: String,
    /// Whether the thread is delayed here.
    #[serde(default)]
    delay: bool,
}

impl Violation {
    /// How often the thread is delayed that is delayed most.
    pub(crate) fn most_delays(&self) -> u32 {
        let mut delays: BTreeMap<&str, u32> = BTreeMap::new();
        for step in self.steps.iter().filter(|step| step.delay) {
            *delays.entry(&step.thread).or_default() += 1;
        }
        delays.into_values().max().unwrap_or(0)
    }
}

#[derive(Debug, Deserialize)]
struct Reason {
    message: String,
}

/// A search within some bounds.
#[derive(Debug, Deserialize)]
pub(crate) struct Attempt {
    pub(crate) stem: Option<u32>,
    pub(crate) lasso: Option<u32>,
    pub(crate) queries: u64,
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct Statistics {
    /// In bytes.
    pub(crate) peak_memory: Option<u64>,
}

impl Answer {
    /// Why not everything is known.
    pub(crate) fn reason(&self) -> &str {
        let message = self.reason.as_ref().map_or("no reason given", |reason| &reason.message);
        // What comes last says it most precisely.
        message.rsplit(": ").next().unwrap_or_default()
    }
}

/// Runs raddle for at most some seconds. Anything but a result, a refusal and the end of the time is an error.
pub(crate) fn ask(command: &Command, limit: f64) -> Result<Reply> {
    let timed = process::timed(command, limit)?;
    let said = match timed.code {
        None => Said::Nothing,
        Some(REFUSED) => {
            let error = problem(&timed.stderr, "error");
            Said::Refusal(error.unwrap_or_else(|| "no message".to_owned()))
        }
        Some(code) => match serde_json::from_str(&timed.stdout) {
            Ok(answer) => Said::Answer(answer),
            Err(error) => bail!(
                "`{}` (exit code {code}): cannot read the result ({error}):\n{}{}",
                process::shown(command),
                timed.stdout,
                timed.stderr
            ),
        },
    };
    Ok(Reply { seconds: timed.seconds, said, warning: problem(&timed.stderr, "warning") })
}

/// The first diagnostic of a severity.
fn problem(stderr: &str, severity: &str) -> Option<String> {
    stderr.lines().find_map(|line| line.strip_prefix(severity)?.strip_prefix(": ")).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: f64) -> Result<Reply> {
        ask(Command::new("sh").args(["-c", script]), limit)
    }

    #[test]
    fn an_answer_is_read() {
        let json = r#"{"verdict": "unknown", "reason": {"kind": "time", "message": "stopped: late"},
            "attempts": [{"stem": 1, "lasso": 2, "queries": 7}], "statistics": {"peak_memory": 1000}}"#;
        let reply = shell(&format!("echo '{json}'; echo 'warning: odd' >&2; exit 3"), 10.0).unwrap();
        let Said::Answer(answer) = &reply.said else { panic!("{reply:?}") };
        assert_eq!((answer.verdict.as_str(), answer.reason()), ("unknown", "late"));
        assert_eq!((answer.attempts[0].stem, answer.attempts[0].queries), (Some(1), 7));
        assert_eq!(answer.statistics.peak_memory, Some(1000));
        assert_eq!(reply.warning.as_deref(), Some("odd"));
    }

    #[test]
    fn other_ends_are_told_apart() {
        let refused = shell("echo 'error: no such type' >&2; exit 2", 10.0).unwrap();
        assert!(matches!(refused.said, Said::Refusal(why) if why == "no such type"));
        assert!(matches!(shell("sleep 100", 0.1).unwrap().said, Said::Nothing));
        assert!(shell("echo oh", 10.0).is_err());
    }
}
