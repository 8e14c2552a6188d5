//! Data races: two plain accesses to one place, one of them a write, that two threads can make next.

use std::collections::BTreeSet;

use engine::ViolationKind;
use ir::GlobalId;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::TermId;

use crate::atomicity::MANY;
use crate::ctp::{Access, Blocking, Ctp, Ev};
use crate::encode::Undecided;
use crate::lockset::Locksets;
use crate::outcome::Place;
use crate::search::Search;

/// Two events, and the global that both access.
pub(crate) type Pair = (Ev, Ev, GlobalId);

/// The accesses that an event can race with.
pub(crate) fn racing(ctp: &Ctp, event: Ev) -> &[Access] {
    let of = &ctp.events[event];
    if of.plain { &of.accesses[..of.first_accesses] } else { &[] }
}

/// The pairs that may race: neither order nor locks rule it out.
pub(crate) fn racing_pairs(ctp: &Ctp, locksets: &Locksets) -> Vec<Pair> {
    let mut by_global: FxHashMap<GlobalId, Vec<(Ev, bool)>> = FxHashMap::default();
    for event in 0..ctp.events.len() {
        let mut seen: FxHashMap<GlobalId, bool> = FxHashMap::default();
        for access in racing(ctp, event) {
            *seen.entry(access.global).or_default() |= access.write;
        }
        for (global, write) in seen {
            by_global.entry(global).or_default().push((event, write));
        }
    }
    let mut pairs = Vec::new();
    for (global, events) in by_global {
        for (at, &(one, writes)) in events.iter().enumerate() {
            for &(other, other_writes) in &events[at + 1..] {
                if (writes || other_writes)
                    && ctp.events[one].thread != ctp.events[other].thread
                    && !ctp.must_precede(one, other)
                    && !ctp.must_precede(other, one)
                    && locksets.may_meet(ctp, one, other)
                {
                    pairs.push((one, other, global));
                }
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

impl Search<'_, '_, '_, '_> {
    /// Looks for races between all pairs of accesses, one of each pair of ops; where these are very many, one of each pair of procedures.
    /// Returns those to be asked for again.
    pub(crate) fn races(&mut self, pairs: Vec<Pair>) -> Result<Vec<Pair>, Undecided> {
        let mut later = Vec::new();
        let op = |event: Ev| self.encoding.ctp.events[event].op;
        let all: FxHashSet<_> = pairs.iter().map(|(one, other, _)| (op(*one), op(*other))).collect();
        let by_procedure = all.len() > MANY;
        for (one, other, global) in pairs {
            let places =
                [one, other].map(|event| Place::new(self.encoding.ctp.events[event].op, by_procedure));
            let alike = (BTreeSet::from(places), by_procedure.then_some(global));
            if self.found.races.contains(&alike) {
                continue;
            }
            let literals = self.meeting(one, other, global);
            match self.encoding.ask(&literals) {
                Ok(Some(model)) => {
                    self.found.races.insert(alike);
                    let run = self.run(&model, None);
                    self.show(ViolationKind::DataRace, run);
                }
                Ok(None) => {}
                Err(why) => later.extend(self.undecided(why)?.then_some((one, other, global))),
            }
        }
        Ok(later)
    }

    /// Both threads stand right before their accesses, and those are to the same place.
    fn meeting(&mut self, one: Ev, other: Ev, global: GlobalId) -> Vec<TermId> {
        let mut literals = vec![self.encoding.standing(one), self.encoding.standing(other)];
        for event in [one, other] {
            if self.encoding.ctp.events[event].blocking != Blocking::Never {
                literals.extend(&self.encoding.ctp.events[event].guard);
            }
            for waited in &self.encoding.ctp.events[event].waits {
                let completion = self.encoding.ctp.completed_by[*waited];
                literals.extend(completion.map(|completion| self.encoding.inside[completion]));
            }
        }
        let mut ways = Vec::new();
        for a in racing(self.encoding.ctp, one).iter().filter(|access| access.global == global) {
            for b in racing(self.encoding.ctp, other).iter().filter(|access| access.global == global) {
                if a.write || b.write {
                    let same = self.encoding.executor.same_index(&a.index, &b.index);
                    ways.push(self.encoding.pool().and([a.when, b.when, same]));
                }
            }
        }
        literals.push(self.encoding.pool().or(ways));
        literals
    }
}
