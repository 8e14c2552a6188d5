//! What the entry reaches: procedures through calls, functions through applications, and the globals and constants
//! they mention.
//!
//! Tools emit programs with preludes of hundreds of functions and axioms; a construct in one that is never used is
//! no reason to refuse the program. Names are taken as they stand, so that a bound variable may keep a constant of
//! the same name: that costs a declaration and nothing else.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::builtin;
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
    /// Axioms, by their position, that speak of a function or constant that is reached and that nothing else defines.
    /// What else they speak of is reached through them: to leave out part of what is known would let runs happen that
    /// cannot. Of a function that its body defines an axiom says nothing new.
    pub(super) axioms: BTreeSet<usize>,
    /// How many threads start at once.
    pub(super) threads: usize,
}

pub(super) fn from_threads(checked: &Checked<'_>, threads: &[Name]) -> Reached {
    let mut search = Search {
        checked,
        reached: Reached::default(),
        defined: defined(checked),
        undefined: FxHashSet::default(),
        work: Vec::new(),
    };
    threads.iter().for_each(|name| search.procedure(name));
    for side in checked.program.response.iter().flatten() {
        search.expr(side, &FxHashSet::default());
    }
    loop {
        while let Some(next) = search.work.pop() {
            match next {
                Work::Procedure(name) => search.inside_procedure(&name),
                Work::Function(name) => search.inside_function(&name),
                Work::Global(name) => search.inside_global(&name),
            }
        }
        if !search.add_axioms() {
            break;
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
    /// The functions that their bodies define.
    defined: FxHashSet<Name>,
    /// The functions that are reached and of which axioms have something to say.
    undefined: FxHashSet<Name>,
    work: Vec<Work>,
}

/// The functions that are operators of solvers, or of which the body alone says what they are: it needs no constant, and no function
/// that is not defined in turn. Of any other function an axiom may say something, if only of what is in its body.
fn defined(checked: &Checked<'_>) -> FxHashSet<Name> {
    let mut defined = Vec::new();
    // How many functions a body still waits for, and who waits for each.
    let mut waits: FxHashMap<Name, usize> = FxHashMap::default();
    let mut waiting: FxHashMap<Name, Vec<Name>> = FxHashMap::default();
    for (name, symbol) in &checked.symbols.functions {
        let decl = &checked.program.functions[symbol.index];
        if builtin::operator(&decl.attributes).is_some() {
            defined.push(name.clone());
            continue;
        }
        let Some(body) = &decl.body else { continue };
        let (mut applied, mut has_const) = (FxHashSet::default(), false);
        // A parameter may have the name of a constant.
        let is_param = |name: &Name| {
            decl.params.iter().any(|p| p.ident.as_ref().is_some_and(|ident| ident.name == *name))
        };
        body.for_each(&mut |e| match &e.kind {
            ExprKind::Name(name) => has_const |= checked.symbols.consts.contains_key(name) && !is_param(name),
            ExprKind::Apply { function, .. } => {
                applied.insert(function.name.clone());
            }
            _ => {}
        });
        if has_const {
            continue;
        }
        if applied.is_empty() {
            defined.push(name.clone());
        }
        waits.insert(name.clone(), applied.len());
        for function in applied {
            waiting.entry(function).or_default().push(name.clone());
        }
    }
    let mut at = 0;
    while let Some(next) = defined.get(at) {
        for waiter in waiting.remove(next).unwrap_or_default() {
            let left = waits.entry(waiter.clone()).or_default();
            *left -= 1;
            if *left == 0 {
                defined.push(waiter);
            }
        }
        at += 1;
    }
    defined.into_iter().collect()
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
            if !self.defined.contains(name) {
                self.undefined.insert(name.clone());
            }
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

    /// Adds the axioms that speak of what is reached. Whether there were any.
    fn add_axioms(&mut self) -> bool {
        let program = self.checked.program;
        let mut found = false;
        for (at, axiom) in program.axioms.iter().enumerate() {
            let mut bound: FxHashSet<&Name> = FxHashSet::default();
            axiom.formula.for_each(&mut |e| match &e.kind {
                ExprKind::Bind { vars, .. } => bound.extend(vars.iter().map(|v| &v.ident.name)),
                ExprKind::Let { bindings, .. } => bound.extend(bindings.iter().map(|(ident, _)| &ident.name)),
                _ => {}
            });
            let new = !self.reached.axioms.contains(&at);
            if new && self.speaks_of_reached(&axiom.formula, &bound) {
                self.reached.axioms.insert(at);
                self.expr(&axiom.formula, &bound);
                found = true;
            }
        }
        found
    }

    fn speaks_of_reached(&self, formula: &Expr, bound: &FxHashSet<&Name>) -> bool {
        let mut speaks = false;
        formula.for_each(&mut |e| match &e.kind {
            ExprKind::Name(name) if !bound.contains(name) => speaks |= self.reached.consts.contains(name),
            ExprKind::Apply { function, .. } => {
                speaks |= self.undefined.contains(&function.name);
            }
            _ => {}
        });
        speaks
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
