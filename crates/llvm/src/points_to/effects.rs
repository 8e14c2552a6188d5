//! What constraints mean for one target of a pointer: edges, calls, and what is learned about objects.

use super::Target;
use super::solve::{Complex, Key, NodeId, POINTER_BYTES, Solver, stored_bytes};
use crate::layout::{Indexed, can_overlay};
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
            Complex::Gep { to, bytes, strides, element } => {
                self.note_type(object, *element);
                self.note_overlay(target, *element);
                for offset in self.objects.all[object].layout.moved(target.offset, *bytes) {
                    for &stride in strides {
                        match self.objects.all[object].layout.indexed(offset, stride) {
                            Indexed::Folded => {}
                            Indexed::Fold(paths) => {
                                self.findings.fold.entry(object).or_default().extend(paths);
                            }
                            Indexed::NoArray => {
                                if !matches!(self.objects.all[object].kind, ObjectKind::Func(_)) {
                                    self.findings.bytes.insert(object);
                                }
                            }
                        }
                    }
                    self.add_target(*to, object, offset);
                }
            }
            Complex::Somewhere { to } => {
                self.add_target(*to, object, target.offset);
                for at in 0..self.objects.all[object].layout.cells.len() {
                    let offset = self.objects.all[object].layout.cells[at].offset;
                    self.add_target(*to, object, offset);
                }
            }
            Complex::Swept => {
                let paths = self.objects.all[object].layout.unfolded(target.offset);
                if !paths.is_empty() {
                    self.findings.fold.entry(object).or_default().extend(paths);
                }
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
            Complex::CopiedFrom { source } => {
                for at in 0..self.nodes[source.0 as usize].targets.len() {
                    self.copy_memory(target, self.target(*source, at));
                }
            }
            Complex::CopiedTo { destination } => {
                for at in 0..self.nodes[destination.0 as usize].targets.len() {
                    self.copy_memory(self.target(*destination, at), target);
                }
            }
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

    /// Copying bytes from one place to another: all cells from there on, since how many is not known.
    fn copy_memory(&mut self, to: Target, from: Target) {
        if !self.copied.insert((to, from)) {
            return;
        }
        let offsets: Vec<u64> =
            self.objects.all[from.object].layout.cells.iter().map(|cell| cell.offset).collect();
        let whole =
            self.objects.all[from.object].layout.cells.first().is_some_and(|cell| !cell.dims.is_empty());
        for offset in offsets {
            if offset < from.offset && !whole {
                continue;
            }
            let delta = i64::try_from(offset).unwrap_or(0) - i64::try_from(from.offset).unwrap_or(0);
            for at in self.objects.all[to.object].layout.moved(to.offset, delta) {
                let source = self.node(Key::Cell(from.object, offset));
                self.store(source, Target { object: to.object, offset: at }, POINTER_BYTES);
            }
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
