//! What instrumented code calls at each thing it does, after it did it. `docs/traces.md` says what the events mean.
//!
//! `C-unwind`, since asynchronous cancellation may strike in the middle and unwind. Nothing here panics.

use core::ffi::c_void;

use trace::encode::Usual;
use trace::layout::{TEXT, tag};
use trace::memory;

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

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_read(site: u32, at: *const c_void, value: u64, size: u32) {
    local::with(|thread| thread.usual(Usual::access(tag::READ, site, at as u64, value, size)));
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_write(site: u32, at: *const c_void, value: u64, size: u32) {
    local::with(|thread| thread.usual(Usual::access(tag::WRITE, site, at as u64, value, size)));
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_update(site: u32, at: *const c_void, old: u64, new: u64, size: u32) {
    local::with(|thread| thread.usual(Usual::update(site, at as u64, old, new, size)));
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_branch(site: u32, successor: u32) {
    local::with(|thread| thread.usual(Usual::at_site(tag::BRANCH, site, u64::from(successor))));
}

/// Defines what instrumented code calls for one of several events that it tells together: see [`Thread::told`].
macro_rules! told {
    ($($name:ident, $tag:expr, $size:literal;)*) => {$(
        #[unsafe(no_mangle)]
        pub(crate) extern "C-unwind" fn $name(site: u32, at: *const c_void, value: u64, state: u64) -> u64 {
            let event = Usual::access($tag, site, at as u64, value, $size);
            local::with(|thread| thread.told(event, state))
        }
    )*};
}

told! {
    __raddle_told_read_1, tag::READ, 1;
    __raddle_told_read_2, tag::READ, 2;
    __raddle_told_read_4, tag::READ, 4;
    __raddle_told_read_8, tag::READ, 8;
    __raddle_told_write_1, tag::WRITE, 1;
    __raddle_told_write_2, tag::WRITE, 2;
    __raddle_told_write_4, tag::WRITE, 4;
    __raddle_told_write_8, tag::WRITE, 8;
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_told_way(site: u32, successor: u64, state: u64) -> u64 {
    local::with(|thread| thread.told(Usual::at_site(tag::BRANCH, site, successor), state))
}

/// Instrumented code has told what it did, and somebody has waited too long for the turn.
#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_pass() {
    local::with(Thread::pass);
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_copy(site: u32, to: *const c_void, from: *const c_void, bytes: u64) {
    let (to, from) = (to as u64, from as u64);
    local::with(|thread| {
        thread.changed(tag::COPY, [u64::from(site), to, from, bytes], |memory| {
            memory::copy(memory, to, from, bytes);
        });
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_fill(site: u32, to: *const c_void, byte: u32, bytes: u64) {
    let (to, byte) = (to as u64, byte as u8);
    local::with(|thread| {
        thread.changed(tag::FILL, [u64::from(site), to, u64::from(byte), bytes], |memory| {
            memory::fill(memory, to, byte, bytes);
        });
    });
}

/// A function is entered. The token says whether the thread took the turn for it.
#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_enter(site: u32) -> u32 {
    local::with(|thread| {
        let took = thread.enter();
        thread.usual(Usual::at_site(tag::ENTER, site, 0));
        u32::from(took)
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_leave(site: u32, token: u32) {
    local::with(|thread| {
        thread.parting.set(token != 0);
        thread.usual(Usual::at_site(tag::LEAVE, site, 0));
        thread.parting.set(false);
        thread.leave(token != 0);
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_call(site: u32) {
    local::with(|thread| {
        thread.usual(Usual::at_site(tag::CALL, site, 0));
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
        thread.usual(Usual::at_site(tag::BACK, site, result));
    });
}
