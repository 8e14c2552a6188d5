//! Where the handles come from that tasks wait for.
//!
//! A handle that a task got by starting a task, as an argument, or as a result names a task that comes before the wait
//! in depth-first order, so that the sequential program has run it. A handle read from a global, or `self`, can name
//! any task. The sequential program of DF(K) then has to guess when that task completes. That of DFW(K) leaves out the
//! runs in which it has not run it, since the waiting task would go on in the middle of somebody else's round.

use ir::{ExprId, ExprNode, LocalId, Op, Place, PlaceBase, ProcId, Program};
use rustc_hash::FxHashSet;
use source::Span;

use crate::erase::holds_task;

/// The first wait for a handle that can be that of any task.
pub(crate) fn wait_for_any(program: &Program) -> Option<Span> {
    let mut flow = Flow { program, locals: FxHashSet::default(), task_results: false, changed: true };
    while std::mem::take(&mut flow.changed) {
        for (id, proc) in &program.procs {
            for (.., stmt) in proc.stmts() {
                flow.op(id, &stmt.op);
            }
        }
    }
    for (id, proc) in &program.procs {
        for (.., stmt) in proc.stmts() {
            if let Op::Wait { task, .. } = &stmt.op
                && flow.is_any(id, *task)
            {
                return Some(stmt.span);
            }
        }
    }
    None
}

struct Flow<'a> {
    program: &'a Program,
    /// Locals that may hold the handle of any task.
    locals: FxHashSet<(ProcId, LocalId)>,
    /// Whether the result of a task may be such a handle.
    task_results: bool,
    changed: bool,
}

impl Flow<'_> {
    fn is_any(&self, proc: ProcId, root: ExprId) -> bool {
        let mut any = false;
        self.program.exprs.for_each_in(root, |_, node| {
            any |= match node {
                ExprNode::SelfTask => true,
                ExprNode::Global(_, ty) => holds_task(ty),
                ExprNode::Local(local, _) => self.locals.contains(&(proc, *local)),
                _ => false,
            };
        });
        any
    }

    fn taint(&mut self, proc: ProcId, local: LocalId) {
        if holds_task(&self.program.procs[proc].locals[local].ty) {
            self.changed |= self.locals.insert((proc, local));
        }
    }

    fn taint_place(&mut self, proc: ProcId, place: &Place) {
        if let PlaceBase::Local(local) = place.base {
            self.taint(proc, local);
        }
    }

    fn op(&mut self, id: ProcId, op: &Op) {
        match op {
            Op::Assign { targets, values, .. } | Op::Await { targets, values, .. } => {
                for (target, value) in targets.iter().zip(values) {
                    if self.is_any(id, *value) {
                        self.taint_place(id, target);
                    }
                }
            }
            Op::Havoc { targets } => targets.iter().for_each(|target| self.taint_place(id, target)),
            Op::Call { proc, args, results } => {
                self.args(id, *proc, args);
                let callee = &self.program.procs[*proc];
                for (place, result) in results.iter().zip(&callee.results) {
                    if self.locals.contains(&(*proc, *result)) {
                        self.taint_place(id, place);
                    }
                }
            }
            Op::Spawn { proc, args, .. } => {
                self.args(id, *proc, args);
                let results = &self.program.procs[*proc].results;
                if !self.task_results && results.iter().any(|&r| self.locals.contains(&(*proc, r))) {
                    self.task_results = true;
                    self.changed = true;
                }
            }
            Op::Wait { results, .. } if self.task_results => {
                results.iter().for_each(|place| self.taint_place(id, place));
            }
            _ => {}
        }
    }

    fn args(&mut self, caller: ProcId, callee: ProcId, args: &[ExprId]) {
        let program = self.program;
        for (param, arg) in program.procs[callee].params.iter().zip(args) {
            if self.is_any(caller, *arg) {
                self.taint(callee, *param);
            }
        }
    }
}
