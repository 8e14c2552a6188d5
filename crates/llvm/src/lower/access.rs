//! Loads, stores and atomic instructions: each is one step.

use ir::{AccessOrder, BinaryOp, ExprId, ExprNode, LocalId, Op, Place, Type};

use super::address::{Base, Part, Pointer, Way};
use super::bits::Bits;
use super::context::leaves;
use super::function::FunctionLowering;
use super::memory::OUT_OF_BOUNDS;
use crate::module::{IntPredicate, Operand, Rmw, TypeId, TypeKind, ValueId};
use crate::objects::ObjectId;

/// What is said about an access that is not followed.
pub(super) const ACROSS_BORDER: &str = "an access across the border of an array";

/// What an access does, given the cells: the op that is the step.
type Step<'s> = dyn FnMut(&mut FunctionLowering<'_, '_>, &[Part]) -> Op + 's;

/// What an access does to memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    Reads,
    Writes,
    /// Writes zero.
    Clears,
}

impl FunctionLowering<'_, '_> {
    /// Follows a pointer to `bytes` bytes and does there what `step` says; once for each way, and a violation if it is
    /// none of them.
    pub(super) fn access(&mut self, pointer: Pointer, bytes: u64, effect: Effect, step: &mut Step<'_>) {
        let ways = self.ways(pointer, bytes);
        self.follow(pointer, &ways, &mut |lowering, way| match lowering.cells_of(way, bytes) {
            _ if effect == Effect::Clears
                && lowering.cx.memory.is_synchronization(way.object, way.offset) =>
            {
                lowering.clear_synchronization(way);
            }
            Ok(_) if lowering.cx.is_of_library(way.object) => {
                lowering.unsupported("looking into an object of the C++ library");
            }
            Ok(_) if effect != Effect::Reads && lowering.cx.is_constant(way.object) => {
                let never = lowering.cx.program.exprs.bool(false);
                lowering.require(never, "write to a constant");
                lowering.push(Op::Exit);
            }
            Ok(parts) => {
                let op = step(lowering, &parts);
                lowering.checked_step(way, op);
            }
            Err(what) => lowering.unsupported(&what),
        });
    }

    /// One step, with what must hold of memory checked in the same instant.
    pub(super) fn checked_step(&mut self, way: &Way, op: Op) {
        if way.valid.is_empty() {
            self.push(op);
            return;
        }
        self.push(Op::AtomicBegin);
        for (holds, message) in &way.valid {
            self.require(*holds, message);
        }
        self.push(op);
        self.push(Op::AtomicEnd);
    }

    /// Tells the ways apart and does something in each.
    pub(super) fn follow(
        &mut self,
        pointer: Pointer,
        ways: &[Way],
        each: &mut dyn FnMut(&mut FunctionLowering<'_, '_>, &Way),
    ) {
        let after = self.block("after");
        let mut certain = false;
        for way in ways {
            let next = way.guard.map(|guard| self.branch(guard));
            for &bound in &way.bounds {
                if let Some(inside) = way.inside {
                    let exprs = &mut self.cx.program.exprs;
                    let followed = exprs.negate(inside);
                    let followed = exprs.either(bound, followed);
                    self.only_if(followed, ACROSS_BORDER);
                }
                self.require(bound, OUT_OF_BOUNDS);
            }
            if let Some(fits) = way.fits {
                self.only_if(fits, ACROSS_BORDER);
            }
            each(self, way);
            self.push(Op::Goto(after));
            match next {
                Some(next) => self.builder.switch_to(next),
                None => {
                    certain = true;
                    break;
                }
            }
        }
        if !certain {
            for inside in ways.iter().filter_map(|way| way.inside) {
                let outside = self.cx.program.exprs.negate(inside);
                self.only_if(outside, ACROSS_BORDER);
            }
            self.invalid(pointer);
        }
        self.builder.switch_to(after);
    }

    /// No way to follow the pointer.
    fn invalid(&mut self, pointer: Pointer) {
        let address = self.base(pointer);
        let base = match address.base {
            Base::Pointer(base) => Some(base),
            Base::Object(..) => None,
        };
        let exprs = &mut self.cx.program.exprs;
        if let Some(base) = base {
            let null = exprs.bv(64, 0);
            let fine = exprs.compare(IntPredicate::Ne, base, null);
            self.require(fine, "null pointer dereference");
        }
        let never = self.cx.program.exprs.bool(false);
        let message = if base.is_some() { "invalid pointer" } else { OUT_OF_BOUNDS };
        self.require(never, message);
        self.push(Op::Exit);
    }

    /// What cells hold, from the lowest byte on.
    fn read(&mut self, parts: &[Part]) -> ExprId {
        let mut whole: Option<ExprId> = None;
        for part in parts {
            let exprs = &mut self.cx.program.exprs;
            let value = match part {
                Part::Padding(bytes) => exprs.bv(bits(*bytes), 0),
                Part::Cell { place, from, bytes, .. } => {
                    let cell = self.cx.read_place(place);
                    self.cx.program.exprs.extract(cell, bits(from + bytes), bits(*from))
                }
            };
            let exprs = &mut self.cx.program.exprs;
            whole = Some(whole.map_or(value, |low| exprs.concat(value, low)));
        }
        whole.unwrap_or_else(|| self.cx.program.exprs.bv(8, 0))
    }

    /// The assignments that put bits into cells, the lowest byte first.
    fn write(&mut self, parts: &[Part], value: ExprId) -> (Vec<Place>, Vec<ExprId>) {
        let (mut targets, mut values) = (Vec::new(), Vec::new());
        let mut at = 0;
        for part in parts {
            match part {
                Part::Padding(bytes) => at += bits(*bytes),
                Part::Cell { place, cell_bytes, from, bytes } => {
                    let mut new = self.cx.program.exprs.extract(value, at + bits(*bytes), at);
                    at += bits(*bytes);
                    let end = from + bytes;
                    if *from > 0 || end < *cell_bytes {
                        let old = self.cx.read_place(place);
                        let exprs = &mut self.cx.program.exprs;
                        if *from > 0 {
                            let low = exprs.extract(old, bits(*from), 0);
                            new = exprs.concat(new, low);
                        }
                        if end < *cell_bytes {
                            let high = exprs.extract(old, bits(*cell_bytes), bits(end));
                            new = exprs.concat(high, new);
                        }
                    }
                    targets.push(place.clone());
                    values.push(new);
                }
            }
        }
        (targets, values)
    }

    /// Bits from memory as a scalar.
    fn loaded(&mut self, bits: ExprId, ty: &Type) -> ExprId {
        let exprs = &mut self.cx.program.exprs;
        match ty {
            Type::Bool => {
                let low = exprs.extract(bits, 1, 0);
                let one = exprs.bv(1, 1);
                exprs.equal(low, one)
            }
            Type::Bv(width) => exprs.extract(bits, *width, 0),
            _ => bits,
        }
    }

    /// A scalar as bits for memory.
    fn stored(&mut self, value: ExprId, bytes: u64) -> ExprId {
        let exprs = &mut self.cx.program.exprs;
        if *exprs.ty(value) == Type::Bool {
            return exprs.bit(value, bits(bytes));
        }
        exprs.zero_extend(value, bits(bytes))
    }

    pub(super) fn lower_load(&mut self, result: Option<ValueId>, pointer: Operand, ty: TypeId, atomic: bool) {
        let Some(result) = result else { return };
        if let Some(parts) = self.constant_load(pointer, ty) {
            self.define(result, parts);
            return;
        }
        let locals = self.declare(result);
        let (parts, pointer) = (self.scalars_in(ty), Pointer::from(pointer));
        for (local, (offset, ty, bytes)) in locals.into_iter().zip(parts) {
            self.load(local, pointer.plus(offset), &ty, bytes, atomic);
        }
    }

    /// Loads a scalar into a local.
    pub(super) fn load(&mut self, local: LocalId, pointer: Pointer, ty: &Type, bytes: u64, atomic: bool) {
        let order = order(atomic);
        self.access(pointer, bytes, Effect::Reads, &mut |lowering, parts| {
            let found = lowering.read(parts);
            let value = lowering.loaded(found, ty);
            Op::Assign { targets: vec![Place::local(local)], values: vec![value], order }
        });
    }

    /// A load of what never changes.
    fn constant_load(&mut self, pointer: Operand, ty: TypeId) -> Option<Vec<ExprId>> {
        let address = self.address(pointer);
        let Base::Object(object, None) = address.base else { return None };
        if !address.terms.is_empty() {
            return None;
        }
        let mut parts = Vec::new();
        for (offset, ty, bytes) in self.scalars_in(ty) {
            let at = u64::try_from(address.bytes).ok()? + offset;
            let found = self.cx.constant_bytes(object, at)?.get(..usize::try_from(bytes).ok()?)?;
            let value = num_bigint::BigUint::from_bytes_le(found);
            let value = self.cx.program.exprs.unsigned(bits(bytes), &value);
            parts.push(self.loaded(value, &ty));
        }
        Some(parts)
    }

    pub(super) fn lower_store(&mut self, value: Operand, pointer: Operand, atomic: bool) {
        let ty = self.type_of(value);
        let parts = self.parts(value);
        let (scalars, pointer) = (self.scalars_in(ty), Pointer::from(pointer));
        for (value, (offset, _, bytes)) in parts.into_iter().zip(scalars) {
            self.store(pointer.plus(offset), value, bytes, atomic);
        }
    }

    /// Stores a scalar.
    pub(super) fn store(&mut self, pointer: Pointer, value: ExprId, bytes: u64, atomic: bool) {
        let value = self.stored(value, bytes);
        let order = order(atomic);
        let clears = self.cx.program.exprs.literal_u64(value) == Some(0);
        let effect = if clears { Effect::Clears } else { Effect::Writes };
        self.access(pointer, bytes, effect, &mut |lowering, parts| {
            let (targets, values) = lowering.write(parts, value);
            Op::Assign { targets, values, order }
        });
    }

    pub(super) fn lower_rmw(&mut self, result: Option<ValueId>, op: Rmw, pointer: Operand, value: Operand) {
        let ty = self.type_of(value);
        let bytes = self.cx.module.types[ty].size;
        let by = self.scalar(value);
        let old = match result {
            Some(result) => self.declare(result).first().copied(),
            None => None,
        };
        if op == Rmw::Other || matches!(self.cx.module.types[ty].kind, TypeKind::Float(_)) {
            self.unsupported("this atomic instruction");
            return;
        }
        let ty = leaves(self.cx.module, ty).into_iter().next().unwrap_or(Type::Bool);
        self.access(pointer.into(), bytes, Effect::Writes, &mut |lowering, parts| {
            let found = lowering.read(parts);
            let before = lowering.loaded(found, &ty);
            let after = lowering.modified(op, before, by);
            let after = lowering.stored(after, bytes);
            let (mut targets, mut values) = lowering.write(parts, after);
            if let Some(old) = old {
                targets.push(Place::local(old));
                values.push(before);
            }
            Op::Assign { targets, values, order: AccessOrder::Atomic }
        });
    }

    fn modified(&mut self, op: Rmw, old: ExprId, by: ExprId) -> ExprId {
        let exprs = &mut self.cx.program.exprs;
        let smaller = |exprs: &mut ir::ExprPool, predicate: IntPredicate| {
            let keep = exprs.compare(predicate, old, by);
            exprs.choose(keep, old, by)
        };
        match op {
            Rmw::Xchg | Rmw::Other => by,
            Rmw::Add => exprs.operate(BinaryOp::BvAdd, old, by),
            Rmw::Sub => exprs.operate(BinaryOp::BvSub, old, by),
            Rmw::And => exprs.operate(BinaryOp::BvAnd, old, by),
            Rmw::Or => exprs.operate(BinaryOp::BvOr, old, by),
            Rmw::Xor => exprs.operate(BinaryOp::BvXor, old, by),
            Rmw::Nand => {
                let and = exprs.operate(BinaryOp::BvAnd, old, by);
                exprs.pool().add(ExprNode::Unary(ir::UnaryOp::BvNot, and))
            }
            Rmw::Max => smaller(exprs, IntPredicate::Sgt),
            Rmw::Min => smaller(exprs, IntPredicate::Slt),
            Rmw::UMax => smaller(exprs, IntPredicate::Ugt),
            Rmw::UMin => smaller(exprs, IntPredicate::Ult),
        }
    }

    pub(super) fn lower_cmpxchg(
        &mut self,
        result: Option<ValueId>,
        pointer: Operand,
        expected: Operand,
        new: Operand,
    ) {
        let ty = self.type_of(new);
        let bytes = self.cx.module.types[ty].size;
        let (expected, new) = (self.scalar(expected), self.scalar(new));
        let locals = result.map(|result| self.declare(result)).unwrap_or_default();
        let leaf = leaves(self.cx.module, ty).into_iter().next().unwrap_or(Type::Bool);
        self.access(pointer.into(), bytes, Effect::Writes, &mut |lowering, parts| {
            let found = lowering.read(parts);
            let before = lowering.loaded(found, &leaf);
            let exprs = &mut lowering.cx.program.exprs;
            let same = exprs.equal(before, expected);
            let after = exprs.choose(same, new, before);
            let after = lowering.stored(after, bytes);
            let (mut targets, mut values) = lowering.write(parts, after);
            for (&local, value) in locals.iter().zip([before, same]) {
                targets.push(Place::local(local));
                values.push(value);
            }
            Op::Assign { targets, values, order: AccessOrder::Atomic }
        });
    }

    /// The scalars of a type in memory: offset, type of the value, bytes.
    pub(super) fn scalars_in(&self, ty: TypeId) -> Vec<(u64, Type, u64)> {
        fn collect(
            lowering: &FunctionLowering<'_, '_>,
            ty: TypeId,
            at: u64,
            found: &mut Vec<(u64, Type, u64)>,
        ) {
            let module = lowering.cx.module;
            match &module.types[ty].kind {
                TypeKind::Array { element, count } | TypeKind::Vector { element, count } => {
                    for index in 0..*count {
                        collect(lowering, *element, at + index * module.types[*element].size, found);
                    }
                }
                TypeKind::Struct { fields, .. } => {
                    for (offset, field) in fields {
                        collect(lowering, *field, at + offset, found);
                    }
                }
                _ => {
                    if let Some(leaf) = leaves(module, ty).into_iter().next() {
                        let bytes = match leaf {
                            Type::Bv(bits) => u64::from(bits.div_ceil(8)),
                            _ => 1,
                        };
                        found.push((at, leaf, bytes));
                    }
                }
            }
        }
        let mut found = Vec::new();
        collect(self, ty, 0, &mut found);
        found
    }

    /// Brings an object to life: its cells are arbitrary, and it can be used.
    pub(super) fn bring_to_life(
        &mut self,
        object: ObjectId,
        instance: Option<ExprId>,
        size: Option<(ir::GlobalId, ExprId)>,
    ) {
        let keyed = |global: ir::GlobalId| match instance {
            Some(instance) => Place::global(global).at(vec![instance]),
            None => Place::global(global),
        };
        let (mut targets, mut values) = (Vec::new(), Vec::new());
        if let Some(alive) = self.cx.alive(object) {
            targets.push(keyed(alive));
            values.push(self.cx.program.exprs.bool(true));
        }
        if let Some((global, bytes)) = size {
            targets.push(keyed(global));
            values.push(bytes);
        }
        if self.cx.comes_again(object) && !self.cx.is_padding(object) {
            let mut forgotten = Vec::new();
            for cell in 0..self.cx.points_to.objects.all[object].layout.cells.len() {
                let layout = &self.cx.points_to.objects.all[object].layout;
                let (dims, offset) = (layout.cells[cell].dims.len(), layout.cells[cell].offset);
                // Arrays keep what they held: reading that is a mistake that is not looked for.
                if dims == 0 && !self.cx.memory.is_synchronization(object, offset) {
                    let global = self.cx.cell(object, cell);
                    forgotten.push(keyed(global));
                }
            }
            if !forgotten.is_empty() {
                self.push(Op::Havoc { targets: forgotten });
            }
        }
        if !targets.is_empty() {
            self.push(Op::Assign { targets, values, order: AccessOrder::Atomic });
        }
    }

    /// The number of a new instance of an object.
    pub(super) fn next_instance(&mut self, object: ObjectId) -> ExprId {
        let counter = self.cx.counter(object);
        let ty = Type::Bv(super::address::INSTANCE_BITS);
        let local = self.temporary("$instance", ty.clone());
        let exprs = &mut self.cx.program.exprs;
        let count = exprs.add(ExprNode::Global(counter, ty));
        let one = exprs.bv(super::address::INSTANCE_BITS, 1);
        let next = exprs.operate(BinaryOp::BvAdd, count, one);
        let (mut targets, mut values) =
            (vec![Place::local(local), Place::global(counter)], vec![count, next]);
        if let Some(list) = self.cx.freed_list(object) {
            let (number, count, taken) = self.take_freed(list, count, next);
            values = vec![number, count];
            for (place, value) in taken {
                targets.push(place);
                values.push(value);
            }
        }
        self.push(Op::Assign { targets, values, order: AccessOrder::Atomic });
        let number = self.local_expr(local);
        let most = self.cx.placements.of(object).most_instances() - 1;
        let exprs = &mut self.cx.program.exprs;
        let limit = exprs.bv(super::address::INSTANCE_BITS, most);
        let fits = exprs.compare(IntPredicate::Ult, number, limit);
        if self.cx.options.reuse {
            // Infinite executions are followed for fewer rounds of a loop than that.
            self.push(Op::Assume(fits));
        } else {
            self.only_if(fits, &format!("more than {most} objects from one place in the program"));
        }
        number
    }
}

fn order(atomic: bool) -> AccessOrder {
    if atomic { AccessOrder::Atomic } else { AccessOrder::Plain }
}

pub(super) fn bits(bytes: u64) -> u32 {
    u32::try_from(8 * bytes).unwrap_or(u32::MAX)
}
