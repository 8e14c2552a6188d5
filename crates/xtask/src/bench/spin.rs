//! The spin side: generates, compiles and runs a verifier, and reads the figures it prints.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use super::explore::{Figures, Reduction};
use crate::process;

/// Deep enough for every model; a verifier that runs out of depth says so, and that is an error here.
const DEPTH: &str = "-m3000000";

/// The verifier of one model, compiled. Its folder lives as long as this value.
pub(crate) struct Verifier {
    folder: TempDir,
    program: PathBuf,
}

impl Verifier {
    /// Generates and compiles the verifier of a Promela model.
    pub(crate) fn build(model: &Path, reduction: Reduction) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        process::capture(Command::new("spin").arg("-a").arg(model).current_dir(folder.path()))?;
        let program = folder.path().join("pan");
        let mut gcc = Command::new("gcc");
        gcc.args(["-O2", "-w", "-DSAFETY", "-DNOFAIR"]).current_dir(folder.path());
        match reduction {
            Reduction::Off => gcc.arg("-DNOREDUCE"),
            Reduction::On => &mut gcc,
        };
        process::capture(gcc.args(["-o", "pan", "pan.c"]))?;
        Ok(Verifier { folder, program })
    }

    /// Runs it once.
    pub(crate) fn run(&self) -> Result<Figures> {
        let output =
            process::capture(Command::new(&self.program).arg(DEPTH).current_dir(self.folder.path()))?;
        parse(&output)
    }
}

/// Reads what a verifier printed.
fn parse(output: &str) -> Result<Figures> {
    if output.contains("max search depth too small") || output.contains("memory limit") {
        bail!("spin did not finish; raise its limits:\n{output}");
    }
    let errors: u64 = number(output, "errors: ", Side::After)?;
    let states: u64 = number(output, " states, stored", Side::Before)?;
    let megabytes: f64 = number(output, "\tactual memory usage for states", Side::Before)?;
    Ok(Figures {
        violation: errors > 0,
        states,
        seconds: number(output, "elapsed time ", Side::After)?,
        bytes_per_state: megabytes * 1024.0 * 1024.0 / states as f64,
    })
}

#[derive(Clone, Copy)]
enum Side {
    Before,
    After,
}

fn number<T: std::str::FromStr>(output: &str, mark: &str, side: Side) -> Result<T> {
    let found = output.split_once(mark).and_then(|(before, after)| match side {
        Side::Before => before.split_whitespace().next_back(),
        Side::After => after.split_whitespace().next(),
    });
    let found = found.and_then(|word| word.parse().ok());
    found.with_context(|| format!("no number beside `{}` in what spin printed:\n{output}", mark.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "
(Spin Version 6.5.2 -- 6 December 2019)

State-vector 36 byte, depth reached 552610, errors: 0
  1000000 states, stored
   822415 states, matched
  1822415 transitions (= stored+matched)
        0 atomic steps
hash conflicts:    191938 (resolved)

Stats on memory usage (in Megabytes):
   97.328\tequivalent memory usage for states (stored*(State-vector + overhead))
   40.000\tactual memory usage for states (compression: 71.63%)
         \tstate-vector as stored = 20 byte + 20 byte overhead
  128.000\tmemory used for hash table (-w24)
  334.958\ttotal actual memory usage

pan: elapsed time 0.84 seconds
pan: rate 2169546.4 states/second
";

    #[test]
    fn figures_are_read() {
        let figures = parse(OUTPUT).unwrap();
        assert!(!figures.violation);
        assert_eq!(figures.states, 1_000_000);
        assert!((figures.seconds - 0.84).abs() < 1e-9);
        assert!((figures.bytes_per_state - 41.943_04).abs() < 1e-6);
    }

    #[test]
    fn a_violation_and_a_missing_figure_are_seen() {
        assert!(parse(&OUTPUT.replace("errors: 0", "errors: 1")).unwrap().violation);
        let error = parse(&OUTPUT.replace("states, stored", "x")).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("no number beside `states, stored`"), "{error}");
        assert!(parse(&format!("error: max search depth too small\n{OUTPUT}")).is_err());
    }
}
