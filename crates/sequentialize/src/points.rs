//! Scheduling points: the ops before which a task can be delayed. They are those of `interp`.
//!
//! These are the ops that others can see, in procedures that call themselves the entry, and in each loop without such
//! an op its head. The last two matter only for tasks that never finish: what only touches a task's own variables can
//! as well come after the delay.
//!
//! Where tasks are switched only at `yield`, these are the yields. Ops that block are looked at where they are
//! translated.

use std::collections::BTreeSet;

use cranelift_entity::EntityRef;
use ir::{BlockId, ExprId, ExprNode, Op, Place, PlaceBase, Proc, ProcId, Program};
use rustc_hash::FxHashSet;

use crate::SwitchAt;

/// The scheduling points of a procedure.
pub(crate) type Points = FxHashSet<(BlockId, usize)>;

/// The points of a procedure: the yields, or the visible ops and, if tasks that never finish matter, those of silent
/// loops and of recursion.
pub(crate) fn points(program: &Program, id: ProcId, switch_at: SwitchAt, silent: bool) -> Points {
    let proc = &program.procs[id];
    let is_point = |op: &Op| match switch_at {
        SwitchAt::Visible => is_visible(program, op),
        SwitchAt::Yield => matches!(op, Op::Yield),
    };
    let mut points: Points = proc
        .stmts()
        .filter(|(.., stmt)| is_point(&stmt.op))
        .map(|(block, index, _)| (block, index))
        .collect();
    if silent && switch_at == SwitchAt::Visible {
        if is_recursive(program, id) {
            points.insert((proc.entry, 0));
        }
        cut_loops(proc, &mut points);
    }
    points
}

/// Whether an expression reads a global.
pub(crate) fn reads_global(program: &Program, root: ExprId) -> bool {
    let mut reads = false;
    program.exprs.for_each_in(root, |_, node| reads |= matches!(node, ExprNode::Global(..)));
    reads
}

/// Whether a place is in a global; its indices do not count.
pub(crate) fn is_global(place: &Place) -> bool {
    matches!(place.base, PlaceBase::Global(_))
}

/// What a `return` does is decided by the call, or is the completion of the task.
fn is_visible(program: &Program, op: &Op) -> bool {
    let mut touches = false;
    op.for_each_operand(|e| touches |= reads_global(program, e));
    match op {
        Op::Await { .. } | Op::Spawn { .. } | Op::Wait { .. } | Op::AtomicBegin | Op::Exit => true,
        Op::Call { .. } => touches,
        _ => {
            op.for_each_target(|place| touches |= is_global(place));
            touches
        }
    }
}

/// Whether a procedure can call itself.
pub(crate) fn is_recursive(program: &Program, id: ProcId) -> bool {
    let mut seen: BTreeSet<ProcId> = BTreeSet::new();
    let mut work = vec![id];
    while let Some(proc) = work.pop() {
        for (.., stmt) in program.procs[proc].stmts() {
            if let Op::Call { proc: callee, .. } = stmt.op {
                if callee == id {
                    return true;
                }
                if seen.insert(callee) {
                    work.push(callee);
                }
            }
        }
    }
    false
}

/// Adds the target of each retreating edge of a depth-first walk that passes no point.
fn cut_loops(proc: &Proc, points: &mut Points) {
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        New,
        Open,
        Done,
    }
    type At = (BlockId, usize);
    let mut visits: Vec<Vec<Visit>> =
        proc.blocks.values().map(|block| vec![Visit::New; block.stmts.len()]).collect();
    for (block, index, _) in proc.stmts() {
        if visits[block.index()][index] != Visit::New {
            continue;
        }
        visits[block.index()][index] = Visit::Open;
        let mut stack: Vec<(At, usize)> = vec![((block, index), 0)];
        while let Some((at, next)) = stack.last_mut() {
            let op = &proc.blocks[at.0].stmts[at.1].op;
            let followers: Vec<At> = if op.is_terminator() {
                op.successors().into_iter().map(|block| (block, 0)).collect()
            } else {
                vec![(at.0, at.1 + 1)]
            };
            let Some(&target) = followers.get(*next) else {
                visits[at.0.index()][at.1] = Visit::Done;
                stack.pop();
                continue;
            };
            *next += 1;
            if points.contains(&target) {
                continue;
            }
            let visit = &mut visits[target.0.index()][target.1];
            match visit {
                Visit::New => {
                    *visit = Visit::Open;
                    stack.push((target, 0));
                }
                Visit::Open => {
                    points.insert(target);
                }
                Visit::Done => {}
            }
        }
    }
}
