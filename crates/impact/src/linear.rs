//! What terms say of numbers, as far as bounds can tell.
//!
//! A bit vector is taken for the number that it is with a sign; where a sum could leave the range of its sort, nothing is said
//! of it. A truth value is 0 or 1.

use std::cell::Cell;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use smt::{BinaryOp, Sort, SortId, Term, TermId, TermPool, UnaryOp};

use crate::zone::{NONE, Value, Zone, plus};

/// Terms that are nested deeper are not looked into, nor more parts of a term than this.
const MOST_NESTED: u32 = 24;
const MOST_PARTS: u32 = 2_000;

/// Terms whose symbols are numbers of a zone.
pub(crate) struct Scope<'a> {
    pool: &'a TermPool,
    numbers: &'a FxHashMap<TermId, usize>,
    /// How many parts of the term may still be looked at.
    left: Cell<u32>,
}

/// The range of a sort of numbers that fit: the bounds of what is negated, and of what is not.
pub(crate) fn range(pool: &TermPool, term: TermId) -> Option<(i128, i128)> {
    match pool.sort(pool.sort_of(term)) {
        Sort::Bool => Some((0, 1)),
        Sort::Int => Some((NONE, NONE)),
        Sort::Bv(width) if *width <= 64 => {
            let half = 1i128 << (width - 1);
            Some((half, half - 1))
        }
        _ => None,
    }
}

/// The number that a literal is.
pub(crate) fn literal(pool: &TermPool, term: TermId) -> Option<i128> {
    match pool.term(term) {
        Term::Bool(value) => Some(i128::from(*value)),
        Term::Int(value) => value.to_i64().map(i128::from),
        Term::Bv(width, value) if *width <= 64 => {
            let value = value.to_i128()?;
            Some(if value >> (width - 1) == 0 { value } else { value - (1i128 << width) })
        }
        _ => None,
    }
}

/// The literal of the sort of a term that is a number.
pub(crate) fn literal_like(pool: &mut TermPool, like: TermId, number: i128) -> TermId {
    match *pool.sort(pool.sort_of(like)) {
        Sort::Bool => pool.bool(number != 0),
        Sort::Bv(width) => {
            let unsigned = if number < 0 { number + (1i128 << width) } else { number };
            pool.bv(width, BigInt::from(unsigned))
        }
        _ => pool.int(BigInt::from(number)),
    }
}

impl<'a> Scope<'a> {
    pub(crate) fn new(pool: &'a TermPool, numbers: &'a FxHashMap<TermId, usize>) -> Self {
        Scope { pool, numbers, left: Cell::new(0) }
    }

    /// How much deeper a part of a term may be, if it may be looked at.
    fn deeper(&self, depth: u32) -> Option<u32> {
        self.left.set(self.left.get().checked_sub(1)?);
        depth.checked_sub(1)
    }

    /// What a term is.
    pub(crate) fn value(&self, zone: &Zone, term: TermId) -> Value {
        self.left.set(MOST_PARTS);
        self.nested(zone, term, MOST_NESTED)
    }

    fn nested(&self, zone: &Zone, term: TermId, depth: u32) -> Value {
        let (negated, most) = range(self.pool, term).unwrap_or((NONE, NONE));
        let any = Value::Between(negated, most);
        if let Some(&at) = self.numbers.get(&term) {
            return Value::Sum(at, 0);
        }
        if let Some(number) = literal(self.pool, term) {
            return Value::Sum(0, number);
        }
        let Some(depth) = self.deeper(depth) else { return any };
        let of = |term| self.nested(zone, term, depth);
        // Beyond the range of the sort it is something else.
        let fits = |value: Value| {
            let (lower, upper) = zone.between(value);
            if lower <= negated && upper <= most { value } else { any }
        };
        if self.pool.sort_of(term) == SortId::BOOL {
            let could_be = |value| self.learn(&mut zone.clone(), term, value, depth);
            return match (could_be(false), could_be(true)) {
                (true, false) => Value::Sum(0, 0),
                (false, true) => Value::Sum(0, 1),
                _ => any,
            };
        }
        match *self.pool.term(term) {
            Term::Binary(BinaryOp::Add | BinaryOp::BvAdd, a, b) => fits(add(zone, of(a), of(b))),
            Term::Binary(BinaryOp::Sub | BinaryOp::BvSub, a, b) => fits(subtract(zone, of(a), of(b))),
            Term::Binary(BinaryOp::BvAnd, a, b) => {
                let (a, b) = (zone.between(of(a)), zone.between(of(b)));
                let masks = [a, b].into_iter().filter(|(negated, _)| *negated <= 0).map(|(_, most)| most);
                masks.min().map_or(any, |most| Value::Between(0, most))
            }
            Term::Binary(BinaryOp::Mod | BinaryOp::BvUrem | BinaryOp::BvSrem, a, b) => {
                let (a, b) = (zone.between(of(a)), zone.between(of(b)));
                let positive = b.0 != NONE && b.0 < 0 && b.1 != NONE && a.0 <= 0;
                if positive { Value::Between(0, a.1.min(b.1 - 1)) } else { any }
            }
            Term::Unary(UnaryOp::ZeroExtend(_) | UnaryOp::BvToInt, a) => {
                let value = of(a);
                let bits = self.pool.width(a);
                let (negated, _) = zone.between(value);
                if negated <= 0 {
                    value
                } else if bits < 64 {
                    Value::Between(0, (1i128 << bits) - 1)
                } else {
                    any
                }
            }
            Term::Unary(UnaryOp::SignExtend(_) | UnaryOp::Extract { lo: 0, .. } | UnaryOp::IntToBv(_), a) => {
                fits(of(a))
            }
            Term::Ite(_, a, b) => {
                let (a, b) = (of(a), of(b));
                if a == b {
                    return a;
                }
                let (a, b) = (zone.between(a), zone.between(b));
                Value::Between(a.0.max(b.0), a.1.max(b.1))
            }
            _ => any,
        }
    }

    /// Learns that a formula holds, or that it does not. Whether that is possible, as far as bounds can tell.
    pub(crate) fn assume(&self, zone: &mut Zone, formula: TermId, holds: bool) -> bool {
        self.left.set(MOST_PARTS);
        self.learn(zone, formula, holds, MOST_NESTED)
    }

    fn learn(&self, zone: &mut Zone, formula: TermId, holds: bool, depth: u32) -> bool {
        let Some(depth) = self.deeper(depth) else { return true };
        if let Some(&at) = self.numbers.get(&formula) {
            return if holds { zone.require(0, at, -1) } else { zone.require(at, 0, 0) };
        }
        match self.pool.term(formula) {
            Term::Bool(value) => *value == holds,
            Term::Not(inner) => self.learn(zone, *inner, !holds, depth),
            Term::And(parts) if holds => parts.iter().all(|part| self.learn(zone, *part, true, depth)),
            Term::Or(parts) if !holds => parts.iter().all(|part| self.learn(zone, *part, false, depth)),
            Term::And(parts) | Term::Or(parts) => {
                let mut some: Option<Zone> = None;
                for part in parts {
                    let mut one = zone.clone();
                    if self.learn(&mut one, *part, holds, depth) {
                        match &mut some {
                            Some(some) => _ = some.join(&one, None),
                            None => some = Some(one),
                        }
                    }
                }
                some.map(|some| *zone = some).is_some()
            }
            Term::Binary(op, a, b) => self.compare(zone, *op, (*a, *b), holds, depth),
            _ => true,
        }
    }

    fn compare(
        &self,
        zone: &mut Zone,
        op: BinaryOp,
        (a, b): (TermId, TermId),
        holds: bool,
        depth: u32,
    ) -> bool {
        if range(self.pool, a).is_none() {
            return true;
        }
        let (x, y) = (self.nested(zone, a, depth), self.nested(zone, b, depth));
        match (op, holds) {
            (BinaryOp::Eq, true) => at_most(zone, x, y, 0) && at_most(zone, y, x, 0),
            (BinaryOp::Eq, false) => match (x, y) {
                (Value::Sum(i, c), Value::Sum(j, d)) => zone.differ(i, j, d - c),
                _ => true,
            },
            (BinaryOp::Lt | BinaryOp::BvSlt, true) => at_most(zone, x, y, -1),
            (BinaryOp::Le | BinaryOp::BvSle, true) => at_most(zone, x, y, 0),
            (BinaryOp::Lt | BinaryOp::BvSlt, false) => at_most(zone, y, x, 0),
            (BinaryOp::Le | BinaryOp::BvSle, false) => at_most(zone, y, x, -1),
            (BinaryOp::BvUlt | BinaryOp::BvUle, _) => {
                let less = op == BinaryOp::BvUlt;
                let (small, large, by) = match (holds, less) {
                    (true, true) => (x, y, -1),
                    (true, false) => (x, y, 0),
                    (false, true) => (y, x, 0),
                    (false, false) => (y, x, -1),
                };
                // What is below a number that is not negative is not negative.
                if zone.between(large).0 > 0 {
                    return true;
                }
                at_most(zone, Value::Sum(0, 0), small, 0) && at_most(zone, small, large, by)
            }
            _ => true,
        }
    }
}

/// Learns that a value is at most another one plus something.
fn at_most(zone: &mut Zone, x: Value, y: Value, by: i128) -> bool {
    match (x, y) {
        (Value::Sum(i, c), Value::Sum(j, d)) => zone.require(i, j, d - c + by),
        (Value::Sum(i, c), Value::Between(_, most)) if most != NONE => zone.require(i, 0, most - c + by),
        (Value::Between(negated, _), Value::Sum(j, d)) if negated != NONE => {
            zone.require(0, j, negated + d + by)
        }
        (Value::Between(negated, _), Value::Between(_, most)) if negated != NONE && most != NONE => {
            -negated <= most + by
        }
        _ => true,
    }
}

fn add(zone: &Zone, x: Value, y: Value) -> Value {
    match (x, y) {
        (Value::Sum(i, c), Value::Sum(0, d)) | (Value::Sum(0, d), Value::Sum(i, c)) => Value::Sum(i, c + d),
        _ => {
            let (x, y) = (zone.between(x), zone.between(y));
            Value::Between(plus(x.0, y.0), plus(x.1, y.1))
        }
    }
}

fn subtract(zone: &Zone, x: Value, y: Value) -> Value {
    match (x, y) {
        (Value::Sum(i, c), Value::Sum(0, d)) => Value::Sum(i, c - d),
        (Value::Sum(i, c), Value::Sum(j, d)) => {
            Value::Between(plus(zone.bound(j, i), d - c), plus(zone.bound(i, j), c - d))
        }
        _ => {
            let (x, y) = (zone.between(x), zone.between(y));
            Value::Between(plus(x.0, y.1), plus(x.1, y.0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pool with one bit vector of 32 bits, which is number 1 of a zone that knows its range.
    fn one() -> (TermPool, TermId, Zone) {
        let mut pool = TermPool::default();
        let sort = pool.bv_sort(32);
        let x = pool.constant("x", sort);
        let (negated, most) = range(&pool, x).expect("has a range");
        (pool, x, Zone::new(1).of_values(&[Value::Sum(0, 0), Value::Between(negated, most)]))
    }

    #[test]
    fn a_sum_that_may_overflow_is_anything() {
        let (mut pool, x, mut zone) = one();
        let one = pool.bv(32, 1);
        let sum = pool.binary(BinaryOp::BvAdd, x, one);
        let numbers = FxHashMap::from_iter([(x, 1)]);
        let scope = Scope::new(&pool, &numbers);
        assert_eq!(scope.value(&zone, sum), Value::Between(1 << 31, (1 << 31) - 1));
        assert!(zone.require(1, 0, 1000));
        assert_eq!(scope.value(&zone, sum), Value::Sum(1, 1));
    }

    #[test]
    fn what_is_below_a_bound_without_signs_is_not_negative() {
        let (mut pool, x, mut zone) = one();
        let bound = pool.bv(32, 1000);
        let below = pool.binary(BinaryOp::BvUlt, x, bound);
        let different = pool.ne(x, bound);
        let numbers = FxHashMap::from_iter([(x, 1)]);
        let scope = Scope::new(&pool, &numbers);
        let mut other = zone.clone();
        assert!(scope.assume(&mut other, below, false) && other == zone, "it may be negative");
        assert!(scope.assume(&mut zone, below, true));
        assert_eq!((zone.bound(0, 1), zone.bound(1, 0)), (0, 999));
        assert!(scope.assume(&mut zone, different, true) && !scope.assume(&mut zone, different, false));
    }

    #[test]
    fn truth_values_follow_from_bounds() {
        let (mut pool, x, mut zone) = one();
        let bound = pool.bv(32, 1000);
        let is = pool.eq(x, bound);
        let numbers = FxHashMap::from_iter([(x, 1)]);
        let scope = Scope::new(&pool, &numbers);
        assert_eq!(scope.value(&zone, is), Value::Between(0, 1));
        assert!(zone.require(1, 0, 999));
        assert_eq!(scope.value(&zone, is), Value::Sum(0, 0));
    }
}
