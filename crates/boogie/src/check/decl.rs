//! Declarations: functions, axioms, procedures, implementations.

use rustc_hash::FxHashMap;
use source::{Diagnostic, Span};

use crate::ast::{Body, Implementation, Name, Procedure, Variable, attribute};
use crate::check::scope::LocalKind;
use crate::check::{Checker, Context};
use crate::types::Ty;

/// Where variables are declared in one scope, to find duplicates.
type Seen = FxHashMap<Name, Span>;

impl<'a> Checker<'a> {
    /// Checks everything that has expressions.
    pub(super) fn check_all(&mut self) {
        let program = self.program;
        for index in 0..program.functions.len() {
            self.function(index);
        }
        for axiom in &program.axioms {
            // c2s's dispatch axioms speak of the scheduler, not of values.
            if attribute(&axiom.attributes, "dispatch").is_none() {
                self.root(&axiom.formula, Ty::BOOL);
            }
        }
        self.within(Context { globals: true, old: false }, |c| {
            for global in &program.globals {
                if let Some(condition) = &global.condition {
                    c.root(condition, Ty::BOOL);
                }
            }
            for side in program.response.iter().flatten() {
                c.root(side, Ty::BOOL);
            }
        });
        for decl in &program.consts {
            for parent in &decl.parents {
                if !self.symbols.consts.contains_key(&parent.name) {
                    self.unknown_variable(&parent.name, parent.span);
                }
            }
        }
        for procedure in &program.procedures {
            self.procedure(procedure);
        }
        for implementation in &program.implementations {
            self.implementation(implementation);
        }
    }

    fn function(&mut self, index: usize) {
        let decl = &self.program.functions[index];
        let mark = self.scope.mark();
        self.enter_type_params(&decl.type_params);
        let mut seen = Seen::default();
        for param in &decl.params {
            let ty = self.resolve_type(&param.ty);
            if let Some(ident) = &param.ident {
                self.check_new(&mut seen, &ident.name, ident.span);
                self.scope.add(&ident.name, ty, LocalKind::Bound);
            }
        }
        let result = self.resolve_type(&decl.result);
        if let Some(body) = &decl.body {
            self.root(body, result);
        }
        self.scope.reset(mark);
    }

    fn check_new(&mut self, seen: &mut Seen, name: &Name, span: Span) {
        if let Some(first) = seen.insert(name.clone(), span) {
            let problem = Diagnostic::error(span, format!("`{name}` is declared twice"))
                .label("again")
                .with(first, "first declared here");
            self.problems.push(problem);
        }
    }

    fn add_variables(&mut self, vars: &'a [Variable], kind: LocalKind, seen: &mut Seen) {
        for var in vars {
            let ty = self.resolve_type(&var.ty);
            self.check_new(seen, &var.ident.name, var.ident.span);
            if self.types.holds_mutex(ty) {
                let problem =
                    Diagnostic::error(var.ident.span, format!("mutex `{}` is not global", var.ident.name))
                        .help(
                            "declare it outside the procedure: a lock that only one task knows locks nothing",
                        );
                self.problems.push(problem);
            }
            self.scope.add(&var.ident.name, ty, kind);
            self.variables.insert(var.ident.span, ty);
        }
    }

    fn check_conditions(&mut self, vars: &'a [Variable]) {
        for var in vars {
            if let Some(condition) = &var.condition {
                self.root(condition, Ty::BOOL);
            }
        }
    }

    fn procedure(&mut self, decl: &'a Procedure) {
        let mark = self.scope.mark();
        let before = std::mem::replace(&mut self.context, Context { globals: true, old: false });
        let mut seen = Seen::default();
        self.enter_type_params(&decl.signature.type_params);
        self.add_variables(&decl.signature.params, LocalKind::Param, &mut seen);
        self.check_conditions(&decl.signature.params);
        for clause in &decl.spec.requires {
            self.root(&clause.formula, Ty::BOOL);
        }
        self.add_variables(&decl.signature.results, LocalKind::Variable, &mut seen);
        self.check_conditions(&decl.signature.results);
        for global in &decl.spec.modifies {
            if !self.symbols.globals.contains_key(&global.name) {
                let known: Vec<Name> = self.symbols.globals.keys().cloned().collect();
                self.unknown_name("global variable", &global.name, global.span, known.iter().map(|n| &**n));
            }
        }
        self.context.old = true;
        for clause in &decl.spec.ensures {
            self.root(&clause.formula, Ty::BOOL);
        }
        if let Some(body) = &decl.body {
            self.body(body, seen);
        }
        self.context = before;
        self.scope.reset(mark);
    }

    fn implementation(&mut self, decl: &'a Implementation) {
        let mark = self.scope.mark();
        let before = std::mem::replace(&mut self.context, Context { globals: true, old: true });
        let (type_params, params, results) = self.resolve_signature(&decl.signature);
        self.compare_signature(decl, &type_params, &params, &results);
        let mut seen = Seen::default();
        self.add_variables(&decl.signature.params, LocalKind::Param, &mut seen);
        self.add_variables(&decl.signature.results, LocalKind::Variable, &mut seen);
        self.body(&decl.body, seen);
        self.context = before;
        self.scope.reset(mark);
    }

    /// An implementation has the types of its procedure; names may differ.
    fn compare_signature(&mut self, decl: &'a Implementation, vars: &[Ty], params: &[Ty], results: &[Ty]) {
        let Some(symbol) = self.symbols.procedures.get(&decl.ident.name).cloned() else { return };
        let procedure = &self.program.procedures[symbol.index];
        let counts = |a: usize, b: usize, c: usize| (a, b, c);
        let wanted = counts(symbol.type_params.len(), symbol.params.len(), symbol.results.len());
        let mut fits = wanted == counts(vars.len(), params.len(), results.len());
        for (&theirs, &ours) in symbol.params.iter().chain(&symbol.results).zip(params.iter().chain(results))
        {
            let theirs = self.types.substitute(theirs, &symbol.type_params, vars);
            fits = fits && self.unify(theirs, ours);
        }
        if !fits {
            let message = format!("implementation of `{}` does not fit its procedure", decl.ident.name);
            let problem = Diagnostic::error(decl.ident.span, message)
                .label("number or types of parameters differ")
                .with(procedure.ident.span, "the procedure");
            self.problems.push(problem);
        }
    }

    fn body(&mut self, body: &'a Body, mut seen: Seen) {
        self.context.old = true;
        self.add_variables(&body.locals, LocalKind::Variable, &mut seen);
        self.check_conditions(&body.locals);
        self.statements(&body.block, false);
    }

    /// The body of a code expression.
    pub(super) fn code_body(&mut self, body: &'a Body) {
        let mark = self.scope.mark();
        self.add_variables(&body.locals, LocalKind::Variable, &mut Seen::default());
        self.statements(&body.block, true);
        self.scope.reset(mark);
    }
}
