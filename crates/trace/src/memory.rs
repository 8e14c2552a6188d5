//! What is known of the memory of the recorded process: what events said that it holds.
//!
//! Most reads see what the trace has told before, so their values need not be written down. Whoever writes a trace and whoever reads it
//! keep the same table, and change it with each event in the same way. It is a copy of the memory by the lowest bits of
//! addresses: where two places share one, the later event wins, and a value that is not the one in the table is recorded. So
//! it does not matter what changes memory behind the program's back, and the table never grows.

/// How much of an address counts.
pub const BYTES: usize = 16 << 20;
const MASK: u64 = BYTES as u64 - 1;
/// No more than this is copied or filled at once: a file of any bytes must not keep its reader busy.
const MOST: u64 = 1 << 20;

/// The table. A value may begin at the last byte.
pub type Memory = [u8; BYTES + 8];

/// Where an address is in the table. What is read or written there has at most 8 bytes, so it is in the table.
#[inline(always)]
fn place(at: u64) -> usize {
    (at & MASK) as usize
}

/// The value of 1, 2, 4 or 8 bytes that is known to be at an address; of any other size, there is none.
#[inline(always)]
#[must_use]
pub fn held(memory: &Memory, at: u64, size: u32) -> Option<u64> {
    let from = memory.as_ptr().wrapping_add(place(at));
    // SAFETY: places are below the size of the table without its last 8 bytes.
    Some(unsafe {
        match size {
            1 => u64::from(from.read()),
            2 => u64::from(u16::from_le(from.cast::<u16>().read_unaligned())),
            4 => u64::from(u32::from_le(from.cast::<u32>().read_unaligned())),
            8 => u64::from_le(from.cast::<u64>().read_unaligned()),
            _ => return None,
        }
    })
}

/// What is known to be at an address.
#[inline(always)]
#[must_use]
pub(crate) fn at<T: Copy>(memory: &Memory, at: u64) -> T {
    const { assert!(size_of::<T>() <= 8) };
    // SAFETY: places are below the size of the table without its last 8 bytes; callers ask for numbers, of which any bytes are one.
    unsafe { memory.as_ptr().wrapping_add(place(at)).cast::<T>().read_unaligned() }
}

/// The bytes that are known to be from an address on, if they are in one piece.
#[must_use]
pub(crate) fn known(memory: &Memory, at: u64, bytes: usize) -> Option<&[u8]> {
    // Not the bytes behind the table: only a value that begins in it has them.
    memory[..BYTES].get(place(at)..place(at) + bytes)
}

/// Notes a value of 1, 2, 4 or 8 bytes. Nothing is known of values of other sizes.
#[inline(always)]
pub fn hold(memory: &mut Memory, at: u64, size: u32, value: u64) {
    let to = memory.as_mut_ptr().wrapping_add(place(at));
    // SAFETY: as above.
    unsafe {
        match size {
            1 => to.write(value as u8),
            2 => to.cast::<u16>().write_unaligned((value as u16).to_le()),
            4 => to.cast::<u32>().write_unaligned((value as u32).to_le()),
            8 => to.cast::<u64>().write_unaligned(value.to_le()),
            _ => {}
        }
    }
}

/// The place of so many bytes, if they are few enough and in one piece.
fn piece(at: u64, bytes: u64) -> Option<core::ops::Range<usize>> {
    let from = place(at);
    (bytes <= MOST && from + bytes as usize <= BYTES).then(|| from..from + bytes as usize)
}

/// Memory was copied.
pub fn copy(memory: &mut Memory, to: u64, from: u64, bytes: u64) {
    if let (Some(from), Some(to)) = (piece(from, bytes), piece(to, bytes)) {
        memory.copy_within(from, to.start);
    }
}

/// Memory was filled.
pub fn fill(memory: &mut Memory, to: u64, byte: u8, bytes: u64) {
    if let Some(piece) = piece(to, bytes) {
        memory[piece].fill(byte);
    }
}

/// A table of zeros.
///
/// # Panics
/// Never: the sizes are the same.
#[cfg(feature = "reader")]
#[must_use]
pub fn empty() -> Box<Memory> {
    // By way of a vector, since the table is too large for a stack.
    let zeros = vec![0_u8; BYTES + 8].into_boxed_slice();
    Box::<Memory>::try_from(zeros).unwrap_or_else(|_| unreachable!("the sizes are the same"))
}
