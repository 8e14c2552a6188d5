//! The objects of memory: global variables, functions, variables on the stack whose address is used, and what
//! allocators give. One object here stands for all that come from one place in the program.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::{PrimaryMap, entity_impl};
use num_traits::ToPrimitive;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::layout::{Layout, Path, Uses};
use crate::models::known_name;
use crate::module::{
    Binary, BlockId, ConstKind, Func, FuncId, GlobalId, Module, Op, Operand, TypeId, TypeKind, ValueId,
};

/// Names an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ObjectId(u32);
entity_impl!(ObjectId, "object");

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ObjectKind {
    /// A global variable.
    Global(GlobalId),
    /// A function; it has an address and no cells.
    Func(FuncId),
    /// A variable on the stack: the result of an `alloca`.
    Stack(FuncId, ValueId),
    /// What an allocator gives: the instruction that calls it.
    Heap(FuncId, Site),
}

/// An instruction of a function.
pub(crate) type Site = (BlockId, u32);

/// An object.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    /// What it is.
    pub(crate) kind: ObjectKind,
    /// Its cells.
    pub(crate) layout: Layout,
}

/// All objects, and how to find them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Objects {
    pub(crate) all: PrimaryMap<ObjectId, Object>,
    by_kind: FxHashMap<ObjectKind, ObjectId>,
    shapes: FxHashMap<ObjectId, Shape>,
    /// Whether types of objects on the heap have been looked for.
    typed: bool,
}

/// What is known about how an object is used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Shape {
    /// Its type, or that of its elements: declared, or for the heap found out.
    ty: Option<TypeId>,
    /// Its size; none if that is known only when the program runs.
    size: Option<u64>,
    /// For the heap: what the size is a multiple of, if it is computed from a number of elements.
    unit: Option<u64>,
    /// How its parts are used.
    uses: Uses,
    /// Where scalars are divided.
    borders: BTreeSet<u64>,
    /// Whether it is accessed in ways that fit no type.
    bytes: bool,
    /// Whether its arrays of bytes are that: taking them for room of something else did not fit.
    plain: bool,
}

/// What one round of the analysis has found out about objects.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings {
    /// Arrays to be folded.
    pub(crate) fold: FxHashMap<ObjectId, FxHashSet<Path>>,
    /// Objects that are accessed in ways that fit no type.
    pub(crate) bytes: FxHashSet<ObjectId>,
    /// Where scalars are divided by writes of a part.
    pub(crate) borders: FxHashMap<ObjectId, BTreeSet<u64>>,
    /// Heap objects whose size changes.
    pub(crate) resized: FxHashSet<ObjectId>,
    /// For heap objects: the types as which they are accessed.
    pub(crate) types: FxHashMap<ObjectId, FxHashSet<TypeId>>,
    /// Bytes that are accessed as something else, by their offsets.
    pub(crate) overlays: FxHashMap<ObjectId, BTreeMap<u64, FxHashSet<TypeId>>>,
}

impl Objects {
    /// The objects of a module.
    pub(crate) fn new(module: &Module) -> Objects {
        let mut objects = Objects::default();
        for (id, global) in &module.globals {
            let size = Some(module.types[global.ty].size);
            objects.add(
                module,
                ObjectKind::Global(id),
                Shape { ty: Some(global.ty), size, ..Shape::default() },
            );
        }
        for (id, func) in &module.funcs {
            objects.add(module, ObjectKind::Func(id), Shape::default());
            // A struct that is passed by value is a variable of the function.
            for (&param, ty) in func.params.iter().zip(&func.by_value) {
                if let (Some(ty), false) = (*ty, func.is_declaration()) {
                    let size = Some(module.types[ty].size);
                    let shape = Shape { ty: Some(ty), size, ..Shape::default() };
                    objects.add(module, ObjectKind::Stack(id, param), shape);
                }
            }
            for (block, body) in &func.blocks {
                for (at, instr) in body.instrs.iter().enumerate() {
                    match (&instr.op, instr.result) {
                        (Op::Alloca { ty, count }, Some(result)) => {
                            let one = module.types[*ty].size;
                            let size = constant(module, *count).and_then(|count| one.checked_mul(count));
                            let shape = Shape { ty: Some(*ty), size, ..Shape::default() };
                            objects.add(module, ObjectKind::Stack(id, result), shape);
                        }
                        (Op::Call { .. } | Op::Invoke { .. }, _) => {
                            if let Some(size) = allocation(module, &instr.op) {
                                let at = u32::try_from(at).unwrap_or(u32::MAX);
                                let unit =
                                    called(module, &instr.op).and_then(|(_, args)| unit(module, func, args));
                                let shape = Shape { ty: None, size, unit, ..Shape::default() };
                                objects.add(module, ObjectKind::Heap(id, (block, at)), shape);
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
        objects
    }

    fn add(&mut self, module: &Module, kind: ObjectKind, shape: Shape) {
        let layout = match kind {
            ObjectKind::Heap(..) => Layout::words(shape.size),
            _ => layout(module, kind, &shape),
        };
        let id = self.all.push(Object { kind, layout });
        self.by_kind.insert(kind, id);
        self.shapes.insert(id, shape);
    }

    /// The object of a kind.
    pub(crate) fn of(&self, kind: ObjectKind) -> Option<ObjectId> {
        self.by_kind.get(&kind).copied()
    }

    /// The type of an object or of its elements, if known.
    pub(crate) fn ty(&self, id: ObjectId) -> Option<TypeId> {
        self.shapes.get(&id)?.ty
    }

    /// Whether the type of an object is the one that it was made for: for the heap, whether it has the size that was asked for, or that of which
    /// there are some.
    pub(crate) fn is_certain(&self, module: &Module, id: ObjectId) -> bool {
        let Some(shape) = self.shapes.get(&id) else { return false };
        let size = shape.ty.map(|ty| module.types[ty].size);
        !matches!(self.all[id].kind, ObjectKind::Heap(..))
            || size.is_some_and(|size| shape.unit == Some(size) || shape.size == Some(size))
    }

    /// Whether an object is one on the heap of whose type nothing is known yet, and the round is the first.
    pub(crate) fn is_guessed(&self, id: ObjectId) -> bool {
        !self.typed && matches!(self.all[id].kind, ObjectKind::Heap(..))
    }

    /// Takes over what a round has found. Returns whether that changes any layout.
    ///
    /// As long as types are found out, nothing else is taken over: where nothing is known of what is where in an object, pointers seem to
    /// point anywhere, and so every object seems to be used as everything.
    pub(crate) fn refine(&mut self, module: &Module, findings: &Findings) -> bool {
        let first = !std::mem::replace(&mut self.typed, true);
        let mut changed = false;
        for (id, object) in &mut self.all {
            let Some(shape) = self.shapes.get_mut(&id).filter(|shape| shape.ty.is_none()) else { continue };
            if !matches!(object.kind, ObjectKind::Heap(..)) {
                continue;
            }
            shape.ty =
                findings.types.get(&id).and_then(|types| likely_type(module, types, shape.size, shape.unit));
            if first || shape.ty.is_some() {
                object.layout = layout(module, object.kind, shape);
                changed = true;
            }
        }
        if changed {
            return true;
        }
        for (id, object) in &mut self.all {
            let Some(shape) = self.shapes.get_mut(&id) else { continue };
            let before = shape.clone();
            if let Some(paths) = findings.fold.get(&id) {
                shape.uses.folded.extend(paths.iter().cloned());
            }
            if let Some(borders) = findings.borders.get(&id) {
                shape.borders.extend(borders);
            }
            if findings.resized.contains(&id) && matches!(object.kind, ObjectKind::Heap(..)) {
                shape.size = None;
            }
            if findings.bytes.contains(&id) && shape.ty.is_some() {
                // That may be because of what arrays of bytes were taken for.
                shape.bytes |= shape.plain || shape.uses.overlays.is_empty();
                shape.plain = true;
                shape.uses.overlays.clear();
            }
            if let Some(overlays) = findings.overlays.get(&id).filter(|_| !shape.plain) {
                for (&offset, types) in overlays {
                    let Some((room, arrays)) = object.layout.room_at(offset) else { continue };
                    if !arrays.into_iter().any(|path| shape.uses.folded.contains(path))
                        && let Some(ty) = likely_type(module, types, Some(room), None)
                    {
                        shape.uses.overlays.insert(offset, ty);
                    }
                }
            }
            if *shape != before {
                object.layout = layout(module, object.kind, shape);
                changed = true;
            }
        }
        changed
    }
}

fn layout(module: &Module, kind: ObjectKind, shape: &Shape) -> Layout {
    match (kind, shape.ty) {
        (ObjectKind::Func(_), _) => Layout::empty(),
        _ if shape.bytes => Layout::bytes(shape.size),
        (_, None) => Layout::bytes(shape.size),
        (ObjectKind::Global(_), Some(ty)) => Layout::of_type(module, ty, &shape.uses).split(&shape.borders),
        (ObjectKind::Stack(..) | ObjectKind::Heap(..), Some(ty)) => {
            Layout::of_elements(module, ty, shape.size, &shape.uses).split(&shape.borders)
        }
    }
}

/// The type that memory is allocated for: one of the size of an element, if that is known; else the largest struct that it is accessed as, or
/// the largest scalar.
fn likely_type(
    module: &Module,
    types: &FxHashSet<TypeId>,
    size: Option<u64>,
    unit: Option<u64>,
) -> Option<TypeId> {
    let fits = |ty: &&TypeId| {
        let bytes = module.types[**ty].size;
        bytes > 0 && size.is_none_or(|size| bytes <= size)
    };
    let is_struct = |ty: TypeId| matches!(module.types[ty].kind, TypeKind::Struct { .. });
    types
        .iter()
        .filter(fits)
        .max_by_key(|ty| {
            let size = module.types[**ty].size;
            (unit == Some(size), is_struct(**ty), size, std::cmp::Reverse(ty.as_u32()))
        })
        .copied()
}

/// The constant of which the size that an allocator is asked for is a multiple.
fn unit(module: &Module, func: &Func, args: &[Operand]) -> Option<u64> {
    let computed = |value: ValueId| {
        let instrs = func.blocks.values().flat_map(|block| &block.instrs);
        instrs.into_iter().find(|instr| instr.result == Some(value))
    };
    args.iter().find_map(|arg| match arg {
        Operand::Value(value) => match computed(*value)?.op {
            Op::Binary(Binary::Mul, a, b) => constant(module, a).or_else(|| constant(module, b)),
            Op::Binary(Binary::Shl, _, by) => 1_u64.checked_shl(u32::try_from(constant(module, by)?).ok()?),
            _ => None,
        },
        Operand::Const(_) => None,
    })
}

/// For a call of an allocator, the size if that is a constant.
fn allocation(module: &Module, op: &Op) -> Option<Option<u64>> {
    let (name, args) = called(module, op)?;
    let size = |at: usize| args.get(at).and_then(|arg| constant(module, *arg));
    Some(match name {
        "malloc"
        | "valloc"
        | "realloc"
        | "_Znwm"
        | "_Znam"
        | "_ZnwmRKSt9nothrow_t"
        | "_ZnamRKSt9nothrow_t" => {
            if name == "realloc" {
                None
            } else {
                size(0)
            }
        }
        "calloc" => size(0).zip(size(1)).and_then(|(count, each)| count.checked_mul(each)),
        "aligned_alloc" | "memalign" => size(1),
        "posix_memalign" => size(2),
        _ => return None,
    })
}

/// Name and arguments of a call of a function that has no body here.
pub(crate) fn called<'a>(module: &'a Module, op: &'a Op) -> Option<(&'a str, &'a [Operand])> {
    let (Op::Call { callee, args } | Op::Invoke { callee, args, .. }) = op else { return None };
    match callee {
        crate::module::Callee::Func(func) if module.funcs[*func].is_declaration() => {
            Some((known_name(&module.funcs[*func].name), args))
        }
        _ => None,
    }
}

/// The value of a constant integer that fits.
pub(crate) fn constant(module: &Module, operand: Operand) -> Option<u64> {
    match operand {
        Operand::Const(id) => match &module.consts[id].kind {
            ConstKind::Int(value) => value.to_u64(),
            ConstKind::Zero | ConstKind::Null => Some(0),
            _ => None,
        },
        Operand::Value(_) => None,
    }
}

/// The value of a constant integer as a signed number.
pub(crate) fn signed_constant(module: &Module, operand: Operand) -> Option<i64> {
    let value = constant(module, operand)?;
    let Operand::Const(id) = operand else { return None };
    let bits = match module.types[module.consts[id].ty].kind {
        TypeKind::Int(bits @ 1..=64) => bits,
        _ => 64,
    };
    let unused = 64 - bits;
    Some(((value << unused).cast_signed()) >> unused)
}

/// The type of an operand.
pub(crate) fn type_of(module: &Module, func: &Func, operand: Operand) -> TypeId {
    match operand {
        Operand::Value(value) => func.values[value].ty,
        Operand::Const(id) => module.consts[id].ty,
    }
}
