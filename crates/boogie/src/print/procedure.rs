//! Procedures: heads, what they modify, local variables, blocks.

use std::collections::BTreeSet;
use std::fmt::Write;

use cranelift_entity::SecondaryMap;
use ir::{BlockId, ExprId, GlobalId, LocalId, Op, OpRef, PlaceBase, ProcId, Program, Type};
use rustc_hash::FxHashMap;
use source::Span;

use super::expr::ExprWriter;
use super::name::Taken;
use super::{Printed, Printer};

/// The body of a procedure as far as it is written.
pub(super) struct Body<'p, 'a> {
    pub(super) printer: &'p mut Printer<'a>,
    pub(super) proc: ProcId,
    /// Whether the program starts here.
    pub(super) is_entry: bool,
    pub(super) taken: Taken,
    /// Variables that the procedure did not have.
    pub(super) new_locals: Vec<(String, Type)>,
    /// Parts of the expressions of the current op.
    pub(super) parts: FxHashMap<ExprId, String>,
    pub(super) span: Span,
    pub(super) lines: String,
}

impl Printer<'_> {
    /// All procedures, the entry first.
    pub(super) fn procedures(&mut self, entry: ProcId) -> Printed<()> {
        let program = self.program;
        let mut modified = modified(program);
        for (id, global) in &program.globals {
            if global.init.is_some() {
                modified[entry].insert(id);
            }
        }
        let called = program
            .procs
            .values()
            .flat_map(ir::Proc::stmts)
            .any(|(.., stmt)| matches!(stmt.op, Op::Call { proc, .. } if proc == entry));
        if called {
            self.caller_of(entry, &modified[entry])?;
        } else {
            self.procedure(entry, true, &modified[entry])?;
        }
        for id in program.procs.keys().filter(|&id| called || id != entry) {
            self.procedure(id, false, &modified[id])?;
        }
        Ok(())
    }

    fn procedure(&mut self, id: ProcId, is_entry: bool, modified: &BTreeSet<GlobalId>) -> Printed<()> {
        let proc = &self.program.procs[id];
        let mut body = Body::new(self, id, is_entry);
        if is_entry {
            let first = body.printer.names.labels[id].like("initially", &[]);
            body.label(&first);
            body.initial_values()?;
            let start = body.printer.names.blocks[id][proc.entry].clone();
            body.line(&format!("goto {start};"), None);
        }
        let others = proc.blocks.keys().filter(|&block| block != proc.entry);
        for block in std::iter::once(proc.entry).chain(others) {
            body.block(block)?;
        }
        let (new_locals, lines) = (body.new_locals, body.lines);
        let attribute = if is_entry { "{:entrypoint} " } else { "" };
        let head = |ids: &[LocalId]| -> Printed<String> {
            let named = |&local: &LocalId| {
                let ty = self.ty(&proc.locals[local].ty, proc.span)?;
                Ok(format!("{}: {ty}", self.names.locals[id][local]))
            };
            Ok(ids.iter().map(named).collect::<Printed<Vec<_>>>()?.join(", "))
        };
        let (params, results) = (head(&proc.params)?, head(&proc.results)?);
        let returns = if results.is_empty() { String::new() } else { format!(" returns ({results})") };
        let mut text = format!("\nprocedure {attribute}{}({params}){returns}\n", self.names.procs[id]);
        text.push_str(&self.modifies(modified));
        text.push_str("{\n");
        for (local, data) in &proc.locals {
            if !proc.params.contains(&local) && !proc.results.contains(&local) {
                let ty = self.ty(&data.ty, data.span)?;
                let _ = writeln!(text, "  var {}: {ty};", self.names.locals[id][local]);
            }
        }
        for (name, ty) in &new_locals {
            let _ = writeln!(text, "  var {name}: {};", self.ty(ty, proc.span)?);
        }
        text.push_str(&lines);
        text.push_str("}\n");
        self.out.push_str(&text);
        Ok(())
    }

    /// Starts a procedure that others call, too: only the first activation has initial values.
    fn caller_of(&mut self, id: ProcId, modified: &BTreeSet<GlobalId>) -> Printed<()> {
        let proc = &self.program.procs[id];
        let mut body = Body::new(self, id, true);
        // The variables of the procedure itself are not needed here.
        body.taken = body.printer.names.outer.clone();
        body.initial_values()?;
        let new = |ids: &[LocalId], body: &mut Body<'_, '_>| {
            ids.iter().map(|&local| body.new_local("any", &proc.locals[local].ty)).collect::<Vec<_>>()
        };
        let (args, results) = (new(&proc.params, &mut body), new(&proc.results, &mut body));
        let name = body.printer.names.procs[id].clone();
        let results = if results.is_empty() { String::new() } else { format!("{} := ", results.join(", ")) };
        body.line(&format!("call {results}{name}({});", args.join(", ")), None);
        body.end(None);
        let (new_locals, lines) = (body.new_locals, body.lines);
        let entry = self.names.callable.give("entry");
        let mut text = format!("\nprocedure {{:entrypoint}} {entry}()\n");
        text.push_str(&self.modifies(modified));
        text.push_str("{\n");
        for (name, ty) in &new_locals {
            let _ = writeln!(text, "  var {name}: {};", self.ty(ty, proc.span)?);
        }
        text.push_str(&lines);
        text.push_str("}\n");
        self.out.push_str(&text);
        Ok(())
    }

    fn modifies(&self, modified: &BTreeSet<GlobalId>) -> String {
        if modified.is_empty() {
            return String::new();
        }
        let names: Vec<&str> = modified.iter().map(|&id| self.names.globals[id].as_str()).collect();
        format!("  modifies {};\n", names.join(", "))
    }
}

impl<'p, 'a> Body<'p, 'a> {
    fn new(printer: &'p mut Printer<'a>, proc: ProcId, is_entry: bool) -> Body<'p, 'a> {
        let (taken, span) = (printer.names.inner[proc].clone(), printer.program.procs[proc].span);
        Body {
            printer,
            proc,
            is_entry,
            taken,
            new_locals: Vec::new(),
            parts: FxHashMap::default(),
            span,
            lines: String::new(),
        }
    }

    fn initial_values(&mut self) -> Printed<()> {
        let program = self.printer.program;
        for (id, global) in &program.globals {
            if let Some(init) = global.init {
                self.span = global.span;
                self.prepare(&[init])?;
                let value = self.expr(init)?;
                let name = self.printer.names.globals[id].clone();
                self.line(&format!("{name} := {value};"), None);
            }
        }
        Ok(())
    }

    fn block(&mut self, block: BlockId) -> Printed<()> {
        let program = self.printer.program;
        let name = self.printer.names.blocks[self.proc][block].clone();
        self.label(&name);
        for (index, stmt) in program.procs[self.proc].blocks[block].stmts.iter().enumerate() {
            let note = (self.printer.note)(OpRef { proc: self.proc, block, index });
            self.span = stmt.span;
            self.parts.clear();
            self.op(&stmt.op, note.as_deref())?;
        }
        Ok(())
    }

    fn label(&mut self, name: &str) {
        let _ = writeln!(self.lines, "{name}:");
    }

    /// A statement, with what is to be said of it.
    pub(super) fn line(&mut self, text: &str, note: Option<&str>) {
        let _ = match note {
            Some(note) => {
                let note: String = note.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
                let space = if text.is_empty() { "" } else { "  " };
                writeln!(self.lines, "  {text}{space}// {}", note.trim_end())
            }
            None => writeln!(self.lines, "  {text}"),
        };
    }

    /// A new variable.
    pub(super) fn new_local(&mut self, like: &str, ty: &Type) -> String {
        let number = self.new_locals.len() + 1;
        let name = self.taken.give(&format!("{like}.{number}"));
        self.new_locals.push((name.clone(), ty.clone()));
        name
    }

    /// Computes the parts of large expressions.
    pub(super) fn prepare(&mut self, exprs: &[ExprId]) -> Printed<()> {
        let program = self.printer.program;
        for &root in exprs {
            for part in self.printer.sizes.parts(&program.exprs, root) {
                if self.parts.contains_key(&part) {
                    continue;
                }
                let value = self.expr(part)?;
                let name = self.new_local("part", program.exprs.ty(part));
                self.line(&format!("{name} := {value};"), None);
                self.parts.insert(part, name);
            }
        }
        Ok(())
    }

    /// The text of an expression whose parts were computed.
    pub(super) fn expr(&mut self, id: ExprId) -> Printed<String> {
        self.printer.sizes.check_split(id, self.span)?;
        let mut writer = ExprWriter {
            program: self.printer.program,
            names: &self.printer.names,
            operators: &mut self.printer.operators,
            proc: Some(self.proc),
            scope: &self.taken,
            parts: &self.parts,
            span: self.span,
            bound: Vec::new(),
            indices: Vec::new(),
        };
        writer.write(id)
    }
}

/// The globals that each procedure assigns, itself or through others.
fn modified(program: &Program) -> SecondaryMap<ProcId, BTreeSet<GlobalId>> {
    let mut modified: SecondaryMap<ProcId, BTreeSet<GlobalId>> = SecondaryMap::new();
    let mut callers: SecondaryMap<ProcId, BTreeSet<ProcId>> = SecondaryMap::new();
    for (id, proc) in &program.procs {
        for (.., stmt) in proc.stmts() {
            if let Op::Call { proc: callee, .. } = stmt.op {
                callers[callee].insert(id);
            }
            stmt.op.for_each_target(|place| {
                if let PlaceBase::Global(global) = place.base {
                    modified[id].insert(global);
                }
            });
        }
    }
    let mut work: Vec<ProcId> = program.procs.keys().collect();
    while let Some(callee) = work.pop() {
        for &caller in &callers[callee] {
            let before = modified[caller].len();
            let new = modified[callee].clone();
            modified[caller].extend(new);
            if modified[caller].len() > before {
                work.push(caller);
            }
        }
    }
    modified
}
