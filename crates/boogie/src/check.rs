//! Name resolution and type checking.
//!
//! The result, [`Checked`], knows the type of every expression and what every name stands for. Missing `modifies`
//! clauses are no error: tools for concurrent programs leave them out. Attributes are not looked at.

mod decl;
mod expr;
mod infer;
mod operator;
mod scope;
mod stmt;
mod symbols;
mod type_syntax;

use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Span};

use crate::ast::{Expr, ExprId, Name, Program, Variable};
use crate::problems::Problems;
use crate::types::{Ty, TypeTable};
use infer::Inference;
use scope::Scope;

pub use symbols::{BodyRef, FunctionSymbol, ProcedureSymbol, Symbols};

/// A program whose names and types are right.
#[derive(Debug)]
pub struct Checked<'a> {
    /// The program.
    pub program: &'a Program,
    /// What the names at the top stand for.
    pub symbols: Symbols,
    /// All types.
    pub types: TypeTable,
    expr_types: Vec<Ty>,
    instances: FxHashMap<ExprId, Vec<Ty>>,
    variables: FxHashMap<Span, Ty>,
}

impl Checked<'_> {
    /// The type of an expression.
    #[must_use]
    pub fn ty(&self, expr: ExprId) -> Ty {
        self.expr_types.get(expr.index()).copied().unwrap_or(Ty::ERROR)
    }

    /// The type of a variable declared inside a procedure or quantifier.
    #[must_use]
    pub fn variable(&self, var: &Variable) -> Ty {
        self.variables.get(&var.ident.span).copied().unwrap_or(Ty::ERROR)
    }

    /// The types that a polymorphic function's variables stand for in an application.
    #[must_use]
    pub fn instance(&self, apply: ExprId) -> &[Ty] {
        self.instances.get(&apply).map_or(&[], Vec::as_slice)
    }
}

/// Checks names and types.
///
/// # Errors
/// With everything that is wrong, up to a limit.
pub fn check(program: &Program) -> Result<Checked<'_>, Vec<Diagnostic>> {
    let mut checker = Checker {
        program,
        symbols: Symbols::default(),
        types: TypeTable::default(),
        expr_types: vec![Ty::ERROR; program.expr_count as usize],
        instances: FxHashMap::default(),
        variables: FxHashMap::default(),
        inference: Inference::default(),
        scope: Scope::default(),
        context: Context::default(),
        unknown: FxHashSet::default(),
        problems: Problems::default(),
    };
    checker.declare_all();
    checker.check_all();
    let Checker { symbols, types, expr_types, instances, variables, problems, .. } = checker;
    problems.into_result(Checked { program, symbols, types, expr_types, instances, variables })
}

/// What expressions may use at this place.
#[derive(Clone, Copy, Debug, Default)]
struct Context {
    /// Global variables.
    globals: bool,
    /// `old`.
    old: bool,
}

struct Checker<'a> {
    program: &'a Program,
    symbols: Symbols,
    types: TypeTable,
    expr_types: Vec<Ty>,
    instances: FxHashMap<ExprId, Vec<Ty>>,
    /// Types of variables by where they are declared.
    variables: FxHashMap<Span, Ty>,
    inference: Inference,
    scope: Scope,
    context: Context,
    /// Unknown names that were reported; once is enough.
    unknown: FxHashSet<Name>,
    problems: Problems,
}

impl<'a> Checker<'a> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.problems.push(Diagnostic::error(span, message));
    }

    fn mismatch(&mut self, span: Span, wanted: Ty, found: Ty) {
        let (wanted, found) = (self.resolved(wanted), self.resolved(found));
        let (wanted, found) = (self.types.show(wanted), self.types.show(found));
        let problem = Diagnostic::error(span, format!("expected `{wanted}`, found `{found}`"))
            .label(format!("has type `{found}`"));
        self.problems.push(problem);
    }

    /// Reports a name that nothing declares, with the nearest of `known` as a suggestion.
    fn unknown_name<'n>(
        &mut self,
        what: &str,
        name: &Name,
        span: Span,
        known: impl Iterator<Item = &'n str>,
    ) {
        if self.problems.is_full() || !self.unknown.insert(name.clone()) {
            return;
        }
        let mut problem = Diagnostic::error(span, format!("unknown {what} `{name}`")).label("not declared");
        if let Some(near) = nearest(name, known) {
            problem = problem.help(format!("did you mean `{near}`?"));
        }
        self.problems.push(problem);
    }

    /// Checks a formula or other whole expression against a type, and settles its inferred types.
    fn root(&mut self, expr: &'a Expr, wanted: Ty) {
        self.expect(expr, wanted);
        self.settle();
        self.check_type_height(expr.span);
    }

    /// Runs `inner` where other things may be used.
    fn within(&mut self, context: Context, inner: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.context, context);
        inner(self);
        self.context = before;
    }
}

/// The known name that a misspelt one most likely means.
pub(crate) fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    const LONGEST: usize = 64;
    if name.len() > LONGEST {
        return None;
    }
    let allowed = (name.chars().count() / 3).max(1);
    known
        .filter(|k| k.len().abs_diff(name.len()) <= allowed && *k != name)
        .map(|k| (strsim::osa_distance(name, k), k))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, k)| k)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn suggestions_are_near_and_stable() {
        let known = ["count", "counter", "lock"];
        assert_eq!(nearest("cuont", known.into_iter()), Some("count"));
        assert_eq!(nearest("x", known.into_iter()), None);
    }
}
