//! Schedules as the run-time library needs them: points, sections, and for each event the site that it waits at.
//!
//! A table is made from a program schedule or from a witness, written to a file of 32-bit words, and read when the program starts.
//! Sites are counted as in the analysis; a module of the program finds its first one by its fingerprint.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// The first word of a file, and its version.
const MAGIC: u32 = 0x5244_5403;

/// A site that stands for the end of a thread.
pub const THREAD_END: u32 = u32::MAX;

/// A schedule for the run-time library.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The modules that it is for: fingerprint, and the number before that of the first site.
    pub modules: Vec<([u8; 32], u32)>,
    /// The sites of synchronization that is not performed.
    pub omitted: Vec<u32>,
    /// The points; the program starts at the first. One without sections is the end: from there on nobody waits.
    pub points: Vec<Point>,
    /// What the program is told when it asks for an arbitrary value, for each thread.
    pub inputs: Vec<Inputs>,
    /// How sites are called in messages.
    pub places: Vec<(u32, String)>,
    /// What it is for.
    pub goal: Goal,
}

/// The arbitrary values of a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// In the order in which it asks: where, and what it is told.
    pub values: Vec<(u32, u64)>,
    /// Where those begin that come again and again; how many there are, if none do.
    pub again: u32,
}

impl Inputs {
    /// What a thread is told that asks at a site, and how many values it has got then, if it had got so many before. What it does not ask
    /// for is left out.
    #[must_use]
    pub fn next(&self, got: usize, site: u32) -> Option<(usize, u64)> {
        let find = |from: usize, to: usize| {
            let values = self.values.get(from..to)?;
            let at = values.iter().position(|(asks, _)| *asks == site)?;
            Some((from + at + 1, values[at].1))
        };
        let again = self.again as usize;
        find(got, self.values.len()).or_else(|| find(again, got))
    }
}

/// Where sections start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Point {
    /// If there are several: the thread that decides which is taken, by the way that it goes.
    pub leader: u32,
    /// Whether it decides after the first event, which is then the same in all of them. Otherwise it decides where it is next.
    pub late: bool,
    /// The sections.
    pub sections: Vec<Section>,
}

/// What a table is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// The program is kept on a schedule. If it leaves it, it is stopped, or goes on as it likes.
    #[default]
    Enforce,
    /// The same, and a program that leaves its schedule goes on without.
    EnforceOrContinue,
    /// A run is repeated. Who has nothing left to do waits, until all do, or until the program ends by itself.
    Replay,
    /// The same, and in the end threads do what they wait for: it is to be seen that nobody can go on.
    Deadlock,
    /// The same with a lasso: the program is stopped when it has gone round so often.
    Lasso(u32),
}

/// A part of a schedule without branches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// If several sections start at a point: the sites at which the thread that decides may be next, if it is this one.
    pub ways: Vec<u32>,
    /// What happens; one order in which it can.
    pub events: Vec<Event>,
    /// The point where it leads.
    pub next: u32,
}

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// The thread, by the number in which threads are started.
    pub thread: u32,
    /// Where it waits.
    pub site: u32,
    /// What it waits for: that another thread has done so many of its events of this section.
    pub after: Vec<(u32, u32)>,
    /// Whether the next section need not wait for it. Such events are the last ones of their thread in a section, and not all.
    pub late: bool,
}

impl Table {
    /// The words of its file.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut words = Words(Vec::new());
        let (goal, rounds) = match self.goal {
            Goal::Enforce => (0, 0),
            Goal::EnforceOrContinue => (1, 0),
            Goal::Replay => (2, 0),
            Goal::Deadlock => (3, 0),
            Goal::Lasso(rounds) => (4, rounds),
        };
        words.put(MAGIC);
        words.put(goal);
        words.put(rounds);
        words.list(&self.modules, |words, (hash, base)| {
            words.0.extend_from_slice(hash);
            words.put(*base);
        });
        words.list(&self.omitted, |words, site| words.put(*site));
        words.list(&self.inputs, |words, inputs| {
            words.list(&inputs.values, |words, (site, value)| {
                words.put(*site);
                words.0.extend_from_slice(&value.to_le_bytes());
            });
            words.put(inputs.again);
        });
        words.list(&self.places, |words, (site, name)| {
            words.put(*site);
            words.list(name.as_bytes(), |words, byte| words.0.push(*byte));
        });
        words.list(&self.points, |words, point| {
            words.put(point.leader);
            words.put(u32::from(point.late));
            words.list(&point.sections, |words, section| {
                words.list(&section.ways, |words, way| words.put(*way));
                words.list(&section.events, |words, event| {
                    words.put(event.thread);
                    words.put(event.site);
                    words.list(&event.after, |words, (thread, count)| {
                        words.put(*thread);
                        words.put(*count);
                    });
                    words.put(u32::from(event.late));
                });
                words.put(section.next);
            });
        });
        words.0
    }

    /// Reads a file; none if it is no table.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Table> {
        let mut rest = Rest(bytes);
        if rest.word()? != MAGIC {
            return None;
        }
        let (goal, rounds) = (rest.word()?, rest.word()?);
        let goal = match goal {
            0 => Goal::Enforce,
            1 => Goal::EnforceOrContinue,
            2 => Goal::Replay,
            3 => Goal::Deadlock,
            4 => Goal::Lasso(rounds),
            _ => return None,
        };
        let modules = rest.list(|rest| {
            let hash: [u8; 32] = rest.take(32)?.try_into().ok()?;
            Some((hash, rest.word()?))
        })?;
        let omitted = rest.list(Rest::word)?;
        let inputs = rest.list(|rest| {
            let values = rest.list(|rest| Some((rest.word()?, rest.long()?)))?;
            Some(Inputs { values, again: rest.word()? })
        })?;
        let places = rest.list(|rest| {
            let site = rest.word()?;
            let name = rest.list(|rest| rest.take(1).map(|byte| byte[0]))?;
            Some((site, String::from_utf8(name).ok()?))
        })?;
        let points = rest.list(|rest| {
            let (leader, late) = (rest.word()?, rest.word()? != 0);
            let sections = rest.list(|rest| {
                let ways = rest.list(Rest::word)?;
                let events = rest.list(|rest| {
                    let (thread, site) = (rest.word()?, rest.word()?);
                    let after = rest.list(|rest| Some((rest.word()?, rest.word()?)))?;
                    Some(Event { thread, site, after, late: rest.word()? != 0 })
                })?;
                Some(Section { ways, events, next: rest.word()? })
            })?;
            Some(Point { leader, late, sections })
        })?;
        let table = Table { modules, omitted, points, inputs, places, goal };
        (rest.0.is_empty() && table.is_sound()).then_some(table)
    }

    /// Whether everything that is referred to is there, and sections that start together differ.
    fn is_sound(&self) -> bool {
        let sections = || self.points.iter().flat_map(|point| &point.sections);
        sections().all(|section| (section.next as usize) < self.points.len())
            && sections().count() <= MOST_EVENTS as usize
            && sections().all(|section| section.events.len() <= MOST_EVENTS as usize)
            && !self.points.is_empty()
            && self.points.iter().all(|point| point.leader < MOST_THREADS)
            && self
                .points
                .iter()
                .all(|point| !point.late || point.sections.iter().all(|s| !s.events.is_empty()))
            && sections().flat_map(|section| &section.events).all(|event| event.thread < MOST_THREADS)
            && sections().flat_map(|s| &s.events).flat_map(|e| &e.after).all(|(t, _)| *t < MOST_THREADS)
            && sections().all(Section::ends_late)
    }
}

impl Section {
    /// Whether events that are late come after others of their thread, and before none that are not.
    fn ends_late(&self) -> bool {
        let mut late: BTreeMap<u32, bool> = BTreeMap::new();
        self.events.iter().all(|event| match late.insert(event.thread, event.late) {
            Some(before) => event.late || !before,
            None => !event.late,
        })
    }
}

/// The most sections that a table can have, and the most events of a section.
pub const MOST_EVENTS: u32 = 1_000_000;

/// The most threads that a table can tell apart.
pub const MOST_THREADS: u32 = 4096;

struct Words(Vec<u8>);

impl Words {
    fn put(&mut self, word: u32) {
        self.0.extend_from_slice(&word.to_le_bytes());
    }

    fn list<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Words, &T)) {
        self.put(u32::try_from(items.len()).unwrap_or(u32::MAX));
        for item in items {
            each(self, item);
        }
    }
}

struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn word(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn long(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    /// A list. It is not believed to be longer than what is left.
    fn list<T>(&mut self, mut each: impl FnMut(&mut Rest<'a>) -> Option<T>) -> Option<Vec<T>> {
        let count = self.word()?;
        let mut items = Vec::with_capacity((count as usize).min(self.0.len() / 4));
        for _ in 0..count {
            items.push(each(self)?);
        }
        Some(items)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Table {
        let event = Event { thread: 1, site: 7, after: vec![(0, 2)], late: false };
        let late = Event { late: true, after: Vec::new(), ..event.clone() };
        let section = Section { ways: vec![7, THREAD_END], events: vec![event, late], next: 1 };
        Table {
            modules: vec![([3; 32], 10)],
            omitted: vec![4],
            points: vec![
                Point { leader: 1, late: true, sections: vec![section.clone(), section] },
                Point::default(),
            ],
            places: vec![(7, String::from("a.c:3"))],
            inputs: vec![Inputs { values: vec![(5, 1), (6, 2)], again: 1 }, Inputs::default()],
            goal: Goal::Lasso(3),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(Table::decode(&sample().encode()), Some(sample()));
    }

    #[test]
    fn values_are_those_of_the_place_and_come_again() {
        let inputs = Inputs { values: vec![(5, 1), (6, 2), (7, 3)], again: 1 };
        assert_eq!(inputs.next(0, 5), Some((1, 1)));
        assert_eq!(inputs.next(1, 7), Some((3, 3)));
        assert_eq!(inputs.next(3, 6), Some((2, 2)));
        assert_eq!(inputs.next(3, 5), None);
        let once = Inputs { again: 3, ..inputs };
        assert_eq!(once.next(3, 6), None);
    }

    #[test]
    fn every_shorter_file_is_refused() {
        let bytes = sample().encode();
        for length in 0..bytes.len() {
            assert_eq!(Table::decode(&bytes[..length]), None, "{length} bytes");
        }
    }

    #[test]
    fn a_list_is_not_believed_to_be_longer_than_the_file() {
        let mut bytes = sample().encode();
        bytes[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(Table::decode(&bytes), None);
    }
}
