//! How control goes: from block to block, out of a function, out of a thread.

use cranelift_entity::EntityRef;
use ir::{ExprId, ExprNode, Op, Place, Type};
use rustc_hash::FxHashSet;

use super::address::POINTER_BITS;
use super::bits::Bits;
use super::function::FunctionLowering;
use crate::module::{self, BlockId, ConstKind, IntPredicate, Operand};

impl FunctionLowering<'_, '_> {
    /// Blocks that can be reached, each after those that dominate it.
    pub(super) fn order(&self) -> Vec<BlockId> {
        let blocks = &self.cx.module.funcs[self.func].blocks;
        let mut seen: FxHashSet<BlockId> = FxHashSet::default();
        let mut order = Vec::new();
        let start = BlockId::new(0);
        let mut stack: Vec<(BlockId, Vec<BlockId>)> = vec![(start, self.successors(start))];
        seen.insert(start);
        while let Some((block, next)) = stack.last_mut() {
            match next.pop() {
                Some(to) if blocks.is_valid(to) && seen.insert(to) => stack.push((to, self.successors(to))),
                Some(_) => {}
                None => {
                    order.push(*block);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }

    /// Where control can go; not where exceptions go.
    fn successors(&self, block: BlockId) -> Vec<BlockId> {
        let last = self.cx.module.funcs[self.func].blocks[block].instrs.last();
        match last.map(|last| &last.op) {
            Some(module::Op::Invoke { normal, .. }) => vec![*normal],
            Some(op) => op.successors(),
            None => Vec::new(),
        }
    }

    /// Continues at a block of the function, with the values that its phis take.
    pub(super) fn goto(&mut self, to: BlockId) {
        let from = self.site.0;
        let mut targets = Vec::new();
        let mut values = Vec::new();
        let mut open = Vec::new();
        let body = &self.cx.module.funcs[self.func];
        for instr in &body.blocks[to].instrs {
            let (module::Op::Phi(incoming), Some(result)) = (&instr.op, instr.result) else { break };
            let Some((_, operand)) = incoming.iter().find(|(block, _)| *block == from) else { continue };
            let locals: Vec<ExprId> = self.values.get(&result).cloned().unwrap_or_default();
            if self.is_undefined(*operand) {
                // Nobody may ever read it, so it stays open.
                let exprs = &self.cx.program.exprs;
                open.extend(locals.iter().filter_map(|&local| match exprs.node(local) {
                    ExprNode::Local(local, _) => Some(Place::local(*local)),
                    _ => None,
                }));
                continue;
            }
            for (local, value) in locals.into_iter().zip(self.parts(*operand)) {
                if local != value
                    && let ExprNode::Local(local, _) = self.cx.program.exprs.node(local)
                {
                    targets.push(Place::local(*local));
                    values.push(value);
                }
            }
        }
        if !targets.is_empty() {
            self.push(Op::Assign { targets, values, order: ir::AccessOrder::Plain });
        }
        if !open.is_empty() {
            self.push(Op::Havoc { targets: open });
        }
        match self.blocks[to] {
            Some(block) => self.push(Op::Goto(block)),
            None => self.push(Op::Exit),
        }
    }

    fn is_undefined(&self, operand: Operand) -> bool {
        let Operand::Const(id) = operand else { return false };
        matches!(self.cx.module.consts[id].kind, ConstKind::Undef)
    }

    fn has_phis(&self, block: BlockId) -> bool {
        let first = self.cx.module.funcs[self.func].blocks[block].instrs.first();
        first.is_some_and(|instr| matches!(instr.op, module::Op::Phi(_)))
    }

    /// A block that leads to a block of the function.
    fn edge(&mut self, to: BlockId) -> ir::BlockId {
        if !self.has_phis(to)
            && let Some(block) = self.blocks[to]
        {
            return block;
        }
        let here = self.builder.current();
        let edge = self.block("edge");
        self.builder.switch_to(edge);
        self.goto(to);
        self.builder.switch_to(here);
        edge
    }

    /// Branches on a condition to new blocks and goes on in the first; returns the second.
    pub(super) fn branch(&mut self, cond: ExprId) -> ir::BlockId {
        let (then, otherwise) = (self.block("then"), self.block("else"));
        self.push(Op::Branch { cond, then, otherwise });
        self.builder.switch_to(then);
        otherwise
    }

    pub(super) fn conditional(&mut self, cond: Operand, then: BlockId, otherwise: BlockId) {
        let cond = self.scalar(cond);
        match self.cx.program.exprs.literal_bool(cond) {
            Some(true) => self.goto(then),
            Some(false) => self.goto(otherwise),
            None => {
                let (then, otherwise) = (self.edge(then), self.edge(otherwise));
                self.push(Op::Branch { cond, then, otherwise });
            }
        }
    }

    pub(super) fn switch(&mut self, on: Operand, default: BlockId, cases: &[(num_bigint::BigUint, BlockId)]) {
        let on = self.scalar(on);
        for (value, to) in cases {
            let exprs = &mut self.cx.program.exprs;
            let width = exprs.width(on);
            let cond = if *exprs.ty(on) == Type::Bool {
                if *value == num_bigint::BigUint::ZERO { exprs.negate(on) } else { on }
            } else {
                let value = exprs.unsigned(width, value);
                exprs.compare(IntPredicate::Eq, on, value)
            };
            match self.cx.program.exprs.literal_bool(cond) {
                Some(true) => return self.goto(*to),
                Some(false) => {}
                None => {
                    let then = self.edge(*to);
                    let otherwise = self.block("case");
                    self.push(Op::Branch { cond, then, otherwise });
                    self.builder.switch_to(otherwise);
                }
            }
        }
        self.goto(default);
    }

    /// Goes on only if something holds; other runs are not followed.
    pub(super) fn only_if(&mut self, holds: ExprId, otherwise: &str) {
        if self.cx.program.exprs.literal_bool(holds) == Some(true) {
            return;
        }
        let next = self.branch(holds);
        let here = self.builder.current();
        self.builder.switch_to(next);
        self.unsupported(otherwise);
        self.push(Op::Exit);
        self.builder.switch_to(here);
    }

    /// Returns from the function.
    pub(super) fn ret(&mut self, value: Option<Operand>) {
        let parts = value.map(|value| self.parts(value)).unwrap_or_default();
        if self.is_entry() {
            if self.cx.module.funcs[self.func].name != "main" {
                self.refuse_at_exit("of a program that does not start with `main`");
            }
            self.exit(parts.first().copied());
            return;
        }
        self.leave();
        let mut targets: Vec<Place> = self.results.iter().map(|&local| Place::local(local)).collect();
        let mut values = parts;
        targets.truncate(values.len());
        if let Some((exit_value, exits)) = self.exited {
            targets.extend([Place::local(exit_value), Place::local(exits)]);
            let exprs = &mut self.cx.program.exprs;
            values.extend([exprs.bv(POINTER_BITS, 0), exprs.bool(false)]);
        }
        if !targets.is_empty() {
            self.push(Op::Assign { targets, values, order: ir::AccessOrder::Plain });
        }
        self.push(Op::Return);
    }

    /// Ends the program.
    pub(super) fn exit(&mut self, code: Option<ExprId>) {
        // A prediction is about the events of a run, and leaves out those after `main`.
        if self.cx.module.has_destructors && !self.cx.options.transactions {
            self.unsupported("a function that runs after `main` (`__attribute__((destructor))`)");
        }
        if let (true, Some(code)) = (self.cx.options.record_output, code) {
            let global = self.cx.special("$exit.code");
            let code = self.fitted(Some(code), &Type::Bv(32));
            self.push(Op::Assign {
                targets: vec![Place::global(global)],
                values: vec![code],
                order: ir::AccessOrder::Atomic,
            });
        }
        self.push(Op::Exit);
    }

    /// Refuses runs at whose end destructors would run that nobody calls.
    fn refuse_at_exit(&mut self, which: &str) {
        if self.cx.module.at_exit.is_some() && !self.cx.options.transactions {
            self.unsupported(&format!("destructors of static variables {which}"));
        }
    }

    /// Ends the thread with a value.
    pub(super) fn end_thread(&mut self, value: ExprId) {
        self.leave();
        match self.exited {
            Some((exit_value, exits)) => {
                let yes = self.cx.program.exprs.bool(true);
                self.push(Op::Assign {
                    targets: vec![Place::local(exit_value), Place::local(exits)],
                    values: vec![value, yes],
                    order: ir::AccessOrder::Plain,
                });
                self.push(Op::Return);
            }
            // The first thread: others go on.
            None => {
                self.refuse_at_exit("that the last thread runs");
                self.push(Op::Return);
            }
        }
    }

    /// What is on the stack is gone.
    fn leave(&mut self) {
        if self.is_transaction() {
            self.push(Op::TransactionEnd);
        }
        for (global, instance) in self.dying.clone() {
            let place = Place::global(global);
            let place = match instance {
                Some(instance) => place.at(vec![instance]),
                None => place,
            };
            let dead = self.cx.program.exprs.bool(false);
            self.push(Op::Assign {
                targets: vec![place],
                values: vec![dead],
                order: ir::AccessOrder::Atomic,
            });
        }
    }
}
