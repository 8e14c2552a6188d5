//! The turn: the right to run instrumented code while the program is recorded. One thread has it at a time.
//!
//! One word says who has it. Whoever finds it taken stands in a queue, and is handed the turn in order. The first in the queue
//! looks now and then; after about a millisecond it asks: a flag that each event tests. Loops without events test it too, and let the
//! turn go sooner: what they do can be done without it. Whoever takes the turn from another thread counts it up and records its
//! number.
//!
//! A thread that calls what is not instrumented *lends* the turn: it is back at once, as a rule, and then goes on; if it is not,
//! the first in the queue takes the turn. A call from where that happened before gives it away.
//!
//! Signal handlers may leave by `longjmp`, and threads be cancelled, at any instruction. So all but the exchange of the word is done
//! with signals blocked, and whoever was interrupted finds out from the word whether it has the turn.

use core::cell::{Cell, UnsafeCell};
use core::ptr;
use core::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicUsize, Ordering};
use core::time::Duration;

use trace::layout::tag;

use crate::thread::Thread;
use crate::{futex, registry, replay, signals, start};

/// A place in the queue; part of its thread. Begins as zeros.
pub(crate) struct Waiter {
    /// 0 while it waits, 1 when it was handed the turn.
    granted: AtomicU32,
    next: Cell<*const Thread>,
}

/// Who waits for the turn, in order. Only under the lock.
struct Queue {
    first: *const Thread,
    last: *const Thread,
    /// How many have ever stood in the queue, and how many of them have left it.
    tickets: u64,
    served: u64,
}

struct Shared {
    /// The address of the thread that has the turn, with flags; 0 if nobody has it.
    word: AtomicUsize,
    lock: AtomicU32,
    queue: UnsafeCell<Queue>,
    /// The number of the turn, and who took it last; only for who has the turn.
    number: Cell<u64>,
    owner: Cell<u32>,
}

// SAFETY: `queue` is only used under `lock`, the cells only by who has the turn.
unsafe impl Sync for Shared {}

static SHARED: Shared = Shared {
    word: AtomicUsize::new(0),
    lock: AtomicU32::new(0),
    queue: UnsafeCell::new(Queue { first: ptr::null(), last: ptr::null(), tickets: 0, served: 0 }),
    number: Cell::new(0),
    owner: Cell::new(u32::MAX),
};

/// Flags of the word: somebody waits; the first who waits may take the turn. Threads lie at multiples of 64.
const AWAITED: usize = 1;
const LENT: usize = 2;
const FLAGS: usize = AWAITED | LENT;

/// Whether somebody wants the turn: not at all, soon, or has waited too long. Whoever computes something on its own, which is not
/// recorded, lets it go if it is wanted soon; others if somebody has waited too long.
#[unsafe(export_name = "__raddle_wanted")]
static WANTED: AtomicU8 = AtomicU8::new(0);
const SOON: u8 = 1;
const NOW: u8 = 2;

static STOPPED: AtomicBool = AtomicBool::new(false);

/// Whether somebody has waited too long.
#[inline(always)]
pub(crate) fn wanted() -> bool {
    WANTED.load(Ordering::Relaxed) >= NOW
}

/// How often the first in the queue looks, and how often until it asks. Others look less often the more wait before them.
const LOOK: Duration = Duration::from_micros(200);
const LOOKS: u32 = 5;
/// How often one looks before going to sleep.
const SPINS: u32 = 64;

fn id(thread: &Thread) -> usize {
    ptr::from_ref(thread) as usize
}

fn exchange(old: usize, new: usize) -> bool {
    SHARED.word.compare_exchange(old, new, Ordering::AcqRel, Ordering::Relaxed).is_ok()
}

/// Whether the word says that this thread has the turn.
pub(crate) fn is_mine(thread: &Thread) -> bool {
    let word = SHARED.word.load(Ordering::Acquire);
    word & !FLAGS == id(thread) && word & LENT == 0 && !STOPPED.load(Ordering::Acquire)
}

/// Uses the queue. Signals are blocked, or a handler might want to use it, too.
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

impl Queue {
    fn push(&mut self, thread: &Thread) -> u64 {
        thread.waiter.granted.store(0, Ordering::Relaxed);
        thread.waiter.next.set(ptr::null());
        // SAFETY: who stands in the queue waits, and exists.
        match unsafe { self.last.as_ref() } {
            Some(last) => last.waiter.next.set(thread),
            None => self.first = thread,
        }
        self.last = thread;
        self.tickets += 1;
        self.tickets
    }

    /// The word when the first who waits has the turn.
    fn word_of_first(&self) -> Option<usize> {
        // SAFETY: who stands in the queue waits, and exists until it is told to go on.
        let first = unsafe { self.first.as_ref() }?;
        Some(id(first) | if first.waiter.next.get().is_null() { 0 } else { AWAITED })
    }

    /// Takes the first who waits out of the queue, since it has the turn now.
    fn pop(&mut self) -> Option<&'static Thread> {
        // SAFETY: as above.
        let first = unsafe { self.first.as_ref() }?;
        self.first = first.waiter.next.get();
        if self.first.is_null() {
            self.last = ptr::null();
        }
        self.served += 1;
        WANTED.store(0, Ordering::Relaxed);
        Some(first)
    }

    /// Hands the turn to the first who waits, who has to be woken.
    fn hand_over(&mut self) -> Option<*const AtomicU32> {
        let word = self.word_of_first()?;
        let first = self.pop()?;
        SHARED.word.store(word, Ordering::Release);
        // From here on the thread may go on, and end.
        let granted = &raw const first.waiter.granted;
        first.waiter.granted.store(1, Ordering::Release);
        Some(granted)
    }
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
    if start::replaying() {
        return replay::take(thread);
    }
    let me = id(thread);
    let word = SHARED.word.load(Ordering::Relaxed);
    let free = word == 0 || word & !FLAGS == me;
    if free && exchange(word, me | word & AWAITED) {
        thread.has_turn.set(true);
        if SHARED.owner.get() != thread.number.get() || !registry::is_known(thread) {
            signals::blocked(|| announce(thread));
        }
    } else {
        signals::blocked(|| {
            if queue_up(thread) {
                thread.has_turn.set(true);
                announce(thread);
            }
        });
    }
    thread.has_turn.get()
}

/// Notes that the thread has the turn now, if another had it before.
fn announce(thread: &Thread) {
    let is_new = registry::enroll(thread);
    if SHARED.owner.get() != thread.number.get() {
        SHARED.owner.set(thread.number.get());
        SHARED.number.set(SHARED.number.get() + 1);
        thread.turn.set(SHARED.number.get());
        thread.put(tag::TURN, &[SHARED.number.get()]);
    }
    if is_new {
        thread.put(tag::START, &[]);
    }
}

/// Waits in the queue until the turn is handed over; not if recording is over.
fn queue_up(thread: &Thread) -> bool {
    let ticket = locked(|queue| {
        loop {
            let word = SHARED.word.load(Ordering::Relaxed);
            if word == 0 {
                if exchange(0, id(thread)) {
                    return None;
                }
            } else if word & AWAITED != 0 || exchange(word, word | AWAITED) {
                // Whoever has the turn needs the lock from now on to give it away.
                return (!STOPPED.load(Ordering::Acquire)).then(|| queue.push(thread));
            }
        }
    });
    if let Some(ticket) = ticket {
        wait(thread, ticket);
    }
    !STOPPED.load(Ordering::Acquire)
}

fn wait(thread: &Thread, ticket: u64) {
    let granted = || thread.waiter.granted.load(Ordering::Acquire) != 0;
    for _ in 0..SPINS {
        if granted() {
            return;
        }
        core::hint::spin_loop();
    }
    let mut looks = 0;
    while !granted() {
        // How many stand before this thread, or that it has taken the turn that was lent.
        let before = locked(|queue| {
            let before = ticket.saturating_sub(queue.served + 1);
            let word = SHARED.word.load(Ordering::Acquire);
            // In one step: whoever has lent the turn may come back at any moment.
            if ptr::eq(queue.first, thread)
                && word & LENT != 0
                && queue.word_of_first().is_some_and(|mine| exchange(word, mine))
            {
                queue.pop();
                return None;
            }
            Some(before.min(1000) as u32)
        });
        match before {
            None => return,
            Some(0) => {
                if looks > 0 && !granted() {
                    WANTED.store(if looks < LOOKS { SOON } else { NOW }, Ordering::Relaxed);
                }
                looks += 1;
                futex::wait(&thread.waiter.granted, 0, Some(LOOK));
            }
            Some(before) => futex::wait(&thread.waiter.granted, 0, Some(LOOK * LOOKS * before)),
        }
    }
}

/// Gives the turn away, to the first who waits. Only while busy.
pub(crate) fn give(thread: &Thread) {
    if start::replaying() {
        return replay::give(thread);
    }
    if !thread.has_turn.replace(false) || STOPPED.load(Ordering::Acquire) || exchange(id(thread), 0) {
        return;
    }
    signals::blocked(|| {
        if let Some(granted) = locked(Queue::hand_over) {
            futex::wake(granted);
        }
    });
}

/// Lets others take the turn while this thread is elsewhere, if it stays there. Only while busy.
pub(crate) fn lend(thread: &Thread) {
    if start::replaying() {
        return replay::give(thread);
    }
    let me = id(thread);
    if thread.has_turn.replace(false)
        && !exchange(me, 0)
        && (wanted() || !exchange(me | AWAITED, me | AWAITED | LENT))
    {
        thread.has_turn.set(true);
        give(thread);
    }
}

/// Lets somebody else go on who waits, and waits for the turn again.
pub(crate) fn pass(thread: &Thread) {
    give(thread);
    take(thread);
}

/// Recording is over: nobody waits any more, and nobody ever will.
pub(crate) fn stop() {
    STOPPED.store(true, Ordering::Release);
    signals::blocked(|| {
        locked(|queue| {
            while let Some(granted) = queue.hand_over() {
                futex::wake(granted);
            }
        });
    });
}

/// In a new process, in which this thread is the only one.
pub(crate) fn forget() {
    STOPPED.store(true, Ordering::Release);
    WANTED.store(0, Ordering::Relaxed);
    SHARED.lock.store(0, Ordering::Release);
}
