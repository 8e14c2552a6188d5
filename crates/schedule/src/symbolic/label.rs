//! What labels say, prepared so that most questions need no solver.
//!
//! Most of a label is of the form `variable == value`. These equations are taken out of it and the values put in for the
//! variables everywhere else: then most guards and most of what has to follow folds to true or false.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smt::{BinaryOp, Term, TermId, TermPool};

use super::Symbolic;
use super::variables::Variables;

/// A label in parts.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// The parts as they are.
    pub(crate) parts: FxHashSet<TermId>,
    /// What variables are equal to: values, or variables that are equal to nothing else.
    pub(crate) values: FxHashMap<TermId, TermId>,
    /// The other parts, with the values put in.
    pub(crate) rest: Vec<TermId>,
    /// Whether it plainly cannot hold.
    pub(crate) impossible: bool,
}

impl Symbolic<'_> {
    /// True.
    pub(crate) fn yes(&mut self) -> TermId {
        self.formulas.pool.bool(true)
    }

    /// False.
    pub(crate) fn no(&mut self) -> TermId {
        self.formulas.pool.bool(false)
    }

    /// The constants that a term mentions.
    pub(crate) fn mentions(&mut self, term: TermId) -> Rc<[TermId]> {
        if let Some(known) = self.mentions.get(&term) {
            return Rc::clone(known);
        }
        let mut constants = Vec::new();
        self.formulas.pool.for_each_in(&[term], |id, part| {
            if is_constant(part) {
                constants.push(id);
            }
        });
        let constants: Rc<[TermId]> = constants.into();
        self.mentions.insert(term, Rc::clone(&constants));
        constants
    }

    /// The term with others put in for constants.
    pub(crate) fn substitute(&mut self, term: TermId, with: &FxHashMap<TermId, TermId>) -> TermId {
        if with.is_empty() || !self.mentions(term).iter().any(|constant| with.contains_key(constant)) {
            return term;
        }
        self.formulas.pool.rewrite(term, |_, leaf| with.get(&leaf).copied().unwrap_or(leaf))
    }

    /// The parts of a label.
    pub(crate) fn parts(&mut self, label: TermId) -> Rc<[TermId]> {
        if let Some(known) = self.parts.get(&label) {
            return Rc::clone(known);
        }
        let mut parts = Vec::new();
        let mut work = vec![label];
        while let Some(term) = work.pop() {
            match self.formulas.pool.term(term) {
                Term::And(inner) => work.extend(inner.iter().rev()),
                Term::Bool(true) => {}
                _ => parts.push(term),
            }
        }
        let parts: Rc<[TermId]> = parts.into();
        self.parts.insert(label, Rc::clone(&parts));
        parts
    }

    /// Takes a label apart.
    pub(crate) fn facts(&mut self, label: TermId) -> Facts {
        let parts = self.parts(label);
        let mut facts = Facts { parts: parts.iter().copied().collect(), ..Facts::default() };
        facts.rest = parts.to_vec();
        loop {
            let mut found: FxHashMap<TermId, TermId> = FxHashMap::default();
            let mut alias = None;
            let mut rest = Vec::new();
            for part in std::mem::take(&mut facts.rest) {
                let pool = &mut self.formulas.pool;
                match equation(pool, &self.variables, &mut self.values, part) {
                    Some((variable, value)) if is_value(pool, &mut self.values, value) => {
                        if *found.entry(variable).or_insert(value) != value {
                            rest.push(part);
                        }
                    }
                    other => {
                        alias = alias.or(other);
                        rest.push(part);
                    }
                }
            }
            // One equation between variables at a time, so that none leads in a circle.
            if found.is_empty() {
                let Some((variable, other)) = alias else {
                    facts.rest = rest;
                    return facts;
                };
                found.insert(variable, other);
            }
            for value in facts.values.values_mut() {
                *value = self.substitute(*value, &found);
            }
            for part in rest {
                let part = self.substitute(part, &found);
                match self.formulas.pool.as_bool(part) {
                    Some(true) => {}
                    Some(false) => facts.impossible = true,
                    // What was one part may have become several.
                    None => facts.rest.extend(self.parts(part).iter()),
                }
            }
            facts.values.extend(found);
        }
    }
}

fn is_constant(term: &Term) -> bool {
    matches!(term, Term::Apply(_, args) if args.is_empty())
}

/// The equation that a formula is, if it says what a variable is equal to: a value or another constant. Constants of the
/// program stay, since axioms speak of them.
fn equation(
    pool: &mut TermPool,
    variables: &Variables,
    values: &mut FxHashMap<TermId, bool>,
    part: TermId,
) -> Option<(TermId, TermId)> {
    match *pool.term(part) {
        Term::Apply(..) if variables.has(part) => Some((part, pool.bool(true))),
        Term::Not(inner) if variables.has(inner) => Some((inner, pool.bool(false))),
        Term::Binary(BinaryOp::Eq, a, b) => {
            let mut fits = |variable, other| {
                variables.has(variable) && (is_constant(pool.term(other)) || is_value(pool, values, other))
            };
            if fits(a, b) {
                Some((a, b))
            } else if fits(b, a) {
                Some((b, a))
            } else {
                None
            }
        }
        _ => None,
    }
}

/// Whether a term is a value, in all models the same. `known` says it of the parts of maps.
fn is_value(pool: &TermPool, known: &mut FxHashMap<TermId, bool>, term: TermId) -> bool {
    let is_map = |term: &Term| matches!(term, Term::ConstArray(..) | Term::Store(..));
    let root = pool.term(term);
    root.is_literal_value()
        || is_map(root)
            && pool.remembered(term, known, |part, known| {
                let mut plain = part.is_literal_value() || is_map(part);
                part.for_each_operand(|operand| plain &= known[&operand]);
                plain
            })
}
