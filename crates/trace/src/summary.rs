//! How much of what is in a trace.

use std::collections::BTreeMap;
use std::io::{Read, Seek};
use std::mem::Discriminant;

use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::event::Event;
use crate::reader::Reader;

/// Counts over a whole trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many events of each kind each thread has.
    pub threads: BTreeMap<u32, BTreeMap<&'static str, u64>>,
    pub events: u64,
    /// How often another thread went on.
    pub switches: u64,
    /// How many addresses were accessed, and how many of them by several threads.
    pub addresses: u64,
    pub shared: u64,
    /// How many events could not be recorded.
    pub lost: u64,
    /// Whether there were more addresses than were told apart; then both counts are too low.
    pub addresses_cut: bool,
}

/// Addresses beyond this number are not told apart, so that memory is bounded.
const MOST_ADDRESSES: usize = 1 << 22;

/// Counts what is left in a reader. An error ends the counting, and is returned with what was counted before.
pub fn summary<R: Read + Seek>(reader: Reader<R>) -> (Summary, Option<Error>) {
    let mut summary = Summary::default();
    let mut accessed = Accessed::default();
    let mut kinds: BTreeMap<u32, Kinds> = BTreeMap::new();
    // Those of the thread that runs are kept apart: looking them up for each event would take most of the time.
    let mut running: Option<(u32, Kinds)> = None;
    let mut problem = None;
    for record in reader {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                problem = Some(error);
                break;
            }
        };
        summary.events += 1;
        match &mut running {
            Some((thread, kinds)) if *thread == record.thread => count(kinds, &record.event),
            _ => {
                if let Some((thread, before)) = running.take() {
                    kinds.insert(thread, before);
                    summary.switches += 1;
                }
                let mut of_thread = kinds.remove(&record.thread).unwrap_or_default();
                count(&mut of_thread, &record.event);
                running = Some((record.thread, of_thread));
            }
        }
        match record.event {
            Event::Read { at, .. } | Event::Write { at, .. } | Event::Update { at, .. } => {
                accessed.note(at, record.thread);
            }
            Event::Lost { events } => summary.lost = summary.lost.saturating_add(events),
            _ => {}
        }
    }
    kinds.extend(running);
    for (thread, kinds) in kinds {
        summary.threads.insert(thread, kinds.into_iter().map(|kind| (kind.name, kind.events)).collect());
    }
    summary.addresses = accessed.by.len() as u64;
    summary.shared = accessed.shared;
    summary.addresses_cut = accessed.cut;
    (summary, problem)
}

/// The events of one kind.
struct Kind {
    kind: Discriminant<Event>,
    name: &'static str,
    events: u64,
}

/// There are few, so they are searched one after the other.
type Kinds = Vec<Kind>;

fn count(kinds: &mut Kinds, event: &Event) {
    let kind = std::mem::discriminant(event);
    match kinds.iter_mut().find(|known| known.kind == kind) {
        Some(known) => known.events += 1,
        None => kinds.push(Kind { kind, name: event.kind(), events: 1 }),
    }
}

/// Who accessed what.
struct Accessed {
    /// Who accessed an address; nobody means that several did.
    by: FxHashMap<u64, Option<u32>>,
    shared: u64,
    cut: bool,
    /// Accesses that were noted a short while ago, by the lowest bits of addresses: most are repeated soon.
    recent: Vec<Option<(u64, u32)>>,
}

impl Default for Accessed {
    fn default() -> Self {
        Accessed { by: FxHashMap::default(), shared: 0, cut: false, recent: vec![None; RECENT] }
    }
}

const RECENT: usize = 1 << 14;

impl Accessed {
    fn note(&mut self, at: u64, thread: u32) {
        let recent = &mut self.recent[at as usize % RECENT];
        if *recent == Some((at, thread)) {
            return;
        }
        *recent = Some((at, thread));
        if let Some(by) = self.by.get_mut(&at) {
            if *by != Some(thread) && by.take().is_some() {
                self.shared += 1;
            }
        } else if self.by.len() < MOST_ADDRESSES {
            self.by.insert(at, Some(thread));
        } else {
            self.cut = true;
        }
    }
}
