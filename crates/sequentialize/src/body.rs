//! The procedures of the program, op by op.

use cranelift_entity::{PrimaryMap, SecondaryMap};
use ir::{
    AccessOrder, BinaryOp, BlockId, ExprId, ExprNode, Local, LocalId, Op, OpRef, Place, PlaceBase, ProcId,
    Stmt, Type,
};
use rustc_hash::FxHashSet;

use crate::code::Code;
use crate::context::Context;
use crate::erase::{erased, nil};
use crate::points::{Points, is_global, points, reads_global};
use crate::state::place_type;
use crate::{Mark, Scheduler, SwitchAt};

/// Translates a procedure as it runs inside or outside of atomic sections.
pub(crate) fn translate(cx: &mut Context<'_>, proc: ProcId, atomic: bool) {
    let old = &cx.old.procs[proc];
    let id = cx.body(proc, atomic);
    let name = cx.new.procs[id].name.clone();
    let locals: PrimaryMap<_, _> =
        old.locals.values().map(|local| Local { ty: erased(&local.ty), ..local.clone() }).collect();
    let labels: Vec<String> = old.blocks.values().map(|block| block.name.clone()).collect();
    let points = points(cx.old, proc, cx.switch_at, cx.state.ended.is_some());
    let depths = depths(cx.old, proc, u32::from(atomic));
    let mut code = Code::extend(cx, id, name, old.span, locals, &labels);
    code.set_interface(old.params.clone(), old.results.clone());
    code.initialise_handles(old);
    code.push(Op::Goto(old.entry));
    let mut body = Body { code, proc, points, depth: 0 };
    for (block, stmts) in &old.blocks {
        // What no way leads to is left out.
        body.depth = depths[block].unwrap_or(0);
        body.code.switch_to(block);
        for (index, stmt) in stmts.stmts.iter().enumerate() {
            body.stmt(block, index, stmt);
        }
    }
    body.code.finish(None);
}

/// In how many atomic sections each block starts.
fn depths(program: &ir::Program, proc: ProcId, first: u32) -> SecondaryMap<BlockId, Option<u32>> {
    let proc = &program.procs[proc];
    let mut depths: SecondaryMap<BlockId, Option<u32>> = SecondaryMap::new();
    depths[proc.entry] = Some(first);
    let mut work = vec![proc.entry];
    while let Some(block) = work.pop() {
        let mut depth = depths[block].unwrap_or(0);
        for stmt in &proc.blocks[block].stmts {
            match &stmt.op {
                Op::AtomicBegin => depth += 1,
                Op::AtomicEnd => depth = depth.saturating_sub(1),
                op => {
                    for next in op.successors() {
                        if depths[next].is_none() {
                            depths[next] = Some(depth);
                            work.push(next);
                        }
                    }
                }
            }
        }
    }
    depths
}

impl Code<'_, '_> {
    /// Handles start as nil.
    fn initialise_handles(&mut self, old: &ir::Proc) {
        let mut pairs = Vec::new();
        for (id, local) in old.locals.iter().filter(|(id, _)| !old.params.contains(id)) {
            if let Some(nil) = nil(&mut self.cx.new.exprs, &local.ty) {
                pairs.push((Place::local(id), nil));
            }
        }
        self.assign(pairs);
    }
}

struct Body<'c, 'p> {
    code: Code<'c, 'p>,
    proc: ProcId,
    points: Points,
    /// In how many atomic sections the current op is.
    depth: u32,
}

impl Body<'_, '_> {
    fn stmt(&mut self, block: BlockId, index: usize, stmt: &Stmt) {
        let at = OpRef { proc: self.proc, block, index };
        let origin = self.code.cx.origins.get(at).unwrap_or(at);
        (self.code.origin, self.code.span) = (Some(origin), stmt.span);
        if self.points.contains(&(block, index)) {
            self.point(Some(at));
        }
        self.code.begins = Some(at);
        let outside = self.depth == 0;
        self.op(&stmt.op, origin, at);
        if self.code.cx.lasso.is_some() && self.depth == 0 {
            self.observe(at, &stmt.op, outside);
        }
    }

    /// Looks at who stands still, after an op outside of atomic sections or at the end of one.
    fn observe(&mut self, at: OpRef, op: &Op, outside: bool) {
        let mut assigned = FxHashSet::default();
        let mut assigns = |op: &Op| {
            op.for_each_target(|place| {
                if let PlaceBase::Global(global) = place.base {
                    assigned.insert(global);
                }
            });
        };
        let mut known = true;
        if outside {
            assigns(op);
        } else {
            // A section in one block, without calls, assigns what its ops do.
            let stmts = &self.code.cx.old.procs[at.proc].blocks[at.block].stmts[..at.index];
            let begin = stmts.iter().rposition(|stmt| matches!(stmt.op, Op::AtomicBegin));
            let section = begin.map(|begin| &stmts[begin..]).unwrap_or_default();
            let other = |stmt: &Stmt| matches!(stmt.op, Op::Call { .. } | Op::AtomicEnd);
            known = begin.is_some() && !section.iter().any(other);
            section.iter().for_each(|stmt| assigns(&stmt.op));
        }
        if !known || !assigned.is_empty() {
            let origin = self.code.origin.take();
            self.code.observe(known.then_some(&assigned));
            self.code.origin = origin;
        }
    }

    /// Where the task can be delayed: at an op, or inside one.
    fn point(&mut self, at: Option<OpRef>) {
        if self.depth == 0 && self.code.cx.bound > 0 {
            let origin = self.code.origin.take();
            if self.code.cx.lasso.is_some() {
                match at {
                    Some(at) => self.code.lasso_point(at),
                    None => self.code.inner_point(),
                }
                self.code.origin = origin;
                return;
            }
            let end = self.code.cx.state.ended.is_some().then(|| self.code.end());
            self.code.point(end);
            self.code.origin = origin;
        }
    }

    /// Whether the current op, if it blocks, is where the task is switched although it is no scheduling point.
    fn stops_where_blocked(&self) -> bool {
        self.code.cx.switch_at == SwitchAt::Yield && self.depth == 0
    }

    /// If the condition does not hold the task is blocked. Then it is delayed until it holds.
    fn pass_or_delay(&mut self, cond: ExprId) {
        let (blocked, again) = (self.code.block("blocked"), self.code.block("again"));
        self.code.proceed_if(cond, blocked, "holds");
        let holds = self.code.current();
        self.code.switch_to(blocked);
        let origin = self.code.origin.take();
        let end = self.code.cx.state.ended.is_some().then(|| self.code.end());
        self.code.delayed(end, again);
        self.code.origin = origin;
        self.code.switch_to(again);
        self.code.push(Op::Assume(cond));
        self.code.push(Op::Goto(holds));
        self.code.switch_to(holds);
    }

    fn expr(&self, e: ExprId) -> ExprId {
        self.code.cx.expr(e)
    }

    fn exprs(&self, es: &[ExprId]) -> Vec<ExprId> {
        es.iter().map(|&e| self.expr(e)).collect()
    }

    fn place(&self, place: &Place) -> Place {
        Place { base: place.base, path: place.path.iter().map(|indices| self.exprs(indices)).collect() }
    }

    fn places(&self, places: &[Place]) -> Vec<Place> {
        places.iter().map(|place| self.place(place)).collect()
    }

    fn op(&mut self, op: &Op, origin: OpRef, at: OpRef) {
        match op {
            Op::Choose { targets, fair: Some(fair) } if self.code.cx.lasso.is_some() => {
                let targets = self.code.fair_targets(at, targets, *fair);
                self.code.push(Op::Choose { targets, fair: None });
            }
            Op::Assign { .. }
            | Op::Havoc { .. }
            | Op::Goto(_)
            | Op::Branch { .. }
            | Op::Choose { .. }
            | Op::Return => {
                let op = op.map_operands(|e| self.expr(e));
                self.code.push(op);
            }
            Op::Assume(cond) => self.assume(*cond),
            Op::Await { guard, targets, values } => {
                let always = matches!(self.code.cx.old.exprs.node(*guard), ExprNode::Bool(true));
                let guard = self.expr(*guard);
                if self.stops_where_blocked() && self.code.cx.bound > 0 && !always {
                    self.pass_or_delay(guard);
                } else {
                    self.code.push(Op::Assume(guard));
                }
                let (targets, values) = (self.places(targets), self.exprs(values));
                if !targets.is_empty() {
                    self.code.push(Op::Assign { targets, values, order: AccessOrder::Plain });
                }
            }
            // An execution that ends is none that goes on for ever.
            Op::Assert { cond, .. } if self.code.cx.lasso.is_some() => {
                let cond = self.expr(*cond);
                self.code.push(Op::Assume(cond));
            }
            Op::Assert { cond, .. } => self.assert(*cond, op, origin),
            Op::Call { proc, args, results } => self.call(at, *proc, args, results),
            Op::Spawn { proc, args, handle } => {
                let (task, args) = (self.code.cx.task(*proc), self.exprs(args));
                let results = handle.iter().map(|place| self.place(place)).collect();
                self.code.push(Op::Call { proc: task, args, results });
            }
            Op::Wait { task, results } => self.wait(*task, results),
            Op::AtomicBegin => self.depth += 1,
            Op::AtomicEnd => self.depth = self.depth.saturating_sub(1),
            Op::Exit if self.code.cx.lasso.is_some() => {
                let never = self.code.bool(false);
                self.code.push(Op::Assume(never));
                self.code.push(Op::Return);
            }
            Op::Exit => {
                self.end_program();
                self.code.push(Op::Return);
            }
            Op::Progress => self.code.progress(),
            // A hint and what is refused or expanded before.
            Op::Yield | Op::TransactionBegin | Op::TransactionEnd | Op::Opaque { .. } | Op::Sync(_) => {}
        }
    }

    fn end_program(&mut self) {
        if let Some(ended) = self.code.cx.state.ended {
            let yes = self.code.bool(true);
            self.code.assign(vec![(Place::global(ended), yes)]);
        }
    }

    /// Ends the running procedure if the program has ended.
    fn stop_if_ended(&mut self) {
        if let Some(ended) = self.code.cx.state.ended {
            let (ended, end, on) = (self.code.global(ended), self.code.end(), self.code.block("on"));
            self.code.push(Op::Branch { cond: ended, then: end, otherwise: on });
            self.code.switch_to(on);
        }
    }

    /// A task that is stuck at an assume on its own variables can still be delayed, so that others run; but where tasks
    /// are switched only at yields, others do not see what it did before the assume.
    fn assume(&mut self, cond: ExprId) {
        let local = !reads_global(self.code.cx.old, cond) && self.code.cx.switch_at == SwitchAt::Visible;
        let cond = self.expr(cond);
        let ended = self.code.cx.state.ended;
        let local = local && self.code.cx.lasso.is_none();
        if let (Some(ended), true, 0, 1..) = (ended, local, self.depth, self.code.cx.bound) {
            let stuck = self.code.block("stuck");
            self.code.proceed_if(cond, stuck, "holds");
            let (holds, end) = (self.code.current(), self.code.end());
            self.code.switch_to(stuck);
            self.point(None);
            let ended = self.code.global(ended);
            self.code.push(Op::Assume(ended));
            self.code.push(Op::Goto(end));
            self.code.switch_to(holds);
        } else {
            self.code.push(Op::Assume(cond));
        }
    }

    fn assert(&mut self, cond: ExprId, op: &Op, origin: OpRef) {
        let asserts = &mut self.code.cx.asserts;
        let number =
            asserts.iter().position(|(at, known, _)| *at == origin && known == op).unwrap_or_else(|| {
                asserts.push((origin, op.clone(), self.code.span));
                asserts.len() - 1
            });
        let fails = self.code.block("fails");
        let cond = self.expr(cond);
        self.code.proceed_if(cond, fails, "passes");
        let (passes, end) = (self.code.current(), self.code.end());
        self.code.switch_to(fails);
        if let Some(failed) = self.code.cx.state.failed {
            let number = self.code.int(u32::try_from(number + 1).unwrap_or(u32::MAX));
            let targets = vec![Place::global(failed)];
            let op = Op::Assign { targets, values: vec![number], order: AccessOrder::Plain };
            self.code.push_marked(op, Mark::Failure);
        }
        self.end_program();
        self.code.push(Op::Goto(end));
        self.code.switch_to(passes);
    }

    fn before_call(&mut self) -> Option<LocalId> {
        let origin = self.code.origin.take();
        let was = self.code.before_call();
        self.code.origin = origin;
        was
    }

    fn after_call(&mut self, at: OpRef, was: Option<LocalId>) {
        let origin = self.code.origin.take();
        self.code.after_call(at, was);
        self.code.origin = origin;
        self.stop_if_ended();
    }

    /// Results that go to globals are assigned in a step of their own.
    fn call(&mut self, at: OpRef, proc: ProcId, args: &[ExprId], results: &[Place]) {
        let (body, args) = (self.code.cx.body(proc, self.depth > 0), self.exprs(args));
        let was = if self.depth == 0 { self.before_call() } else { None };
        let visible = results.iter().any(is_global);
        // When a lasso begins or ends in the call, the caller's variables are those before it returns.
        let at_once = results.is_empty() || was.is_none();
        if !visible && at_once && results.iter().all(|place| place.path.is_empty()) {
            let results = self.places(results);
            self.code.push(Op::Call { proc: body, args, results });
            self.after_call(at, was);
            return;
        }
        let callee = &self.code.cx.old.procs[proc];
        let temporaries: Vec<_> = callee
            .results
            .iter()
            .map(|&result| self.code.local("returned", erased(&callee.locals[result].ty)))
            .collect();
        let places = temporaries.iter().map(|&local| Place::local(local)).collect();
        self.code.push(Op::Call { proc: body, args, results: places });
        self.after_call(at, was);
        if visible && self.code.cx.switch_at == SwitchAt::Visible {
            self.point(None);
        }
        let mut pairs = Vec::new();
        for (place, &local) in results.iter().zip(&temporaries) {
            pairs.push((self.place(place), self.code.read(local)));
        }
        self.code.assign(pairs);
    }

    fn wait(&mut self, task: ExprId, results: &[Place]) {
        let handle = self.code.local("awaited", Type::Int);
        let task = self.expr(task);
        let note = vec![(Place::local(handle), task)];
        let handle = self.code.read(handle);
        if self.code.cx.scheduler == Scheduler::Dfw && self.depth == 0 {
            if self.stops_where_blocked() {
                let has = self.has_completed(task);
                let (over, blocked) = (self.code.block("over"), self.code.block("blocked"));
                self.code.proceed_if(has, blocked, "completed");
                self.code.assign(note.clone());
                self.code.push(Op::Goto(over));
                self.code.switch_to(blocked);
                self.point(None);
                self.code.assign(note);
                self.arrive(handle);
                self.point(None);
                self.code.push(Op::Goto(over));
                self.code.switch_to(over);
            } else {
                self.code.assign(note);
                self.arrive(handle);
                if results.iter().any(is_global) {
                    self.point(None);
                }
            }
        } else if self.stops_where_blocked() && self.code.cx.bound > 0 {
            let has = self.has_completed(task);
            self.pass_or_delay(has);
            self.code.assign(note);
        } else {
            self.code.assign(note);
            let has = self.has_completed(handle);
            self.code.push(Op::Assume(has));
        }
        let mut pairs = Vec::new();
        for (at, place) in results.iter().enumerate() {
            let ty = erased(&place_type(self.code.cx.old, self.proc, place));
            let maps = &self.code.cx.state.results;
            let Some(&(.., map)) = maps.iter().find(|(position, of, _)| *position == at && *of == ty) else {
                continue;
            };
            let map = self.code.global(map);
            pairs.push((self.place(place), self.code.cx.new.exprs.select(map, vec![handle])));
        }
        self.code.assign(pairs);
    }

    /// Lets the tasks started before run, until the task with this handle has completed.
    fn arrive(&mut self, handle: ExprId) {
        let op = Op::Call { proc: self.code.cx.helpers.arrive, args: vec![handle], results: Vec::new() };
        self.code.push_marked(op, Mark::Arrive);
        self.stop_if_ended();
    }

    /// Whether a task has completed: in an earlier round, or in this one and it comes before the running task.
    fn has_completed(&mut self, handle: ExprId) -> ExprId {
        let state = &self.code.cx.state;
        let (completed, task, waited) = (state.completed.unwrap_or(state.task), state.task, state.waited);
        let (completed, zero) = (self.code.global(completed), self.code.int(0));
        let (task, round) = (self.code.global(task), self.code.global(self.code.cx.state.round));
        let then = self.code.cx.new.exprs.select(completed, vec![handle]);
        let before = match waited {
            Some(waited) => {
                let waited = self.code.global(waited);
                let (known, other) = (
                    self.code.binary(BinaryOp::Le, handle, waited),
                    self.code.binary(BinaryOp::Ne, handle, task),
                );
                self.code.binary(BinaryOp::And, known, other)
            }
            None => self.code.binary(BinaryOp::Lt, handle, task),
        };
        let (earlier, now) =
            (self.code.binary(BinaryOp::Lt, then, round), self.code.binary(BinaryOp::Eq, then, round));
        let now = self.code.binary(BinaryOp::And, before, now);
        let done = self.code.binary(BinaryOp::Or, earlier, now);
        let mut some = self.code.binary(BinaryOp::Ne, handle, zero);
        if self.code.cx.state.partial {
            let known = self.code.binary(BinaryOp::Ge, then, zero);
            some = self.code.binary(BinaryOp::And, some, known);
        }
        self.code.binary(BinaryOp::And, some, done)
    }
}
