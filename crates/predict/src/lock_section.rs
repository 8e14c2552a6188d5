//! Mutexes without pi-functions. All that is known of a mutex which is only acquired and given back is that its sections do not
//! overlap: of two sections of different threads, one ends before the other begins. That takes one clause per pair
//! of sections, where pi-functions take one per triple of ops. It is the simplification of section 4 of the paper, taken
//! further: an acquire reads nil, so it sees a release, or nobody has held the mutex before.

use ir::GlobalId;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::TermId;

use crate::ctp::{Ctp, Ev};
use crate::encode::Encoding;

/// From the event that takes a mutex to the one that gives it back; nothing where that is outside of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) lock: usize,
    pub(crate) thread: usize,
    pub(crate) begin: Option<Ev>,
    pub(crate) end: Option<Ev>,
}

/// The sections of all mutexes whose ops are ordered in this way.
pub(crate) fn sections(ctp: &Ctp, owners: &FxHashSet<GlobalId>) -> Vec<Section> {
    let mut open: FxHashMap<(usize, usize), Section> = FxHashMap::default();
    let ordered = |lock: usize| ctp.locks.get(lock).is_some_and(|owner| owners.contains(owner));
    for &(lock, thread) in ctp.held.iter().filter(|(lock, _)| ordered(*lock)) {
        open.insert((lock, thread), Section { lock, thread, begin: None, end: None });
    }
    let mut sections = Vec::new();
    for (event, of) in ctp.events.iter().enumerate() {
        for op in of.locks.iter().filter(|op| ordered(op.lock)) {
            let key = (op.lock, of.thread);
            if op.acquire {
                let section = Section { lock: op.lock, thread: of.thread, begin: Some(event), end: None };
                sections.extend(open.insert(key, section));
            } else if let Some(section) = open.remove(&key) {
                sections.push(Section { end: Some(event), ..section });
            }
        }
    }
    let mut rest: Vec<Section> = open.into_values().collect();
    rest.sort_unstable_by_key(|section| (section.lock, section.thread, section.begin));
    sections.extend(rest);
    sections
}

impl Encoding<'_, '_, '_> {
    /// Two sections of a mutex do not overlap.
    pub(crate) fn mutual_exclusion(&mut self) {
        let sections = self.sections.clone();
        let mut by_lock: FxHashMap<usize, Vec<Section>> = FxHashMap::default();
        for section in sections {
            by_lock.entry(section.lock).or_default().push(section);
        }
        let mut locks: Vec<_> = by_lock.into_iter().collect();
        locks.sort_unstable_by_key(|(lock, _)| *lock);
        for (_, sections) in locks {
            for (at, first) in sections.iter().enumerate() {
                for second in sections[..at].iter().filter(|second| second.thread != first.thread) {
                    self.exclude(*first, *second);
                }
            }
        }
    }

    fn exclude(&mut self, first: Section, second: Section) {
        let mut either = Vec::new();
        for section in [first, second] {
            if let Some(begin) = section.begin {
                let inside = self.inside[begin];
                either.push(self.pool().not(inside));
            }
        }
        for (one, other) in [(first, second), (second, first)] {
            if let (Some(end), Some(begin)) = (one.end, other.begin) {
                let (inside, before) = (self.inside[end], self.before(end, begin));
                either.push(self.pool().and([inside, before]));
            }
        }
        let clause = self.pool().or(either);
        self.assert(clause);
    }

    /// Whether somebody holds a mutex after the prefix.
    pub(crate) fn is_held(&mut self, lock: usize) -> TermId {
        let sections = self.sections.clone();
        let mut holds = Vec::new();
        for section in sections.iter().filter(|section| section.lock == lock) {
            let mut needs: Vec<TermId> = section.begin.map(|begin| self.inside[begin]).into_iter().collect();
            if let Some(end) = section.end {
                let inside = self.inside[end];
                needs.push(self.pool().not(inside));
            }
            holds.push(self.pool().and(needs));
        }
        self.pool().or(holds)
    }
}
