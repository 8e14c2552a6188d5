//! The initial state.

use formula::Nothing;
use ir::OpRef;
use rustc_hash::FxHashMap;

use super::{Checker, Defect, Refusal};
use crate::symbolic::Facts;
use crate::symbolic::{Symbolic, nil, position};
use crate::{Art, Location, ThreadAt};

impl Checker<'_> {
    /// That the root is where the program starts, and its label follows.
    pub(super) fn check_root(&mut self) -> Result<(), Refusal> {
        let program = self.program;
        let root = &self.art.nodes[Art::ROOT];
        let threads = program
            .threads
            .iter()
            .map(|&proc| ThreadAt::Running(vec![OpRef { proc, block: program.procs[proc].entry, index: 0 }]));
        if root.location != (Location { threads: threads.collect() }) {
            return self.defect(Defect::RootLocation);
        }
        let mut values = FxHashMap::default();
        self.initial_values(&mut values).map_err(|what| self.unsupported(what))?;
        for &part in &*self.symbolic.parts(root.label) {
            let initially = self.symbolic.substitute(part, &values);
            let otherwise = self.symbolic.formulas.pool.not(initially);
            if !self.is_impossible(&Facts::default(), &[otherwise])? {
                return self.defect(Defect::RootLabel(self.show_term(part)));
            }
        }
        Ok(())
    }

    fn initial_values(
        &mut self,
        values: &mut FxHashMap<smt::TermId, smt::TermId>,
    ) -> Result<(), formula::Unsupported> {
        let Symbolic { program, variables, formulas, .. } = &mut self.symbolic;
        for (id, global) in &program.globals {
            let value = match global.init {
                Some(init) => Some(formulas.eval(init, &Nothing).map_err(|error| error.at(global.span))?),
                None => nil(formulas, &global.ty)?,
            };
            values.extend(value.map(|value| (variables.globals[id], value)));
        }
        for (thread, &proc) in (0..).zip(&program.threads) {
            let frame = variables.frame(formulas, thread, 0, proc)?;
            for (local, info) in &program.procs[proc].locals {
                values.extend(nil(formulas, &info.ty)?.map(|value| (frame[position(local)], value)));
            }
        }
        Ok(())
    }
}
