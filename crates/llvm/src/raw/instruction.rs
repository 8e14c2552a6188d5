//! Instructions, and constant expressions where they have the same.

use std::marker::PhantomData;

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::{LLVMAtomicOrdering, LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMRealPredicate};

use super::{Block, Opcode, Type, Value, ValueKind, text};

impl<'m> Value<'m> {
    pub(crate) fn int_predicate(self) -> Option<LLVMIntPredicate> {
        // SAFETY: it is a comparison.
        self.is(Opcode::LLVMICmp).then(|| unsafe { LLVMGetICmpPredicate(self.0) })
    }

    pub(crate) fn real_predicate(self) -> Option<LLVMRealPredicate> {
        // SAFETY: it is a comparison.
        self.is(Opcode::LLVMFCmp).then(|| unsafe { LLVMGetFCmpPredicate(self.0) })
    }

    pub(crate) fn allocated_type(self) -> Option<Type<'m>> {
        // SAFETY: it is an `alloca`.
        self.is(Opcode::LLVMAlloca).then(|| Type(unsafe { LLVMGetAllocatedType(self.0) }, PhantomData))
    }

    pub(crate) fn gep_element(self) -> Option<Type<'m>> {
        self.is(Opcode::LLVMGetElementPtr)
            // SAFETY: it is a GEP.
            .then(|| Type(unsafe { LLVMGetGEPSourceElementType(self.0) }, PhantomData))
    }

    /// Of a load, store or read-modify-write.
    pub(crate) fn ordering(self) -> Option<LLVMAtomicOrdering> {
        match self.opcode()? {
            Opcode::LLVMLoad | Opcode::LLVMStore | Opcode::LLVMAtomicRMW | Opcode::LLVMFence => {
                // SAFETY: it is one of the instructions that have one.
                Some(unsafe { LLVMGetOrdering(self.0) })
            }
            // SAFETY: it is a compare and exchange.
            Opcode::LLVMAtomicCmpXchg => Some(unsafe { LLVMGetCmpXchgSuccessOrdering(self.0) }),
            _ => None,
        }
    }

    pub(crate) fn is_volatile(self) -> bool {
        let has = matches!(self.opcode(), Some(Opcode::LLVMLoad | Opcode::LLVMStore));
        // SAFETY: it is a load or store.
        has && unsafe { LLVMGetVolatile(self.0) != 0 }
    }

    /// Whether a sum, difference, product or shift is said not to go beyond what has a sign.
    pub(crate) fn has_no_signed_wrap(self) -> bool {
        let has = matches!(
            self.opcode(),
            Some(Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul | Opcode::LLVMShl)
        );
        // SAFETY: it is an instruction or a constant of this kind.
        has && self.kind() == ValueKind::LLVMInstructionValueKind && unsafe { LLVMGetNSW(self.0) != 0 }
    }

    pub(crate) fn is_weak(self) -> bool {
        // SAFETY: it is a compare and exchange.
        self.is(Opcode::LLVMAtomicCmpXchg) && unsafe { LLVMGetWeak(self.0) != 0 }
    }

    pub(crate) fn rmw(self) -> Option<LLVMAtomicRMWBinOp> {
        // SAFETY: it is a read-modify-write.
        self.is(Opcode::LLVMAtomicRMW).then(|| unsafe { LLVMGetAtomicRMWBinOp(self.0) })
    }

    /// Of an `extractvalue` or `insertvalue`.
    pub(crate) fn indices(self) -> Vec<u32> {
        if !matches!(self.opcode(), Some(Opcode::LLVMExtractValue | Opcode::LLVMInsertValue)) {
            return Vec::new();
        }
        // SAFETY: it is an instruction with indices, and has as many as LLVM says.
        unsafe {
            std::slice::from_raw_parts(LLVMGetIndices(self.0), LLVMGetNumIndices(self.0) as usize).to_vec()
        }
    }

    /// The lanes of a `shufflevector`.
    pub(crate) fn lanes(self) -> Vec<Option<u32>> {
        if !self.is(Opcode::LLVMShuffleVector) {
            return Vec::new();
        }
        // SAFETY: it is a shuffle; an undefined lane is negative.
        unsafe {
            let count = LLVMGetNumMaskElements(self.0);
            (0..count).map(|at| u32::try_from(LLVMGetMaskValue(self.0, at)).ok()).collect()
        }
    }

    pub(crate) fn callee(self) -> Option<Value<'m>> {
        // SAFETY: it is a call.
        if self.is_call() { Value::new(unsafe { LLVMGetCalledValue(self.0) }) } else { None }
    }

    pub(crate) fn argument_count(self) -> usize {
        // SAFETY: it is a call.
        if self.is_call() { unsafe { LLVMGetNumArgOperands(self.0) as usize } } else { 0 }
    }

    /// The text of inline assembler.
    pub(crate) fn asm(self) -> Option<String> {
        if self.kind() != ValueKind::LLVMInlineAsmValueKind {
            return None;
        }
        let mut length = 0;
        // SAFETY: it is inline assembler, and LLVM says how long its text is.
        Some(unsafe { text(LLVMGetInlineAsmAsmString(self.0, &raw mut length), length) })
    }

    /// The descriptions of the types that a landing pad catches; none if it is not one, or lists what it does not catch.
    pub(crate) fn caught_types(self) -> Option<Vec<Value<'m>>> {
        if self.opcode() != Some(Opcode::LLVMLandingPad) {
            return None;
        }
        // SAFETY: it is a landing pad and has as many clauses as LLVM says.
        let clauses: Option<Vec<Value<'m>>> = unsafe {
            (0..LLVMGetNumClauses(self.0)).map(|at| Value::new(LLVMGetClause(self.0, at))).collect()
        };
        clauses.filter(|clauses| {
            // SAFETY: they are values of the module.
            clauses.iter().all(|clause| unsafe {
                LLVMGetTypeKind(LLVMTypeOf(clause.0)) == super::TypeKind::LLVMPointerTypeKind
            })
        })
    }

    /// Whether it is the null pointer.
    pub(crate) fn is_null(self) -> bool {
        // SAFETY: it is a value of the module.
        unsafe { LLVMIsNull(self.0) != 0 }
    }

    /// Whether inline assembler has no text and one output, which is in the place of its one input: then it is that input.
    pub(crate) fn is_asm_that_returns_its_input(self) -> bool {
        if !self.asm().is_some_and(|text| text.trim().is_empty()) {
            return false;
        }
        let mut length = 0;
        // SAFETY: it is inline assembler, and LLVM says how long its text is.
        let constraints = unsafe { text(LLVMGetInlineAsmConstraintString(self.0, &raw mut length), length) };
        let mut operands = constraints.split(',').filter(|constraint| !constraint.starts_with('~'));
        let output = operands.next().is_some_and(|output| output.starts_with('=') && !output.contains('*'));
        output && operands.eq(["0"])
    }

    /// Where control may go from a terminator.
    pub(crate) fn successors(self) -> Vec<Block<'m>> {
        // SAFETY: it is a terminator and has as many successors as LLVM says.
        unsafe {
            if LLVMIsATerminatorInst(self.0).is_null() {
                return Vec::new();
            }
            let count = LLVMGetNumSuccessors(self.0);
            (0..count).filter_map(|at| Block::new(LLVMGetSuccessor(self.0, at))).collect()
        }
    }

    /// Where a phi gets its value from.
    pub(crate) fn incoming(self) -> Vec<(Block<'m>, Value<'m>)> {
        if !self.is(Opcode::LLVMPHI) {
            return Vec::new();
        }
        // SAFETY: it is a phi and has as many ways in as LLVM says.
        unsafe {
            (0..LLVMCountIncoming(self.0))
                .filter_map(|at| {
                    Block::new(LLVMGetIncomingBlock(self.0, at))
                        .zip(Value::new(LLVMGetIncomingValue(self.0, at)))
                })
                .collect()
        }
    }
}
