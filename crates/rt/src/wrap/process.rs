//! The process as a whole: forks, other programs, and the end.

use core::ffi::{CStr, c_char, c_int, c_uint};

use trace::layout::{ending, tag};

use crate::real;
use crate::sync::note;
use crate::thread::Thread;
use crate::{file, local, start};

/// The child is not recorded: it shares the file with the parent.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_fork(site: u32) -> c_int {
    // SAFETY: asks for nothing.
    let result = unsafe { libc::fork() };
    // In the child, this does nothing.
    note(|thread| thread.numbers(tag::FORK, &[u64::from(site), i64::from(result) as u64]));
    result
}

/// As `fork`: a child that shares memory with its parent would record into it.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_vfork(site: u32) -> c_int {
    // SAFETY: asks for nothing.
    unsafe { __raddle_fork(site) }
}

/// The program is about to become another one; what is behind this in the trace was done meanwhile, or after that failed.
#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_exec(site: u32) {
    note(|thread| thread.numbers(tag::EXEC, &[u64::from(site)]));
}

/// A library function has made a process: its number, 0 if that is not known, or -1 if it has not.
#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_child(site: u32, number: i64) {
    note(|thread| thread.numbers(tag::FORK, &[u64::from(site), number as u64]));
}

/// A process is about to be made that has this one's memory, and what this thread has. It would take itself for this thread.
#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_clone(_: u32) {
    if !start::replaying() {
        start::give_up(
            libc::ENOTSUP,
            b"`clone` makes a process that shares all memory; the program goes on, the trace ends here",
        );
    }
}

fn exits(site: u32, status: c_int) {
    note(|thread| thread.numbers(tag::EXIT, &[u64::from(site), i64::from(status) as u64]));
}

/// Functions that run at exit take the turn by themselves, and so do other threads until the end.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_exit(site: u32, status: c_int) -> ! {
    exits(site, status);
    if start::recording() {
        local::with(Thread::give);
    }
    // SAFETY: asks for nothing.
    unsafe { real::exit(status) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_quick_exit(site: u32, status: c_int) -> ! {
    exits(site, status);
    start::quick_exits(status);
    if start::recording() {
        local::with(Thread::give);
    }
    // SAFETY: asks for nothing.
    unsafe { real::quick_exit(status) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle__exit(site: u32, status: c_int) -> ! {
    exits(site, status);
    file::ended(ending::EXIT, status as u32);
    // SAFETY: asks for nothing.
    unsafe { libc::_exit(status) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle__Exit(site: u32, status: c_int) -> ! {
    // SAFETY: asks for nothing.
    unsafe { __raddle__exit(site, status) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_abort(site: u32) -> ! {
    note(|thread| thread.numbers(tag::ABORT, &[u64::from(site)]));
    // SAFETY: asks for nothing.
    unsafe { libc::abort() }
}

/// The bytes of a text that may be missing.
fn bytes<'a>(text: *const c_char) -> &'a [u8] {
    if text.is_null() {
        return b"";
    }
    // SAFETY: callers hand over texts of the program that end with a zero byte.
    unsafe { CStr::from_ptr(text) }.to_bytes()
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle___assert_fail(
    site: u32,
    text: *const c_char,
    file: *const c_char,
    line: c_uint,
    function: *const c_char,
) -> ! {
    note(|thread| {
        let numbers = [u64::from(site), u64::from(line)];
        thread.texts(tag::FAILED, &numbers, &[bytes(text), bytes(file), bytes(function)]);
    });
    // SAFETY: the caller promises what the original asks for.
    unsafe { real::__assert_fail(text, file, line, function) }
}
