//! Integers that conditions leave few values.
//!
//! `havoc x; assume 0 < x && x < 3` makes `x` one of a few numbers, and all that is said of it is better said of these.

use smt::{BinaryOp, SortId, Term, TermId, TermPool};

/// The least and the greatest number that a term can be, if they are known.
type Bounds = (Option<i64>, Option<i64>);

/// More numbers than this are left to arithmetic.
const MOST: i64 = 12;

/// The terms that conditions which all hold leave few values, with these.
pub(crate) fn bounded(pool: &mut TermPool, conditions: &[TermId]) -> Vec<(TermId, Vec<TermId>)> {
    let mut known: Vec<(TermId, Bounds)> = Vec::new();
    let mut work = conditions.to_vec();
    while let Some(condition) = work.pop() {
        let found = match pool.term(condition) {
            Term::And(parts) => {
                work.extend(parts.iter().copied());
                continue;
            }
            Term::Or(parts) => either(pool, parts),
            _ => comparison(pool, condition),
        };
        let Some((term, (low, high))) = found else { continue };
        match known.iter_mut().find(|(of, _)| *of == term) {
            Some((_, bounds)) => {
                bounds.0 = [bounds.0, low].into_iter().flatten().max();
                bounds.1 = [bounds.1, high].into_iter().flatten().min();
            }
            None => known.push((term, (low, high))),
        }
    }
    let mut few = Vec::new();
    for (term, bounds) in known {
        if let (Some(low), Some(high)) = bounds
            && low <= high
            && high.checked_sub(low).is_some_and(|width| width < MOST)
        {
            few.push((term, (low..=high).map(|number| pool.int(number)).collect()));
        }
    }
    few
}

/// What one comparison of a constant with a number says.
fn comparison(pool: &TermPool, condition: TermId) -> Option<(TermId, Bounds)> {
    let (holds, condition) = match *pool.term(condition) {
        Term::Not(inner) => (false, inner),
        _ => (true, condition),
    };
    let Term::Binary(op, a, b) = *pool.term(condition) else { return None };
    let (left, right) = (number(pool, a), number(pool, b));
    let (number, turned) = match (left, right) {
        (Some(x), None) => (x, true),
        (None, Some(x)) => (x, false),
        _ => return None,
    };
    // `not (x < y)` is `y <= x`.
    let (is_above, is_strict) = (holds == turned, (op == BinaryOp::Lt) == holds);
    let bounds = match (op, is_above, is_strict) {
        (BinaryOp::Eq, ..) if holds => (Some(number), Some(number)),
        (BinaryOp::Lt | BinaryOp::Le, true, true) => (number.checked_add(1), None),
        (BinaryOp::Lt | BinaryOp::Le, true, false) => (Some(number), None),
        (BinaryOp::Lt | BinaryOp::Le, false, true) => (None, number.checked_sub(1)),
        (BinaryOp::Lt | BinaryOp::Le, false, false) => (None, Some(number)),
        _ => return None,
    };
    let term = if left.is_some() { b } else { a };
    let plain = matches!(pool.term(term), Term::Apply(_, args) if args.is_empty());
    (plain && pool.sort_of(term) == SortId::INT).then_some((term, bounds))
}

/// What it says that one of several comparisons of the same constant holds.
fn either(pool: &TermPool, parts: &[TermId]) -> Option<(TermId, Bounds)> {
    let mut parts = parts.iter().map(|part| comparison(pool, *part));
    let (term, mut bounds) = parts.next()??;
    for part in parts {
        let (other, (low, high)) = part?;
        if other != term {
            return None;
        }
        bounds.0 = bounds.0.zip(low).map(|(a, b)| a.min(b));
        bounds.1 = bounds.1.zip(high).map(|(a, b)| a.max(b));
    }
    Some((term, bounds))
}

fn number(pool: &TermPool, term: TermId) -> Option<i64> {
    match pool.term(term) {
        Term::Int(value) => i64::try_from(value).ok(),
        _ => None,
    }
}
