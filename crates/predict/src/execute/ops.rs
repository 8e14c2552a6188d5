//! What ops do.

use engine::ViolationKind;
use ir::{AssertKind, GlobalId, LocalId, Op, OpRef, Place, PlaceBase, ProcId, SyncKind, SyncOp, Type};
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use smt::{SortId, Term, TermId};

use super::{Executor, Stuck};
use crate::ctp::{Assertion, Block, Blocking, Free, Origin, Way};
use crate::record::{RecordedOp, What};
use crate::state::{Frame, Pair};

/// A part of the definition of a synchronization op, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It takes a mutex.
    Takes,
    /// It gives a mutex back, or checks that it can.
    Gives,
    /// It initialises an object.
    Initialises,
    /// Anything else.
    Other,
}

impl Executor<'_, '_> {
    /// The synchronization op that an op is a part of, and which part.
    fn synchronization(&self, op: OpRef) -> Option<(&SyncOp, usize)> {
        let original = self.subject.back.get(op)?;
        let stmt =
            self.subject.original.procs[original.proc].blocks[original.block].stmts.get(original.index)?;
        let Op::Sync(sync) = &stmt.op else { return None };
        let before = (0..op.index).rev();
        let part = before
            .take_while(|index| self.subject.back.get(OpRef { index: *index, ..op }) == Some(original))
            .count();
        Some((sync, part))
    }

    fn role(&self, op: OpRef) -> Role {
        match self.synchronization(op) {
            Some((sync, part)) => match (sync.kind, part) {
                (SyncKind::Acquire, _) | (SyncKind::CondWait, 4) | (SyncKind::CondTimedWait, 6) => {
                    Role::Takes
                }
                (SyncKind::Release, _) | (SyncKind::CondWait | SyncKind::CondTimedWait, 0..=3) => Role::Gives,
                (SyncKind::Init, _) => Role::Initialises,
                _ => Role::Other,
            },
            None => Role::Other,
        }
    }

    /// Who owns a mutex whose ops are ordered as sections: that is known without looking.
    pub(super) fn owner(&mut self, thread: usize, global: GlobalId) -> Option<TermId> {
        if !self.subject.owners.contains(&global) {
            return None;
        }
        let op = self.recording.steps[self.step].ops[self.op].op;
        let owner = if self.role(op) == Role::Takes { 0 } else { thread + 1 };
        Some(self.translator.pool.int(i64::try_from(owner).unwrap_or(0)))
    }

    fn truth(&self, pair: Pair) -> Result<bool, Stuck> {
        let known = self.translator.pool.as_bool(pair.observed);
        known.ok_or_else(|| Self::stuck("a condition whose value in the run is not known"))
    }

    /// A condition that held in the run has to hold.
    fn held(&mut self, pair: Pair) -> Result<(), Stuck> {
        if self.truth(pair)? {
            return Ok(());
        }
        Err(Self::stuck("the run does not fit the values that were observed in it"))
    }

    fn number(&self, term: TermId) -> Option<usize> {
        match self.translator.pool.term(term) {
            Term::Int(value) => value.to_usize(),
            _ => None,
        }
    }

    pub(super) fn execute(&mut self, thread: usize, recorded: &RecordedOp) -> Result<(), Stuck> {
        let at = recorded.op;
        let program = self.subject.expanded;
        let stmt = &program.procs[at.proc].blocks[at.block].stmts[at.index];
        match &stmt.op {
            Op::Assign { targets, values, .. } => {
                let values = self.eval_all(thread, values)?;
                self.assign(thread, targets, &values)?;
            }
            Op::Havoc { targets } => self.havoc(thread, recorded, targets)?,
            Op::Assume(condition) => {
                let pair = self.eval(thread, *condition)?;
                self.held(pair)?;
                self.blocks(Blocking::Filter, Blocking::Until(pair.term), pair.term)?;
                self.demand(pair.term, true)?;
            }
            Op::Await { guard, targets, values } => {
                self.take_or_give(thread, at)?;
                let pair = self.eval(thread, *guard)?;
                self.held(pair)?;
                let enabled = self.enabled(thread, at, *guard, pair.term)?;
                self.blocks(Blocking::Until(enabled), Blocking::Until(enabled), enabled)?;
                let event = self.event()?;
                // That a mutex is free is no part of the guard if its sections are ordered.
                if event.blocking == Blocking::Never && event.locks.iter().any(|op| op.acquire) {
                    event.blocking = Blocking::Until(enabled);
                }
                self.demand(pair.term, true)?;
                let values = self.eval_all(thread, values)?;
                self.assign(thread, targets, &values)?;
            }
            Op::Assert { cond, kind, .. } => self.check(thread, at, *cond, *kind)?,
            Op::Call { proc, args, results } => {
                let args = self.eval_all(thread, args)?;
                if let Some(frame) = self.state.top_mut(thread) {
                    frame.results.clone_from(results);
                }
                let from = self.positions[thread] + 1;
                self.push_frame(thread, *proc, &args, from, Some(at));
            }
            Op::Spawn { proc, args, handle } => {
                let args = self.eval_all(thread, args)?;
                let index = handle.as_ref().map(|place| self.indices_of(thread, place)).transpose()?;
                let started = recorded.started.ok_or_else(|| Self::stuck("a thread that was not started"))?;
                self.state.started[started] = true;
                self.push_frame(started, *proc, &args, 0, None);
                if let Some(fact) = self.fact() {
                    fact.spawns.push(started);
                }
                self.event()?.spawns.push(started);
                if let (Some(place), Some(index)) = (handle, index) {
                    let number = i64::try_from(started + 1).unwrap_or(0);
                    let value = Pair::known(self.translator.pool.int(number));
                    self.set(thread, place, &index, Some(value))?;
                }
            }
            Op::Wait { task, results } => self.wait(thread, *task, results)?,
            Op::AtomicBegin => {
                self.atomic += 1;
                self.section = (0, 0);
            }
            Op::AtomicEnd => self.atomic = self.atomic.saturating_sub(1),
            Op::Yield | Op::Progress | Op::Goto(_) => {}
            Op::TransactionBegin => {
                let position = self.positions[thread];
                self.state.marks[thread].push(position + 1);
            }
            Op::TransactionEnd => {
                if let Some(start) = self.state.marks[thread].pop() {
                    let name = format!("the block that is marked in {}", self.proc_name(at.proc));
                    self.block(thread, start, Origin::Marked, name);
                }
            }
            Op::Choose { .. } => self.section.1 += 1,
            Op::Branch { cond, .. } => {
                self.section.1 += 1;
                let pair = self.eval(thread, *cond)?;
                let taken = self.truth(pair)?;
                let condition = if taken { pair.term } else { self.translator.pool.not(pair.term) };
                match self.fails_otherwise(at, taken) {
                    Some((op, kind)) => self.may_fail(op, kind, condition)?,
                    None => self.may_turn(at, condition)?,
                }
                self.demand(condition, false)?;
                if self.plan.is_some() && self.translator.pool.as_bool(condition).is_none() {
                    let event = self.events.len().saturating_sub(1);
                    self.branches[thread].push((event, at, condition));
                }
            }
            Op::Return => self.leave(thread)?,
            Op::Exit => self.event()?.exits = true,
            Op::Sync(_) | Op::Opaque { .. } => {
                return Err(Self::stuck("something whose result is known only from a recorded run"));
            }
        }
        if self.section.1 == 0 {
            self.section.0 += 1;
        }
        Ok(())
    }

    fn eval_all(&mut self, thread: usize, values: &[ir::ExprId]) -> Result<Vec<Pair>, Stuck> {
        values.iter().map(|value| self.eval(thread, *value)).collect()
    }

    fn assign(&mut self, thread: usize, targets: &[Place], values: &[Pair]) -> Result<(), Stuck> {
        let indices = targets.iter().map(|place| self.indices_of(thread, place));
        let indices = indices.collect::<Result<Vec<_>, _>>()?;
        for ((place, index), value) in targets.iter().zip(&indices).zip(values) {
            self.set(thread, place, index, Some(*value))?;
        }
        Ok(())
    }

    /// Whether others can keep the event from being executed, by what the running op waits for.
    fn blocks(&mut self, alone: Blocking, in_section: Blocking, enabled: TermId) -> Result<(), Stuck> {
        if !self.in_head || self.translator.pool.as_bool(enabled) == Some(true) {
            return Ok(());
        }
        // In a section, what comes first decides; what comes later may have other ways around it.
        let first = self.section == (1, 0);
        let atomic = self.atomic;
        let event = self.event()?;
        event.blocking = match event.blocking {
            Blocking::Never if atomic == 0 => alone,
            Blocking::Never if first => in_section,
            Blocking::Until(known) if atomic > 0 => Blocking::Until(known),
            _ => Blocking::Unknown,
        };
        Ok(())
    }

    /// When an `await` can go on, whatever is chosen on the way that may be chosen.
    fn enabled(
        &mut self,
        thread: usize,
        at: OpRef,
        guard: ir::ExprId,
        holds: TermId,
    ) -> Result<TermId, Stuck> {
        match self.synchronization(at).map(|(sync, part)| (sync.kind, part)) {
            // Whoever waits can be chosen, and if there is nobody then that is fine, too.
            Some((SyncKind::Signal, _)) => Ok(self.translator.pool.bool(true)),
            Some((SyncKind::CondTimedWait, 6)) => {
                let late = self.event()?.free.iter().find_map(|free| match free {
                    Free::Late(term) => Some(*term),
                    Free::Woken(_) => None,
                });
                let Some(late) = late else { return Ok(holds) };
                let yes = self.translator.pool.bool(true);
                self.section = (1, 0);
                let term = self.eval(thread, guard)?.term;
                Ok(self.translator.pool.rewrite(term, |_, leaf| if leaf == late { yes } else { leaf }))
            }
            _ => Ok(holds),
        }
    }

    /// An arbitrary value is what it was in the run, except where it only says whom a signal wakes, or that a wait is over.
    fn havoc(&mut self, thread: usize, recorded: &RecordedOp, targets: &[Place]) -> Result<(), Stuck> {
        let kind = self.synchronization(recorded.op).map(|(sync, _)| sync.kind);
        for (at, place) in targets.iter().enumerate() {
            let index = self.indices_of(thread, place)?;
            let handle = recorded.choices.iter().find_map(|choice| match choice.what {
                What::Handle(of) if of == at => Some(choice.value),
                _ => None,
            });
            let mut value = match handle {
                Some(handle) => Some(Pair::known(self.literal(&Type::Task, handle)?)),
                None => None,
            };
            if self.plan.is_some()
                && let PlaceBase::Local(local) = place.base
            {
                value = self.free(thread, kind, local, value)?.or(value);
            }
            self.set(thread, place, &index, value)?;
        }
        Ok(())
    }

    fn free(
        &mut self,
        thread: usize,
        kind: Option<SyncKind>,
        _local: LocalId,
        known: Option<Pair>,
    ) -> Result<Option<Pair>, Stuck> {
        let _ = thread;
        let (free, observed) = match (kind, known) {
            (Some(SyncKind::Signal), Some(known)) => {
                (Free::Woken(self.translator.fresh("woken", SortId::INT)), known.observed)
            }
            (Some(SyncKind::CondTimedWait), None) => {
                let term = self.translator.fresh_bool("late");
                (Free::Late(term), self.translator.pool.bool(false))
            }
            _ => return Ok(None),
        };
        self.event()?.free.push(free);
        let (Free::Woken(term) | Free::Late(term)) = free;
        Ok(Some(Pair { term, observed }))
    }

    /// Notes that a mutex is taken or given back.
    fn take_or_give(&mut self, thread: usize, at: OpRef) -> Result<(), Stuck> {
        let role = self.role(at);
        let Some((sync, _)) = self.synchronization(at) else { return Ok(()) };
        let place = sync.mutex.clone().unwrap_or_else(|| sync.object.clone());
        let PlaceBase::Global(owner) = place.base else { return Ok(()) };
        let is_mutex = matches!(
            self.subject.original.globals[owner].ty.sync_inside(),
            Some(ir::SyncType::Mutex(ir::MutexKind::Plain | ir::MutexKind::Recursive))
        );
        if !is_mutex || role == Role::Other {
            return Ok(());
        }
        if role == Role::Initialises {
            if self.plan.is_some() && self.subject.owners.contains(&owner) {
                let number = self.events.len() - 1;
                self.initialised.push((number, owner));
            }
            return Ok(());
        }
        let index = self.indices_of(thread, &place)?;
        let terms: Vec<TermId> = index.iter().map(|pair| pair.term).collect();
        let observed: Vec<TermId> = index.iter().map(|pair| pair.observed).collect();
        self.lock(thread, owner, &terms, observed, role == Role::Takes);
        Ok(())
    }

    fn check(&mut self, thread: usize, at: OpRef, cond: ir::ExprId, kind: AssertKind) -> Result<(), Stuck> {
        let pair = self.eval(thread, cond)?;
        self.held(pair)?;
        self.may_fail(at, kind, pair.term)?;
        self.demand(pair.term, true)
    }

    /// Notes that an assertion fails here if something does not hold.
    fn may_fail(&mut self, op: OpRef, kind: AssertKind, holds: TermId) -> Result<(), Stuck> {
        if self.plan.is_none() || self.translator.pool.as_bool(holds) == Some(true) {
            return Ok(());
        }
        let kind = match kind {
            AssertKind::Assertion => ViolationKind::Assertion,
            AssertKind::Memory => ViolationKind::Memory,
        };
        let in_tail = !self.in_head;
        let event = self.event()?;
        let before = if in_tail { event.tail.clone() } else { event.guard.clone() };
        event.assertions.push(Assertion { op, kind, holds, before, in_tail });
        Ok(())
    }

    /// Notes that a branch may go another way.
    fn may_turn(&mut self, op: OpRef, condition: TermId) -> Result<(), Stuck> {
        if self.plan.is_none() || self.translator.pool.as_bool(condition).is_some() {
            return Ok(());
        }
        let in_tail = self.atomic == 0;
        let event = self.event()?;
        let before = if in_tail { event.tail.clone() } else { event.guard.clone() };
        event.ways.push(Way { op, condition, before, in_tail });
        Ok(())
    }

    /// The assertion that fails at once where a branch does not lead, if there is one: C's `assert` is a branch around a call that
    /// gives up, so a run in which all goes well never comes to an op that could fail.
    fn fails_otherwise(&self, at: OpRef, taken: bool) -> Option<(OpRef, AssertKind)> {
        let program = &self.subject.expanded;
        let proc = &program.procs[at.proc];
        let Op::Branch { then, otherwise, .. } = proc.blocks[at.block].stmts[at.index].op else {
            return None;
        };
        let mut block = if taken { otherwise } else { then };
        // Blocks without anything in them lead on; a loop of these leads nowhere.
        for _ in 0..proc.blocks.len() {
            match &proc.blocks[block].stmts.first()?.op {
                Op::Goto(next) => block = *next,
                Op::Assert { cond, kind, .. } => {
                    let fails = matches!(program.exprs.node(*cond), ir::ExprNode::Bool(false));
                    return fails.then_some((OpRef { proc: at.proc, block, index: 0 }, *kind));
                }
                _ => return None,
            }
        }
        None
    }

    fn push_frame(&mut self, thread: usize, proc: ProcId, args: &[Pair], from: usize, call: Option<OpRef>) {
        let params = &self.subject.expanded.procs[proc].params;
        let locals: FxHashMap<_, _> = params.iter().copied().zip(args.iter().copied()).collect();
        self.state.frames[thread].push(Frame { proc, locals, results: Vec::new(), from, call });
    }

    fn wait(&mut self, thread: usize, task: ir::ExprId, results: &[Place]) -> Result<(), Stuck> {
        let pair = self.eval(thread, task)?;
        let number = self.number(pair.observed).and_then(|number| number.checked_sub(1));
        let target = number.filter(|number| *number < self.state.done.len());
        let target = target.ok_or_else(|| Self::stuck("a wait for a thread that is not known"))?;
        if let Some(fact) = self.fact() {
            fact.waits.push(target);
        }
        let same = self.translator.pool.eq(pair.term, pair.observed);
        let certain = self.translator.pool.as_bool(same) == Some(true);
        let yes = self.translator.pool.bool(true);
        let no = self.translator.pool.bool(false);
        let blocking = if certain { Blocking::Until(yes) } else { Blocking::Unknown };
        self.blocks(blocking, blocking, no)?;
        self.demand(same, true)?;
        self.event()?.waits.push(target);
        let values = self.state.results[target].clone();
        let indices = results.iter().map(|place| self.indices_of(thread, place));
        let indices = indices.collect::<Result<Vec<_>, _>>()?;
        for ((place, index), value) in results.iter().zip(&indices).zip(values) {
            self.set(thread, place, index, value)?;
        }
        Ok(())
    }

    fn leave(&mut self, thread: usize) -> Result<(), Stuck> {
        let Some(frame) = self.state.top(thread) else { return Err(Self::stuck("a return from nowhere")) };
        let proc = frame.proc;
        let declared = &self.subject.expanded.procs[proc].results;
        let values: Vec<Option<Pair>> =
            declared.iter().map(|result| frame.locals.get(result).copied()).collect();
        let from = frame.from;
        let is_called = self.subject.is_called_by_thread(&self.state.frames[thread]);
        if self.state.frames[thread].len() <= 1 {
            self.state.done[thread] = true;
            self.state.results[thread] = values;
            if let Some(fact) = self.fact() {
                fact.completes = true;
            }
            self.event()?.completes = true;
        } else {
            self.state.frames[thread].pop();
            let targets = self.state.top(thread).map(|frame| frame.results.clone()).unwrap_or_default();
            let indices = targets.iter().map(|place| self.indices_of(thread, place));
            let indices = indices.collect::<Result<Vec<_>, _>>()?;
            for ((place, index), value) in targets.iter().zip(&indices).zip(values) {
                self.set(thread, place, index, value)?;
            }
        }
        let origin = if self.subject.named.contains(&proc) { Origin::Named } else { Origin::Body };
        if origin == Origin::Named || is_called {
            let name = format!("the body of {}", self.proc_name(proc));
            self.block(thread, from, origin, name);
        }
        Ok(())
    }

    fn proc_name(&self, proc: ProcId) -> String {
        format!("`{}`", ir::shown_name(&self.subject.original.procs[proc].name))
    }

    /// Notes a transaction that ends with the running event.
    fn block(&mut self, thread: usize, start: usize, origin: Origin, name: String) {
        let end = self.positions[thread];
        if self.plan.is_some()
            && start < end
            && !self.blocks.iter().any(|block| {
                (block.thread, block.start, block.end, block.origin) == (thread, start, end, origin)
            })
        {
            self.blocks.push(Block { thread, start, end, origin, name });
        }
    }
}
