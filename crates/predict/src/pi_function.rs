//! The pi-function of a use of a shared variable (Definition 3): the values that it can have are those of the most recent
//! definition in its own thread and of all definitions in others, and it has the one that was executed last.

use smt::{SortId, TermId};

use crate::ctp::Ev;
use crate::encode::Encoding;

/// A definition that a use can see.
struct Candidate {
    event: Ev,
    at: usize,
    /// Whether it defines the cell that is used.
    same: TermId,
}

impl Encoding<'_, '_, '_> {
    /// Asserts the pi-function of a use (the formula `Phi_PI`).
    pub(crate) fn pi_function(&mut self, of: usize) {
        let (event, term) = (self.executor.uses[of].event, self.executor.uses[of].term);
        let candidates = self.candidates(of);
        let (global, index) = (self.executor.uses[of].global, self.executor.uses[of].index.clone());
        let mut choices = Vec::new();
        if let Some(initial) = self.executor.at_beginning(global, &index) {
            self.pending.push(initial);
            let mut needs = vec![self.executor.translator.same(term, initial)];
            for candidate in &candidates {
                needs.push(self.not_between(candidate, None, event));
            }
            choices.push(needs);
        }
        for (position, candidate) in candidates.iter().enumerate() {
            let value = self.ctp.events[candidate.event].definitions[candidate.at].value;
            self.pending.push(value);
            let mut needs = vec![
                candidate.same,
                self.executor.translator.same(term, value),
                self.inside[candidate.event],
                self.before(candidate.event, event),
            ];
            for (other, hiding) in candidates.iter().enumerate() {
                if other != position {
                    needs.push(self.not_between(hiding, Some(candidate), event));
                }
            }
            choices.push(needs);
        }
        self.one_of(event, &choices);
        // What nobody needs is nothing: solvers for integers may search for ever among values that do not matter.
        if self.pool().sort_of(term) == SortId::INT {
            let live = self.live(event);
            let zero = self.pool().int(0);
            let nothing = self.pool().eq(term, zero);
            let either = self.pool().or([live, nothing]);
            self.solver.assert(&self.executor.translator.pool, either);
        }
        self.defined.entry(event).or_default().push(of);
        if let Some(&stands) = self.standing.get(&event) {
            self.reads_at_end(of, stands);
        }
    }

    /// One of some lists of conditions holds if the event is executed, or looked at as the next one.
    fn one_of(&mut self, event: Ev, choices: &[Vec<TermId>]) {
        let mut selected = Vec::new();
        for needs in choices {
            if needs.iter().any(|need| self.executor.translator.pool.as_bool(*need) == Some(false)) {
                continue;
            }
            let prefix = format!("{}see", self.prefix);
            let chosen = self.executor.translator.fresh(&prefix, SortId::BOOL);
            for &need in needs {
                let implied = self.pool().implies(chosen, need);
                if self.pool().as_bool(implied) != Some(true) {
                    self.pending.push(implied);
                    self.solver.assert(&self.executor.translator.pool, implied);
                }
            }
            selected.push(chosen);
        }
        let live = self.live(event);
        let some = self.pool().or(selected);
        let implied = self.pool().implies(live, some);
        self.solver.assert(&self.executor.translator.pool, implied);
    }

    /// Whether the values that an event reads have to be right.
    fn live(&mut self, event: Ev) -> TermId {
        if self.live[event] == self.inside[event] {
            let name = format!("{}live{event}", self.prefix);
            let live = self.pool().constant(&name, SortId::BOOL);
            let inside = self.inside[event];
            let implied = self.pool().implies(inside, live);
            self.solver.assert(&self.executor.translator.pool, implied);
            self.live[event] = live;
        }
        self.live[event]
    }

    /// A definition does not come between another one, or the beginning, and a use.
    fn not_between(&mut self, hiding: &Candidate, seen: Option<&Candidate>, event: Ev) -> TermId {
        let inside = self.inside[hiding.event];
        let absent = self.pool().not(inside);
        let other_cell = self.pool().not(hiding.same);
        let after = self.before(event, hiding.event);
        let earlier = match seen {
            Some(seen) if seen.event == hiding.event => self.pool().bool(hiding.at < seen.at),
            Some(seen) => self.before(hiding.event, seen.event),
            None => self.pool().bool(false),
        };
        self.pool().or([absent, other_cell, after, earlier])
    }

    /// The definitions that a use can see. Of those that must come before it in a thread, the last one hides the others.
    fn candidates(&mut self, of: usize) -> Vec<Candidate> {
        let (event, global) = (self.executor.uses[of].event, self.executor.uses[of].global);
        let index = self.executor.uses[of].index.clone();
        let by_thread = self.definitions.get(&global).cloned().unwrap_or_default();
        let mut candidates = Vec::new();
        for definitions in by_thread {
            for (other, at) in definitions.into_iter().rev() {
                if other == event || self.ctp.must_precede(event, other) {
                    continue;
                }
                let defined = self.ctp.events[other].definitions[at].index.clone();
                let same = self.executor.same_index(&defined, &index);
                let known = self.pool().as_bool(same);
                if known == Some(false) {
                    continue;
                }
                candidates.push(Candidate { event: other, at, same });
                if known == Some(true) && self.ctp.must_precede(other, event) {
                    break;
                }
            }
        }
        candidates
    }

    /// An event that is looked at as the next of its thread reads what the whole prefix leaves.
    pub(crate) fn reads_at_end(&mut self, of: usize, stands: TermId) {
        let event = self.executor.uses[of].event;
        let live = self.live(event);
        let implied = self.pool().implies(stands, live);
        self.solver.assert(&self.executor.translator.pool, implied);
        for candidate in self.candidates(of) {
            let inside = self.inside[candidate.event];
            let before = self.before(candidate.event, event);
            let not_inside = self.pool().not(inside);
            let ordered = self.pool().or([not_inside, before]);
            let implied = self.pool().implies(stands, ordered);
            self.solver.assert(&self.executor.translator.pool, implied);
        }
    }
}
