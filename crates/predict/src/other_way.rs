//! Ways that the run did not take.
//!
//! An order of the events ends where a thread decides otherwise than in the run: what comes after that has no events. But the
//! program is there, so the interpreter can go on from such a prefix. It does so along a few schedules, and what goes wrong then is a
//! run of the program like any other. This finds some of what lies beyond the events of the run, and proves nothing about the rest.

use std::collections::BTreeSet;

use engine::{Claim, ViolationKind, confirm};
use interp::{End, Fairness, Run, Schedule, Simulation};
use ir::OpRef;

use crate::ctp::{Ev, Way};
use crate::encode::{Model, Undecided};
use crate::search::Search;

/// A branch of the program is asked about no more often than this in a window: most of the time the first answers it.
const MOST_OF_ONE: usize = 4;

/// No more ways than this are tried in all.
const MOST_WAYS: usize = 50;

/// After another way was taken, a run goes on for no more steps than this.
const MOST_STEPS: usize = 10_000;

impl Search<'_, '_, '_, '_> {
    /// Looks for violations after each branch that can go another way than in the run; each branch is turned once.
    pub(crate) fn other_ways(&mut self, recorded: &BTreeSet<OpRef>) -> Result<(), Undecided> {
        let mut asked: rustc_hash::FxHashMap<OpRef, usize> = rustc_hash::FxHashMap::default();
        for event in 0..self.encoding.ctp.events.len() {
            let ways = &self.encoding.ctp.events[event].ways;
            for way in ways {
                let times = asked.entry(way.op).or_default();
                if self.found.turned.contains(&way.op)
                    || self.found.turned.len() >= MOST_WAYS
                    || *times >= MOST_OF_ONE
                {
                    continue;
                }
                *times += 1;
                match self.turned(event, way) {
                    Ok(Some(model)) => {
                        self.found.turned.insert(way.op);
                        self.go_on(&model, event, way.op, recorded);
                    }
                    Ok(None) => {}
                    Err(why) => self.undecided(why)?,
                }
            }
        }
        Ok(())
    }

    /// An order after which a branch goes another way.
    fn turned(&mut self, event: Ev, way: &Way) -> Result<Option<Model>, Undecided> {
        let mut literals = way.before.clone();
        literals.push(match way.in_tail {
            true => self.encoding.inside[event],
            false => self.encoding.standing(event),
        });
        literals.push(self.encoding.pool().not(way.condition));
        self.encoding.ask(&literals)
    }

    /// Goes on after a prefix, and keeps what goes wrong.
    fn go_on(&mut self, model: &Model, event: Ev, branch: OpRef, recorded: &BTreeSet<OpRef>) {
        let run = match self.run(model, None) {
            Ok(run) => run,
            Err(why) => {
                self.found.unconfirmed.push(why);
                return;
            }
        };
        let thread = self.encoding.ctp.events[event].thread;
        let of = |other: &Ev| self.encoding.ctp.events[*other].thread == thread;
        let last = model.order.iter().rposition(of).and_then(|at| run.steps.get(self.start + at));
        let schedules = match last.map(|step| step.thread) {
            Some(slot) => [Schedule::First(slot), Schedule::Last(slot), Schedule::RoundRobin],
            None => [Schedule::Oldest, Schedule::Newest, Schedule::RoundRobin],
        };
        let stops = |op: OpRef| recorded.contains(&op);
        for schedule in schedules {
            let went = interp::go_on(self.program, self.config, &run, schedule, MOST_STEPS, &stops);
            if went.is_ok_and(|went| self.went_wrong(went, branch)) {
                return;
            }
        }
    }

    /// Keeps the violation that a run ended with; returns whether it did.
    fn went_wrong(&mut self, went: Simulation, branch: OpRef) -> bool {
        let Simulation { end, mut run, failing, .. } = went;
        let End::Violation(kind, ..) = end else { return false };
        let checks = self.config.checks;
        let wanted = match kind {
            ViolationKind::Memory => checks.memory,
            ViolationKind::Deadlock => checks.deadlocks,
            _ => checks.assertions,
        };
        if !wanted {
            return false;
        }
        run.steps.extend(failing);
        self.keep_beyond(kind, &run, branch);
        true
    }

    fn keep_beyond(&mut self, kind: ViolationKind, run: &Run, branch: OpRef) {
        let claim = Claim { kind, fairness: Fairness::None, at: None };
        match confirm(self.program, self.config, run, claim) {
            // One of the same assertion that needs nothing but the events of the run says more.
            Ok(finding) if self.found.failing.contains(&finding.access().at) => {}
            Ok(finding) => {
                let known = self.found.findings.len();
                self.found.add(finding);
                if self.found.findings.len() > known {
                    self.found.beyond.push((known, self.encoding.executor.span(branch)));
                }
            }
            Err(why) => self.found.unconfirmed.push(why.to_string()),
        }
    }
}
