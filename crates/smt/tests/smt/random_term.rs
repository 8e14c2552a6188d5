//! Random terms: graphs of operators with sharing, built into a pool and evaluated on their own.

use fastrand::Rng;
use smt::{BinaryOp, SortId, TermId, TermPool, UnaryOp};

use crate::evaluate::{Op, V, lazily};

/// The sorts of random terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bool,
    Int,
    Bv(u32),
    Array,
}

/// The variables, by their index.
pub(crate) const VARS: [Kind; 10] = [
    Kind::Bool,
    Kind::Bool,
    Kind::Int,
    Kind::Int,
    Kind::Int,
    Kind::Bv(4),
    Kind::Bv(4),
    Kind::Bv(8),
    Kind::Array,
    Kind::Array,
];

const BV_OPS: [BinaryOp; 14] = [
    BinaryOp::BvAdd,
    BinaryOp::BvSub,
    BinaryOp::BvMul,
    BinaryOp::BvUdiv,
    BinaryOp::BvSdiv,
    BinaryOp::BvUrem,
    BinaryOp::BvSrem,
    BinaryOp::BvSmod,
    BinaryOp::BvShl,
    BinaryOp::BvLshr,
    BinaryOp::BvAshr,
    BinaryOp::BvAnd,
    BinaryOp::BvOr,
    BinaryOp::BvXor,
];
const BV_TESTS: [BinaryOp; 4] = [BinaryOp::BvUlt, BinaryOp::BvUle, BinaryOp::BvSlt, BinaryOp::BvSle];

/// Operators whose operands are earlier nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    nodes: Vec<(Op, Vec<usize>, Kind)>,
}

/// A random value, often one of the special ones.
pub(crate) fn value(rng: &mut Rng, kind: Kind) -> V {
    match kind {
        Kind::Bool => V::Bool(rng.bool()),
        Kind::Int => V::Int(i128::from(rng.i8(-4..5))),
        Kind::Bv(width) => {
            let ones = (1u128 << width) - 1;
            let special = [0, 1, ones, ones / 2, ones / 2 + 1];
            let random = rng.u128(0..=ones);
            V::Bv(width, if rng.bool() { random } else { special[rng.usize(..special.len())] })
        }
        Kind::Array => {
            let default = i128::from(rng.i8(-2..3));
            let cells = (0..rng.usize(..3)).map(|_| (i128::from(rng.i8(-3..4)), i128::from(rng.i8(-3..4))));
            V::Array(default, cells.filter(|(_, value)| *value != default).collect())
        }
    }
}

/// Values for all variables.
pub(crate) fn assignment(rng: &mut Rng) -> Vec<V> {
    VARS.iter().map(|kind| value(rng, *kind)).collect()
}

pub(crate) fn sort(pool: &mut TermPool, kind: Kind) -> SortId {
    match kind {
        Kind::Bool => SortId::BOOL,
        Kind::Int => SortId::INT,
        Kind::Bv(width) => pool.bv_sort(width),
        Kind::Array => pool.array_sort(&[SortId::INT], SortId::INT),
    }
}

/// The term of a variable.
pub(crate) fn var(pool: &mut TermPool, index: usize) -> TermId {
    let sort = sort(pool, VARS[index]);
    pool.constant(&format!("v{index}"), sort)
}

impl Graph {
    /// A random graph; its last node is of the kind asked for. With `linear`, integers are not multiplied or divided.
    pub(crate) fn new(rng: &mut Rng, size: usize, kind: Kind, linear: bool) -> Self {
        let mut graph = Graph::default();
        for (index, kind) in VARS.iter().enumerate() {
            graph.nodes.push((Op::Var(index), Vec::new(), *kind));
        }
        for kind in [Kind::Bool, Kind::Int, Kind::Bv(4), Kind::Bv(8)] {
            let value = value(rng, kind);
            graph.nodes.push((Op::Value(value), Vec::new(), kind));
        }
        for _ in 0..size {
            let kinds = [Kind::Bool, Kind::Bool, Kind::Int, Kind::Bv(4), Kind::Bv(8), Kind::Array];
            let kind = kinds[rng.usize(..kinds.len())];
            graph.grow(rng, kind, linear);
        }
        graph.grow(rng, kind, linear);
        graph
    }

    fn pick(&self, rng: &mut Rng, kind: Kind) -> usize {
        let matching: Vec<usize> = (0..self.nodes.len()).filter(|i| self.nodes[*i].2 == kind).collect();
        // Later nodes more often, so that terms become deep.
        let newest = matching.len().saturating_sub(4);
        if rng.bool() {
            matching[rng.usize(newest..matching.len())]
        } else {
            matching[rng.usize(..matching.len())]
        }
    }

    fn grow(&mut self, rng: &mut Rng, kind: Kind, linear: bool) {
        let (op, kinds): (Op, Vec<Kind>) = match (kind, rng.u8(..10)) {
            (_, 0) => (Op::Value(value(rng, kind)), vec![]),
            (_, 1) => (Op::Ite, vec![Kind::Bool, kind, kind]),
            (Kind::Bool, 2) => (Op::Not, vec![kind]),
            (Kind::Bool, 3) => (Op::And, vec![kind; rng.usize(1..5)]),
            (Kind::Bool, 4) => (Op::Or, vec![kind; rng.usize(1..5)]),
            (Kind::Bool, 5) => {
                let of = [Kind::Int, Kind::Bv(4)][rng.usize(..2)];
                (Op::Distinct, vec![of; rng.usize(2..4)])
            }
            (Kind::Bool, 6) => {
                let of = [Kind::Bool, Kind::Int, Kind::Bv(4), Kind::Array][rng.usize(..4)];
                (Op::Binary(BinaryOp::Eq), vec![of; 2])
            }
            (Kind::Bool, 7) => (Op::Binary([BinaryOp::Lt, BinaryOp::Le][rng.usize(..2)]), vec![Kind::Int; 2]),
            (Kind::Bool, _) => {
                let of = [Kind::Bv(4), Kind::Bv(8)][rng.usize(..2)];
                (Op::Binary(BV_TESTS[rng.usize(..4)]), vec![of; 2])
            }
            (Kind::Int, 2 | 3) => (Op::Select, vec![Kind::Array, Kind::Int]),
            (Kind::Int, 4) => (Op::Unary(UnaryOp::Neg), vec![kind]),
            (Kind::Int, 5) => (Op::Unary(UnaryOp::BvToInt), vec![Kind::Bv(4)]),
            (Kind::Int, 6) => (Op::Binary(BinaryOp::Sub), vec![kind; 2]),
            (Kind::Int, 7) if !linear => {
                (Op::Binary([BinaryOp::Mul, BinaryOp::Div, BinaryOp::Mod][rng.usize(..3)]), vec![kind; 2])
            }
            (Kind::Int, _) => (Op::Binary(BinaryOp::Add), vec![kind; 2]),
            (Kind::Bv(4), 2) => {
                let lo = rng.u32(..5);
                (Op::Unary(UnaryOp::Extract { hi: lo + 4, lo }), vec![Kind::Bv(8)])
            }
            (Kind::Bv(8), 2) => (Op::Binary(BinaryOp::Concat), vec![Kind::Bv(4); 2]),
            (Kind::Bv(8), 3) => (Op::Unary(UnaryOp::ZeroExtend(8)), vec![Kind::Bv(4)]),
            (Kind::Bv(8), 4) => (Op::Unary(UnaryOp::SignExtend(8)), vec![Kind::Bv(4)]),
            (Kind::Bv(width), 5) if !linear => (Op::Unary(UnaryOp::IntToBv(width)), vec![Kind::Int]),
            (Kind::Bv(_), 6) => (Op::Unary([UnaryOp::BvNeg, UnaryOp::BvNot][rng.usize(..2)]), vec![kind]),
            (Kind::Bv(_), _) => (Op::Binary(BV_OPS[rng.usize(..BV_OPS.len())]), vec![kind; 2]),
            (Kind::Array, 2) => (Op::ConstArray, vec![Kind::Int]),
            (Kind::Array, _) => (Op::Store, vec![Kind::Array, Kind::Int, Kind::Int]),
        };
        let args = kinds.iter().map(|kind| self.pick(rng, *kind)).collect();
        self.nodes.push((op, args, kind));
    }

    /// The last node's value, if it has one.
    pub(crate) fn evaluate(&self, vars: &[V]) -> Option<V> {
        let mut values: Vec<Option<V>> = Vec::new();
        for (op, args, _) in &self.nodes {
            let args: Vec<Option<V>> = args.iter().map(|arg| values[*arg].clone()).collect();
            values.push(lazily(op, &args, vars));
        }
        values.pop().flatten()
    }

    /// The last node as a term.
    pub(crate) fn build(&self, pool: &mut TermPool) -> TermId {
        let mut terms: Vec<TermId> = Vec::new();
        for (op, args, _) in &self.nodes {
            let args: Vec<TermId> = args.iter().map(|arg| terms[*arg]).collect();
            let term = match op {
                Op::Value(value) => value.term(pool),
                Op::Var(index) => var(pool, *index),
                Op::Not => pool.not(args[0]),
                Op::And => pool.and(args),
                Op::Or => pool.or(args),
                Op::Distinct => pool.distinct(&args),
                Op::Unary(op) => pool.unary(*op, args[0]),
                Op::Binary(op) => pool.binary(*op, args[0], args[1]),
                Op::Ite => pool.ite(args[0], args[1], args[2]),
                Op::Select => pool.select(args[0], args[1]),
                Op::Store => pool.store(args[0], args[1], args[2]),
                Op::ConstArray => {
                    let sort = sort(pool, Kind::Array);
                    pool.const_array(sort, args[0])
                }
            };
            terms.push(term);
        }
        terms[terms.len() - 1]
    }
}
