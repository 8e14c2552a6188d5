//! State by state: what to do where formulas are hard.
//!
//! Some programs have few states and large formulas: those with many small loops, or with a heap of a few cells that
//! everything goes through. A solver finds it hard to see what a walk over all states shows in a moment. So once a question
//! turns out to be hard, the explorer of the reference semantics looks at the program first, for as long as there are not
//! too many states. If it comes to an end, or finds something, that is the answer; if it does not, the question is asked
//! again. Breadth-first, it is plain early on whether there are too many states; depth-first it is not, but long runs are
//! seen. When a question is hard, and how many states are too many, depends on no clock: the same program gets the same
//! answer everywhere.

use std::time::Duration;

use engine::{Attempt, Cancel, Config, Observer, Outcome, Phase, SearchOrder, Touched, Verdict};
use ir::Program;

use crate::Failure;
use crate::question::Within;

/// There are not many more steps than so many for each state; otherwise it takes too long.
const STEPS_PER_STATE: u64 = 3;
/// Once there are so many states, most of them should be expanded; otherwise there are far more to come.
const SEEN: usize = 50_000;
/// And they do not take more than so many bytes each.
const BYTES_PER_STATE: usize = 1 << 9;

/// What looking at states came to.
pub(crate) struct Explored {
    /// What it decides, if it does.
    pub(crate) decided: Option<Outcome>,
    /// How many were looked at.
    pub(crate) states: usize,
    /// Whether that is all there are.
    pub(crate) ended: bool,
}

impl Within<'_> {
    /// Looks at all states of a program, if there are at most so many.
    pub(crate) fn explored(
        &mut self,
        program: &Program,
        config: &Config,
        states: usize,
    ) -> Result<Explored, Failure> {
        if states == 0 {
            return Ok(Explored { decided: None, states: 0, ended: false });
        }
        let enough = Cancel::default();
        let mut few = FewStates {
            observer: &mut *self.observer,
            states,
            foresees: config.order == SearchOrder::BreadthFirst,
            cancel: self.cancel,
            enough: &enough,
        };
        let outcome = engine::explore(program, config, self.budget, &enough, &mut few)
            .map_err(Failure::Disagreement)?;
        // Which schedules there are is part of the question.
        let decided = match &outcome.verdict {
            Verdict::Unsafe(_) | Verdict::Safe(_) => true,
            Verdict::SafeWithin(bounds, _) => {
                bounds.touched.iter().all(|bound| matches!(bound, Touched::Scheduler | Touched::SwitchAt))
            }
            _ => false,
        };
        let ended = matches!(&outcome.verdict, Verdict::Safe(_) | Verdict::SafeWithin(..));
        let states = outcome.figures.states;
        Ok(Explored { decided: decided.then_some(outcome), states, ended })
    }
}

/// Stops an exploration once there are too many states.
struct FewStates<'a> {
    observer: &'a mut dyn Observer,
    states: usize,
    /// Whether states that are still to be expanded foretell how many there are.
    foresees: bool,
    /// Somebody asks to stop all.
    cancel: &'a Cancel,
    /// Asks to stop the exploration.
    enough: &'a Cancel,
}

impl Observer for FewStates<'_> {
    fn now(&self) -> Duration {
        self.observer.now()
    }

    fn memory(&self) -> Option<u64> {
        self.observer.memory()
    }

    fn progress(&mut self, phase: Phase) {
        if let Phase::Explore(progress) = phase {
            let steps = u64::try_from(self.states).unwrap_or(u64::MAX).saturating_mul(STEPS_PER_STATE);
            if progress.states > self.states
                || progress.transitions > steps
                || (self.foresees && progress.states > SEEN && progress.pending * 2 > progress.states)
                || progress.memory > self.states.saturating_mul(BYTES_PER_STATE)
                || self.cancel.is_cancelled()
            {
                self.enough.cancel();
            }
        }
        self.observer.progress(phase);
    }

    fn attempted(&mut self, attempt: &Attempt) {
        self.observer.attempted(attempt);
    }
}
