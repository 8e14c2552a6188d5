//! Where the chunks of a trace are, raw or packed, and how their bytes are got.
//!
//! The index has a few words per chunk and a chunk takes at least as many bytes of the file, so memory is bounded by the size
//! of the file whatever is in it. Chunks themselves are read when they are needed; a few are kept.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{Read, Seek, SeekFrom};
use std::rc::Rc;

use crate::error::{Error, Problem};
use crate::layout::{self, CHUNK, chunk, ending, header};
use crate::pack;

/// How a run ended, as far as the process could tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It was killed, became another program, or still runs.
    Unknown,
    /// It exited with this status.
    Exit(i32),
    /// This signal ended it.
    Signal(u32),
    /// Recording stopped with this error number; the program went on.
    Stopped(u32),
}

/// What a trace says about the process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub pid: u32,
    pub executable: String,
    /// The command line.
    pub command: Vec<String>,
    pub ending: Ending,
}

impl Header {
    /// Reads the first chunk of a raw trace.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Header, Error> {
        if bytes.get(..8) != Some(&layout::RAW) {
            return Err(Error { offset: 0, problem: Problem::NoTrace });
        }
        if bytes.len() < header::TEXTS {
            return Err(Error::truncated(bytes.len() as u64));
        }
        let version = word(bytes, header::VERSION);
        if version != layout::VERSION {
            return Err(Error { offset: header::VERSION as u64, problem: Problem::Version(version) });
        }
        if word(bytes, header::CHUNK) as usize != CHUNK {
            return Err(Error::corrupt(header::CHUNK as u64, "chunks of 64 KiB"));
        }
        let texts = &bytes[header::TEXTS..];
        let executable = word(bytes, header::EXECUTABLE) as usize;
        let command = word(bytes, header::COMMAND) as usize;
        let (executable, rest) = texts
            .split_at_checked(executable)
            .ok_or(Error::corrupt(header::EXECUTABLE as u64, "a path within the header"))?;
        let command = rest
            .get(..command)
            .ok_or(Error::corrupt(header::COMMAND as u64, "a command line within the header"))?;
        let status = word(bytes, header::STATUS);
        Ok(Header {
            pid: word(bytes, header::PID),
            executable: String::from_utf8_lossy(executable).into_owned(),
            command: command
                .split_inclusive(|&byte| byte == 0)
                .map(|argument| argument.strip_suffix(&[0]).unwrap_or(argument))
                .map(|argument| String::from_utf8_lossy(argument).into_owned())
                .collect(),
            ending: match word(bytes, header::ENDING) {
                ending::EXIT => Ending::Exit(status as i32),
                ending::SIGNAL => Ending::Signal(status),
                ending::FULL => Ending::Stopped(status),
                _ => Ending::Unknown,
            },
        })
    }
}

/// The number at an offset that is within the bytes.
pub(crate) fn word(bytes: &[u8], at: usize) -> u32 {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(word)
}

pub(crate) fn long(bytes: &[u8], at: usize) -> u64 {
    u64::from(word(bytes, at)) | u64::from(word(bytes, at + 4)) << 32
}

/// One chunk: whose it is and where its bytes are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) thread: u32,
    pub(crate) sequence: u32,
    pub(crate) turn: u64,
    pub(crate) offset: u64,
    /// How many bytes are in the file, and how many they are without compression; the latter is 0 if there is none.
    pub(crate) stored: u32,
    pub(crate) unpacked: u32,
    pub(crate) checksum: u32,
}

/// How many chunks are kept in memory.
const KEPT: usize = 128;

/// A file with its index.
pub(crate) struct Chunks<R> {
    file: R,
    pub(crate) header: Header,
    pub(crate) start: Vec<u8>,
    /// The chunks of each thread in the order in which they were written.
    pub(crate) threads: BTreeMap<u32, Vec<Place>>,
    pub(crate) sections: Vec<pack::Entry>,
    pub(crate) cut: Option<u64>,
    /// By offset, with the time of last use.
    kept: BTreeMap<u64, (u64, Rc<[u8]>)>,
    clock: u64,
}

impl<R: Read + Seek> Chunks<R> {
    pub(crate) fn open(mut file: R) -> Result<Self, Error> {
        let length = file.seek(SeekFrom::End(0)).map_err(|error| Error::io(0, error))?;
        let mut magic = [0; 8];
        read_at(&mut file, 0, &mut magic).map_err(|error| match error.problem {
            Problem::Truncated => Error { offset: 0, problem: Problem::NoTrace },
            _ => error,
        })?;
        let index = match magic {
            layout::RAW => raw_index(&mut file, length)?,
            layout::PACKED => pack::index(&mut file, length)?,
            _ => return Err(Error { offset: 0, problem: Problem::NoTrace }),
        };
        let mut threads: BTreeMap<u32, Vec<Place>> = BTreeMap::new();
        for place in index.places {
            threads.entry(place.thread).or_default().push(place);
        }
        for places in threads.values_mut() {
            // A process that is killed while it copies a full chunk leaves it twice; a copy may be cut.
            places.sort_by_key(|place| (place.sequence, Reverse(place.stored)));
            places.dedup_by_key(|place| place.sequence);
            for (place, expected) in places.iter().zip(0..) {
                if place.sequence != expected {
                    return Err(Error::corrupt(place.offset, "the chunks of a thread without gaps"));
                }
            }
        }
        Ok(Chunks {
            file,
            header: index.header,
            start: index.start,
            cut: index.cut,
            threads,
            sections: index.sections,
            kept: BTreeMap::new(),
            clock: 0,
        })
    }

    /// The bytes of a chunk, from its header on. They may be fewer than a whole chunk if the file was cut.
    pub(crate) fn get(&mut self, place: &Place) -> Result<Rc<[u8]>, Error> {
        self.clock += 1;
        if let Some((used, bytes)) = self.kept.get_mut(&place.offset) {
            *used = self.clock;
            return Ok(bytes.clone());
        }
        let mut stored = vec![0; place.stored as usize];
        read_at(&mut self.file, place.offset, &mut stored)?;
        let bytes: Rc<[u8]> =
            if place.unpacked == 0 { stored.into() } else { pack::unpack_chunk(place, &stored)?.into() };
        if self.kept.len() >= KEPT
            && let Some(&oldest) =
                self.kept.iter().min_by_key(|(_, (used, _))| *used).map(|(offset, _)| offset)
        {
            self.kept.remove(&oldest);
        }
        self.kept.insert(place.offset, (self.clock, bytes.clone()));
        Ok(bytes)
    }

    pub(crate) fn file(&mut self) -> &mut R {
        &mut self.file
    }
}

/// What is known of a file before any event is read.
pub(crate) struct Index {
    pub(crate) header: Header,
    /// The bytes that the header was read from.
    pub(crate) start: Vec<u8>,
    pub(crate) places: Vec<Place>,
    pub(crate) sections: Vec<pack::Entry>,
    /// Where the file ends too early, if it does.
    pub(crate) cut: Option<u64>,
}

pub(crate) fn read_at(file: &mut (impl Read + Seek), offset: u64, bytes: &mut [u8]) -> Result<(), Error> {
    file.seek(SeekFrom::Start(offset)).map_err(|error| Error::io(offset, error))?;
    file.read_exact(bytes).map_err(|error| Error::io(offset, error))
}

fn raw_index(file: &mut (impl Read + Seek), length: u64) -> Result<Index, Error> {
    let mut first = vec![0; length.min(CHUNK as u64) as usize];
    read_at(file, 0, &mut first)?;
    let header = Header::parse(&first)?;
    let mut places = Vec::new();
    let mut offset = CHUNK as u64;
    while offset < length {
        let stored = (length - offset).min(CHUNK as u64) as u32;
        let mut start = [0; chunk::EVENTS];
        // A chunk that is cut before its first event has none.
        if stored as usize >= start.len() {
            read_at(file, offset, &mut start)?;
            match word(&start, chunk::MARK_AT) {
                chunk::MARK => places.push(Place {
                    thread: word(&start, chunk::THREAD),
                    sequence: word(&start, chunk::SEQUENCE),
                    turn: long(&start, chunk::TURN),
                    offset,
                    stored,
                    unpacked: 0,
                    checksum: 0,
                }),
                0 => {}
                _ => return Err(Error::corrupt(offset, "a chunk or an unused one")),
            }
        }
        offset += CHUNK as u64;
    }
    let texts = word(&first, header::EXECUTABLE) as usize + word(&first, header::COMMAND) as usize;
    first.truncate(header::TEXTS + texts);
    // How a raw trace that was cut is told: its last chunk ends early.
    Ok(Index { header, start: first, places, sections: Vec::new(), cut: None })
}
