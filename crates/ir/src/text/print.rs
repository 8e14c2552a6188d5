//! Writes programs as text. Total: an invalid program is written as far as it makes sense, unknown ids with a
//! question mark.

mod expr;
mod measure;
mod op;
mod sharing;

use std::fmt::Write;

use super::name::write_name;
use super::operator::is_function_name;
use super::types::write_type;
use crate::{ExprId, Op, Proc, ProcId, Program, Type};
use expr::{ExprWriter, Outer};
use measure::Measures;

/// The text of a program.
#[must_use]
pub fn print(program: &Program) -> String {
    Printer::new(program).program()
}

/// Writes parts of one program. Making it takes time linear in the program; writing a part, linear
/// in the part and the locals of its procedure.
pub struct Printer<'a> {
    program: &'a Program,
    measures: Measures,
    outer: Outer<'a>,
}

impl<'a> Printer<'a> {
    /// A printer of parts of `program`.
    #[must_use]
    pub fn new(program: &'a Program) -> Self {
        Printer { program, measures: Measures::new(&program.exprs), outer: Outer::new(program) }
    }

    fn exprs<'p>(&'p self, proc: Option<&'p Proc>) -> ExprWriter<'p> {
        ExprWriter::new(self.program, &self.measures, &self.outer, proc)
    }

    /// The text of an expression of a procedure, or of one that uses no locals.
    #[must_use]
    pub fn expr(&self, proc: Option<ProcId>, expr: ExprId) -> String {
        let mut out = String::new();
        let proc = proc.and_then(|id| self.program.procs.get(id));
        self.exprs(proc).write(&mut out, expr);
        out
    }

    /// The text of an op of a procedure, on one line and with its semicolon.
    #[must_use]
    pub fn op(&self, proc: ProcId, op: &Op) -> String {
        let mut out = String::new();
        if let Some(proc) = self.program.procs.get(proc) {
            let mut exprs = self.exprs(Some(proc));
            op::write_op(&mut out, self.program, proc, &mut exprs, op);
        }
        out
    }

    fn program(&self) -> String {
        let program = self.program;
        let mut out = "program;\n".to_owned();
        for sort in program.sorts.values() {
            out.push_str("sort ");
            write_name(&mut out, &sort.name, super::name::is_type_word);
            out.push_str(";\n");
        }
        for constant in program.consts.values() {
            out.push_str(if constant.unique { "const unique " } else { "const " });
            self.declared(&mut out, &constant.name, &constant.ty);
            out.push_str(";\n");
        }
        self.functions(&mut out);
        let mut exprs = self.exprs(None);
        for axiom in &program.axioms {
            out.push_str("axiom ");
            exprs.write(&mut out, axiom.formula);
            out.push_str(";\n");
        }
        for global in program.globals.values() {
            out.push_str("var ");
            self.declared(&mut out, &global.name, &global.ty);
            if let Some(init) = global.init {
                out.push_str(" = ");
                exprs.write(&mut out, init);
            }
            out.push_str(";\n");
        }
        for &thread in &program.threads {
            out.push_str("thread ");
            write_proc_name(&mut out, program, thread);
            out.push_str(";\n");
        }
        for proc in program.procs.values() {
            self.procedure(&mut out, proc);
        }
        out
    }

    fn functions(&self, out: &mut String) {
        for func in self.program.funcs.values() {
            out.push_str("func ");
            write_name(out, &func.name, is_function_name);
            out.push('(');
            for (index, (name, ty)) in func.params.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                self.declared(out, name, ty);
            }
            out.push_str("): ");
            write_type(out, self.program, &func.result);
            if let Some(body) = func.body {
                out.push_str(" = ");
                let mut exprs = self.exprs(None);
                exprs.bind(func.params.iter().map(|(name, _)| name.as_str()));
                exprs.write(out, body);
            }
            out.push_str(";\n");
        }
    }

    fn declared(&self, out: &mut String, name: &str, ty: &Type) {
        write_name(out, name, |_| false);
        out.push_str(": ");
        write_type(out, self.program, ty);
    }

    fn procedure(&self, out: &mut String, proc: &Proc) {
        out.push_str("\nproc ");
        write_name(out, &proc.name, |_| false);
        let list = |out: &mut String, locals: &[crate::LocalId]| {
            out.push('(');
            for (index, id) in locals.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                match proc.locals.get(*id) {
                    Some(local) => self.declared(out, &local.name, &local.ty),
                    None => {
                        let _ = write!(out, "?{id}");
                    }
                }
            }
            out.push(')');
        };
        list(out, &proc.params);
        if !proc.results.is_empty() {
            out.push_str(" returns ");
            list(out, &proc.results);
        }
        out.push_str(" {\n");
        let in_head: rustc_hash::FxHashSet<_> = proc.params.iter().chain(&proc.results).copied().collect();
        for (id, local) in &proc.locals {
            if !in_head.contains(&id) {
                out.push_str("  local ");
                self.declared(out, &local.name, &local.ty);
                out.push_str(";\n");
            }
        }
        if proc.blocks.keys().next().is_some_and(|first| first != proc.entry) {
            out.push_str("  entry ");
            op::write_label(out, proc, proc.entry);
            out.push_str(";\n");
        }
        let mut exprs = self.exprs(Some(proc));
        for block in proc.blocks.values() {
            write_name(out, &block.name, |_| false);
            out.push_str(":\n");
            for stmt in &block.stmts {
                out.push_str("  ");
                op::write_op(out, self.program, proc, &mut exprs, &stmt.op);
                out.push('\n');
            }
        }
        out.push_str("}\n");
    }
}

fn write_proc_name(out: &mut String, program: &Program, id: ProcId) {
    match program.procs.get(id) {
        Some(proc) => write_name(out, &proc.name, |_| false),
        None => {
            let _ = write!(out, "?{id}");
        }
    }
}
