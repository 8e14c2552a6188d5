//! C and C++ programs, run twice: as clang compiles them, and as the frontend and the reference interpreter understand
//! them. Both must print the same.
//!
//! The programs are those below `tests/c/differential`, which cover the language construct by construct, and random ones
//! ([`generate`]). Each prints the same whatever the schedule, so that a program with threads is interpreted along
//! several: none may print anything else, violate anything, or not come to an end.

mod csmith;
pub mod generate;
mod model;
mod native;
mod printf;

use std::path::Path;

use libtest_mimic::{Failed, Trial};
use similar::TextDiff;
use walkdir::WalkDir;

pub use csmith::{Compared, compare_csmith};

use model::Ran;

/// What a program left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Printed {
    text: String,
    exit_code: Option<i32>,
}

/// Every program below `folder` as a test of its own.
#[must_use]
pub fn trials(folder: &Path) -> Vec<Trial> {
    let mut trials = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name().into_iter().filter_map(Result::ok) {
        let path = entry.into_path();
        let is_program = path.extension().is_some_and(|extension| extension == "c" || extension == "cpp");
        if is_program {
            let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
            trials.push(Trial::test(name, move || compare(&path, &[]).map_err(Failed::from)));
        }
    }
    trials
}

/// Random programs, with these seeds, as tests.
pub fn random_trials(seeds: impl Iterator<Item = u64>) -> impl Iterator<Item = Trial> {
    seeds
        .map(|seed| Trial::test(format!("random/{seed}"), move || compare_random(seed).map_err(Failed::from)))
}

/// Makes a random program and compares its two executions.
///
/// # Errors
/// When they differ, or there is only one; with the program.
pub fn compare_random(seed: u64) -> Result<(), String> {
    let text = generate::program(seed);
    let dir = tempfile::tempdir().map_err(|error| format!("cannot make a folder: {error}"))?;
    let path = dir.path().join("random.c");
    std::fs::write(&path, &text).map_err(|error| format!("cannot write the program: {error}"))?;
    // Signed arithmetic of random programs wraps.
    compare(&path, &["-fwrapv".to_owned()]).map_err(|problem| format!("{problem}\nseed {seed}:\n{text}"))
}

/// Compares the two executions of a program.
fn compare(path: &Path, flags: &[String]) -> Result<(), String> {
    let expected = native::compile(path, flags)?.run(native::TIME_LIMIT)?;
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read the program: {error}"))?;
    let ran = model::run(path, flags, has_threads(&text)).map_err(|problem| problem.to_string())?;
    ran.iter().try_for_each(|ran| differs(&expected, ran))
}

/// How an interpreted run differs from the compiled program, as an error.
fn differs(expected: &Printed, Ran { schedule, printed }: &Ran) -> Result<(), String> {
    if printed.text != expected.text {
        let diff = TextDiff::from_lines(&expected.text, &printed.text);
        let diff = diff.unified_diff().header("compiled", "interpreted").to_string();
        return Err(format!("prints something else ({schedule:?}):\n{diff}"));
    }
    match (printed.exit_code, expected.exit_code) {
        (Some(code), Some(wanted)) if code != wanted => {
            Err(format!("ends with the exit code {code}, not {wanted} ({schedule:?})"))
        }
        _ => Ok(()),
    }
}

/// Whether a program may start threads, by what it includes.
fn has_threads(text: &str) -> bool {
    let headers = ["pthread.h", "threads.h", "<thread>", "semaphore.h"];
    let mut included = text.lines().filter(|line| line.trim_start().starts_with("#include"));
    included.any(|line| headers.iter().any(|header| line.contains(header)))
}
