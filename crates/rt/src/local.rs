//! The place of what each thread has, and how it is found.
//!
//! By hand, since the compiler can only be told to find it by a function call, for which each event would have to save all that it
//! was given. This way it takes two instructions, in programs and in libraries that are loaded with them. The place begins as
//! zeros, and nothing is ever dropped, so it works from the first instruction of a thread to the last.

use crate::thread::Thread;

core::arch::global_asm!(
    ".pushsection .tbss.__raddle_thread, \"awT\", %nobits",
    ".balign 64",
    ".hidden __raddle_thread",
    ".globl __raddle_thread",
    ".type __raddle_thread, %object",
    ".size __raddle_thread, {size}",
    "__raddle_thread:",
    ".zero {size}",
    ".popsection",
    size = const size_of::<Thread>(),
);

/// Does something with the present thread.
#[inline(always)]
pub(crate) fn with<T>(f: impl FnOnce(&Thread) -> T) -> T {
    let thread: *const Thread;
    // SAFETY: adds the offset of the variable to the address of the thread's storage.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        core::arch::asm!(
            "mov {thread}, qword ptr fs:[0]",
            "add {thread}, qword ptr [rip + __raddle_thread@GOTTPOFF]",
            thread = out(reg) thread,
            options(pure, nomem, nostack),
        );
    }
    // SAFETY: adds the offset of the variable to the address of the thread's storage.
    #[cfg(target_arch = "aarch64")]
    unsafe {
        core::arch::asm!(
            "mrs {thread}, tpidr_el0",
            "adrp {offset}, :gottprel:__raddle_thread",
            "ldr {offset}, [{offset}, :gottprel_lo12:__raddle_thread]",
            "add {thread}, {thread}, {offset}",
            thread = out(reg) thread,
            offset = out(reg) _,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    // SAFETY: the place is this thread's for as long as it runs, zeros are a valid value, it is aligned, and `f` cannot keep the
    // reference.
    f(unsafe { &*thread })
}
