//! Scheduling points: the instructions before which other threads may run.
//!
//! A context switch is possible before every visible step. What only touches a thread's own variables commutes
//! with everything others do, so it runs on as part of the step before it. Every loop that would have no
//! scheduling point gets one at its head, and so does the entry of a recursive procedure: a step is finite, and
//! a thread that loops on its own shows up as a cycle of states.
//!
//! With [`SwitchAt::Yield`] all that a thread does from one `yield` to the next is one step. It stops in the middle only
//! at an `await` or a `wait` that blocks. An assume that does not hold rules out the whole step, and so does an atomic
//! section that cannot be passed: nobody sees what came before it. An assertion fails at once. The start and the
//! completion of a thread are scheduling points too.

use std::collections::BTreeSet;

use crate::access::{Access, successors};
use crate::code::{Action, Code, Pc};
use crate::scc::components;

/// Which instructions are scheduling points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchAt {
    /// Every visible step.
    Visible,
    /// Only `yield` (and where a thread starts, blocks or completes).
    Yield,
}

/// Marks the scheduling points.
pub(crate) fn mark(code: &mut Code) {
    for pc in 0..code.instrs.len() {
        code.instrs[pc].point = match code.switch_at {
            SwitchAt::Visible => is_visible(code, pc),
            SwitchAt::Yield => matches!(code.instrs[pc].action, Action::Yield),
        };
    }
    if code.switch_at == SwitchAt::Visible {
        mark_recursive_entries(code);
        cut_loops(code);
    }
}

/// `Return` is decided at run time: it completes a task or assigns the caller's results.
fn is_visible(code: &Code, pc: usize) -> bool {
    let instr = &code.instrs[pc];
    match &instr.action {
        Action::Await { .. }
        | Action::Spawn { .. }
        | Action::Wait { .. }
        | Action::AtomicBegin
        | Action::Exit => true,
        // What it writes are the results, and those are assigned when the callee returns.
        Action::Call { .. } => instr.own.reads != 0,
        _ => instr.own != Access::default(),
    }
}

fn mark_recursive_entries(code: &mut Code) {
    let mut calls: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); code.procs.len()];
    for instr in &code.instrs {
        if let Action::Call { proc, .. } = &instr.action {
            calls[instr.proc.as_u32() as usize].insert(proc.as_u32());
        }
    }
    let procs: Vec<u32> = code.procs.keys().map(ir::ProcId::as_u32).collect();
    for component in components(&procs, procs.len(), |proc, out| out.extend(&calls[proc as usize])) {
        let recursive = component.len() > 1 || calls[component[0] as usize].contains(&component[0]);
        if recursive {
            for proc in component {
                let entry = code.procs[ir::ProcId::from_u32(proc)].entry;
                code.instrs[entry as usize].point = true;
            }
        }
    }
}

/// Puts a scheduling point on every cycle of the control flow that has none: the target of each retreating edge
/// of a depth-first walk that does not pass scheduling points.
fn cut_loops(code: &mut Code) {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; code.instrs.len()];
    for root in 0..code.instrs.len() {
        if marks[root] != Mark::New {
            continue;
        }
        let root = Pc::try_from(root).unwrap_or(Pc::MAX);
        let mut stack = vec![(root, 0)];
        marks[root as usize] = Mark::Open;
        while let Some((pc, next)) = stack.last_mut() {
            let followers = successors(&code.instr(*pc).action, *pc);
            let Some(&target) = followers.get(*next) else {
                marks[*pc as usize] = Mark::Done;
                stack.pop();
                continue;
            };
            *next += 1;
            if code.instr(target).point {
                continue;
            }
            match marks[target as usize] {
                Mark::New => {
                    marks[target as usize] = Mark::Open;
                    stack.push((target, 0));
                }
                Mark::Open => code.instrs[target as usize].point = true,
                Mark::Done => {}
            }
        }
    }
}
