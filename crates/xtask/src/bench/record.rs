//! `cargo xtask bench record`: programs while they are recorded, beside ThreadSanitizer on the same programs.
//!
//! The programs, in `bench/record`, go from work that threads do on their own to one that does nothing but read and write what all of
//! them share. All variants of a program run one after the other, and what counts are ratios.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use super::plot::Chart;
use super::run::built;
use super::{growth, table};
use crate::workspace;
use crate::{page, process, setup};

/// Command-line options.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Take the median of so many runs
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Write the table to this file too
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Measure this binary instead of building one
    #[arg(long, value_name = "FILE")]
    raddle: Option<PathBuf>,
}

/// What a program does, its file, and how much of it.
const SUBJECTS: &[(&str, &str, &str)] = &[
    ("waits for others and for time", "wait.c", "-DROUNDS=500"),
    ("looks for primes, takes numbers under a lock", "primes.c", "-DLIMIT=3000000"),
    ("searches texts of its own, from a queue", "search.c", "-DTEXTS=20000"),
    ("multiplies shared matrices", "matrix.c", "-DSIZE=600"),
    ("sorts a shared array", "sort.c", "-DSIZE=1000000"),
    ("does nothing but shared accesses", "shared.c", "-DROUNDS=5000000"),
];

const CHART: Chart = Chart {
    title: "How many times as long programs take",
    unit: "ratio",
    names: 1,
    columns: &[("recorded", "recorded"), ("ThreadSanitizer", "ThreadSanitizer")],
};

const HEADER: &[&str] =
    &["a program that", "seconds", "ThreadSanitizer", "not recorded", "recorded", "trace, MB", "MB/s"];

/// Measures and prints the comparison.
pub(crate) fn run(options: &Options) -> Result<()> {
    let raddle = setup::raddle(options.raddle.as_deref())?;
    let folder = workspace::root().join("bench/record");
    let scratch = tempfile::tempdir()?;
    let trace = scratch.path().join("trace");
    let mut rows = Vec::new();
    for (what, file, flag) in SUBJECTS {
        eprintln!("bench: {file}");
        let source = folder.join(file);
        let build = |compiler: &mut Command, name: &str| -> Result<PathBuf> {
            let program = scratch.path().join(name);
            built(compiler.args(["-O2", "-pthread", flag]).arg(&source).arg("-o").arg(&program))?;
            Ok(program)
        };
        let native = build(&mut Command::new("clang-19"), "native")?;
        // Debian's clang comes without this run-time library; the one of gcc is made from the same source.
        let plain = build(&mut Command::new("gcc"), "plain")?;
        let watched = build(Command::new("gcc").arg("-fsanitize=thread"), "watched")?;
        let ours = build(Command::new(&raddle).arg("cc"), "ours")?;
        let mut times: [Vec<f64>; 5] = Default::default();
        // In turns, so that what else the machine does hits all of them.
        for _ in 0..options.runs {
            times[0].push(seconds(&native, None)?);
            times[1].push(seconds(&plain, None)?);
            times[2].push(seconds(&watched, None)?);
            times[3].push(seconds(&ours, None)?);
            times[4].push(seconds(&ours, Some(&trace))?);
        }
        let [native, plain, watched, ours, recorded] =
            times.map(|times| growth::median(times).unwrap_or(f64::NAN));
        #[expect(clippy::cast_precision_loss, reason = "a size")]
        let size = std::fs::metadata(&trace)?.len() as f64 / 1e6;
        rows.push(vec![
            (*what).to_owned(),
            format!("{native:.3}"),
            table::number(watched / plain, 1),
            table::number(ours / native, 1),
            table::number(recorded / native, 1),
            table::number(size, 1),
            table::number(size / recorded, 0),
        ]);
    }
    let text = format!(
        "# Programs while they are recorded\n\n\
         Made by `cargo xtask bench record`, on programs in `bench/record`. Seconds without anything, and how many times as long it \
         takes: with\nThreadSanitizer (gcc's, compared with gcc's own program), built by `raddle cc` and not recorded, and recorded. \
         Median of {} runs, all\nvariants in turns.\n\n{}\n\
         What threads compute on their own costs next to nothing, and they do it in parallel. What they do to memory that others may see \
         is an event\neach time, with its address and its value, in one order, one thread at a time. One that could be foretold is only \
         compared and counted;\nothers take as long as it takes to write them down. The last three programs do little else, and the \
         compiler can do little to their loops\nonce each round is observed; ThreadSanitizer's figures show that, too.\n",
        options.runs,
        table::markdown(HEADER, &rows)
    );
    page::publish_measured(&text, options.output.as_deref(), &CHART)
}

/// How long a program takes, recorded into a file if there is one.
fn seconds(program: &Path, trace: Option<&Path>) -> Result<f64> {
    let mut command = Command::new(program);
    // Races are part of one of them, and not news.
    command.stdout(Stdio::null()).env("TSAN_OPTIONS", "report_bugs=0");
    if let Some(trace) = trace {
        command.env("RADDLE_RECORD", trace);
    }
    let start = Instant::now();
    let status = command.status().with_context(|| format!("cannot run `{}`", program.display()))?;
    if !status.success() {
        bail!("`{}` ended with {status}", process::shown(&command));
    }
    Ok(start.elapsed().as_secs_f64())
}
