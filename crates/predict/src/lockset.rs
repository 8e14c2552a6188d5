//! The locks that threads hold, and the check without data: whether two places in two threads can be reached at the same
//! time as far as locks are concerned (Kahlon, Ivancic and Gupta, CAV 2005; Farzan and Madhusudan, CAV 2009).
//!
//! Locks that are taken only if they are free, and read-write locks, are left out: that can only make more seem possible.

use crate::acquisition_history::History;
use crate::ctp::{Ctp, Ev};

/// The locks of one thread over time.
#[derive(Clone, Debug, Default)]
struct Held {
    /// The position after which something changes, and the locks held from then on with where they were taken.
    changes: Vec<(usize, Vec<(usize, usize)>)>,
    /// What is held before all that.
    first: Vec<(usize, usize)>,
}

/// The locks of all threads. Positions count from 1, so that 0 is before the first event.
#[derive(Clone, Debug, Default)]
pub(crate) struct Locksets {
    threads: Vec<Held>,
    history: History,
}

impl Locksets {
    pub(crate) fn new(ctp: &Ctp) -> Self {
        let mut locksets =
            Locksets { threads: vec![Held::default(); ctp.threads.len()], history: History::new(ctp) };
        for &(lock, thread) in &ctp.held {
            locksets.threads[thread].first.push((lock, 0));
        }
        for (thread, events) in ctp.threads.iter().enumerate() {
            let mut held = locksets.threads[thread].first.clone();
            for (pos, &event) in events.iter().enumerate() {
                let of = &ctp.events[event];
                for op in &of.locks {
                    if op.acquire {
                        held.push((op.lock, pos + 1));
                    } else {
                        held.retain(|(lock, _)| *lock != op.lock);
                    }
                }
                if !of.locks.is_empty() {
                    locksets.threads[thread].changes.push((pos + 1, held.clone()));
                }
            }
        }
        locksets
    }

    /// The locks that a thread holds after as many events, with the events that took them.
    fn after(&self, thread: usize, count: usize) -> &[(usize, usize)] {
        let held = &self.threads[thread];
        let at = held.changes.partition_point(|(pos, _)| *pos <= count);
        match at.checked_sub(1) {
            Some(at) => &held.changes[at].1,
            None => &held.first,
        }
    }

    /// Whether locks let one thread be after so many of its events while the other is after so many of its own.
    fn reachable_together(&self, one: (usize, usize), other: (usize, usize)) -> bool {
        let (mine, theirs) = (self.after(one.0, one.1), self.after(other.0, other.1));
        if mine.iter().any(|(lock, _)| theirs.iter().any(|(other, _)| lock == other)) {
            return false;
        }
        !mine.iter().any(|&(lock, since)| {
            theirs.iter().any(|&(their_lock, their_since)| {
                self.history.acquires(one.0, their_lock, since, one.1)
                    && self.history.acquires(other.0, lock, their_since, other.1)
            })
        })
    }

    /// Whether locks let an event of another thread come between two events of a thread.
    pub(crate) fn may_interleave(&self, ctp: &Ctp, first: Ev, middle: Ev, last: Ev) -> bool {
        let (first, middle, last) = (&ctp.events[first], &ctp.events[middle], &ctp.events[last]);
        let there = (middle.thread, middle.pos);
        let held = &self.threads[first.thread];
        let from = held.changes.partition_point(|(pos, _)| *pos <= first.pos + 1);
        let later = held.changes[from..].iter().map(|(pos, _)| *pos).take_while(|pos| *pos <= last.pos);
        std::iter::once(first.pos + 1)
            .chain(later)
            .any(|count| self.reachable_together((first.thread, count), there))
    }

    /// Whether a thread holds a lock right before an event.
    pub(crate) fn holds_before(&self, ctp: &Ctp, event: Ev) -> bool {
        let of = &ctp.events[event];
        !self.after(of.thread, of.pos).is_empty()
    }

    /// Whether two threads hold a common lock right before two of their events.
    pub(crate) fn have_common(&self, ctp: &Ctp, one: Ev, other: Ev) -> bool {
        let held = |event: Ev| self.after(ctp.events[event].thread, ctp.events[event].pos);
        held(one).iter().any(|(lock, _)| held(other).iter().any(|(other, _)| lock == other))
    }

    /// Whether a thread completes without giving back all locks.
    pub(crate) fn is_kept(&self, ctp: &Ctp) -> bool {
        let completes = |thread: &usize| ctp.completed_by[*thread].is_some() || ctp.absent[*thread];
        (0..ctp.threads.len())
            .filter(completes)
            .any(|thread| !self.after(thread, ctp.threads[thread].len()).is_empty())
    }

    /// Whether locks let two threads stand right before two events.
    pub(crate) fn may_meet(&self, ctp: &Ctp, one: Ev, other: Ev) -> bool {
        let (one, other) = (&ctp.events[one], &ctp.events[other]);
        self.reachable_together((one.thread, one.pos), (other.thread, other.pos))
    }
}
