//! Functions with a variable number of arguments, made plain: those behind the parameters are put into memory by the caller, and
//! the function gets one more parameter that points to them.
//!
//! That is what x86-64 does with all arguments that have no register. A `va_list` has two counters of registers that are used up
//! and a pointer to the other arguments (System V ABI, 3.5.7), and what `va_arg` becomes looks at the counters first. So
//! `va_start` sets them as if there were none left, and everything else is code of the program.

use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;

use super::types::type_id;
use crate::module::{
    BlockId, Callee, Const, ConstId, ConstKind, FuncId, Instr, Module, Op, Operand, Origin, Type, TypeId,
    TypeKind, Value, ValueId, Variable,
};

/// What every argument takes in memory.
const SLOT: u64 = 8;
/// The counters, as bytes of the area that registers are saved to, when all registers are used up.
const NO_INTEGERS_LEFT: u64 = 48;
const NO_FLOATS_LEFT: u64 = 176;

/// Makes all such functions that have a body, and their calls, plain. A call through a pointer cannot be, and is refused later.
pub(super) fn make_plain(module: &mut Module) {
    // How many parameters each has, and the parameter that is added.
    let mut plain: FxHashMap<FuncId, (usize, ValueId)> = FxHashMap::default();
    let pointer = type_id(module, TypeKind::Ptr, 8);
    for (id, func) in &mut module.funcs {
        if func.variadic && !func.is_declaration() {
            let added = func.values.push(Value { name: "arguments".to_owned(), ty: pointer });
            plain.insert(id, (func.params.len(), added));
            func.params.push(added);
            func.by_value.push(None);
        }
    }
    if plain.is_empty() {
        return;
    }
    let mut editor = Editor {
        int: type_id(module, TypeKind::Int(32), 4),
        byte: type_id(module, TypeKind::Int(8), 1),
        long: type_id(module, TypeKind::Int(64), 8),
        pointer,
        module,
        func: FuncId::new(0),
        put: Vec::new(),
        variables: Vec::new(),
    };
    let funcs: Vec<FuncId> = editor.module.funcs.keys().collect();
    for func in funcs {
        editor.func = func;
        let blocks: Vec<BlockId> = editor.module.funcs[func].blocks.keys().collect();
        for &block in &blocks {
            let instrs = std::mem::take(&mut editor.module.funcs[func].blocks[block].instrs);
            for instr in instrs {
                editor.instruction(instr, &plain);
            }
            editor.module.funcs[func].blocks[block].instrs = std::mem::take(&mut editor.put);
        }
        if let Some(&entry) = blocks.first() {
            // Once per call of the function, not once per round of a loop.
            let variables = std::mem::take(&mut editor.variables);
            editor.module.funcs[func].blocks[entry].instrs.splice(..0, variables);
        }
    }
}

struct Editor<'m> {
    module: &'m mut Module,
    int: TypeId,
    byte: TypeId,
    long: TypeId,
    pointer: TypeId,
    /// The function that is changed.
    func: FuncId,
    /// The instructions of the current block so far.
    put: Vec<Instr>,
    /// What belongs to the beginning of the function.
    variables: Vec<Instr>,
}

impl Editor<'_> {
    fn instruction(&mut self, mut instr: Instr, plain: &FxHashMap<FuncId, (usize, ValueId)>) {
        let (Op::Call { callee: Callee::Func(callee), args }
        | Op::Invoke { callee: Callee::Func(callee), args, .. }) = &mut instr.op
        else {
            self.put.push(instr);
            return;
        };
        let name = self.module.funcs[*callee].name.as_str();
        let span = instr.span;
        if name.starts_with("llvm.va_start") {
            if let (&[list], Some(&(_, arguments))) = (args.as_slice(), plain.get(&self.func)) {
                self.start(list, arguments, &instr);
                return;
            }
        } else if name.starts_with("llvm.va_copy") {
            if let &[to, from] = args.as_slice() {
                self.copy(to, from, &instr);
                return;
            }
        } else if name.starts_with("llvm.va_end") {
            return;
        } else if let Some(&(count, _)) = plain.get(callee)
            && args.len() >= count
        {
            let rest = args.split_off(count);
            let types: Vec<TypeId> = rest.iter().map(|operand| self.type_of(*operand)).collect();
            if !types.iter().all(|&ty| self.has_a_slot(ty)) {
                let successors = instr.op.successors();
                let name = "call with such an argument among a variable number of them".to_owned();
                instr.op = Op::Other { name, operands: rest, successors };
                self.put.push(instr);
                return;
            }
            let area = if rest.is_empty() {
                self.constant(self.pointer, ConstKind::Null)
            } else {
                let area = self.area(&types, span);
                for (at, value) in rest.into_iter().enumerate() {
                    self.store(value, area, SLOT * at as u64, span);
                }
                area
            };
            if let Op::Call { args, .. } | Op::Invoke { args, .. } = &mut instr.op {
                args.push(area);
            }
        }
        self.put.push(instr);
    }

    /// `va_start`.
    fn start(&mut self, list: Operand, arguments: ValueId, instr: &Instr) {
        let integers = self.number(self.int, NO_INTEGERS_LEFT);
        let floats = self.number(self.int, NO_FLOATS_LEFT);
        let null = self.constant(self.pointer, ConstKind::Null);
        let values = [(integers, 0), (floats, 4), (Operand::Value(arguments), 8), (null, 16)];
        for (value, at) in values {
            self.store(value, list, at, instr.span);
        }
    }

    /// `va_copy`.
    fn copy(&mut self, to: Operand, from: Operand, instr: &Instr) {
        for (ty, at) in [(self.int, 0), (self.int, 4), (self.pointer, 8), (self.pointer, 16)] {
            let ptr = self.address(from, at, instr.span);
            let load = Op::Load { ptr, ty, atomic: None, volatile: false };
            let value = self.put(load, ty, instr.span);
            self.store(value, to, at, instr.span);
        }
    }

    /// Whether an argument of a type takes one slot. What is larger may be aligned, or passed in some other way.
    fn has_a_slot(&self, ty: TypeId) -> bool {
        match self.module.types[ty].kind {
            TypeKind::Int(bits) => bits <= 64,
            TypeKind::Float(bits) => bits == 64,
            TypeKind::Ptr => true,
            _ => false,
        }
    }

    /// Memory for arguments of these types.
    fn area(&mut self, types: &[TypeId], span: source::Span) -> Operand {
        let fields = types.iter().enumerate().map(|(at, &ty)| (SLOT * at as u64, ty)).collect();
        let ty = TypeKind::Struct { name: None, fields };
        let ty = self.module.types.push(Type { kind: ty, size: SLOT * types.len() as u64 });
        let count = self.number(self.int, 1);
        let func = &mut self.module.funcs[self.func];
        let result = func.values.push(Value { name: "arguments".to_owned(), ty: self.pointer });
        func.variables[result] = Some(Variable { name: "arguments".to_owned(), ty: None, span });
        let op = Op::Alloca { ty, count };
        self.variables.push(Instr { op, result: Some(result), span, origin: Origin::default() });
        Operand::Value(result)
    }

    fn store(&mut self, value: Operand, to: Operand, at: u64, span: source::Span) {
        let ptr = self.address(to, at, span);
        let op = Op::Store { value, ptr, atomic: None, volatile: false };
        self.put.push(Instr { op, result: None, span, origin: Origin::default() });
    }

    fn address(&mut self, base: Operand, at: u64, span: source::Span) -> Operand {
        if at == 0 {
            return base;
        }
        let index = self.number(self.long, at);
        self.put(Op::Gep { base, element: self.byte, indices: vec![index] }, self.pointer, span)
    }

    fn put(&mut self, op: Op, ty: TypeId, span: source::Span) -> Operand {
        let result = self.module.funcs[self.func].values.push(Value { name: String::new(), ty });
        self.put.push(Instr { op, result: Some(result), span, origin: Origin::default() });
        Operand::Value(result)
    }

    fn type_of(&self, operand: Operand) -> TypeId {
        match operand {
            Operand::Value(value) => self.module.funcs[self.func].values[value].ty,
            Operand::Const(id) => self.module.consts[id].ty,
        }
    }

    fn number(&mut self, ty: TypeId, number: u64) -> Operand {
        self.constant(ty, ConstKind::Int(number.into()))
    }

    fn constant(&mut self, ty: TypeId, kind: ConstKind) -> Operand {
        let wanted = Const { ty, kind };
        let known: Option<ConstId> =
            self.module.consts.iter().find(|(_, known)| **known == wanted).map(|(id, _)| id);
        Operand::Const(known.unwrap_or_else(|| self.module.consts.push(wanted)))
    }
}
