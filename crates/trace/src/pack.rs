//! Packed traces: chunks compressed one by one, and sections that belong to the trace, such as the modules of the program.
//!
//! A packed trace is a sequence of records with a fixed start each, so that all can be found without reading what is in them.
//! Compression is LZ4 (`lz4_flex`): its decoder is safe code, which matters for files from elsewhere, and chunks that are
//! unpacked again and again while threads take turns cost little.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

use crate::chunks::{Chunks, Header, Index, Place, long, read_at, word};
use crate::decode;
use crate::error::{Error, Problem};
use crate::layout::{self, CHUNK, EVENT, chunk};

/// Something beside the events: a name and bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// How much a trace that was packed has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    pub threads: usize,
    pub events: u64,
    /// How many events could not be recorded.
    pub lost: u64,
    /// How many child processes were made; they are not recorded.
    pub children: u64,
}

impl Packed {
    /// Counts the events of a chunk, up to what is damaged, and tells where that is.
    fn count(&mut self, chunk: &[u8]) -> usize {
        let mut rest = chunk.get(chunk::EVENTS..).unwrap_or_default();
        while let Ok(Some(event)) = decode::measure(rest) {
            self.events += 1 + u64::from(event.followers);
            self.lost = self.lost.saturating_add(event.lost);
            self.children += u64::from(event.child);
            rest = &rest[event.length..];
        }
        chunk.len() - rest.len()
    }
}

/// How a record begins.
const START: usize = 32;
/// Where the first record is, after magic, version and four unused bytes.
const FIRST: u64 = 16;
/// Sections are cut into pieces of this size, so that whoever reads one never allocates much on a claim.
const PIECE: usize = 1 << 20;

const HEADER: u32 = 1;
const CHUNK_OF_EVENTS: u32 = 2;
const SECTION: u32 = 3;
const PIECE_OF_SECTION: u32 = 4;
const END: u32 = 5;

/// The fixed start of a record.
#[derive(Clone, Copy, Default)]
struct Start {
    kind: u32,
    /// How many bytes follow, and how many they are unpacked.
    stored: u32,
    unpacked: u32,
    checksum: u32,
    thread: u32,
    sequence: u32,
    turn: u64,
}

/// A section that has not been read yet: the offset, size, unpacked size and checksum of each piece.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pieces: Vec<(u64, u32, u32, u32)>,
}

impl Entry {
    pub(crate) fn read(&self, file: &mut (impl Read + Seek)) -> Result<Section, Error> {
        let mut bytes = Vec::new();
        for &(offset, stored, unpacked, sum) in &self.pieces {
            let mut packed = vec![0; stored as usize];
            read_at(file, offset, &mut packed)?;
            bytes.extend(unpack(offset, &packed, unpacked, sum, PIECE)?);
        }
        Ok(Section { name: self.name.clone(), bytes })
    }
}

/// Writes the trace in `from`, raw or packed, compressed to `to`, with its sections and those given, and tells how much it has. The
/// file appears when it is complete.
///
/// # Errors
/// If one of the files cannot be accessed, or `from` is no trace. Damaged events are packed as they are.
pub fn pack(from: &Path, to: &Path, sections: &[Section]) -> Result<Packed, Error> {
    let input = File::open(from).map_err(|error| Error::io(0, error))?;
    let mut chunks = Chunks::open(BufReader::with_capacity(CHUNK, input))?;
    let mut name = to.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = to.with_file_name(name);
    let written = File::create(&part)
        .map_err(|error| Error::io(0, error))
        .and_then(|file| write(&mut chunks, BufWriter::new(file), sections))
        .and_then(|packed| fs::rename(&part, to).map(|()| packed).map_err(|error| Error::io(0, error)));
    if written.is_err() {
        // Nobody needs half a file; if it cannot be removed, there is nothing more to do.
        let _ = fs::remove_file(&part);
    }
    written
}

fn write<R: Read + Seek>(
    chunks: &mut Chunks<R>,
    mut out: impl Write,
    sections: &[Section],
) -> Result<Packed, Error> {
    let io = |error| Error::io(0, error);
    out.write_all(&layout::PACKED).map_err(io)?;
    out.write_all(&layout::VERSION.to_le_bytes()).map_err(io)?;
    out.write_all(&[0; 4]).map_err(io)?;
    record(&mut out, Start { kind: HEADER, ..Start::default() }, &chunks.start).map_err(io)?;
    for entry in chunks.sections.clone() {
        if !sections.iter().any(|section| section.name == entry.name) {
            section(&mut out, &entry.read(chunks.file())?).map_err(io)?;
        }
    }
    for given in sections {
        section(&mut out, given).map_err(io)?;
    }
    let mut packed = Packed { threads: chunks.threads.len(), ..Packed::default() };
    let mut places: Vec<_> = chunks.threads.values().flatten().copied().collect();
    places.sort_by_key(|place| place.offset);
    for place in places {
        let bytes = chunks.get(&place)?;
        // What a program has read may well end with zeros, so those behind the last byte that is none may belong to an event.
        let events = packed.count(&bytes);
        let used = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        let used = bytes.len().min(used + EVENT).max(events);
        let Place { thread, sequence, turn, .. } = place;
        let start = Start { kind: CHUNK_OF_EVENTS, thread, sequence, turn, ..Start::default() };
        record(&mut out, start, &bytes[..used]).map_err(io)?;
    }
    record(&mut out, Start { kind: END, ..Start::default() }, &[]).map_err(io)?;
    out.flush().map_err(io)?;
    Ok(packed)
}

fn section(out: &mut impl Write, section: &Section) -> std::io::Result<()> {
    record(out, Start { kind: SECTION, ..Start::default() }, section.name.as_bytes())?;
    section
        .bytes
        .chunks(PIECE)
        .try_for_each(|piece| record(out, Start { kind: PIECE_OF_SECTION, ..Start::default() }, piece))
}

fn record(out: &mut impl Write, start: Start, bytes: &[u8]) -> std::io::Result<()> {
    let packed = lz4_flex::block::compress(bytes);
    let start = Start {
        stored: packed.len() as u32,
        unpacked: bytes.len() as u32,
        checksum: checksum(&packed),
        ..start
    };
    for number in [start.kind, start.stored, start.unpacked, start.checksum, start.thread, start.sequence] {
        out.write_all(&number.to_le_bytes())?;
    }
    out.write_all(&start.turn.to_le_bytes())?;
    out.write_all(&packed)
}

/// FNV-1a. It tells damage, not malice.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum, &byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Finds all records of a packed trace.
pub(crate) fn index(file: &mut (impl Read + Seek), length: u64) -> Result<Index, Error> {
    let mut first = [0; 4];
    read_at(file, 8, &mut first)?;
    let version = u32::from_le_bytes(first);
    if version != layout::VERSION {
        return Err(Error { offset: 8, problem: Problem::Version(version) });
    }
    let mut header = None;
    let mut places = Vec::new();
    let mut sections: Vec<Entry> = Vec::new();
    let mut offset = FIRST;
    let mut cut = None;
    loop {
        if length.saturating_sub(offset) < START as u64 {
            cut = Some(length);
            break;
        }
        let start = start(file, offset)?;
        let data = offset + START as u64;
        let next = data + u64::from(start.stored);
        if next > length {
            cut = Some(length);
            break;
        }
        let place = |sequence| Place {
            thread: start.thread,
            sequence,
            turn: start.turn,
            offset: data,
            stored: start.stored,
            unpacked: start.unpacked.max(1),
            checksum: start.checksum,
        };
        match start.kind {
            HEADER => header = Some(read(file, data, &start, CHUNK)?),
            CHUNK_OF_EVENTS => places.push(place(start.sequence)),
            SECTION => {
                let name = read(file, data, &start, CHUNK)?;
                sections
                    .push(Entry { name: String::from_utf8_lossy(&name).into_owned(), pieces: Vec::new() });
            }
            PIECE_OF_SECTION => match sections.last_mut() {
                Some(entry) => entry.pieces.push((data, start.stored, start.unpacked, start.checksum)),
                None => return Err(Error::corrupt(offset, "a section before its pieces")),
            },
            END => break,
            _ => return Err(Error::corrupt(offset, "a known record")),
        }
        offset = next;
    }
    let header_bytes = header.ok_or(Error::truncated(length))?;
    Ok(Index { header: Header::parse(&header_bytes)?, start: header_bytes, places, sections, cut })
}

fn start(file: &mut (impl Read + Seek), offset: u64) -> Result<Start, Error> {
    let mut bytes = [0; START];
    read_at(file, offset, &mut bytes)?;
    Ok(Start {
        kind: word(&bytes, 0),
        stored: word(&bytes, 4),
        unpacked: word(&bytes, 8),
        checksum: word(&bytes, 12),
        thread: word(&bytes, 16),
        sequence: word(&bytes, 20),
        turn: long(&bytes, 24),
    })
}

fn read(file: &mut (impl Read + Seek), data: u64, start: &Start, most: usize) -> Result<Vec<u8>, Error> {
    let mut packed = vec![0; start.stored as usize];
    read_at(file, data, &mut packed)?;
    unpack(data, &packed, start.unpacked, start.checksum, most)
}

/// The bytes of a chunk that was packed.
pub(crate) fn unpack_chunk(place: &Place, packed: &[u8]) -> Result<Vec<u8>, Error> {
    unpack(place.offset, packed, place.unpacked, place.checksum, CHUNK)
}

fn unpack(offset: u64, packed: &[u8], unpacked: u32, sum: u32, most: usize) -> Result<Vec<u8>, Error> {
    if checksum(packed) != sum {
        return Err(Error::corrupt(offset, "bytes with another checksum"));
    }
    if unpacked as usize > most {
        return Err(Error::corrupt(offset, "a smaller record"));
    }
    lz4_flex::block::decompress(packed, unpacked as usize)
        .map_err(|_| Error::corrupt(offset, "compressed bytes"))
}
