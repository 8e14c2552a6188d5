//! Creating threads. Numbers are given to threads by who creates them, who has the turn.
//!
//! `pthread_create` itself is defined here, too: libraries that are not instrumented, such as that of C++, start threads of which
//! the program is in charge. The new thread does not keep the turn: what it runs first may not be instrumented.

use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicUsize, Ordering};
use core::{mem, ptr};

use trace::layout::tag;

use crate::real::{self, C11Start, Create, Object, Start};
use crate::signals::{self, Mask};
use crate::thread::Thread;
use crate::{errno, gate, local, message, registry, replay, start};

/// What a new thread is to run.
struct Begin<F> {
    function: F,
    argument: *mut c_void,
    number: u32,
    /// The signals that it blocks. A handler that runs before the thread has its number would give it another.
    mask: Mask,
}

/// The real `pthread_create`.
fn real_create() -> Option<Create> {
    static REAL: AtomicUsize = AtomicUsize::new(0);
    let mut real = REAL.load(Ordering::Relaxed);
    if real == 0 {
        // SAFETY: the name ends with a zero byte.
        real = unsafe { libc::dlsym(libc::RTLD_NEXT, c"pthread_create".as_ptr()) } as usize;
        REAL.store(real, Ordering::Relaxed);
    }
    if real == 0 {
        message::line(&[
            b"cannot find the real pthread_create; statically linked programs cannot start threads",
        ]);
        return None;
    }
    // SAFETY: a function with this name has this type.
    Some(unsafe { mem::transmute::<usize, Create>(real) })
}

/// Notes that the present thread begins.
fn begin(number: u32, mask: Mask) {
    local::with(|thread| {
        registry::name(thread, number);
        signals::restore(mask);
        // Taking the turn for the first time is the start.
        let took = thread.enter();
        thread.leave(took);
    });
}

/// Takes over what the new thread is to run.
fn unpack<F: Copy>(begin: *mut c_void) -> Begin<F> {
    let begin = begin.cast::<Begin<F>>();
    // SAFETY: whoever created this thread made it with `pack` and has left it to this thread.
    unsafe {
        let unpacked = begin.read();
        libc::free(begin.cast());
        unpacked
    }
}

fn pack<F: Copy>(contents: Begin<F>) -> *mut Begin<F> {
    // SAFETY: the memory is checked and large enough.
    unsafe {
        let begin = libc::malloc(size_of::<Begin<F>>()).cast::<Begin<F>>();
        if !begin.is_null() {
            begin.write(contents);
        }
        begin
    }
}

unsafe extern "C-unwind" fn run(argument: *mut c_void) -> *mut c_void {
    let Begin { function, argument, number, mask } = unpack::<Start>(argument);
    begin(number, mask);
    // SAFETY: the program asked for this call.
    function.map_or(ptr::null_mut(), |function| unsafe { function(argument) })
}

unsafe extern "C-unwind" fn run_c11(argument: *mut c_void) -> c_int {
    let Begin { function, argument, number, mask } = unpack::<C11Start>(argument);
    begin(number, mask);
    // SAFETY: the program asked for this call.
    function.map_or(0, |function| unsafe { function(argument) })
}

/// Creates a thread with `real`, which gets what the thread is to run, and records it.
fn create<F: Copy>(
    thread: &Thread,
    site: u32,
    handle: *mut libc::pthread_t,
    detached: bool,
    (function, argument, no_memory): (F, *mut c_void, c_int),
    real: impl FnOnce(*mut c_void) -> c_int,
) -> c_int {
    let took = thread.enter();
    let number = if thread.has_turn.get() { registry::reserve() } else { registry::NOBODY };
    if start::replaying() {
        replay::born();
    }
    // The new thread begins with all signals blocked, as this one has them now.
    let mask = signals::block();
    let begin = pack(Begin { function, argument, number, mask });
    let result = if begin.is_null() { no_memory } else { real(begin.cast()) };
    signals::restore(mask);
    if thread.has_turn.get() {
        // SAFETY: the original asks for a valid place, and has written to it.
        let handle = if result == 0 { unsafe { *handle } } else { 0 };
        if result == 0 {
            registry::created(handle, number, detached);
        } else {
            registry::unreserve();
        }
        let numbers = [u64::from(site), u64::from(number), handle, i64::from(result) as u64];
        thread.parting.set(took);
        thread.numbers(tag::CREATE, &numbers);
        thread.parting.set(false);
    }
    if result != 0 && start::replaying() {
        replay::unborn();
    }
    if result != 0 {
        // SAFETY: nobody has it; it may be null.
        unsafe { libc::free(begin.cast()) };
    }
    thread.leave(took);
    result
}

/// The attributes for a thread whose stack the program wants to be small: what we need comes on top. A copy, as the program's own may
/// be in use elsewhere. Nothing is changed of a stack that the program has made itself.
///
/// # Safety
/// `attributes` are valid, or null.
unsafe fn with_room(attributes: Object) -> Option<libc::pthread_attr_t> {
    /// What a thread has is at the end of its stack, and our functions run there, too.
    const OURS: usize = size_of::<Thread>() + size_of::<gate::Here>() + 0x4000;
    const LARGE: usize = 1 << 20;
    if attributes.is_null() {
        return None;
    }
    let (mut at, mut size) = (ptr::null_mut(), 0);
    // SAFETY: the places are ours; attributes are plain data, which nobody destroys twice.
    unsafe {
        let found = real::pthread_attr_getstack(attributes, &raw mut at, &raw mut size) == 0;
        // Without a stack of its own, the end is at zero.
        if !found || (at as usize).wrapping_add(size) != 0 || size == 0 || size >= LARGE {
            return None;
        }
        let mut larger = attributes.cast::<libc::pthread_attr_t>().read();
        let wanted = (size + OURS).next_multiple_of(0x1000);
        (real::pthread_attr_setstacksize((&raw mut larger).cast(), wanted) == 0).then_some(larger)
    }
}

pub(crate) unsafe fn create_posix(
    site: u32,
    handle: *mut libc::pthread_t,
    attributes: Object,
    function: Start,
    argument: *mut c_void,
) -> c_int {
    let Some(real) = real_create() else { return libc::EAGAIN };
    // SAFETY: the caller promises that attributes are valid if they are there.
    let mut larger = unsafe { with_room(attributes) };
    let attributes = larger.as_mut().map_or(attributes, |larger| ptr::from_mut(larger).cast());
    if start::gating() {
        return gate::create(function, argument, |function, argument| {
            // SAFETY: the caller promises what the original asks for.
            unsafe { real(handle, attributes, function, argument) }
        });
    }
    if !start::recording() {
        // SAFETY: the caller promises what the original asks for.
        return unsafe { real(handle, attributes, function, argument) };
    }
    let mut state = 0;
    // SAFETY: the caller promises that attributes are valid if they are there.
    let detached = !attributes.is_null()
        && unsafe { real::pthread_attr_getdetachstate(attributes, &raw mut state) } == 0
        && state == libc::PTHREAD_CREATE_DETACHED;
    local::with(|thread| {
        create(thread, site, handle, detached, (function, argument, libc::EAGAIN), |begin| {
            // SAFETY: the caller promises what the original asks for.
            unsafe { real(handle, attributes, Some(run), begin) }
        })
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_pthread_create(
    site: u32,
    handle: *mut libc::pthread_t,
    attributes: Object,
    function: Start,
    argument: *mut c_void,
) -> c_int {
    // SAFETY: the caller promises what the original asks for.
    unsafe { create_posix(site, handle, attributes, function, argument) }
}

/// Takes the place of the one of the C library.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn pthread_create(
    handle: *mut libc::pthread_t,
    attributes: Object,
    function: Start,
    argument: *mut c_void,
) -> c_int {
    let errno = errno::get();
    // SAFETY: the caller promises what the original asks for.
    let result = unsafe { create_posix(0, handle, attributes, function, argument) };
    errno::set(errno);
    result
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_thrd_create(
    site: u32,
    handle: *mut libc::pthread_t,
    function: C11Start,
    argument: *mut c_void,
) -> c_int {
    /// `thrd_nomem`
    const NO_MEMORY: c_int = 3;
    if !start::recording() {
        // SAFETY: the caller promises what the original asks for.
        return unsafe { real::thrd_create(handle, function, argument) };
    }
    local::with(|thread| {
        create(thread, site, handle, false, (function, argument, NO_MEMORY), |begin| {
            // SAFETY: the caller promises what the original asks for.
            unsafe { real::thrd_create(handle, Some(run_c11), begin) }
        })
    })
}
