//! `cargo xtask bench verify`: the search for safe schedules beside the paper.
//!
//! The model checking columns of Table 1 of Metzler, Suri and Weissenbacher, "Extracting safe thread schedules from incomplete
//! model checking results", STTT 2020: the time to the first schedule, and to the verdict on all schedules. The programs
//! are tests of this repository. Times are those on the wall, with start-up.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use super::plot::Chart;
use super::{Effort, growth, table};
use crate::answer::{self, Answer, Said};
use crate::workspace;
use crate::{page, setup};

/// Command-line options.
#[derive(clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    effort: Effort,
    /// Measure this binary instead of building one
    #[arg(long, value_name = "FILE")]
    raddle: Option<PathBuf>,
}

/// A line of the paper's table: its name there, our program, and the seconds to the first schedule and to the end. The paper
/// gives up after 72 hours.
type Subject = (&'static str, &'static str, f64, Option<f64>);

const SUBJECTS: &[Subject] = &[
    ("prod.-cons. 1p 1c 1000b", "boogie/schedules/fig13_1p1c1000b.bpl", 120.0, None),
    ("prod.-cons. 2p 2c 1000b", "boogie/schedules/fig13_2p2c1000b.bpl", 1427.0, None),
    ("prod.-cons. 4p 4c 1000b", "boogie/schedules/fig13_4p4c1000b.bpl", 16_193.0, None),
    ("prod.-cons. 1p 1c 5b", "boogie/schedules/fig13_1p1c5b.bpl", 2.0, Some(148.0)),
    ("prod.-cons. 2p 2c 5b", "boogie/schedules/fig13_2p2c5b.bpl", 18.0, Some(76.0)),
    ("prod.-cons. 4p 4c 5b", "boogie/schedules/fig13_4p4c5b.bpl", 161.0, Some(584.0)),
    ("double lock", "boogie/schedules/double_lock.bpl", 0.0, Some(0.0)),
    ("file system", "boogie/schedules/fig10.bpl", 0.0, Some(0.0)),
    ("barrier", "c/schedules/ring.c", 1.0, Some(254.0)),
    ("prod.-cons. 1p 1c 5b, in C", "c/schedules/stack_1p1c5b.c", 2.0, Some(148.0)),
    ("prod.-cons. 2p 2c 5b, in C", "c/schedules/stack_2p2c5b.c", 18.0, Some(76.0)),
];

/// One measurement: the median of the times.
struct Measured {
    seconds: f64,
    verdict: String,
    schedules: usize,
    peak_memory: Option<u64>,
}

const HEADER: &[&str] =
    &["program", "first schedule", "paper", "verdict", "all schedules", "paper (all)", "MB"];

const CHART: Chart = Chart {
    title: "Time to safe schedules",
    unit: "seconds",
    names: 1,
    columns: &[
        ("first schedule", "Raddle, first schedule"),
        ("paper", "paper, first schedule"),
        ("all schedules", "Raddle, all schedules"),
        ("paper (all)", "paper, all schedules"),
    ],
};

/// Measures and prints the comparison.
pub(crate) fn run(options: &Options) -> Result<()> {
    let raddle = setup::raddle(options.raddle.as_deref())?;
    let tests = workspace::root().join("tests");
    let mut rows = Vec::new();
    let mut wrong = Vec::new();
    for (name, file, first_in_paper, all_in_paper) in SUBJECTS {
        eprintln!("bench: {name}");
        let path = tests.join(file);
        let first = measure(&raddle, &path, &["--until", "first-schedule"], &options.effort)?;
        let all = measure(&raddle, &path, &[], &options.effort)?;
        if first.schedules == 0 || all.verdict != "safe" {
            wrong.push(*name);
        }
        let memory = first.peak_memory.max(all.peak_memory).map(|bytes| bytes / 1_000_000);
        rows.push(vec![
            (*name).to_owned(),
            table::number(first.seconds, 2),
            table::number(*first_in_paper, 0),
            all.verdict,
            table::number(all.seconds, 2),
            all_in_paper.map_or("> 259,200".to_owned(), |seconds| table::number(seconds, 0)),
            memory.map_or("-".to_owned(), |megabytes| megabytes.to_string()),
        ]);
    }
    let text = format!(
        "# Safe schedules: Raddle and the paper\n\n\
         Made by `cargo xtask bench verify`. Seconds on the wall, with start-up; median of {} runs; at most {} s each. The \
         paper's\nseconds are those of Impara-IMC to the first schedule and of Impara-C for all, on a Core i5-6500. MB: the \
         most memory in use.\n\n{}",
        options.effort.runs,
        options.effort.limit,
        table::markdown(HEADER, &rows)
    );
    page::publish_measured(&text, options.effort.output.as_deref(), &CHART)?;
    if !wrong.is_empty() {
        bail!("no schedule, or not the expected verdict: {}", wrong.join("; "));
    }
    Ok(())
}

fn measure(raddle: &Path, program: &Path, arguments: &[&str], effort: &Effort) -> Result<Measured> {
    let mut seconds = Vec::new();
    let mut last: Option<Answer> = None;
    let mut peak_memory = None;
    for _ in 0..effort.runs {
        let mut command = Command::new(raddle);
        command.args(["verify", "--format", "json", "--timeout", &effort.limit.to_string()]);
        command.args(arguments).arg(program);
        let reply = answer::ask(&command, 2.0 * effort.limit + 10.0)?;
        seconds.push(reply.seconds);
        match reply.said {
            Said::Answer(answer) => {
                peak_memory = peak_memory.max(answer.statistics.peak_memory);
                last = Some(answer);
            }
            Said::Refusal(why) => bail!("`{}` is refused: {why}", program.display()),
            Said::Nothing => {}
        }
    }
    Ok(Measured {
        seconds: growth::median(seconds).unwrap_or(effort.limit),
        verdict: last.as_ref().map_or_else(|| "unknown".to_owned(), |answer| answer.verdict.clone()),
        schedules: last.as_ref().map_or(0, |answer| answer.schedules.len()),
        peak_memory,
    })
}
