//! Assertions that held in the run, and fail in another order of its events.

use engine::ViolationKind;
use interp::Checks;
use ir::OpRef;
use rustc_hash::FxHashSet;

use crate::encode::Undecided;
use crate::search::Search;

impl Search<'_, '_, '_, '_> {
    /// Looks for failures of each assertion, once per op.
    pub(crate) fn assertions(&mut self, checks: &Checks) -> Result<(), Undecided> {
        let mut done: FxHashSet<OpRef> = FxHashSet::default();
        for event in 0..self.encoding.ctp.events.len() {
            let of = &self.encoding.ctp.events[event];
            for assertion in &of.assertions {
                let wanted = match assertion.kind {
                    ViolationKind::Memory => checks.memory,
                    _ => checks.assertions,
                };
                if !wanted || done.contains(&assertion.op) || self.found.failing.contains(&assertion.op) {
                    continue;
                }
                let mut literals = assertion.before.clone();
                literals.push(match assertion.in_tail {
                    true => self.encoding.inside[event],
                    false => self.encoding.standing(event),
                });
                literals.push(self.encoding.pool().not(assertion.holds));
                match self.encoding.ask(&literals) {
                    Ok(Some(model)) => {
                        done.insert(assertion.op);
                        let run = self.run(&model, Some(of.thread));
                        self.show(assertion.kind, run);
                    }
                    Ok(None) => {}
                    Err(why) => self.undecided(why)?,
                }
            }
        }
        self.found.failing.extend(done);
        Ok(())
    }
}
