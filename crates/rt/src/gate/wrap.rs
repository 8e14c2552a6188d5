//! Library functions in a program that is kept on a schedule; `trace::GATED` has their names.
//!
//! What the schedule omits is not done. Waits in two steps are in [`super::two_steps`]. After the end of the schedule everything
//! is what it always was.
//!
//! # Safety
//! Each wrapper asks of its caller what the original does.

use core::ffi::{c_char, c_int, c_uint, c_void};
use core::sync::atomic::{AtomicI32, AtomicI64, AtomicU32, Ordering};
use std::boxed::Box;

use super::{
    after, before, begin, end, input, is_known, is_omitted, is_repeated, thread_begins, thread_ends,
};
use crate::real::{self, C11Start, Object, Start};
use crate::wrap::create::create_posix;
use crate::wrap::verifier::arbitrary;
use crate::{local, message, start};

/// Threads that have not ended.
static ALIVE: AtomicU32 = AtomicU32::new(1);
static NEXT: AtomicU32 = AtomicU32::new(1);

pub(super) fn alive() -> u32 {
    ALIVE.load(Ordering::SeqCst)
}

/// Does something in a turn, unless it is omitted.
pub(super) fn turn(site: u32, real: impl FnOnce() -> c_int) -> c_int {
    if is_omitted(site) {
        return 0;
    }
    before(site);
    let result = real();
    after(site);
    result
}

/// Defines wrappers of functions with an object.
macro_rules! in_turn {
    ($($wrapper:ident = $real:path;)*) => {$(
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $wrapper(site: u32, object: Object) -> c_int {
            // SAFETY: the caller promises what the original asks for.
            turn(site, || unsafe { $real(object) })
        }
    )*};
}

in_turn! {
    __raddle_gate_pthread_mutex_lock = real::pthread_mutex_lock;
    __raddle_gate_pthread_mutex_unlock = real::pthread_mutex_unlock;
    __raddle_gate_pthread_rwlock_rdlock = real::pthread_rwlock_rdlock;
    __raddle_gate_pthread_rwlock_wrlock = real::pthread_rwlock_wrlock;
    __raddle_gate_pthread_rwlock_unlock = real::pthread_rwlock_unlock;
    __raddle_gate_pthread_spin_lock = libc_spin_lock;
    __raddle_gate_pthread_spin_unlock = real::pthread_spin_unlock;
    __raddle_gate_mtx_lock = real::mtx_lock;
    __raddle_gate_mtx_unlock = real::mtx_unlock;
    __raddle_gate_sem_wait = real::sem_wait;
    __raddle_gate_sem_post = real::sem_post;
}

unsafe fn libc_spin_lock(lock: Object) -> c_int {
    loop {
        // SAFETY: the caller promises what the original asks for.
        let result = unsafe { real::pthread_spin_trylock(lock) };
        if result != libc::EBUSY {
            return result;
        }
        // SAFETY: asks for nothing.
        unsafe { libc::sched_yield() };
    }
}

/// One turn decides who runs the function, and another ends it. The word is as glibc has it: 0, in progress, done.
unsafe fn once(site: u32, word: Object, function: Option<unsafe extern "C-unwind" fn()>) {
    const RUNS: c_int = 1;
    const DONE: c_int = 2;
    // SAFETY: such an object is an `int`, which others access atomically.
    let word = unsafe { AtomicI32::from_ptr(word.cast()) };
    before(site);
    let mine = word.compare_exchange(0, RUNS, Ordering::SeqCst, Ordering::SeqCst).is_ok();
    after(site);
    if mine {
        if let Some(function) = function {
            // SAFETY: the program asked for this call.
            unsafe { function() };
        }
        before(site);
        word.store(DONE, Ordering::SeqCst);
        after(site);
    }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_gate_pthread_once(
    site: u32,
    word: Object,
    function: Option<unsafe extern "C-unwind" fn()>,
) -> c_int {
    // SAFETY: the caller promises what the original asks for.
    unsafe { once(site, word, function) };
    0
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_gate_call_once(
    site: u32,
    word: Object,
    function: Option<unsafe extern "C-unwind" fn()>,
) {
    // SAFETY: the caller promises what the original asks for.
    unsafe { once(site, word, function) };
}

/// What a new thread runs.
struct Begin {
    function: Start,
    argument: *mut c_void,
    number: u32,
}

unsafe extern "C-unwind" fn run(begin: *mut c_void) -> *mut c_void {
    // SAFETY: whoever created this thread made it so, and left it to this thread.
    let begin = unsafe { Box::from_raw(begin.cast::<Begin>()) };
    let Begin { function, argument, number } = *begin;
    local::with(|thread| thread.number.set(number));
    thread_begins();
    // SAFETY: the program asked for this call.
    let result = function.map_or(core::ptr::null_mut(), |function| unsafe { function(argument) });
    ended();
    result
}

fn ended() {
    ALIVE.fetch_sub(1, Ordering::SeqCst);
    thread_ends();
}

/// Creates a thread with the next number; `real` gets what it runs.
pub(crate) fn create(
    function: Start,
    argument: *mut c_void,
    real: impl FnOnce(Start, *mut c_void) -> c_int,
) -> c_int {
    if local::here(|here| here.own.get()) {
        return real(function, argument);
    }
    let number = NEXT.fetch_add(1, Ordering::SeqCst);
    ALIVE.fetch_add(1, Ordering::SeqCst);
    let begin = Box::into_raw(Box::new(Begin { function, argument, number }));
    let result = real(Some(run), begin.cast());
    if result != 0 {
        ALIVE.fetch_sub(1, Ordering::SeqCst);
        // SAFETY: there is no thread that has it.
        drop(unsafe { Box::from_raw(begin) });
    }
    result
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_gate_pthread_create(
    site: u32,
    handle: *mut libc::pthread_t,
    attributes: Object,
    function: Start,
    argument: *mut c_void,
) -> c_int {
    // SAFETY: the caller promises what the original asks for.
    turn(site, || unsafe { create_posix(site, handle, attributes, function, argument) })
}

/// A function of C11 has another type, and calling one as the other is fine for what glibc does with the result.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_gate_thrd_create(
    site: u32,
    handle: *mut libc::pthread_t,
    function: C11Start,
    argument: *mut c_void,
) -> c_int {
    /// `thrd_error`
    const FAILED: c_int = 2;
    struct Both(C11Start, *mut c_void);
    unsafe extern "C-unwind" fn call(both: *mut c_void) -> *mut c_void {
        // SAFETY: made below, for this thread.
        let Both(function, argument) = *unsafe { Box::from_raw(both.cast::<Both>()) };
        // SAFETY: the program asked for this call.
        let result = function.map_or(0, |function| unsafe { function(argument) });
        core::ptr::without_provenance_mut(result as isize as usize)
    }
    let both = Box::into_raw(Box::new(Both(function, argument)));
    turn(site, || {
        // SAFETY: the caller promises what the original asks for.
        let result = unsafe { create_posix(site, handle, core::ptr::null_mut(), Some(call), both.cast()) };
        if result == 0 {
            return 0;
        }
        // SAFETY: there is no thread that has it.
        drop(unsafe { Box::from_raw(both) });
        FAILED
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_gate_pthread_exit(_site: u32, result: *mut c_void) -> ! {
    ended();
    // SAFETY: asks for nothing.
    unsafe { real::pthread_exit(result) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_gate_thrd_exit(_site: u32, result: c_int) -> ! {
    ended();
    // SAFETY: asks for nothing.
    unsafe { real::thrd_exit(result) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_gate_exit(site: u32, status: c_int) -> ! {
    before(site);
    // SAFETY: asks for nothing.
    unsafe { real::exit(status) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_gate__exit(site: u32, status: c_int) -> ! {
    before(site);
    // SAFETY: asks for nothing.
    unsafe { libc::_exit(status) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_gate__Exit(site: u32, status: c_int) -> ! {
    // SAFETY: asks for nothing.
    unsafe { __raddle_gate__exit(site, status) }
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_gate___VERIFIER_silent_exit(site: u32) {
    // SAFETY: asks for nothing.
    unsafe { __raddle_gate__exit(site, 0) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_gate_abort(site: u32) -> ! {
    end::failed(site);
    // SAFETY: asks for nothing.
    unsafe { libc::abort() }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_gate___assert_fail(
    site: u32,
    text: *const c_char,
    file: *const c_char,
    line: c_uint,
    function: *const c_char,
) -> ! {
    end::failed(site);
    // SAFETY: the caller promises what the original asks for.
    unsafe { real::__assert_fail(text, file, line, function) }
}

fn error(site: u32, name: &[u8]) -> ! {
    end::failed(site);
    message::line(&[b"`", name, b"` was reached"]);
    // SAFETY: ends the process.
    unsafe { libc::abort() }
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_gate_reach_error(site: u32) {
    error(site, b"reach_error")
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_gate___VERIFIER_error(site: u32) {
    error(site, b"__VERIFIER_error")
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_gate___VERIFIER_assert(site: u32, holds: c_int) {
    if holds == 0 {
        error(site, b"__VERIFIER_assert")
    }
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_gate___VERIFIER_assume(site: u32, holds: c_int) {
    if holds == 0 {
        message::line(&[b"an assumption does not hold; the run ends here"]);
        __raddle_gate___VERIFIER_silent_exit(site);
    }
}

/// An atomic section is one event, from its beginning to its end; unless it is only marked, and then the schedule does not have it.
fn begin_atomic(site: u32) {
    if start::gating() && is_known(site) {
        begin(site);
    }
}

fn end_atomic(site: u32) {
    // Without a beginning there is nothing to end.
    if start::gating() && local::here(|here| here.inside.get()) > 0 {
        after(site);
    }
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_gate___VERIFIER_atomic_begin(site: u32) {
    begin_atomic(site);
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_gate___VERIFIER_atomic_end(site: u32) {
    end_atomic(site);
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_gate_raddle_atomic_begin(site: u32) {
    begin_atomic(site);
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_gate_raddle_atomic_end(site: u32) {
    end_atomic(site);
}

/// How many progress marks are left until the program is stopped, if it is at all; on a cache line of its own.
#[repr(align(128))]
struct Marks(AtomicI64);

static MARKS: Marks = Marks(AtomicI64::new(i64::MAX));

/// How many marks a thread takes at once while there are many: to count each of them for all would keep threads busy with that.
const AT_ONCE: i64 = 64;
/// That is: more than this.
const MANY: i64 = 1 << 14;

/// Stops the program after so many progress marks.
pub(super) fn stop_after(marks: i64) {
    MARKS.0.store(marks, Ordering::Relaxed);
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_gate_raddle_progress(_site: u32) {
    local::here(|here| {
        if let Some(fewer) = here.marks.get().checked_sub(1) {
            return here.marks.set(fewer);
        }
        let left = &MARKS.0;
        let taken = if left.load(Ordering::Relaxed) > MANY { AT_ONCE } else { 1 };
        here.marks.set(taken as u32 - 1);
        if left.fetch_sub(taken, Ordering::Relaxed) == taken {
            // SAFETY: asks for nothing.
            unsafe { libc::_exit(0) }
        }
    });
}

/// Defines functions whose result is arbitrary, or what the schedule says.
macro_rules! arbitrary {
    ($($wrapper:ident: $type:ty;)*) => {$(
        #[unsafe(no_mangle)]
        pub(crate) extern "C-unwind" fn $wrapper(site: u32) -> $type {
            input(site).unwrap_or_else(arbitrary) as $type
        }
    )*};
}

arbitrary! {
    __raddle_gate___VERIFIER_nondet_char: i8;
    __raddle_gate___VERIFIER_nondet_schar: i8;
    __raddle_gate___VERIFIER_nondet_uchar: u8;
    __raddle_gate___VERIFIER_nondet_unsigned_char: u8;
    __raddle_gate___VERIFIER_nondet_short: i16;
    __raddle_gate___VERIFIER_nondet_ushort: u16;
    __raddle_gate___VERIFIER_nondet_unsigned_short: u16;
    __raddle_gate___VERIFIER_nondet_int: i32;
    __raddle_gate___VERIFIER_nondet_uint: u32;
    __raddle_gate___VERIFIER_nondet_unsigned: u32;
    __raddle_gate___VERIFIER_nondet_unsigned_int: u32;
    __raddle_gate___VERIFIER_nondet_long: i64;
    __raddle_gate___VERIFIER_nondet_ulong: u64;
    __raddle_gate___VERIFIER_nondet_unsigned_long: u64;
    __raddle_gate___VERIFIER_nondet_longlong: i64;
    __raddle_gate___VERIFIER_nondet_ulonglong: u64;
    __raddle_gate___VERIFIER_nondet_u8: u8;
    __raddle_gate___VERIFIER_nondet_u16: u16;
    __raddle_gate___VERIFIER_nondet_u32: u32;
    __raddle_gate___VERIFIER_nondet_u64: u64;
    __raddle_gate___VERIFIER_nondet_size_t: usize;
    __raddle_gate___VERIFIER_nondet_pointer: usize;
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_gate___VERIFIER_nondet_bool(site: u32) -> bool {
    input(site).unwrap_or_else(arbitrary) & 1 == 1
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_gate___VERIFIER_nondet_float(site: u32) -> f32 {
    input(site).map_or_else(|| arbitrary() as f32, |bits| f32::from_bits(bits as u32))
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_gate___VERIFIER_nondet_double(site: u32) -> f64 {
    input(site).map_or_else(|| arbitrary() as f64, f64::from_bits)
}

/// The analysis takes the environment for empty.
unsafe fn environment(name: *const c_char, real: impl FnOnce(*const c_char) -> *mut c_char) -> *mut c_char {
    if is_repeated() { core::ptr::null_mut() } else { real(name) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_gate_getenv(_site: u32, name: *const c_char) -> *mut c_char {
    // SAFETY: the caller promises what the original asks for.
    unsafe { environment(name, |name| libc::getenv(name)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_gate_secure_getenv(
    _site: u32,
    name: *const c_char,
) -> *mut c_char {
    // SAFETY: the caller promises what the original asks for.
    unsafe { environment(name, |name| real::secure_getenv(name)) }
}

/// What a library function answered, that may answer anything: if a run is repeated, that of the run. Some write such numbers to
/// memory, so many of them.
///
/// # Safety
/// The address is none, or the function has written so many numbers there.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_given(
    site: u32,
    result: u64,
    to: *mut u64,
    count: u32,
) -> u64 {
    let mut first = None;
    for at in 0..count.max(1) as usize {
        let Some(value) = input(site) else { break };
        first = first.or(Some(value));
        if at < count as usize && !to.is_null() {
            // SAFETY: as the caller says.
            unsafe { to.add(at).write_unaligned(value) };
        }
    }
    first.unwrap_or(result)
}
