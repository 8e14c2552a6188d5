//! The order of events, as integers: `HB(t, t')` is `O(t) < O(t')`, a difference constraint whose constant is always -1.
//!
//! Formulas say only that some event comes before another one, never that it does not. So two events may have the same number,
//! and then any order of them will do. What must come before what is known and needs no number.

use smt::{SortId, TermId, TermPool};

use crate::ctp::{Ctp, Ev};

/// The positions of events in an order that is sought.
pub(crate) struct Order {
    numbers: Vec<Option<TermId>>,
}

impl Order {
    pub(crate) fn new(events: usize) -> Self {
        Order { numbers: vec![None; events] }
    }

    /// The number of an event, if the formula has one.
    pub(crate) fn known(&self, event: Ev) -> Option<TermId> {
        self.numbers[event]
    }

    /// The number of an event. When it is new, `constraints` gets where it stands among those that have one.
    pub(crate) fn number(
        &mut self,
        pool: &mut TermPool,
        ctp: &Ctp,
        event: Ev,
        prefix: &str,
        constraints: &mut Vec<TermId>,
    ) -> TermId {
        if let Some(number) = self.numbers[event] {
            return number;
        }
        let number = pool.constant(&format!("{prefix}O{event}"), SortId::INT);
        self.numbers[event] = Some(number);
        let here = &ctp.events[event];
        let thread = &ctp.threads[here.thread];
        let before = thread[..here.pos].iter().rev().find_map(|other| self.numbers[*other]);
        let after = thread[here.pos + 1..].iter().find_map(|other| self.numbers[*other]);
        constraints.extend(before.map(|before| pool.lt(before, number)));
        constraints.extend(after.map(|after| pool.lt(number, after)));
        if before.is_none()
            && let Some(start) = ctp.started_by[here.thread]
        {
            let start = self.number(pool, ctp, start, prefix, constraints);
            constraints.push(pool.lt(start, number));
        }
        // Those that wait, or are started, must be told when they get a number, and have been told if they have one.
        for waited in &here.waits {
            if let Some(completion) = ctp.completed_by[*waited] {
                let completion = self.number(pool, ctp, completion, prefix, constraints);
                constraints.push(pool.lt(completion, number));
            }
        }
        number
    }

    /// Whether an event comes before another one.
    pub(crate) fn before(
        &mut self,
        pool: &mut TermPool,
        ctp: &Ctp,
        first: Ev,
        second: Ev,
        prefix: &str,
        constraints: &mut Vec<TermId>,
    ) -> TermId {
        if first == second || ctp.must_precede(second, first) {
            return pool.bool(false);
        }
        if ctp.must_precede(first, second) {
            return pool.bool(true);
        }
        let first = self.number(pool, ctp, first, prefix, constraints);
        let second = self.number(pool, ctp, second, prefix, constraints);
        pool.lt(first, second)
    }
}
