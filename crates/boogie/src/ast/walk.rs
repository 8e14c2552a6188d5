//! Walks over expressions and statements.

use crate::ast::{Block, Body, Expr, ExprKind, Guard, Stmt, StmtKind, Target};

impl ExprKind {
    /// Calls `visit` with each direct operand, from left to right. The statements of a code expression are not
    /// operands.
    pub fn for_each_child<'a>(&'a self, mut visit: impl FnMut(&'a Expr)) {
        match self {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Bv { .. }
            | ExprKind::Real
            | ExprKind::Float(..)
            | ExprKind::Name(_)
            | ExprKind::Code(_) => {}
            ExprKind::Apply { args, .. } | ExprKind::Implies(args) => args.iter().for_each(visit),
            ExprKind::Convert { operand, .. }
            | ExprKind::Old(operand)
            | ExprKind::Unary(_, operand)
            | ExprKind::Extract { operand, .. }
            | ExprKind::Coerce(operand, _) => visit(operand),
            ExprKind::Chain { first, rest } => {
                visit(first);
                rest.iter().for_each(|link| visit(&link.operand));
            }
            ExprKind::If { arms, otherwise } => {
                for arm in arms {
                    visit(&arm.condition);
                    visit(&arm.value);
                }
                visit(otherwise);
            }
            ExprKind::Select { map, indices } => {
                visit(map);
                indices.iter().for_each(visit);
            }
            ExprKind::Store { map, indices, value } => {
                visit(map);
                indices.iter().for_each(&mut visit);
                visit(value);
            }
            ExprKind::Bind { vars, triggers, body, .. } => {
                vars.iter().filter_map(|v| v.condition.as_deref()).for_each(&mut visit);
                triggers.iter().flatten().for_each(&mut visit);
                visit(body);
            }
            ExprKind::Let { bindings, body } => {
                bindings.iter().for_each(|(_, value)| visit(value));
                visit(body);
            }
        }
    }
}

impl Expr {
    /// Calls `visit` with this expression and all below it, those in code expressions included.
    pub fn for_each<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        visit(self);
        if let ExprKind::Code(body) = &self.kind {
            body.for_each_stmt(&mut |stmt| stmt.for_each_expr(&mut |e| e.for_each(visit)));
        }
        self.kind.for_each_child(|child| child.for_each(visit));
    }
}

impl Body {
    /// Calls `visit` with each statement at any depth, in order.
    pub fn for_each_stmt<'a>(&'a self, visit: &mut dyn FnMut(&'a Stmt)) {
        self.block.for_each_stmt(visit);
    }
}

impl Block {
    /// Calls `visit` with each statement at any depth, in order.
    pub fn for_each_stmt<'a>(&'a self, visit: &mut dyn FnMut(&'a Stmt)) {
        for stmt in &self.stmts {
            visit(stmt);
            match &stmt.kind {
                StmtKind::If { arms, otherwise } => {
                    arms.iter().for_each(|arm| arm.body.for_each_stmt(visit));
                    otherwise.iter().for_each(|body| body.for_each_stmt(visit));
                }
                StmtKind::While { body, .. } | StmtKind::Atomic(body) => body.for_each_stmt(visit),
                _ => {}
            }
        }
    }
}

impl Stmt {
    /// Calls `visit` with each expression of the statement itself, not of those inside it.
    pub fn for_each_expr<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        fn guard<'a>(guard: &'a Guard, visit: &mut dyn FnMut(&'a Expr)) {
            if let Guard::Expr(condition) = guard {
                visit(condition);
            }
        }
        self.for_each_target(&mut |target| target.path.iter().flatten().for_each(&mut *visit));
        match &self.kind {
            StmtKind::Assign(_, exprs) | StmtKind::Join { ids: exprs, .. } => exprs.iter().for_each(visit),
            StmtKind::Assert(_, e) | StmtKind::Assume(_, e) | StmtKind::ReturnValue(e) => visit(e),
            StmtKind::Wait { task, .. } => visit(task),
            StmtKind::Call(call) | StmtKind::CallForall(call) => call.args.iter().flatten().for_each(visit),
            StmtKind::ParallelCall(calls) => {
                calls.iter().flat_map(|c| c.args.iter().flatten()).for_each(visit);
            }
            StmtKind::If { arms, .. } => arms.iter().for_each(|arm| guard(&arm.guard, visit)),
            StmtKind::While { guard: condition, invariants, .. } => {
                guard(condition, visit);
                invariants.iter().for_each(|i| visit(&i.condition));
            }
            StmtKind::Fork { ids, args, .. } => ids.iter().chain(args).for_each(visit),
            StmtKind::Label(_)
            | StmtKind::Havoc(_)
            | StmtKind::Break(_)
            | StmtKind::Goto(_)
            | StmtKind::Return
            | StmtKind::Yield
            | StmtKind::Atomic(_)
            | StmtKind::Acquire(_)
            | StmtKind::Release(_)
            | StmtKind::TryAcquire { .. } => {}
        }
    }

    /// Calls `visit` with each place of the statement.
    pub fn for_each_target<'a>(&'a self, visit: &mut dyn FnMut(&'a Target)) {
        match &self.kind {
            StmtKind::Assign(targets, _)
            | StmtKind::Wait { results: targets, .. }
            | StmtKind::Join { results: targets, .. } => targets.iter().for_each(visit),
            StmtKind::Acquire(lock) | StmtKind::Release(lock) => visit(lock),
            StmtKind::TryAcquire { result, lock } => {
                visit(result);
                visit(lock);
            }
            _ => {}
        }
    }
}
