//! Blocking signals, where a handler that never comes back would leave things half done.
//!
//! Raw system calls, since the C library keeps some signals to itself, such as that of cancellation.

use core::ptr;

/// The signals that a thread blocks, as the kernel sees them.
#[derive(Clone, Copy)]
pub(crate) struct Mask(u64);

/// Blocks every signal of this thread; returns what was blocked before.
pub(crate) fn block() -> Mask {
    let (all, mut old) = (u64::MAX, 0_u64);
    // SAFETY: both masks are as long as is said.
    unsafe { libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, &raw const all, &raw mut old, 8) };
    Mask(old)
}

pub(crate) fn restore(mask: Mask) {
    let none = ptr::null_mut::<u64>();
    // SAFETY: the mask is as long as is said.
    unsafe { libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, &raw const mask.0, none, 8) };
}

/// Does something without being interrupted by any handler, nor by cancellation.
pub(crate) fn blocked<T>(f: impl FnOnce() -> T) -> T {
    let mask = block();
    let result = f();
    restore(mask);
    result
}
