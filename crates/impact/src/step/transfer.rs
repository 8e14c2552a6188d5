//! Ops that give values to whole frames, to handles, or to arbitrary choices.

use formula::Unsupported;
use ir::{Op, OpRef, Place, PlaceBase, Type};
use schedule::{ThreadAt, Variable};
use smt::TermId;

use super::{End, Flow, Stepper, Walk};

impl Stepper<'_, '_> {
    pub(super) fn havoc(&mut self, walk: &mut Walk, targets: &[Place]) -> Result<Option<Flow>, Unsupported> {
        let types: Vec<Type> = targets.iter().map(|place| self.type_of(walk, place)).collect();
        // One way for each thread whose handle it can be.
        let mut ways = vec![(walk.clone(), Vec::new())];
        for ty in &types {
            let mut divided = Vec::new();
            for (mut way, mut values) in ways {
                if *ty != Type::Task {
                    values.push(self.input(&mut way, ty)?);
                    divided.push((way, values));
                    continue;
                }
                for thread in 0..self.key.threads + way.started.len() {
                    let number = u32::try_from(thread).unwrap_or(u32::MAX);
                    let mut way = way.clone();
                    way.path.handles.push((way.path.ops.len() - 1, number));
                    let mut values = values.clone();
                    values.push(self.model.translator.pool.int(number + 1));
                    divided.push((way, values));
                }
            }
            ways = divided;
        }
        for (mut way, values) in ways.into_iter().rev() {
            self.assign(&mut way, targets, &values)?;
            if let Some(top) = way.frames.last_mut() {
                top.index += 1;
            }
            self.work.push(way);
        }
        Ok(None)
    }

    fn type_of(&self, walk: &Walk, place: &Place) -> Type {
        let program = self.model.program;
        let mut ty = match place.base {
            PlaceBase::Global(id) => &program.globals[id].ty,
            PlaceBase::Local(local) => {
                &program.procs[walk.frames[walk.frames.len() - 1].proc].locals[local].ty
            }
        };
        for _ in &place.path {
            if let Some(map) = ty.as_map() {
                ty = &map.result;
            }
        }
        ty.clone()
    }

    /// Gives the locals of a new frame their first values.
    pub(super) fn enter(
        &mut self,
        walk: &mut Walk,
        thread: u32,
        frame: u32,
        proc: ir::ProcId,
        args: &[TermId],
    ) -> Result<(), Unsupported> {
        let callee = &self.model.program.procs[proc];
        for (local, declared) in &callee.locals {
            let given = callee.params.iter().position(|param| *param == local).and_then(|at| args.get(at));
            let value = match given {
                Some(value) => *value,
                None if declared.ty == Type::Task => self.model.translator.pool.int(0),
                None => self.input(walk, &declared.ty)?,
            };
            self.set(walk, Variable::Local { thread, frame, proc, local }, value)?;
        }
        Ok(())
    }

    /// The handle must be that of a thread that has completed.
    pub(super) fn wait(
        &mut self,
        walk: &mut Walk,
        task: ir::ExprId,
        results: &[Place],
    ) -> Result<Option<Flow>, Unsupported> {
        let handle = self.eval(walk, task)?;
        let wanted: Vec<Type> = results.iter().map(|place| self.type_of(walk, place)).collect();
        let mut guards = Vec::new();
        let mut values: Option<Vec<TermId>> = None;
        for (thread, proc) in self.key.completed.clone() {
            let number = self.model.translator.pool.int(thread + 1);
            let is = self.model.translator.pool.eq(handle, number);
            if self.model.translator.pool.as_bool(is) == Some(false) {
                continue;
            }
            let callee = &self.model.program.procs[proc];
            let types = callee.results.iter().map(|local| &callee.locals[*local].ty);
            if !wanted.is_empty() && !types.eq(&wanted) {
                let at = walk.frames[walk.frames.len() - 1];
                let what = format!("waiting for the results of `{}`, which do not fit", callee.name);
                let mut other = walk.clone();
                self.require(&mut other, is);
                self.finish(other, End::Cut { at, cut: interp::Cut::Unsupported(what) });
                continue;
            }
            guards.push(is);
            let mut found = Vec::new();
            for (index, _) in (0u32..).zip(&wanted) {
                found.push(self.get(walk, Variable::Result { thread, proc, index })?);
            }
            let pool = &mut self.model.translator.pool;
            values = Some(match values {
                None => found,
                Some(others) => {
                    found.iter().zip(others).map(|(value, other)| pool.ite(is, *value, other)).collect()
                }
            });
        }
        let Some(values) = values else { return Ok(None) };
        let some = self.model.translator.pool.or(guards);
        self.require(walk, some);
        self.assign(walk, results, &values)?;
        Ok(Some(Flow::Next))
    }

    pub(super) fn leave(&mut self, walk: &mut Walk, at: OpRef) -> Result<Flow, Unsupported> {
        let proc = &self.model.program.procs[at.proc];
        let thread = self.key.thread;
        let frame = u32::try_from(walk.frames.len() - 1).unwrap_or(u32::MAX);
        let mut values = Vec::new();
        for local in &proc.results {
            values.push(self.get(walk, Variable::Local { thread, frame, proc: at.proc, local: *local })?);
        }
        // Nothing is left of the frame.
        for local in proc.locals.keys() {
            let id = self.model.var(Variable::Local { thread, frame, proc: at.proc, local })?;
            walk.values.remove(&id);
        }
        if walk.frames.len() == 1 {
            for (index, value) in (0u32..).zip(values) {
                self.set(walk, Variable::Result { thread, proc: at.proc, index }, value)?;
            }
            let me = ThreadAt::Completed(at.proc);
            return Ok(Flow::Ended(End::Moved { me, started: walk.started.clone(), exit: false }));
        }
        walk.frames.pop();
        let call = walk.frames[walk.frames.len() - 1];
        if let Op::Call { results, .. } = self.model.op(call)
            && !results.is_empty()
        {
            self.assign(walk, results, &values)?;
        }
        if let Some(top) = walk.frames.last_mut() {
            top.index += 1;
        }
        Ok(Flow::Stay)
    }
}
