//! Signals that end the process: the trace tells which one.
//!
//! Only where the program has no handler of its own. After the note, the signal does what it would have done.

use core::ptr;

use trace::layout::{ending, tag};

use crate::{file, local};

/// The signals that tell of a crash. Others are sent from outside, and whoever sends them knows.
const CRASHES: [libc::c_int; 7] =
    [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGABRT, libc::SIGTRAP, libc::SIGSYS];

/// Sets the handlers.
pub(crate) fn start() {
    for signal in CRASHES {
        // SAFETY: zeros are a valid action; the handler has the type that `SA_SIGINFO` asks for.
        unsafe {
            let mut old: libc::sigaction = core::mem::zeroed();
            if libc::sigaction(signal, ptr::null(), &raw mut old) != 0 || old.sa_sigaction != libc::SIG_DFL {
                continue;
            }
            let mut new: libc::sigaction = core::mem::zeroed();
            new.sa_sigaction = crashed as *const () as usize;
            new.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESETHAND;
            libc::sigaction(signal, &raw const new, ptr::null_mut());
        }
    }
}

/// The action is the default one again when this runs (`SA_RESETHAND`).
extern "C" fn crashed(signal: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    file::ended(ending::SIGNAL, signal as u32);
    local::with(|thread| {
        // Without the turn there is no place for it in the order, and waiting is no good now.
        if thread.has_turn.get() {
            thread.crash();
            thread.numbers(tag::SIGNAL, &[signal as u64]);
        }
    });
    // SAFETY: the kernel hands over valid information.
    let sent = unsafe { (*info).si_code } <= 0;
    if sent {
        // A faulting instruction fails again by itself; a signal that was sent has to be sent again.
        // SAFETY: signals this thread.
        unsafe { libc::syscall(libc::SYS_tgkill, libc::getpid(), libc::gettid(), signal) };
    }
}
