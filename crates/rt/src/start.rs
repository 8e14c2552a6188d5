//! The beginning of a run: what the environment asks for, and the modules of the program.

use core::ffi::{CStr, c_char};
use core::sync::atomic::{AtomicI32, AtomicU8, AtomicU32, Ordering};

use trace::layout::{ending, tag};
use trace::repeat::MOST_SITES;

use crate::thread::Thread;
use crate::{crash, errno, file, gate, local, message, registry, replay, turn};

/// Bits of [`MODE`].
pub(crate) const RECORD: u8 = 1;
pub(crate) const GATE: u8 = 2;
/// Together with [`RECORD`]: what would be recorded is compared instead.
pub(crate) const REPLAY: u8 = 4;

/// What is wanted. Programs test it before they call anything but wrappers. It has a page of its own, which other processes find
/// empty, however they were made: the file belongs to this one.
#[unsafe(export_name = "__raddle_mode")]
static MODE: Mode = Mode(AtomicU8::new(0));

#[repr(C, align(4096))]
struct Mode(AtomicU8);

#[inline(always)]
pub(crate) fn recording() -> bool {
    MODE.0.load(Ordering::Relaxed) & RECORD != 0
}

#[inline(always)]
pub(crate) fn gating() -> bool {
    MODE.0.load(Ordering::Relaxed) & GATE != 0
}

#[inline(always)]
pub(crate) fn replaying() -> bool {
    MODE.0.load(Ordering::Relaxed) & REPLAY != 0
}

/// No more events are wanted.
pub(crate) fn stop() {
    MODE.0.fetch_and(!RECORD, Ordering::Relaxed);
}

/// Recording stops here, and the user is told why.
pub(crate) fn give_up(error: i32, why: &[u8]) {
    message::line(&[b"recording stopped: ", why]);
    file::ended(ending::FULL, error as u32);
    stop();
    turn::stop();
}

/// A module as instrumented programs declare it.
#[repr(C)]
pub(crate) struct Module {
    version: u32,
    sites: u32,
    hash: [u8; 32],
    name: *const c_char,
    base: u32,
}

/// The version of [`Module`] that is understood.
const VERSION: u32 = 1;

/// Constructors of modules come first, but a program may consist of none.
#[used]
#[unsafe(link_section = ".init_array.00101")]
static CONSTRUCTOR: extern "C" fn() = start;

/// Reads the environment, once.
extern "C" fn start() {
    static STARTED: AtomicU8 = AtomicU8::new(0);
    if STARTED.swap(1, Ordering::Relaxed) != 0 {
        return;
    }
    let errno = errno::get();
    // An internal error must neither unwind into the program nor be silent.
    std::panic::set_hook(Box::new(|_| {
        message::line(&[b"internal error of the run-time library; please report it"]);
        // SAFETY: ends the process.
        unsafe { libc::abort() }
    }));
    if let Some(path) = variable(c"RADDLE_SCHEDULE")
        && gate::start(path.to_bytes())
    {
        MODE.0.fetch_or(GATE, Ordering::Relaxed);
    }
    let repeats = variable(c"RADDLE_REPLAY").is_some_and(replay::start);
    if repeats && let Some(path) = variable(c"RADDLE_STATUS") {
        replay::tell_in(path);
    }
    if repeats || variable(c"RADDLE_RECORD").is_some_and(file::create) {
        registry::start();
        crash::start();
        // SAFETY: the functions are there for ever.
        unsafe {
            libc::pthread_atfork(None, None, Some(forked));
            on_exit(exited, core::ptr::null_mut());
            at_quick_exit(exited_quickly);
        }
        MODE.0.fetch_or(if repeats { RECORD | REPLAY } else { RECORD }, Ordering::Relaxed);
        // The thread that comes first is the main thread, whatever other libraries start.
        local::with(|thread| {
            let took = thread.enter();
            thread.leave(took);
        });
    }
    if MODE.0.load(Ordering::Relaxed) != 0 {
        // What is not known to a kernel it refuses. Then only `fork` tells: see `forked`.
        // SAFETY: the page is only that of this variable, and has no other use.
        unsafe {
            let page = (&raw const MODE).cast_mut().cast();
            libc::madvise(page, size_of::<Mode>(), libc::MADV_WIPEONFORK);
        }
        expect_threads();
    }
    // Programs that this one starts must not write into the same file.
    // SAFETY: there are no other threads yet that could look at the environment.
    unsafe {
        libc::unsetenv(c"RADDLE_RECORD".as_ptr());
        libc::unsetenv(c"RADDLE_SCHEDULE".as_ptr());
        libc::unsetenv(c"RADDLE_REPLAY".as_ptr());
    }
    errno::set(errno);
}

/// The library of C++ takes other ways as long as the C library says that there is one thread only. In the analysis it never says so.
fn expect_threads() {
    // SAFETY: looks for a name; in glibc it is that of a variable of one byte, which is never read-only.
    unsafe {
        let single = libc::dlsym(libc::RTLD_DEFAULT, c"__libc_single_threaded".as_ptr());
        if !single.is_null() {
            single.cast::<core::ffi::c_char>().write_volatile(0);
        }
    }
}

unsafe extern "C" {
    fn on_exit(function: extern "C" fn(i32, *mut libc::c_void), argument: *mut libc::c_void) -> i32;
    fn at_quick_exit(function: extern "C" fn()) -> i32;
}

extern "C" fn exited(status: i32, _: *mut libc::c_void) {
    file::ended(ending::EXIT, status as u32);
}

/// What `quick_exit` was called with.
static QUICK_STATUS: AtomicI32 = AtomicI32::new(0);

pub(crate) fn quick_exits(status: i32) {
    QUICK_STATUS.store(status, Ordering::Relaxed);
}

/// Runs after the program's own functions, which belong to the run.
extern "C" fn exited_quickly() {
    file::ended(ending::EXIT, QUICK_STATUS.load(Ordering::Relaxed) as u32);
}

/// In the child of a fork: the file belongs to the parent.
extern "C" fn forked() {
    MODE.0.store(0, Ordering::Relaxed);
    turn::forget();
    local::with(Thread::forget);
}

fn variable(name: &CStr) -> Option<&'static CStr> {
    // SAFETY: the name ends with a zero byte; the value stays until it is unset, and is not used after that.
    unsafe {
        let value = libc::getenv(name.as_ptr());
        (!value.is_null() && *value != 0).then(|| CStr::from_ptr(value))
    }
}

/// Registers a module: its sites get numbers of their own.
///
/// # Safety
/// `module` is valid, and its name a text.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn __raddle_module(module: *mut Module) {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    start();
    // SAFETY: as the caller promises.
    let module = unsafe { &mut *module };
    if module.version != VERSION {
        message::line(&[
            b"a part of this program was instrumented for another version of raddle; build all of it again",
        ]);
    }
    let next = NEXT.fetch_add(module.sites, Ordering::Relaxed);
    // A schedule has numbers of its own.
    module.base = gate::base_of(&module.hash).unwrap_or(next);
    if recording() && module.base.saturating_add(module.sites) >= MOST_SITES {
        give_up(libc::EFBIG, b"the program has too many instructions");
    }
    if recording() {
        // SAFETY: as the caller promises.
        let name = if module.name.is_null() { c"" } else { unsafe { CStr::from_ptr(module.name) } };
        local::with(|thread| {
            let took = thread.enter();
            let numbers = [u64::from(module.base), u64::from(module.sites)];
            thread.texts(tag::MODULE, &numbers, &[&module.hash, name.to_bytes()]);
            thread.leave(took);
        });
    }
}
