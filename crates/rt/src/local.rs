//! The places of what each thread has, and how they are found.
//!
//! By hand, since the compiler can only be told to find them by a function call, for which each event would have to save all that it
//! was given. This way it takes two instructions, in programs and in libraries that are loaded with them. Places begin as
//! zeros, and nothing is ever dropped, so they work from the first instruction of a thread to the last.

use crate::gate::Here;
use crate::thread::Thread;

/// Makes a place that each thread has, with a name for the linker, and the function that does something with the one of the present
/// thread. All zeros has to be a value of the type.
macro_rules! place {
    ($(#[$doc:meta])* $with:ident, $type:ty, $symbol:literal) => {
        core::arch::global_asm!(
            concat!(".pushsection .tbss.", $symbol, ", \"awT\", %nobits"),
            ".balign 64",
            concat!(".globl ", $symbol),
            concat!(".type ", $symbol, ", %object"),
            concat!(".size ", $symbol, ", {size}"),
            concat!($symbol, ":"),
            ".zero {size}",
            ".popsection",
            size = const size_of::<$type>(),
        );

        $(#[$doc])*
        #[inline(always)]
        pub(crate) fn $with<T>(f: impl FnOnce(&$type) -> T) -> T {
            const { assert!(align_of::<$type>() <= 64) };
            let place: *const $type;
            // SAFETY: adds the offset of the variable to the address of the thread's storage.
            #[cfg(target_arch = "x86_64")]
            unsafe {
                core::arch::asm!(
                    "mov {place}, qword ptr fs:[0]",
                    concat!("add {place}, qword ptr [rip + ", $symbol, "@GOTTPOFF]"),
                    place = out(reg) place,
                    options(pure, nomem, nostack),
                );
            }
            // SAFETY: adds the offset of the variable to the address of the thread's storage.
            #[cfg(target_arch = "aarch64")]
            unsafe {
                core::arch::asm!(
                    "mrs {place}, tpidr_el0",
                    concat!("adrp {offset}, :gottprel:", $symbol),
                    concat!("ldr {offset}, [{offset}, :gottprel_lo12:", $symbol, "]"),
                    "add {place}, {place}, {offset}",
                    place = out(reg) place,
                    offset = out(reg) _,
                    options(pure, nomem, nostack, preserves_flags),
                );
            }
            // SAFETY: the place is this thread's for as long as it runs, zeros are a valid value, it is aligned, and `f` cannot
            // keep the reference.
            f(unsafe { &*place })
        }
    };
}

place! {
    /// Does something with the present thread.
    with, Thread, "__raddle_thread"
}

place! {
    /// Does something with what the present thread knows of the schedule.
    here, Here, "__raddle_here"
}
