//! Numbers of threads, and which handle is whose. Only the thread that has the turn uses this, so that numbers are in the order
//! of the trace.

use core::cell::{Cell, UnsafeCell};

use crate::farewell::Farewell;
use crate::local;
use crate::thread::{Life, Thread};

/// A thread that can be joined, or has not ended.
#[derive(Clone, Copy)]
struct Entry {
    handle: libc::pthread_t,
    number: u32,
    used: bool,
    ended: bool,
    detached: bool,
}

/// So many threads at a time can be told by their handles. It is address space only until it is used.
const MOST: usize = 1 << 16;
/// The number of a thread that nobody knows.
pub(crate) const NOBODY: u32 = u32::MAX;

struct Registry {
    next: Cell<u32>,
    entries: UnsafeCell<[Entry; MOST]>,
    /// All entries in use are before this one.
    top: Cell<usize>,
}

// SAFETY: only who has the turn uses it.
unsafe impl Sync for Registry {}

static REGISTRY: Registry = Registry {
    next: Cell::new(0),
    entries: UnsafeCell::new(
        [Entry { handle: 0, number: 0, used: false, ended: false, detached: false }; MOST],
    ),
    top: Cell::new(0),
};

static END: Farewell = Farewell::new(|| local::with(Thread::end));

/// Called once, before there are threads.
pub(crate) fn start() {
    END.start();
}

/// The number for a thread that is about to be created.
pub(crate) fn reserve() -> u32 {
    let number = REGISTRY.next.get();
    REGISTRY.next.set(number + 1);
    number
}

/// The thread was not created after all.
pub(crate) fn unreserve() {
    REGISTRY.next.set(REGISTRY.next.get() - 1);
}

/// Whether the thread has begun, as far as the trace is concerned.
pub(crate) fn is_known(thread: &Thread) -> bool {
    matches!(thread.life.get(), Life::Known | Life::Over)
}

/// Lets a thread begin, which has the turn; whether it had not begun. One without a number gets it here: the first one, or one that
/// was created behind our back.
pub(crate) fn enroll(thread: &Thread) -> bool {
    if is_known(thread) {
        return false;
    }
    if thread.life.get() == Life::Unknown {
        thread.number.set(reserve());
        END.attach();
        // SAFETY: asks for this thread's handle.
        created(unsafe { libc::pthread_self() }, thread.number.get(), false);
    }
    thread.life.set(Life::Known);
    true
}

/// Gives a created thread the number that was reserved for it.
pub(crate) fn name(thread: &Thread, number: u32) {
    if thread.life.get() == Life::Unknown {
        thread.number.set(number);
        thread.life.set(Life::Named);
        END.attach();
    }
}

fn entries() -> &'static mut [Entry; MOST] {
    // SAFETY: only who has the turn is here, and no reference outlives a function of this module.
    unsafe { &mut *REGISTRY.entries.get() }
}

/// A thread has this handle from now on.
pub(crate) fn created(handle: libc::pthread_t, number: u32, detached: bool) {
    let entries = entries();
    let Some(index) = entries.iter().position(|entry| !entry.used) else { return };
    entries[index] = Entry { handle, number, used: true, ended: false, detached };
    REGISTRY.top.set(REGISTRY.top.get().max(index + 1));
}

fn find(mut wanted: impl FnMut(&Entry) -> bool) -> Option<&'static mut Entry> {
    entries()[..REGISTRY.top.get()].iter_mut().find(|entry| entry.used && wanted(entry))
}

/// The number of the thread with this handle.
pub(crate) fn number(handle: libc::pthread_t) -> u32 {
    // A handle is used again when its thread has ended and nobody can join it.
    find(|entry| entry.handle == handle).map_or(NOBODY, |entry| entry.number)
}

/// The thread has ended.
pub(crate) fn ended(thread: &Thread) {
    if let Some(entry) = find(|entry| entry.number == thread.number.get()) {
        entry.ended = true;
        entry.used = !entry.detached;
    }
}

/// The thread was joined: its handle means nothing any more.
pub(crate) fn joined(number: u32) {
    if let Some(entry) = find(|entry| entry.number == number) {
        entry.used = false;
    }
}

/// The thread was detached.
pub(crate) fn detached(number: u32) {
    if let Some(entry) = find(|entry| entry.number == number) {
        entry.detached = true;
        entry.used = !entry.ended;
    }
}
