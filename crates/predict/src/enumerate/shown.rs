//! What a list of all states shows, and what need not be asked then.

use rustc_hash::{FxHashMap, FxHashSet};
use smt::TermId;

use crate::ctp::{Ctp, Ev};
use crate::encode::Model;
use crate::pattern::Triple;
use crate::race::Pair;

/// What the states show.
#[derive(Default)]
pub(crate) struct Shown {
    /// How those in which nobody can go on are come to, as long as somebody stands where nobody stood before.
    pub(crate) stuck: Vec<Model>,
    /// The assertions that fail, by event and position.
    pub(super) failing: FxHashSet<(Ev, usize)>,
    /// The pairs of accesses before which two threads stand at once.
    pub(crate) meeting: FxHashSet<Pair>,
    /// How many events have something to do with others.
    pub(crate) events: usize,
    /// The conditions in guards and tails that do not hold somewhere, by event.
    pub(super) broken: FxHashSet<(Ev, TermId)>,
    /// When an event is executed after so many events of another thread, how far that thread can come.
    pub(super) reaches: FxHashMap<(Ev, usize, usize), usize>,
}

impl Shown {
    /// Whether three events can be executed in this order, as far as that does not depend on what they access.
    pub(crate) fn orders(&self, ctp: &Ctp, triple: &Triple) -> bool {
        let (first, last) = (&ctp.events[triple.first], &ctp.events[triple.last]);
        (first.pos + 1..=last.pos).any(|count| {
            self.reaches.get(&(triple.middle, first.thread, count)).is_some_and(|reach| *reach > last.pos)
        })
    }

    /// Leaves out the conditions that always hold, the assertions that do, and the branches that always go the same way.
    pub(crate) fn simplify(&self, ctp: &mut Ctp) {
        ctp.retain_conditions(
            |event, condition| self.broken.contains(&(event, condition)),
            |event, at, _| self.failing.contains(&(event, at)),
        );
    }
}
