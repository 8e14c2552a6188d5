//! What the lowering of all functions shares.

use ir::{Block, Global, GlobalId, Local, LocalId, Op, Proc, ProcId, Program, Stmt, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Span};

use super::address::{INSTANCE_BITS, POINTER_BITS};
use super::bits::Bits;
use super::memory::Memory;
use super::placement::Placements;
use super::{Options, OutputSite};
use crate::activations::{Activations, Instances};
use crate::module::{Callee, FuncId, Module, TypeId, TypeKind};
use crate::objects::{ObjectKind, Site};
use crate::points_to::PointsTo;

/// How a function is called.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub(super) proc: ProcId,
    /// Whether its first parameter is the number of the thread.
    pub(super) takes_thread: bool,
    /// Whether it can end the thread; its last result says whether it did, the one before with which value.
    pub(super) can_exit: bool,
}

pub(super) struct Context<'a> {
    pub(super) module: &'a Module,
    pub(super) options: &'a Options,
    pub(super) points_to: &'a PointsTo,
    pub(super) activations: &'a Activations,
    pub(super) placements: Placements,
    /// Functions that the program starts with, one after the other; the last is the entry.
    pub(super) roots: &'a [FuncId],
    pub(super) program: Program,
    pub(super) memory: Memory,
    pub(super) signatures: FxHashMap<FuncId, Signature>,
    /// Procedures that are started as threads, and that are not functions themselves.
    pub(super) starters: FxHashMap<FuncId, ProcId>,
    pub(super) warnings: Vec<Diagnostic>,
    pub(super) errors: Vec<Diagnostic>,
    pub(super) outputs: Vec<OutputSite>,
    pub(super) origins: FxHashMap<ir::OpRef, crate::module::Origin>,
    pub(super) inputs: rustc_hash::FxHashSet<u32>,
    pub(super) recorded: rustc_hash::FxHashSet<ir::OpRef>,
    /// Numbers of threads that are started once.
    pub(super) thread_numbers: FxHashMap<(FuncId, Site), u64>,
    specials: FxHashMap<&'static str, GlobalId>,
}

impl<'a> Context<'a> {
    pub(super) fn new(
        module: &'a Module,
        options: &'a Options,
        points_to: &'a PointsTo,
        activations: &'a Activations,
        roots: &'a [FuncId],
    ) -> Context<'a> {
        let mut cx = Context {
            module,
            options,
            points_to,
            activations,
            placements: Placements::new(module, &points_to.objects, activations),
            roots,
            program: Program::default(),
            memory: Memory::default(),
            signatures: FxHashMap::default(),
            starters: FxHashMap::default(),
            warnings: Vec::new(),
            errors: Vec::new(),
            outputs: Vec::new(),
            origins: FxHashMap::default(),
            inputs: rustc_hash::FxHashSet::default(),
            recorded: rustc_hash::FxHashSet::default(),
            thread_numbers: FxHashMap::default(),
            specials: FxHashMap::default(),
        };
        let calls = cx.library_calls();
        cx.declare_synchronization(&calls);
        cx.find_freed(&calls);
        cx.number_threads();
        cx.declare_procedures();
        cx
    }

    /// Warns.
    pub(super) fn warn(&mut self, span: Span, text: &str) {
        self.warnings.push(Diagnostic::warning(span, text));
    }

    /// All calls of functions without a body, in functions that can be reached: caller, name, arguments.
    fn library_calls(&self) -> Vec<LibraryCall<'a>> {
        let module = self.module;
        let mut calls = Vec::new();
        for &func in &self.points_to.reachable {
            for body in module.funcs[func].blocks.values() {
                for instr in &body.instrs {
                    if let Some((name, args)) = crate::objects::called(module, &instr.op) {
                        calls.push(LibraryCall { func, name, args, span: instr.span });
                    }
                }
            }
        }
        calls
    }

    fn find_freed(&mut self, calls: &[LibraryCall<'_>]) {
        for call in calls {
            let freed = matches!(
                call.name,
                "free" | "cfree" | "realloc" | "_ZdlPv" | "_ZdaPv" | "_ZdlPvm" | "_ZdaPvm"
            );
            if let (true, Some(&pointer)) = (freed, call.args.first()) {
                for target in self.points_to.targets(call.func, pointer) {
                    self.memory.freed.insert(target.object);
                }
            }
        }
    }

    /// Threads that are started once have a number from the start; others get the numbers after those.
    fn number_threads(&mut self) {
        let mut sites: Vec<(FuncId, Site)> = self.points_to.starts.keys().copied().collect();
        sites.sort_unstable();
        for (func, site) in sites {
            if self.activations.site(func, site.0) == crate::activations::Times::Once {
                let number = self.thread_numbers.len() as u64 + 1;
                self.thread_numbers.insert((func, site), number);
            }
        }
    }

    fn declare_procedures(&mut self) {
        let needs = self.callers_of(Self::uses_thread_number);
        let exits = self.callers_of(Self::ends_thread);
        let mut names: FxHashMap<String, u32> = FxHashMap::default();
        for &func in &self.points_to.reachable {
            let body = &self.module.funcs[func];
            let count = names.entry(body.source_name.clone()).or_default();
            *count += 1;
            let name =
                if *count == 1 { body.source_name.clone() } else { format!("{}#{count}", body.source_name) };
            let proc = self.program.procs.push(placeholder(name, body.span));
            let takes_thread = needs.contains(&func) && !self.roots.contains(&func);
            self.signatures.insert(func, Signature { proc, takes_thread, can_exit: exits.contains(&func) });
        }
    }

    /// Functions for which something holds, and all that can call them.
    fn callers_of(&self, holds: impl Fn(&Self, FuncId) -> bool) -> FxHashSet<FuncId> {
        let mut found: FxHashSet<FuncId> =
            self.points_to.reachable.iter().copied().filter(|&func| holds(self, func)).collect();
        loop {
            let before = found.len();
            for ((caller, _), callees) in &self.points_to.callees {
                if callees.iter().any(|callee| found.contains(callee)) {
                    found.insert(*caller);
                }
            }
            if found.len() == before {
                return found;
            }
        }
    }

    fn uses_thread_number(&self, func: FuncId) -> bool {
        // A thread that ends has to find its values of keys.
        let ends = !self.points_to.destructors.is_empty()
            && self.points_to.starts.values().any(|started| started.contains(&func));
        ends || self.calls_any(func, &|name| {
            name.starts_with("llvm.threadlocal.address")
                || matches!(
                    name,
                    "pthread_self"
                        | "thrd_current"
                        | "gettid"
                        | "pthread_setspecific"
                        | "pthread_getspecific"
                        | "tss_set"
                        | "tss_get"
                )
        }) || self.points_to.objects.all.iter().any(|(id, object)| {
            matches!(object.kind, ObjectKind::Stack(of, _) if of == func)
                && self.instances(id) == Instances::Thread
        })
    }

    fn ends_thread(&self, func: FuncId) -> bool {
        self.calls_any(func, &|name| matches!(name, "pthread_exit" | "thrd_exit"))
    }

    fn calls_any(&self, func: FuncId, wanted: &dyn Fn(&str) -> bool) -> bool {
        let module = self.module;
        module.funcs[func].blocks.values().flat_map(|block| &block.instrs).any(|instr| match &instr.op {
            crate::module::Op::Call { callee: Callee::Func(callee), .. }
            | crate::module::Op::Invoke { callee: Callee::Func(callee), .. } => {
                wanted(&module.funcs[*callee].name)
            }
            _ => false,
        })
    }

    /// A global that is not memory of the program.
    pub(super) fn special(&mut self, name: &'static str) -> GlobalId {
        if let Some(&global) = self.specials.get(name) {
            return global;
        }
        let exprs = &mut self.program.exprs;
        let (ty, init) = match name {
            "$handle" => (Type::map(vec![Type::Bv(INSTANCE_BITS)], Type::Task), None),
            "$started" => {
                let first = exprs.bv(INSTANCE_BITS, self.thread_numbers.len() as u64);
                (Type::Bv(INSTANCE_BITS), Some(first))
            }
            "$output.count" => (Type::Int, Some(exprs.int(0))),
            "$output" => (Type::map(vec![Type::Int], Type::Bv(POINTER_BITS)), None),
            "$destructors" => (Type::map(vec![Type::Bv(32)], Type::Bv(POINTER_BITS)), None),
            "$keys" | "$exit.code" => (Type::Bv(32), Some(exprs.bv(32, 0))),
            _ => (
                // The values of thread-specific keys: by thread and key.
                Type::map(vec![Type::Bv(INSTANCE_BITS), Type::Bv(32)], Type::Bv(POINTER_BITS)),
                None,
            ),
        };
        let init = match (&init, &ty) {
            (None, Type::Map(map)) if map.result == Type::Bv(POINTER_BITS) => {
                let zero = self.program.exprs.bv(POINTER_BITS, 0);
                Some(self.program.exprs.add(ir::ExprNode::ConstMap(ty.clone(), zero)))
            }
            _ => init,
        };
        let name_of = self.memory.unique(name.to_owned());
        let global = self.program.globals.push(Global { name: name_of, ty, init, span: Span::NONE });
        self.specials.insert(name, global);
        global
    }
}

impl Context<'_> {
    /// The value of a place.
    pub(super) fn read_place(&mut self, place: &ir::Place) -> ir::ExprId {
        let ir::PlaceBase::Global(global) = place.base else {
            return self.program.exprs.bv(1, 0);
        };
        let ty = self.program.globals[global].ty.clone();
        let mut value = self.program.exprs.add(ir::ExprNode::Global(global, ty));
        for keys in &place.path {
            value = self.program.exprs.select(value, keys.clone());
        }
        value
    }
}

/// A call of a function without a body.
pub(super) struct LibraryCall<'a> {
    pub(super) func: FuncId,
    pub(super) name: &'a str,
    pub(super) args: &'a [crate::module::Operand],
    pub(super) span: Span,
}

/// The types of the scalars that a type is made of, in order.
pub(super) fn leaves(module: &Module, ty: TypeId) -> Vec<Type> {
    fn collect(module: &Module, ty: TypeId, leaves: &mut Vec<Type>) {
        match &module.types[ty].kind {
            TypeKind::Int(1) => leaves.push(Type::Bool),
            TypeKind::Int(bits) | TypeKind::Float(bits) => leaves.push(Type::Bv(*bits)),
            TypeKind::Ptr => leaves.push(Type::Bv(POINTER_BITS)),
            TypeKind::Array { element, count } | TypeKind::Vector { element, count } => {
                for _ in 0..*count {
                    collect(module, *element, leaves);
                }
            }
            TypeKind::Struct { fields, .. } => {
                fields.iter().for_each(|(_, field)| collect(module, *field, leaves));
            }
            TypeKind::Void | TypeKind::Function | TypeKind::Other(_) => {}
        }
    }
    let mut found = Vec::new();
    collect(module, ty, &mut found);
    found
}

/// A procedure that does nothing, until its body is there.
pub(super) fn placeholder(name: String, span: Span) -> Proc {
    let mut blocks = cranelift_entity::PrimaryMap::new();
    let entry = blocks.push(Block { name: "entry".to_owned(), stmts: vec![Stmt { op: Op::Return, span }] });
    let locals: cranelift_entity::PrimaryMap<LocalId, Local> = cranelift_entity::PrimaryMap::new();
    Proc { name, params: Vec::new(), results: Vec::new(), locals, blocks, entry, span }
}
