//! Blocking signals, where a handler that never comes back would leave things half done.

/// Does something without being interrupted by any handler, nor by cancellation. Raw system calls, since the C library keeps some
/// signals to itself, such as that of cancellation.
pub(crate) fn blocked<T>(f: impl FnOnce() -> T) -> T {
    let (all, mut old) = (u64::MAX, 0_u64);
    // SAFETY: both masks are as long as is said.
    unsafe { libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, &raw const all, &raw mut old, 8) };
    let result = f();
    let none = core::ptr::null_mut::<u64>();
    // SAFETY: the mask is as long as is said.
    unsafe { libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, &raw const old, none, 8) };
    result
}
