//! C and C++ programs, compiled and interpreted: see `filetest::differential`.

use libtest_mimic::Arguments;

/// Random programs in a test run; `RADDLE_RANDOM_PROGRAMS` is a percentage of it.
const RANDOM_PROGRAMS: u64 = 60;

fn main() -> std::process::ExitCode {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/c/differential");
    let percent = std::env::var("RADDLE_RANDOM_PROGRAMS").ok().and_then(|text| text.parse().ok());
    let count = RANDOM_PROGRAMS * percent.unwrap_or(100u64) / 100;
    let mut trials = filetest::differential::trials(folder.as_ref());
    trials.extend(filetest::differential::random_trials(0..count.max(1)));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
