//! `cargo xtask bench`: measurements, each printed beside what it is compared with.

mod explore;
mod raddle;
mod spin;
mod table;

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
}

/// Runs one benchmark.
pub(crate) fn run(options: &Options) -> Result<()> {
    match &options.benchmark {
        Benchmark::Explore(options) => explore::run(options),
    }
}
