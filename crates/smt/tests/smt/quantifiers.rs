//! Quantifiers, triggers and lambdas, in-process and as text.

use std::time::Duration;

use fastrand::Rng;
use smt::{Answer, BoundVar, Limits, Quantifier, Solver, SortId, TermPool, Z3};

use crate::process::z3_process;
use crate::random_term::{Graph, Kind, var};

fn both(check: impl Fn(&mut dyn Solver)) {
    check(&mut Z3::new());
    check(&mut z3_process());
}

#[test]
fn an_axiom_is_used() {
    let mut pool = TermPool::default();
    let f = pool.function("f", &[SortId::INT], SortId::INT);
    let var = BoundVar { level: 0, sort: SortId::INT };
    let x = pool.bound(0, SortId::INT);
    let fx = pool.apply(f, &[x]);
    let grows = pool.lt(x, fx);
    // The second trigger mentions no variable and is dropped.
    let c = pool.int(3);
    let fc = pool.apply(f, &[c]);
    let axiom = pool.quantified(Quantifier::Forall, vec![var], grows, vec![vec![fx], vec![fc]]);
    assert!(!pool.is_open(axiom) && pool.is_open(grows));
    let ffc = pool.apply(f, &[fc]);
    let broken = pool.le(ffc, c);
    both(|solver| {
        solver.assert(&pool, axiom);
        assert_eq!(solver.check_sat(&pool, &[broken]), Ok(Answer::Unsat));
        assert_eq!(solver.unsat_core(&pool), Ok(vec![broken]));
    });
}

#[test]
fn an_inner_variable_hides_an_outer_one() {
    // forall x. (x = x + 0 and g(x)) => exists x. g(x), with g(x) shared by both scopes.
    let mut pool = TermPool::default();
    let g = pool.function("g", &[SortId::INT], SortId::BOOL);
    let var = BoundVar { level: 0, sort: SortId::INT };
    let x = pool.bound(0, SortId::INT);
    let five = pool.int(5);
    let gx = pool.apply(g, &[x]);
    let big = pool.lt(five, x);
    let both_hold = pool.and([gx, big]);
    let inner = pool.quantified(Quantifier::Exists, vec![var], both_hold, vec![]);
    let again = pool.or([both_hold, inner]);
    let same = pool.eq(again, both_hold);
    let outer = pool.quantified(Quantifier::Forall, vec![var], same, vec![vec![gx]]);
    // For x = 0 the right side is false, so nothing above 5 may satisfy g.
    let six = pool.int(6);
    let g6 = pool.apply(g, &[six]);
    both(|solver| {
        solver.assert(&pool, outer);
        assert_eq!(solver.check_sat(&pool, &[g6]), Ok(Answer::Unsat));
    });
}

#[test]
fn a_lambda_is_an_array() {
    let mut pool = TermPool::default();
    let vars: Vec<BoundVar> = (0..2).map(|level| BoundVar { level, sort: SortId::INT }).collect();
    let (x, y) = (pool.bound(0, SortId::INT), pool.bound(1, SortId::INT));
    let difference = pool.sub(x, y);
    let lambda = pool.quantified(Quantifier::Lambda, vars, difference, vec![]);
    let (seven, four, three) = (pool.int(7), pool.int(4), pool.int(3));
    let cell = pool.select_at(lambda, &[seven, four]);
    let right = pool.eq(cell, three);
    let wrong = pool.not(right);
    both(|solver| {
        assert_eq!(solver.check_sat(&pool, &[wrong]), Ok(Answer::Unsat));
        assert_eq!(solver.check_sat(&pool, &[right]), Ok(Answer::Sat));
    });
}

#[test]
fn random_quantified_formulas_mean_the_same_as_text() {
    let mut rng = Rng::with_seed(5);
    let mut pool = TermPool::default();
    let (mut in_process, mut process) = (Z3::new(), z3_process());
    let limits = Limits { time: Some(Duration::from_secs(2)), ..Limits::default() };
    in_process.set_limits(limits.clone());
    process.set_limits(limits);
    let mut decided = 0;
    for _ in 0..60 {
        let mut term = Graph::new(&mut rng, 12, Kind::Bool, true).build(&mut pool);
        // Twice the same variables, so that inner ones hide outer ones; in between, more is said of the outer ones.
        for round in 0..2 {
            let more = Graph::new(&mut rng, 8, Kind::Bool, true).build(&mut pool);
            term = if round == 0 { pool.eq(term, more) } else { pool.or([term, more]) };
            let mut vars = Vec::new();
            for (level, index) in [(0, 0), (1, 5), (2, 6)] {
                let hidden = var(&mut pool, index);
                let bound = BoundVar { level, sort: pool.sort_of(hidden) };
                let name = pool.bound(level, bound.sort);
                term = pool.rewrite(term, |_, leaf| if leaf == hidden { name } else { leaf });
                vars.push(bound);
            }
            let kind = if rng.bool() { Quantifier::Forall } else { Quantifier::Exists };
            term = pool.quantified(kind, vars, term, Vec::new());
        }
        let mut answers = Vec::new();
        for solver in [&mut in_process as &mut dyn Solver, &mut process] {
            solver.push();
            solver.assert(&pool, term);
            answers.push(solver.check_sat(&pool, &[]).unwrap());
            solver.pop(1);
        }
        if !answers.iter().any(|answer| matches!(answer, Answer::Unknown(_))) {
            assert_eq!(answers[0], answers[1], "{}", smt::term_to_string(&pool, term));
            decided += 1;
        }
    }
    assert!(decided > 20, "only {decided} decided");
}

#[test]
#[should_panic(expected = "a variable that nothing binds")]
fn an_open_formula_cannot_be_asserted() {
    let mut pool = TermPool::default();
    let p = pool.bound(0, SortId::BOOL);
    Z3::new().assert(&pool, p);
}
