//! Expressions, hash-consed: equal expressions have equal ids, and every id has a type.

use indexmap::IndexSet;
use num_bigint::BigInt;
use rustc_hash::FxBuildHasher;

use crate::{ConstId, FuncId, GlobalId, LocalId, Type};

/// Names an expression of an [`ExprPool`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(u32);

impl ExprId {
    /// Position in the pool; operands come before what uses them.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Logical negation.
    Not,
    /// Integer negation.
    Neg,
    /// Two's complement negation.
    BvNeg,
    /// Bitwise complement.
    BvNot,
    /// The bits `hi-1 .. lo` (Boogie's `e[hi:lo]`).
    Extract {
        /// One past the highest bit.
        hi: u32,
        /// The lowest bit.
        lo: u32,
    },
    /// Zero extension to the given width.
    ZeroExtend(u32),
    /// Sign extension to the given width.
    SignExtend(u32),
    /// The integer modulo 2^width, as a bit vector of that width.
    IntToBv(u32),
    /// The unsigned value of a bit vector.
    BvToInt,
    /// The signed value of a bit vector.
    BvToSignedInt,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is the operator of its name; docs/ir.md has the table")]
pub enum BinaryOp {
    // bool
    And,
    Or,
    Implies,
    Iff,
    // any type
    Eq,
    Ne,
    // int; division and remainder are Euclidean, as in SMT-LIB
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Lt,
    Le,
    Gt,
    Ge,
    // bit vectors, as in SMT-LIB
    BvAdd,
    BvSub,
    BvMul,
    BvUdiv,
    BvSdiv,
    BvUrem,
    BvSrem,
    BvSmod,
    BvShl,
    BvLshr,
    BvAshr,
    BvAnd,
    BvOr,
    BvXor,
    BvUlt,
    BvUle,
    BvUgt,
    BvUge,
    BvSlt,
    BvSle,
    BvSgt,
    BvSge,
    Concat,
}

/// Which quantifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuantKind {
    /// For all.
    Forall,
    /// There is.
    Exists,
    /// The map from the bound variables to the body.
    Lambda,
}

/// A variable bound by a quantifier; the name is for people.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BoundVar {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

/// One expression whose operands are in the same pool.
///
/// Variables carry their type, so that the pool can type every expression by itself; the validator checks that
/// it agrees with the declaration.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ExprNode {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(BigInt),
    /// A bit vector: width and unsigned value below 2^width.
    Bv(u32, BigInt),
    /// The handle that names no task.
    Nil,
    /// The handle of the task that evaluates it.
    SelfTask,
    /// A global variable.
    Global(GlobalId, Type),
    /// A local variable of the procedure the expression is used in.
    Local(LocalId, Type),
    /// A symbolic constant.
    Const(ConstId, Type),
    /// A bound variable by its level: parameters of the function (if in one) come first, then the variables of
    /// the quantifiers from the outside in.
    Bound(u32, Type),
    /// An operator with one operand.
    Unary(UnaryOp, ExprId),
    /// An operator with two operands. `And`, `Or` and `Implies` evaluate their right operand only if needed.
    Binary(BinaryOp, ExprId, ExprId),
    /// If-then-else.
    Ite(ExprId, ExprId, ExprId),
    /// The cell of a map.
    Select(ExprId, Vec<ExprId>),
    /// The map with one cell changed.
    Store(ExprId, Vec<ExprId>, ExprId),
    /// The map (of the given type) whose cells all have one value.
    ConstMap(Type, ExprId),
    /// A function applied; the type is that of the result.
    Apply(FuncId, Vec<ExprId>, Type),
    /// A quantified formula or lambda; triggers are hints for solvers.
    Quant {
        /// Which one.
        kind: QuantKind,
        /// The bound variables, levels `first..first + vars.len()`.
        vars: Vec<BoundVar>,
        /// The level of the first.
        first: u32,
        /// What is said of them.
        body: ExprId,
        /// Each a set of terms.
        triggers: Vec<Vec<ExprId>>,
    },
}

impl ExprNode {
    /// Calls `visit` with each operand, from left to right (a quantifier's body, then its triggers).
    pub fn for_each_operand(&self, mut visit: impl FnMut(ExprId)) {
        match self {
            ExprNode::Bool(_)
            | ExprNode::Int(_)
            | ExprNode::Bv(..)
            | ExprNode::Nil
            | ExprNode::SelfTask
            | ExprNode::Global(..)
            | ExprNode::Local(..)
            | ExprNode::Const(..)
            | ExprNode::Bound(..) => {}
            ExprNode::Unary(_, a) | ExprNode::ConstMap(_, a) => visit(*a),
            ExprNode::Binary(_, a, b) => {
                visit(*a);
                visit(*b);
            }
            ExprNode::Ite(a, b, c) => {
                visit(*a);
                visit(*b);
                visit(*c);
            }
            ExprNode::Select(map, indices) => {
                visit(*map);
                indices.iter().copied().for_each(visit);
            }
            ExprNode::Store(map, indices, value) => {
                visit(*map);
                indices.iter().copied().for_each(&mut visit);
                visit(*value);
            }
            ExprNode::Apply(_, args, _) => args.iter().copied().for_each(visit),
            ExprNode::Quant { body, triggers, .. } => {
                visit(*body);
                triggers.iter().flatten().copied().for_each(visit);
            }
        }
    }

    /// The same node with each operand replaced.
    #[must_use]
    pub fn map_operands(&self, mut change: impl FnMut(ExprId) -> ExprId) -> ExprNode {
        let mut node = self.clone();
        match &mut node {
            ExprNode::Bool(_)
            | ExprNode::Int(_)
            | ExprNode::Bv(..)
            | ExprNode::Nil
            | ExprNode::SelfTask
            | ExprNode::Global(..)
            | ExprNode::Local(..)
            | ExprNode::Const(..)
            | ExprNode::Bound(..) => {}
            ExprNode::Unary(_, a) | ExprNode::ConstMap(_, a) => *a = change(*a),
            ExprNode::Binary(_, a, b) => {
                *a = change(*a);
                *b = change(*b);
            }
            ExprNode::Ite(a, b, c) => {
                *a = change(*a);
                *b = change(*b);
                *c = change(*c);
            }
            ExprNode::Select(map, indices) => {
                *map = change(*map);
                indices.iter_mut().for_each(|e| *e = change(*e));
            }
            ExprNode::Store(map, indices, value) => {
                *map = change(*map);
                indices.iter_mut().for_each(|e| *e = change(*e));
                *value = change(*value);
            }
            ExprNode::Apply(_, args, _) => args.iter_mut().for_each(|e| *e = change(*e)),
            ExprNode::Quant { body, triggers, .. } => {
                *body = change(*body);
                triggers.iter_mut().flatten().for_each(|e| *e = change(*e));
            }
        }
        node
    }
}

/// All expressions of a program.
///
/// The constructors do not check types; a wrong one is typed by its first operand as far as that goes and is
/// reported by the validator.
#[derive(Clone, Debug, Default)]
pub struct ExprPool {
    nodes: IndexSet<ExprNode, FxBuildHasher>,
    types: Vec<Type>,
}

impl ExprPool {
    /// The id of a node, new or known. Operands must be ids of this pool.
    ///
    /// # Panics
    /// When the pool would hold more than 2^32 expressions.
    pub fn add(&mut self, node: ExprNode) -> ExprId {
        if let Some(index) = self.nodes.get_index_of(&node) {
            return ExprId(u32::try_from(index).expect("fewer than 2^32 expressions"));
        }
        let ty = self.type_of(&node);
        let (index, _) = self.nodes.insert_full(node);
        self.types.push(ty);
        ExprId(u32::try_from(index).expect("fewer than 2^32 expressions"))
    }

    /// The node behind an id.
    #[must_use]
    pub fn node(&self, id: ExprId) -> &ExprNode {
        &self.nodes[id.index()]
    }

    /// The type of an expression.
    #[must_use]
    pub fn ty(&self, id: ExprId) -> &Type {
        &self.types[id.index()]
    }

    /// How many expressions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All ids, operands first.
    pub fn ids(&self) -> impl Iterator<Item = ExprId> + use<> {
        let count = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        (0..count).map(ExprId)
    }

    /// Rebuilds `root` with `leaf` deciding on each node without operands (and free to return any expression for
    /// it). Shared parts are rebuilt once; deep expressions do not use the stack.
    pub fn rewrite(&mut self, root: ExprId, mut leaf: impl FnMut(&mut ExprPool, ExprId) -> ExprId) -> ExprId {
        let mut done: rustc_hash::FxHashMap<ExprId, ExprId> = rustc_hash::FxHashMap::default();
        let mut work = vec![root];
        while let Some(&top) = work.last() {
            if done.contains_key(&top) {
                work.pop();
                continue;
            }
            let before = work.len();
            let mut has_operands = false;
            self.node(top).for_each_operand(|e| {
                has_operands = true;
                if !done.contains_key(&e) {
                    work.push(e);
                }
            });
            if work.len() > before {
                continue;
            }
            work.pop();
            let new = if has_operands {
                let node = self.node(top).map_operands(|e| done[&e]);
                self.add(node)
            } else {
                leaf(self, top)
            };
            done.insert(top, new);
        }
        done[&root]
    }

    /// Calls `visit` once with each expression that `root` is made of, itself included.
    pub fn for_each_in(&self, root: ExprId, mut visit: impl FnMut(ExprId, &ExprNode)) {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut work = vec![root];
        while let Some(top) = work.pop() {
            if seen.insert(top) {
                visit(top, self.node(top));
                self.node(top).for_each_operand(|e| work.push(e));
            }
        }
    }

    fn type_of(&self, node: &ExprNode) -> Type {
        match node {
            ExprNode::Bool(_) => Type::Bool,
            ExprNode::Int(_) => Type::Int,
            ExprNode::Bv(width, _) => Type::Bv(*width),
            ExprNode::Nil | ExprNode::SelfTask => Type::Task,
            ExprNode::Global(_, ty)
            | ExprNode::Local(_, ty)
            | ExprNode::Const(_, ty)
            | ExprNode::Bound(_, ty)
            | ExprNode::ConstMap(ty, _)
            | ExprNode::Apply(_, _, ty) => ty.clone(),
            ExprNode::Unary(op, a) => match op {
                UnaryOp::Not => Type::Bool,
                UnaryOp::Neg | UnaryOp::BvToInt | UnaryOp::BvToSignedInt => Type::Int,
                UnaryOp::BvNeg | UnaryOp::BvNot => self.ty(*a).clone(),
                UnaryOp::Extract { hi, lo } => Type::Bv(hi.saturating_sub(*lo)),
                UnaryOp::ZeroExtend(width) | UnaryOp::SignExtend(width) | UnaryOp::IntToBv(width) => {
                    Type::Bv(*width)
                }
            },
            ExprNode::Binary(op, a, b) => self.type_of_binary(*op, *a, *b),
            ExprNode::Ite(_, a, _) | ExprNode::Store(a, ..) => self.ty(*a).clone(),
            ExprNode::Select(map, _) => match self.ty(*map) {
                Type::Map(map) => map.result.clone(),
                other => other.clone(),
            },
            ExprNode::Quant { kind, vars, body, .. } => match kind {
                QuantKind::Forall | QuantKind::Exists => Type::Bool,
                QuantKind::Lambda => {
                    Type::map(vars.iter().map(|v| v.ty.clone()).collect(), self.ty(*body).clone())
                }
            },
        }
    }

    fn type_of_binary(&self, op: BinaryOp, a: ExprId, b: ExprId) -> Type {
        use BinaryOp::{
            Add, And, BvAdd, BvAnd, BvAshr, BvLshr, BvMul, BvOr, BvSdiv, BvSge, BvSgt, BvShl, BvSle, BvSlt,
            BvSmod, BvSrem, BvSub, BvUdiv, BvUge, BvUgt, BvUle, BvUlt, BvUrem, BvXor, Concat, Div, Eq, Ge,
            Gt, Iff, Implies, Le, Lt, Mod, Mul, Ne, Or, Sub,
        };
        match op {
            And | Or | Implies | Iff | Eq | Ne | Lt | Le | Gt | Ge | BvUlt | BvUle | BvUgt | BvUge
            | BvSlt | BvSle | BvSgt | BvSge => Type::Bool,
            Add | Sub | Mul | Div | Mod => Type::Int,
            BvAdd | BvSub | BvMul | BvUdiv | BvSdiv | BvUrem | BvSrem | BvSmod | BvShl | BvLshr | BvAshr
            | BvAnd | BvOr | BvXor => self.ty(a).clone(),
            Concat => match (self.ty(a), self.ty(b)) {
                (Type::Bv(high), Type::Bv(low)) => Type::Bv(high.saturating_add(*low)),
                (other, _) => other.clone(),
            },
        }
    }
}

/// Shorthands for the nodes that frontends and passes build most.
impl ExprPool {
    /// `true` or `false`.
    pub fn bool(&mut self, value: bool) -> ExprId {
        self.add(ExprNode::Bool(value))
    }

    /// An integer.
    pub fn int(&mut self, value: impl Into<BigInt>) -> ExprId {
        self.add(ExprNode::Int(value.into()))
    }

    /// Logical negation.
    pub fn not(&mut self, a: ExprId) -> ExprId {
        self.add(ExprNode::Unary(UnaryOp::Not, a))
    }

    /// An operator with two operands.
    pub fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        self.add(ExprNode::Binary(op, a, b))
    }

    /// Equality.
    pub fn eq(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinaryOp::Eq, a, b)
    }

    /// Conjunction.
    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinaryOp::And, a, b)
    }

    /// If-then-else.
    pub fn ite(&mut self, cond: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        self.add(ExprNode::Ite(cond, then, otherwise))
    }

    /// The cell of a map.
    pub fn select(&mut self, map: ExprId, indices: Vec<ExprId>) -> ExprId {
        self.add(ExprNode::Select(map, indices))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_expressions_are_one() {
        let mut pool = ExprPool::default();
        let one = pool.int(1);
        let sum = pool.binary(BinaryOp::Add, one, one);
        let again = pool.binary(BinaryOp::Add, one, one);
        assert_eq!(sum, again);
        assert_eq!(pool.ty(sum), &Type::Int);
        assert_eq!(pool.len(), 2);
    }

    #[test]
    fn rewriting_a_deep_expression_does_not_overflow() {
        let mut pool = ExprPool::default();
        let mut e = pool.int(0);
        let one = pool.int(1);
        for _ in 0..200_000 {
            e = pool.binary(BinaryOp::Add, e, one);
        }
        let two = pool.int(2);
        let changed = pool.rewrite(e, |_, leaf| if leaf == one { two } else { leaf });
        assert_ne!(changed, e);
        let mut leaves = 0;
        pool.for_each_in(changed, |id, _| leaves += usize::from(id == two || id == one));
        assert_eq!(leaves, 1);
    }
}
