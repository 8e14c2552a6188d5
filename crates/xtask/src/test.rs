//! `cargo xtask test`: everything that has to hold before a change is accepted, in phases with their times.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::process::{self, Channel};
use crate::workspace::cargo;
use crate::{setup, tidy};

/// Command-line options.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Run only the tests whose name contains this, and no other check
    name: Option<String>,
}

/// Runs all phases, or only the tests that a name selects.
pub(crate) fn run(options: &Options) -> Result<()> {
    let start = Instant::now();
    let name = options.name.as_deref();
    phase("setup", setup::run)?;
    if name.is_none() {
        phase("tidy", tidy::run)?;
        phase("format", || {
            process::run(cargo().args(["fmt", "--all", "--check"])).context("to repair it: cargo fmt --all")
        })?;
        phase("lints", || {
            let arguments = ["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"];
            process::run(cargo().args(arguments))
        })?;
    }
    let tests = phase("tests", || run_tests(name))?;
    let doc_tests = phase("doc tests", || run_doc_tests(name))?;
    if tests + doc_tests == 0 {
        match name {
            Some(name) => bail!("no test has a name that contains `{name}`"),
            None => bail!("no test was run"),
        }
    }
    println!(
        "\nall good: {} tests passed ({tests} tests, {doc_tests} doc tests) in {}",
        tests + doc_tests,
        seconds(start.elapsed())
    );
    Ok(())
}

fn phase<T>(name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("==> {name}");
    let start = Instant::now();
    let result = work().with_context(|| format!("phase `{name}` failed"))?;
    println!("    {name}: {}", seconds(start.elapsed()));
    Ok(result)
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// Runs unit, integration and file tests, and returns how many passed.
fn run_tests(name: Option<&str>) -> Result<usize> {
    let mut passed = 0;
    if process::find_program("cargo-nextest").is_some() {
        let mut command = cargo();
        command.args(["nextest", "run", "--cargo-quiet", "--workspace", "--no-tests=pass"]);
        command.args(["--status-level=fail", "--color", color(std::io::stderr().is_terminal())]);
        command.args(name);
        process::run_seeing(&mut command, Channel::Stderr, |line| passed += nextest_passed(line))?;
    } else {
        let mut command = cargo();
        command.args(["test", "--quiet", "--workspace", "--all-targets"]).args(name);
        process::run_seeing(&mut command, Channel::Stdout, |line| passed += libtest_passed(line))?;
    }
    Ok(passed)
}

/// Runs the examples in documentation, and returns how many passed. Most crates have none, so only failures are shown.
fn run_doc_tests(name: Option<&str>) -> Result<usize> {
    let output = process::capture(cargo().args(["test", "--quiet", "--workspace", "--doc"]).args(name))?;
    Ok(output.lines().map(libtest_passed).sum())
}

fn color(terminal: bool) -> &'static str {
    if terminal { "always" } else { "never" }
}

/// The count in `Summary [ 0.1s] 3 tests run: 3 passed, 0 skipped`, with or without colours; else 0.
fn nextest_passed(line: &str) -> usize {
    if line.contains("Summary") { number_before(&without_colors(line), " passed") } else { 0 }
}

/// The count in `test result: ok. 3 passed; 0 failed; ...`; else 0.
fn libtest_passed(line: &str) -> usize {
    if line.contains("test result:") { number_before(&without_colors(line), " passed") } else { 0 }
}

fn number_before(line: &str, mark: &str) -> usize {
    let before = line.split(mark).next().unwrap_or_default();
    before.rsplit(' ').next().and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

fn without_colors(line: &str) -> String {
    let mut plain = String::new();
    let mut rest = line;
    while let Some(escape) = rest.find("\x1b[") {
        plain.push_str(&rest[..escape]);
        rest = rest[escape..].split_once('m').map_or("", |(_, after)| after);
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_counted() {
        assert_eq!(nextest_passed("     Summary [   0.010s] 5 tests run: 4 passed, 1 failed, 0 skipped"), 4);
        let colored =
            "\x1b[32;1m     Summary\x1b[0m [   0.010s] \x1b[1m5\x1b[0m tests run: \x1b[1m5\x1b[0m passed";
        assert_eq!(nextest_passed(colored), 5);
        assert_eq!(nextest_passed("        PASS [   0.010s] 7 passed"), 0);
        assert_eq!(libtest_passed("test result: ok. 12 passed; 0 failed; 0 ignored"), 12);
        assert_eq!(libtest_passed("running 3 tests"), 0);
    }
}
