//! Which locals are still read, so that labels say nothing of others, and where control flow jumps back.

use cranelift_entity::{EntityRef, SecondaryMap};
use ir::{BlockId, ExprNode, LocalId, Op, OpRef, Place, PlaceBase, Proc, ProcId, Program};
use rustc_hash::FxHashSet;

/// What is known of the procedures of a program.
pub(crate) struct Liveness {
    /// For each op, the locals that may be read from there on before they are assigned.
    live: SecondaryMap<ProcId, SecondaryMap<BlockId, Vec<FxHashSet<LocalId>>>>,
    /// Jumps to a block that is being left in a depth-first walk.
    retreating: FxHashSet<(ProcId, BlockId, BlockId)>,
}

impl Liveness {
    pub(crate) fn new(program: &Program) -> Self {
        let mut live = SecondaryMap::new();
        let mut retreating = FxHashSet::default();
        for (id, proc) in &program.procs {
            live[id] = live_in(program, proc);
            for (from, to) in retreating_jumps(proc) {
                retreating.insert((id, from, to));
            }
        }
        Liveness { live, retreating }
    }

    /// Whether a local may be read from an op on. Of a caller's frame, the op is the call, which is over but for its
    /// results.
    pub(crate) fn is_live(&self, program: &Program, at: OpRef, newest: bool, local: LocalId) -> bool {
        if newest {
            return self.live[at.proc][at.block][at.index].contains(&local);
        }
        let stmt = &program.procs[at.proc].blocks[at.block].stmts[at.index];
        let mut assigned = false;
        let mut index = false;
        if let Op::Call { results, .. } = &stmt.op {
            for place in results {
                assigned |= place.path.is_empty() && place.base == PlaceBase::Local(local);
                index |= reads_place(program, place, local);
            }
        }
        index || (!assigned && self.live[at.proc][at.block][at.index + 1].contains(&local))
    }

    /// Whether a jump goes back.
    pub(crate) fn goes_back(&self, proc: ProcId, from: BlockId, to: BlockId) -> bool {
        self.retreating.contains(&(proc, from, to))
    }
}

/// Whether assigning a place reads a local: its indices, or the rest of the map.
fn reads_place(program: &Program, place: &Place, local: LocalId) -> bool {
    let mut reads = !place.path.is_empty() && place.base == PlaceBase::Local(local);
    for &index in place.path.iter().flatten() {
        program.exprs.for_each_in(index, |_, node| {
            reads |= matches!(node, ExprNode::Local(id, _) if *id == local);
        });
    }
    reads
}

fn live_in(program: &Program, proc: &Proc) -> SecondaryMap<BlockId, Vec<FxHashSet<LocalId>>> {
    let mut live: SecondaryMap<BlockId, Vec<FxHashSet<LocalId>>> = SecondaryMap::new();
    for (id, block) in &proc.blocks {
        live[id] = vec![FxHashSet::default(); block.stmts.len() + 1];
    }
    loop {
        let mut changed = false;
        for id in proc.blocks.keys().rev() {
            let block = &proc.blocks[id];
            for index in (0..block.stmts.len()).rev() {
                let op = &block.stmts[index].op;
                let mut now: FxHashSet<LocalId> = live[id][index + 1].clone();
                for next in op.successors() {
                    now.extend(live[next][0].iter().copied());
                }
                if matches!(op, Op::Return) {
                    now.extend(proc.results.iter().copied());
                }
                // An assignment that may be refused assigns nothing then, but nothing comes after it either.
                op.for_each_target(|place| {
                    if let (PlaceBase::Local(local), true) = (place.base, place.path.is_empty()) {
                        now.remove(&local);
                    }
                });
                op.for_each_target(|place| {
                    if let (PlaceBase::Local(local), false) = (place.base, place.path.is_empty()) {
                        now.insert(local);
                    }
                });
                op.for_each_operand(|operand| {
                    program.exprs.for_each_in(operand, |_, node| {
                        if let ExprNode::Local(local, _) = node {
                            now.insert(*local);
                        }
                    });
                });
                if now != live[id][index] {
                    live[id][index] = now;
                    changed = true;
                }
            }
        }
        if !changed {
            return live;
        }
    }
}

/// The jumps that a depth-first walk finds to lead to a block it has not left yet.
fn retreating_jumps(proc: &Proc) -> Vec<(BlockId, BlockId)> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; proc.blocks.len()];
    let mut jumps = Vec::new();
    let successors =
        |block: BlockId| proc.blocks[block].stmts.last().map(|stmt| stmt.op.successors()).unwrap_or_default();
    let mut stack = vec![(proc.entry, 0)];
    marks[proc.entry.index()] = Mark::Open;
    while let Some((block, next)) = stack.last_mut() {
        let block = *block;
        let Some(&target) = successors(block).get(*next) else {
            marks[block.index()] = Mark::Done;
            stack.pop();
            continue;
        };
        *next += 1;
        match marks[target.index()] {
            Mark::New => {
                marks[target.index()] = Mark::Open;
                stack.push((target, 0));
            }
            Mark::Open => jumps.push((block, target)),
            Mark::Done => {}
        }
    }
    jumps
}
