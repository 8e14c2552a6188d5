//! Loops that do nothing but read, at addresses that grow by the same in each round. Instrumented code runs them as they are, and tells
//! here what they have read when they are through: only this thread has the turn, so memory still holds it.

use crate::local;
use trace::rounds::RepeatedRead;

/// What instrumented code tells of a read in such a loop.
#[repr(C)]
pub(crate) struct Told {
    /// The site in its module, and the size.
    number: u32,
    size: u32,
    /// Its address in the last round in which it was executed, and in the one before.
    last: u64,
    before: u64,
}

/// More reads than this are told one by one, where they happen.
const MOST: usize = 8;

/// What instrumented code is told when a loop begins: nobody listens, it may go on, or each read is to be told by itself.
const ALL_AT_ONCE: u32 = 1;
const ONE_BY_ONE: u32 = 2;

/// A loop begins.
#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn __raddle_reading() -> u32 {
    local::with(|thread| if thread.begin_reading() { ALL_AT_ONCE } else { ONE_BY_ONE })
}

/// A loop was left after so many rounds. What it reads before the place where it is left, the first `again` reads, it has read once more.
///
/// # Safety
/// There are `count` reads at `told`, and they happened.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_have_read(
    token: u32,
    base: u32,
    told: *const Told,
    count: u32,
    again: u32,
    rounds: u64,
) {
    const NONE: RepeatedRead = RepeatedRead { site: 0, size: 0, first: 0, stride: 0 };
    let mut reads = [NONE; MOST];
    let count = (count as usize).min(MOST);
    let again = (again as usize).min(count);
    // SAFETY: as the caller says.
    let told = unsafe { core::slice::from_raw_parts(told, count) };
    for (index, (read, told)) in reads.iter_mut().zip(told).enumerate() {
        let times = rounds + u64::from(index < again);
        let stride = if times > 1 { told.last.wrapping_sub(told.before) } else { 0 };
        let first = told.last.wrapping_sub(stride.wrapping_mul(times.saturating_sub(1)));
        *read = RepeatedRead { site: base.wrapping_add(told.number), size: told.size, first, stride };
    }
    let reads = &reads[..count];
    local::with(|thread| {
        if token == ALL_AT_ONCE {
            // SAFETY: as the caller says.
            return unsafe { thread.end_reading(reads, again, rounds) };
        }
        for round in 0..=rounds {
            for read in &reads[..if round < rounds { count } else { again }] {
                // SAFETY: as the caller says.
                thread.usual(unsafe { read.event(round) });
            }
        }
    });
}
