//! How operators are written, and how tightly they bind.

use crate::{BinaryOp, UnaryOp};

/// The side on which an operator of equal strength may stand without parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
    Neither,
}

/// Strength of what stands between operators: higher binds tighter.
pub(crate) mod strength {
    /// `if`, `let` and quantifiers, which reach as far to the right as they can.
    pub(crate) const OPEN: u8 = 0;
    /// `!` and `-`.
    pub(crate) const PREFIX: u8 = 8;
    /// Names, literals, applications, cells of maps.
    pub(crate) const CLOSED: u8 = 9;
}

/// Strength and side of an infix operator; none for those written as functions.
pub(crate) fn infix(op: BinaryOp) -> Option<(u8, Side)> {
    Some(match op {
        BinaryOp::Iff => (1, Side::Left),
        BinaryOp::Implies => (2, Side::Right),
        BinaryOp::Or => (3, Side::Left),
        BinaryOp::And => (4, Side::Left),
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
            (5, Side::Neither)
        }
        BinaryOp::Add | BinaryOp::Sub => (6, Side::Left),
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod => (7, Side::Left),
        _ => return None,
    })
}

/// Every operator with two operands, with the symbol or function name it is written as.
pub(crate) const BINARY: [(BinaryOp, &str); 38] = [
    (BinaryOp::And, "&&"),
    (BinaryOp::Or, "||"),
    (BinaryOp::Implies, "==>"),
    (BinaryOp::Iff, "<==>"),
    (BinaryOp::Eq, "=="),
    (BinaryOp::Ne, "!="),
    (BinaryOp::Add, "+"),
    (BinaryOp::Sub, "-"),
    (BinaryOp::Mul, "*"),
    (BinaryOp::Div, "div"),
    (BinaryOp::Mod, "mod"),
    (BinaryOp::Lt, "<"),
    (BinaryOp::Le, "<="),
    (BinaryOp::Gt, ">"),
    (BinaryOp::Ge, ">="),
    (BinaryOp::BvAdd, "bvadd"),
    (BinaryOp::BvSub, "bvsub"),
    (BinaryOp::BvMul, "bvmul"),
    (BinaryOp::BvUdiv, "bvudiv"),
    (BinaryOp::BvSdiv, "bvsdiv"),
    (BinaryOp::BvUrem, "bvurem"),
    (BinaryOp::BvSrem, "bvsrem"),
    (BinaryOp::BvSmod, "bvsmod"),
    (BinaryOp::BvShl, "bvshl"),
    (BinaryOp::BvLshr, "bvlshr"),
    (BinaryOp::BvAshr, "bvashr"),
    (BinaryOp::BvAnd, "bvand"),
    (BinaryOp::BvOr, "bvor"),
    (BinaryOp::BvXor, "bvxor"),
    (BinaryOp::BvUlt, "bvult"),
    (BinaryOp::BvUle, "bvule"),
    (BinaryOp::BvUgt, "bvugt"),
    (BinaryOp::BvUge, "bvuge"),
    (BinaryOp::BvSlt, "bvslt"),
    (BinaryOp::BvSle, "bvsle"),
    (BinaryOp::BvSgt, "bvsgt"),
    (BinaryOp::BvSge, "bvsge"),
    (BinaryOp::Concat, "concat"),
];

/// How a binary operator is written.
pub(crate) fn binary_name(op: BinaryOp) -> &'static str {
    BINARY.iter().find(|(other, _)| *other == op).map_or("?", |(_, name)| name)
}

/// How a unary operator is written: a prefix symbol or a function name.
pub(crate) fn unary_name(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Not => "!",
        UnaryOp::Neg => "-",
        UnaryOp::BvNeg => "bvneg",
        UnaryOp::BvNot => "bvnot",
        UnaryOp::Extract { .. } => "extract",
        UnaryOp::ZeroExtend(_) => "zext",
        UnaryOp::SignExtend(_) => "sext",
        UnaryOp::IntToBv(_) => "int_to_bv",
        UnaryOp::BvToInt => "ubv_to_int",
        UnaryOp::BvToSignedInt => "sbv_to_int",
    }
}

/// The unary operator that a function name and its numbers (bits or width, after the operand) stand for.
pub(crate) fn unary_function(name: &str, numbers: &[u32]) -> Option<UnaryOp> {
    Some(match (name, numbers) {
        ("bvneg", []) => UnaryOp::BvNeg,
        ("bvnot", []) => UnaryOp::BvNot,
        ("extract", [hi, lo]) => UnaryOp::Extract { hi: *hi, lo: *lo },
        ("zext", [width]) => UnaryOp::ZeroExtend(*width),
        ("sext", [width]) => UnaryOp::SignExtend(*width),
        ("int_to_bv", [width]) => UnaryOp::IntToBv(*width),
        ("ubv_to_int", []) => UnaryOp::BvToInt,
        ("sbv_to_int", []) => UnaryOp::BvToSignedInt,
        _ => return None,
    })
}

/// How many numbers follow the operand of a unary operator that is written as a function.
pub(crate) fn unary_numbers(name: &str) -> Option<usize> {
    (0..=2).find(|&count| unary_function(name, &[1; 2][..count]).is_some())
}

/// Whether a name is taken by an operator that is written as a function.
pub(crate) fn is_function_name(name: &str) -> bool {
    let binary = BINARY.iter().any(|(op, other)| *other == name && infix(*op).is_none());
    binary || name == "const" || unary_numbers(name).is_some()
}
