//! What variables hold in the running event.

use ir::{GlobalId, LocalId, Place, PlaceBase, Type};
use rustc_hash::FxHashMap;
use smt::TermId;
use source::Span;

use super::{Executor, Stuck};
use crate::ctp::{Access, Definition, Use};
use crate::pins::Source;
use crate::state::{Held, Pair};

/// More assignments of a global than this are not looked through for the one that a use must see.
const MOST_LOOKED_THROUGH: usize = 64;

impl Executor<'_, '_> {
    pub(super) fn stuck(what: &str) -> Stuck {
        Stuck { what: what.to_owned(), span: Span::NONE }
    }

    /// A number as a value of a type.
    pub(crate) fn literal(&mut self, ty: &Type, value: i64) -> Result<TermId, Stuck> {
        let pool = &mut self.translator.pool;
        Ok(match ty {
            Type::Bool => pool.bool(value != 0),
            Type::Int | Type::Task => pool.int(value),
            Type::Bv(width) => pool.bv(*width, value.cast_unsigned()),
            Type::Sort(_) => {
                let sort = self.translator.sort(ty)?;
                let element = self.translator.pool.constant(&format!("element!{value}"), sort);
                self.elements.entry(sort).or_default().insert(element);
                element
            }
            Type::Map(_) | Type::Sync(_) => return Err(Self::stuck("an arbitrary value that is a map")),
        })
    }

    /// The value that is zero everywhere.
    pub(super) fn zero(&mut self, ty: &Type) -> Result<TermId, Stuck> {
        match ty.as_map() {
            Some(map) => {
                let mut term = self.zero(&map.result)?;
                for arg in map.args.iter().rev() {
                    let (arg, element) = (self.translator.sort(arg)?, self.translator.pool.sort_of(term));
                    let sort = self.translator.pool.array_sort(&[arg], element);
                    term = self.translator.pool.const_array(sort, term);
                }
                Ok(term)
            }
            None => self.literal(ty, 0),
        }
    }

    /// The types of all indices on the way to a cell, and that of the cell.
    fn cell_types(ty: &Type, indices: usize) -> (Vec<Type>, Type) {
        let (mut ty, mut args) = (ty, Vec::new());
        while let Some(map) = ty.as_map().filter(|_| args.len() < indices) {
            args.extend(map.args.iter().cloned());
            ty = &map.result;
        }
        (args, ty.clone())
    }

    pub(super) fn indices(&mut self, global: GlobalId, key: &[i64]) -> Result<Vec<TermId>, Stuck> {
        let (args, _) = Self::cell_types(&self.subject.expanded.globals[global].ty, key.len());
        args.iter().zip(key).map(|(ty, part)| self.literal(ty, *part)).collect()
    }

    pub(super) fn settle_local(
        &mut self,
        thread: usize,
        local: LocalId,
        key: &[i64],
        value: i64,
    ) -> Result<(), Stuck> {
        let Some(proc) = self.state.top(thread).map(|frame| frame.proc) else { return Ok(()) };
        let ty = self.subject.expanded.procs[proc].locals[local].ty.clone();
        let (args, cell) = Self::cell_types(&ty, key.len());
        let value = self.literal(&cell, value)?;
        let known = self.state.top(thread).and_then(|frame| frame.locals.get(&local).copied());
        let pair = if key.is_empty() {
            // What may be chosen otherwise stays open.
            known.map_or(Pair::known(value), |known| Pair { observed: value, ..known })
        } else {
            let mut index = Vec::new();
            for (ty, part) in args.iter().zip(key) {
                index.push(self.literal(ty, *part)?);
            }
            let old = match known {
                Some(known) => known,
                None => Pair::known(self.zero(&ty)?),
            };
            let pool = &mut self.translator.pool;
            Pair {
                term: pool.store_at(old.term, &index, value),
                observed: pool.store_at(old.observed, &index, value),
            }
        };
        if let Some(frame) = self.state.top_mut(thread) {
            frame.locals.insert(local, pair);
        }
        Ok(())
    }

    pub(super) fn settle_result(&mut self, thread: usize, at: usize, value: i64) -> Result<(), Stuck> {
        // The first frame of a thread that has completed is kept for this.
        let Some(proc) = self.state.top(thread).map(|frame| frame.proc) else { return Ok(()) };
        let declared = &self.subject.expanded.procs[proc];
        let ty = declared.locals[declared.results[at]].ty.clone();
        let value = self.literal(&ty, value)?;
        if let Some(result) = self.state.results[thread].get_mut(at) {
            *result = Some(Pair::known(value));
        }
        Ok(())
    }

    pub(super) fn settle_global(
        &mut self,
        global: GlobalId,
        index: &[TermId],
        value: i64,
    ) -> Result<(), Stuck> {
        let (_, cell) = Self::cell_types(&self.subject.expanded.globals[global].ty, index.len());
        let value = self.literal(&cell, value)?;
        self.set_observed(global, index, value);
        Ok(())
    }

    /// What a global holds that is left arbitrary: the values that were observed, and zero.
    fn arbitrary(&mut self, global: GlobalId, source: Source) -> Result<TermId, Stuck> {
        let ty = self.subject.expanded.globals[global].ty.clone();
        let mut term = self.zero(&ty)?;
        if let Some(sources) = &mut self.sources {
            sources.note(global, &[], source);
            return Ok(term);
        }
        for (key, value) in self.pins.of(global, source).to_vec() {
            let (_, cell) = Self::cell_types(&ty, key.len());
            let (index, value) = (self.indices(global, &key)?, self.literal(&cell, value)?);
            term = if index.is_empty() { value } else { self.translator.pool.store_at(term, &index, value) };
        }
        Ok(term)
    }

    /// What something leaves in a cell of a global that it leaves arbitrary.
    fn arbitrary_cell(&mut self, global: GlobalId, index: &[Pair]) -> Result<TermId, Stuck> {
        let source = Some((self.step, self.op));
        if index.is_empty() {
            return self.arbitrary(global, source);
        }
        let observed: Vec<TermId> = index.iter().map(|pair| pair.observed).collect();
        let (_, cell) = Self::cell_types(&self.subject.expanded.globals[global].ty, index.len());
        if let Some(sources) = &mut self.sources {
            sources.note(global, &observed, source);
        }
        for (key, value) in self.pins.of(global, source).to_vec() {
            if self.indices(global, &key)? == observed {
                return self.literal(&cell, value);
            }
        }
        self.zero(&cell)
    }

    pub(super) fn initialise(&mut self, global: GlobalId) -> Result<(), Stuck> {
        let declared = &self.subject.expanded.globals[global];
        let term = match declared.init {
            Some(init) => self.eval(0, init)?.observed,
            None => self.arbitrary(global, None)?,
        };
        self.state.globals.insert(global, Held { rest: term, cells: FxHashMap::default() });
        Ok(())
    }

    fn set_observed(&mut self, global: GlobalId, index: &[TermId], value: TermId) {
        let whole = self.subject.whole.contains(&global);
        let Some(held) = self.state.globals.get_mut(&global) else { return };
        if index.is_empty() {
            *held = Held { rest: value, cells: FxHashMap::default() };
        } else if whole {
            held.rest = self.translator.pool.store_at(held.rest, index, value);
        } else {
            held.cells.insert(index.to_vec(), value);
        }
    }

    fn observed(&mut self, global: GlobalId, index: &[TermId]) -> Result<TermId, Stuck> {
        let held =
            self.state.globals.get(&global).ok_or_else(|| Self::stuck("a global that is not there"))?;
        if index.is_empty() {
            return Ok(held.rest);
        }
        match held.cells.get(index) {
            Some(&value) => Ok(value),
            None => Ok(self.translator.pool.select_at(held.rest, index)),
        }
    }

    /// What a global, or a cell of it, held when the window began.
    pub(crate) fn at_beginning(&mut self, global: GlobalId, index: &[TermId]) -> Option<TermId> {
        let pool = &mut self.translator.pool;
        let held = self.beginning.get(&global)?;
        if index.is_empty() && held.cells.is_empty() {
            return Some(held.rest);
        }
        if let Some(&value) = held.cells.get(index) {
            return Some(value);
        }
        let mut map = held.rest;
        if index.is_empty() || !index.iter().all(|term| pool.term(*term).is_literal_value()) {
            let mut cells: Vec<_> = held.cells.iter().collect();
            cells.sort_unstable();
            for (at, value) in cells {
                map = pool.store_at(map, at, *value);
            }
        }
        Some(if index.is_empty() { map } else { pool.select_at(map, index) })
    }

    /// What a global, or a cell of it, holds in the running event.
    pub(super) fn read(&mut self, global: GlobalId, index: &[Pair]) -> Result<Pair, Stuck> {
        let observed_index: Vec<TermId> = index.iter().map(|pair| pair.observed).collect();
        let observed = self.observed(global, &observed_index)?;
        let Some(plan) = &self.plan else { return Ok(Pair::known(observed)) };
        let terms: Vec<TermId> = index.iter().map(|pair| pair.term).collect();
        if !plan.shared.contains(&global) {
            let held = self.private_value(global)?;
            let term = if terms.is_empty() { held } else { self.translator.pool.select_at(held, &terms) };
            return Ok(Pair { term, observed });
        }
        let mut later: Vec<(TermId, TermId)> = Vec::new();
        let mut base = None;
        for at in (0..self.event()?.definitions.len()).rev() {
            let definition = &self.event()?.definitions[at];
            if definition.global != global {
                continue;
            }
            let (of, value) = (definition.index.clone(), definition.value);
            let same = self.same_index(&of, &terms);
            match self.translator.pool.as_bool(same) {
                Some(false) => {}
                Some(true) => {
                    base = Some(value);
                    break;
                }
                None => later.push((same, value)),
            }
        }
        let mut term = match base {
            Some(value) => value,
            None => self.at_start_of_event(global, &terms)?,
        };
        for (same, value) in later.into_iter().rev() {
            term = self.translator.pool.ite(same, value, term);
        }
        self.pinned(global, Pair { term, observed })
    }

    /// All that a global holds which only one thread accesses.
    fn private_value(&mut self, global: GlobalId) -> Result<TermId, Stuck> {
        if let Some(&held) = self.private.get(&global) {
            return Ok(held);
        }
        let held = self.at_beginning(global, &[]).ok_or_else(|| Self::stuck("a global that is not there"))?;
        self.private.insert(global, held);
        Ok(held)
    }

    /// Whether two lists of indices are the same.
    pub(crate) fn same_index(&mut self, a: &[TermId], b: &[TermId]) -> TermId {
        let pool = &mut self.translator.pool;
        let equal: Vec<TermId> = a.iter().zip(b).map(|(a, b)| pool.eq(*a, *b)).collect();
        pool.and(equal)
    }

    /// What a shared global holds when the running event begins: what a certain event has left there, if it is certain,
    /// or a new constant, to be defined by a pi-function.
    fn at_start_of_event(&mut self, global: GlobalId, index: &[TermId]) -> Result<TermId, Stuck> {
        let event = self.events.len() - 1;
        if let Some(value) = self.certain(event, global, index) {
            return Ok(value);
        }
        self.use_of(event, global, index)
    }

    /// The constant for what a shared global holds when an event begins.
    pub(crate) fn use_of(
        &mut self,
        event: usize,
        global: GlobalId,
        index: &[TermId],
    ) -> Result<TermId, Stuck> {
        let key = (event, global, index.to_vec());
        if let Some(&known) = self.known_uses.get(&key) {
            return Ok(self.uses[known].term);
        }
        let (_, ty) = Self::cell_types(&self.subject.expanded.globals[global].ty, index.len());
        let term = self.translator.arbitrary("pi", &ty)?;
        self.known_uses.insert(key, self.uses.len());
        self.use_terms.insert(term, self.uses.len());
        self.uses.push(Use { event, global, index: index.to_vec(), term });
        Ok(term)
    }

    /// The value of the one definition that a use must see, if nothing that assigns the global can be executed in between.
    fn certain(&mut self, event: usize, global: GlobalId, index: &[TermId]) -> Option<TermId> {
        let plan = self.plan.as_ref()?;
        let writers = plan.writers_of(&self.translator.pool, global, index);
        if writers.len() > MOST_LOOKED_THROUGH {
            return None;
        }
        let precedes = |first: usize, second: usize| {
            let of = &self.events[first];
            plan.clocks.of(second)[of.thread] > u32::try_from(of.pos).unwrap_or(u32::MAX)
        };
        let mut before = Vec::new();
        for &writer in writers.iter().filter(|writer| **writer != event) {
            let ordered = if writer < event { precedes(writer, event) } else { precedes(event, writer) };
            if !ordered {
                return None;
            }
            before.extend((writer < event).then_some(writer));
        }
        if before.windows(2).any(|pair| !precedes(pair[0], pair[1])) {
            return None;
        }
        let defined = self.defined.get(&global).cloned().unwrap_or_default();
        for (writer, at) in defined.into_iter().rev().filter(|(writer, _)| *writer != event) {
            let Definition { index: of, value, .. } = self.events[writer].definitions[at].clone();
            let same = self.same_index(&of, index);
            match self.translator.pool.as_bool(same) {
                Some(true) => return Some(value),
                Some(false) => {}
                None => return None,
            }
        }
        self.at_beginning(global, index)
    }

    /// Assigns a global, or a cell of it.
    fn write(&mut self, global: GlobalId, index: &[Pair], value: Pair) -> Result<(), Stuck> {
        let observed_index: Vec<TermId> = index.iter().map(|pair| pair.observed).collect();
        let terms: Vec<TermId> = index.iter().map(|pair| pair.term).collect();
        if let Some(fact) = self.fact() {
            fact.accesses.push((global, true));
        }
        let Some(plan) = &self.plan else {
            self.set_observed(global, &observed_index, value.observed);
            return Ok(());
        };
        if !plan.shared.contains(&global) {
            let held = self.private_value(global)?;
            let pool = &mut self.translator.pool;
            let new = if terms.is_empty() { value.term } else { pool.store_at(held, &terms, value.term) };
            self.private.insert(global, new);
            self.set_observed(global, &observed_index, value.observed);
            return Ok(());
        }
        let mut definition = Definition { global, index: terms.clone(), value: value.term };
        if self.subject.whole.contains(&global) && !terms.is_empty() {
            let held = self.read(global, &[])?.term;
            let value = self.translator.pool.store_at(held, &terms, value.term);
            definition = Definition { global, index: Vec::new(), value };
        }
        self.set_observed(global, &observed_index, value.observed);
        let when = self.translator.pool.bool(true);
        let is_data = !self.subject.components.contains(&global);
        let number = self.events.len() - 1;
        let event = self.event()?;
        event.definitions.push(definition);
        let at = event.definitions.len() - 1;
        if is_data {
            event.accesses.push(Access { global, index: terms, write: true, when });
        }
        self.defined.entry(global).or_default().push((number, at));
        Ok(())
    }

    pub(super) fn local(&mut self, thread: usize, local: LocalId) -> Result<Pair, Stuck> {
        let Some(frame) = self.state.top(thread) else { return Err(Self::stuck("a thread without frames")) };
        if let Some(pair) = frame.locals.get(&local) {
            return Ok(*pair);
        }
        let ty = self.subject.expanded.procs[frame.proc].locals[local].ty.clone();
        Ok(Pair::known(self.zero(&ty)?))
    }

    /// Assigns a place whose indices are known; nothing is an arbitrary value.
    pub(super) fn set(
        &mut self,
        thread: usize,
        place: &Place,
        index: &[Pair],
        value: Option<Pair>,
    ) -> Result<(), Stuck> {
        match place.base {
            PlaceBase::Local(local) => self.set_local(thread, local, index, value),
            PlaceBase::Global(global) => {
                let value = match value {
                    Some(value) => value,
                    None => Pair::known(self.arbitrary_cell(global, index)?),
                };
                if self.subject.owners.contains(&global) {
                    let observed: Vec<TermId> = index.iter().map(|pair| pair.observed).collect();
                    self.set_observed(global, &observed, value.observed);
                    return Ok(());
                }
                self.write(global, index, value)
            }
        }
    }

    fn set_local(
        &mut self,
        thread: usize,
        local: LocalId,
        index: &[Pair],
        value: Option<Pair>,
    ) -> Result<(), Stuck> {
        let value = match (value, index.is_empty()) {
            (value, true) => value,
            (Some(value), false) => {
                let old = self.local(thread, local)?;
                let terms: Vec<TermId> = index.iter().map(|pair| pair.term).collect();
                let observed: Vec<TermId> = index.iter().map(|pair| pair.observed).collect();
                let pool = &mut self.translator.pool;
                Some(Pair {
                    term: pool.store_at(old.term, &terms, value.term),
                    observed: pool.store_at(old.observed, &observed, value.observed),
                })
            }
            // A cell that becomes arbitrary keeps what it has until somebody looks.
            (None, false) => return Ok(()),
        };
        if let Some(frame) = self.state.top_mut(thread) {
            match value {
                Some(value) => {
                    frame.locals.insert(local, value);
                }
                None => {
                    frame.locals.remove(&local);
                }
            }
        }
        Ok(())
    }
}
