//! What is known of the program's memory: see [`trace::memory`]. Only for the thread that has the turn, and while it is busy.

use core::cell::UnsafeCell;
use core::ffi::c_void;

use trace::memory::{BYTES, Memory};

/// At the beginning of a page, so that pages can be given back.
#[repr(C, align(4096))]
struct Known(UnsafeCell<Memory>);

// SAFETY: only who has the turn uses it.
unsafe impl Sync for Known {}

/// Address space only, until it is used. Instrumented code looks at it, too.
#[unsafe(export_name = "__raddle_memory")]
static KNOWN: Known = Known(UnsafeCell::new([0; BYTES + 8]));

/// The table. Never twice at a time.
#[inline(always)]
pub(crate) fn memory() -> &'static mut Memory {
    // SAFETY: as above.
    unsafe { &mut *KNOWN.0.get() }
}

/// Nothing is known any more.
pub(crate) fn forget() {
    let pages = KNOWN.0.get().cast::<c_void>();
    // SAFETY: the pages are only the table's, and what is given back reads as zeros.
    let given = unsafe { libc::syscall(libc::SYS_madvise, pages, BYTES, libc::MADV_DONTNEED) } == 0;
    let from = if given { BYTES } else { 0 };
    memory()[from..].fill(0);
}
