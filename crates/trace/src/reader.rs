//! The events of all threads in the order in which they happened.
//!
//! Each thread's events are in order in its chunks, cut into pieces by the turns. The thread whose next piece has the lowest
//! turn goes on. Nothing is read before it is needed, but for the beginnings of the chunks.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;
use std::rc::Rc;

use crate::chunks::{Chunks, Header, Place};
use crate::decode::{self, Bad};
use crate::encode::Context;
use crate::error::{Error, Problem};
use crate::event::{Event, Module, Record};
use crate::layout::{self, CHUNK, chunk};
use crate::memory::{self, Memory};
use crate::pack::Section;

/// A trace that is being read: an iterator over its events.
///
/// After an error there are no more events. What came before it is right.
pub struct Reader<R> {
    chunks: Chunks<R>,
    threads: Vec<Position>,
    /// The next turn of each thread that has one, except for the one that runs.
    next: BinaryHeap<Reverse<(u64, usize)>>,
    /// Who runs, by its index in `threads`.
    running: Option<usize>,
    /// The chunk that its next event is in, if it was looked up.
    current: Option<Rc<[u8]>>,
    turn: u64,
    modules: Vec<Module>,
    memory: Box<Memory>,
    over: bool,
}

/// How far a thread has come.
struct Position {
    thread: u32,
    places: Vec<Place>,
    /// The chunk by its index in `places`, and where in it.
    chunk: usize,
    at: usize,
    /// How many events are next that are as expected.
    followers: u8,
    context: Context,
}

impl Reader<BufReader<File>> {
    /// Opens a trace, raw or packed.
    ///
    /// # Errors
    /// If it cannot be read, or is no trace.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let file = File::open(path).map_err(|error| Error::io(0, error))?;
        Reader::new(BufReader::with_capacity(CHUNK, file))
    }
}

impl<R: Read + Seek> Reader<R> {
    /// Reads a trace from anything that can be read and positioned.
    ///
    /// # Errors
    /// If it is no trace, or its index is damaged.
    pub fn new(file: R) -> Result<Self, Error> {
        let mut chunks = Chunks::open(file)?;
        let threads: Vec<_> = std::mem::take(&mut chunks.threads)
            .into_iter()
            .map(|(thread, places)| Position {
                thread,
                places,
                chunk: 0,
                at: chunk::EVENTS,
                followers: 0,
                context: Context::default(),
            })
            .collect();
        let next = threads
            .iter()
            .enumerate()
            .filter_map(|(index, position)| Some(Reverse((position.places.first()?.turn, index))))
            .collect();
        let memory = memory::empty();
        Ok(Reader {
            chunks,
            threads,
            next,
            running: None,
            current: None,
            turn: 0,
            modules: Vec::new(),
            memory,
            over: false,
        })
    }

    /// What the trace says about the process.
    pub fn header(&self) -> &Header {
        &self.chunks.header
    }

    /// The modules that have been registered so far.
    pub fn modules(&self) -> &[Module] {
        &self.modules
    }

    /// The names of the sections that a packed trace carries.
    pub fn sections(&self) -> impl Iterator<Item = &str> {
        self.chunks.sections.iter().map(|entry| entry.name.as_str())
    }

    /// The section with this name, if there is one.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged.
    pub fn section(&mut self, name: &str) -> Result<Option<Section>, Error> {
        let Some(entry) = self.chunks.sections.iter().find(|entry| entry.name == name) else {
            return Ok(None);
        };
        let entry = entry.clone();
        entry.read(self.chunks.file()).map(Some)
    }

    fn step(&mut self) -> Result<Option<Record>, Error> {
        loop {
            let Some(index) = self.running else {
                let Some(Reverse((turn, index))) = self.next.pop() else {
                    return self.chunks.cut.map_or(Ok(None), |offset| Err(Error::truncated(offset)));
                };
                if turn != self.turn + 1 {
                    let offset = self.threads[index].offset();
                    let problem = if turn <= self.turn {
                        Problem::Corrupt("each turn once")
                    } else {
                        Problem::MissingTurn(self.turn + 1)
                    };
                    return Err(Error { offset, problem });
                }
                // The turn that the index or a look ahead promises has to be there.
                let bytes = self.chunk(index)?;
                let position = &self.threads[index];
                match bytes.as_deref().map(|bytes| decode::turn(bytes.get(position.at..).unwrap_or(&[]))) {
                    Some(Ok(Some(found))) if found == turn => {}
                    // Killed after the chunk was begun and before the turn was written.
                    None => continue,
                    _ => return Err(Error::corrupt(position.offset(), "the turn of the chunk")),
                }
                self.turn = turn;
                self.running = Some(index);
                self.current = bytes;
                return self.decode(index).map(Some);
            };
            let position = &self.threads[index];
            if position.followers > 0 {
                return self.follow(index).map(Some);
            }
            let is_there =
                |bytes: &Rc<[u8]>| bytes.get(position.at).is_some_and(|&tag| tag != layout::tag::NONE);
            if !self.current.as_ref().is_some_and(is_there) {
                self.current = self.chunk(index)?;
            }
            let position = &self.threads[index];
            let turn = self.current.as_deref().map(|bytes| decode::turn(&bytes[position.at..]));
            match turn {
                Some(Ok(None)) => return self.decode(index).map(Some),
                Some(Ok(Some(turn))) => self.next.push(Reverse((turn, index))),
                Some(Err(bad)) => return Err(position.error(bad)),
                None => {}
            }
            self.running = None;
            self.current = None;
        }
    }

    /// The chunk with the next event of a thread, or nothing if it has no more.
    fn chunk(&mut self, index: usize) -> Result<Option<Rc<[u8]>>, Error> {
        let position = &mut self.threads[index];
        while let Some(place) = position.places.get(position.chunk) {
            let bytes = self.chunks.get(place)?;
            match bytes.get(position.at) {
                Some(&tag) if tag != 0 => return Ok(Some(bytes)),
                None if position.at < CHUNK && place.unpacked == 0 => {
                    return Err(Error::truncated(place.offset + position.at as u64));
                }
                _ => {
                    position.chunk += 1;
                    position.at = chunk::EVENTS;
                    position.context = Context::default();
                }
            }
        }
        Ok(None)
    }

    /// The next event of the thread that runs, from its chunk.
    fn decode(&mut self, index: usize) -> Result<Record, Error> {
        let position = &mut self.threads[index];
        let rest = self.current.as_deref().and_then(|bytes| bytes.get(position.at..)).unwrap_or(&[]);
        match decode::event(rest, &mut position.context, &mut self.memory) {
            Ok(Some(written)) => {
                position.at += written.length;
                position.followers = written.followers;
                if let Event::Module(module) = &written.event {
                    self.modules.push(module.clone());
                }
                Ok(Record { turn: self.turn, thread: position.thread, event: written.event })
            }
            Ok(None) => Err(position.error(Bad::Not("an event"))),
            Err(bad) => Err(position.error(bad)),
        }
    }

    /// An event of a thread that is as expected.
    fn follow(&mut self, index: usize) -> Result<Record, Error> {
        let position = &mut self.threads[index];
        position.followers -= 1;
        match decode::expected(&mut position.context, &mut self.memory) {
            Ok(event) => Ok(Record { turn: self.turn, thread: position.thread, event }),
            Err(bad) => Err(position.error(bad)),
        }
    }
}

impl Position {
    /// Where in the file the next event is, as well as that can be told.
    fn offset(&self) -> u64 {
        match self.places.get(self.chunk) {
            Some(place) if place.unpacked == 0 => place.offset + self.at as u64,
            Some(place) => place.offset,
            None => 0,
        }
    }

    fn error(&self, bad: Bad) -> Error {
        match bad {
            Bad::Short => Error::truncated(self.offset()),
            Bad::Not(expected) => Error::corrupt(self.offset(), expected),
        }
    }
}

impl<R: Read + Seek> Iterator for Reader<R> {
    type Item = Result<Record, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        match self.step() {
            Ok(Some(record)) => Some(Ok(record)),
            Ok(None) => {
                self.over = true;
                None
            }
            Err(error) => {
                self.over = true;
                Some(Err(error))
            }
        }
    }
}
