//! Integers that are one of a few known numbers.
//!
//! A sequentialized program counts rounds, delays and tasks, and nearly all of its conditions are about these counts. So
//! for a term that is one of a few numbers it is remembered under which condition it is which. Comparisons of such
//! terms are then plain propositional formulas, and the solver need not do arithmetic. The conditions exclude each other
//! and one of them holds, at least on every way that a run can take.

use std::rc::Rc;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use smt::{BinaryOp, SortId, Term, TermId, TermPool};

/// More numbers than this are left to arithmetic.
const MOST: usize = 12;

/// A number, and when it is that one.
type Case = (TermId, TermId);

/// The cases of terms.
#[derive(Debug, Default)]
pub struct Cases {
    known: FxHashMap<TermId, Rc<[Case]>>,
}

impl Cases {
    /// The cases of a term: of a number, itself.
    pub fn of(&self, pool: &mut TermPool, term: TermId) -> Option<Rc<[Case]>> {
        if number(pool, term).is_some() {
            return Some(Rc::new([(term, pool.bool(true))]));
        }
        self.known.get(&term).cloned()
    }

    /// Whether a term is one of several known numbers.
    pub fn has_several(&self, term: TermId) -> bool {
        self.known.contains_key(&term)
    }

    /// The number that a term is if a condition holds, if the condition is that of a case.
    pub fn number_if(&self, term: TermId, condition: TermId) -> Option<TermId> {
        self.known.get(&term)?.iter().find(|(_, when)| *when == condition).map(|(number, _)| *number)
    }

    /// The term with some cases; nothing if there are too many.
    fn term(&mut self, pool: &mut TermPool, cases: &[Case]) -> Option<TermId> {
        let mut merged: Vec<Case> = Vec::new();
        for &(number, when) in cases {
            if pool.as_bool(when) == Some(false) {
                continue;
            }
            match merged.iter_mut().find(|(known, _)| *known == number) {
                Some((_, known)) => *known = pool.or([*known, when]),
                None => merged.push((number, when)),
            }
        }
        if merged.is_empty() || merged.len() > MOST {
            return None;
        }
        merged.sort_unstable();
        let (last, rest) = merged.split_last()?;
        let term = rest.iter().rev().fold(last.0, |others, (number, when)| pool.ite(*when, *number, others));
        if merged.len() > 1 && number(pool, term).is_none() {
            self.known.insert(term, merged.into());
        }
        Some(term)
    }

    /// An operator on two terms with cases; nothing if they have none, or too many.
    pub fn binary(&mut self, pool: &mut TermPool, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
        let is_relation = matches!(op, BinaryOp::Eq | BinaryOp::Lt | BinaryOp::Le);
        let is_sum = matches!(op, BinaryOp::Add | BinaryOp::Sub);
        if (!is_relation && !is_sum) || (!self.has_several(a) && !self.has_several(b)) {
            return None;
        }
        let (of_a, of_b) = (self.of(pool, a)?, self.of(pool, b)?);
        let mut results = Vec::new();
        for &(x, when_x) in &*of_a {
            for &(y, when_y) in &*of_b {
                let result = pool.binary(op, x, y);
                let when = pool.and([when_x, when_y]);
                results.push((result, when));
            }
        }
        if is_relation {
            let holds = results.into_iter().filter(|(result, _)| pool.as_bool(*result) == Some(true));
            let holds: Vec<TermId> = holds.map(|(_, when)| when).collect();
            return Some(pool.or(holds));
        }
        self.term(pool, &results)
    }

    /// If-then-else of two terms with cases.
    pub fn ite(&mut self, pool: &mut TermPool, condition: TermId, a: TermId, b: TermId) -> Option<TermId> {
        if a == b || pool.as_bool(condition).is_some() {
            return None;
        }
        let (of_a, of_b) = (self.of(pool, a)?, self.of(pool, b)?);
        let otherwise = pool.not(condition);
        let mut cases = Vec::new();
        for (condition, of) in [(condition, of_a), (otherwise, of_b)] {
            for &(number, when) in &*of {
                cases.push((number, pool.and([condition, when])));
            }
        }
        self.term(pool, &cases)
    }

    /// A new term that is one of the numbers of some others; nothing if these have no cases, or too many.
    pub fn merged(
        &mut self,
        pool: &mut TermPool,
        values: &[TermId],
        mut fresh: impl FnMut(&mut TermPool) -> TermId,
    ) -> Option<TermId> {
        let mut numbers = Vec::new();
        for &value in values {
            if pool.sort_of(value) != SortId::INT {
                return None;
            }
            numbers.extend(self.of(pool, value)?.iter().map(|(number, _)| *number));
        }
        numbers.sort_unstable();
        numbers.dedup();
        if numbers.len() > MOST {
            return None;
        }
        let cases: Vec<Case> = numbers.into_iter().map(|number| (number, fresh(pool))).collect();
        self.term(pool, &cases)
    }

    /// That a merged term is another one whose cases are among its own.
    pub fn equal(&self, pool: &mut TermPool, merged: TermId, value: TermId) -> Option<Vec<TermId>> {
        let (of_merged, of_value) = (self.known.get(&merged)?.clone(), self.of(pool, value)?);
        let mut right = Vec::new();
        for &(number, when) in &*of_merged {
            let other = of_value.iter().find(|(known, _)| *known == number).map(|(_, when)| *when);
            let other = other.unwrap_or_else(|| pool.bool(false));
            right.push(pool.eq(when, other));
        }
        Some(right)
    }
}

/// The number of a term, if it is one.
fn number(pool: &TermPool, term: TermId) -> Option<&BigInt> {
    match pool.term(term) {
        Term::Int(value) => Some(value),
        _ => None,
    }
}
