//! Truth values and if-then-else.

use rustc_hash::FxHashSet;

use crate::{SortId, Term, TermId, TermPool};

/// A nested conjunction with more operands than this stays nested: otherwise a chain that grows one by one would take
/// quadratic space.
const FLATTEN: usize = 8;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Connective {
    And,
    Or,
}

impl TermPool {
    /// Negation.
    pub fn not(&mut self, a: TermId) -> TermId {
        match *self.term(a) {
            Term::Bool(value) => self.bool(!value),
            Term::Not(inner) => inner,
            _ => self.intern(Term::Not(a)),
        }
    }

    /// Conjunction of any number of terms.
    pub fn and(&mut self, terms: impl IntoIterator<Item = TermId>) -> TermId {
        self.connect(Connective::And, terms)
    }

    /// Disjunction of any number of terms.
    pub fn or(&mut self, terms: impl IntoIterator<Item = TermId>) -> TermId {
        self.connect(Connective::Or, terms)
    }

    /// Implication.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_a = self.not(a);
        self.or([not_a, b])
    }

    fn connect(&mut self, connective: Connective, terms: impl IntoIterator<Item = TermId>) -> TermId {
        let neutral = connective == Connective::And;
        let mut seen = FxHashSet::default();
        let mut kept = Vec::new();
        for term in terms {
            let (parts, single);
            let flat: &[TermId] = match (connective, self.term(term)) {
                (Connective::And, Term::And(inner)) | (Connective::Or, Term::Or(inner))
                    if inner.len() <= FLATTEN =>
                {
                    parts = inner.clone();
                    &parts
                }
                _ => {
                    single = [term];
                    &single
                }
            };
            for &part in flat {
                match self.term(part) {
                    Term::Bool(value) if *value == neutral => continue,
                    Term::Bool(_) => return part,
                    Term::Not(inner) if seen.contains(inner) => return self.bool(!neutral),
                    _ => {}
                }
                if seen.insert(part) {
                    kept.push(part);
                }
            }
        }
        // A term may come before or after its negation; the loop above saw only one of the orders.
        if kept.iter().any(|id| matches!(self.term(*id), Term::Not(inner) if seen.contains(inner))) {
            return self.bool(!neutral);
        }
        match (kept.as_slice(), connective) {
            ([], _) => self.bool(neutral),
            ([only], _) => {
                assert_eq!(self.sort_of(*only), SortId::BOOL, "a truth value was expected");
                *only
            }
            (_, Connective::And) => self.intern(Term::And(kept.into())),
            (_, Connective::Or) => self.intern(Term::Or(kept.into())),
        }
    }

    /// If-then-else.
    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        match *self.term(condition) {
            Term::Bool(value) => return if value { then } else { otherwise },
            Term::Not(inner) => return self.ite_of(inner, otherwise, then),
            _ => {}
        }
        self.ite_of(condition, then, otherwise)
    }

    /// If-then-else whose condition is neither a value nor a negation.
    fn ite_of(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        let then = match *self.term(then) {
            Term::Ite(inner, then, _) if inner == condition => then,
            _ => then,
        };
        let otherwise = match *self.term(otherwise) {
            Term::Ite(inner, _, otherwise) if inner == condition => otherwise,
            _ => otherwise,
        };
        if then == otherwise {
            return then;
        }
        let then_value = self.as_bool(then).or((then == condition).then_some(true));
        let otherwise_value = self.as_bool(otherwise).or((otherwise == condition).then_some(false));
        match (then_value, otherwise_value) {
            (Some(true), Some(false)) => condition,
            (Some(false), Some(true)) => self.not(condition),
            (Some(true), _) => self.or([condition, otherwise]),
            (Some(false), _) => {
                let refuted = self.not(condition);
                self.and([refuted, otherwise])
            }
            (_, Some(false)) => self.and([condition, then]),
            (_, Some(true)) => {
                let refuted = self.not(condition);
                self.or([refuted, then])
            }
            (None, None) => self.intern(Term::Ite(condition, then, otherwise)),
        }
    }

    /// The truth value that a term is.
    #[must_use]
    pub fn as_bool(&self, id: TermId) -> Option<bool> {
        match self.term(id) {
            Term::Bool(value) => Some(*value),
            _ => None,
        }
    }
}
