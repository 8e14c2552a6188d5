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
        // SAFETY: as the caller says.
        unsafe {
            if self.is_one_piece_as_known(memory, round, rounds) {
                return rounds;
            }
            match self.size {
                1 => self.same::<u8>(memory, round, rounds),
                2 => self.same::<u16>(memory, round, rounds),
                4 => self.same::<u32>(memory, round, rounds),
                _ => self.same::<u64>(memory, round, rounds),
            }
        }
    }

    /// Whether memory holds in all of the next rounds what is known of it. Looked at from the last one on: what the loop has read last is
    /// still near the processor.
    ///
    /// # Safety
    /// As above.
    unsafe fn is_as_known(&self, memory: &Memory, round: u64, rounds: u64) -> bool {
        // SAFETY: as the caller says.
        unsafe {
            self.is_one_piece_as_known(memory, round, rounds)
                || match self.size {
                    1 => self.all_same::<u8>(memory, round, rounds),
                    2 => self.all_same::<u16>(memory, round, rounds),
                    4 => self.all_same::<u32>(memory, round, rounds),
                    _ => self.all_same::<u64>(memory, round, rounds),
                }
        }
    }

    /// Whether the next rounds read one after the other, in one piece, and all of that is as known.
    ///
    /// # Safety
    /// As above.
    unsafe fn is_one_piece_as_known(&self, memory: &Memory, round: u64, rounds: u64) -> bool {
        let bytes = rounds as usize * self.size as usize;
        self.stride == u64::from(self.size)
            && memory::known(memory, self.address(round), bytes).is_some_and(|known| {
                // SAFETY: as the caller says; the addresses are one after the other.
                known == unsafe { core::slice::from_raw_parts(self.address(round) as *const u8, bytes) }
            })
    }

    /// The first of these, round by round.
    ///
    /// # Safety
    /// As above; a `T` is as large as what is read.
    unsafe fn same<T: Copy + PartialEq>(&self, memory: &Memory, round: u64, rounds: u64) -> u64 {
        // SAFETY: as the caller says.
        let is_same = |round: &u64| unsafe { is_same::<T>(memory, self.address(*round)) };
        (round..round + rounds).take_while(is_same).count() as u64
    }

    /// The second, several rounds at a time.
    ///
    /// # Safety
    /// As above.
    unsafe fn all_same<T: Copy + PartialEq>(&self, memory: &Memory, round: u64, rounds: u64) -> bool {
        const EACH: u64 = 8;
        let mut at = self.address(round + rounds);
        // SAFETY: as the caller says.
        let mut is_same = || unsafe {
            at = at.wrapping_sub(self.stride);
            is_same::<T>(memory, at)
        };
        // Without a branch for each of them.
        (0..rounds / EACH).all(|_| (0..EACH).fold(true, |all, _| all & is_same()))
            && (0..rounds % EACH).all(|_| is_same())
    }
}

/// Whether memory holds at an address what is known of it.
///
/// # Safety
/// The address can be read.
#[inline(always)]
unsafe fn is_same<T: Copy + PartialEq>(memory: &Memory, at: u64) -> bool {
    // SAFETY: as the caller says.
    memory::at::<T>(memory, at) == unsafe { (at as *const T).read_unaligned() }
}

/// So many rounds are compared at once: more are not near the processor any more.
pub const AT_ONCE: u64 = 1024;

/// Whether memory holds in all of these rounds what is known of it.
///
/// # Safety
/// The addresses can be read.
#[must_use]
pub unsafe fn are_as_known(reads: &[RepeatedRead], round: u64, rounds: u64, memory: &Memory) -> bool {
    // SAFETY: as the caller says.
    reads.iter().all(|read| unsafe { read.is_as_known(memory, round, rounds) })
}

/// Counts as many of the rounds from `round` on as can be counted at once: none if the next event is not as expected. What a round reads,
/// it reads in order. If [`are_as_known`] said so of these rounds, values are not looked at again.
///
/// # Safety
/// The addresses can be read. If a usual event was written with this context, and it was not closed since, `count` points to the
/// place of that event.
pub unsafe fn count(
    reads: &[RepeatedRead],
    round: u64,
    rounds: u64,
    known: bool,
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
    if !known {
        for read in reads {
            // SAFETY: as the caller says.
            done = unsafe { read.rounds_as_known(memory, round, done) };
        }
    }
    if done == 0 {
        return 0;
    }
    for read in reads {
        context.go_on_by(read.site, read.stride.wrapping_mul(done));
        // What is known, and not what is there: whoever reads the trace has nothing else.
        let at = read.address(round + done - 1);
        if let Some(value) = memory::held(memory, at, read.size) {
            Usual::access(tag::READ, read.site, at, value, read.size).is_seen(context);
        }
    }
    compiler_fence(Ordering::Release);
    let counted = counted + (done * each) as u8;
    // SAFETY: as above.
    unsafe { count.write_volatile(counted) };
    context.close_if_full(counted);
    done
}
