//! `cargo xtask fuzz`: runs the fuzzer of the `filetest` crate, optimized, for a given time.

use std::path::PathBuf;
use std::time::SystemTime;

use anyhow::Result;

use crate::process;
use crate::workspace::cargo;

/// Command-line options.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// What to fuzz; everything in turn when left out (an unknown name lists the known ones)
    target: Option<String>,
    /// How long to run
    #[arg(long, value_name = "N", default_value_t = 60)]
    seconds: u64,
    /// Seed of the random numbers; taken from the clock when left out, and always printed
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Try only the input in this file
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
}

/// Builds and runs the fuzzer.
pub(crate) fn run(options: &Options) -> Result<()> {
    let seed = options.seed.unwrap_or_else(|| {
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs())
    });
    let mut command = cargo();
    command.args(["run", "--quiet", "--release", "--package", "filetest", "--bin", "fuzz", "--"]);
    command.args(options.target.as_deref());
    command.args(["--seconds", &options.seconds.to_string(), "--seed", &seed.to_string()]);
    if let Some(file) = &options.input {
        command.arg("--input").arg(std::path::absolute(file)?);
    }
    process::run(&mut command)
}
