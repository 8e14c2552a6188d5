//! What expressions are worth, and which globals they read.

use ir::{BinaryOp, ExprId, ExprNode, GlobalId, Place};
use rustc_hash::FxHashMap;
use smt::TermId;

use super::{Executor, Stuck};
use crate::ctp::Access;
use crate::shape::chain;
use crate::state::Pair;

impl Executor<'_, '_> {
    /// The value of an expression, for a thread.
    pub(super) fn eval(&mut self, thread: usize, root: ExprId) -> Result<Pair, Stuck> {
        let parts = self.translator.parts_of(root);
        let mut terms: FxHashMap<ExprId, TermId> = FxHashMap::default();
        let mut observed: FxHashMap<ExprId, TermId> = FxHashMap::default();
        let program = self.subject.expanded;
        let mut reads = false;
        for &part in &*parts {
            let pair = match program.exprs.node(part) {
                ExprNode::Local(local, _) => self.local(thread, *local)?,
                ExprNode::SelfTask => {
                    Pair::known(self.translator.pool.int(i64::try_from(thread + 1).unwrap_or(0)))
                }
                ExprNode::Const(id, ty) if self.pins.consts.contains_key(&(*id, Vec::new())) => {
                    let value = self.pins.consts[&(*id, Vec::new())];
                    Pair::known(self.literal(ty, value)?)
                }
                node => match chain(program, part) {
                    Some((global, indices)) => {
                        reads = true;
                        self.part_of_global(thread, part, global, &indices, [&terms, &observed])?
                    }
                    None => {
                        let mut same = true;
                        node.for_each_operand(|operand| same &= terms[&operand] == observed[&operand]);
                        let term = self.translator.combine(part, &terms)?;
                        let observed = if same { term } else { self.translator.combine(part, &observed)? };
                        Pair { term, observed }
                    }
                },
            };
            terms.insert(part, pair.term);
            observed.insert(part, pair.observed);
        }
        if reads {
            self.note_reads(root, &terms);
        }
        Ok(Pair { term: terms[&root], observed: observed[&root] })
    }

    fn part_of_global(
        &mut self,
        thread: usize,
        part: ExprId,
        global: GlobalId,
        indices: &[ExprId],
        [terms, observed]: [&FxHashMap<ExprId, TermId>; 2],
    ) -> Result<Pair, Stuck> {
        let is_whole = self.subject.whole.contains(&global);
        let is_map = self.subject.expanded.exprs.ty(part).as_map().is_some();
        if is_map && !is_whole {
            // It is read cell by cell, as part of the selection around it.
            return Ok(Pair::known(self.translator.pool.bool(false)));
        }
        if is_whole && !indices.is_empty() {
            let term = self.translator.combine(part, terms)?;
            return Ok(Pair { term, observed: self.translator.combine(part, observed)? });
        }
        if let Some(owner) = self.owner(thread, global) {
            return Ok(Pair::known(owner));
        }
        let index: Vec<Pair> =
            indices.iter().map(|index| Pair { term: terms[index], observed: observed[index] }).collect();
        self.read(global, &index)
    }

    /// Notes which globals an expression reads, and when: operands that are not needed are not evaluated.
    fn note_reads(&mut self, root: ExprId, terms: &FxHashMap<ExprId, TermId>) {
        let program = self.subject.expanded;
        let always = self.translator.pool.bool(true);
        let mut work = vec![(root, always)];
        let mut found: Vec<Access> = Vec::new();
        while let Some((expr, when)) = work.pop() {
            if let Some((global, indices)) = chain(program, expr) {
                let index: Vec<TermId> = indices.iter().map(|index| terms[index]).collect();
                work.extend(indices.into_iter().map(|index| (index, when)));
                found.push(Access { global, index, write: false, when });
                continue;
            }
            match program.exprs.node(expr) {
                ExprNode::Binary(op @ (BinaryOp::And | BinaryOp::Implies | BinaryOp::Or), a, b) => {
                    let pool = &mut self.translator.pool;
                    let needed = if *op == BinaryOp::Or { pool.not(terms[a]) } else { terms[a] };
                    work.push((*b, pool.and([when, needed])));
                    work.push((*a, when));
                }
                ExprNode::Ite(condition, then, otherwise) => {
                    let pool = &mut self.translator.pool;
                    let not = pool.not(terms[condition]);
                    work.push((*otherwise, pool.and([when, not])));
                    work.push((*then, pool.and([when, terms[condition]])));
                    work.push((*condition, when));
                }
                node => node.for_each_operand(|operand| work.push((operand, when))),
            }
        }
        for access in found {
            self.note_read(access);
        }
    }

    fn note_read(&mut self, access: Access) {
        // In another order it may be needed.
        if let Some(fact) = self.fact() {
            fact.accesses.push((access.global, false));
        }
        if self.translator.pool.as_bool(access.when) == Some(false) {
            return;
        }
        // What a thread does on its own after its visible op reads no globals, and what it decides is no access.
        let shared = self.plan.as_ref().is_some_and(|plan| plan.shared.contains(&access.global));
        if !shared || self.subject.components.contains(&access.global) {
            return;
        }
        let Some(event) = self.events.last_mut() else { return };
        let same = |other: &&mut Access| {
            !other.write && other.global == access.global && other.index == access.index
        };
        match event.accesses.iter_mut().find(same) {
            Some(known) => known.when = self.translator.pool.or([known.when, access.when]),
            None => event.accesses.push(access),
        }
    }

    /// Where a place is, with its indices.
    pub(super) fn indices_of(&mut self, thread: usize, place: &Place) -> Result<Vec<Pair>, Stuck> {
        place.path.iter().flatten().map(|index| self.eval(thread, *index)).collect()
    }
}
