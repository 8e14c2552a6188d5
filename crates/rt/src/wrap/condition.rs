//! Condition variables. Waiting is recorded twice: where the mutex is released, and where it is held again.
//!
//! Those of C++ are here, too: their functions are in a library that is not instrumented, and would call the C library from there.

use core::ffi::c_int;

use trace::Op;

use super::at_once;
use crate::real::{self, Object, Time};
use crate::sync::Operation;

at_once! {
    __raddle_pthread_cond_init = real::pthread_cond_init, CondInit, (cond, attributes: Object);
    __raddle_pthread_cond_destroy = real::pthread_cond_destroy, CondDestroy, (cond);
    __raddle_pthread_cond_signal = real::pthread_cond_signal, CondSignal, (cond);
    __raddle_pthread_cond_broadcast = real::pthread_cond_broadcast, CondBroadcast, (cond);
}

pub(super) fn wait(site: u32, op: Op, cond: Object, mutex: Object, real: impl Fn() -> c_int) -> c_int {
    Operation { other: mutex as u64, ..Operation::new(site, op, cond) }.blocking(real)
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_pthread_cond_wait(
    site: u32,
    cond: Object,
    mutex: Object,
) -> c_int {
    wait(site, Op::CondWait, cond, mutex, || {
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::pthread_cond_wait(cond, mutex) }
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_pthread_cond_timedwait(
    site: u32,
    cond: Object,
    mutex: Object,
    until: Time,
) -> c_int {
    wait(site, Op::CondTimedWait, cond, mutex, || {
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::pthread_cond_timedwait(cond, mutex, until) }
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_pthread_cond_clockwait(
    site: u32,
    cond: Object,
    mutex: Object,
    clock: c_int,
    until: Time,
) -> c_int {
    wait(site, Op::CondTimedWait, cond, mutex, || {
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::pthread_cond_clockwait(cond, mutex, clock, until) }
    })
}

/// `std::condition_variable::wait`: the condition variable begins with that of POSIX, and the lock with the address of its mutex,
/// which begins with that of POSIX.
#[unsafe(export_name = "__raddle__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE")]
pub(crate) unsafe extern "C-unwind" fn cpp_wait(site: u32, cond: Object, lock: *const Object) {
    // SAFETY: the caller promises what the original asks for.
    unsafe { __raddle_pthread_cond_wait(site, cond, *lock) };
}

/// `std::condition_variable::notify_one`
#[unsafe(export_name = "__raddle__ZNSt18condition_variable10notify_oneEv")]
pub(crate) unsafe extern "C-unwind" fn cpp_notify_one(site: u32, cond: Object) {
    // SAFETY: the caller promises what the original asks for.
    unsafe { __raddle_pthread_cond_signal(site, cond) };
}

/// `std::condition_variable::notify_all`
#[unsafe(export_name = "__raddle__ZNSt18condition_variable10notify_allEv")]
pub(crate) unsafe extern "C-unwind" fn cpp_notify_all(site: u32, cond: Object) {
    // SAFETY: the caller promises what the original asks for.
    unsafe { __raddle_pthread_cond_broadcast(site, cond) };
}
