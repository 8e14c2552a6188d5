//! What a task may still assign after it has started another.
//!
//! A task that starts another guesses what it will leave behind itself, since the other runs on that. What it does not
//! assign any more need not be guessed: it stays as it is. So the tasks that it starts run on known values as far as
//! there are any.

use ir::{BlockId, GlobalId, Op, PlaceBase, ProcId, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// Assignments that may come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Later {
    pub(crate) globals: FxHashSet<GlobalId>,
    /// Whether the task may end the program.
    pub(crate) ends: bool,
}

impl Later {
    fn add(&mut self, other: &Later) {
        self.globals.extend(&other.globals);
        self.ends |= other.ends;
    }

    /// What the op itself assigns.
    fn assign(&mut self, op: &Op) {
        op.for_each_target(|place| {
            if let PlaceBase::Global(global) = place.base {
                self.globals.insert(global);
            }
        });
    }

    fn run(&mut self, op: &Op, within: &FxHashMap<ProcId, Later>) {
        self.assign(op);
        self.ends |= matches!(op, Op::Assert { .. } | Op::Exit);
        if let Op::Call { proc, .. } = op
            && let Some(callee) = within.get(proc)
        {
            self.add(callee);
        }
    }
}

/// For each procedure that is started as a task: what those who start it may assign after that.
pub(crate) fn after_start(program: &Program, reachable: &[ProcId]) -> FxHashMap<ProcId, Later> {
    let within = within(program, reachable);
    let mut after_return: FxHashMap<ProcId, Later> = FxHashMap::default();
    let mut after_start: FxHashMap<ProcId, Later> = FxHashMap::default();
    // Both sets only grow, and they are small.
    let mut changed = true;
    while changed {
        changed = false;
        for &id in reachable {
            let proc = &program.procs[id];
            let returned = after_return.get(&id).cloned().unwrap_or_default();
            let ends = after_blocks(program, id, &returned, &within);
            for (block, stmts) in &proc.blocks {
                let mut later = ends[&block].clone();
                for stmt in stmts.stmts.iter().rev() {
                    match &stmt.op {
                        // The results are assigned when the callee has returned.
                        Op::Call { proc, .. } => {
                            later.assign(&stmt.op);
                            changed |= grow(&mut after_return, *proc, &later);
                        }
                        // The handle is assigned when the task has been run.
                        Op::Spawn { proc, .. } => {
                            later.run(&stmt.op, &within);
                            changed |= grow(&mut after_start, *proc, &later);
                        }
                        _ => {}
                    }
                    later.run(&stmt.op, &within);
                }
            }
        }
    }
    after_start
}

fn grow(sets: &mut FxHashMap<ProcId, Later>, of: ProcId, by: &Later) -> bool {
    let set = sets.entry(of).or_default();
    let before = (set.globals.len(), set.ends);
    set.add(by);
    before != (set.globals.len(), set.ends)
}

/// What each procedure and those that it calls assign.
fn within(program: &Program, reachable: &[ProcId]) -> FxHashMap<ProcId, Later> {
    let mut within: FxHashMap<ProcId, Later> = FxHashMap::default();
    let mut changed = true;
    while changed {
        changed = false;
        for &id in reachable {
            let mut later = Later::default();
            program.procs[id].stmts().for_each(|(.., stmt)| later.run(&stmt.op, &within));
            changed |= grow(&mut within, id, &later);
        }
    }
    within
}

/// What may be assigned after the end of each block of a procedure.
fn after_blocks(
    program: &Program,
    id: ProcId,
    returned: &Later,
    within: &FxHashMap<ProcId, Later>,
) -> FxHashMap<BlockId, Later> {
    let blocks = &program.procs[id].blocks;
    let mut after: FxHashMap<BlockId, Later> = blocks.keys().map(|block| (block, Later::default())).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for (block, stmts) in blocks.iter().rev() {
            let mut later = Later::default();
            let Some(last) = stmts.stmts.last() else { continue };
            if matches!(last.op, Op::Return) {
                later.add(returned);
            }
            for next in last.op.successors() {
                later.add(&after[&next]);
                blocks[next].stmts.iter().for_each(|stmt| later.run(&stmt.op, within));
            }
            if later != after[&block] {
                changed = true;
                after.insert(block, later);
            }
        }
    }
    after
}
