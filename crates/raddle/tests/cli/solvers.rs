//! Two solvers for every question.

use std::path::Path;
use std::process::Command;

use crate::programs::LOST_UPDATE;
use crate::sandbox::Sandbox;

/// A program with a number that can be anything.
const ARBITRARY: &str = "
var x, y: int;
procedure main()
{
  var n: int;
  havoc n;
  assume n > 3;
  x := n;
  async call other();
  while (x > 0 && y != 1) { x := n; }
  assert x < 100;
}
procedure other() { y := 2; if (x > 7) { y := 3; } }
";

/// A script of this folder that behaves as a solver.
fn script(name: &str) -> String {
    format!("{}/tests/cli/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The program of the Z3 that is built in.
fn z3() -> String {
    let path = Path::new(env!("Z3_LIBRARY_PATH_OVERRIDE")).join("../bin/z3");
    path.to_str().expect("a path in UTF-8").to_owned()
}

#[test]
fn solvers_that_agree_give_the_same_answer() {
    let sandbox = Sandbox::with("p.bpl", LOST_UPDATE);
    let alone = sandbox.json(1, "async p.bpl");
    let checked = sandbox.json(1, &format!("async p.bpl --cross-check {}", z3()));
    assert_eq!(alone["violations"], checked["violations"]);
    let answer = sandbox.run(&format!("async p.bpl --cross-check {}", z3()));
    assert!(answer.stderr.contains("agrees on 2 of 2 questions"), "{}", answer.stderr);
    assert!(answer.stderr.contains("models found right by evaluation: 1"), "{}", answer.stderr);
    assert_eq!(sandbox.run(&format!("async p.bpl -q --cross-check {}", z3())).stderr, "");
}

#[test]
fn who_does_not_know_contradicts_nobody() {
    let sandbox = Sandbox::with("p.bpl", LOST_UPDATE);
    let answer = sandbox.run(&format!("async p.bpl --cross-check {}", script("clueless.sh")));
    assert_eq!(answer.code, 1, "{}", answer.stderr);
    assert!(answer.stderr.contains("agrees on 0 of 2 questions"), "{}", answer.stderr);
    let answer =
        sandbox.run(&format!("async p.bpl --solver {} --cross-check {}", script("clueless.sh"), z3()));
    assert_eq!(answer.code, 1, "{}", answer.stderr);
}

/// Whether it lives on or dies of it.
#[test]
fn a_solver_without_memory_is_the_reason_for_no_verdict() {
    for (solver, command) in ["starved.sh", "dying.sh"].iter().flat_map(|s| [(s, "async"), (s, "live")]) {
        let sandbox = Sandbox::with("p.bpl", ARBITRARY);
        let arguments = format!("{command} p.bpl --states 0 --solver {}", script(solver));
        let result = sandbox.json(3, &arguments);
        assert_eq!(result["verdict"], "unknown", "{solver}, {command}");
        assert_eq!(result["reason"]["kind"], "memory", "{solver}, {command}: {result}");
    }
}

#[test]
fn a_contradiction_is_no_verdict() {
    let liar = script("liar.sh");
    let programs =
        [("async", ARBITRARY), ("live", ARBITRARY), ("verify", ARBITRARY), ("predict", LOST_UPDATE)];
    for (command, program) in programs {
        let sandbox = Sandbox::with("p.bpl", program);
        let arguments = format!("{command} p.bpl --dump-smt smt --cross-check {liar}");
        let output = sandbox.command(&arguments).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{command}: {told}");
        assert!(output.stdout.is_empty(), "{command}");
        let says = format!("z3 (in-process) says sat, {liar} says unsat");
        assert!(
            told.contains(&format!("internal error: two solvers contradict each other: {says}")),
            "{told}"
        );
        // The question can be asked again.
        let (_, file) = told.split_once("the question is in `").expect("a file");
        let (file, _) = file.split_once('`').expect("a whole name");
        assert!(file.contains("/smt/raddle-contradiction-"), "{file}");
        assert!(sandbox.read(file).starts_with(&format!("; {says}\n")), "{file}");
        let asked = Command::new(z3()).arg(sandbox.path(file)).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&asked.stdout).trim(), "sat", "{command}");
    }
}

#[test]
fn solvers_that_cannot_be_asked_are_refused() {
    let sandbox = Sandbox::with("p.bpl", LOST_UPDATE);
    let silent = script("silent.sh");
    for (options, why) in [
        (
            "--cross-check nosuch".to_owned(),
            "`nosuch` cannot be asked: the solver crashed: cannot start".to_owned(),
        ),
        (
            "--solver nosuch".to_owned(),
            "`nosuch` cannot be asked: the solver crashed: cannot start".to_owned(),
        ),
        ("--solver cat".to_owned(), "`cat` cannot be asked: the solver gave no answer but:".to_owned()),
        (
            format!("--cross-check {silent}"),
            format!("`{silent}` cannot be asked: no answer to the simplest question in 10 s"),
        ),
    ] {
        let answer = sandbox.run(&format!("async p.bpl {options}"));
        assert_eq!(answer.code, 2, "{options}");
        assert!(answer.stderr.contains(&why), "{options}: {}", answer.stderr);
    }
}
