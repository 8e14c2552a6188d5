//! All states that prefixes of the linearizations lead to.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};

use ir::{Expanded, GlobalId, Op, OpRef};

use crate::machine::{Done, Machine, State, Touch};

/// Runs with more states than this are left out.
const MOST_STATES: usize = 6000;

pub(crate) struct Enumeration<'p> {
    machine: RefCell<Machine<'p>>,
    expanded: &'p Expanded,
    original: &'p ir::Program,
    outline: interp::Outline,
    pub failing: BTreeSet<OpRef>,
    pub deadlock: bool,
    pub race: bool,
}

impl<'p> Enumeration<'p> {
    /// Nothing if there are too many states.
    pub(crate) fn new(
        machine: Machine<'p>,
        original: &'p ir::Program,
        expanded: &'p Expanded,
    ) -> Option<Self> {
        let outline = interp::Outline::new(&expanded.program, interp::SwitchAt::Visible);
        let mut enumeration = Enumeration {
            machine: RefCell::new(machine),
            expanded,
            original,
            outline,
            failing: BTreeSet::new(),
            deadlock: false,
            race: false,
        };
        enumeration.explore().then_some(enumeration)
    }

    fn original(&self, op: OpRef) -> OpRef {
        self.expanded.back.get(op).unwrap_or(op)
    }

    /// Whom the next step of a thread can wake, if it is a signal: anybody who is there.
    fn choices(&self, state: &State, thread: usize) -> Vec<Option<i64>> {
        let machine = self.machine.borrow();
        let next = state.threads[thread].as_ref().unwrap().next;
        let op = machine.run.steps[machine.steps[thread][next]].ops[0].op;
        let original = self.original(op);
        let procs = &self.original.procs;
        let declared = procs[original.proc].blocks[original.block].stmts.get(original.index);
        let is_signal = declared
            .is_some_and(|stmt| matches!(&stmt.op, Op::Sync(sync) if sync.kind == ir::SyncKind::Signal));
        if !is_signal {
            return vec![None];
        }
        let there = (0..state.threads.len()).filter(|at| state.threads[*at].is_some());
        there.map(|at| Some(at as i64 + 1)).collect()
    }

    fn step(&self, state: &mut State, thread: usize, woken: Option<i64>) -> Done {
        let mut machine = self.machine.borrow_mut();
        machine.woken = woken;
        machine.step(state, thread)
    }

    fn can_run(machine: &Machine<'_>, state: &State, thread: usize) -> bool {
        state.threads[thread]
            .as_ref()
            .is_some_and(|of| !of.strayed && !of.done && of.next < machine.steps[thread].len())
    }

    fn explore(&mut self) -> bool {
        let mut seen = HashSet::new();
        let mut work = vec![self.machine.borrow_mut().initial()];
        while let Some(state) = work.pop() {
            if !seen.insert(state.clone()) {
                continue;
            }
            if seen.len() > MOST_STATES {
                return false;
            }
            let (mut blocked, mut stuck) = (0, true);
            let mut next: Vec<(usize, Vec<Touch>)> = Vec::new();
            for thread in 0..state.threads.len() {
                let Some(of) = &state.threads[thread] else { continue };
                if of.done {
                    continue;
                }
                if !Self::can_run(&self.machine.borrow(), &state, thread) {
                    stuck = false;
                    continue;
                }
                let (mut waits, mut moved) = (None, false);
                for woken in self.choices(&state, thread) {
                    let mut after = state.clone();
                    let done = self.step(&mut after, thread, woken);
                    match done {
                        Done::Moved { touches, first, fails } => {
                            stuck = false;
                            if let Some(op) = fails {
                                let op = self.original(op);
                                self.failing.insert(op);
                            }
                            if self.is_plain(&state, thread) {
                                next.push((thread, touches[..first].to_vec()));
                            }
                            work.push(after);
                        }
                        Done::Fails(op, touches) => {
                            stuck = false;
                            if self.is_plain(&state, thread) {
                                next.push((thread, touches));
                            }
                            let op = self.original(op);
                            self.failing.insert(op);
                        }
                        Done::Not(waiting) => {
                            waits.get_or_insert(waiting);
                            continue;
                        }
                    }
                    moved = true;
                }
                match waits {
                    _ if moved => stuck = false,
                    Some(true) => blocked += 1,
                    _ => stuck = false,
                }
            }
            self.deadlock |= stuck && blocked > 0;
            self.race |= next
                .iter()
                .enumerate()
                .any(|(at, (_, one))| next[at + 1..].iter().any(|(_, other)| conflict(self, one, other)));
        }
        true
    }

    fn is_plain(&self, state: &State, thread: usize) -> bool {
        let machine = self.machine.borrow();
        let next = state.threads[thread].as_ref().unwrap().next;
        let op = machine.run.steps[machine.steps[thread][next]].ops[0].op;
        let declared = &self.expanded.program.procs[op.proc].blocks[op.block].stmts[op.index].op;
        self.outline.of(op).plain && !matches!(declared, Op::AtomicBegin)
    }

    fn is_data(&self, global: GlobalId) -> bool {
        !self.expanded.components.values().flatten().any(|component| *component == global)
    }

    /// Whether some order has the three steps in this order, with accesses to the global that have no serial order.
    pub(crate) fn violates(&self, steps: [usize; 3], global: GlobalId) -> bool {
        let machine = self.machine.borrow();
        let place = |step: usize| {
            let thread = machine.run.steps[step].thread;
            (thread, machine.steps[thread].iter().position(|other| *other == step).unwrap())
        };
        let places = steps.map(place);
        drop(machine);
        let mut seen = HashSet::new();
        let mut work: Vec<(State, Vec<Vec<Touch>>)> = vec![(self.machine.borrow_mut().initial(), Vec::new())];
        while let Some((state, history)) = work.pop() {
            if !seen.insert((state.clone(), history.clone())) {
                continue;
            }
            for thread in 0..state.threads.len() {
                if !Self::can_run(&self.machine.borrow(), &state, thread) {
                    continue;
                }
                let at = (thread, state.threads[thread].as_ref().unwrap().next);
                // The three come in order.
                if places.iter().position(|place| *place == at).is_some_and(|which| which != history.len()) {
                    continue;
                }
                for woken in self.choices(&state, thread) {
                    let mut after = state.clone();
                    let done = self.step(&mut after, thread, woken);
                    let Done::Moved { touches, .. } = done else { continue };
                    let mut history = history.clone();
                    if places.get(history.len()) == Some(&at) {
                        history.push(touches.into_iter().filter(|touch| touch.global == global).collect());
                    }
                    if let [first, middle, last] = history.as_slice() {
                        if unserializable(first, middle, last) {
                            return true;
                        }
                        continue;
                    }
                    work.push((after, history));
                }
            }
        }
        false
    }
}

fn conflict(of: &Enumeration<'_>, one: &[Touch], other: &[Touch]) -> bool {
    one.iter().any(|a| {
        let same = |b: &&Touch| a.global == b.global && a.key == b.key && (a.write || b.write);
        of.is_data(a.global) && other.iter().any(|b| same(&b))
    })
}

/// Lu et al.: all but read-read-read, read-read-write and write-read-read; and only if the order matters.
fn unserializable(first: &[Touch], middle: &[Touch], last: &[Touch]) -> bool {
    let depend = |a: &Touch, b: &Touch| match (a.write, b.write) {
        (false, false) => false,
        (true, true) => a.after != b.after,
        (true, false) => a.before != a.after,
        (false, true) => a.before != b.after,
    };
    first.iter().any(|a| {
        middle.iter().any(|b| {
            last.iter().any(|c| {
                let serializable =
                    matches!((a.write, b.write, c.write), (false, false, _) | (true, false, false));
                a.key == b.key
                    && b.key == c.key
                    && !serializable
                    && depend(a, b)
                    && (depend(b, c) || (!a.write && b.write && c.write))
            })
        })
    })
}
