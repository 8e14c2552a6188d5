//! Expressions.

use std::sync::Arc;

use num_bigint::BigUint;
use source::Span;

use crate::ast::{Attribute, Body, ExprId, Ident, Name, Type};

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
    Neg,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the operator of its name")]
pub enum BinaryOp {
    Iff,
    Implies,
    /// `a <== b`
    Explies,
    And,
    Or,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// `<:`, the partial order on constants.
    Below,
    Concat,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    /// `/`: on reals; on integers the same as `div`, as old tools mean it.
    Slash,
    Pow,
}

/// Which binder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binder {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
    /// `lambda`
    Lambda,
}

/// A name with a type, and perhaps a `where` clause.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub ident: Ident,
    /// Its type.
    pub ty: Type,
    /// What is assumed of it wherever it becomes arbitrary.
    pub condition: Option<Arc<Expr>>,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
}

/// A further operand of a chain.
#[derive(Clone, Debug)]
pub struct Link {
    /// The operator before it.
    pub op: BinaryOp,
    /// Where the operator stands.
    pub op_span: Span,
    /// The chain up to and including this link has an id of its own, for its type.
    pub id: ExprId,
    /// The operand.
    pub operand: Expr,
}

/// One arm of an if-then-else chain.
#[derive(Clone, Debug)]
pub struct Arm {
    /// The condition.
    pub condition: Expr,
    /// The value if it holds.
    pub value: Expr,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Its number.
    pub id: ExprId,
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `true`, `false`
    Bool(bool),
    /// `12`
    Int(BigUint),
    /// `12bv8`
    Bv {
        /// Below 2^width.
        value: BigUint,
        /// Number of bits.
        width: u32,
    },
    /// `1.5`, `1e3`
    Real,
    /// `0x1.8e2f24e8`: widths of significand and exponent.
    Float(u32, u32),
    /// A variable or constant.
    Name(Name),
    /// A function applied.
    Apply {
        /// The function.
        function: Ident,
        /// Its arguments.
        args: Vec<Expr>,
    },
    /// `int(e)` or `real(e)`.
    Convert {
        /// To `real` and not to `int`.
        to_real: bool,
        /// What is converted.
        operand: Box<Expr>,
    },
    /// `old(e)`
    Old(Box<Expr>),
    /// `!e`, `-e`
    Unary(UnaryOp, Box<Expr>),
    /// Operators of one precedence level, applied from the left.
    Chain {
        /// The leftmost operand.
        first: Box<Expr>,
        /// The others.
        rest: Vec<Link>,
    },
    /// `a ==> b ==> c`, which groups to the right; at least two operands.
    Implies(Vec<Expr>),
    /// `if a then b else if c then d else e`
    If {
        /// The arms, in order; at least one.
        arms: Vec<Arm>,
        /// The value if none holds.
        otherwise: Box<Expr>,
    },
    /// `m[i, j]`
    Select {
        /// The map.
        map: Box<Expr>,
        /// The indices.
        indices: Vec<Expr>,
    },
    /// `m[i, j := e]`
    Store {
        /// The map.
        map: Box<Expr>,
        /// The indices.
        indices: Vec<Expr>,
        /// The new value.
        value: Box<Expr>,
    },
    /// `e[hi:lo]`
    Extract {
        /// The bit vector.
        operand: Box<Expr>,
        /// One past the highest bit.
        hi: u32,
        /// The lowest bit.
        lo: u32,
    },
    /// A quantifier or lambda.
    Bind {
        /// Which one.
        binder: Binder,
        /// Its type variables.
        params: Vec<Ident>,
        /// Its variables.
        vars: Vec<Variable>,
        /// Its triggers.
        triggers: Vec<Vec<Expr>>,
        /// Its body.
        body: Box<Expr>,
    },
    /// `(var x := e; body)`
    Let {
        /// Names and values.
        bindings: Vec<(Ident, Expr)>,
        /// Where they hold.
        body: Box<Expr>,
    },
    /// `e : T`, which only helps type inference.
    Coerce(Box<Expr>, Type),
    /// `|{ ... return e; }|`
    Code(Box<Body>),
}
