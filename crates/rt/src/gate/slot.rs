//! How far a thread is, and who waits for it.
//!
//! # Why nobody sleeps for ever
//!
//! Who says that something is done writes `done` and then looks at `wanted`; who wants to sleep writes `wanted` and then looks at `done`.
//! All four are sequentially consistent, the last one by the fence before it. So one of the two sees the other: either there is nothing to wait for, or
//! the sleeper is woken. To wake is to forget what was wanted, to count `changes`, and to wake all who sleep on that. A sleeper reads
//! `changes` before it writes `wanted`. If what it wrote is forgotten, `changes` is another number by the time that it falls asleep, or
//! becomes one while it sleeps; it looks again, and writes again. Whoever is woken for what somebody else wanted does the same.
//!
//! Others than the owner of a slot wake its sleepers when something has changed that they look at besides (the schedule is over, or a section
//! begins): they write that first, and [`Slot::wake`] begins with a fence.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};

use crate::futex;

/// How many bits of a word tell how many events of an epoch are done, or which section it is; the rest is the epoch, and does not
/// come to its end in months.
pub(super) const LOW: u32 = 20;

/// An epoch and something about it in one word; later epochs make larger words.
pub(super) fn word(epoch: u64, low: u32) -> u64 {
    (epoch << LOW) | u64::from(low)
}

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
    /// The processor that it was on when it said so, and one more; 0 if that is not known.
    processor: AtomicU32,
}

impl Default for Slot {
    fn default() -> Self {
        Slot {
            done: AtomicU64::new(0),
            wanted: AtomicU64::new(NEVER),
            changes: AtomicU32::new(0),
            processor: AtomicU32::new(0),
        }
    }
}

impl Slot {
    /// Whether so much is done. What is of earlier epochs is.
    #[inline]
    pub(super) fn has(&self, wanted: u64) -> bool {
        self.done.load(Ordering::Acquire) >= wanted
    }

    /// The processor that its thread was on when it said something (see [`processor`]).
    pub(super) fn place(&self) -> u32 {
        self.processor.load(Ordering::Relaxed)
    }

    pub(super) fn say(&self, done: u64) {
        self.processor.store(processor(), Ordering::Relaxed);
        // Sequentially consistent, as is the look for sleepers: one of us sees the other.
        self.done.swap(done, Ordering::SeqCst);
        if self.wanted.load(Ordering::SeqCst) <= done {
            self.wake();
        }
    }

    /// Wakes all that sleep.
    #[cold]
    pub(super) fn wake(&self) {
        fence(Ordering::SeqCst);
        if self.wanted.load(Ordering::SeqCst) != NEVER {
            self.wanted.store(NEVER, Ordering::SeqCst);
            self.changes.fetch_add(1, Ordering::SeqCst);
            futex::wake_all(&self.changes);
        }
    }

    /// Waits until something holds: at the latest when so much is done, or [`Slot::wake`] is called. Whether that took longer than
    /// the thread had patience.
    #[cold]
    pub(super) fn wait(&self, wanted: u64, patience: Patience, holds: impl Fn() -> bool) -> bool {
        for round in 0..=patience.yields {
            // Whom it waits for cannot run where somebody looks.
            let there = self.processor.load(Ordering::Relaxed);
            let shared = there != 0 && there == processor();
            if shared && !patience.gives_way {
                self.sleep(wanted, holds);
                return false;
            }
            for _ in 0..if shared { 1 } else { patience.looks } {
                if holds() {
                    return false;
                }
                core::hint::spin_loop();
            }
            if round < patience.yields {
                // SAFETY: asks for nothing.
                unsafe { libc::sched_yield() };
            }
        }
        self.sleep(wanted, holds);
        true
    }

    /// The same, asleep.
    #[cold]
    pub(super) fn sleep(&self, wanted: u64, holds: impl Fn() -> bool) {
        loop {
            // In this order: whoever forgets what is wanted changes this afterwards, and then nobody falls asleep.
            let changes = self.changes.load(Ordering::SeqCst);
            self.wanted.fetch_min(wanted, Ordering::SeqCst);
            // As in `say`: one of us sees the other.
            fence(Ordering::SeqCst);
            if holds() {
                return;
            }
            futex::wait(&self.changes, changes, None);
        }
    }
}

/// The number of the processor that this thread is on, and one more; 0 if it is not known.
pub(super) fn processor() -> u32 {
    // SAFETY: asks for a number, or for -1.
    unsafe { libc::sched_getcpu() }.wrapping_add(1) as u32
}

/// How long to wait awake: how often to look, and how often to do so again after others could run.
#[derive(Clone, Copy)]
pub(super) struct Patience {
    pub(super) looks: u32,
    pub(super) yields: u32,
    /// What to do if the one that is waited for was on this processor: to let it run, and be the next here; or to sleep, so that both
    /// find places of their own.
    pub(super) gives_way: bool,
}
