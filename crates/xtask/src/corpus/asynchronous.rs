//! `cargo xtask corpus async`: public concurrent Boogie programs, each with the verdict that its own tool expects.
//!
//! The programs are those of two repositories: Corral's regression tests (boogie-org/corral) and the old regression
//! tests of bam, once c2s (michael-emmi/bam-bam-boogieman). Both tools bound their search, and each in its own way; see
//! [`corral`] and [`bam`] for how their bounds become a number of delays. The table tells for each program what was
//! expected, what Raddle says, and where the two cannot be compared, why.

mod bam;
mod corral;
mod verdict;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use super::judgement::{self, Judgement};
use crate::bench::table;
use crate::{page, setup};
use verdict::Ours;

/// Command-line options.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Checkouts of boogie-org/corral and michael-emmi/bam-bam-boogieman
    #[arg(required = true)]
    checkouts: Vec<PathBuf>,
    /// The command of raddle to run
    #[arg(long, default_value = "async")]
    with: Engine,
    /// The scheduler
    #[arg(long, default_value = "dfw")]
    scheduler: Scheduler,
    /// Seconds for each program
    #[arg(long, value_name = "S", default_value_t = 20.0)]
    timeout: f64,
    /// Only programs whose name contains this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Run this binary instead of building one
    #[arg(long, value_name = "FILE")]
    raddle: Option<PathBuf>,
    /// Write the table to this file too
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Engine {
    Async,
    Explore,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Scheduler {
    Dfw,
    Df,
}

/// What a program's own tool says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Violation,
    Correct,
    /// It runs out of time.
    TimeOver,
    /// Nothing is written down.
    Nothing,
}

/// A program and what is known of it.
#[derive(Debug)]
struct Subject {
    /// The tool and the path in its folder of tests.
    name: String,
    path: PathBuf,
    /// Files to put behind the program.
    appended: Vec<PathBuf>,
    entry: Option<String>,
    expected: Expected,
    /// The bounds in the words of its tool.
    bounds: String,
    /// How many delays are searched with.
    delays: u32,
    /// How often each task may be delayed, where it is that which the tool bounds.
    per_task: Option<u32>,
    /// How often loops are gone through, where the tool bounds that.
    unroll: Option<u32>,
    /// Tasks are switched at `yield` only.
    cooperative: bool,
}

/// Runs the programs and prints the table.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut subjects = Vec::new();
    for checkout in &options.checkouts {
        let found = corral::find(checkout)?.map_or_else(|| bam::find(checkout), |found| Ok(Some(found)))?;
        let Some(found) = found else {
            let folder = checkout.display();
            bail!("`{folder}` is no checkout of boogie-org/corral or michael-emmi/bam-bam-boogieman");
        };
        subjects.extend(found);
    }
    if let Some(part) = &options.only {
        subjects.retain(|subject| subject.name.contains(part.as_str()));
    }
    let raddle = setup::raddle(options.raddle.as_deref())?;
    let folder = tempfile::tempdir()?;
    let mut rows = Vec::new();
    for subject in &subjects {
        eprintln!("corpus: {}", subject.name);
        let program = whole(subject, folder.path())?;
        let ours = verdict::run(&raddle, subject, &program, options)?;
        rows.push((subject, ours));
    }
    page::publish(&report(options, &rows), options.output.as_deref())
}

/// The program in one file.
fn whole(subject: &Subject, folder: &Path) -> Result<PathBuf> {
    if subject.appended.is_empty() {
        return Ok(subject.path.clone());
    }
    let mut text = String::new();
    for part in std::iter::once(&subject.path).chain(&subject.appended) {
        text +=
            &std::fs::read_to_string(part).with_context(|| format!("cannot read `{}`", part.display()))?;
        text.push('\n');
    }
    let file = folder.join("whole.bpl");
    std::fs::write(&file, text).context("cannot write a program")?;
    Ok(file)
}

const HEADER: &[&str] = &["program", "expected", "bounds", "delays", "Raddle", "judgement"];

/// The page: what was done, the sums, and a line for each program.
fn report(options: &Options, rows: &[(&Subject, Ours)]) -> String {
    let engine = match options.with {
        Engine::Async => "raddle async",
        Engine::Explore => "raddle explore",
    };
    let option = match (options.with, options.scheduler) {
        (Engine::Async, Scheduler::Dfw) => "",
        (Engine::Async, Scheduler::Df) => " --scheduler df",
        (Engine::Explore, Scheduler::Dfw) => " --with explore",
        (Engine::Explore, Scheduler::Df) => " --with explore --scheduler df",
    };
    let judgements: Vec<Judgement> =
        rows.iter().map(|(subject, ours)| ours.judge(subject.expected, subject.per_task)).collect();
    let mut text = format!(
        "# Public concurrent programs\n\n\
         This page is made by `cargo xtask corpus async{option} CORRAL BAM --output FILE`, where `CORRAL` is a checkout\n\
         of boogie-org/corral and `BAM` one of michael-emmi/bam-bam-boogieman. It runs `{engine} --scheduler {}` on each of \
         their concurrent\nregression programs, for at most {} seconds, and compares with the verdict that the \
         repository expects.\n\n\
         Bounds are given as there. Delays are what Raddle searches with, in all: for Corral's `/k:N`, which lets every thread \
         run N times,\n2N - 1; for `--rounds N` of c2s, which lets every task be delayed N - 1 times, N - 1 where \
         nothing is expected\nand N + 1 otherwise; unless it names delays itself. Loops are gone round once where Corral is not told how often. A violation counts only if no task is delayed \
         more often than c2s allows.\n\n\
         {}\n\n",
        match options.scheduler {
            Scheduler::Dfw => "dfw",
            Scheduler::Df => "df",
        },
        options.timeout,
        judgement::summary(&judgements),
    );
    let cells = rows.iter().zip(&judgements).map(|((subject, ours), judgement)| {
        vec![
            format!("`{}`", subject.name),
            subject.expected.shown().to_owned(),
            subject.bounds.clone(),
            subject.delays.to_string(),
            ours.shown(),
            judgement.shown(),
        ]
    });
    text += &table::markdown(HEADER, &cells.collect::<Vec<_>>());
    text
}

impl Expected {
    fn shown(self) -> &'static str {
        match self {
            Expected::Violation => "violation",
            Expected::Correct => "correct",
            Expected::TimeOver => "no time",
            Expected::Nothing => "-",
        }
    }
}

/// Whether a program starts tasks.
fn is_concurrent(text: &str) -> bool {
    text.contains("async call") || text.contains("{:async")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_counts_and_lists() {
        let subject = |name: &str, expected| Subject {
            name: name.to_owned(),
            path: PathBuf::new(),
            appended: Vec::new(),
            entry: None,
            expected,
            bounds: "`/k:2`".to_owned(),
            delays: 3,
            per_task: None,
            unroll: None,
            cooperative: false,
        };
        let (bad, good) = (subject("corral 1.bpl", Expected::Violation), subject("2.bpl", Expected::Correct));
        let options = Options {
            checkouts: Vec::new(),
            with: Engine::Explore,
            scheduler: Scheduler::Df,
            timeout: 20.0,
            only: None,
            raddle: None,
            output: None,
        };
        let rows = [
            (&bad, Ours::Violation { doubtful: None }),
            (&good, Ours::Violation { doubtful: Some("thread ids".to_owned()) }),
            (&good, Ours::None),
            (&bad, Ours::Unknown("too hard".to_owned())),
        ];
        let text = report(&options, &rows);
        assert!(
            text.contains("4 programs: 2 agree, 0 disagree, 2 are beyond what Raddle can do, 0 have"),
            "{text}"
        );
        assert!(text.contains("--with explore --scheduler df CORRAL BAM"), "{text}");
        assert!(text.contains("| `corral 1.bpl` | "), "{text}");
    }
}
