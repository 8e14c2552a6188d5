//! Runs, found again from the states on the way.

use crate::code::Pc;
use crate::explore::{Explorer, Violation};
use crate::fair_cycle::{Cycle, CycleEdge};
use crate::pack::{StateId, pack};
use crate::race::NextAccess;
use crate::response::Waiting;
use crate::run::{Run, Step, ViolationKind};
use crate::step::Outcome;
use crate::word::Word;

impl Explorer<'_> {
    /// Whether a violation at an instruction has not been reported yet; it counts as reported from now on.
    pub(super) fn is_new(&mut self, kind: ViolationKind, pc: Pc) -> bool {
        self.violations.len() < self.config.most_violations && self.seen.insert((kind, pc))
    }

    pub(super) fn report(&mut self, kind: ViolationKind, message: String, pc: Pc, run: Run) {
        let instr = self.code.instr(pc);
        self.violations.push(Violation {
            kind,
            message,
            at: instr.origin,
            span: instr.span,
            other: None,
            run,
        });
    }

    /// The run from an initial state to a state. The machine's choices and state are as before afterwards.
    pub(super) fn run_to(&mut self, id: StateId) -> Run {
        let oracle = self.machine.oracle.clone();
        let words = self.machine.words.clone();
        let mut path = vec![id];
        let mut at = id;
        while self.parents[at as usize] != at {
            at = self.parents[at as usize];
            path.push(at);
        }
        path.reverse();
        let mut run = Run { initial: self.initial_choices(path[0]), ..Run::default() };
        for pair in path.windows(2) {
            run.steps.extend(self.step_between(pair[0], pair[1], |_| true));
        }
        self.machine.oracle = oracle;
        self.machine.load(&words);
        run
    }

    fn initial_choices(&mut self, id: StateId) -> Vec<i64> {
        self.machine.oracle.reset();
        loop {
            if self.machine.initialise() == Outcome::Moved && self.is_state(id) {
                return self.made();
            }
            if !self.machine.oracle.advance() {
                return Vec::new();
            }
        }
    }

    /// A step that leads from one state to another and that `accept` likes.
    fn step_between(
        &mut self,
        from: StateId,
        to: StateId,
        mut accept: impl FnMut(&(usize, crate::machine::Effects)) -> bool,
    ) -> Option<Step> {
        self.load_base(from);
        let base = self.base.clone();
        self.machine.load(&base);
        let threads: Vec<usize> = match self.delaying {
            Some(_) => self.machine.selected().into_iter().collect(),
            None => (0..self.machine.threads()).filter(|&t| self.machine.is_live(t)).collect(),
        };
        for thread in threads {
            self.machine.oracle.reset();
            loop {
                self.machine.load(&base);
                let outcome = match self.delaying {
                    Some((delaying, _)) => self.machine.scheduled_step(delaying, thread),
                    None => self.machine.step(thread),
                };
                let effects = self.machine.effects.clone();
                if outcome == Outcome::Moved && self.is_state(to) && accept(&(thread, effects)) {
                    return Some(Step { thread, delay: false, choices: self.made() });
                }
                if !self.machine.oracle.advance() {
                    break;
                }
            }
            if let Some((_, most)) = self.delaying {
                self.machine.load(&base);
                if self.machine.delay(most, thread) && self.is_state(to) {
                    return Some(Step { thread, delay: true, choices: Vec::new() });
                }
            }
        }
        None
    }

    /// Whether the machine's state is the stored one.
    fn is_state(&mut self, id: StateId) -> bool {
        self.states.find(pack(&self.machine.words, &mut self.packed)) == Some(id)
    }

    fn made(&self) -> Vec<i64> {
        self.machine.oracle.made().map(Word::cast_signed).collect()
    }

    /// Reports an infinite execution: the run to the cycle, then the cycle. If a request has to hold on the way, the run
    /// goes from there to the cycle without an answer.
    pub(super) fn report_lasso(&mut self, cycle: &Cycle, waiting: Option<&Waiting>) {
        let way = waiting.map_or_else(|| vec![cycle.start()], |waiting| waiting.path(cycle.start()));
        let mut run = self.run_to(way[0]);
        for pair in way.windows(2) {
            run.steps.extend(self.step_between(pair[0], pair[1], |_| true));
        }
        run.lasso_start = Some(run.steps.len());
        for edge in cycle.edges() {
            run.steps.extend(
                self.step_between(edge.from, edge.to, |(thread, effects)| edge.matches(*thread, effects)),
            );
        }
        self.load_base(cycle.start());
        let base = self.base.clone();
        self.machine.load(&base);
        let first = cycle.edges().first().map_or(0, CycleEdge::thread);
        let pc = self.machine.pc_of(first);
        let message = cycle.describe();
        self.report(ViolationKind::NonTermination, message, pc, run);
    }

    /// Looks for a race among the enabled threads of a state.
    pub(super) fn find_races(&mut self, id: StateId, base: &[u64], enabled: u64) {
        let threads: Vec<usize> = (0..64).filter(|t| enabled & (1 << t) != 0).collect();
        let Some((first, second, touch)) = self.machine.race(base, &threads) else { return };
        let global = touch.global;
        if !self.is_new(ViolationKind::DataRace, first.pc) {
            return;
        }
        let name = self.code.globals[global as usize].name.clone();
        let writes = |access: &NextAccess| access.touches.iter().any(|t| t.global == global && t.write);
        let verb = |access: &NextAccess| if writes(access) { "write to" } else { "read of" };
        let message = format!("{} `{name}` (1) races with {} it (2)", verb(&first), verb(&second));
        let run = self.run_to(id);
        self.report(ViolationKind::DataRace, message, first.pc, run);
        let other = self.code.instr(second.pc);
        if let Some(violation) = self.violations.last_mut() {
            violation.other = Some((other.origin, other.span));
        }
    }
}
