//! `cargo xtask corpus c`: public concurrent C programs of which it is known whether an error can be reached.
//!
//! The programs are those of SV-COMP 2020 as CSeq's repository (Gennaro-Parlato/CSeq) has them; see [`svcomp`]. An answer
//! that contradicts the expected verdict is wrong. That raddle is undecided, or refuses what it does not support,
//! is not.

mod svcomp;

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use crate::answer::{self, Answer, Reply, Said};
use crate::bench::table;
use crate::{page, setup};
use svcomp::Subject;

/// Command-line options.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// A checkout of Gennaro-Parlato/CSeq, or its folder original-svcomp2020-concurrency-benchmarks
    folder: PathBuf,
    /// The command to run on them: explore or verify
    #[arg(long, value_name = "COMMAND", default_value = "explore", value_parser = ["explore", "verify"])]
    command: String,
    /// Seconds for each program
    #[arg(long, value_name = "S", default_value_t = 60.0)]
    timeout: f64,
    /// The folders with programs; may be repeated
    #[arg(long = "folder", value_name = "NAME", default_values_t = svcomp::FOLDERS.map(str::to_owned))]
    folders: Vec<String>,
    /// Of each folder at most this many programs, at equal distances
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Only programs whose folder and name contain this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Run this binary instead of building one
    #[arg(long, value_name = "FILE")]
    raddle: Option<PathBuf>,
    /// Write the table to this file too
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs the programs and prints the table.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut subjects = svcomp::find(&options.folder, &options.folders, options.sample)?;
    if subjects.is_empty() {
        bail!("`{}` has none of the folders {}", options.folder.display(), options.folders.join(", "));
    }
    if let Some(part) = &options.only {
        subjects.retain(|subject| subject.name.contains(part.as_str()));
        if subjects.is_empty() {
            bail!("no program has `{part}` in its folder and name");
        }
    }
    let raddle = setup::raddle(options.raddle.as_deref())?;
    let mut rows = Vec::new();
    for subject in subjects {
        eprintln!("corpus: {}", subject.name);
        let mut command = Command::new(&raddle);
        command.args([&options.command, "--format", "json", "--timeout", &options.timeout.to_string()]);
        // Whether an error is reached is the question; other violations would hide the answer.
        command.args(["--check", "assertion"]).arg(&subject.path);
        // It stops by itself and tells how far it came, unless something is wrong.
        let reply = answer::ask(&command, 2.0 * options.timeout + 10.0)?;
        rows.push((subject, Ours::read(&reply)?, reply.seconds));
    }
    let text = report(&options.command, options.timeout, &options.folders, &rows);
    page::publish(&text, options.output.as_deref())
}

/// What raddle says.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Ours {
    Safe,
    Unsafe,
    /// Some schedules are not safe, some are.
    PartiallySafe,
    /// There is a violation; whether some schedule is safe is not known.
    Violated,
    /// The reason.
    Unknown(String),
    /// Why the program is not accepted.
    Refused(String),
}

/// How that compares with what is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Judgement {
    Agrees,
    Undecided,
    Unsupported,
    Wrong,
}

impl Ours {
    fn read(reply: &Reply) -> Result<Self> {
        Ok(match &reply.said {
            Said::Nothing => Ours::Unknown("it did not stop at its time limit".to_owned()),
            Said::Refusal(why) => Ours::Refused(why.clone()),
            Said::Answer(answer) => Ours::of(answer)?,
        })
    }

    fn of(answer: &Answer) -> Result<Self> {
        Ok(match answer.verdict.as_str() {
            "safe" => Ours::Safe,
            "unsafe" => Ours::Unsafe,
            "partially-safe" => Ours::PartiallySafe,
            "unknown" if !answer.violations.is_empty() => Ours::Violated,
            "unknown" => Ours::Unknown(answer.reason().to_owned()),
            other => bail!("the verdict `{other}` is unknown"),
        })
    }

    fn judge(&self, reachable: bool) -> Judgement {
        match self {
            Ours::Safe if reachable => Judgement::Wrong,
            Ours::Unsafe | Ours::PartiallySafe | Ours::Violated if !reachable => Judgement::Wrong,
            Ours::Safe | Ours::Unsafe | Ours::PartiallySafe | Ours::Violated => Judgement::Agrees,
            Ours::Unknown(_) => Judgement::Undecided,
            Ours::Refused(_) => Judgement::Unsupported,
        }
    }

    fn shown(&self) -> &'static str {
        match self {
            Ours::Safe => "safe",
            Ours::Unsafe => "unsafe",
            Ours::PartiallySafe => "partially-safe",
            Ours::Violated => "violation",
            Ours::Unknown(_) => "unknown",
            Ours::Refused(_) => "refused",
        }
    }

    /// The judgement in words, with the reason where there is one.
    fn judged(&self, reachable: bool) -> String {
        let (Ours::Unknown(why) | Ours::Refused(why)) = self else {
            let wrong = self.judge(reachable) == Judgement::Wrong;
            return if wrong { "**WRONG**" } else { "agrees" }.to_owned();
        };
        let what = if matches!(self, Ours::Refused(_)) { "unsupported" } else { "undecided" };
        format!("{what}: {}", why.replace('|', "\\|"))
    }
}

const HEADER: &[&str] = &["program", "expected", "answer", "judgement", "seconds"];

/// The page: what was done, the sums, and a table for each folder.
fn report(command: &str, timeout: f64, folders: &[String], rows: &[(Subject, Ours, f64)]) -> String {
    let mut text = format!(
        "# Public concurrent C programs\n\n\
         This page is made by `cargo xtask corpus c CSEQ --command {command} --output FILE`, where `CSEQ` is a checkout of\n\
         Gennaro-Parlato/CSeq. It runs [`raddle {command}`]({command}.md) with `--check assertion` on concurrent programs of \
         SV-COMP 2020\nfor at most {timeout} seconds each, and compares with the verdict that their authors expect: \
         whether a call of\n`reach_error`, `__VERIFIER_error` or a failing `assert` can be reached.\n\n\
         {}\n",
        summary(rows.iter())
    );
    for folder in folders {
        let mut of_folder = rows.iter().filter(|(subject, ..)| subject.folder == *folder).peekable();
        if of_folder.peek().is_none() {
            continue;
        }
        let cells: Vec<Vec<String>> = of_folder.clone().map(cells).collect();
        text += &format!("\n## {folder}\n\n{}\n\n{}", summary(of_folder), table::markdown(HEADER, &cells));
    }
    text
}

fn cells((subject, ours, seconds): &(Subject, Ours, f64)) -> Vec<String> {
    vec![
        format!("`{}`", subject.program()),
        if subject.reachable { "unsafe" } else { "safe" }.to_owned(),
        ours.shown().to_owned(),
        ours.judged(subject.reachable),
        table::number(*seconds, 1),
    ]
}

/// How many programs there are of each sort, as a sentence.
fn summary<'r>(rows: impl Iterator<Item = &'r (Subject, Ours, f64)>) -> String {
    let judgements: Vec<Judgement> = rows.map(|(subject, ours, _)| ours.judge(subject.reachable)).collect();
    let count = |wanted| judgements.iter().filter(|judgement| **judgement == wanted).count();
    format!(
        "{} programs: {} agree, {} undecided, {} unsupported, {} WRONG.",
        judgements.len(),
        count(Judgement::Agrees),
        count(Judgement::Undecided),
        count(Judgement::Unsupported),
        count(Judgement::Wrong)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_counts_and_lists() {
        let subject = |name: &str, reachable| Subject {
            folder: name.split('/').next().unwrap_or_default().to_owned(),
            name: name.to_owned(),
            path: PathBuf::new(),
            reachable,
        };
        let rows = [
            (subject("pthread/a", true), Ours::Unsafe, 0.5),
            (subject("pthread/b", false), Ours::Unsafe, 1.0),
            (subject("pthread-lit/c", true), Ours::Unknown("late".to_owned()), 60.0),
            (subject("pthread-lit/d", true), Ours::Refused("a | b".to_owned()), 0.1),
        ];
        let text = report("explore", 60.0, &svcomp::FOLDERS.map(str::to_owned), &rows);
        assert!(text.contains("4 programs: 1 agree, 1 undecided, 1 unsupported, 1 WRONG."), "{text}");
        assert!(text.contains("## pthread\n\n2 programs: 1 agree,"), "{text}");
        assert!(text.contains("**WRONG**"), "{text}");
        assert!(text.contains("unsupported: a \\| b"), "{text}");
        assert!(!text.contains("## pthread-atomic"), "{text}");
    }

    #[test]
    fn only_a_contradiction_is_wrong() {
        assert_eq!(Ours::Safe.judge(true), Judgement::Wrong);
        assert_eq!(Ours::Safe.judge(false), Judgement::Agrees);
        assert_eq!(Ours::Unknown(String::new()).judge(true), Judgement::Undecided);
        assert_eq!(Ours::Refused(String::new()).judge(false), Judgement::Unsupported);
    }
}
