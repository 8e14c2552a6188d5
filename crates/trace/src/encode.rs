//! Events into bytes. The tag is written last, so that a program that is killed at any moment leaves a readable chunk.
//!
//! Hot events have, after the tag, a byte with the lengths of their numbers, and then the numbers without their leading zero
//! bytes. Numbers are stored as whole words and the next one over the zeros, so there is neither a loop nor a branch. What is
//! behind an event is always zero: that is where the next tag will be. All other events are sequences of LEB128 numbers.

use core::sync::atomic::{Ordering, compiler_fence};

use crate::layout::{EVENT, TEXT, tag};

/// What numbers are relative to, in this chunk: the site and the address before, and what is expected. Programs go round in loops: the
/// next site is likely the one that came after this one last time, and the next address of a site is as far from its last one
/// as that was from the one before. Often it has the same value.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    pub site: u32,
    address: u64,
    /// For each remainder of sites.
    slots: [Slot; SLOTS],
}

const SLOTS: usize = 64;

#[derive(Clone, Copy, Debug)]
struct Slot {
    next: u32,
    address: u64,
    stride: u64,
    /// What was read or written last.
    value: u64,
}

impl Default for Context {
    fn default() -> Self {
        Context { site: 0, address: 0, slots: [Slot { next: 0, address: 0, stride: 0, value: 0 }; SLOTS] }
    }
}

impl Context {
    fn slot(&mut self, site: u32) -> &mut Slot {
        &mut self.slots[site as usize % SLOTS]
    }

    /// The site that is expected.
    #[inline(always)]
    pub(crate) fn expected_site(&mut self) -> u32 {
        let site = self.site;
        self.slot(site).next
    }

    /// Goes on to a site.
    #[inline(always)]
    pub(crate) fn go_to(&mut self, site: u32) {
        let before = self.site;
        self.slot(before).next = site;
        self.site = site;
    }

    /// The address that is expected at the present site.
    #[cfg(feature = "reader")]
    pub(crate) fn expected_address(&mut self) -> u64 {
        let site = self.site;
        let slot = self.slot(site);
        slot.address.wrapping_add(slot.stride)
    }

    /// The address that came last.
    #[cfg(feature = "reader")]
    pub(crate) fn last_address(&self) -> u64 {
        self.address
    }

    /// The value that is expected at the present site.
    #[cfg(feature = "reader")]
    pub(crate) fn expected_value(&mut self) -> u64 {
        let site = self.site;
        self.slot(site).value
    }

    /// Notes the value at the present site; whether it was expected.
    #[inline(always)]
    pub(crate) fn holds(&mut self, value: u64) -> bool {
        let site = self.site;
        let slot = self.slot(site);
        let expected = slot.value == value;
        slot.value = value;
        expected
    }

    /// Notes the address of the present site; whether it was expected.
    #[inline(always)]
    pub(crate) fn access(&mut self, address: u64) -> bool {
        let site = self.site;
        self.address = address;
        let slot = self.slot(site);
        let stride = address.wrapping_sub(slot.address);
        let expected = stride == slot.stride;
        slot.stride = stride;
        slot.address = address;
        expected
    }
}

/// Room for one event.
pub type Room = [u8; EVENT];

/// Numbers that are small when their absolute value is.
#[must_use]
pub(crate) fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

/// How many bytes of a site follow, by the code in the lengths.
#[cfg(feature = "reader")]
pub(crate) const SITE_BYTES: [usize; 4] = [0, 1, 2, 4];
/// How many bytes of an address or a value follow, by the code in the lengths.
#[cfg(feature = "reader")]
pub(crate) const WORD_BYTES: [usize; 8] = [0, 1, 2, 3, 4, 5, 6, 8];

#[inline(always)]
fn bytes(number: u64) -> usize {
    (64 - number.leading_zeros() as usize).div_ceil(8)
}

/// The code of a site's length and the length.
#[inline(always)]
fn site_code(number: u32) -> (u8, usize) {
    let code = bytes(u64::from(number)).min(3);
    // 3 bytes are stored as 4.
    (code as u8, code + usize::from(code == 3))
}

/// The code of a word's length and the length: 7 bytes are stored as 8.
#[inline(always)]
fn word_code(number: u64) -> (u8, usize) {
    let code = bytes(number).min(7);
    (code as u8, code + usize::from(code == 7))
}

/// Stores a word at `at`, in place of zeros or of the leading zeros of the word before.
///
/// # Safety
/// `at + 8` must not be beyond the end of the room.
#[inline(always)]
unsafe fn put(out: *mut u8, at: usize, number: u64) {
    // SAFETY: the caller leaves eight bytes of room.
    unsafe { out.add(at).cast::<u64>().write_unaligned(number.to_le()) }
}

/// How far a site is from the last one, and what the tag says of it. One that was expected is no number at all.
#[inline(always)]
fn site_delta(context: &mut Context, site: u32) -> (u32, u8) {
    let expected = context.expected_site() == site;
    let delta = site.wrapping_sub(context.site) as i32;
    context.go_to(site);
    if expected { (0, tag::EXPECTED_SITE) } else { (((delta << 1) ^ (delta >> 31)) as u32, 0) }
}

/// The same for an address.
#[inline(always)]
fn address_delta(context: &mut Context, address: u64) -> (u64, u8) {
    let delta = address.wrapping_sub(context.address) as i64;
    if context.access(address) { (0, tag::EXPECTED_ADDRESS) } else { (zigzag(delta), 0) }
}

/// Writes the tag, after all else.
#[inline(always)]
fn finish(out: &mut Room, tag: u8) {
    // A killed process has done all stores before some instruction and none after it, so the compiler's order is enough.
    compiler_fence(Ordering::Release);
    // SAFETY: the room has a first byte.
    unsafe { out.as_mut_ptr().write_volatile(tag) };
}

/// The tag of an access: its kind and, for the usual ones, its size.
#[inline(always)]
fn sized(tag: u8, size: u32) -> u8 {
    match size {
        1 => tag,
        2 => tag + 1,
        4 => tag + 2,
        8 => tag + 3,
        _ => tag + 4,
    }
}

/// A read or a write; `tag` is [`tag::READ`] or [`tag::WRITE`]. Returns how long the event is.
#[inline(always)]
pub fn access(
    out: &mut Room,
    context: &mut Context,
    tag: u8,
    site: u32,
    at: u64,
    value: u64,
    size: u32,
) -> usize {
    let (site, site_flag) = site_delta(context, site);
    let (address, address_flag) = address_delta(context, at);
    // A site that was expected has no length, so there is room to say this.
    let same = context.holds(value) & (site_flag != 0);
    let value = if same { 0 } else { value };
    let (value_code, value_bytes) = word_code(value);
    let pointer = out.as_mut_ptr();
    let flags = site_flag | address_flag;
    if flags == tag::FLAGS && matches!(size, 1 | 2 | 4 | 8) {
        // The usual one in a loop.
        // SAFETY: the room is larger.
        unsafe {
            put(pointer, 2, value);
            pointer.add(1).write(u8::from(same) | value_code << 5);
        }
        finish(out, sized(tag, size) | flags);
        return 2 + value_bytes;
    }
    let (site_code, site_bytes) = site_code(site);
    let (address_code, address_bytes) = word_code(address);
    // SAFETY: the numbers take at most 2 + 4 + 8 + 8 + 4 bytes, and stores go 8 beyond; the room is larger.
    unsafe {
        put(pointer, 2, u64::from(site));
        put(pointer, 2 + site_bytes, address);
        put(pointer, 2 + site_bytes + address_bytes, value);
        pointer.add(1).write(site_code | u8::from(same) | address_code << 2 | value_code << 5);
    }
    let mut length = 2 + site_bytes + address_bytes + value_bytes;
    let tag = sized(tag, size) | flags;
    if matches!(size, 1 | 2 | 4 | 8) {
        finish(out, tag);
        return length;
    }
    // SAFETY: as above.
    unsafe { put(pointer, length, u64::from(size)) };
    length += 4;
    finish(out, tag);
    length
}

/// An atomic update.
#[inline(always)]
pub fn update(
    out: &mut Room,
    context: &mut Context,
    site: u32,
    at: u64,
    old: u64,
    new: u64,
    size: u32,
) -> usize {
    let (site, site_flag) = site_delta(context, site);
    let (address, address_flag) = address_delta(context, at);
    let (site_code, site_bytes) = site_code(site);
    let (address_code, address_bytes) = word_code(address);
    let (old_code, old_bytes) = word_code(old);
    let (new_code, new_bytes) = word_code(new);
    let pointer = out.as_mut_ptr();
    // SAFETY: the numbers take at most 3 + 4 + 8 + 8 + 8 + 4 bytes, and stores go 8 beyond; the room is larger.
    unsafe {
        put(pointer, 3, u64::from(site));
        put(pointer, 3 + site_bytes, address);
        put(pointer, 3 + site_bytes + address_bytes, old);
        put(pointer, 3 + site_bytes + address_bytes + old_bytes, new);
        pointer.add(1).write(site_code | address_code << 2 | old_code << 5);
        pointer.add(2).write(new_code);
    }
    let mut length = 3 + site_bytes + address_bytes + old_bytes + new_bytes;
    if !matches!(size, 1 | 2 | 4 | 8) {
        // SAFETY: as above.
        unsafe { put(pointer, length, u64::from(size)) };
        length += 4;
    }
    finish(out, sized(tag::UPDATE, size) | site_flag | address_flag);
    length
}

/// An event with a site and one number: a branch, or the way back from a call; also those with a site only, with number 0.
#[inline(always)]
pub fn at_site(out: &mut Room, context: &mut Context, tag: u8, site: u32, number: u64) -> usize {
    let (site, site_flag) = site_delta(context, site);
    let (site_code, site_bytes) = site_code(site);
    let (code, number_bytes) = word_code(number);
    let pointer = out.as_mut_ptr();
    // SAFETY: the numbers take at most 2 + 4 + 8 bytes, and stores go 8 beyond; the room is larger.
    unsafe {
        put(pointer, 2, u64::from(site));
        put(pointer, 2 + site_bytes, number);
        pointer.add(1).write(site_code | code << 2);
    }
    finish(out, tag | site_flag);
    2 + site_bytes + number_bytes
}

/// Any other event: its numbers one after the other. There are at most six.
pub fn numbers(out: &mut Room, tag: u8, numbers: &[u64]) -> usize {
    let mut length = 1;
    for &number in numbers.iter().take(6) {
        length += leb128(&mut out[length..], number);
    }
    finish(out, tag);
    length
}

/// How much room [`texts`] needs at most.
#[must_use]
pub fn texts_room(texts: &[&[u8]]) -> usize {
    EVENT + texts.iter().map(|text| text.len().min(TEXT) + 10).sum::<usize>()
}

/// An event with numbers and texts. `out` has at least [`texts_room`] bytes; else nothing is written, and 0 returned.
pub fn texts(out: &mut [u8], tag: u8, numbers: &[u64], texts: &[&[u8]]) -> usize {
    if out.len() < texts_room(texts) {
        return 0;
    }
    let mut length = 1;
    for &number in numbers.iter().take(6) {
        length += leb128(&mut out[length..], number);
    }
    for text in texts {
        let text = &text[..text.len().min(TEXT)];
        length += leb128(&mut out[length..], text.len() as u64);
        out[length..length + text.len()].copy_from_slice(text);
        length += text.len();
    }
    compiler_fence(Ordering::Release);
    out[0] = tag;
    length
}

fn leb128(out: &mut [u8], mut number: u64) -> usize {
    let mut length = 0;
    while number >= 0x80 {
        out[length] = number as u8 | 0x80;
        number >>= 7;
        length += 1;
    }
    out[length] = number as u8;
    length + 1
}
