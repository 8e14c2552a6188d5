//! What instrumented code calls at each thing it does. See the interface in `docs/traces.md`.
//!
//! `C-unwind`, since asynchronous cancellation may strike in the middle and unwind. Nothing here panics.

use core::ffi::c_void;

use trace::encode;
use trace::layout::tag;

use crate::{gate, thread};

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_before(site: u32) {
    gate::before(site);
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_after(site: u32) {
    gate::after(site);
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_read(site: u32, at: *const c_void, value: u64, size: u32) {
    thread::with(|thread| {
        thread.record(|room, context| encode::access(room, context, tag::READ, site, at as u64, value, size));
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_write(site: u32, at: *const c_void, value: u64, size: u32) {
    thread::with(|thread| {
        thread
            .record(|room, context| encode::access(room, context, tag::WRITE, site, at as u64, value, size));
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_update(site: u32, at: *const c_void, old: u64, new: u64, size: u32) {
    thread::with(|thread| {
        thread.record(|room, context| encode::update(room, context, site, at as u64, old, new, size));
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_copy(site: u32, to: *const c_void, from: *const c_void, bytes: u64) {
    thread::with(|thread| thread.numbers(tag::COPY, &[u64::from(site), to as u64, from as u64, bytes]));
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_fill(site: u32, to: *const c_void, byte: u32, bytes: u64) {
    thread::with(|thread| {
        thread.numbers(tag::FILL, &[u64::from(site), to as u64, u64::from(byte & 0xff), bytes]);
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_branch(site: u32, successor: u32) {
    thread::with(|thread| {
        thread
            .record(|room, context| encode::at_site(room, context, tag::BRANCH, site, u64::from(successor)));
    });
}

/// A function is entered. The token says whether the thread took the turn for it.
#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_enter(site: u32) -> u32 {
    thread::with(|thread| {
        let took = thread.enter();
        thread.record(|room, context| encode::at_site(room, context, tag::ENTER, site, 0));
        u32::from(took)
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_leave(site: u32, token: u32) {
    thread::with(|thread| {
        thread.record(|room, context| encode::at_site(room, context, tag::LEAVE, site, 0));
        thread.leave(token != 0);
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_call(site: u32) {
    thread::with(|thread| {
        thread.record(|room, context| encode::at_site(room, context, tag::CALL, site, 0));
        thread.give();
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_back(site: u32, result: u64) {
    thread::with(|thread| {
        thread.enter();
        thread.record(|room, context| encode::at_site(room, context, tag::BACK, site, result));
    });
}
