//! Bytes back into events; the inverse of [`crate::encode`]. Takes any bytes and never reads beyond them.

use crate::encode::{Context, SITE_BYTES, WORD_BYTES};
use crate::event::{Event, Module};
use crate::layout::{TEXT, tag};
use crate::memory::{self, Memory};
use crate::op::Op;

/// Why bytes are no event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bad {
    /// They end in the middle of one.
    Short,
    /// What was expected instead.
    Not(&'static str),
}

/// The turn that the next event takes, if it is one that does.
pub(crate) fn turn(bytes: &[u8]) -> Result<Option<u64>, Bad> {
    match bytes.split_first() {
        Some((&tag::TURN, rest)) => Bytes { rest }.number().map(Some),
        _ => Ok(None),
    }
}

/// An event that was written.
pub(crate) struct Written {
    pub(crate) event: Event,
    /// How many bytes it has.
    pub(crate) length: usize,
    /// How many events come after it that are as expected.
    pub(crate) followers: u8,
}

/// The event at the beginning of `bytes`, or nothing if there are no more.
pub(crate) fn event(
    bytes: &[u8],
    context: &mut Context,
    memory: &mut Box<Memory>,
) -> Result<Option<Written>, Bad> {
    let Some((&first, rest)) = bytes.split_first() else { return Ok(None) };
    let mut input = Bytes { rest };
    let (event, followers) = match first & !tag::EXPECTED {
        _ if first == tag::NONE => return Ok(None),
        tag @ tag::READ..tag::UPDATE => input.usual(tag, first != tag, context, memory)?,
        tag @ tag::UPDATE..=tag::BACK if first == tag => input.usual(tag, false, context, memory)?,
        _ => (input.other(first)?, 0),
    };
    match event {
        Event::Copy { to, from, bytes, .. } => memory::copy(memory, to, from, bytes),
        Event::Fill { to, byte, bytes, .. } => memory::fill(memory, to, byte, bytes),
        // Most of the old one may never have been used: this is faster than to clear it.
        Event::Forget => *memory = memory::empty(),
        _ => {}
    }
    Ok(Some(Written { event, length: bytes.len() - input.rest.len(), followers }))
}

/// How much there is of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Measured {
    /// How many bytes it has.
    pub(crate) length: usize,
    /// How many events come after it that are as expected.
    pub(crate) followers: u8,
    /// How many events it says are missing.
    pub(crate) lost: u64,
    /// Whether a child process was made.
    pub(crate) child: bool,
}

/// Measures the event at the beginning of `bytes`; nothing if there are no more. What was expected need not be known for that.
pub(crate) fn measure(bytes: &[u8]) -> Result<Option<Measured>, Bad> {
    let Some((&first, rest)) = bytes.split_first() else { return Ok(None) };
    let tag = first & !tag::EXPECTED;
    let is_usual = (tag::READ..=tag::BACK).contains(&tag) && (first == tag || tag < tag::UPDATE);
    if first == tag::NONE {
        return Ok(None);
    }
    let mut input = Bytes { rest };
    if !is_usual {
        let (lost, child) = match input.other(first)? {
            Event::Lost { events } => (events, false),
            Event::Fork { result, .. } => (0, result >= 0),
            _ => (0, false),
        };
        return Ok(Some(Measured { length: bytes.len() - input.rest.len(), followers: 0, lost, child }));
    }
    let (lengths, followers) = (input.byte()?, input.byte()?);
    let is_access = tag < tag::BRANCH;
    let is_update = is_access && tag >= tag::UPDATE;
    let new = if is_update { WORD_BYTES[usize::from(input.byte()? & 7)] } else { 0 };
    let size = if is_access && size(tag).is_none() { 4 } else { 0 };
    let words = WORD_BYTES[usize::from(lengths >> 2 & 7)] + WORD_BYTES[usize::from(lengths >> 5)];
    input.take(SITE_BYTES[usize::from(lengths & 3)] + words + new + size)?;
    Ok(Some(Measured { length: bytes.len() - input.rest.len(), followers, lost: 0, child: false }))
}

/// The event that is expected.
pub(crate) fn expected(context: &mut Context, memory: &mut Memory) -> Result<Event, Bad> {
    let bad = Bad::Not("no more events than are expected");
    let (tag, site, number) = context.go_on_as_expected().ok_or(bad)?;
    let at_site = (tag::BRANCH..=tag::BACK).contains(&tag);
    if !at_site && !(tag::READ..tag::UPDATE).contains(&tag) {
        return Err(bad);
    }
    // Only events of these sizes are ever counted.
    let size = if at_site { 0 } else { size(tag).ok_or(bad)? };
    let value = context.expected_value(memory, tag, site, number, size).unwrap_or(0);
    if tag < tag::WRITE {
        context.saw(tag, site, size, value);
    } else if tag < tag::UPDATE {
        memory::hold(memory, number, size, value);
    }
    usual(tag, site, number, size, value, 0)
}

/// The size that the tag of an access tells.
fn size(tag: u8) -> Option<u32> {
    let power = (tag - tag::READ) % 5;
    (power < 4).then(|| 1 << power)
}

fn usual(tag: u8, site: u32, number: u64, size: u32, value: u64, new: u64) -> Result<Event, Bad> {
    Ok(match tag {
        tag::READ..tag::WRITE => Event::Read { site, at: number, size, value },
        tag::WRITE..tag::UPDATE => Event::Write { site, at: number, size, value },
        tag::UPDATE..tag::BRANCH => Event::Update { site, at: number, size, old: value, new },
        tag::BRANCH => Event::Branch { site, successor: small(number)? },
        tag::ENTER => Event::Enter { site },
        tag::LEAVE => Event::Leave { site },
        tag::CALL => Event::Call { site },
        _ => Event::Back { site, result: number },
    })
}

/// What is left of the bytes.
struct Bytes<'a> {
    rest: &'a [u8],
}

impl Bytes<'_> {
    fn byte(&mut self) -> Result<u8, Bad> {
        let (&first, rest) = self.rest.split_first().ok_or(Bad::Short)?;
        self.rest = rest;
        Ok(first)
    }

    fn take(&mut self, count: usize) -> Result<&[u8], Bad> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Bad::Short)?;
        self.rest = rest;
        Ok(taken)
    }

    /// A number of so many bytes; at most eight.
    fn word(&mut self, count: usize) -> Result<u64, Bad> {
        let mut word = [0; 8];
        word[..count].copy_from_slice(self.take(count)?);
        Ok(u64::from_le_bytes(word))
    }

    fn coded(&mut self, code: u8) -> Result<u64, Bad> {
        self.word(WORD_BYTES[usize::from(code & 7)])
    }

    /// A usual event, and how many come after it that are as expected.
    fn usual(
        &mut self,
        tag: u8,
        as_expected: bool,
        context: &mut Context,
        memory: &mut Memory,
    ) -> Result<(Event, u8), Bad> {
        let (lengths, followers) = (self.byte()?, self.byte()?);
        let is_access = tag < tag::BRANCH;
        let is_update = is_access && tag >= tag::UPDATE;
        let more = if is_update { self.byte()? } else { 0 };
        let far = self.word(SITE_BYTES[usize::from(lengths & 3)])? as u32;
        let site = context.base().wrapping_add((far >> 1) ^ (far & 1).wrapping_neg());
        let far = self.coded(lengths >> 2)?;
        let number = context.expected_number(site).wrapping_add((far >> 1) ^ (far & 1).wrapping_neg());
        context.go_to(tag, site, number);
        let value = self.coded(lengths >> 5)?;
        let new = if is_update { self.coded(more)? } else { 0 };
        let size = match size(tag) {
            _ if !is_access => 0,
            Some(size) => size,
            None => self.word(4)? as u32,
        };
        let value = match context.expected_value(memory, tag, site, number, size) {
            Some(expected) if as_expected => expected,
            _ => value,
        };
        context.saw(tag, site, size, value);
        if is_access {
            memory::hold(memory, number, size, if is_update { new } else { value });
        }
        Ok((usual(tag, site, number, size, value, new)?, followers))
    }

    fn number(&mut self) -> Result<u64, Bad> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Bad::Not("a number of at most 64 bits"))
    }

    fn small(&mut self) -> Result<u32, Bad> {
        small(self.number()?)
    }

    fn text(&mut self) -> Result<String, Bad> {
        Ok(String::from_utf8_lossy(self.bytes()?).into_owned())
    }

    fn bytes(&mut self) -> Result<&[u8], Bad> {
        let length = self.number()?;
        if length > TEXT as u64 {
            return Err(Bad::Not("a shorter text"));
        }
        self.take(length as usize)
    }

    fn op(&mut self) -> Result<Op, Bad> {
        Op::from_number(self.number()?).ok_or(Bad::Not("a known operation"))
    }

    /// The events that are sequences of numbers.
    fn other(&mut self, tag: u8) -> Result<Event, Bad> {
        Ok(match tag {
            tag::COPY => Event::Copy {
                site: self.small()?,
                to: self.number()?,
                from: self.number()?,
                bytes: self.number()?,
            },
            tag::FILL => Event::Fill {
                site: self.small()?,
                to: self.number()?,
                byte: self.number()? as u8,
                bytes: self.number()?,
            },
            tag::TURN => {
                self.number()?;
                Event::Turn
            }
            tag::WAITS => Event::Waits {
                site: self.small()?,
                op: self.op()?,
                object: self.number()?,
                other: self.number()?,
            },
            tag::SYNC => Event::Sync {
                site: self.small()?,
                op: self.op()?,
                object: self.number()?,
                other: self.number()?,
                result: self.number()? as i64,
            },
            tag::START => Event::Start,
            tag::END => Event::End,
            tag::CREATE => Event::Create {
                site: self.small()?,
                thread: self.small()?,
                handle: self.number()?,
                result: self.number()? as i64,
            },
            tag::ALLOC => Event::Alloc { site: self.small()?, at: self.number()?, size: self.number()? },
            tag::FREE => Event::Free { site: self.small()?, at: self.number()? },
            tag::FAILED => Event::Failed {
                site: self.small()?,
                line: self.small()?,
                text: self.text()?,
                file: self.text()?,
                function: self.text()?,
            },
            tag::ABORT => Event::Abort { site: self.small()? },
            tag::EXIT => Event::Exit { site: self.small()?, status: self.number()? as i32 },
            tag::ATOMIC_BEGIN => Event::AtomicBegin { site: self.small()? },
            tag::ATOMIC_END => Event::AtomicEnd { site: self.small()? },
            tag::PROGRESS => Event::Progress { site: self.small()? },
            tag::NONDET => Event::Nondet { site: self.small()?, value: self.number()? },
            tag::ASSUME => Event::Assume { site: self.small()?, holds: self.number()? != 0 },
            tag::LOST => Event::Lost { events: self.number()? },
            tag::FORGET => Event::Forget,
            tag::MODULE => self.module()?,
            tag::FORK => Event::Fork { site: self.small()?, result: self.number()? as i64 },
            tag::EXEC => Event::Exec { site: self.small()? },
            tag::SIGNAL => Event::Signal { number: self.small()? },
            tag::INPUT => {
                Event::Input { site: self.small()?, at: self.number()?, bytes: self.bytes()?.to_vec() }
            }
            tag::STOPPED => Event::Stopped { error: self.small()? },
            _ => return Err(Bad::Not("a known event")),
        })
    }

    fn module(&mut self) -> Result<Event, Bad> {
        let (base, sites) = (self.small()?, self.small()?);
        let length = self.number()?;
        let mut hash = [0; 32];
        if length != hash.len() as u64 {
            return Err(Bad::Not("a hash of 32 bytes"));
        }
        hash.copy_from_slice(self.take(32)?);
        Ok(Event::Module(Module { base, sites, hash, name: self.text()? }))
    }
}

fn small(number: u64) -> Result<u32, Bad> {
    u32::try_from(number).map_err(|_| Bad::Not("a number of at most 32 bits"))
}
