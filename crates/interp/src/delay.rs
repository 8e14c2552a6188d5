//! The delay-bounding schedulers DF(K) and DFW(K).
//!
//! Emmi, Kulahcioglu Ozkan and Tasiran, "Exploiting Synchronization in the Analysis of Shared-Memory Asynchronous
//! Programs", SPIN 2014, section 3. The tasks form an ordered tree; each has a round and is ready, waiting or
//! completed. The task that runs is the least ready one of minimal round in depth-first order. A delay moves it to
//! the next round, and there are at most K delays. DFW(K) does not run a task that waits for another: it becomes
//! ready again when that one has completed and the current round of the tasks it started before is over.
//!
//! The number of tasks posted since the last wait is not stored as such: a task carries a mark as long as it is
//! one of these tasks of its parent.
//!
//! Two things the paper leaves open. The function `f`, which makes waiting tasks ready, also applies after a
//! delay, and it applies until nothing changes: otherwise a single delayed task would never run again. And its
//! condition (ii) is about descendants that have not completed.
//!
//! With these definitions Theorem 1 of the paper, by which DFW(K) reaches all that DF(K) reaches, does not hold of
//! every program. At any wait, even one for a task that has completed, DFW(K) runs the current round of all tasks that
//! were started before, waited for or not; DF(K) goes on at once. `crates/random/tests/agree/delay_bounds.rs` has
//! three such programs, and confirms the theorem where tasks are waited for together.

use crate::code::Action;
use crate::machine::{DONE, LABEL, LIVE, Machine, PARENT, ROUND, STATUS, as_index};
use crate::step::Outcome;
use crate::word::Word;

/// Which of the two schedulers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delaying {
    Df,
    Dfw,
}

/// The task is waiting, not ready.
const WAITING: Word = 1;
/// The task has been made to wait at the wait it stands at; the next time it runs it continues.
const ARRIVED: Word = 2;
/// The task was started after its parent's last wait.
const RECENT: Word = 4;

impl Machine<'_> {
    /// The task that runs next.
    pub(crate) fn selected(&self) -> Option<usize> {
        let mut best: Option<(Word, usize)> = None;
        for task in self.depth_first() {
            let ready = self.is_live(task) && self.header(task, LABEL) & WAITING == 0;
            let round = self.header(task, ROUND);
            if ready && best.is_none_or(|(least, _)| round < least) {
                best = Some((round, task));
            }
        }
        best.map(|(_, task)| task)
    }

    /// All tasks in depth-first order; children in the order in which they were started, which is that of their
    /// numbers, since under these schedulers numbers are not used again.
    fn depth_first(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.threads());
        let mut stack: Vec<usize> = self.children(0).rev().collect();
        while let Some(task) = stack.pop() {
            order.push(task);
            stack.extend(self.children(task as Word + 1).rev());
        }
        order
    }

    fn children(&self, parent: Word) -> impl DoubleEndedIterator<Item = usize> + '_ {
        (0..self.threads()).filter(move |&t| self.header(t, PARENT) == parent)
    }

    /// Runs the selected task for a step, with the choices of the oracle.
    pub(crate) fn scheduled_step(&mut self, delaying: Delaying, task: usize) -> Outcome {
        let at_wait = matches!(self.code.instr(self.pc_of(task)).action, Action::Wait { .. });
        let label = self.header(task, LABEL);
        if delaying == Delaying::Dfw && at_wait && label & ARRIVED == 0 {
            self.set_header(task, LABEL, label | WAITING | ARRIVED);
            for child in self.children(task as Word + 1).collect::<Vec<_>>() {
                let label = self.header(child, LABEL);
                self.set_header(child, LABEL, label & !RECENT);
            }
            self.effects = crate::machine::Effects::default();
            self.make_ready();
            return Outcome::Moved;
        }
        let before = self.threads();
        let outcome = self.step(task);
        // After `exit` no thread is left.
        if outcome == Outcome::Moved && task < self.threads() {
            if at_wait {
                self.set_header(task, LABEL, label & !ARRIVED);
            }
            for new in before..self.threads() {
                self.set_header(new, LABEL, RECENT);
                self.set_header(new, ROUND, self.header(task, ROUND));
            }
            if delaying == Delaying::Dfw {
                self.make_ready();
            }
        }
        outcome
    }

    /// Delays the selected task, if a delay is left.
    pub(crate) fn delay(&mut self, delaying: Delaying, most: u32, task: usize) -> bool {
        if self.delays() >= Word::from(most) {
            return false;
        }
        self.set_delays(self.delays() + 1);
        self.set_header(task, ROUND, self.header(task, ROUND) + 1);
        if delaying == Delaying::Dfw {
            self.set_header(task, LABEL, self.header(task, LABEL) | WAITING);
            self.make_ready();
        }
        true
    }

    /// The function `f`: waiting tasks that need not wait any longer become ready.
    fn make_ready(&mut self) {
        loop {
            let ready = (0..self.threads()).find_map(|task| {
                let waiting = self.is_live(task) && self.header(task, LABEL) & WAITING != 0;
                if waiting { self.round_when_ready(task).map(|round| (task, round)) } else { None }
            });
            let Some((task, round)) = ready else { return };
            self.set_header(task, LABEL, self.header(task, LABEL) & !WAITING);
            self.set_header(task, ROUND, round);
        }
    }

    /// The round in which a waiting task continues, if it may.
    fn round_when_ready(&mut self, task: usize) -> Option<Word> {
        let own = self.header(task, ROUND);
        let round = match &self.code.instr(self.pc_of(task)).action {
            Action::Wait { task: handle, .. } => {
                self.enter(task);
                let awaited = as_index(self.eval(*handle).ok()?.checked_sub(1)?);
                if self.header(awaited, STATUS) != DONE {
                    return None;
                }
                own.max(self.header(awaited, ROUND))
            }
            _ => own,
        };
        let must_run_first = |other: usize| {
            self.header(other, STATUS) == LIVE
                && self.header(other, ROUND) == round
                && self.child_above(task, other).is_some_and(|child| self.header(child, LABEL) & RECENT == 0)
        };
        (!(0..self.threads()).any(must_run_first)).then_some(round)
    }

    /// The child of `ancestor` that `task` is, or descends from.
    fn child_above(&self, ancestor: usize, task: usize) -> Option<usize> {
        let mut at = task;
        loop {
            let parent = self.header(at, PARENT).checked_sub(1).map(as_index)?;
            if parent == ancestor {
                return Some(at);
            }
            at = parent;
        }
    }
}
