//! Chains of 200,000 terms.

use smt::{Answer, BinaryOp, SmtLib, Solver, SortId, Term, TermId, TermPool, Z3};

use crate::process::z3_process;

const LENGTH: u32 = 200_000;

/// `f(f(...f(x)))`, which no rule shortens.
fn chain(pool: &mut TermPool) -> (TermId, TermId) {
    let f = pool.function("f", &[SortId::INT], SortId::INT);
    let x = pool.constant("x", SortId::INT);
    let mut term = x;
    for _ in 0..LENGTH {
        term = pool.apply(f, &[term]);
    }
    (x, term)
}

#[test]
fn every_connective_and_operator_can_be_chained() {
    let mut pool = TermPool::default();
    let x = pool.constant("x", SortId::INT);
    let y = pool.constant("y", SortId::INT);
    let array = pool.array_sort(&[SortId::INT], SortId::INT);
    let mut array = pool.constant("a", array);
    let (mut sum, mut all, mut choice) = (x, pool.bool(true), x);
    for i in 0..LENGTH {
        sum = pool.add(sum, y);
        let p = pool.constant(&format!("p{i}"), SortId::BOOL);
        all = pool.and([all, p]);
        let number = pool.int(i);
        choice = pool.ite(p, number, choice);
        array = pool.store(array, number, y);
    }
    let read = pool.select(array, x);
    for root in [sum, all, choice, read] {
        assert!(smt::term_to_string(&pool, root).len() > LENGTH as usize);
    }
    let zero = pool.int(0);
    let small = pool.rewrite(sum, |_, leaf| if leaf == y { zero } else { leaf });
    assert_eq!(small, x);
    assert!(pool.free_variables(read).is_empty());
}

#[test]
fn one_long_conjunction() {
    let mut pool = TermPool::default();
    let ps: Vec<TermId> = (0..LENGTH).map(|i| pool.constant(&format!("p{i}"), SortId::BOOL)).collect();
    let all = pool.and(ps.iter().copied());
    assert!(matches!(pool.term(all), Term::And(args) if args.len() == ps.len()));
    let mut z3 = Z3::new();
    z3.assert(&pool, all);
    let not_last = pool.not(ps[ps.len() - 1]);
    assert_eq!(z3.check_sat(&pool, &[not_last]), Ok(Answer::Unsat));
}

#[test]
fn z3_takes_a_deep_term() {
    let mut pool = TermPool::default();
    let (x, term) = chain(&mut pool);
    let mut z3 = Z3::new();
    let zero = pool.int(0);
    let is_zero = pool.eq(term, zero);
    z3.assert(&pool, is_zero);
    assert_eq!(z3.check_sat(&pool, &[]), Ok(Answer::Sat));
    assert!(z3.value(&pool, x).is_ok());
}

#[test]
fn a_process_takes_a_deep_term() {
    let mut pool = TermPool::default();
    let mut sum = pool.constant("x", SortId::BOOL);
    for i in 0..LENGTH / 10 {
        let p = pool.constant(&format!("p{}", i % 7), SortId::BOOL);
        sum = pool.binary(BinaryOp::Eq, sum, p);
    }
    let mut solver: SmtLib = z3_process();
    solver.assert(&pool, sum);
    assert_eq!(solver.check_sat(&pool, &[]), Ok(Answer::Sat));
}
