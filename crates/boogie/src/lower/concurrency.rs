//! Tasks, threads and locks.
//!
//! A forked thread is known by the values of its id: a hidden map per list of id types (`$fork.int: [int]task`) holds
//! the handle of the newest thread of each id that was not joined yet. To join any other id blocks for ever. As in
//! Ultimate, a join that takes results is for threads that have such results only; where threads with different
//! results share id types, there is one map per list of result types.

use indexmap::IndexSet;
use ir::{AccessOrder, ExprId, ExprNode, GlobalId, LocalId, Op, Place, PlaceBase, SyncKind, SyncOp, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Span};

use crate::ast::{Body, Call, Expr, Ident, StmtKind, Target};
use crate::lower::procedure::Frame;
use crate::lower::types::mangle;
use crate::lower::{Lowered, Lowering};
use crate::types::Ty;

/// Which threads are forked and joined.
#[derive(Debug, Default)]
pub(super) struct Forks {
    /// The types of the results of threads that are forked, by the types of their ids.
    results: FxHashMap<Vec<Ty>, IndexSet<Vec<Type>>>,
    /// The types of the ids of threads that are joined.
    joined: FxHashSet<Vec<Ty>>,
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
        self.start(frame, proc, args, handle, span);
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
            self.start(frame, proc, args, Some(Place::local(handle)), call.span);
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
        let symbol = self.checked.symbols.procedures.get(&procedure.name);
        let results = symbol.map(|s| s.results.clone()).unwrap_or_default();
        let results: Vec<Type> = results.into_iter().map(|ty| self.ty(ty, span)).collect::<Lowered<_>>()?;
        let key = self.id_types(ids);
        let (map, _) = self.fork_map(key, &results, span)?;
        let indices = self.exprs(ids)?;
        let args = self.exprs(args)?;
        self.start(frame, proc, args, Some(Place::global(map).at(indices)), span);
        Ok(())
    }

    pub(super) fn join(
        &mut self,
        frame: &mut Frame<'a>,
        ids: &'a [Expr],
        results: &'a [Target],
        span: Span,
    ) -> Lowered<()> {
        let mut indices = self.exprs(ids)?;
        let results = self.places(results)?;
        let types: Vec<Type> = results.iter().map(|place| self.place_type(frame, place)).collect();
        let key = self.id_types(ids);
        let forked = self.forks.results.get(&key).cloned().unwrap_or_default();
        let wanted = match (types.is_empty(), forked.len()) {
            (true, 1) => forked[0].clone(),
            (true, 2..) => {
                let what = "`join` without results where threads with different results have such ids";
                return Err(self.unsupported(span, what));
            }
            _ => types,
        };
        if !forked.contains(&wanted) {
            let warning = Diagnostic::warning(span, "this join blocks for ever")
                .label("no thread with such an id and such results is forked");
            self.warnings.push(warning);
        }
        let (map, ty) = self.fork_map(key, &wanted, span)?;
        if self.may_change(&indices, &results) {
            indices = self.keep(frame, &indices, span);
        }
        let cell = Place::global(map).at(indices.clone());
        let map: ExprId = self.program.exprs.add(ExprNode::Global(map, ty));
        let task = self.program.exprs.select(map, indices);
        frame.push(Op::Wait { task, results }, span);
        // A thread is joined once.
        let nil = self.program.exprs.add(ExprNode::Nil);
        frame.push(Op::Assign { targets: vec![cell], values: vec![nil], order: AccessOrder::Plain }, span);
        Ok(())
    }

    /// Whether an id may have another value after the join: it is made of globals, or of what the join assigns.
    fn may_change(&self, ids: &[ExprId], results: &[Place]) -> bool {
        let mut changes = false;
        for &id in ids {
            self.program.exprs.for_each_in(id, |_, node| match node {
                ExprNode::Global(..) => changes = true,
                ExprNode::Local(local, _) => {
                    changes |= results.iter().any(|place| place.base == PlaceBase::Local(*local));
                }
                _ => {}
            });
        }
        changes
    }

    /// The values that some expressions have now.
    fn keep(&mut self, frame: &mut Frame<'a>, values: &[ExprId], span: Span) -> Vec<ExprId> {
        let types: Vec<Type> = values.iter().map(|&e| self.program.exprs.ty(e).clone()).collect();
        let locals: Vec<LocalId> = types.iter().map(|ty| frame.fresh_local("id", ty.clone(), span)).collect();
        let targets = locals.iter().map(|&local| Place::local(local)).collect();
        frame.push(Op::Assign { targets, values: values.to_vec(), order: AccessOrder::Plain }, span);
        locals
            .into_iter()
            .zip(types)
            .map(|(local, ty)| self.program.exprs.add(ExprNode::Local(local, ty)))
            .collect()
    }

    fn id_types(&self, ids: &[Expr]) -> Vec<Ty> {
        ids.iter().map(|id| self.checked.ty(id.id)).collect()
    }

    /// Finds out which threads are forked, before anything is lowered.
    pub(super) fn collect_forks(&mut self, body: &'a Body) {
        body.for_each_stmt(&mut |stmt| {
            if let StmtKind::Join { ids, .. } = &stmt.kind {
                let key = self.id_types(ids);
                self.forks.joined.insert(key);
            }
            let StmtKind::Fork { ids, procedure, .. } = &stmt.kind else { return };
            let Some(symbol) = self.checked.symbols.procedures.get(&procedure.name).cloned() else { return };
            let results: Lowered<Vec<Type>> =
                symbol.results.iter().map(|&ty| self.ty(ty, stmt.span)).collect();
            if let Ok(results) = results {
                let key = self.id_types(ids);
                self.forks.results.entry(key).or_default().insert(results);
            }
        });
    }

    /// The hidden maps with ids that are joined.
    pub(super) fn joined_maps(&self) -> FxHashSet<GlobalId> {
        let joined = self.fork_maps.iter().filter(|((ids, _), _)| self.forks.joined.contains(ids));
        joined.map(|(_, &(map, _))| map).collect()
    }

    /// The hidden map for threads with ids and results of some types.
    fn fork_map(&mut self, ids: Vec<Ty>, results: &[Type], span: Span) -> Lowered<(GlobalId, Type)> {
        // Almost always there is one kind of results, and it need not be named.
        let forked = self.forks.results.get(&ids);
        let kind = forked.and_then(|kinds| kinds.get_index_of(results)).unwrap_or(usize::MAX);
        let key = (ids, kind);
        if let Some((id, ty)) = self.fork_maps.get(&key) {
            return Ok((*id, ty.clone()));
        }
        let mut args = Vec::new();
        let mut name = "$fork".to_owned();
        for &part in &key.0 {
            args.push(self.ty(part, span)?);
            name.push('.');
            name.push_str(&mangle(&self.checked.types.show(part)));
        }
        match kind {
            0 => {}
            usize::MAX => name.push_str(".none"),
            _ => name.push_str(&format!(".kind{kind}")),
        }
        while self.program.global_named(&name).is_some() {
            name.push('\'');
        }
        let ty = Type::map(args, Type::Task);
        let nil = self.program.exprs.add(ExprNode::Nil);
        let init = self.program.exprs.add(ExprNode::ConstMap(ty.clone(), nil));
        let id = self.program.globals.push(ir::Global { name, ty: ty.clone(), init: Some(init), span });
        self.fork_maps.insert(key, (id, ty.clone()));
        Ok((id, ty))
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
