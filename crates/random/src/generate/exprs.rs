//! Expressions of a scope.

use super::{Generator, Scope};
use crate::ast::{Expr, GlobalKind, Place, Type, Var};

impl Generator {
    fn globals_of(&self, kind: GlobalKind) -> Vec<usize> {
        (0..self.globals.len()).filter(|&g| self.globals[g].kind == kind).collect()
    }

    pub(super) fn maps(&self) -> Vec<usize> {
        self.globals_of(GlobalKind::Map)
    }

    /// The variables of a type; globals count twice, so that threads meet.
    pub(super) fn vars(&self, scope: &Scope, ty: Type) -> Vec<Var> {
        let kind = if ty == Type::Bool { GlobalKind::Bool } else { GlobalKind::Int };
        let mut vars: Vec<Var> =
            self.globals_of(kind).into_iter().flat_map(|g| [Var::Global(g), Var::Global(g)]).collect();
        vars.extend((0..scope.locals.len()).filter(|&l| scope.locals[l].ty == ty).map(Var::Local));
        vars
    }

    /// The variables of a type that may be assigned.
    pub(super) fn targets(&self, scope: &Scope, ty: Type) -> Vec<Var> {
        let fixed = |var: &Var| matches!(var, Var::Local(local) if scope.fixed.contains(local));
        self.vars(scope, ty).into_iter().filter(|var| !fixed(var)).collect()
    }

    pub(super) fn expr(&mut self, scope: &Scope, ty: Type, depth: usize) -> Expr {
        if ty == Type::Bool { self.bool_expr(scope, depth) } else { self.int_expr(scope, depth) }
    }

    pub(super) fn int_expr(&mut self, scope: &Scope, depth: usize) -> Expr {
        let vars = self.vars(scope, Type::Int);
        let maps = self.maps();
        match self.seed.below(10) {
            0..=2 => Expr::Int(u8::try_from(self.seed.below(3)).unwrap_or(0)),
            3 if !maps.is_empty() => {
                let map = self.seed.pick(&maps).copied().unwrap_or(0);
                let index = if depth > 0 { self.int_expr(scope, 0) } else { Expr::Int(0) };
                Expr::Read(Box::new(Place::Cell(map, index)))
            }
            4..=5 if depth > 0 => {
                let (a, b) = (self.int_expr(scope, depth - 1), self.int_expr(scope, depth - 1));
                Expr::Add(Box::new(a), Box::new(b))
            }
            _ => match self.seed.pick(&vars) {
                Some(&var) => Expr::var(var),
                None => Expr::Int(1),
            },
        }
    }

    pub(super) fn bool_expr(&mut self, scope: &Scope, depth: usize) -> Expr {
        let vars = self.vars(scope, Type::Bool);
        match self.seed.below(12) {
            0 => Expr::Bool(self.seed.percent(60)),
            1..=4 if !vars.is_empty() => Expr::var(self.seed.pick(&vars).copied().unwrap_or(Var::Global(0))),
            5 if depth > 0 => Expr::Not(Box::new(self.bool_expr(scope, depth - 1))),
            6..=7 if depth > 0 => {
                let (a, b) = (self.bool_expr(scope, depth - 1), self.bool_expr(scope, depth - 1));
                if self.seed.percent(50) {
                    Expr::And(Box::new(a), Box::new(b))
                } else {
                    Expr::Or(Box::new(a), Box::new(b))
                }
            }
            8 => Expr::Less(Box::new(self.int_expr(scope, 0)), Box::new(self.int_expr(scope, 0))),
            _ => {
                let constant = Expr::Int(u8::try_from(self.seed.below(3)).unwrap_or(0));
                let vars = self.vars(scope, Type::Int);
                let tested = match self.seed.pick(&vars) {
                    Some(&var) => Expr::var(var),
                    None => self.int_expr(scope, 0),
                };
                let equal = Expr::Equal(Box::new(tested), Box::new(constant));
                if self.seed.percent(40) { Expr::Not(Box::new(equal)) } else { equal }
            }
        }
    }
}
