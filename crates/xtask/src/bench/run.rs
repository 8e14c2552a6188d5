//! `cargo xtask bench run`: programs kept on schedules beside the same programs that nobody keeps.
//!
//! The performance columns of Table 1 of Metzler, Suri and Weissenbacher, "Extracting safe thread schedules from incomplete
//! model checking results", STTT 2020. The programs, in `bench/run`, never end; they pass a progress mark for each useful
//! round, and what is measured is how many of these they pass in a second. All variants of a program run one after the other,
//! and what counts are ratios. Many short runs tell more than a few long ones: how far apart processors are is up to who runs the
//! virtual machine, and changes within seconds.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use super::plot::Chart;
use super::{growth, table};
use crate::workspace;
use crate::{page, process, setup};

/// Command-line options.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Take the median of so many runs
    #[arg(long, value_name = "N", default_value_t = 21, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// How many seconds a run should take, about; and never fewer than 200 rounds
    #[arg(long, value_name = "S", default_value_t = 0.5)]
    seconds: f64,
    /// Write the table to this file too
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Measure this binary instead of building one
    #[arg(long, value_name = "FILE")]
    raddle: Option<PathBuf>,
}

/// A line of the paper's tables: its name, our program with its flags, and rounds at levels 0, 1, 2 and unconstrained.
type Subject = (&'static str, &'static str, &'static [&'static str], [f64; 4]);

const SUBJECTS: &[Subject] = &[
    (
        "prod.-cons. 1p 1c 1000b",
        "stack.c",
        &["-DSIZE=1000"],
        [4_864_489.0, 7_466_093.0, 11_370_258.0, 8_199_202.0],
    ),
    (
        "prod.-cons. 2p 2c 1000b",
        "stack.c",
        &["-DSIZE=1000", "-DPAIRS=2"],
        [3_400_187.0, 5_959_041.0, 8_428_598.0, 11_643_208.0],
    ),
    (
        "prod.-cons. 4p 4c 1000b",
        "stack.c",
        &["-DSIZE=1000", "-DPAIRS=4"],
        [1_327_063.0, 2_576_695.0, 3_676_876.0, 7_210_796.0],
    ),
    ("prod.-cons. 1p 1c 5b", "stack.c", &[], [4_945_116.0, 7_075_596.0, 12_372_817.0, 7_915_465.0]),
    ("prod.-cons. 2p 2c 5b", "stack.c", &["-DPAIRS=2"], [3_194_019.0, 5_514_429.0, 9_271_859.0, 6_933_172.0]),
    ("prod.-cons. 4p 4c 5b", "stack.c", &["-DPAIRS=4"], [1_345_991.0, 2_465_108.0, 3_392_111.0, 3_240_136.0]),
    ("double lock 1 ms", "double_lock.c", &["-DCORRECT", "-DWORK=1000"], [1845.0, 1834.0, 3217.0, 1797.0]),
    ("file system", "file_system.c", &[], [3667.0, 4_877_035.0, 6_705_672.0, 23_822_129.0]),
    ("barrier", "barrier.c", &[], [1_238_720.0, 8_285_228.0, 14_586_849.0, 1_077_907.0]),
    // Of pfscan the paper has how long it takes, with the last level only.
    ("pfscan", "scan.c", &[], [f64::NAN, f64::NAN, 1.0 / 3.34, 1.0 / 3.25]),
];

const CHART: Chart = Chart {
    title: "Speed on a schedule, compared with the program without",
    unit: "ratio",
    names: 1,
    columns: &[
        ("level 0", "level 0"),
        ("level 1", "level 1"),
        ("level 2", "level 2"),
        ("paper (2)", "paper, level 2"),
    ],
};

const HEADER: &[&str] =
    &["program", "rounds/s", "level 0", "paper", "level 1", "paper (1)", "level 2", "paper (2)"];

/// Counts marks where there is no schedule, as the run-time library does: many at once while there are many.
const MARKS: &str = "#include <stdatomic.h>\n#include <stdlib.h>\n#include <unistd.h>\n\
    static _Alignas(128) atomic_long left;\nstatic _Thread_local long mine;\n\
    __attribute__((constructor)) static void start(void) { left = atol(getenv(\"RADDLE_PROGRESS\")); }\n\
    void raddle_progress(void) {\n  if (mine > 0) { mine--; return; }\n\
    \x20 long taken = atomic_load_explicit(&left, memory_order_relaxed) > 16384 ? 64 : 1;\n  mine = taken - 1;\n\
    \x20 if (atomic_fetch_sub_explicit(&left, taken, memory_order_relaxed) == taken) _exit(0);\n}\n";

/// Measures and prints the comparison.
pub(crate) fn run(options: &Options) -> Result<()> {
    let raddle = setup::raddle(options.raddle.as_deref())?;
    let folder = workspace::root().join("bench/run");
    let scratch = tempfile::tempdir()?;
    make_files(scratch.path())?;
    let mut rows = Vec::new();
    for (name, file, flags, paper) in SUBJECTS {
        eprintln!("bench: {name}");
        let source = folder.join(file);
        let mut variants = vec![unconstrained(scratch.path(), &source, flags)?];
        for level in 0..3 {
            variants.push(kept(&raddle, scratch.path(), &source, flags, level)?);
        }
        // In turns, so that what else the machine does hits all of them.
        let marks =
            variants.iter().map(|variant| variant.calibrated(options.seconds)).collect::<Result<Vec<_>>>()?;
        let mut rates: Vec<Vec<f64>> = vec![Vec::new(); variants.len()];
        for _ in 0..options.runs {
            for ((variant, marks), rates) in variants.iter().zip(&marks).zip(&mut rates) {
                #[expect(clippy::cast_precision_loss, reason = "a rate")]
                rates.push(*marks as f64 / variant.seconds(*marks)?);
            }
        }
        let rates: Vec<f64> = rates.into_iter().map(|rates| growth::median(rates).unwrap_or(0.0)).collect();
        let mut row = vec![(*name).to_owned(), table::number(rates[0], 0)];
        for level in 0..3 {
            row.push(table::number(rates[level + 1] / rates[0], 2));
            let ratio = paper[level] / paper[3];
            row.push(if ratio.is_nan() { "-".to_owned() } else { table::number(ratio, 2) });
        }
        rows.push(row);
    }
    let text = format!(
        "# Programs on schedules: Raddle and the paper\n\n\
         Made by `cargo xtask bench run`. Useful rounds in a second without a schedule, and how many times as many there are under \
         the first\nschedule at each level; median of {} runs, all variants of a program in turns. The paper's figures are such \
         ratios, too, from a Core\ni5-6500 with four cores.\n\n{}",
        options.runs,
        table::markdown(HEADER, &rows)
    );
    page::publish_measured(&text, options.output.as_deref(), &CHART)
}

/// The files that `scan.c` searches: their names, and how large each of them is.
const FILES: [&str; 4] = ["0", "1", "2", "3"];
const FILE_SIZE: usize = 16 << 20;

/// Writes the files, of arbitrary bytes that are always the same.
fn make_files(folder: &Path) -> Result<()> {
    let mut state = 1_u32;
    for name in FILES {
        let byte = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        };
        std::fs::write(
            folder.join(name),
            core::iter::repeat_with(byte).take(FILE_SIZE).collect::<Vec<u8>>(),
        )?;
    }
    Ok(())
}

/// A program, with or without its schedule.
struct Variant {
    program: PathBuf,
    schedule: Option<PathBuf>,
}

impl Variant {
    /// How long it takes to pass some marks.
    fn seconds(&self, marks: u64) -> Result<f64> {
        let mut command = Command::new(&self.program);
        command.env("RADDLE_PROGRESS", marks.to_string()).stdout(Stdio::null());
        if let Some(folder) = self.program.parent() {
            command.env("SCAN_FOLDER", folder);
        }
        if let Some(schedule) = &self.schedule {
            command.env("RADDLE_SCHEDULE", schedule);
        }
        let start = Instant::now();
        let status = command.status().with_context(|| format!("cannot run `{}`", self.program.display()))?;
        if !status.success() {
            bail!("`{}` ended with {status}", process::shown(&command));
        }
        Ok(start.elapsed().as_secs_f64())
    }

    /// How many marks it passes in about so many seconds. Not a few, or those that threads are in the middle of at the end would count.
    fn calibrated(&self, seconds: f64) -> Result<u64> {
        let mut marks = 100;
        loop {
            let taken = self.seconds(marks)?;
            if taken > seconds / 10.0 || marks > 1_000_000_000 {
                #[expect(
                    clippy::cast_precision_loss,
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a number of rounds"
                )]
                return Ok((marks as f64 * seconds / taken).max(200.0) as u64);
            }
            marks *= 4;
        }
    }
}

fn unconstrained(scratch: &Path, source: &Path, flags: &[&str]) -> Result<Variant> {
    let (marks, program) = (scratch.join("marks.c"), scratch.join("unconstrained"));
    std::fs::write(&marks, MARKS)?;
    let mut command = Command::new("clang-19");
    command
        .args(["-O2", "-w", "-pthread", "-DRADDLE", "-I"])
        .arg(workspace::root().join("crates/llvm/include"));
    command.args(flags).arg(source).arg(marks).arg("-o").arg(&program);
    built(&mut command)?;
    Ok(Variant { program, schedule: None })
}

fn kept(raddle: &Path, scratch: &Path, source: &Path, flags: &[&str], level: usize) -> Result<Variant> {
    let program = scratch.join(format!("level{level}"));
    let mut command = Command::new(raddle);
    command.args(["run", "-q", "-O2", "--progress", "1", "--opt", &level.to_string()]);
    command.args(flags).arg(source).arg("--keep").arg(&program);
    built(&mut command)?;
    let schedule = scratch.join(format!("level{level}.schedule"));
    Ok(Variant { program, schedule: Some(schedule) })
}

/// Runs a compiler.
pub(super) fn built(command: &mut Command) -> Result<()> {
    let output = command.output().with_context(|| format!("cannot run `{}`", process::shown(command)))?;
    if !output.status.success() {
        bail!("`{}` failed:\n{}", process::shown(command), String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}
