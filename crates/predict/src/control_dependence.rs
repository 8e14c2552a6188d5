//! Which ops are executed because a branch went one way: control comes to them on one way from the branch, and on another way
//! it does not, or only through the branch once more. That is a little more than control dependence (Ferrante, Ottenstein
//! and Warren, TOPLAS 1987): what comes after a loop counts, too, since a loop may wait for what is then assigned.

use ir::{BlockId, OpRef, ProcId, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known so far of pairs of blocks.
#[derive(Default)]
pub(crate) struct Dependence {
    known: FxHashMap<(ProcId, BlockId, BlockId), bool>,
}

impl Dependence {
    /// Whether an op depends on which way a branch of the same procedure goes.
    pub(crate) fn is_on(&mut self, program: &Program, branch: OpRef, op: OpRef) -> bool {
        if branch.proc != op.proc || branch.block == op.block {
            return false;
        }
        let key = (branch.proc, branch.block, op.block);
        *self.known.entry(key).or_insert_with(|| {
            let ways = successors(program, branch.proc, branch.block);
            let reaches: Vec<bool> =
                ways.into_iter().map(|way| reaches(program, branch, way, op.block)).collect();
            reaches.contains(&true) && reaches.contains(&false)
        })
    }
}

fn successors(program: &Program, proc: ProcId, block: BlockId) -> Vec<BlockId> {
    let last = program.procs[proc].blocks[block].stmts.last();
    last.map(|last| last.op.successors()).unwrap_or_default()
}

/// Whether control can come from a block to another one without going through the branch.
fn reaches(program: &Program, branch: OpRef, from: BlockId, to: BlockId) -> bool {
    let mut seen = FxHashSet::from_iter([branch.block]);
    let mut work = vec![from];
    while let Some(block) = work.pop() {
        if block == to {
            return true;
        }
        if seen.insert(block) {
            work.extend(successors(program, branch.proc, block));
        }
    }
    false
}
