//! Data races: two threads that can both run and access the same variable, one of them writing, neither atomically.
//!
//! Under a schedule only threads that may run count: the others wait for the scheduler. What an expression reads counts as
//! read as a whole, also where a part of it decides that another is not needed.

use formula::{Unsupported, Values};
use ir::{ExprId, ExprNode, GlobalId, LocalId, Op, OpRef, Place, PlaceBase};
use smt::TermId;

use super::label::Facts;
use super::variables::position;
use super::{Checker, Claim, Defect, Refusal};
use crate::{Node, ThreadAt};

/// An access to a global, or to a cell of one.
struct Touch {
    global: GlobalId,
    indices: Vec<TermId>,
    write: bool,
}

/// The state before a step.
struct Now<'v> {
    globals: &'v cranelift_entity::PrimaryMap<GlobalId, TermId>,
    locals: &'v [TermId],
    thread: u32,
}

impl Values for Now<'_> {
    fn global(&self, id: GlobalId) -> TermId {
        self.globals[id]
    }

    fn local(&self, id: LocalId) -> Option<TermId> {
        self.locals.get(position(id)).copied()
    }

    fn task(&self) -> u32 {
        self.thread + 1
    }
}

impl Checker<'_> {
    /// That no two threads race at a node.
    pub(super) fn check_races(&mut self, node: &Node, facts: &Facts) -> Result<(), Refusal> {
        let mut running = self.running(node)?;
        if self.question.claim == Claim::Schedule {
            running.retain(|(thread, _)| node.choices.iter().any(|choice| choice.thread == *thread));
        }
        let mut before: Vec<(u32, TermId, Vec<Touch>)> = Vec::new();
        for (thread, steps) in running {
            let touches = self.touches(node, thread).map_err(|what| self.unsupported(what))?;
            for (other, enabled, theirs) in &before {
                for (mine, theirs) in touches.iter().flat_map(|a| theirs.iter().map(move |b| (a, b))) {
                    if mine.global != theirs.global || !(mine.write || theirs.write) {
                        continue;
                    }
                    let mut together = vec![*enabled, steps.enabled];
                    for (&i, &j) in mine.indices.iter().zip(&theirs.indices) {
                        together.push(self.formulas.pool.eq(i, j));
                    }
                    let race = self.formulas.pool.and(together);
                    if self.is_possible(facts, race)? {
                        let name = self.program.globals[mine.global].name.clone();
                        return self.defect(Defect::Race(*other, thread, name));
                    }
                }
            }
            before.push((thread, steps.enabled, touches));
        }
        Ok(())
    }

    /// The plain accesses of the next op of a thread. A section of checks and one access counts as an op.
    fn touches(&mut self, node: &Node, thread: u32) -> Result<Vec<Touch>, Unsupported> {
        let Some(ThreadAt::Running(frames)) = node.location.threads.get(thread as usize) else {
            return Ok(Vec::new());
        };
        let [.., at] = frames.as_slice() else { return Ok(Vec::new()) };
        if !self.outline.of(*at).plain {
            return Ok(Vec::new());
        }
        let program = self.program;
        let stmts = |at: OpRef| &program.procs[at.proc].blocks[at.block].stmts[at.index..];
        let depth = u32::try_from(frames.len()).unwrap_or(u32::MAX);
        let mut touches = Vec::new();
        match (&stmts(*at)[0].op, frames.as_slice()) {
            (Op::Return, [.., call, _]) => {
                if let Op::Call { results, .. } = &stmts(*call)[0].op {
                    self.writes(thread, depth - 2, *call, results, &mut touches)?;
                }
            }
            (Op::AtomicBegin, _) => {
                for stmt in stmts(*at)[1..].iter().take_while(|stmt| !matches!(stmt.op, Op::AtomicEnd)) {
                    self.touches_of(thread, depth - 1, *at, &stmt.op, &mut touches)?;
                }
            }
            (op, _) => self.touches_of(thread, depth - 1, *at, op, &mut touches)?,
        }
        Ok(touches)
    }

    fn touches_of(
        &mut self,
        thread: u32,
        frame: u32,
        at: OpRef,
        op: &Op,
        touches: &mut Vec<Touch>,
    ) -> Result<(), Unsupported> {
        // The results of a call are assigned when it returns.
        if !matches!(op, Op::Call { .. }) {
            let mut targets = Vec::new();
            op.for_each_target(|place| targets.push(place.clone()));
            self.writes(thread, frame, at, &targets, touches)?;
        }
        let mut operands = Vec::new();
        op.for_each_operand(|expr| operands.push(expr));
        for expr in operands {
            self.reads(thread, frame, at, expr, touches)?;
        }
        Ok(())
    }

    fn writes(
        &mut self,
        thread: u32,
        frame: u32,
        at: OpRef,
        targets: &[Place],
        touches: &mut Vec<Touch>,
    ) -> Result<(), Unsupported> {
        for place in targets {
            for &index in place.path.iter().flatten() {
                self.reads(thread, frame, at, index, touches)?;
            }
            if let PlaceBase::Global(global) = place.base {
                let indices: Vec<ExprId> = place.path.iter().flatten().copied().collect();
                let indices = self.now(thread, frame, at, &indices)?;
                touches.push(Touch { global, indices, write: true });
            }
        }
        Ok(())
    }

    /// What an expression reads: cells of globals as such, unless their indices are bound by a quantifier.
    fn reads(
        &mut self,
        thread: u32,
        frame: u32,
        at: OpRef,
        root: ExprId,
        touches: &mut Vec<Touch>,
    ) -> Result<(), Unsupported> {
        let exprs = &self.program.exprs;
        let mut work: Vec<(ExprId, Vec<ExprId>)> = vec![(root, Vec::new())];
        let mut cells = Vec::new();
        while let Some((expr, path)) = work.pop() {
            match exprs.node(expr) {
                ExprNode::Global(global, _) => cells.push((*global, path)),
                ExprNode::Select(map, indices) => {
                    work.extend(indices.iter().map(|index| (*index, Vec::new())));
                    work.push((*map, indices.iter().copied().chain(path).collect()));
                }
                node => node.for_each_operand(|operand| work.push((operand, Vec::new()))),
            }
        }
        for (global, path) in cells {
            let mut bound = false;
            for &index in &path {
                exprs.for_each_in(index, |_, node| bound |= matches!(node, ExprNode::Bound(..)));
            }
            let indices = if bound { Vec::new() } else { self.now(thread, frame, at, &path)? };
            touches.push(Touch { global, indices, write: false });
        }
        Ok(())
    }

    fn now(
        &mut self,
        thread: u32,
        frame: u32,
        at: OpRef,
        exprs: &[ExprId],
    ) -> Result<Vec<TermId>, Unsupported> {
        let Checker { variables, formulas, .. } = self;
        let locals = variables.frame(formulas, thread, frame, at.proc)?;
        let now = Now { globals: &variables.globals, locals: &locals, thread };
        exprs.iter().map(|expr| formulas.eval(*expr, &now)).collect()
    }
}
