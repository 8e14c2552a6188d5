//! Allocating, freeing, copying and filling memory.

use ir::{AccessOrder, BinaryOp, ExprId, ExprNode, Op, Place, Type};

use super::address::{Address, Base, POINTER_BITS, Pointer, instance_of, offset_of, points_into};
use super::bits::Bits;
use super::function::FunctionLowering;
use crate::activations::Instances;
use crate::module::{IntPredicate, Operand, ValueId};
use crate::objects::{ObjectId, ObjectKind, constant};
use crate::points_to::Target;

/// Blocks with more cells than this are copied and filled in a loop, if their elements are alike.
const MOST_STEPS: usize = 64;
/// Blocks with more cells than this are not copied or filled cell by cell.
pub(super) const MOST_CELLS: usize = 4096;

impl FunctionLowering<'_, '_> {
    /// Lowers a call that works on memory; returns whether it is one.
    pub(super) fn memory_call(&mut self, result: Option<ValueId>, name: &str, args: &[Operand]) -> bool {
        match name {
            "malloc" | "valloc" | "_Znwm" | "_Znam" | "_ZnwmRKSt9nothrow_t" | "_ZnamRKSt9nothrow_t" => {
                let size = args.first().map(|&arg| self.scalar(arg));
                self.allocate(result, size, false);
            }
            "aligned_alloc" | "memalign" => {
                let size = args.get(1).map(|&arg| self.scalar(arg));
                self.allocate(result, size, false);
            }
            "calloc" => {
                let parts: Vec<ExprId> = args.iter().map(|&arg| self.scalar(arg)).collect();
                let size = match parts.as_slice() {
                    [a, b] => Some(self.cx.program.exprs.operate(BinaryOp::BvMul, *a, *b)),
                    _ => None,
                };
                self.allocate(result, size, true);
            }
            "realloc" => {
                if let [pointer, size] = *args {
                    self.reallocate(result, pointer, size);
                }
            }
            "free" | "cfree" | "_ZdlPv" | "_ZdaPv" | "_ZdlPvm" | "_ZdaPvm" => {
                if let Some(&pointer) = args.first() {
                    self.free(pointer);
                }
            }
            "memcpy" | "memmove" => {
                if let [to, from, size, ..] = *args {
                    self.copy(to, from, size, name.contains("memmove"));
                    self.returned_operand(result, to);
                }
            }
            "memset" => {
                if let [to, byte, size, ..] = *args {
                    self.fill(to, byte, size);
                    self.returned_operand(result, to);
                }
            }
            _ if name.starts_with("llvm.memcpy.") || name.starts_with("llvm.memmove.") => {
                if let [to, from, size, ..] = *args {
                    self.copy(to, from, size, name.contains("memmove"));
                }
            }
            _ if name.starts_with("llvm.memset.") => {
                if let [to, byte, size, ..] = *args {
                    self.fill(to, byte, size);
                }
            }
            _ => return false,
        }
        true
    }

    fn returned_operand(&mut self, result: Option<ValueId>, operand: Operand) {
        if let Some(result) = result {
            let address = self.address(operand);
            self.addresses.insert(result, address);
        }
    }

    fn allocate(&mut self, result: Option<ValueId>, size: Option<ExprId>, zero: bool) {
        match (self.allocated(size, zero), result) {
            (Some(address), Some(result)) => {
                self.addresses.insert(result, address);
            }
            (Some(_), None) => {}
            (None, _) => self.refuse_call(result, "this allocation"),
        }
    }

    /// A new object.
    fn allocated(&mut self, size: Option<ExprId>, zero: bool) -> Option<Address> {
        let object = self.cx.points_to.objects.of(ObjectKind::Heap(self.func, self.site))?;
        // Programs preprocessed for machines of 32 bits have a smaller `size_t`.
        let size = size.map(|size| self.cx.program.exprs.zero_extend(size, POINTER_BITS));
        let instance = match self.cx.instances(object) {
            Instances::One => None,
            _ => Some(self.next_instance(object)),
        };
        let size = self.cx.size(object).zip(size);
        if let Some((_, bytes)) = size {
            self.limit_size(object, bytes);
        }
        self.bring_to_life(object, instance, size);
        if zero {
            self.zero(object, instance);
        }
        Some(Address { base: Base::Object(object, instance), bytes: 0, terms: smallvec::SmallVec::new() })
    }

    /// Runs with larger blocks than there is room for are not followed.
    fn limit_size(&mut self, object: ObjectId, bytes: ExprId) {
        let most = self.cx.placements.of(object).most_bytes();
        let exprs = &mut self.cx.program.exprs;
        let limit = exprs.bv(POINTER_BITS, most);
        let fits = exprs.compare(IntPredicate::Ule, bytes, limit);
        self.only_if(fits, &format!("a block of more than {most} bytes whose size is computed"));
    }

    /// A block keeps its place when its size changes: C allows that. Null is an allocation.
    fn reallocate(&mut self, result: Option<ValueId>, pointer: Operand, size: Operand) {
        let (number, bytes) = (self.scalar(pointer), self.scalar(size));
        let Some(result) = result else {
            self.unsupported("a `realloc` whose result is not used");
            return;
        };
        let locals = self.declare(result);
        let Some(&place) = locals.first() else { return };
        let after = self.block("after");
        let exprs = &mut self.cx.program.exprs;
        let null = exprs.bv(POINTER_BITS, 0);
        let fresh = exprs.equal(number, null);
        let next = self.branch(fresh);
        if let Some(address) = self.allocated(Some(bytes), false) {
            let new = self.number(&address);
            self.assign(place, new);
        }
        self.push(Op::Goto(after));
        self.builder.switch_to(next);
        let way = Pointer::from(pointer);
        let ways = self.ways(way, 0);
        if let Some(way) = ways.first() {
            self.limit_size(way.object, bytes);
        }
        self.follow(way, &ways, &mut |lowering, way| {
            let kind = lowering.cx.points_to.objects.all[way.object].kind;
            let Some(global) = lowering.cx.size(way.object).filter(|_| matches!(kind, ObjectKind::Heap(..)))
            else {
                lowering.unsupported("changing the size of what was not allocated");
                return;
            };
            let many = lowering.cx.instances(way.object) != Instances::One;
            let place = Place::global(global);
            let place = match way.keys.first() {
                Some(&instance) if many => place.at(vec![instance]),
                _ => place,
            };
            let op = Op::Assign { targets: vec![place], values: vec![bytes], order: AccessOrder::Atomic };
            lowering.checked_step(way, op);
        });
        self.assign(place, number);
        self.push(Op::Goto(after));
        self.builder.switch_to(after);
    }

    /// Sets all cells of a new object to zero.
    fn zero(&mut self, object: ObjectId, instance: Option<ExprId>) {
        let cells = self.cx.points_to.objects.all[object].layout.cells.len();
        for cell in 0..cells {
            let layout = &self.cx.points_to.objects.all[object].layout;
            let (dims, offset, size) =
                (layout.cells[cell].dims.len(), layout.cells[cell].offset, layout.cells[cell].size);
            if self.cx.memory.is_synchronization(object, offset) {
                continue;
            }
            let global = self.cx.cell(object, cell);
            let ty = self.cx.program.globals[global].ty.clone();
            let exprs = &mut self.cx.program.exprs;
            let nothing = exprs.bv(super::access::bits(size), 0);
            match (instance, dims) {
                (None, 0) => self.set(Place::global(global), nothing),
                (Some(instance), 0) => self.set(Place::global(global).at(vec![instance]), nothing),
                (None, _) => {
                    let all = exprs.add(ExprNode::ConstMap(ty, nothing));
                    self.set(Place::global(global), all);
                }
                // One of many arrays: a new instance has not been written yet, so it is enough to say what its cells are.
                (Some(instance), _) => self.zero_elements(object, cell, instance, nothing),
            }
        }
    }

    fn set(&mut self, place: Place, value: ExprId) {
        self.push(Op::Assign { targets: vec![place], values: vec![value], order: AccessOrder::Plain });
    }

    fn zero_elements(&mut self, object: ObjectId, cell: usize, instance: ExprId, nothing: ExprId) {
        let dims = self.cx.points_to.objects.all[object].layout.cells[cell].dims.clone();
        let [dim] = dims.as_slice() else {
            self.unsupported("clearing arrays of arrays in a new object");
            return;
        };
        let count = match dim.count {
            Some(count) => self.cx.program.exprs.bv(32, count),
            None => {
                let Some(size) = self.cx.size(object) else { return };
                let size = self.cx.of_instance(size, Some(instance));
                let exprs = &mut self.cx.program.exprs;
                let stride = exprs.bv(POINTER_BITS, dim.stride);
                let count = exprs.operate(BinaryOp::BvUdiv, size, stride);
                exprs.extract(count, 32, 0)
            }
        };
        let global = self.cx.cell(object, cell);
        self.repeat(count, &mut |lowering, index| {
            lowering.set(Place::global(global).at(vec![instance, index]), nothing);
        });
    }

    /// Does something for each index below `count`, a bit vector of 32 bits.
    pub(super) fn repeat(
        &mut self,
        count: ExprId,
        each: &mut dyn FnMut(&mut FunctionLowering<'_, '_>, ExprId),
    ) {
        let bound = self.temporary("$count", Type::Bv(32));
        let local = self.temporary("$index", Type::Bv(32));
        let zero = self.cx.program.exprs.bv(32, 0);
        self.assign(bound, count);
        self.assign(local, zero);
        let head = self.block("head");
        self.push(Op::Goto(head));
        self.builder.switch_to(head);
        let (index, bound) = (self.local_expr(local), self.local_expr(bound));
        let more = self.cx.program.exprs.compare(IntPredicate::Ult, index, bound);
        let after = self.branch(more);
        each(self, index);
        let exprs = &mut self.cx.program.exprs;
        let one = exprs.bv(32, 1);
        let next = exprs.sum(index, one);
        self.assign(local, next);
        self.push(Op::Goto(head));
        self.builder.switch_to(after);
    }

    fn free(&mut self, pointer: Operand) {
        let number = self.scalar(pointer);
        let targets = self.cx.points_to.targets(self.func, pointer).to_vec();
        let after = self.block("after");
        let exprs = &mut self.cx.program.exprs;
        let null = exprs.bv(POINTER_BITS, 0);
        let nothing = exprs.equal(number, null);
        let next = self.branch(nothing);
        self.push(Op::Goto(after));
        self.builder.switch_to(next);
        let mut objects: Vec<ObjectId> = targets.iter().map(|target| target.object).collect();
        objects.dedup();
        for object in objects {
            if !matches!(self.cx.points_to.objects.all[object].kind, ObjectKind::Heap(..)) {
                continue;
            }
            let Some(alive) = self.cx.alive(object) else { continue };
            let many = self.cx.instances(object) != Instances::One;
            let placement = self.cx.placements.of(object);
            let exprs = &mut self.cx.program.exprs;
            let (same, instance) = if many {
                let (low, zero) = (offset_of(exprs, number, placement), exprs.bv(32, 0));
                let (same, start) = (points_into(exprs, number, placement), exprs.equal(low, zero));
                (exprs.both(same, start), Some(instance_of(exprs, number, placement)))
            } else {
                let expected = exprs.bv(POINTER_BITS, placement.start);
                (exprs.equal(number, expected), None)
            };
            let next = self.branch(same);
            let lives = self.cx.of_instance(alive, instance);
            let place = match instance {
                Some(instance) => Place::global(alive).at(vec![instance]),
                None => Place::global(alive),
            };
            let dead = self.cx.program.exprs.bool(false);
            let (mut targets, mut values) = (vec![place], vec![dead]);
            if let (Some(instance), Some(list)) = (instance, self.cx.freed_list(object)) {
                self.give_back(list, instance, &mut targets, &mut values);
            }
            self.push(Op::AtomicBegin);
            self.require(lives, "double free");
            self.push(Op::Assign { targets, values, order: AccessOrder::Atomic });
            self.push(Op::AtomicEnd);
            self.push(Op::Goto(after));
            self.builder.switch_to(next);
        }
        let never = self.cx.program.exprs.bool(false);
        self.require(never, "free of what was not allocated");
        self.push(Op::Exit);
        self.builder.switch_to(after);
    }

    /// Copies what is passed by value into a variable of the function.
    pub(super) fn take_by_value(&mut self, param: ValueId) {
        let Some(object) = self.cx.points_to.objects.of(ObjectKind::Stack(self.func, param)) else { return };
        let given = self.scalar(Operand::Value(param));
        self.enter(param, object, None);
        let layout = &self.cx.points_to.objects.all[object].layout;
        let chunks = layout.chunks(0, layout.size.unwrap_or(0));
        if chunks.len() > MOST_CELLS {
            self.unsupported("a large struct that is passed by value");
            return;
        }
        for (at, bytes) in chunks {
            let to = Pointer::from(Operand::Value(param)).plus(at);
            let value = self.load_bytes(Pointer::given(param, given).plus(at), bytes);
            self.store(to, value, bytes, false);
        }
    }

    /// The borders of cells in the next `size` bytes from a pointer: offset and bytes of each, padding of all places left out. They are
    /// those of the place with the most room; if that is not enough, the first byte outside of it is one, too.
    pub(super) fn chunks(&self, pointer: Operand, size: u64) -> Vec<(u64, u64)> {
        let layout = |target: &Target| &self.cx.points_to.objects.all[target.object].layout;
        let room =
            |target: &Target| layout(target).size.map_or(u64::MAX, |size| size.saturating_sub(target.offset));
        let targets = self.cx.points_to.targets(self.func, pointer);
        let Some(target) = targets.iter().min_by_key(|target| std::cmp::Reverse(room(target))) else {
            return vec![(0, size.min(8))];
        };
        let mut chunks = layout(target).chunks(target.offset, size);
        // What is padding there can be something in another place.
        for other in targets.iter().filter(|other| layout(other) != layout(target)) {
            for (at, bytes) in layout(other).chunks(other.offset, size) {
                add_missing(&mut chunks, at, bytes);
            }
        }
        if room(target) < size {
            chunks.push((room(target), 1));
        }
        chunks
    }

    /// Whether a pointer can only point to synchronization objects. If it can point elsewhere, too, the access tells.
    fn is_synchronization(&self, pointer: Operand, size: u64) -> bool {
        let targets = self.cx.points_to.targets(self.func, pointer);
        let has = |target: &Target| self.cx.memory.has_synchronization(target.object, target.offset, size);
        !targets.is_empty() && targets.iter().all(has)
    }

    fn copy(&mut self, to: Operand, from: Operand, size: Operand, may_overlap: bool) {
        let overlaps = may_overlap && self.share_an_object(to, from);
        let known = constant(self.cx.module, size);
        let each = self.element(to).filter(|each| self.element(from) == Some(*each));
        let most = if each.is_some() { MOST_STEPS } else { MOST_CELLS };
        if let Some(bytes) = known {
            if bytes == 0 {
                return;
            }
            if self.is_synchronization(to, bytes) || self.is_synchronization(from, bytes) {
                self.unsupported("a copy of a synchronization object");
                return;
            }
            let chunks = self.chunks(to, bytes);
            if chunks.len() <= most {
                let mut loaded = Vec::new();
                for (at, bytes) in chunks {
                    let value = self.load_bytes(Pointer::from(from).plus(at), bytes);
                    if overlaps {
                        loaded.push((at, value, bytes));
                    } else {
                        self.store(Pointer::from(to).plus(at), value, bytes, false);
                    }
                }
                for (at, value, bytes) in loaded {
                    self.store(Pointer::from(to).plus(at), value, bytes, false);
                }
                return;
            }
        }
        let Some(each) = each else {
            self.unsupported("a copy of a large block whose elements differ");
            return;
        };
        let size = self.scalar(size);
        let (count, rest) = self.elements(size, each);
        let end = self.cx.program.exprs.zero_extend(count, POINTER_BITS);
        // A part of an element at the end is read before anything is written, and written after everything else.
        let mut last = Vec::new();
        self.for_rest(rest, each, &mut |lowering, bytes| {
            last.push((bytes, lowering.load_bytes(Pointer::from(from).at(end, each), bytes)));
        });
        let upwards = overlaps.then(|| {
            let (to, from) = (self.scalar(to), self.scalar(from));
            self.cx.program.exprs.compare(IntPredicate::Ugt, to, from)
        });
        self.repeat(count, &mut |lowering, index| {
            let exprs = &mut lowering.cx.program.exprs;
            let mut index = index;
            if let Some(upwards) = upwards {
                // What is moved upwards is moved from its end on.
                let one = exprs.bv(32, 1);
                let last = exprs.operate(BinaryOp::BvSub, count, one);
                let from_end = exprs.operate(BinaryOp::BvSub, last, index);
                index = exprs.choose(upwards, from_end, index);
            }
            let wide = exprs.zero_extend(index, POINTER_BITS);
            let value = lowering.load_bytes(Pointer::from(from).at(wide, each), each);
            lowering.store(Pointer::from(to).at(wide, each), value, each, false);
        });
        let mut last = last.into_iter();
        self.for_rest(rest, each, &mut |lowering, _| {
            if let Some((bytes, value)) = last.next() {
                lowering.store(Pointer::from(to).at(end, each), value, bytes, false);
            }
        });
    }

    fn share_an_object(&self, a: Operand, b: Operand) -> bool {
        let objects =
            |pointer| self.cx.points_to.targets(self.func, pointer).iter().map(|target| target.object);
        objects(a).any(|object| objects(b).any(|other| other == object))
    }

    /// How many elements of `each` bytes a size has, and how many bytes are left after them. No object has as many elements as the
    /// largest number.
    pub(super) fn elements(&mut self, size: ExprId, each: u64) -> (ExprId, ExprId) {
        const BITS: u32 = 32;
        let exprs = &mut self.cx.program.exprs;
        let size = exprs.zero_extend(size, POINTER_BITS);
        let divisor = exprs.bv(POINTER_BITS, each);
        let quotient = exprs.operate(BinaryOp::BvUdiv, size, divisor);
        let (largest, most) = (exprs.bv(POINTER_BITS, u32::MAX.into()), exprs.bv(BITS, u32::MAX.into()));
        let fits = exprs.compare(IntPredicate::Ult, quotient, largest);
        let count = exprs.extract(quotient, BITS, 0);
        let count = exprs.choose(fits, count, most);
        (count, exprs.operate(BinaryOp::BvUrem, size, divisor))
    }

    /// Does something for each number of bytes that can be left after elements of `each` bytes, if it is that many.
    pub(super) fn for_rest(
        &mut self,
        rest: ExprId,
        each: u64,
        step: &mut dyn FnMut(&mut FunctionLowering<'_, '_>, u64),
    ) {
        let exprs = &mut self.cx.program.exprs;
        let nothing = exprs.bv(POINTER_BITS, 0);
        let some = exprs.compare(IntPredicate::Ne, rest, nothing);
        if exprs.literal_bool(some) == Some(false) {
            return;
        }
        let after = self.branch(some);
        for bytes in 1..each {
            let exprs = &mut self.cx.program.exprs;
            let expected = exprs.bv(POINTER_BITS, bytes);
            let same = exprs.equal(rest, expected);
            let next = self.branch(same);
            step(self, bytes);
            self.push(Op::Goto(after));
            self.builder.switch_to(next);
        }
        self.push(Op::Goto(after));
        self.builder.switch_to(after);
    }

    /// The size of the elements of the arrays that a pointer points into, if it is one size. A cell of that size is an array of one.
    pub(super) fn element(&self, pointer: Operand) -> Option<u64> {
        let (mut found, mut is_array) = (None, false);
        for target in self.cx.points_to.targets(self.func, pointer) {
            let layout = &self.cx.points_to.objects.all[target.object].layout;
            let cell = layout.cells.iter().find(|cell| cell.offset == target.offset)?;
            if cell.dims.last().is_some_and(|dim| cell.size != dim.stride)
                || found.is_some_and(|size| size != cell.size)
            {
                return None;
            }
            is_array |= !cell.dims.is_empty();
            found = Some(cell.size);
        }
        found.filter(|_| is_array)
    }

    fn load_bytes(&mut self, from: Pointer, bytes: u64) -> ExprId {
        let ty = Type::Bv(super::access::bits(bytes));
        let local = self.temporary("$copied", ty.clone());
        self.load(local, from, &ty, bytes, false);
        self.local_expr(local)
    }

    fn fill(&mut self, to: Operand, byte: Operand, size: Operand) {
        let byte = self.scalar(byte);
        let byte = self.cx.program.exprs.extract(byte, 8, 0);
        let known = constant(self.cx.module, size);
        let each = self.element(to);
        let most = if each.is_some() { MOST_STEPS } else { MOST_CELLS };
        if let Some(bytes) = known {
            if bytes == 0 {
                return;
            }
            let chunks = self.chunks(to, bytes);
            if chunks.len() <= most {
                for (at, bytes) in chunks {
                    let pointer = Pointer::from(to).plus(at);
                    // Zero is how they start; anything else is no initial state.
                    let zero = self.cx.program.exprs.literal_u64(byte) == Some(0);
                    if !zero && self.has_synchronization_at(to, at) {
                        self.unsupported("filling a synchronization object");
                        continue;
                    }
                    let value = self.repeated(byte, bytes);
                    self.store(pointer, value, bytes, false);
                }
                return;
            }
        }
        let Some(each) = each else {
            self.unsupported("filling a large block whose elements differ");
            return;
        };
        let size = self.scalar(size);
        let (count, rest) = self.elements(size, each);
        let value = self.repeated(byte, each);
        self.repeat(count, &mut |lowering, index| {
            let wide = lowering.cx.program.exprs.zero_extend(index, POINTER_BITS);
            lowering.store(Pointer::from(to).at(wide, each), value, each, false);
        });
        let end = self.cx.program.exprs.zero_extend(count, POINTER_BITS);
        self.for_rest(rest, each, &mut |lowering, bytes| {
            let value = lowering.repeated(byte, bytes);
            lowering.store(Pointer::from(to).at(end, each), value, bytes, false);
        });
    }

    fn has_synchronization_at(&self, pointer: Operand, at: u64) -> bool {
        self.cx
            .points_to
            .targets(self.func, pointer)
            .iter()
            .any(|target| self.cx.memory.is_synchronization(target.object, target.offset + at))
    }

    fn repeated(&mut self, byte: ExprId, bytes: u64) -> ExprId {
        let exprs = &mut self.cx.program.exprs;
        let mut value = byte;
        for _ in 1..bytes {
            value = exprs.concat(byte, value);
        }
        value
    }
}

/// Adds what is missing of some bytes. Chunks are in order, and do not overlap.
fn add_missing(chunks: &mut Vec<(u64, u64)>, from: u64, bytes: u64) {
    let (mut at, end) = (from, from + bytes);
    let mut missing = Vec::new();
    for &(start, bytes) in chunks.iter().filter(|(start, bytes)| *start < end && from < start + bytes) {
        if at < start {
            missing.push((at, start - at));
        }
        at = start + bytes;
    }
    if at < end {
        missing.push((at, end - at));
    }
    if !missing.is_empty() {
        chunks.extend(missing);
        chunks.sort_unstable();
    }
}
