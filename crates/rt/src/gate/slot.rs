//! How far a thread is, and who waits for it.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::futex;

/// How many bits of a word tell how many events of an epoch are done, or which section it is; the rest is the epoch, and does not
/// come to its end in months.
pub(super) const LOW: u32 = 20;

/// An epoch and something about it in one word; later epochs make larger words.
pub(super) fn word(epoch: u64, low: u32) -> u64 {
    (epoch << LOW) | u64::from(low)
}

/// How often a thread may give way in a row before it sleeps instead.
const MOST_GIVEN_WAY: u32 = 4;

/// Nobody sleeps.
const NEVER: u64 = u64::MAX;

/// What a thread has done; on a cache line of its own.
#[repr(align(128))]
pub(super) struct Slot {
    /// The epoch, and how many events of it are done.
    done: AtomicU64,
    /// The least that somebody waits for asleep, and what they sleep on.
    wanted: AtomicU64,
    changes: AtomicU32,
}

impl Default for Slot {
    fn default() -> Self {
        Slot { done: AtomicU64::new(0), wanted: AtomicU64::new(NEVER), changes: AtomicU32::new(0) }
    }
}

impl Slot {
    /// Whether so much is done. What is of earlier epochs is.
    #[inline]
    pub(super) fn has(&self, wanted: u64) -> bool {
        self.done.load(Ordering::Acquire) >= wanted
    }

    pub(super) fn say(&self, done: u64) {
        // Sequentially consistent, as is the look for sleepers: one of us sees the other.
        self.done.swap(done, Ordering::SeqCst);
        if self.wanted.load(Ordering::SeqCst) <= done {
            self.wake();
        }
    }

    /// Wakes all that sleep.
    #[cold]
    pub(super) fn wake(&self) {
        core::sync::atomic::fence(Ordering::SeqCst);
        if self.wanted.load(Ordering::SeqCst) != NEVER {
            self.wanted.store(NEVER, Ordering::SeqCst);
            self.changes.fetch_add(1, Ordering::SeqCst);
            futex::wake_all(&self.changes);
        }
    }

    /// Waits until something holds: at the latest when so much is done, or [`Slot::wake`] is called. Whether it took so long that the
    /// thread fell asleep.
    #[cold]
    pub(super) fn wait(&self, wanted: u64, patience: Patience, holds: impl Fn() -> bool) -> bool {
        // Who gives way each time is on the same processor as those it waits for, and would stay there, even if others have
        // nothing to do: only who sleeps is woken where there is room.
        let given_way = crate::local::here(|here| here.given_way.get());
        let yields = if given_way < MOST_GIVEN_WAY { patience.yields } else { 0 };
        for round in 0..=yields {
            for _ in 0..patience.looks {
                if holds() {
                    let given_way = if round == 0 { 0 } else { given_way + 1 };
                    crate::local::here(|here| here.given_way.set(given_way));
                    return false;
                }
                core::hint::spin_loop();
            }
            if round < yields {
                // SAFETY: asks for nothing.
                unsafe { libc::sched_yield() };
            }
        }
        crate::local::here(|here| here.given_way.set(0));
        loop {
            // In this order: whoever forgets what is wanted changes this afterwards, and then nobody falls asleep.
            let changes = self.changes.load(Ordering::SeqCst);
            self.wanted.fetch_min(wanted, Ordering::SeqCst);
            if holds() {
                return true;
            }
            futex::wait(&self.changes, changes, None);
        }
    }
}

/// How long to wait awake: how often to look, and how often to do so again after others could run.
#[derive(Clone, Copy)]
pub(super) struct Patience {
    pub(super) looks: u32,
    pub(super) yields: u32,
}
