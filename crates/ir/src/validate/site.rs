//! Where in a program something is wrong.

use source::Span;

use crate::{BlockId, ConstId, FuncId, GlobalId, LocalId, ProcId, Program, SortId};

/// A place in a program; told in words only once something is wrong there.
#[derive(Clone, Copy, Debug)]
pub(super) enum Site {
    Program,
    Sort(SortId),
    Const(ConstId),
    Func(FuncId),
    Axiom(usize),
    Global(GlobalId),
    Proc(ProcId),
    Local(ProcId, LocalId),
    Block(ProcId, BlockId),
    Op(ProcId, BlockId, usize),
}

impl Site {
    pub(super) fn describe(self, program: &Program) -> String {
        match self {
            Site::Program => "program".to_owned(),
            Site::Sort(id) => format!("sort {}", program.sorts[id].name),
            Site::Const(id) => format!("const {}", program.consts[id].name),
            Site::Func(id) => format!("func {}", program.funcs[id].name),
            Site::Axiom(index) => format!("axiom {}", index + 1),
            Site::Global(id) => format!("var {}", program.globals[id].name),
            Site::Proc(id) => format!("proc {}", program.procs[id].name),
            Site::Local(proc, id) => {
                let proc = &program.procs[proc];
                format!("proc {}, local {}", proc.name, proc.locals[id].name)
            }
            Site::Block(proc, id) => {
                let proc = &program.procs[proc];
                format!("proc {}, block {}", proc.name, proc.blocks[id].name)
            }
            Site::Op(proc, id, index) => {
                let proc = &program.procs[proc];
                format!("proc {}, block {}, op {}", proc.name, proc.blocks[id].name, index + 1)
            }
        }
    }

    pub(super) fn span(self, program: &Program) -> Span {
        match self {
            Site::Program => Span::NONE,
            Site::Sort(id) => program.sorts[id].span,
            Site::Const(id) => program.consts[id].span,
            Site::Func(id) => program.funcs[id].span,
            Site::Axiom(index) => program.axioms[index].span,
            Site::Global(id) => program.globals[id].span,
            Site::Proc(id) => program.procs[id].span,
            Site::Local(proc, id) => program.procs[proc].locals[id].span,
            Site::Block(proc, id) => {
                let proc = &program.procs[proc];
                proc.blocks[id].stmts.first().map_or(proc.span, |stmt| stmt.span)
            }
            Site::Op(proc, block, index) => program.procs[proc].blocks[block].stmts[index].span,
        }
    }
}
