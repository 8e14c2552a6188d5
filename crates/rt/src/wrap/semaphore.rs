//! Semaphores.

use core::ffi::{c_int, c_uint};

use trace::Op;

use super::at_once;
use crate::errno;
use crate::real::{self, Object, Time};
use crate::sync::Operation;

at_once! {
    __raddle_sem_destroy = real::sem_destroy, SemDestroy, (semaphore);
    __raddle_sem_trywait = real::sem_trywait, SemTryWait, (semaphore);
    __raddle_sem_post = real::sem_post, SemPost, (semaphore);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_sem_init(
    site: u32,
    semaphore: Object,
    shared: c_int,
    value: c_uint,
) -> c_int {
    Operation { other: u64::from(value), ..Operation::new(site, Op::SemInit, semaphore) }.at_once(|| {
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::sem_init(semaphore, shared, value) }
    })
}

/// What is recorded as the result is the value.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_sem_getvalue(
    site: u32,
    semaphore: Object,
    value: *mut c_int,
) -> c_int {
    let result = core::cell::Cell::new(0);
    Operation::new(site, Op::SemGetValue, semaphore).at_once(|| {
        // SAFETY: the caller promises what the original asks for.
        unsafe {
            result.set(real::sem_getvalue(semaphore, value));
            if result.get() == 0 { *value } else { result.get() }
        }
    });
    result.get()
}

fn wait(site: u32, op: Op, semaphore: Object, real: impl Fn() -> c_int) -> c_int {
    Operation::new(site, op, semaphore).run(
        || {
            let before = errno::get();
            // SAFETY: the caller of the wrapper promises that this is a semaphore.
            let result = unsafe { real::sem_trywait(semaphore) };
            if result != 0 && errno::get() == libc::EAGAIN {
                errno::set(before);
                return None;
            }
            Some(result)
        },
        real,
    )
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_sem_wait(site: u32, semaphore: Object) -> c_int {
    wait(site, Op::SemWait, semaphore, || {
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::sem_wait(semaphore) }
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_sem_timedwait(
    site: u32,
    semaphore: Object,
    until: Time,
) -> c_int {
    wait(site, Op::SemTimedWait, semaphore, || {
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::sem_timedwait(semaphore, until) }
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_sem_clockwait(
    site: u32,
    semaphore: Object,
    clock: c_int,
    until: Time,
) -> c_int {
    wait(site, Op::SemTimedWait, semaphore, || {
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::sem_clockwait(semaphore, clock, until) }
    })
}
