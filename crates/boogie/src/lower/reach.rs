//! What the entry reaches: procedures through calls, functions through applications, and the globals and constants
//! they mention.
//!
//! Tools emit programs with preludes of hundreds of functions and axioms; a construct in one that is never used is
//! no reason to refuse the program. Names are taken as they stand, so that a bound variable may keep a constant of
//! the same name: that costs a declaration and nothing else.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::ast::{Body, Expr, ExprKind, Name, Stmt, StmtKind, Variable};
use crate::check::{BodyRef, Checked};

/// Names that are reached.
#[derive(Debug, Default)]
pub(super) struct Reached {
    pub(super) procedures: FxHashSet<Name>,
    pub(super) functions: FxHashSet<Name>,
    pub(super) globals: FxHashSet<Name>,
    pub(super) consts: FxHashSet<Name>,
    /// Procedures that are called or started by others.
    pub(super) called: FxHashSet<Name>,
    /// Procedures that are called, and not only started.
    pub(super) returned_from: FxHashSet<Name>,
    /// How many threads start at once.
    pub(super) threads: usize,
}

pub(super) fn from_threads(checked: &Checked<'_>, threads: &[Name]) -> Reached {
    let mut search = Search { checked, reached: Reached::default(), work: Vec::new() };
    threads.iter().for_each(|name| search.procedure(name));
    while let Some(next) = search.work.pop() {
        match next {
            Work::Procedure(name) => search.inside_procedure(&name),
            Work::Function(name) => search.inside_function(&name),
            Work::Global(name) => search.inside_global(&name),
        }
    }
    search.reached.threads = threads.len();
    search.reached
}

enum Work {
    Procedure(Name),
    Function(Name),
    Global(Name),
}

struct Search<'a> {
    checked: &'a Checked<'a>,
    reached: Reached,
    work: Vec<Work>,
}

impl<'a> Search<'a> {
    fn procedure(&mut self, name: &Name) {
        if self.reached.procedures.insert(name.clone()) {
            self.work.push(Work::Procedure(name.clone()));
        }
    }

    fn call(&mut self, name: &Name) {
        self.reached.called.insert(name.clone());
        self.procedure(name);
    }

    fn function(&mut self, name: &Name) {
        if self.checked.symbols.functions.contains_key(name) && self.reached.functions.insert(name.clone()) {
            self.work.push(Work::Function(name.clone()));
        }
    }

    /// A name that is no local variable.
    fn value(&mut self, name: &Name) {
        if self.checked.symbols.consts.contains_key(name) {
            self.reached.consts.insert(name.clone());
        } else if self.checked.symbols.globals.contains_key(name) && self.reached.globals.insert(name.clone())
        {
            self.work.push(Work::Global(name.clone()));
        }
    }

    fn expr(&mut self, expr: &'a Expr, locals: &FxHashSet<&Name>) {
        expr.for_each(&mut |e| match &e.kind {
            ExprKind::Name(name) if !locals.contains(name) => self.value(name),
            ExprKind::Apply { function, .. } => self.function(&function.name),
            _ => {}
        });
    }

    fn inside_function(&mut self, name: &Name) {
        let Some(symbol) = self.checked.symbols.functions.get(name) else { return };
        let decl = &self.checked.program.functions[symbol.index];
        let locals = decl.params.iter().filter_map(|p| p.ident.as_ref()).map(|i| &i.name).collect();
        if let Some(body) = &decl.body {
            self.expr(body, &locals);
        }
    }

    fn inside_global(&mut self, name: &Name) {
        let Some(symbol) = self.checked.symbols.globals.get(name) else { return };
        if let Some(condition) = &self.checked.program.globals[symbol.index].condition {
            self.expr(condition, &FxHashSet::default());
        }
    }

    fn inside_procedure(&mut self, name: &Name) {
        let Some(symbol) = self.checked.symbols.procedures.get(name) else { return };
        let program = self.checked.program;
        let decl = &program.procedures[symbol.index];
        let names = |vars: &'a [Variable]| vars.iter().map(|v| &v.ident.name);
        let conditions =
            |vars: &'a [Variable]| vars.iter().filter_map(|v| v.condition.as_ref().map(Arc::as_ref));
        let signature = &decl.signature;
        let locals: FxHashSet<&Name> = names(&signature.params).chain(names(&signature.results)).collect();
        for clause in decl.spec.requires.iter().chain(&decl.spec.ensures) {
            self.expr(&clause.formula, &locals);
        }
        for condition in conditions(&signature.params).chain(conditions(&signature.results)) {
            self.expr(condition, &locals);
        }
        let body = match symbol.body {
            BodyRef::None => {
                decl.spec.modifies.iter().for_each(|global| self.value(&global.name));
                return;
            }
            BodyRef::Own => decl.body.as_ref().map(|body| (body, signature)),
            BodyRef::Implementation(index) => {
                program.implementations.get(index).map(|i| (&i.body, &i.signature))
            }
        };
        let Some((body, signature)) = body else { return };
        let locals =
            names(&signature.params).chain(names(&signature.results)).chain(names(&body.locals)).collect();
        for condition in conditions(&body.locals) {
            self.expr(condition, &locals);
        }
        self.body(body, &locals);
    }

    fn body(&mut self, body: &'a Body, locals: &FxHashSet<&Name>) {
        body.for_each_stmt(&mut |stmt| self.stmt(stmt, locals));
    }

    fn stmt(&mut self, stmt: &'a Stmt, locals: &FxHashSet<&Name>) {
        stmt.for_each_expr(&mut |e| self.expr(e, locals));
        let mut assigned: Vec<&Name> = Vec::new();
        stmt.for_each_target(&mut |target| assigned.push(&target.ident.name));
        match &stmt.kind {
            StmtKind::Havoc(idents) => assigned.extend(idents.iter().map(|i| &i.name)),
            StmtKind::Call(call) | StmtKind::CallForall(call) => {
                self.call(&call.procedure.name);
                if !call.is_async {
                    self.reached.returned_from.insert(call.procedure.name.clone());
                }
                assigned.extend(call.results.iter().map(|i| &i.name));
            }
            StmtKind::ParallelCall(calls) => {
                for call in calls {
                    self.call(&call.procedure.name);
                    assigned.extend(call.results.iter().map(|i| &i.name));
                }
            }
            StmtKind::Fork { procedure, .. } => self.call(&procedure.name),
            _ => {}
        }
        assigned.into_iter().filter(|name| !locals.contains(name)).for_each(|name| self.value(name));
    }
}
