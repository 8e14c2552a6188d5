//! Memory as variables of the IR: one global per cell, a map where there are several instances or an index.

use ir::{ExprId, ExprNode, Global, GlobalId, Look, Place, Shown, SyncType, Type};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Span};

use super::address::{INSTANCE_BITS, OFFSET_BITS, POINTER_BITS, dims_at};
use super::bits::Bits;
use super::context::Context;
use super::freed::FreedList;
use super::image;
use crate::activations::{Instances, Times};
use crate::layout::Cell;
use crate::objects::{ObjectId, ObjectKind};

/// The globals that hold memory.
#[derive(Debug, Default)]
pub(super) struct Memory {
    cells: FxHashMap<(ObjectId, usize), GlobalId>,
    synchronization: FxHashMap<(ObjectId, u64), (SyncType, u64)>,
    objects: FxHashMap<(ObjectId, u64), GlobalId>,
    alive: FxHashMap<ObjectId, GlobalId>,
    sizes: FxHashMap<ObjectId, GlobalId>,
    counters: FxHashMap<ObjectId, GlobalId>,
    pub(super) freed_lists: FxHashMap<ObjectId, FreedList>,
    images: FxHashMap<ObjectId, Vec<u8>>,
    names: FxHashMap<String, u32>,
    /// Heap objects that can be freed.
    pub(super) freed: FxHashSet<ObjectId>,
}

impl Memory {
    /// Notes that there is a synchronization object of so many bytes at a place.
    pub(super) fn declare_synchronization(
        &mut self,
        object: ObjectId,
        offset: u64,
        ty: SyncType,
        bytes: u64,
    ) {
        self.synchronization.insert((object, offset), (ty, bytes));
    }

    /// The type of the synchronization object at a place.
    pub(super) fn synchronization_at(&self, object: ObjectId, offset: u64) -> Option<&SyncType> {
        self.synchronization.get(&(object, offset)).map(|(ty, _)| ty)
    }

    /// Whether a byte belongs to a synchronization object.
    pub(super) fn is_synchronization(&self, object: ObjectId, offset: u64) -> bool {
        self.has_synchronization(object, offset, 1)
    }

    /// Whether one of so many bytes belongs to a synchronization object.
    pub(super) fn has_synchronization(&self, object: ObjectId, offset: u64, size: u64) -> bool {
        let end = offset.saturating_add(size);
        self.synchronization
            .iter()
            .any(|((of, start), (_, bytes))| *of == object && *start < end && offset < start + bytes)
    }

    /// A name that no other global has. What comes after `#` only tells names apart.
    pub(super) fn unique(&mut self, name: String) -> String {
        let count = self.names.entry(name.clone()).or_default();
        *count += 1;
        if *count == 1 { name } else { format!("{name}#{count}") }
    }
}

impl Context<'_> {
    /// How the instances of an object are told apart.
    pub(super) fn instances(&self, object: ObjectId) -> Instances {
        self.placements.of(object).instances
    }

    /// Whether an object is the padding of a struct that was divided into scalars: nobody reads it on purpose.
    pub(super) fn is_padding(&self, object: ObjectId) -> bool {
        let ObjectKind::Stack(func, value) = self.points_to.objects.all[object].kind else { return false };
        let body = &self.module.funcs[func];
        body.values[value].name.contains(".sroa.") && body.variables[value].is_none()
    }

    /// Whether an object is a variable of namespace `std` that the library has and the program does not, such as `std::cout`.
    pub(super) fn is_of_library(&self, object: ObjectId) -> bool {
        let ObjectKind::Global(global) = self.points_to.objects.all[object].kind else { return false };
        let global = &self.module.globals[global];
        global.init.is_none() && global.name.starts_with("_ZSt")
    }

    /// Whether an object is never written.
    pub(super) fn is_constant(&self, object: ObjectId) -> bool {
        match self.points_to.objects.all[object].kind {
            ObjectKind::Global(global) => self.module.globals[global].constant,
            _ => false,
        }
    }

    pub(super) fn many(&self, object: ObjectId) -> bool {
        self.instances(object) != Instances::One
    }

    /// The types of the keys of what an object holds: its instance, and the indices of arrays.
    fn key_types(&self, object: ObjectId, dims: usize) -> Vec<Type> {
        let instance = self.many(object).then_some(Type::Bv(INSTANCE_BITS));
        instance.into_iter().chain(std::iter::repeat_n(Type::Bv(OFFSET_BITS), dims)).collect()
    }

    pub(super) fn keyed(&self, object: ObjectId, dims: usize, ty: Type) -> Type {
        let keys = self.key_types(object, dims);
        if keys.is_empty() { ty } else { Type::map(keys, ty) }
    }

    /// The global that holds a cell.
    pub(super) fn cell(&mut self, object: ObjectId, number: usize) -> GlobalId {
        if let Some(&global) = self.memory.cells.get(&(object, number)) {
            return global;
        }
        let cell = self.points_to.objects.all[object].layout.cells[number].clone();
        let bits = u32::try_from(8 * cell.size).unwrap_or(u32::MAX);
        let ty = self.keyed(object, cell.dims.len(), Type::Bv(bits));
        let look = self.look(object, cell.offset);
        let name = look.name.replace("{}", "").replace("{_}", "").replace('#', "");
        let init = self.initial(object, &cell, bits, &ty);
        let span = self.object_span(object);
        let name = self.memory.unique(name);
        let global = self.program.globals.push(Global { name, ty, init, span });
        self.memory.cells.insert((object, number), global);
        self.program.presentation.globals.insert(global, look);
        global
    }

    /// The initial value of a cell: that of the variable; none if it is arbitrary.
    fn initial(&mut self, object: ObjectId, cell: &Cell, bits: u32, ty: &Type) -> Option<ExprId> {
        if self.is_padding(object) {
            return Some(self.initial_map(&[], bits, ty));
        }
        let ObjectKind::Global(global) = self.points_to.objects.all[object].kind else { return None };
        let init = self.module.globals[global].init?;
        let (module, placements) = (self.module, &self.placements);
        let bytes =
            self.memory.images.entry(object).or_insert_with(|| image::image(module, placements, init));
        let mut elements = Vec::new();
        let mut index = vec![0_u64; cell.dims.len()];
        // All combinations of indices whose bytes are not zero.
        loop {
            let at = cell.offset + index.iter().zip(&cell.dims).map(|(i, dim)| i * dim.stride).sum::<u64>();
            let range = usize::try_from(at).unwrap_or(0)..usize::try_from(at + cell.size).unwrap_or(0);
            let value = bytes.get(range).map(|bytes| BigInt::from_bytes_le(num_bigint::Sign::Plus, bytes));
            if let Some(value) = value.filter(|value| *value != BigInt::ZERO) {
                elements.push((index.clone(), value));
            }
            let mut dim = cell.dims.len();
            loop {
                let Some(next) = dim.checked_sub(1) else {
                    return Some(self.initial_map(&elements, bits, ty));
                };
                dim = next;
                index[dim] += 1;
                if index[dim] < cell.dims[dim].count.unwrap_or(0) {
                    break;
                }
                index[dim] = 0;
            }
        }
    }

    fn initial_map(&mut self, elements: &[(Vec<u64>, BigInt)], bits: u32, ty: &Type) -> ExprId {
        let exprs = &mut self.program.exprs;
        let Type::Map(map) = ty else {
            let value = elements.first().map_or(BigInt::ZERO, |(_, value)| value.clone());
            return exprs.big(bits, &value);
        };
        let thread_local = map.args.len() > elements.first().map_or(map.args.len(), |(index, _)| index.len());
        if thread_local && map.args.len() == 1 {
            // One value for every thread.
            let value = exprs.big(bits, &elements[0].1);
            return exprs.add(ExprNode::ConstMap(ty.clone(), value));
        }
        let zero = exprs.bv(bits, 0);
        let mut value = exprs.add(ExprNode::ConstMap(ty.clone(), zero));
        if thread_local {
            self.errors.push(Diagnostic::error(
                Span::NONE,
                "thread-local arrays that do not start with zero are not supported",
            ));
        }
        for (index, element) in elements {
            let exprs = &mut self.program.exprs;
            let mut keys: Vec<ExprId> = Vec::new();
            if thread_local {
                keys.push(exprs.bv(INSTANCE_BITS, 0));
            }
            keys.extend(index.iter().map(|&i| exprs.bv(OFFSET_BITS, i)).collect::<Vec<_>>());
            let element = exprs.big(bits, element);
            value = exprs.add(ExprNode::Store(value, keys, element));
        }
        value
    }

    /// The bytes that a constant global holds from an offset on.
    pub(super) fn constant_bytes(&mut self, object: ObjectId, offset: u64) -> Option<&[u8]> {
        let ObjectKind::Global(global) = self.points_to.objects.all[object].kind else { return None };
        let declared = &self.module.globals[global];
        let init = declared.init.filter(|_| declared.constant)?;
        let (module, placements) = (self.module, &self.placements);
        let bytes =
            self.memory.images.entry(object).or_insert_with(|| image::image(module, placements, init));
        bytes.get(usize::try_from(offset).ok()?..)
    }

    /// The place of a synchronization object.
    pub(super) fn synchronization(
        &mut self,
        object: ObjectId,
        offset: u64,
        keys: Vec<ExprId>,
    ) -> Option<Place> {
        let ty = self.memory.synchronization_at(object, offset)?.clone();
        let global = if let Some(&global) = self.memory.objects.get(&(object, offset)) {
            global
        } else {
            let dims = dims_at(&self.points_to.objects.all[object].layout.cells, offset).len();
            let ty = self.keyed(object, dims, Type::Sync(ty));
            let name = self.object_path(object, offset);
            let name = self.memory.unique(name);
            let span = self.object_span(object);
            let global = self.program.globals.push(Global { name, ty, init: None, span });
            let name = self.synchronization_name(object, offset);
            self.program.presentation.globals.insert(global, Look { name, value: Shown::Unsigned });
            self.memory.objects.insert((object, offset), global);
            global
        };
        let place = Place::global(global);
        Some(if keys.is_empty() { place } else { place.at(keys) })
    }

    /// The global that says whether an object is alive, for objects where that can change.
    pub(super) fn alive(&mut self, object: ObjectId) -> Option<GlobalId> {
        let tracked = match self.points_to.objects.all[object].kind {
            ObjectKind::Heap(..) => self.memory.freed.contains(&object),
            ObjectKind::Stack(func, _) => {
                self.points_to.stored.contains(&object) && !self.roots.contains(&func)
            }
            ObjectKind::Global(_) | ObjectKind::Func(_) => false,
        };
        if !tracked {
            return None;
        }
        if let Some(&global) = self.memory.alive.get(&object) {
            return Some(global);
        }
        let ty = self.keyed(object, 0, Type::Bool);
        let dead = self.program.exprs.bool(false);
        let init = if ty == Type::Bool {
            dead
        } else {
            self.program.exprs.add(ExprNode::ConstMap(ty.clone(), dead))
        };
        let name = format!("$alive.{}", self.object_name(object));
        let name = self.memory.unique(name);
        let span = self.object_span(object);
        let global = self.program.globals.push(Global { name, ty, init: Some(init), span });
        self.memory.alive.insert(object, global);
        Some(global)
    }

    /// The global that holds the size of an object that has none of its own.
    pub(super) fn size(&mut self, object: ObjectId) -> Option<GlobalId> {
        if self.points_to.objects.all[object].layout.size.is_some() {
            return None;
        }
        if let Some(&global) = self.memory.sizes.get(&object) {
            return Some(global);
        }
        let ty = self.keyed(object, 0, Type::Bv(POINTER_BITS));
        let zero = self.program.exprs.bv(POINTER_BITS, 0);
        let init = match &ty {
            Type::Map(_) => self.program.exprs.add(ExprNode::ConstMap(ty.clone(), zero)),
            _ => zero,
        };
        let name = format!("$size.{}", self.object_name(object));
        let name = self.memory.unique(name);
        let span = self.object_span(object);
        let global = self.program.globals.push(Global { name, ty, init: Some(init), span });
        self.memory.sizes.insert(object, global);
        Some(global)
    }

    /// The global that counts the instances of an object.
    pub(super) fn counter(&mut self, object: ObjectId) -> GlobalId {
        if let Some(&global) = self.memory.counters.get(&object) {
            return global;
        }
        let init = Some(self.program.exprs.bv(INSTANCE_BITS, 0));
        let name = format!("$count.{}", self.object_name(object));
        let name = self.memory.unique(name);
        let span = self.object_span(object);
        let ty = Type::Bv(INSTANCE_BITS);
        let global = self.program.globals.push(Global { name, ty, init, span });
        self.memory.counters.insert(object, global);
        global
    }

    /// The value of a global of an object, for one instance.
    pub(super) fn of_instance(&mut self, global: GlobalId, instance: Option<ExprId>) -> ExprId {
        let ty = self.program.globals[global].ty.clone();
        let whole = self.program.exprs.add(ExprNode::Global(global, ty));
        match instance {
            Some(instance) => self.program.exprs.select(whole, vec![instance]),
            None => whole,
        }
    }

    /// What must hold when `bytes` bytes from `offset` on are accessed.
    pub(super) fn validity(
        &mut self,
        object: ObjectId,
        instance: Option<ExprId>,
        offset: ExprId,
        bytes: u64,
    ) -> Vec<(ExprId, &'static str)> {
        let mut valid = Vec::new();
        if let Some(alive) = self.alive(object) {
            let gone = match self.points_to.objects.all[object].kind {
                ObjectKind::Stack(..) => "use of a local variable after its function has returned",
                _ => "use after free",
            };
            valid.push((self.of_instance(alive, instance), gone));
        }
        if let Some(size) = self.size(object) {
            let size = self.of_instance(size, instance);
            let exprs = &mut self.program.exprs;
            let start = exprs.zero_extend(offset, POINTER_BITS);
            let bytes = exprs.bv(POINTER_BITS, bytes);
            let end = exprs.sum(start, bytes);
            valid.push((exprs.compare(crate::module::IntPredicate::Ule, end, size), OUT_OF_BOUNDS));
        }
        valid
    }

    /// Whether what an object held before can still be there when it comes to life again.
    pub(super) fn comes_again(&self, object: ObjectId) -> bool {
        match self.points_to.objects.all[object].kind {
            ObjectKind::Stack(func, _) => {
                self.instances(object) != Instances::Counted && self.activations.calls(func) == Times::Many
            }
            ObjectKind::Heap(..) => self.is_reused(object),
            _ => false,
        }
    }
}

/// What is said about an access outside of its object.
pub(super) const OUT_OF_BOUNDS: &str = "access out of bounds";
