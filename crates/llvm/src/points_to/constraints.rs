//! What each instruction says about pointers.

use super::solve::{Complex, NodeId, POINTER_BYTES, Solver};
use crate::gep::{self, Displacement};
use crate::library::{self, Pointers};
use crate::module::{Block, Callee, FuncId, Instr, Op, Operand, TypeId, TypeKind};
use crate::objects::{ObjectKind, Site, type_of};

impl Solver<'_> {
    /// Adds what `main` is called with: the vector of arguments, and its end as that of the environment.
    pub(super) fn add_arguments(&mut self) {
        let Some(arguments) = self.module.arguments else { return };
        let Some(object) = self.objects.of(ObjectKind::Global(arguments.vector)) else { return };
        let params = &self.module.funcs[arguments.func].params;
        let end = u64::from(arguments.count) * POINTER_BYTES;
        for (&param, offset) in params.iter().skip(1).zip([0, end]) {
            let node = self.value(arguments.func, param);
            self.add_target(node, object, offset);
        }
    }

    /// Adds what the body of a function says.
    pub(super) fn add_function(&mut self, func: FuncId) {
        let module = self.module;
        for (block, Block { instrs, .. }) in &module.funcs[func].blocks {
            for (at, instr) in instrs.iter().enumerate() {
                let site = (block, u32::try_from(at).unwrap_or(u32::MAX));
                self.add_instr(func, site, instr);
            }
        }
    }

    fn add_instr(&mut self, func: FuncId, site: Site, instr: &Instr) {
        let result = instr.result.map(|value| self.value(func, value));
        let mut copies: Vec<Operand> = Vec::new();
        match &instr.op {
            Op::Alloca { .. } => {
                let object = instr.result.and_then(|value| self.objects.of(ObjectKind::Stack(func, value)));
                if let (Some(object), Some(result)) = (object, result) {
                    self.add_target(result, object, 0);
                }
            }
            Op::Load { ptr, ty, .. } => {
                if let Some(to) = result {
                    let ptr = self.operand(func, *ptr);
                    self.complex(ptr, Complex::Load { to, ty: *ty });
                }
            }
            Op::Store { value, ptr, .. } => {
                let ty = type_of(self.module, &self.module.funcs[func], *value);
                let (from, ptr) = (self.operand(func, *value), self.operand(func, *ptr));
                self.complex(ptr, Complex::Store { from, ty });
            }
            Op::AtomicRmw { ptr, value, .. } | Op::CmpXchg { ptr, new: value, .. } => {
                let ty = type_of(self.module, &self.module.funcs[func], *value);
                let (from, ptr) = (self.operand(func, *value), self.operand(func, *ptr));
                self.complex(ptr, Complex::Store { from, ty });
                if let Some(to) = result {
                    self.complex(ptr, Complex::Load { to, ty });
                }
            }
            Op::Gep { base, element, indices } => {
                if gep::member_adjustment(&self.module.funcs[func], indices).is_some() {
                    copies.push(*base);
                } else if let Some(to) = result {
                    let base = self.operand(func, *base);
                    self.add_gep(base, to, *element, indices);
                }
            }
            Op::Binary(_, a, b) => {
                // Pointers as integers: what is added is not tracked, so the result can be anywhere in the object.
                if let Some(to) = result
                    && self.carries_pointer(func, instr)
                {
                    for operand in [*a, *b] {
                        let from = self.operand(func, operand);
                        self.complex(from, Complex::Somewhere { to });
                    }
                }
            }
            Op::Cast(_, from)
            | Op::Freeze(from)
            | Op::ExtractValue(from, _)
            | Op::ExtractElement(from, _) => {
                copies.push(*from);
            }
            Op::Select(_, a, b)
            | Op::InsertValue(a, b, _)
            | Op::InsertElement(a, b, _)
            | Op::ShuffleVector(a, b, _) => copies.extend([*a, *b]),
            Op::Phi(incoming) => copies.extend(incoming.iter().map(|(_, from)| *from)),
            Op::Call { callee, args } | Op::Invoke { callee, args, .. } => {
                self.add_call(func, site, callee, args, result);
            }
            Op::Ret(Some(value)) => {
                let from = self.operand(func, *value);
                let to = self.returned(func);
                self.copy(from, to);
            }
            Op::FNeg(_)
            | Op::ICmp(..)
            | Op::FCmp(..)
            | Op::Fence(_)
            | Op::Br(_)
            | Op::CondBr(..)
            | Op::Switch { .. }
            | Op::Ret(None)
            | Op::Unreachable
            | Op::LandingPad(_)
            | Op::Other { .. } => {}
        }
        if let Some(result) = result {
            for from in copies {
                let from = self.operand(func, from);
                self.copy(from, result);
            }
        }
    }

    /// Whether an integer result is large enough for a pointer.
    fn carries_pointer(&self, func: FuncId, instr: &Instr) -> bool {
        let ty = instr.result.map(|value| self.module.funcs[func].values[value].ty);
        ty.is_some_and(|ty| matches!(self.module.types[ty].kind, TypeKind::Int(64)))
    }

    pub(super) fn add_gep(&mut self, base: NodeId, to: NodeId, element: TypeId, indices: &[Operand]) {
        match gep::displacement(self.module, element, indices) {
            Some(displacement) => {
                let Displacement { bytes, terms, walks } = displacement;
                let strides = terms.iter().map(|term| (term.stride, term.array)).collect();
                self.complex(base, Complex::Gep { to, bytes, strides, element, walks });
            }
            None => self.complex(base, Complex::Somewhere { to }),
        }
    }

    fn add_call(
        &mut self,
        func: FuncId,
        site: Site,
        callee: &Callee,
        args: &[Operand],
        result: Option<NodeId>,
    ) {
        let nodes: Vec<NodeId> = args.iter().map(|arg| self.operand(func, *arg)).collect();
        match callee {
            Callee::Func(callee) => self.call(func, site, *callee, &nodes, result),
            Callee::Ptr(pointer) => {
                let pointer = self.operand(func, *pointer);
                self.complex(pointer, Complex::Call { func, site, args: nodes, result });
            }
            Callee::Asm(_) => {}
        }
    }

    /// A call of a function that has no body.
    pub(super) fn add_library_call(
        &mut self,
        func: FuncId,
        site: Site,
        name: &str,
        args: &[NodeId],
        result: Option<NodeId>,
    ) {
        let arg = |at: usize| args.get(at).copied();
        let heap = self.objects.of(ObjectKind::Heap(func, site));
        for effect in library::pointers(name) {
            match *effect {
                Pointers::Allocates => {
                    if let (Some(object), Some(result)) = (heap, result) {
                        self.add_target(result, object, 0);
                    }
                }
                Pointers::AllocatesInto(at) => {
                    if let (Some(object), Some(ptr)) = (heap, arg(at)) {
                        let from = self.temporary();
                        self.add_target(from, object, 0);
                        self.complex(ptr, Complex::StorePointer { from });
                    }
                }
                Pointers::Returns(at) => {
                    if let (Some(from), Some(to)) = (arg(at), result) {
                        self.copy(from, to);
                    }
                }
                Pointers::Resizes(at) => {
                    if let Some(ptr) = arg(at) {
                        self.complex(ptr, Complex::Resized);
                    }
                }
                Pointers::ReturnsInto(at) => {
                    if let (Some(from), Some(to)) = (arg(at), result) {
                        self.complex(from, Complex::Somewhere { to });
                    }
                }
                Pointers::Copies { to, from, size } => {
                    if let (Some(to), Some(from)) = (arg(to), arg(from)) {
                        let bytes = arg(size).and_then(|size| self.constant(size));
                        self.copy_block(to, from, bytes);
                    }
                }
                Pointers::Sweeps { from, size } => {
                    if let Some(from) = arg(from) {
                        self.sweep(from, arg(size));
                    }
                }
                Pointers::Starts { function, argument } => {
                    if let (Some(function), Some(argument)) = (arg(function), arg(argument)) {
                        self.complex(function, Complex::Start { func, site, argument });
                    }
                }
                Pointers::Joins(at) => {
                    if let Some(ptr) = arg(at) {
                        let from = self.thread_result();
                        self.complex(ptr, Complex::StorePointer { from });
                    }
                }
                Pointers::Exits(at) => {
                    if let Some(from) = arg(at) {
                        let to = self.thread_result();
                        self.copy(from, to);
                    }
                }
                Pointers::CreatesKey { destructor } => {
                    if let Some(function) = arg(destructor) {
                        self.complex(function, Complex::Destroy);
                    }
                }
                Pointers::SetsKey(at) => {
                    if let Some(from) = arg(at) {
                        let to = self.key_value();
                        self.copy(from, to);
                    }
                }
                Pointers::GetsKey => {
                    if let Some(to) = result {
                        let from = self.key_value();
                        self.copy(from, to);
                    }
                }
                Pointers::Calls { function, arguments } => {
                    if let Some(function) = arg(function) {
                        let args = arguments.iter().filter_map(|&at| arg(at)).collect();
                        self.complex(function, Complex::Call { func, site, args, result: None });
                    }
                }
            }
        }
    }
}
