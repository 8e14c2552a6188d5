//! Symmetry: a node is covered by one at which other threads are in the places of its own.
//!
//! What is known of a node is written down without the numbers of threads: for each thread where it is, what its locals are,
//! and which globals hold its handle; the threads in the order of that. Nodes that are the same then differ in the numbers of
//! threads only. That is good for proofs that all schedules are safe, and for nothing else: a schedule, and whether it is
//! fair, tells threads apart. The checker decides by itself whether threads may change places.

use std::rc::Rc;

use indexmap::IndexSet;
use ir::{BinaryOp, ExprNode, Program, Type};
use rustc_hash::FxHashMap;
use schedule::{ThreadAt, Variable};
use smt::TermId;

use crate::tree::{NodeId, Stop, Tree};

/// A node without the numbers of threads.
type Shape = Vec<u32>;

/// A node, and its threads in the order in which its shape has them.
type Ordered = (NodeId, Rc<[u32]>);

/// The nodes of a tree that may cover others with other threads in their places.
#[derive(Default)]
pub(crate) struct Symmetry {
    places: IndexSet<ThreadAt>,
    nodes: FxHashMap<Shape, Vec<Ordered>>,
}

/// Whether a program has threads that run the same code, and does nothing with their handles that could tell them apart.
pub(crate) fn is_symmetric(program: &Program) -> bool {
    let starts = program.procs.values().flat_map(|proc| proc.blocks.values().flat_map(|block| &block.stmts));
    let spawned = starts.filter(|stmt| matches!(stmt.op, ir::Op::Spawn { .. })).count();
    if program.threads.len() + spawned < 2 {
        return false;
    }
    let scalar = |ty: &Type| *ty == Type::Task || !has_handles(ty);
    let on_handles = |node: &ExprNode| {
        let mut on_handles = false;
        node.for_each_operand(|operand| on_handles |= has_handles(program.exprs.ty(operand)));
        on_handles
    };
    let harmless = |node: &ExprNode| {
        matches!(node, ExprNode::Nil | ExprNode::SelfTask | ExprNode::Global(..) | ExprNode::Local(..))
            || matches!(node, ExprNode::Binary(BinaryOp::Eq | BinaryOp::Ne, ..) | ExprNode::Ite(..))
    };
    let quantified = |node: &ExprNode| matches!(node, ExprNode::Quant { vars, .. } if vars.iter().any(|var| has_handles(&var.ty)));
    program.globals.values().all(|global| scalar(&global.ty))
        && program.procs.values().flat_map(|proc| proc.locals.values()).all(|local| scalar(&local.ty))
        && program.consts.values().all(|constant| !has_handles(&constant.ty))
        && program.exprs.ids().all(|id| {
            let (node, ty) = (program.exprs.node(id), program.exprs.ty(id));
            scalar(ty) && !quantified(node) && (harmless(node) || !(on_handles(node) || has_handles(ty)))
        })
}

fn has_handles(ty: &Type) -> bool {
    match ty {
        Type::Task | Type::Sync(_) => true,
        Type::Map(map) => map.args.iter().chain([&map.result]).any(has_handles),
        Type::Bool | Type::Int | Type::Bv(_) | Type::Sort(_) => false,
    }
}

impl Tree<'_, '_> {
    /// Covers a node by an earlier one at which other threads are in the places of its own.
    pub(crate) fn close_renamed(&mut self, node: NodeId, most: usize) -> Result<bool, Stop> {
        if self.symmetry.is_none() {
            return Ok(false);
        }
        let Some((shape, order)) = self.shape(node) else { return Ok(false) };
        let same = |symmetry: &Symmetry| symmetry.nodes.get(&shape).cloned().unwrap_or_default();
        let same = self.symmetry.as_ref().map(same).unwrap_or_default();
        for (by, places) in same.iter().take(most) {
            let other = &self.nodes[*by];
            if *by >= node || other.removed || other.cover.is_some() {
                continue;
            }
            let mut renaming = vec![0; order.len()];
            for (thread, place) in order.iter().zip(places.iter()) {
                renaming[*thread as usize] = *place;
            }
            if self.cover(node, *by, Some(&renaming.into()))? {
                return Ok(true);
            }
        }
        if let Some(symmetry) = &mut self.symmetry
            && !same.iter().any(|(known, _)| *known == node)
        {
            symmetry.nodes.entry(shape).or_default().push((node, order.into()));
        }
        Ok(false)
    }

    /// A node without the numbers of threads, and the threads in the order in which they are there. Nothing if what is known of
    /// it cannot be told like that.
    fn shape(&mut self, node: NodeId) -> Option<(Shape, Vec<u32>)> {
        let info = self.info(node);
        let facts = Rc::clone(&self.nodes[node].facts);
        let count = info.location.threads.len();
        let symmetry = self.symmetry.as_mut()?;
        // For each thread where it is, then which globals hold its handle, then what is known of its variables.
        let mut threads: Vec<Shape> = Vec::with_capacity(count);
        for at in &info.location.threads {
            threads.push(vec![u32::try_from(symmetry.places.insert_full(at.clone()).0).ok()?]);
        }
        let mut locals: Vec<Vec<[u32; 3]>> = vec![Vec::new(); count];
        let mut shape = Vec::new();
        for (position, (var, fact)) in (0u32..).zip(info.vars.iter().zip(facts.iter())) {
            let own = self.model.term_of(*var);
            let variable = self.model.variable(*var);
            let known = if *fact == own { 0 } else { u32::try_from(fact.index()).ok()? + 1 };
            let handle = if *fact != own && self.model.is_handle(variable) { self.handle(*fact)? } else { 0 };
            match variable {
                Variable::Global(_) if handle > 0 => {
                    shape.push(u32::MAX);
                    // Globals come in the same order everywhere.
                    threads.get_mut(handle as usize - 1)?.push(position);
                }
                Variable::Global(_) => shape.push(known),
                // Who points to whom is more than can be told.
                Variable::Local { .. } | Variable::Result { .. } if handle > 0 => return None,
                Variable::Local { thread, frame, local, .. } => {
                    if known > 0 && !self.model.is_ground(*fact) {
                        return None;
                    }
                    locals.get_mut(thread as usize)?.push([frame, local.as_u32(), known]);
                }
                Variable::Result { thread, index, .. } => {
                    if known > 0 && !self.model.is_ground(*fact) {
                        return None;
                    }
                    locals.get_mut(thread as usize)?.push([0, index, known]);
                }
            }
        }
        for (thread, mut locals) in threads.iter_mut().zip(locals) {
            locals.sort_unstable();
            thread.push(u32::MAX);
            thread.extend(locals.iter().flatten());
        }
        let mut order: Vec<u32> = (0u32..).take(count).collect();
        order.sort_by(|a, b| threads[*a as usize].cmp(&threads[*b as usize]));
        for thread in &order {
            let known = &threads[*thread as usize];
            shape.push(u32::try_from(known.len()).ok()?);
            shape.extend(known);
        }
        Some((shape, order))
    }

    /// The number of a handle that is known.
    fn handle(&self, fact: TermId) -> Option<u32> {
        match self.model.translator.pool.term(fact) {
            smt::Term::Int(number) => u32::try_from(number).ok(),
            _ => None,
        }
    }

    /// A formula over the variables of the node that covers another, over those of the other. Nothing if it has to do with
    /// handles.
    pub(crate) fn renamed(
        &mut self,
        renaming: Option<&[u32]>,
        formula: TermId,
    ) -> Result<Option<TermId>, Stop> {
        let Some(renaming) = renaming else { return Ok(Some(formula)) };
        let mut mentioned = Vec::new();
        self.model
            .translator
            .pool
            .for_each_in(&[formula], |id, _| mentioned.extend(self.model.vars.of_term(id)));
        let mut with = FxHashMap::default();
        for var in mentioned {
            let variable = self.model.variable(var);
            if self.model.is_handle(variable) {
                return Ok(None);
            }
            let from = |place: u32| {
                let thread = (0u32..).zip(renaming).find(|(_, to)| **to == place);
                thread.map_or(place, |(thread, _)| thread)
            };
            let source = match variable {
                Variable::Global(_) => continue,
                Variable::Local { thread, frame, proc, local } => {
                    Variable::Local { thread: from(thread), frame, proc, local }
                }
                Variable::Result { thread, proc, index } => {
                    Variable::Result { thread: from(thread), proc, index }
                }
            };
            let source = self.model.var(source)?;
            with.insert(self.model.term_of(var), self.model.term_of(source));
        }
        let pool = &mut self.model.translator.pool;
        Ok(Some(pool.rewrite(formula, |_, leaf| with.get(&leaf).copied().unwrap_or(leaf))))
    }
}
