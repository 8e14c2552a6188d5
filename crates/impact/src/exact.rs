//! Whether a tree tells all that a scheduler could know.
//!
//! That no schedule of a tree is safe means that none is only if every way at a node can be taken in every state there: a
//! scheduler that sees values could go by them otherwise. An arbitrary value that nobody has read yet is not seen by
//! anybody, so a way may depend on it: it is chosen when it is read.

use rustc_hash::{FxHashMap, FxHashSet};
use smt::TermId;

use crate::model::VarId;
use crate::tree::{NodeId, Tree};

impl Tree<'_, '_> {
    /// Whether what is possible at each node is the same for all its states.
    pub(crate) fn is_exact(&self) -> bool {
        self.loose.is_empty()
            && self.nodes.iter().filter(|(_, node)| node.cover.is_none()).all(|(id, node)| {
                let mut unread: Option<FxHashSet<VarId>> = None;
                node.choices.iter().all(|choice| {
                    let known = || {
                        let mut unread = self.unread(id);
                        for covered in &node.covers {
                            let other = self.unread(*covered);
                            unread.retain(|var| other.contains(var));
                        }
                        unread
                    };
                    choice.surely
                        && (choice.depends.is_empty() || {
                            let unread = unread.get_or_insert_with(known);
                            choice.depends.iter().all(|var| unread.contains(var))
                        })
                })
            })
    }

    /// The variables whose values are arbitrary and were not read.
    fn unread(&self, node: NodeId) -> FxHashSet<VarId> {
        let node = &self.nodes[node];
        let pool = &self.model.translator.pool;
        let mut uses: FxHashMap<TermId, usize> = FxHashMap::default();
        for value in node.values.store.iter() {
            pool.for_each_in(&[*value], |id, _| *uses.entry(id).or_default() += 1);
        }
        pool.for_each_in(&node.values.conds, |id, _| *uses.entry(id).or_default() += 1);
        let info = self.model.info(node.loc);
        let unread = |(var, value): (&VarId, &TermId)| {
            (self.model.is_own_symbol(*value) && uses[value] == 1).then_some(*var)
        };
        info.vars.iter().zip(node.values.store.iter()).filter_map(unread).collect()
    }
}
