//! The turn: the right to run instrumented code while the program is recorded. One thread has it at a time.
//!
//! Who waits stands in a queue and is handed the turn in order. The first in the queue that has waited for about a millisecond
//! asks for it: a flag that each event tests. Whoever takes the turn from another thread counts it up and records its number.
//!
//! Nobody blocks while having the turn, except here. While a thread waits, all its signals are blocked, so that no handler and no
//! cancellation can take it out of the queue.

use core::cell::{Cell, UnsafeCell};
use core::ptr;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use core::time::Duration;

use trace::layout::tag;

use crate::thread::Thread;
use crate::{futex, registry};

/// A place in the queue; part of its thread. Begins as zeros.
pub(crate) struct Waiter {
    /// 0 while it waits, 1 when it was handed the turn.
    granted: AtomicU32,
    next: Cell<*const Waiter>,
}

/// Who has the turn and who waits for it. Behind [`Lock`].
struct Queue {
    held: bool,
    first: *const Waiter,
    last: *const Waiter,
    /// How many have ever stood in the queue, and how many of them have left it.
    tickets: u64,
    served: u64,
}

struct Shared {
    lock: AtomicU32,
    queue: UnsafeCell<Queue>,
    /// The number of the turn and who took it last; only for who has the turn.
    number: Cell<u64>,
    owner: Cell<*const Thread>,
    owner_number: Cell<u32>,
}

// SAFETY: `queue` is only used under `lock`, the cells only by who has the turn.
unsafe impl Sync for Shared {}

static SHARED: Shared = Shared {
    lock: AtomicU32::new(0),
    queue: UnsafeCell::new(Queue {
        held: false,
        first: ptr::null(),
        last: ptr::null(),
        tickets: 0,
        served: 0,
    }),
    number: Cell::new(0),
    owner: Cell::new(ptr::null()),
    owner_number: Cell::new(u32::MAX),
};

static WANTED: AtomicBool = AtomicBool::new(false);
static STOPPED: AtomicBool = AtomicBool::new(false);

/// Whether somebody has waited too long.
#[inline(always)]
pub(crate) fn wanted() -> bool {
    WANTED.load(Ordering::Relaxed)
}

/// How long one waits before asking, per thread that waits before.
const PATIENCE: Duration = Duration::from_millis(1);
/// How often one looks before going to sleep.
const SPINS: u32 = 64;

/// Uses the queue.
fn locked<T>(f: impl FnOnce(&mut Queue) -> T) -> T {
    if SHARED.lock.compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
        while SHARED.lock.swap(2, Ordering::Acquire) != 0 {
            futex::wait(&SHARED.lock, 2, None);
        }
    }
    // SAFETY: the lock is held.
    let result = f(unsafe { &mut *SHARED.queue.get() });
    if SHARED.lock.swap(0, Ordering::Release) == 2 {
        futex::wake(&raw const SHARED.lock);
    }
    result
}

/// Sees to it that the thread has the turn; not if recording is over. Only while busy.
pub(crate) fn take(thread: &Thread) -> bool {
    if STOPPED.load(Ordering::Acquire) {
        thread.has_turn.set(false);
        return false;
    }
    if thread.has_turn.get() {
        return true;
    }
    let waiter = &thread.waiter;
    let cancel = no_cancellation();
    let ticket = locked(|queue| {
        if !queue.held && queue.first.is_null() {
            queue.held = true;
            return None;
        }
        waiter.granted.store(0, Ordering::Relaxed);
        waiter.next.set(ptr::null());
        if queue.last.is_null() {
            queue.first = waiter;
        } else {
            // SAFETY: who stands in the queue waits, and exists.
            unsafe { (*queue.last).next.set(waiter) };
        }
        queue.last = waiter;
        queue.tickets += 1;
        Some(queue.tickets)
    });
    if let Some(ticket) = ticket {
        wait(waiter, ticket);
    }
    cancellation(cancel);
    if STOPPED.load(Ordering::Acquire) {
        return false;
    }
    thread.has_turn.set(true);
    let is_new = registry::enroll(thread);
    if SHARED.owner.get() != ptr::from_ref(thread) || SHARED.owner_number.get() != thread.number.get() {
        SHARED.owner.set(thread);
        SHARED.owner_number.set(thread.number.get());
        SHARED.number.set(SHARED.number.get() + 1);
        thread.turn.set(SHARED.number.get());
        thread.put(tag::TURN, &[SHARED.number.get()]);
    }
    if is_new {
        thread.put(tag::START, &[]);
    }
    thread.has_turn.get()
}

/// Waits in the queue until the turn is handed over.
fn wait(waiter: &Waiter, ticket: u64) {
    for _ in 0..SPINS {
        if waiter.granted.load(Ordering::Acquire) != 0 {
            return;
        }
        core::hint::spin_loop();
    }
    let mask = block_signals();
    while waiter.granted.load(Ordering::Acquire) == 0 {
        let before = locked(|queue| ticket.saturating_sub(queue.served)).clamp(1, 1000) as u32;
        futex::wait(&waiter.granted, 0, Some(PATIENCE * before));
        if waiter.granted.load(Ordering::Acquire) == 0 && locked(|queue| ticket == queue.served + 1) {
            WANTED.store(true, Ordering::Relaxed);
        }
    }
    restore_signals(mask);
}

/// Gives the turn away, to the first who waits. Only while busy.
pub(crate) fn give(thread: &Thread) {
    if !thread.has_turn.replace(false) || STOPPED.load(Ordering::Acquire) {
        return;
    }
    let cancel = no_cancellation();
    let word = locked(|queue| {
        // SAFETY: who stands in the queue waits, and exists.
        let Some(first) = (unsafe { queue.first.as_ref() }) else {
            queue.held = false;
            return ptr::null();
        };
        queue.first = first.next.get();
        if queue.first.is_null() {
            queue.last = ptr::null();
        }
        queue.served += 1;
        WANTED.store(false, Ordering::Relaxed);
        first.granted.store(1, Ordering::Release);
        &raw const first.granted
    });
    if !word.is_null() {
        futex::wake(word);
    }
    cancellation(cancel);
}

/// Lets somebody else go on who waits, and waits for the turn again.
pub(crate) fn pass(thread: &Thread) {
    give(thread);
    take(thread);
}

/// Recording is over: nobody waits any more, and nobody ever will.
pub(crate) fn stop() {
    let cancel = no_cancellation();
    STOPPED.store(true, Ordering::Release);
    locked(|queue| {
        // SAFETY: who stands in the queue waits, and exists until it is told to go on.
        while let Some(first) = unsafe { queue.first.as_ref() } {
            queue.first = first.next.get();
            first.granted.store(1, Ordering::Release);
            futex::wake(&raw const first.granted);
        }
        queue.last = ptr::null();
        WANTED.store(false, Ordering::Relaxed);
    });
    cancellation(cancel);
}

/// In a new process, in which this thread is the only one.
pub(crate) fn forget() {
    STOPPED.store(true, Ordering::Release);
    WANTED.store(false, Ordering::Relaxed);
    SHARED.lock.store(0, Ordering::Release);
}

unsafe extern "C" {
    fn pthread_setcancelstate(state: libc::c_int, old: *mut libc::c_int) -> libc::c_int;
}

/// Asynchronous cancellation must not strike while the queue is used.
fn no_cancellation() -> libc::c_int {
    let mut old = 0;
    // SAFETY: 1 is `PTHREAD_CANCEL_DISABLE`; the place for the old state is ours.
    unsafe { pthread_setcancelstate(1, &raw mut old) };
    old
}

fn cancellation(old: libc::c_int) {
    if old != 1 {
        // SAFETY: puts back what was there.
        unsafe { pthread_setcancelstate(old, ptr::null_mut()) };
    }
}

/// Blocks every signal of this thread, those of the C library included; returns what was blocked before.
fn block_signals() -> u64 {
    let (all, mut old) = (u64::MAX, 0);
    // SAFETY: both masks are as long as is said.
    unsafe { libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, &raw const all, &raw mut old, 8) };
    old
}

fn restore_signals(mask: u64) {
    let none = ptr::null_mut::<u64>();
    // SAFETY: the mask is as long as is said.
    unsafe { libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, &raw const mask, none, 8) };
}
