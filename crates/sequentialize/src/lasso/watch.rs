//! What tasks that stand still in the lasso wait for.
//!
//! A task that stands still has no right to run: under strong fairness its guard holds in no state of the lasso, under
//! weak fairness it does not hold in some. And an assume at which a task stands still holds in some state, since
//! otherwise there would be no such run. The guard is an expression over globals and the task's own variables. Which
//! tasks stand still where, and with which values, is guessed once for all (a *slot*), claimed by the task, and compared
//! with the state at the lasso's beginning and after each step in it that assigns what the guard reads.

use interp::{Fairness, SwitchAt};
use ir::{ExprId, ExprNode, GlobalId, LocalId, Op, OpRef, ProcId, Program, Type};
use rustc_hash::FxHashSet;

use super::{Form, Gap, section};
use crate::context::Context;
use crate::points::points;
use crate::state::Needs;

/// The most tasks that can stand still at one op with different values.
const MOST_SLOTS: usize = 4;

/// One task, or several with the same values, that stand still at an op.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    /// Whether there is one.
    pub(crate) used: GlobalId,
    /// The variables of the task that the guard reads.
    pub(crate) locals: Vec<(LocalId, GlobalId)>,
    pub(crate) task: Option<GlobalId>,
    /// The guard over the globals and these.
    pub(crate) guard: ExprId,
    /// Whether the guard was seen not to hold, and to hold, if that matters.
    pub(crate) seen_false: Option<GlobalId>,
    pub(crate) seen_true: Option<GlobalId>,
}

/// An op at which a task can stand still.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    pub(crate) op: OpRef,
    /// The globals that decide.
    pub(crate) reads: FxHashSet<GlobalId>,
    pub(crate) slots: Vec<Slot>,
}

/// Whether and how a task may stand still at an op.
pub(crate) enum Standing {
    /// It has no right to run whatever happens.
    Free,
    /// As long as the guard is as it should be.
    Watched,
    /// It has a right to run.
    Never,
}

/// How a task may stand still at an op that is a scheduling point.
pub(crate) fn standing(form: &Form, op: &Op, at: OpRef) -> Standing {
    if form.watches.iter().any(|watch| watch.op == at) {
        return Standing::Watched;
    }
    match (form.fairness, op) {
        (Fairness::None, Op::Assume(_)) => Standing::Never,
        (Fairness::None, _) => Standing::Free,
        _ => Standing::Never,
    }
}

/// Declares what is watched.
pub(crate) fn declare(cx: &mut Context<'_>, needs: &Needs) -> Vec<Gap> {
    let mut gaps = Vec::new();
    let Some(mut form) = cx.lasso.take() else { return gaps };
    let tasks = tasks(cx.old, needs);
    for &proc in &needs.reachable {
        let points = points(cx.old, proc, SwitchAt::Visible, true);
        for (block, index, stmt) in cx.old.procs[proc].stmts() {
            if !points.contains(&(block, index)) {
                continue;
            }
            let at = OpRef { proc, block, index };
            let assume = matches!(stmt.op, Op::Assume(_));
            let wanted = match form.fairness {
                Fairness::Strong => !assume,
                Fairness::Weak => true,
                Fairness::None => assume,
            };
            if !wanted {
                continue;
            }
            let guard = match guard(cx, proc, at) {
                Guard::Always => continue,
                Guard::When(guard) => guard,
                Guard::Unknown => {
                    let what = "an atomic block that may block: who waits for it for ever is not followed";
                    gaps.push(Gap { what: what.to_owned(), span: stmt.span });
                    continue;
                }
            };
            let watch = watch(cx, form.fairness, at, assume, guard, tasks);
            if watch.slots.len() < tasks.saturating_sub(1) && watch.slots.len() == MOST_SLOTS {
                let what = format!("more than {MOST_SLOTS} tasks may wait here for different things");
                gaps.push(Gap { what, span: stmt.span });
            }
            form.watches.push(watch);
        }
    }
    cx.lasso = Some(form);
    gaps
}

enum Guard {
    Always,
    When(ExprId),
    Unknown,
}

fn guard(cx: &mut Context<'_>, proc: ProcId, at: OpRef) -> Guard {
    let old = cx.old;
    let guard = match &old.procs[proc].blocks[at.block].stmts[at.index].op {
        Op::Assume(guard) | Op::Await { guard, .. } => cx.expr(*guard),
        // A task that is live when the lasso begins does not complete in it.
        Op::Wait { task, .. } => {
            let Some(completed) = cx.state.completed else { return Guard::Always };
            let stem = cx.lasso_stem;
            let (handle, completed) = (cx.expr(*task), crate::state::read(&mut cx.new, completed));
            let exprs = &mut cx.new.exprs;
            let (zero, stem) = (exprs.int(0), exprs.int(stem));
            let some = exprs.binary(ir::BinaryOp::Ne, handle, zero);
            let then = exprs.select(completed, vec![handle]);
            let done = exprs.binary(ir::BinaryOp::Lt, then, stem);
            exprs.and(some, done)
        }
        Op::AtomicBegin => {
            let mut exprs = std::mem::take(&mut cx.new.exprs);
            let guard = section::enabled(old, proc, (at.block, at.index), &mut exprs, &|e| cx.expr(e));
            cx.new.exprs = exprs;
            match guard {
                Some(guard) => guard,
                None if is_library(cx, at) => return Guard::Always,
                None => return Guard::Unknown,
            }
        }
        _ => return Guard::Always,
    };
    if *cx.new.exprs.node(guard) == ExprNode::Bool(true) { Guard::Always } else { Guard::When(guard) }
}

/// Whether a section comes from the definition of a synchronization op: those with arbitrary parts never block.
fn is_library(cx: &Context<'_>, at: OpRef) -> bool {
    cx.origins.get(at).is_some_and(|op| cx.synchronizes.contains(&op))
}

fn watch(
    cx: &mut Context<'_>,
    fairness: Fairness,
    at: OpRef,
    assume: bool,
    guard: ExprId,
    tasks: usize,
) -> Watch {
    let (mut reads, mut locals, mut own) = (FxHashSet::default(), Vec::new(), false);
    let this = cx.state.task;
    cx.new.exprs.for_each_in(guard, |id, node| match node {
        ExprNode::Global(global, _) if *global == this => own = true,
        ExprNode::Global(global, _) => drop(reads.insert(*global)),
        ExprNode::Local(local, ty) => locals.push((id, *local, ty.clone())),
        _ => {}
    });
    let count = if locals.is_empty() && !own { 1 } else { tasks.saturating_sub(1).clamp(1, MOST_SLOTS) };
    let mut slots = Vec::new();
    for _ in 0..count {
        let mut replaced: Vec<(ExprId, ExprId)> = Vec::new();
        let mut known = Vec::new();
        for (id, local, ty) in &locals {
            let global = cx.declare("Waiting.value", ty.clone(), None);
            replaced.push((*id, crate::state::read(&mut cx.new, global)));
            known.push((*local, global));
        }
        let task = own.then(|| cx.declare("Waiting.task", Type::Int, None));
        if let Some(task) = task {
            let (this, task) = (crate::state::read(&mut cx.new, this), crate::state::read(&mut cx.new, task));
            replaced.push((this, task));
        }
        let guard = cx.new.exprs.rewrite(guard, |_, leaf| {
            replaced.iter().find(|(old, _)| *old == leaf).map_or(leaf, |(_, new)| *new)
        });
        let no = cx.new.exprs.bool(false);
        let mut flag = |name: &str, wanted: bool| wanted.then(|| cx.declare(name, Type::Bool, Some(no)));
        let seen_false = flag("Waiting.seen", fairness == Fairness::Weak);
        let seen_true = flag("Waiting.held", assume);
        let used = cx.declare("Waiting.used", Type::Bool, None);
        slots.push(Slot { used, locals: known, task, guard, seen_false, seen_true });
    }
    Watch { op: at, reads, slots }
}

/// How many tasks there can be, roughly: those started in loops are many.
fn tasks(old: &Program, needs: &Needs) -> usize {
    let mut spawns = 0;
    for &proc in &needs.reachable {
        spawns += old.procs[proc].stmts().filter(|(.., stmt)| matches!(stmt.op, Op::Spawn { .. })).count();
    }
    // A procedure that starts tasks may run several times.
    old.threads.len() + spawns * if spawns > 0 && old.procs.len() > 1 { 2 } else { 1 }
}
