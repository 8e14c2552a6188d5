//! Simplification keeps the meaning.

use fastrand::Rng;
use smt::{SortId, Term, TermPool};

use crate::evaluate::{self, V};
use crate::random_term::{Graph, Kind, assignment, var};

#[test]
fn random_terms_mean_what_they_were_built_from() {
    let mut rng = Rng::with_seed(1);
    let mut compared = 0;
    for _ in 0..20_000 {
        let mut pool = TermPool::default();
        let kind = [Kind::Bool, Kind::Int, Kind::Bv(4), Kind::Bv(8), Kind::Array][rng.usize(..5)];
        let size = rng.usize(1..40);
        let graph = Graph::new(&mut rng, size, kind, false);
        let term = graph.build(&mut pool);
        for _ in 0..4 {
            let vars = assignment(&mut rng);
            // Where the graph has no value, neither the term nor its simplification has one that can be wrong.
            if let Some(expected) = graph.evaluate(&vars) {
                let actual = evaluate::term(&pool, term, &vars);
                assert_eq!(actual, Some(expected), "{} under {vars:?}", smt::term_to_string(&pool, term));
                compared += 1;
            }
        }
    }
    assert!(compared > 50_000, "only {compared} comparisons");
}

#[test]
fn substituting_values_folds_to_the_value() {
    let mut rng = Rng::with_seed(2);
    for _ in 0..5_000 {
        let mut pool = TermPool::default();
        let graph = Graph::new(&mut rng, 20, Kind::Bool, false);
        let term = graph.build(&mut pool);
        let vars = assignment(&mut rng);
        let Some(expected) = graph.evaluate(&vars) else { continue };
        let folded = pool.rewrite(term, |pool, leaf| match pool.term(leaf) {
            Term::Apply(function, _) => {
                let index: usize = pool.signature(*function).name[1..].parse().unwrap();
                vars[index].term(pool)
            }
            _ => leaf,
        });
        // Arrays are compared only by solvers, so a comparison of two of them may remain.
        if let Some(value) = pool.as_bool(folded) {
            assert_eq!(V::Bool(value), expected);
        }
        assert_eq!(evaluate::term(&pool, folded, &vars), Some(expected));
    }
}

#[test]
fn the_rules_that_engines_rely_on() {
    let mut pool = TermPool::default();
    let (yes, no) = (pool.bool(true), pool.bool(false));
    let (p, q, x) = (var(&mut pool, 0), var(&mut pool, 1), var(&mut pool, 2));
    let not_p = pool.not(p);
    assert_eq!(pool.not(not_p), p);
    assert_eq!(pool.and([p, yes, p]), p);
    assert_eq!(pool.and([p, q, not_p]), no);
    assert_eq!(pool.and([not_p, q, p]), no);
    assert_eq!(pool.or([p, q, not_p]), yes);
    assert_eq!(pool.and([]), yes);
    let nested = pool.and([p, q]);
    assert_eq!(pool.and([nested, p]), nested);
    assert_eq!(pool.ite(p, yes, no), p);
    assert_eq!(pool.ite(not_p, q, q), q);
    assert_eq!(pool.implies(p, p), yes);

    let (one, two) = (pool.int(1), pool.int(2));
    let x1 = pool.add(x, one);
    let x3 = pool.add(x1, two);
    assert_eq!(pool.sub(x3, two), x1);
    assert_eq!(pool.eq(x1, x3), no);
    assert_eq!(pool.lt(x1, x3), yes);

    let a = var(&mut pool, 8);
    let stored = pool.store(a, x1, one);
    let stored = pool.store(stored, x3, two);
    assert_eq!(pool.select(stored, x1), one);
    assert_eq!(pool.select(stored, x), pool.select(a, x));
    let read = pool.select(a, x);
    assert_eq!(pool.store(a, x, read), a);

    let matrix = pool.array_sort(&[SortId::INT, SortId::INT], SortId::BOOL);
    let matrix = pool.constant("matrix", matrix);
    let set = pool.store_at(matrix, &[one, two], p);
    assert_eq!(pool.select_at(set, &[one, two]), p);
    let (left, right) = (pool.select_at(set, &[one, one]), pool.select_at(matrix, &[one, one]));
    assert_eq!(left, right);
}

#[test]
fn division_by_zero_is_not_folded() {
    let mut pool = TermPool::default();
    let (zero, five) = (pool.int(0), pool.int(5));
    let quotient = pool.binary(smt::BinaryOp::Div, five, zero);
    assert!(matches!(pool.term(quotient), Term::Binary(..)));
}
