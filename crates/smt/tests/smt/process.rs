//! Solvers as processes, well-behaved and not.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use smt::{Answer, Limits, Reason, SmtLib, Solver, SolverCommand, SortId, TermPool, Value, Z3};
use tempfile::TempDir;

use crate::random_term::var;

/// The Z3 that the library comes from.
pub(crate) fn z3_process() -> SmtLib {
    let binary = Path::new(env!("Z3_LIBRARY_PATH_OVERRIDE")).join("../bin/z3");
    SmtLib::new(SolverCommand::for_solver(binary.to_str().expect("a path in UTF-8")))
}

/// A solver that is a shell script.
fn script(text: &str) -> (TempDir, SmtLib) {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("solver.sh");
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    // Through the shell: running a file just written can fail while another thread forks.
    let path = path.to_str().unwrap().to_owned();
    let solver = SmtLib::new(SolverCommand { program: "sh".to_owned(), args: vec![path] });
    (folder, solver)
}

/// A script that answers each query with some text, and echoes.
fn answering(text: &str) -> (TempDir, SmtLib) {
    script(&format!(
        r#"while read -r line; do
  case "$line" in
    "(check-sat"*) {text} ;;
    "(echo "*) line="${{line#*\"}}"; echo "${{line%\"*}}" ;;
  esac
done"#
    ))
}

fn ask(solver: &mut SmtLib) -> Answer {
    let mut pool = TermPool::default();
    let p = var(&mut pool, 0);
    solver.assert(&pool, p);
    solver.check_sat(&pool, &[]).unwrap()
}

#[test]
fn values_of_every_sort() {
    let mut pool = TermPool::default();
    let mut solver = z3_process();
    let sort = pool.uninterpreted_sort("and");
    let element = pool.constant("|odd name|", sort);
    let (a, x, b) = (var(&mut pool, 8), var(&mut pool, 2), var(&mut pool, 7));
    let (minus, two) = (pool.int(-7), pool.int(2));
    let read = pool.select(a, two);
    let byte = pool.bv(8, 200);
    for (left, right) in [(read, minus), (x, two), (b, byte), (element, element)] {
        let equal = pool.eq(left, right);
        solver.assert(&pool, equal);
    }
    assert_eq!(solver.check_sat(&pool, &[]), Ok(Answer::Sat));
    assert_eq!(solver.value(&pool, read), Ok(Value::Int((-7).into())));
    assert_eq!(solver.value(&pool, b), Ok(Value::Bv(8, 200.into())));
    // Nothing was said of the element, so it has yet to be declared.
    assert!(matches!(solver.value(&pool, element), Ok(Value::Element(_))));
    let Ok(Value::Array(array)) = solver.value(&pool, a) else { panic!("an array") };
    assert_eq!(array.at(&Value::Int(2.into())), &Value::Int((-7).into()));
}

#[test]
fn nested_arrays() {
    let mut pool = TermPool::default();
    let byte = pool.bv_sort(8);
    let sort = pool.array_sort(&[SortId::INT, byte], SortId::BOOL);
    let table = pool.constant("table", sort);
    let (three, seven) = (pool.int(3), pool.bv(8, 7));
    let cell = pool.select_at(table, &[three, seven]);
    let all_false = {
        let row = pool.array_sort(&[byte], SortId::BOOL);
        let no = pool.bool(false);
        pool.const_array(row, no)
    };
    let four = pool.int(4);
    let row = pool.select(table, four);
    let empty = pool.eq(row, all_false);
    for solver in [&mut Z3::new() as &mut dyn Solver, &mut z3_process()] {
        solver.assert(&pool, cell);
        solver.assert(&pool, empty);
        assert_eq!(solver.check_sat(&pool, &[]), Ok(Answer::Sat));
        let Ok(Value::Array(table)) = solver.value(&pool, table) else { panic!("no array") };
        let Value::Array(row) = table.at(&Value::Int(3.into())) else { panic!("no row") };
        assert_eq!(row.at(&Value::Bv(8, 7.into())), &Value::Bool(true));
        let Value::Array(row) = table.at(&Value::Int(4.into())) else { panic!("no row") };
        assert_eq!(row.at(&Value::Bv(8, 7.into())), &Value::Bool(false));
    }
}

#[test]
fn a_missing_program_is_an_answer() {
    let mut solver = SmtLib::new(SolverCommand::for_solver("no-such-solver-anywhere"));
    let Answer::Unknown(Reason::Crashed(why)) = ask(&mut solver) else { panic!("an answer of a ghost") };
    assert!(why.contains("no-such-solver-anywhere"), "{why}");
}

#[test]
fn plain_answers() {
    assert_eq!(ask(&mut answering("echo sat").1), Answer::Sat);
    assert_eq!(ask(&mut answering("echo unsat").1), Answer::Unsat);
}

#[test]
fn garbage_is_no_answer() {
    for garbage in
        ["echo maybe", "echo sat; echo sat", "echo '(error \"no\")'; echo unsat", "echo '((('", "true"]
    {
        let (_folder, mut solver) = answering(garbage);
        let answer = ask(&mut solver);
        assert!(matches!(answer, Answer::Unknown(Reason::Garbled(_))), "{garbage}: {answer:?}");
    }
}

/// However a solver says it, and whoever limited its memory.
#[test]
fn memory_that_runs_out_is_told_as_such() {
    for starved in [
        "echo '(error \"out of memory\")'",
        "echo '(error \"out of memory\")'; exit 101",
        "echo 'terminate called after throwing an instance of std::bad_alloc' >&2; kill -ABRT $$",
    ] {
        let (_folder, mut solver) = answering(starved);
        assert_eq!(ask(&mut solver), Answer::Unknown(Reason::Memory), "{starved}");
    }
}

#[test]
fn bytes_that_are_no_text_are_no_answer() {
    let (_folder, mut solver) = answering(r"printf '\377\376sat\n'");
    assert!(matches!(ask(&mut solver), Answer::Unknown(Reason::Garbled(_))));
}

#[test]
fn a_crash_is_an_answer_and_the_next_query_starts_anew() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    let crash_once = format!(
        "if [ -e '{0}' ]; then echo sat; else : > '{0}'; echo 'assertion violated' >&2; exit 3; fi",
        mark.display()
    );
    let (_folder, mut solver) = answering(&crash_once);
    let Answer::Unknown(Reason::Crashed(why)) = ask(&mut solver) else { panic!("no crash") };
    assert!(why.contains('3') && why.contains("assertion violated"), "{why}");
    assert_eq!(ask(&mut solver), Answer::Sat);
}

#[test]
fn a_model_that_is_lost_has_a_reason() {
    // It says `sat`, and ends when it is asked for a value.
    let (_folder, mut solver) = script(
        r#"while read -r line; do
  case "$line" in
    "(check-sat"*) echo sat ;;
    "(get-value"*) exit 3 ;;
    "(echo "*) line="${line#*\"}"; echo "${line%\"*}" ;;
  esac
done"#,
    );
    let mut pool = TermPool::default();
    let p = var(&mut pool, 0);
    solver.assert(&pool, p);
    assert_eq!(solver.check_sat(&pool, &[]), Ok(Answer::Sat));
    assert!(matches!(solver.value(&pool, p), Err(smt::Error::GaveUp(Reason::Crashed(_)))));
}

#[test]
fn a_solver_that_ends_at_once_or_hangs_does_not_hang_us() {
    assert!(matches!(ask(&mut script("exit 0").1), Answer::Unknown(Reason::Crashed(_))));
    let limits = Limits { time: Some(Duration::from_millis(200)), ..Limits::default() };
    for hanging in ["sleep 1000", "while :; do :; done", "while :; do echo garbage; done"] {
        let (_folder, mut solver) = script(hanging);
        solver.set_limits(limits.clone());
        assert_eq!(ask(&mut solver), Answer::Unknown(Reason::Timeout), "{hanging}");
    }
}

#[test]
fn the_process_ends_with_the_solver() {
    let folder = tempfile::tempdir().unwrap();
    let pid_file = folder.path().join("pid");
    let (_folder, mut solver) =
        answering(&format!("sleep 1000 & echo $! > '{}'; echo sat", pid_file.display()));
    assert_eq!(ask(&mut solver), Answer::Sat);
    let pid = fs::read_to_string(&pid_file).unwrap();
    let alive =
        || fs::read_to_string(format!("/proc/{}/stat", pid.trim())).is_ok_and(|stat| !stat.contains(") Z"));
    assert!(alive());
    drop(solver);
    for _ in 0..500 {
        if !alive() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("process {} is still there", pid.trim());
}

#[test]
fn unknown_carries_the_reason_the_solver_gives() {
    let (_folder, mut solver) = script(
        r#"while read -r line; do
  case "$line" in
    "(check-sat"*) echo unknown ;;
    "(get-info"*) echo '(:reason-unknown "too hard")' ;;
    "(echo "*) line="${line#*\"}"; echo "${line%\"*}" ;;
  esac
done"#,
    );
    assert_eq!(ask(&mut solver), Answer::Unknown(Reason::Incomplete("too hard".to_owned())));
}

#[test]
fn without_cores_all_assumptions_are_the_core() {
    let (_folder, mut solver) = answering("echo unsat");
    let mut pool = TermPool::default();
    let assumptions = [var(&mut pool, 0), var(&mut pool, 1)];
    assert_eq!(solver.check_sat(&pool, &assumptions), Ok(Answer::Unsat));
    assert_eq!(solver.unsat_core(&pool), Ok(assumptions.to_vec()));
}
