//! Solvers around solvers.

use std::fs;

use smt::{Answer, Cached, CrossCheck, Error, Limits, Logged, Reason, Solver, TermId, TermPool, Value, Z3};

use crate::process::z3_process;
use crate::random_term::var;

/// Says always the same.
struct Parrot(Answer);

impl Solver for Parrot {
    fn name(&self) -> String {
        "parrot".to_owned()
    }

    fn set_limits(&mut self, _limits: Limits) {}

    fn push(&mut self) {}

    fn pop(&mut self, _levels: usize) {}

    fn assert(&mut self, _pool: &TermPool, _term: TermId) {}

    fn check_sat(&mut self, _pool: &TermPool, _assumptions: &[TermId]) -> Result<Answer, Error> {
        Ok(self.0.clone())
    }

    fn unsat_core(&mut self, _pool: &TermPool) -> Result<Vec<TermId>, Error> {
        Ok(Vec::new())
    }

    fn value(&mut self, _pool: &TermPool, _term: TermId) -> Result<Value, Error> {
        Ok(Value::Bool(false))
    }
}

#[test]
fn a_log_can_be_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let mut pool = TermPool::default();
    let mut solver = Logged::new(Z3::new(), folder.path(), "q");
    let (p, q) = (var(&mut pool, 0), var(&mut pool, 1));
    let either = pool.or([p, q]);
    let (not_p, not_q) = (pool.not(p), pool.not(q));
    solver.assert(&pool, either);
    solver.push();
    solver.assert(&pool, not_p);
    assert_eq!(solver.check_sat(&pool, &[not_q]), Ok(Answer::Unsat));
    solver.pop(1);
    assert_eq!(solver.check_sat(&pool, &[]), Ok(Answer::Sat));
    let mut files: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let names: Vec<_> = files.iter().map(|file| file.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["q000001.smt2", "q000002.smt2"]);
    for (file, expected) in files.iter().zip(["unsat", "sat"]) {
        let binary = std::path::Path::new(env!("Z3_LIBRARY_PATH_OVERRIDE")).join("../bin/z3");
        let output = std::process::Command::new(binary).arg(file).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), expected);
        assert!(fs::read_to_string(file).unwrap().starts_with(&format!("(set-info :status {expected})\n")));
    }
}

#[test]
fn a_log_that_cannot_be_written_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut solver = Logged::new(Z3::new(), &folder.path().join("missing"), "");
    assert!(matches!(solver.check_sat(&TermPool::default(), &[]), Err(Error::Log(_))));
}

#[test]
fn a_cache_answers_the_same_question_once() {
    let mut pool = TermPool::default();
    let mut solver = Cached::new(Z3::new());
    let (p, q) = (var(&mut pool, 0), var(&mut pool, 1));
    let not_p = pool.not(p);
    for round in 0..3 {
        solver.push();
        // The order does not matter.
        let order = if round == 1 { [q, p] } else { [p, q] };
        order.iter().for_each(|term| solver.assert(&pool, *term));
        assert_eq!(solver.check_sat(&pool, &[]), Ok(Answer::Sat));
        assert_eq!(solver.value(&pool, q), Ok(Value::Bool(true)));
        assert_eq!(solver.check_sat(&pool, &[q, not_p]), Ok(Answer::Unsat));
        assert_eq!(solver.unsat_core(&pool), Ok(vec![not_p]));
        assert_eq!(solver.hits(), round * 2);
        solver.pop(1);
    }
}

#[test]
fn a_cache_does_not_remember_unknown() {
    let mut solver = Cached::new(Parrot(Answer::Unknown(Reason::Timeout)));
    for _ in 0..2 {
        let answer = solver.check_sat(&TermPool::default(), &[]);
        assert_eq!(answer, Ok(Answer::Unknown(Reason::Timeout)));
    }
    assert_eq!(solver.hits(), 0);
}

#[test]
fn a_contradiction_is_an_error() {
    let mut pool = TermPool::default();
    let p = var(&mut pool, 0);
    let mut solver = CrossCheck::new(Z3::new(), Parrot(Answer::Unsat));
    solver.assert(&pool, p);
    let Err(Error::Disagreement { first, second }) = solver.check_sat(&pool, &[]) else {
        panic!("they agree")
    };
    assert_eq!((first.1, second.1), (Answer::Sat, Answer::Unsat));
    assert_eq!(second.0, "parrot");
}

#[test]
fn the_one_that_knows_answers() {
    let mut pool = TermPool::default();
    let p = var(&mut pool, 0);
    let lost = Parrot(Answer::Unknown(Reason::Timeout));
    let mut solver: Box<dyn Solver> =
        Box::new(CrossCheck::new(lost, CrossCheck::new(Z3::new(), z3_process())));
    solver.assert(&pool, p);
    assert_eq!(solver.check_sat(&pool, &[]), Ok(Answer::Sat));
    assert_eq!(solver.value(&pool, p), Ok(Value::Bool(true)));
}
