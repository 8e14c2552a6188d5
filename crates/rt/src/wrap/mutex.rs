//! Mutexes and spin locks.

use core::ffi::c_int;

use libc::EBUSY;
use trace::Op;

use super::{at_once, tried, unless};
use crate::real::{self, Object, Time};
use crate::sync::Operation;

at_once! {
    __raddle_pthread_mutex_init = real::pthread_mutex_init, MutexInit, (mutex, attributes: Object);
    __raddle_pthread_mutex_destroy = real::pthread_mutex_destroy, MutexDestroy, (mutex);
    __raddle_pthread_mutex_trylock = real::pthread_mutex_trylock, MutexTryLock, (mutex);
    __raddle_pthread_mutex_unlock = real::pthread_mutex_unlock, MutexUnlock, (mutex);
    __raddle_pthread_spin_init = real::pthread_spin_init, SpinInit, (lock, shared: c_int);
    __raddle_pthread_spin_destroy = real::pthread_spin_destroy, SpinDestroy, (lock);
    __raddle_pthread_spin_trylock = real::pthread_spin_trylock, SpinTryLock, (lock);
    __raddle_pthread_spin_unlock = real::pthread_spin_unlock, SpinUnlock, (lock);
}

tried! {
    __raddle_pthread_mutex_lock = real::pthread_mutex_lock, MutexLock, real::pthread_mutex_trylock, EBUSY, (mutex);
    __raddle_pthread_mutex_timedlock =
        real::pthread_mutex_timedlock, MutexTimedLock, real::pthread_mutex_trylock, EBUSY, (mutex, until: Time);
    __raddle_pthread_mutex_clocklock =
        real::pthread_mutex_clocklock, MutexTimedLock, real::pthread_mutex_trylock, EBUSY,
        (mutex, clock: c_int, until: Time);
}

/// The original would burn the time that the thread with the lock needs.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_pthread_spin_lock(site: u32, lock: Object) -> c_int {
    Operation::new(site, Op::SpinLock, lock).run(
        || {
            // SAFETY: the caller promises what the original asks for.
            unsafe { unless(real::pthread_spin_trylock(lock), EBUSY) }
        },
        || loop {
            // SAFETY: as above.
            let result = unsafe { real::pthread_spin_trylock(lock) };
            if result != EBUSY {
                return result;
            }
            // SAFETY: asks for nothing.
            unsafe { libc::sched_yield() };
        },
    )
}
