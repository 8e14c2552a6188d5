//! Functions without a meaning outside of Raddle: those of verification competitions, and those of `raddle.h`.

use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicU64, Ordering};

use trace::layout::{ending, tag};

use crate::sync::note;
use crate::{file, local, message, replay, start};

/// An error function was reached: the run ends as with a failing assertion.
fn failed(site: u32, name: &[u8]) -> ! {
    note(|thread| thread.texts(tag::FAILED, &[u64::from(site), 0], &[name, b"", b""]));
    message::line(&[b"`", name, b"` was reached"]);
    // SAFETY: ends the process.
    unsafe { libc::abort() }
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_reach_error(site: u32) {
    failed(site, b"reach_error")
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle___VERIFIER_error(site: u32) {
    failed(site, b"__VERIFIER_error")
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle___VERIFIER_assert(site: u32, holds: c_int) {
    if holds == 0 {
        failed(site, b"__VERIFIER_assert")
    }
}

/// A run with an assumption that does not hold is none: it ends without a failure.
#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle___VERIFIER_assume(site: u32, holds: c_int) {
    note(|thread| thread.numbers(tag::ASSUME, &[u64::from(site), u64::from(holds != 0)]));
    if holds == 0 {
        message::line(&[b"an assumption does not hold; the run ends here"]);
        __raddle___VERIFIER_silent_exit(site);
    }
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle___VERIFIER_silent_exit(site: u32) {
    note(|thread| thread.numbers(tag::EXIT, &[u64::from(site), 0]));
    file::ended(ending::EXIT, 0);
    // SAFETY: ends the process.
    unsafe { libc::_exit(0) }
}

fn atomic_begin(site: u32) {
    note(|thread| {
        thread.atomic.set(thread.atomic.get() + 1);
        thread.numbers(tag::ATOMIC_BEGIN, &[u64::from(site)]);
    });
}

fn atomic_end(site: u32) {
    note(|thread| {
        thread.atomic.set(thread.atomic.get().saturating_sub(1));
        thread.numbers(tag::ATOMIC_END, &[u64::from(site)]);
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle___VERIFIER_atomic_begin(site: u32) {
    atomic_begin(site);
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle___VERIFIER_atomic_end(site: u32) {
    atomic_end(site);
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_raddle_atomic_begin(site: u32) {
    atomic_begin(site);
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_raddle_atomic_end(site: u32) {
    atomic_end(site);
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_raddle_progress(site: u32) {
    note(|thread| thread.numbers(tag::PROGRESS, &[u64::from(site)]));
}

/// The next arbitrary number. Mostly small ones: programs count to them.
pub(crate) fn arbitrary() -> u64 {
    static STATE: AtomicU64 = AtomicU64::new(0);
    // The generator splitmix64: one atomic addition, so that threads need no lock.
    let mut z = STATE.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    if z & 0x300 == 0 { z >> 10 } else { z & 7 }
}

/// The next arbitrary number of this thread: if a run is repeated, that of the run.
fn next() -> u64 {
    if !start::replaying() {
        return arbitrary();
    }
    local::with(|thread| {
        let took = thread.enter();
        let step = thread.busily(replay::expected).flatten().unwrap_or_default();
        thread.leave(took);
        step.what
    })
}

fn nondet(site: u32, value: u64) {
    note(|thread| thread.numbers(tag::NONDET, &[u64::from(site), value]));
}

/// Defines functions whose result is arbitrary. Recorded is the value, extended as its type says.
macro_rules! arbitrary {
    ($($wrapper:ident: $type:ty;)*) => {$(
        #[unsafe(no_mangle)]
        pub(crate) extern "C-unwind" fn $wrapper(site: u32) -> $type {
            let value = next() as $type;
            nondet(site, i128::from(value) as u64);
            value
        }
    )*};
}

arbitrary! {
    __raddle___VERIFIER_nondet_char: i8;
    __raddle___VERIFIER_nondet_schar: i8;
    __raddle___VERIFIER_nondet_uchar: u8;
    __raddle___VERIFIER_nondet_unsigned_char: u8;
    __raddle___VERIFIER_nondet_u8: u8;
    __raddle___VERIFIER_nondet_short: i16;
    __raddle___VERIFIER_nondet_ushort: u16;
    __raddle___VERIFIER_nondet_unsigned_short: u16;
    __raddle___VERIFIER_nondet_u16: u16;
    __raddle___VERIFIER_nondet_int: i32;
    __raddle___VERIFIER_nondet_uint: u32;
    __raddle___VERIFIER_nondet_unsigned: u32;
    __raddle___VERIFIER_nondet_unsigned_int: u32;
    __raddle___VERIFIER_nondet_u32: u32;
    __raddle___VERIFIER_nondet_long: i64;
    __raddle___VERIFIER_nondet_longlong: i64;
    __raddle___VERIFIER_nondet_ulong: u64;
    __raddle___VERIFIER_nondet_unsigned_long: u64;
    __raddle___VERIFIER_nondet_ulonglong: u64;
    __raddle___VERIFIER_nondet_u64: u64;
    __raddle___VERIFIER_nondet_size_t: u64;
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle___VERIFIER_nondet_bool(site: u32) -> bool {
    let value = next() & 1 == 1;
    nondet(site, u64::from(value));
    value
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle___VERIFIER_nondet_float(site: u32) -> f32 {
    let value = if start::replaying() { f32::from_bits(next() as u32) } else { arbitrary() as f32 };
    nondet(site, u64::from(value.to_bits()));
    value
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle___VERIFIER_nondet_double(site: u32) -> f64 {
    let value = if start::replaying() { f64::from_bits(next()) } else { arbitrary() as f64 };
    nondet(site, value.to_bits());
    value
}

/// Any pointer but the null pointer would be no pointer to anything.
#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle___VERIFIER_nondet_pointer(site: u32) -> *mut c_void {
    nondet(site, 0);
    core::ptr::null_mut()
}
