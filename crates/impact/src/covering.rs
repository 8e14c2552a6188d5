//! Covering: a node whose states another node has, too, need not be continued.

use std::rc::Rc;

use crate::tree::{NodeId, Stop, Tree};

/// How many candidates are looked at.
const MOST_CANDIDATES: usize = 16;

impl Tree<'_, '_> {
    /// Covers a node by an earlier one of those that are `eligible`, if there is one that `allowed` accepts. Its label is made
    /// stronger if that is what it takes (forced covering).
    pub(crate) fn close(
        &mut self,
        node: NodeId,
        eligible: &dyn Fn(NodeId) -> bool,
        allowed: &mut dyn FnMut(&mut Self, NodeId) -> bool,
    ) -> Result<bool, Stop> {
        let candidates = self.candidates(node);
        for by in candidates.into_iter().filter(|by| eligible(*by)).take(MOST_CANDIDATES) {
            if allowed(self, by) && self.cover(node, by, None)? {
                return Ok(true);
            }
        }
        self.close_renamed(node, MOST_CANDIDATES)
    }

    /// The nodes at the same location whose facts hold at a node: those with the same facts first.
    fn candidates(&self, node: NodeId) -> Vec<NodeId> {
        let Some(here) = self.index.get(&self.nodes[node].loc) else { return Vec::new() };
        let facts = &self.nodes[node].facts;
        let usable = |by: &&NodeId| {
            let other = &self.nodes[**by];
            **by < node && !other.removed && other.cover.is_none()
        };
        let mut found: Vec<NodeId> = here.get(facts).into_iter().flatten().filter(usable).copied().collect();
        let info = Rc::clone(self.model.info(self.nodes[node].loc));
        // Weaker facts are the same where something is known.
        for unknown in self.unknown.get(&self.nodes[node].loc).into_iter().flatten() {
            let mut weaker = facts.to_vec();
            for &at in unknown {
                weaker[at] = self.model.term_of(info.vars[at]);
            }
            if weaker[..] != facts[..] {
                found.extend(here.get(&weaker[..]).into_iter().flatten().filter(usable));
            }
        }
        found
    }

    /// The nodes with the same location and facts.
    pub(crate) fn twins(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let here = self.index.get(&self.nodes[node].loc);
        here.and_then(|here| here.get(&self.nodes[node].facts)).into_iter().flatten().copied()
    }

    /// Covers a node by another at the same location whose facts it has, once its threads are renamed.
    pub(crate) fn cover(
        &mut self,
        node: NodeId,
        by: NodeId,
        renaming: Option<&Rc<[u32]>>,
    ) -> Result<bool, Stop> {
        for offered in self.nodes[by].preds.clone() {
            let Some(pred) = self.renamed(renaming.map(|places| &**places), offered)? else {
                return Ok(false);
            };
            if self.nodes[node].preds.contains(&pred) {
                continue;
            }
            // What was offered to one holds wherever the program comes with the facts of that one. Elsewhere it may hold only
            // on the very way that led there.
            let has = if self.was_offered(by, offered) {
                let pred = self.by_facts(node, pred);
                self.follows_from_label(node, pred)?
            } else {
                self.can_have(node, pred)?
            };
            if !has {
                return Ok(false);
            }
        }
        // Who is covered covers nobody.
        for covered in self.nodes[node].covers.clone() {
            self.uncover(covered);
        }
        // From here on, what is demanded of one is demanded of the other.
        self.nodes[node].cover = Some(by);
        self.nodes[node].renaming = renaming.cloned();
        self.nodes[by].covers.push(node);
        for pred in self.nodes[by].preds.clone() {
            if self.nodes[node].cover.is_none() {
                break;
            }
            if let Some(pred) = self.renamed(renaming.map(|places| &**places), pred)? {
                self.strengthen(node, pred)?;
            }
        }
        if self.nodes[node].cover.is_some() {
            return Ok(true);
        }
        self.reopened.retain(|reopened| *reopened != node);
        Ok(false)
    }
}
