//! The stack of a task in the lasso: key frames.
//!
//! What a task does in the lasso depends on the frames that it comes back to, and not on those below. The lowest of them
//! is the *key frame* of section 3.3 of the paper. The frames from the newest one down to the key frame are the same, one
//! by one from the top, where the lasso begins and where it ends. Then they are so after each time round, if the stack
//! does not get lower.
//!
//! In programs with recursion each frame has a level: that of the newest frame is 0 where the lasso begins, and where it
//! ends, however high the stack is then; its caller's is -1, and so on. What a frame looks like is guessed by level. Each
//! frame is compared with the guess for its level when control comes back to it for the first time in the lasso, and
//! once the lasso has closed, when the calls that it closed in return. Then those below the key frame do not matter.
//!
//! Without recursion a procedure has at most one frame, so the stack cannot grow, and no levels are needed.

use ir::{BinaryOp, ExprId, GlobalId, LocalId, Op, OpRef, Place, Type};

use super::Form;
use super::state::phase;
use crate::code::Code;

/// How high the running task's stack is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stack {
    /// The level of the newest frame. Before the lasso it means nothing.
    pub(crate) level: GlobalId,
    /// The level of the key frame.
    pub(crate) key: GlobalId,
}

impl Stack {
    /// The variables and what they are where the lasso begins.
    pub(crate) fn first(&self) -> [(GlobalId, u32); 2] {
        [(self.level, 0), (self.key, 0)]
    }
}

/// Where a frame is: at an op, or inside the call that an op is. The procedure's places are numbered from `first` on.
fn place_number(code: &Code<'_, '_>, first: usize, at: OpRef, inside: bool) -> u32 {
    let blocks = &code.cx.old.procs[at.proc].blocks;
    let before: usize = blocks.iter().take_while(|(id, _)| *id != at.block).map(|(_, b)| b.stmts.len()).sum();
    u32::try_from((first + before + at.index) * 2 + usize::from(inside)).unwrap_or(u32::MAX)
}

impl Code<'_, '_> {
    /// Whether the newest frame is as the newest one was guessed to be at the beginning of the lasso.
    pub(super) fn newest_as_guessed(&mut self, form: &Form, at: OpRef) -> ExprId {
        let top = form.stack.map(|_| self.int(0));
        self.as_guessed(form, at, false, top)
    }

    /// Whether the running frame is as the one at a level was guessed to be at the beginning of the lasso.
    fn as_guessed(&mut self, form: &Form, at: OpRef, inside: bool, level: Option<ExprId>) -> ExprId {
        let Some(snapshot) = form.snapshots.get(&at.proc) else { return self.bool(false) };
        let guess = |code: &mut Self, global: GlobalId| {
            let whole = code.global(global);
            level.map_or(whole, |level| code.cx.new.exprs.select(whole, vec![level]))
        };
        let (number, place) = (place_number(self, snapshot.first, at, inside), guess(self, snapshot.at));
        self.cx.places.entry(snapshot.at).or_default().insert(number.into());
        let number = self.int(number);
        let mut same = vec![self.binary(BinaryOp::Eq, place, number)];
        for &(local, global) in &snapshot.locals {
            let (value, guess) = (self.read(local), guess(self, global));
            let ty = &self.cx.old.procs[at.proc].locals[local].ty;
            same.push(self.same_in_lasso(ty, guess, value));
        }
        self.all(same)
    }

    /// Whether the stack is at least as high as where the lasso began. One that gets lower, even if all its frames are
    /// alike, does not do so for ever.
    pub(super) fn is_as_high(&mut self, form: &Form) -> Option<ExprId> {
        let stack = form.stack?;
        let (level, zero) = (self.global(stack.level), self.int(0));
        Some(self.binary(BinaryOp::Ge, level, zero))
    }

    /// Gives the newest frame the level that the newest one had where the lasso began.
    pub(super) fn count_from_top(&mut self, form: &Form) {
        if let Some(stack) = form.stack {
            let zero = self.int(0);
            self.assign(vec![(Place::global(stack.level), zero)]);
        }
    }

    fn next_level(&mut self, form: &Form, op: BinaryOp) -> Option<(Place, ExprId)> {
        let stack = form.stack?;
        let (now, one) = (self.global(stack.level), self.int(1));
        Some((Place::global(stack.level), self.binary(op, now, one)))
    }

    /// Before a call: where the running task is.
    pub(crate) fn before_call(&mut self) -> Option<LocalId> {
        let form = self.form()?;
        let was = self.local("was", Type::Int);
        let now = self.global(form.phase);
        let mut pairs = vec![(Place::local(was), now)];
        pairs.extend(self.next_level(&form, BinaryOp::Add));
        self.assign(pairs);
        Some(was)
    }

    /// After a call: if the lasso began or ended in it, the frame is one of those that come back, or it is below the key
    /// frame.
    pub(crate) fn after_call(&mut self, at: OpRef, was: Option<LocalId>) {
        let (Some(form), Some(was)) = (self.form(), was) else { return };
        let level = self.next_level(&form, BinaryOp::Sub);
        self.assign(level.into_iter().collect());
        let level = form.stack.map(|stack| self.global(stack.level));
        let (was, now) = (self.read(was), self.global(form.phase));
        let mut fits = vec![
            self.binary(BinaryOp::Eq, was, now),
            self.in_phase(&form, phase::IDLE),
            self.as_guessed(&form, at, true, level),
        ];
        let mut key = Vec::new();
        if let (Some(stack), Some(level)) = (form.stack, level) {
            let (closed, lasso) = (self.in_phase(&form, phase::CLOSED), self.in_phase(&form, phase::LASSO));
            let lowest = self.global(stack.key);
            let below = self.binary(BinaryOp::Lt, level, lowest);
            fits.push(self.binary(BinaryOp::And, closed, below));
            let lower = self.binary(BinaryOp::And, lasso, below);
            key.push((Place::global(stack.key), self.cx.new.exprs.ite(lower, level, lowest)));
        }
        let fits = self.any(fits);
        self.push(Op::Assume(fits));
        self.assign(key);
    }
}
