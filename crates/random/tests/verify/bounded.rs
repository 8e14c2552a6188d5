//! Programs whose arbitrary values the explicit states have all of. Arbitrary integers are mathematical ones to an engine
//! with formulas, and from a range to the interpreter. So integers start with a value, and `havoc x` of an integer is
//! followed by an assumption, in the same step, that it is 0, 1 or 2. Truth values stay arbitrary.

use random::{Expr, GlobalKind, Place, Program, Stmt, Type, Var};

/// The program with no other arbitrary integers.
pub(crate) fn bounded(program: &Program) -> Program {
    let mut program = program.clone();
    for global in &mut program.globals {
        if matches!(global.kind, GlobalKind::Int | GlobalKind::Map) {
            global.init = global.init.or(Some(0));
        }
    }
    let types = program.clone();
    for (at, proc) in program.procs.iter_mut().enumerate() {
        let is_int = |var: Var| types.var_type(at, var) == Type::Int;
        let unset = (proc.params..proc.locals.len()).map(Var::Local).filter(|&local| is_int(local));
        let mut body: Vec<Stmt> =
            unset.map(|local| Stmt::Assign(vec![(Place::Var(local), Expr::Int(0))])).collect();
        body.extend(block(std::mem::take(&mut proc.body), false, &is_int));
        proc.body = body;
    }
    program
}

fn block(stmts: Vec<Stmt>, in_atomic: bool, is_int: &dyn Fn(Var) -> bool) -> Vec<Stmt> {
    let mut out = Vec::new();
    for mut stmt in stmts {
        let inside = in_atomic || matches!(stmt, Stmt::Atomic(_));
        for inner in stmt.blocks_mut() {
            *inner = block(std::mem::take(inner), inside, is_int);
        }
        match stmt {
            Stmt::Havoc(var) if is_int(var) => {
                let both = vec![Stmt::Havoc(var), Stmt::Assume(within(var))];
                if in_atomic { out.extend(both) } else { out.push(Stmt::Atomic(both)) }
            }
            stmt => out.push(stmt),
        }
    }
    out
}

fn within(var: Var) -> Expr {
    let value = || Box::new(Expr::var(var));
    let not_less = Expr::Not(Box::new(Expr::Less(value(), Box::new(Expr::Int(0)))));
    Expr::And(Box::new(not_less), Box::new(Expr::Less(value(), Box::new(Expr::Int(3)))))
}
