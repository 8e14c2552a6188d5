//! Tasks, threads and locks.
//!
//! A forked thread is known by the values of its id: a hidden map per list of id types (`$fork.int: [int]task`) holds
//! the handle of the newest thread of each id. To join an id that was never forked blocks for ever.

use ir::{ExprId, ExprNode, GlobalId, Op, Place, ProcId, SyncKind, SyncOp, Type};
use source::{Diagnostic, Span};

use crate::ast::{Call, Expr, Ident, Target};
use crate::lower::procedure::Frame;
use crate::lower::types::mangle;
use crate::lower::{Lowered, Lowering};
use crate::types::Ty;

/// A fork or join: the types of the thread's id, and what comes of it.
#[derive(Debug, Default)]
pub(super) struct Threads {
    forks: Vec<(Vec<Ty>, ProcId)>,
    joins: Vec<(Vec<Ty>, Vec<Type>, Span)>,
}

impl<'a> Lowering<'a> {
    pub(super) fn async_call(&mut self, frame: &mut Frame<'a>, call: &'a Call, span: Span) -> Lowered<()> {
        let proc = self.callee(&call.procedure)?;
        let args = self.args(frame, call)?;
        let mut handle = None;
        if let [result] = call.results.as_slice() {
            let place = self.place_of(result)?;
            // Any other variable waits for a result that never comes, as in Corral: the task outlives the call.
            if self.place_type(frame, &place) == Type::Task {
                handle = Some(place);
            }
        }
        frame.push(Op::Spawn { proc, args, handle }, span);
        Ok(())
    }

    /// `call p() | q();`: all at once, then wait for all.
    pub(super) fn parallel_call(
        &mut self,
        frame: &mut Frame<'a>,
        calls: &'a [Call],
        span: Span,
    ) -> Lowered<()> {
        let mut started = Vec::new();
        for call in calls {
            if call.is_async {
                self.async_call(frame, call, call.span)?;
                continue;
            }
            let proc = self.callee(&call.procedure)?;
            let args = self.args(frame, call)?;
            let handle = frame.fresh_local("arm", Type::Task, call.span);
            frame.push(Op::Spawn { proc, args, handle: Some(Place::local(handle)) }, call.span);
            started.push((handle, call));
        }
        for (handle, call) in started {
            let task = self.program.exprs.add(ExprNode::Local(handle, Type::Task));
            let results = call.results.iter().map(|ident| self.place_of(ident)).collect::<Lowered<_>>()?;
            frame.push(Op::Wait { task, results }, span);
        }
        Ok(())
    }

    pub(super) fn wait(
        &mut self,
        frame: &mut Frame<'a>,
        results: &'a [Target],
        task: &'a Expr,
        span: Span,
    ) -> Lowered<()> {
        let task = self.expr(task)?;
        let results = self.places(results)?;
        frame.push(Op::Wait { task, results }, span);
        Ok(())
    }

    pub(super) fn fork(
        &mut self,
        frame: &mut Frame<'a>,
        ids: &'a [Expr],
        procedure: &'a Ident,
        args: &'a [Expr],
        span: Span,
    ) -> Lowered<()> {
        let proc = self.callee(procedure)?;
        let (map, _, key) = self.fork_map(ids, span)?;
        let indices = self.exprs(ids)?;
        let args = self.exprs(args)?;
        self.threads.forks.push((key, proc));
        frame.push(Op::Spawn { proc, args, handle: Some(Place::global(map).at(indices)) }, span);
        Ok(())
    }

    pub(super) fn join(
        &mut self,
        frame: &mut Frame<'a>,
        ids: &'a [Expr],
        results: &'a [Target],
        span: Span,
    ) -> Lowered<()> {
        let (map, ty, key) = self.fork_map(ids, span)?;
        let indices = self.exprs(ids)?;
        let results = self.places(results)?;
        let types = results.iter().map(|place| self.place_type(frame, place)).collect();
        self.threads.joins.push((key, types, span));
        let map: ExprId = self.program.exprs.add(ExprNode::Global(map, ty));
        let task = self.program.exprs.select(map, indices);
        frame.push(Op::Wait { task, results }, span);
        Ok(())
    }

    /// The hidden map for thread ids of some types.
    fn fork_map(&mut self, ids: &'a [Expr], span: Span) -> Lowered<(GlobalId, Type, Vec<Ty>)> {
        let key: Vec<Ty> = ids.iter().map(|id| self.checked.ty(id.id)).collect();
        if let Some((id, ty)) = self.fork_maps.get(&key) {
            return Ok((*id, ty.clone(), key));
        }
        let mut args = Vec::new();
        let mut name = "$fork".to_owned();
        for &part in &key {
            args.push(self.ty(part, span)?);
            name.push('.');
            name.push_str(&mangle(&self.checked.types.show(part)));
        }
        while self.checked.symbols.globals.contains_key(name.as_str()) {
            name.push('\'');
        }
        let ty = Type::map(args, Type::Task);
        let nil = self.program.exprs.add(ExprNode::Nil);
        let init = self.program.exprs.add(ExprNode::ConstMap(ty.clone(), nil));
        let id = self.program.globals.push(ir::Global { name, ty: ty.clone(), init: Some(init), span });
        self.fork_maps.insert(key.clone(), (id, ty.clone()));
        Ok((id, ty, key))
    }

    /// A join takes the results of whatever runs under its id, so all that may run there must have such results.
    pub(super) fn check_joins(&mut self) {
        let threads = std::mem::take(&mut self.threads);
        for (key, wanted, span) in threads.joins.iter().filter(|(_, results, _)| !results.is_empty()) {
            for (_, proc) in threads.forks.iter().filter(|(other, _)| other == key) {
                let proc = &self.program.procs[*proc];
                let found = proc.results.iter().map(|&id| &proc.locals[id].ty);
                if !found.eq(wanted) {
                    let message = format!("`{}` may be joined here, but its results do not fit", proc.name);
                    let problem = Diagnostic::error(*span, message)
                        .label("results are taken here")
                        .with(proc.span, "does not have such results")
                        .help("use ids with a different number of values for threads with different results");
                    self.problems.push(problem);
                    break;
                }
            }
        }
    }

    pub(super) fn lock(
        &mut self,
        frame: &mut Frame<'a>,
        kind: SyncKind,
        lock: &'a Target,
        result: Option<&'a Target>,
        span: Span,
    ) -> Lowered<()> {
        let object = self.place(lock)?;
        let result = result.map(|target| self.place(target)).transpose()?;
        frame.push(Op::Sync(SyncOp { kind, object, mutex: None, value: None, result }), span);
        Ok(())
    }
}
