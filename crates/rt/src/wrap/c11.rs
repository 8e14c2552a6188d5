//! Mutexes and condition variables of C11. In glibc they are those of POSIX with other results.

use core::ffi::c_int;

use trace::Op;

use super::{at_once, condition, tried};
use crate::real::{self, Object, Time};
use crate::sync::Operation;

/// `thrd_busy`
const BUSY: c_int = 1;

at_once! {
    __raddle_mtx_init = real::mtx_init, MutexInit, (mutex, kind: c_int);
    __raddle_mtx_trylock = real::mtx_trylock, MutexTryLock, (mutex);
    __raddle_mtx_unlock = real::mtx_unlock, MutexUnlock, (mutex);
    __raddle_cnd_init = real::cnd_init, CondInit, (cond);
    __raddle_cnd_signal = real::cnd_signal, CondSignal, (cond);
    __raddle_cnd_broadcast = real::cnd_broadcast, CondBroadcast, (cond);
}

tried! {
    __raddle_mtx_lock = real::mtx_lock, MutexLock, real::mtx_trylock, BUSY, (mutex);
    __raddle_mtx_timedlock = real::mtx_timedlock, MutexTimedLock, real::mtx_trylock, BUSY, (mutex, until: Time);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_mtx_destroy(site: u32, mutex: Object) {
    Operation::new(site, Op::MutexDestroy, mutex).at_once(|| {
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::mtx_destroy(mutex) };
        0
    });
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_cnd_destroy(site: u32, cond: Object) {
    Operation::new(site, Op::CondDestroy, cond).at_once(|| {
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::cnd_destroy(cond) };
        0
    });
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_cnd_wait(site: u32, cond: Object, mutex: Object) -> c_int {
    condition::wait(site, Op::CondWait, cond, mutex, || {
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::cnd_wait(cond, mutex) }
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_cnd_timedwait(
    site: u32,
    cond: Object,
    mutex: Object,
    until: Time,
) -> c_int {
    condition::wait(site, Op::CondTimedWait, cond, mutex, || {
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::cnd_timedwait(cond, mutex, until) }
    })
}
