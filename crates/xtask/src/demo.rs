//! `cargo xtask demo`: finds the bug in a bundled example, and shows the command and its real output.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process;
use crate::{setup, workspace};

const EXAMPLE: &str = "examples/lost_update.bpl";

/// The exit code of `raddle` that says: a violation was found.
const VIOLATION_FOUND: i32 = 1;

/// Builds `raddle` and runs it on the example, which has a bug that it must find.
pub(crate) fn run() -> Result<()> {
    setup::run()?;
    println!("demo: building raddle (the first time takes a while)");
    let raddle = workspace::build_raddle()?;
    let mut command = Command::new(raddle);
    command.current_dir(workspace::root()).args(["explore", EXAMPLE]);
    println!("\n$ {}", process::shown(&command));
    let status = command.status().context("cannot run `raddle`")?;
    if status.code() != Some(VIOLATION_FOUND) {
        bail!("`{}` ended with {status}, but it should have found the bug", process::shown(&command));
    }
    println!("\ndemo: raddle found the bug in {EXAMPLE}, as it should (exit code {VIOLATION_FOUND})");
    Ok(())
}
