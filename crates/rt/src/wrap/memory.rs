//! Allocation. Memory is recorded as free before somebody else can get it.

use core::ffi::{c_int, c_void};

use trace::layout::tag;

use crate::sync::note;

fn allocated(site: u32, at: *mut c_void, size: usize) {
    note(|thread| thread.numbers(tag::ALLOC, &[u64::from(site), at as u64, size as u64]));
}

fn freed(site: u32, at: *mut c_void) {
    note(|thread| thread.numbers(tag::FREE, &[u64::from(site), at as u64]));
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_malloc(site: u32, size: usize) -> *mut c_void {
    // SAFETY: asks for nothing.
    let at = unsafe { libc::malloc(size) };
    allocated(site, at, size);
    at
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_calloc(site: u32, count: usize, size: usize) -> *mut c_void {
    // SAFETY: asks for nothing.
    let at = unsafe { libc::calloc(count, size) };
    allocated(site, at, count.saturating_mul(size));
    at
}

/// Recorded as an allocation and the release of the old memory, if that happened. In the same turn, so the order does not matter.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_realloc(
    site: u32,
    old: *mut c_void,
    size: usize,
) -> *mut c_void {
    // SAFETY: the caller promises what the original asks for.
    let at = unsafe { libc::realloc(old, size) };
    if !old.is_null() && (!at.is_null() || size == 0) {
        freed(site, old);
    }
    allocated(site, at, size);
    at
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_aligned_alloc(
    site: u32,
    alignment: usize,
    size: usize,
) -> *mut c_void {
    // SAFETY: asks for nothing.
    let at = unsafe { libc::aligned_alloc(alignment, size) };
    allocated(site, at, size);
    at
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_posix_memalign(
    site: u32,
    at: *mut *mut c_void,
    alignment: usize,
    size: usize,
) -> c_int {
    // SAFETY: the caller promises what the original asks for.
    let result = unsafe { libc::posix_memalign(at, alignment, size) };
    if result == 0 {
        // SAFETY: the original has just written it.
        allocated(site, unsafe { *at }, size);
    }
    result
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_free(site: u32, at: *mut c_void) {
    if !at.is_null() {
        freed(site, at);
    }
    // SAFETY: the caller promises what the original asks for.
    unsafe { libc::free(at) };
}
