//! Barriers, and functions that are called once.

use core::ffi::{c_int, c_uint};

use trace::Op;

use super::at_once;
use crate::real::{self, Object};
use crate::sync::Operation;

at_once! {
    __raddle_pthread_barrier_destroy = real::pthread_barrier_destroy, BarrierDestroy, (barrier);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_pthread_barrier_init(
    site: u32,
    barrier: Object,
    attributes: Object,
    count: c_uint,
) -> c_int {
    Operation { other: u64::from(count), ..Operation::new(site, Op::BarrierInit, barrier) }.at_once(|| {
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::pthread_barrier_init(barrier, attributes, count) }
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_pthread_barrier_wait(site: u32, barrier: Object) -> c_int {
    Operation::new(site, Op::BarrierWait, barrier).blocking(|| {
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::pthread_barrier_wait(barrier) }
    })
}

/// The function takes the turn by itself.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_pthread_once(
    site: u32,
    once: Object,
    function: Option<unsafe extern "C-unwind" fn()>,
) -> c_int {
    Operation::new(site, Op::Once, once).blocking(|| {
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::pthread_once(once, function) }
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_call_once(
    site: u32,
    once: Object,
    function: Option<unsafe extern "C-unwind" fn()>,
) {
    Operation::new(site, Op::Once, once).blocking(|| {
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::pthread_once(once, function) }
    });
}
