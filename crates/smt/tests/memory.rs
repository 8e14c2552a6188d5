//! Z3 in-process stops at its memory limit. The limit holds for all of Z3 in a process, so this test is alone in its own.

use smt::{Answer, BinaryOp, Limits, Reason, Solver, TermPool, Z3};

#[test]
fn memory_that_runs_out_is_an_answer() {
    let mut pool = TermPool::default();
    let sort = pool.bv_sort(2000);
    let (a, b, c) = (pool.constant("a", sort), pool.constant("b", sort), pool.constant("c", sort));
    let product = pool.binary(BinaryOp::BvMul, a, b);
    let hungry = pool.eq(product, c);
    let mut z3 = Z3::new();
    z3.push();
    z3.assert(&pool, hungry);
    z3.set_limits(Limits { memory: Some(200 << 20), ..Limits::default() });
    assert_eq!(z3.check_sat(&pool, &[]), Ok(Answer::Unknown(Reason::Memory)));
    z3.pop(1);
    z3.set_limits(Limits::default());
    assert_eq!(z3.check_sat(&pool, &[]), Ok(Answer::Sat));
}
