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

/// Guesses that are only compared with numbers can be one of more.
const MOST_GUESSED: usize = 64;

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
        self.remembered(pool, merged)
    }

    fn remembered(&mut self, pool: &mut TermPool, mut merged: Vec<Case>) -> Option<TermId> {
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
        let is_number =
            matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod);
        if (!is_relation && !is_number) || (!self.has_several(a) && !self.has_several(b)) {
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
        if op == BinaryOp::Eq && of_a.len() > 1 && of_b.len() > 1 {
            return Some(equal(pool, &of_a, &of_b));
        }
        if is_relation {
            let holds = results.into_iter().filter(|(result, _)| pool.as_bool(*result) == Some(true));
            let holds: Vec<TermId> = holds.map(|(_, when)| when).collect();
            return Some(pool.or(holds));
        }
        // Division by zero is no number.
        results.iter().all(|(result, _)| number(pool, *result).is_some()).then_some(())?;
        self.term(pool, &results)
    }

    /// If-then-else of two terms with cases.
    pub fn ite(&mut self, pool: &mut TermPool, condition: TermId, a: TermId, b: TermId) -> Option<TermId> {
        if a == b || pool.as_bool(condition).is_some() {
            return None;
        }
        let (of_a, of_b) = (self.of(pool, a)?, self.of(pool, b)?);
        let mut cases = Vec::new();
        for number in numbers(&of_a, &of_b) {
            let (in_a, in_b) = (when(pool, &of_a, number), when(pool, &of_b, number));
            cases.push((number, pool.ite(condition, in_a, in_b)));
        }
        self.term(pool, &cases)
    }

    /// The value whose condition holds, if all values have cases; one of the conditions does, and no other.
    pub(crate) fn one_that_applies(
        &mut self,
        pool: &mut TermPool,
        values: &[(TermId, TermId)],
    ) -> Option<TermId> {
        let mut cases = Vec::new();
        for &(when, value) in values {
            for &(number, is) in &*self.of(pool, value)? {
                cases.push((number, pool.and([when, is])));
            }
        }
        self.term(pool, &cases)
    }

    /// A new term that is one of the numbers of some others; nothing if these have no cases, or too many.
    pub fn merged(
        &mut self,
        pool: &mut TermPool,
        values: &[TermId],
        fresh: impl FnMut(&mut TermPool) -> TermId,
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
        let cases = new_cases(pool, &numbers, fresh);
        self.term(pool, &cases)
    }

    /// A new term that is one of some numbers, and what has to hold for it to be just one.
    pub(crate) fn arbitrary(
        &mut self,
        pool: &mut TermPool,
        numbers: &[TermId],
        fresh: impl FnMut(&mut TermPool) -> TermId,
    ) -> Option<(TermId, Vec<TermId>)> {
        if numbers.is_empty() || numbers.len() > MOST_GUESSED {
            return None;
        }
        let cases = new_cases(pool, numbers, fresh);
        let mut facts = Vec::new();
        if cases.len() > 2 {
            facts.push(pool.or(cases.iter().map(|(_, when)| *when)));
            for (at, &(_, a)) in cases.iter().enumerate() {
                for &(_, b) in &cases[..at] {
                    let both = pool.and([a, b]);
                    facts.push(pool.not(both));
                }
            }
        }
        Some((self.remembered(pool, cases)?, facts))
    }

    /// The term that is a number where it is known to be one of a few.
    pub fn among(&mut self, pool: &mut TermPool, term: TermId, numbers: &[TermId]) -> Option<TermId> {
        if numbers.len() > MOST || self.has_several(term) || number(pool, term).is_some() {
            return None;
        }
        // The last is what it is otherwise: the term says so, and others may come to the same one.
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        let last = sorted.pop()?;
        let mut cases: Vec<Case> = sorted.iter().map(|number| (*number, pool.eq(term, *number))).collect();
        let any = pool.or(cases.iter().map(|(_, when)| *when));
        cases.push((last, pool.not(any)));
        self.term(pool, &cases)
    }

    /// That a merged term is another one whose cases are among its own.
    pub fn equal(&self, pool: &mut TermPool, merged: TermId, value: TermId) -> Option<Vec<TermId>> {
        let (of_merged, of_value) = (self.known.get(&merged)?.clone(), self.of(pool, value)?);
        Some(equations(pool, &of_merged, &of_value))
    }
}

/// When it is a number.
fn when(pool: &mut TermPool, cases: &[Case], number: TermId) -> TermId {
    let known = cases.iter().find(|(known, _)| *known == number).map(|(_, when)| *when);
    known.unwrap_or_else(|| pool.bool(false))
}

/// The numbers of two terms.
fn numbers(a: &[Case], b: &[Case]) -> Vec<TermId> {
    let mut numbers: Vec<TermId> = a.iter().chain(b).map(|(number, _)| *number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// Two terms are the same if each number is a matter of the same condition; of two numbers, one is enough.
fn equations(pool: &mut TermPool, a: &[Case], b: &[Case]) -> Vec<TermId> {
    let mut numbers = numbers(a, b);
    if numbers.len() == 2 {
        numbers.pop();
    }
    let mut equations = Vec::new();
    for number in numbers {
        let (in_a, in_b) = (when(pool, a, number), when(pool, b, number));
        equations.push(pool.eq(in_a, in_b));
    }
    equations
}

fn equal(pool: &mut TermPool, a: &[Case], b: &[Case]) -> TermId {
    let equations = equations(pool, a, b);
    pool.and(equations)
}

/// Each of some numbers with a new condition; of two, one is enough.
fn new_cases(
    pool: &mut TermPool,
    numbers: &[TermId],
    mut fresh: impl FnMut(&mut TermPool) -> TermId,
) -> Vec<Case> {
    match *numbers {
        [only] => vec![(only, pool.bool(true))],
        [first, second] => {
            let when = fresh(pool);
            vec![(first, when), (second, pool.not(when))]
        }
        _ => numbers.iter().map(|number| (*number, fresh(pool))).collect(),
    }
}

/// The number of a term, if it is one.
fn number(pool: &TermPool, term: TermId) -> Option<&BigInt> {
    match pool.term(term) {
        Term::Int(value) => Some(value),
        _ => None,
    }
}
