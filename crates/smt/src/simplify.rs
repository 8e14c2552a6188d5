//! The constructors of terms, which simplify as they build.
//!
//! Only rules that look at a bounded part of the term and never make it larger: constants are folded, identities
//! applied, `and`/`or` flattened with duplicates dropped and complements found, reads moved past writes to other cells.
//! Every rule keeps the meaning in all models, also those where a divisor is zero.

mod array;
mod bitvec;
mod boolean;
mod int;

use num_bigint::BigInt;

use crate::arithmetic::{compare, wrap};
use crate::{
    BinaryOp, BoundVar, FunctionId, Quantified, Quantifier, SortId, Term, TermId, TermPool, UnaryOp, Value,
};

/// Leaves.
impl TermPool {
    /// `true` or `false`.
    pub fn bool(&mut self, value: bool) -> TermId {
        self.intern(Term::Bool(value))
    }

    /// An integer.
    pub fn int(&mut self, value: impl Into<BigInt>) -> TermId {
        self.intern(Term::Int(value.into()))
    }

    /// The low bits of an integer as a bit vector.
    pub fn bv(&mut self, width: u32, value: impl Into<BigInt>) -> TermId {
        self.intern(Term::Bv(width, wrap(width, &value.into())))
    }

    /// The uninterpreted constant of a name and sort.
    pub fn constant(&mut self, name: &str, sort: SortId) -> TermId {
        let function = self.function(name, &[], sort);
        self.apply(function, &[])
    }

    /// A function applied to operands.
    pub fn apply(&mut self, function: FunctionId, args: &[TermId]) -> TermId {
        self.intern(Term::Apply(function, args.into()))
    }

    /// A variable of a quantifier.
    pub fn bound(&mut self, level: u32, sort: SortId) -> TermId {
        self.intern(Term::Bound(BoundVar { level, sort }))
    }

    /// The term that has a value in every model; nothing for elements of uninterpreted sorts.
    pub fn value(&mut self, sort: SortId, value: &Value) -> Option<TermId> {
        // Arrays nest as deep as their sorts, which are written by hand or by a frontend with a limit of its own.
        match value {
            Value::Bool(value) => Some(self.bool(*value)),
            Value::Int(value) => Some(self.int(value.clone())),
            Value::Bv(width, value) => Some(self.bv(*width, value.clone())),
            Value::Array(array) => {
                let (index, element) = self.array_parts(sort);
                let default = self.value(element, &array.default)?;
                let mut term = self.const_array(sort, default);
                for (at, value) in &array.entries {
                    let (at, value) = (self.value(index, at)?, self.value(element, value)?);
                    term = self.store(term, at, value);
                }
                Some(term)
            }
            Value::Element(_) => None,
        }
    }
}

/// Operators.
impl TermPool {
    /// An operator with one operand.
    pub fn unary(&mut self, op: UnaryOp, a: TermId) -> TermId {
        match op {
            UnaryOp::Neg => self.neg(a),
            UnaryOp::IntToBv(width) => self.int_to_bv(width, a),
            UnaryOp::BvToInt => self.bv_to_int(a),
            UnaryOp::BvNeg
            | UnaryOp::BvNot
            | UnaryOp::Extract { .. }
            | UnaryOp::ZeroExtend(_)
            | UnaryOp::SignExtend(_) => self.bv_unary(op, a),
        }
    }

    /// An operator with two operands.
    pub fn binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        match op {
            BinaryOp::Eq => self.eq(a, b),
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Mod
            | BinaryOp::Lt
            | BinaryOp::Le => self.int_binary(op, a, b),
            BinaryOp::Concat => self.concat(a, b),
            _ => self.bv_binary(op, a, b),
        }
    }

    /// Equality; of truth values, equivalence.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.bool(true);
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        match (self.term(a), self.term(b)) {
            (Term::Int(x), Term::Int(y)) | (Term::Bv(_, x), Term::Bv(_, y)) => {
                let equal = compare(BinaryOp::Eq, 1, x, y) == Some(true);
                return self.bool(equal);
            }
            (Term::Bool(x), Term::Bool(y)) => {
                let equal = x == y;
                return self.bool(equal);
            }
            (Term::Bool(value), _) => return if *value { b } else { self.not(b) },
            (_, Term::Bool(value)) => return if *value { a } else { self.not(a) },
            (Term::Not(x), _) if *x == b => return self.bool(false),
            (_, Term::Not(x)) if *x == a => return self.bool(false),
            _ => {}
        }
        if self.definitely_differ(a, b) {
            return self.bool(false);
        }
        if let Some(simpler) = self.eq_of_ite(a, b).or_else(|| self.eq_of_ite(b, a)) {
            return simpler;
        }
        if let Some(cells) = self.eq_of_writes(a, b) {
            return cells;
        }
        self.intern(Term::Binary(BinaryOp::Eq, a, b))
    }

    /// `ite(c, k1, k2) = k` with values: a matter of `c` alone.
    fn eq_of_ite(&mut self, ite: TermId, value: TermId) -> Option<TermId> {
        let Term::Ite(condition, then, otherwise) = *self.term(ite) else { return None };
        let values = [then, otherwise, value];
        if !values.iter().all(|id| self.term(*id).is_literal_value()) {
            return None;
        }
        Some(match (then == value, otherwise == value) {
            (true, _) => condition,
            (false, true) => self.not(condition),
            (false, false) => self.bool(false),
        })
    }

    /// Whether two terms have different values in every model, as far as a glance tells.
    pub(crate) fn definitely_differ(&self, a: TermId, b: TermId) -> bool {
        if a == b {
            return false;
        }
        if self.term(a).is_literal_value() && self.term(b).is_literal_value() {
            return true;
        }
        let ((a, from_a), (b, from_b)) = (self.offset(a), self.offset(b));
        a == b && from_a != from_b
    }

    /// Inequality.
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// Pairwise inequality.
    pub fn distinct(&mut self, terms: &[TermId]) -> TermId {
        match terms {
            [] | [_] => self.bool(true),
            [a, b] => self.ne(*a, *b),
            _ => {
                let mut sorted = terms.to_vec();
                sorted.sort_unstable();
                if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
                    return self.bool(false);
                }
                if terms.iter().all(|id| self.term(*id).is_literal_value()) {
                    return self.bool(true);
                }
                self.intern(Term::Distinct(terms.into()))
            }
        }
    }

    /// A quantified formula or a lambda. Triggers that solvers would refuse are dropped: each needs applications only,
    /// and needs to mention every variable.
    pub fn quantified(
        &mut self,
        kind: Quantifier,
        vars: Vec<BoundVar>,
        body: TermId,
        mut triggers: Vec<Vec<TermId>>,
    ) -> TermId {
        if vars.is_empty() || (kind != Quantifier::Lambda && matches!(self.term(body), Term::Bool(_))) {
            return body;
        }
        triggers.retain(|trigger| self.is_usable_trigger(&vars, trigger));
        if kind == Quantifier::Lambda {
            triggers.clear();
        }
        self.intern(Term::Quant(Box::new(Quantified { kind, vars, body, triggers })))
    }

    fn is_usable_trigger(&self, vars: &[BoundVar], trigger: &[TermId]) -> bool {
        let applications = trigger.iter().all(|id| match self.term(*id) {
            Term::Apply(_, args) => !args.is_empty(),
            Term::Select(..) | Term::Store(..) => true,
            _ => false,
        });
        // Solvers refuse connectives and quantifiers anywhere in a trigger.
        let mut plain = true;
        self.for_each_in(trigger, |_, term| {
            plain &= !matches!(
                term,
                Term::Not(_)
                    | Term::And(_)
                    | Term::Or(_)
                    | Term::Distinct(_)
                    | Term::Ite(..)
                    | Term::Quant(_)
                    | Term::Binary(BinaryOp::Eq, ..)
            );
        });
        applications && plain && {
            let free: Vec<_> = trigger.iter().map(|id| self.free_variables(*id)).collect();
            vars.iter().all(|var| free.iter().any(|set| set.contains(var)))
        }
    }
}
