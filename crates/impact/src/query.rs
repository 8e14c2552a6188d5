//! Questions to the solver.

use rustc_hash::FxHashMap;
use smt::{Answer, Limits, Solver, TermId, TermPool};

use crate::tree::Stop;

/// Asked before each question and from time to time, with how many there were: what a question may use, or nothing to stop.
pub(crate) type Watch<'a> = &'a mut dyn FnMut(u64) -> Option<Limits>;

/// A solver that has the axioms, with a memory of its answers.
pub(crate) struct Solving<'a> {
    solver: &'a mut dyn Solver,
    watch: Watch<'a>,
    known: FxHashMap<Vec<TermId>, bool>,
    pub(crate) queries: u64,
}

impl<'a> Solving<'a> {
    pub(crate) fn new(solver: &'a mut dyn Solver, watch: Watch<'a>) -> Self {
        Solving { solver, watch, known: FxHashMap::default(), queries: 0 }
    }

    pub(crate) fn assert(&mut self, pool: &TermPool, term: TermId) {
        self.solver.assert(pool, term);
    }

    /// Whether to go on.
    pub(crate) fn may_go_on(&mut self) -> Result<(), Stop> {
        (self.watch)(self.queries).map(|_| ()).ok_or(Stop::Exhausted)
    }

    /// Whether some formulas can hold together.
    pub(crate) fn possible(&mut self, pool: &TermPool, formulas: &[TermId]) -> Result<bool, Stop> {
        let mut key: Vec<TermId> =
            formulas.iter().copied().filter(|formula| pool.as_bool(*formula) != Some(true)).collect();
        key.sort_unstable();
        key.dedup();
        if key.iter().any(|formula| pool.as_bool(*formula) == Some(false)) {
            return Ok(false);
        }
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let possible = self.ask(pool, &key)?;
        self.solver.pop(1);
        self.known.insert(key, possible);
        Ok(possible)
    }

    /// The same, and what a model says, if there is one.
    pub(crate) fn model<T>(
        &mut self,
        pool: &TermPool,
        formulas: &[TermId],
        read: impl FnOnce(&mut dyn Solver) -> T,
    ) -> Result<Option<T>, Stop> {
        let possible = self.ask(pool, formulas)?;
        let result = possible.then(|| read(&mut *self.solver));
        self.solver.pop(1);
        Ok(result)
    }

    /// Asks; the caller has to pop.
    fn ask(&mut self, pool: &TermPool, formulas: &[TermId]) -> Result<bool, Stop> {
        let limits = (self.watch)(self.queries).ok_or(Stop::Exhausted)?;
        self.solver.set_limits(limits);
        self.queries += 1;
        self.solver.push();
        for formula in formulas {
            self.solver.assert(pool, *formula);
        }
        match self.solver.check_sat(pool, &[]) {
            Ok(Answer::Sat) => Ok(true),
            Ok(Answer::Unsat) => Ok(false),
            Ok(Answer::Unknown(reason)) => {
                self.solver.pop(1);
                Err(Stop::Solver(reason))
            }
            Err(error) => {
                self.solver.pop(1);
                Err(Stop::SolverFailed(error))
            }
        }
    }
}
