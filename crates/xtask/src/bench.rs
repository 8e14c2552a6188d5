//! `cargo xtask bench`: measurements, each printed beside what it is compared with.

mod asynchronous;
mod explore;
mod growth;
mod live;
pub(crate) mod plot;
mod predict;
mod raddle;
mod record;
mod run;
mod spin;
pub(crate) mod table;
mod verify;

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Parser, Subcommand};

use crate::workspace;

/// Command-line options. Without a benchmark, those of all papers run, and their pages go to `bench/runs`.
#[derive(clap::Args)]
pub(crate) struct Options {
    #[command(subcommand)]
    benchmark: Option<Benchmark>,
}

#[derive(Subcommand)]
enum Benchmark {
    /// The explicit-state explorer beside spin, on the same models
    Explore(explore::Options),
    /// Delay-bounded search beside Boogie's stratified inlining, on the programs of the paper
    Async(asynchronous::Options),
    /// The search for fair infinite executions beside the times of the paper
    Live(live::Options),
    /// The search for safe schedules beside the times of the paper
    Verify(verify::Options),
    /// Violations predicted from one run, beside the table of the paper, and long runs
    Predict(predict::Options),
    /// Compiled programs on schedules beside the same programs without
    Run(run::Options),
    /// Recorded programs beside the same programs under ThreadSanitizer
    Record(record::Options),
}

/// How much to measure, for the benchmarks that repeat the experiments of a paper.
#[derive(clap::Args)]
struct Effort {
    /// Take the median of so many runs
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// The most seconds for one program
    #[arg(long, value_name = "S", default_value_t = 100.0)]
    limit: f64,
    /// Write the tables to this file too
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs one benchmark, or all.
pub(crate) fn run(options: &Options) -> Result<()> {
    match &options.benchmark {
        None => run_all(),
        Some(benchmark) => run_one(benchmark),
    }
}

/// The experiments of each paper, and the explorer beside spin.
const ALL: &[&str] = &["explore", "async", "live", "verify", "predict", "run", "record"];

/// Runs all benchmarks as they run alone. One that fails does not keep the others from running.
fn run_all() -> Result<()> {
    let folder = workspace::root().join("bench/runs");
    let mut failed = Vec::new();
    for name in ALL {
        let file = folder.join(format!("{name}.md"));
        let words = ["bench".as_ref(), name.as_ref(), "--output".as_ref(), file.as_os_str()];
        let benchmark = Alone::try_parse_from(words)?.benchmark;
        if let Err(error) = run_one(&benchmark) {
            failed.push(format!("{name}: {error:#}"));
        }
    }
    if failed.is_empty() { Ok(()) } else { bail!("{}", failed.join("\n")) }
}

/// A benchmark as the command line names it.
#[derive(clap::Parser)]
struct Alone {
    #[command(subcommand)]
    benchmark: Benchmark,
}

fn run_one(benchmark: &Benchmark) -> Result<()> {
    match benchmark {
        Benchmark::Explore(options) => explore::run(options),
        Benchmark::Async(options) => asynchronous::run(options),
        Benchmark::Live(options) => live::run(options),
        Benchmark::Verify(options) => verify::run(options),
        Benchmark::Predict(options) => predict::run(options),
        Benchmark::Run(options) => run::run(options),
        Benchmark::Record(options) => record::run(options),
    }
}
