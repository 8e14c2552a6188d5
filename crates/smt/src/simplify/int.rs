//! Mathematical integers.

use num_bigint::BigInt;
use num_traits::{One, Zero};

use crate::arithmetic::{compare, int_binary};
use crate::{BinaryOp, Sort, Term, TermId, TermPool, UnaryOp};

impl TermPool {
    /// Integer negation.
    pub fn neg(&mut self, a: TermId) -> TermId {
        match self.term(a) {
            Term::Int(value) => {
                let negated = -value;
                self.int(negated)
            }
            Term::Unary(UnaryOp::Neg, inner) => *inner,
            _ => self.intern(Term::Unary(UnaryOp::Neg, a)),
        }
    }

    /// Addition.
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.int_binary(BinaryOp::Add, a, b)
    }

    /// Subtraction.
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        self.int_binary(BinaryOp::Sub, a, b)
    }

    /// Multiplication.
    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.int_binary(BinaryOp::Mul, a, b)
    }

    /// Less than.
    pub fn lt(&mut self, a: TermId, b: TermId) -> TermId {
        self.int_binary(BinaryOp::Lt, a, b)
    }

    /// At most.
    pub fn le(&mut self, a: TermId, b: TermId) -> TermId {
        self.int_binary(BinaryOp::Le, a, b)
    }

    /// Greater than.
    pub fn gt(&mut self, a: TermId, b: TermId) -> TermId {
        self.int_binary(BinaryOp::Lt, b, a)
    }

    /// At least.
    pub fn ge(&mut self, a: TermId, b: TermId) -> TermId {
        self.int_binary(BinaryOp::Le, b, a)
    }

    fn as_int(&self, id: TermId) -> Option<&BigInt> {
        match self.term(id) {
            Term::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The term as another one plus a number (a bit vector plus a number modulo its width).
    pub(super) fn offset(&self, id: TermId) -> (TermId, BigInt) {
        if let Term::Binary(BinaryOp::Add | BinaryOp::BvAdd, base, by) = self.term(id)
            && let Term::Int(by) | Term::Bv(_, by) = self.term(*by)
        {
            return (*base, by.clone());
        }
        (id, BigInt::zero())
    }

    pub(super) fn int_binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        if let (Some(x), Some(y)) = (self.as_int(a), self.as_int(b)) {
            if let Some(value) = int_binary(op, x, y) {
                return self.int(value);
            }
            if let Some(value) = compare(op, 1, x, y) {
                return self.bool(value);
            }
        }
        match op {
            BinaryOp::Add => self.add_terms(a, b),
            BinaryOp::Sub if a == b => self.int(0),
            BinaryOp::Sub if self.as_int(a).is_some_and(Zero::is_zero) => self.neg(b),
            BinaryOp::Sub => match self.as_int(b).map(|value| -value) {
                Some(negated) => {
                    let negated = self.int(negated);
                    self.add_terms(a, negated)
                }
                None => self.intern(Term::Binary(op, a, b)),
            },
            BinaryOp::Mul => {
                // The number comes first.
                let (a, b) = if self.as_int(b).is_some() { (b, a) } else { (a, b) };
                match self.as_int(a) {
                    Some(zero) if zero.is_zero() => a,
                    Some(one) if one.is_one() => b,
                    _ => self.intern(Term::Binary(op, a, b)),
                }
            }
            BinaryOp::Div if self.as_int(b).is_some_and(One::is_one) => a,
            BinaryOp::Mod if self.as_int(b).is_some_and(One::is_one) => self.int(0),
            BinaryOp::Lt if a == b => self.bool(false),
            BinaryOp::Le if a == b => self.bool(true),
            BinaryOp::Lt | BinaryOp::Le => {
                let ((base_a, from_a), (base_b, from_b)) = (self.offset(a), self.offset(b));
                if base_a == base_b
                    && let Some(value) = compare(op, 1, &from_a, &from_b)
                {
                    return self.bool(value);
                }
                self.intern(Term::Binary(op, a, b))
            }
            _ => self.intern(Term::Binary(op, a, b)),
        }
    }

    /// A sum, with a number last and at most one number.
    fn add_terms(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = if self.as_int(a).is_some() { (b, a) } else { (a, b) };
        let Some(by) = self.as_int(b).cloned() else {
            return self.intern(Term::Binary(BinaryOp::Add, a, b));
        };
        let (base, from) = self.offset(a);
        let total = from + by;
        if total.is_zero() {
            return base;
        }
        let total = self.int(total);
        self.intern(Term::Binary(BinaryOp::Add, base, total))
    }

    pub(super) fn int_to_bv(&mut self, width: u32, a: TermId) -> TermId {
        match self.term(a) {
            Term::Int(value) => {
                let value = value.clone();
                self.bv(width, value)
            }
            Term::Unary(UnaryOp::BvToInt, inner) if *self.sort(self.sort_of(*inner)) == Sort::Bv(width) => {
                *inner
            }
            _ => self.intern(Term::Unary(UnaryOp::IntToBv(width), a)),
        }
    }
}
