//! Keeping `errno` as the program left it. By hand, not by a destructor: asynchronous cancellation unwinds from any instruction, and
//! cannot pass a frame that has a destructor.

/// The present error number.
pub(crate) fn get() -> i32 {
    // SAFETY: the location is this thread's own.
    unsafe { *libc::__errno_location() }
}

pub(crate) fn set(number: i32) {
    // SAFETY: the location is this thread's own.
    unsafe { *libc::__errno_location() = number }
}
