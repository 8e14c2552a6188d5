//! Statements.

use rustc_hash::FxHashMap;
use source::{Diagnostic, Span};

use crate::ast::{Block, Call, Expr, Guard, Ident, Name, Stmt, StmtKind, Target};
use crate::check::Checker;
use crate::check::scope::LocalKind;
use crate::types::Ty;

/// What jumps may refer to.
struct Jumps<'a> {
    labels: FxHashMap<Name, Span>,
    /// Labels of the statements around, innermost last.
    around: Vec<&'a Ident>,
    loops: usize,
    /// `return e` and not `return`.
    in_code: bool,
}

impl<'a> Checker<'a> {
    /// The statements of a whole body.
    pub(super) fn statements(&mut self, block: &'a Block, in_code: bool) {
        let mut jumps = Jumps { labels: FxHashMap::default(), around: Vec::new(), loops: 0, in_code };
        self.collect_labels(block, &mut jumps.labels);
        self.block(block, &mut jumps);
    }

    fn collect_labels(&mut self, block: &'a Block, labels: &mut FxHashMap<Name, Span>) {
        for stmt in &block.stmts {
            match &stmt.kind {
                StmtKind::Label(ident) => {
                    if let Some(first) = labels.insert(ident.name.clone(), ident.span) {
                        let problem =
                            Diagnostic::error(ident.span, format!("label `{}` is used twice", ident.name))
                                .label("again")
                                .with(first, "first used here");
                        self.problems.push(problem);
                    }
                }
                StmtKind::If { arms, otherwise } => {
                    arms.iter().for_each(|arm| self.collect_labels(&arm.body, labels));
                    otherwise.iter().for_each(|body| self.collect_labels(body, labels));
                }
                StmtKind::While { body, .. } | StmtKind::Atomic(body) => self.collect_labels(body, labels),
                _ => {}
            }
        }
    }

    fn block(&mut self, block: &'a Block, jumps: &mut Jumps<'a>) {
        let outside = jumps.around.len();
        for stmt in &block.stmts {
            if let StmtKind::Label(ident) = &stmt.kind {
                jumps.around.push(ident);
                continue;
            }
            self.stmt(stmt, jumps);
            // Labels are around the one statement they stand before.
            jumps.around.truncate(outside);
        }
        jumps.around.truncate(outside);
    }

    fn stmt(&mut self, stmt: &'a Stmt, jumps: &mut Jumps<'a>) {
        match &stmt.kind {
            StmtKind::Label(_) | StmtKind::Yield => {}
            StmtKind::Assign(targets, values) => self.assign(stmt.span, targets, values),
            StmtKind::Havoc(idents) => {
                for ident in idents {
                    self.assignable(ident);
                }
            }
            StmtKind::Assert(_, condition) | StmtKind::Assume(_, condition) => self.root(condition, Ty::BOOL),
            StmtKind::Call(call) | StmtKind::CallForall(call) => self.call(call),
            StmtKind::ParallelCall(calls) => calls.iter().for_each(|call| self.call(call)),
            StmtKind::If { arms, otherwise } => {
                for arm in arms {
                    self.guard(&arm.guard);
                    self.block(&arm.body, jumps);
                }
                if let Some(body) = otherwise {
                    self.block(body, jumps);
                }
            }
            StmtKind::While { guard, invariants, body, .. } => {
                self.guard(guard);
                for invariant in invariants {
                    self.root(&invariant.condition, Ty::BOOL);
                }
                jumps.loops += 1;
                self.block(body, jumps);
                jumps.loops -= 1;
            }
            StmtKind::Break(label) => self.break_stmt(stmt.span, label.as_ref(), jumps),
            StmtKind::Goto(labels) => {
                for label in labels {
                    if !jumps.labels.contains_key(&label.name) {
                        let mut known: Vec<Name> = jumps.labels.keys().cloned().collect();
                        known.sort();
                        self.unknown_name("label", &label.name, label.span, known.iter().map(|n| &**n));
                    }
                }
            }
            StmtKind::Return => {
                if jumps.in_code {
                    self.error(stmt.span, "a code expression returns a value");
                }
            }
            StmtKind::ReturnValue(value) => {
                if !jumps.in_code {
                    let problem = Diagnostic::error(value.span, "`return` takes no value")
                        .help("assign to a result variable, then `return;`");
                    self.problems.push(problem);
                }
                self.root(value, Ty::BOOL);
            }
            StmtKind::Wait { results, task } => {
                self.root(task, Ty::TASK);
                self.targets(results);
            }
            StmtKind::Fork { ids, procedure, args } => {
                for id in ids {
                    self.expr(id);
                    self.settle();
                }
                self.arguments(procedure, args.iter().map(Some));
            }
            StmtKind::Join { ids, results } => {
                for id in ids {
                    self.expr(id);
                    self.settle();
                }
                self.targets(results);
            }
            StmtKind::Atomic(body) => self.block(body, jumps),
            StmtKind::Acquire(lock) | StmtKind::Release(lock) => self.lock(lock),
            StmtKind::TryAcquire { result, lock } => {
                let ty = self.target(result);
                if !self.unify(Ty::BOOL, ty) {
                    self.mismatch(result.span, Ty::BOOL, ty);
                }
                self.lock(lock);
            }
        }
    }

    fn guard(&mut self, guard: &'a Guard) {
        if let Guard::Expr(condition) = guard {
            self.root(condition, Ty::BOOL);
        }
    }

    fn break_stmt(&mut self, span: Span, label: Option<&'a Ident>, jumps: &Jumps<'a>) {
        match label {
            None if jumps.loops == 0 => self.error(span, "`break` outside a loop"),
            Some(label) if !jumps.around.iter().any(|l| l.name == label.name) => {
                let message = format!("no statement around is labelled `{}`", label.name);
                self.error(label.span, message);
            }
            _ => {}
        }
    }

    fn assign(&mut self, span: Span, targets: &'a [Target], values: &'a [Expr]) {
        if targets.len() != values.len() {
            let message = format!("{} places are assigned {} values", targets.len(), values.len());
            self.error(span, message);
        }
        let mut seen: FxHashMap<&Name, Span> = FxHashMap::default();
        for target in targets {
            if seen.insert(&target.ident.name, target.span).is_some() {
                let message = format!("`{}` is assigned twice at once", target.ident.name);
                self.error(target.span, message);
            }
        }
        let types = self.targets(targets);
        for (value, ty) in values.iter().zip(types) {
            self.root(value, ty);
        }
    }

    fn targets(&mut self, targets: &'a [Target]) -> Vec<Ty> {
        targets.iter().map(|target| self.target(target)).collect()
    }

    /// The type of a place that is assigned.
    fn target(&mut self, target: &'a Target) -> Ty {
        let ty = self.assignable(&target.ident);
        self.path(ty, target)
    }

    fn path(&mut self, mut ty: Ty, target: &'a Target) -> Ty {
        for indices in &target.path {
            ty = self.cell(ty, target.ident.span, indices, target.span);
            // Indices fix the variables of a polymorphic map.
            ty = self.resolved(ty);
            self.settle();
        }
        ty
    }

    /// The type of a variable that may be assigned.
    fn assignable(&mut self, ident: &'a Ident) -> Ty {
        let cannot = |what: &str| format!("{what} `{}` cannot be assigned", ident.name);
        let ty = if let Some(local) = self.scope.get(&ident.name) {
            match local.kind {
                LocalKind::Variable => {}
                LocalKind::Param => {
                    let problem = Diagnostic::error(ident.span, cannot("parameter"))
                        .label("parameters are read only")
                        .help("copy it to a local variable");
                    self.problems.push(problem);
                }
                LocalKind::Bound => self.error(ident.span, cannot("bound variable")),
            }
            local.ty
        } else if let Some(symbol) = self.symbols.globals.get(&ident.name) {
            symbol.ty
        } else if let Some(symbol) = self.symbols.consts.get(&ident.name) {
            let ty = symbol.ty;
            self.error(ident.span, cannot("constant"));
            ty
        } else {
            self.unknown_variable(&ident.name, ident.span);
            return Ty::ERROR;
        };
        if self.types.holds_mutex(ty) {
            let problem = Diagnostic::error(ident.span, cannot("mutex"))
                .help("use `acquire`, `release` and `tryacquire`; mutexes start free");
            self.problems.push(problem);
            return Ty::ERROR;
        }
        ty
    }

    fn lock(&mut self, lock: &'a Target) {
        let ident = &lock.ident;
        let ty = if let Some(local) = self.scope.get(&ident.name) {
            local.ty
        } else if let Some(symbol) = self.symbols.globals.get(&ident.name) {
            symbol.ty
        } else {
            self.unknown_variable(&ident.name, ident.span);
            return;
        };
        let ty = self.path(ty, lock);
        if ty != Ty::MUTEX && ty != Ty::ERROR {
            let shown = self.types.show(ty);
            let problem = Diagnostic::error(lock.span, format!("expected a mutex, found `{shown}`"))
                .help(format!("declare it as `var {}: mutex;`", ident.name));
            self.problems.push(problem);
        }
    }

    fn call(&mut self, call: &'a Call) {
        let results = self.arguments(&call.procedure, call.args.iter().map(Option::as_ref));
        let targets: Vec<Ty> = call.results.iter().map(|ident| self.assignable(ident)).collect();
        let mut seen: FxHashMap<&Name, Span> = FxHashMap::default();
        for ident in &call.results {
            if seen.insert(&ident.name, ident.span).is_some() {
                let message = format!("`{}` gets two results", ident.name);
                self.error(ident.span, message);
            }
        }
        let Some((results, decl)) = results else { return };
        if call.is_async && (targets.is_empty() || targets == [Ty::TASK]) {
            self.settle();
            return;
        }
        if results.len() != targets.len() {
            let plural = if results.len() == 1 { "" } else { "s" };
            let message = format!(
                "procedure `{}` has {} result{plural}, {} are taken",
                call.procedure.name,
                results.len(),
                targets.len()
            );
            self.problems.push(Diagnostic::error(call.span, message).with(decl, "declared here"));
        }
        for ((result, target), ident) in results.into_iter().zip(targets).zip(&call.results) {
            if !self.unify(target, result) {
                self.mismatch(ident.span, result, target);
            }
        }
        self.settle();
    }

    /// Checks the arguments of a call; gives the types of the results and where the procedure is declared. Types
    /// are settled by the caller, after the results have had their say.
    fn arguments(
        &mut self,
        procedure: &'a Ident,
        args: impl ExactSizeIterator<Item = Option<&'a Expr>>,
    ) -> Option<(Vec<Ty>, Span)> {
        let Some(symbol) = self.symbols.procedures.get(&procedure.name).cloned() else {
            for arg in args.flatten() {
                self.expr(arg);
            }
            self.settle();
            let known: Vec<Name> = self.symbols.procedures.keys().cloned().collect();
            self.unknown_name("procedure", &procedure.name, procedure.span, known.iter().map(|n| &**n));
            return None;
        };
        let decl = self.program.procedures[symbol.index].ident.span;
        if args.len() != symbol.params.len() {
            self.wrong_count("procedure", procedure, symbol.params.len(), args.len(), decl);
            return None;
        }
        let instance = self.fresh_many(symbol.type_params.len());
        for (arg, &param) in args.zip(&symbol.params) {
            if let Some(arg) = arg {
                let wanted = self.types.substitute(param, &symbol.type_params, &instance);
                self.expect(arg, wanted);
            }
        }
        let results = symbol
            .results
            .iter()
            .map(|&r| self.types.substitute(r, &symbol.type_params, &instance))
            .collect();
        Some((results, decl))
    }
}
