//! Deadlock-freedom.
//!
//! At a node of a schedule, every thread that may run must be able to run in all states of the label. A thread at an assume is
//! different: a run in which the assume never comes to hold is no run of the program. So a state in which nobody who may run
//! can run is right in three cases: all threads have completed; nobody can run at all, and somebody is at an assume; somebody is
//! at an assume that reads no global, and so will never come to hold. Otherwise it is the schedule that keeps the assume from
//! coming to hold, or there is a deadlock.

use std::rc::Rc;

use ir::Op;
use smt::TermId;

use super::{Checker, Defect, Refusal, next_op};
use crate::Node;
use crate::symbolic::Facts;
use crate::symbolic::Steps;

impl Checker<'_> {
    /// That those who may run at a node of a schedule can run.
    pub(super) fn check_permitted(&mut self, node: &Node, facts: &Facts) -> Result<(), Refusal> {
        let mut waits_for_assume = node.choices.is_empty();
        for choice in &node.choices {
            let Some(steps) = self.steps_at(node, choice.thread)? else { continue };
            if self.is_at_assume(node, choice.thread) {
                waits_for_assume = true;
                continue;
            }
            if self.follows(facts, steps.enabled)? {
                continue;
            }
            let running = self.running(node)?;
            let dead = self.dead(node, &running);
            let right = self.symbolic.formulas.pool.or([steps.enabled, dead]);
            if !self.follows(facts, right)? {
                let op = next_op(node, choice.thread).map_or_else(String::new, |op| self.show(op));
                return self.defect(Defect::Blocked(choice.thread, op));
            }
        }
        if waits_for_assume { self.check_end(node, facts) } else { Ok(()) }
    }

    /// That in each state somebody who may run can run, unless it is an end.
    fn check_end(&mut self, node: &Node, facts: &Facts) -> Result<(), Refusal> {
        let running = self.running(node)?;
        if running.is_empty() {
            return Ok(());
        }
        let permitted = |thread: u32| node.choices.iter().any(|choice| choice.thread == thread);
        let may_run = running.iter().filter(|(thread, _)| permitted(*thread)).map(|(_, steps)| steps.enabled);
        let may_run = self.symbolic.formulas.pool.or(may_run.collect::<Vec<_>>());
        let dead = self.dead(node, &running);
        let nobody = self.nobody(&running);
        let discarded = self.at_assume(&running);
        let stuck = self.symbolic.formulas.pool.and([nobody, discarded]);
        let right = self.symbolic.formulas.pool.or([may_run, dead, stuck]);
        if self.follows(facts, right)? {
            return Ok(());
        }
        let wrong = self.symbolic.formulas.pool.not(right);
        let deadlock = self.symbolic.formulas.pool.and([wrong, nobody]);
        let is_deadlock = self.is_possible(facts, deadlock)?;
        self.defect(if is_deadlock { Defect::Deadlock } else { Defect::Withheld })
    }

    /// That no state of a node is a deadlock.
    pub(super) fn check_no_deadlock(
        &mut self,
        facts: &Facts,
        running: &[(u32, Rc<Steps>)],
    ) -> Result<(), Refusal> {
        if running.is_empty() {
            return Ok(());
        }
        let nobody = self.nobody(running);
        let discarded = self.at_assume(running);
        let kept = self.symbolic.formulas.pool.not(discarded);
        let deadlock = self.symbolic.formulas.pool.and([nobody, kept]);
        if self.is_possible(facts, deadlock)? { self.defect(Defect::Deadlock) } else { Ok(()) }
    }

    /// That nobody can run.
    fn nobody(&mut self, running: &[(u32, Rc<Steps>)]) -> TermId {
        let disabled: Vec<TermId> =
            running.iter().map(|(_, steps)| self.symbolic.formulas.pool.not(steps.enabled)).collect();
        self.symbolic.formulas.pool.and(disabled)
    }

    /// That somebody is blocked at an assume.
    fn at_assume(&mut self, running: &[(u32, Rc<Steps>)]) -> TermId {
        self.symbolic.formulas.pool.or(running.iter().map(|(_, steps)| steps.at_assume).collect::<Vec<_>>())
    }

    /// That somebody is at an assume that will never come to hold: no run of the program passes here.
    fn dead(&mut self, node: &Node, running: &[(u32, Rc<Steps>)]) -> TermId {
        let mut dead = Vec::new();
        for (thread, steps) in running {
            let is_local =
                next_op(node, *thread).is_some_and(|op| self.symbolic.outline.of(op).own.is_empty());
            if is_local && self.is_at_assume(node, *thread) {
                dead.push(steps.at_assume);
            }
        }
        self.symbolic.formulas.pool.or(dead)
    }

    /// Whether a thread stands at an assume.
    fn is_at_assume(&self, node: &Node, thread: u32) -> bool {
        next_op(node, thread).is_some_and(|op| {
            matches!(self.program.procs[op.proc].blocks[op.block].stmts[op.index].op, Op::Assume(_))
        })
    }
}
