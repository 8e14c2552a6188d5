//! Arithmetic on known values: what SMT-LIB says the operators compute.

use num_bigint::{BigInt, Sign};
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::{BinaryOp, UnaryOp};

/// 2^width.
pub(crate) fn modulus(width: u32) -> BigInt {
    BigInt::one() << width
}

/// The unsigned value of the low `width` bits.
pub(crate) fn wrap(width: u32, value: &BigInt) -> BigInt {
    let modulus = modulus(width);
    if value.sign() != Sign::Minus && *value < modulus {
        return value.clone();
    }
    euclidean(value, &modulus).1
}

/// The signed reading of an unsigned value of that width.
pub(crate) fn signed(width: u32, value: &BigInt) -> BigInt {
    if value.bit(u64::from(width) - 1) { value - modulus(width) } else { value.clone() }
}

/// Quotient and remainder such that the remainder is not negative. The divisor must not be zero.
pub(crate) fn euclidean(a: &BigInt, b: &BigInt) -> (BigInt, BigInt) {
    let (quotient, remainder) = (a / b, a % b);
    if !remainder.is_negative() {
        (quotient, remainder)
    } else if b.is_positive() {
        (quotient - 1, remainder + b)
    } else {
        (quotient + 1, remainder - b)
    }
}

/// Two integers combined to an integer; nothing where SMT-LIB leaves the value open or `op` is no such operator.
pub(crate) fn int_binary(op: BinaryOp, a: &BigInt, b: &BigInt) -> Option<BigInt> {
    match op {
        BinaryOp::Add => Some(a + b),
        BinaryOp::Sub => Some(a - b),
        BinaryOp::Mul => Some(a * b),
        BinaryOp::Div if !b.is_zero() => Some(euclidean(a, b).0),
        BinaryOp::Mod if !b.is_zero() => Some(euclidean(a, b).1),
        _ => None,
    }
}

/// Two values compared: integers, or bit vectors of a width.
pub(crate) fn compare(op: BinaryOp, width: u32, a: &BigInt, b: &BigInt) -> Option<bool> {
    match op {
        BinaryOp::Eq => Some(a == b),
        BinaryOp::Lt | BinaryOp::BvUlt => Some(a < b),
        BinaryOp::Le | BinaryOp::BvUle => Some(a <= b),
        BinaryOp::BvSlt => Some(signed(width, a) < signed(width, b)),
        BinaryOp::BvSle => Some(signed(width, a) <= signed(width, b)),
        _ => None,
    }
}

/// Two bit vectors of one width combined to a third; nothing if `op` is no such operator.
pub(crate) fn bv_binary(op: BinaryOp, width: u32, a: &BigInt, b: &BigInt) -> Option<BigInt> {
    let value = match op {
        BinaryOp::BvAdd => a + b,
        BinaryOp::BvSub => a - b,
        BinaryOp::BvMul => a * b,
        BinaryOp::BvUdiv if b.is_zero() => modulus(width) - 1,
        BinaryOp::BvUdiv => a / b,
        BinaryOp::BvUrem | BinaryOp::BvSrem | BinaryOp::BvSmod if b.is_zero() => a.clone(),
        BinaryOp::BvUrem => a % b,
        BinaryOp::BvSdiv if b.is_zero() => {
            if signed(width, a).is_negative() {
                BigInt::one()
            } else {
                -BigInt::one()
            }
        }
        // `/` and `%` truncate, as bvsdiv and bvsrem do.
        BinaryOp::BvSdiv => signed(width, a) / signed(width, b),
        BinaryOp::BvSrem => signed(width, a) % signed(width, b),
        BinaryOp::BvSmod => {
            let divisor = signed(width, b);
            let remainder = signed(width, a) % &divisor;
            if remainder.is_zero() || remainder.is_negative() == divisor.is_negative() {
                remainder
            } else {
                remainder + divisor
            }
        }
        BinaryOp::BvShl => match shift(width, b) {
            Some(by) => a << by,
            None => BigInt::zero(),
        },
        BinaryOp::BvLshr => match shift(width, b) {
            Some(by) => a >> by,
            None => BigInt::zero(),
        },
        BinaryOp::BvAshr => signed(width, a) >> shift(width, b).unwrap_or(width),
        BinaryOp::BvAnd => a & b,
        BinaryOp::BvOr => a | b,
        BinaryOp::BvXor => a ^ b,
        _ => return None,
    };
    Some(wrap(width, &value))
}

/// By how much to shift, if less than everything is shifted out.
fn shift(width: u32, by: &BigInt) -> Option<u32> {
    by.to_u32().filter(|by| *by < width)
}

/// A bit vector of a width changed to another bit vector, of the width that `op` gives; nothing if `op` is no such
/// operator.
pub(crate) fn bv_unary(op: UnaryOp, width: u32, a: &BigInt) -> Option<BigInt> {
    match op {
        UnaryOp::BvNeg => Some(wrap(width, &-a)),
        UnaryOp::BvNot => Some(modulus(width) - 1 - a),
        UnaryOp::Extract { hi, lo } => Some(wrap(hi - lo, &(a >> lo))),
        UnaryOp::ZeroExtend(_) => Some(a.clone()),
        UnaryOp::SignExtend(new) => Some(wrap(new, &signed(width, a))),
        UnaryOp::Neg | UnaryOp::IntToBv(_) | UnaryOp::BvToInt => None,
    }
}
