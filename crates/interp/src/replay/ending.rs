//! How a replayed run ends, found out anew from the program: nothing is taken from who made the run.

use ir::{Op, OpRef, Place, PlaceBase, SyncOp};
use source::Span;

use super::{Named, Replayer, Touched};
use crate::Fairness;
use crate::code::{Action, Pc};
use crate::compile::ex;
use crate::keyframe::{Beginning, Growth};
use crate::machine::Machine;
use crate::response::Requests;
use crate::run::{Run, Scheduler, ViolationKind};
use crate::step::{Failure, Outcome};
use crate::word::Word;

/// A thread that cannot step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// Which: a position in [`super::Replay::threads`].
    pub thread: usize,
    /// The op it stands at.
    pub at: OpRef,
    /// Its source.
    pub span: Span,
    /// Whose turn it is to do something about that: the task it waits for, or the holder of the lock it wants.
    pub waits_for: Option<usize>,
    /// The synchronization object that it stands at, as the user knows it.
    pub object: Option<String>,
}

/// How a run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The last step failed.
    Failed {
        /// Assertion or memory.
        kind: ViolationKind,
        /// What the program says about it.
        message: String,
        /// The op that failed.
        at: OpRef,
        /// Its source.
        span: Span,
    },
    /// Nobody can step, and somebody has not completed.
    Deadlock(Vec<Blocked>),
    /// Two accesses that are enabled now race.
    Race {
        /// The variable.
        variable: String,
        /// Both accesses: the thread, the op, its source, and whether it writes.
        accesses: [(usize, OpRef, Span, bool); 2],
    },
    /// What the lasso does can be done again after it, and so on for ever.
    Lasso {
        /// The strongest fairness it has.
        fairness: Fairness,
        /// The threads that run for ever.
        moving: Vec<usize>,
        /// The threads that never run again, though they have not completed.
        idle: Vec<Blocked>,
        /// The threads whose stacks grow each time; if there are none, the last state is the one at which the lasso
        /// starts, but for the numbers of tasks that have completed.
        growing: Vec<Growth>,
        /// Whether it passes a progress mark. With a response property there are none.
        progress: bool,
        /// The state from which on a request is never answered: 0 is the initial one, 1 the one after the first step.
        unanswered: Option<usize>,
    },
    /// All threads have completed.
    Completed,
    /// None of these.
    Open,
}

impl Replayer<'_> {
    pub(super) fn ending(
        &mut self,
        run: &Run,
        failure: Option<Failure>,
        lasso: Option<LassoCheck>,
        requests: &Requests,
    ) -> Ending {
        if let Some(failure) = failure {
            let instr = self.code.instr(failure.pc);
            let kind = match failure.kind {
                ir::AssertKind::Assertion => ViolationKind::Assertion,
                ir::AssertKind::Memory => ViolationKind::Memory,
            };
            // The thread that ran last has failed, where it stands.
            let last = run.steps.last().map(|step| step.thread);
            let live = last.filter(|&thread| thread < self.machine.threads() && self.machine.is_live(thread));
            let span = live.map_or(instr.span, |thread| self.told(&self.calls(thread), instr.span));
            return Ending::Failed { kind, message: failure.message, at: instr.origin, span };
        }
        let base = self.machine.words.clone();
        let live: Vec<usize> = (0..self.machine.threads()).filter(|&t| self.machine.is_live(t)).collect();
        if live.is_empty() {
            return Ending::Completed;
        }
        if let (Some(start), Some(check)) = (run.lasso_start, lasso) {
            return match check.verdict(&self.machine, start < run.steps.len()) {
                Some(judged) => {
                    let moving = live.iter().filter(|&&t| judged.moving & (1 << t) != 0);
                    let moving = moving.map(|&t| self.identity[t]).collect();
                    let idle = live.iter().filter(|&&t| judged.moving & (1 << t) == 0);
                    let idle = idle.map(|&t| self.blocked(t)).collect();
                    let growing = judged.growing.iter();
                    let growing = growing.map(|g| Growth { thread: self.identity[g.thread], ..*g }).collect();
                    let (fairness, progress) = (judged.fairness, judged.progress);
                    let unanswered = requests.unanswered(start);
                    Ending::Lasso { fairness, moving, idle, growing, progress, unanswered }
                }
                None => Ending::Open,
            };
        }
        if self.config.scheduler != Scheduler::All {
            return Ending::Open;
        }
        let (mut enabled, mut at_assume) = (Vec::new(), false);
        for &thread in &live {
            match next(&mut self.machine, &base, thread) {
                Next::Enabled => enabled.push(thread),
                Next::AtAssume => at_assume = true,
                Next::Blocked => {}
            }
        }
        self.machine.load(&base);
        if enabled.is_empty() {
            if at_assume {
                return Ending::Open;
            }
            return Ending::Deadlock(live.iter().map(|&t| self.blocked(t)).collect());
        }
        let race = self.machine.race(&base, &enabled);
        self.machine.recording = true;
        self.machine.load(&base);
        match race {
            Some((first, second, touch)) => {
                let global = touch.global;
                let access = |access: &crate::race::NextAccess| {
                    let instr = self.code.instr(access.pc);
                    let writes = access.touches.iter().any(|t| t.global == global && t.write);
                    (self.identity[access.thread], instr.origin, self.told_next(access.thread), writes)
                };
                let variable = match self.touched(&touch) {
                    Some(Touched { name, .. }) => name,
                    None => self.code.globals[global as usize].name.clone(),
                };
                Ending::Race { variable, accesses: [access(&first), access(&second)] }
            }
            None => Ending::Open,
        }
    }

    fn blocked(&mut self, thread: usize) -> Blocked {
        let instr = self.code.instr(self.machine.pc_of(thread));
        let waits_for = self.waits_for(thread);
        let object = self.object_of(thread, instr.origin);
        let span = self.told_next(thread);
        Blocked { thread: self.identity[thread], at: instr.origin, span, waits_for, object }
    }

    /// The object of the synchronization op that a thread stands at. The state is as before afterwards.
    fn object_of(&mut self, thread: usize, at: OpRef) -> Option<String> {
        let op = &self.program.procs.get(at.proc)?.blocks.get(at.block)?.stmts.get(at.index)?.op;
        let Op::Sync(SyncOp { object: Place { base: PlaceBase::Global(global), path }, .. }) = op else {
            return None;
        };
        let declared = &self.program.globals[*global];
        let words = self.machine.words.clone();
        self.machine.oracle.reset();
        self.machine.enter(thread);
        let mut cells = Vec::new();
        for indices in path {
            let cell: Option<Vec<Word>> =
                indices.iter().map(|&index| self.machine.eval(ex(index)).ok()).collect();
            cells.push(cell);
        }
        self.machine.load(&words);
        let named = Named { name: &declared.name, ..self.global(global.as_u32() as usize)? };
        let mut ty = &declared.ty;
        let mut keys = Vec::new();
        for cell in cells {
            let map = ty.as_map()?;
            keys.push(self.machine.show_keys(&cell?, &map.args, named.look));
            ty = &map.result;
        }
        Some(named.with(&keys))
    }

    /// The thread whose handle a wait, or the owner of a lock, evaluates to. The state is as before afterwards.
    fn waits_for(&mut self, thread: usize) -> Option<usize> {
        let words = self.machine.words.clone();
        let code = self.code;
        self.machine.oracle.reset();
        self.machine.enter(thread);
        let handle = match &code.instr(self.machine.pc_of(thread)).action {
            Action::Wait { task, .. } => self.machine.eval(*task).ok(),
            Action::Await { targets, .. } => {
                let owner = targets.iter().find(|cell| cell.ty == ir::Type::Task);
                owner.and_then(|cell| self.machine.read(cell).ok())
            }
            _ => None,
        };
        self.machine.load(&words);
        let at = usize::try_from(handle?.checked_sub(1)?).ok()?;
        self.identity.get(at).copied()
    }
}

/// What a thread can do.
enum Next {
    /// Some sequence of choices moves it.
    Enabled,
    /// None does, and some leads to an assume that does not hold.
    AtAssume,
    /// None does.
    Blocked,
}

/// Tries all choices of a thread. The machine's state is spoilt.
fn next(machine: &mut Machine<'_>, base: &[Word], thread: usize) -> Next {
    let mut at_assume = false;
    machine.oracle.reset();
    loop {
        machine.load(base);
        if machine.step(thread) != Outcome::Blocked {
            return Next::Enabled;
        }
        at_assume |= machine.effects.at_assume;
        if !machine.oracle.advance() {
            return if at_assume { Next::AtAssume } else { Next::Blocked };
        }
    }
}

/// What is seen on the way round a lasso.
#[derive(Clone, Debug)]
pub(super) struct LassoCheck {
    first: Option<Beginning>,
    /// Threads that step somewhere.
    moving: u64,
    /// Threads that are live somewhere.
    live: u64,
    enabled_somewhere: u64,
    enabled_everywhere: u64,
    false_assume_somewhere: u64,
    false_assume_everywhere: u64,
    refused: std::collections::BTreeSet<(usize, Pc)>,
    granted: std::collections::BTreeSet<(usize, Pc)>,
    progress: bool,
}

impl Default for LassoCheck {
    fn default() -> Self {
        LassoCheck {
            first: None,
            moving: 0,
            live: 0,
            enabled_somewhere: 0,
            enabled_everywhere: u64::MAX,
            false_assume_somewhere: 0,
            false_assume_everywhere: u64::MAX,
            refused: std::collections::BTreeSet::new(),
            granted: std::collections::BTreeSet::new(),
            progress: false,
        }
    }
}

/// A lasso that closes.
pub(super) struct Judged {
    pub(super) fairness: Fairness,
    pub(super) moving: u64,
    pub(super) growing: Vec<Growth>,
    pub(super) progress: bool,
}

impl LassoCheck {
    /// A state on the way. The machine is in it again afterwards.
    pub(super) fn visit(&mut self, machine: &mut Machine<'_>) {
        self.first.get_or_insert_with(|| Beginning::new(machine));
        let words = machine.words.clone();
        let live: Vec<usize> = (0..machine.threads()).filter(|&t| machine.is_live(t)).collect();
        let recording = std::mem::replace(&mut machine.recording, false);
        let (mut enabled, mut stuck) = (0, 0);
        for &thread in &live {
            self.live |= 1 << thread;
            match next(machine, &words, thread) {
                Next::Enabled => enabled |= 1 << thread,
                Next::AtAssume => stuck |= 1 << thread,
                Next::Blocked => {}
            }
        }
        machine.recording = recording;
        machine.load(&words);
        self.enabled_somewhere |= enabled;
        self.enabled_everywhere &= enabled;
        self.false_assume_somewhere |= stuck;
        self.false_assume_everywhere &= stuck;
    }

    /// What a thread has just done.
    pub(super) fn step(&mut self, machine: &Machine<'_>, thread: usize) {
        if let Some(first) = &mut self.first {
            first.step(machine, thread);
        }
        let effects = &machine.effects;
        self.moving |= 1 << thread;
        self.progress |= effects.progress;
        for &(pc, granted) in &effects.fair {
            let set = if granted { &mut self.granted } else { &mut self.refused };
            set.insert((thread, pc));
        }
    }

    /// What the lasso is, if it can be gone round again from the machine's state and is a run at all.
    pub(super) fn verdict(&self, machine: &Machine<'_>, has_steps: bool) -> Option<Judged> {
        let idle = self.live & !self.moving;
        let growing = self.first.as_ref()?.repeats(machine)?;
        let never_holds = idle & self.false_assume_everywhere;
        if !has_steps || never_holds != 0 || !self.refused.is_subset(&self.granted) {
            return None;
        }
        let fairness = if idle & (self.enabled_somewhere | self.false_assume_somewhere) == 0 {
            Fairness::Strong
        } else if idle & self.enabled_everywhere == 0 {
            Fairness::Weak
        } else {
            Fairness::None
        };
        Some(Judged { fairness, moving: self.moving, growing, progress: self.progress })
    }
}
