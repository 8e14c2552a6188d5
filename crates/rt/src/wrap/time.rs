//! Sleeping and yielding: others have the turn meanwhile.

use core::ffi::{c_int, c_uint};
use core::ptr;

use trace::Op;

use crate::real::{self, Time};
use crate::sync::Operation;

fn sleeps(site: u32, op: Op, real: impl Fn() -> c_int) -> c_int {
    Operation::new(site, op, ptr::null::<()>()).blocking(real)
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_sched_yield(site: u32) -> c_int {
    sleeps(site, Op::Yield, || {
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::sched_yield() }
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_pthread_yield(site: u32) -> c_int {
    sleeps(site, Op::Yield, || {
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::sched_yield() }
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_thrd_yield(site: u32) {
    sleeps(site, Op::Yield, || {
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::sched_yield() }
    });
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_sleep(site: u32, seconds: c_uint) -> c_uint {
    sleeps(site, Op::Sleep, || {
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::sleep(seconds) }
    } as c_int) as c_uint
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_usleep(site: u32, microseconds: c_uint) -> c_int {
    sleeps(site, Op::Sleep, || {
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::usleep(microseconds) }
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_nanosleep(
    site: u32,
    time: Time,
    rest: *mut libc::timespec,
) -> c_int {
    sleeps(site, Op::Sleep, || {
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::nanosleep(time, rest) }
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_clock_nanosleep(
    site: u32,
    clock: c_int,
    flags: c_int,
    time: Time,
    rest: *mut libc::timespec,
) -> c_int {
    sleeps(site, Op::Sleep, || {
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::clock_nanosleep(clock, flags, time, rest) }
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_thrd_sleep(
    site: u32,
    time: Time,
    rest: *mut libc::timespec,
) -> c_int {
    sleeps(site, Op::Sleep, || {
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::thrd_sleep(time, rest) }
    })
}
