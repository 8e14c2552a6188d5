//! Events into bytes. The tag is written last, so that a program that is killed at any moment leaves a readable chunk.
//!
//! Usual events have, after the tag, a byte with the lengths of their numbers, a byte that counts, and then the numbers without their
//! leading zero bytes. Numbers are stored as whole words and the next one over the zeros, so there is neither a loop nor a branch. What
//! is behind an event is always zero: that is where the next tag will be. All other events are sequences of LEB128 numbers.
//!
//! Programs go round in loops, so most events can be foretold: the next site is likely the one that came after this one last time,
//! the next address of a site is as far from its last one as that was from the one before, what is read there is what was
//! written ([`crate::memory`]), and what is written is what was read last, or as far from it as last time. An event that is as expected
//! in all of that is not written at all, but counted, in the byte that the last usual event has for it.

use core::mem::offset_of;
use core::sync::atomic::{Ordering, compiler_fence};

use crate::layout::{EVENT, TEXT, tag};
use crate::memory::{self, Memory};
use crate::repeat::MOST_SITES;

/// What is expected, in this chunk. Sites with the same remainder share a *slot*.
///
/// Instrumented code looks at it, too, and counts events by itself: see `llvm/src/instrument/inline.ll`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Context {
    /// The slot of the last usual event; and [`CLOSED`], if events after it cannot be counted.
    last: u32,
    /// For each slot, the event that came after its last one: see [`key`]. For slots that are closed, none.
    next: [u32; 2 * SLOTS],
    /// For each slot, the last event that was written.
    own: [u32; SLOTS],
    /// For each slot, the address that is expected; or the number, if its events have no address.
    address: [u64; SLOTS],
    /// For each slot, how far that is from the last one.
    stride: [u64; SLOTS],
    /// For each slot, how far what was written is from what was read last.
    change: [u64; SLOTS],
    /// What was read last, for each size.
    read: [u64; 4],
}

// What instrumented code counts on.
const _: () = assert!(
    offset_of!(Context, next) == 4
        && offset_of!(Context, address) == 3080
        && offset_of!(Context, stride) == 5128
        && offset_of!(Context, change) == 7176
        && offset_of!(Context, read) == 9224
        && memory::BYTES == 1 << 24
);

/// How many slots there are.
pub const SLOTS: usize = 256;
const CLOSED: u32 = SLOTS as u32;
/// If so many events are counted at a place, the next one is written.
const FULL: u8 = 0x80;
/// Where usual events count those that follow.
pub const COUNT: usize = 2;

impl Default for Context {
    fn default() -> Self {
        Context {
            last: 0,
            next: [0; 2 * SLOTS],
            own: [0; SLOTS],
            address: [0; SLOTS],
            stride: [0; SLOTS],
            change: [0; SLOTS],
            read: [0; 4],
        }
    }
}

/// Site and tag of an event in one number. None is 0, since no tag is.
#[inline(always)]
const fn key(tag: u8, site: u32) -> u32 {
    (tag as u32) << 26 | site & (MOST_SITES - 1)
}

#[inline(always)]
fn slot(site: u32) -> usize {
    site as usize % SLOTS
}

/// Of sizes 1, 2, 4 and 8, which one it is, and the largest number.
#[inline(always)]
fn power(size: u32) -> Option<(usize, u64)> {
    match size {
        1 => Some((0, u64::from(u8::MAX))),
        2 => Some((1, u64::from(u16::MAX))),
        4 => Some((2, u64::from(u32::MAX))),
        8 => Some((3, u64::MAX)),
        _ => None,
    }
}

impl Context {
    #[inline(always)]
    fn last(&self) -> usize {
        slot(self.last)
    }

    /// From now on events have to be written, up to the next usual one.
    #[inline(always)]
    pub fn close(&mut self) {
        self.last |= CLOSED;
    }

    /// What sites are relative to: the one that is expected, or else the last one.
    #[inline(always)]
    pub(crate) fn base(&self) -> u32 {
        let expected = self.next[self.last()];
        (if expected == 0 { self.own[self.last()] } else { expected }) & (MOST_SITES - 1)
    }

    /// The address or number that is expected at a site.
    #[inline(always)]
    pub(crate) fn expected_number(&self, site: u32) -> u64 {
        self.address[slot(site)]
    }

    /// The value that an access of 1, 2, 4 or 8 bytes is expected to have: a read what memory holds, a write what was read last, or
    /// as far from it as last time. Nothing is expected of others.
    #[inline(always)]
    pub(crate) fn expected_value(
        &self,
        memory: &Memory,
        tag: u8,
        site: u32,
        at: u64,
        size: u32,
    ) -> Option<u64> {
        match tag {
            tag::READ..tag::WRITE => memory::held(memory, at, size),
            tag::WRITE..tag::UPDATE => {
                let (power, mask) = power(size)?;
                Some(self.read[power].wrapping_add(self.change[slot(site)]) & mask)
            }
            _ => None,
        }
    }

    /// Notes what an access was about: see [`Context::expected_value`].
    #[inline(always)]
    pub(crate) fn saw(&mut self, tag: u8, site: u32, size: u32, value: u64) {
        let Some((power, _)) = power(size) else { return };
        match tag {
            tag::READ..tag::WRITE => self.read[power] = value,
            tag::WRITE..tag::UPDATE => self.change[slot(site)] = value.wrapping_sub(self.read[power]),
            _ => {}
        }
    }

    /// Goes on to an event that is written.
    #[inline(always)]
    pub(crate) fn go_to(&mut self, tag: u8, site: u32, number: u64) {
        let (last, slot) = (self.last(), slot(site));
        let key = key(tag, site);
        self.next[last] = key;
        self.own[slot] = key;
        self.last = slot as u32;
        let stride = number.wrapping_sub(self.address[slot]).wrapping_add(self.stride[slot]);
        self.stride[slot] = stride;
        self.address[slot] = number.wrapping_add(stride);
    }

    /// Goes on to an event that is counted.
    #[inline(always)]
    fn go_on(&mut self, slot: usize, number: u64) {
        self.last = slot as u32;
        self.address[slot] = number.wrapping_add(self.stride[slot]);
    }

    /// Whether the last usual event was at this site, as far as is known, and events after it can be counted.
    pub(crate) fn is_last(&self, site: u32) -> bool {
        self.last as usize == slot(site)
    }

    /// Whether an event is expected after one at another site.
    pub(crate) fn comes_after(&self, site: u32, event: &Usual) -> bool {
        event.site < MOST_SITES && self.next[slot(site)] == key(event.tag, event.site)
    }

    /// Whether this address is expected next at a site, and then others as far from each other.
    pub(crate) fn is_expected(&self, site: u32, address: u64, stride: u64) -> bool {
        self.address[slot(site)] == address && self.stride[slot(site)] == stride
    }

    /// Goes on at a site by so many bytes.
    pub(crate) fn go_on_by(&mut self, site: u32, bytes: u64) {
        self.last = slot(site) as u32;
        self.address[slot(site)] = self.address[slot(site)].wrapping_add(bytes);
    }

    /// The slot of the last usual event, and whether events after it cannot be counted: what instrumented code goes on from.
    #[inline(always)]
    #[must_use]
    pub fn last_slot(&self) -> u32 {
        self.last
    }

    /// What is the last slot where nothing is expected.
    pub const NOWHERE: u32 = CLOSED;

    /// Instrumented code has found so many events to be as expected, the last one at a slot.
    ///
    /// # Safety
    /// As [`Usual::count`].
    #[inline(always)]
    pub unsafe fn settle(&mut self, last: u32, pending: u8, count: *mut u8) {
        if pending != 0 {
            self.last = last;
            // SAFETY: something was expected, so an event was written, and the context was not closed.
            let counted = unsafe {
                count.write_volatile(count.read_volatile().wrapping_add(pending));
                count.read_volatile()
            };
            self.close_if_full(counted);
        }
    }

    /// No more events than this are counted at a place.
    #[inline(always)]
    pub(crate) fn close_if_full(&mut self, counted: u8) {
        if counted >= FULL {
            self.close();
        }
    }

    /// Goes on to the event that is expected: its tag, site, and address or number.
    #[cfg(feature = "reader")]
    pub(crate) fn go_on_as_expected(&mut self) -> Option<(u8, u32, u64)> {
        let key = self.next[self.last()];
        let (tag, site) = ((key >> 26) as u8, key & (MOST_SITES - 1));
        let number = self.expected_number(site);
        self.go_on(slot(site), number);
        (key != 0).then_some((tag, site, number))
    }
}

/// A usual event: an access, or something at a site with a number.
#[derive(Clone, Copy, Debug)]
pub struct Usual {
    tag: u8,
    site: u32,
    /// The address; or the number.
    number: u64,
    value: u64,
    new: u64,
    size: u32,
}

impl Usual {
    /// A read or a write; `tag` is [`tag::READ`] or [`tag::WRITE`].
    #[inline(always)]
    #[must_use]
    pub fn access(tag: u8, site: u32, at: u64, value: u64, size: u32) -> Usual {
        Usual { tag: sized(tag, size), site, number: at, value, new: 0, size }
    }

    /// An atomic update.
    #[inline(always)]
    #[must_use]
    pub fn update(site: u32, at: u64, old: u64, new: u64, size: u32) -> Usual {
        Usual { tag: sized(tag::UPDATE, size), site, number: at, value: old, new, size }
    }

    /// A branch, or the way back from a call; also those with a site only, with number 0.
    #[inline(always)]
    #[must_use]
    pub fn at_site(tag: u8, site: u32, number: u64) -> Usual {
        Usual { tag, site, number, value: 0, new: 0, size: 0 }
    }

    #[must_use]
    pub fn tag(&self) -> u8 {
        self.tag
    }

    #[must_use]
    pub fn site(&self) -> u32 {
        self.site
    }

    /// Its address, or its number.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Counts the event, if it is as expected and there is a place to count it; else it has to be written. `count` is not used
    /// unless an event was written in this context.
    ///
    /// # Safety
    /// If a usual event was written with this context, and it was not closed since, `count` points to the place of that event.
    #[inline(always)]
    pub unsafe fn count(&self, context: &mut Context, memory: &mut Memory, count: *mut u8) -> bool {
        let slot = slot(self.site);
        let is_expected = context.next[context.last as usize % (2 * SLOTS)] == key(self.tag, self.site)
            && context.address[slot] == self.number
            && self.site < MOST_SITES
            && (self.tag >= tag::BRANCH || self.has_expected_value(context, memory));
        if is_expected {
            context.go_on(slot, self.number);
            match self.tag {
                tag::READ..tag::WRITE => self.is_seen(context),
                tag::WRITE..tag::UPDATE => memory::hold(memory, self.number, self.size, self.value),
                _ => {}
            }
            // SAFETY: something is expected, so an event was written, and the context is not closed.
            let counted = unsafe {
                count.write_volatile(count.read_volatile().wrapping_add(1));
                count.read_volatile()
            };
            context.close_if_full(counted);
        }
        is_expected
    }

    /// Notes the value.
    #[inline(always)]
    pub(crate) fn is_seen(&self, context: &mut Context) {
        context.saw(self.tag, self.site, self.size, self.value);
    }

    #[inline(always)]
    fn has_expected_value(&self, context: &Context, memory: &Memory) -> bool {
        context.expected_value(memory, self.tag, self.site, self.number, self.size) == Some(self.value)
    }

    /// Writes the event. Returns how long it is.
    #[inline(always)]
    pub fn write(self, out: &mut Room, context: &mut Context, memory: &mut Memory) -> usize {
        let site = zigzag32(self.site.wrapping_sub(context.base()));
        let number = zigzag(self.number.wrapping_sub(context.expected_number(self.site)));
        let is_at_site = self.tag >= tag::BRANCH;
        let is_near = site < 256 && number < 256;
        if !is_near || !(is_at_site || self.has_expected_value(context, memory)) {
            return self.write_any(out, context, memory);
        }
        // Most are nearly as expected: at most a byte for the site and one for the number, and one store for all.
        context.go_to(self.tag, self.site, self.number);
        self.is_seen(context);
        if matches!(self.tag, tag::WRITE..tag::UPDATE) {
            memory::hold(memory, self.number, self.size, self.value);
        }
        let tag = self.tag | if is_at_site { 0 } else { tag::EXPECTED };
        let (site_bytes, number_bytes) = (u64::from(site != 0), u64::from(number != 0));
        let lengths = site_bytes | number_bytes << 2;
        let numbers = u64::from(site) | number << (8 * site_bytes);
        // SAFETY: the room is larger.
        unsafe { put(out.as_mut_ptr(), 0, u64::from(tag) | lengths << 8 | numbers << 24) };
        (3 + site_bytes + number_bytes) as usize
    }

    /// The same for any event.
    #[cold]
    #[inline(never)]
    fn write_any(self, out: &mut Room, context: &mut Context, memory: &mut Memory) -> usize {
        let site = zigzag32(self.site.wrapping_sub(context.base()));
        let number = zigzag(self.number.wrapping_sub(context.expected_number(self.site)));
        let is_update = matches!(self.tag, tag::UPDATE..tag::BRANCH);
        let expected = self.has_expected_value(context, memory);
        context.go_to(self.tag, self.site, self.number);
        self.is_seen(context);
        if self.tag < tag::BRANCH {
            memory::hold(memory, self.number, self.size, if is_update { self.new } else { self.value });
        }
        let value = if expected { 0 } else { self.value };
        let tag = self.tag | if expected { tag::EXPECTED } else { 0 };
        let (site_code, site_bytes) = site_code(site);
        let (number_code, number_bytes) = word_code(number);
        let (value_code, value_bytes) = word_code(value);
        let pointer = out.as_mut_ptr();
        let mut length = 3 + usize::from(is_update);
        // SAFETY: the numbers take at most 4 + 4 + 8 + 8 + 8 + 4 bytes, and stores go 8 beyond; the room is larger.
        unsafe {
            put(pointer, length, u64::from(site));
            length += site_bytes;
            put(pointer, length, number);
            length += number_bytes;
            put(pointer, length, value);
            length += value_bytes;
            pointer.add(1).write(site_code | number_code << 2 | value_code << 5);
        }
        if is_update {
            let (new_code, new_bytes) = word_code(self.new);
            // SAFETY: as above.
            unsafe {
                put(pointer, length, self.new);
                pointer.add(3).write(new_code);
            }
            length += new_bytes;
        }
        if self.tag < tag::BRANCH && !matches!(self.size, 1 | 2 | 4 | 8) {
            // SAFETY: as above.
            unsafe { put(pointer, length, u64::from(self.size)) };
            length += 4;
        }
        finish(out, tag);
        length
    }
}

/// Room for one event.
pub type Room = [u8; EVENT];

/// Numbers that are small when their absolute value is.
#[inline(always)]
#[must_use]
fn zigzag(number: u64) -> u64 {
    number << 1 ^ (number.cast_signed() >> 63).cast_unsigned()
}

#[inline(always)]
fn zigzag32(number: u32) -> u32 {
    number << 1 ^ (number.cast_signed() >> 31).cast_unsigned()
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
