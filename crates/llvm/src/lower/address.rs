//! Addresses, and the ways in which a pointer can be followed.
//!
//! A pointer is a number of 64 bits (see [`super::placement`]). So casts, arithmetic and comparison are what they are in
//! the machine, and null is zero. An address whose object is known
//! is kept in parts, so that `buf[i]` becomes a cell with the index `i`, and not a computation on numbers.

use ir::{BinaryOp, ExprId, Place};
use smallvec::SmallVec;

use super::bits::Bits;
use super::function::FunctionLowering;
use super::memory::OUT_OF_BOUNDS;
use super::placement::Placement;
use crate::activations::Instances;
use crate::gep::{self, Term};
use crate::layout::{Cell, Dim, Piece};
use crate::module::{IntPredicate, Op, Operand, ValueId};
use crate::objects::{ObjectId, ObjectKind};
use crate::points_to::Target;

/// Bits of an index, and of the offset in an object.
pub(super) const OFFSET_BITS: u32 = 32;
/// Bits of the number of an instance.
pub(super) const INSTANCE_BITS: u32 = 16;
/// Bits of a pointer.
pub(super) const POINTER_BITS: u32 = 64;

/// A pointer in parts: a base, a constant number of bytes, and multiples of computed numbers.
#[derive(Clone, Debug)]
pub(super) struct Address {
    pub(super) base: Base,
    pub(super) bytes: i64,
    /// Each a bit vector of 64 bits, and how many bytes it counts.
    pub(super) terms: SmallVec<[(ExprId, u64); 2]>,
}

/// What an address starts from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Base {
    /// A known object; the instance, if there are several.
    Object(ObjectId, Option<ExprId>),
    /// A pointer that was computed.
    Pointer(ExprId),
}

/// An operand and a number of bytes after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pointer {
    pub(super) operand: Operand,
    plus: u64,
    /// An index, a bit vector of 64 bits, and the bytes it counts.
    index: Option<(ExprId, u64)>,
    /// The pointer that a caller gave for a parameter that is passed by value.
    incoming: Option<ExprId>,
    /// Whether it goes through a block, whatever is in it.
    block: bool,
}

impl From<Operand> for Pointer {
    fn from(operand: Operand) -> Self {
        Pointer { operand, plus: 0, index: None, incoming: None, block: false }
    }
}

impl Pointer {
    /// So many bytes further on.
    pub(super) fn plus(self, bytes: u64) -> Pointer {
        Pointer { plus: self.plus + bytes, ..self }
    }

    /// What the caller gave for a parameter that is passed by value.
    pub(super) fn given(param: ValueId, pointer: ExprId) -> Pointer {
        Pointer { incoming: Some(pointer), ..Pointer::from(Operand::Value(param)) }
    }

    /// The element of an index in a block.
    pub(super) fn at(self, index: ExprId, stride: u64) -> Pointer {
        Pointer { index: Some((index, stride)), block: true, ..self }
    }
}

/// A part of a cell that an access touches.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// Bytes of a cell.
    Cell { place: Place, cell_bytes: u64, from: u64, bytes: u64 },
    /// Bytes that belong to no cell.
    Padding(u64),
}

/// One way in which a pointer can be followed.
#[derive(Clone, Debug)]
pub(super) struct Way {
    /// When it is this one; none if always.
    pub(super) guard: Option<ExprId>,
    /// What must hold of the indices.
    pub(super) bounds: Vec<ExprId>,
    /// What must hold, too, for the access to be followed: that it does not cross the border of an array.
    pub(super) fits: Option<ExprId>,
    /// For pointers that may leave an array and come to other parts of its object: whether they are in that.
    pub(super) inside: Option<ExprId>,
    /// What must hold of the state of memory: that the object is alive, and large enough.
    pub(super) valid: Vec<(ExprId, &'static str)>,
    /// The object and the cell's canonical offset.
    pub(super) object: ObjectId,
    pub(super) offset: u64,
    /// Instance and indices.
    pub(super) keys: Vec<ExprId>,
    /// How many of the keys are indices.
    pub(super) dims: usize,
}

impl FunctionLowering<'_, '_> {
    /// An operand as an address.
    pub(super) fn address(&mut self, operand: Operand) -> Address {
        match operand {
            Operand::Value(value) => {
                if let Some(address) = self.addresses.get(&value) {
                    return address.clone();
                }
                let pointer = self.scalar(operand);
                self.address_of_number(pointer)
            }
            Operand::Const(_) => {
                let pointer = self.scalar(operand);
                self.address_of_number(pointer)
            }
        }
    }

    /// A literal can be taken apart again.
    fn address_of_number(&mut self, pointer: ExprId) -> Address {
        let exprs = &mut self.cx.program.exprs;
        let object = exprs.literal_u64(pointer).and_then(|number| {
            let (id, offset) = self.cx.placements.at(number)?;
            let one = self.cx.instances(id) == Instances::One;
            one.then_some((id, offset))
        });
        match object {
            Some((id, offset)) => Address {
                base: Base::Object(id, None),
                bytes: i64::try_from(offset).unwrap_or(0),
                terms: SmallVec::new(),
            },
            None => Address { base: Base::Pointer(pointer), bytes: 0, terms: SmallVec::new() },
        }
    }

    /// The address that a GEP computes; none if it is not understood.
    pub(super) fn gep(&mut self, op: &Op) -> Option<Address> {
        let Op::Gep { base, element, indices } = op else { return None };
        let displacement = gep::displacement(self.cx.module, *element, indices)?;
        let mut address = self.address(*base);
        address.bytes = address.bytes.checked_add(displacement.bytes)?;
        for Term { index, stride, .. } in displacement.terms {
            let index = self.scalar(index);
            let index = self.cx.program.exprs.sign_extend(index, POINTER_BITS);
            address.terms.push((index, stride));
        }
        Some(address)
    }

    /// An address as a number.
    pub(super) fn number(&mut self, address: &Address) -> ExprId {
        let placement = match address.base {
            Base::Object(object, _) => Some(self.cx.placements.of(object)),
            Base::Pointer(_) => None,
        };
        let exprs = &mut self.cx.program.exprs;
        let start = match address.base {
            Base::Pointer(pointer) => pointer,
            Base::Object(_, instance) => {
                let start = exprs.bv(POINTER_BITS, placement.map_or(0, |placement| placement.start));
                match instance {
                    None => start,
                    Some(instance) => {
                        let wide = exprs.zero_extend(instance, POINTER_BITS);
                        let by = placement.map_or(0, |placement| placement.offset_bits);
                        let by = exprs.bv(POINTER_BITS, u64::from(by));
                        let shifted = exprs.operate(BinaryOp::BvShl, wide, by);
                        exprs.sum(start, shifted)
                    }
                }
            }
        };
        plus_displacement(exprs, start, address)
    }

    /// Where a pointer starts from.
    pub(super) fn base(&mut self, pointer: Pointer) -> Address {
        match pointer.incoming {
            Some(given) => self.address_of_number(given),
            None => self.address(pointer.operand),
        }
    }

    /// The ways in which `pointer` can be followed.
    pub(super) fn ways(&mut self, pointer: Pointer, bytes: u64) -> Vec<Way> {
        let mut address = self.base(pointer);
        let mut targets = match (pointer.incoming, pointer.operand) {
            (Some(_), Operand::Value(param)) => {
                self.cx.points_to.incoming.get(&(self.func, param)).cloned().unwrap_or_default()
            }
            _ => self.cx.points_to.targets(self.func, pointer.operand).to_vec(),
        };
        address.terms.extend(pointer.index);
        if pointer.plus > 0 {
            let plus = i64::try_from(pointer.plus).unwrap_or(i64::MAX);
            address.bytes = address.bytes.saturating_add(plus);
            let objects = &self.cx.points_to.objects.all;
            targets = targets
                .iter()
                .flat_map(|&Target { object, offset }| {
                    let moved = objects[object].layout.moved(offset, plus);
                    moved.into_iter().map(move |offset| Target { object, offset })
                })
                .collect();
        }
        if let Base::Object(object, _) = address.base {
            targets.retain(|target| target.object == object);
            if address.terms.is_empty() {
                let layout = &self.cx.points_to.objects.all[object].layout;
                targets = layout
                    .canonical(address.bytes)
                    .map(|offset| Target { object, offset })
                    .into_iter()
                    .collect();
            }
        }
        let single = targets.len() == 1;
        let mut ways = Vec::new();
        for target in targets {
            let object = &self.cx.points_to.objects.all[target.object];
            if matches!(object.kind, ObjectKind::Func(_)) {
                continue;
            }
            if object.layout.size.is_some_and(|size| target.offset >= size) {
                continue;
            }
            let dims = dims_at(&object.layout.cells, target.offset);
            if let Some(mut way) = self.way(&address, target.object, target.offset, &dims, bytes, single) {
                let plain = !self.cx.memory.is_synchronization(target.object, target.offset);
                let walked = bytes == 1 && self.cx.points_to.walked.contains(&target);
                if plain && (walked || pointer.block) {
                    way.inside = self.inside(&address, &way);
                }
                ways.push(way);
            }
        }
        ways
    }

    fn way(
        &mut self,
        address: &Address,
        object: ObjectId,
        offset: u64,
        dims: &[Dim],
        bytes: u64,
        single: bool,
    ) -> Option<Way> {
        let mut guards = Vec::new();
        let many = self.cx.instances(object) != Instances::One;
        let number = self.number(address);
        let placement = self.cx.placements.of(object);
        let exprs = &mut self.cx.program.exprs;
        let instance = match address.base {
            Base::Object(_, instance) => instance,
            Base::Pointer(_) => {
                if !many && dims.is_empty() {
                    let expected = exprs.bv(POINTER_BITS, placement.start + offset);
                    guards.push(exprs.equal(number, expected));
                } else {
                    guards.push(points_into(exprs, number, placement));
                }
                many.then(|| instance_of(exprs, number, placement))
            }
        };
        let low = offset_of(exprs, number, placement);
        let known = matches!(address.base, Base::Object(..));
        let mut keys: Vec<ExprId> = instance.into_iter().collect();
        let mut bounds = Vec::new();
        let direct = if known { direct_indices(exprs, address, offset, dims) } else { None };
        // That a computed offset is in the range of the object: what is above that is not seen in the bits of the offset.
        let mut in_range = None;
        match direct {
            Some(indices) => {
                for (index, dim) in indices.into_iter().zip(dims) {
                    if let Some(count) = dim.count {
                        let inside = below(exprs, index, count);
                        if single { bounds.push(inside) } else { guards.push(inside) }
                    } else {
                        let room = (1_u64 << placement.offset_bits).saturating_sub(dim.start);
                        in_range = Some(below(exprs, index, room / dim.stride));
                    }
                    keys.push(exprs.extract(index, OFFSET_BITS, 0));
                }
            }
            None => {
                if known && !address.terms.is_empty() {
                    let zero = exprs.bv(POINTER_BITS, 0);
                    let distance = plus_displacement(exprs, zero, address);
                    let high = exprs.extract(distance, POINTER_BITS, placement.offset_bits);
                    let nothing = exprs.bv(POINTER_BITS - placement.offset_bits, 0);
                    in_range = Some(exprs.equal(high, nothing));
                }
                let mut at = low;
                for dim in dims {
                    let start = exprs.bv(OFFSET_BITS, dim.start);
                    let stride = exprs.bv(OFFSET_BITS, dim.stride);
                    let relative = exprs.operate(BinaryOp::BvSub, at, start);
                    let (index, rest) = divided(exprs, relative, dim.stride, stride);
                    if let Some(count) = dim.count {
                        let count = exprs.bv(OFFSET_BITS, count);
                        let inside = exprs.compare(IntPredicate::Ult, index, count);
                        // With several places in one object, beyond the end of one is another.
                        if single { bounds.push(inside) } else { guards.push(inside) }
                    }
                    keys.push(index);
                    at = exprs.sum(start, rest);
                }
                let plain = !known && !many && dims.is_empty();
                if !plain {
                    let expected = exprs.bv(OFFSET_BITS, offset);
                    let here = exprs.equal(at, expected);
                    // With one target only, another offset is an error, not another way.
                    if single && known { bounds.push(here) } else { guards.push(here) }
                }
            }
        }
        let mut fits = None;
        let layout = &self.cx.points_to.objects.all[object].layout;
        let reach = layout.reach(offset, bytes);
        if reach > 0
            && let Some(Dim { start, stride, count: Some(count) }) = dims.last()
            && let Some(&index) = keys.last()
        {
            let most = exprs.bv(OFFSET_BITS, count.saturating_sub(reach));
            let inside = exprs.compare(IntPredicate::Ult, index, most);
            let ends = dims.len() == 1 && layout.size == Some(start + stride * count);
            if ends { bounds.push(inside) } else { fits = Some(inside) }
        }
        let mut guard = None;
        for each in guards {
            guard = Some(guard.map_or(each, |guard| exprs.both(guard, each)));
        }
        match guard.and_then(|guard| exprs.literal_bool(guard)) {
            Some(true) => guard = None,
            Some(false) => return None,
            None => {}
        }
        let mut valid = self.cx.validity(object, instance, low, bytes);
        let exprs = &mut self.cx.program.exprs;
        if let Some(in_range) = in_range {
            match valid.iter_mut().find(|(_, message)| *message == OUT_OF_BOUNDS) {
                Some((fits, _)) => *fits = exprs.both(in_range, *fits),
                None => bounds.push(in_range),
            }
        }
        bounds.retain(|bound| exprs.literal_bool(*bound) != Some(true));
        Some(Way { guard, bounds, fits, inside: None, valid, object, offset, keys, dims: dims.len() })
    }

    /// Whether an address is in an object, if it may leave an array there: bytes of a struct can be gone through from its start, and if
    /// that is an array of characters, such a pointer looks as one to them.
    fn inside(&mut self, address: &Address, way: &Way) -> Option<ExprId> {
        let object = way.object;
        let layout = &self.cx.points_to.objects.all[object].layout;
        let size = layout.size.filter(|_| layout.begins_struct(way.offset))?;
        let number = self.number(address);
        let placement = self.cx.placements.of(object);
        let exprs = &mut self.cx.program.exprs;
        let (here, low) = (points_into(exprs, number, placement), offset_of(exprs, number, placement));
        let size = exprs.bv(OFFSET_BITS, size);
        let below = exprs.compare(IntPredicate::Ult, low, size);
        Some(exprs.both(here, below))
    }

    /// The cells of a way, as places.
    pub(super) fn cells_of(&mut self, way: &Way, bytes: u64) -> Result<Vec<Part>, String> {
        let layout = &self.cx.points_to.objects.all[way.object].layout;
        let Some(pieces) = layout.pieces(way.offset, bytes) else {
            return Err("an access outside of the object".to_owned());
        };
        let mut parts = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Padding(bytes) => parts.push(Part::Padding(bytes)),
                Piece::Cell { cell, shift, from, bytes } => {
                    let (cell_bytes, dims, offset) = {
                        let cell = &self.cx.points_to.objects.all[way.object].layout.cells[cell];
                        (cell.size, cell.dims.len(), cell.offset)
                    };
                    let mut keys = way.keys.clone();
                    if dims != way.dims {
                        if way.dims > 0 || dims > 1 {
                            return Err(super::access::ACROSS_BORDER.to_owned());
                        }
                        let first = self.cx.program.exprs.bv(OFFSET_BITS, 0);
                        keys.push(first);
                    }
                    if self.cx.memory.is_synchronization(way.object, offset) {
                        return Err("a plain access to a synchronization object".to_owned());
                    }
                    if shift > 0
                        && let Some(last) = keys.last_mut()
                    {
                        let exprs = &mut self.cx.program.exprs;
                        let by = exprs.bv(OFFSET_BITS, shift);
                        *last = exprs.sum(*last, by);
                    }
                    let global = self.cx.cell(way.object, cell);
                    let mut place = Place::global(global);
                    if !keys.is_empty() {
                        place = place.at(keys);
                    }
                    parts.push(Part::Cell { place, cell_bytes, from, bytes });
                }
            }
        }
        Ok(parts)
    }
}

/// A number, and what is added to the base of an address.
fn plus_displacement(exprs: &mut ir::ExprPool, to: ExprId, address: &Address) -> ExprId {
    let bytes = exprs.big(POINTER_BITS, &address.bytes.into());
    let mut sum = exprs.sum(to, bytes);
    for &(index, stride) in &address.terms {
        let stride = exprs.bv(POINTER_BITS, stride);
        let term = exprs.operate(BinaryOp::BvMul, index, stride);
        sum = exprs.sum(sum, term);
    }
    sum
}

/// Whether a pointer points into the range of an object.
pub(super) fn points_into(exprs: &mut ir::ExprPool, number: ExprId, placement: Placement) -> ExprId {
    let from = placement.bits();
    let found = exprs.extract(number, POINTER_BITS, from);
    let expected = exprs.bv(POINTER_BITS - from, placement.start >> from);
    exprs.equal(found, expected)
}

/// The instance that a pointer points into.
pub(super) fn instance_of(exprs: &mut ir::ExprPool, number: ExprId, placement: Placement) -> ExprId {
    let bits = exprs.extract(number, placement.bits(), placement.offset_bits);
    exprs.zero_extend(bits, INSTANCE_BITS)
}

/// The offset in the instance that a pointer points into.
pub(super) fn offset_of(exprs: &mut ir::ExprPool, number: ExprId, placement: Placement) -> ExprId {
    let low = exprs.extract(number, placement.offset_bits, 0);
    exprs.zero_extend(low, OFFSET_BITS)
}

/// The arrays around the cell at a canonical offset.
pub(super) fn dims_at(cells: &[Cell], offset: u64) -> Vec<Dim> {
    let after = cells.partition_point(|cell| cell.offset <= offset);
    after.checked_sub(1).map(|cell| cells[cell].dims.clone()).unwrap_or_default()
}

/// The indices, where the parts of the address are multiples of the strides of the arrays.
fn direct_indices(
    exprs: &mut ir::ExprPool,
    address: &Address,
    offset: u64,
    dims: &[Dim],
) -> Option<Vec<ExprId>> {
    let mut terms = address.terms.clone();
    let mut rest = address.bytes;
    let mut indices = Vec::new();
    for dim in dims {
        let stride = i64::try_from(dim.stride).ok()?;
        let start = i64::try_from(dim.start).ok()?;
        let mut index = exprs.big(POINTER_BITS, &(rest - start).div_euclid(stride).into());
        rest = start + (rest - start).rem_euclid(stride);
        let mut left = SmallVec::new();
        for (term, by) in terms {
            if by.is_multiple_of(dim.stride) {
                let factor = exprs.bv(POINTER_BITS, by / dim.stride);
                let multiple = exprs.operate(BinaryOp::BvMul, term, factor);
                index = exprs.sum(index, multiple);
            } else {
                left.push((term, by));
            }
        }
        terms = left;
        indices.push(index);
    }
    (terms.is_empty() && u64::try_from(rest) == Ok(offset)).then_some(indices)
}

/// `index < count`, for an index of 64 bits; in 32 bits where it was widened from there.
fn below(exprs: &mut ir::ExprPool, index: ExprId, count: u64) -> ExprId {
    if count < 1 << 31
        && let ir::ExprNode::Unary(ir::UnaryOp::SignExtend(_) | ir::UnaryOp::ZeroExtend(_), inner) =
            *exprs.node(index)
    {
        let width = exprs.width(inner);
        if width == 32 {
            let count = exprs.bv(width, count);
            return exprs.compare(IntPredicate::Ult, inner, count);
        }
    }
    let count = exprs.bv(POINTER_BITS, count);
    exprs.compare(IntPredicate::Ult, index, count)
}

/// Quotient and remainder by a constant.
fn divided(exprs: &mut ir::ExprPool, value: ExprId, by: u64, by_expr: ExprId) -> (ExprId, ExprId) {
    if by.is_power_of_two() {
        let shift = exprs.bv(OFFSET_BITS, u64::from(by.trailing_zeros()));
        let mask = exprs.bv(OFFSET_BITS, by - 1);
        return (exprs.operate(BinaryOp::BvLshr, value, shift), exprs.operate(BinaryOp::BvAnd, value, mask));
    }
    (exprs.operate(BinaryOp::BvUdiv, value, by_expr), exprs.operate(BinaryOp::BvUrem, value, by_expr))
}
