//! Successors of a state, and the partial-order reduction.
//!
//! The reduction looks for a thread whose next step conflicts with nothing that any other thread may still do:
//! its step alone is then a persistent set (Godefroid, "Partial-Order Methods for the Verification of Concurrent
//! Systems", 1996), and the other threads can wait. So that they do not wait for ever, at least one successor
//! must be a state that is still to be expanded; following such successors ends in a state expanded in full. This
//! preserves deadlocks and failing assertions, which are steps of single threads.

use crate::SwitchAt;
use crate::access::Access;
use crate::code::Action;
use crate::explore::Explorer;
use crate::graph::Threads;
use crate::pack::StateId;
use crate::run::{Limits, ViolationKind};
use crate::step::{Failure, Outcome};

/// What the steps of one thread led to.
#[derive(Clone, Copy, Debug, Default)]
struct Steps {
    /// Some sequence of choices moves the thread, or fails, or cannot be followed.
    enabled: bool,
    /// Some successor is still to be expanded.
    pending: bool,
    /// Some sequence of choices could not be followed.
    cut: bool,
    /// Some sequence of choices fails.
    failed: bool,
    /// And that is a violation.
    violates: bool,
    /// Some sequence of choices leads to an assume that does not hold.
    at_assume: bool,
}

impl Explorer<'_> {
    pub(super) fn expand(&mut self, id: StateId) {
        self.expanded[id as usize] = true;
        self.load_base(id);
        let base = std::mem::take(&mut self.base);
        self.machine.load(&base);
        if let Some(graph) = &mut self.graph {
            graph.begin(id);
        }
        if self.is_final() {
            self.record_valuation();
        } else if let Some((_, most)) = self.delaying {
            if let Some(task) = self.machine.selected() {
                self.steps(id, &base, task);
                self.machine.load(&base);
                if self.machine.delay(most, task) {
                    self.transitions += 1;
                    self.link(id);
                }
            }
        } else if !self.expand_persistent(id, &base) {
            self.machine.load(&base);
            self.expand_all(id, &base);
        }
        self.base = base;
    }

    /// Whether all threads have completed.
    fn is_final(&self) -> bool {
        (0..self.machine.threads()).all(|t| !self.machine.is_live(t))
    }

    fn record_valuation(&mut self) {
        if self.config.valuations {
            let variables = self.code.globals.iter().zip(&self.machine.words).filter(|(g, _)| g.is_variable);
            self.valuations.insert(variables.map(|(_, &word)| word).collect());
        }
    }

    /// Expands every thread. The machine is in the state.
    fn expand_all(&mut self, id: StateId, base: &[u64]) {
        let (mut live, mut assuming) = (0u64, 0u64);
        for thread in (0..self.machine.threads()).filter(|&t| self.machine.is_live(t)) {
            live |= 1 << thread;
        }
        let (mut enabled, mut failing, mut cut) = (0u64, 0u64, false);
        for thread in bits(live) {
            let steps = self.steps(id, base, thread);
            enabled |= u64::from(steps.enabled) << thread;
            failing |= u64::from(steps.violates) << thread;
            assuming |= u64::from(steps.at_assume) << thread;
            cut |= steps.cut;
        }
        if self.stopped {
            // Not all steps were tried, so nothing is known of the state.
            return;
        }
        let blocked_at_assume = assuming & !enabled;
        if let Some(graph) = &mut self.graph {
            graph.end(Threads { live, enabled, at_false_assume: blocked_at_assume, failing });
        }
        // A run that stays at a false assume is not a run, so nothing is said about it.
        if enabled == 0 && !cut && blocked_at_assume == 0 && self.config.checks.deadlocks {
            self.machine.load(base);
            self.report_deadlock(id);
        }
        if self.config.checks.races && enabled.count_ones() > 1 {
            self.find_races(id, base, enabled);
        }
    }

    /// Expands one thread only, if that is enough. Whether it was.
    fn expand_persistent(&mut self, id: StateId, base: &[u64]) -> bool {
        if !self.reduced {
            return false;
        }
        let threads = self.machine.threads().min(Limits::MOST_EXPLORED);
        let mut futures = [Access::default(); Limits::MOST_EXPLORED];
        let mut nexts = [None; Limits::MOST_EXPLORED];
        for thread in (0..threads).filter(|&t| self.machine.is_live(t)) {
            let mut call = Access::default();
            let mut next = Access::default();
            for (pc, _) in self.machine.frames(thread) {
                let instr = self.code.instr(pc);
                futures[thread] = futures[thread].union(instr.future);
                // A return assigns the results of the call below it.
                next = if matches!(instr.action, Action::Return) { call } else { instr.step };
                call = instr.own;
            }
            // Between two yields a step may do anything that the thread may do.
            let long_steps = self.config.switch_at == SwitchAt::Yield;
            nexts[thread] = Some(if long_steps { futures[thread] } else { next });
        }
        let candidates: Vec<usize> = (0..threads)
            .filter(|&t| {
                nexts[t].is_some_and(|next| {
                    !next.is_everything() && (0..threads).all(|u| u == t || !next.conflicts(futures[u]))
                })
            })
            .collect();
        if candidates.len() == 1 && nexts.iter().flatten().count() == 1 {
            // The only live thread: nothing to leave out, and a full expansion sees deadlocks.
            return false;
        }
        // A step that ends the run with some choices must not hide what others do with these choices.
        candidates.into_iter().any(|thread| {
            let steps = self.steps(id, base, thread);
            steps.pending && !steps.failed && !steps.cut
        })
    }

    /// Takes the steps of one thread from `base` with every sequence of choices.
    fn steps(&mut self, id: StateId, base: &[u64], thread: usize) -> Steps {
        let mut steps = Steps::default();
        self.machine.oracle.reset();
        loop {
            self.machine.load(base);
            let outcome = match self.delaying {
                Some((delaying, _)) => self.machine.scheduled_step(delaying, thread),
                None => self.machine.step(thread),
            };
            match self.config.checks.judged(outcome) {
                Outcome::Moved => {
                    self.transitions += 1;
                    steps.enabled = true;
                    let target = self.link(id);
                    steps.pending |= !self.expanded[target as usize];
                    if let Some(graph) = &mut self.graph {
                        graph.edge(target, thread, &self.machine.effects);
                    }
                }
                Outcome::Blocked => steps.at_assume |= self.machine.effects.at_assume,
                Outcome::Failed(failure) => {
                    self.transitions += 1;
                    steps.enabled = true;
                    steps.failed = true;
                    if let Some(kind) = self.config.checks.violated_by(failure.kind) {
                        steps.violates = true;
                        self.report_failure(id, thread, kind, &failure);
                    }
                }
                Outcome::Cut(cut) => {
                    steps.enabled = true;
                    steps.cut = true;
                    let pc = self.machine.pc();
                    self.cuts.insert((*cut, Some(pc)));
                }
            }
            if self.should_stop() || !self.machine.oracle.advance() {
                return steps;
            }
        }
    }

    /// Stores the machine's state as a successor.
    fn link(&mut self, from: StateId) -> StateId {
        let (target, new) = self.store();
        if new {
            self.parents[target as usize] = from;
        }
        target
    }

    fn report_failure(&mut self, id: StateId, thread: usize, kind: ViolationKind, failure: &Failure) {
        if self.is_new(kind, failure.pc) {
            let choices = self.machine.oracle.made().map(u64::cast_signed).collect();
            let mut run = self.run_to(id);
            run.steps.push(crate::Step { thread, delay: false, choices });
            self.report(kind, failure.message.clone(), failure.pc, run);
        }
    }

    fn report_deadlock(&mut self, id: StateId) {
        let Some(blocked) = (0..self.machine.threads()).find(|&t| self.machine.is_live(t)) else { return };
        let pc = self.machine.pc_of(blocked);
        if self.is_new(ViolationKind::Deadlock, pc) {
            let live = (0..self.machine.threads()).filter(|&t| self.machine.is_live(t)).count();
            let message = if live == 1 {
                "the one thread left is blocked for ever".to_owned()
            } else {
                format!("the {live} threads left are blocked for ever")
            };
            let run = self.run_to(id);
            self.report(ViolationKind::Deadlock, message, pc, run);
        }
    }
}

/// The members of a set of threads.
fn bits(set: u64) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(set), |rest| Some(rest & rest.wrapping_sub(1)))
        .take_while(|rest| *rest != 0)
        .map(|rest| rest.trailing_zeros() as usize)
}
