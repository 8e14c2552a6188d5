//! Solvers around solvers.

use std::fs;

use fastrand::Rng;
use smt::{
    Answer, Cached, CrossCheck, Error, Limits, Logged, Reason, Solver, TermId, TermPool, Value, Watched, Z3,
};
use tempfile::TempDir;

use crate::evaluate::{self, V};
use crate::process::z3_process;
use crate::random_term::{Graph, Kind, VARS, assignment, var};

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

/// What two solvers find out together; the folder keeps their contradictions.
fn watched() -> (TempDir, Watched) {
    let folder = tempfile::tempdir().unwrap();
    let watched = Watched::new(folder.path().to_owned());
    (folder, watched)
}

#[test]
fn a_contradiction_is_an_error() {
    let mut pool = TermPool::default();
    let (p, q) = (var(&mut pool, 0), var(&mut pool, 1));
    let (folder, watched) = watched();
    let mut solver = CrossCheck::new(Z3::new(), Parrot(Answer::Unsat), &watched);
    solver.assert(&pool, p);
    let error = solver.check_sat(&pool, &[q]).unwrap_err();
    let Error::Disagreement { sat, unsat, evaluated, file } = &error else { panic!("{error}") };
    assert_eq!((sat.as_str(), unsat.as_str(), *evaluated), ("z3 (in-process)", "parrot", Some(true)));
    assert!(file.starts_with(folder.path()));
    let kept = fs::read_to_string(file).unwrap();
    assert!(kept.starts_with("; z3 (in-process) says sat, parrot says unsat\n"), "{kept}");
    assert!(kept.contains("(check-sat-assuming"), "{kept}");
    // From now on nothing holds, whoever is asked.
    assert_eq!(watched.contradiction(), Some(error.clone()));
    assert_eq!(solver.check_sat(&pool, &[]), Err(error.clone()));
    let mut other = CrossCheck::new(Z3::new(), Z3::new(), &watched);
    assert_eq!(other.check_sat(&pool, &[]), Err(error));
}

#[test]
fn a_contradiction_that_cannot_be_kept_is_an_error_too() {
    let watched = Watched::new("/nowhere/at/all".into());
    let mut solver = CrossCheck::new(Z3::new(), Parrot(Answer::Unsat), &watched);
    assert!(matches!(solver.check_sat(&TermPool::default(), &[]), Err(Error::Log(_))));
    assert!(matches!(watched.contradiction(), Some(Error::Log(_))));
}

#[test]
fn the_one_that_knows_answers() {
    let mut pool = TermPool::default();
    let p = var(&mut pool, 0);
    let (_folder, watched) = watched();
    let lost = Parrot(Answer::Unknown(Reason::Timeout));
    let both = CrossCheck::new(Z3::new(), z3_process(), &watched);
    let mut solver: Box<dyn Solver> = Box::new(CrossCheck::new(lost, both, &watched));
    solver.assert(&pool, p);
    assert_eq!(solver.check_sat(&pool, &[]), Ok(Answer::Sat));
    assert_eq!(solver.value(&pool, p), Ok(Value::Bool(true)));
    assert_eq!((watched.questions(), watched.answered_by_both(), watched.evaluated()), (2, 1, 2));
}

#[test]
fn what_is_too_hard_for_the_work_allowed_is_not_asked_twice() {
    let (_folder, watched) = watched();
    let given_up = Answer::Unknown(Reason::Effort);
    let mut solver = CrossCheck::new(Parrot(given_up.clone()), Parrot(Answer::Unsat), &watched);
    assert_eq!(solver.check_sat(&TermPool::default(), &[]), Ok(given_up));
}

/// Gives another value for one variable than the model has.
struct Forger {
    inner: Z3,
    forged: (TermId, Value),
}

impl Solver for Forger {
    fn name(&self) -> String {
        "forger".to_owned()
    }

    fn set_limits(&mut self, limits: Limits) {
        self.inner.set_limits(limits);
    }

    fn push(&mut self) {
        self.inner.push();
    }

    fn pop(&mut self, levels: usize) {
        self.inner.pop(levels);
    }

    fn assert(&mut self, pool: &TermPool, term: TermId) {
        self.inner.assert(pool, term);
    }

    fn check_sat(&mut self, pool: &TermPool, assumptions: &[TermId]) -> Result<Answer, Error> {
        self.inner.check_sat(pool, assumptions)
    }

    fn unsat_core(&mut self, pool: &TermPool) -> Result<Vec<TermId>, Error> {
        self.inner.unsat_core(pool)
    }

    fn value(&mut self, pool: &TermPool, term: TermId) -> Result<Value, Error> {
        if term == self.forged.0 { Ok(self.forged.1.clone()) } else { self.inner.value(pool, term) }
    }
}

/// Models that are right pass, and models that were made wrong do not, as far as the second evaluator tells.
#[test]
fn models_are_checked_by_evaluation() {
    let mut rng = Rng::with_seed(7);
    let (mut right, mut wrong) = (0, 0);
    for _ in 0..300 {
        let mut pool = TermPool::default();
        let term = Graph::new(&mut rng, 12, Kind::Bool, true).build(&mut pool);
        let vars: Vec<TermId> = (0..VARS.len()).map(|index| var(&mut pool, index)).collect();
        let at = rng.usize(..vars.len());
        let changed = assignment(&mut rng).swap_remove(at);
        let changed_term = changed.term(&mut pool);
        let mut plain = Z3::new();
        let sort = pool.sort_of(vars[at]);
        // What the value is called in a model.
        let copy = pool.constant("copy", sort);
        let same = pool.eq(copy, changed_term);
        plain.assert(&pool, same);
        assert_eq!(plain.check_sat(&pool, &[]), Ok(Answer::Sat));
        let forged = (vars[at], plain.value(&pool, copy).unwrap());
        let (_folder, watched) = watched();
        let forger = Forger { inner: Z3::new(), forged };
        let mut solver = CrossCheck::new(forger, z3_process_if(&mut rng), &watched);
        solver.assert(&pool, term);
        let answer = solver.check_sat(&pool, &[]);
        if answer == Ok(Answer::Unsat) {
            continue;
        }
        let model: Option<Vec<V>> =
            vars.iter().map(|var| V::from_model(&solver.value(&pool, *var).unwrap())).collect();
        match evaluate::term(&pool, term, &model.unwrap()) {
            Some(V::Bool(true)) => {
                assert_eq!(answer, Ok(Answer::Sat));
                right += watched.evaluated();
            }
            Some(_) => {
                assert!(matches!(answer, Err(Error::WrongModel { .. })), "{answer:?}");
                wrong += 1;
            }
            None => {}
        }
    }
    assert!(right > 100 && wrong > 5, "{right} {wrong}");
}

/// Mostly a second Z3 in this process, and sometimes one of its own, which takes longer to start.
fn z3_process_if(rng: &mut Rng) -> Box<dyn Solver> {
    if rng.u8(..20) == 0 { Box::new(z3_process()) } else { Box::new(Z3::new()) }
}
