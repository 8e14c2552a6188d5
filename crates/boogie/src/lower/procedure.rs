//! Procedures: locals, blocks, and the order of what happens on entry.
//!
//! On entry a procedure first remembers the globals that occur under `old`, then checks or assumes its
//! preconditions, then assumes the `where` clauses of its variables. All returns go through one exit block, which
//! checks or assumes the postconditions.

use std::sync::Arc;

use ir::{AccessOrder, BlockId, ExprNode, LocalId, Op, Place, ProcBuilder, ProcId, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Span;

use crate::ast::{Body, Condition, Expr, ExprKind, Name, Procedure, Signature, Variable, attribute};
use crate::check::BodyRef;
use crate::lower::control::{BreakTarget, LabelPlace};
use crate::lower::{Env, Lowered, Lowering, Refused, layout, primitive, transaction};

/// Locals by the names that some part of the program gives them.
pub(super) type Names = FxHashMap<Name, (LocalId, Type)>;

/// The procedure that is being lowered.
pub(super) struct Frame<'a> {
    pub(super) builder: ProcBuilder,
    pub(super) exit: BlockId,
    pub(super) labels: FxHashMap<Name, LabelPlace>,
    pub(super) breaks: Vec<BreakTarget<'a>>,
    /// The atomic blocks around, from the outside in; each has its number.
    pub(super) atomic: Vec<usize>,
    pub(super) atomic_count: usize,
    /// Where calls begin and end atomic sections.
    pub(super) marks: FxHashSet<Span>,
    /// `where` clauses of local variables, and whether one uses the names of the procedure and not of its
    /// implementation.
    pub(super) conditions: FxHashMap<Name, (&'a Expr, bool)>,
    /// Parameters and results by the names of the procedure.
    pub(super) spec_names: Names,
    /// The thread that was started last, where that matters.
    pub(super) child: Option<LocalId>,
    used_names: FxHashSet<String>,
    /// The last number that was given to a name.
    numbers: FxHashMap<String, usize>,
}

impl Frame<'_> {
    /// An empty block whose name is not in use.
    pub(super) fn block(&mut self, name: &str) -> BlockId {
        let unique = self.unique(name);
        self.builder.block(unique)
    }

    /// A variable that the user did not write.
    pub(super) fn fresh_local(&mut self, name: &str, ty: Type, span: Span) -> LocalId {
        let unique = self.unique(name);
        self.builder.local(unique, ty, span)
    }

    fn unique(&mut self, name: &str) -> String {
        if self.used_names.insert(name.to_owned()) {
            return name.to_owned();
        }
        let number = self.numbers.entry(name.to_owned()).or_insert(1);
        loop {
            *number += 1;
            let candidate = format!("{name}.{number}");
            if self.used_names.insert(candidate.clone()) {
                return candidate;
            }
        }
    }

    pub(super) fn push(&mut self, op: Op, span: Span) {
        self.builder.push(op, span);
    }
}

/// Who starts a procedure, which decides what becomes of its preconditions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// A caller, who must establish them.
    Call,
    /// The program itself, which assumes them.
    Program,
}

impl<'a> Lowering<'a> {
    /// Lowers the procedures that are reached, in the order of the source.
    pub(super) fn lower_procedures(&mut self, threads: &[Name]) {
        let ast = self.ast;
        let mut work: Vec<(ProcId, &'a Procedure)> = Vec::new();
        for (index, decl) in ast.procedures.iter().enumerate() {
            let first =
                self.checked.symbols.procedures.get(&decl.ident.name).is_some_and(|s| s.index == index);
            if first && self.reached.procedures.contains(&decl.ident.name) {
                let empty = ProcBuilder::new(decl.ident.name.to_string(), decl.ident.span).finish();
                let id = self.program.procs.push(empty);
                self.procs.insert(decl.ident.name.clone(), id);
                work.push((id, decl));
            }
        }
        for &(_, decl) in &work {
            if let Some(body) = self.body_of(decl).1 {
                self.collect_forks(body);
            }
        }
        for &(id, decl) in &work {
            let is_thread =
                threads.contains(&decl.ident.name) && !self.reached.called.contains(&decl.ident.name);
            let start = if is_thread { Start::Program } else { Start::Call };
            if let Ok(proc) = self.procedure(decl, start) {
                self.program.procs[id] = proc;
            }
        }
        for name in threads {
            let Some(&id) = self.procs.get(name) else { continue };
            let decl = work.iter().find(|(other, _)| *other == id).map(|(_, decl)| *decl);
            let thread = match decl {
                Some(decl) if self.reached.called.contains(name) => self.starter(decl, id),
                _ => id,
            };
            self.program.threads.push(thread);
        }
    }

    fn new_frame(&mut self, decl: &'a Procedure, body: Option<&'a Body>) -> Lowered<Frame<'a>> {
        if !decl.signature.type_params.is_empty() {
            return Err(self.unsupported(decl.ident.span, "procedures with type variables"));
        }
        let mut builder = ProcBuilder::new(decl.ident.name.to_string(), decl.ident.span);
        let exit = builder.block("exit");
        let mut frame = Frame {
            builder,
            exit,
            labels: FxHashMap::default(),
            breaks: Vec::new(),
            atomic: Vec::new(),
            atomic_count: 0,
            marks: FxHashSet::default(),
            conditions: FxHashMap::default(),
            spec_names: Names::default(),
            child: None,
            used_names: ["entry", "exit"].map(str::to_owned).into_iter().collect(),
            numbers: FxHashMap::default(),
        };
        if let Some(body) = body {
            self.place_labels(&mut frame, &body.block, &mut Vec::new(), &mut 0);
        }
        self.env = Env::default();
        Ok(frame)
    }

    /// The signature and body of a procedure, which an implementation may give.
    fn body_of(&self, decl: &'a Procedure) -> (&'a Signature, Option<&'a Body>) {
        match self.checked.symbols.procedures.get(&decl.ident.name).map(|s| s.body) {
            Some(BodyRef::Implementation(index)) => {
                let implementation = &self.ast.implementations[index];
                (&implementation.signature, Some(&implementation.body))
            }
            _ => (&decl.signature, decl.body.as_ref()),
        }
    }

    fn procedure(&mut self, decl: &'a Procedure, start: Start) -> Lowered<ir::Proc> {
        let (signature, body) = self.body_of(decl);
        let mut frame = self.new_frame(decl, body)?;
        let mut names = self.signature(&mut frame, signature)?;
        frame.spec_names = self.spec_names(&mut frame, decl, signature, &names);
        match body {
            Some(body) => {
                self.local_variables(&mut frame, &body.locals, &mut names)?;
                for (their, our) in decl.signature.results.iter().zip(&signature.results) {
                    if let Some(condition) = &their.condition {
                        frame.conditions.insert(our.ident.name.clone(), (condition, true));
                    }
                }
                frame.conditions.extend(conditions(&body.locals).map(|(name, e)| (name, (e, false))));
                self.with_body(&mut frame, decl, body, start, &names);
            }
            None => self.without_body(&mut frame, decl),
        }
        let mut proc = frame.builder.finish();
        primitive::by_flag(&mut proc, &frame.marks);
        let mut proc = layout::tidy(proc);
        if attribute(&decl.attributes, "transaction").is_some() {
            transaction::mark(&mut proc);
        }
        if !self.reached.returned_from.contains(&decl.ident.name) {
            primitive::end_with_task(&mut proc);
        }
        Ok(proc)
    }

    /// Parameters and results.
    fn signature(&mut self, frame: &mut Frame<'a>, signature: &'a Signature) -> Lowered<Names> {
        let mut names = Names::default();
        for var in &signature.params {
            let ty = self.variable_type(var)?;
            let name = frame.unique(&var.ident.name);
            let id = frame.builder.param(name, ty.clone(), var.ident.span);
            names.insert(var.ident.name.clone(), (id, ty));
        }
        for var in &signature.results {
            let ty = self.variable_type(var)?;
            let name = frame.unique(&var.ident.name);
            let id = frame.builder.result(name, ty.clone(), var.ident.span);
            names.insert(var.ident.name.clone(), (id, ty));
        }
        Ok(names)
    }

    /// The names that the specification uses; an implementation may have its own.
    fn spec_names(
        &self,
        frame: &mut Frame<'a>,
        decl: &'a Procedure,
        signature: &'a Signature,
        names: &Names,
    ) -> Names {
        let theirs = decl.signature.params.iter().chain(&decl.signature.results);
        let ours = signature.params.iter().chain(&signature.results);
        let spec: Names = theirs
            .zip(ours)
            .filter_map(|(their, our)| Some((their.ident.name.clone(), names.get(&our.ident.name)?.clone())))
            .collect();
        frame.used_names.extend(spec.keys().map(ToString::to_string));
        spec
    }

    fn local_variables(
        &mut self,
        frame: &mut Frame<'a>,
        vars: &'a [Variable],
        names: &mut Names,
    ) -> Lowered<()> {
        let mut all_fine = Ok(());
        for var in vars {
            match self.variable_type(var) {
                Ok(ty) => {
                    let name = frame.unique(&var.ident.name);
                    let id = frame.builder.local(name, ty.clone(), var.ident.span);
                    names.insert(var.ident.name.clone(), (id, ty));
                }
                Err(Refused) => all_fine = Err(Refused),
            }
        }
        all_fine
    }

    fn with_body(
        &mut self,
        frame: &mut Frame<'a>,
        decl: &'a Procedure,
        body: &'a Body,
        start: Start,
        names: &Names,
    ) {
        let mut old = OldGlobals::default();
        decl.spec.ensures.iter().for_each(|clause| old.collect(&clause.formula));
        body.for_each_stmt(&mut |stmt| stmt.for_each_expr(&mut |e| old.collect(e)));
        self.take_snapshots(frame, &old, decl.ident.span);

        self.env.locals.clone_from(&frame.spec_names);
        if start == Start::Program {
            self.assume_global_conditions(frame);
        }
        for clause in &decl.spec.requires {
            self.precondition(frame, decl, clause, start == Start::Call);
        }
        let signature = &decl.signature;
        for (_, condition) in conditions(&signature.params).chain(conditions(&signature.results)) {
            self.assume(frame, condition, condition.span);
        }
        self.env.locals.clone_from(names);
        for (_, condition) in conditions(&body.locals) {
            self.assume(frame, condition, condition.span);
        }

        self.block(frame, &body.block);
        frame.push(Op::Goto(frame.exit), body.block.span);

        frame.builder.switch_to(frame.exit);
        self.env.locals.clone_from(&frame.spec_names);
        for clause in &decl.spec.ensures {
            self.postcondition(frame, decl, clause);
        }
        frame.push(Op::Return, end_of(body.block.span));
    }

    /// A procedure that starts the program and is called as well: its start assumes what its callers must show.
    fn starter(&mut self, decl: &'a Procedure, callee: ProcId) -> ProcId {
        let Ok(mut frame) = self.new_frame(decl, None) else { return callee };
        frame.builder = ProcBuilder::new(format!("$start.{}", decl.ident.name), decl.ident.span);
        let Ok(names) = self.signature(&mut frame, &decl.signature) else { return callee };
        self.env.locals = names;
        self.assume_global_conditions(&mut frame);
        for clause in &decl.spec.requires {
            self.precondition(&mut frame, decl, clause, false);
        }
        let (params, results) = (frame.builder.proc().params.clone(), frame.builder.proc().results.clone());
        let args = params
            .into_iter()
            .map(|id| {
                let ty = frame.builder.proc().locals[id].ty.clone();
                self.program.exprs.add(ExprNode::Local(id, ty))
            })
            .collect();
        let results = results.into_iter().map(Place::local).collect();
        frame.push(Op::Call { proc: callee, args, results }, decl.ident.span);
        self.program.procs.push(frame.builder.finish())
    }

    /// Copies the globals that occur under `old`, in one step.
    pub(super) fn take_snapshots(&mut self, frame: &mut Frame<'a>, old: &OldGlobals, span: Span) {
        let (mut targets, mut values) = (Vec::new(), Vec::new());
        for name in &old.names {
            let Some((global, ty)) = self.globals.get(name).cloned() else { continue };
            if ty.sync_inside().is_some() {
                continue;
            }
            let local = frame.fresh_local(&format!("old.{name}"), ty, span);
            self.env.snapshots.insert(name.clone(), local);
            targets.push(Place::local(local));
            values.push(self.global_value(global));
        }
        if !targets.is_empty() {
            frame.push(Op::Assign { targets, values, order: AccessOrder::Plain }, span);
        }
    }

    /// `where` clauses of globals hold when the program starts.
    fn assume_global_conditions(&mut self, frame: &mut Frame<'a>) {
        let ast = self.ast;
        let locals = std::mem::take(&mut self.env.locals);
        for (index, global) in ast.globals.iter().enumerate() {
            let symbol = self.checked.symbols.globals.get(&global.ident.name);
            if let Some(condition) = &global.condition
                && symbol.is_some_and(|s| s.index == index)
                && self.globals.contains_key(&global.ident.name)
            {
                if self.reached.threads > 1 {
                    self.unsupported(
                        condition.span,
                        "`where` on a global when several threads start at once",
                    );
                } else {
                    self.assume(frame, condition, condition.span);
                }
            }
        }
        self.env.locals = locals;
    }

    pub(super) fn assume(&mut self, frame: &mut Frame<'a>, condition: &'a Expr, span: Span) {
        if let Ok(condition) = self.expr(condition) {
            frame.push(Op::Assume(condition), span);
        }
    }

    fn precondition(
        &mut self,
        frame: &mut Frame<'a>,
        decl: &Procedure,
        clause: &'a Condition,
        checked: bool,
    ) {
        let what = format!("precondition of `{}`", decl.ident.name);
        self.clause(frame, clause, &what, checked && !clause.free);
    }

    fn postcondition(&mut self, frame: &mut Frame<'a>, decl: &Procedure, clause: &'a Condition) {
        let what = format!("postcondition of `{}`", decl.ident.name);
        self.clause(frame, clause, &what, !clause.free);
    }

    /// Preconditions of a procedure without a body are checked too.
    pub(super) fn called_precondition(
        &mut self,
        frame: &mut Frame<'a>,
        decl: &Procedure,
        clause: &'a Condition,
    ) {
        self.precondition(frame, decl, clause, true);
    }
}

/// The last character of a span: where control leaves a body.
fn end_of(span: Span) -> Span {
    span.file().map_or(span, |file| Span::new(file, span.end().saturating_sub(1), span.end()))
}

/// Variables that have `where` clauses.
fn conditions(vars: &[Variable]) -> impl Iterator<Item = (Name, &Expr)> {
    vars.iter().filter_map(|v| Some((v.ident.name.clone(), v.condition.as_ref().map(Arc::as_ref)?)))
}

/// Names that occur under `old`, in the order they are found.
#[derive(Debug, Default)]
pub(super) struct OldGlobals {
    names: indexmap::IndexSet<Name>,
}

impl OldGlobals {
    pub(super) fn collect(&mut self, expr: &Expr) {
        expr.for_each(&mut |e| {
            if let ExprKind::Old(inside) = &e.kind {
                inside.for_each(&mut |e| {
                    if let ExprKind::Name(name) = &e.kind {
                        self.names.insert(name.clone());
                    }
                });
            }
        });
    }
}
