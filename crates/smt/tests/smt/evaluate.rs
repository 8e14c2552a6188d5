//! What terms mean, written down a second time: on machine integers, straight from the SMT-LIB theories.

use std::collections::BTreeMap;

use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use smt::{BinaryOp, Term, TermId, TermPool, UnaryOp, Value};

/// A value; integers that leave 128 bits have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum V {
    Bool(bool),
    Int(i128),
    Bv(u32, u128),
    /// Integers to integers: the default, and the cells that differ from it.
    Array(i128, BTreeMap<i128, i128>),
}

/// An operator, leaves included.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Value(V),
    Var(usize),
    Not,
    And,
    Or,
    Distinct,
    Unary(UnaryOp),
    Binary(BinaryOp),
    Ite,
    Select,
    Store,
    ConstArray,
}

impl V {
    pub(crate) fn bool(&self) -> bool {
        matches!(self, V::Bool(true))
    }

    /// From what a solver reports.
    pub(crate) fn from_model(value: &Value) -> Option<V> {
        Some(match value {
            Value::Bool(value) => V::Bool(*value),
            Value::Int(value) => V::Int(value.to_i128()?),
            Value::Bv(width, value) => V::Bv(*width, value.to_u128()?),
            Value::Array(array) => {
                let int = |value: &Value| match value {
                    Value::Int(value) => value.to_i128(),
                    _ => None,
                };
                let entries: Option<BTreeMap<i128, i128>> =
                    array.entries.iter().map(|(at, value)| Some((int(at)?, int(value)?))).collect();
                V::Array(int(&array.default)?, entries?)
            }
            Value::Element(_) => return None,
        })
    }

    pub(crate) fn term(&self, pool: &mut TermPool) -> TermId {
        match self {
            V::Bool(value) => pool.bool(*value),
            V::Int(value) => pool.int(*value),
            V::Bv(width, value) => pool.bv(*width, *value),
            V::Array(default, entries) => {
                let sort = pool.array_sort(&[smt::SortId::INT], smt::SortId::INT);
                let default = pool.int(*default);
                let mut array = pool.const_array(sort, default);
                for (at, value) in entries {
                    let (at, value) = (pool.int(*at), pool.int(*value));
                    array = pool.store(array, at, value);
                }
                array
            }
        }
    }
}

/// The value of an operator applied to values.
pub(crate) fn apply(op: &Op, args: &[V], vars: &[V]) -> Option<V> {
    Some(match (op, args) {
        (Op::Value(value), []) => value.clone(),
        (Op::Var(index), []) => vars[*index].clone(),
        (Op::Not, [a]) => V::Bool(!a.bool()),
        (Op::And, _) => V::Bool(args.iter().all(V::bool)),
        (Op::Or, _) => V::Bool(args.iter().any(V::bool)),
        (Op::Distinct, _) => {
            V::Bool(args.iter().enumerate().all(|(i, a)| args[i + 1..].iter().all(|b| a != b)))
        }
        (Op::Ite, [c, a, b]) => {
            if c.bool() {
                a.clone()
            } else {
                b.clone()
            }
        }
        (Op::Select, [V::Array(default, entries), V::Int(at)]) => {
            V::Int(entries.get(at).copied().unwrap_or(*default))
        }
        (Op::Store, [V::Array(default, entries), V::Int(at), V::Int(value)]) => {
            let mut entries = entries.clone();
            if value == default {
                entries.remove(at);
            } else {
                entries.insert(*at, *value);
            }
            V::Array(*default, entries)
        }
        (Op::ConstArray, [V::Int(value)]) => V::Array(*value, BTreeMap::new()),
        (Op::Unary(op), [a]) => unary(*op, a)?,
        (Op::Binary(BinaryOp::Eq), [a, b]) => V::Bool(a == b),
        (Op::Binary(op), [V::Int(a), V::Int(b)]) => int(*op, *a, *b)?,
        (Op::Binary(op), [V::Bv(width, a), V::Bv(low, b)]) => bv(*op, *width, *a, *low, *b),
        _ => panic!("{op:?} of {args:?}"),
    })
}

fn mask(width: u32) -> u128 {
    (1 << width) - 1
}

fn signed(width: u32, value: u128) -> i128 {
    let value = value.cast_signed();
    if value >> (width - 1) == 1 { value - (1 << width) } else { value }
}

fn unary(op: UnaryOp, a: &V) -> Option<V> {
    Some(match (op, a) {
        (UnaryOp::Neg, V::Int(a)) => V::Int(a.checked_neg()?),
        (UnaryOp::IntToBv(width), V::Int(a)) => V::Bv(width, a.cast_unsigned() & mask(width)),
        (UnaryOp::BvToInt, V::Bv(_, a)) => V::Int(a.cast_signed()),
        (UnaryOp::BvNeg, V::Bv(width, a)) => V::Bv(*width, a.wrapping_neg() & mask(*width)),
        (UnaryOp::BvNot, V::Bv(width, a)) => V::Bv(*width, !a & mask(*width)),
        (UnaryOp::Extract { hi, lo }, V::Bv(_, a)) => V::Bv(hi - lo, (a >> lo) & mask(hi - lo)),
        (UnaryOp::ZeroExtend(width), V::Bv(_, a)) => V::Bv(width, *a),
        (UnaryOp::SignExtend(new), V::Bv(width, a)) => {
            V::Bv(new, signed(*width, *a).cast_unsigned() & mask(new))
        }
        _ => panic!("{op:?} of {a:?}"),
    })
}

fn int(op: BinaryOp, a: i128, b: i128) -> Option<V> {
    Some(match op {
        BinaryOp::Add => V::Int(a.checked_add(b)?),
        BinaryOp::Sub => V::Int(a.checked_sub(b)?),
        BinaryOp::Mul => V::Int(a.checked_mul(b)?),
        BinaryOp::Div => V::Int(a.checked_div_euclid(b)?),
        BinaryOp::Mod => V::Int(a.checked_rem_euclid(b)?),
        BinaryOp::Lt => V::Bool(a < b),
        BinaryOp::Le => V::Bool(a <= b),
        _ => panic!("{op:?} of integers"),
    })
}

fn bv(op: BinaryOp, width: u32, a: u128, low: u32, b: u128) -> V {
    let (x, y) = (signed(width, a), signed(low, b));
    let shift = u32::try_from(b).unwrap_or(u32::MAX).min(width);
    let value = match op {
        BinaryOp::Concat => return V::Bv(width + low, (a << low) | b),
        BinaryOp::BvUlt => return V::Bool(a < b),
        BinaryOp::BvUle => return V::Bool(a <= b),
        BinaryOp::BvSlt => return V::Bool(x < y),
        BinaryOp::BvSle => return V::Bool(x <= y),
        BinaryOp::BvAdd => a + b,
        BinaryOp::BvSub => a.wrapping_sub(b),
        BinaryOp::BvMul => a * b,
        BinaryOp::BvUdiv => a.checked_div(b).unwrap_or(u128::MAX),
        BinaryOp::BvUrem => a.checked_rem(b).unwrap_or(a),
        BinaryOp::BvSdiv => x.checked_div(y).unwrap_or(if x < 0 { 1 } else { -1 }).cast_unsigned(),
        BinaryOp::BvSrem => x.checked_rem(y).unwrap_or(x).cast_unsigned(),
        BinaryOp::BvSmod if y == 0 => a,
        // The remainder that has the sign of the divisor.
        BinaryOp::BvSmod => (x - y * (x.cast_floor_div(y))).cast_unsigned(),
        BinaryOp::BvShl => a << shift,
        BinaryOp::BvLshr => a >> shift,
        BinaryOp::BvAshr => (x >> shift).cast_unsigned(),
        BinaryOp::BvAnd => a & b,
        BinaryOp::BvOr => a | b,
        BinaryOp::BvXor => a ^ b,
        _ => panic!("{op:?} of bit vectors"),
    };
    V::Bv(width, value & mask(width))
}

trait FloorDiv {
    fn cast_floor_div(self, by: Self) -> Self;
}

impl FloorDiv for i128 {
    fn cast_floor_div(self, by: i128) -> i128 {
        let quotient = self / by;
        if self % by != 0 && (self < 0) != (by < 0) { quotient - 1 } else { quotient }
    }
}

/// The value of a term of the pool, whose constants are `v0`, `v1`, and so on. Evaluates nothing that a connective or
/// an if-then-else does not need, so that what has no value elsewhere does not matter.
pub(crate) fn term(pool: &TermPool, root: TermId, vars: &[V]) -> Option<V> {
    let mut values: FxHashMap<TermId, Option<V>> = FxHashMap::default();
    pool.for_each_in(&[root], |id, term| {
        let mut args = Vec::new();
        term.for_each_operand(|operand| args.push(values[&operand].clone()));
        values.insert(id, lazily(&operator(pool, term), &args, vars));
    });
    values[&root].clone()
}

/// Applies an operator to values of which some may be missing.
pub(crate) fn lazily(op: &Op, args: &[Option<V>], vars: &[V]) -> Option<V> {
    match (op, args) {
        (Op::And, _) if args.contains(&Some(V::Bool(false))) => return Some(V::Bool(false)),
        (Op::Or, _) if args.contains(&Some(V::Bool(true))) => return Some(V::Bool(true)),
        (Op::Ite, [Some(c), a, b]) => return if c.bool() { a.clone() } else { b.clone() },
        _ => {}
    }
    let args: Option<Vec<V>> = args.iter().cloned().collect();
    apply(op, &args?, vars)
}

fn operator(pool: &TermPool, term: &Term) -> Op {
    match term {
        Term::Bool(value) => Op::Value(V::Bool(*value)),
        Term::Int(value) => Op::Value(V::Int(value.to_i128().expect("a small integer"))),
        Term::Bv(width, value) => Op::Value(V::Bv(*width, value.to_u128().expect("a small bit vector"))),
        Term::Apply(function, _) => {
            let name = &pool.signature(*function).name;
            Op::Var(name.strip_prefix('v').and_then(|index| index.parse().ok()).expect("a variable"))
        }
        Term::Not(_) => Op::Not,
        Term::And(_) => Op::And,
        Term::Or(_) => Op::Or,
        Term::Distinct(_) => Op::Distinct,
        Term::Unary(op, _) => Op::Unary(*op),
        Term::Binary(op, ..) => Op::Binary(*op),
        Term::Ite(..) => Op::Ite,
        Term::Select(..) => Op::Select,
        Term::Store(..) => Op::Store,
        Term::ConstArray(..) => Op::ConstArray,
        Term::Bound(_) | Term::Quant(_) => panic!("quantifiers are not evaluated"),
    }
}
