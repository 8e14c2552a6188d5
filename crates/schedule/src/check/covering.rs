//! Covering: the states of a node are among those of another one at the same location.

use super::{Checker, Defect, Refusal};
use crate::symbolic::Facts;
use crate::{Node, NodeId};

impl Checker<'_> {
    /// That a node is rightly covered by another.
    pub(super) fn check_cover(&mut self, node: &Node, facts: &Facts, by: NodeId) -> Result<(), Refusal> {
        self.check_label(by)?;
        let covering = &self.art.nodes[by];
        if !node.choices.is_empty() {
            return self.defect(Defect::CoveredWithChoices);
        }
        if covering.cover.is_some() {
            return self.defect(Defect::CoverCovered(by));
        }
        if !node.renaming.is_empty() {
            return self.check_renamed_cover(node, facts, by);
        }
        if covering.location != node.location {
            return self.defect(Defect::CoverLocation(by));
        }
        for &part in &*self.symbolic.parts(covering.label) {
            if !facts.parts.contains(&part) && !self.follows(facts, part)? {
                return self.defect(Defect::CoverLabel(by, self.show_term(part)));
            }
        }
        Ok(())
    }
}
