//! Labels get stronger: interpolants by weakest preconditions.
//!
//! To have a formula in the label of a node, it has to follow from the labels before. What has to hold at the parent is
//! the weakest precondition; where the values of the parent allow, the part of it that says nothing of the branch taken,
//! which is more general. (Wachter, Kroening, Ouaknine, "Verifying multi-threaded software with Impact", FMCAD 2013.)

use rustc_hash::FxHashSet;
use smt::{Quantifier, Term, TermId};

use crate::step::Path;
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
                let renaming = self.nodes[covered].renaming.clone();
                match self.renamed(renaming.as_deref(), formula)? {
                    Some(formula) if added <= MOST && self.can_have(covered, formula)? => {
                        work.push((covered, formula));
                    }
                    _ => self.uncover(covered),
                }
            }
            if let Some(parent) = self.nodes[node].parent.clone() {
                let before = self.precondition(&parent.path, formula);
                if let Some(needed) = self.needed(parent.node, &parent.path, before)? {
                    work.push((parent.node, needed));
                }
            }
        }
        Ok(())
    }

    /// A formula in terms of the variables before a step.
    pub(crate) fn precondition(&mut self, path: &Path, formula: TermId) -> TermId {
        let vars = &self.model.vars;
        self.model.translator.pool.rewrite(formula, |_, leaf| match vars.of_term(leaf) {
            Some(var) => match path.updates.binary_search_by_key(&var, |(var, _)| *var) {
                Ok(at) => path.updates[at].1,
                Err(_) => leaf,
            },
            None => leaf,
        })
    }

    /// Whether a formula holds wherever a way can be taken from a node, by its label.
    pub(crate) fn follows_by_step(
        &mut self,
        node: NodeId,
        path: &Path,
        formula: TermId,
    ) -> Result<bool, Stop> {
        let mut question = Vec::new();
        for pred in self.nodes[node].preds.clone() {
            question.push(self.by_facts(node, pred));
        }
        question.push(self.by_facts(node, path.guard));
        let known = self.by_facts(node, formula);
        question.push(self.model.translator.pool.not(known));
        Ok(!self.solving.possible(&self.model.translator.pool, &question)?)
    }

    /// What must hold at a node, besides its label, so that a formula holds on a way from it.
    fn needed(&mut self, node: NodeId, path: &Path, formula: TermId) -> Result<Option<TermId>, Stop> {
        if self.follows_by_step(node, path, formula)? {
            return Ok(None);
        }
        // Of what the way takes for granted, only the parts that have to do with the formula, if that suffices: the rest would
        // tie the label to the branch taken.
        let mut parts: Vec<TermId> = match self.model.translator.pool.term(path.guard) {
            Term::And(parts) => parts.to_vec(),
            _ => vec![path.guard],
        };
        parts.retain(|part| self.model.translator.pool.as_bool(*part) != Some(true));
        let related = self.related(&parts, formula);
        let weakest = self.weakest(path, &related, formula);
        if related.len() == parts.len() || self.holds_exactly(node, weakest)? {
            return Ok(Some(weakest));
        }
        Ok(Some(self.weakest(path, &parts, formula)))
    }

    /// The weakest precondition of a formula on a way, if only some parts of its guard are known.
    fn weakest(&mut self, path: &Path, guard: &[TermId], formula: TermId) -> TermId {
        let pool = &mut self.model.translator.pool;
        let guard = pool.and(guard.iter().copied());
        let weakest = pool.implies(guard, formula);
        self.quantify(path, weakest, Quantifier::Forall)
    }

    /// The parts that mention what a formula mentions, or what other such parts do.
    fn related(&self, parts: &[TermId], formula: TermId) -> Vec<TermId> {
        let pool = &self.model.translator.pool;
        let leaves = |term: TermId| {
            let mut leaves = FxHashSet::default();
            pool.for_each_in(&[term], |id, node| {
                if matches!(node, Term::Apply(..)) {
                    leaves.insert(id);
                }
            });
            leaves
        };
        let mut known = leaves(formula);
        let mut rest: Vec<(TermId, FxHashSet<TermId>)> =
            parts.iter().map(|part| (*part, leaves(*part))).collect();
        let mut related = Vec::new();
        loop {
            let before = related.len();
            rest.retain(|(part, leaves)| {
                let touches = !leaves.is_disjoint(&known);
                if touches {
                    related.push(*part);
                    known.extend(leaves);
                }
                !touches
            });
            if related.len() == before {
                return related;
            }
        }
    }

    /// Whether a formula follows from the label of a node.
    pub(crate) fn follows_from_label(&mut self, node: NodeId, formula: TermId) -> Result<bool, Stop> {
        if self.model.translator.pool.as_bool(formula) == Some(true) {
            return Ok(true);
        }
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

    /// Whether a formula can become part of the label of a node: it holds in all states that the node has, or at least in
    /// those that really lead there.
    pub(crate) fn can_have(&mut self, node: NodeId, formula: TermId) -> Result<bool, Stop> {
        Ok(self.holds(node, formula)? || (!self.loose.is_empty() && self.holds_exactly(node, formula)?))
    }

    /// Whether a formula holds with the values of a node.
    fn holds(&mut self, node: NodeId, formula: TermId) -> Result<bool, Stop> {
        let info = self.info(node);
        let values = self.nodes[node].values.clone();
        let known = self.by_values(&info, &values.store, formula);
        if let Some(known) = self.model.translator.pool.as_bool(known) {
            return Ok(known);
        }
        let context = self.context(node);
        let fails = self.model.translator.pool.not(known);
        Ok(!self.solving.possible_with(&self.model.translator.pool, &context, fails)?)
    }

    /// Whether a formula holds on the very way that led to a node.
    pub(crate) fn holds_exactly(&mut self, node: NodeId, formula: TermId) -> Result<bool, Stop> {
        let info = self.info(node);
        let exact = self.nodes[node].exact.clone();
        let known = self.by_values(&info, &exact.store, formula);
        if self.model.translator.pool.as_bool(known) == Some(true) {
            return Ok(true);
        }
        let fails = self.model.translator.pool.not(known);
        Ok(!self.really_possible(&exact.conds, fails)?)
    }

    /// Whether a formula can hold together with exact conditions. If variables are loose, these may contradict each other:
    /// then nothing really leads there.
    pub(crate) fn really_possible(&mut self, conds: &[TermId], formula: TermId) -> Result<bool, Stop> {
        if self.loose.is_empty() {
            return self.solving.possible_with(&self.model.translator.pool, conds, formula);
        }
        let mut question = conds.to_vec();
        question.push(formula);
        self.solving.possible(&self.model.translator.pool, &question)
    }

    /// Takes a covering back.
    pub(crate) fn uncover(&mut self, node: NodeId) {
        if let Some(by) = self.nodes[node].cover.take() {
            self.nodes[node].renaming = None;
            self.nodes[by].covers.retain(|covered| *covered != node);
            self.reopened.push(node);
        }
    }
}
