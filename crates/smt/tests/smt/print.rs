//! Text of terms.

use fastrand::Rng;
use smt::{Answer, BoundVar, Quantifier, Solver, SortId, TermPool, script, term_to_string};

use crate::process::z3_process;
use crate::random_term::{Graph, Kind, var};

#[test]
fn shared_parts_are_named_once() {
    let mut pool = TermPool::default();
    let (x, y) = (var(&mut pool, 2), var(&mut pool, 3));
    let sum = pool.add(x, y);
    let square = pool.mul(sum, sum);
    assert_eq!(term_to_string(&pool, square), "(let ((?2 (+ v2 v3))) (* ?2 ?2))");
    let mut power = square;
    for _ in 0..60 {
        power = pool.mul(power, power);
    }
    assert!(term_to_string(&pool, power).len() < 5_000);
}

#[test]
fn bodies_of_quantifiers_share_too() {
    let mut pool = TermPool::default();
    let f = pool.function("f", &[SortId::INT], SortId::INT);
    let x = pool.bound(0, SortId::INT);
    let fx = pool.apply(f, &[x]);
    let double = pool.add(fx, fx);
    let zero = pool.int(0);
    let body = pool.le(zero, double);
    let vars = vec![BoundVar { level: 0, sort: SortId::INT }];
    let all = pool.quantified(Quantifier::Forall, vars, body, vec![vec![fx]]);
    assert_eq!(
        term_to_string(&pool, all),
        "(forall ((?b0.1 Int)) (! (let ((?1 (f ?b0.1))) (<= 0 (+ ?1 ?1))) :pattern ((f ?b0.1))))"
    );
}

#[test]
fn a_script_is_complete() {
    let mut pool = TermPool::default();
    let sort = pool.uninterpreted_sort("S");
    let (a, b) = (pool.constant("a", sort), pool.constant("b c", sort));
    let equal = pool.eq(a, b);
    let p = var(&mut pool, 0);
    let text = script(&pool, [equal], &[p], Some("sat"));
    assert_eq!(
        text,
        "(set-info :status sat)\n(set-option :produce-models true)\n\
         (set-option :produce-unsat-assumptions true)\n(set-logic ALL)\n(declare-sort S 0)\n\
         (declare-fun a () S)\n(declare-fun |b c| () S)\n(assert (= a |b c|))\n(declare-fun v0 () Bool)\n\
         (declare-fun ?a3 () Bool)\n(assert (=> ?a3 v0))\n(check-sat-assuming (?a3))\n"
    );
}

#[test]
fn a_solver_reads_lets_as_they_are_meant() {
    // The definitions of a script against the lets of the same term: `get-value` prints with lets.
    let mut rng = Rng::with_seed(7);
    let mut pool = TermPool::default();
    let mut solver = z3_process();
    for _ in 0..40 {
        let term = Graph::new(&mut rng, 25, Kind::Bool, true).build(&mut pool);
        solver.push();
        solver.assert(&pool, term);
        if solver.check_sat(&pool, &[]) == Ok(Answer::Sat) {
            assert_eq!(solver.value(&pool, term), Ok(smt::Value::Bool(true)));
        }
        solver.pop(1);
    }
}
