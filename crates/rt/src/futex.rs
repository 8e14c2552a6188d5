//! Sleeping until a word changes. Raw system calls: these are no cancellation points.

use core::sync::atomic::AtomicU32;
use core::time::Duration;

use crate::errno;

/// Sleeps while `word` is `expected`, at most `limit`. May come back for no reason.
pub(crate) fn wait(word: &AtomicU32, expected: u32, limit: Option<Duration>) {
    let limit = limit.map(|limit| libc::timespec {
        tv_sec: limit.as_secs() as libc::time_t,
        tv_nsec: libc::c_long::from(limit.subsec_nanos()),
    });
    let limit = limit.as_ref().map_or(core::ptr::null(), core::ptr::from_ref);
    let operation = libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG;
    // SAFETY: the word outlives the call, and so does the time.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), operation, expected, limit) };
}

/// Sleeps while `word` is `expected`, at most `limit`, until somebody with one of these bits is woken. Whether it slept so long.
pub(crate) fn wait_for(word: &AtomicU32, expected: u32, limit: Duration, bits: u32) -> bool {
    let mut until = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    let operation = libc::FUTEX_WAIT_BITSET | libc::FUTEX_PRIVATE_FLAG;
    let none = core::ptr::null::<u32>();
    // With bits, the kernel wants the time at which it is enough.
    // SAFETY: the word outlives the call, and so does the time.
    unsafe {
        libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut until);
        until.tv_sec += limit.as_secs() as libc::time_t;
        let result =
            libc::syscall(libc::SYS_futex, word.as_ptr(), operation, expected, &raw const until, none, bits);
        result == -1 && errno::get() == libc::ETIMEDOUT
    }
}

/// Wakes all who sleep on the word with one of these bits.
pub(crate) fn wake_for(word: &AtomicU32, bits: u32) {
    let operation = libc::FUTEX_WAKE_BITSET | libc::FUTEX_PRIVATE_FLAG;
    let none = core::ptr::null::<u32>();
    // SAFETY: the word is alive.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), operation, i32::MAX, none, none, bits) };
}

/// Wakes one who sleeps on the word. It need not exist any more: then this wakes nobody, or somebody for no reason.
pub(crate) fn wake(word: *const AtomicU32) {
    let operation = libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG;
    // SAFETY: the kernel only uses the address as a key.
    unsafe { libc::syscall(libc::SYS_futex, word, operation, 1) };
}

/// Wakes all who sleep on the word.
pub(crate) fn wake_all(word: &AtomicU32) {
    let operation = libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG;
    // SAFETY: the word is alive.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), operation, i32::MAX) };
}
