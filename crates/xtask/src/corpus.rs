//! `cargo xtask corpus`: public programs, each with the verdict that its own tool expects, beside what Raddle says.
//!
//! The programs are in repositories of which the user has a checkout; none of their files is here.

mod asynchronous;
mod c;
mod judgement;
mod live;
mod predict;

use anyhow::Result;
use clap::Subcommand;

/// Command-line options.
#[derive(clap::Args)]
pub(crate) struct Options {
    #[command(subcommand)]
    corpus: Corpus,
}

#[derive(Subcommand)]
enum Corpus {
    /// Concurrent programs of Corral and bam, under a bound on delays
    Async(asynchronous::Options),
    /// Concurrent programs of Ultimate that terminate, or do not
    Live(live::Options),
    /// Concurrent C programs of SV-COMP in which an error can be reached, or cannot
    C(c::Options),
    /// Pairs of concurrent C programs of sctbench, with a bug and without, predicted from one run
    Predict(predict::Options),
}

/// Runs one corpus.
pub(crate) fn run(options: &Options) -> Result<()> {
    match &options.corpus {
        Corpus::Async(options) => asynchronous::run(options),
        Corpus::Live(options) => live::run(options),
        Corpus::C(options) => c::run(options),
        Corpus::Predict(options) => predict::run(options),
    }
}
