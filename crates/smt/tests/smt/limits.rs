//! Time and memory that run out are answers. The memory of Z3 in-process has a test of its own, `tests/memory.rs`: its
//! limit holds for all solvers of a process.

use std::time::Duration;

use smt::{Answer, BinaryOp, Limits, Reason, Solver, TermId, TermPool, Z3};

use crate::process::z3_process;

/// Factoring a product of two primes: far beyond a second, and hungry.
fn hard(pool: &mut TermPool) -> Vec<TermId> {
    let width = 96;
    let sort = pool.bv_sort(width);
    let (a, b) = (pool.constant("a", sort), pool.constant("b", sort));
    let product = pool.binary(BinaryOp::BvMul, a, b);
    let number = pool.bv(width, 170_141_183_460_469_231_731_687_303_715_i128 * 3 + 2);
    let one = pool.bv(width, 1);
    let half = pool.bv(width, 1_i128 << 48);
    let equal = pool.eq(product, number);
    let mut terms = vec![equal];
    for factor in [a, b] {
        terms.push(pool.binary(BinaryOp::BvUlt, one, factor));
        terms.push(pool.binary(BinaryOp::BvUlt, factor, half));
    }
    terms
}

fn run(solver: &mut dyn Solver, limits: Limits) -> Answer {
    let mut pool = TermPool::default();
    solver.set_limits(limits);
    solver.push();
    for term in hard(&mut pool) {
        solver.assert(&pool, term);
    }
    let answer = solver.check_sat(&pool, &[]).unwrap();
    solver.pop(1);
    // It works on afterwards.
    solver.set_limits(Limits::default());
    assert_eq!(solver.check_sat(&pool, &[]), Ok(Answer::Sat));
    answer
}

#[test]
fn time() {
    let limits = || Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
    assert_eq!(run(&mut Z3::new(), limits()), Answer::Unknown(Reason::Timeout));
    assert_eq!(run(&mut z3_process(), limits()), Answer::Unknown(Reason::Timeout));
}

#[test]
fn memory_of_a_process() {
    let mut pool = TermPool::default();
    let sort = pool.bv_sort(2000);
    let (a, b, c) = (pool.constant("a", sort), pool.constant("b", sort), pool.constant("c", sort));
    let product = pool.binary(BinaryOp::BvMul, a, b);
    let hungry = pool.eq(product, c);
    let mut solver = z3_process();
    solver.push();
    solver.assert(&pool, hungry);
    solver.set_limits(Limits { memory: Some(300 << 20), ..Limits::default() });
    assert_eq!(solver.check_sat(&pool, &[]), Ok(Answer::Unknown(Reason::Memory)));
    solver.pop(1);
    solver.set_limits(Limits::default());
    assert_eq!(solver.check_sat(&pool, &[]), Ok(Answer::Sat));
}
