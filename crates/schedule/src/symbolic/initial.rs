//! The initial state.

use formula::{Nothing, Unsupported};
use ir::OpRef;
use rustc_hash::FxHashMap;
use smt::TermId;

use super::Symbolic;
use super::variables::{nil, position};
use crate::{Location, ThreadAt};

impl Symbolic<'_> {
    /// Where the program starts, and with which values; the other variables are arbitrary.
    pub(crate) fn initial(&mut self) -> Result<(Location, FxHashMap<TermId, TermId>), Unsupported> {
        let Symbolic { program, variables, formulas, .. } = self;
        let mut values = FxHashMap::default();
        for (id, global) in &program.globals {
            let value = match global.init {
                Some(init) => Some(formulas.eval(init, &Nothing).map_err(|error| error.at(global.span))?),
                None => nil(formulas, &global.ty)?,
            };
            values.extend(value.map(|value| (variables.globals[id], value)));
        }
        let mut threads = Vec::new();
        for (thread, &proc) in (0..).zip(&program.threads) {
            let info = &program.procs[proc];
            let frame = variables.frame(formulas, thread, 0, proc)?;
            for (local, declared) in &info.locals {
                values.extend(nil(formulas, &declared.ty)?.map(|value| (frame[position(local)], value)));
            }
            threads.push(ThreadAt::Running(vec![OpRef { proc, block: info.entry, index: 0 }]));
        }
        Ok((Location { threads }, values))
    }
}
