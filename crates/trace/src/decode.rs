//! Bytes back into events; the inverse of [`crate::encode`]. Takes any bytes and never reads beyond them.

use crate::encode::{Context, SITE_BYTES, WORD_BYTES};
use crate::event::{Event, Module};
use crate::layout::{TEXT, tag};
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

/// The event at the beginning of `bytes` and how long it is, or nothing if there are no more.
pub(crate) fn event(bytes: &[u8], context: &mut Context) -> Result<Option<(Event, usize)>, Bad> {
    let Some((&tag, rest)) = bytes.split_first() else { return Ok(None) };
    if tag == tag::NONE {
        return Ok(None);
    }
    let (tag, flags) = (tag & !tag::FLAGS, tag & tag::FLAGS);
    if tag >= tag::OTHER && flags != 0 {
        return Err(Bad::Not("a known event"));
    }
    let mut input = Bytes { rest };
    let event = match tag {
        tag::READ..tag::BRANCH => input.access(tag, flags, context)?,
        tag::BRANCH..=tag::BACK => {
            let (site, number) = input.at_site(flags, context)?;
            match tag {
                tag::BRANCH => Event::Branch { site, successor: small(number)? },
                tag::ENTER => Event::Enter { site },
                tag::LEAVE => Event::Leave { site },
                tag::CALL => Event::Call { site },
                _ => Event::Back { site, result: number },
            }
        }
        _ => input.other(tag)?,
    };
    Ok(Some((event, bytes.len() - input.rest.len())))
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

    fn site(&mut self, lengths: u8, flags: u8, context: &mut Context) -> Result<u32, Bad> {
        let site = if flags & tag::EXPECTED_SITE != 0 {
            context.expected_site()
        } else {
            let delta = self.word(SITE_BYTES[usize::from(lengths & 3)])? as u32;
            context.site.wrapping_add((delta >> 1) ^ (delta & 1).wrapping_neg())
        };
        context.go_to(site);
        Ok(site)
    }

    fn coded(&mut self, code: u8) -> Result<u64, Bad> {
        self.word(WORD_BYTES[usize::from(code & 7)])
    }

    fn access(&mut self, tag: u8, flags: u8, context: &mut Context) -> Result<Event, Bad> {
        let lengths = self.byte()?;
        let is_update = tag >= tag::UPDATE;
        let more = if is_update { self.byte()? } else { 0 };
        let site = self.site(lengths, flags, context)?;
        let delta = self.coded(lengths >> 2)?;
        let at = if flags & tag::EXPECTED_ADDRESS != 0 {
            context.expected_address()
        } else {
            context.last_address().wrapping_add((delta >> 1) ^ (delta & 1).wrapping_neg())
        };
        context.access(at);
        let stored = self.coded(lengths >> 5)?;
        let same = !is_update && flags & tag::EXPECTED_SITE != 0 && lengths & 3 == 1;
        let value = if same { context.expected_value() } else { stored };
        if !is_update {
            context.holds(value);
        }
        let new = if is_update { self.coded(more)? } else { 0 };
        let size = match (tag - tag::READ) % 5 {
            4 => self.word(4)? as u32,
            power => 1 << power,
        };
        Ok(match tag {
            tag::READ..tag::WRITE => Event::Read { site, at, size, value },
            tag::WRITE..tag::UPDATE => Event::Write { site, at, size, value },
            _ => Event::Update { site, at, size, old: value, new },
        })
    }

    fn at_site(&mut self, flags: u8, context: &mut Context) -> Result<(u32, u64), Bad> {
        let lengths = self.byte()?;
        let site = self.site(lengths, flags, context)?;
        Ok((site, self.coded(lengths >> 2)?))
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
