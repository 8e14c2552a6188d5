//! A solver that remembers answers.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use crate::scope::ScopedSet;
use crate::{Answer, Error, Limits, Solver, TermId, TermPool, Value};

/// How many terms the keys of the cache may hold together before it starts afresh.
const CAPACITY: usize = 1 << 24;

/// What was asked: assertions and assumptions, each in order of their ids and without duplicates.
type Question = (Box<[TermId]>, Box<[TermId]>);

/// Answers a question that was asked before without asking the solver again. `Unknown` is never remembered: more time
/// may help.
pub struct Cached<S> {
    inner: S,
    asserted: ScopedSet<TermId>,
    answers: HashMap<Question, Answer, FxBuildHasher>,
    held: usize,
    hits: u64,
    /// The assumptions of the last question, if its answer was remembered and the solver has not seen it.
    unasked: Option<(Vec<TermId>, Answer)>,
}

impl<S: Solver> Cached<S> {
    /// A cache in front of a solver with nothing asserted.
    pub fn new(inner: S) -> Self {
        Cached {
            inner,
            asserted: ScopedSet::default(),
            answers: HashMap::default(),
            held: 0,
            hits: 0,
            unasked: None,
        }
    }

    /// How many questions the cache answered.
    #[must_use]
    pub fn hits(&self) -> u64 {
        self.hits
    }

    /// Lets the solver find out by itself what the cache answered: it has the model and the core.
    fn ask(&mut self, pool: &TermPool, what: &str) -> Result<(), Error> {
        let Some((assumptions, expected)) = self.unasked.take() else { return Ok(()) };
        match self.inner.check_sat(pool, &assumptions)? {
            answer if answer == expected => Ok(()),
            Answer::Unknown(reason) => Err(Error::GaveUp(reason)),
            Answer::Sat | Answer::Unsat => Err(Error::NothingToShow(what.to_owned())),
        }
    }
}

fn normal(terms: impl IntoIterator<Item = TermId>) -> Box<[TermId]> {
    let mut terms: Vec<TermId> = terms.into_iter().collect();
    terms.sort_unstable();
    terms.dedup();
    terms.into()
}

impl<S: Solver> Solver for Cached<S> {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn set_limits(&mut self, limits: Limits) {
        self.inner.set_limits(limits);
    }

    fn push(&mut self) {
        self.unasked = None;
        self.asserted.push();
        self.inner.push();
    }

    fn pop(&mut self, levels: usize) {
        self.unasked = None;
        self.asserted.pop(levels);
        self.inner.pop(levels);
    }

    fn assert(&mut self, pool: &TermPool, term: TermId) {
        self.unasked = None;
        // What is asserted already would only be asserted twice.
        if self.asserted.insert(term) {
            self.inner.assert(pool, term);
        }
    }

    fn check_sat(&mut self, pool: &TermPool, assumptions: &[TermId]) -> Result<Answer, Error> {
        self.unasked = None;
        let question = (normal(self.asserted.iter().copied()), normal(assumptions.iter().copied()));
        if let Some(answer) = self.answers.get(&question) {
            self.hits += 1;
            self.unasked = Some((assumptions.to_vec(), answer.clone()));
            return Ok(answer.clone());
        }
        let answer = self.inner.check_sat(pool, assumptions)?;
        if !matches!(answer, Answer::Unknown(_)) {
            self.held += question.0.len() + question.1.len();
            if self.held > CAPACITY {
                self.answers.clear();
                self.held = question.0.len() + question.1.len();
            }
            self.answers.insert(question, answer.clone());
        }
        Ok(answer)
    }

    fn unsat_core(&mut self, pool: &TermPool) -> Result<Vec<TermId>, Error> {
        self.ask(pool, "core")?;
        self.inner.unsat_core(pool)
    }

    fn value(&mut self, pool: &TermPool, term: TermId) -> Result<Value, Error> {
        self.ask(pool, "model")?;
        self.inner.value(pool, term)
    }
}
