//! Procedures: heads, blocks, statements.

use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;
use source::Span;

use super::names::Table;
use super::{Parsed, Parser};
use crate::text::lex::Kind;
use crate::{Block, BlockId, Local, LocalId, Proc, ProcId, Stmt, Type};

/// A procedure whose name is known and whose blocks are not read yet.
#[derive(Clone, Copy)]
pub(super) struct Head {
    proc: ProcId,
    /// Between the braces.
    from: usize,
    to: usize,
}

/// The labels of the procedure that is being read.
#[derive(Default)]
pub(super) struct Labels {
    pub(super) table: Table<BlockId>,
    at: FxHashMap<usize, BlockId>,
}

impl Parser<'_> {
    pub(super) fn procedure_head(&mut self) -> Parsed<Head> {
        let (name, span) = self.declared_name("a procedure")?;
        self.cursor.expect("(")?;
        let params = self.typed_names("a parameter")?;
        let results = if self.cursor.take_word("returns") {
            self.cursor.expect("(")?;
            self.typed_names("a result")?
        } else {
            Vec::new()
        };
        self.cursor.expect("{")?;
        let mut locals = PrimaryMap::new();
        let mut add = |all: Vec<(String, Type, Span)>| -> Vec<LocalId> {
            all.into_iter().map(|(name, ty, span)| locals.push(Local { name, ty, span })).collect()
        };
        let (params, results) = (add(params), add(results));
        let entry = BlockId::from_u32(0);
        let proc =
            Proc { name: name.clone(), params, results, locals, blocks: PrimaryMap::new(), entry, span };
        let proc = self.program.procs.push(proc);
        self.names.procs.declare(&mut self.cursor, "procedure", &name, proc, span);
        // The part ends behind the closing brace, unless that is missing.
        Ok(Head { proc, from: self.cursor.at(), to: self.cursor.end() })
    }

    pub(super) fn procedure_body(&mut self, head: Head) {
        self.names.forget_locals();
        for (id, local) in &self.program.procs[head.proc].locals {
            self.names.locals.declare(&mut self.cursor, "local", &local.name, id, local.span);
            self.names.local_types.push(local.ty.clone());
        }
        self.cursor.enter(head.from, head.to);
        if *self.cursor.kind_at(self.cursor.end().wrapping_sub(1)) == Kind::Symbol("}") {
            self.cursor.enter(head.from, head.to - 1);
        } else {
            self.cursor.enter(head.to, head.to);
            let _ = self.cursor.expected("`}` at the end of the procedure");
            return;
        }
        while self.cursor.is_word("local") && *self.cursor.peek(1) != Kind::Symbol(":") {
            if self.local(head.proc).is_err() {
                self.cursor.skip_statement();
            }
        }
        let labels = self.labels(head.proc);
        let named_entry = self.cursor.is_word("entry") && *self.cursor.peek(1) != Kind::Symbol(":");
        if named_entry && self.entry(head.proc, &labels).is_err() {
            self.cursor.skip_statement();
        }
        self.blocks(head.proc, &labels);
        self.names.forget_locals();
    }

    fn local(&mut self, proc: ProcId) -> Parsed<()> {
        self.cursor.skip();
        let (name, ty, span) = self.typed_name("a local")?;
        self.cursor.expect(";")?;
        let local = Local { name: name.clone(), ty: ty.clone(), span };
        let id = self.program.procs[proc].locals.push(local);
        self.names.local_types.push(ty);
        self.names.locals.declare(&mut self.cursor, "local", &name, id, span);
        Ok(())
    }

    fn entry(&mut self, proc: ProcId, labels: &Labels) -> Parsed<()> {
        self.cursor.skip();
        self.program.procs[proc].entry = self.label(labels)?;
        self.cursor.expect(";")
    }

    /// Finds all labels: a name before a colon where a statement can start.
    fn labels(&mut self, proc: ProcId) -> Labels {
        let mut labels = Labels::default();
        let (from, to) = (self.cursor.at(), self.cursor.end());
        for at in from..to {
            let starts = matches!(self.cursor.kind_at(at.wrapping_sub(1)), Kind::Symbol(";" | "{" | ":"));
            if !starts || *self.cursor.kind_at(at + 1) != Kind::Symbol(":") {
                continue;
            }
            let name = match self.cursor.kind_at(at) {
                Kind::Word(word) => (*word).to_owned(),
                Kind::Quoted(name) => name.clone(),
                _ => continue,
            };
            self.cursor.enter(at, to);
            let span = self.cursor.span();
            let block = Block { name: name.clone(), stmts: Vec::new() };
            let id = self.program.procs[proc].blocks.push(block);
            labels.table.declare(&mut self.cursor, "block", &name, id, span);
            labels.at.insert(at, id);
        }
        self.cursor.enter(from, to);
        labels
    }

    fn blocks(&mut self, proc: ProcId, labels: &Labels) {
        let mut current = None;
        if *self.cursor.kind() == Kind::End {
            let _ = self.cursor.expected("a label such as `entry:`");
        }
        while *self.cursor.kind() != Kind::End && !self.cursor.gave_up() {
            let from = self.cursor.at();
            if let Some(block) = labels.at.get(&from) {
                current = Some(*block);
                self.cursor.skip();
                self.cursor.skip();
                continue;
            }
            let Some(block) = current else {
                let _ = self.cursor.expected("a label such as `entry:`");
                return;
            };
            match self.op(labels) {
                Ok(op) => {
                    let span = self.cursor.span_from(from);
                    if self.cursor.expect(";").is_ok() {
                        self.program.procs[proc].blocks[block].stmts.push(Stmt { op, span });
                    } else {
                        self.cursor.skip_statement();
                    }
                }
                Err(_) => {
                    self.names.unbind(0);
                    self.cursor.skip_statement();
                }
            }
        }
    }

    pub(super) fn label(&mut self, labels: &Labels) -> Parsed<BlockId> {
        let span = self.cursor.span();
        let name = self.cursor.name("a label")?;
        match labels.table.get(&name) {
            Some(id) => Ok(id),
            None => Err(self.cursor.error(span, format!("unknown label `{name}`"))),
        }
    }

    pub(super) fn proc_name(&mut self) -> Parsed<ProcId> {
        let span = self.cursor.span();
        let name = self.cursor.name("the name of a procedure")?;
        match self.names.procs.get(&name) {
            Some(id) => Ok(id),
            None => Err(self.cursor.error(span, format!("unknown procedure `{name}`"))),
        }
    }
}
