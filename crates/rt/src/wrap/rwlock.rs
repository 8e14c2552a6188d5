//! Read-write locks.

use core::ffi::c_int;

use libc::EBUSY;

use super::{at_once, tried};
use crate::real::{self, Object, Time};

at_once! {
    __raddle_pthread_rwlock_init = real::pthread_rwlock_init, RwlockInit, (lock, attributes: Object);
    __raddle_pthread_rwlock_destroy = real::pthread_rwlock_destroy, RwlockDestroy, (lock);
    __raddle_pthread_rwlock_tryrdlock = real::pthread_rwlock_tryrdlock, RwlockTryRead, (lock);
    __raddle_pthread_rwlock_trywrlock = real::pthread_rwlock_trywrlock, RwlockTryWrite, (lock);
    __raddle_pthread_rwlock_unlock = real::pthread_rwlock_unlock, RwlockUnlock, (lock);
}

tried! {
    __raddle_pthread_rwlock_rdlock =
        real::pthread_rwlock_rdlock, RwlockRead, real::pthread_rwlock_tryrdlock, EBUSY, (lock);
    __raddle_pthread_rwlock_timedrdlock =
        real::pthread_rwlock_timedrdlock, RwlockTimedRead, real::pthread_rwlock_tryrdlock, EBUSY, (lock, until: Time);
    __raddle_pthread_rwlock_clockrdlock =
        real::pthread_rwlock_clockrdlock, RwlockTimedRead, real::pthread_rwlock_tryrdlock, EBUSY,
        (lock, clock: c_int, until: Time);
    __raddle_pthread_rwlock_wrlock =
        real::pthread_rwlock_wrlock, RwlockWrite, real::pthread_rwlock_trywrlock, EBUSY, (lock);
    __raddle_pthread_rwlock_timedwrlock =
        real::pthread_rwlock_timedwrlock, RwlockTimedWrite, real::pthread_rwlock_trywrlock, EBUSY, (lock, until: Time);
    __raddle_pthread_rwlock_clockwrlock =
        real::pthread_rwlock_clockwrlock, RwlockTimedWrite, real::pthread_rwlock_trywrlock, EBUSY,
        (lock, clock: c_int, until: Time);
}
