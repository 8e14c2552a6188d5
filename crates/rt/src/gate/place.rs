//! Where threads are that hand over to each other.
//!
//! Who gets ready while another one works is of use only on another processor. The system does not know who hands over to whom. It
//! wakes a thread where it was before, so two that follow each other and share a processor once go on to do so, and then each
//! hand-over takes as long as it takes the system to change threads. Who is woken and finds itself in the place of the one it waits
//! for moves, once; from then on the system finds it there. Where that does not last, since there are other things to
//! run, it is not tried again for a while.

use core::cell::Cell;

use super::slot::processor;

/// How often to stay after the first move.
const FIRST: u32 = 16;
/// The most times to stay.
const MOST: u32 = 4096;

/// When a thread moves next. Begins as zeros.
#[derive(Default)]
pub(super) struct Place {
    /// How often it stays where it is, though it had better move; and how often it did after the last move.
    stays: Cell<u32>,
    last: Cell<u32>,
}

impl Place {
    /// Finds another processor for this thread than the one with this number, and one more (see [`processor`]), if it is there.
    pub(super) fn away_from(&self, there: u32) {
        if there == 0 || there != processor() {
            return self.last.set(self.last.get().saturating_sub(1));
        }
        if self.stays.get() > 0 {
            return self.stays.set(self.stays.get() - 1);
        }
        let stays = (2 * self.last.get()).clamp(FIRST, MOST);
        self.stays.set(stays);
        self.last.set(stays);
        leave(there as usize - 1);
    }
}

/// Goes to another processor than this one, if the program may use another; it may come back later.
fn leave(number: usize) {
    // SAFETY: the sets are plain bits, of the size that is told.
    unsafe {
        let size = size_of::<libc::cpu_set_t>();
        let mut all = core::mem::zeroed::<libc::cpu_set_t>();
        if number >= 8 * size || libc::sched_getaffinity(0, size, &raw mut all) != 0 {
            return;
        }
        let mut others = all;
        libc::CPU_CLR(number, &mut others);
        if libc::CPU_COUNT(&others) > 0 && libc::sched_setaffinity(0, size, &raw const others) == 0 {
            libc::sched_setaffinity(0, size, &raw const all);
        }
    }
}
