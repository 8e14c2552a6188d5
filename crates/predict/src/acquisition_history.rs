//! Acquisition histories (Kahlon, Ivancic and Gupta, CAV 2005): which locks a thread has taken since it took one that it still
//! holds. Two threads cannot both have taken, and perhaps given back, the lock that the other one has held ever since.

use rustc_hash::FxHashMap;

use crate::ctp::Ctp;

/// For each thread and lock, after how many of the thread's events it was taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    taken: FxHashMap<(usize, usize), Vec<usize>>,
}

impl History {
    pub(crate) fn new(ctp: &Ctp) -> Self {
        let mut history = History::default();
        for (thread, events) in ctp.threads.iter().enumerate() {
            for (pos, &event) in events.iter().enumerate() {
                for op in ctp.events[event].locks.iter().filter(|op| op.acquire) {
                    history.taken.entry((thread, op.lock)).or_default().push(pos + 1);
                }
            }
        }
        history
    }

    /// Whether a thread takes a lock after so many of its events, and not after more than so many.
    pub(crate) fn acquires(&self, thread: usize, lock: usize, after: usize, until: usize) -> bool {
        let taken = self.taken.get(&(thread, lock)).map(Vec::as_slice).unwrap_or_default();
        let next = taken.partition_point(|pos| *pos <= after);
        taken.get(next).is_some_and(|pos| *pos <= until)
    }
}
