//! What an instruction or a constant expression does.

use inkwell::llvm_sys::{LLVMAtomicOrdering, LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMRealPredicate};

use super::constant;
use crate::module::{
    Binary, BlockId, Callee, Cast, FuncId, IntPredicate, Op, Operand, Ordering, Rmw, TypeId,
};
use crate::raw::{self, Opcode, Value, ValueKind};

/// Where an instruction finds what it refers to: in its function, or among the constants.
pub(super) trait Parts<'m> {
    fn operand(&mut self, value: Value<'m>) -> Operand;
    fn ty(&mut self, ty: raw::Type<'m>) -> TypeId;
    fn block(&self, block: raw::Block<'m>) -> BlockId;
    fn func(&self, value: Value<'m>) -> Option<FuncId>;
}

/// What it does; what is not understood keeps its operands and successors.
pub(super) fn op<'m>(parts: &mut impl Parts<'m>, value: Value<'m>) -> Op {
    let operands = value.operands();
    let known = value.opcode().and_then(|opcode| {
        computation(parts, value, opcode, &operands)
            .or_else(|| memory(parts, value, opcode, &operands))
            .or_else(|| control(parts, value, opcode, &operands))
    });
    known.unwrap_or_else(|| other(parts, value, &operands))
}

fn other<'m>(parts: &mut impl Parts<'m>, value: Value<'m>, operands: &[Value<'m>]) -> Op {
    let name = value.opcode().map_or("?", name).to_string();
    let operands = operands
        .iter()
        .filter(|operand| operand.kind() != ValueKind::LLVMBasicBlockValueKind)
        .map(|&operand| parts.operand(operand))
        .collect();
    let successors = value.successors().into_iter().map(|block| parts.block(block)).collect();
    Op::Other { name, operands, successors }
}

fn computation<'m>(
    parts: &mut impl Parts<'m>,
    value: Value<'m>,
    opcode: Opcode,
    operands: &[Value<'m>],
) -> Option<Op> {
    if let Some(operator) = binary(opcode) {
        let [left, right] = *operands else { return None };
        return Some(Op::Binary(operator, parts.operand(left), parts.operand(right)));
    }
    if let Some(cast) = cast(opcode) {
        return Some(Op::Cast(cast, parts.operand(*operands.first()?)));
    }
    Some(match (opcode, operands) {
        (Opcode::LLVMFNeg, &[a]) => Op::FNeg(parts.operand(a)),
        (Opcode::LLVMFreeze, &[a]) => Op::Freeze(parts.operand(a)),
        (Opcode::LLVMICmp, &[a, b]) => {
            Op::ICmp(int_predicate(value.int_predicate()?), parts.operand(a), parts.operand(b))
        }
        (Opcode::LLVMFCmp, &[a, b]) => {
            Op::FCmp(real_predicate(value.real_predicate()?), parts.operand(a), parts.operand(b))
        }
        (Opcode::LLVMSelect, &[on, then, otherwise]) => {
            Op::Select(parts.operand(on), parts.operand(then), parts.operand(otherwise))
        }
        (Opcode::LLVMExtractValue, &[from]) => Op::ExtractValue(parts.operand(from), value.indices()),
        (Opcode::LLVMInsertValue, &[into, part]) => {
            Op::InsertValue(parts.operand(into), parts.operand(part), value.indices())
        }
        (Opcode::LLVMExtractElement, &[from, at]) => {
            Op::ExtractElement(parts.operand(from), parts.operand(at))
        }
        (Opcode::LLVMInsertElement, &[into, part, at]) => {
            Op::InsertElement(parts.operand(into), parts.operand(part), parts.operand(at))
        }
        (Opcode::LLVMShuffleVector, &[a, b]) => {
            Op::ShuffleVector(parts.operand(a), parts.operand(b), value.lanes())
        }
        (Opcode::LLVMPHI, _) => {
            let ways = value.incoming();
            Op::Phi(
                ways.into_iter().map(|(block, value)| (parts.block(block), parts.operand(value))).collect(),
            )
        }
        _ => return None,
    })
}

fn memory<'m>(
    parts: &mut impl Parts<'m>,
    value: Value<'m>,
    opcode: Opcode,
    operands: &[Value<'m>],
) -> Option<Op> {
    let atomic = || value.ordering().and_then(ordering);
    Some(match (opcode, operands) {
        (Opcode::LLVMAlloca, &[count]) => {
            Op::Alloca { ty: parts.ty(value.allocated_type()?), count: parts.operand(count) }
        }
        (Opcode::LLVMLoad, &[ptr]) => Op::Load {
            ptr: parts.operand(ptr),
            ty: parts.ty(value.ty()),
            atomic: atomic(),
            volatile: value.is_volatile(),
        },
        (Opcode::LLVMStore, &[stored, ptr]) => Op::Store {
            value: parts.operand(stored),
            ptr: parts.operand(ptr),
            atomic: atomic(),
            volatile: value.is_volatile(),
        },
        (Opcode::LLVMGetElementPtr, &[base, ref indices @ ..]) => Op::Gep {
            base: parts.operand(base),
            element: parts.ty(value.gep_element()?),
            indices: indices.iter().map(|&index| parts.operand(index)).collect(),
        },
        (Opcode::LLVMAtomicRMW, &[ptr, by]) => Op::AtomicRmw {
            op: rmw(value.rmw()?),
            ptr: parts.operand(ptr),
            value: parts.operand(by),
            order: atomic()?,
        },
        (Opcode::LLVMAtomicCmpXchg, &[ptr, expected, new]) => Op::CmpXchg {
            ptr: parts.operand(ptr),
            expected: parts.operand(expected),
            new: parts.operand(new),
            weak: value.is_weak(),
            order: atomic()?,
        },
        (Opcode::LLVMFence, _) => Op::Fence(atomic()?),
        _ => return None,
    })
}

fn control<'m>(
    parts: &mut impl Parts<'m>,
    value: Value<'m>,
    opcode: Opcode,
    operands: &[Value<'m>],
) -> Option<Op> {
    // A struct among a variable number of arguments looks like a pointer, and is none.
    if value.passes_copies_beyond() {
        return None;
    }
    Some(match opcode {
        Opcode::LLVMCall if value.callee().is_some_and(Value::is_asm_that_returns_its_input) => {
            Op::Freeze(parts.operand(*operands.first()?))
        }
        Opcode::LLVMCall => {
            Op::Call { callee: callee(parts, value)?, args: arguments(parts, value, operands) }
        }
        Opcode::LLVMInvoke => {
            let [normal, unwind] = *value.successors() else { return None };
            Op::Invoke {
                callee: callee(parts, value)?,
                args: arguments(parts, value, operands),
                normal: parts.block(normal),
                unwind: parts.block(unwind),
            }
        }
        Opcode::LLVMBr => match *value.successors() {
            [to] => Op::Br(parts.block(to)),
            [then, otherwise] => {
                Op::CondBr(parts.operand(*operands.first()?), parts.block(then), parts.block(otherwise))
            }
            _ => return None,
        },
        Opcode::LLVMSwitch => {
            let (&on, rest) = operands.split_first()?;
            let (default, rest) = rest.split_first()?;
            let case = |pair: &[Value<'m>]| match *pair {
                [number, to] => Some((constant::int(number)?, parts.block(to.as_block()?))),
                _ => None,
            };
            let cases = rest.chunks(2).map(case).collect::<Option<_>>()?;
            Op::Switch { default: parts.block(default.as_block()?), cases, on: parts.operand(on) }
        }
        Opcode::LLVMRet => Op::Ret(operands.first().map(|&result| parts.operand(result))),
        Opcode::LLVMUnreachable => Op::Unreachable,
        Opcode::LLVMLandingPad => {
            let clauses = value.caught_types()?;
            let operand = |clause: Value<'m>| match parts.operand(clause) {
                Operand::Const(_) if clause.is_null() => Some(None),
                Operand::Const(described) => Some(Some(described)),
                Operand::Value(_) => None,
            };
            Op::LandingPad(clauses.into_iter().map(operand).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

fn callee<'m>(parts: &mut impl Parts<'m>, call: Value<'m>) -> Option<Callee> {
    let mut callee = call.callee()?;
    if let Some(text) = callee.asm() {
        return Some(Callee::Asm(text));
    }
    while let Some(aliasee) = callee.aliasee() {
        callee = aliasee;
    }
    Some(match parts.func(callee) {
        Some(func) => Callee::Func(func),
        None => Callee::Ptr(parts.operand(callee)),
    })
}

/// The arguments come first among the operands of a call.
fn arguments<'m>(parts: &mut impl Parts<'m>, call: Value<'m>, operands: &[Value<'m>]) -> Vec<Operand> {
    operands.iter().take(call.argument_count()).map(|&argument| parts.operand(argument)).collect()
}

fn binary(opcode: Opcode) -> Option<Binary> {
    Some(match opcode {
        Opcode::LLVMAdd => Binary::Add,
        Opcode::LLVMSub => Binary::Sub,
        Opcode::LLVMMul => Binary::Mul,
        Opcode::LLVMUDiv => Binary::UDiv,
        Opcode::LLVMSDiv => Binary::SDiv,
        Opcode::LLVMURem => Binary::URem,
        Opcode::LLVMSRem => Binary::SRem,
        Opcode::LLVMShl => Binary::Shl,
        Opcode::LLVMLShr => Binary::LShr,
        Opcode::LLVMAShr => Binary::AShr,
        Opcode::LLVMAnd => Binary::And,
        Opcode::LLVMOr => Binary::Or,
        Opcode::LLVMXor => Binary::Xor,
        Opcode::LLVMFAdd => Binary::FAdd,
        Opcode::LLVMFSub => Binary::FSub,
        Opcode::LLVMFMul => Binary::FMul,
        Opcode::LLVMFDiv => Binary::FDiv,
        Opcode::LLVMFRem => Binary::FRem,
        _ => return None,
    })
}

fn cast(opcode: Opcode) -> Option<Cast> {
    Some(match opcode {
        Opcode::LLVMTrunc => Cast::Trunc,
        Opcode::LLVMZExt => Cast::ZExt,
        Opcode::LLVMSExt => Cast::SExt,
        Opcode::LLVMPtrToInt => Cast::PtrToInt,
        Opcode::LLVMIntToPtr => Cast::IntToPtr,
        Opcode::LLVMBitCast => Cast::BitCast,
        Opcode::LLVMAddrSpaceCast => Cast::AddrSpaceCast,
        Opcode::LLVMFPToUI => Cast::FpToUi,
        Opcode::LLVMFPToSI => Cast::FpToSi,
        Opcode::LLVMUIToFP => Cast::UiToFp,
        Opcode::LLVMSIToFP => Cast::SiToFp,
        Opcode::LLVMFPTrunc => Cast::FpTrunc,
        Opcode::LLVMFPExt => Cast::FpExt,
        _ => return None,
    })
}

fn int_predicate(predicate: LLVMIntPredicate) -> IntPredicate {
    match predicate {
        LLVMIntPredicate::LLVMIntEQ => IntPredicate::Eq,
        LLVMIntPredicate::LLVMIntNE => IntPredicate::Ne,
        LLVMIntPredicate::LLVMIntUGT => IntPredicate::Ugt,
        LLVMIntPredicate::LLVMIntUGE => IntPredicate::Uge,
        LLVMIntPredicate::LLVMIntULT => IntPredicate::Ult,
        LLVMIntPredicate::LLVMIntULE => IntPredicate::Ule,
        LLVMIntPredicate::LLVMIntSGT => IntPredicate::Sgt,
        LLVMIntPredicate::LLVMIntSGE => IntPredicate::Sge,
        LLVMIntPredicate::LLVMIntSLT => IntPredicate::Slt,
        LLVMIntPredicate::LLVMIntSLE => IntPredicate::Sle,
    }
}

fn real_predicate(predicate: LLVMRealPredicate) -> &'static str {
    match predicate {
        LLVMRealPredicate::LLVMRealPredicateFalse => "false",
        LLVMRealPredicate::LLVMRealOEQ => "oeq",
        LLVMRealPredicate::LLVMRealOGT => "ogt",
        LLVMRealPredicate::LLVMRealOGE => "oge",
        LLVMRealPredicate::LLVMRealOLT => "olt",
        LLVMRealPredicate::LLVMRealOLE => "ole",
        LLVMRealPredicate::LLVMRealONE => "one",
        LLVMRealPredicate::LLVMRealORD => "ord",
        LLVMRealPredicate::LLVMRealUNO => "uno",
        LLVMRealPredicate::LLVMRealUEQ => "ueq",
        LLVMRealPredicate::LLVMRealUGT => "ugt",
        LLVMRealPredicate::LLVMRealUGE => "uge",
        LLVMRealPredicate::LLVMRealULT => "ult",
        LLVMRealPredicate::LLVMRealULE => "ule",
        LLVMRealPredicate::LLVMRealUNE => "une",
        LLVMRealPredicate::LLVMRealPredicateTrue => "true",
    }
}

fn ordering(order: LLVMAtomicOrdering) -> Option<Ordering> {
    match order {
        LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic => None,
        LLVMAtomicOrdering::LLVMAtomicOrderingUnordered => Some(Ordering::Unordered),
        LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic => Some(Ordering::Monotonic),
        LLVMAtomicOrdering::LLVMAtomicOrderingAcquire => Some(Ordering::Acquire),
        LLVMAtomicOrdering::LLVMAtomicOrderingRelease => Some(Ordering::Release),
        LLVMAtomicOrdering::LLVMAtomicOrderingAcquireRelease => Some(Ordering::AcqRel),
        LLVMAtomicOrdering::LLVMAtomicOrderingSequentiallyConsistent => Some(Ordering::SeqCst),
    }
}

fn rmw(op: LLVMAtomicRMWBinOp) -> Rmw {
    match op {
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpXchg => Rmw::Xchg,
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpAdd => Rmw::Add,
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpSub => Rmw::Sub,
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpAnd => Rmw::And,
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpNand => Rmw::Nand,
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpOr => Rmw::Or,
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpXor => Rmw::Xor,
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpMax => Rmw::Max,
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpMin => Rmw::Min,
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpUMax => Rmw::UMax,
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpUMin => Rmw::UMin,
        _ => Rmw::Other,
    }
}

/// The name of an instruction that has no op of its own.
fn name(opcode: Opcode) -> &'static str {
    match opcode {
        Opcode::LLVMIndirectBr => "indirectbr",
        Opcode::LLVMCallBr => "callbr",
        Opcode::LLVMVAArg => "va_arg",
        Opcode::LLVMResume => "resume",
        Opcode::LLVMLandingPad => "landingpad",
        Opcode::LLVMCleanupRet => "cleanupret",
        Opcode::LLVMCatchRet => "catchret",
        Opcode::LLVMCatchPad => "catchpad",
        Opcode::LLVMCleanupPad => "cleanuppad",
        Opcode::LLVMCatchSwitch => "catchswitch",
        _ => "an instruction that is not known",
    }
}
