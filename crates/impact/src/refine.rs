//! Labels get stronger: interpolants by weakest preconditions.
//!
//! To have a formula in the label of a node, it has to follow from the labels before. What has to hold at the parent is
//! the weakest precondition; where the values of the parent allow, the part of it that says nothing of the branch taken,
//! which is more general. (Wachter, Kroening, Ouaknine, "Verifying multi-threaded software with Impact", FMCAD 2013.)

use smt::{Quantifier, Term, TermId};

use crate::tree::{NodeId, Stop, Tree};

/// More formulas than this for one reason mean that it leads nowhere.
const MOST: usize = 400;

impl Tree<'_, '_> {
    /// Adds a formula over variables, which holds at a node, to its label. What the node covers and does not satisfy it is
    /// covered no more.
    pub(crate) fn strengthen(&mut self, node: NodeId, formula: TermId) -> Result<(), Stop> {
        let mut work = vec![(node, formula)];
        let mut added = 0;
        while let Some((node, formula)) = work.pop() {
            let formula = self.by_facts(node, formula);
            let pool = &self.model.translator.pool;
            match pool.term(formula) {
                Term::Bool(true) => continue,
                Term::And(parts) => {
                    work.extend(parts.iter().map(|part| (node, *part)));
                    continue;
                }
                _ => {}
            }
            if self.nodes[node].preds.contains(&formula) || self.follows_from_label(node, formula)? {
                continue;
            }
            added += 1;
            self.solving.may_go_on()?;
            self.nodes[node].preds.push(formula);
            for covered in self.nodes[node].covers.clone() {
                if added <= MOST && self.holds(covered, formula)? {
                    work.push((covered, formula));
                } else {
                    self.uncover(covered);
                }
            }
            if let Some(parent) = self.nodes[node].parent.clone() {
                let before = self.precondition(&parent.path, formula);
                let needed = self.needed(parent.node, &parent.path, before)?;
                work.push((parent.node, needed));
            }
        }
        Ok(())
    }

    /// A formula in terms of the variables before a step.
    fn precondition(&mut self, path: &crate::step::Path, formula: TermId) -> TermId {
        let vars = &self.model.vars;
        self.model.translator.pool.rewrite(formula, |_, leaf| match vars.of_term(leaf) {
            Some(var) => match path.updates.binary_search_by_key(&var, |(var, _)| *var) {
                Ok(at) => path.updates[at].1,
                Err(_) => leaf,
            },
            None => leaf,
        })
    }

    /// What must hold at a node so that a formula holds on a way from it.
    fn needed(
        &mut self,
        node: NodeId,
        path: &crate::step::Path,
        formula: TermId,
    ) -> Result<TermId, Stop> {
        let general = self.quantify(path, formula, Quantifier::Forall);
        if general == formula && self.holds_exactly(node, formula)? {
            return Ok(formula);
        }
        let pool = &mut self.model.translator.pool;
        // Of what the way takes for granted, only the parts that matter.
        let mut parts: Vec<TermId> = match pool.term(path.guard) {
            Term::And(parts) => parts.to_vec(),
            _ => vec![path.guard],
        };
        let all = parts.clone();
        for part in all {
            if parts.len() == 1 {
                break;
            }
            let fewer: Vec<TermId> = parts.iter().copied().filter(|other| *other != part).collect();
            let pool = &mut self.model.translator.pool;
            let guard = pool.and(fewer.iter().copied());
            let candidate = pool.implies(guard, formula);
            let candidate = self.quantify(path, candidate, Quantifier::Forall);
            if self.holds_exactly(node, candidate)? {
                parts = fewer;
            }
        }
        let pool = &mut self.model.translator.pool;
        let guard = pool.and(parts);
        let weakest = pool.implies(guard, formula);
        Ok(self.quantify(path, weakest, Quantifier::Forall))
    }

    /// Whether a formula follows from the label of a node.
    fn follows_from_label(&mut self, node: NodeId, formula: TermId) -> Result<bool, Stop> {
        if self.nodes[node].preds.is_empty() {
            return Ok(false);
        }
        let mut question = Vec::new();
        for pred in self.nodes[node].preds.clone() {
            question.push(self.by_facts(node, pred));
        }
        question.push(self.model.translator.pool.not(formula));
        Ok(!self.solving.possible(&self.model.translator.pool, &question)?)
    }

    /// Whether a formula holds with the values of a node.
    pub(crate) fn holds(&mut self, node: NodeId, formula: TermId) -> Result<bool, Stop> {
        let info = self.info(node);
        let values = self.nodes[node].values.clone();
        let known = self.by_values(&info, &values.store, formula);
        if let Some(known) = self.model.translator.pool.as_bool(known) {
            return Ok(known);
        }
        let mut question = self.context(node);
        question.push(self.model.translator.pool.not(known));
        Ok(!self.solving.possible(&self.model.translator.pool, &question)?)
    }

    /// Whether a formula holds on the very way that led to a node.
    fn holds_exactly(&mut self, node: NodeId, formula: TermId) -> Result<bool, Stop> {
        let info = self.info(node);
        let exact = self.nodes[node].exact.clone();
        let known = self.by_values(&info, &exact.store, formula);
        if let Some(known) = self.model.translator.pool.as_bool(known) {
            if known {
                return Ok(true);
            }
        }
        let mut question = exact.conds.to_vec();
        question.push(self.model.translator.pool.not(known));
        Ok(!self.solving.possible(&self.model.translator.pool, &question)?)
    }

    /// Takes a covering back.
    pub(crate) fn uncover(&mut self, node: NodeId) {
        if let Some(by) = self.nodes[node].cover.take() {
            self.nodes[by].covers.retain(|covered| *covered != node);
            self.reopened.push(node);
        }
    }
}
