//! Ways that the run did not take.
//!
//! An order of the events ends where a thread decides otherwise than in the run: what comes after that has no events. But the
//! program is there, so the interpreter can go on from such a prefix. It does so along a few schedules, and what goes wrong then is a
//! run of the program like any other. This finds some of what lies beyond the events of the run, and proves nothing about the rest.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use engine::{Claim, ViolationKind, confirm};
use interp::{End, Fairness, Run, Schedule, Simulation};
use ir::OpRef;

use crate::ctp::{Ev, Way};
use crate::encode::{Model, Undecided};
use crate::search::Search;

/// A branch of the program is turned no more often than this.
const MOST_OF_ONE: usize = 8;

/// No more ways than this are tried in all.
const MOST_WAYS: usize = 50;

/// A question may be so much work, and so many may be given up.
const MOST_EFFORT: u32 = 2_000_000;
const MOST_GIVEN_UP: usize = 3;

/// After another way was taken, a run goes on for no more steps than this.
const MOST_STEPS: usize = 10_000;

impl Search<'_, '_, '_, '_> {
    /// Looks for violations after branches that can go another way than in the run.
    pub(crate) fn other_ways(&mut self, recorded: &BTreeSet<OpRef>) -> Result<(), Undecided> {
        let ctp = self.encoding.ctp;
        let mut branches: IndexMap<OpRef, Vec<(Ev, &Way)>> = IndexMap::new();
        for (event, of) in ctp.events.iter().enumerate() {
            for way in &of.ways {
                branches.entry(way.op).or_default().push((event, way));
            }
        }
        self.encoding.effort = Some(MOST_EFFORT);
        let mut given_up = 0;
        // Each branch once, then each once more, and so on.
        let mut tries: Vec<(usize, OpRef, Ev, &Way, bool)> = Vec::new();
        for (&branch, times) in &branches {
            let some = some(times.len()).into_iter().enumerate();
            tries.extend(some.map(|(turn, (at, after))| (turn, branch, times[at].0, times[at].1, after)));
        }
        tries.sort_by_key(|(turn, ..)| *turn);
        let ended = tries.into_iter().try_for_each(|(_, branch, event, way, after_others)| {
            let turned = self.found.turned.get(&branch).copied().unwrap_or(0);
            let all: usize = self.found.turned.values().sum();
            if turned >= MOST_OF_ONE || all >= MOST_WAYS || given_up >= MOST_GIVEN_UP {
                return Ok(());
            }
            match self.turned(event, way, after_others) {
                Ok(Some(model)) => {
                    *self.found.turned.entry(branch).or_default() += 1;
                    self.go_on(&model, event, branch, recorded);
                }
                Ok(None) => {}
                // It is no question of the run's events, so nothing is undecided.
                Err(Undecided::Effort | Undecided::Solver(_)) => given_up += 1,
                Err(why @ Undecided::Stopped) => return Err(why),
            }
            Ok(())
        });
        self.encoding.effort = None;
        ended
    }

    /// An order after which a branch goes another way; perhaps one in which all others have done what they did before.
    fn turned(&mut self, event: Ev, way: &Way, after_others: bool) -> Result<Option<Model>, Undecided> {
        let mut literals = way.before.clone();
        if after_others {
            let ctp = self.encoding.ctp;
            let own = ctp.events[event].thread;
            let others = ctp.threads.iter().enumerate().filter(|(thread, _)| *thread != own);
            // Those that wait for this thread cannot be at their ends.
            let last = others.filter_map(|(_, events)| {
                events
                    .iter()
                    .rev()
                    .find(|other| !ctp.must_precede(event, **other) && !ctp.events[**other].exits)
            });
            literals.extend(last.map(|last| self.encoding.inside[*last]));
        }
        literals.push(match way.in_tail {
            true => self.encoding.inside[event],
            false => self.encoding.standing(event),
        });
        literals.push(self.encoding.pool().not(way.condition));
        self.encoding.ask(&literals)
    }

    /// Goes on after a prefix, and keeps what goes wrong.
    fn go_on(&mut self, model: &Model, event: Ev, branch: OpRef, recorded: &BTreeSet<OpRef>) {
        // What a thread does after it took another way may not come to an end of its step.
        let Ok(run) = self.run(model, None) else {
            self.found.dropped += 1;
            return;
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

/// Some of so many times that a branch was executed, those at the ends first; each at once, and after all that others did.
fn some(count: usize) -> Vec<(usize, bool)> {
    let last = count.saturating_sub(1);
    let at = [0, last, 1, last / 2];
    let mut some: Vec<(usize, bool)> = at.iter().flat_map(|at| [(*at, true), (*at, false)]).collect();
    let mut seen = BTreeSet::new();
    some.retain(|at| at.0 < count && seen.insert(*at));
    some
}
