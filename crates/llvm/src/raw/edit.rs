//! Putting calls into a module.

use std::ffi::{CString, c_uint};
use std::path::Path;
use std::ptr;

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use inkwell::llvm_sys::prelude::{LLVMBuilderRef, LLVMContextRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef};
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMLinkage, bit_writer};
use inkwell::module::Module;

use super::{Block, Opcode, Type, TypeKind, Value, ValueKind};

/// What happens in place of a function that is not there.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Instead {
    /// What the call did before.
    Same,
    /// Another function of the same type.
    Other(&'static str),
    /// Nothing; the result is zero.
    Nothing,
    /// The program ends.
    Trap,
}

/// Changes a module. Values that were handed out stay valid unless they are replaced.
pub(crate) struct Editor<'m> {
    module: LLVMModuleRef,
    context: LLVMContextRef,
    builder: LLVMBuilderRef,
    life: std::marker::PhantomData<&'m ()>,
}

impl Drop for Editor<'_> {
    fn drop(&mut self) {
        // SAFETY: it was created with this, and is freed once.
        unsafe { LLVMDisposeBuilder(self.builder) }
    }
}

impl<'m> Editor<'m> {
    pub(crate) fn new(module: &'m Module<'_>) -> Self {
        let module = module.as_mut_ptr();
        // SAFETY: the module is alive.
        unsafe {
            let context = LLVMGetModuleContext(module);
            let builder = LLVMCreateBuilderInContext(context);
            Editor { module, context, builder, life: std::marker::PhantomData }
        }
    }

    /// What is put in next comes before an instruction, and belongs to the same line.
    pub(crate) fn before(&mut self, instruction: Value<'m>) {
        // SAFETY: it is an instruction of the module; a location may be none.
        unsafe {
            LLVMPositionBuilderBefore(self.builder, instruction.0);
            let location = LLVMInstructionGetDebugLoc(instruction.0);
            LLVMSetCurrentDebugLocation2(self.builder, location);
        }
    }

    /// What is put in next comes after an instruction. There is no such place after the end of a block, but for a call that
    /// leads to a block of its own.
    pub(crate) fn after(&mut self, instruction: Value<'m>) -> bool {
        // SAFETY: it is an instruction of the module; blocks and uses are asked for within what LLVM says is there.
        unsafe {
            let next = LLVMGetNextInstruction(instruction.0);
            if !next.is_null() {
                LLVMPositionBuilderBefore(self.builder, next);
            } else if instruction.opcode() == Some(Opcode::LLVMInvoke) {
                let normal = LLVMGetNormalDest(instruction.0);
                let Some(first) = Value::new(LLVMGetFirstInstruction(normal)) else { return false };
                let uses = Value(LLVMBasicBlockAsValue(normal), std::marker::PhantomData).users();
                if first.opcode() == Some(Opcode::LLVMPHI) || uses.count() != 1 {
                    return false;
                }
                LLVMPositionBuilderBefore(self.builder, first.0);
            } else {
                return false;
            }
            LLVMSetCurrentDebugLocation2(self.builder, LLVMInstructionGetDebugLoc(instruction.0));
        }
        true
    }

    pub(crate) fn int32(&self, value: u32) -> Value<'m> {
        // SAFETY: the context is alive.
        unsafe {
            Value(
                LLVMConstInt(LLVMInt32TypeInContext(self.context), u64::from(value), 0),
                std::marker::PhantomData,
            )
        }
    }

    pub(crate) fn int64(&self, value: u64) -> Value<'m> {
        // SAFETY: the context is alive.
        unsafe {
            Value(LLVMConstInt(LLVMInt64TypeInContext(self.context), value, 0), std::marker::PhantomData)
        }
    }

    /// What is put in next belongs to the same line as an instruction.
    pub(crate) fn belongs_to(&mut self, instruction: Value<'m>) {
        // SAFETY: it is an instruction; a location may be none.
        unsafe { LLVMSetCurrentDebugLocation2(self.builder, LLVMInstructionGetDebugLoc(instruction.0)) }
    }

    /// A value that depends on where control comes from, at the beginning of a block: of the type of `first`, which it has from the one
    /// block. The other one is told later.
    pub(crate) fn joined(
        &mut self,
        block: Block<'m>,
        first: Value<'m>,
        from: Block<'m>,
    ) -> Option<Value<'m>> {
        self.before(block.instructions().next()?);
        // SAFETY: the builder is at the beginning of the block.
        let phi = unsafe { Value::new(LLVMBuildPhi(self.builder, LLVMTypeOf(first.0), c"".as_ptr()))? };
        self.join(phi, first, from);
        Some(phi)
    }

    /// The value that it has from another block.
    pub(crate) fn join(&mut self, joined: Value<'m>, value: Value<'m>, from: Block<'m>) {
        let (mut value, mut from) = (value.0, from.0);
        // SAFETY: it is a phi, and the value has its type.
        unsafe { LLVMAddIncoming(joined.0, &raw mut value, &raw mut from, 1) }
    }

    /// One more than a number.
    pub(crate) fn successor(&mut self, number: Value<'m>) -> Value<'m> {
        // SAFETY: it is a number.
        unsafe {
            let one = LLVMConstInt(LLVMTypeOf(number.0), 1, 0);
            Value(LLVMBuildAdd(self.builder, number.0, one, c"".as_ptr()), std::marker::PhantomData)
        }
    }

    /// An address of nothing.
    pub(crate) fn nowhere(&self) -> Value<'m> {
        // SAFETY: the context is alive.
        unsafe { Value(LLVMConstNull(LLVMPointerTypeInContext(self.context, 0)), std::marker::PhantomData) }
    }

    /// Room for so many numbers of 64 bits on the stack of a function.
    pub(crate) fn words(&mut self, function: Value<'m>, count: usize) -> Option<Value<'m>> {
        self.before(function.insertion_point()?);
        // SAFETY: the builder is at an instruction of the function.
        unsafe {
            let array = LLVMArrayType2(LLVMInt64TypeInContext(self.context), count as u64);
            Value::new(LLVMBuildAlloca(self.builder, array, c"".as_ptr()))
        }
    }

    /// Stores a value into such room.
    pub(crate) fn put(&mut self, room: Value<'m>, at: usize, value: Value<'m>) {
        let mut index = self.int64(at as u64).0;
        // SAFETY: the room has such a place; the builder is at an instruction.
        unsafe {
            let word = LLVMInt64TypeInContext(self.context);
            let place = LLVMBuildInBoundsGEP2(self.builder, word, room.0, &raw mut index, 1, c"".as_ptr());
            LLVMBuildStore(self.builder, value.0, place);
        }
    }

    /// A variable of one byte on the stack of a function, which is 0 at first.
    pub(crate) fn byte(&mut self, function: Value<'m>) -> Option<Value<'m>> {
        self.before(function.insertion_point()?);
        // SAFETY: the builder is at an instruction of the function.
        unsafe {
            let byte = LLVMInt8TypeInContext(self.context);
            let variable = LLVMBuildAlloca(self.builder, byte, c"".as_ptr());
            LLVMBuildStore(self.builder, LLVMConstInt(byte, 0, 0), variable);
            Value::new(variable)
        }
    }

    /// A function of the module, by its name.
    pub(crate) fn function(&self, name: &str) -> Option<Value<'m>> {
        let name = CString::new(name).ok()?;
        // SAFETY: the module is alive, and the name ends with a zero.
        Value::new(unsafe { LLVMGetNamedFunction(self.module, name.as_ptr()) })
    }

    /// Calls a function of the module with arguments of the right types.
    pub(crate) fn call(&mut self, name: &str, arguments: &[Value<'m>]) -> Option<Value<'m>> {
        let function = self.function(name)?;
        let mut arguments: Vec<LLVMValueRef> = arguments.iter().map(|argument| argument.0).collect();
        // SAFETY: a function of the module, with as many arguments as are given; callers see to their types.
        unsafe {
            let ty = LLVMGlobalGetValueType(function.0);
            if LLVMCountParamTypes(ty) as usize != arguments.len() {
                return None;
            }
            let count = arguments.len() as c_uint;
            Value::new(LLVMBuildCall2(
                self.builder,
                ty,
                function.0,
                arguments.as_mut_ptr(),
                count,
                c"".as_ptr(),
            ))
        }
    }

    /// A value as a number of 64 bits: its bits if it is a scalar, and 0 otherwise.
    pub(crate) fn word(&mut self, value: Value<'m>) -> Value<'m> {
        let ty = value.ty();
        // SAFETY: the context is alive, and each cast is one of what its operand is.
        unsafe {
            let word = LLVMInt64TypeInContext(self.context);
            let name = c"".as_ptr();
            let made = match ty.kind() {
                TypeKind::LLVMIntegerTypeKind if ty.int_width() > 64 => {
                    LLVMBuildTrunc(self.builder, value.0, word, name)
                }
                TypeKind::LLVMIntegerTypeKind => LLVMBuildZExtOrBitCast(self.builder, value.0, word, name),
                TypeKind::LLVMPointerTypeKind if LLVMGetPointerAddressSpace(ty.0) == 0 => {
                    LLVMBuildPtrToInt(self.builder, value.0, word, name)
                }
                TypeKind::LLVMDoubleTypeKind => LLVMBuildBitCast(self.builder, value.0, word, name),
                TypeKind::LLVMFloatTypeKind => {
                    let bits = LLVMInt32TypeInContext(self.context);
                    let bits = LLVMBuildBitCast(self.builder, value.0, bits, name);
                    LLVMBuildZExt(self.builder, bits, word, name)
                }
                _ => LLVMConstInt(word, 0, 0),
            };
            Value(made, std::marker::PhantomData)
        }
    }

    /// The other way round: a value of a type, of its bits; none if that is no number.
    pub(crate) fn narrow(&mut self, word: Value<'m>, ty: Type<'m>) -> Option<Value<'m>> {
        // SAFETY: the context is alive, and each cast is one of what its operand is.
        let made = unsafe {
            let name = c"".as_ptr();
            match ty.kind() {
                TypeKind::LLVMIntegerTypeKind if ty.int_width() <= 64 => {
                    LLVMBuildTruncOrBitCast(self.builder, word.0, ty.0, name)
                }
                TypeKind::LLVMDoubleTypeKind => LLVMBuildBitCast(self.builder, word.0, ty.0, name),
                TypeKind::LLVMFloatTypeKind => {
                    let bits = LLVMInt32TypeInContext(self.context);
                    let bits = LLVMBuildTrunc(self.builder, word.0, bits, name);
                    LLVMBuildBitCast(self.builder, bits, ty.0, name)
                }
                _ => return None,
            }
        };
        Value::new(made)
    }

    /// Instructions use another value of the same type instead of one.
    pub(crate) fn exchange(&mut self, users: &[Value<'m>], old: Value<'m>, new: Value<'m>) {
        for user in users {
            // SAFETY: they are instructions of the module, with so many operands.
            unsafe {
                for at in 0..c_uint::try_from(LLVMGetNumOperands(user.0)).unwrap_or(0) {
                    if LLVMGetOperand(user.0, at) == old.0 {
                        LLVMSetOperand(user.0, at, new.0);
                    }
                }
            }
        }
    }

    /// The first part of a struct.
    pub(crate) fn first_part(&mut self, value: Value<'m>) -> Value<'m> {
        // SAFETY: callers pass the result of a compare and exchange, which is a struct of two.
        Value(
            unsafe { LLVMBuildExtractValue(self.builder, value.0, 0, c"".as_ptr()) },
            std::marker::PhantomData,
        )
    }

    /// Makes a call one of another function, which is declared if need be, with one more argument in front. The old call is gone.
    /// If something can happen instead, the function need not be there when the program runs.
    pub(crate) fn redirect(
        &mut self,
        call: Value<'m>,
        name: &str,
        first: Value<'m>,
        instead: Option<Instead>,
    ) -> Option<Value<'m>> {
        let name = CString::new(name).ok()?;
        let count = call.argument_count();
        let mut arguments = vec![first.0];
        arguments.extend(call.operands().iter().take(count).map(|argument| argument.0));
        // SAFETY: it is a call of the module, whose type has as many parameters as LLVM says; the new one has one more. All
        // uses of the old one are replaced before it goes.
        unsafe {
            let old = LLVMGetCalledFunctionType(call.0);
            let mut params: Vec<LLVMTypeRef> = vec![ptr::null_mut(); LLVMCountParamTypes(old) as usize];
            LLVMGetParamTypes(old, params.as_mut_ptr());
            params.insert(0, LLVMInt32TypeInContext(self.context));
            let variadic = LLVMIsFunctionVarArg(old);
            let result = LLVMGetReturnType(old);
            let ty = LLVMFunctionType(result, params.as_mut_ptr(), params.len() as c_uint, variadic);
            let mut function = LLVMGetNamedFunction(self.module, name.as_ptr());
            if function.is_null() {
                function = LLVMAddFunction(self.module, name.as_ptr(), ty);
            }
            if let Some(instead) = instead {
                LLVMSetLinkage(function, LLVMLinkage::LLVMExternalWeakLinkage);
                let other = self.stand_in(call, &arguments, instead)?;
                self.before(call);
                let none = LLVMConstNull(LLVMTypeOf(function));
                let unequal = LLVMIntPredicate::LLVMIntNE;
                let is_there = LLVMBuildICmp(self.builder, unequal, function, none, c"".as_ptr());
                function = LLVMBuildSelect(self.builder, is_there, function, other, c"".as_ptr());
            }
            self.before(call);
            let count = arguments.len() as c_uint;
            let start = arguments.as_mut_ptr();
            let made = if call.opcode() == Some(Opcode::LLVMInvoke) {
                let (normal, unwind) = (LLVMGetNormalDest(call.0), LLVMGetUnwindDest(call.0));
                LLVMBuildInvoke2(self.builder, ty, function, start, count, normal, unwind, c"".as_ptr())
            } else {
                LLVMBuildCall2(self.builder, ty, function, start, count, c"".as_ptr())
            };
            for at in 0..count - 1 {
                self.copy_extensions(call.0, at + 1, made, at + 2);
            }
            LLVMReplaceAllUsesWith(call.0, made);
            LLVMInstructionEraseFromParent(call.0);
            Value::new(made)
        }
    }

    /// A function of this module that takes the arguments of a redirected call, and does something else. There is one for all
    /// calls of the same function with the same types.
    ///
    /// # Safety
    /// It is a call, and the arguments are its own with one more in front.
    unsafe fn stand_in(
        &mut self,
        call: Value<'m>,
        arguments: &[LLVMValueRef],
        instead: Instead,
    ) -> Option<LLVMValueRef> {
        let callee = call.callee()?;
        let name = CString::new(format!("__raddle_without_{}", callee.name())).ok()?;
        // SAFETY: types are asked of values of the module, and functions are called with arguments of their types.
        unsafe {
            let old = LLVMGetCalledFunctionType(call.0);
            let result = LLVMGetReturnType(old);
            let mut types: Vec<LLVMTypeRef> =
                arguments.iter().map(|argument| LLVMTypeOf(*argument)).collect();
            let ty = LLVMFunctionType(result, types.as_mut_ptr(), types.len() as c_uint, 0);
            let known = LLVMGetNamedFunction(self.module, name.as_ptr());
            if !known.is_null() && LLVMGlobalGetValueType(known) == ty {
                return Some(known);
            }
            let function = LLVMAddFunction(self.module, name.as_ptr(), ty);
            LLVMSetLinkage(function, LLVMLinkage::LLVMInternalLinkage);
            let block = LLVMAppendBasicBlockInContext(self.context, function, c"".as_ptr());
            LLVMPositionBuilderAtEnd(self.builder, block);
            LLVMSetCurrentDebugLocation2(self.builder, ptr::null_mut());
            let mut passed: Vec<LLVMValueRef> =
                (1..arguments.len()).map(|at| LLVMGetParam(function, at as c_uint)).collect();
            let call_of = |ty, callee, passed: &mut [LLVMValueRef]| {
                let count = passed.len() as c_uint;
                LLVMBuildCall2(self.builder, ty, callee, passed.as_mut_ptr(), count, c"".as_ptr())
            };
            let made = match instead {
                Instead::Same => {
                    let made = call_of(old, callee.0, &mut passed);
                    for at in 1..arguments.len() as c_uint {
                        self.copy_extensions(call.0, at, made, at);
                    }
                    Some(made)
                }
                Instead::Other(other) => {
                    let other = CString::new(other).ok()?;
                    let mut function = LLVMGetNamedFunction(self.module, other.as_ptr());
                    if function.is_null() {
                        function = LLVMAddFunction(self.module, other.as_ptr(), old);
                    }
                    Some(call_of(old, function, &mut passed))
                }
                Instead::Nothing => None,
                Instead::Trap => {
                    let trap = LLVMGetNamedFunction(self.module, c"llvm.trap".as_ptr());
                    call_of(LLVMGlobalGetValueType(trap), trap, &mut []);
                    None
                }
            };
            if LLVMGetTypeKind(result) == TypeKind::LLVMVoidTypeKind {
                LLVMBuildRetVoid(self.builder);
            } else {
                LLVMBuildRet(self.builder, made.unwrap_or_else(|| LLVMConstNull(result)));
            }
            Some(function)
        }
    }

    /// Small integers are passed in a way that attributes say.
    ///
    /// # Safety
    /// Both are calls with so many arguments.
    unsafe fn copy_extensions(&self, from: LLVMValueRef, from_at: c_uint, to: LLVMValueRef, to_at: c_uint) {
        for name in ["signext", "zeroext"] {
            let kind = super::attribute_kind(name);
            // SAFETY: as the caller says; the attribute is of the same context.
            unsafe {
                let attribute = LLVMGetCallSiteEnumAttribute(from, from_at, kind);
                if !attribute.is_null() {
                    LLVMAddCallSiteAttribute(to, to_at, LLVMCreateEnumAttribute(self.context, kind, 0));
                }
            }
        }
    }

    /// Keeps bytes in a section of the object file, and in two fields of a structure where they are and how many.
    pub(crate) fn keep(
        &mut self,
        structure: &str,
        fields: [u32; 2],
        section: &str,
        bytes: &[u8],
    ) -> Option<()> {
        let (name, section) = (CString::new(structure).ok()?, CString::new(section).ok()?);
        // SAFETY: the module is alive; the structure is a global variable of the module with an initializer that is a struct
        // with these fields, a pointer and a number of 64 bits.
        unsafe {
            let global = Value::new(LLVMGetNamedGlobal(self.module, name.as_ptr()))?;
            let initial = LLVMGetInitializer(global.0);
            let data = LLVMConstStringInContext2(self.context, bytes.as_ptr().cast(), bytes.len(), 1);
            let kept = LLVMAddGlobal(self.module, LLVMTypeOf(data), c"__raddle_bitcode".as_ptr());
            LLVMSetInitializer(kept, data);
            LLVMSetGlobalConstant(kept, 1);
            LLVMSetLinkage(kept, LLVMLinkage::LLVMInternalLinkage);
            LLVMSetSection(kept, section.as_ptr());
            LLVMSetAlignment(kept, 16);
            let count = c_uint::try_from(LLVMGetNumOperands(initial)).ok()?;
            let mut parts: Vec<LLVMValueRef> =
                (0..count).map(|at| LLVMGetAggregateElement(initial, at)).collect();
            *parts.get_mut(fields[0] as usize)? = kept;
            *parts.get_mut(fields[1] as usize)? =
                LLVMConstInt(LLVMInt64TypeInContext(self.context), bytes.len() as u64, 0);
            let made = LLVMConstNamedStruct(LLVMTypeOf(initial), parts.as_mut_ptr(), count);
            LLVMSetInitializer(global.0, made);
        }
        Some(())
    }

    /// What is only declared here, and has such a name, need not be there when the program runs.
    pub(crate) fn weaken(&mut self, prefix: &str) {
        // SAFETY: the module is alive; functions and variables of it are gone through as LLVM lists them.
        unsafe {
            let mut next = LLVMGetFirstFunction(self.module);
            while let Some(function) = Value::new(next) {
                function.weaken(prefix);
                next = LLVMGetNextFunction(function.0);
            }
            next = LLVMGetFirstGlobal(self.module);
            while let Some(variable) = Value::new(next) {
                variable.weaken(prefix);
                next = LLVMGetNextGlobal(variable.0);
            }
        }
    }

    /// Writes the module as bitcode.
    pub(crate) fn write(&self, path: &Path) -> Result<(), std::io::Error> {
        // SAFETY: the module is alive; the buffer is read within its size and freed once.
        let bytes = unsafe {
            let buffer = bit_writer::LLVMWriteBitcodeToMemoryBuffer(self.module);
            let start = LLVMGetBufferStart(buffer).cast::<u8>();
            let bytes = std::slice::from_raw_parts(start, LLVMGetBufferSize(buffer)).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            bytes
        };
        std::fs::write(path, bytes)
    }
}

impl<'m> Value<'m> {
    /// The first instruction of a function before which something can be put in: after variables on the stack.
    pub(crate) fn insertion_point(self) -> Option<Value<'m>> {
        let block: Block<'m> = self.blocks().next()?;
        block.instructions().find(|at| !matches!(at.opcode(), Some(Opcode::LLVMAlloca | Opcode::LLVMPHI)))
    }

    /// The function that an instruction is in.
    pub(crate) fn function(self) -> Option<Value<'m>> {
        if self.kind() != ValueKind::LLVMInstructionValueKind {
            return None;
        }
        // SAFETY: it is an instruction of a function.
        Value::new(unsafe { LLVMGetBasicBlockParent(LLVMGetInstructionParent(self.0)) })
    }

    /// Whether a function has a body here that is not only there to be looked at.
    pub(crate) fn is_defined_here(self) -> bool {
        self.kind() == ValueKind::LLVMFunctionValueKind
            && self.blocks().next().is_some()
            // SAFETY: it is a function.
            && unsafe { LLVMGetLinkage(self.0) } != LLVMLinkage::LLVMAvailableExternallyLinkage
    }

    fn weaken(self, prefix: &str) {
        // SAFETY: callers have a function or a variable.
        unsafe {
            if LLVMIsDeclaration(self.0) != 0 && self.name().starts_with(prefix) {
                LLVMSetLinkage(self.0, LLVMLinkage::LLVMExternalWeakLinkage);
            }
        }
    }

    /// Makes a function one that other modules do not see.
    pub(crate) fn make_internal(self) {
        if self.kind() == ValueKind::LLVMFunctionValueKind {
            // SAFETY: it is a function.
            unsafe { LLVMSetLinkage(self.0, LLVMLinkage::LLVMInternalLinkage) }
        }
    }

    /// Whether a function has an attribute.
    pub(crate) fn has_attribute(self, name: &str) -> bool {
        let index = inkwell::llvm_sys::LLVMAttributeFunctionIndex;
        self.kind() == ValueKind::LLVMFunctionValueKind
            // SAFETY: it is a function.
            && unsafe { !LLVMGetEnumAttributeAtIndex(self.0, index, super::attribute_kind(name)).is_null() }
    }

    /// Whether a call has to be the last thing before a return.
    pub(crate) fn must_be_tail(self) -> bool {
        self.opcode() == Some(Opcode::LLVMCall)
            // SAFETY: it is a call.
            && unsafe { LLVMGetTailCallKind(self.0) } == inkwell::llvm_sys::LLVMTailCallKind::LLVMTailCallKindMustTail
    }

    /// The instruction before this one in its block.
    pub(crate) fn previous(self) -> Option<Value<'m>> {
        if self.kind() != ValueKind::LLVMInstructionValueKind {
            return None;
        }
        // SAFETY: it is an instruction.
        Value::new(unsafe { LLVMGetPreviousInstruction(self.0) })
    }

    /// How many bytes a value takes.
    pub(crate) fn store_size(self, source: super::Source<'m>) -> u32 {
        let ty: Type<'m> = self.ty();
        u32::try_from(source.alloc_size(ty)).unwrap_or(u32::MAX)
    }
}
