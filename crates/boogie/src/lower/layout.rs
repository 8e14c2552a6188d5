//! Leaves out blocks that nothing reaches and puts the others in reverse postorder, so that text follows control.

use ir::{BlockId, Op, Proc};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) fn tidy(mut proc: Proc) -> Proc {
    let order = reverse_postorder(&proc);
    let old = std::mem::take(&mut proc.blocks);
    let mut new_ids: FxHashMap<BlockId, BlockId> = FxHashMap::default();
    for &id in &order {
        new_ids.insert(id, proc.blocks.push(old[id].clone()));
    }
    // Every successor of a reached block is reached, so that the map is total.
    let new = |id: BlockId| new_ids.get(&id).copied().unwrap_or(id);
    for block in proc.blocks.values_mut() {
        let Some(last) = block.stmts.last_mut() else { continue };
        retarget(&mut last.op, new);
    }
    proc.entry = new(proc.entry);
    proc
}

/// Sends an op to other blocks.
pub(super) fn retarget(op: &mut Op, new: impl Fn(BlockId) -> BlockId) {
    match op {
        Op::Goto(target) => *target = new(*target),
        Op::Branch { then, otherwise, .. } => {
            *then = new(*then);
            *otherwise = new(*otherwise);
        }
        Op::Choose { targets, .. } => targets.iter_mut().for_each(|t| *t = new(*t)),
        _ => {}
    }
}

fn reverse_postorder(proc: &Proc) -> Vec<BlockId> {
    let successors =
        |id: BlockId| proc.blocks[id].stmts.last().map(|stmt| stmt.op.successors()).unwrap_or_default();
    let mut order = Vec::new();
    let mut seen: FxHashSet<BlockId> = FxHashSet::default();
    let mut work = vec![(proc.entry, successors(proc.entry))];
    seen.insert(proc.entry);
    while let Some((id, rest)) = work.last_mut() {
        // The last successor first: reversed, the first one comes first.
        match rest.pop() {
            Some(next) => {
                if seen.insert(next) {
                    work.push((next, successors(next)));
                }
            }
            None => {
                order.push(*id);
                work.pop();
            }
        }
    }
    order.reverse();
    order
}
