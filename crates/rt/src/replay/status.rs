//! What a repeated run came to, for who started the program: a line in the file that `RADDLE_STATUS` names, `repeated EVENTS
//! SWITCHES HOW STATUS` or `left THREAD SITE EXPECTED`. Before that, `still THREAD EXPECTED` may say for whom all wait.

use core::ffi::CStr;
use core::sync::atomic::{AtomicI32, Ordering};

use crate::errno;

/// Says something to who started the program; whether somebody did who listens.
pub(super) fn tell(what: &[u8], numbers: &[u64]) -> bool {
    let errno = errno::get();
    let mut line = [0; 256];
    let mut length = 0;
    let mut put = |bytes: &[u8]| {
        for &byte in bytes.iter().take(256 - length) {
            line[length] = byte;
            length += 1;
        }
    };
    put(what);
    for &number in numbers {
        let mut digits = [b'0'; 20];
        let (mut at, mut rest) = (19, number);
        while rest >= 10 {
            digits[at] = b'0' + (rest % 10) as u8;
            (rest, at) = (rest / 10, at - 1);
        }
        digits[at] = b'0' + rest as u8;
        put(b" ");
        put(&digits[at..]);
    }
    put(b"\n");
    // SAFETY: the file was opened at the start, or the number is -1 and the call fails.
    let written =
        unsafe { libc::syscall(libc::SYS_write, STATUS.load(Ordering::Relaxed), line.as_ptr(), length) };
    errno::set(errno);
    written > 0
}

/// The file to tell in, open; -1 if there is none.
static STATUS: AtomicI32 = AtomicI32::new(-1);

/// Opens the file to tell in.
pub(crate) fn tell_in(path: &CStr) {
    let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_APPEND | libc::O_CLOEXEC;
    // SAFETY: the path ends with a zero byte; programs may count on low numbers of files.
    unsafe {
        let file = libc::open(path.as_ptr(), flags, 0o666);
        let high = libc::fcntl(file, libc::F_DUPFD_CLOEXEC, 900);
        if high >= 0 {
            libc::close(file);
        }
        STATUS.store(if high >= 0 { high } else { file }, Ordering::Relaxed);
    }
}
