//! How an object of memory is divided into cells.
//!
//! A cell is a scalar of the object's type. An array that is indexed only by constants is as many cells as it has
//! elements; one that is indexed by computed numbers is *folded*: all its elements are one cell with an index. So each
//! byte offset has a *canonical* offset, that of the same place in the first element of every folded array around it.
//! Accesses that do not match a cell are made of pieces of several ([`Layout::pieces`]), so every view of memory is exact.

mod build;

use std::collections::BTreeSet;

use crate::module::{Module, TypeId};

pub(crate) use build::{Uses, can_overlay};

/// The way to an array in the tree of a type: numbers of fields, and [`ELEMENT`] for any element of an array.
pub(crate) type Path = Vec<u32>;

/// Any element of an array, in a [`Path`].
pub(crate) const ELEMENT: u32 = u32::MAX;

/// Arrays with more elements than this are folded in any case.
const MOST_ELEMENTS: u64 = 64;
/// As are arrays that would give an object more cells than this.
const MOST_CELLS: usize = 512;

/// A part of an object, as a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    Scalar,
    Struct(Vec<(u64, u64, Node)>),
    Array { element: Box<Node>, stride: u64, count: Option<u64>, folded: bool, path: Path },
}

/// An array that is indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dim {
    /// Canonical offset of the first element.
    pub(crate) start: u64,
    /// Bytes from one element to the next.
    pub(crate) stride: u64,
    /// How many elements there are; none if that is known only when the program runs.
    pub(crate) count: Option<u64>,
}

/// A scalar, or the scalars in the same place of all elements of arrays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    /// Canonical offset.
    pub(crate) offset: u64,
    /// Bytes.
    pub(crate) size: u64,
    /// The arrays around it, outermost first.
    pub(crate) dims: Vec<Dim>,
}

/// A part of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Bytes of a cell.
    Cell {
        /// Its number in [`Layout::cells`].
        cell: usize,
        /// The index in the innermost array: from the start of the array if the access starts outside of it, else
        /// from the element in which the access starts.
        shift: u64,
        /// The first byte, counted in the cell.
        from: u64,
        /// How many bytes.
        bytes: u64,
    },
    /// Bytes that belong to no cell.
    Padding(u64),
}

/// The cells of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    node: Node,
    /// Bytes of the object; none if that is known only when the program runs.
    pub(crate) size: Option<u64>,
    /// Its cells, by their offsets.
    pub(crate) cells: Vec<Cell>,
}

impl Layout {
    /// The layout of an object of a type that is used in some way.
    pub(crate) fn of_type(module: &Module, ty: TypeId, uses: &Uses) -> Layout {
        let node = build::build(module, ty, uses, Some(0), &mut Vec::new());
        Layout::new(node, Some(module.types[ty].size))
    }

    /// The layout of `bytes` bytes (unknown if none) as elements of a type, one after the other.
    pub(crate) fn of_elements(module: &Module, ty: TypeId, bytes: Option<u64>, uses: &Uses) -> Layout {
        let size = module.types[ty].size.max(1);
        match bytes {
            Some(bytes) if bytes == size => return Layout::of_type(module, ty, uses),
            Some(bytes) if bytes < size => return Layout::bytes(Some(bytes)),
            _ => {}
        }
        if let Some(node) = build::with_flexible_end(module, ty, bytes, uses) {
            return Layout::new(node, bytes);
        }
        if let Some(bytes) = bytes
            && bytes % size != 0
        {
            return Layout::new(build::with_rest(module, ty, bytes / size, bytes % size, uses), Some(bytes));
        }
        let mut path = vec![ELEMENT];
        let count = bytes.map(|bytes| bytes / size);
        let fold = count.is_none_or(|count| count > MOST_ELEMENTS) || uses.folded.contains(&Vec::new());
        let element = Box::new(build::build(module, ty, uses, fold.then_some(0), &mut path));
        Layout::new(Node::Array { element, stride: size, count, folded: fold, path: Vec::new() }, bytes)
    }

    /// The layout as bytes, for objects that are accessed in ways that fit no type.
    pub(crate) fn bytes(size: Option<u64>) -> Layout {
        let element = Box::new(Node::Scalar);
        Layout::new(Node::Array { element, stride: 1, count: size, folded: true, path: Vec::new() }, size)
    }

    /// The layout as words, for a first guess of what an object is used as: only for the words at its beginning.
    pub(crate) fn words(size: Option<u64>) -> Layout {
        const WORD: u64 = 8;
        let count = size.map_or(MOST_ELEMENTS, |size| size.div_ceil(WORD)).min(MOST_ELEMENTS);
        let element = Box::new(Node::Scalar);
        let node = Node::Array { element, stride: WORD, count: Some(count), folded: false, path: Vec::new() };
        Layout::new(node, Some(count * WORD))
    }

    /// The same with cells divided at some canonical offsets, so that what is written separately is apart.
    pub(crate) fn split(mut self, borders: &BTreeSet<u64>) -> Layout {
        let mut cells = Vec::new();
        for cell in self.cells {
            let mut start = cell.offset;
            let end = cell.offset + cell.size;
            for &border in borders.range(start + 1..end.max(start + 1)) {
                cells.push(Cell { offset: start, size: border - start, dims: cell.dims.clone() });
                start = border;
            }
            cells.push(Cell { offset: start, size: end - start, dims: cell.dims });
        }
        self.cells = cells;
        self
    }

    /// Where a write of so many bytes at a canonical offset divides cells.
    pub(crate) fn borders(&self, offset: u64, bytes: u64) -> Vec<u64> {
        let mut borders = Vec::new();
        for piece in self.pieces(offset, bytes).unwrap_or_default() {
            if let Piece::Cell { cell, from, bytes, .. } = piece {
                let cell = &self.cells[cell];
                for inside in [from, from + bytes] {
                    if inside > 0 && inside < cell.size {
                        borders.push(cell.offset + inside);
                    }
                }
            }
        }
        borders
    }

    /// No cells at all: a function, or an object of unknown type.
    pub(crate) fn empty() -> Layout {
        Layout { node: Node::Struct(Vec::new()), size: Some(0), cells: Vec::new() }
    }

    fn new(mut node: Node, size: Option<u64>) -> Layout {
        merge_nested(&mut node);
        let mut cells = Vec::new();
        if list_cells(&node, 0, width(&node, size), &mut Vec::new(), &mut cells).is_err() {
            fold_all(&mut node);
            merge_nested(&mut node);
            cells.clear();
            // With every array folded there are as many cells as the type has scalar fields.
            let _ = list_cells(&node, 0, width(&node, size), &mut Vec::new(), &mut cells);
        }
        cells.sort_by_key(|cell| cell.offset);
        Layout { node, size, cells }
    }

    /// The cell in which a canonical offset is, and its number.
    fn cell_at(&self, offset: u64) -> Option<(usize, &Cell)> {
        let number = self.cells.partition_point(|cell| cell.offset <= offset).checked_sub(1)?;
        let cell = &self.cells[number];
        (offset < cell.offset + cell.size).then_some((number, cell))
    }

    /// The canonical offset of a byte; none if it is outside the object. The end of the object counts as inside.
    pub(crate) fn canonical(&self, offset: i64) -> Option<u64> {
        let offset = u64::try_from(offset).ok()?;
        if self.size.is_some_and(|size| offset > size) {
            return None;
        }
        if self.size == Some(offset) {
            // One past the end: of a folded array, the same as its start; of anything else, a place of its own.
            return Some(match &self.node {
                Node::Array { folded: true, .. } if offset > 0 => 0,
                _ => offset,
            });
        }
        Some(fold(&self.node, offset))
    }

    /// The canonical offsets of what is `bytes` after a canonical offset. There can be several: in a folded array, what
    /// comes before an element is another element, or what comes before the array.
    pub(crate) fn moved(&self, offset: u64, bytes: i64) -> Vec<u64> {
        let Some(sum) = i64::try_from(offset).ok().and_then(|offset| offset.checked_add(bytes)) else {
            return Vec::new();
        };
        let mut found: Vec<u64> = self.canonical(sum).into_iter().collect();
        for dim in self.cell_at(offset).map_or(&[][..], |(_, cell)| cell.dims.as_slice()) {
            let (start, stride) = (dim.start.cast_signed(), dim.stride.cast_signed());
            let wrapped = self.canonical(start + (sum - start).rem_euclid(stride));
            if sum < start {
                found.extend(wrapped);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Where an offset can be after adding any multiple of `stride`: the arrays around it that this goes through, by
    /// their paths, if they are not folded yet; or nothing if no array has elements of that size.
    pub(crate) fn indexed(&self, offset: u64, stride: u64) -> Indexed {
        let mut found = Vec::new();
        let mut fits = false;
        arrays_around(&self.node, offset, &mut |array_stride, folded, path| {
            if stride.is_multiple_of(array_stride) {
                fits = true;
                if !folded {
                    found.push(path.clone());
                }
            }
        });
        if fits {
            return if found.is_empty() { Indexed::Folded } else { Indexed::Fold(found) };
        }
        // An object that is no array is an array of one element.
        let whole = self.size.is_some_and(|size| size > 0 && stride.is_multiple_of(size));
        let scalar = self.cells.iter().any(|cell| cell.offset == offset && stride == cell.size);
        if whole || scalar { Indexed::Folded } else { Indexed::NoArray }
    }

    /// The arrays, not folded yet, that a pointer to elements of so many bytes can walk through on its way out of an inner one. In C
    /// that is not allowed, but arrays of arrays are gone through like that all the time. Through an array that is not folded it goes
    /// by itself, since each of its elements has its own offset. An index that is for an array of so many bytes goes no further than that.
    pub(crate) fn walked(&self, offset: u64, stride: u64, array: Option<u64>) -> Vec<Path> {
        let mut nest: Vec<(bool, &Path)> = Vec::new();
        let mut found: Vec<Path> = Vec::new();
        let (mut node, mut offset) = (&self.node, offset);
        loop {
            match node {
                Node::Scalar => return found,
                Node::Struct(fields) => {
                    nest.clear();
                    let Some((start, field)) = field_at(fields, offset) else { return found };
                    (node, offset) = (field, offset - start);
                }
                Node::Array { element, stride: each, count, folded, path } => {
                    let leaves = array.zip(*count).is_none_or(|(bytes, count)| bytes > each * count);
                    if *folded && leaves && stride.is_multiple_of(*each) {
                        let outer = nest.iter().filter(|(folded, _)| !folded);
                        found.extend(outer.map(|(_, path)| (*path).clone()));
                    }
                    nest.push((*folded, path));
                    (node, offset) = (element, offset % each);
                }
            }
        }
    }

    /// The scalars in `bytes` bytes from an offset on: where each starts, counted from there, and how many of its bytes
    /// belong to them. Padding is left out.
    pub(crate) fn chunks(&self, offset: u64, bytes: u64) -> Vec<(u64, u64)> {
        let mut found = Vec::new();
        list_scalars(
            &self.node,
            0,
            self.size.unwrap_or(u64::MAX / 4),
            offset..offset.saturating_add(bytes),
            &mut found,
        );
        found.into_iter().map(|(at, bytes)| (at - offset, bytes)).collect()
    }

    /// The bytes that start at a canonical offset, and are in no array that is not folded: how many, and the arrays that they are.
    pub(crate) fn room_at(&self, offset: u64) -> Option<(u64, Vec<&Path>)> {
        let (mut node, mut offset, mut size) = (&self.node, offset, self.size.unwrap_or(u64::MAX));
        loop {
            let mut arrays = Vec::new();
            if offset == 0 && is_room(node, size, &mut arrays) {
                return Some((size, arrays));
            }
            match node {
                Node::Struct(fields) => {
                    let (start, field) = field_at(fields, offset)?;
                    size = fields.iter().find(|(at, _, each)| *at == start && std::ptr::eq(each, field))?.1;
                    (node, offset) = (field, offset - start);
                }
                Node::Array { element, folded: true, stride, .. } => (node, size) = (element, *stride),
                Node::Array { .. } | Node::Scalar => return None,
            }
        }
    }

    /// How far from a canonical offset a cell can be in a block of so many bytes that starts there; of how many, if that is not known.
    /// In folded arrays both can be in any element. Of blocks that are large, or of unknown size, only one distance for all elements is told:
    /// arrays that they are copied to are folded, too.
    pub(crate) fn distances(&self, offset: u64, cell: &Cell, bytes: Option<u64>) -> Vec<i64> {
        const MOST: i64 = 64;
        let distance = cell.offset.cast_signed() - offset.cast_signed();
        let after = self.cells.partition_point(|cell| cell.offset <= offset);
        let start = after.checked_sub(1).map_or(&[][..], |at| self.cells[at].dims.as_slice());
        let bytes = bytes.and_then(|bytes| i64::try_from(bytes).ok());
        if let Some(bytes) = bytes.filter(|bytes| *bytes <= MOST) {
            let strides = start.iter().chain(&cell.dims).map(|dim| dim.stride.cast_signed());
            let step = strides.fold(0, gcd);
            let near = 1 - cell.size.cast_signed().min(MOST)..bytes;
            return match step {
                0 => Some(distance).filter(|distance| near.contains(distance)).into_iter().collect(),
                step => near.filter(|each| (each - distance) % step == 0).collect(),
            };
        }
        let whole = self.cells.first().is_some_and(|cell| !cell.dims.is_empty());
        let within = distance < bytes.filter(|_| start.is_empty()).unwrap_or(i64::MAX);
        if (whole || distance >= 0) && within { vec![distance] } else { Vec::new() }
    }

    /// The arrays around an offset that are not folded.
    pub(crate) fn unfolded(&self, offset: u64) -> Vec<Path> {
        let mut found = Vec::new();
        arrays_around(&self.node, offset, &mut |_, folded, path| {
            if !folded {
                found.push(path.clone());
            }
        });
        found
    }

    /// The pieces of an access of `bytes` bytes at a canonical offset, from the lowest byte on; none if it starts
    /// outside of the object.
    pub(crate) fn pieces(&self, offset: u64, bytes: u64) -> Option<Vec<Piece>> {
        if self.size.is_some_and(|size| offset >= size) {
            return None;
        }
        let mut pieces = Vec::new();
        let (mut at, mut left, mut shift) = (offset, bytes, 0);
        let around = self.cell_at(offset).and_then(|(_, cell)| cell.dims.last());
        let outside = around.is_none();
        while left > 0 {
            // The end of an element of a folded array: on with the next one.
            if let Some(dim) = around.filter(|dim| at == dim.start + dim.stride) {
                at = dim.start;
                shift += 1;
            }
            if outside {
                let now = offset + bytes - left;
                at = self.canonical(i64::try_from(now).ok()?)?;
                let begins = self.cell_at(at).filter(|(_, cell)| cell.offset == at);
                shift = match begins.map(|(_, cell)| cell.dims.as_slice()) {
                    Some([dim]) => (now - dim.start) / dim.stride,
                    _ => 0,
                };
            }
            if let Some((number, cell)) = self.cell_at(at) {
                let from = at - cell.offset;
                let taken = left.min(cell.size - from);
                pieces.push(Piece::Cell { cell: number, shift, from, bytes: taken });
                at += taken;
                left -= taken;
                continue;
            }
            let after = self.cells.partition_point(|cell| cell.offset <= at);
            let next = self.cells.get(after).map_or(u64::MAX, |cell| cell.offset);
            let next = around.map_or(next, |dim| next.min(dim.start + dim.stride));
            let gap = left.min(next.saturating_sub(at));
            pieces.push(Piece::Padding(gap));
            at += gap;
            left -= gap;
        }
        Some(pieces)
    }

    /// How many elements further than the one in which it starts an access goes.
    pub(crate) fn reach(&self, offset: u64, bytes: u64) -> u64 {
        let pieces = self.pieces(offset, bytes).unwrap_or_default();
        let shifts = pieces.iter().map(|piece| match piece {
            Piece::Cell { shift, .. } => *shift,
            Piece::Padding(_) => 0,
        });
        shifts.max().unwrap_or(0)
    }

    /// Whether an array or a scalar begins a struct that has more in it. Then a pointer to it can be one to the whole struct, too.
    pub(crate) fn begins_struct(&self, offset: u64) -> bool {
        let (mut node, mut offset, mut begins) = (&self.node, offset, false);
        loop {
            match node {
                Node::Scalar => return begins,
                Node::Struct(fields) => {
                    let Some((start, field)) = field_at(fields, offset) else { return false };
                    begins =
                        start == 0 && (begins || fields.iter().any(|(at, size, _)| *at > 0 && *size > 0));
                    (node, offset) = (field, offset - start);
                }
                Node::Array { element, stride, .. } => {
                    begins &= offset < *stride;
                    (node, offset) = (element, offset % stride);
                }
            }
        }
    }
}

/// What adding a multiple of a number to a pointer means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Indexed {
    /// It stays in arrays that are folded: the canonical offset is the same.
    Folded,
    /// These arrays have to be folded first.
    Fold(Vec<Path>),
    /// It goes through no array.
    NoArray,
}

/// An array of arrays, both folded, is one array.
fn merge_nested(node: &mut Node) {
    match node {
        Node::Scalar => {}
        Node::Struct(fields) => fields.iter_mut().for_each(|(_, _, field)| merge_nested(field)),
        Node::Array { element, stride, count, folded, .. } => {
            // A struct of nothing but an array is that array, as in `std::array`.
            while let Node::Struct(fields) = element.as_mut()
                && let [(0, size, field)] = fields.as_mut_slice()
                && *size == *stride
            {
                **element = std::mem::replace(field, Node::Scalar);
            }
            merge_nested(element);
            if !*folded {
                return;
            }
            let inner = match element.as_mut() {
                Node::Array { element, stride: inner, count: Some(per), folded: true, .. }
                    if *inner * *per == *stride =>
                {
                    Some((std::mem::replace(element.as_mut(), Node::Scalar), *inner, *per))
                }
                _ => None,
            };
            if let Some((deepest, inner, per)) = inner {
                **element = deepest;
                *stride = inner;
                *count = count.map(|count| count * per);
            }
        }
    }
}

fn fold_all(node: &mut Node) {
    match node {
        Node::Scalar => {}
        Node::Struct(fields) => fields.iter_mut().for_each(|(_, _, field)| fold_all(field)),
        Node::Array { element, folded, .. } => {
            *folded = true;
            fold_all(element);
        }
    }
}

/// Bytes of a node at the top.
fn width(node: &Node, size: Option<u64>) -> u64 {
    match node {
        Node::Scalar => size.unwrap_or(1),
        Node::Struct(_) | Node::Array { .. } => 0,
    }
}

fn list_cells(
    node: &Node,
    offset: u64,
    size: u64,
    dims: &mut Vec<Dim>,
    cells: &mut Vec<Cell>,
) -> Result<(), TooMany> {
    match node {
        Node::Scalar => {
            if cells.len() >= MOST_CELLS {
                return Err(TooMany);
            }
            if size > 0 {
                cells.push(Cell { offset, size, dims: dims.clone() });
            }
        }
        Node::Struct(fields) => {
            for (at, size, field) in fields {
                list_cells(field, offset + at, *size, dims, cells)?;
            }
        }
        Node::Array { element, stride, count, folded, .. } => {
            if *folded {
                dims.push(Dim { start: offset, stride: *stride, count: *count });
                list_cells(element, offset, *stride, dims, cells)?;
                dims.pop();
            } else {
                for index in 0..count.unwrap_or(0) {
                    list_cells(element, offset + index * stride, *stride, dims, cells)?;
                }
            }
        }
    }
    Ok(())
}

/// The scalars of a node of so many bytes at an offset, as far as they are in a range.
fn list_scalars(
    node: &Node,
    offset: u64,
    size: u64,
    range: std::ops::Range<u64>,
    found: &mut Vec<(u64, u64)>,
) {
    let end = range.end.min(offset.saturating_add(size));
    if offset >= range.end || end <= range.start {
        return;
    }
    match node {
        Node::Scalar => {
            let start = offset.max(range.start);
            found.push((start, end - start));
        }
        Node::Struct(fields) => {
            for (at, size, field) in fields {
                list_scalars(field, offset + at, *size, range.clone(), found);
            }
        }
        Node::Array { element, stride, count, .. } => {
            let first = range.start.saturating_sub(offset) / stride;
            let last = (end - offset).div_ceil(*stride).min(count.unwrap_or(u64::MAX));
            for index in first..last {
                list_scalars(element, offset + index * stride, *stride, range.clone(), found);
            }
        }
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// More cells than [`MOST_CELLS`].
struct TooMany;

fn fold(node: &Node, offset: u64) -> u64 {
    match node {
        Node::Scalar => offset,
        Node::Struct(fields) => match field_at(fields, offset) {
            Some((start, field)) => start + fold(field, offset - start),
            None => offset,
        },
        Node::Array { element, stride, folded, .. } => {
            let rest = fold(element, offset % stride);
            if *folded { rest } else { offset / stride * stride + rest }
        }
    }
}

/// Whether a part of an object is nothing but bytes; collects the arrays in it.
fn is_room<'n>(node: &'n Node, size: u64, arrays: &mut Vec<&'n Path>) -> bool {
    match node {
        Node::Scalar => size == 1,
        Node::Struct(fields) => {
            !fields.is_empty() && fields.iter().all(|(_, size, field)| is_room(field, *size, arrays))
        }
        Node::Array { element, stride, path, .. } => {
            arrays.push(path);
            *stride == 1 && **element == Node::Scalar
        }
    }
}

fn field_at(fields: &[(u64, u64, Node)], offset: u64) -> Option<(u64, &Node)> {
    let after = fields.partition_point(|(start, ..)| *start <= offset);
    // Fields of no size can stand in the same place as the next one.
    let (start, size, node) = &fields[..after].iter().rev().find(|(_, size, _)| *size > 0)?;
    (offset < start.saturating_add(*size)).then_some((*start, node))
}

fn arrays_around(node: &Node, offset: u64, visit: &mut dyn FnMut(u64, bool, &Path)) {
    match node {
        Node::Scalar => {}
        Node::Struct(fields) => {
            if let Some((start, field)) = field_at(fields, offset) {
                arrays_around(field, offset - start, visit);
            }
        }
        Node::Array { element, stride, folded, path, .. } => {
            visit(*stride, *folded, path);
            arrays_around(element, offset % stride, visit);
        }
    }
}
