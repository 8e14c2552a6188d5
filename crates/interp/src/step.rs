//! One step of one thread.

use ir::AssertKind;

use crate::code::{Action, Base, Cell, Ex, Pc};
use crate::guided::Unset;
use crate::machine::{Arbitrary, DONE, Effects, Machine, STATUS};
use crate::word::{Domain, UNSET, Word};
use crate::{Cut, SwitchAt};

/// A failed assertion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) pc: Pc,
    pub(crate) kind: AssertKind,
    pub(crate) message: String,
}

/// How a step ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The thread is at its next scheduling point, or completed.
    Moved,
    /// With these choices the thread cannot step; the state is spoilt. See [`crate::machine::Effects::at_assume`].
    Blocked,
    /// An assertion failed.
    Failed(Failure),
    /// The semantics could not go on, for a reason that is not the program's fault.
    Cut(Box<Cut>),
}

/// What one instruction did to the flow of control.
enum Flow {
    Next,
    Jump(Pc),
    /// The pc has been set.
    Stay,
    Blocked,
    Failed(Failure),
    /// The thread, or the program, is no more.
    Ended,
}

/// A step that runs this many instructions will not end.
const LONGEST_STEP: usize = 1_000_000;
/// A step that has run fewer instructions is rather run again from its beginning than kept.
const WORTH_KEEPING: usize = 8;

/// How far a step is.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// Instructions run.
    ran: usize,
    /// Atomic sections it is in.
    atomic: usize,
    /// Whether it is still in its first instruction, or atomic section.
    first: bool,
}

/// A step right before one of its instructions.
#[derive(Clone, Debug)]
pub(crate) struct Halfway {
    words: Vec<Word>,
    effects: Effects,
    effort: u32,
    way: Way,
}

impl Machine<'_> {
    /// Runs a live thread up to its next scheduling point, with the choices of the oracle.
    pub(crate) fn step(&mut self, thread: usize) -> Outcome {
        let mut way = self.begin(thread);
        while way.ran < LONGEST_STEP {
            let pc = self.pc();
            if way.ran > 0 && way.atomic == 0 && self.is_point(pc) {
                return self.moved(true);
            }
            self.keep(pc, way);
            if self.recording
                && let Err(cut) = self.begin_instr(pc)
            {
                return Outcome::Cut(cut);
            }
            let flow = self.execute(pc, &mut way.atomic);
            if way.first {
                self.effects.first_touches = self.effects.touches.len();
                way.first = way.atomic > 0;
            }
            match flow {
                Err(cut) => return Outcome::Cut(cut),
                Ok(Flow::Next) => self.set_pc(pc + 1),
                Ok(Flow::Jump(target)) => self.set_pc(target),
                Ok(Flow::Stay) => {}
                // Blocked or failing after it has moved: the thread stays in front of the instruction, so that
                // others can do what the move allows them to do.
                Ok(flow @ (Flow::Blocked | Flow::Failed(_)))
                    if way.ran > 0 && way.atomic == 0 && self.may_stop_at(pc, &flow) =>
                {
                    return self.moved(false);
                }
                Ok(Flow::Blocked)
                    if way.atomic == 0 && self.is_assume(pc) && (way.ran > 0 || !self.effects.chose_cell) =>
                {
                    self.effects.at_assume = true;
                    return Outcome::Blocked;
                }
                // With another value of the cell it may be blocked for ever, which must not go unseen.
                Ok(Flow::Blocked) if self.effects.chose_cell => {
                    let what = "a section that waits for an arbitrary map cell".to_owned();
                    return Outcome::Cut(Box::new(Cut::Unsupported(what)));
                }
                Ok(Flow::Blocked) => return Outcome::Blocked,
                Ok(Flow::Failed(failure)) => return Outcome::Failed(failure),
                Ok(Flow::Ended) => return self.moved(true),
            }
            way.ran += 1;
        }
        Outcome::Cut(Box::new(Cut::LongStep))
    }

    /// Begins a step of a live thread; where the same step was run before with other choices, at the point where these
    /// begin to differ.
    fn begin(&mut self, thread: usize) -> Way {
        if let Some(halfway) = self.oracle.resume() {
            self.words.clone_from(&halfway.words);
            self.effects.clone_from(&halfway.effects);
            self.effort = halfway.effort;
            let way = halfway.way;
            self.index_segments();
            self.enter(thread);
            return way;
        }
        self.enter(thread);
        self.effort = 0;
        self.effects.progress = false;
        self.effects.chose_cell = false;
        self.effects.at_assume = false;
        self.effects.fair.clear();
        self.effects.trace.clear();
        self.effects.arbitrary.clear();
        self.effects.touches.clear();
        self.effects.started.clear();
        self.effects.lowest = usize::MAX;
        Way { ran: 0, atomic: 0, first: true }
    }

    /// Keeps a long step at a branch, so that it need not be run from its beginning for each of them.
    fn keep(&mut self, pc: Pc, way: Way) {
        if way.ran < WORTH_KEEPING || self.recording {
            return;
        }
        let Action::Choose { targets, .. } = &self.code.instr(pc).action else { return };
        if targets.len() > 1 {
            let (words, effects, effort) = (&self.words, &self.effects, self.effort);
            let halfway = || Halfway { words: words.clone(), effects: effects.clone(), effort, way };
            self.oracle.keep(halfway);
        }
    }

    /// Leaves the state as it is to be stored; `done` says whether the last instruction was run.
    fn moved(&mut self, done: bool) -> Outcome {
        if self.recording {
            self.end_step(done);
        }
        self.collect();
        match self.settle().and_then(|()| self.moment()) {
            Ok(_) => Outcome::Moved,
            Err(cut) => Outcome::Cut(cut),
        }
    }

    /// Whether other threads may run before the running thread's next instruction.
    fn is_point(&self, pc: Pc) -> bool {
        let instr = self.code.instr(pc);
        instr.point || (matches!(instr.action, Action::Return) && self.return_is_visible())
    }

    /// Whether others may run before an instruction at which a thread in the middle of a step is blocked or fails. Where
    /// threads are switched only at yields, what fails does so before anybody else runs, and an assume says which
    /// steps there are.
    fn may_stop_at(&self, pc: Pc, flow: &Flow) -> bool {
        match self.code.switch_at {
            SwitchAt::Visible => true,
            SwitchAt::Yield => matches!(flow, Flow::Blocked) && !self.is_assume(pc),
        }
    }

    fn is_assume(&self, pc: Pc) -> bool {
        matches!(self.code.instr(pc).action, Action::Assume(_))
    }

    /// A return completes the task or assigns globals of the caller.
    fn return_is_visible(&self) -> bool {
        if self.in_first_frame() {
            return true;
        }
        if self.code.switch_at == SwitchAt::Yield {
            return false;
        }
        match &self.code.instr(self.caller_pc()).action {
            Action::Call { results, .. } => results.iter().any(|cell| matches!(cell.base, Base::Global(_))),
            _ => false,
        }
    }

    /// The pc of the call that the newest frame returns to.
    pub(crate) fn caller_pc(&self) -> Pc {
        crate::machine::as_pc(self.words[self.caller_frame() - 1])
    }

    fn execute(&mut self, pc: Pc, atomic: &mut usize) -> Result<Flow, Box<Cut>> {
        let code = self.code;
        match &code.instr(pc).action {
            Action::Set { target, value } => {
                let value = self.eval(*value)?;
                match *target {
                    Base::Global(global) => {
                        if self.recording {
                            self.record_write(global);
                        }
                        self.words[global as usize] = value;
                    }
                    Base::Local(local) => {
                        let at = self.frame + local as usize;
                        self.words[at] = value;
                    }
                    Base::Value(_) => {}
                }
                Ok(Flow::Next)
            }
            Action::Assign { targets, values } => self.assign(targets, values),
            Action::Havoc(targets) => {
                for (at, cell) in targets.iter().enumerate() {
                    let key = self.key(cell)?;
                    let value = match cell.ty {
                        ir::Type::Task => {
                            let count = u32::try_from(self.threads()).unwrap_or(u32::MAX);
                            self.choose(Domain::Task(count), Unset::Handle(at))?
                        }
                        _ => UNSET,
                    };
                    if let Base::Local(local) = cell.base {
                        self.note_arbitrary(local, Arbitrary::Became(pc));
                    }
                    self.write(cell, &key, value);
                }
                Ok(Flow::Next)
            }
            Action::Assume(cond) => {
                self.oracle.bounds = code.bounded.get(cond).copied();
                let holds = self.eval(*cond);
                self.oracle.bounds = None;
                Ok(if holds? == 0 { Flow::Blocked } else { Flow::Next })
            }
            Action::Await { guard, targets, values } => {
                if self.eval(*guard)? == 0 {
                    Ok(Flow::Blocked)
                } else {
                    self.assign(targets, values)
                }
            }
            Action::Assert { cond, kind, message } => Ok(if self.eval(*cond)? == 0 {
                Flow::Failed(Failure { pc, kind: *kind, message: message.to_string() })
            } else {
                Flow::Next
            }),
            Action::Call { proc, args, .. } => {
                let args = self.eval_all(args)?;
                self.push_frame(*proc, &args)?;
                Ok(Flow::Stay)
            }
            Action::Spawn { proc, args, handle } => {
                let args = self.eval_all(args)?;
                let key = handle.as_ref().map(|cell| self.key(cell)).transpose()?;
                let thread = self.spawn(*proc, &args, self.me as Word + 1)?;
                if let (Some(cell), Some(key)) = (handle, key) {
                    self.write(cell, &key, thread as Word + 1);
                }
                Ok(Flow::Next)
            }
            Action::Wait { task, results } => self.wait(*task, results),
            Action::AtomicBegin => {
                *atomic += 1;
                Ok(Flow::Next)
            }
            Action::AtomicEnd => {
                *atomic = atomic.saturating_sub(1);
                Ok(Flow::Next)
            }
            Action::Yield | Action::Nothing => Ok(Flow::Next),
            Action::Progress => {
                self.effects.progress = self.watched.is_none();
                Ok(Flow::Next)
            }
            Action::Opaque(what) => Err(Box::new(Cut::Opaque(what.to_string()))),
            Action::Goto(target) => Ok(Flow::Jump(*target)),
            Action::Branch { cond, then, otherwise } => {
                Ok(Flow::Jump(if self.eval(*cond)? == 0 { *otherwise } else { *then }))
            }
            Action::Choose { targets, fair } => {
                let count = u32::try_from(targets.len()).unwrap_or(u32::MAX);
                let chosen = if count == 1 { 0 } else { self.choose(Domain::Branch(count), Unset::Target)? };
                if let Some(fair) = fair {
                    self.effects.fair.push((pc, chosen == Word::from(*fair)));
                }
                Ok(Flow::Jump(targets[crate::machine::as_index(chosen)]))
            }
            Action::Return => self.return_from_procedure(),
            Action::Exit => {
                self.exit();
                Ok(Flow::Ended)
            }
        }
    }

    fn record_write(&mut self, global: u32) {
        self.effects.touches.push(crate::machine::Touch { global, key: Vec::new(), write: true });
    }

    fn assign(&mut self, targets: &[Cell], values: &[Ex]) -> Result<Flow, Box<Cut>> {
        let values = self.eval_all(values)?;
        self.assign_words(targets, &values)?;
        Ok(Flow::Next)
    }

    /// Assigns all targets at once: the indices are evaluated before anything changes.
    fn assign_words(&mut self, targets: &[Cell], values: &[Word]) -> Result<(), Box<Cut>> {
        if let ([target], [value]) = (targets, values) {
            let key = self.key(target)?;
            self.write(target, &key, *value);
            return Ok(());
        }
        let keys = targets.iter().map(|cell| self.key(cell)).collect::<Result<Vec<_>, _>>()?;
        for ((cell, key), &value) in targets.iter().zip(&keys).zip(values) {
            self.write(cell, key, value);
        }
        Ok(())
    }

    fn wait(&mut self, task: Ex, results: &[Cell]) -> Result<Flow, Box<Cut>> {
        let Some(thread) = self.eval(task)?.checked_sub(1).map(crate::machine::as_index) else {
            return Ok(Flow::Blocked);
        };
        if thread >= self.threads() || self.header(thread, STATUS) != DONE {
            return Ok(Flow::Blocked);
        }
        if results.is_empty() {
            return Ok(Flow::Next);
        }
        let code = self.code;
        let info = &code.procs[self.results(thread).0];
        let types = info.results.iter().map(|&r| &info.locals[r as usize].1);
        if !types.clone().eq(results.iter().map(|cell| &cell.ty)) {
            let what = format!("waiting for the results of `{}`, which do not fit the variables", info.name);
            return Err(Box::new(Cut::Unsupported(what)));
        }
        // A result that is still arbitrary must be the same for everybody who asks.
        for (at, ty) in types.enumerate() {
            let word = self.results(thread).1[at];
            if word == UNSET || (ty.as_map().is_some() && !self.maps.is_total(word)) {
                let value = self.choose_value(ty, Unset::Result(thread, at))?;
                self.set_header(thread, self.header_size() + at, value);
            }
        }
        let words: crate::eval::Words = self.results(thread).1.into();
        self.assign_words(results, &words)?;
        Ok(Flow::Next)
    }

    fn return_from_procedure(&mut self) -> Result<Flow, Box<Cut>> {
        if self.in_first_frame() {
            self.complete();
            return Ok(Flow::Ended);
        }
        let code = self.code;
        let proc = code.instr(self.pc()).proc;
        let results: crate::eval::Words =
            code.procs[proc].results.iter().map(|&r| self.words[self.frame + r as usize]).collect();
        self.pop_frame();
        let call = self.pc();
        if let Action::Call { results: targets, .. } = &code.instr(call).action
            && !targets.is_empty()
        {
            self.assign_words(targets, &results)?;
        }
        Ok(Flow::Jump(call + 1))
    }
}
