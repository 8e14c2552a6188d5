//! Makes the file of [`crate::repeat`] from a trace, in one pass and with little memory: words are written as they come.

use std::collections::BTreeMap;
use std::io::{Read, Seek, SeekFrom, Write};

use crate::chunks::Ending;
use crate::error::Error;
use crate::event::Event;
use crate::layout::tag;
use crate::reader::Reader;
use crate::repeat::{End, HEADER, MAGIC, MOST_SITES, NONE, Segment, Step};

/// What is in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repeated {
    pub events: u64,
    pub switches: u64,
    /// How many events are missing in the trace: where they were, the repeated run has to leave it.
    pub lost: u64,
    /// What is wrong with the trace from some point on; the run is repeated up to there.
    pub problem: Option<String>,
}

/// Writes the file for repeating the run that a trace tells of.
///
/// # Errors
/// When it cannot be written, or there are too many sites.
pub fn write_repeat<R: Read + Seek>(
    reader: &mut Reader<R>,
    out: &mut (impl Write + Seek),
) -> std::io::Result<Repeated> {
    let mut done = Repeated::default();
    let by_itself = matches!(reader.header().ending, Ending::Exit(_) | Ending::Signal(_));
    let mut segments: Vec<Segment> = Vec::new();
    let mut last: BTreeMap<u32, usize> = BTreeMap::new();
    let (mut words, mut ender) = (0_u64, None);
    out.write_all(&[0; HEADER])?;
    for record in reader {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                done.problem = Some(describe(&error));
                break;
            }
        };
        match &record.event {
            Event::Exit { .. } | Event::Abort { .. } | Event::Failed { .. } | Event::Signal { .. } => {
                ender = ender.or(Some(record.thread));
            }
            Event::Lost { events } => done.lost = done.lost.saturating_add(*events),
            _ => {}
        }
        // A run of events of one thread ends where another one, or the same after an empty turn, takes the turn.
        if matches!(record.event, Event::Turn) || segments.is_empty() {
            let index = segments.len();
            if let Some(before) = last.insert(record.thread, index) {
                segments[before].next = index as u32;
            }
            segments.push(Segment { thread: record.thread, events: 0, next: NONE, word: words });
        }
        let Some(step) = step(&record.event) else { continue };
        if step.site >= MOST_SITES {
            return Err(std::io::Error::other("the program has too many sites"));
        }
        let (made, count) = step.words();
        for word in &made[..count] {
            out.write_all(&word.to_le_bytes())?;
        }
        words += count as u64;
        done.events += 1;
        if let Some(segment) = segments.last_mut() {
            segment.events += 1;
        }
    }
    done.switches = (segments.len() as u64).saturating_sub(1);
    for segment in &segments {
        for word in [segment.thread, segment.events, segment.next] {
            out.write_all(&word.to_le_bytes())?;
        }
        out.write_all(&segment.word.to_le_bytes())?;
    }
    out.seek(SeekFrom::Start(0))?;
    let end = if by_itself && done.problem.is_none() { End::ByItself } else { End::Stop };
    out.write_all(&MAGIC)?;
    out.write_all(&u32::from(end == End::ByItself).to_le_bytes())?;
    out.write_all(&ender.unwrap_or(0).to_le_bytes())?;
    out.write_all(&(segments.len() as u64).to_le_bytes())?;
    out.write_all(&words.to_le_bytes())?;
    out.flush()?;
    Ok(done)
}

fn describe(error: &Error) -> String {
    error.to_string()
}

/// What is compared of an event; nothing if it is none for the run-time library.
fn step(event: &Event) -> Option<Step> {
    let at = |tag: u8, site: u32| Some(Step { tag, site, what: 0, result: 0 });
    match event {
        Event::Turn
        | Event::Start
        | Event::Input { .. }
        | Event::Lost { .. }
        | Event::Forget
        | Event::Signal { .. }
        | Event::Stopped { .. } => None,
        Event::Read { site, .. } => at(tag::READ, *site),
        Event::Write { site, .. } => at(tag::WRITE, *site),
        Event::Update { site, .. } => at(tag::UPDATE, *site),
        Event::Copy { site, .. } => at(tag::COPY, *site),
        Event::Fill { site, .. } => at(tag::FILL, *site),
        Event::Branch { site, successor } => {
            Some(Step { tag: tag::BRANCH, site: *site, what: u64::from(*successor), result: 0 })
        }
        Event::Enter { site } => at(tag::ENTER, *site),
        Event::Leave { site } => at(tag::LEAVE, *site),
        Event::Call { site } => at(tag::CALL, *site),
        Event::Back { site, .. } => at(tag::BACK, *site),
        Event::Waits { site, op, .. } => {
            Some(Step { tag: tag::WAITS, site: *site, what: *op as u64, result: 0 })
        }
        Event::Sync { site, op, result, .. } => {
            Some(Step { tag: tag::SYNC, site: *site, what: *op as u64, result: *result as i32 })
        }
        Event::End => at(tag::END, 0),
        Event::Create { site, .. } => at(tag::CREATE, *site),
        Event::Alloc { site, .. } => at(tag::ALLOC, *site),
        Event::Free { site, .. } => at(tag::FREE, *site),
        Event::Failed { site, .. } => at(tag::FAILED, *site),
        Event::Abort { site } => at(tag::ABORT, *site),
        Event::Exit { site, .. } => at(tag::EXIT, *site),
        Event::AtomicBegin { site } => at(tag::ATOMIC_BEGIN, *site),
        Event::AtomicEnd { site } => at(tag::ATOMIC_END, *site),
        Event::Progress { site } => at(tag::PROGRESS, *site),
        Event::Nondet { site, value } => {
            Some(Step { tag: tag::NONDET, site: *site, what: *value, result: 0 })
        }
        Event::Assume { site, .. } => at(tag::ASSUME, *site),
        Event::Module(module) => at(tag::MODULE, module.base),
        Event::Fork { site, .. } => at(tag::FORK, *site),
        Event::Exec { site } => at(tag::EXEC, *site),
    }
}
