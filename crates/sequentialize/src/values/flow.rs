//! The flow of values through procedures and between them.

use interp::SwitchAt;
use ir::{BlockId, ExprId, GlobalId, LocalId, Op, Place, PlaceBase, ProcId, Response, Type};
use rustc_hash::FxHashMap;

use super::assigned::Assigned;
use super::eval::Env;
use super::{Boundary, Origin, Set, Values};
use crate::points::{Points, points};

/// What is known at a place in a procedure.
#[derive(Clone, Debug)]
struct Here {
    locals: Vec<Set>,
    assigned: Assigned,
}

impl Here {
    fn env(&self) -> Env<'_> {
        Env::new(&self.locals, &self.assigned)
    }

    /// Adds another way to the same place; whether there is anything new.
    fn add(&mut self, other: &Here) -> bool {
        let mut new = self.assigned.keep(&other.assigned);
        for (known, set) in self.locals.iter_mut().zip(&other.locals) {
            new |= known.add(set);
        }
        new
    }
}

impl Boundary {
    fn add(&mut self, other: &Boundary) -> bool {
        let mut new = self.assigned.keep(&other.assigned);
        for (known, set) in self.sets.iter_mut().zip(&other.sets) {
            new |= known.add(set);
        }
        new
    }
}

impl Values<'_> {
    /// Looks at everything until nothing is new.
    pub(super) fn run(&mut self, reachable: &[ProcId], response: Option<Response>) {
        let program = self.program;
        for &thread in &program.threads {
            let params = program.procs[thread].params.iter();
            let arbitrary = |id: &LocalId| match program.procs[thread].locals[*id].ty {
                Type::Task => Set::of([0]),
                _ => Set::any(),
            };
            let sets = params.map(arbitrary).collect();
            self.entries.insert(thread, Boundary { sets, assigned: Assigned::default() });
        }
        let points: FxHashMap<ProcId, Points> =
            reachable.iter().map(|id| (*id, points(program, *id, SwitchAt::Visible, true))).collect();
        while std::mem::take(&mut self.changed) {
            self.start();
            // A response property looks at the first state, too.
            for root in response.iter().flat_map(|response| [response.request, response.answer]) {
                self.value(root, Env::new(&[], &Assigned::default()));
            }
            for id in reachable {
                self.proc(*id, &points[id]);
            }
        }
    }

    /// Whether a global is arbitrary until somebody assigns it.
    pub(super) fn starts_arbitrary(&self, id: GlobalId) -> bool {
        let global = &self.program.globals[id];
        let cell = global.ty.as_map().map_or(&global.ty, |map| &map.result);
        global.init.is_none() && *cell != Type::Task
    }

    /// What globals are before anything is run.
    fn start(&mut self) {
        let program = self.program;
        for (id, global) in &program.globals {
            let nothing = Assigned::default();
            let set = match global.init {
                _ if global.ty.as_map().is_some() && !self.is_vector(id) => Set::any(),
                Some(init) => self.value(init, Env::new(&[], &nothing)),
                None if !self.starts_arbitrary(id) => Set::of([0]),
                None => {
                    let initial = self.initial(Origin::Global(id));
                    if initial.numbers.is_some() { Set::default() } else { initial }
                }
            };
            self.changed |= self.globals[id.as_u32() as usize].add(&set);
        }
    }

    fn proc(&mut self, id: ProcId, points: &Points) {
        let program = self.program;
        let Some(Boundary { sets, assigned }) = self.entries.get(&id).cloned() else { return };
        let proc = &program.procs[id];
        let mut locals = Vec::new();
        for (local, declared) in &proc.locals {
            locals.push(match (proc.params.iter().position(|param| *param == local), &declared.ty) {
                (Some(at), _) => sets[at].clone(),
                (None, Type::Task) => Set::of([0]),
                (None, _) => self.initial(Origin::Local(id, local)),
            });
        }
        let mut at: FxHashMap<BlockId, Here> = FxHashMap::default();
        at.insert(proc.entry, Here { locals, assigned });
        let mut work = vec![proc.entry];
        while let Some(block) = work.pop() {
            let here = at[&block].clone();
            for (to, here) in self.block(id, block, here, points) {
                let new = match at.get_mut(&to) {
                    Some(known) => known.add(&here),
                    None => {
                        at.insert(to, here);
                        true
                    }
                };
                if new && !work.contains(&to) {
                    work.push(to);
                }
            }
        }
    }

    /// Notes what the locals are where others can see them.
    fn expose(&mut self, id: ProcId, locals: &[Set]) {
        for (local, set) in self.program.procs[id].locals.keys().zip(locals) {
            self.changed |= self.locals.entry((id, local)).or_default().add(set);
        }
    }

    /// Runs a block: where it leads, and what is known there.
    fn block(&mut self, id: ProcId, block: BlockId, mut here: Here, points: &Points) -> Vec<(BlockId, Here)> {
        let program = self.program;
        for (index, stmt) in program.procs[id].blocks[block].stmts.iter().enumerate() {
            if points.contains(&(block, index)) || matches!(stmt.op, Op::Call { .. } | Op::Return) {
                self.expose(id, &here.locals);
            }
            match &stmt.op {
                Op::Goto(to) => return vec![(*to, here)],
                Op::Choose { targets, .. } => return targets.iter().map(|to| (*to, here.clone())).collect(),
                Op::Branch { cond, then, otherwise } => {
                    let mut next = Vec::new();
                    for (to, holds) in [(then, true), (otherwise, false)] {
                        let mut there = here.clone();
                        if self.passes(*cond, holds, &mut there.locals, &here.assigned) {
                            next.push((*to, there));
                        }
                    }
                    return next;
                }
                Op::Return => {
                    self.leave(id, &here);
                    return Vec::new();
                }
                Op::Exit => return Vec::new(),
                Op::Assume(cond) | Op::Assert { cond, .. } => {
                    if !self.passes(*cond, true, &mut here.locals, &here.assigned) {
                        return Vec::new();
                    }
                }
                Op::Await { guard, targets, values } => {
                    if !self.passes(*guard, true, &mut here.locals, &here.assigned) {
                        return Vec::new();
                    }
                    self.assign(targets, values, &mut here);
                }
                Op::Assign { targets, values, .. } => self.assign(targets, values, &mut here),
                Op::Call { proc, args, results } => {
                    self.enter(*proc, args, &here);
                    let Some(returned) = self.returns.get(proc).cloned() else { return Vec::new() };
                    here.assigned.add_all(&returned.assigned);
                    self.set_all(results, &returned.sets, &mut here);
                }
                Op::Spawn { proc, args, handle } => {
                    self.enter(*proc, args, &here);
                    let number = self.tasks.map_or_else(Set::any, |tasks| Set::of(1..=tasks));
                    self.set_all(handle.as_slice(), &[number], &mut here);
                }
                Op::Wait { task, results } => {
                    self.value(*task, here.env());
                    let mut sets = self.task_results.clone();
                    sets.resize(results.len(), Set::default());
                    self.set_all(results, &sets, &mut here);
                }
                Op::AtomicBegin
                | Op::AtomicEnd
                | Op::Yield
                | Op::Progress
                | Op::TransactionBegin
                | Op::TransactionEnd => {}
                Op::Havoc { targets } | Op::Opaque { targets, .. } => {
                    self.set_all(targets, &vec![Set::any(); targets.len()], &mut here);
                }
                Op::Sync(_) => unreachable!("synchronization is expanded"),
            }
        }
        Vec::new()
    }

    fn assign(&mut self, targets: &[Place], values: &[ExprId], here: &mut Here) {
        let sets: Vec<Set> = values.iter().map(|value| self.copied(*value, here.env())).collect();
        self.set_all(targets, &sets, here);
    }

    /// Assigns places, whose indices are what they were before.
    fn set_all(&mut self, targets: &[Place], sets: &[Set], here: &mut Here) {
        let before = here.clone();
        for (place, set) in targets.iter().zip(sets) {
            let indices: Vec<Set> =
                place.path.concat().iter().map(|index| self.value(*index, before.env())).collect();
            match place.base {
                PlaceBase::Local(id) if indices.is_empty() => here.locals[id.as_u32() as usize] = set.clone(),
                PlaceBase::Local(_) => {}
                PlaceBase::Global(id) => {
                    if let [index] = &indices[..] {
                        self.touch(id, index);
                    }
                    self.changed |= self.globals[id.as_u32() as usize].add(set);
                }
            }
            here.assigned.add(self.program, place);
        }
    }

    /// Notes with what a procedure is entered.
    fn enter(&mut self, proc: ProcId, args: &[ExprId], here: &Here) {
        let sets: Vec<Set> = args.iter().map(|arg| self.copied(*arg, here.env())).collect();
        let new = Boundary { sets, assigned: here.assigned.clone() };
        self.changed |= match self.entries.get_mut(&proc) {
            Some(known) => known.add(&new),
            None => self.entries.insert(proc, new).is_none(),
        };
    }

    /// Notes with what a procedure is left.
    fn leave(&mut self, proc: ProcId, here: &Here) {
        let results = self.program.procs[proc].results.iter();
        let sets: Vec<Set> = results.map(|local| here.locals[local.as_u32() as usize].clone()).collect();
        // A task that takes results may get those of any that returns as many.
        for (at, set) in sets.iter().enumerate() {
            if self.task_results.len() <= at {
                self.task_results.push(Set::default());
            }
            self.changed |= self.task_results[at].add(set);
        }
        let new = Boundary { sets, assigned: here.assigned.clone() };
        self.changed |= match self.returns.get_mut(&proc) {
            Some(known) => known.add(&new),
            None => self.returns.insert(proc, new).is_none(),
        };
    }
}
