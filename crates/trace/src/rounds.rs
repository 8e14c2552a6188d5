//! Reads that a loop repeats. All that they have to be compared with is compared at once, for as many rounds as can be counted, so that
//! a round costs little more than to read the same memory again.

use core::sync::atomic::{Ordering, compiler_fence};

use crate::encode::{Context, Usual};
use crate::layout::tag;
use crate::memory::{self, Memory};

/// A read of 1, 2, 4 or 8 bytes in a loop, whose address grows by the same in each round.
#[derive(Clone, Copy, Debug)]
pub struct RepeatedRead {
    pub site: u32,
    pub size: u32,
    /// The address in the first round.
    pub first: u64,
    pub stride: u64,
}

impl RepeatedRead {
    fn address(&self, round: u64) -> u64 {
        self.first.wrapping_add(self.stride.wrapping_mul(round))
    }

    /// The event of a round, with what memory holds.
    ///
    /// # Safety
    /// The address can be read.
    #[must_use]
    pub unsafe fn event(&self, round: u64) -> Usual {
        let at = self.address(round);
        let from = at as *const u8;
        // SAFETY: as the caller says.
        let value = unsafe {
            match self.size {
                1 => u64::from(from.read_volatile()),
                2 => u64::from(from.cast::<u16>().read_unaligned()),
                4 => u64::from(from.cast::<u32>().read_unaligned()),
                _ => from.cast::<u64>().read_unaligned(),
            }
        };
        Usual::access(tag::READ, self.site, at, value, self.size)
    }

    /// For how many of the next rounds memory holds what is known of it.
    ///
    /// # Safety
    /// The addresses of these rounds can be read.
    unsafe fn rounds_as_known(&self, memory: &Memory, round: u64, rounds: u64) -> u64 {
        let bytes = rounds as usize * self.size as usize;
        if self.stride == u64::from(self.size)
            && let Some(known) = memory::known(memory, self.address(round), bytes)
        {
            // SAFETY: as the caller says; the addresses are one after the other.
            let held = unsafe { core::slice::from_raw_parts(self.address(round) as *const u8, bytes) };
            if known == held {
                return rounds;
            }
        }
        // SAFETY: as the caller says.
        unsafe {
            match self.size {
                1 => self.same::<u8>(memory, round, rounds),
                2 => self.same::<u16>(memory, round, rounds),
                4 => self.same::<u32>(memory, round, rounds),
                _ => self.same::<u64>(memory, round, rounds),
            }
        }
    }

    /// The same, round by round.
    ///
    /// # Safety
    /// As above; a `T` is as large as what is read.
    unsafe fn same<T: Copy + PartialEq>(&self, memory: &Memory, round: u64, rounds: u64) -> u64 {
        let mut at = self.address(round);
        for same in 0..rounds {
            // SAFETY: as the caller says.
            let held = unsafe { (at as *const T).read_unaligned() };
            if memory::at::<T>(memory, at) != held {
                return same;
            }
            at = at.wrapping_add(self.stride);
        }
        rounds
    }
}

/// Counts as many of the rounds from `round` on as can be counted at once: none if the next event is not as expected. What a round reads,
/// it reads in order.
///
/// # Safety
/// The addresses can be read. If a usual event was written with this context, and it was not closed since, `count` points to the
/// place of that event.
pub unsafe fn count(
    reads: &[RepeatedRead],
    round: u64,
    rounds: u64,
    context: &mut Context,
    memory: &Memory,
    count: *mut u8,
) -> u64 {
    let expected = |reads: &[RepeatedRead], context: &Context| {
        let Some(mut before) = reads.last() else { return false };
        context.is_last(before.site)
            && reads.iter().all(|read| {
                let comes_after =
                    context.comes_after(before.site, &Usual::access(tag::READ, read.site, 0, 0, read.size));
                before = read;
                comes_after && context.is_expected(read.site, read.address(round), read.stride)
            })
    };
    if !expected(reads, context) {
        return 0;
    }
    // SAFETY: something is expected, and the context is not closed, so an event was written.
    let counted = unsafe { count.read_volatile() };
    let each = reads.len() as u64;
    let mut done = rounds.min(u64::from(u8::MAX - counted) / each);
    for read in reads {
        // SAFETY: as the caller says.
        done = unsafe { read.rounds_as_known(memory, round, done) };
    }
    if done == 0 {
        return 0;
    }
    for read in reads {
        context.go_on_by(read.site, read.stride.wrapping_mul(done));
        // SAFETY: as the caller says.
        unsafe { read.event(round + done - 1) }.is_seen(context);
    }
    compiler_fence(Ordering::Release);
    let counted = counted + (done * each) as u8;
    // SAFETY: as above.
    unsafe { count.write_volatile(counted) };
    context.close_if_full(counted);
    done
}
