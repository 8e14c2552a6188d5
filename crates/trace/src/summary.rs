//! How much of what is in a trace.

use std::collections::BTreeMap;
use std::io::{Read, Seek};

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
    // Who accessed an address; nobody means that several did.
    let mut accessed: BTreeMap<u64, Option<u32>> = BTreeMap::new();
    let mut last = None;
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
        *summary.threads.entry(record.thread).or_default().entry(record.event.kind()).or_default() += 1;
        if last.is_some_and(|last| last != record.thread) {
            summary.switches += 1;
        }
        last = Some(record.thread);
        match record.event {
            Event::Read { at, .. } | Event::Write { at, .. } | Event::Update { at, .. } => {
                if let Some(by) = accessed.get_mut(&at) {
                    if *by != Some(record.thread) && by.take().is_some() {
                        summary.shared += 1;
                    }
                } else if accessed.len() < MOST_ADDRESSES {
                    accessed.insert(at, Some(record.thread));
                } else {
                    summary.addresses_cut = true;
                }
            }
            Event::Lost { events } => summary.lost = summary.lost.saturating_add(events),
            _ => {}
        }
    }
    summary.addresses = accessed.len() as u64;
    (summary, problem)
}
