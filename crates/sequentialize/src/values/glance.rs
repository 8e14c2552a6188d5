//! What is plain to see of a program: how many tasks it has, and which maps it uses cell by cell.

use cranelift_entity::EntityRef;
use ir::{ExprId, ExprNode, GlobalId, Op, PlaceBase, ProcId, Program, Response};
use rustc_hash::FxHashSet;

use super::MOST;

/// Programs in which more procedures than this would have to be looked at have many tasks.
const MOST_STEPS: usize = 10_000;
/// And those in which calls nest deeper.
const MOST_DEPTH: u32 = 50;

/// How many tasks a program can have; nothing if they are not few.
pub(crate) fn tasks(program: &Program) -> Option<i64> {
    let mut count = 0;
    let mut work: Vec<(ProcId, u32)> = program.threads.iter().map(|proc| (*proc, 0)).collect();
    count += i64::try_from(work.len()).ok()?;
    let mut steps = 0;
    while let Some((proc, depth)) = work.pop() {
        steps += 1;
        if steps > MOST_STEPS || depth > MOST_DEPTH {
            return None;
        }
        let cyclic = cyclic(program, proc);
        for (block, _, stmt) in program.procs[proc].stmts() {
            let (callee, starts) = match &stmt.op {
                Op::Call { proc, .. } => (*proc, false),
                Op::Spawn { proc, .. } => (*proc, true),
                _ => continue,
            };
            if cyclic.contains(&block) && (starts || may_start(program, callee)) {
                return None;
            }
            if starts {
                count += 1;
            }
            if starts || may_start(program, callee) {
                work.push((callee, depth + 1));
            }
            if count > MOST {
                return None;
            }
        }
    }
    Some(count)
}

/// Whether a procedure, or one that it calls or starts, starts a task.
fn may_start(program: &Program, proc: ProcId) -> bool {
    let (mut work, mut seen) = (vec![proc], FxHashSet::default());
    while let Some(proc) = work.pop() {
        if !seen.insert(proc) {
            continue;
        }
        for (.., stmt) in program.procs[proc].stmts() {
            match &stmt.op {
                Op::Spawn { .. } => return true,
                Op::Call { proc, .. } => work.push(*proc),
                _ => {}
            }
        }
    }
    false
}

/// The blocks of a procedure that can be run twice.
fn cyclic(program: &Program, proc: ProcId) -> FxHashSet<ir::BlockId> {
    let blocks = &program.procs[proc].blocks;
    let successors =
        |block: ir::BlockId| blocks[block].stmts.last().map(|stmt| stmt.op.successors()).unwrap_or_default();
    let mut cyclic = FxHashSet::default();
    for start in blocks.keys() {
        let (mut work, mut seen) = (successors(start), vec![false; blocks.len()]);
        while let Some(block) = work.pop() {
            if !std::mem::replace(&mut seen[block.index()], true) {
                work.extend(successors(block));
            }
        }
        if seen[start.index()] {
            cyclic.insert(start);
        }
    }
    cyclic
}

/// The maps of which not only cells are used.
pub(crate) fn used_as_a_whole(program: &Program, response: Option<Response>) -> FxHashSet<GlobalId> {
    let mut whole = FxHashSet::default();
    let mut uses = |root: ExprId| {
        if let ExprNode::Global(id, ty) = program.exprs.node(root)
            && ty.as_map().is_some()
        {
            whole.insert(*id);
        }
    };
    for id in program.exprs.ids() {
        match program.exprs.node(id) {
            ExprNode::Select(_, indices) => indices.iter().copied().for_each(&mut uses),
            node => node.for_each_operand(&mut uses),
        }
    }
    response.iter().flat_map(|response| [response.request, response.answer]).for_each(&mut uses);
    for proc in program.procs.values() {
        for (.., stmt) in proc.stmts() {
            stmt.op.for_each_operand(&mut uses);
        }
    }
    for proc in program.procs.values() {
        for (.., stmt) in proc.stmts() {
            stmt.op.for_each_target(|place| {
                if let PlaceBase::Global(id) = place.base
                    && place.path.is_empty()
                    && program.globals[id].ty.as_map().is_some()
                {
                    whole.insert(id);
                }
            });
        }
    }
    whole
}
