//! Questions to the solver.

use std::rc::Rc;
use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Answer, Limits, Solver, Term, TermId, TermPool};

use crate::Statistics;
use crate::tree::Stop;

/// Asked before each question and from time to time, with what was done so far: what a question may use, or nothing to stop.
pub(crate) type Watch<'a> = &'a mut dyn FnMut(&Statistics) -> Option<Limits>;

/// How long a question of limited work may take: solvers that are processes do not count their work.
const LONGEST: Duration = Duration::from_secs(5);

/// A solver that has the axioms, with a memory of its answers.
pub(crate) struct Solving<'a> {
    solver: &'a mut dyn Solver,
    watch: Watch<'a>,
    known: FxHashMap<Vec<TermId>, bool>,
    /// What terms are made of: constants and applications of functions.
    symbols: FxHashMap<TermId, Rc<[TermId]>>,
    pub(crate) statistics: Statistics,
    /// How many questions may still be asked, and how much work each may be: what is found does not depend on how fast the machine is.
    pub(crate) patience: Option<(u64, u32)>,
}

impl<'a> Solving<'a> {
    pub(crate) fn new(solver: &'a mut dyn Solver, watch: Watch<'a>) -> Self {
        Solving {
            solver,
            watch,
            known: FxHashMap::default(),
            symbols: FxHashMap::default(),
            statistics: Statistics::default(),
            patience: None,
        }
    }

    pub(crate) fn assert(&mut self, pool: &TermPool, term: TermId) {
        self.solver.assert(pool, term);
    }

    /// Whether to go on.
    pub(crate) fn may_go_on(&mut self) -> Result<(), Stop> {
        self.limits().map(|_| ())
    }

    /// What a question may use, unless it is time to stop.
    pub(crate) fn limits(&mut self) -> Result<Limits, Stop> {
        (self.watch)(&self.statistics).ok_or(Stop::Exhausted)
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

    /// Whether a formula can hold together with others that can hold together: those that have nothing to do with it do not
    /// matter.
    pub(crate) fn possible_with(
        &mut self,
        pool: &TermPool,
        context: &[TermId],
        formula: TermId,
    ) -> Result<bool, Stop> {
        let mut reached: FxHashSet<TermId> = self.symbols(pool, formula).iter().copied().collect();
        let mut rest: Vec<TermId> = context.to_vec();
        let mut question = vec![formula];
        loop {
            let before = rest.len();
            let mut others = Vec::with_capacity(rest.len());
            for part in rest {
                let symbols = self.symbols(pool, part);
                if symbols.is_empty() || symbols.iter().any(|symbol| reached.contains(symbol)) {
                    reached.extend(symbols.iter().copied());
                    question.push(part);
                } else {
                    others.push(part);
                }
            }
            rest = others;
            if rest.len() == before {
                return self.possible(pool, &question);
            }
        }
    }

    fn symbols(&mut self, pool: &TermPool, term: TermId) -> Rc<[TermId]> {
        let found = self.symbols.entry(term).or_insert_with(|| {
            let mut symbols = Vec::new();
            pool.for_each_in(&[term], |id, node| {
                if matches!(node, Term::Apply(..)) {
                    symbols.push(id);
                }
            });
            symbols.into()
        });
        Rc::clone(found)
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
        let mut limits = self.limits()?;
        if let Some((left, most)) = &mut self.patience {
            *left = left.checked_sub(1).ok_or(Stop::Solver(smt::Reason::Effort))?;
            limits.effort = Some(*most);
            limits.time = Some(limits.time.map_or(LONGEST, |time| time.min(LONGEST)));
        }
        self.solver.set_limits(limits);
        self.statistics.queries += 1;
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
