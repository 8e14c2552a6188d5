//! Operations that may block, in a run that is repeated.
//!
//! What blocks whom for how long, who is woken first, and when time is up: all this the trace knows. So nobody really waits
//! for anything but the turn. A lock is taken when the trace says that it was; an operation that failed because somebody else was
//! faster, or time was up, is not even tried. Condition variables, barriers, futures and sleeping need nothing but
//! the turn.

use core::ffi::c_int;
use core::sync::atomic::{AtomicI32, Ordering};

use trace::Op;
use trace::layout::tag;

use super::expected;
use crate::errno;
use crate::real::{self, Object};
use crate::sync::{Operation, Waiting};
use crate::thread::Thread;

/// How often something is tried that has to work, before it is waited for.
const ATTEMPTS: u32 = 10_000;

unsafe extern "C-unwind" {
    fn pthread_testcancel();
}

/// Runs an operation as the trace says, and returns its result.
pub(crate) fn run(
    operation: Operation,
    thread: &Thread,
    attempt: impl Fn() -> Option<c_int>,
    block: impl Fn() -> c_int,
) -> c_int {
    let mut next = thread.busily(expected).flatten().unwrap_or_default();
    if next.tag == tag::WAITS {
        if waits_for_signal(operation.op) {
            // SAFETY: the program has locked the mutex, as the original asks for.
            unsafe { real::pthread_mutex_unlock(operation.other as Object) };
        }
        operation.waits(thread);
        if operation.op == Op::Once {
            // The function runs with the turn of whoever ran it, and is over when others come back. That thread may still wait for
            // its turn right behind the function's last event; whoever waited for it then would wait for ever.
            thread.enter();
            let next = thread.busily(expected).flatten().unwrap_or_default();
            let comes_back = next.tag == tag::SYNC && next.what == Op::Once as u64;
            if comes_back && is_under_way(operation.object) {
                return next.result;
            }
            // The function may throw an exception; then it is called again, by this thread or another one.
            let waiting = Waiting { operation, thread };
            let result = block();
            core::mem::forget(waiting);
            return result;
        }
        next = thread.busily(expected).flatten().unwrap_or_default();
        if next.tag == tag::SYNC && next.result == libc::ECANCELED {
            let _waiting = Waiting { operation, thread };
            loop {
                // SAFETY: asks for nothing. It does not come back when the cancellation is there.
                unsafe {
                    pthread_testcancel();
                    libc::sched_yield();
                }
            }
        }
    }
    perform(operation.op, operation.other as Object, next.result, attempt, block)
}

/// Whether a thread is inside the function that is called once. The C library has one where it is, and two where it is over.
fn is_under_way(once: usize) -> bool {
    // SAFETY: the program promises that this is what such a function is called with, which is a number.
    let state = unsafe { (*(once as *const AtomicI32)).load(Ordering::Acquire) };
    state & 3 == 1
}

fn waits_for_signal(op: Op) -> bool {
    matches!(op, Op::CondWait | Op::CondTimedWait)
}

/// Does what an operation with this result does.
fn perform(
    op: Op,
    other: Object,
    result: c_int,
    attempt: impl Fn() -> Option<c_int>,
    block: impl Fn() -> c_int,
) -> c_int {
    let until_it_works = || {
        for _ in 0..ATTEMPTS {
            if attempt() == Some(result) {
                return result;
            }
            // SAFETY: asks for nothing.
            unsafe { libc::sched_yield() };
        }
        block()
    };
    match op {
        Op::CondWait | Op::CondTimedWait => {
            // SAFETY: the program promises that this is a mutex.
            while unsafe { real::pthread_mutex_trylock(other) } == libc::EBUSY {
                // SAFETY: asks for nothing.
                unsafe { libc::sched_yield() };
            }
            result
        }
        Op::BarrierWait | Op::FutexWait | Op::Sleep | Op::Yield => result,
        // The thread has done its last event, but may not have ended.
        Op::Join if result == 0 => block(),
        Op::MutexLock
        | Op::MutexTryLock
        | Op::MutexTimedLock
        | Op::RwlockRead
        | Op::RwlockTryRead
        | Op::RwlockTimedRead
        | Op::RwlockWrite
        | Op::RwlockTryWrite
        | Op::RwlockTimedWrite
        | Op::SpinLock
        | Op::SpinTryLock
        | Op::SemWait
        | Op::SemTryWait
        | Op::SemTimedWait
        | Op::TryJoin
        | Op::TimedJoin => {
            if result == 0 {
                return until_it_works();
            }
            match op {
                Op::SemTryWait => errno::set(libc::EAGAIN),
                Op::SemTimedWait => errno::set(libc::ETIMEDOUT),
                Op::SemWait => errno::set(libc::EINTR),
                _ => {}
            }
            result
        }
        _ => attempt().unwrap_or_else(block),
    }
}
