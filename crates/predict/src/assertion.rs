//! Assertions that held in the run, and fail in another order of its events.

use engine::ViolationKind;
use interp::Checks;

use crate::ctp::Ev;
use crate::encode::Undecided;
use crate::search::Search;

impl Search<'_, '_, '_, '_> {
    /// The assertions that are looked for: events, and numbers among their assertions.
    pub(crate) fn asserted(&self, checks: &Checks) -> Vec<(Ev, usize)> {
        let mut all = Vec::new();
        for (event, of) in self.encoding.ctp.events.iter().enumerate() {
            for (at, assertion) in of.assertions.iter().enumerate() {
                let wanted = match assertion.kind {
                    ViolationKind::Memory => checks.memory,
                    _ => checks.assertions,
                };
                if wanted && !self.found.failing.contains(&assertion.op) {
                    all.push((event, at));
                }
            }
        }
        all
    }

    /// Looks for failures of assertions, once per op. Returns those to be asked for again.
    pub(crate) fn assertions(&mut self, asserted: Vec<(Ev, usize)>) -> Result<Vec<(Ev, usize)>, Undecided> {
        let mut later = Vec::new();
        for (event, at) in asserted {
            let of = &self.encoding.ctp.events[event];
            let assertion = &of.assertions[at];
            if self.found.failing.contains(&assertion.op) {
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
                    self.found.failing.insert(assertion.op);
                    let run = self.run(&model, Some(of.thread));
                    self.show(assertion.kind, run);
                }
                Ok(None) => {}
                Err(why) => later.extend(self.undecided(why)?.then_some((event, at))),
            }
        }
        Ok(later)
    }
}
