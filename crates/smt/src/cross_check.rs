//! Two solvers that watch each other.

use crate::{Answer, Error, Limits, Solver, TermId, TermPool, Value};

/// Asks two solvers the same. If they contradict each other, that is an error; if one cannot tell, the other's answer
/// counts.
pub struct CrossCheck<A, B> {
    first: A,
    second: B,
    /// Whether models and cores come from the second solver.
    from_second: bool,
}

impl<A: Solver, B: Solver> CrossCheck<A, B> {
    /// Two solvers with nothing asserted. Models and cores come from the first where it has an answer.
    pub fn new(first: A, second: B) -> Self {
        CrossCheck { first, second, from_second: false }
    }
}

impl<A: Solver, B: Solver> Solver for CrossCheck<A, B> {
    fn name(&self) -> String {
        format!("{} against {}", self.first.name(), self.second.name())
    }

    fn set_limits(&mut self, limits: Limits) {
        self.first.set_limits(limits.clone());
        self.second.set_limits(limits);
    }

    fn push(&mut self) {
        self.first.push();
        self.second.push();
    }

    fn pop(&mut self, levels: usize) {
        self.first.pop(levels);
        self.second.pop(levels);
    }

    fn assert(&mut self, pool: &TermPool, term: TermId) {
        self.first.assert(pool, term);
        self.second.assert(pool, term);
    }

    fn check_sat(&mut self, pool: &TermPool, assumptions: &[TermId]) -> Result<Answer, Error> {
        self.from_second = false;
        let first = self.first.check_sat(pool, assumptions)?;
        let second = self.second.check_sat(pool, assumptions)?;
        match (&first, &second) {
            (Answer::Sat, Answer::Unsat) | (Answer::Unsat, Answer::Sat) => Err(Error::Disagreement {
                first: (self.first.name(), first),
                second: (self.second.name(), second),
            }),
            (Answer::Unknown(_), Answer::Sat | Answer::Unsat) => {
                self.from_second = true;
                Ok(second)
            }
            _ => Ok(first),
        }
    }

    fn unsat_core(&mut self, pool: &TermPool) -> Result<Vec<TermId>, Error> {
        if self.from_second { self.second.unsat_core(pool) } else { self.first.unsat_core(pool) }
    }

    fn value(&mut self, pool: &TermPool, term: TermId) -> Result<Value, Error> {
        if self.from_second { self.second.value(pool, term) } else { self.first.value(pool, term) }
    }
}
