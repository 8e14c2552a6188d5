//! All ways in which a thread can step, as formulas.
//!
//! This follows `docs/ir.md` and what `interp` does, and shares no code with the engines. A step goes from one scheduling
//! point to the next; an atomic section is one step. A thread that comes to a local assume or assertion that does not
//! hold, in the middle of a step, stops before it.

mod effect;
mod run;
mod touch;

use std::rc::Rc;

use formula::Unsupported;
use ir::{AssertKind, ExprId, GlobalId, OpRef, ProcId};
use rustc_hash::FxHashMap;
use smt::TermId;

use super::Symbolic;
use crate::{Location, ThreadAt};

/// One way in which a thread can step.
#[derive(Debug)]
pub(crate) struct Path {
    /// The ops that it runs.
    pub(crate) ops: Vec<OpRef>,
    /// The threads whose handles were picked.
    pub(crate) handles: Vec<u32>,
    /// When it takes this way: a formula over the state before the step and [`Steps::chosen`].
    pub(crate) guard: TermId,
    /// What it touches of what others can see.
    pub(crate) touches: Vec<Touch>,
    /// What it leaves in the variables that it assigns.
    pub(crate) changes: FxHashMap<TermId, TermId>,
    pub(crate) end: End,
}

/// An access on the way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Touch {
    pub(crate) what: Touched,
    /// Of a cell, where it is: terms over the state before the step. Without all of them, all cells with these.
    pub(crate) indices: Vec<TermId>,
    pub(crate) write: bool,
}

/// Something that steps of several threads can access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Touched {
    /// A global.
    Global(GlobalId),
    /// Which threads there are.
    Threads,
    /// Whether a thread has completed.
    Completion(u32),
    /// Whether the program goes on.
    Everything,
}

/// A global that an expression reads, and the indices of the cell if it reads only one.
pub(crate) type Read = (GlobalId, Vec<ExprId>);

/// How a step ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The thread is somewhere else, and has started others.
    Moved { thread: ThreadAt, started: Vec<ThreadAt> },
    /// The program has ended.
    Exited,
    /// It is no step: the thread is blocked, outside of atomic sections at an assume or at something else.
    Blocked { at_assume: bool },
    /// An assertion fails.
    Failed { op: OpRef, kind: AssertKind },
    /// Formulas cannot express what happens.
    Unsupported(Unsupported),
}

/// All ways in which a thread can step from where it is.
#[derive(Debug)]
pub(crate) struct Steps {
    pub(crate) paths: Vec<Path>,
    /// What the step chooses itself.
    pub(crate) chosen: Vec<TermId>,
    /// When the thread can step.
    pub(crate) enabled: TermId,
    /// When it cannot, and that is because of an assume.
    pub(crate) at_assume: TermId,
}

/// What the ways of a step depend on: who steps, where it is, and which threads there are, with the procedures of those that
/// have completed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Situation {
    thread: u32,
    frames: Vec<OpRef>,
    completed: Vec<Option<ProcId>>,
}

impl Situation {
    /// That of a running thread.
    fn new(location: &Location, thread: u32) -> Option<Self> {
        let Some(ThreadAt::Running(frames)) = location.threads.get(thread as usize) else { return None };
        let completed = location.threads.iter().map(|at| match at {
            ThreadAt::Running(_) => None,
            ThreadAt::Completed(proc) => Some(*proc),
        });
        Some(Situation { thread, frames: frames.clone(), completed: completed.collect() })
    }
}

impl Symbolic<'_> {
    /// The steps of a thread; nothing if it is not running.
    pub(crate) fn steps(
        &mut self,
        location: &Location,
        thread: u32,
    ) -> Result<Option<Rc<Steps>>, Unsupported> {
        let Some(situation) = Situation::new(location, thread) else { return Ok(None) };
        if let Some(known) = self.steps.get(&situation) {
            return Ok(Some(Rc::clone(known)));
        }
        let (paths, chosen) = self.run(&situation)?;
        let mut steps = Steps { paths, chosen, enabled: self.yes(), at_assume: self.no() };
        let guards = |steps: &Steps, wanted: fn(&End) -> bool| {
            steps.paths.iter().filter(|path| wanted(&path.end)).map(|path| path.guard).collect::<Vec<_>>()
        };
        if steps.paths.iter().any(|path| matches!(path.end, End::Blocked { .. })) {
            let some = guards(&steps, |end| !matches!(end, End::Blocked { .. }));
            let some = self.formulas.pool.or(some);
            steps.enabled = self.exists(&steps.chosen, some);
            let assumes = guards(&steps, |end| *end == End::Blocked { at_assume: true });
            let assumes = self.formulas.pool.or(assumes);
            let assumes = self.exists(&steps.chosen, assumes);
            let disabled = self.formulas.pool.not(steps.enabled);
            steps.at_assume = self.formulas.pool.and([disabled, assumes]);
        }
        let steps = Rc::new(steps);
        self.steps.insert(situation, Rc::clone(&steps));
        Ok(Some(steps))
    }

    /// That a formula holds for some values of what a step chooses.
    fn exists(&mut self, chosen: &[TermId], mut formula: TermId) -> TermId {
        /// A variable of the quantifier is not one of those that the formulas have.
        const FIRST_LEVEL: u32 = 1 << 30;
        let mut vars = Vec::new();
        for (at, &constant) in (0..).zip(chosen) {
            if !self.mentions(formula).contains(&constant) {
                continue;
            }
            let sort = self.formulas.pool.sort_of(constant);
            if sort == smt::SortId::BOOL {
                let (yes, no) = (self.yes(), self.no());
                let with = self.substitute(formula, &FxHashMap::from_iter([(constant, yes)]));
                let without = self.substitute(formula, &FxHashMap::from_iter([(constant, no)]));
                formula = self.formulas.pool.or([with, without]);
            } else {
                let level = FIRST_LEVEL + at;
                let bound = self.formulas.pool.bound(level, sort);
                formula = self.substitute(formula, &FxHashMap::from_iter([(constant, bound)]));
                vars.push(smt::BoundVar { level, sort });
            }
        }
        self.formulas.pool.quantified(smt::Quantifier::Exists, vars, formula, Vec::new())
    }
}

/// Whether a step of a thread that ends like this leads from one location to another.
pub(crate) fn leads_to(from: &Location, thread: u32, end: &End, to: &Location) -> bool {
    match end {
        End::Exited => to.threads.is_empty(),
        End::Moved { thread: at, started } => {
            let count = from.threads.len();
            to.threads.len() == count + started.len()
                && to.threads[count..] == started[..]
                && from.threads.iter().zip(&to.threads).enumerate().all(|(which, (before, after))| {
                    if which == thread as usize { after == at } else { before == after }
                })
        }
        End::Blocked { .. } | End::Failed { .. } | End::Unsupported(_) => false,
    }
}
