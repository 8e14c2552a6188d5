//! The file of the trace: its header, and chunks that are given to threads.
//!
//! Room is allocated before it is mapped, so that a full disk is an error here and no signal at some event. Chunks are only asked
//! for by the thread that has the turn.

use core::ptr;
use core::sync::atomic::{AtomicI32, AtomicU64, AtomicUsize, Ordering, compiler_fence};

use trace::layout::{self, CHUNK, chunk, ending, header};

use crate::{errno, message, start};

static FILE: AtomicI32 = AtomicI32::new(-1);
/// The address of the mapped header.
static HEADER: AtomicUsize = AtomicUsize::new(0);
/// Where the next chunk will be.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// Creates the file and writes what is known of the process; whether that worked.
pub(crate) fn create(path: &core::ffi::CStr) -> bool {
    let flags = libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC | libc::O_CLOEXEC;
    // SAFETY: the path ends with a zero byte.
    let file = unsafe { libc::open(path.as_ptr(), flags, 0o666) };
    if file < 0 {
        complain(b"cannot record: cannot create `", path.to_bytes(), errno::get());
        return false;
    }
    // Programs may count on their numbers of files: keep out of the way.
    // SAFETY: the file is open; if there is no such number, it stays where it is.
    let high = unsafe { libc::fcntl(file, libc::F_DUPFD_CLOEXEC, 900) };
    let file = if high < 0 {
        file
    } else {
        // SAFETY: nobody knows this number yet.
        unsafe { libc::close(file) };
        high
    };
    FILE.store(file, Ordering::Relaxed);
    let Some(at) = next() else {
        complain(b"cannot record: cannot write `", path.to_bytes(), errno::get());
        return false;
    };
    write_header(at);
    HEADER.store(at, Ordering::Release);
    true
}

fn complain(what: &[u8], path: &[u8], error: i32) {
    let mut buffer = [0; 128];
    message::line(&[
        what,
        path,
        b"`: ",
        message::error(error, &mut buffer),
        b"; the program runs unrecorded",
    ]);
}

/// Allocates and maps the next part of the file. The reason why that fails is in `errno`.
fn next() -> Option<usize> {
    let offset = NEXT.load(Ordering::Relaxed);
    let file = FILE.load(Ordering::Relaxed);
    if !allocate(file, offset) {
        return None;
    }
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_SHARED | libc::MAP_POPULATE;
    // SAFETY: a new mapping, wherever there is room.
    let at = unsafe { libc::mmap(ptr::null_mut(), CHUNK, protection, flags, file, offset as libc::off_t) };
    if at == libc::MAP_FAILED {
        return None;
    }
    NEXT.store(offset + CHUNK as u64, Ordering::Relaxed);
    Some(at as usize)
}

/// Sees to it that there is room on the disk.
fn allocate(file: i32, offset: u64) -> bool {
    // Beyond this limit the kernel would not only refuse but kill the process.
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the place for the limit is ours.
    let limited = unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &raw mut limit) } == 0;
    if limited && offset + CHUNK as u64 > limit.rlim_cur {
        errno::set(libc::EFBIG);
        return false;
    }
    loop {
        // SAFETY: only the file is touched.
        let done = unsafe { libc::fallocate(file, 0, offset as libc::off_t, CHUNK as libc::off_t) } == 0;
        match errno::get() {
            _ if done => return true,
            libc::EINTR => {}
            libc::EOPNOTSUPP | libc::ENOSYS => return fill(file, offset),
            _ => return false,
        }
    }
}

/// Allocates by writing zeros, where the file system has no better way.
fn fill(file: i32, offset: u64) -> bool {
    static ZEROS: [u8; 4096] = [0; 4096];
    let mut written = 0;
    while written < CHUNK {
        let count = ZEROS.len().min(CHUNK - written);
        // SAFETY: the zeros are as many as is said.
        let result = unsafe {
            libc::pwrite(file, ZEROS.as_ptr().cast(), count, (offset as usize + written) as libc::off_t)
        };
        match result {
            1.. => written += result as usize,
            0 => return false,
            _ if errno::get() == libc::EINTR => {}
            _ => return false,
        }
    }
    true
}

/// Stores a number in mapped memory.
fn store<T>(at: usize, offset: usize, number: T) {
    // SAFETY: callers give mapped memory and offsets within.
    unsafe { ((at + offset) as *mut T).write_volatile(number) };
}

fn write_header(at: usize) {
    store(at, header::VERSION, layout::VERSION.to_le());
    store(at, header::CHUNK, (CHUNK as u32).to_le());
    store(at, header::PID, std::process::id().to_le());
    // SAFETY: the mapping is this large and nobody else's.
    let texts =
        unsafe { core::slice::from_raw_parts_mut((at + header::TEXTS) as *mut u8, CHUNK - header::TEXTS) };
    // SAFETY: the path ends with a zero byte, and the room is as large as is said.
    let executable = unsafe { libc::readlink(c"/proc/self/exe".as_ptr(), texts.as_mut_ptr().cast(), 4096) }
        .max(0) as usize;
    store(at, header::EXECUTABLE, (executable as u32).to_le());
    // SAFETY: the path ends with a zero byte.
    let file = unsafe { libc::open(c"/proc/self/cmdline".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
    if file >= 0 {
        let rest = &mut texts[executable..];
        // SAFETY: the room is as large as is said. A command line that is longer is cut.
        let length = unsafe { libc::read(file, rest.as_mut_ptr().cast(), rest.len()) }.max(0);
        store(at, header::COMMAND, (length as u32).to_le());
        // SAFETY: opened above.
        unsafe { libc::close(file) };
    }
    compiler_fence(Ordering::Release);
    store(at, header::MAGIC, layout::RAW);
}

/// Notes in the header how the run ended. The first who knows is right.
pub(crate) fn ended(how: u32, status: u32) {
    let at = HEADER.load(Ordering::Acquire);
    if at != 0 && start::recording() {
        // SAFETY: the header is mapped as long as the process runs.
        let known = unsafe { ((at + header::ENDING) as *const u32).read_volatile() };
        if known == ending::UNKNOWN {
            store(at, header::STATUS, status.to_le());
            store(at, header::ENDING, how.to_le());
        }
    }
}

/// A new chunk for a thread. If there is none, recording is over, and the user has been told.
pub(crate) fn chunk(thread: u32, sequence: u32, turn: u64) -> Option<usize> {
    let Some(at) = next() else {
        let error = errno::get();
        let mut buffer = [0; 128];
        message::line(&[
            b"recording stopped: no more room for the trace: ",
            message::error(error, &mut buffer),
            b"; the program goes on, the trace ends here",
        ]);
        ended(ending::FULL, error as u32);
        start::stop();
        return None;
    };
    store(at, chunk::THREAD, thread.to_le());
    store(at, chunk::SEQUENCE, sequence.to_le());
    store(at, chunk::TURN, turn.to_le());
    compiler_fence(Ordering::Release);
    store(at, chunk::MARK_AT, chunk::MARK.to_le());
    Some(at)
}

/// The memory of a chunk is needed no more.
pub(crate) fn release(at: usize) {
    // SAFETY: the chunk was mapped by `next`, and its thread has forgotten it.
    unsafe { libc::munmap(at as *mut libc::c_void, CHUNK) };
}
