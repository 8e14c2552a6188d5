//! The Raddle side: runs `raddle explore --format json` and reads its verdict and statistics.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::explore::{Figures, Reduction};
use crate::process;

/// The part of the result that is read here.
#[derive(Deserialize)]
struct Outcome {
    verdict: String,
    statistics: Statistics,
}

#[derive(Deserialize)]
struct Statistics {
    states: u64,
    seconds: f64,
    bytes_per_state: f64,
}

/// Explores a model once.
pub(crate) fn run(raddle: &Path, model: &Path, reduction: Reduction) -> Result<Figures> {
    let mut command = Command::new(raddle);
    command.args(["explore", "--format", "json"]).arg(model);
    if reduction == Reduction::Off {
        command.arg("--no-reduction");
    }
    let shown = process::shown(&command);
    let output = command.output().with_context(|| format!("cannot run `{shown}`"))?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    parse(&stdout).with_context(|| {
        format!("`{shown}` ({}) printed:\n{stdout}{}", output.status, String::from_utf8_lossy(&output.stderr))
    })
}

fn parse(json: &str) -> Result<Figures> {
    let outcome: Outcome = serde_json::from_str(json).context("cannot read the result")?;
    let violation = match outcome.verdict.as_str() {
        "safe" => false,
        "unsafe" => true,
        other => bail!("the verdict is `{other}`, not `safe` or `unsafe`"),
    };
    let Statistics { states, seconds, bytes_per_state } = outcome.statistics;
    Ok(Figures { violation, states, seconds, bytes_per_state })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read() {
        let json = r#"{"verdict": "safe", "violations": [], "statistics":
            {"states": 10, "transitions": 20, "seconds": 0.5, "bytes_per_state": 12.5, "queries": 0}}"#;
        let figures = parse(json).unwrap();
        assert_eq!((figures.states, figures.violation), (10, false));
        assert!(parse(&json.replace("safe", "unknown")).is_err());
        assert!(parse("oh").is_err());
    }
}
