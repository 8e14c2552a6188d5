//! Functions: their values, blocks and instructions.

use cranelift_entity::{PrimaryMap, SecondaryMap};
use rustc_hash::FxHashMap;
use source::Span;

use super::Reader;
use super::debug::{self, Part};
use super::instruction::{self, Parts};
use crate::library::is_stream_output;
use crate::module::{
    Block, BlockId, DebugTypeId, Func, FuncId, Instr, Operand, Origin, TypeId, Value as ValueData, ValueId,
    Variable, is_outside,
};
use crate::raw::{self, Opcode, Value, ValueKind};
use crate::site;

/// Intrinsics that do nothing.
const LEFT_OUT: &[&str] = &[
    "llvm.dbg.",
    "llvm.lifetime.",
    "llvm.experimental.noalias.scope.decl",
    "llvm.donothing",
    "llvm.sideeffect",
    "llvm.pseudoprobe",
    "llvm.var.annotation",
];

/// Whether calls of a function are left out.
pub(crate) fn is_left_out(name: &str) -> bool {
    name.starts_with("llvm.") && LEFT_OUT.iter().any(|start| name.starts_with(start))
}

/// The name of a function in the source.
fn source_name(name: &str, in_debug_information: Option<String>) -> String {
    if name.starts_with("_Z") {
        let options = cpp_demangle::DemangleOptions::new().no_params().no_return_type();
        let symbol = cpp_demangle::Symbol::new(name).ok();
        if let Some(readable) = symbol.and_then(|symbol| symbol.demangle_with_options(&options).ok()) {
            return readable;
        }
    }
    in_debug_information.unwrap_or_else(|| name.to_string())
}

impl<'m> Reader<'m, '_> {
    /// A function with its parameters and without its body.
    pub(super) fn head(&mut self, function: Value<'m>) -> Func {
        let subprogram = self.source.subprogram(function);
        let name = function.name();
        let (result, variadic) = match function.value_type().and_then(raw::Type::signature) {
            Some((result, variadic)) => (result, variadic),
            None => (function.ty(), false),
        };
        let result = self.types.id(&mut self.module, result);
        let mut values = PrimaryMap::new();
        let mut params = Vec::new();
        let mut by_value = Vec::new();
        for (at, param) in function.params().into_iter().enumerate() {
            let ty = self.types.id(&mut self.module, param.ty());
            params.push(values.push(ValueData { name: param.name(), ty }));
            by_value.push(function.by_value(at).map(|ty| self.types.id(&mut self.module, ty)));
        }
        Func {
            source_name: source_name(&name, subprogram.and_then(debug::subprogram_name)),
            name,
            params,
            by_value,
            result,
            variadic,
            annotations: Vec::new(),
            values,
            blocks: PrimaryMap::new(),
            variables: SecondaryMap::new(),
            span: subprogram.map_or(Span::NONE, |subprogram| self.places.of_function(subprogram)),
        }
    }

    /// Fills in the body of a function; nothing if the program says that it is not to be looked at, or if it is known by name.
    pub(super) fn body(&mut self, function: Value<'m>, id: FuncId) {
        let name = &self.module.funcs[id].name;
        if is_outside(name) || is_stream_output(name) {
            return;
        }
        let mut body = Body { reader: self, values: FxHashMap::default(), blocks: FxHashMap::default() };
        let params = function.params();
        body.values.extend(params.into_iter().zip(body.reader.module.funcs[id].params.iter().copied()));
        // Instructions may refer to what comes after them, so all have their ids first.
        let mut instructions = Vec::new();
        for block in function.blocks() {
            let made =
                body.reader.module.funcs[id].blocks.push(Block { name: block.name(), instrs: Vec::new() });
            body.blocks.insert(block, made);
            for instruction in block.instructions() {
                if body.reader.is_left_out(instruction) {
                    instructions.push((made, instruction, None, true));
                } else {
                    let result = body.result(id, instruction);
                    instructions.push((made, instruction, result, false));
                }
            }
        }
        let mut origins = Origins::default();
        for (block, instruction, result, left_out) in instructions {
            if let Some(number) = site::of(body.reader.sites, instruction) {
                origins.begin(block, number);
            }
            if left_out {
                body.variable(id, instruction);
                continue;
            }
            let op = instruction::op(&mut body, instruction);
            let span = body.reader.places.of_instruction(body.reader.source, instruction);
            let origin = origins.take(block);
            for successor in instruction.successors() {
                origins.lead_to(body.blocks[&successor]);
            }
            body.reader.module.funcs[id].blocks[block].instrs.push(Instr { op, result, span, origin });
        }
    }

    fn is_left_out(&self, instruction: Value<'m>) -> bool {
        instruction.opcode() == Some(Opcode::LLVMCall)
            && instruction
                .callee()
                .and_then(|callee| self.constants.funcs.get(&callee))
                .is_some_and(|&func| self.left_out[func])
    }
}

/// Which sites instructions belong to. One without a number belongs to the last number on the way to it: it is a part of a
/// library function that was put in the place of its call.
#[derive(Default)]
struct Origins {
    block: Option<BlockId>,
    origin: Origin,
    entered: FxHashMap<BlockId, Origin>,
}

impl Origins {
    fn begin(&mut self, block: BlockId, site: u32) {
        self.block = Some(block);
        self.origin = Origin { site, fresh: true };
    }

    /// The origin of the next instruction.
    fn take(&mut self, block: BlockId) -> Origin {
        if self.block != Some(block) {
            self.block = Some(block);
            self.origin = self.entered.get(&block).copied().unwrap_or_default();
        }
        let origin = self.origin;
        self.origin.fresh = false;
        origin
    }

    fn lead_to(&mut self, block: BlockId) {
        self.entered.entry(block).or_insert(Origin { fresh: false, ..self.origin });
    }
}

/// A function being read.
struct Body<'r, 'm, 's> {
    reader: &'r mut Reader<'m, 's>,
    values: FxHashMap<Value<'m>, ValueId>,
    blocks: FxHashMap<raw::Block<'m>, BlockId>,
}

impl<'m> Body<'_, 'm, '_> {
    fn result(&mut self, id: FuncId, instruction: Value<'m>) -> Option<ValueId> {
        if instruction.ty().kind() == raw::TypeKind::LLVMVoidTypeKind {
            return None;
        }
        let ty = self.reader.types.id(&mut self.reader.module, instruction.ty());
        let value = self.reader.module.funcs[id].values.push(ValueData { name: instruction.name(), ty });
        self.values.insert(instruction, value);
        Some(value)
    }

    /// What an intrinsic tells about a variable of the source. The first variable of a value stays, unless the compiler
    /// made it up.
    fn variable(&mut self, id: FuncId, call: Value<'m>) {
        let Some((value, variable, expression)) = self.reader.source.debug_arguments(call) else { return };
        let Some(&value) = self.values.get(&value) else { return };
        let known = &self.reader.module.funcs[id].variables[value];
        if known.as_ref().is_some_and(|known| !debug::is_artificial(&known.name)) {
            return;
        }
        let Some(Part { name, ty }) = self.reader.debug_types.part(variable, expression) else { return };
        if known.is_some() && debug::is_artificial(&name) {
            return;
        }
        let ty = ty.and_then(|ty| self.debug_type(ty));
        let declared = debug::variable_name(variable);
        let span = self.reader.places.of_local(self.reader.source, call, variable, &declared);
        self.reader.module.funcs[id].variables[value] = Some(Variable { name, ty, span });
    }

    fn debug_type(&mut self, ty: raw::Metadata<'m>) -> Option<DebugTypeId> {
        self.reader.debug_types.id(&mut self.reader.module, ty)
    }
}

impl<'m> Parts<'m> for Body<'_, 'm, '_> {
    fn operand(&mut self, value: Value<'m>) -> Operand {
        match value.kind() {
            ValueKind::LLVMArgumentValueKind | ValueKind::LLVMInstructionValueKind => {
                if let Some(&id) = self.values.get(&value) {
                    return Operand::Value(id);
                }
            }
            _ => {}
        }
        let Reader { constants, module, types, .. } = self.reader;
        Operand::Const(constants.id(module, types, value))
    }

    fn ty(&mut self, ty: raw::Type<'m>) -> TypeId {
        self.reader.types.id(&mut self.reader.module, ty)
    }

    fn block(&self, block: raw::Block<'m>) -> BlockId {
        self.blocks[&block]
    }

    fn func(&self, value: Value<'m>) -> Option<FuncId> {
        self.reader.constants.funcs.get(&value).copied()
    }
}
