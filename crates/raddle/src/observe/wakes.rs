//! Which signal woke which thread in a recorded run. The trace has who began to wait for which condition variable, the signals, and
//! who went on; a thread that goes on was woken by a signal that came while it waited.

use std::collections::{BTreeMap, BTreeSet};

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
    /// The ends of waits that no signal ended: they were late, or ended on their own.
    unsignalled: BTreeSet<usize>,
    /// Whether some wait ended on its own that cannot be late.
    spurious: bool,
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
                match signals.iter().position(|signal| *signal > since) {
                    Some(at) => {
                        self.woken.insert(signals.remove(at), thread);
                    }
                    None => {
                        self.unsignalled.insert(position);
                        self.spurious |= op == Op::CondWait;
                    }
                }
            }
            Event::Sync { op, .. } if waits(op) => {
                self.waiting.remove(&thread);
                self.unsignalled.insert(position);
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

    /// Whether no signal ended the wait that ends at a position.
    pub(super) fn is_unsignalled(&self, end: usize) -> bool {
        self.unsignalled.contains(&end)
    }

    /// Whether some wait that has no time limit ended without a signal.
    pub(super) fn has_spurious(&self) -> bool {
        self.spurious
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
    fn waits_end_without_a_signal() {
        let late = Event::Sync { site: 1, op: Op::CondTimedWait, object: 10, other: 0, result: 110 };
        let wakes = noted(&[
            (1, Event::Waits { site: 1, op: Op::CondTimedWait, object: 10, other: 0 }),
            (1, late),
            (2, waits(10)),
            (2, sync(Op::CondWait, 10)),
        ]);
        assert!(wakes.is_unsignalled(1) && wakes.is_unsignalled(3) && wakes.has_spurious());
    }

    #[test]
    fn who_is_woken_may_not_have_gone_on() {
        let wakes = noted(&[(1, waits(10)), (3, sync(Op::CondSignal, 10)), (3, sync(Op::CondSignal, 20))]);
        assert_eq!((wakes.by(1), wakes.by(2)), (Some(1), None));
    }
}
