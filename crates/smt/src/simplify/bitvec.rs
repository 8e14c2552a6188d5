//! Bit vectors.

use num_bigint::BigInt;
use num_traits::{One, Zero};

use crate::arithmetic::{bv_binary, bv_unary, compare, modulus};
use crate::{BinaryOp, Term, TermId, TermPool, UnaryOp};

impl TermPool {
    /// The signed value of a bit vector.
    pub fn bv_to_signed_int(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        let zero = self.bv(width, 0);
        let negative = self.binary(BinaryOp::BvSlt, a, zero);
        let unsigned = self.unary(UnaryOp::BvToInt, a);
        let modulus = self.int(modulus(width));
        let wrapped = self.sub(unsigned, modulus);
        self.ite(negative, wrapped, unsigned)
    }

    pub(super) fn bv_to_int(&mut self, a: TermId) -> TermId {
        match self.term(a) {
            Term::Bv(_, value) => {
                let value = value.clone();
                self.int(value)
            }
            _ => self.intern(Term::Unary(UnaryOp::BvToInt, a)),
        }
    }

    fn as_bv(&self, id: TermId) -> Option<&BigInt> {
        match self.term(id) {
            Term::Bv(_, value) => Some(value),
            _ => None,
        }
    }

    pub(super) fn bv_unary(&mut self, op: UnaryOp, a: TermId) -> TermId {
        let width = self.width(a);
        match op {
            UnaryOp::Extract { hi, lo: 0 } if hi == width => return a,
            UnaryOp::ZeroExtend(new) | UnaryOp::SignExtend(new) if new == width => return a,
            _ => {}
        }
        // Interned first, so that the sort check sees every term.
        let plain = self.intern(Term::Unary(op, a));
        if let Some(value) = self.as_bv(a).and_then(|value| bv_unary(op, width, value)) {
            let width = self.width(plain);
            return self.bv(width, value);
        }
        match (op, self.term(a)) {
            (UnaryOp::BvNeg, Term::Unary(UnaryOp::BvNeg, inner))
            | (UnaryOp::BvNot, Term::Unary(UnaryOp::BvNot, inner)) => *inner,
            (UnaryOp::Extract { hi, lo }, Term::Unary(UnaryOp::Extract { lo: below, .. }, inner)) => {
                let (inner, op) = (*inner, UnaryOp::Extract { hi: hi + below, lo: lo + below });
                self.intern(Term::Unary(op, inner))
            }
            _ => plain,
        }
    }

    pub(super) fn concat(&mut self, a: TermId, b: TermId) -> TermId {
        if let (Some(high), Some(low)) = (self.as_bv(a), self.as_bv(b)) {
            let value = (high << self.width(b)) | low;
            let width = self.width(a).checked_add(self.width(b)).expect("a width fits 32 bits");
            return self.bv(width, value);
        }
        self.intern(Term::Binary(BinaryOp::Concat, a, b))
    }

    pub(super) fn bv_binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        let plain = self.intern(Term::Binary(op, a, b));
        let width = self.width(a);
        if let (Some(x), Some(y)) = (self.as_bv(a), self.as_bv(b)) {
            if let Some(value) = bv_binary(op, width, x, y) {
                return self.bv(width, value);
            }
            if let Some(value) = compare(op, width, x, y) {
                return self.bool(value);
            }
        }
        match op {
            BinaryOp::BvAdd | BinaryOp::BvMul | BinaryOp::BvAnd | BinaryOp::BvOr | BinaryOp::BvXor => {
                // The value comes last.
                let (a, b) = if self.as_bv(a).is_some() { (b, a) } else { (a, b) };
                self.bv_commutative(op, width, a, b)
            }
            BinaryOp::BvSub | BinaryOp::BvUrem | BinaryOp::BvSrem | BinaryOp::BvSmod if a == b => {
                self.bv(width, 0)
            }
            BinaryOp::BvSub | BinaryOp::BvShl | BinaryOp::BvLshr | BinaryOp::BvAshr
                if self.as_bv(b).is_some_and(Zero::is_zero) =>
            {
                a
            }
            BinaryOp::BvUdiv if self.as_bv(b).is_some_and(One::is_one) => a,
            BinaryOp::BvUlt | BinaryOp::BvSlt if a == b => self.bool(false),
            BinaryOp::BvUle | BinaryOp::BvSle if a == b => self.bool(true),
            BinaryOp::BvUlt if self.as_bv(b).is_some_and(Zero::is_zero) => self.bool(false),
            BinaryOp::BvUle if self.as_bv(a).is_some_and(Zero::is_zero) => self.bool(true),
            _ => plain,
        }
    }

    /// An operator for which the order does not matter, with a value, if there is one, in second place.
    fn bv_commutative(&mut self, op: BinaryOp, width: u32, a: TermId, b: TermId) -> TermId {
        if a == b {
            match op {
                BinaryOp::BvAnd | BinaryOp::BvOr => return a,
                BinaryOp::BvXor => return self.bv(width, 0),
                _ => {}
            }
        }
        let Some(value) = self.as_bv(b).cloned() else { return self.intern(Term::Binary(op, a, b)) };
        let (zero, ones) = (value.is_zero(), value == modulus(width) - 1);
        match op {
            BinaryOp::BvAdd | BinaryOp::BvOr | BinaryOp::BvXor if zero => a,
            BinaryOp::BvMul | BinaryOp::BvAnd if zero => b,
            BinaryOp::BvMul if value.is_one() => a,
            BinaryOp::BvAnd if ones => a,
            BinaryOp::BvOr if ones => b,
            BinaryOp::BvAdd => {
                let (base, from) = self.offset(a);
                let total = self.bv(width, from + value);
                if self.as_bv(total).is_some_and(Zero::is_zero) {
                    return base;
                }
                self.intern(Term::Binary(op, base, total))
            }
            _ => self.intern(Term::Binary(op, a, b)),
        }
    }
}
