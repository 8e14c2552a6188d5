//! Whether an atomic section can run, as an expression over the variables at its beginning.

use ir::{BinaryOp, BlockId, ExprId, ExprNode, ExprPool, Op, Place, PlaceBase, ProcId, Program};

/// Sections with more ways through than this are not expressed.
const MOST_WAYS: u32 = 64;

/// The condition under which some way through the section that begins at an op passes everything in it; nothing if it
/// cannot be expressed: the section has a loop, calls a procedure, or depends on what is arbitrary. `translate` gives the
/// new expression for an old one.
pub(crate) fn enabled(
    old: &Program,
    proc: ProcId,
    at: (BlockId, usize),
    exprs: &mut ExprPool,
    translate: &dyn Fn(ExprId) -> ExprId,
) -> Option<ExprId> {
    Section { old, proc, exprs, translate, ways: 0 }.from(at.0, at.1, 0, &mut Vec::new())
}

struct Section<'a> {
    old: &'a Program,
    proc: ProcId,
    exprs: &'a mut ExprPool,
    translate: &'a dyn Fn(ExprId) -> ExprId,
    ways: u32,
}

impl Section<'_> {
    /// The condition for the rest of the section, from an op of a block on.
    fn from(&mut self, block: BlockId, index: usize, depth: u32, open: &mut Vec<BlockId>) -> Option<ExprId> {
        self.ways += 1;
        if self.ways > MOST_WAYS || (index == 0 && open.contains(&block)) {
            return None;
        }
        open.push(block);
        let result = self.block(block, index, depth, open);
        open.pop();
        result
    }

    fn block(
        &mut self,
        block: BlockId,
        first: usize,
        mut depth: u32,
        open: &mut Vec<BlockId>,
    ) -> Option<ExprId> {
        let stmts = &self.old.procs[self.proc].blocks[block].stmts;
        let mut done = Vec::new();
        let mut last = None;
        for stmt in &stmts[first..] {
            match &stmt.op {
                Op::AtomicBegin => depth += 1,
                Op::AtomicEnd => depth = depth.saturating_sub(1),
                op => done.push(op),
            }
            if depth == 0 {
                last = Some(self.exprs.bool(true));
                break;
            }
        }
        let mut condition = last;
        for op in done.into_iter().rev() {
            condition = Some(self.before(op, condition, depth, open)?);
        }
        condition
    }

    /// The condition before an op, from that after it.
    fn before(
        &mut self,
        op: &Op,
        after: Option<ExprId>,
        depth: u32,
        open: &mut Vec<BlockId>,
    ) -> Option<ExprId> {
        match op {
            Op::Goto(to) => self.from(*to, 0, depth, open),
            Op::Branch { cond, then, otherwise } => {
                let (then, otherwise) =
                    (self.from(*then, 0, depth, open)?, self.from(*otherwise, 0, depth, open)?);
                let cond = (self.translate)(*cond);
                Some(self.exprs.ite(cond, then, otherwise))
            }
            Op::Choose { targets, .. } => {
                let mut any = None;
                for &target in targets {
                    let way = self.from(target, 0, depth, open)?;
                    any = Some(any.map_or(way, |any| self.exprs.binary(BinaryOp::Or, any, way)));
                }
                any
            }
            Op::Exit => Some(self.exprs.bool(true)),
            Op::Assume(cond) => {
                let cond = (self.translate)(*cond);
                Some(self.exprs.and(cond, after?))
            }
            // An assertion that fails is a step.
            Op::Assert { cond, .. } => {
                let cond = (self.translate)(*cond);
                Some(self.exprs.binary(BinaryOp::Implies, cond, after?))
            }
            Op::Assign { targets, values, .. } => self.assigned(targets, values, after?),
            Op::Await { guard, targets, values } => {
                let after = self.assigned(targets, values, after?)?;
                let guard = (self.translate)(*guard);
                Some(self.exprs.and(guard, after))
            }
            Op::Yield | Op::Progress | Op::TransactionBegin | Op::TransactionEnd => after,
            Op::Havoc { .. }
            | Op::Call { .. }
            | Op::Spawn { .. }
            | Op::Wait { .. }
            | Op::Return
            | Op::Opaque { .. }
            | Op::Sync(_)
            | Op::AtomicBegin
            | Op::AtomicEnd => None,
        }
    }

    /// An expression as it is before all places are assigned at once.
    fn assigned(&mut self, targets: &[Place], values: &[ExprId], after: ExprId) -> Option<ExprId> {
        let mut bases: Vec<(PlaceBase, ExprId)> = Vec::new();
        for (target, value) in targets.iter().zip(values) {
            let value = (self.translate)(*value);
            let known = bases.iter().position(|(base, _)| *base == target.base);
            let whole = match (known, target.path.is_empty()) {
                (_, true) => value,
                (Some(at), false) => self.stored(bases[at].1, &target.path, value)?,
                (None, false) => {
                    let base = self.variable(after, target.base);
                    // Nobody looks at it.
                    let Some(base) = base else { continue };
                    self.stored(base, &target.path, value)?
                }
            };
            match known {
                Some(at) => bases[at].1 = whole,
                None => bases.push((target.base, whole)),
            }
        }
        Some(self.exprs.rewrite(after, |exprs, leaf| {
            let base = match exprs.node(leaf) {
                ExprNode::Global(id, _) => PlaceBase::Global(*id),
                ExprNode::Local(id, _) => PlaceBase::Local(*id),
                _ => return leaf,
            };
            bases.iter().find(|(of, _)| *of == base).map_or(leaf, |(_, value)| *value)
        }))
    }

    /// The variable as an expression, if it is in another one.
    fn variable(&self, root: ExprId, base: PlaceBase) -> Option<ExprId> {
        let mut found = None;
        self.exprs.for_each_in(root, |id, node| {
            let is = match node {
                ExprNode::Global(id, _) => PlaceBase::Global(*id) == base,
                ExprNode::Local(id, _) => PlaceBase::Local(*id) == base,
                _ => false,
            };
            if is {
                found = Some(id);
            }
        });
        found
    }

    /// A map with one cell changed, which may be in a map inside.
    fn stored(&mut self, map: ExprId, path: &[Vec<ExprId>], value: ExprId) -> Option<ExprId> {
        let Some((indices, inner)) = path.split_first() else { return Some(value) };
        let indices: Vec<ExprId> = indices.iter().map(|&e| (self.translate)(e)).collect();
        let value = if inner.is_empty() {
            value
        } else {
            let cell = self.exprs.select(map, indices.clone());
            self.stored(cell, inner, value)?
        };
        Some(self.exprs.add(ExprNode::Store(map, indices, value)))
    }
}
