//! Waiting for threads, and their ends.

use core::ffi::{c_int, c_void};

use libc::{EBUSY, pthread_t};
use trace::Op;

use super::unless;
use crate::real::{self, Time};
use crate::sync::{Operation, note};
use crate::thread::Thread;
use crate::{local, registry, start};

/// The number of the thread with this handle, found with the turn.
fn number(handle: pthread_t) -> u32 {
    let mut number = registry::NOBODY;
    note(|thread| {
        if thread.has_turn.get() {
            number = registry::number(handle);
        }
    });
    number
}

/// The operation, and what becomes of the handle if it worked.
fn on_thread(
    site: u32,
    op: Op,
    handle: pthread_t,
    attempt: impl Fn() -> Option<c_int>,
    block: impl Fn() -> c_int,
) -> c_int {
    if !start::recording() {
        return Operation { site, op, object: handle as usize, other: 0 }.run(attempt, block);
    }
    let thread = number(handle);
    let operation = Operation { site, op, object: handle as usize, other: u64::from(thread) };
    let result = operation.run(attempt, block);
    if result == 0 {
        note(|present| match op {
            _ if !present.has_turn.get() => {}
            Op::Detach => registry::detached(thread),
            _ => registry::joined(thread),
        });
    }
    result
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_pthread_join(
    site: u32,
    handle: pthread_t,
    result: *mut *mut c_void,
) -> c_int {
    on_thread(
        site,
        Op::Join,
        handle,
        || {
            // SAFETY: the caller promises what the original asks for.
            unsafe { unless(real::pthread_tryjoin_np(handle, result), EBUSY) }
        },
        || {
            // SAFETY: the caller promises what the original asks for.
            unsafe { real::pthread_join(handle, result) }
        },
    )
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_pthread_tryjoin_np(
    site: u32,
    handle: pthread_t,
    result: *mut *mut c_void,
) -> c_int {
    let real = || {
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::pthread_tryjoin_np(handle, result) }
    };
    on_thread(site, Op::TryJoin, handle, || Some(real()), real)
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_pthread_timedjoin_np(
    site: u32,
    handle: pthread_t,
    result: *mut *mut c_void,
    until: Time,
) -> c_int {
    on_thread(
        site,
        Op::TimedJoin,
        handle,
        || {
            // SAFETY: the caller promises what the original asks for.
            unsafe { unless(real::pthread_tryjoin_np(handle, result), EBUSY) }
        },
        || {
            // SAFETY: the caller promises what the original asks for.
            unsafe { real::pthread_timedjoin_np(handle, result, until) }
        },
    )
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_thrd_join(
    site: u32,
    handle: pthread_t,
    result: *mut c_int,
) -> c_int {
    on_thread(
        site,
        Op::Join,
        handle,
        || None,
        || {
            // SAFETY: the caller promises what the original asks for.
            unsafe { real::thrd_join(handle, result) }
        },
    )
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_pthread_detach(site: u32, handle: pthread_t) -> c_int {
    let real = || {
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::pthread_detach(handle) }
    };
    on_thread(site, Op::Detach, handle, || Some(real()), real)
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_thrd_detach(site: u32, handle: pthread_t) -> c_int {
    let real = || {
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::thrd_detach(handle) }
    };
    on_thread(site, Op::Detach, handle, || Some(real()), real)
}

/// What runs from here on, destructors and cleanup handlers, takes the turn by itself.
fn exits(site: u32) {
    let this = Operation { site, op: Op::ThreadExit, object: 0, other: 0 };
    this.at_once(|| 0);
    if start::recording() {
        local::with(Thread::give);
    }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_pthread_exit(site: u32, result: *mut c_void) -> ! {
    exits(site);
    // SAFETY: asks for nothing.
    unsafe { real::pthread_exit(result) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_thrd_exit(site: u32, result: c_int) -> ! {
    exits(site);
    // SAFETY: asks for nothing.
    unsafe { real::thrd_exit(result) }
}
