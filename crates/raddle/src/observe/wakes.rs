//! Which signal woke which thread in a recorded run. The trace has who began to wait for which condition variable, the signals, and
//! who went on; a thread that goes on was woken by a signal that came while it waited.

use std::collections::BTreeMap;

use trace::{Event, Op};

/// What is known so far of the condition variables of a run.
#[derive(Debug, Default)]
pub(super) struct Wakes {
    /// For each condition variable, the signals that have woken nobody yet, by their positions.
    signals: BTreeMap<u64, Vec<usize>>,
    /// Where each thread began to wait, with the condition variable.
    waiting: BTreeMap<u32, (u64, usize)>,
    /// The thread that each signal woke.
    woken: BTreeMap<usize, u32>,
}

impl Wakes {
    /// Notes an event that is the next one in the order of all that others see.
    pub(super) fn note(&mut self, thread: u32, event: &Event, position: usize) {
        let waits = |op: Op| matches!(op, Op::CondWait | Op::CondTimedWait);
        match *event {
            Event::Waits { op, object, .. } if waits(op) => {
                self.waiting.insert(thread, (object, position));
            }
            Event::Sync { op: Op::CondSignal, object, .. } => {
                self.signals.entry(object).or_default().push(position);
            }
            Event::Sync { op: Op::CondBroadcast, object, .. } => {
                self.settle(object);
                self.waiting.retain(|_, (of, _)| *of != object);
            }
            Event::Sync { op, result: 0, .. } if waits(op) => {
                let Some((object, since)) = self.waiting.remove(&thread) else { return };
                let signals = self.signals.entry(object).or_default();
                if let Some(at) = signals.iter().position(|signal| *signal > since) {
                    self.woken.insert(signals.remove(at), thread);
                }
            }
            Event::Sync { op, .. } if waits(op) => {
                self.waiting.remove(&thread);
            }
            _ => {}
        }
    }

    /// A signal that came while somebody waited woke one of them, also if none has gone on yet: each of those that are left is given one
    /// who waits.
    fn settle(&mut self, object: u64) {
        for signal in self.signals.remove(&object).unwrap_or_default() {
            let mut waiting = self.waiting.iter().filter(|(_, (of, since))| *of == object && *since < signal);
            if let Some(thread) = waiting.next().map(|(thread, _)| *thread) {
                self.waiting.remove(&thread);
                self.woken.insert(signal, thread);
            }
        }
    }

    /// The run is over.
    pub(super) fn end(&mut self) {
        for object in self.signals.keys().copied().collect::<Vec<_>>() {
            self.settle(object);
        }
    }

    /// The thread that the signal at a position woke, if anybody waited.
    pub(super) fn by(&self, signal: usize) -> Option<u32> {
        self.woken.get(&signal).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(events: &[(u32, Event)]) -> Wakes {
        let mut wakes = Wakes::default();
        for (position, (thread, event)) in events.iter().enumerate() {
            wakes.note(*thread, event, position);
        }
        wakes.end();
        wakes
    }

    fn waits(object: u64) -> Event {
        Event::Waits { site: 1, op: Op::CondWait, object, other: 0 }
    }

    fn sync(op: Op, object: u64) -> Event {
        Event::Sync { site: 1, op, object, other: 0, result: 0 }
    }

    #[test]
    fn a_signal_wakes_who_waits_for_the_same_thing() {
        let wakes = noted(&[
            (1, waits(10)),
            (2, waits(20)),
            (3, sync(Op::CondSignal, 20)),
            (3, sync(Op::CondSignal, 10)),
            (1, sync(Op::CondWait, 10)),
            (2, sync(Op::CondWait, 20)),
        ]);
        assert_eq!((wakes.by(2), wakes.by(3)), (Some(2), Some(1)));
    }

    #[test]
    fn an_earlier_signal_wakes_nobody_who_comes_later() {
        let wakes = noted(&[
            (1, waits(10)),
            (3, sync(Op::CondSignal, 10)),
            (2, waits(10)),
            (3, sync(Op::CondSignal, 10)),
            (2, sync(Op::CondWait, 10)),
            (1, sync(Op::CondWait, 10)),
        ]);
        assert_eq!((wakes.by(1), wakes.by(3)), (Some(1), Some(2)));
    }

    #[test]
    fn who_is_woken_may_go_on_after_a_broadcast() {
        let wakes = noted(&[
            (1, waits(10)),
            (3, sync(Op::CondSignal, 10)),
            (3, sync(Op::CondSignal, 10)),
            (3, sync(Op::CondBroadcast, 10)),
            (1, sync(Op::CondWait, 10)),
        ]);
        assert_eq!((wakes.by(1), wakes.by(2)), (Some(1), None));
    }

    #[test]
    fn each_signal_wakes_another() {
        let wakes = noted(&[
            (1, waits(10)),
            (2, waits(10)),
            (3, sync(Op::CondSignal, 10)),
            (3, sync(Op::CondSignal, 10)),
        ]);
        assert_eq!((wakes.by(2), wakes.by(3)), (Some(1), Some(2)));
    }

    #[test]
    fn who_is_woken_may_not_have_gone_on() {
        let wakes = noted(&[(1, waits(10)), (3, sync(Op::CondSignal, 10)), (3, sync(Op::CondSignal, 20))]);
        assert_eq!((wakes.by(1), wakes.by(2)), (Some(1), None));
    }
}
