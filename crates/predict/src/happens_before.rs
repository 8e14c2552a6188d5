//! What must happen before what, whatever the order: program order, and that a thread runs after it was started and completes
//! before somebody has waited for it. Vector clocks tell.

use crate::ctp::Ev;

/// For each event, how many events of each thread come before it or are it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clocks {
    threads: usize,
    clocks: Vec<u32>,
}

impl Clocks {
    pub(crate) fn new(threads: usize) -> Self {
        Clocks { threads, clocks: Vec::new() }
    }

    /// Adds the next event: what comes right before it, and which of its thread's events it is.
    pub(crate) fn push(&mut self, before: &[Ev], thread: usize, pos: usize) {
        let mut clock = vec![0; self.threads];
        for &event in before {
            for (mine, other) in clock.iter_mut().zip(self.of(event)) {
                *mine = (*mine).max(*other);
            }
        }
        clock[thread] = clock[thread].max(u32::try_from(pos + 1).unwrap_or(u32::MAX));
        self.clocks.extend(clock);
    }

    /// The clock of an event.
    pub(crate) fn of(&self, event: Ev) -> &[u32] {
        &self.clocks[event * self.threads..(event + 1) * self.threads]
    }
}
