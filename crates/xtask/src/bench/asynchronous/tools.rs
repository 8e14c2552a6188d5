//! The two tools: `raddle async`, and Boogie's stratified inlining on what `raddle sequentialize` prints.
//!
//! Boogie runs with these options:
//! - `/stratifiedInline:1` searches from the procedure marked `{:entrypoint}`: it inlines calls one by one, as Corral
//!   does. It asks one question: can the end of that procedure be reached, or an assertion in that procedure fail?
//!   Assertions in procedures that it calls count as assumptions. `raddle sequentialize` prints programs that say so.
//! - `/extractLoops` makes procedures of loops. Without it loops are left out, with any values after them.
//! - `/recursionBound:N` bounds both, as `--unroll N` does in Raddle.
//! - `/useArrayTheory`: maps are the solver's own, as in Raddle.
//! - `/noinfer`: no invariants of intervals, which help nothing here and cost time.
//! - `/errorLimit:1`: one violation is enough.
//!
//! Without the relevancy of Z3 it is ten times as fast on some programs, and several times slower on others. So both
//! are tried, and the faster one counts.
//!
//! Debian's Boogie also complains about an option that Debian's Z3 no longer has; that is harmless.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::programs::Scheduler;
use crate::answer::{self, Answer, Said};
use crate::process::{self, Timed};

/// How often loops are gone through, in both tools. The programs need three rounds at most, and one call to leave.
const UNROLL: u32 = 4;

/// Options of Boogie that are tried one after the other.
pub(super) const SETTINGS: &[&[&str]] = &[&[], &["/proverOpt:O:smt.relevancy=0"]];

/// What one run of a tool gave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Outcome {
    /// A violation, after so many seconds.
    Violation(f64),
    /// None within the bounds.
    None(f64),
    /// The time was over.
    TimeOver,
}

/// Runs `raddle async`, which tries all bounds up to the given one.
pub(super) fn raddle(
    raddle: &Path,
    program: &Path,
    scheduler: Scheduler,
    delays: u32,
    limit: f64,
) -> Result<Outcome> {
    let mut command = Command::new(raddle);
    // What is measured is the search by formulas.
    command.args(["async", "--format", "json", "--states", "0", "--scheduler", scheduler.name()]);
    command.args(["--delays", &delays.to_string(), "--unroll", &UNROLL.to_string()]).arg(program);
    let reply = answer::ask(&command, limit)?;
    let shown = process::shown(&command);
    match reply.said {
        Said::Nothing => Ok(Outcome::TimeOver),
        Said::Refusal(why) => bail!("`{shown}` refuses its program: {why}"),
        Said::Answer(answer) => verdict(&answer, reply.seconds).with_context(|| format!("`{shown}`")),
    }
}

fn verdict(answer: &Answer, seconds: f64) -> Result<Outcome> {
    Ok(match answer.verdict.as_str() {
        "violation" => Outcome::Violation(seconds),
        "none-within-bounds" => Outcome::None(seconds),
        other => bail!("the verdict is `{other}`: {}", answer.reason()),
    })
}

/// Writes the sequential program of one bound.
pub(super) fn sequentialize(
    raddle: &Path,
    program: &Path,
    scheduler: Scheduler,
    delays: u32,
    output: &Path,
) -> Result<()> {
    let mut command = Command::new(raddle);
    command.args(["sequentialize", "--scheduler", scheduler.name(), "--delays", &delays.to_string()]);
    process::capture(command.arg(program).arg("-o").arg(output)).map(drop)
}

/// Runs Boogie on a sequential program.
pub(super) fn boogie(program: &Path, setting: &[&str], limit: f64) -> Result<Outcome> {
    let mut command = Command::new("boogie");
    command.args(["/nologo", "/stratifiedInline:1", "/extractLoops", "/useArrayTheory", "/noinfer"]);
    command.args(["/errorLimit:1", &format!("/recursionBound:{UNROLL}")]).args(setting).arg(program);
    let timed = process::timed(&command, limit)?;
    if timed.code.is_none() {
        return Ok(Outcome::TimeOver);
    }
    summary(&timed).with_context(|| {
        format!(
            "`{}` ({:?}) printed:\n{}{}",
            process::shown(&command),
            timed.code,
            timed.stdout,
            timed.stderr
        )
    })
}

/// Reads Boogie's last line: `Boogie program verifier finished with 0 verified, 1 error`, and on some occasions more.
fn summary(timed: &Timed) -> Result<Outcome> {
    let counts = timed.stdout.lines().rev().find_map(|line| line.split_once("finished with "));
    let Some((_, counts)) = counts else { bail!("no summary") };
    match counts.trim() {
        "0 verified, 1 error" => Ok(Outcome::Violation(timed.seconds)),
        "1 verified, 0 errors" => Ok(Outcome::None(timed.seconds)),
        other => bail!("`{other}` is no answer for one entry procedure"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timed(stdout: &str) -> Timed {
        Timed { seconds: 2.0, stdout: stdout.to_owned(), stderr: String::new(), code: Some(0) }
    }

    #[test]
    fn the_verdict_of_raddle_is_read() {
        let read = |text: &str| verdict(&serde_json::from_str(text).unwrap(), 2.0);
        assert_eq!(read(r#"{"verdict": "violation", "more": 1}"#).unwrap(), Outcome::Violation(2.0));
        assert_eq!(read(r#"{"verdict": "none-within-bounds"}"#).unwrap(), Outcome::None(2.0));
        assert!(read(r#"{"verdict": "unknown"}"#).is_err());
    }

    #[test]
    fn the_summary_of_boogie_is_read() {
        let read = |counts: &str| {
            summary(&timed(&format!(
                "Prover error: unknown parameter\nA.bpl(8,3): Error BP5001\n\n\
                 Boogie program verifier finished with {counts}\n"
            )))
        };
        assert_eq!(read("0 verified, 1 error").unwrap(), Outcome::Violation(2.0));
        assert_eq!(read("1 verified, 0 errors").unwrap(), Outcome::None(2.0));
        assert!(read("0 verified, 0 errors, 1 time out").is_err());
        assert!(summary(&timed("A.bpl(1,1): syntax error\n1 parse errors detected in A.bpl\n")).is_err());
    }
}
