//! What each task does in a run of the sequential program: its ops in order, and where it is delayed.

use engine::{Trace, TraceStep, Value, Variable};
use ir::{LocalId, Op, OpRef, Place, PlaceBase, ProcId, Program};
use rustc_hash::FxHashMap;

use crate::points::is_global;
use crate::{Mark, Sequential, SwitchAt};

/// An op of the original, its synchronization expanded, that a task runs.
pub(crate) struct Act {
    pub(crate) op: OpRef,
    /// The activation of its procedure.
    pub(crate) frame: usize,
    /// The step of the trace at which it begins.
    pub(crate) step: usize,
    /// Further steps of it; of a return, those that take the results.
    pub(crate) more: Vec<usize>,
    /// The task it starts.
    pub(crate) child: Option<usize>,
    /// The round in which it runs, when a lasso is sought.
    pub(crate) round: u64,
    /// How often the task is delayed before it.
    before: u64,
    /// Of a wait under DFW: how often it is delayed when it could go on.
    arrived: u64,
    /// Where a delay belongs that comes now, as long as it is the task's last act.
    delay_inside: Delay,
}

impl Act {
    fn new(op: OpRef, index: usize, step: &TraceStep, round: u64) -> Act {
        Act {
            op,
            frame: step.frame,
            step: index,
            more: Vec::new(),
            child: None,
            round,
            before: 0,
            arrived: 0,
            delay_inside: Delay::After,
        }
    }
}

/// Where a delay belongs that the sequential program has in the middle of an act, or right after it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Delay {
    /// Before the act: the scheduler has yet to run a return that others can see, or what blocks the task.
    Before,
    /// In the middle: the act is a wait, the task has come to it, and it can go on.
    Arrived,
    /// Before the next act.
    After,
}

/// The acts of a task.
#[derive(Default)]
pub(crate) struct Task {
    acts: Vec<Act>,
    /// For each call that has not returned, whether its results go to globals.
    calls: Vec<bool>,
    /// Delays after the last act.
    late: u64,
    /// The round in which it begins, and the one in which it is, when a lasso is sought.
    pub(crate) begins_in: u64,
    round: u64,
    /// The op at which it stands still for ever.
    pub(crate) standing: Option<Act>,
}

/// A step, and the value of a local there.
type Note<'a> = (usize, Option<&'a Value>);

/// What all tasks do.
pub(crate) struct Script<'a> {
    /// By their numbers, from 1.
    pub(crate) tasks: Vec<Task>,
    /// The tasks that are there from the start.
    pub(crate) roots: Vec<usize>,
    /// For each local of each activation, the steps in which it is read or changed in part, with its value, and those
    /// in which it is lost.
    locals: FxHashMap<(usize, LocalId), Vec<Note<'a>>>,
}

/// The op at a place.
pub(crate) fn op_at(program: &Program, at: OpRef) -> &Op {
    &program.procs[at.proc].blocks[at.block].stmts[at.index].op
}

/// Whether the sequential program has nothing for an op.
pub(crate) fn is_silent(op: &Op) -> bool {
    matches!(
        op,
        Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Yield
            | Op::Progress
            | Op::TransactionBegin
            | Op::TransactionEnd
    )
}

fn small(value: &Value) -> Option<u64> {
    if let Value::Int(value) = value { u64::try_from(value).ok() } else { None }
}

impl<'a> Script<'a> {
    pub(crate) fn new(sequential: &Sequential, old: &Program, trace: &'a Trace) -> Result<Self, String> {
        let mut script = Script { tasks: Vec::new(), roots: Vec::new(), locals: FxHashMap::default() };
        let entry = sequential.program.threads.first().copied().unwrap_or(ProcId::from_u32(0));
        let mut current = 0;
        for (index, step) in trace.steps.iter().enumerate() {
            let task = Variable::Global(sequential.variables.task);
            if let Some((_, value)) = step.writes.iter().find(|(of, _)| *of == task) {
                let number = small(value).and_then(|number| usize::try_from(number).ok());
                let number = number.ok_or("it has a task without a number")?;
                if number == script.tasks.len() + 1 {
                    let round = script.task(current).map_or(0, |task| task.round);
                    let round = if step.at.proc == entry { 0 } else { round };
                    script.tasks.push(Task { begins_in: round, round, ..Task::default() });
                    if step.at.proc == entry {
                        script.roots.push(number);
                    } else if let Some(act) = script.task(current)?.acts.last_mut() {
                        act.child = Some(number);
                    }
                }
                current = number;
                continue;
            }
            match sequential.marks.get(&step.at) {
                Some(Mark::Delay(times)) => {
                    script.task(current)?.delay(u64::from(*times));
                    continue;
                }
                Some(Mark::Round(to)) => {
                    script.task(current)?.go_to(sequential, trace, u64::from(*to));
                    continue;
                }
                Some(Mark::Idle(op)) => {
                    script.note_locals(op_at(&sequential.program, step.at), index, step);
                    let task = script.task(current)?;
                    let round = task.round;
                    task.standing = Some(Act::new(*op, index, step, round));
                    continue;
                }
                _ => {}
            }
            if step.at.proc == entry || sequential.back.get(step.at).is_none() {
                continue;
            }
            script.note_locals(op_at(&sequential.program, step.at), index, step);
            match sequential.starts.get(step.at) {
                Some(op) => script.task(current)?.act(old, op, index, step),
                None => {
                    if let Some(act) = script.task(current)?.acts.last_mut() {
                        act.more.push(index);
                        act.delay_inside = sequential.delay_after(old, act, step.at);
                    }
                }
            }
        }
        Ok(script)
    }

    fn task(&mut self, number: usize) -> Result<&mut Task, String> {
        let task = number.checked_sub(1).and_then(|at| self.tasks.get_mut(at));
        task.ok_or_else(|| "it has an op of no task".to_owned())
    }

    /// The acts of a task, by its number.
    pub(crate) fn acts(&self, number: usize) -> &[Act] {
        let task = number.checked_sub(1).and_then(|at| self.tasks.get(at));
        task.map_or(&[], |task| &task.acts)
    }

    /// How often a task is still delayed before an act, or, with `arrived`, in the middle of one that waits.
    pub(crate) fn delays(&mut self, number: usize, act: usize, arrived: bool) -> Option<&mut u64> {
        let task = number.checked_sub(1).and_then(|at| self.tasks.get_mut(at))?;
        Some(match task.acts.get_mut(act) {
            Some(act) if arrived => &mut act.arrived,
            Some(act) => &mut act.before,
            None => &mut task.late,
        })
    }

    fn note_locals(&mut self, op: &Op, index: usize, step: &'a TraceStep) {
        let mut note = |local: LocalId, value: Option<&'a Value>| {
            self.locals.entry((step.frame, local)).or_default().push((index, value));
        };
        for (variable, value) in &step.reads {
            if let Variable::Local(local) = variable {
                note(*local, Some(value));
            }
        }
        op.for_each_target(|place: &Place| {
            if let PlaceBase::Local(local) = place.base {
                let after = step.writes.iter().find(|(of, _)| *of == Variable::Local(local));
                note(local, after.filter(|_| !place.path.is_empty()).map(|(_, value)| value));
            }
        });
    }

    /// The value of a local before a step, if that matters.
    pub(crate) fn local(&self, frame: usize, local: LocalId, step: usize) -> Option<&'a Value> {
        let notes = self.locals.get(&(frame, local))?;
        notes.get(notes.partition_point(|(at, _)| *at < step))?.1
    }
}

impl Sequential {
    /// Where a delay belongs that comes after a further step of an act.
    fn delay_after(&self, old: &Program, act: &Act, step: OpRef) -> Delay {
        if self.marks.get(&step) == Some(&Mark::Arrive) {
            // Results that only the task itself sees are taken in the same step as what comes next, if that is not
            // where tasks are switched anyway.
            let stops = match op_at(old, act.op) {
                Op::Wait { results, .. } => {
                    self.switch_at == SwitchAt::Yield || results.iter().any(is_global)
                }
                _ => false,
            };
            return if stops { Delay::Arrived } else { Delay::After };
        }
        match op_at(&self.program, step) {
            // It has been passed, or it is done.
            Op::Assign { .. } | Op::Assume(_) => Delay::After,
            _ => act.delay_inside,
        }
    }
}

impl Task {
    fn act(&mut self, old: &Program, op: OpRef, index: usize, step: &TraceStep) {
        let delay_inside = match op_at(old, op) {
            Op::Call { results, .. } => {
                self.calls.push(results.iter().any(is_global));
                Delay::After
            }
            // Without a call, it is the task that ends.
            Op::Return if self.calls.pop().unwrap_or(true) => Delay::Before,
            // It is looked at before it is passed, and does not hold.
            Op::Assume(_) | Op::Await { .. } | Op::Wait { .. } if step.target == Some(1) => Delay::Before,
            _ => Delay::After,
        };
        let before = std::mem::take(&mut self.late);
        self.acts.push(Act { before, delay_inside, ..Act::new(op, index, step, self.round) });
    }

    /// Goes on in a later round: with the last act, if that has yet to be run by the scheduler.
    fn go_to(&mut self, sequential: &Sequential, trace: &Trace, round: u64) {
        self.round = round;
        let assigns =
            |&step: &usize| matches!(op_at(&sequential.program, trace.steps[step].at), Op::Assign { .. });
        if let Some(last) = self.acts.last_mut()
            && last.delay_inside == Delay::Before
            && !last.more.iter().any(assigns)
        {
            last.round = round;
        }
    }

    fn delay(&mut self, times: u64) {
        let delays = match self.acts.last_mut() {
            Some(last) if last.delay_inside == Delay::Before => &mut last.before,
            Some(last) if last.delay_inside == Delay::Arrived => &mut last.arrived,
            _ => &mut self.late,
        };
        *delays += times;
    }
}
