//! Loops as calls: the same program with a stack that grows where it went round before.
//!
//! Each way back to the head of a loop becomes a call of a copy of the procedure that begins there, with all locals as its
//! arguments, and then a return. Such a program runs for ever if and only if the one with loops does, but no state comes
//! twice.

use std::collections::BTreeSet;

use ir::{
    AccessOrder, Block, BlockId, ExprNode, Local, LocalId, Op, Place, Proc, ProcId, Program, Stmt, Type,
};
use source::Span;

/// The program with calls instead of loops.
pub(crate) fn tail_calls(program: &Program) -> Program {
    let mut program = program.clone();
    let ids: Vec<ProcId> = program.procs.keys().collect();
    for id in ids {
        let original = program.procs[id].clone();
        let back = back_edges(&original);
        let heads: BTreeSet<BlockId> = back.iter().map(|(_, head)| *head).collect();
        let mut copies: Vec<(BlockId, ProcId)> = Vec::new();
        for &head in &heads {
            copies.push((head, program.procs.push(original.clone())));
        }
        for &(head, copy) in &copies {
            let mut proc = continuation(&mut program, &original, head);
            proc.name = format!("{}.{}", original.name, original.blocks[head].name);
            call_instead(&mut program, &mut proc, &original, &back, &copies);
            program.procs[copy] = proc;
        }
        let mut proc = original.clone();
        call_instead(&mut program, &mut proc, &original, &back, &copies);
        program.procs[id] = proc;
    }
    assert_eq!(ir::validate(&program), Ok(()));
    program
}

/// The edges of a procedure that lead back to a block that is still open in a depth-first walk.
fn back_edges(proc: &Proc) -> BTreeSet<(BlockId, BlockId)> {
    let followers = |block: BlockId| proc.blocks[block].stmts.last().map(|stmt| stmt.op.successors());
    let (mut seen, mut open) = (BTreeSet::from([proc.entry]), vec![(proc.entry, 0)]);
    let mut back = BTreeSet::new();
    while let Some((block, next)) = open.last_mut() {
        let block = *block;
        let follower = followers(block).and_then(|all| all.get(*next).copied());
        *next += 1;
        match follower {
            None => drop(open.pop()),
            Some(to) if seen.insert(to) => open.push((to, 0)),
            Some(to) if open.iter().any(|(block, _)| *block == to) => drop(back.insert((block, to))),
            Some(_) => {}
        }
    }
    back
}

fn stmt(op: Op) -> Stmt {
    Stmt { op, span: Span::NONE }
}

fn read(program: &mut Program, proc: &Proc, local: LocalId) -> ir::ExprId {
    let ty: Type = proc.locals[local].ty.clone();
    program.exprs.add(ExprNode::Local(local, ty))
}

/// The rest of a procedure from a block on. Its results are new locals, since its parameters are all that there were.
fn continuation(program: &mut Program, original: &Proc, head: BlockId) -> Proc {
    let mut proc = original.clone();
    proc.entry = head;
    proc.params = original.locals.keys().collect();
    proc.results = Vec::new();
    for &result in &original.results {
        let Local { name, ty, span } = original.locals[result].clone();
        proc.results.push(proc.locals.push(Local { name: format!("{name}.result"), ty, span }));
    }
    if proc.results.is_empty() {
        return proc;
    }
    let targets: Vec<Place> = proc.results.iter().map(|&local| Place::local(local)).collect();
    let values = original.results.iter().map(|&local| read(program, original, local)).collect::<Vec<_>>();
    for block in proc.blocks.values_mut() {
        if matches!(block.stmts.last(), Some(Stmt { op: Op::Return, .. })) {
            let (targets, values) = (targets.clone(), values.clone());
            let at = block.stmts.len() - 1;
            block.stmts.insert(at, stmt(Op::Assign { targets, values, order: AccessOrder::Plain }));
        }
    }
    proc
}

/// Makes each way back a call, of which the results are the procedure's own.
fn call_instead(
    program: &mut Program,
    proc: &mut Proc,
    original: &Proc,
    back: &BTreeSet<(BlockId, BlockId)>,
    copies: &[(BlockId, ProcId)],
) {
    for &(head, copy) in copies {
        let args = original.locals.keys().map(|local| read(program, original, local)).collect();
        let results = proc.results.iter().map(|&local| Place::local(local)).collect();
        let stmts = vec![stmt(Op::Call { proc: copy, args, results }), stmt(Op::Return)];
        let tail = proc.blocks.push(Block { name: format!("back.{}", head.as_u32()), stmts });
        let from: BTreeSet<BlockId> = back.iter().filter(|edge| edge.1 == head).map(|edge| edge.0).collect();
        for from in from {
            let redirect = |to: &mut BlockId| {
                if *to == head {
                    *to = tail;
                }
            };
            match proc.blocks[from].stmts.last_mut().map(|stmt| &mut stmt.op) {
                Some(Op::Goto(to)) => redirect(to),
                Some(Op::Branch { then, otherwise, .. }) => [then, otherwise].into_iter().for_each(redirect),
                Some(Op::Choose { targets, .. }) => targets.iter_mut().for_each(redirect),
                _ => {}
            }
        }
    }
}
