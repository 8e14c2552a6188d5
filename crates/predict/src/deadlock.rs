//! Deadlocks: prefixes after which every thread has completed or stands before an event that cannot be executed.

use engine::ViolationKind;
use ir::OpRef;
use smt::{SortId, TermId, TermPool};

use crate::ctp::{Blocking, Ctp, Ev};
use crate::encode::{Model, Undecided};
use crate::lockset::Locksets;
use crate::search::Search;

/// No more deadlocks than this are looked for in a window: they differ in where the threads stand.
const MOST: usize = 16;

/// Whether there may be deadlocks: somebody waits for something else than a mutex or a thread, or waits while holding a mutex,
/// or completes without giving one back.
pub(crate) fn may_deadlock(ctp: &Ctp, pool: &TermPool, locksets: &Locksets) -> bool {
    locksets.is_kept(ctp)
        || (0..ctp.events.len()).any(|event| match ctp.events[event].blocking {
            Blocking::Until(condition) => {
                pool.as_bool(condition) != Some(true) || locksets.holds_before(ctp, event)
            }
            Blocking::Never | Blocking::Filter | Blocking::Unknown => false,
        })
}

/// How a deadlock is asked for.
pub(crate) struct Stuck {
    /// Says that no thread can go on.
    stuck: TermId,
    /// Say where threads stand.
    standing: Vec<(Ev, TermId)>,
}

impl Search<'_, '_, '_, '_> {
    /// Looks for deadlocks, each with a thread at an op where none stood before. Returns whether to look for them again.
    pub(crate) fn deadlocks(&mut self, stuck: &Stuck) -> Result<bool, Undecided> {
        let Stuck { stuck, standing } = stuck;
        for _ in 0..MOST {
            let known = &self.found.stuck_at;
            let new = standing.iter().filter(|(event, _)| !known.contains(&self.op(*event)));
            let new: Vec<TermId> = new.map(|(_, stands)| *stands).collect();
            let another = self.encoding.pool().or(new);
            match self.encoding.ask(&[*stuck, another]) {
                Ok(Some(model)) => {
                    let next = self.next_events(&model.order);
                    let ops: Vec<OpRef> = next.iter().map(|event| self.op(*event)).collect();
                    self.found.stuck_at.extend(ops);
                    let run = self.run(&model, None);
                    self.show(ViolationKind::Deadlock, run);
                }
                Ok(None) => break,
                Err(why) => return self.undecided(why),
            }
        }
        Ok(false)
    }

    /// Shows the deadlocks that are known already.
    pub(crate) fn show_deadlocks(&mut self, models: Vec<Model>) {
        for model in models.into_iter().take(MOST) {
            let ops: Vec<OpRef> =
                self.next_events(&model.order).into_iter().map(|event| self.op(event)).collect();
            if ops.iter().all(|op| self.found.stuck_at.contains(op)) {
                continue;
            }
            self.found.stuck_at.extend(ops);
            let run = self.run(&model, None);
            self.show(ViolationKind::Deadlock, run);
        }
    }

    fn op(&self, event: Ev) -> OpRef {
        self.encoding.ctp.events[event].op
    }

    /// The events that come next in their threads.
    fn next_events(&self, order: &[Ev]) -> Vec<Ev> {
        let ctp = self.encoding.ctp;
        let is_in = |event: &Ev| order.contains(event);
        let first = |events: &Vec<Ev>| events.iter().copied().find(|event| !is_in(event));
        ctp.threads.iter().filter_map(first).collect()
    }

    /// What says that no thread can go on, unless there are threads of which nothing is known.
    pub(crate) fn stuck(&mut self) -> Option<Stuck> {
        let ctp = self.encoding.ctp;
        // A thread of which the window has nothing could do anything.
        let idle = (0..ctp.threads.len()).any(|thread| {
            ctp.threads[thread].is_empty() && !ctp.absent[thread] && ctp.started_by[thread].is_none()
        });
        if idle {
            return None;
        }
        let name = format!("{}stuck", self.encoding.prefix);
        let stuck = self.encoding.pool().constant(&name, SortId::BOOL);
        let mut standing = Vec::new();
        for thread in 0..ctp.threads.len() {
            let Some(&last) = ctp.threads[thread].last() else {
                // It is started and then nothing is known of it.
                if let Some(start) = ctp.started_by[thread] {
                    let inside = self.encoding.inside[start];
                    let not = self.encoding.pool().not(inside);
                    self.imply(stuck, not);
                }
                continue;
            };
            if !ctp.events[last].completes {
                // What comes next is not known.
                let inside = self.encoding.inside[last];
                let not = self.encoding.pool().not(inside);
                self.imply(stuck, not);
            }
            for &event in &ctp.threads[thread] {
                if let Some(stands) = self.blocked_or_in(stuck, event) {
                    standing.push((event, stands));
                }
            }
        }
        let somebody: Vec<TermId> = standing.iter().map(|(_, stands)| *stands).collect();
        let somebody = self.encoding.pool().or(somebody);
        self.imply(stuck, somebody);
        Some(Stuck { stuck, standing })
    }

    fn imply(&mut self, stuck: TermId, what: TermId) {
        let implied = self.encoding.pool().implies(stuck, what);
        self.encoding.assert(implied);
    }

    /// If the thread comes to an event, then it is in, or cannot be executed.
    fn blocked_or_in(&mut self, stuck: TermId, event: Ev) -> Option<TermId> {
        let ctp = self.encoding.ctp;
        let of = &ctp.events[event];
        let before = match ctp.previous(event) {
            Some(previous) => Some(self.encoding.inside[previous]),
            None => ctp.started_by[of.thread].map(|start| self.encoding.inside[start]),
        };
        let inside = self.encoding.inside[event];
        let stands = match of.blocking {
            Blocking::Until(_) if !of.exits => Some(self.encoding.standing(event)),
            _ => None,
        };
        let mut either = vec![inside];
        if let Some(before) = before {
            either.push(self.encoding.pool().not(before));
        }
        either.extend(stands);
        let clause = self.encoding.pool().or(either);
        self.imply(stuck, clause);
        let stands = stands?;
        let mut needs: Vec<TermId> = self.encoding.enabled(event).into_iter().collect();
        for waited in &of.waits {
            needs.extend(ctp.completed_by[*waited].map(|completion| self.encoding.inside[completion]));
        }
        for op in of.locks.iter().filter(|op| op.acquire) {
            let held = self.encoding.is_held(op.lock);
            needs.push(self.encoding.pool().not(held));
        }
        let enabled = self.encoding.pool().and(needs);
        let blocked = self.encoding.pool().not(enabled);
        let when = self.encoding.pool().and([stuck, stands]);
        let implied = self.encoding.pool().implies(when, blocked);
        self.encoding.assert(implied);
        Some(stands)
    }
}
