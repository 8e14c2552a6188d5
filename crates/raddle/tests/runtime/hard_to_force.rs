//! Violations that are hard to force on compiled programs: threads do things that are no instructions of their own, exceptions
//! are thrown, time has to pass, or nothing but the analysis notices that something is wrong.

use std::path::Path;
use std::process::{Command, Output};

use super::said;

fn raddle(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.current_dir(folder).args(arguments).output().expect("raddle runs")
}

/// Explores a program of the file tests and forces what is found on the compiled one.
fn check(program: &str, options: &[&str], expected: &str) {
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let witness = scratch.path().join("witness.json");
    let witness = witness.to_str().expect("a path in UTF-8");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let found = raddle(&folder, &[&["explore", program, "-q", "--witness", witness], options].concat());
    assert_eq!(found.status.code(), Some(1), "{}", said(&found));
    let replayed = raddle(&folder, &["replay", witness]);
    let text = said(&replayed);
    assert!(text.contains(&format!("On the compiled program: reproduced: {expected}")), "{program}: {text}");
}

const FAILED: &str = "the assertion failed";
const MISUSED: &str = "the run came to this, and the library of C does not say that it is wrong";

#[test]
fn what_a_thread_does_at_its_end() {
    check("threads/key_destructor.c", &[], FAILED);
}

#[test]
fn arguments_of_a_function_with_any_number_of_them() {
    check("library/logger.c", &[], FAILED);
}

#[test]
fn locks_that_are_used_in_the_wrong_way() {
    check("condition/without_lock.c", &[], MISUSED);
    check("mutex/trylock_ignored.c", &[], MISUSED);
    check("deadlock/unlock_not_held.c", &[], MISUSED);
}

#[test]
fn an_error_function_of_the_program() {
    check("verifier/reach_error.c", &["--int-range", "0..20"], FAILED);
}

#[test]
fn an_exception_that_leaves_a_lock_locked() {
    check("cpp/exception_keeps_lock.cpp", &[], "nobody can go on");
}

#[test]
fn a_wait_that_takes_too_long() {
    check("cpp/wait_for_ignored.cpp", &[], FAILED);
}
