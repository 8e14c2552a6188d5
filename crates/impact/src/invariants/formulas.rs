//! Bounds as formulas.

use smt::{BinaryOp, TermId};

use crate::linear::{literal_like, range};
use crate::zone::{NONE, Zone, plus};

/// What a zone says that is not plain. The first terms are constants, of which nothing is to be said by themselves.
pub(super) fn formulas(
    pool: &mut smt::TermPool,
    zone: &Zone,
    terms: &[TermId],
    constants: usize,
) -> Vec<TermId> {
    let mut parts = Vec::new();
    // The numbers that are not others plus something.
    let mut bases: Vec<usize> = Vec::new();
    for (at, &term) in (1..).zip(terms) {
        let constant = at <= constants;
        let (negated, most) = (zone.bound(0, at), zone.bound(at, 0));
        if negated != NONE && most == -negated {
            let value = literal_like(pool, term, most);
            parts.extend((!constant).then(|| pool.eq(term, value)));
            continue;
        }
        let sort = pool.sort_of(term);
        let like = |base: &&usize| pool.sort_of(terms[**base - 1]) == sort;
        let others: Vec<usize> = bases.iter().filter(like).copied().collect();
        let equal = |base: &&usize| {
            zone.bound(at, **base) != NONE && zone.bound(at, **base) == -zone.bound(**base, at)
        };
        if sort == smt::SortId::BOOL {
            continue;
        }
        if let Some(&base) = others.iter().find(equal) {
            let by = literal_like(pool, term, zone.bound(at, base));
            let op = if sort == smt::SortId::INT { BinaryOp::Add } else { BinaryOp::BvAdd };
            let sum = pool.binary(op, terms[base - 1], by);
            parts.extend((!constant).then(|| pool.eq(term, sum)));
            continue;
        }
        bases.push(at);
        if constant {
            continue;
        }
        let (least, greatest) = range(pool, term).unwrap_or((NONE, NONE));
        if negated < least {
            let low = literal_like(pool, term, -negated);
            parts.push(at_most(pool, low, term));
        }
        if most < greatest {
            let high = literal_like(pool, term, most);
            parts.push(at_most(pool, term, high));
        }
        for base in others {
            for (low, high) in [(at, base), (base, at)] {
                parts.extend(difference(pool, zone, terms, low, high));
            }
        }
    }
    parts
}

/// The bound of a difference, if it does not follow from other bounds.
fn difference(
    pool: &mut smt::TermPool,
    zone: &Zone,
    terms: &[TermId],
    low: usize,
    high: usize,
) -> Option<TermId> {
    let bound = zone.bound(low, high);
    let (most, negated) = (zone.bound(low, 0), zone.bound(0, high));
    if bound == NONE || (most != NONE && negated != NONE && most + negated <= bound) {
        return None;
    }
    let (x, y) = (terms[low - 1], terms[high - 1]);
    if pool.sort_of(x) == smt::SortId::INT {
        let by = literal_like(pool, y, bound);
        let sum = pool.add(y, by);
        return Some(pool.le(x, sum));
    }
    // A sum of bit vectors may overflow.
    let (least, greatest) = range(pool, y).unwrap_or((0, 0));
    let fits = plus(zone.bound(high, 0), bound) <= greatest && plus(negated, -bound) <= least;
    match bound {
        0 => Some(pool.binary(BinaryOp::BvSle, x, y)),
        -1 => Some(pool.binary(BinaryOp::BvSlt, x, y)),
        _ if fits => {
            let by = literal_like(pool, y, bound);
            let sum = pool.binary(BinaryOp::BvAdd, y, by);
            Some(pool.binary(BinaryOp::BvSle, x, sum))
        }
        _ => None,
    }
}

fn at_most(pool: &mut smt::TermPool, x: TermId, y: TermId) -> TermId {
    if pool.sort_of(x) == smt::SortId::INT { pool.le(x, y) } else { pool.binary(BinaryOp::BvSle, x, y) }
}
