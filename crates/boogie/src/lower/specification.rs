//! Specifications, and the bodies they stand for where there is no other.
//!
//! A procedure without a body does what its specification allows, in one step: it checks its preconditions, gives
//! its results and what it modifies any values, and assumes its postconditions. A postcondition `x == e` whose `e`
//! speaks of the state before only is an assignment, which is the same and much easier for the engines.

use ir::{AccessOrder, AssertKind, ExprId, Op, Place};
use source::{Diagnostic, Span};

use crate::ast::{BinaryOp, Condition, Expr, ExprKind, Name, Procedure};
use crate::lower::procedure::{Frame, OldGlobals};
use crate::lower::{Lowered, Lowering};

impl<'a> Lowering<'a> {
    /// A clause of a specification, checked or assumed.
    pub(super) fn clause(&mut self, frame: &mut Frame<'a>, clause: &'a Condition, what: &str, checked: bool) {
        if self.speaks_of_pending(&clause.formula) {
            let warning = Diagnostic::warning(clause.span, "clause is ignored: it counts pending tasks")
                .label("`pending` is known to c2s only");
            self.warnings.push(warning);
            return;
        }
        let Ok(cond) = self.expr(&clause.formula) else { return };
        if checked {
            let message = format!("{what} does not hold: {}", self.quote(clause.formula.span));
            frame.push(Op::Assert { cond, kind: AssertKind::Assertion, message }, clause.span);
        } else {
            frame.push(Op::Assume(cond), clause.span);
        }
    }

    fn speaks_of_pending(&self, formula: &Expr) -> bool {
        let mut found = false;
        formula.for_each(&mut |e| {
            if let ExprKind::Apply { function, .. } = &e.kind {
                found |=
                    &*function.name == "pending" && !self.checked.symbols.functions.contains_key("pending");
            }
        });
        found
    }

    pub(super) fn without_body(&mut self, frame: &mut Frame<'a>, decl: &'a Procedure) {
        let span = decl.ident.span;
        self.env.locals.clone_from(&frame.spec_names);
        let changed = self.changed(decl);
        let one_step = changed
            .iter()
            .any(|name| self.globals.contains_key(name) && !frame.spec_names.contains_key(name));
        let mut old = OldGlobals::default();
        decl.spec.ensures.iter().for_each(|clause| old.collect(&clause.formula));
        if one_step {
            frame.push(Op::AtomicBegin, span);
        }
        self.take_snapshots(frame, &old, span);
        for clause in &decl.spec.requires {
            self.called_precondition(frame, decl, clause);
        }
        let definitions = self.definitions(decl, &changed);
        let havocked =
            changed.iter().filter(|name| !definitions.iter().any(|(defined, ..)| defined == *name));
        let targets: Vec<Place> = havocked.filter_map(|name| self.variable(name)).collect();
        if !targets.is_empty() {
            frame.push(Op::Havoc { targets }, span);
        }
        self.define(frame, &definitions, span);
        for var in &decl.signature.results {
            if let Some(condition) = &var.condition {
                self.assume(frame, condition, condition.span);
            }
        }
        for global in &decl.spec.modifies {
            if let Some(condition) = self.global_condition(&global.name) {
                self.assume(frame, condition, condition.span);
            }
        }
        for clause in &decl.spec.ensures {
            if !definitions.iter().any(|(_, _, from)| std::ptr::eq(*from, clause)) {
                self.clause(frame, clause, "", false);
            }
        }
        if one_step {
            frame.push(Op::AtomicEnd, span);
        }
        frame.push(Op::Goto(frame.exit), span);
        frame.builder.switch_to(frame.exit);
        frame.push(Op::Return, span);
    }

    /// What a call may change: results and the globals of the `modifies` clause.
    fn changed(&self, decl: &Procedure) -> Vec<Name> {
        let results = decl.signature.results.iter().map(|v| v.ident.name.clone());
        let globals = decl
            .spec
            .modifies
            .iter()
            .map(|g| g.name.clone())
            .filter(|name| self.globals.get(name).is_some_and(|(_, ty)| ty.sync_inside().is_none()));
        let mut all: indexmap::IndexSet<Name> = results.collect();
        all.extend(globals);
        all.into_iter().collect()
    }

    fn variable(&self, name: &Name) -> Option<Place> {
        match (self.env.locals.get(name), self.globals.get(name)) {
            (Some((id, _)), _) => Some(Place::local(*id)),
            (None, Some((id, _))) => Some(self.global_place(*id)),
            (None, None) => None,
        }
    }

    /// Postconditions that define what changes: `x == e`, where `e` does not hang on anything that changes.
    fn definitions(&self, decl: &'a Procedure, changed: &[Name]) -> Vec<(Name, &'a Expr, &'a Condition)> {
        let mut found: Vec<(Name, &'a Expr, &'a Condition)> = Vec::new();
        for clause in &decl.spec.ensures {
            let ExprKind::Chain { first, rest } = &clause.formula.kind else { continue };
            let ([link], ExprKind::Name(name)) = (rest.as_slice(), &first.kind) else { continue };
            if matches!(link.op, BinaryOp::Eq | BinaryOp::Iff)
                && changed.contains(name)
                && !found.iter().any(|(known, ..)| known == name)
                && speaks_of_before(&link.operand, changed)
                && !self.speaks_of_pending(&link.operand)
            {
                found.push((name.clone(), &link.operand, clause));
            }
        }
        found
    }

    fn define(&mut self, frame: &mut Frame<'a>, definitions: &[(Name, &'a Expr, &'a Condition)], span: Span) {
        let (mut targets, mut values) = (Vec::new(), Vec::new());
        for (name, value, _) in definitions {
            let value: Lowered<ExprId> = self.expr(value);
            if let (Some(target), Ok(value)) = (self.variable(name), value) {
                targets.push(target);
                values.push(value);
            }
        }
        if !targets.is_empty() {
            frame.push(Op::Assign { targets, values, order: AccessOrder::Plain }, span);
        }
    }

    /// The `where` clause of a global.
    pub(super) fn global_condition(&self, name: &Name) -> Option<&'a Expr> {
        let symbol = self.checked.symbols.globals.get(name)?;
        self.ast.globals[symbol.index].condition.as_deref()
    }
}

/// Whether an expression's value is fixed before the call: nothing that changes occurs in it, except under `old`.
fn speaks_of_before(expr: &Expr, changed: &[Name]) -> bool {
    match &expr.kind {
        ExprKind::Name(name) => !changed.contains(name),
        ExprKind::Old(_) => true,
        ExprKind::Code(_) => false,
        kind => {
            let mut before = true;
            kind.for_each_child(|child| before &= speaks_of_before(child, changed));
            before
        }
    }
}
