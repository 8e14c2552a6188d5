//! One question to `reach`, within the budget of the whole search.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use engine::{Budget, Cancel, Domains, Exhausted, Observer, Phase, Reason, Solving, Trace};
use ir::{GlobalId, OpRef, Program};
use reach::{Literal, Statistics};
use sequentialize::Control;
use smt::Solver;

use crate::Failure;

/// A sequential program that is asked for a failing assertion.
pub(crate) struct Question<'a> {
    pub(crate) program: &'a Program,
    /// What the trace shall tell.
    pub(crate) values: &'a dyn Fn(OpRef) -> bool,
    pub(crate) observed: &'a [GlobalId],
    /// What keeps ways apart.
    pub(crate) controls: &'a [Control],
    /// What its variables can be.
    pub(crate) domains: &'a Domains,
    /// What is told of it on the way; its bound on loops is the one to search within.
    pub(crate) solving: Solving,
    /// What it may take; if it turns out to be harder, it is given up.
    pub(crate) most: Option<Effort>,
}

/// The answer.
pub(crate) enum Answer {
    Violated(Trace),
    Safe,
    /// Unless a loop is gone round more often.
    SafeWithin,
    /// It is hard, and was given up.
    Hard,
    Unknown(Reason),
}

/// What a question takes, in units that are the same on every machine.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// One query, as the solver counts it.
    pub query: u32,
    /// Making the formulas: how often it is asked whether to go on.
    pub formulas: u32,
}

impl Default for Effort {
    /// Less than a second each.
    fn default() -> Self {
        Effort { query: 1_000_000, formulas: 400 }
    }
}

/// What a search may use, and who watches it.
pub(crate) struct Within<'a> {
    pub(crate) budget: &'a Budget,
    pub(crate) cancel: &'a Cancel,
    pub(crate) observer: &'a mut dyn Observer,
    /// Whether something was asked already.
    pub(crate) asked: bool,
}

/// The values of a control variable.
fn domain(control: Control) -> Vec<Literal> {
    match control.most {
        Some(most) => (0..=most).map(Literal::Int).collect(),
        None => vec![Literal::Bool(false), Literal::Bool(true)],
    }
}

impl Within<'_> {
    pub(crate) fn ask(
        &mut self,
        question: &Question<'_>,
        solver: &mut dyn Solver,
    ) -> Result<(Answer, Statistics), Failure> {
        let unroll = question.solving.unroll;
        let split: Vec<_> =
            question.controls.iter().map(|control| (control.global, domain(*control))).collect();
        let (budget, cancel) = (self.budget, self.cancel);
        let observer = RefCell::new(&mut *self.observer);
        let exhausted = Cell::new(None);
        let (asked, hard) = (Cell::new(0), Cell::new(false));
        let check = || {
            let observer = observer.borrow();
            exhausted.set(budget.check(observer.now(), observer.memory().unwrap_or(0), cancel));
            exhausted.get().is_some() || hard.get()
        };
        let stop = || {
            asked.set(asked.get() + 1);
            hard.set(question.most.is_some_and(|most| asked.get() > most.formulas));
            check()
        };
        let options = reach::Options {
            unroll,
            values: question.values,
            observed: question.observed,
            split: &split,
            domains: question.domains,
            doubt_axioms: !self.asked,
            stop: &stop,
        };
        let mut watch = |statistics: &Statistics| {
            observer.borrow_mut().progress(Phase::Solve(Solving {
                unroll: statistics.unroll,
                queries: statistics.queries,
                inlined: statistics.inlined,
                ..question.solving
            }));
            (!check()).then(|| smt::Limits {
                time: budget.time.map(|limit| limit.saturating_sub(observer.borrow().now())),
                memory: budget.memory,
                effort: question.most.map(|most| most.query),
                cancel: Some(Arc::clone(cancel.flag())),
            })
        };
        self.asked = true;
        let searched = reach::reach(question.program, solver, &options, &mut watch);
        let (outcome, statistics) = searched.map_err(|error| match error {
            reach::Error::Unsupported(error) => Failure::Unsupported { what: error.what, span: error.span },
            reach::Error::Contradiction(span) => Failure::Unsupported {
                what: "the axioms contradict each other, so the program has no runs; this is one of them"
                    .to_owned(),
                span: Some(span),
            },
            reach::Error::Solver(error) => Failure::Solver(error),
        })?;
        let answer = match outcome {
            reach::Outcome::Violated(trace) => Answer::Violated(trace),
            reach::Outcome::Safe => Answer::Safe,
            reach::Outcome::SafeWithin { .. } => Answer::SafeWithin,
            reach::Outcome::Unknown(smt::Reason::Effort) => Answer::Hard,
            reach::Outcome::Unknown(_) if hard.get() && exhausted.get().is_none() => Answer::Hard,
            reach::Outcome::Unknown(reason) => Answer::Unknown(self.reason(exhausted.get(), &reason)),
        };
        Ok((answer, statistics))
    }

    fn reason(&self, exhausted: Option<Exhausted>, reason: &smt::Reason) -> Reason {
        match (exhausted, reason) {
            (Some(exhausted), _) => Reason::Exhausted(exhausted),
            (None, smt::Reason::Timeout) if self.budget.time.is_some() => {
                Reason::Exhausted(Exhausted::Time(self.budget.time.unwrap_or_default()))
            }
            (None, smt::Reason::Memory) if self.budget.memory.is_some() => {
                Reason::Exhausted(Exhausted::Memory(self.budget.memory.unwrap_or_default()))
            }
            (None, smt::Reason::Cancelled) => Reason::Exhausted(Exhausted::Cancelled),
            (None, other) => Reason::Solver(other.to_string()),
        }
    }
}
