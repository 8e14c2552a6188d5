//! Ops as text.

use std::fmt::Write;

use super::expr::ExprWriter;
use super::write_proc_name;
use crate::text::name::{write_name, write_quoted};
use crate::{AccessOrder, AssertKind, BlockId, ExprId, Op, Place, Proc, ProcId, Program, SyncOp};

pub(super) fn write_op<'a>(
    out: &mut String,
    program: &'a Program,
    proc: &'a Proc,
    exprs: &mut ExprWriter<'a>,
    op: &Op,
) {
    let mut w = OpWriter { out, program, proc, exprs };
    w.op(op);
    out.push(';');
}

pub(super) fn write_label(out: &mut String, proc: &Proc, id: BlockId) {
    match proc.blocks.get(id) {
        Some(block) => write_name(out, &block.name, |_| false),
        None => {
            let _ = write!(out, "?{id}");
        }
    }
}

struct OpWriter<'o, 'e, 'a> {
    out: &'o mut String,
    program: &'a Program,
    proc: &'a Proc,
    exprs: &'e mut ExprWriter<'a>,
}

impl OpWriter<'_, '_, '_> {
    fn op(&mut self, op: &Op) {
        match op {
            Op::Assign { targets, values, order } => {
                if *order == AccessOrder::Atomic {
                    self.word("atomic ");
                }
                if targets.is_empty() && values.is_empty() {
                    self.word("skip");
                } else {
                    self.assignment(targets, values);
                }
            }
            Op::Havoc { targets } if targets.is_empty() => self.word("havoc"),
            Op::Havoc { targets } => {
                self.word("havoc ");
                self.places(targets);
            }
            Op::Assume(cond) => self.with("assume ", *cond),
            Op::Await { guard, targets, values } => {
                self.with("await ", *guard);
                if !targets.is_empty() || !values.is_empty() {
                    self.word(" then ");
                    self.assignment(targets, values);
                }
            }
            Op::Assert { cond, kind, message } => {
                self.with(if *kind == AssertKind::Memory { "assert.memory " } else { "assert " }, *cond);
                if !message.is_empty() {
                    self.word(" ");
                    write_quoted(self.out, message, '"');
                }
            }
            Op::Call { proc, args, results } => {
                self.word("call ");
                self.results(results);
                self.run(*proc, args);
            }
            Op::Spawn { proc, args, handle } => {
                self.results(handle.as_slice());
                self.word("spawn ");
                self.run(*proc, args);
            }
            Op::Wait { task, results } => {
                self.results(results);
                self.with("wait ", *task);
            }
            Op::AtomicBegin => self.word("begin atomic"),
            Op::AtomicEnd => self.word("end atomic"),
            Op::Yield => self.word("yield"),
            Op::Progress => self.word("progress"),
            Op::TransactionBegin => self.word("begin transaction"),
            Op::TransactionEnd => self.word("end transaction"),
            Op::Sync(sync) => self.sync(sync),
            Op::Opaque { targets, what } => {
                self.word("opaque ");
                self.places(targets);
                self.word(if targets.is_empty() { "" } else { " " });
                write_quoted(self.out, what, '"');
            }
            Op::Goto(block) => self.jump("goto ", *block),
            Op::Branch { cond, then, otherwise } => {
                self.with("branch ", *cond);
                self.jump(" then ", *then);
                self.jump(" else ", *otherwise);
            }
            Op::Choose { targets, fair } => {
                self.word("choose");
                for (index, target) in targets.iter().enumerate() {
                    self.jump(if index > 0 { ", " } else { " " }, *target);
                }
                if let Some(fair) = fair.and_then(|fair| targets.get(fair)) {
                    self.jump(" fair ", *fair);
                }
            }
            Op::Return => self.word("return"),
            Op::Exit => self.word("exit"),
        }
    }

    fn sync(&mut self, sync: &SyncOp) {
        self.results(sync.result.as_slice());
        self.word(sync.kind.keyword());
        self.word(" ");
        self.exprs.write_place(self.out, &sync.object);
        if let Some(mutex) = &sync.mutex {
            self.word(" ");
            self.exprs.write_place(self.out, mutex);
        }
        if let Some(value) = sync.value {
            self.with(" ", value);
        }
    }

    fn word(&mut self, word: &str) {
        self.out.push_str(word);
    }

    fn with(&mut self, word: &str, expr: ExprId) {
        self.word(word);
        self.exprs.write(self.out, expr);
    }

    fn jump(&mut self, word: &str, target: BlockId) {
        self.word(word);
        write_label(self.out, self.proc, target);
    }

    fn run(&mut self, callee: ProcId, args: &[ExprId]) {
        write_proc_name(self.out, self.program, callee);
        self.word("(");
        self.values(args);
        self.word(")");
    }

    fn results(&mut self, results: &[Place]) {
        if !results.is_empty() {
            self.places(results);
            self.word(" := ");
        }
    }

    fn assignment(&mut self, targets: &[Place], values: &[ExprId]) {
        self.places(targets);
        self.word(" := ");
        self.values(values);
    }

    fn places(&mut self, places: &[Place]) {
        for (index, place) in places.iter().enumerate() {
            self.word(if index > 0 { ", " } else { "" });
            self.exprs.write_place(self.out, place);
        }
    }

    fn values(&mut self, values: &[ExprId]) {
        for (index, value) in values.iter().enumerate() {
            self.with(if index > 0 { ", " } else { "" }, *value);
        }
    }
}
