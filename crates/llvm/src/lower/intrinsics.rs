//! LLVM's own functions.

use ir::{BinaryOp, ExprId};

use super::bits::Bits;
use super::function::FunctionLowering;
use crate::module::{IntPredicate, Operand, ValueId};

/// Bits of the widest integers that the explorer has.
const WIDEST: u32 = 64;

impl FunctionLowering<'_, '_> {
    /// Lowers a call of an intrinsic; returns whether it is one that is known.
    pub(super) fn intrinsic(&mut self, result: Option<ValueId>, name: &str, args: &[Operand]) -> bool {
        let Some(rest) = name.strip_prefix("llvm.") else { return self.builtin(result, name, args) };
        // Who waits in a loop may tell the processor.
        if rest == "x86.sse2.pause" {
            return true;
        }
        let base = rest.rsplit_once('.').map_or(rest, |(base, _)| base);
        let value = match (base, args) {
            (
                "dbg"
                | "lifetime.start"
                | "lifetime.end"
                | "invariant.end"
                | "donothing"
                | "stackrestore"
                | "prefetch"
                | "var.annotation"
                | "experimental.noalias.scope.decl"
                | "assume",
                _,
            ) => {
                return true;
            }
            ("stacksave" | "is.constant" | "invariant.start", _) => {
                self.returned_number(result, 0);
                return true;
            }
            ("threadlocal.address", [pointer]) => {
                let mut address = self.address(*pointer);
                let thread = self.thread();
                if let super::address::Base::Object(_, instance) = &mut address.base {
                    *instance = Some(thread);
                } else if let Some(object) = self.thread_local_object(*pointer) {
                    address.base = super::address::Base::Object(object, Some(thread));
                }
                if let Some(result) = result {
                    self.addresses.insert(result, address);
                }
                return true;
            }
            (
                "expect" | "expect.with.probability" | "ptr.annotation" | "launder.invariant.group",
                [value, ..],
            )
            | ("ssa.copy" | "strip.invariant.group", [value]) => {
                let parts = self.parts(*value);
                if let Some(result) = result {
                    self.define(result, parts);
                }
                return true;
            }
            ("objectsize", _) => {
                self.returned_number(result, -1);
                return true;
            }
            (
                "sadd.with.overflow" | "uadd.with.overflow" | "ssub.with.overflow" | "usub.with.overflow"
                | "smul.with.overflow" | "umul.with.overflow",
                [a, b],
            ) => {
                let (a, b) = (self.scalar(*a), self.scalar(*b));
                let parts = self.with_overflow(base, a, b);
                if let Some(result) = result {
                    self.define(result, parts);
                }
                return true;
            }
            ("smax" | "smin" | "umax" | "umin", [a, b]) => {
                let (a, b) = (self.scalar(*a), self.scalar(*b));
                let predicate = match base {
                    "smax" => IntPredicate::Sgt,
                    "smin" => IntPredicate::Slt,
                    "umax" => IntPredicate::Ugt,
                    _ => IntPredicate::Ult,
                };
                let exprs = &mut self.cx.program.exprs;
                let first = exprs.compare(predicate, a, b);
                exprs.choose(first, a, b)
            }
            ("abs", [a, ..]) => {
                let a = self.scalar(*a);
                let exprs = &mut self.cx.program.exprs;
                let width = exprs.width(a);
                let zero = exprs.bv(width, 0);
                let negative = exprs.compare(IntPredicate::Slt, a, zero);
                let minus = exprs.operate(BinaryOp::BvSub, zero, a);
                exprs.choose(negative, minus, a)
            }
            ("bswap", [a]) => {
                let a = self.scalar(*a);
                let exprs = &mut self.cx.program.exprs;
                let width = exprs.width(a);
                let mut swapped = exprs.extract(a, 8, 0);
                for at in 1..width / 8 {
                    let byte = exprs.extract(a, 8 * at + 8, 8 * at);
                    swapped = exprs.concat(swapped, byte);
                }
                swapped
            }
            ("bitreverse", [a]) => {
                let a = self.scalar(*a);
                let exprs = &mut self.cx.program.exprs;
                let width = exprs.width(a);
                let mut reversed = exprs.extract(a, 1, 0);
                for at in 1..width {
                    let bit = exprs.extract(a, at + 1, at);
                    reversed = exprs.concat(reversed, bit);
                }
                reversed
            }
            ("ctpop", [a]) => {
                let a = self.scalar(*a);
                let exprs = &mut self.cx.program.exprs;
                let width = exprs.width(a);
                let mut sum = exprs.bv(width, 0);
                for at in 0..width {
                    let bit = exprs.extract(a, at + 1, at);
                    let bit = exprs.zero_extend(bit, width);
                    sum = exprs.sum(sum, bit);
                }
                sum
            }
            ("ctlz" | "cttz", [a, ..]) => {
                let a = self.scalar(*a);
                self.zeros(a, base == "ctlz")
            }
            ("fshl" | "fshr", [a, b, by]) => {
                let (a, b, by) = (self.scalar(*a), self.scalar(*b), self.scalar(*by));
                self.funnel_shift(a, b, by, base == "fshl")
            }
            _ => return false,
        };
        if let Some(result) = result {
            self.define(result, vec![value]);
        }
        true
    }

    fn thread_local_object(&self, pointer: Operand) -> Option<crate::objects::ObjectId> {
        let Operand::Const(id) = pointer else { return None };
        match self.cx.module.consts[id].kind {
            crate::module::ConstKind::Global(global) => {
                self.cx.points_to.objects.of(crate::objects::ObjectKind::Global(global))
            }
            _ => None,
        }
    }

    /// Functions of the library that are one expression.
    fn builtin(&mut self, result: Option<ValueId>, name: &str, args: &[Operand]) -> bool {
        match (name, args) {
            ("abs" | "labs" | "llabs", [_]) => self.intrinsic(result, "llvm.abs.x", args),
            ("ntohl" | "htonl" | "ntohs" | "htons", [_]) => self.intrinsic(result, "llvm.bswap.x", args),
            _ => false,
        }
    }

    /// The result and whether it does not fit.
    fn with_overflow(&mut self, name: &str, a: ExprId, b: ExprId) -> Vec<ExprId> {
        let exprs = &mut self.cx.program.exprs;
        let width = exprs.width(a);
        let signed = name.starts_with('s');
        let op = match &name[1..4] {
            "add" => BinaryOp::BvAdd,
            "sub" => BinaryOp::BvSub,
            _ => BinaryOp::BvMul,
        };
        if width == WIDEST {
            return self.with_overflow_of_widest(op, signed, a, b);
        }
        // In twice the width nothing is lost.
        let wide = 2 * width;
        let mut widen = |e| if signed { exprs.sign_extend(e, wide) } else { exprs.zero_extend(e, wide) };
        let (x, y) = (widen(a), widen(b));
        let exact = exprs.operate(op, x, y);
        let value = exprs.operate(op, a, b);
        let back = if signed { exprs.sign_extend(value, wide) } else { exprs.zero_extend(value, wide) };
        let lost = exprs.compare(IntPredicate::Ne, exact, back);
        vec![value, lost]
    }

    /// The same where there is no twice the width in the explorer.
    fn with_overflow_of_widest(&mut self, op: BinaryOp, signed: bool, a: ExprId, b: ExprId) -> Vec<ExprId> {
        let exprs = &mut self.cx.program.exprs;
        let (zero, one) = (exprs.bv(WIDEST, 0), exprs.bv(WIDEST, 1));
        let value = exprs.operate(op, a, b);
        let lost = match (op, signed) {
            (BinaryOp::BvAdd, false) => exprs.compare(IntPredicate::Ult, value, a),
            (BinaryOp::BvSub, false) => exprs.compare(IntPredicate::Ult, a, b),
            (BinaryOp::BvAdd | BinaryOp::BvSub, true) => {
                // The sign is not what those of the operands make it.
                let down = exprs.compare(IntPredicate::Slt, value, a);
                let negative = exprs.compare(IntPredicate::Slt, b, zero);
                let positive = exprs.compare(IntPredicate::Sgt, b, zero);
                let goes_down = if op == BinaryOp::BvAdd { negative } else { positive };
                let right = exprs.pool().binary(BinaryOp::Iff, down, goes_down);
                exprs.negate(right)
            }
            (_, false) => {
                // A constant comes first, so that nothing has to be divided when the program runs.
                let (a, b) = if exprs.literal(b).is_some() { (b, a) } else { (a, b) };
                let is_zero = exprs.equal(a, zero);
                let divisor = exprs.choose(is_zero, one, a);
                let all = exprs.bv(WIDEST, u64::MAX);
                let most = exprs.operate(BinaryOp::BvUdiv, all, divisor);
                let more = exprs.compare(IntPredicate::Ugt, b, most);
                let some = exprs.negate(is_zero);
                exprs.both(some, more)
            }
            (_, true) => {
                let (a, b) = if exprs.literal(b).is_some() { (b, a) } else { (a, b) };
                let (minus, least) = (exprs.bv(WIDEST, u64::MAX), exprs.bv(WIDEST, 1 << (WIDEST - 1)));
                let (is_zero, is_minus) = (exprs.equal(a, zero), exprs.equal(a, minus));
                let divisor = exprs.choose(is_zero, one, a);
                let divisor = exprs.choose(is_minus, one, divisor);
                let back = exprs.operate(BinaryOp::BvSdiv, value, divisor);
                let differs = exprs.compare(IntPredicate::Ne, back, b);
                let negated = exprs.equal(b, least);
                let some = exprs.negate(is_zero);
                let lost = exprs.choose(is_minus, negated, differs);
                exprs.both(some, lost)
            }
        };
        vec![value, lost]
    }

    /// How many zeros there are from the highest or lowest bit on.
    fn zeros(&mut self, a: ExprId, leading: bool) -> ExprId {
        let exprs = &mut self.cx.program.exprs;
        let width = exprs.width(a);
        let mut count = exprs.bv(width, u64::from(width));
        let one = exprs.bv(1, 1);
        for step in 0..width {
            // From the far end, so that the nearest bit decides last.
            let at = if leading { step } else { width - 1 - step };
            let bit = exprs.extract(a, at + 1, at);
            let set = exprs.equal(bit, one);
            let here = exprs.bv(width, u64::from(if leading { width - 1 - at } else { at }));
            count = exprs.choose(set, here, count);
        }
        count
    }

    fn funnel_shift(&mut self, a: ExprId, b: ExprId, by: ExprId, left: bool) -> ExprId {
        let exprs = &mut self.cx.program.exprs;
        let width = exprs.width(a);
        let both = exprs.concat(a, b);
        let modulus = exprs.bv(width, u64::from(width));
        let by = exprs.operate(BinaryOp::BvUrem, by, modulus);
        let by = exprs.zero_extend(by, 2 * width);
        if left {
            let shifted = exprs.operate(BinaryOp::BvShl, both, by);
            exprs.extract(shifted, 2 * width, width)
        } else {
            let shifted = exprs.operate(BinaryOp::BvLshr, both, by);
            exprs.extract(shifted, width, 0)
        }
    }
}
