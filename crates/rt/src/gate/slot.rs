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

/// What a thread has done; on a cache line of its own.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Slot {
    /// The epoch, and how many events of it are done.
    done: AtomicU64,
    /// How many threads sleep, and what they sleep on.
    sleepers: AtomicU32,
    changes: AtomicU32,
}

impl Slot {
    /// Whether so many events of an epoch are done. Those of earlier epochs are.
    pub(super) fn has(&self, epoch: u64, count: u32) -> bool {
        self.done.load(Ordering::Acquire) >= word(epoch, count)
    }

    pub(super) fn say(&self, epoch: u64, count: u32) {
        // Sequentially consistent, as is the look for sleepers: one of us sees the other.
        self.done.swap(word(epoch, count), Ordering::SeqCst);
        self.wake_sleepers();
    }

    /// Wakes all that sleep.
    pub(super) fn wake(&self) {
        core::sync::atomic::fence(Ordering::SeqCst);
        self.wake_sleepers();
    }

    fn wake_sleepers(&self) {
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            self.changes.fetch_add(1, Ordering::SeqCst);
            futex::wake_all(&self.changes);
        }
    }
}

/// How long to wait awake: how often to look, and how often to do so again after others could run.
#[derive(Clone, Copy)]
pub(super) struct Patience {
    pub(super) looks: u32,
    pub(super) yields: u32,
}

/// Waits until something holds that the owner of the slot says.
pub(super) fn wait_until(slot: &Slot, patience: Patience, holds: impl Fn() -> bool) {
    for round in 0..=patience.yields {
        for _ in 0..patience.looks {
            if holds() {
                return;
            }
            core::hint::spin_loop();
        }
        if round < patience.yields {
            // SAFETY: asks for nothing.
            unsafe { libc::sched_yield() };
        }
    }
    slot.sleepers.fetch_add(1, Ordering::SeqCst);
    loop {
        let changes = slot.changes.load(Ordering::SeqCst);
        if holds() {
            break;
        }
        futex::wait(&slot.changes, changes, None);
    }
    slot.sleepers.fetch_sub(1, Ordering::SeqCst);
}
