//! Nodes get invariants as predicates as far as these follow.

use std::rc::Rc;

use smt::TermId;

use crate::step::Path;
use crate::tree::{NodeId, Stop, Tree};

impl Tree<'_, '_> {
    /// Gives a new node the invariants of its place that follow from the label of its parent.
    pub(crate) fn offer(&mut self, node: NodeId) -> Result<(), Stop> {
        let place = (self.nodes[node].loc, Rc::clone(&self.nodes[node].facts));
        let Some(parts) = self.invariants.get(&place).cloned() else { return Ok(()) };
        // These questions are the same at all nodes of a place, and do not get more.
        let patience = self.solving.patience;
        let mut wanted = Vec::new();
        let parent = self.nodes[node].parent.clone();
        for &part in parts.iter() {
            let kept = parent.as_ref().is_some_and(|parent| {
                self.nodes[parent.node].preds.contains(&part) && !self.changes(&parent.path, part)
            });
            if kept {
                self.nodes[node].preds.push(part);
            } else {
                wanted.push(part);
            }
        }
        let all = self.model.translator.pool.and(wanted.iter().copied());
        if self.is_known(node, all)? {
            self.nodes[node].preds.extend(wanted);
        } else {
            for part in wanted {
                if self.is_known(node, part)? {
                    self.nodes[node].preds.push(part);
                }
            }
        }
        self.solving.patience = patience;
        Ok(())
    }

    /// Whether a formula is one that was offered to a node.
    pub(crate) fn was_offered(&self, node: NodeId, formula: TermId) -> bool {
        let place = (self.nodes[node].loc, Rc::clone(&self.nodes[node].facts));
        self.invariants.get(&place).is_some_and(|parts| parts.contains(&formula))
    }

    /// Whether a path assigns what a formula mentions.
    fn changes(&self, path: &Path, formula: TermId) -> bool {
        let mut changes = false;
        self.model.translator.pool.for_each_in(&[formula], |id, _| {
            let var = self.model.vars.of_term(id);
            changes |=
                var.is_some_and(|var| path.updates.binary_search_by_key(&var, |(var, _)| *var).is_ok());
        });
        changes
    }

    /// Whether a formula follows at a node from the label of its parent, or from the initial state.
    fn is_known(&mut self, node: NodeId, formula: TermId) -> Result<bool, Stop> {
        if self.model.translator.pool.as_bool(formula) == Some(true) {
            return Ok(true);
        }
        let known = match self.nodes[node].parent.clone() {
            Some(parent) => {
                let before = self.precondition(&parent.path, formula);
                self.follows_by_step(parent.node, &parent.path, before)
            }
            None => self.holds_exactly(node, formula),
        };
        match known {
            // Whoever cannot tell offers nothing.
            Err(Stop::Solver(_)) => Ok(false),
            known => known,
        }
    }
}
