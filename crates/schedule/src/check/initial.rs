//! The initial state.

use super::{Checker, Defect, Refusal};
use crate::Art;
use crate::symbolic::Facts;

impl Checker<'_> {
    /// That the root is where the program starts, and its label follows.
    pub(super) fn check_root(&mut self) -> Result<(), Refusal> {
        let root = &self.art.nodes[Art::ROOT];
        let (location, values) = self.symbolic.initial().map_err(|what| self.unsupported(what))?;
        if root.location != location {
            return self.defect(Defect::RootLocation);
        }
        for &part in &*self.symbolic.parts(root.label) {
            let initially = self.symbolic.substitute(part, &values);
            let otherwise = self.symbolic.formulas.pool.not(initially);
            if !self.is_impossible(&Facts::default(), &[otherwise])? {
                return self.defect(Defect::RootLabel(self.show_term(part)));
            }
        }
        Ok(())
    }
}
