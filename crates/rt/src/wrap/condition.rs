//! Condition variables. Waiting is recorded twice: where the mutex is released, and where it is held again.

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
