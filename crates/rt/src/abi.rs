//! What instrumented code calls at each thing it does, after it did it. `docs/traces.md` says what the events mean.
//!
//! `C-unwind`, since asynchronous cancellation may strike in the middle and unwind. Nothing here panics.

use core::ffi::c_void;

use trace::encode;
use trace::layout::{TEXT, tag};

use crate::thread::Thread;
use crate::{gate, local, start};

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_before(site: u32) {
    gate::before(site);
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_begin(site: u32) {
    gate::begin(site);
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_after(site: u32) {
    gate::after(site);
}

/// A thread that does what is not recorded, and may take long to do it, lets others have the turn.
#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_away() {
    local::with(Thread::away);
}

/// And it needs it again.
#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_again() {
    local::with(Thread::enter);
}

/// Defines the functions that are called most. What is special about an event is left to another function, called at the very end
/// with the same arguments: so the usual way need not save anything.
macro_rules! hot {
    ($($name:ident, $slowly:ident, ($($parameter:ident: $type:ty),*), |$room:ident, $context:ident| $encode:expr;)*) => {$(
        #[unsafe(no_mangle)]
        pub(crate) extern "C-unwind" fn $name($($parameter: $type),*) {
            local::with(|thread| {
                if !thread.record_as_usual(|$room, $context| $encode) {
                    $slowly($($parameter),*);
                }
            });
        }

        #[cold]
        #[inline(never)]
        fn $slowly($($parameter: $type),*) {
            local::with(|thread| thread.record(|$room, $context| $encode));
        }
    )*};
}

hot! {
    __raddle_read, read_slowly, (site: u32, at: *const c_void, value: u64, size: u32),
        |room, context| encode::access(room, context, tag::READ, site, at as u64, value, size);
    __raddle_write, write_slowly, (site: u32, at: *const c_void, value: u64, size: u32),
        |room, context| encode::access(room, context, tag::WRITE, site, at as u64, value, size);
    __raddle_update, update_slowly, (site: u32, at: *const c_void, old: u64, new: u64, size: u32),
        |room, context| encode::update(room, context, site, at as u64, old, new, size);
    __raddle_branch, branch_slowly, (site: u32, successor: u32),
        |room, context| encode::at_site(room, context, tag::BRANCH, site, u64::from(successor));
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_copy(site: u32, to: *const c_void, from: *const c_void, bytes: u64) {
    local::with(|thread| thread.numbers(tag::COPY, &[u64::from(site), to as u64, from as u64, bytes]));
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_fill(site: u32, to: *const c_void, byte: u32, bytes: u64) {
    local::with(|thread| {
        thread.numbers(tag::FILL, &[u64::from(site), to as u64, u64::from(byte & 0xff), bytes]);
    });
}

/// A function is entered. The token says whether the thread took the turn for it.
#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_enter(site: u32) -> u32 {
    local::with(|thread| {
        let took = thread.enter();
        thread.record(|room, context| encode::at_site(room, context, tag::ENTER, site, 0));
        u32::from(took)
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_leave(site: u32, token: u32) {
    local::with(|thread| {
        thread.parting.set(token != 0);
        thread.record(|room, context| encode::at_site(room, context, tag::LEAVE, site, 0));
        thread.parting.set(false);
        thread.leave(token != 0);
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_call(site: u32) {
    local::with(|thread| {
        thread.record(|room, context| encode::at_site(room, context, tag::CALL, site, 0));
        thread.call(site);
    });
}

/// What a library function that has come back wrote from `to` on; `u64::MAX` is the length of a text.
///
/// # Safety
/// The function has written so many bytes there.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_input(site: u32, to: *const c_void, length: u64) {
    // A run that is repeated reads again.
    if start::replaying() || to.is_null() {
        return;
    }
    let length = match length {
        // SAFETY: the function has written a text there.
        u64::MAX => unsafe { libc::strlen(to.cast()) as u64 + 1 },
        length => length,
    };
    // SAFETY: the function has written so many bytes.
    let written = unsafe { core::slice::from_raw_parts(to.cast::<u8>(), length as usize) };
    let mut at = to as u64;
    for piece in written.chunks(TEXT) {
        local::with(|thread| thread.texts(tag::INPUT, &[u64::from(site), at], &[piece]));
        at += piece.len() as u64;
    }
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_back(site: u32, result: u64) {
    local::with(|thread| {
        thread.back(site);
        thread.record(|room, context| encode::at_site(room, context, tag::BACK, site, result));
    });
}
