//! Terms as plain data.

use num_bigint::BigInt;

use crate::SortId;

/// Names a term of a [`TermPool`](crate::TermPool).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub(crate) u32);

impl TermId {
    /// Position in the pool; operands come before what uses them.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Names an uninterpreted function (or, without parameters, a constant) of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub(crate) u32);

impl FunctionId {
    /// Position in the pool.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Integer negation.
    Neg,
    /// Two's complement negation.
    BvNeg,
    /// Bitwise complement.
    BvNot,
    /// The bits `hi-1 .. lo`.
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
}

/// Operators with two operands, with the meaning that SMT-LIB gives them. Those that are missing here (`>`, `bvuge`
/// and so on) are others with their operands swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is the SMT-LIB operator of its name")]
pub enum BinaryOp {
    // any sort
    Eq,
    // int; division and remainder are Euclidean, and unspecified functions where the divisor is zero
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Lt,
    Le,
    // bit vectors
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
    BvSlt,
    BvSle,
    Concat,
}

/// Which quantifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// For all.
    Forall,
    /// There is.
    Exists,
    /// The array from the bound variables to the body, curried if there are several.
    Lambda,
}

/// A variable of a quantifier. Number and sort together are its identity; an inner quantifier over the same variable
/// hides the outer one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BoundVar {
    /// Its number, for instance its nesting level.
    pub level: u32,
    /// Its sort.
    pub sort: SortId,
}

/// A quantified formula or a lambda.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Quantified {
    /// Which one.
    pub kind: Quantifier,
    /// The variables it binds.
    pub vars: Vec<BoundVar>,
    /// What is said of them.
    pub body: TermId,
    /// Hints for solvers, each a set of terms that together mention every variable.
    pub triggers: Vec<Vec<TermId>>,
}

/// One term whose operands are in the same pool.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(BigInt),
    /// A bit vector: width and unsigned value below 2^width.
    Bv(u32, BigInt),
    /// A function applied; without operands, a constant.
    Apply(FunctionId, Box<[TermId]>),
    /// A variable of a quantifier around it.
    Bound(BoundVar),
    /// Negation.
    Not(TermId),
    /// Conjunction of two or more.
    And(Box<[TermId]>),
    /// Disjunction of two or more.
    Or(Box<[TermId]>),
    /// Pairwise different, of three or more.
    Distinct(Box<[TermId]>),
    /// An operator with one operand.
    Unary(UnaryOp, TermId),
    /// An operator with two operands.
    Binary(BinaryOp, TermId, TermId),
    /// If-then-else.
    Ite(TermId, TermId, TermId),
    /// The cell of an array.
    Select(TermId, TermId),
    /// The array with one cell changed.
    Store(TermId, TermId, TermId),
    /// The array (of the given sort) whose cells all have one value.
    ConstArray(SortId, TermId),
    /// A quantified formula or a lambda.
    Quant(Box<Quantified>),
}

impl Term {
    /// Calls `visit` with each operand, from left to right (a quantifier's body, then its triggers).
    pub fn for_each_operand(&self, mut visit: impl FnMut(TermId)) {
        match self {
            Term::Bool(_) | Term::Int(_) | Term::Bv(..) | Term::Bound(_) => {}
            Term::Apply(_, args) | Term::And(args) | Term::Or(args) | Term::Distinct(args) => {
                args.iter().copied().for_each(visit);
            }
            Term::Not(a) | Term::Unary(_, a) | Term::ConstArray(_, a) => visit(*a),
            Term::Binary(_, a, b) | Term::Select(a, b) => {
                visit(*a);
                visit(*b);
            }
            Term::Ite(a, b, c) | Term::Store(a, b, c) => {
                visit(*a);
                visit(*b);
                visit(*c);
            }
            Term::Quant(quant) => {
                visit(quant.body);
                quant.triggers.iter().flatten().copied().for_each(visit);
            }
        }
    }

    /// Whether it is a truth value, an integer or a bit vector.
    #[must_use]
    pub fn is_literal_value(&self) -> bool {
        matches!(self, Term::Bool(_) | Term::Int(_) | Term::Bv(..))
    }
}
