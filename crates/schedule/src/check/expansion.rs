//! That no thread is missing in a proof that every schedule is safe.
//!
//! A thread that can run has a choice. Where only one thread has a choice, the others may be left out if its step commutes
//! with all that they may still do (a persistent set of one; Godefroid, "Partial-Order Methods for the Verification of
//! Concurrent Systems", 1996), it can run in all states, and its step does not end the run. On each cycle there must be a
//! node at which nobody is left out.

use interp::{Access, SwitchAt};
use ir::{Op, OpRef};
use rustc_hash::FxHashMap;

use super::fairness::on_cycles;
use super::{Checker, Defect, Refusal, Seen};
use crate::symbolic::Facts;
use crate::symbolic::{End, Steps};
use crate::{Node, NodeId, ThreadAt};

impl Checker<'_> {
    /// That nobody who can run is missing at a node, or rightly so. Whether somebody is.
    pub(super) fn check_expansion(&mut self, node: &Node, facts: &Facts) -> Result<bool, Refusal> {
        let running = self.running(node)?;
        let chosen = |thread: u32| node.choices.iter().any(|choice| choice.thread == thread);
        let mut missing = None;
        for (thread, steps) in &running {
            if !chosen(*thread) && self.is_possible(facts, steps.enabled)? {
                missing = Some(*thread);
                break;
            }
        }
        let Some(missing) = missing else {
            if self.question.checks.deadlocks {
                self.check_no_deadlock(facts, &running)?;
            }
            return Ok(false);
        };
        let [choice] = node.choices.as_slice() else {
            let why = if node.choices.is_empty() { "nobody has" } else { "more than one other has" };
            return self.defect(Defect::Unexpanded(missing, why.to_owned()));
        };
        let why = match running.iter().find(|(thread, _)| *thread == choice.thread) {
            Some((_, steps)) => self.why_not_alone(node, facts, choice.thread, steps)?,
            None => Some("the one that has is not running"),
        };
        match why {
            Some(why) => self.defect(Defect::Unexpanded(missing, why.to_owned())),
            None => Ok(true),
        }
    }

    /// Why a thread must not be the only one with a choice, if so.
    fn why_not_alone(
        &mut self,
        node: &Node,
        facts: &Facts,
        thread: u32,
        steps: &Steps,
    ) -> Result<Option<&'static str>, Refusal> {
        if self.question.checks.races {
            return Ok(Some("races need all orders"));
        }
        let step = self.next_access(node, thread);
        let others = (0..).zip(&node.location.threads).filter(|(other, _)| *other != thread);
        let conflict = others.into_iter().any(|(_, at)| step.conflicts(self.future(at)));
        if conflict {
            return Ok(Some("the step of the one that has may conflict with what others do"));
        }
        if !self.follows(facts, steps.enabled)? {
            return Ok(Some("the one that has can be blocked"));
        }
        for path in &steps.paths {
            if matches!(path.end, End::Exited | End::Failed { .. } | End::Unsupported(_))
                && self.is_possible(facts, path.guard)?
            {
                return Ok(Some("the step of the one that has can end the run"));
            }
        }
        Ok(None)
    }

    /// What the next step of a thread touches.
    fn next_access(&self, node: &Node, thread: u32) -> Access {
        let Some(at) = node.location.threads.get(thread as usize) else { return Access::default() };
        if self.question.switch_at == SwitchAt::Yield {
            return self.future(at);
        }
        let ThreadAt::Running(frames) = at else { return Access::default() };
        match frames.as_slice() {
            [.., call, op] if self.returns(*op) => self.symbolic.outline.of(*call).own,
            [.., op] => self.symbolic.outline.of(*op).step,
            [] => Access::default(),
        }
    }

    fn returns(&self, op: OpRef) -> bool {
        matches!(self.program.procs[op.proc].blocks[op.block].stmts[op.index].op, Op::Return)
    }

    /// What a thread may touch from where it is.
    fn future(&self, at: &ThreadAt) -> Access {
        match at {
            ThreadAt::Running(frames) => frames
                .iter()
                .fold(Access::default(), |future, op| future.union(self.symbolic.outline.of(*op).future)),
            ThreadAt::Completed(_) => Access::default(),
        }
    }

    /// That nobody is left out on a whole cycle.
    pub(super) fn check_cycles(&mut self, seen: &FxHashMap<NodeId, Seen>) -> Result<(), Refusal> {
        let reduced = |id: NodeId| seen.get(&id).is_some_and(|here| here.reduced);
        let cycles = on_cycles(seen, |id, (_, to)| reduced(id) && reduced(*to));
        match cycles.first() {
            Some(&node) => Err(Refusal::Defect { node, defect: Defect::LeftOut }),
            None => Ok(()),
        }
    }
}
