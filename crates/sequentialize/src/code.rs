//! A procedure of the sequential program under construction.

use cranelift_entity::PrimaryMap;
use ir::{
    AccessOrder, BinaryOp, Block, BlockId, ExprId, ExprNode, GlobalId, Local, LocalId, Op, OpRef, Place,
    Proc, ProcId, Stmt, Type,
};
use rustc_hash::FxHashSet;
use source::Span;

use crate::Mark;
use crate::context::Context;

/// Ops go to the current block, and stand for the op `origin`.
pub(crate) struct Code<'c, 'p> {
    pub(crate) cx: &'c mut Context<'p>,
    id: ProcId,
    proc: Proc,
    current: BlockId,
    pub(crate) origin: Option<OpRef>,
    /// The op of the expanded program that begins with the next op.
    pub(crate) begins: Option<OpRef>,
    pub(crate) span: Span,
    labels: FxHashSet<String>,
    names: FxHashSet<String>,
    /// Where tasks go that see the end of the program; made when needed.
    end: Option<BlockId>,
}

fn fresh(names: &mut FxHashSet<String>, mut name: String) -> String {
    while !names.insert(name.clone()) {
        name.push('\'');
    }
    name
}

impl<'c, 'p> Code<'c, 'p> {
    /// A procedure that has its place in the program already. It has an empty block, which is current.
    pub(crate) fn new(cx: &'c mut Context<'p>, id: ProcId) -> Self {
        let (name, span) = (cx.new.procs[id].name.clone(), cx.new.procs[id].span);
        Code::extend(cx, id, name, span, PrimaryMap::new(), &[])
    }

    /// A procedure with these locals and blocks, all empty, and one more, which is current and the entry.
    pub(crate) fn extend(
        cx: &'c mut Context<'p>,
        id: ProcId,
        name: String,
        span: Span,
        locals: PrimaryMap<LocalId, Local>,
        labels: &[String],
    ) -> Self {
        let mut taken: FxHashSet<String> = labels.iter().cloned().collect();
        let mut blocks = PrimaryMap::new();
        for label in labels {
            blocks.push(Block { name: label.clone(), stmts: Vec::new() });
        }
        let start = fresh(&mut taken, "start".to_owned());
        let entry = blocks.push(Block { name: start, stmts: Vec::new() });
        let names = locals.values().map(|local: &Local| local.name.clone()).collect();
        let proc = Proc { name, params: Vec::new(), results: Vec::new(), locals, blocks, entry, span };
        Code {
            cx,
            id,
            proc,
            current: entry,
            origin: None,
            begins: None,
            span,
            labels: taken,
            names,
            end: None,
        }
    }

    pub(crate) fn set_interface(&mut self, params: Vec<LocalId>, results: Vec<LocalId>) {
        self.proc.params = params;
        self.proc.results = results;
    }

    pub(crate) fn param(&mut self, name: &str, ty: Type) -> LocalId {
        let id = self.local(name, ty);
        self.proc.params.push(id);
        id
    }

    pub(crate) fn result(&mut self, name: &str, ty: Type) -> LocalId {
        let id = self.local(name, ty);
        self.proc.results.push(id);
        id
    }

    pub(crate) fn local(&mut self, name: &str, ty: Type) -> LocalId {
        let name = fresh(&mut self.names, name.to_owned());
        self.proc.locals.push(Local { name, ty, span: Span::NONE })
    }

    /// A local that is arbitrary to start with, as a guess of a shared variable.
    pub(crate) fn guess_of(&mut self, shared: GlobalId, name: &str, ty: Type) -> LocalId {
        let local = self.local(name, ty);
        self.cx.guesses.push(((self.id, local), shared));
        local
    }

    pub(crate) fn block(&mut self, label: &str) -> BlockId {
        let name = fresh(&mut self.labels, label.to_owned());
        self.proc.blocks.push(Block { name, stmts: Vec::new() })
    }

    pub(crate) fn switch_to(&mut self, block: BlockId) {
        self.current = block;
    }

    pub(crate) fn current(&self) -> BlockId {
        self.current
    }

    pub(crate) fn push(&mut self, op: Op) {
        let stmts = &mut self.proc.blocks[self.current].stmts;
        if let Some(origin) = self.origin {
            let at = OpRef { proc: self.id, block: self.current, index: stmts.len() };
            self.cx.back.insert(at, origin);
            if let Some(old) = self.begins.take() {
                self.cx.starts.insert(at, old);
            }
        }
        let is_call = matches!(op, Op::Call { .. });
        stmts.push(Stmt { op, span: self.span });
        // A task can come back from a call in several rounds. A new block is where those ways meet that are in the same.
        if is_call && self.cx.bound > 0 {
            let next = self.block("next");
            self.proc.blocks[self.current].stmts.push(Stmt { op: Op::Goto(next), span: self.span });
            self.switch_to(next);
        }
    }

    pub(crate) fn push_marked(&mut self, op: Op, mark: Mark) {
        let index = self.proc.blocks[self.current].stmts.len();
        self.cx.marks.insert(OpRef { proc: self.id, block: self.current, index }, mark);
        self.push(op);
    }

    pub(crate) fn assign(&mut self, pairs: Vec<(Place, ExprId)>) {
        if !pairs.is_empty() {
            let (targets, values) = pairs.into_iter().unzip();
            self.push(Op::Assign { targets, values, order: AccessOrder::Plain });
        }
    }

    pub(crate) fn call(&mut self, proc: ProcId, args: Vec<ExprId>) {
        self.push(Op::Call { proc, args, results: Vec::new() });
    }

    /// Goes on in a new block if the condition holds, and in the given one otherwise.
    pub(crate) fn proceed_if(&mut self, cond: ExprId, otherwise: BlockId, label: &str) {
        let then = self.block(label);
        self.push(Op::Branch { cond, then, otherwise });
        self.switch_to(then);
    }

    /// The block that returns.
    pub(crate) fn end(&mut self) -> BlockId {
        if let Some(end) = self.end {
            return end;
        }
        let end = self.block("end");
        self.end = Some(end);
        let (current, origin) = (self.current, self.origin.take());
        self.switch_to(end);
        self.push(Op::Return);
        (self.current, self.origin) = (current, origin);
        end
    }

    pub(crate) fn finish(self, entry: Option<BlockId>) {
        let mut proc = self.proc;
        proc.entry = entry.unwrap_or(proc.entry);
        self.cx.new.procs[self.id] = proc;
    }
}

/// Expressions.
impl Code<'_, '_> {
    pub(crate) fn global(&mut self, global: GlobalId) -> ExprId {
        crate::state::read(&mut self.cx.new, global)
    }

    pub(crate) fn read(&mut self, local: LocalId) -> ExprId {
        let ty = self.proc.locals[local].ty.clone();
        self.cx.new.exprs.add(ExprNode::Local(local, ty))
    }

    pub(crate) fn int(&mut self, value: u32) -> ExprId {
        self.cx.new.exprs.int(value)
    }

    pub(crate) fn bool(&mut self, value: bool) -> ExprId {
        self.cx.new.exprs.bool(value)
    }

    pub(crate) fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        self.cx.new.exprs.binary(op, a, b)
    }

    /// All of these.
    pub(crate) fn all(&mut self, conditions: Vec<ExprId>) -> ExprId {
        let mut conditions = conditions.into_iter();
        let Some(first) = conditions.next() else { return self.bool(true) };
        conditions.fold(first, |a, b| self.binary(BinaryOp::And, a, b))
    }
}
