//! What ops do to the variables on a way through a step.

use std::rc::Rc;

use formula::Unsupported;
use ir::{ExprId, Op, OpRef, Place, PlaceBase, ProcId, Type};
use smt::TermId;

use super::super::Symbolic;
use super::super::variables::{nil, position};
use super::run::{Stepper, Stop, Way};
use super::{End, Touched};
use crate::ThreadAt;

impl Stepper<'_, '_> {
    pub(crate) fn entry(&self, proc: ProcId) -> OpRef {
        OpRef { proc, block: self.symbolic.program.procs[proc].entry, index: 0 }
    }

    /// Gives the locals of a new frame their values.
    pub(crate) fn enter(
        &mut self,
        way: &mut Way,
        thread: u32,
        frame: u32,
        proc: ProcId,
        args: &[TermId],
    ) -> Result<Rc<[TermId]>, Unsupported> {
        let Symbolic { program, variables, formulas, .. } = &mut *self.symbolic;
        let program = *program;
        let info = &program.procs[proc];
        let scope = variables.frame(formulas, thread, frame, proc)?;
        for (local, declared) in &info.locals {
            let given = info.params.iter().position(|param| *param == local).and_then(|at| args.get(at));
            let value = match given {
                Some(&arg) => arg,
                None => match nil(formulas, &declared.ty)? {
                    Some(nil) => nil,
                    None => {
                        let sort = formulas.sort(&declared.ty)?;
                        let value = variables.fresh(formulas, &declared.name, sort);
                        self.chosen.push(value);
                        value
                    }
                },
            };
            way.changes.insert(scope[position(local)], value);
        }
        Ok(scope)
    }

    /// Returns from a procedure, or completes the thread.
    pub(crate) fn leave(&mut self, mut way: Way, at: OpRef) -> Result<Option<Way>, Unsupported> {
        way.ops.push(at);
        let program = self.symbolic.program;
        let info = &program.procs[at.proc];
        let Some(scope) = way.scopes.pop() else { return Ok(None) };
        let results: Vec<TermId> = info.results.iter().map(|r| way.value(scope[position(*r)])).collect();
        way.frames.pop();
        let Some(&call) = way.frames.last() else {
            for (index, value) in results.into_iter().enumerate() {
                let Symbolic { variables, formulas, .. } = &mut *self.symbolic;
                let constant = variables.result(formulas, self.situation.thread, at.proc, index)?;
                way.changes.insert(constant, value);
            }
            way.note(Touched::Completion(self.situation.thread), Vec::new(), true);
            let started = std::mem::take(&mut way.started);
            self.end(way, End::Moved { thread: ThreadAt::Completed(at.proc), started });
            return Ok(None);
        };
        if let Op::Call { results: targets, .. } =
            &program.procs[call.proc].blocks[call.block].stmts[call.index].op
            && !targets.is_empty()
        {
            self.assign(&mut way, targets, &results)?;
        }
        way.go_on();
        Ok(Some(way))
    }

    /// Divides into one way per thread that can be waited for.
    pub(crate) fn wait(
        &mut self,
        mut way: Way,
        at: OpRef,
        task: ExprId,
        results: &[Place],
    ) -> Result<(), Unsupported> {
        let handle = self.read(&mut way, task)?;
        let mut nobody = Vec::new();
        let completed = self.situation.completed.clone();
        for (thread, proc) in (0u32..).zip(completed) {
            let Some(proc) = proc else { continue };
            let number = self.symbolic.formulas.pool.int(thread + 1);
            let this = self.symbolic.formulas.pool.eq(handle, number);
            nobody.push(self.symbolic.formulas.pool.not(this));
            let Some(mut taken) = self.under(&way, this) else { continue };
            taken.note(Touched::Completion(thread), Vec::new(), false);
            match self.take_results(&mut taken, thread, proc, results) {
                Ok(()) => {
                    taken.ops.push(at);
                    taken.go_on();
                    self.work.push(taken);
                }
                Err(what) => self.end(taken, End::Unsupported(what)),
            }
        }
        let nobody = self.symbolic.formulas.pool.and(nobody);
        if let Some(stopped) = self.under(&way, nobody) {
            self.stop(stopped, at, &Stop::Wait);
        }
        Ok(())
    }

    fn take_results(
        &mut self,
        way: &mut Way,
        thread: u32,
        proc: ProcId,
        targets: &[Place],
    ) -> Result<(), Unsupported> {
        if targets.is_empty() {
            return Ok(());
        }
        let program = self.symbolic.program;
        let info = &program.procs[proc];
        let caller = way.frames.last().map(|op| op.proc);
        let given = info.results.iter().map(|r| Some(&info.locals[*r].ty));
        if !given.eq(targets.iter().map(|place| self.type_of(caller, place))) {
            let what = format!("waiting for the results of `{}`, which do not fit the variables", info.name);
            return Err(Unsupported::new(&what));
        }
        let mut values = Vec::new();
        for index in 0..info.results.len() {
            let Symbolic { variables, formulas, .. } = &mut *self.symbolic;
            let constant = variables.result(formulas, thread, proc, index)?;
            values.push(way.value(constant));
        }
        self.assign(way, targets, &values)
    }

    fn type_of(&self, proc: Option<ProcId>, place: &Place) -> Option<&Type> {
        let program = self.symbolic.program;
        let mut ty = match place.base {
            PlaceBase::Global(id) => &program.globals[id].ty,
            PlaceBase::Local(id) => &program.procs[proc?].locals[id].ty,
        };
        for _ in &place.path {
            ty = &ty.as_map()?.result;
        }
        Some(ty)
    }

    /// Gives places arbitrary values, one after the other. A handle becomes that of any thread there is, on a way of its own.
    pub(crate) fn havoc(&mut self, way: Way, targets: &[Place]) -> Result<(), Unsupported> {
        let mut ways = vec![way];
        for target in targets {
            let proc = ways.first().and_then(|way| way.frames.last()).map(|op| op.proc);
            let Some(ty) = self.type_of(proc, target).cloned() else {
                return Err(Unsupported::new("a havoc of something that has no type"));
            };
            if ty == Type::Task {
                let mut divided = Vec::new();
                for mut way in ways {
                    way.note(Touched::Threads, Vec::new(), false);
                    for handle in 1..=self.situation.completed.len() + way.started.len() {
                        let value = self.symbolic.formulas.pool.int(handle);
                        let mut taken = way.clone();
                        taken.handles.push(u32::try_from(handle - 1).unwrap_or(u32::MAX));
                        self.assign(&mut taken, std::slice::from_ref(target), &[value])?;
                        divided.push(taken);
                    }
                }
                ways = divided;
            } else {
                let sort = self.symbolic.formulas.sort(&ty)?;
                let Symbolic { variables, formulas, .. } = &mut *self.symbolic;
                let value = variables.fresh(formulas, "any", sort);
                self.chosen.push(value);
                for way in &mut ways {
                    self.assign(way, std::slice::from_ref(target), &[value])?;
                }
            }
        }
        for mut way in ways.into_iter().rev() {
            way.go_on();
            self.work.push(way);
        }
        Ok(())
    }

    /// Assigns all targets at once: the indices are evaluated before anything changes.
    pub(crate) fn assign(
        &mut self,
        way: &mut Way,
        targets: &[Place],
        values: &[TermId],
    ) -> Result<(), Unsupported> {
        let mut indices = Vec::new();
        for target in targets {
            let mut path = Vec::new();
            for &index in target.path.iter().flatten() {
                path.push(self.read(way, index)?);
            }
            indices.push(path);
        }
        for ((target, path), &value) in targets.iter().zip(&indices).zip(values) {
            let constant = match target.base {
                PlaceBase::Global(id) => {
                    way.note(Touched::Global(id), path.clone(), true);
                    self.symbolic.variables.globals[id]
                }
                PlaceBase::Local(id) => {
                    let Some(scope) = way.scopes.last() else { continue };
                    scope[position(id)]
                }
            };
            let value = if path.is_empty() {
                value
            } else {
                self.symbolic.formulas.pool.store_at(way.value(constant), path, value)
            };
            way.changes.insert(constant, value);
        }
        Ok(())
    }
}
