//! One run of `raddle live`: what it says, within which bounds, and what that took.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::answer::{self, Answer, Reply, Said};

/// What came out.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    pub(crate) verdict: Verdict,
    /// The rounds of stem and lasso in the last search, which is the one that found something.
    pub(crate) rounds: Option<(u32, u32)>,
    /// To the solver, in all searches.
    pub(crate) queries: u64,
    /// By the clock on the wall, with start-up.
    pub(crate) seconds: f64,
    /// In bytes.
    pub(crate) peak_memory: Option<u64>,
    /// What takes force away from the verdict.
    pub(crate) warning: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    NonTerminating,
    NoneWithinBounds,
    /// The reason.
    Unknown(String),
    /// Why the program is not accepted.
    Refused(String),
}

impl Verdict {
    pub(crate) fn shown(&self) -> &'static str {
        match self {
            Verdict::NonTerminating => "non-terminating",
            Verdict::NoneWithinBounds => "none within bounds",
            Verdict::Unknown(_) => "unknown",
            Verdict::Refused(_) => "refused",
        }
    }
}

/// Searches a program for at most some seconds.
pub(crate) fn run(raddle: &Path, options: &[&str], program: &Path, limit: f64) -> Result<Search> {
    let mut command = Command::new(raddle);
    command.args(["live", "--format", "json", "--timeout", &limit.to_string()]).args(options).arg(program);
    // It stops by itself and tells how far it came, unless something is wrong.
    read(answer::ask(&command, 2.0 * limit + 10.0)?)
}

fn read(reply: Reply) -> Result<Search> {
    let without_answer = |verdict| Search {
        verdict,
        rounds: None,
        queries: 0,
        seconds: reply.seconds,
        peak_memory: None,
        warning: None,
    };
    let answer = match reply.said {
        Said::Nothing => {
            return Ok(without_answer(Verdict::Unknown("it did not stop at its time limit".to_owned())));
        }
        Said::Refusal(why) => return Ok(without_answer(Verdict::Refused(why))),
        Said::Answer(answer) => answer,
    };
    Ok(Search {
        verdict: verdict(&answer)?,
        rounds: answer.attempts.last().and_then(|attempt| Some((attempt.stem?, attempt.lasso?))),
        queries: answer.attempts.iter().map(|attempt| attempt.queries).sum(),
        seconds: reply.seconds,
        peak_memory: answer.statistics.peak_memory,
        warning: reply.warning,
    })
}

fn verdict(answer: &Answer) -> Result<Verdict> {
    Ok(match answer.verdict.as_str() {
        "non-terminating" => Verdict::NonTerminating,
        "none-within-bounds" => Verdict::NoneWithinBounds,
        "unknown" => Verdict::Unknown(answer.reason().to_owned()),
        other => bail!("the verdict `{other}` is unknown"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(json: &str) -> Result<Search> {
        let said = Said::Answer(serde_json::from_str(json).unwrap());
        read(Reply { seconds: 2.0, said, warning: None })
    }

    #[test]
    fn the_last_search_counts_for_the_bounds_and_all_for_the_queries() {
        let found = search(
            r#"{"verdict": "non-terminating", "statistics": {"peak_memory": 5}, "attempts":
            [{"stem": 1, "lasso": 1, "queries": 4}, {"stem": 2, "lasso": 1, "queries": 3}]}"#,
        )
        .unwrap();
        assert_eq!((found.rounds, found.queries, found.peak_memory), (Some((2, 1)), 7, Some(5)));
        assert_eq!(found.verdict, Verdict::NonTerminating);
    }

    #[test]
    fn verdicts_are_read() {
        let of = |json: &str| search(json).map(|search| search.verdict);
        assert_eq!(of(r#"{"verdict": "none-within-bounds"}"#).unwrap(), Verdict::NoneWithinBounds);
        let late = r#"{"verdict": "unknown", "reason": {"message": "late"}}"#;
        assert_eq!(of(late).unwrap(), Verdict::Unknown("late".to_owned()));
        assert!(of(r#"{"verdict": "safe"}"#).is_err());
        let refusal = Reply { seconds: 2.0, said: Said::Refusal("odd".to_owned()), warning: None };
        assert_eq!(read(refusal).unwrap().verdict, Verdict::Refused("odd".to_owned()));
    }
}
