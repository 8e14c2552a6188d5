//! The value of a formula in a model, worked out without the solver that has the model.
//!
//! Only constants, and functions applied, are looked up; everything else is computed here, by the rules of SMT-LIB. What
//! cannot be computed (quantifiers, division by zero, a value that the solver cannot show) has no value, and neither has
//! what depends on it.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::arithmetic::{bv_binary, bv_unary, compare, int_binary, wrap};
use crate::{ArrayValue, BinaryOp, FunctionId, Sort, SortId, Term, TermId, TermPool, UnaryOp, Value};

/// The values of terms in one model.
pub(crate) struct Evaluation<'a> {
    pool: &'a TermPool,
    /// What the model says of a constant, or of a function applied.
    look_up: &'a mut dyn FnMut(TermId) -> Option<Value>,
    values: FxHashMap<TermId, Option<Value>>,
    /// What functions gave for their operands.
    functions: FxHashMap<(FunctionId, Vec<Value>), Value>,
    /// Whether a function gave two results for the same operands.
    inconsistent: bool,
}

impl<'a> Evaluation<'a> {
    pub(crate) fn new(pool: &'a TermPool, look_up: &'a mut dyn FnMut(TermId) -> Option<Value>) -> Self {
        let (values, functions) = (FxHashMap::default(), FxHashMap::default());
        Evaluation { pool, look_up, values, functions, inconsistent: false }
    }

    /// Whether a closed formula holds, if that can be told.
    pub(crate) fn holds(&mut self, formula: TermId) -> Option<bool> {
        self.evaluate(formula);
        let value = truth(self.values.get(&formula)?.as_ref());
        if self.inconsistent { Some(false) } else { value }
    }

    /// Works out the values of the parts of a term, operands first.
    fn evaluate(&mut self, root: TermId) {
        let mut work = vec![(root, false)];
        while let Some((id, operands_done)) = work.pop() {
            if self.values.contains_key(&id) {
                continue;
            }
            let term = self.pool.term(id);
            if operands_done {
                let value = self.node(id, term);
                self.values.insert(id, value);
            } else if matches!(term, Term::Quant(_)) {
                self.values.insert(id, None);
            } else {
                work.push((id, true));
                term.for_each_operand(|operand| work.push((operand, false)));
            }
        }
    }

    fn of(&self, id: TermId) -> Option<&Value> {
        self.values.get(&id)?.as_ref()
    }

    /// The value of a term whose operands were worked out.
    fn node(&mut self, id: TermId, term: &Term) -> Option<Value> {
        match term {
            Term::Bool(value) => Some(Value::Bool(*value)),
            Term::Int(value) => Some(Value::Int(value.clone())),
            Term::Bv(width, value) => Some(Value::Bv(*width, value.clone())),
            Term::Apply(function, args) => self.applied(id, *function, args),
            Term::Bound(_) | Term::Quant(_) => None,
            Term::Not(a) => truth(self.of(*a)).map(|value| Value::Bool(!value)),
            Term::And(args) => self.any(args, false).map(|found| Value::Bool(!found)),
            Term::Or(args) => self.any(args, true).map(Value::Bool),
            Term::Distinct(args) => self.distinct(args),
            Term::Unary(op, a) => unary(*op, self.of(*a)?),
            Term::Binary(BinaryOp::Eq, a, b) => self.equal(*a, *b).map(Value::Bool),
            Term::Binary(op, a, b) => binary(*op, self.of(*a)?, self.of(*b)?),
            Term::Ite(c, a, b) => self.of(if truth(self.of(*c))? { *a } else { *b }).cloned(),
            Term::Select(array, at) => match (self.of(*array)?, self.of(*at)?) {
                (Value::Array(array), at) => Some(array.at(at).clone()),
                _ => None,
            },
            Term::Store(array, at, value) => {
                let Value::Array(array) = self.of(*array)? else { return None };
                let (at, value) = (self.of(*at)?.clone(), self.of(*value)?.clone());
                let mut array = array.clone();
                if value == array.default {
                    array.entries.remove(&at);
                } else {
                    array.entries.insert(at, value);
                }
                Some(Value::Array(array))
            }
            Term::ConstArray(_, value) => {
                let default = self.of(*value)?.clone();
                Some(Value::Array(Box::new(ArrayValue { default, entries: BTreeMap::new() })))
            }
        }
    }

    fn applied(&mut self, id: TermId, function: FunctionId, args: &[TermId]) -> Option<Value> {
        let args: Option<Vec<Value>> = args.iter().map(|arg| self.of(*arg).cloned()).collect();
        let value = (self.look_up)(id)?;
        if let Some(args) = args {
            let known = self.functions.entry((function, args)).or_insert_with(|| value.clone());
            self.inconsistent |= equal(self.pool, self.pool.sort_of(id), known, &value) == Some(false);
        }
        Some(value)
    }

    /// Whether one of some formulas has the truth value.
    fn any(&self, args: &[TermId], wanted: bool) -> Option<bool> {
        let mut all_known = true;
        for arg in args {
            match truth(self.of(*arg)) {
                Some(value) if value == wanted => return Some(true),
                Some(_) => {}
                None => all_known = false,
            }
        }
        all_known.then_some(false)
    }

    fn equal(&self, a: TermId, b: TermId) -> Option<bool> {
        equal(self.pool, self.pool.sort_of(a), self.of(a)?, self.of(b)?)
    }

    fn distinct(&self, args: &[TermId]) -> Option<Value> {
        for (i, a) in args.iter().enumerate() {
            for b in &args[i + 1..] {
                if self.equal(*a, *b)? {
                    return Some(Value::Bool(false));
                }
            }
        }
        Some(Value::Bool(true))
    }
}

fn truth(value: Option<&Value>) -> Option<bool> {
    match value {
        Some(Value::Bool(value)) => Some(*value),
        _ => None,
    }
}

/// Whether two values of a sort are the same. Arrays with as many cells written down as there are may be, although they
/// look different: of those whose indices are not integers, only what looks the same is known to be.
fn equal(pool: &TermPool, sort: SortId, a: &Value, b: &Value) -> Option<bool> {
    if a == b {
        return Some(true);
    }
    match pool.sort(sort) {
        Sort::Array(index, element) => {
            let simple = !matches!(pool.sort(*element), Sort::Array(..));
            (simple && matches!(pool.sort(*index), Sort::Int)).then_some(false)
        }
        Sort::Bool | Sort::Int | Sort::Bv(_) | Sort::Uninterpreted(_) => Some(false),
    }
}

fn unary(op: UnaryOp, a: &Value) -> Option<Value> {
    match (op, a) {
        (UnaryOp::Neg, Value::Int(a)) => Some(Value::Int(-a)),
        (UnaryOp::IntToBv(width), Value::Int(a)) => Some(Value::Bv(width, wrap(width, a))),
        (UnaryOp::BvToInt, Value::Bv(_, a)) => Some(Value::Int(a.clone())),
        (_, Value::Bv(width, a)) => {
            let to = match op {
                UnaryOp::Extract { hi, lo } => hi - lo,
                UnaryOp::ZeroExtend(to) | UnaryOp::SignExtend(to) => to,
                _ => *width,
            };
            Some(Value::Bv(to, bv_unary(op, *width, a)?))
        }
        _ => None,
    }
}

fn binary(op: BinaryOp, a: &Value, b: &Value) -> Option<Value> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => match compare(op, 1, a, b) {
            Some(value) => Some(Value::Bool(value)),
            None => int_binary(op, a, b).map(Value::Int),
        },
        (Value::Bv(high, a), Value::Bv(low, b)) if op == BinaryOp::Concat => {
            Some(Value::Bv(high.checked_add(*low)?, (a << *low) | b))
        }
        (Value::Bv(width, a), Value::Bv(_, b)) => match compare(op, *width, a, b) {
            Some(value) => Some(Value::Bool(value)),
            None => Some(Value::Bv(*width, bv_binary(op, *width, a, b)?)),
        },
        _ => None,
    }
}
