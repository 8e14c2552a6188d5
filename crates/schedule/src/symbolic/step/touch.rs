//! What the ways of a step touch.
//!
//! What an expression reads counts as read as a whole, also where a part of it decides that another is not needed.

use std::rc::Rc;

use formula::Unsupported;
use ir::{ExprId, ExprNode};

use super::super::Symbolic;
use super::run::{Stepper, Way};
use super::{Read, Touch, Touched};

impl Symbolic<'_> {
    /// What an expression reads of the globals: cells as such, unless their indices are bound by a quantifier.
    fn reads_of(&mut self, root: ExprId) -> Rc<[Read]> {
        if let Some(known) = self.reads.get(&root) {
            return Rc::clone(known);
        }
        let exprs = &self.program.exprs;
        let mut work: Vec<(ExprId, Vec<ExprId>)> = vec![(root, Vec::new())];
        let mut reads: Vec<Read> = Vec::new();
        while let Some((expr, path)) = work.pop() {
            match exprs.node(expr) {
                ExprNode::Global(global, _) => {
                    let mut bound = false;
                    for &index in &path {
                        exprs.for_each_in(index, |_, node| bound |= matches!(node, ExprNode::Bound(..)));
                    }
                    let read = (*global, if bound { Vec::new() } else { path });
                    if !reads.contains(&read) {
                        reads.push(read);
                    }
                }
                ExprNode::Select(map, indices) => {
                    work.extend(indices.iter().map(|index| (*index, Vec::new())));
                    work.push((*map, indices.iter().copied().chain(path).collect()));
                }
                node => node.for_each_operand(|operand| work.push((operand, Vec::new()))),
            }
        }
        let reads: Rc<[Read]> = reads.into();
        self.reads.insert(root, Rc::clone(&reads));
        reads
    }
}

impl Stepper<'_, '_> {
    /// Notes what the evaluation of an expression reads.
    pub(crate) fn note_reads(&mut self, way: &mut Way, expr: ExprId) -> Result<(), Unsupported> {
        for (global, path) in &*self.symbolic.reads_of(expr) {
            let mut indices = Vec::new();
            for &index in path {
                indices.push(self.eval(way, index)?);
            }
            way.note(Touched::Global(*global), indices, false);
        }
        Ok(())
    }
}

impl Way {
    /// Notes an access.
    pub(crate) fn note(&mut self, what: Touched, indices: Vec<smt::TermId>, write: bool) {
        let touch = Touch { what, indices, write };
        if !self.touches.contains(&touch) {
            self.touches.push(touch);
        }
    }
}
