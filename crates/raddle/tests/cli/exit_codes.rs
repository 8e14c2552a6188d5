//! The contract: 0 nothing wrong, 1 a violation, 2 wrong input or command, 3 undecided.

use crate::programs::{ARBITRARY, DEADLOCK, LIVELOCK, LOCKED_UPDATE, LOST_UPDATE, RACE};
use crate::sandbox::{Answer, Sandbox};

fn check(program: &str, arguments: &str, code: i32, first_line: &str) {
    let sandbox = Sandbox::with("p.bpl", program);
    let answer = sandbox.run(&format!("explore p.bpl -q {arguments}"));
    assert_eq!((answer.code, answer.stdout.trim_end()), (code, first_line), "{}", answer.stderr);
}

#[test]
fn safe_programs() {
    check(LOCKED_UPDATE, "", 0, "safe: nothing goes wrong in any schedule (checked: assertion, deadlock)");
    check(RACE, "", 0, "safe: nothing goes wrong in any schedule (checked: assertion, deadlock)");
    check(DEADLOCK, "--check assertion", 0, "safe: nothing goes wrong in any schedule (checked: assertion)");
    let bounded = "safe: nothing goes wrong within the bounds below (checked: assertion, deadlock)";
    check(ARBITRARY, "", 0, bounded);
}

#[test]
fn violations() {
    let assertion = "unsafe: assertion violation: assertion does not hold: counter == 2 (p.bpl:19:3)";
    check(LOST_UPDATE, "", 1, assertion);
    check(LOST_UPDATE, "--search dfs", 1, assertion);
    check(LOST_UPDATE, "--no-reduction", 1, assertion);
    check(LOST_UPDATE, "--scheduler dfw --delays 1", 1, assertion);
    check(DEADLOCK, "", 1, "unsafe: deadlock: left and right are blocked for ever (p.bpl:5:3)");
    check(
        RACE,
        "--check race",
        1,
        "unsafe: data race: write to `x` by one (1) races with write to it by two (2) (p.bpl:5:3)",
    );
    check(
        ARBITRARY,
        "--int-range 999..1000",
        1,
        "unsafe: assertion violation: assertion does not hold: x < 1000 (p.bpl:6:3)",
    );
}

#[test]
fn infinite_executions() {
    let sandbox = Sandbox::with("p.bpl", LIVELOCK);
    for (arguments, code) in [
        ("--check non-termination", 1),
        ("--fairness strong", 1),
        ("--fairness weak", 1),
        ("--fairness none", 1),
        ("--check assertion,deadlock", 0),
    ] {
        assert_eq!(sandbox.run(&format!("explore p.bpl {arguments}")).code, code, "{arguments}");
    }
    let sandbox = Sandbox::with("p.bpl", LOCKED_UPDATE);
    assert_eq!(sandbox.run("explore p.bpl --fairness none").code, 0);
}

#[test]
fn delays_decide() {
    let sandbox = Sandbox::with("p.bpl", LOST_UPDATE);
    let answer = sandbox.run("explore p.bpl --scheduler dfw --delays 0");
    assert_eq!(answer.code, 0);
    assert!(answer.stdout.contains("only the schedules of dfw with at most 0 delays"), "{}", answer.stdout);
}

#[test]
fn wrong_commands() {
    let sandbox = Sandbox::with("p.bpl", LOST_UPDATE);
    for arguments in [
        "",
        "explore",
        "explode p.bpl",
        "explore p.bpl --nonsense",
        "explore p.bpl --int-range 4",
        "explore p.bpl --int-range 4..-4",
        "explore p.bpl --check everything",
        "explore p.bpl --timeout -1",
        "explore p.bpl --memory nan",
        "explore p.bpl --max-threads 64",
        "explore p.bpl --max-threads 0",
        "explore p.bpl --violations 0",
        "explore p.bpl --delays 2",
        "explore p.bpl --scheduler df --check deadlock",
        "explore p.bpl --scheduler dfw --fairness weak",
        "explore p.bpl -q -v",
        "explore p.bpl --entry nobody",
        "explore p.bpl --witness no/such/folder/w.json",
        "replay",
    ] {
        let answer = sandbox.run(arguments);
        assert_eq!(answer.code, 2, "{arguments}: {}{}", answer.stdout, answer.stderr);
        assert!(!answer.stderr.is_empty(), "{arguments}");
        assert!(answer.stdout.is_empty(), "{arguments}: {}", answer.stdout);
    }
}

#[test]
fn help_and_version() {
    let sandbox = Sandbox::new();
    for arguments in ["--help", "--version", "explore --help", "replay --help"] {
        let answer = sandbox.run(arguments);
        assert_eq!(answer.code, 0, "{arguments}");
        assert!(!answer.stdout.is_empty() && answer.stderr.is_empty(), "{arguments}");
    }
}

#[test]
fn another_entry() {
    let sandbox = Sandbox::with("p.bpl", LOST_UPDATE);
    let answer = sandbox.run("explore p.bpl --entry add");
    assert_eq!(answer.code, 0, "{}{}", answer.stdout, answer.stderr);
}

#[test]
fn ir_text() {
    let text =
        "program;\nvar g: int = 0;\nthread main;\n\nproc main() {\nentry:\n  assert g == 1;\n  return;\n}\n";
    let sandbox = Sandbox::with("p.ir", text);
    let answer = sandbox.run("explore p.ir");
    assert_eq!(answer.code, 1, "{}{}", answer.stdout, answer.stderr);
    assert_eq!(sandbox.run("explore p.ir --entry nobody").code, 2);
    assert_eq!(sandbox.run("explore p.ir --entry main").code, 1);
}

/// What a program is linked with is no news for who only analyses it.
#[test]
fn libraries_are_named_in_silence() {
    let sandbox = Sandbox::with("p.c", "int main(void) { return 0; }\n");
    let answer = sandbox.run("explore p.c -lm");
    assert_eq!((answer.code, answer.stderr.as_str()), (0, ""));
}

#[test]
fn an_interrupted_compiler_is_no_mistake_in_the_program() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::with("p.c", "int main(void) { return 0; }\n");
    sandbox.write("clang", "#!/bin/sh\n[ \"$1\" = --version ] && exec clang-19 --version\nkill -INT $$\n");
    std::fs::set_permissions(sandbox.path("clang"), std::fs::Permissions::from_mode(0o755)).unwrap();
    for command in ["explore", "verify", "live", "predict", "check"] {
        let mut command = sandbox.command(&format!("{command} p.c"));
        let answer = Answer::of(&command.env("RADDLE_CLANG", sandbox.path("clang")).output().unwrap());
        let expected = (3, "error: it was interrupted while clang was at work\n");
        assert_eq!((answer.code, answer.stderr.as_str()), expected, "{command:?}");
    }
}
