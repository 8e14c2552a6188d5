//! The functions of the C library that are wrapped. `C-unwind`: cancellation unwinds out of those that block.
//!
//! Objects are opaque here, whatever their types are in C.

use core::ffi::{c_char, c_int, c_uint, c_void};

pub(crate) type Object = *mut c_void;
pub(crate) type Time = *const libc::timespec;
pub(crate) type Start = Option<unsafe extern "C-unwind" fn(*mut c_void) -> *mut c_void>;
pub(crate) type C11Start = Option<unsafe extern "C-unwind" fn(*mut c_void) -> c_int>;
pub(crate) type Create =
    unsafe extern "C-unwind" fn(*mut libc::pthread_t, Object, Start, *mut c_void) -> c_int;

unsafe extern "C-unwind" {
    pub(crate) fn pthread_attr_getdetachstate(attributes: Object, state: *mut c_int) -> c_int;
    pub(crate) fn pthread_attr_getstack(attributes: Object, at: *mut *mut c_void, size: *mut usize) -> c_int;
    pub(crate) fn pthread_attr_setstacksize(attributes: Object, size: usize) -> c_int;
    pub(crate) fn pthread_join(thread: libc::pthread_t, result: *mut *mut c_void) -> c_int;
    pub(crate) fn pthread_tryjoin_np(thread: libc::pthread_t, result: *mut *mut c_void) -> c_int;
    pub(crate) fn pthread_timedjoin_np(
        thread: libc::pthread_t,
        result: *mut *mut c_void,
        until: Time,
    ) -> c_int;
    pub(crate) fn pthread_detach(thread: libc::pthread_t) -> c_int;
    pub(crate) fn pthread_exit(result: *mut c_void) -> !;
    pub(crate) fn secure_getenv(name: *const c_char) -> *mut c_char;

    pub(crate) fn pthread_mutex_init(mutex: Object, attributes: Object) -> c_int;
    pub(crate) fn pthread_mutex_destroy(mutex: Object) -> c_int;
    pub(crate) fn pthread_mutex_lock(mutex: Object) -> c_int;
    pub(crate) fn pthread_mutex_trylock(mutex: Object) -> c_int;
    pub(crate) fn pthread_mutex_timedlock(mutex: Object, until: Time) -> c_int;
    pub(crate) fn pthread_mutex_clocklock(mutex: Object, clock: c_int, until: Time) -> c_int;
    pub(crate) fn pthread_mutex_unlock(mutex: Object) -> c_int;

    pub(crate) fn pthread_rwlock_init(lock: Object, attributes: Object) -> c_int;
    pub(crate) fn pthread_rwlock_destroy(lock: Object) -> c_int;
    pub(crate) fn pthread_rwlock_rdlock(lock: Object) -> c_int;
    pub(crate) fn pthread_rwlock_tryrdlock(lock: Object) -> c_int;
    pub(crate) fn pthread_rwlock_timedrdlock(lock: Object, until: Time) -> c_int;
    pub(crate) fn pthread_rwlock_clockrdlock(lock: Object, clock: c_int, until: Time) -> c_int;
    pub(crate) fn pthread_rwlock_wrlock(lock: Object) -> c_int;
    pub(crate) fn pthread_rwlock_trywrlock(lock: Object) -> c_int;
    pub(crate) fn pthread_rwlock_timedwrlock(lock: Object, until: Time) -> c_int;
    pub(crate) fn pthread_rwlock_clockwrlock(lock: Object, clock: c_int, until: Time) -> c_int;
    pub(crate) fn pthread_rwlock_unlock(lock: Object) -> c_int;

    pub(crate) fn pthread_cond_init(cond: Object, attributes: Object) -> c_int;
    pub(crate) fn pthread_cond_destroy(cond: Object) -> c_int;
    pub(crate) fn pthread_cond_wait(cond: Object, mutex: Object) -> c_int;
    pub(crate) fn pthread_cond_timedwait(cond: Object, mutex: Object, until: Time) -> c_int;
    pub(crate) fn pthread_cond_clockwait(cond: Object, mutex: Object, clock: c_int, until: Time) -> c_int;
    pub(crate) fn pthread_cond_signal(cond: Object) -> c_int;
    pub(crate) fn pthread_cond_broadcast(cond: Object) -> c_int;

    pub(crate) fn pthread_barrier_init(barrier: Object, attributes: Object, count: c_uint) -> c_int;
    pub(crate) fn pthread_barrier_destroy(barrier: Object) -> c_int;
    pub(crate) fn pthread_barrier_wait(barrier: Object) -> c_int;

    pub(crate) fn pthread_spin_init(lock: Object, shared: c_int) -> c_int;
    pub(crate) fn pthread_spin_destroy(lock: Object) -> c_int;
    pub(crate) fn pthread_spin_trylock(lock: Object) -> c_int;
    pub(crate) fn pthread_spin_unlock(lock: Object) -> c_int;

    pub(crate) fn pthread_once(once: Object, function: Option<unsafe extern "C-unwind" fn()>) -> c_int;

    pub(crate) fn sem_init(semaphore: Object, shared: c_int, value: c_uint) -> c_int;
    pub(crate) fn sem_destroy(semaphore: Object) -> c_int;
    pub(crate) fn sem_wait(semaphore: Object) -> c_int;
    pub(crate) fn sem_trywait(semaphore: Object) -> c_int;
    pub(crate) fn sem_timedwait(semaphore: Object, until: Time) -> c_int;
    pub(crate) fn sem_clockwait(semaphore: Object, clock: c_int, until: Time) -> c_int;
    pub(crate) fn sem_post(semaphore: Object) -> c_int;
    pub(crate) fn sem_getvalue(semaphore: Object, value: *mut c_int) -> c_int;

    pub(crate) fn thrd_create(thread: *mut libc::pthread_t, start: C11Start, argument: *mut c_void) -> c_int;
    pub(crate) fn thrd_join(thread: libc::pthread_t, result: *mut c_int) -> c_int;
    pub(crate) fn thrd_detach(thread: libc::pthread_t) -> c_int;
    pub(crate) fn thrd_exit(result: c_int) -> !;
    pub(crate) fn thrd_sleep(time: Time, rest: *mut libc::timespec) -> c_int;
    pub(crate) fn mtx_init(mutex: Object, kind: c_int) -> c_int;
    pub(crate) fn mtx_destroy(mutex: Object);
    pub(crate) fn mtx_lock(mutex: Object) -> c_int;
    pub(crate) fn mtx_trylock(mutex: Object) -> c_int;
    pub(crate) fn mtx_timedlock(mutex: Object, until: Time) -> c_int;
    pub(crate) fn mtx_unlock(mutex: Object) -> c_int;
    pub(crate) fn cnd_init(cond: Object) -> c_int;
    pub(crate) fn cnd_destroy(cond: Object);
    pub(crate) fn cnd_wait(cond: Object, mutex: Object) -> c_int;
    pub(crate) fn cnd_timedwait(cond: Object, mutex: Object, until: Time) -> c_int;
    pub(crate) fn cnd_signal(cond: Object) -> c_int;
    pub(crate) fn cnd_broadcast(cond: Object) -> c_int;

    pub(crate) fn sched_yield() -> c_int;
    pub(crate) fn sleep(seconds: c_uint) -> c_uint;
    pub(crate) fn usleep(microseconds: c_uint) -> c_int;
    pub(crate) fn nanosleep(time: Time, rest: *mut libc::timespec) -> c_int;
    pub(crate) fn clock_nanosleep(clock: c_int, flags: c_int, time: Time, rest: *mut libc::timespec)
    -> c_int;

    pub(crate) fn exit(status: c_int) -> !;
    pub(crate) fn quick_exit(status: c_int) -> !;
    pub(crate) fn __assert_fail(
        text: *const c_char,
        file: *const c_char,
        line: c_uint,
        function: *const c_char,
    ) -> !;
}
