//! Implications in small pieces.
//!
//! Solvers give each conjunction, disjunction and equivalence inside a formula a variable of its own. That something needs
//! all of a conjunction, or an equivalence of truth values, is said piece by piece without any.

use smt::{BinaryOp, SortId, Term, TermId, TermPool};

/// Adds the formulas that say that one truth value implies another.
pub(crate) fn imply(pool: &mut TermPool, a: TermId, b: TermId, formulas: &mut Vec<TermId>) {
    let mut work = vec![b];
    while let Some(part) = work.pop() {
        match *pool.term(part) {
            Term::And(ref parts) => work.extend(parts.iter().rev().copied()),
            Term::Binary(BinaryOp::Eq, x, y) if pool.sort_of(x) == SortId::BOOL => {
                let (not_a, not_x, not_y) = (pool.not(a), pool.not(x), pool.not(y));
                for clause in [[not_a, not_x, y], [not_a, x, not_y]] {
                    let clause = pool.or(clause);
                    push(pool, clause, formulas);
                }
            }
            _ => {
                let formula = pool.implies(a, part);
                push(pool, formula, formulas);
            }
        }
    }
}

fn push(pool: &TermPool, formula: TermId, formulas: &mut Vec<TermId>) {
    if pool.as_bool(formula) != Some(true) {
        formulas.push(formula);
    }
}
