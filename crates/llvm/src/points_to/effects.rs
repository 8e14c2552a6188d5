//! What constraints mean for one target of a pointer: edges, calls, and what is learned about objects.

use super::Target;
use super::solve::{Complex, Key, NodeId, POINTER_BYTES, Solver, stored_bytes};
use crate::layout::{Indexed, Path, can_overlay};
use crate::module::{FuncId, TypeId};
use crate::objects::{ObjectId, ObjectKind, Site};

impl Solver<'_> {
    /// What a constraint means for one target.
    pub(super) fn apply(&mut self, target: Target, constraint: &Complex) {
        let object = target.object;
        match constraint {
            Complex::Load { to, ty } => {
                self.note_type(object, *ty);
                for cell in self.cells(target, self.module.types[*ty].size) {
                    let from = self.node(Key::Cell(object, cell));
                    self.copy(from, *to);
                }
            }
            Complex::Store { from, ty } => {
                self.note_type(object, *ty);
                let bytes = stored_bytes(self.module, *ty);
                self.store(*from, target, bytes);
                self.divide(target, bytes);
            }
            Complex::StorePointer { from } => self.store(*from, target, POINTER_BYTES),
            Complex::Gep { to, bytes, strides, element, walks } => {
                self.note_type(object, *element);
                self.note_overlay(target, *element);
                // A guess takes all elements of arrays for the first.
                let one = self.module.types[*element].size.max(1).cast_signed();
                let bytes = if self.objects.is_guessed(object) { bytes.rem_euclid(one) } else { *bytes };
                if *walks {
                    let paths =
                        self.objects.all[object].layout.walked(target.offset, one.cast_unsigned(), None);
                    self.fold(object, paths);
                }
                for offset in self.objects.all[object].layout.moved(target.offset, bytes) {
                    for &(stride, array) in strides {
                        let layout = &self.objects.all[object].layout;
                        match layout.indexed(offset, stride) {
                            Indexed::Folded => self.fold(object, layout.walked(offset, stride, array)),
                            Indexed::Fold(paths) => self.fold(object, paths),
                            Indexed::NoArray => {
                                if !matches!(self.objects.all[object].kind, ObjectKind::Func(_)) {
                                    self.findings.bytes.insert(object);
                                }
                            }
                        }
                    }
                    if *walks && one == 1 {
                        self.result.walked.insert(Target { object, offset });
                    }
                    self.add_target(*to, object, offset);
                }
            }
            Complex::Somewhere { to } => {
                self.add_target(*to, object, target.offset);
                if self.somewhere.insert((*to, object)) {
                    let objects = self.objects;
                    for cell in &objects.all[object].layout.cells {
                        self.add_target(*to, object, cell.offset);
                    }
                }
            }
            Complex::Swept => {
                let paths = self.objects.all[object].layout.unfolded(target.offset);
                self.fold(object, paths);
            }
            Complex::Written { bytes } => self.divide(target, *bytes),
            Complex::Destroy => {
                if let ObjectKind::Func(destructor) = self.objects.all[object].kind
                    && !self.module.funcs[destructor].is_declaration()
                    && !self.result.destructors.contains(&destructor)
                {
                    self.result.destructors.push(destructor);
                    self.reach(destructor);
                    if let Some(&param) = self.module.funcs[destructor].params.first() {
                        let (from, to) = (self.key_value(), self.value(destructor, param));
                        self.copy(from, to);
                    }
                }
            }
            Complex::Resized => {
                self.findings.resized.insert(object);
            }
            Complex::CopiedFrom(block) => self.copy_from(*block, target),
            Complex::CopiedTo(block) => self.copy_to(*block, target),
            Complex::Call { func, site, args, result } => {
                if let ObjectKind::Func(callee) = self.objects.all[object].kind {
                    self.call(*func, *site, callee, args, *result);
                }
            }
            Complex::Start { func, site, argument } => {
                if let ObjectKind::Func(started) = self.objects.all[object].kind {
                    self.start(*func, *site, started, *argument);
                }
            }
        }
    }

    fn start(&mut self, func: FuncId, site: Site, started: FuncId, argument: NodeId) {
        let starts = self.result.starts.entry((func, site)).or_default();
        if starts.contains(&started) {
            return;
        }
        starts.push(started);
        // What has no body is refused where it is started.
        if self.module.funcs[started].is_declaration() {
            return;
        }
        self.reach(started);
        self.arguments.insert(argument);
        if let Some(&param) = self.module.funcs[started].params.first() {
            let param = self.value(started, param);
            self.copy(argument, param);
        }
        let (returned, result) = (self.returned(started), self.thread_result());
        self.copy(returned, result);
    }

    fn note_type(&mut self, object: ObjectId, ty: TypeId) {
        if matches!(self.objects.all[object].kind, ObjectKind::Heap(..)) && self.objects.ty(object).is_none()
        {
            self.findings.types.entry(object).or_default().insert(ty);
        }
    }

    /// Notes that arrays have to be folded.
    fn fold(&mut self, object: ObjectId, paths: Vec<Path>) {
        if !paths.is_empty() {
            self.findings.fold.entry(object).or_default().extend(paths);
        }
    }

    /// Notes that bytes are accessed as something else.
    fn note_overlay(&mut self, target: Target, ty: TypeId) {
        let Target { object, offset } = target;
        let room = self.objects.all[object].layout.room_at(offset).map(|(room, _)| room);
        let fits = |room: u64| self.module.types[ty].size <= room && can_overlay(self.module, ty);
        if self.objects.ty(object).is_some() && room.is_some_and(fits) {
            self.findings.overlays.entry(object).or_default().entry(offset).or_default().insert(ty);
        }
    }

    /// The cells that an access of so many bytes touches, by their offsets.
    fn cells(&self, target: Target, bytes: u64) -> Vec<u64> {
        let layout = &self.objects.all[target.object].layout;
        let pieces = layout.pieces(target.offset, bytes.min(1 << 16)).unwrap_or_default();
        let mut cells: Vec<u64> = pieces
            .iter()
            .filter_map(|piece| match piece {
                crate::layout::Piece::Cell { cell, .. } => Some(layout.cells[*cell].offset),
                crate::layout::Piece::Padding(_) => None,
            })
            .collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    pub(super) fn store(&mut self, from: NodeId, target: Target, bytes: u64) {
        for cell in self.cells(target, bytes) {
            let to = self.node(Key::Cell(target.object, cell));
            self.copy(from, to);
        }
    }

    /// Copying bytes from a place.
    fn copy_from(&mut self, block: usize, from: Target) {
        let objects = self.objects;
        let layout = &objects.all[from.object].layout;
        for cell in &layout.cells {
            for distance in layout.distances(from.offset, cell, self.blocks[block].bytes) {
                let joined = match self.blocks[block].joined.get(&distance) {
                    Some(&joined) => joined,
                    None => {
                        let joined = self.temporary();
                        self.blocks[block].joined.insert(distance, joined);
                        for at in 0..self.blocks[block].destinations.len() {
                            self.store_at(joined, self.blocks[block].destinations[at], distance);
                        }
                        joined
                    }
                };
                let source = self.node(Key::Cell(from.object, cell.offset));
                self.copy(source, joined);
            }
        }
    }

    /// Copying bytes to a place.
    fn copy_to(&mut self, block: usize, to: Target) {
        self.blocks[block].destinations.push(to);
        let joined: Vec<(i64, NodeId)> =
            self.blocks[block].joined.iter().map(|(&distance, &joined)| (distance, joined)).collect();
        for (distance, joined) in joined {
            self.store_at(joined, to, distance);
        }
    }

    /// Stores a pointer at a distance from a place.
    fn store_at(&mut self, from: NodeId, to: Target, distance: i64) {
        for offset in self.objects.all[to.object].layout.moved(to.offset, distance) {
            self.store(from, Target { object: to.object, offset }, POINTER_BYTES);
        }
    }

    /// Notes where a write divides scalars.
    fn divide(&mut self, target: Target, bytes: u64) {
        let typed = self.objects.ty(target.object).is_some();
        let borders = self.objects.all[target.object].layout.borders(target.offset, bytes);
        if typed && !borders.is_empty() {
            self.findings.borders.entry(target.object).or_default().extend(borders);
        }
    }
}
