//! One-line messages to the user, without allocation, so that they can be written from anywhere.

use core::ffi::CStr;

/// Writes `raddle: ` and the parts, as one line. Bytes that make no sense in a line are written as they are.
pub(crate) fn line(parts: &[&[u8]]) {
    let mut buffer = [0; 1024];
    let mut length = 0;
    for part in [b"raddle: ".as_slice()].iter().chain(parts).chain(&[b"\n".as_slice()]) {
        for &byte in *part {
            if length < buffer.len() {
                buffer[length] = byte;
                length += 1;
            }
        }
    }
    // The function of the C library would be a cancellation point.
    // SAFETY: the buffer is ours. If nobody listens, there is nobody else to tell.
    unsafe { libc::syscall(libc::SYS_write, 2, buffer.as_ptr(), length) };
}

/// What the system says about an error number.
pub(crate) fn error(number: i32, buffer: &mut [u8; 128]) -> &[u8] {
    // SAFETY: the buffer is as large as it is said to be, and the function ends the text with a zero byte.
    let failed = unsafe { libc::strerror_r(number, buffer.as_mut_ptr().cast(), buffer.len()) };
    if failed != 0 {
        return b"unknown error";
    }
    CStr::from_bytes_until_nul(buffer).map_or(b"unknown error", CStr::to_bytes)
}
