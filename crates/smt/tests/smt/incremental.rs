//! Solvers that push and pop agree with solvers that start from scratch.

use fastrand::Rng;
use smt::{Answer, Cached, Solver, TermId, TermPool, Value, Z3};

use crate::process::z3_process;
use crate::random_term::{Graph, Kind};

/// Runs a random sequence of calls, comparing each answer, core and model with a new solver's.
fn random_sequence(seed: u64, pool: &mut TermPool, solver: &mut dyn Solver) {
    let mut rng = Rng::with_seed(seed);
    let mut levels: Vec<Vec<TermId>> = vec![Vec::new()];
    solver.push();
    for _ in 0..60 {
        let formula = |rng: &mut Rng, pool: &mut TermPool| Graph::new(rng, 6, Kind::Bool, true).build(pool);
        match rng.u8(..10) {
            0 | 1 => {
                solver.push();
                levels.push(Vec::new());
            }
            2 if levels.len() > 1 => {
                let count = rng.usize(1..levels.len());
                solver.pop(count);
                levels.truncate(levels.len() - count);
            }
            3..=6 => {
                let term = formula(&mut rng, pool);
                solver.assert(pool, term);
                levels.last_mut().unwrap().push(term);
            }
            _ => {
                let assumptions: Vec<TermId> = (0..rng.usize(..4)).map(|_| formula(&mut rng, pool)).collect();
                let asserted: Vec<TermId> = levels.iter().flatten().copied().collect();
                compare(solver, pool, &asserted, &assumptions);
            }
        }
    }
    solver.pop(levels.len());
}

fn from_scratch(pool: &TermPool, terms: impl IntoIterator<Item = TermId>) -> Answer {
    let mut z3 = Z3::new();
    for term in terms {
        z3.assert(pool, term);
    }
    z3.check_sat(pool, &[]).unwrap()
}

fn compare(solver: &mut dyn Solver, pool: &TermPool, asserted: &[TermId], assumptions: &[TermId]) {
    let all = || asserted.iter().chain(assumptions).copied();
    let answer = solver.check_sat(pool, assumptions).unwrap();
    assert_eq!(answer, from_scratch(pool, all()), "{}", smt::script(pool, all(), &[], None));
    match answer {
        Answer::Sat => {
            for term in all() {
                assert_eq!(solver.value(pool, term), Ok(Value::Bool(true)));
            }
        }
        Answer::Unsat => {
            let core = solver.unsat_core(pool).unwrap();
            assert!(core.iter().all(|term| assumptions.contains(term)));
            let terms = asserted.iter().chain(&core).copied();
            assert_eq!(from_scratch(pool, terms), Answer::Unsat);
        }
        Answer::Unknown(reason) => panic!("{reason}"),
    }
}

#[test]
fn z3_in_process() {
    for seed in 0..30 {
        random_sequence(seed, &mut TermPool::default(), &mut Z3::new());
    }
}

#[test]
fn z3_as_a_process() {
    for seed in 100..106 {
        random_sequence(seed, &mut TermPool::default(), &mut z3_process());
    }
}

#[test]
fn one_solver_for_many_sequences() {
    let (mut pool, mut z3) = (TermPool::default(), Z3::new());
    for seed in 150..160 {
        random_sequence(seed, &mut pool, &mut z3);
    }
}

#[test]
fn cached() {
    let (mut pool, mut solver) = (TermPool::default(), Cached::new(Z3::new()));
    for seed in 200..210 {
        random_sequence(seed, &mut pool, &mut solver);
        let hits = solver.hits();
        // The second time, the cache knows all answers.
        random_sequence(seed, &mut pool, &mut solver);
        assert!(solver.hits() > hits);
    }
}

#[test]
fn what_is_popped_is_declared_again() {
    let mut pool = TermPool::default();
    let sort = pool.uninterpreted_sort("S");
    let f = pool.function("f", &[sort], smt::SortId::INT);
    let a = pool.constant("a", sort);
    let fa = pool.apply(f, &[a]);
    let five = pool.int(5);
    let is_five = pool.eq(fa, five);
    let not_five = pool.not(is_five);
    for solver in [&mut Z3::new() as &mut dyn Solver, &mut z3_process()] {
        assert_eq!(solver.check_sat(&pool, &[]), Ok(Answer::Sat));
        for _ in 0..3 {
            solver.push();
            solver.assert(&pool, is_five);
            assert_eq!(solver.check_sat(&pool, &[]), Ok(Answer::Sat));
            assert_eq!(solver.value(&pool, fa), Ok(Value::Int(5.into())));
            assert_eq!(solver.check_sat(&pool, &[not_five]), Ok(Answer::Unsat));
            assert_eq!(solver.unsat_core(&pool), Ok(vec![not_five]));
            solver.pop(1);
            assert_eq!(solver.check_sat(&pool, &[not_five]), Ok(Answer::Sat));
        }
    }
}
