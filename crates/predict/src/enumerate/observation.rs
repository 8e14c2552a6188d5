//! What is noted of states while they are listed: where nobody can go on, which assertions fail, which accesses meet, and how far threads
//! come.

use ir::OpRef;

use super::valuation::Environment;
use super::{Explorer, GivenUp, State, Step};
use crate::ctp::{Blocking, Ev};
use crate::encode::Model;
use crate::race::{self, Pair};

impl Explorer<'_, '_, '_, '_> {
    /// Keeps the way to a state in which nobody can go on, unless it is like another one.
    pub(super) fn note_stuck(&mut self, state: &State, id: usize) {
        let threads = 0..self.ctp.threads.len();
        let ops: Vec<OpRef> = threads
            .filter_map(|thread| self.next(state, thread))
            .map(|event| self.ctp.events[event].op)
            .collect();
        if ops.iter().all(|op| self.stuck_at.contains(op)) {
            return;
        }
        self.stuck_at.extend(ops);
        let mut ways = Vec::new();
        let mut at = id;
        loop {
            let (from, steps) = &self.ways[at];
            ways.push(steps);
            if at == 0 {
                break;
            }
            at = *from;
        }
        let steps: Vec<Step> = ways.into_iter().rev().flatten().copied().collect();
        self.shown.stuck.push(Model {
            order: steps.iter().map(|(event, _)| *event).collect(),
            chosen: steps.iter().filter_map(|(event, chosen)| Some((*event, (*chosen)?))).collect(),
        });
    }

    /// Notes which assertions of an event fail.
    pub(super) fn assertions(&mut self, event: Ev, in_tail: bool, read: &Environment) -> Result<(), GivenUp> {
        let ctp = self.ctp;
        for (at, assertion) in ctp.events[event].assertions.iter().enumerate() {
            if assertion.in_tail != in_tail || self.shown.failing.contains(&(event, at)) {
                continue;
            }
            let mut comes = true;
            for &condition in &assertion.before {
                comes = comes && self.values.truth(condition, read)?;
            }
            if comes && !self.values.truth(assertion.holds, read)? {
                self.shown.failing.insert((event, at));
            }
        }
        Ok(())
    }

    /// Whether nobody can go on and somebody waits: as [`crate::deadlock`] says it to the solver.
    pub(super) fn is_stuck(&mut self, state: &State) -> Result<bool, GivenUp> {
        let ctp = self.ctp;
        let mut waits = false;
        for thread in 0..ctp.threads.len() {
            let started = ctp.started_by[thread].is_none_or(|start| self.is_executed(state, start));
            if ctp.absent[thread] || !started {
                continue;
            }
            let Some(&event) = ctp.threads[thread].get(state.executed[thread]) else {
                match ctp.threads[thread].last() {
                    Some(last) if ctp.events[*last].completes => continue,
                    _ => return Ok(false),
                }
            };
            let of = &ctp.events[event];
            let Blocking::Until(condition) = of.blocking else { return Ok(false) };
            if of.exits || state.strayed[thread] {
                return Ok(false);
            }
            let read = self.environment(state, event)?;
            let enabled = self.values.truth(condition, &read)?;
            let free = of.locks.iter().filter(|op| op.acquire && self.ordered[op.lock]);
            let free = free.into_iter().all(|op| state.holders[op.lock].is_none());
            if enabled && free && self.has_waited(state, event) {
                return Ok(false);
            }
            waits = true;
        }
        Ok(waits)
    }

    /// Notes which accesses meet: as [`crate::race`] says it to the solver.
    pub(super) fn races(&mut self, state: &State) -> Result<(), GivenUp> {
        if self.pairs.is_empty() {
            return Ok(());
        }
        let next: Vec<Ev> =
            (0..self.ctp.threads.len()).filter_map(|thread| self.next(state, thread)).collect();
        for (at, &one) in next.iter().enumerate() {
            for &other in &next[at + 1..] {
                let (one, other) = (one.min(other), one.max(other));
                for pair in self.pairs.get(&(one, other)).cloned().unwrap_or_default() {
                    if !self.shown.meeting.contains(&pair) && self.meet(state, pair)? {
                        self.shown.meeting.insert(pair);
                    }
                }
            }
        }
        Ok(())
    }

    fn meet(&mut self, state: &State, (one, other, global): Pair) -> Result<bool, GivenUp> {
        let mut read = self.environment(state, one)?;
        read.add(&self.environment(state, other)?);
        for event in [one, other] {
            let of = &self.ctp.events[event];
            // What may be chosen may be chosen so that it fits.
            if of.blocking != Blocking::Never && of.free.is_empty() {
                for &condition in &of.guard {
                    if !self.values.truth(condition, &read)? {
                        return Ok(false);
                    }
                }
            }
            if !self.has_waited(state, event) {
                return Ok(false);
            }
        }
        let ctp = self.ctp;
        for a in race::racing(ctp, one).iter().filter(|access| access.global == global) {
            for b in race::racing(ctp, other).iter().filter(|access| access.global == global) {
                let same = a.index.len() != b.index.len()
                    || self.values.all(&a.index, &read)? == self.values.all(&b.index, &read)?;
                if (a.write || b.write)
                    && same
                    && self.values.truth(a.when, &read)?
                    && self.values.truth(b.when, &read)?
                {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Finds out how far threads come after events were executed.
    pub(super) fn reaches(&mut self) {
        let threads = self.ctp.threads.len();
        let mut farthest: Vec<usize> =
            self.states.iter().flat_map(|state| state.executed.iter().copied()).collect();
        let done = |id: usize| self.states[id].executed.iter().sum::<usize>();
        // Steps lead to states after more events, so these come first.
        self.edges.sort_by_cached_key(|(from, _)| std::cmp::Reverse(done(*from)));
        for &(from, to) in &self.edges {
            for thread in 0..threads {
                let reach = farthest[to * threads + thread];
                let known = &mut farthest[from * threads + thread];
                *known = (*known).max(reach);
            }
        }
        for &(event, thread, count, to) in &self.crossings {
            let reach = farthest[to * threads + thread];
            let known = self.shown.reaches.entry((event, thread, count)).or_default();
            *known = (*known).max(reach);
        }
    }
}
