//! Expressions over bit vectors, simplified as they are made: addresses are mostly constants, and stay so.

use ir::{BinaryOp, ExprId, ExprNode, ExprPool, Type, UnaryOp};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};

use crate::module::IntPredicate;

/// `value` modulo 2^width.
fn wrap(width: u32, value: &BigInt) -> BigInt {
    let modulus = BigInt::one() << width;
    ((value % &modulus) + &modulus) % modulus
}

fn signed(width: u32, value: &BigInt) -> BigInt {
    if value >> (width - 1) == BigInt::one() { value - (BigInt::one() << width) } else { value.clone() }
}

/// Makes expressions in a pool.
pub(super) trait Bits {
    fn pool(&mut self) -> &mut ExprPool;

    fn bv(&mut self, width: u32, value: u64) -> ExprId {
        self.big(width, &BigInt::from(value))
    }

    fn big(&mut self, width: u32, value: &BigInt) -> ExprId {
        let value = wrap(width, value);
        self.pool().add(ExprNode::Bv(width, value))
    }

    fn unsigned(&mut self, width: u32, value: &BigUint) -> ExprId {
        self.big(width, &BigInt::from(value.clone()))
    }

    /// The value of a literal.
    fn literal(&mut self, e: ExprId) -> Option<BigInt> {
        match self.pool().node(e) {
            ExprNode::Bv(_, value) => Some(value.clone()),
            _ => None,
        }
    }

    fn literal_u64(&mut self, e: ExprId) -> Option<u64> {
        self.literal(e)?.to_u64()
    }

    fn literal_bool(&mut self, e: ExprId) -> Option<bool> {
        match self.pool().node(e) {
            ExprNode::Bool(value) => Some(*value),
            _ => None,
        }
    }

    fn width(&mut self, e: ExprId) -> u32 {
        match self.pool().ty(e) {
            Type::Bv(width) => *width,
            _ => 1,
        }
    }

    fn operate(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        let (x, y) = (self.literal(a), self.literal(b));
        if let (Some(x), Some(y)) = (&x, &y)
            && let Some(value) = fold(op, width, x, y)
        {
            return self.big(width, &value);
        }
        let zero = |value: &Option<BigInt>| value.as_ref().is_some_and(Zero::is_zero);
        match op {
            BinaryOp::BvAdd | BinaryOp::BvOr | BinaryOp::BvXor if zero(&x) => return b,
            BinaryOp::BvAdd
            | BinaryOp::BvSub
            | BinaryOp::BvOr
            | BinaryOp::BvXor
            | BinaryOp::BvShl
            | BinaryOp::BvLshr
            | BinaryOp::BvAshr
                if zero(&y) =>
            {
                return a;
            }
            BinaryOp::BvMul if y.as_ref().is_some_and(One::is_one) => return a,
            BinaryOp::BvMul if x.as_ref().is_some_and(One::is_one) => return b,
            BinaryOp::BvMul | BinaryOp::BvAnd if zero(&x) => return a,
            BinaryOp::BvMul | BinaryOp::BvAnd if zero(&y) => return b,
            _ => {}
        }
        self.pool().binary(op, a, b)
    }

    fn sum(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.operate(BinaryOp::BvAdd, a, b)
    }

    /// Bits `hi - 1 .. lo`.
    fn extract(&mut self, e: ExprId, hi: u32, lo: u32) -> ExprId {
        let width = self.width(e);
        if lo == 0 && hi == width {
            return e;
        }
        if let Some(value) = self.literal(e) {
            return self.big(hi - lo, &(value >> lo));
        }
        if let ExprNode::Unary(op @ (UnaryOp::ZeroExtend(_) | UnaryOp::SignExtend(_)), inner) =
            *self.pool().node(e)
        {
            let inside = self.width(inner);
            if hi <= inside {
                return self.extract(inner, hi, lo);
            }
            if lo == 0 {
                return match op {
                    UnaryOp::ZeroExtend(_) => self.zero_extend(inner, hi),
                    _ => self.sign_extend(inner, hi),
                };
            }
        }
        if let ExprNode::Binary(BinaryOp::Concat, high, low) = *self.pool().node(e) {
            let below = self.width(low);
            if hi <= below {
                return self.extract(low, hi, lo);
            }
            if lo >= below {
                return self.extract(high, hi - below, lo - below);
            }
        }
        self.pool().add(ExprNode::Unary(UnaryOp::Extract { hi, lo }, e))
    }

    fn zero_extend(&mut self, e: ExprId, width: u32) -> ExprId {
        let from = self.width(e);
        match self.literal(e) {
            _ if from >= width => self.extract(e, width, 0),
            Some(value) => self.big(width, &value),
            None => self.pool().add(ExprNode::Unary(UnaryOp::ZeroExtend(width), e)),
        }
    }

    fn sign_extend(&mut self, e: ExprId, width: u32) -> ExprId {
        let from = self.width(e);
        match self.literal(e) {
            _ if from >= width => self.extract(e, width, 0),
            Some(value) => self.big(width, &signed(from, &value)),
            None => self.pool().add(ExprNode::Unary(UnaryOp::SignExtend(width), e)),
        }
    }

    fn concat(&mut self, high: ExprId, low: ExprId) -> ExprId {
        let (above, below) = (self.width(high), self.width(low));
        if let (Some(x), Some(y)) = (self.literal(high), self.literal(low)) {
            return self.big(above + below, &((x << below) | y));
        }
        self.pool().binary(BinaryOp::Concat, high, low)
    }

    /// A truth value as a bit vector.
    fn bit(&mut self, b: ExprId, width: u32) -> ExprId {
        let (one, zero) = (self.bv(width, 1), self.bv(width, 0));
        self.choose(b, one, zero)
    }

    fn choose(&mut self, cond: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        match self.literal_bool(cond) {
            Some(true) => then,
            Some(false) => otherwise,
            None if then == otherwise => then,
            None => self.pool().ite(cond, then, otherwise),
        }
    }

    fn equal(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.compare(IntPredicate::Eq, a, b)
    }

    fn both(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.literal_bool(a), self.literal_bool(b)) {
            (Some(false), _) | (_, Some(true)) => a,
            (Some(true), _) | (_, Some(false)) => b,
            _ if a == b => a,
            _ => self.pool().and(a, b),
        }
    }

    fn either(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let (a, b) = (self.negate(a), self.negate(b));
        let neither = self.both(a, b);
        self.negate(neither)
    }

    fn negate(&mut self, e: ExprId) -> ExprId {
        match *self.pool().node(e) {
            ExprNode::Bool(value) => self.pool().bool(!value),
            ExprNode::Unary(UnaryOp::Not, inner) => inner,
            ExprNode::Binary(BinaryOp::Eq, a, b) => self.pool().binary(BinaryOp::Ne, a, b),
            ExprNode::Binary(BinaryOp::Ne, a, b) => self.pool().binary(BinaryOp::Eq, a, b),
            _ => self.pool().not(e),
        }
    }

    fn compare(&mut self, predicate: IntPredicate, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        if let (Some(x), Some(y)) = (self.literal(a), self.literal(b)) {
            let holds = compares(predicate, width, &x, &y);
            return self.pool().bool(holds);
        }
        // A truth value that was made a number and is compared again.
        if let ExprNode::Ite(cond, then, otherwise) = *self.pool().node(a)
            && let (Some(x), Some(y), Some(z)) =
                (self.literal(then), self.literal(otherwise), self.literal(b))
        {
            let (yes, no) = (compares(predicate, width, &x, &z), compares(predicate, width, &y, &z));
            return match (yes, no) {
                (true, false) => cond,
                (false, true) => self.negate(cond),
                (same, _) => self.pool().bool(same),
            };
        }
        let op = match predicate {
            IntPredicate::Eq => BinaryOp::Eq,
            IntPredicate::Ne => BinaryOp::Ne,
            IntPredicate::Ugt => BinaryOp::BvUgt,
            IntPredicate::Uge => BinaryOp::BvUge,
            IntPredicate::Ult => BinaryOp::BvUlt,
            IntPredicate::Ule => BinaryOp::BvUle,
            IntPredicate::Sgt => BinaryOp::BvSgt,
            IntPredicate::Sge => BinaryOp::BvSge,
            IntPredicate::Slt => BinaryOp::BvSlt,
            IntPredicate::Sle => BinaryOp::BvSle,
        };
        self.pool().binary(op, a, b)
    }
}

impl Bits for ExprPool {
    fn pool(&mut self) -> &mut ExprPool {
        self
    }
}

fn compares(predicate: IntPredicate, width: u32, x: &BigInt, y: &BigInt) -> bool {
    let (s, t) = (signed(width, x), signed(width, y));
    match predicate {
        IntPredicate::Eq => x == y,
        IntPredicate::Ne => x != y,
        IntPredicate::Ugt => x > y,
        IntPredicate::Uge => x >= y,
        IntPredicate::Ult => x < y,
        IntPredicate::Ule => x <= y,
        IntPredicate::Sgt => s > t,
        IntPredicate::Sge => s >= t,
        IntPredicate::Slt => s < t,
        IntPredicate::Sle => s <= t,
    }
}

fn fold(op: BinaryOp, width: u32, x: &BigInt, y: &BigInt) -> Option<BigInt> {
    let shift = || y.to_u32().filter(|by| *by < width);
    Some(match op {
        BinaryOp::BvAdd => x + y,
        BinaryOp::BvSub => x - y,
        BinaryOp::BvMul => x * y,
        BinaryOp::BvAnd => x & y,
        BinaryOp::BvOr => x | y,
        BinaryOp::BvXor => x ^ y,
        BinaryOp::BvShl => x << shift()?,
        BinaryOp::BvLshr => x >> shift()?,
        BinaryOp::BvAshr => signed(width, x) >> shift()?,
        BinaryOp::BvUdiv if !y.is_zero() => x / y,
        BinaryOp::BvUrem if !y.is_zero() => x % y,
        _ => return None,
    })
}
