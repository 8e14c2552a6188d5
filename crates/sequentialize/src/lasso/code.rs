//! The code of the lasso sequentialization: where tasks change their rounds, stand still, and come back.

use interp::{Fairness, SwitchAt};
use ir::{AssertKind, BinaryOp, BlockId, ExprId, GlobalId, LocalId, Op, OpRef, Place, ProcId, Type};
use rustc_hash::FxHashSet;

use super::Form;
use super::keyframe::Stack;
use super::state::phase;
use super::watch::{Standing, standing};
use crate::Mark;
use crate::code::Code;
use crate::context::Context;
use crate::erase::erased;
use crate::points::points;

/// Makes the procedure that takes the running task to a later round.
pub(crate) fn delay(cx: &mut Context<'_>, id: ProcId) {
    let mut code = Code::new(cx, id);
    let (round, last) = (code.cx.state.round, code.cx.bound);
    code.store();
    // Each round is a way of its own, so that on each the round is known.
    let late = code.block("late");
    let ways: Vec<_> = (1..=last).map(|_| code.block("to")).collect();
    code.push(Op::Choose { targets: ways.clone(), fair: None });
    for (to, way) in (1..=last).zip(ways) {
        code.switch_to(way);
        let (now, then) = (code.global(round), code.int(to));
        let later = code.binary(BinaryOp::Lt, now, then);
        code.push(Op::Assume(later));
        let (targets, values) = (vec![Place::global(round)], vec![then]);
        let op = Op::Assign { targets, values, order: ir::AccessOrder::Plain };
        code.push_marked(op, Mark::Round(to));
        code.push(Op::Goto(late));
    }
    code.switch_to(late);
    code.load();
    code.push(Op::Return);
    code.finish(None);
}

impl Code<'_, '_> {
    pub(super) fn form(&self) -> Option<Form> {
        self.cx.lasso.clone()
    }

    pub(super) fn in_phase(&mut self, form: &Form, wanted: u32) -> ExprId {
        let (phase, wanted) = (self.global(form.phase), self.int(wanted));
        self.binary(BinaryOp::Eq, phase, wanted)
    }

    /// Whether the running task is in a round of the lasso.
    fn in_lasso(&mut self, form: &Form) -> ExprId {
        let (round, stem) = (self.global(self.cx.state.round), self.int(form.stem));
        self.binary(BinaryOp::Ge, round, stem)
    }

    pub(super) fn any(&mut self, conditions: Vec<ExprId>) -> ExprId {
        let mut conditions = conditions.into_iter();
        let Some(first) = conditions.next() else { return self.bool(false) };
        conditions.fold(first, |a, b| self.binary(BinaryOp::Or, a, b))
    }

    pub(super) fn not(&mut self, e: ExprId) -> ExprId {
        self.cx.new.exprs.not(e)
    }

    /// Whether two values of a type of the original are the same as far as the program can tell. The handles of two tasks
    /// that have completed are, if they have the same results: a program that keeps starting tasks and waiting for them
    /// does repeat itself.
    pub(crate) fn same_in_lasso(&mut self, ty: &Type, a: ExprId, b: ExprId) -> ExprId {
        let same = self.binary(BinaryOp::Eq, a, b);
        let (Type::Task, Some(completed)) = (ty, self.cx.state.completed) else { return same };
        let (completed, last, zero) = (self.global(completed), self.int(self.cx.bound), self.int(0));
        let mut both = Vec::new();
        for handle in [a, b] {
            let then = self.cx.new.exprs.select(completed, vec![handle]);
            both.push(self.binary(BinaryOp::Ne, handle, zero));
            both.push(self.binary(BinaryOp::Le, then, last));
        }
        for (.., map) in self.cx.state.results.clone() {
            let map = self.global(map);
            let (a, b) = (self.cx.new.exprs.select(map, vec![a]), self.cx.new.exprs.select(map, vec![b]));
            both.push(self.binary(BinaryOp::Eq, a, b));
        }
        let both = self.all(both);
        self.binary(BinaryOp::Or, same, both)
    }

    /// Whether the running task granted all fair choices that it refused in the lasso.
    fn has_granted(&mut self, form: &Form) -> ExprId {
        let mut granted = Vec::new();
        for choice in &form.choices {
            let (refused, grants) = (self.global(choice.refused), self.global(choice.granted));
            granted.push(self.binary(BinaryOp::Implies, refused, grants));
        }
        self.all(granted)
    }

    fn end_task(&mut self, form: &Form, phase: u32, moves: bool, end: BlockId) {
        let (phase, yes) = (self.int(phase), self.bool(true));
        let mut pairs = vec![(Place::global(form.phase), phase)];
        pairs.extend(self.cx.state.ended.map(|ended| (Place::global(ended), yes)));
        if moves {
            pairs.push((Place::global(form.moves), yes));
        }
        self.assign(pairs);
        self.push(Op::Goto(end));
    }

    /// A point at which the running task can go to a later round of the stem, or of the lasso, but not from one to the
    /// other.
    pub(crate) fn inner_point(&mut self) {
        let Some(form) = self.form() else { return };
        let (late, stay) = (self.block("late"), self.block("stay"));
        self.push(Op::Choose { targets: vec![stay, late], fair: None });
        self.switch_to(late);
        self.delay_within(&form);
        self.push(Op::Goto(stay));
        self.switch_to(stay);
    }

    fn delay_within(&mut self, form: &Form) {
        self.call(self.cx.helpers.delay, Vec::new());
        let (stem, lasso) = (self.in_phase(form, phase::STEM), self.in_lasso(form));
        let early = self.not(lasso);
        let fits = self.binary(BinaryOp::Implies, stem, early);
        self.push(Op::Assume(fits));
    }

    /// A scheduling point: the running task goes on, changes its round, is back where the lasso began, or does nothing
    /// any more.
    pub(crate) fn lasso_point(&mut self, at: OpRef) {
        let Some(form) = self.form() else { return };
        let old = self.cx.old;
        let standing = standing(&form, &old.procs[at.proc].blocks[at.block].stmts[at.index].op, at);
        let (late, stay, close) = (self.block("late"), self.block("stay"), self.block("close"));
        let end = self.end();
        let mut targets = vec![stay, late, close];
        let idle = (!matches!(standing, Standing::Never)).then(|| self.block("idle"));
        targets.extend(idle);
        self.push(Op::Choose { targets, fair: None });

        self.switch_to(late);
        self.call(self.cx.helpers.delay, Vec::new());
        let (stem, lasso) = (self.in_phase(&form, phase::STEM), self.in_lasso(&form));
        let begins = self.binary(BinaryOp::And, stem, lasso);
        let guessed = self.newest_as_guessed(&form, at);
        let fits = self.binary(BinaryOp::Implies, begins, guessed);
        self.push(Op::Assume(fits));
        let mut first = vec![(form.phase, phase::LASSO)];
        first.extend(form.stack.iter().flat_map(Stack::first));
        let mut pairs = Vec::new();
        for (global, value) in first {
            let (value, now) = (self.int(value), self.global(global));
            pairs.push((Place::global(global), self.cx.new.exprs.ite(begins, value, now)));
        }
        self.assign(pairs);
        self.push(Op::Goto(stay));

        self.switch_to(close);
        let mut back = vec![
            self.in_phase(&form, phase::LASSO),
            self.newest_as_guessed(&form, at),
            self.has_granted(&form),
        ];
        back.extend(self.is_as_high(&form));
        let back = self.all(back);
        self.push(Op::Assume(back));
        self.count_from_top(&form);
        self.end_task(&form, phase::CLOSED, true, end);

        if let Some(idle) = idle {
            self.switch_to(idle);
            let mut still = vec![self.in_phase(&form, phase::STEM)];
            if let Standing::Watched = standing {
                still.push(self.claim(&form, at));
            }
            let still = self.all(still);
            self.push_marked(Op::Assume(still), Mark::Idle(at));
            self.end_task(&form, phase::IDLE, false, end);
        }
        self.switch_to(stay);
    }

    /// Whether the running task is one that is watched at an op.
    fn claim(&mut self, form: &Form, at: OpRef) -> ExprId {
        let mut claims = Vec::new();
        for slot in form.watches.iter().filter(|watch| watch.op == at).flat_map(|watch| &watch.slots) {
            let mut same = vec![self.global(slot.used)];
            for &(local, global) in &slot.locals {
                let (value, guess) = (self.read(local), self.global(global));
                same.push(self.binary(BinaryOp::Eq, guess, value));
            }
            if let Some(task) = slot.task {
                let (this, task) = (self.global(self.cx.state.task), self.global(task));
                same.push(self.binary(BinaryOp::Eq, task, this));
            }
            claims.push(self.all(same));
        }
        self.any(claims)
    }

    /// Looks at the guards of those who stand still, and at requests, after a step that assigned some globals, or any.
    pub(crate) fn observe(&mut self, assigned: Option<&FxHashSet<GlobalId>>) {
        let Some(form) = self.form() else { return };
        let (mut blocked, mut seen) = (Vec::new(), Vec::new());
        let lasso = self.in_lasso(&form);
        for watch in &form.watches {
            if assigned.is_some_and(|assigned| watch.reads.is_disjoint(assigned)) {
                continue;
            }
            for slot in &watch.slots {
                let (used, not) = (self.global(slot.used), self.not(slot.guard));
                if form.fairness == Fairness::Strong {
                    blocked.push(self.binary(BinaryOp::Implies, used, not));
                }
                for (flag, holds) in [(slot.seen_false, not), (slot.seen_true, slot.guard)] {
                    let Some(flag) = flag else { continue };
                    let (before, now) = (self.global(flag), self.all(vec![lasso, used, holds]));
                    seen.push((Place::global(flag), self.binary(BinaryOp::Or, before, now)));
                }
            }
        }
        if !blocked.is_empty() {
            let blocked = self.all(blocked);
            let right = self.binary(BinaryOp::Implies, lasso, blocked);
            self.push(Op::Assume(right));
        }
        self.assign(seen);
        self.note_request(assigned, lasso);
    }

    /// Makes the lasso's variables those of a task that begins.
    pub(crate) fn begin_lasso(&mut self) {
        let Some(form) = self.form() else { return };
        let lasso = self.in_lasso(&form);
        let (transient, stem, no) = (self.int(phase::TRANSIENT), self.int(phase::STEM), self.bool(false));
        let first = self.cx.new.exprs.ite(lasso, transient, stem);
        let mut pairs = vec![(Place::global(form.phase), first)];
        pairs.extend(self.cx.state.ended.map(|ended| (Place::global(ended), no)));
        for (global, value) in form.stack.iter().flat_map(Stack::first) {
            pairs.push((Place::global(global), self.int(value)));
        }
        for choice in &form.choices {
            pairs.extend([(Place::global(choice.refused), no), (Place::global(choice.granted), no)]);
        }
        self.assign(pairs);
        let targets: Vec<Place> = form.guessed().into_iter().map(Place::global).collect();
        if !targets.is_empty() {
            self.push(Op::Havoc { targets });
        }
    }

    /// Runs the running task's procedure until it completes or does nothing new any more.
    pub(crate) fn run_lasso(&mut self, proc: ProcId, body: ProcId, args: Vec<ExprId>) {
        let Some(form) = self.form() else { return };
        let old = &self.cx.old.procs[proc];
        let (never, done) = (self.block("never"), self.block("done"));
        if !points(self.cx.old, proc, SwitchAt::Visible, true).contains(&(old.entry, 0)) {
            let (late, stay) = (self.block("late"), self.block("stay"));
            let idle = (form.fairness == Fairness::None).then(|| self.block("idle"));
            let mut targets = vec![stay, late];
            targets.extend(idle);
            self.push(Op::Choose { targets, fair: None });
            self.switch_to(late);
            self.delay_within(&form);
            self.push(Op::Goto(stay));
            if let Some(idle) = idle {
                self.switch_to(idle);
                let stem = self.in_phase(&form, phase::STEM);
                self.push(Op::Assume(stem));
                self.end_task(&form, phase::IDLE, false, never);
            }
            self.switch_to(stay);
        }
        let mut results: Vec<LocalId> = Vec::new();
        for &result in &old.results {
            results.push(self.local(&old.locals[result].name, erased(&old.locals[result].ty)));
        }
        let places = results.iter().map(|&local| Place::local(local)).collect();
        self.push_marked(Op::Call { proc: body, args, results: places }, Mark::Task(proc));
        if let Some(ended) = self.cx.state.ended {
            let (ended, returned) = (self.global(ended), self.block("returned"));
            self.push(Op::Branch { cond: ended, then: never, otherwise: returned });
            self.switch_to(returned);
        }
        let whole = vec![self.in_phase(&form, phase::STEM), self.in_phase(&form, phase::TRANSIENT)];
        let (whole, granted) = (self.any(whole), self.has_granted(&form));
        let may = self.all(vec![whole, granted]);
        self.push(Op::Assume(may));
        self.record_results(proc, &results);
        self.inner_point();
        if let Some(completed) = self.cx.state.completed {
            let round = self.global(self.cx.state.round);
            self.record(completed, round, Some(Mark::Complete));
        }
        self.push(Op::Goto(done));
        self.switch_to(never);
        if let Some(completed) = self.cx.state.completed {
            let after = self.int(self.cx.bound + 1);
            self.record(completed, after, None);
        }
        self.push(Op::Goto(done));
        self.switch_to(done);
        self.call(self.cx.helpers.settle, Vec::new());
    }

    /// Fails if the lasso closes and is fair. The globals are those at its beginning.
    pub(crate) fn lasso_verdict(&mut self) {
        let Some(form) = self.form() else { return };
        let mut right = vec![self.global(form.moves)];
        right.extend(self.is_unanswered());
        for slot in form.watches.iter().flat_map(|watch| &watch.slots) {
            let (used, not) = (self.global(slot.used), self.not(slot.guard));
            if form.fairness == Fairness::Strong {
                right.push(self.binary(BinaryOp::Implies, used, not));
            }
            for (flag, holds) in [(slot.seen_false, not), (slot.seen_true, slot.guard)] {
                let Some(flag) = flag else { continue };
                let seen = self.global(flag);
                let seen = self.binary(BinaryOp::Or, seen, holds);
                right.push(self.binary(BinaryOp::Implies, used, seen));
            }
        }
        let right = self.all(right);
        self.push(Op::Assume(right));
        let cond = self.bool(false);
        let message = "the program runs for ever".to_owned();
        self.push(Op::Assert { cond, kind: AssertKind::Assertion, message });
    }
}

/// Ops that say what is fair.
impl Code<'_, '_> {
    /// A progress mark: nothing in the lasso passes it, unless a response property says what progress is.
    pub(crate) fn progress(&mut self) {
        let Some(form) = self.form().filter(|form| form.requests.is_none()) else { return };
        let lasso = self.in_lasso(&form);
        let early = self.not(lasso);
        let origin = self.origin.take();
        self.push(Op::Assume(early));
        self.origin = origin;
    }

    /// A fair choice: the block to go to for each target, in which it is noted what was chosen.
    pub(crate) fn fair_targets(&mut self, at: OpRef, targets: &[BlockId], fair: usize) -> Vec<BlockId> {
        let choice = self.form().and_then(|form| {
            form.choices.iter().find(|choice| choice.op == at).map(|choice| (form.clone(), *choice))
        });
        let Some((form, choice)) = choice else { return targets.to_vec() };
        let (current, origin) = (self.current(), self.origin.take());
        let mut noted = Vec::new();
        for (number, &target) in targets.iter().enumerate() {
            let block = self.block("chosen");
            self.switch_to(block);
            let flag = if number == fair { choice.granted } else { choice.refused };
            let (before, lasso) = (self.global(flag), self.in_lasso(&form));
            let now = self.binary(BinaryOp::Or, before, lasso);
            self.assign(vec![(Place::global(flag), now)]);
            self.push(Op::Goto(target));
            noted.push(block);
        }
        self.switch_to(current);
        self.origin = origin;
        noted
    }
}
