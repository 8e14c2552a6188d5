//! Builds procedures block by block.

use cranelift_entity::PrimaryMap;
use source::Span;

use crate::{Block, BlockId, Local, LocalId, Op, Proc, Stmt, Type};

/// A procedure under construction. Ops go to the current block; once that has its terminator, further ops are
/// unreachable and are dropped, so that frontends need not track whether code after a `return` is live.
#[derive(Debug)]
pub struct ProcBuilder {
    proc: Proc,
    current: BlockId,
}

impl ProcBuilder {
    /// A procedure with an empty entry block, which is current.
    #[must_use]
    pub fn new(name: impl Into<String>, span: Span) -> Self {
        let mut blocks = PrimaryMap::new();
        let entry = blocks.push(Block { name: "entry".to_owned(), stmts: Vec::new() });
        let proc = Proc {
            name: name.into(),
            params: Vec::new(),
            results: Vec::new(),
            locals: PrimaryMap::new(),
            blocks,
            entry,
            span,
        };
        ProcBuilder { proc, current: entry }
    }

    /// Adds a parameter.
    pub fn param(&mut self, name: impl Into<String>, ty: Type, span: Span) -> LocalId {
        let id = self.local(name, ty, span);
        self.proc.params.push(id);
        id
    }

    /// Adds a result.
    pub fn result(&mut self, name: impl Into<String>, ty: Type, span: Span) -> LocalId {
        let id = self.local(name, ty, span);
        self.proc.results.push(id);
        id
    }

    /// Adds a local variable.
    pub fn local(&mut self, name: impl Into<String>, ty: Type, span: Span) -> LocalId {
        self.proc.locals.push(Local { name: name.into(), ty, span })
    }

    /// Adds an empty block; it is not current until [`ProcBuilder::switch_to`].
    pub fn block(&mut self, name: impl Into<String>) -> BlockId {
        self.proc.blocks.push(Block { name: name.into(), stmts: Vec::new() })
    }

    /// Makes a block current.
    pub fn switch_to(&mut self, block: BlockId) {
        self.current = block;
    }

    /// The current block.
    #[must_use]
    pub fn current(&self) -> BlockId {
        self.current
    }

    /// Whether the current block has its terminator.
    #[must_use]
    pub fn is_terminated(&self) -> bool {
        self.proc.blocks[self.current].stmts.last().is_some_and(|s| s.op.is_terminator())
    }

    /// Adds an op to the current block.
    pub fn push(&mut self, op: Op, span: Span) {
        if !self.is_terminated() {
            self.proc.blocks[self.current].stmts.push(Stmt { op, span });
        }
    }

    /// The procedure so far.
    #[must_use]
    pub fn proc(&self) -> &Proc {
        &self.proc
    }

    /// The finished procedure; blocks that were left open return.
    #[must_use]
    pub fn finish(mut self) -> Proc {
        let span = self.proc.span;
        for block in self.proc.blocks.values_mut() {
            if !block.stmts.last().is_some_and(|s| s.op.is_terminator()) {
                block.stmts.push(Stmt { op: Op::Return, span });
            }
        }
        self.proc
    }
}
