//! Whether a trace can have happened: an independent judgement of the order of its events.
//!
//! Each read sees the last write in the order of the trace. A mutex has one owner. Threads begin when they were created, and are
//! over when they are joined.

use std::collections::{BTreeMap, BTreeSet};

use trace::{Event, Op, Record};

#[derive(Default)]
struct State {
    memory: BTreeMap<u64, u8>,
    mutexes: BTreeMap<u64, (u32, u32)>,
    created: BTreeSet<u32>,
    started: BTreeSet<u32>,
    ended: BTreeSet<u32>,
    /// Whether events were lost: then what memory holds is not known.
    lost: bool,
}

/// Panics if the events cannot have happened in this order.
pub(crate) fn check(records: &[Record]) {
    let mut state =
        State { lost: records.iter().any(|r| matches!(r.event, Event::Lost { .. })), ..State::default() };
    let mut turn = (0, 0);
    for (index, record) in records.iter().enumerate() {
        if record.event == Event::Turn {
            assert_eq!(record.turn, turn.0 + 1, "turns follow each other");
            turn = (record.turn, record.thread);
        }
        assert_eq!(
            (record.turn, record.thread),
            turn,
            "event {index} is in the turn of its thread: {record:?}"
        );
        state.step(index, record);
    }
}

impl State {
    fn step(&mut self, index: usize, record: &Record) {
        let thread = record.thread;
        if !matches!(record.event, Event::Turn | Event::Lost { .. }) && !self.started.contains(&thread) {
            assert_eq!(record.event, Event::Start, "event {index}: a thread begins with its start");
        }
        assert!(!self.ended.contains(&thread), "event {index}: thread {thread} is over: {record:?}");
        match record.event {
            Event::Start => assert!(self.started.insert(thread), "event {index}: a thread starts once"),
            Event::End => assert!(self.ended.insert(thread)),
            Event::Create { thread, result: 0, .. } => {
                assert!(self.created.insert(thread), "event {index}: a thread is created once: {record:?}");
            }
            Event::Read { at, size, value, .. } => self.sees(index, record, at, size, value),
            Event::Write { at, size, value, .. } => self.holds(at, size, value),
            Event::Update { at, size, old, new, .. } => {
                self.sees(index, record, at, size, old);
                self.holds(at, size, new);
            }
            Event::Fill { to, byte, bytes, .. } => {
                self.memory.extend((to..to + bytes).map(|at| (at, byte)));
            }
            Event::Copy { to, from, bytes, .. } => {
                let copied: Vec<_> = (0..bytes).map(|n| self.memory.get(&(from + n)).copied()).collect();
                for (at, byte) in (to..).zip(copied) {
                    match byte {
                        Some(byte) => self.memory.insert(at, byte),
                        None => self.memory.remove(&at),
                    };
                }
            }
            Event::Waits { op: Op::CondWait | Op::CondTimedWait, other, .. } => {
                self.unlock(index, record, other);
            }
            Event::Sync { op, object, other, result, .. } => {
                self.synchronize(index, record, op, object, other, result);
            }
            _ => {}
        }
    }

    fn synchronize(&mut self, index: usize, record: &Record, op: Op, object: u64, other: u64, result: i64) {
        match op {
            Op::MutexLock | Op::MutexTryLock | Op::MutexTimedLock if result == 0 => {
                self.lock(index, record, object);
            }
            Op::MutexUnlock if result == 0 => self.unlock(index, record, object),
            Op::CondWait | Op::CondTimedWait => self.lock(index, record, other),
            Op::Join if result == 0 => {
                assert!(
                    self.ended.contains(&(other as u32)),
                    "event {index}: joined before the end: {record:?}"
                );
            }
            _ => {}
        }
    }

    fn lock(&mut self, index: usize, record: &Record, mutex: u64) {
        let (owner, depth) = self.mutexes.entry(mutex).or_insert((record.thread, 0));
        assert!(
            *depth == 0 || *owner == record.thread || self.lost,
            "event {index}: thread {owner} has the mutex: {record:?}"
        );
        *owner = record.thread;
        *depth += 1;
    }

    fn unlock(&mut self, index: usize, record: &Record, mutex: u64) {
        let held = self.mutexes.get_mut(&mutex).filter(|held| held.0 == record.thread && held.1 > 0);
        match held {
            Some(held) => held.1 -= 1,
            None => assert!(self.lost, "event {index}: not the owner: {record:?}"),
        }
    }

    fn sees(&mut self, index: usize, record: &Record, at: u64, size: u32, value: u64) {
        for (at, byte) in (at..).zip(value.to_le_bytes()).take(size as usize) {
            let last = *self.memory.entry(at).or_insert(byte);
            assert!(last == byte || self.lost, "event {index} does not see the last write: {record:?}");
        }
    }

    fn holds(&mut self, at: u64, size: u32, value: u64) {
        self.memory.extend((at..).zip(value.to_le_bytes()).take(size as usize));
    }
}
