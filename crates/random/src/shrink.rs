//! Makes a failing program smaller.
//!
//! Greedy: of all programs that are one change smaller, the first that still fails is taken, until none does. The
//! changes keep a program well-formed.

use crate::ast::{Cond, Entry, Expr, Place, Program, Stmt, Type, Var};

/// A smallest program, as far as single changes lead, for which `fails` still says so.
pub fn shrink(program: &Program, mut fails: impl FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    'smaller: loop {
        for candidate in candidates(&best) {
            if fails(&candidate) {
                best = candidate;
                continue 'smaller;
            }
        }
        return best;
    }
}

/// All programs that are one change smaller, large changes first.
fn candidates(program: &Program) -> Vec<Program> {
    let mut out = Vec::new();
    remove_procs(program, &mut out);
    change_blocks(program, &mut out);
    remove_locals(program, &mut out);
    remove_globals(program, &mut out);
    simplify_exprs(program, &mut out);
    out
}

fn for_each_stmt_mut(block: &mut [Stmt], visit: &mut dyn FnMut(&mut Stmt)) {
    for stmt in block {
        visit(stmt);
        for inner in stmt.blocks_mut() {
            for_each_stmt_mut(inner, visit);
        }
    }
}

fn all_stmts_mut(program: &mut Program, visit: &mut dyn FnMut(usize, &mut Stmt)) {
    for (at, proc) in program.procs.iter_mut().enumerate() {
        for_each_stmt_mut(&mut proc.body, &mut |stmt| visit(at, stmt));
    }
}

/// Procedures that nobody uses, and threads as long as one is left.
fn remove_procs(program: &Program, out: &mut Vec<Program>) {
    for gone in 0..program.procs.len() {
        let threads = program.entry.threads();
        if gone < threads && threads == 1 {
            continue;
        }
        let mut used = false;
        let mut smaller = program.clone();
        smaller.procs.remove(gone);
        if let (Entry::Threads(count), true) = (&mut smaller.entry, gone < threads) {
            *count -= 1;
        }
        let mut renumber = |proc: &mut usize| {
            used |= *proc == gone;
            *proc -= usize::from(*proc > gone);
        };
        all_stmts_mut(&mut smaller, &mut |_, stmt| {
            if let Stmt::Call { proc, .. } | Stmt::Async { proc, .. } = stmt {
                renumber(proc);
            }
        });
        for local in smaller.procs.iter_mut().flat_map(|p| &mut p.locals) {
            if let Type::Task(proc) = &mut local.ty {
                renumber(proc);
            }
        }
        if !used {
            out.push(smaller);
        }
    }
}

/// Without one statement, or with what is inside it in its place.
fn change_blocks(program: &Program, out: &mut Vec<Program>) {
    for proc in 0..program.procs.len() {
        for body in smaller_blocks(&program.procs[proc].body, false) {
            let mut smaller = program.clone();
            smaller.procs[proc].body = body;
            out.push(smaller);
        }
    }
}

fn smaller_blocks(block: &[Stmt], in_atomic: bool) -> Vec<Vec<Stmt>> {
    let mut out = Vec::new();
    let with = |at: usize, instead: Vec<Stmt>| {
        let mut new = block[..at].to_vec();
        new.extend(instead);
        new.extend_from_slice(&block[at + 1..]);
        new
    };
    for (at, stmt) in block.iter().enumerate() {
        out.push(with(at, Vec::new()));
        for inner in stmt.blocks() {
            if !inner.is_empty() {
                out.push(with(at, inner.clone()));
            }
        }
    }
    for (at, stmt) in block.iter().enumerate() {
        for variant in smaller_stmts(stmt, in_atomic) {
            out.push(with(at, vec![variant]));
        }
    }
    out
}

fn smaller_stmts(stmt: &Stmt, in_atomic: bool) -> Vec<Stmt> {
    let mut out = Vec::new();
    match stmt {
        Stmt::If(cond, then, otherwise) => {
            out.extend(smaller_conds(cond).map(|c| Stmt::If(c, then.clone(), otherwise.clone())));
            for body in smaller_blocks(then, in_atomic) {
                out.push(Stmt::If(cond.clone(), body, otherwise.clone()));
            }
            for body in smaller_blocks(otherwise, in_atomic) {
                out.push(Stmt::If(cond.clone(), then.clone(), body));
            }
        }
        Stmt::While(cond, body) => {
            out.extend(smaller_conds(cond).map(|c| Stmt::While(c, body.clone())));
            for body in smaller_blocks(body, in_atomic) {
                out.push(Stmt::While(cond.clone(), body));
            }
        }
        Stmt::Atomic(body) => out.extend(smaller_blocks(body, true).into_iter().map(Stmt::Atomic)),
        Stmt::Assign(pairs) if pairs.len() > 1 => {
            for gone in 0..pairs.len() {
                let mut fewer = pairs.clone();
                fewer.remove(gone);
                out.push(Stmt::Assign(fewer));
            }
        }
        Stmt::Wait { handle, result: Some(_) } => out.push(Stmt::Wait { handle: *handle, result: None }),
        Stmt::Async { proc, args, handle: Some(_) } => {
            out.push(Stmt::Async { proc: *proc, args: args.clone(), handle: None });
        }
        _ => {}
    }
    out
}

fn smaller_conds(cond: &Cond) -> impl Iterator<Item = Cond> + use<> {
    let smaller = match cond {
        Cond::Any { fair: false } | Cond::Holds(Expr::Bool(_)) => None,
        Cond::Any { fair: true } | Cond::Holds(_) => Some(Cond::Any { fair: false }),
    };
    smaller.into_iter()
}

/// Locals that nobody uses; a parameter goes with its arguments, a result when nobody takes it.
fn remove_locals(program: &Program, out: &mut Vec<Program>) {
    for proc in 0..program.procs.len() {
        for gone in 0..program.procs[proc].locals.len() {
            let mut smaller = program.clone();
            let mut used = false;
            let target = &mut smaller.procs[proc];
            for_each_stmt_mut(&mut target.body, &mut |stmt| {
                stmt.vars_mut(&mut |var| {
                    if let Var::Local(local) = var {
                        used |= *local == gone;
                        *local -= usize::from(*local > gone);
                    }
                });
            });
            target.locals.remove(gone);
            let is_param = gone < target.params;
            let is_result = target.result == Some(gone);
            target.params -= usize::from(is_param);
            target.result = if is_result { None } else { target.result.map(|r| r - usize::from(r > gone)) };
            let handles: Vec<Vec<bool>> = smaller
                .procs
                .iter()
                .map(|p| p.locals.iter().map(|l| l.ty == Type::Task(proc)).collect())
                .collect();
            all_stmts_mut(&mut smaller, &mut |at, stmt| match stmt {
                Stmt::Call { proc: callee, args, result } if *callee == proc => {
                    if is_param {
                        args.remove(gone);
                    }
                    if is_result {
                        *result = None;
                    }
                }
                Stmt::Async { proc: callee, args, .. } if *callee == proc && is_param => {
                    args.remove(gone);
                }
                Stmt::Wait { handle, result } if is_result && handles[at][*handle] => *result = None,
                _ => {}
            });
            if !used {
                out.push(smaller);
            }
        }
    }
}

/// Globals that nobody uses.
fn remove_globals(program: &Program, out: &mut Vec<Program>) {
    for gone in 0..program.globals.len() {
        let mut smaller = program.clone();
        let mut used = false;
        smaller.globals.remove(gone);
        all_stmts_mut(&mut smaller, &mut |_, stmt| {
            stmt.vars_mut(&mut |var| {
                if let Var::Global(global) = var {
                    used |= *global == gone;
                    *global -= usize::from(*global > gone);
                }
            });
        });
        if !used {
            out.push(smaller);
        }
    }
}

/// One expression replaced by a part of it or by a constant.
fn simplify_exprs(program: &Program, out: &mut Vec<Program>) {
    let mut count = 0;
    let mut probe = program.clone();
    all_stmts_mut(&mut probe, &mut |_, stmt| count += stmt.exprs_mut().len());
    for wanted in 0..count {
        for variant in 0.. {
            let mut smaller = program.clone();
            let (mut at, mut changed) = (0, false);
            all_stmts_mut(&mut smaller, &mut |proc, stmt| {
                for expr in stmt.exprs_mut() {
                    if at == wanted
                        && let Some(simple) = smaller_exprs(program, proc, expr).into_iter().nth(variant)
                    {
                        *expr = simple;
                        changed = true;
                    }
                    at += 1;
                }
            });
            if !changed {
                break;
            }
            out.push(smaller);
        }
    }
}

fn type_of(program: &Program, proc: usize, expr: &Expr) -> Type {
    match expr {
        Expr::Bool(_) | Expr::Not(_) | Expr::Equal(..) | Expr::Less(..) | Expr::And(..) | Expr::Or(..) => {
            Type::Bool
        }
        Expr::Int(_) | Expr::Add(..) => Type::Int,
        Expr::Read(place) => match &**place {
            Place::Var(var) => program.var_type(proc, *var),
            Place::Cell(..) => Type::Int,
        },
    }
}

/// Simpler expressions of the same type. Constants are simplest, 0 before others, and never grow again.
fn smaller_exprs(program: &Program, proc: usize, expr: &Expr) -> Vec<Expr> {
    let mut out = Vec::new();
    let ty = type_of(program, proc, expr);
    match (ty, expr) {
        (Type::Task(_), _) | (_, Expr::Int(0) | Expr::Bool(_)) => return out,
        (Type::Int, Expr::Int(n)) => {
            out.extend((0..*n).map(Expr::Int));
            return out;
        }
        (Type::Int, _) => out.extend([Expr::Int(0), Expr::Int(1), Expr::Int(2)]),
        (Type::Bool, _) => out.extend([Expr::Bool(true), Expr::Bool(false)]),
    }
    match expr {
        Expr::Bool(_) | Expr::Int(_) => {}
        Expr::Read(place) => {
            if let Place::Cell(map, index) = &**place {
                let smaller = smaller_exprs(program, proc, index).into_iter();
                out.extend(smaller.map(|i| Expr::Read(Box::new(Place::Cell(*map, i)))));
            }
        }
        Expr::Not(a) => {
            out.push((**a).clone());
            out.extend(smaller_exprs(program, proc, a).into_iter().map(|e| Expr::Not(Box::new(e))));
        }
        Expr::Add(a, b) | Expr::And(a, b) | Expr::Or(a, b) | Expr::Equal(a, b) | Expr::Less(a, b) => {
            if matches!(expr, Expr::Add(..) | Expr::And(..) | Expr::Or(..)) {
                out.extend([(**a).clone(), (**b).clone()]);
            }
            let rebuild = |a: Expr, b: Expr| {
                let (a, b) = (Box::new(a), Box::new(b));
                match expr {
                    Expr::Add(..) => Expr::Add(a, b),
                    Expr::And(..) => Expr::And(a, b),
                    Expr::Or(..) => Expr::Or(a, b),
                    Expr::Equal(..) => Expr::Equal(a, b),
                    _ => Expr::Less(a, b),
                }
            };
            out.extend(smaller_exprs(program, proc, a).into_iter().map(|x| rebuild(x, (**b).clone())));
            out.extend(smaller_exprs(program, proc, b).into_iter().map(|y| rebuild((**a).clone(), y)));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Style, program, to_boogie};

    fn has_wait(program: &Program) -> bool {
        let mut found = false;
        let stmts = program.procs.iter().flat_map(|p| &p.body);
        stmts.for_each(|stmt| stmt.for_each(&mut |s| found |= matches!(s, Stmt::Wait { .. })));
        found
    }

    #[test]
    fn what_is_left_is_what_fails() {
        let large = (0..).map(|seed| program(seed, Style::Tasks)).find(has_wait).expect("some seed");
        let small = shrink(&large, has_wait);
        let stmts: Vec<&Stmt> = small.procs.iter().flat_map(|p| &p.body).collect();
        assert!(matches!(stmts[..], [Stmt::Wait { result: None, .. }]), "{}", to_boogie(&small));
        assert!(small.globals.is_empty(), "{}", to_boogie(&small));
    }

    #[test]
    fn a_seed_is_a_program() {
        for style in [Style::Threads, Style::Tasks, Style::Joining, Style::Mixed] {
            assert_eq!(program(7, style), program(7, style));
            assert_ne!(program(7, style), program(8, style));
        }
    }
}
