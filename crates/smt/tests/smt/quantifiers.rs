//! Quantifiers, triggers and lambdas, in-process and as text.

use smt::{Answer, BoundVar, Quantifier, Solver, SortId, TermPool, Z3};

use crate::process::z3_process;

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
