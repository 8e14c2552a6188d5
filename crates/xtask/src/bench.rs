//! `cargo xtask bench`: measurements, each printed beside what it is compared with.

mod asynchronous;
mod explore;
mod raddle;
mod spin;
pub(crate) mod table;

use anyhow::Result;
use clap::Subcommand;

/// Command-line options.
#[derive(clap::Args)]
pub(crate) struct Options {
    #[command(subcommand)]
    benchmark: Benchmark,
}

#[derive(Subcommand)]
enum Benchmark {
    /// The explicit-state explorer beside spin, on the same models
    Explore(explore::Options),
    /// Delay-bounded search beside Boogie's stratified inlining, on the programs of the paper
    Async(asynchronous::Options),
}

/// Runs one benchmark.
pub(crate) fn run(options: &Options) -> Result<()> {
    match &options.benchmark {
        Benchmark::Explore(options) => explore::run(options),
        Benchmark::Async(options) => asynchronous::run(options),
    }
}
