//! Simple statements: each is one op.

use ir::{AccessOrder, AssertKind, ExprId, ExprNode, Op, Place, PlaceBase, Type};
use source::Span;

use crate::ast::{Attribute, AttributeArg, Call, Expr, ExprKind, Ident, Stmt, StmtKind, Target, attribute};
use crate::lower::procedure::Frame;
use crate::lower::{Lowered, Lowering};

impl<'a> Lowering<'a> {
    pub(super) fn simple_stmt(&mut self, frame: &mut Frame<'a>, stmt: &'a Stmt) {
        // What is refused has been reported; the other statements may have problems of their own.
        let _ = self.try_stmt(frame, stmt);
    }

    fn try_stmt(&mut self, frame: &mut Frame<'a>, stmt: &'a Stmt) -> Lowered<()> {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Assign(targets, values) => self.assign(frame, targets, values, span)?,
            StmtKind::Havoc(idents) => self.havoc(frame, idents, span)?,
            // Tools hang attributes on statements that say nothing, by the thousand.
            StmtKind::Assert(_, condition) if matches!(condition.kind, ExprKind::Bool(true)) => {}
            StmtKind::Assert(attributes, condition) => {
                let cond = self.expr(condition)?;
                let message = written_message(attributes)
                    .unwrap_or_else(|| format!("assertion does not hold: {}", self.quote(condition.span)));
                frame.push(Op::Assert { cond, kind: AssertKind::Assertion, message }, span);
            }
            StmtKind::Assume(attributes, condition) => {
                let trivial = matches!(condition.kind, ExprKind::Bool(true));
                if attribute(attributes, "progress").is_some() {
                    frame.push(Op::Progress, span);
                } else if let Some(mark) = attribute(attributes, "transaction") {
                    frame.push(self.transaction(mark, span)?, span);
                } else if attribute(attributes, "yield").is_some() {
                    frame.push(Op::Yield, span);
                } else if trivial {
                    return Ok(());
                }
                if !trivial {
                    let cond = self.expr(condition)?;
                    frame.push(Op::Assume(cond), span);
                }
            }
            StmtKind::Call(call) if call.is_async => self.async_call(frame, call, span)?,
            StmtKind::Call(call) => self.call(frame, call, span)?,
            StmtKind::ParallelCall(calls) => self.parallel_call(frame, calls, span)?,
            StmtKind::CallForall(_) => return Err(self.unsupported(span, "`call forall`")),
            StmtKind::Yield => frame.push(Op::Yield, span),
            StmtKind::Wait { results, task } => self.wait(frame, results, task, span)?,
            StmtKind::Fork { ids, procedure, args } => self.fork(frame, ids, procedure, args, span)?,
            StmtKind::Join { ids, results } => self.join(frame, ids, results, span)?,
            StmtKind::Acquire(lock) => self.lock(frame, ir::SyncKind::Acquire, lock, None, span)?,
            StmtKind::Release(lock) => self.lock(frame, ir::SyncKind::Release, lock, None, span)?,
            StmtKind::TryAcquire { result, lock } => {
                self.lock(frame, ir::SyncKind::TryAcquire, lock, Some(result), span)?;
            }
            StmtKind::ReturnValue(_) => return Err(self.unsupported(span, "`return` with a value")),
            StmtKind::Label(_)
            | StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::Break(_)
            | StmtKind::Goto(_)
            | StmtKind::Return
            | StmtKind::Atomic(_) => {}
        }
        Ok(())
    }

    /// `{:transaction "begin"}` and `{:transaction "end"}`.
    fn transaction(&mut self, mark: &Attribute, span: Span) -> Lowered<Op> {
        match mark.args.first() {
            Some(AttributeArg::String(text)) if text == "begin" => Ok(Op::TransactionBegin),
            Some(AttributeArg::String(text)) if text == "end" => Ok(Op::TransactionEnd),
            _ => Err(self.unsupported(span, "a mark of a transaction that is neither \"begin\" nor \"end\"")),
        }
    }

    pub(super) fn place_of(&mut self, ident: &Ident) -> Lowered<Place> {
        if let Some((id, _)) = self.env.locals.get(&ident.name) {
            Ok(Place::local(*id))
        } else if let Some((id, _)) = self.globals.get(&ident.name) {
            Ok(self.global_place(*id))
        } else {
            Err(self.unsupported(ident.span, &format!("the type of `{}`", ident.name)))
        }
    }

    pub(super) fn place(&mut self, target: &'a Target) -> Lowered<Place> {
        let mut place = self.place_of(&target.ident)?;
        for indices in &target.path {
            if indices.is_empty() {
                return Err(self.unsupported(target.span, "maps without indices"));
            }
            place = place.at(self.exprs(indices)?);
        }
        Ok(place)
    }

    pub(super) fn places(&mut self, targets: &'a [Target]) -> Lowered<Vec<Place>> {
        targets.iter().map(|t| self.place(t)).collect()
    }

    /// The type of what a place holds.
    pub(super) fn place_type(&self, frame: &Frame<'a>, place: &Place) -> Type {
        let mut ty = match place.base {
            PlaceBase::Global(id) => self.program.globals[id].ty.clone(),
            PlaceBase::Local(id) => frame.builder.proc().locals[id].ty.clone(),
        };
        for _ in &place.path {
            if let Some(map) = ty.as_map() {
                ty = map.result.clone();
            }
        }
        ty
    }

    fn assign(
        &mut self,
        frame: &mut Frame<'a>,
        targets: &'a [Target],
        values: &'a [Expr],
        span: Span,
    ) -> Lowered<()> {
        let mut places = Vec::new();
        let mut lowered: Vec<ExprId> = Vec::new();
        for (target, value) in targets.iter().zip(values) {
            let mut place = self.place(target)?;
            match &value.kind {
                // `a := a[i := e]` changes one cell, and says so.
                ExprKind::Store { map, indices, value: cell }
                    if target.path.is_empty()
                        && !indices.is_empty()
                        && matches!(&map.kind, ExprKind::Name(name) if *name == target.ident.name) =>
                {
                    place = place.at(self.exprs(indices)?);
                    lowered.push(self.expr(cell)?);
                }
                _ => lowered.push(self.expr(value)?),
            }
            places.push(place);
        }
        frame.push(Op::Assign { targets: places, values: lowered, order: AccessOrder::Plain }, span);
        Ok(())
    }

    fn havoc(&mut self, frame: &mut Frame<'a>, idents: &'a [Ident], span: Span) -> Lowered<()> {
        let mut targets: Vec<Place> = Vec::new();
        let mut conditions: Vec<(&'a Expr, bool)> = Vec::new();
        let mut one_step = false;
        for ident in idents {
            let place = self.place_of(ident)?;
            let condition = match place.base {
                PlaceBase::Local(_) => frame.conditions.get(&ident.name).copied(),
                PlaceBase::Global(_) => {
                    self.global_condition(&ident.name).map(|condition| (condition, false))
                }
            };
            one_step |= condition.is_some() && matches!(place.base, PlaceBase::Global(_));
            conditions.extend(condition);
            if !targets.contains(&place) {
                targets.push(place);
            }
        }
        // Nobody may see a global between its new value and what is known of it.
        if one_step {
            frame.push(Op::AtomicBegin, span);
        }
        frame.push(Op::Havoc { targets }, span);
        for (condition, of_procedure) in conditions {
            let names =
                of_procedure.then(|| std::mem::replace(&mut self.env.locals, frame.spec_names.clone()));
            self.assume(frame, condition, span);
            if let Some(names) = names {
                self.env.locals = names;
            }
        }
        if one_step {
            frame.push(Op::AtomicEnd, span);
        }
        Ok(())
    }

    /// Arguments of a call; `*` is any value.
    pub(super) fn args(&mut self, frame: &mut Frame<'a>, call: &'a Call) -> Lowered<Vec<ExprId>> {
        let mut args = Vec::new();
        for (at, arg) in call.args.iter().enumerate() {
            let value = match arg {
                Some(arg) => self.expr(arg)?,
                None => {
                    let symbol = self.checked.symbols.procedures.get(&call.procedure.name);
                    let ty =
                        symbol.and_then(|s| s.params.get(at).copied()).unwrap_or(crate::types::Ty::ERROR);
                    let ty = self.ty(ty, call.span)?;
                    let local = frame.fresh_local("any", ty.clone(), call.span);
                    frame.push(Op::Havoc { targets: vec![Place::local(local)] }, call.span);
                    self.program.exprs.add(ExprNode::Local(local, ty))
                }
            };
            args.push(value);
        }
        Ok(args)
    }

    pub(super) fn callee(&mut self, procedure: &Ident) -> Lowered<ir::ProcId> {
        match self.procs.get(&procedure.name) {
            Some(&id) => Ok(id),
            None => Err(self.unsupported(procedure.span, &format!("procedure `{}`", procedure.name))),
        }
    }

    fn call(&mut self, frame: &mut Frame<'a>, call: &'a Call, span: Span) -> Lowered<()> {
        if self.primitive(frame, call, span) || self.number(frame, call, span)? {
            return Ok(());
        }
        self.warn_of_numbers(call);
        let proc = self.callee(&call.procedure)?;
        let args = self.args(frame, call)?;
        let results = call.results.iter().map(|ident| self.place_of(ident)).collect::<Lowered<_>>()?;
        frame.push(Op::Call { proc, args, results }, span);
        Ok(())
    }
}

/// The message a user gave an assertion: `assert {:msg "..."} e;`.
fn written_message(attributes: &[Attribute]) -> Option<String> {
    match attribute(attributes, "msg")?.args.first() {
        Some(AttributeArg::String(text)) => Some(text.clone()),
        _ => None,
    }
}
