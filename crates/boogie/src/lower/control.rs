//! Control flow: blocks, branches, loops, jumps, atomic blocks.
//!
//! A jump out of atomic blocks ends them first. A jump into one from outside is refused.

use ir::{AssertKind, BlockId, Op};
use source::Span;

use crate::ast::{Block, Guard, Ident, IfArm, Invariant, Name, Stmt, StmtKind};
use crate::lower::Lowering;
use crate::lower::procedure::Frame;

/// Where a label is.
pub(super) struct LabelPlace {
    block: BlockId,
    /// The atomic blocks around it, from the outside in.
    atomic: Vec<usize>,
}

/// Where a `break` goes.
pub(super) struct BreakTarget<'a> {
    /// Labels of the statement that is left.
    labels: Vec<&'a Ident>,
    is_loop: bool,
    block: BlockId,
    /// How many atomic blocks are around the statement.
    atomic: usize,
}

impl<'a> Lowering<'a> {
    /// Makes a block for each label. Atomic blocks are numbered in the order in which [`Lowering::block`] meets them.
    pub(super) fn place_labels(
        &mut self,
        frame: &mut Frame<'a>,
        block: &'a Block,
        atomic: &mut Vec<usize>,
        count: &mut usize,
    ) {
        for stmt in &block.stmts {
            match &stmt.kind {
                StmtKind::Label(ident) => {
                    let place = LabelPlace { block: frame.block(&ident.name), atomic: atomic.clone() };
                    frame.labels.insert(ident.name.clone(), place);
                }
                StmtKind::If { arms, otherwise } => {
                    for body in arms.iter().map(|arm| &arm.body).chain(otherwise) {
                        self.place_labels(frame, body, atomic, count);
                    }
                }
                StmtKind::While { body, .. } => self.place_labels(frame, body, atomic, count),
                StmtKind::Atomic(body) => {
                    atomic.push(*count);
                    *count += 1;
                    self.place_labels(frame, body, atomic, count);
                    atomic.pop();
                }
                _ => {}
            }
        }
    }

    pub(super) fn block(&mut self, frame: &mut Frame<'a>, block: &'a Block) {
        let mut labels: Vec<&'a Ident> = Vec::new();
        for stmt in &block.stmts {
            if let StmtKind::Label(ident) = &stmt.kind {
                if let Some(place) = frame.labels.get(&ident.name) {
                    let target = place.block;
                    frame.push(Op::Goto(target), ident.span);
                    frame.builder.switch_to(target);
                }
                labels.push(ident);
            } else {
                self.control_stmt(frame, stmt, std::mem::take(&mut labels));
            }
        }
    }

    fn control_stmt(&mut self, frame: &mut Frame<'a>, stmt: &'a Stmt, labels: Vec<&'a Ident>) {
        match &stmt.kind {
            StmtKind::If { arms, otherwise } => self.if_stmt(frame, arms, otherwise.as_ref(), labels),
            StmtKind::While { guard, invariants, body, head } => {
                self.while_stmt(frame, guard, invariants, body, *head, labels);
            }
            StmtKind::Atomic(body) => {
                let after = (!labels.is_empty()).then(|| frame.block("atomic.end"));
                if let Some(block) = after {
                    let atomic = frame.atomic.len();
                    frame.breaks.push(BreakTarget { labels, is_loop: false, block, atomic });
                }
                frame.push(Op::AtomicBegin, stmt.span);
                frame.atomic.push(frame.atomic_count);
                frame.atomic_count += 1;
                self.block(frame, body);
                frame.atomic.pop();
                frame.push(Op::AtomicEnd, stmt.span);
                if let Some(after) = after {
                    frame.breaks.pop();
                    frame.push(Op::Goto(after), stmt.span);
                    frame.builder.switch_to(after);
                }
            }
            StmtKind::Break(label) => self.break_stmt(frame, label.as_ref(), stmt.span),
            StmtKind::Goto(labels) => self.goto(frame, labels, stmt.span),
            StmtKind::Return => {
                let exit = frame.exit;
                jump(frame, exit, 0, stmt.span);
            }
            _ => self.simple_stmt(frame, stmt),
        }
    }

    fn if_stmt(
        &mut self,
        frame: &mut Frame<'a>,
        arms: &'a [IfArm],
        otherwise: Option<&'a Block>,
        labels: Vec<&'a Ident>,
    ) {
        let done = frame.block("if.end");
        let atomic = frame.atomic.len();
        frame.breaks.push(BreakTarget { labels, is_loop: false, block: done, atomic });
        for arm in arms {
            let then = frame.block("if.then");
            let other = frame.block("if.else");
            self.branch(frame, &arm.guard, then, other, Some(0), arm.span);
            frame.builder.switch_to(then);
            self.block(frame, &arm.body);
            frame.push(Op::Goto(done), arm.body.span);
            frame.builder.switch_to(other);
        }
        if let Some(body) = otherwise {
            self.block(frame, body);
        }
        frame.push(Op::Goto(done), arms.last().map_or(Span::NONE, |arm| arm.span));
        frame.breaks.pop();
        frame.builder.switch_to(done);
    }

    fn while_stmt(
        &mut self,
        frame: &mut Frame<'a>,
        guard: &'a Guard,
        invariants: &'a [Invariant],
        body: &'a Block,
        head_span: Span,
        labels: Vec<&'a Ident>,
    ) {
        let head = frame.block("while");
        let inside = frame.block("while.body");
        let done = frame.block("while.end");
        frame.push(Op::Goto(head), head_span);
        frame.builder.switch_to(head);
        for invariant in invariants {
            let span = invariant.condition.span;
            let Ok(cond) = self.expr(&invariant.condition) else { continue };
            if invariant.free {
                frame.push(Op::Assume(cond), span);
            } else {
                let message = format!("loop invariant does not hold: {}", self.quote(span));
                frame.push(Op::Assert { cond, kind: AssertKind::Assertion, message }, span);
            }
        }
        // To leave is what must not be refused for ever.
        self.branch(frame, guard, inside, done, Some(1), head_span);
        let atomic = frame.atomic.len();
        frame.breaks.push(BreakTarget { labels, is_loop: true, block: done, atomic });
        frame.builder.switch_to(inside);
        self.block(frame, body);
        frame.push(Op::Goto(head), head_span);
        frame.breaks.pop();
        frame.builder.switch_to(done);
    }

    fn branch(
        &mut self,
        frame: &mut Frame<'a>,
        guard: &'a Guard,
        then: BlockId,
        otherwise: BlockId,
        fair_target: Option<usize>,
        span: Span,
    ) {
        match guard {
            Guard::Any { fair } => {
                let fair = fair_target.filter(|_| *fair);
                frame.push(Op::Choose { targets: vec![then, otherwise], fair }, span);
            }
            Guard::Expr(condition) => {
                if let Ok(cond) = self.expr(condition) {
                    frame.push(Op::Branch { cond, then, otherwise }, span);
                } else {
                    frame.push(Op::Goto(otherwise), span);
                }
            }
        }
    }

    fn break_stmt(&mut self, frame: &mut Frame<'a>, label: Option<&'a Ident>, span: Span) {
        let target = frame.breaks.iter().rev().find(|target| match label {
            Some(label) => target.labels.iter().any(|l| l.name == label.name),
            None => target.is_loop,
        });
        match target {
            Some(target) => {
                let (block, atomic) = (target.block, target.atomic);
                jump(frame, block, atomic, span);
            }
            None => {
                self.unsupported(span, "`break` out of this statement");
            }
        }
    }

    fn goto(&mut self, frame: &mut Frame<'a>, labels: &'a [Ident], span: Span) {
        let mut targets = Vec::new();
        for label in labels {
            let Some((block, depth)) = self.label(frame, &label.name, label.span) else { continue };
            targets.push((block, depth));
        }
        if let [(block, depth)] = targets[..] {
            return jump(frame, block, depth, span);
        }
        let from = frame.builder.current();
        let mut chosen = Vec::new();
        for (block, depth) in targets {
            if depth == frame.atomic.len() {
                chosen.push(block);
            } else {
                let leave = frame.block("leave");
                frame.builder.switch_to(leave);
                jump(frame, block, depth, span);
                chosen.push(leave);
            }
        }
        frame.builder.switch_to(from);
        if !chosen.is_empty() {
            frame.push(Op::Choose { targets: chosen, fair: None }, span);
        }
    }

    /// A label's block and how many atomic blocks are around it.
    fn label(&mut self, frame: &Frame<'a>, name: &Name, span: Span) -> Option<(BlockId, usize)> {
        let place = frame.labels.get(name)?;
        if !frame.atomic.starts_with(&place.atomic) {
            self.unsupported(span, "a jump into an atomic block");
            return None;
        }
        Some((place.block, place.atomic.len()))
    }
}

/// Ends the atomic blocks that a jump leaves, then jumps.
fn jump(frame: &mut Frame<'_>, to: BlockId, atomic_there: usize, span: Span) {
    for _ in atomic_there..frame.atomic.len() {
        frame.push(Op::AtomicEnd, span);
    }
    frame.push(Op::Goto(to), span);
}
