//! Questions to the solver: whether something is impossible where a label holds.

use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Answer, TermId};

use super::{Checker, Refusal};
use crate::symbolic::Facts;

/// Answers that are known: for the parts in the order of their ids, whether they cannot hold together.
pub(super) type Answers = FxHashMap<Box<[TermId]>, bool>;

impl Checker<'_> {
    /// Whether some formulas cannot hold together where a label holds. They have the values of the label put in.
    pub(super) fn is_impossible(&mut self, facts: &Facts, formulas: &[TermId]) -> Result<bool, Refusal> {
        if facts.impossible {
            return Ok(true);
        }
        let mut wanted = Vec::new();
        for &formula in formulas {
            match self.symbolic.formulas.pool.as_bool(formula) {
                Some(true) => {}
                Some(false) => return Ok(true),
                None => wanted.extend(self.symbolic.parts(formula).iter()),
            }
        }
        // Without what has nothing to do with the question it is more often one that was asked before.
        let near = self.near(&facts.rest, &wanted);
        let left_out = near.len() < facts.rest.len();
        let mut question = wanted.clone();
        question.extend(near);
        if self.ask(question)? {
            return Ok(true);
        }
        if left_out {
            wanted.extend(&facts.rest);
            return self.ask(wanted);
        }
        Ok(false)
    }

    /// The parts of a label that are connected to some formulas through the constants that they mention.
    fn near(&mut self, rest: &[TermId], wanted: &[TermId]) -> Vec<TermId> {
        let mut reached: FxHashSet<TermId> = FxHashSet::default();
        for &formula in wanted {
            reached.extend(self.symbolic.mentions(formula).iter());
        }
        let mut taken = vec![false; rest.len()];
        loop {
            let mut more = false;
            for (at, &part) in rest.iter().enumerate() {
                if taken[at] {
                    continue;
                }
                let mentions = self.symbolic.mentions(part);
                if mentions.is_empty() || mentions.iter().any(|constant| reached.contains(constant)) {
                    taken[at] = true;
                    more = true;
                    reached.extend(mentions.iter());
                }
            }
            if !more {
                break;
            }
        }
        rest.iter().zip(taken).filter(|(_, taken)| *taken).map(|(part, _)| *part).collect()
    }

    fn ask(&mut self, mut question: Vec<TermId>) -> Result<bool, Refusal> {
        question.sort_unstable();
        question.dedup();
        if question.is_empty() && !self.has_axioms {
            return Ok(false);
        }
        let question: Box<[TermId]> = question.into();
        if let Some(&known) = self.answers.get(&question) {
            return Ok(known);
        }
        let limits = self.may_go_on()?;
        self.solver.set_limits(limits);
        self.checked.questions += 1;
        self.solver.push();
        for &formula in &question {
            self.solver.assert(&self.symbolic.formulas.pool, formula);
        }
        let answer = self.solver.check_sat(&self.symbolic.formulas.pool, &[]);
        self.solver.pop(1);
        let impossible = match answer.map_err(Refusal::Solver)? {
            Answer::Unsat => true,
            Answer::Sat => false,
            Answer::Unknown(smt::Reason::Cancelled) => return Err(Refusal::Stopped),
            Answer::Unknown(reason) => {
                // It may have been too hard for the time that was left only.
                self.may_go_on()?;
                return Err(Refusal::Undecided { node: self.node, reason });
            }
        };
        self.answers.insert(question, impossible);
        Ok(impossible)
    }
}
