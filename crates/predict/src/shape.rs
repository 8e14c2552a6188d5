//! How the globals of a program can be looked at: cell by cell, or as a whole.

use ir::{ExprId, ExprNode, GlobalId, Op, PlaceBase, Program, Type};
use rustc_hash::FxHashSet;

/// The global and the indices of an expression that reads a global or, if all indices are there, a cell of it.
pub(crate) fn chain(program: &Program, expr: ExprId) -> Option<(GlobalId, Vec<ExprId>)> {
    let mut lists: Vec<&[ExprId]> = Vec::new();
    let mut at = expr;
    loop {
        match program.exprs.node(at) {
            ExprNode::Select(map, indices) => {
                lists.push(indices);
                at = *map;
            }
            ExprNode::Global(global, _) => {
                return Some((*global, lists.into_iter().rev().flatten().copied().collect()));
            }
            _ => return None,
        }
    }
}

/// The globals that are maps and are somewhere used as a whole: copied, compared, or under a quantifier. All others are
/// accessed cell by cell.
pub(crate) fn whole_maps(program: &Program) -> FxHashSet<GlobalId> {
    let mut whole = FxHashSet::default();
    for proc in program.procs.values() {
        for (_, _, stmt) in proc.stmts() {
            stmt.op.for_each_operand(|root| look(program, root, &mut whole));
            stmt.op.for_each_target(|place| {
                if let PlaceBase::Global(global) = place.base {
                    let mut ty = &program.globals[global].ty;
                    for _ in &place.path {
                        if let Type::Map(map) = ty {
                            ty = &map.result;
                        }
                    }
                    if ty.as_map().is_some() {
                        whole.insert(global);
                    }
                }
            });
            // A cell that becomes arbitrary is known by its index only later.
            if let Op::Havoc { targets } = &stmt.op {
                for place in targets.iter().filter(|place| !place.path.is_empty()) {
                    if let PlaceBase::Global(global) = place.base {
                        whole.insert(global);
                    }
                }
            }
        }
    }
    whole
}

fn look(program: &Program, root: ExprId, whole: &mut FxHashSet<GlobalId>) {
    let mut work = vec![root];
    let mut seen = FxHashSet::default();
    while let Some(expr) = work.pop() {
        if !seen.insert(expr) {
            continue;
        }
        match chain(program, expr) {
            Some((global, _)) if program.exprs.ty(expr).as_map().is_some() => {
                whole.insert(global);
            }
            Some((global, indices)) => {
                if indices.iter().any(|index| mentions_bound(program, *index)) {
                    whole.insert(global);
                }
                work.extend(indices);
            }
            None => program.exprs.node(expr).for_each_operand(|operand| work.push(operand)),
        }
    }
}

fn mentions_bound(program: &Program, root: ExprId) -> bool {
    let mut found = false;
    program.exprs.for_each_in(root, |_, node| found |= matches!(node, ExprNode::Bound(..)));
    found
}
