//! LLVM's C interface, behind functions that are safe to call.
//!
//! Everything here is a pointer that LLVM handed out, with the lifetime of the module that owns it. While that lifetime
//! lasts nobody changes the module ([`Source`] borrows it), so the pointers stay valid. What a C function asks of its
//! argument (that it is a load, a struct, a debug location) is looked up before it is called; where it does not hold,
//! the answer is none or empty.

#![allow(unsafe_code, reason = "LLVM has a C interface")]

use std::ffi::{CStr, CString, c_char, c_uint, c_void};
use std::marker::PhantomData;
use std::ptr;

use inkwell::context::Context;
use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use inkwell::llvm_sys::prelude::{
    LLVMBasicBlockRef, LLVMDiagnosticInfoRef, LLVMMetadataRef, LLVMTypeRef, LLVMValueRef,
};
use inkwell::llvm_sys::support::LLVMSearchForAddressOfSymbol;
use inkwell::llvm_sys::target::{
    LLVMABISizeOfType, LLVMGetModuleDataLayout, LLVMOffsetOfElement, LLVMTargetDataRef,
};
use inkwell::llvm_sys::transforms::pass_builder::{
    LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions, LLVMRunPasses,
};
use inkwell::module::Module;
use rustc_hash::FxHashSet;

pub(crate) use inkwell::llvm_sys::LLVMOpcode as Opcode;
pub(crate) use inkwell::llvm_sys::LLVMTypeKind as TypeKind;
pub(crate) use inkwell::llvm_sys::LLVMValueKind as ValueKind;

mod constant;
mod edit;
mod instruction;
mod metadata;

pub(crate) use edit::{Editor, Instead};
pub(crate) use metadata::{
    Expressions, Metadata, MetadataKind, MetadataOperand, mark_before, metadata_kind, set_number,
};

/// Keeps LLVM from printing remarks on the terminal, or ending the process, when it reads a module.
pub(crate) fn be_quiet(context: &Context) {
    extern "C" fn ignore(_: LLVMDiagnosticInfoRef, _: *mut c_void) {}
    // SAFETY: the context is alive, and the handler needs nothing.
    unsafe { LLVMContextSetDiagnosticHandler(context.raw(), Some(ignore), ptr::null_mut()) }
}

/// Runs passes by their names, for no particular machine.
pub(crate) fn run_passes(module: &Module<'_>, passes: &CStr) -> Result<(), String> {
    // SAFETY: the module is alive; the options are freed once; LLVM allows there to be no target machine; the message
    // is copied before it is freed.
    unsafe {
        let options = LLVMCreatePassBuilderOptions();
        let error = LLVMRunPasses(module.as_mut_ptr(), passes.as_ptr(), ptr::null_mut(), options);
        LLVMDisposePassBuilderOptions(options);
        if error.is_null() {
            return Ok(());
        }
        let message = LLVMGetErrorMessage(error);
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(message);
        Err(text)
    }
}

/// Makes debug records intrinsics again: the C interface does not show the records.
pub(crate) fn show_debug_records(module: &Module<'_>) {
    // SAFETY: the module is alive.
    unsafe { LLVMSetIsNewDbgInfoFormat(module.as_mut_ptr(), 0) }
}

/// Makes passes run on functions that ask for none.
pub(crate) fn allow_passes(module: &Module<'_>) {
    let attribute = attribute_kind("optnone");
    for function in Source::of(module).functions() {
        // SAFETY: a function of a module that is alive.
        unsafe {
            LLVMRemoveEnumAttributeAtIndex(
                function.0,
                inkwell::llvm_sys::LLVMAttributeFunctionIndex,
                attribute,
            );
        }
    }
}

/// The names of functions and variables that are used and not defined.
pub(crate) fn undefined(module: &Module<'_>) -> Vec<String> {
    let source = Source::of(module);
    let all = source.functions().chain(source.globals());
    // SAFETY: functions and global variables of a module that is alive.
    all.filter(|value| unsafe { LLVMIsDeclaration(value.0) != 0 && !LLVMGetFirstUse(value.0).is_null() })
        .map(Value::name)
        .filter(|name| !name.starts_with("llvm."))
        .collect()
}

/// Makes weak functions and variables null that nobody defines: neither the program nor, as far as this process knows, the
/// libraries of the system, nor `is_known`.
pub(crate) fn forget_weak(module: &Module<'_>, is_known: impl Fn(&str) -> bool) {
    let source = Source::of(module);
    let all: Vec<Value<'_>> = source.functions().chain(source.globals()).collect();
    for value in all {
        let name = value.name();
        let Ok(symbol) = CString::new(name.as_str()) else { continue };
        // SAFETY: functions and global variables of a module that is alive, and a name that ends with a zero. The module keeps the
        // declaration, which nobody uses any more.
        unsafe {
            if LLVMIsDeclaration(value.0) != 0
                && LLVMGetLinkage(value.0) == LLVMLinkage::LLVMExternalWeakLinkage
                && !is_known(&name)
                && LLVMSearchForAddressOfSymbol(symbol.as_ptr()).is_null()
            {
                LLVMReplaceAllUsesWith(value.0, LLVMConstNull(LLVMTypeOf(value.0)));
            }
        }
    }
}

/// Makes everything in a module such that only what is used is linked, and that what is there already stays; and, if
/// wanted, that calls of its functions are replaced by what they do.
pub(crate) fn link_on_demand(module: &Module<'_>, inlined: bool) {
    let source = Source::of(module);
    let (always, never) = (attribute_kind("alwaysinline"), attribute_kind("noinline"));
    let index = inkwell::llvm_sys::LLVMAttributeFunctionIndex;
    for value in source.functions().chain(source.globals()) {
        // SAFETY: a function or global variable of a module that is alive; attributes are those of its context.
        unsafe {
            let local = matches!(
                LLVMGetLinkage(value.0),
                LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage
            );
            if LLVMIsDeclaration(value.0) != 0 || value.name().starts_with("llvm.") {
                continue;
            }
            if !local {
                LLVMSetLinkage(value.0, LLVMLinkage::LLVMLinkOnceODRLinkage);
            }
            if inlined && value.is_function() && LLVMGetEnumAttributeAtIndex(value.0, index, never).is_null()
            {
                let context = LLVMGetModuleContext(module.as_mut_ptr());
                LLVMAddAttributeAtIndex(value.0, index, LLVMCreateEnumAttribute(context, always, 0));
            }
        }
    }
}

fn attribute_kind(name: &str) -> c_uint {
    // SAFETY: the name is read within its length.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

/// Text of LLVM that has a length.
///
/// # Safety
/// There are so many bytes, or there is none.
unsafe fn text(start: *const c_char, length: usize) -> String {
    if start.is_null() {
        return String::new();
    }
    // SAFETY: as the caller says.
    String::from_utf8_lossy(unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) }).into_owned()
}

/// Text that LLVM made for the caller.
///
/// # Safety
/// It is such a text, ends with a zero, and nobody else frees it.
unsafe fn message(start: *mut c_char) -> String {
    // SAFETY: as the caller says.
    unsafe {
        let text = CStr::from_ptr(start).to_string_lossy().into_owned();
        LLVMDisposeMessage(start);
        text
    }
}

/// A module that is read and not changed.
#[derive(Clone, Copy)]
pub(crate) struct Source<'m> {
    module: inkwell::llvm_sys::prelude::LLVMModuleRef,
    layout: LLVMTargetDataRef,
    life: PhantomData<&'m ()>,
}

impl<'m> Source<'m> {
    pub(crate) fn of(module: &'m Module<'_>) -> Self {
        let module = module.as_mut_ptr();
        // SAFETY: the module is alive; the layout is a part of it.
        let layout = unsafe { LLVMGetModuleDataLayout(module) };
        Source { module, layout, life: PhantomData }
    }

    pub(crate) fn functions(self) -> impl Iterator<Item = Value<'m>> {
        // SAFETY: the module is alive, and so are its functions.
        let first = Value::new(unsafe { LLVMGetFirstFunction(self.module) });
        std::iter::successors(first, |at| Value::new(unsafe { LLVMGetNextFunction(at.0) }))
    }

    pub(crate) fn globals(self) -> impl Iterator<Item = Value<'m>> {
        // SAFETY: the module is alive, and so are its global variables.
        let first = Value::new(unsafe { LLVMGetFirstGlobal(self.module) });
        std::iter::successors(first, |at| Value::new(unsafe { LLVMGetNextGlobal(at.0) }))
    }

    /// Bytes from one element of an array to the next; zero if it has no size, or one that depends on the machine.
    pub(crate) fn alloc_size(self, ty: Type<'m>) -> u64 {
        // SAFETY: the type has a size.
        if ty.has_fixed_size() { unsafe { LLVMABISizeOfType(self.layout, ty.0) } } else { 0 }
    }

    /// Where the fields of a struct start, unless that depends on the machine.
    pub(crate) fn field_offsets(self, ty: Type<'m>) -> Option<Vec<u64>> {
        if !ty.has_fixed_size() {
            return None;
        }
        let count = ty.fields().len() as c_uint;
        // SAFETY: the type is a struct, has a size, and so many fields.
        Some((0..count).map(|field| unsafe { LLVMOffsetOfElement(self.layout, ty.0, field) }).collect())
    }
}

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Type<'m>(LLVMTypeRef, PhantomData<&'m ()>);

impl<'m> Type<'m> {
    pub(crate) fn kind(self) -> TypeKind {
        // SAFETY: the type is alive.
        unsafe { LLVMGetTypeKind(self.0) }
    }

    /// Whether there is a size, and one that does not depend on the machine.
    fn has_fixed_size(self) -> bool {
        // SAFETY: the type is alive.
        if unsafe { LLVMTypeIsSized(self.0) == 0 } {
            return false;
        }
        let mut open = vec![self];
        let mut seen = FxHashSet::default();
        while let Some(ty) = open.pop() {
            if !seen.insert(ty) {
                continue;
            }
            match ty.kind() {
                TypeKind::LLVMScalableVectorTypeKind | TypeKind::LLVMTargetExtTypeKind => return false,
                TypeKind::LLVMArrayTypeKind => open.extend(ty.element()),
                TypeKind::LLVMStructTypeKind => open.extend(ty.fields()),
                _ => {}
            }
        }
        true
    }

    pub(crate) fn is_void(self) -> bool {
        self.kind() == TypeKind::LLVMVoidTypeKind
    }

    pub(crate) fn int_width(self) -> u32 {
        if self.kind() != TypeKind::LLVMIntegerTypeKind {
            return 0;
        }
        // SAFETY: it is an integer type.
        unsafe { LLVMGetIntTypeWidth(self.0) }
    }

    /// Of an array or vector.
    pub(crate) fn element(self) -> Option<Type<'m>> {
        match self.kind() {
            TypeKind::LLVMArrayTypeKind | TypeKind::LLVMVectorTypeKind => {
                // SAFETY: it is an array or a vector.
                Some(Type(unsafe { LLVMGetElementType(self.0) }, PhantomData))
            }
            _ => None,
        }
    }

    /// How many elements an array or vector has.
    pub(crate) fn count(self) -> u64 {
        match self.kind() {
            // SAFETY: it is an array.
            TypeKind::LLVMArrayTypeKind => unsafe { LLVMGetArrayLength2(self.0) },
            // SAFETY: it is a vector.
            TypeKind::LLVMVectorTypeKind => u64::from(unsafe { LLVMGetVectorSize(self.0) }),
            _ => 0,
        }
    }

    /// Of a struct that has a body.
    pub(crate) fn fields(self) -> Vec<Type<'m>> {
        if self.kind() != TypeKind::LLVMStructTypeKind {
            return Vec::new();
        }
        // SAFETY: it is a struct, and there is room for all its fields.
        unsafe {
            let mut fields = vec![ptr::null_mut(); LLVMCountStructElementTypes(self.0) as usize];
            if LLVMIsOpaqueStruct(self.0) == 0 {
                LLVMGetStructElementTypes(self.0, fields.as_mut_ptr());
            }
            fields.into_iter().filter(|ty| !ty.is_null()).map(|ty| Type(ty, PhantomData)).collect()
        }
    }

    /// The name of a struct.
    pub(crate) fn struct_name(self) -> Option<String> {
        if self.kind() != TypeKind::LLVMStructTypeKind {
            return None;
        }
        // SAFETY: it is a struct; a name ends with a zero.
        unsafe {
            let name = LLVMGetStructName(self.0);
            (!name.is_null()).then(|| CStr::from_ptr(name).to_string_lossy().into_owned())
        }
    }

    /// Of a function: its result, and whether it takes more arguments than its parameters.
    pub(crate) fn signature(self) -> Option<(Type<'m>, bool)> {
        if self.kind() != TypeKind::LLVMFunctionTypeKind {
            return None;
        }
        // SAFETY: it is a function type.
        unsafe { Some((Type(LLVMGetReturnType(self.0), PhantomData), LLVMIsFunctionVarArg(self.0) != 0)) }
    }

    /// As LLVM prints it.
    pub(crate) fn print(self) -> String {
        // SAFETY: the type is alive, and the text is new.
        unsafe { message(LLVMPrintTypeToString(self.0)) }
    }
}

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Block<'m>(LLVMBasicBlockRef, PhantomData<&'m ()>);

impl<'m> Block<'m> {
    fn new(block: LLVMBasicBlockRef) -> Option<Self> {
        (!block.is_null()).then_some(Block(block, PhantomData))
    }

    pub(crate) fn name(self) -> String {
        // SAFETY: the block is alive; a name ends with a zero.
        unsafe { CStr::from_ptr(LLVMGetBasicBlockName(self.0)).to_string_lossy().into_owned() }
    }

    pub(crate) fn instructions(self) -> impl Iterator<Item = Value<'m>> {
        // SAFETY: the block is alive, and so are its instructions.
        let first = Value::new(unsafe { LLVMGetFirstInstruction(self.0) });
        std::iter::successors(first, |at| Value::new(unsafe { LLVMGetNextInstruction(at.0) }))
    }
}

/// A value: a constant, a global, a parameter, an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Value<'m>(LLVMValueRef, PhantomData<&'m ()>);

impl<'m> Value<'m> {
    fn new(value: LLVMValueRef) -> Option<Self> {
        (!value.is_null()).then_some(Value(value, PhantomData))
    }

    pub(crate) fn kind(self) -> ValueKind {
        // SAFETY: the value is alive.
        unsafe { LLVMGetValueKind(self.0) }
    }

    pub(crate) fn ty(self) -> Type<'m> {
        // SAFETY: the value is alive.
        Type(unsafe { LLVMTypeOf(self.0) }, PhantomData)
    }

    pub(crate) fn name(self) -> String {
        let mut length = 0;
        // SAFETY: the value is alive, and LLVM says how long its name is.
        unsafe { text(LLVMGetValueName2(self.0, &raw mut length), length) }
    }

    /// As LLVM prints it.
    pub(crate) fn print(self) -> String {
        // SAFETY: the value is alive, and the text is new.
        unsafe { message(LLVMPrintValueToString(self.0)) }
    }

    /// Of an instruction or a constant expression.
    pub(crate) fn opcode(self) -> Option<Opcode> {
        match self.kind() {
            // SAFETY: it is an instruction.
            ValueKind::LLVMInstructionValueKind => Some(unsafe { LLVMGetInstructionOpcode(self.0) }),
            // SAFETY: it is a constant expression.
            ValueKind::LLVMConstantExprValueKind => Some(unsafe { LLVMGetConstOpcode(self.0) }),
            _ => None,
        }
    }

    fn is(self, opcode: Opcode) -> bool {
        self.opcode() == Some(opcode)
    }

    fn is_call(self) -> bool {
        matches!(self.opcode(), Some(Opcode::LLVMCall | Opcode::LLVMInvoke | Opcode::LLVMCallBr))
    }

    pub(crate) fn operands(self) -> Vec<Value<'m>> {
        // SAFETY: it has as many operands as LLVM says; what has none is not asked.
        unsafe {
            if LLVMIsAUser(self.0).is_null() {
                return Vec::new();
            }
            let count = c_uint::try_from(LLVMGetNumOperands(self.0)).unwrap_or(0);
            (0..count).filter_map(|at| Value::new(LLVMGetOperand(self.0, at))).collect()
        }
    }

    /// The instructions that have it as an operand.
    pub(crate) fn users(self) -> impl Iterator<Item = Value<'m>> {
        // SAFETY: the value is alive, and so are its uses and users.
        let first = unsafe { LLVMGetFirstUse(self.0) };
        std::iter::successors((!first.is_null()).then_some(first), |at| {
            // SAFETY: as above.
            let next = unsafe { LLVMGetNextUse(*at) };
            (!next.is_null()).then_some(next)
        })
        // SAFETY: as above.
        .filter_map(|at| Value::new(unsafe { LLVMGetUser(at) }))
    }

    /// The block that a value stands for.
    pub(crate) fn as_block(self) -> Option<Block<'m>> {
        if self.kind() != ValueKind::LLVMBasicBlockValueKind {
            return None;
        }
        // SAFETY: it is a block.
        Block::new(unsafe { LLVMValueAsBasicBlock(self.0) })
    }
}

/// Functions.
impl<'m> Value<'m> {
    fn is_function(self) -> bool {
        self.kind() == ValueKind::LLVMFunctionValueKind
    }

    pub(crate) fn params(self) -> Vec<Value<'m>> {
        if !self.is_function() {
            return Vec::new();
        }
        // SAFETY: it is a function and has as many parameters as LLVM says.
        unsafe {
            (0..LLVMCountParams(self.0)).filter_map(|at| Value::new(LLVMGetParam(self.0, at))).collect()
        }
    }

    /// Keeps passes away from a function.
    pub(crate) fn forbid_passes(self, module: &Module<'_>) {
        if !self.is_function() {
            return;
        }
        let index = inkwell::llvm_sys::LLVMAttributeFunctionIndex;
        // SAFETY: it is a function of the module; attributes are those of its context.
        unsafe {
            let context = LLVMGetModuleContext(module.as_mut_ptr());
            LLVMRemoveEnumAttributeAtIndex(self.0, index, attribute_kind("alwaysinline"));
            for name in ["noinline", "optnone"] {
                let attribute = LLVMCreateEnumAttribute(context, attribute_kind(name), 0);
                LLVMAddAttributeAtIndex(self.0, index, attribute);
            }
        }
    }

    pub(crate) fn blocks(self) -> impl Iterator<Item = Block<'m>> {
        // SAFETY: it is a function, and its blocks are alive.
        let first = self.is_function().then(|| unsafe { LLVMGetFirstBasicBlock(self.0) });
        std::iter::successors(first.and_then(Block::new), |at| {
            Block::new(unsafe { LLVMGetNextBasicBlock(at.0) })
        })
    }

    /// Whether a call passes a private copy of something beyond the parameters that the type of the function has.
    pub(crate) fn passes_copies_beyond(self) -> bool {
        if !matches!(self.opcode(), Some(Opcode::LLVMCall | Opcode::LLVMInvoke)) {
            return false;
        }
        let kind = attribute_kind("byval");
        // SAFETY: it is a call; attributes of arguments count from one.
        unsafe {
            let known = LLVMCountParamTypes(LLVMGetCalledFunctionType(self.0));
            let mut rest = known..self.argument_count() as c_uint;
            rest.any(|at| !LLVMGetCallSiteEnumAttribute(self.0, at + 1, kind).is_null())
        }
    }

    /// What a pointer that is passed as this parameter points to a private copy of.
    pub(crate) fn by_value(self, param: usize) -> Option<Type<'m>> {
        if !self.is_function() {
            return None;
        }
        // SAFETY: it is a function; attributes of parameters count from one; `byval` always has a type.
        unsafe {
            let attribute = LLVMGetEnumAttributeAtIndex(self.0, param as c_uint + 1, attribute_kind("byval"));
            (!attribute.is_null()).then(|| Type(LLVMGetTypeAttributeValue(attribute), PhantomData))
        }
    }
}

/// Globals.
impl<'m> Value<'m> {
    fn is_global(self) -> bool {
        matches!(
            self.kind(),
            ValueKind::LLVMFunctionValueKind
                | ValueKind::LLVMGlobalVariableValueKind
                | ValueKind::LLVMGlobalAliasValueKind
                | ValueKind::LLVMGlobalIFuncValueKind
        )
    }

    fn is_variable(self) -> bool {
        self.kind() == ValueKind::LLVMGlobalVariableValueKind
    }

    /// The type of what is at the address that a global stands for.
    pub(crate) fn value_type(self) -> Option<Type<'m>> {
        // SAFETY: it is a global.
        self.is_global().then(|| Type(unsafe { LLVMGlobalGetValueType(self.0) }, PhantomData))
    }

    pub(crate) fn initializer(self) -> Option<Value<'m>> {
        // SAFETY: it is a global variable.
        if self.is_variable() { Value::new(unsafe { LLVMGetInitializer(self.0) }) } else { None }
    }

    pub(crate) fn is_constant(self) -> bool {
        // SAFETY: it is a global variable.
        self.is_variable() && unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }

    pub(crate) fn is_thread_local(self) -> bool {
        // SAFETY: it is a global variable.
        self.is_variable() && unsafe { LLVMIsThreadLocal(self.0) != 0 }
    }

    /// What an alias is another name of.
    pub(crate) fn aliasee(self) -> Option<Value<'m>> {
        if self.kind() != ValueKind::LLVMGlobalAliasValueKind {
            return None;
        }
        // SAFETY: it is an alias.
        Value::new(unsafe { LLVMAliasGetAliasee(self.0) })
    }
}
