//! The order of events, pair by pair. For two events that can be executed in either order there is one truth value: whether they
//! are in the *other* order than in the run. `HB(t, t')` is that value or its negation.
//!
//! The paper gives each event an integer, so that `HB` is a difference constraint. Here the solver knows nothing of the order but
//! these truth values, and takes them for false unless it has a reason: it starts from the order of the run and changes what
//! it must. What it finds may have cycles; these are looked for, forbidden, and the question is asked again. Since what is
//! forbidden holds of every order, later questions profit from it.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use smt::{SortId, TermId, TermPool};

use crate::ctp::{Ctp, Ev};

/// The pairs of events whose order matters.
#[derive(Default)]
pub(crate) struct Order {
    /// For the earlier event of the run and the later one, whether they are the other way round.
    swapped: FxHashMap<(Ev, Ev), TermId>,
    pairs: Vec<(Ev, Ev, TermId)>,
    /// For each event and thread, the events of that thread that it is in a pair with, by position.
    partners: FxHashMap<(Ev, usize), BTreeMap<usize, Ev>>,
    /// What follows from program order, and was not asserted yet.
    pub(crate) implied: Vec<TermId>,
    /// The events that some pair, or the start or completion of a thread, is about.
    matters: Vec<bool>,
}

impl Order {
    pub(crate) fn new(ctp: &Ctp) -> Self {
        let mut order = Order { matters: vec![false; ctp.events.len()], ..Order::default() };
        for (event, of) in ctp.events.iter().enumerate() {
            order.matters[event] = !of.spawns.is_empty() || !of.waits.is_empty() || of.completes;
        }
        order
    }

    /// Whether the order of an event matters for some question.
    pub(crate) fn matters(&self, event: Ev) -> bool {
        self.matters[event]
    }

    /// All pairs: the events in the order of the run, and the truth value.
    pub(crate) fn pairs(&self) -> &[(Ev, Ev, TermId)] {
        &self.pairs
    }

    /// Whether an event comes before another one.
    pub(crate) fn before(
        &mut self,
        pool: &mut TermPool,
        ctp: &Ctp,
        first: Ev,
        second: Ev,
        prefix: &str,
    ) -> TermId {
        if first == second || ctp.must_precede(second, first) {
            return pool.bool(false);
        }
        if ctp.must_precede(first, second) {
            return pool.bool(true);
        }
        let (early, late) = (first.min(second), first.max(second));
        let swapped = match self.swapped.get(&(early, late)) {
            Some(&known) => known,
            None => {
                let term = pool.constant(&format!("{prefix}swap{early}.{late}"), SortId::BOOL);
                self.swapped.insert((early, late), term);
                self.pairs.push((early, late, term));
                self.matters[early] = true;
                self.matters[late] = true;
                self.chain(pool, ctp, early, late, term);
                term
            }
        };
        if first < second { pool.not(swapped) } else { swapped }
    }

    /// What a new pair has to do with its neighbours: who comes after an event comes after those before it in its thread.
    fn chain(&mut self, pool: &mut TermPool, ctp: &Ctp, early: Ev, late: Ev, swapped: TermId) {
        for (event, other) in [(early, late), (late, early)] {
            let (thread, pos) = (ctp.events[other].thread, ctp.events[other].pos);
            let partners = self.partners.entry((event, thread)).or_default();
            let before = partners.range(..pos).next_back().map(|(_, other)| *other);
            let after = partners.range(pos + 1..).next().map(|(_, other)| *other);
            partners.insert(pos, other);
            // That the event comes after the other one.
            let here = if event > other { pool.not(swapped) } else { swapped };
            for (neighbour, is_after) in [(before, false), (after, true)] {
                let Some(neighbour) = neighbour else { continue };
                let known = self.swapped.get(&(event.min(neighbour), event.max(neighbour)));
                let Some(&known) = known else { continue };
                let there = if event > neighbour { pool.not(known) } else { known };
                let (strong, weak) = if is_after { (there, here) } else { (here, there) };
                self.implied.push(pool.implies(strong, weak));
            }
        }
    }
}
