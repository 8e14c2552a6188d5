//! `cargo xtask bench`: measurements, each printed beside what it is compared with.

use anyhow::Result;

/// Command-line options.
#[derive(clap::Args)]
pub(crate) struct Options {}

pub(crate) fn run(_options: &Options) -> Result<()> {
    Ok(())
}
