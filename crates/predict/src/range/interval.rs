//! Sets of values that are stretches of numbers. Those of bit vectors may wrap around, so that they are neither signed nor unsigned.

use num_traits::ToPrimitive;
use smt::{BinaryOp, Sort, UnaryOp};

/// The values that a term may have: at least those that it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Values {
    /// None: it is nowhere evaluated, as far as is known.
    None,
    /// Truth values.
    Truth { yes: bool, no: bool },
    /// The integers from the first to the second.
    Number(i128, i128),
    /// Bit vectors.
    Word(Word),
    /// All.
    Any,
}

/// Bit vectors of a width of at most 64: the first one and so many that follow it, round the end if need be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    width: u32,
    first: u128,
    more: u128,
}

const EITHER: Values = Values::Truth { yes: true, no: true };

fn truth(value: bool) -> Values {
    Values::Truth { yes: value, no: !value }
}

impl Word {
    fn last_of(width: u32) -> u128 {
        (1_u128 << width) - 1
    }

    fn new(width: u32, first: u128, more: u128) -> Self {
        let last = Self::last_of(width);
        if more >= last {
            Word { width, first: 0, more: last }
        } else {
            Word { width, first: first & last, more }
        }
    }

    fn all(width: u32) -> Self {
        Word::new(width, 0, Self::last_of(width))
    }

    fn between(width: u32, (low, high): (u128, u128)) -> Self {
        Word::new(width, low, high.saturating_sub(low))
    }

    /// How far it is to another value, upwards.
    fn distance(self, to: u128) -> u128 {
        to.wrapping_sub(self.first) & Self::last_of(self.width)
    }

    /// The least stretch that has both.
    fn hull(self, other: Word) -> Word {
        let from = |one: Word, other: Word| {
            Word::new(one.width, one.first, one.more.max(one.distance(other.first) + other.more))
        };
        let (up, down) = (from(self, other), from(other, self));
        if down.more < up.more { down } else { up }
    }

    fn meets(self, other: Word) -> bool {
        self.distance(other.first) <= self.more || other.distance(self.first) <= other.more
    }

    fn unsigned(self) -> (u128, u128) {
        match self.first + self.more {
            end if end <= Self::last_of(self.width) => (self.first, end),
            _ => (0, Self::last_of(self.width)),
        }
    }

    /// The least and the greatest signed value.
    fn signed(self) -> (i128, i128) {
        let half = 1_u128 << (self.width - 1);
        let (low, high) = Word::new(self.width, self.first + half, self.more).unsigned();
        (low.cast_signed() - half.cast_signed(), high.cast_signed() - half.cast_signed())
    }

    fn add(self, other: Word) -> Word {
        Word::new(self.width, self.first + other.first, self.more + other.more)
    }

    fn neg(self) -> Word {
        let end = self.first + self.more;
        Word::new(self.width, 0_u128.wrapping_sub(end), self.more)
    }

    fn only(self) -> Option<u128> {
        (self.more == 0).then_some(self.first)
    }

    fn binary(self, op: BinaryOp, other: Word) -> Values {
        let (width, last) = (self.width, Self::last_of(self.width));
        let ((a, b), (c, d)) = (self.unsigned(), other.unsigned());
        let word = match op {
            BinaryOp::BvAdd => self.add(other),
            BinaryOp::BvSub => self.add(other.neg()),
            BinaryOp::BvMul => match b.checked_mul(d) {
                Some(high) if high <= last => Word::between(width, (a * c, high)),
                _ => Word::all(width),
            },
            BinaryOp::BvUdiv if c > 0 => Word::between(width, (a / d, b / c)),
            BinaryOp::BvUrem if c > 0 && b < c => self,
            BinaryOp::BvUrem if c > 0 => Word::between(width, (0, b.min(d - 1))),
            BinaryOp::BvAnd => Word::between(width, (0, b.min(d))),
            BinaryOp::BvLshr => match other.only() {
                Some(by) if by < u128::from(width) => Word::between(width, (a >> by, b >> by)),
                _ => Word::between(width, (0, b)),
            },
            BinaryOp::BvUlt => return less(b < c, a >= d),
            BinaryOp::BvUle => return less(b <= c, a > d),
            BinaryOp::BvSlt | BinaryOp::BvSle => {
                let ((a, b), (c, d)) = (self.signed(), other.signed());
                return if op == BinaryOp::BvSlt { less(b < c, a >= d) } else { less(b <= c, a > d) };
            }
            _ => Word::all(width),
        };
        Values::Word(word)
    }

    fn unary(self, op: UnaryOp) -> Values {
        let word = match op {
            UnaryOp::BvNeg => self.neg(),
            UnaryOp::BvNot => self.neg().add(Word::new(self.width, Self::last_of(self.width), 0)),
            UnaryOp::Extract { hi, lo: 0 } => Word::new(hi, self.first, self.more),
            UnaryOp::Extract { hi, lo } => {
                let (low, high) = self.unsigned();
                match high >> lo {
                    high if high <= Self::last_of(hi - lo) => Word::between(hi - lo, (low >> lo, high)),
                    _ => Word::all(hi - lo),
                }
            }
            UnaryOp::ZeroExtend(width) if width <= 64 => Word::between(width, self.unsigned()),
            UnaryOp::SignExtend(width) if width <= 64 => {
                let (low, high) = self.signed();
                Word::new(width, low.cast_unsigned(), (high - low).cast_unsigned())
            }
            UnaryOp::BvToInt => {
                let (low, high) = self.unsigned();
                return Values::Number(low.cast_signed(), high.cast_signed());
            }
            _ => return Values::Any,
        };
        Values::Word(word)
    }
}

/// The outcome of a comparison that is certainly true, or certainly false, or neither.
fn less(always: bool, never: bool) -> Values {
    Values::Truth { yes: !never, no: !always }
}

impl Values {
    /// All values of a sort.
    pub(super) fn all(sort: &Sort) -> Values {
        match sort {
            Sort::Bool => EITHER,
            Sort::Bv(width @ 1..=64) => Values::Word(Word::all(*width)),
            _ => Values::Any,
        }
    }

    pub(super) fn of_bool(value: bool) -> Values {
        truth(value)
    }

    pub(super) fn of_int(value: &impl ToPrimitive) -> Values {
        value.to_i128().map_or(Values::Any, |value| Values::Number(value, value))
    }

    pub(super) fn of_bv(width: u32, value: &impl ToPrimitive) -> Values {
        match value.to_u128() {
            Some(value) if (1..=64).contains(&width) => Values::Word(Word::new(width, value, 0)),
            _ => Values::Any,
        }
    }

    /// Whether it may be false.
    pub(super) fn may_fail(self) -> bool {
        !matches!(self, Values::Truth { yes: true, no: false })
    }

    /// All values of both, and perhaps others.
    pub(super) fn join(self, other: Values) -> Values {
        match (self, other) {
            (Values::None, values) | (values, Values::None) => values,
            (Values::Truth { yes, no }, Values::Truth { yes: also_yes, no: also_no }) => {
                Values::Truth { yes: yes || also_yes, no: no || also_no }
            }
            (Values::Number(a, b), Values::Number(c, d)) => Values::Number(a.min(c), b.max(d)),
            (Values::Word(a), Values::Word(b)) if a.width == b.width => Values::Word(a.hull(b)),
            _ => Values::Any,
        }
    }

    pub(super) fn not(self) -> Values {
        match self {
            Values::Truth { yes, no } => Values::Truth { yes: no, no: yes },
            Values::None => Values::None,
            _ => EITHER,
        }
    }

    pub(super) fn and(self, other: Values) -> Values {
        match (self, other) {
            (Values::None, _) | (_, Values::None) => Values::None,
            (Values::Truth { yes, no }, Values::Truth { yes: also_yes, no: also_no }) => {
                Values::Truth { yes: yes && also_yes, no: no || also_no }
            }
            _ => EITHER,
        }
    }

    pub(super) fn or(self, other: Values) -> Values {
        self.not().and(other.not()).not()
    }

    pub(super) fn ite(self, then: Values, otherwise: Values) -> Values {
        match self {
            Values::None => Values::None,
            Values::Truth { yes: true, no: false } => then,
            Values::Truth { yes: false, no: true } => otherwise,
            _ => then.join(otherwise),
        }
    }

    pub(super) fn unary(self, op: UnaryOp) -> Values {
        match (op, self) {
            (_, Values::None) => Values::None,
            (UnaryOp::Neg, Values::Number(a, b)) => number(b.checked_neg(), a.checked_neg()),
            (UnaryOp::IntToBv(width @ 1..=64), Values::Number(a, b)) => match b.checked_sub(a) {
                Some(more) => Values::Word(Word::new(width, a.cast_unsigned(), more.cast_unsigned())),
                None => Values::Any,
            },
            (_, Values::Word(word)) => word.unary(op),
            _ => Values::Any,
        }
    }

    pub(super) fn binary(self, op: BinaryOp, other: Values) -> Values {
        match (op, self, other) {
            (_, Values::None, _) | (_, _, Values::None) => Values::None,
            (BinaryOp::Eq, ..) => self.equals(other),
            (BinaryOp::Add, Values::Number(a, b), Values::Number(c, d)) => {
                number(a.checked_add(c), b.checked_add(d))
            }
            (BinaryOp::Sub, Values::Number(a, b), Values::Number(c, d)) => {
                number(a.checked_sub(d), b.checked_sub(c))
            }
            (BinaryOp::Lt, Values::Number(a, b), Values::Number(c, d)) => less(b < c, a >= d),
            (BinaryOp::Le, Values::Number(a, b), Values::Number(c, d)) => less(b <= c, a > d),
            (_, Values::Word(a), Values::Word(b)) if a.width == b.width => a.binary(op, b),
            _ => Values::Any,
        }
    }

    fn equals(self, other: Values) -> Values {
        match (self, other) {
            (Values::Truth { .. }, Values::Truth { .. }) => {
                let (both, neither) = (self.and(other), self.not().and(other.not()));
                both.or(neither)
            }
            (Values::Number(a, b), Values::Number(c, d)) => less(a == b && (a, b) == (c, d), b < c || d < a),
            (Values::Word(a), Values::Word(b)) if a.width == b.width => {
                less(a.only().is_some() && a == b, !a.meets(b))
            }
            _ => EITHER,
        }
    }
}

fn number(low: Option<i128>, high: Option<i128>) -> Values {
    low.zip(high).map_or(Values::Any, |(low, high)| Values::Number(low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: u32 = 3;

    fn words() -> impl Iterator<Item = Word> {
        (0..8).flat_map(|first| (0..8).map(move |more| Word::new(WIDTH, first, more)))
    }

    fn members(word: Word) -> impl Iterator<Item = u128> {
        (0..=word.more).map(move |more| (word.first + more) & Word::last_of(word.width))
    }

    fn signed(value: u128) -> i128 {
        value.cast_signed() - if value >= 4 { 8 } else { 0 }
    }

    fn has(values: Values, value: u128) -> bool {
        match values {
            Values::Word(word) => word.distance(value) <= word.more,
            Values::Truth { yes, no } => {
                if value == 1 {
                    yes
                } else {
                    no
                }
            }
            Values::Number(low, high) => (low..=high).contains(&value.cast_signed()),
            Values::Any => true,
            Values::None => false,
        }
    }

    type Exact<T> = fn(T) -> u128;

    /// Every operator on all stretches of three bits: what comes out has all values that can come out.
    #[test]
    fn operators_keep_all_values() {
        let ops: [(BinaryOp, Exact<(u128, u128)>); 14] = [
            (BinaryOp::BvAdd, |(a, b)| (a + b) & 7),
            (BinaryOp::BvSub, |(a, b)| a.wrapping_sub(b) & 7),
            (BinaryOp::BvMul, |(a, b)| (a * b) & 7),
            (BinaryOp::BvUdiv, |(a, b)| a.checked_div(b).unwrap_or(7)),
            (BinaryOp::BvUrem, |(a, b)| a.checked_rem(b).unwrap_or(a)),
            (BinaryOp::BvAnd, |(a, b)| a & b),
            (BinaryOp::BvOr, |(a, b)| a | b),
            (BinaryOp::BvXor, |(a, b)| a ^ b),
            (BinaryOp::BvLshr, |(a, b)| a >> b),
            (BinaryOp::BvUlt, |(a, b)| u128::from(a < b)),
            (BinaryOp::BvUle, |(a, b)| u128::from(a <= b)),
            (BinaryOp::BvSlt, |(a, b)| u128::from(signed(a) < signed(b))),
            (BinaryOp::BvSle, |(a, b)| u128::from(signed(a) <= signed(b))),
            (BinaryOp::Eq, |(a, b)| u128::from(a == b)),
        ];
        for (a, b) in words().flat_map(|a| words().map(move |b| (a, b))) {
            for (op, exact) in ops {
                let all = Values::Word(a).binary(op, Values::Word(b));
                for (x, y) in members(a).flat_map(|x| members(b).map(move |y| (x, y))) {
                    let value = exact((x, y));
                    assert!(has(all, value), "{op:?} of {a:?} and {b:?}: {x} and {y} give {value}");
                }
            }
            let both = a.hull(b);
            assert!(members(a).chain(members(b)).all(|value| has(Values::Word(both), value)), "{a:?} {b:?}");
        }
    }

    #[test]
    fn conversions_keep_all_values() {
        let ops: [(UnaryOp, Exact<u128>); 7] = [
            (UnaryOp::BvNeg, |a| 0_u128.wrapping_sub(a) & 7),
            (UnaryOp::BvNot, |a| !a & 7),
            (UnaryOp::Extract { hi: 2, lo: 0 }, |a| a & 3),
            (UnaryOp::Extract { hi: 2, lo: 1 }, |a| (a >> 1) & 1),
            (UnaryOp::ZeroExtend(5), |a| a),
            (UnaryOp::SignExtend(5), |a| if a >= 4 { a + 24 } else { a }),
            (UnaryOp::BvToInt, |a| a),
        ];
        for word in words() {
            for (op, exact) in ops {
                let all = Values::Word(word).unary(op);
                for value in members(word) {
                    assert!(has(all, exact(value)), "{op:?} of {word:?}: {value} gives {}", exact(value));
                }
            }
        }
    }

    /// A counter that is decremented below zero is still known.
    #[test]
    fn stretches_wrap_around() {
        let counter = Word::new(32, 0, 0).hull(Word::new(32, u128::from(u32::MAX), 0));
        assert_eq!(counter.signed(), (-1, 0));
        let one = Values::Word(Word::new(32, 1, 0));
        assert!(!Values::Word(counter).binary(BinaryOp::BvSlt, one).may_fail());
    }
}
