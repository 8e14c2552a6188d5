//! The file of the trace: its header, and chunks that are given to threads.
//!
//! Each thread has one chunk of the file mapped, from its first event to its last, and writes its events there. When it is full, it
//! is copied to the end of the file with one system call, and used again: that costs less than to map another one, whose pages
//! would have to be faulted in one by one. Whoever is killed in between leaves the chunk twice, which the reader knows.
//!
//! Raw system calls: those of the C library are cancellation points. Room is allocated before it is mapped, so that a full disk is an error here and no signal at some event. All this is only for
//! the thread that has the turn.

use core::ffi::{c_char, c_int};
use core::ptr;
use core::sync::atomic::{AtomicI32, AtomicU8, AtomicU64, AtomicUsize, Ordering, compiler_fence};

use trace::layout::{self, CHUNK, chunk, ending, header};

use crate::{errno, message, replay, start};

static FILE: AtomicI32 = AtomicI32::new(-1);
/// The address of the mapped header.
static HEADER: AtomicUsize = AtomicUsize::new(0);
/// Which file that is: its device and number. Programs may close files that they did not open, and open others in their place.
static IDENTITY: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];
/// Its path, to open it again then. The environment, where it comes from, belongs to the program.
static PATH: [AtomicU8; libc::PATH_MAX as usize] = [const { AtomicU8::new(0) }; libc::PATH_MAX as usize];
/// Where the next chunk will be.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// Creates the file and writes what is known of the process; whether that worked.
pub(crate) fn create(path: &core::ffi::CStr) -> bool {
    let file = open(path.as_ptr(), libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC);
    if file < 0 {
        complain(b"cannot record: cannot create `", path.to_bytes(), errno::get());
        return false;
    }
    FILE.store(file, Ordering::Relaxed);
    let bytes = path.to_bytes_with_nul();
    // One that is too long was not opened.
    for (kept, &byte) in PATH.iter().zip(bytes) {
        kept.store(byte, Ordering::Relaxed);
    }
    for (known, now) in IDENTITY.iter().zip(identity(file)) {
        known.store(now, Ordering::Relaxed);
    }
    let Some(at) = next() else {
        complain(b"cannot record: cannot write `", path.to_bytes(), errno::get());
        return false;
    };
    write_header(at);
    HEADER.store(at, Ordering::Release);
    true
}

/// Opens a file, and returns its number, which is a high one: programs may count on theirs.
fn open(path: *const c_char, flags: c_int) -> c_int {
    // SAFETY: callers give a path that ends with a zero byte, and nobody knows the first number yet. If there is no high one, it stays.
    unsafe {
        let flags = flags | libc::O_CLOEXEC;
        let file = libc::syscall(libc::SYS_openat, libc::AT_FDCWD, path, flags, 0o666) as c_int;
        let high = if file < 0 { -1 } else { libc::fcntl(file, libc::F_DUPFD_CLOEXEC, 900) };
        if high < 0 {
            return file;
        }
        libc::syscall(libc::SYS_close, file);
        high
    }
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

/// The device and number of an open file; zeros if it is not open.
fn identity(file: i32) -> [u64; 2] {
    // SAFETY: zeros are a valid value, and the place is ours.
    unsafe {
        let mut status: libc::stat = core::mem::zeroed();
        if libc::fstat(file, &raw mut status) == 0 { [status.st_dev, status.st_ino] } else { [0; 2] }
    }
}

/// The number of the file of the trace. If the program has closed it, it is opened again.
fn file() -> Option<c_int> {
    let known = [IDENTITY[0].load(Ordering::Relaxed), IDENTITY[1].load(Ordering::Relaxed)];
    let file = FILE.load(Ordering::Relaxed);
    if identity(file) == known {
        return Some(file);
    }
    let again = open(PATH.as_ptr().cast(), libc::O_RDWR);
    if identity(again) == known {
        FILE.store(again, Ordering::Relaxed);
        return Some(again);
    }
    if again >= 0 {
        // SAFETY: opened above, and nobody else's.
        unsafe { libc::syscall(libc::SYS_close, again) };
    }
    errno::set(libc::EBADF);
    None
}

/// Allocates and maps the next part of the file. The reason why that fails is in `errno`.
fn next() -> Option<usize> {
    let offset = NEXT.load(Ordering::Relaxed);
    let file = file()?;
    if !allocate(file, offset) {
        return None;
    }
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_SHARED;
    // SAFETY: a new mapping, wherever there is room.
    let at = unsafe { libc::mmap(ptr::null_mut(), CHUNK, protection, flags, file, offset as libc::off_t) };
    if at == libc::MAP_FAILED {
        return None;
    }
    NEXT.store(offset + CHUNK as u64, Ordering::Relaxed);
    Some(at as usize)
}

/// Whether the file may grow by a chunk. Beyond this limit the kernel would not only refuse but kill the process.
fn may_grow(offset: u64) -> bool {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the place for the limit is ours.
    let limited = unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &raw mut limit) } == 0;
    let fits = !limited || offset + CHUNK as u64 <= limit.rlim_cur;
    if !fits {
        errno::set(libc::EFBIG);
    }
    fits
}

/// Sees to it that there is room on the disk.
fn allocate(file: i32, offset: u64) -> bool {
    static ZEROS: [u8; CHUNK] = [0; CHUNK];
    if !may_grow(offset) {
        return false;
    }
    loop {
        // SAFETY: only the file is touched.
        let done = unsafe { libc::syscall(libc::SYS_fallocate, file, 0, offset, CHUNK) } == 0;
        match errno::get() {
            _ if done => return true,
            libc::EINTR => {}
            // Some file systems have no better way than to write zeros.
            libc::EOPNOTSUPP | libc::ENOSYS => return write(file, offset, ZEROS.as_ptr()),
            _ => return false,
        }
    }
}

/// Writes a whole chunk, or nothing.
fn write(file: i32, offset: u64, bytes: *const u8) -> bool {
    let mut written = 0;
    while written < CHUNK {
        let at = (offset + written as u64) as libc::off_t;
        // SAFETY: callers give as many bytes as a chunk has.
        let result =
            unsafe { libc::syscall(libc::SYS_pwrite64, file, bytes.add(written), CHUNK - written, at) };
        if result > 0 {
            written += result as usize;
        } else if result == 0 || errno::get() != libc::EINTR {
            let error = if result == 0 { libc::ENOSPC } else { errno::get() };
            // SAFETY: only the file is touched. If it cannot be cut, its end is a chunk that is too short, which is known.
            unsafe { libc::ftruncate(file, offset as libc::off_t) };
            errno::set(error);
            return false;
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
    if start::replaying() {
        return replay::ended(how, status);
    }
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

/// The first chunk of a thread. If there is none, recording is over, and the user has been told.
pub(crate) fn chunk(thread: u32, turn: u64) -> Option<usize> {
    let at = next().or_else(full)?;
    begin(at, thread, 0, turn);
    Some(at)
}

/// Keeps what is in the chunk and makes it the next one of its thread; whether that worked.
pub(crate) fn turn_over(at: usize, thread: u32, sequence: u32, turn: u64) -> bool {
    let offset = NEXT.load(Ordering::Relaxed);
    if !file().is_some_and(|file| may_grow(offset) && write(file, offset, at as *const u8)) {
        full();
        return false;
    }
    NEXT.store(offset + CHUNK as u64, Ordering::Relaxed);
    store(at, chunk::MARK_AT, 0_u32);
    compiler_fence(Ordering::SeqCst);
    // SAFETY: the chunk is mapped, and only the present thread uses it.
    unsafe { ptr::write_bytes((at + chunk::EVENTS) as *mut u8, 0, CHUNK - chunk::EVENTS) };
    begin(at, thread, sequence, turn);
    true
}

/// Ends recording, since there is no more room; the reason is in `errno`.
fn full() -> Option<usize> {
    let error = errno::get();
    let mut buffer = [0; 128];
    let what: &[u8] = match error {
        libc::EBADF => b"recording stopped: the program has closed the file of the trace: ",
        _ => b"recording stopped: no more room for the trace: ",
    };
    message::line(&[what, message::error(error, &mut buffer), b"; the program goes on, the trace ends here"]);
    ended(ending::FULL, error as u32);
    start::stop();
    None
}

/// Writes the beginning of a chunk, the mark last.
fn begin(at: usize, thread: u32, sequence: u32, turn: u64) {
    store(at, chunk::THREAD, thread.to_le());
    store(at, chunk::SEQUENCE, sequence.to_le());
    store(at, chunk::TURN, turn.to_le());
    compiler_fence(Ordering::SeqCst);
    store(at, chunk::MARK_AT, chunk::MARK.to_le());
}

/// The memory of a chunk is needed no more.
pub(crate) fn release(at: usize) {
    // SAFETY: the chunk was mapped by `next`, and its thread has forgotten it.
    unsafe { libc::munmap(at as *mut libc::c_void, CHUNK) };
}
