//! The harness for tests that are data, and the engine of the fuzzer.
//!
//! A test is an input file `tests/SUITE/TOPIC/NAME.EXT` with directives in comments, and beside it `NAME.expect` with
//! the whole output that `raddle` gives for it, normalised. [`run_dir`] runs all tests of a folder, [`main`] does so as
//! a test binary with one visible test per file. `docs/testing.md` describes the formats.
//!
//! Invariant: a file below the folder is a test, the expectation of a test, or a failure. Nothing is skipped.

mod case;
pub mod differential;
mod directive;
mod discover;
mod document;
mod expectation;
pub mod fuzz;
mod input;
mod normalise;
mod outcome;
mod process;
mod script;
pub mod verifier;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};

pub use discover::{SUITES, Suite};

/// What the harness needs to know.
#[derive(Clone, Debug)]
pub struct Harness {
    /// The program under test.
    pub binary: PathBuf,
    /// Write expectations instead of comparing with them.
    pub bless: bool,
    /// A process that runs longer is killed, and its test fails.
    pub time_limit: Duration,
}

impl Harness {
    /// A harness that compares, with the usual time limit.
    #[must_use]
    pub fn new(binary: &Path) -> Self {
        Harness { binary: binary.to_owned(), bless: false, time_limit: Duration::from_secs(300) }
    }

    /// Runs every test below `dir`, in the order of their names.
    #[must_use]
    pub fn run_dir(&self, dir: &Path) -> Report {
        let mut report = Report::default();
        for found in discover::discover(dir) {
            match self.run(&found) {
                Ok(()) => report.passed += 1,
                Err(message) => report.failures.push(Failure { test: found.name, message }),
            }
        }
        report
    }

    /// Every test below `dir` as a test of its own.
    fn trials(&self, dir: &Path) -> Vec<Trial> {
        let trial = |found: discover::Found| {
            let harness = self.clone();
            Trial::test(found.name.clone(), move || harness.run(&found).map_err(Failed::from))
        };
        discover::discover(dir).into_iter().map(trial).collect()
    }

    /// Every document in `root`, `root/docs` and below `root/examples` as a test of its own.
    fn document_trials(&self, root: &Path) -> Vec<Trial> {
        let below =
            |folder: &Path, depth| walkdir::WalkDir::new(folder).max_depth(depth).into_iter().flatten();
        let files =
            below(root, 1).chain(below(&root.join("docs"), 1)).chain(below(&root.join("examples"), 2));
        let paths = files.map(walkdir::DirEntry::into_path);
        let mut documents: Vec<PathBuf> =
            paths.filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
        documents.sort();
        let trial = |document: PathBuf| {
            let harness = self.clone();
            let name = document.strip_prefix(root).unwrap_or(&document).display().to_string();
            let examples = root.join("examples");
            Trial::test(name, move || document::run(&harness, &document, &examples).map_err(Failed::from))
        };
        documents.into_iter().map(trial).collect()
    }

    fn run(&self, found: &discover::Found) -> Result<(), String> {
        match &found.content {
            Ok(discover::Test { suite: Suite::Scripts, path }) => script::run(self, path),
            Ok(discover::Test { path, .. }) => case::run(self, path),
            Err(problem) => Err(problem.clone()),
        }
    }
}

/// What became of the tests of a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// How many passed.
    pub passed: usize,
    /// Those that did not.
    pub failures: Vec<Failure>,
}

/// A test that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The test's path below the folder.
    pub test: String,
    /// What went wrong, in as many lines as it takes.
    pub message: String,
}

/// Runs every test below `dir` with the program `binary`.
#[must_use]
pub fn run_dir(binary: &Path, dir: &Path) -> Report {
    Harness::new(binary).run_dir(dir)
}

/// Reads what a test says about itself, without running it.
pub fn check_syntax(suite: Suite, text: &str) -> Result<(), String> {
    match suite {
        Suite::Scripts => script::check_syntax(text),
        Suite::Ir | Suite::Boogie | Suite::C => directive::parse(text).map(drop),
    }
}

/// The whole of a test binary without the usual harness: reads the command line as test binaries do, writes expectations
/// when `BLESS` is set in the environment, and runs each file below `root/tests` as a test of its own, and the examples
/// of each document in `root`, `root/docs` and below `root/examples`.
#[must_use]
pub fn main(binary: &Path, root: &Path) -> ExitCode {
    let harness = Harness { bless: std::env::var_os("BLESS").is_some(), ..Harness::new(binary) };
    let mut trials = harness.trials(&root.join("tests"));
    trials.extend(harness.document_trials(root));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
