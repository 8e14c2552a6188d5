//! Somebody else can stop a query.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use smt::{Answer, BinaryOp, Limits, Reason, Solver, TermPool, Z3};

use crate::process::z3_process;

fn cancelled(solver: &mut dyn Solver) {
    let mut pool = TermPool::default();
    let sort = pool.bv_sort(96);
    let (a, b) = (pool.constant("a", sort), pool.constant("b", sort));
    let (one, number) = (pool.bv(96, 1), pool.bv(96, 510_423_550_381_407_695_195_061_911_147_i128));
    let product = pool.binary(BinaryOp::BvMul, a, b);
    let equal = pool.eq(product, number);
    let (above_a, above_b) = (pool.binary(BinaryOp::BvUlt, one, a), pool.binary(BinaryOp::BvUlt, one, b));
    let root = pool.bv(96, 1_i128 << 49);
    let below = [pool.binary(BinaryOp::BvUlt, a, root), pool.binary(BinaryOp::BvUlt, b, root)];
    solver.push();
    for term in [equal, above_a, above_b].into_iter().chain(below) {
        solver.assert(&pool, term);
    }
    let cancel = Arc::new(AtomicBool::new(false));
    solver.set_limits(Limits { cancel: Some(Arc::clone(&cancel)), ..Limits::default() });
    let setter = {
        let cancel = Arc::clone(&cancel);
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(200));
            cancel.store(true, Ordering::Relaxed);
        })
    };
    assert_eq!(solver.check_sat(&pool, &[]), Ok(Answer::Unknown(Reason::Cancelled)));
    setter.join().unwrap();
    // It works on afterwards.
    cancel.store(false, Ordering::Relaxed);
    solver.pop(1);
    assert_eq!(solver.check_sat(&pool, &[above_a]), Ok(Answer::Sat));
}

#[test]
fn in_process() {
    cancelled(&mut Z3::new());
}

#[test]
fn as_a_process() {
    cancelled(&mut z3_process());
}
