//! The procedures that move between rounds and tasks.
//!
//! Between these, `G` is the valuation of the shared variables per round that the running task sees: the variables
//! themselves in its round, the cells of `G` in the others. A task that has guessed checks its guess where its own
//! part ends ([`settle`]), and goes on, or leaves the rest to others, with what the tasks that it started leave behind.

use ir::{BinaryOp, ExprId, LocalId, Op, Place, ProcId, Type};
use source::Span;

use crate::code::Code;
use crate::context::Context;
use crate::erase::erased;
use crate::points::points;
use crate::state::Shared;
use crate::{Mark, Scheduler, SwitchAt};

/// Procedures that others call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Helpers {
    /// Delays the running task.
    pub(crate) delay: ProcId,
    /// Puts the tasks that the running task started since its last wait behind it.
    pub(crate) settle: ProcId,
    /// Makes the running task wait, under DFW.
    pub(crate) arrive: ProcId,
}

impl Helpers {
    /// Before there are any.
    pub(crate) fn none() -> Helpers {
        let none = ProcId::from_u32(0);
        Helpers { delay: none, settle: none, arrive: none }
    }

    /// Makes those that the program needs.
    pub(crate) fn make(cx: &mut Context<'_>) -> Helpers {
        let mut helpers = Helpers::none();
        helpers.settle = cx.reserve("settle", Span::NONE);
        settle(cx, helpers.settle);
        if cx.bound > 0 {
            helpers.delay = cx.reserve("delay", Span::NONE);
            if cx.lasso.is_some() {
                crate::lasso::delay(cx, helpers.delay);
            } else {
                delay(cx, helpers.delay);
            }
        }
        if cx.scheduler == Scheduler::Dfw && cx.state.completed.is_some() {
            helpers.arrive = cx.reserve("arrive", Span::NONE);
            arrive(cx, helpers.arrive, helpers.settle);
        }
        helpers
    }
}

/// Assignments between vectors.
impl Code<'_, '_> {
    fn shared(&self) -> Vec<Shared> {
        self.cx.state.shared.clone()
    }

    /// `G[round] := ` the variables.
    pub(crate) fn store(&mut self) {
        if self.cx.bound == 0 {
            return;
        }
        let round = self.global(self.cx.state.round);
        let mut pairs = Vec::new();
        for shared in self.shared() {
            let current = self.global(shared.current);
            for (at, &cell) in (0..).zip(&shared.g) {
                let (at, old) = (self.int(at), self.global(cell));
                let here = self.binary(BinaryOp::Eq, round, at);
                pairs.push((Place::global(cell), self.cx.new.exprs.ite(here, current, old)));
            }
        }
        self.assign(pairs);
    }

    /// The variables `:= G[round]`.
    pub(crate) fn load(&mut self) {
        if self.cx.bound == 0 {
            return;
        }
        let round = self.global(self.cx.state.round);
        let mut pairs = Vec::new();
        for shared in self.shared() {
            let mut cells = (0..=self.cx.bound).rev().zip(shared.g.iter().rev());
            let Some((_, &last)) = cells.next() else { continue };
            let mut value = self.global(last);
            for (at, &cell) in cells {
                let (at, cell) = (self.int(at), self.global(cell));
                let here = self.binary(BinaryOp::Eq, round, at);
                value = self.cx.new.exprs.ite(here, cell, value);
            }
            pairs.push((Place::global(shared.current), value));
        }
        self.assign(pairs);
    }

    fn copy(&mut self, from: impl Fn(&Shared) -> &[ir::GlobalId], to: impl Fn(&Shared) -> &[ir::GlobalId]) {
        let mut pairs = Vec::new();
        for shared in self.shared() {
            for (&from, &to) in from(&shared).iter().zip(to(&shared)) {
                pairs.push((Place::global(to), self.global(from)));
            }
        }
        self.assign(pairs);
    }

    fn set(&mut self, global: ir::GlobalId, value: ExprId) {
        self.assign(vec![(Place::global(global), value)]);
    }

    fn set_guessed(&mut self, value: bool) {
        let value = self.bool(value);
        self.set(self.cx.state.guessed, value);
    }

    /// Lets the running task be delayed; if it then sees the end of the program it goes to `end`.
    pub(crate) fn point(&mut self, end: Option<ir::BlockId>) {
        if self.cx.bound == 0 {
            return;
        }
        let (late, stay) = (self.block("late"), self.block("stay"));
        self.push(Op::Choose { targets: vec![stay, late], fair: None });
        self.switch_to(late);
        self.delayed(end, stay);
        self.switch_to(stay);
    }

    /// Delays the running task; it goes on at `stay`, or at `end` if it then sees the end of the program.
    pub(crate) fn delayed(&mut self, end: Option<ir::BlockId>, stay: ir::BlockId) {
        self.call(self.cx.helpers.delay, Vec::new());
        match (self.cx.state.ended, end) {
            (Some(ended), Some(end)) => {
                let ended = self.global(ended);
                self.push(Op::Branch { cond: ended, then: end, otherwise: stay });
            }
            _ => self.push(Op::Goto(stay)),
        }
    }
}

fn delay(cx: &mut Context<'_>, id: ProcId) {
    let mut code = Code::new(cx, id);
    let (round, delays, bound) = (code.cx.state.round, code.cx.state.delays, code.cx.bound);
    code.store();
    // Each number of delays is a way of its own, so that on each the round is known.
    let late = code.block("late");
    let ways: Vec<_> = (1..=bound).map(|_| code.block("by")).collect();
    code.push(Op::Choose { targets: ways.clone(), fair: None });
    for (times, way) in (1..=bound).zip(ways) {
        code.switch_to(way);
        let (now, spent, by, most) =
            (code.global(round), code.global(delays), code.int(times), code.int(bound));
        let sum = code.binary(BinaryOp::Add, spent, by);
        let left = code.binary(BinaryOp::Le, sum, most);
        code.push(Op::Assume(left));
        let values = vec![code.binary(BinaryOp::Add, now, by), sum];
        let targets = vec![Place::global(round), Place::global(delays)];
        let op = Op::Assign { targets, values, order: ir::AccessOrder::Plain };
        code.push_marked(op, Mark::Delay(times));
        code.push(Op::Goto(late));
    }
    code.switch_to(late);
    code.load();
    code.push(Op::Return);
    code.finish(None);
}

fn settle(cx: &mut Context<'_>, id: ProcId) {
    let mut code = Code::new(cx, id);
    code.store();
    let (done, guessed) = (code.block("done"), code.global(code.cx.state.guessed));
    code.proceed_if(guessed, done, "guessed");
    let mut right = Vec::new();
    for shared in code.shared() {
        for (&g, &guess) in shared.g.iter().zip(&shared.guess) {
            let (g, guess) = (code.global(g), code.global(guess));
            right.push(code.binary(BinaryOp::Eq, g, guess));
        }
    }
    let right = code.all(right);
    code.push(Op::Assume(right));
    code.copy(|s| &s.next, |s| &s.g);
    code.set_guessed(false);
    code.push(Op::Goto(done));
    code.switch_to(done);
    code.push(Op::Return);
    code.finish(None);
}

/// `x := wait t` of Figure 6, without the result. A task that waits for nil, or for a task that is stuck, never goes on.
/// It has come to its end, which is no completion, and the program has to end before all tasks complete.
fn arrive(cx: &mut Context<'_>, id: ProcId, settle: ProcId) {
    let mut code = Code::new(cx, id);
    let handle = code.param("handle", Type::Int);
    code.call(settle, Vec::new());
    if let Some(waited) = code.cx.state.waited {
        let newest = code.global(code.cx.state.newest);
        code.set(waited, newest);
    }
    let (round, zero, bound) = (code.cx.state.round, code.int(0), code.int(code.cx.bound));
    let (handle, now) = (code.read(handle), code.global(round));
    let completed = code.cx.state.completed.unwrap_or(round);
    let completed = code.global(completed);
    let then = code.cx.new.exprs.select(completed, vec![handle]);
    let mut some = code.binary(BinaryOp::Ne, handle, zero);
    if code.cx.state.partial {
        let task = code.global(code.cx.state.task);
        let other = code.binary(BinaryOp::Ne, handle, task);
        some = code.binary(BinaryOp::And, some, other);
        let done = code.binary(BinaryOp::Ge, then, zero);
        let known = code.binary(BinaryOp::Implies, some, done);
        code.push(Op::Assume(known));
    }
    // As long as nobody is stuck, there is no need to look.
    let over = match code.cx.state.unfinished {
        Some(unfinished) => {
            let unfinished = code.global(unfinished);
            let in_time = code.binary(BinaryOp::Le, then, bound);
            let in_time = code.binary(BinaryOp::Implies, unfinished, in_time);
            code.binary(BinaryOp::And, some, in_time)
        }
        None => some,
    };
    if let (Some(ended), Some(stuck)) = (code.cx.state.ended, code.cx.state.stuck) {
        let never = code.block("never");
        code.proceed_if(over, never, "over");
        let (over, yes) = (code.current(), code.bool(true));
        code.switch_to(never);
        code.load();
        let (done, at_end) = (code.block("done"), code.global(ended));
        let there = code.block("stuck");
        code.push(Op::Branch { cond: at_end, then: done, otherwise: there });
        code.switch_to(there);
        // It stops as if the program had ended; nobody runs before that is taken back.
        code.assign(vec![(Place::global(stuck), yes), (Place::global(ended), yes)]);
        code.push(Op::Goto(done));
        code.switch_to(done);
        code.push(Op::Return);
        code.switch_to(over);
    } else {
        code.push(Op::Assume(over));
    }
    if code.cx.bound > 0 {
        let later = code.binary(BinaryOp::Gt, then, now);
        let then = code.cx.new.exprs.ite(later, then, now);
        code.set(round, then);
    }
    code.load();
    code.push(Op::Return);
    code.finish(None);
}

/// `async t := p e` of Figure 6: runs the task from its start to its completion, and gives its handle.
pub(crate) fn task(cx: &mut Context<'_>, proc: ProcId) {
    let (id, body) = (cx.task(proc), cx.body(proc, false));
    let old = &cx.old.procs[proc];
    let mut code = Code::new(cx, id);
    let params: Vec<LocalId> =
        old.params.iter().map(|&p| code.param(&old.locals[p].name, erased(&old.locals[p].ty))).collect();
    let handle = code.result("handle", Type::Int);
    code.guess(proc);
    let saved = code.save();
    code.copy(|s| &s.next, |s| &s.g);
    code.begin(Some(handle));
    let args = params.iter().map(|&p| code.read(p)).collect();
    code.run(proc, body, args);
    code.copy(|s| &s.g, |s| &s.next);
    code.assign(saved);
    code.set_guessed(true);
    code.load();
    code.push(Op::Return);
    code.finish(None);
}

/// The parts of a task.
impl Code<'_, '_> {
    /// Guesses what the running task will leave behind, if it has not yet, when it starts a task of some procedure. What
    /// it leaves in rounds that are over for it, or for which no delays are left, is known, and so is what it does not
    /// assign any more.
    fn guess(&mut self, started: ProcId) {
        self.store();
        let (known, guess) = (self.block("known"), self.block("guess"));
        let guessed = self.global(self.cx.state.guessed);
        self.push(Op::Branch { cond: guessed, then: known, otherwise: guess });
        self.switch_to(guess);
        let (now, spent) = (self.global(self.cx.state.round), self.global(self.cx.state.delays));
        let bound = self.int(self.cx.bound);
        let left = self.binary(BinaryOp::Sub, bound, spent);
        let last = self.binary(BinaryOp::Add, now, left);
        let mut pairs = Vec::new();
        for shared in self.shared() {
            let changes = self.cx.may_change(started, shared.current);
            for ((at, &g), &guess) in (0..).zip(&shared.g).zip(&shared.guess) {
                if !changes {
                    let g = self.global(g);
                    pairs.push((Place::global(guess), g));
                    continue;
                }
                let pick =
                    self.guess_of(shared.current, &format!("pick.{}.{at}", shared.name), shared.ty.clone());
                let (pick, g, at) = (self.read(pick), self.global(g), self.int(at));
                let value = if self.cx.bound == 0 {
                    pick
                } else {
                    let (past, far) =
                        (self.binary(BinaryOp::Lt, at, now), self.binary(BinaryOp::Lt, last, at));
                    let known = self.binary(BinaryOp::Or, past, far);
                    self.cx.new.exprs.ite(known, g, pick)
                };
                pairs.push((Place::global(guess), value));
            }
        }
        self.assign(pairs);
        self.copy(|s| &s.guess, |s| &s.next);
        self.push(Op::Goto(known));
        self.switch_to(known);
    }

    /// Saves what belongs to the running task, and gives the assignments that restore it.
    fn save(&mut self) -> Vec<(Place, ExprId)> {
        let mut globals = vec![self.cx.state.round, self.cx.state.task];
        globals.extend(self.cx.state.waited);
        if let Some(form) = &self.cx.lasso {
            globals.extend(form.per_task());
            globals.extend(self.cx.state.ended);
        }
        for shared in self.shared() {
            globals.extend(shared.g.iter().chain(&shared.guess));
        }
        let (mut save, mut restore) = (Vec::new(), Vec::new());
        for global in globals {
            let name = format!("Save.{}", self.cx.new.globals[global].name);
            let local = self.local(&name, self.cx.new.globals[global].ty.clone());
            save.push((Place::local(local), self.global(global)));
            restore.push((Place::global(global), self.read(local)));
        }
        self.assign(save);
        restore
    }

    /// Makes a new task the running one; it has `G` to start from.
    pub(crate) fn begin(&mut self, handle: Option<LocalId>) {
        let (newest, one) = (self.global(self.cx.state.newest), self.int(1));
        let number = self.binary(BinaryOp::Add, newest, one);
        let mut pairs =
            vec![(Place::global(self.cx.state.newest), number), (Place::global(self.cx.state.task), number)];
        pairs.extend(self.cx.state.waited.map(|waited| (Place::global(waited), number)));
        pairs.extend(handle.map(|handle| (Place::local(handle), number)));
        self.assign(pairs);
        self.begin_lasso();
        self.set_guessed(false);
        self.load();
    }

    /// Runs the running task's procedure and completes it; what it and those it started leave behind is in `G`.
    pub(crate) fn run(&mut self, proc: ProcId, body: ProcId, args: Vec<ExprId>) {
        if self.cx.lasso.is_some() {
            self.run_lasso(proc, body, args);
            return;
        }
        let old = &self.cx.old.procs[proc];
        let finish = self.block("finish");
        if let Some(ended) = self.cx.state.ended {
            let ended = self.global(ended);
            let run = self.block("run");
            self.push(Op::Branch { cond: ended, then: finish, otherwise: run });
            self.switch_to(run);
        }
        // A task can be delayed before it does anything. That matters if it then fails without being seen, or does what
        // others see before its first yield.
        let switch_at = self.cx.switch_at;
        let matters = self.cx.state.ended.is_some() || switch_at == SwitchAt::Yield;
        if matters && !points(self.cx.old, proc, switch_at, true).contains(&(old.entry, 0)) {
            self.point(Some(finish));
        }
        let mut results = Vec::new();
        for &result in &old.results {
            results.push(self.local(&old.locals[result].name, erased(&old.locals[result].ty)));
        }
        let places = results.iter().map(|&local| Place::local(local)).collect();
        self.push_marked(Op::Call { proc: body, args, results: places }, Mark::Task(proc));
        if !self.records(proc, &results).is_empty() {
            if let Some(ended) = self.cx.state.ended {
                let ended = self.global(ended);
                let record = self.block("record");
                self.push(Op::Branch { cond: ended, then: finish, otherwise: record });
                self.switch_to(record);
            }
            self.record_results(proc, &results);
        }
        self.push(Op::Goto(finish));
        self.switch_to(finish);
        let settled = self.block("settled");
        self.stop_for_ever(settled);
        if let Some(completed) = self.cx.state.completed {
            self.point(None);
            let round = self.global(self.cx.state.round);
            self.record(completed, round, Some(Mark::Complete));
        }
        self.push(Op::Goto(settled));
        self.switch_to(settled);
        self.call(self.cx.helpers.settle, Vec::new());
    }

    /// The results of a task that somebody takes: the map that has them, and the local.
    fn records(&self, proc: ProcId, results: &[LocalId]) -> Vec<(ir::GlobalId, LocalId)> {
        let old = &self.cx.old.procs[proc];
        let record = |(at, &local): (usize, &LocalId)| {
            let ty = erased(&old.locals[old.results[at]].ty);
            let map = self.cx.state.results.iter().find(|(position, of, _)| *position == at && *of == ty);
            map.map(|&(_, _, map)| (map, local))
        };
        (0..).zip(results).filter_map(record).collect()
    }

    /// Notes the results of the running task.
    pub(crate) fn record_results(&mut self, proc: ProcId, results: &[LocalId]) {
        for (map, local) in self.records(proc, results) {
            let value = self.read(local);
            self.record(map, value, None);
        }
    }

    /// If the running task is stuck, its completion is put off to a round that never comes.
    fn stop_for_ever(&mut self, settled: ir::BlockId) {
        let state = &self.cx.state;
        let (Some(stuck), Some(unfinished)) = (state.stuck, state.unfinished) else { return };
        let (Some(ended), Some(completed)) = (state.ended, state.completed) else { return };
        let (stops, completes, is_stuck) = (self.block("stops"), self.block("completes"), self.global(stuck));
        self.push(Op::Branch { cond: is_stuck, then: stops, otherwise: completes });
        self.switch_to(stops);
        let (no, yes, never) = (self.bool(false), self.bool(true), self.int(self.cx.bound + 1));
        let flags = [(stuck, no), (ended, no), (unfinished, yes)];
        self.assign(flags.map(|(flag, value)| (Place::global(flag), value)).into());
        self.record(completed, never, None);
        self.push(Op::Goto(settled));
        self.switch_to(completes);
    }

    /// Notes something of the running task, or checks that it is what others took it for.
    pub(crate) fn record(&mut self, map: ir::GlobalId, value: ExprId, mark: Option<Mark>) {
        let task = self.global(self.cx.state.task);
        let op = if self.cx.state.prophetic {
            let map = self.global(map);
            let cell = self.cx.new.exprs.select(map, vec![task]);
            let right = self.binary(BinaryOp::Eq, cell, value);
            Op::Assume(right)
        } else {
            let targets = vec![Place::global(map).at(vec![task])];
            Op::Assign { targets, values: vec![value], order: ir::AccessOrder::Plain }
        };
        match mark {
            Some(mark) => self.push_marked(op, mark),
            None => self.push(op),
        }
    }
}
