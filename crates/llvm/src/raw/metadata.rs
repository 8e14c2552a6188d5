//! Debug information: nodes of metadata, as far as the C interface and the order of their operands tell them.

use std::ffi::{c_char, c_uint};
use std::marker::PhantomData;
use std::ptr;

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::*;
use inkwell::module::Module;

use super::{LLVMMetadataRef, Opcode, Source, Value, ValueKind, text};

pub(crate) use inkwell::llvm_sys::debuginfo::LLVMMetadataKind as MetadataKind;

/// A node of metadata.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Metadata<'m> {
    node: LLVMMetadataRef,
    context: inkwell::llvm_sys::prelude::LLVMContextRef,
    life: PhantomData<&'m ()>,
}

/// An operand of a node.
#[derive(Clone, Copy)]
pub(crate) enum MetadataOperand<'m> {
    Node(Metadata<'m>),
    Value(Value<'m>),
}

impl<'m> Source<'m> {
    fn metadata(self, node: LLVMMetadataRef) -> Option<Metadata<'m>> {
        // SAFETY: the module is alive.
        let context = unsafe { LLVMGetModuleContext(self.module) };
        (!node.is_null()).then_some(Metadata { node, context, life: PhantomData })
    }

    /// Where an instruction comes from.
    pub(crate) fn location(self, instruction: Value<'m>) -> Option<Metadata<'m>> {
        if instruction.kind() != ValueKind::LLVMInstructionValueKind {
            return None;
        }
        // SAFETY: it is an instruction.
        self.metadata(unsafe { LLVMInstructionGetDebugLoc(instruction.0) })
    }

    /// What the debug information knows of a function.
    pub(crate) fn subprogram(self, function: Value<'m>) -> Option<Metadata<'m>> {
        if !function.is_function() {
            return None;
        }
        // SAFETY: it is a function.
        self.metadata(unsafe { LLVMGetSubprogram(function.0) })
    }

    /// The variable of the source that a global is.
    pub(crate) fn global_variable(self, global: Value<'m>) -> Option<Metadata<'m>> {
        if !global.is_variable() {
            return None;
        }
        // SAFETY: it is a global variable; entries are read within their number and freed once.
        let nodes: Vec<_> = unsafe {
            let mut count = 0;
            let entries = LLVMGlobalCopyAllMetadata(global.0, &raw mut count);
            let count = c_uint::try_from(count).unwrap_or(0);
            let nodes = (0..count).map(|at| LLVMValueMetadataEntriesGetMetadata(entries, at)).collect();
            LLVMDisposeValueMetadataEntries(entries);
            nodes
        };
        let expression = nodes
            .into_iter()
            .filter_map(|node| self.metadata(node))
            .find(|node| matches!(node.kind(), MetadataKind::LLVMDIGlobalVariableExpressionMetadataKind))?;
        // SAFETY: it is the variable of a global.
        self.metadata(unsafe { LLVMDIGlobalVariableExpressionGetVariable(expression.node) })
    }

    /// The arguments of a debug intrinsic: the value, the variable, and the expression.
    pub(crate) fn debug_arguments(self, call: Value<'m>) -> Option<(Value<'m>, Metadata<'m>, Metadata<'m>)> {
        if !call.is(Opcode::LLVMCall) {
            return None;
        }
        let operands = call.operands();
        let [value, variable, expression, ..] = operands.as_slice() else { return None };
        let node = |value: &Value<'m>| {
            if value.kind() != ValueKind::LLVMMetadataAsValueValueKind {
                return None;
            }
            // SAFETY: it is metadata.
            self.metadata(unsafe { LLVMValueAsMetadata(value.0) })
        };
        let MetadataOperand::Value(value) = node(value)?.operands().first().copied()?? else { return None };
        Some((value, node(variable)?, node(expression)?))
    }
}

impl<'m> Metadata<'m> {
    fn with(self, node: LLVMMetadataRef) -> Option<Self> {
        (!node.is_null()).then_some(Metadata { node, ..self })
    }

    pub(crate) fn kind(self) -> MetadataKind {
        // SAFETY: the node is alive.
        unsafe { LLVMGetMetadataKind(self.node) }
    }

    fn is_type(self) -> bool {
        matches!(
            self.kind(),
            MetadataKind::LLVMDIBasicTypeMetadataKind
                | MetadataKind::LLVMDIDerivedTypeMetadataKind
                | MetadataKind::LLVMDICompositeTypeMetadataKind
                | MetadataKind::LLVMDISubroutineTypeMetadataKind
        )
    }

    fn is_location(self) -> bool {
        matches!(self.kind(), MetadataKind::LLVMDILocationMetadataKind)
    }

    fn is_scope(self) -> bool {
        self.is_type()
            || matches!(
                self.kind(),
                MetadataKind::LLVMDIFileMetadataKind
                    | MetadataKind::LLVMDICompileUnitMetadataKind
                    | MetadataKind::LLVMDISubprogramMetadataKind
                    | MetadataKind::LLVMDILexicalBlockMetadataKind
                    | MetadataKind::LLVMDILexicalBlockFileMetadataKind
                    | MetadataKind::LLVMDINamespaceMetadataKind
                    | MetadataKind::LLVMDIModuleMetadataKind
                    | MetadataKind::LLVMDICommonBlockMetadataKind
            )
    }

    fn is_variable(self) -> bool {
        matches!(
            self.kind(),
            MetadataKind::LLVMDILocalVariableMetadataKind | MetadataKind::LLVMDIGlobalVariableMetadataKind
        )
    }

    /// The operands, each of which may be missing. Metadata that is a value has that as its operand.
    pub(crate) fn operands(self) -> Vec<Option<MetadataOperand<'m>>> {
        let has_operands = match self.kind() {
            MetadataKind::LLVMConstantAsMetadataMetadataKind
            | MetadataKind::LLVMLocalAsMetadataMetadataKind
            | MetadataKind::LLVMMDTupleMetadataKind
            | MetadataKind::LLVMDISubrangeMetadataKind
            | MetadataKind::LLVMDIEnumeratorMetadataKind => true,
            _ => self.is_type() || self.is_scope() || self.is_variable(),
        };
        if !has_operands {
            return Vec::new();
        }
        // SAFETY: it is a node or a value, and there is room for as many operands as LLVM says.
        let operands = unsafe {
            let value = LLVMMetadataAsValue(self.context, self.node);
            let mut operands = vec![ptr::null_mut(); LLVMGetMDNodeNumOperands(value) as usize];
            LLVMGetMDNodeOperands(value, operands.as_mut_ptr());
            operands
        };
        let operand = |value: Value<'m>| {
            if value.kind() != ValueKind::LLVMMetadataAsValueValueKind {
                return Some(MetadataOperand::Value(value));
            }
            // SAFETY: it is metadata.
            self.with(unsafe { LLVMValueAsMetadata(value.0) }).map(MetadataOperand::Node)
        };
        operands.into_iter().map(|value| Value::new(value).and_then(operand)).collect()
    }

    /// An operand that is a node.
    pub(crate) fn operand(self, at: usize) -> Option<Metadata<'m>> {
        match self.operands().get(at).copied()?? {
            MetadataOperand::Node(node) => Some(node),
            MetadataOperand::Value(_) => None,
        }
    }

    /// Text, if it is that.
    pub(crate) fn string(self) -> Option<String> {
        if !matches!(self.kind(), MetadataKind::LLVMMDStringMetadataKind) {
            return None;
        }
        let mut length: c_uint = 0;
        // SAFETY: it is a string, and LLVM says how long it is.
        unsafe {
            let value = LLVMMetadataAsValue(self.context, self.node);
            Some(text(LLVMGetMDString(value, &raw mut length), length as usize))
        }
    }

    /// As LLVM prints it.
    pub(crate) fn print(self) -> String {
        // SAFETY: the node is alive.
        Value::new(unsafe { LLVMMetadataAsValue(self.context, self.node) })
            .map_or_else(String::new, Value::print)
    }

    /// The DWARF tag of a type.
    pub(crate) fn tag(self) -> u16 {
        // SAFETY: it is a node that has one.
        if self.is_type() { unsafe { LLVMGetDINodeTag(self.node) } } else { 0 }
    }

    pub(crate) fn type_name(self) -> String {
        if !self.is_type() {
            return String::new();
        }
        let mut length = 0;
        // SAFETY: it is a type, and LLVM says how long its name is.
        unsafe { text(LLVMDITypeGetName(self.node, &raw mut length), length) }
    }

    pub(crate) fn size_in_bits(self) -> u64 {
        // SAFETY: it is a type.
        if self.is_type() { unsafe { LLVMDITypeGetSizeInBits(self.node) } } else { 0 }
    }

    pub(crate) fn offset_in_bits(self) -> u64 {
        // SAFETY: it is a type.
        if self.is_type() { unsafe { LLVMDITypeGetOffsetInBits(self.node) } } else { 0 }
    }

    /// Whether a member belongs to the class and not to its objects.
    pub(crate) fn is_static_member(self) -> bool {
        // SAFETY: it is a type.
        self.is_type() && unsafe { LLVMDITypeGetFlags(self.node) & LLVMDIFlagStaticMember != 0 }
    }

    /// Of a location, variable or subprogram.
    pub(crate) fn line(self) -> u32 {
        // SAFETY: the function fits the kind of node.
        unsafe {
            if self.is_location() {
                LLVMDILocationGetLine(self.node)
            } else if self.is_variable() {
                LLVMDIVariableGetLine(self.node)
            } else if matches!(self.kind(), MetadataKind::LLVMDISubprogramMetadataKind) {
                LLVMDISubprogramGetLine(self.node)
            } else {
                0
            }
        }
    }

    /// Of a location; zero if not known.
    pub(crate) fn column(self) -> u32 {
        // SAFETY: it is a location.
        if self.is_location() { unsafe { LLVMDILocationGetColumn(self.node) } } else { 0 }
    }

    /// Of a location.
    pub(crate) fn scope(self) -> Option<Metadata<'m>> {
        if !self.is_location() {
            return None;
        }
        // SAFETY: it is a location.
        self.with(unsafe { LLVMDILocationGetScope(self.node) })
    }

    /// Of a location in a function that was put in the place of a call: the call.
    pub(crate) fn inlined_at(self) -> Option<Metadata<'m>> {
        if !self.is_location() {
            return None;
        }
        // SAFETY: it is a location.
        self.with(unsafe { LLVMDILocationGetInlinedAt(self.node) })
    }

    /// Of a scope or variable.
    pub(crate) fn file(self) -> Option<Metadata<'m>> {
        // SAFETY: the function fits the kind of node.
        unsafe {
            if self.is_scope() {
                self.with(LLVMDIScopeGetFile(self.node))
            } else if self.is_variable() {
                self.with(LLVMDIVariableGetFile(self.node))
            } else {
                None
            }
        }
    }

    /// The folder and name of a file.
    pub(crate) fn path(self) -> Option<(String, String)> {
        if !matches!(self.kind(), MetadataKind::LLVMDIFileMetadataKind) {
            return None;
        }
        // SAFETY: it is a file, and LLVM says how long its names are.
        let get = |part: unsafe extern "C" fn(LLVMMetadataRef, *mut c_uint) -> *const c_char| unsafe {
            let mut length = 0;
            let start = part(self.node, &raw mut length);
            text(start, length as usize)
        };
        Some((get(LLVMDIFileGetDirectory), get(LLVMDIFileGetFilename)))
    }
}

/// Makes expressions to compare others with: equal ones are the same node, and there is no way to look inside.
pub(crate) struct Expressions<'m> {
    builder: inkwell::llvm_sys::prelude::LLVMDIBuilderRef,
    source: Source<'m>,
}

impl<'m> Expressions<'m> {
    pub(crate) fn new(module: &'m Module<'_>) -> Self {
        let source = Source::of(module);
        // SAFETY: the module is alive, for longer than this.
        Expressions { builder: unsafe { LLVMCreateDIBuilderDisallowUnresolved(source.module) }, source }
    }

    /// The expression that says nothing: all of the variable.
    pub(crate) fn empty(&self) -> Option<Metadata<'m>> {
        self.make(&mut [])
    }

    /// The expression for a part of a variable, in bits.
    pub(crate) fn part(&self, offset: u64, size: u64) -> Option<Metadata<'m>> {
        const FRAGMENT: u64 = 0x1000;
        self.make(&mut [FRAGMENT, offset, size])
    }

    fn make(&self, words: &mut [u64]) -> Option<Metadata<'m>> {
        // SAFETY: the words are read within their number; the node belongs to the context.
        let node = unsafe { LLVMDIBuilderCreateExpression(self.builder, words.as_mut_ptr(), words.len()) };
        self.source.metadata(node)
    }
}

impl Drop for Expressions<'_> {
    fn drop(&mut self) {
        // SAFETY: it was made here and is freed once.
        unsafe { LLVMDisposeDIBuilder(self.builder) }
    }
}

/// The number of a kind of metadata, by its name.
pub(crate) fn metadata_kind(module: &Module<'_>, name: &str) -> c_uint {
    // SAFETY: the module is alive; the name is read within its length.
    unsafe {
        let context = LLVMGetModuleContext(module.as_mut_ptr());
        LLVMGetMDKindIDInContext(context, name.as_ptr().cast(), name.len() as c_uint)
    }
}

/// Gives an instruction a number.
pub(crate) fn set_number(module: &Module<'_>, instruction: Value<'_>, kind: c_uint, number: u32) {
    if instruction.kind() != ValueKind::LLVMInstructionValueKind {
        return;
    }
    // SAFETY: it is an instruction of the module; the node belongs to its context.
    unsafe {
        let context = LLVMGetModuleContext(module.as_mut_ptr());
        let number = LLVMConstInt(LLVMInt32TypeInContext(context), u64::from(number), 0);
        let mut operand = LLVMValueAsMetadata(number);
        let node = LLVMMDNodeInContext2(context, &raw mut operand, 1);
        LLVMSetMetadata(instruction.0, kind, LLVMMetadataAsValue(context, node));
    }
}

/// Puts before each instruction one that does nothing and has a number.
pub(crate) fn mark_before(module: &Module<'_>, marked: &[(Value<'_>, u32)], kind: c_uint) {
    const NAME: &str = "llvm.donothing";
    // SAFETY: the instructions are of the module, which is alive; the intrinsic takes nothing; the builder is freed once.
    unsafe {
        let context = LLVMGetModuleContext(module.as_mut_ptr());
        let builder = LLVMCreateBuilderInContext(context);
        let id = LLVMLookupIntrinsicID(NAME.as_ptr().cast(), NAME.len());
        for (instruction, number) in marked {
            let function = LLVMGetIntrinsicDeclaration(module.as_mut_ptr(), id, ptr::null_mut(), 0);
            LLVMPositionBuilderBefore(builder, instruction.0);
            let ty = LLVMGlobalGetValueType(function);
            let call = LLVMBuildCall2(builder, ty, function, ptr::null_mut(), 0, c"".as_ptr());
            if let Some(call) = Value::new(call) {
                set_number(module, call, kind, *number);
            }
        }
        LLVMDisposeBuilder(builder);
    }
}

impl Value<'_> {
    /// The number that an instruction was given.
    pub(crate) fn number(self, kind: c_uint) -> Option<u32> {
        if self.kind() != ValueKind::LLVMInstructionValueKind {
            return None;
        }
        // SAFETY: it is an instruction; the node has as many operands as LLVM says, and there is room for them.
        let operand = unsafe {
            let node = LLVMGetMetadata(self.0, kind);
            if node.is_null() || LLVMGetMDNodeNumOperands(node) != 1 {
                return None;
            }
            let mut operand = ptr::null_mut();
            LLVMGetMDNodeOperands(node, &raw mut operand);
            operand
        };
        Value::new(operand)?.small_int().and_then(|number| u32::try_from(number).ok())
    }
}
