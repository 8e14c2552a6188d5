//! Z3 agrees with the evaluator: on values, on models, on cores.

use fastrand::Rng;
use smt::{Answer, Solver, TermPool, Value, Z3};

use crate::evaluate::{self, V};
use crate::random_term::{Graph, Kind, VARS, assignment, var};

#[test]
fn terms_have_the_values_that_evaluation_gives() {
    let mut rng = Rng::with_seed(3);
    let mut pool = TermPool::default();
    let mut z3 = Z3::new();
    for _ in 0..400 {
        let kind = [Kind::Bool, Kind::Int, Kind::Bv(4), Kind::Bv(8), Kind::Array][rng.usize(..5)];
        let graph = Graph::new(&mut rng, 15, kind, false);
        let vars = assignment(&mut rng);
        let Some(expected) = graph.evaluate(&vars) else { continue };
        let term = graph.build(&mut pool);
        z3.push();
        for (index, value) in vars.iter().enumerate() {
            let (var, value) = (var(&mut pool, index), value.term(&mut pool));
            let equal = pool.eq(var, value);
            z3.assert(&pool, equal);
        }
        let value = expected.term(&mut pool);
        let equal = pool.eq(term, value);
        let differs = pool.not(equal);
        assert_eq!(
            z3.check_sat(&pool, &[differs]),
            Ok(Answer::Unsat),
            "{}",
            smt::term_to_string(&pool, term)
        );
        assert_eq!(z3.check_sat(&pool, &[equal]), Ok(Answer::Sat));
        assert_eq!(z3.value(&pool, term).ok().as_ref().and_then(V::from_model), Some(expected));
        z3.pop(1);
    }
}

#[test]
fn models_satisfy() {
    let mut rng = Rng::with_seed(4);
    let mut checked = 0;
    for _ in 0..300 {
        let mut pool = TermPool::default();
        let mut z3 = Z3::new();
        let term = Graph::new(&mut rng, 12, Kind::Bool, true).build(&mut pool);
        z3.assert(&pool, term);
        if z3.check_sat(&pool, &[]) == Ok(Answer::Sat) {
            assert_eq!(z3.value(&pool, term), Ok(Value::Bool(true)));
            let model: Option<Vec<V>> = (0..VARS.len())
                .map(|index| {
                    let var = var(&mut pool, index);
                    V::from_model(&z3.value(&pool, var).unwrap())
                })
                .collect();
            assert_eq!(evaluate::term(&pool, term, &model.unwrap()), Some(V::Bool(true)));
            checked += 1;
        }
    }
    assert!(checked > 50, "only {checked} models");
}

#[test]
fn big_numbers_and_wide_vectors_survive() {
    let mut pool = TermPool::default();
    let mut z3 = Z3::new();
    let big: num_bigint::BigInt = "-123456789012345678901234567890".parse().unwrap();
    let x = var(&mut pool, 2);
    let number = pool.int(big.clone());
    let equal = pool.eq(x, number);
    z3.assert(&pool, equal);
    let wide = pool.bv_sort(100);
    let wide = pool.constant("wide", wide);
    let ones = pool.bv(100, -1);
    let equal = pool.eq(wide, ones);
    z3.assert(&pool, equal);
    assert_eq!(z3.check_sat(&pool, &[]), Ok(Answer::Sat));
    assert_eq!(z3.value(&pool, x), Ok(Value::Int(big)));
    let expected = (num_bigint::BigInt::from(1) << 100) - 1;
    assert_eq!(z3.value(&pool, wide), Ok(Value::Bv(100, expected)));
}

#[test]
fn uninterpreted_elements_differ_by_name() {
    let mut pool = TermPool::default();
    let mut z3 = Z3::new();
    let sort = pool.uninterpreted_sort("My Sort");
    let [a, b, c] = ["a", "b", "c"].map(|name| pool.constant(name, sort));
    let differ = pool.ne(a, b);
    let same = pool.eq(b, c);
    z3.assert(&pool, differ);
    z3.assert(&pool, same);
    assert_eq!(z3.check_sat(&pool, &[]), Ok(Answer::Sat));
    let [a, b, c] = [a, b, c].map(|term| z3.value(&pool, term).unwrap());
    assert_ne!(a, b);
    assert_eq!(b, c);
}

#[test]
fn there_is_nothing_to_show_without_a_query() {
    let mut pool = TermPool::default();
    let mut z3 = Z3::new();
    let p = var(&mut pool, 0);
    assert!(z3.value(&pool, p).is_err());
    assert!(z3.unsat_core(&pool).is_err());
    assert_eq!(z3.check_sat(&pool, &[]), Ok(Answer::Sat));
    assert!(z3.unsat_core(&pool).is_err());
    z3.assert(&pool, p);
    assert!(z3.value(&pool, p).is_err());
}
