//! What a repeated run came to, for who started the program: a line in the file that `RADDLE_STATUS` names, `repeated EVENTS
//! SWITCHES HOW STATUS` or `left THREAD SITE EXPECTED`. Before that, `still THREAD EXPECTED` may say for whom all wait.

use core::ffi::CStr;
use core::sync::atomic::{AtomicUsize, Ordering};

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
    let at = STATUS.load(Ordering::Relaxed);
    let offset = TOLD.fetch_add(length, Ordering::Relaxed);
    let told = at != 0 && offset + length <= SIZE;
    if told {
        for (index, &byte) in line[..length].iter().enumerate().rev() {
            // The first byte comes last: who reads meanwhile must not take a part for the line.
            // SAFETY: so much is mapped, and this part is only the present thread's.
            unsafe { ((at + offset + index) as *mut u8).write_volatile(byte) };
        }
    }
    errno::set(errno);
    told
}

/// Where the file to tell in is mapped; 0 if there is none. Programs may close files that they did not open.
static STATUS: AtomicUsize = AtomicUsize::new(0);
/// How much of it is in use, and how large it is: each line is told once.
static TOLD: AtomicUsize = AtomicUsize::new(0);
const SIZE: usize = 4096;

/// Maps the file to tell in.
pub(crate) fn tell_in(path: &CStr) {
    let flags = libc::O_RDWR | libc::O_CREAT | libc::O_CLOEXEC;
    // SAFETY: the path ends with a zero byte; a new mapping, which stays.
    unsafe {
        let file = libc::open(path.as_ptr(), flags, 0o666);
        if libc::ftruncate(file, SIZE as libc::off_t) == 0 {
            let access = libc::PROT_READ | libc::PROT_WRITE;
            let at = libc::mmap(core::ptr::null_mut(), SIZE, access, libc::MAP_SHARED, file, 0);
            if at != libc::MAP_FAILED {
                STATUS.store(at as usize, Ordering::Relaxed);
            }
        }
        libc::close(file);
    }
}
