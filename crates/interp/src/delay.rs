//! The delay-bounding schedulers DF(K) and DFW(K).
//!
//! Emmi, Kulahcioglu Ozkan and Tasiran, "Exploiting Synchronization in the Analysis of Shared-Memory Asynchronous
//! Programs", SPIN 2014, section 3. The tasks form an ordered tree, and each has a round. The task that runs is the
//! least one of minimal round in depth-first order. A delay moves it to the next round, and there are at most K
//! delays. Under DFW(K) a task that comes to a wait lets the tasks that it has started run first: in the order, a task
//! stands behind the children that it started before its last wait, and before those that it started since.
//!
//! The number of tasks posted since the last wait is not stored as such: a task carries a mark as long as it is
//! one of these tasks of its parent.
//!
//! The paper has a third status, Waiting, and a function `f` that makes waiting tasks ready again. Taken by the letter,
//! `f` is not what sections 4 and 5 of the paper simulate: it never makes a single delayed task ready; it makes a task
//! wait for a descendant that itself waits for somebody of a later round, and then run in a round that is over; and it
//! lets a task run before such a descendant if that one is late. So here a task that waits is in the round in which it
//! will go on, as far as that is known: its own, or the one of the task that it waits for if that is later.
//!
//! With these definitions Theorem 1 of the paper, by which DFW(K) reaches all that DF(K) reaches, does not hold of
//! every program. At any wait, even one for a task that has completed, DFW(K) runs the current round of all tasks that
//! were started before, waited for or not; DF(K) goes on at once. `crates/random/tests/agree/delay_bounds.rs` has
//! three such programs, and confirms the theorem where tasks are waited for together.

use crate::code::Action;
use crate::machine::{DONE, LABEL, Machine, PARENT, ROUND, STATUS, as_index};
use crate::step::Outcome;
use crate::word::Word;

/// Which of the two schedulers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delaying {
    Df,
    Dfw,
}

/// The task has come to the wait it stands at; the next time it runs it goes on. Only under DFW.
const ARRIVED: Word = 1;
/// The task was started after its parent's last wait.
const RECENT: Word = 2;

impl Machine<'_> {
    /// The task that runs next.
    pub(crate) fn selected(&mut self) -> Option<usize> {
        let mut best: Option<(Word, usize)> = None;
        for task in 0..self.threads() {
            if self.is_live(task)
                && let Some((round, true)) = self.current_round(task)
                && best.is_none_or(|(least, other)| {
                    round < least || (round == least && self.precedes(task, other))
                })
            {
                best = Some((round, task));
            }
        }
        best.map(|(_, task)| task)
    }

    /// Whether one task comes before another one in depth-first order. Children are in the order in which they were
    /// started, which is that of their numbers, since under these schedulers numbers are not used again.
    fn precedes(&self, one: usize, other: usize) -> bool {
        let depth = |task| std::iter::successors(Some(task), |&task| self.parent(task)).count();
        let (mut a, mut b) = (one, other);
        let (one_depth, other_depth) = (depth(one), depth(other));
        // The child of `other` by way of which it started `one`, or the other way round.
        let mut child = None;
        for _ in other_depth..one_depth {
            child = Some(a);
            a = self.parent(a).unwrap_or(a);
        }
        for _ in one_depth..other_depth {
            child = Some(b);
            b = self.parent(b).unwrap_or(b);
        }
        if a == b {
            let recent = child.is_some_and(|child| self.header(child, LABEL) & RECENT != 0);
            return recent == (one_depth < other_depth);
        }
        while let (Some(above_a), Some(above_b)) = (self.parent(a), self.parent(b))
            && above_a != above_b
        {
            (a, b) = (above_a, above_b);
        }
        a < b
    }

    fn parent(&self, task: usize) -> Option<usize> {
        self.header(task, PARENT).checked_sub(1).map(as_index)
    }

    /// The round of a task, and whether it can go on there as far as waiting is concerned; nothing for a task that
    /// waits for nil, or for itself by way of others.
    fn current_round(&mut self, task: usize) -> Option<(Word, bool)> {
        let (mut at, mut round) = (task, 0);
        for hops in 0..=self.threads() {
            round = round.max(self.header(at, ROUND));
            if self.header(at, STATUS) == DONE {
                return Some((round, hops == 1));
            }
            match self.awaited(at) {
                None => return Some((round, hops == 0)),
                Some(awaited) => at = awaited?,
            }
        }
        None
    }

    /// For a task that has come to a wait: the task it waits for, if that is not nil.
    fn awaited(&mut self, task: usize) -> Option<Option<usize>> {
        if self.header(task, LABEL) & ARRIVED == 0 {
            return None;
        }
        let Action::Wait { task: handle, .. } = self.code.instr(self.pc_of(task)).action else { return None };
        self.enter(task);
        Some(self.eval(handle).ok().and_then(|word| word.checked_sub(1)).map(as_index))
    }

    fn children(&self, parent: Word) -> impl DoubleEndedIterator<Item = usize> + '_ {
        (0..self.threads()).filter(move |&t| self.header(t, PARENT) == parent)
    }

    /// Runs the selected task for a step, with the choices of the oracle.
    pub(crate) fn scheduled_step(&mut self, delaying: Delaying, task: usize) -> Outcome {
        let awaited = match self.code.instr(self.pc_of(task)).action {
            Action::Wait { task: handle, .. } => Some(handle),
            _ => None,
        };
        let label = self.header(task, LABEL);
        if let (Delaying::Dfw, Some(handle), 0) = (delaying, awaited, label & ARRIVED) {
            self.set_header(task, LABEL, label | ARRIVED);
            // If it depends on something arbitrary, that is chosen now.
            self.enter(task);
            if let Err(cut) = self.eval(handle) {
                return Outcome::Cut(cut);
            }
            for child in self.children(task as Word + 1).collect::<Vec<_>>() {
                let label = self.header(child, LABEL);
                self.set_header(child, LABEL, label & !RECENT);
            }
            self.effects = crate::machine::Effects::default();
            return Outcome::Moved;
        }
        self.settle_round(task);
        let before = self.threads();
        let outcome = self.step(task);
        // After `exit` no thread is left.
        if outcome == Outcome::Moved && task < self.threads() {
            if awaited.is_some() {
                self.set_header(task, LABEL, label & !ARRIVED);
            }
            for new in before..self.threads() {
                self.set_header(new, LABEL, RECENT);
                self.set_header(new, ROUND, self.header(task, ROUND));
            }
        }
        outcome
    }

    /// Whether a task has come to the wait at which it stands.
    pub(crate) fn has_arrived(&self, task: usize) -> bool {
        self.header(task, LABEL) & ARRIVED != 0
    }

    /// Delays the selected task, if a delay is left.
    pub(crate) fn delay(&mut self, most: u32, task: usize) -> bool {
        if self.delays() >= Word::from(most) {
            return false;
        }
        self.set_delays(self.delays() + 1);
        self.settle_round(task);
        self.set_header(task, ROUND, self.header(task, ROUND) + 1);
        true
    }

    /// The selected task is where it was on the way to.
    fn settle_round(&mut self, task: usize) {
        if let Some((round, _)) = self.current_round(task) {
            self.set_header(task, ROUND, round);
        }
    }
}
