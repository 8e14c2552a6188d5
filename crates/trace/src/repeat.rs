//! A recorded run as the run-time library needs it to repeat the run: who goes on after whom, and at which sites.
//!
//! The file has a header, then the *words* of all events, then the *segments*: what a thread does between two switches. All
//! numbers are little-endian. A word has the kind of an event in its upper six bits and the site in the others; some kinds
//! have words with more behind it. Starts of threads and turns are no events here: they follow from the segments.

use crate::layout::tag;

/// How a file begins.
pub const MAGIC: [u8; 8] = *b"raddleRP";
/// How long the header is: the mark, how the run ended, who ended it, how many segments and how many words there are.
pub const HEADER: usize = 8 + 4 + 4 + 8 + 8;
/// How long a segment is: thread, number of events, the next segment of the thread, the first word.
pub const SEGMENT: usize = 4 + 4 + 4 + 8;
/// There is no further segment of this thread.
pub const NONE: u32 = u32::MAX;
/// Sites must be smaller than this.
pub const MOST_SITES: u32 = 1 << 26;

/// Kinds beyond the tags of events: a branch that took its second way, and one that has the way in the next word.
pub const SECOND_WAY: u8 = 62;
pub const ANY_WAY: u8 = 63;

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Nobody knows, or the trace is incomplete: the repeated run is stopped where the trace ends.
    Stop,
    /// By itself: the repeated run goes on to its end.
    ByItself,
}

/// What happens between two switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    pub thread: u32,
    pub events: u32,
    /// The next segment of the same thread, or [`NONE`].
    pub next: u32,
    /// Where its words begin.
    pub word: u64,
}

/// One event that is expected, as far as it is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The tag of the event.
    pub tag: u8,
    pub site: u32,
    /// Of a branch, the way; of an operation that waits or is done, its number; of an arbitrary value, the value.
    pub what: u64,
    /// Of an operation that is done, its result.
    pub result: i32,
}

impl Step {
    /// Its words, and how many they are.
    #[must_use]
    pub fn words(&self) -> ([u32; 3], usize) {
        let first = |kind: u8| u32::from(kind) << 26 | self.site & (MOST_SITES - 1);
        match (self.tag, self.what) {
            (tag::BRANCH, 0) => ([first(tag::BRANCH), 0, 0], 1),
            (tag::BRANCH, 1) => ([first(SECOND_WAY), 0, 0], 1),
            (tag::BRANCH, way) => ([first(ANY_WAY), way as u32, 0], 2),
            (tag::WAITS, op) => ([first(tag::WAITS), op as u32, 0], 2),
            (tag::SYNC, op) => ([first(tag::SYNC), op as u32, self.result.cast_unsigned()], 3),
            (tag::NONDET, value) => ([first(tag::NONDET), value as u32, (value >> 32) as u32], 3),
            (tag, _) => ([first(tag), 0, 0], 1),
        }
    }
}

/// A file that was read.
#[derive(Clone, Copy, Debug)]
pub struct Repeat<'a> {
    pub end: End,
    /// The thread that ends the process.
    pub ender: u32,
    words: &'a [u8],
    segments: &'a [u8],
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

impl<'a> Repeat<'a> {
    /// Reads a file; nothing if it is none.
    #[must_use]
    pub fn read(bytes: &'a [u8]) -> Option<Repeat<'a>> {
        let (header, rest) = bytes.split_at_checked(HEADER)?;
        if !header.starts_with(&MAGIC) {
            return None;
        }
        let end = match word(header, 8)? {
            0 => End::Stop,
            1 => End::ByItself,
            _ => return None,
        };
        let segments = usize::try_from(long(header, 16)?).ok()?.checked_mul(SEGMENT)?;
        let words = usize::try_from(long(header, 24)?).ok()?.checked_mul(4)?;
        let (words, segments) = rest.split_at_checked(words).filter(|(_, rest)| rest.len() == segments)?;
        Some(Repeat { end, ender: word(header, 12)?, words, segments })
    }

    /// A segment, if there are so many.
    #[must_use]
    pub fn segment(&self, index: u32) -> Option<Segment> {
        let at = (index as usize).checked_mul(SEGMENT)?;
        Some(Segment {
            thread: word(self.segments, at)?,
            events: word(self.segments, at + 4)?,
            next: word(self.segments, at + 8)?,
            word: long(self.segments, at + 12)?,
        })
    }

    /// How many segments there are.
    #[must_use]
    pub fn segments(&self) -> u32 {
        (self.segments.len() / SEGMENT) as u32
    }

    /// The event at a word, and where the next one is.
    #[must_use]
    pub fn step(&self, at: u64) -> Option<(Step, u64)> {
        let get = |further: u64| word(self.words, usize::try_from(at + further).ok()?.checked_mul(4)?);
        let first = get(0)?;
        let (kind, site) = ((first >> 26) as u8, first & (MOST_SITES - 1));
        let step = Step { tag: kind, site, what: 0, result: 0 };
        Some(match kind {
            SECOND_WAY => (Step { tag: tag::BRANCH, what: 1, ..step }, at + 1),
            ANY_WAY => (Step { tag: tag::BRANCH, what: u64::from(get(1)?), ..step }, at + 2),
            tag::WAITS => (Step { what: u64::from(get(1)?), ..step }, at + 2),
            tag::SYNC => (Step { what: u64::from(get(1)?), result: get(2)?.cast_signed(), ..step }, at + 3),
            tag::NONDET => (Step { what: u64::from(get(1)?) | u64::from(get(2)?) << 32, ..step }, at + 3),
            _ => (step, at + 1),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps() -> Vec<Step> {
        let step = |tag, site, what, result| Step { tag, site, what, result };
        vec![
            step(tag::READ, 5, 0, 0),
            step(tag::BRANCH, 6, 0, 0),
            step(tag::BRANCH, 6, 1, 0),
            step(tag::BRANCH, 7, 9, 0),
            step(tag::WAITS, 8, 22, 0),
            step(tag::SYNC, MOST_SITES - 1, 22, -1),
            step(tag::NONDET, 9, u64::MAX - 1, 0),
            step(tag::END, 0, 0, 0),
        ]
    }

    fn file() -> Vec<u8> {
        let words: Vec<u32> = steps()
            .iter()
            .flat_map(|step| {
                let (words, count) = step.words();
                words[..count].to_vec()
            })
            .collect();
        let mut bytes = MAGIC.to_vec();
        bytes.extend([1_u32, 3].iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend([1, words.len() as u64].iter().flat_map(|long| long.to_le_bytes()));
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend([3_u32, 8, NONE].iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend(0_u64.to_le_bytes());
        bytes
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = file();
        let repeat = Repeat::read(&bytes).expect("a file");
        assert_eq!((repeat.end, repeat.ender, repeat.segments()), (End::ByItself, 3, 1));
        assert_eq!(repeat.segment(0), Some(Segment { thread: 3, events: 8, next: NONE, word: 0 }));
        assert_eq!(repeat.segment(1), None);
        let mut at = 0;
        for step in steps() {
            let (found, next) = repeat.step(at).expect("a step");
            assert_eq!(found, step);
            at = next;
        }
        assert_eq!(repeat.step(at), None);
    }

    #[test]
    fn every_shorter_file_is_refused() {
        let bytes = file();
        for length in 0..bytes.len() {
            assert!(Repeat::read(&bytes[..length]).is_none(), "{length} bytes");
        }
    }
}
