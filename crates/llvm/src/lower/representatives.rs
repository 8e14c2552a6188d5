//! Numbers that stand for all others.
//!
//! Of an arbitrary number that a program does nothing with but compare it with constants, only the outcome of these
//! comparisons matters. So a few numbers are enough, one for each outcome, and nothing has to be left out. Going round all
//! numbers from zero, the outcome can change at zero, at the smallest signed one, at each constant and after it: those are
//! tried, and one of each outcome is kept.

use ir::{BlockId, Op};
use num_traits::ToPrimitive as _;

use super::bits::Bits;
use super::function::FunctionLowering;
use crate::module::{self, Cast, Func, IntPredicate, Module, Operand, TypeKind, ValueId};
use crate::objects::constant;

/// More numbers than this are not worth it.
const MOST: usize = 16;

/// How a number is looked at: extended, and compared with a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Comparison {
    /// The cast from the number to what is compared, with the bits of that.
    extended: Option<(Cast, u32)>,
    predicate: IntPredicate,
    constant: u64,
}

impl FunctionLowering<'_, '_> {
    /// Gives a value any number. Returns whether that could be done by a few that stand for all.
    pub(super) fn choose_representative(&mut self, result: ValueId) -> bool {
        let body = &self.cx.module.funcs[self.func];
        let Some((bits, numbers)) = representatives(self.cx.module, body, result) else { return false };
        self.choose_among(result, bits, &numbers);
        true
    }

    /// Gives a value, which has so many bits, any of some numbers.
    pub(super) fn choose_among(&mut self, result: ValueId, bits: u32, numbers: &[u64]) {
        let locals = self.declare(result);
        let [local] = *locals else { return };
        let targets: Vec<BlockId> = numbers.iter().map(|_| self.block("one")).collect();
        let after = self.block("chosen");
        self.push(Op::Choose { targets: targets.clone(), fair: None });
        for (block, &number) in targets.into_iter().zip(numbers) {
            self.builder.switch_to(block);
            let number = self.cx.program.exprs.bv(bits, number);
            self.assign(local, number);
            self.push(Op::Goto(after));
        }
        self.builder.switch_to(after);
    }
}

/// The bits of a value, and numbers that stand for all that it could be; none if it is used for more than comparisons.
fn representatives(module: &Module, body: &Func, value: ValueId) -> Option<(u32, Vec<u64>)> {
    let bits = width(module, body, value)?;
    let mut comparisons = Vec::new();
    collect(module, body, value, None, &mut comparisons)?;
    Some((bits, select(&comparisons, bits)?))
}

/// One number of so many bits for each outcome of some comparisons; none if those are too many.
fn select(comparisons: &[Comparison], bits: u32) -> Option<Vec<u64>> {
    let mut cuts = vec![0, 1, 1 << (bits - 1)];
    for comparison in comparisons {
        let number = comparison.constant & mask(bits);
        cuts.extend([number, number.wrapping_add(1) & mask(bits)]);
    }
    let mut outcomes: Vec<Vec<bool>> = Vec::new();
    let mut numbers = Vec::new();
    for number in cuts {
        let outcome = comparisons.iter().map(|comparison| comparison.holds(number, bits)).collect();
        if !outcomes.contains(&outcome) {
            outcomes.push(outcome);
            numbers.push(number);
        }
        if numbers.len() > MOST {
            return None;
        }
    }
    Some(numbers)
}

/// All that is done with a value; none if something else than comparisons is.
fn collect(
    module: &Module,
    body: &Func,
    value: ValueId,
    extended: Option<(Cast, u32)>,
    found: &mut Vec<Comparison>,
) -> Option<()> {
    let this = Operand::Value(value);
    for instr in body.blocks.values().flat_map(|block| &block.instrs) {
        let mut used = false;
        instr.op.for_each_operand(|operand| used |= operand == this);
        if !used {
            continue;
        }
        match &instr.op {
            module::Op::ICmp(predicate, a, b) => {
                let (predicate, other) = if *a == this { (*predicate, *b) } else { (turned(*predicate), *a) };
                let constant = constant(module, other)?;
                found.push(Comparison { extended, predicate, constant });
            }
            module::Op::Switch { cases, .. } => {
                for (case, _) in cases {
                    let constant = case.to_u64()?;
                    found.push(Comparison { extended, predicate: IntPredicate::Eq, constant });
                }
            }
            module::Op::Cast(cast @ (Cast::ZExt | Cast::SExt), _) if extended.is_none() => {
                let wide = instr.result?;
                collect(module, body, wide, Some((*cast, width(module, body, wide)?)), found)?;
            }
            _ => return None,
        }
    }
    Some(())
}

/// The bits of a number.
fn width(module: &Module, body: &Func, value: ValueId) -> Option<u32> {
    match module.types[body.values[value].ty].kind {
        TypeKind::Int(bits @ 2..=64) => Some(bits),
        _ => None,
    }
}

fn mask(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

fn signed(number: u64, bits: u32) -> i64 {
    number.cast_signed() << (64 - bits) >> (64 - bits)
}

/// The predicate with its sides exchanged.
fn turned(predicate: IntPredicate) -> IntPredicate {
    match predicate {
        IntPredicate::Eq => IntPredicate::Eq,
        IntPredicate::Ne => IntPredicate::Ne,
        IntPredicate::Ugt => IntPredicate::Ult,
        IntPredicate::Uge => IntPredicate::Ule,
        IntPredicate::Ult => IntPredicate::Ugt,
        IntPredicate::Ule => IntPredicate::Uge,
        IntPredicate::Sgt => IntPredicate::Slt,
        IntPredicate::Sge => IntPredicate::Sle,
        IntPredicate::Slt => IntPredicate::Sgt,
        IntPredicate::Sle => IntPredicate::Sge,
    }
}

impl Comparison {
    /// Whether it holds for a number of so many bits.
    fn holds(self, number: u64, bits: u32) -> bool {
        let (a, bits) = match self.extended {
            None => (number, bits),
            Some((Cast::SExt, wide)) => (signed(number, bits).cast_unsigned() & mask(wide), wide),
            Some((_, wide)) => (number, wide),
        };
        let b = self.constant & mask(bits);
        let (sa, sb) = (signed(a, bits), signed(b, bits));
        match self.predicate {
            IntPredicate::Eq => a == b,
            IntPredicate::Ne => a != b,
            IntPredicate::Ugt => a > b,
            IntPredicate::Uge => a >= b,
            IntPredicate::Ult => a < b,
            IntPredicate::Ule => a <= b,
            IntPredicate::Sgt => sa > sb,
            IntPredicate::Sge => sa >= sb,
            IntPredicate::Slt => sa < sb,
            IntPredicate::Sle => sa <= sb,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every number of eight bits has the outcome of one of the representatives.
    #[test]
    fn all_outcomes_are_there() {
        let predicates = [
            IntPredicate::Eq,
            IntPredicate::Ne,
            IntPredicate::Ult,
            IntPredicate::Uge,
            IntPredicate::Sgt,
            IntPredicate::Sle,
        ];
        for predicate in predicates {
            for constant in 0..=255 {
                for extended in [None, Some((Cast::ZExt, 32)), Some((Cast::SExt, 32))] {
                    let narrow = Comparison { extended, predicate, constant };
                    let wide =
                        Comparison { constant: signed(constant, 8).cast_unsigned() & mask(32), ..narrow };
                    let other = Comparison { extended: None, predicate: IntPredicate::Slt, constant: 100 };
                    for comparisons in [vec![narrow, other], vec![wide, other]] {
                        check(&comparisons);
                    }
                }
            }
        }
    }

    fn check(comparisons: &[Comparison]) {
        let outcome = |number| -> Vec<bool> { comparisons.iter().map(|one| one.holds(number, 8)).collect() };
        let kept: Vec<Vec<bool>> = select(comparisons, 8).unwrap().into_iter().map(outcome).collect();
        for number in 0..256 {
            assert!(kept.contains(&outcome(number)), "{number}: {comparisons:?}");
        }
    }

    #[test]
    fn a_truth_value_is_one_of_two() {
        let comparison = Comparison { extended: None, predicate: IntPredicate::Ne, constant: 0 };
        assert_eq!(select(&[comparison], 32), Some(vec![0, 1]));
        assert_eq!(select(&[], 32), Some(vec![0]));
    }
}
