//! The steps of explicit states, with the ops that they run. The steps of a state are found once.

use std::rc::Rc;

use ir::{OpRef, ProcId};
use rustc_hash::FxHashSet;

use crate::code::{Action, Code};
use crate::follow::Standing;
use crate::machine::{DONE, FREE, LIVE, Machine, STATUS};
use crate::pack::{StateId, StateSet, pack, unpack};
use crate::run::{Checks, Config, Cut, Limits, ViolationKind};
use crate::step::Outcome;
use crate::word::Word;

/// What has become of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Slot {
    /// It has this number in the state.
    At(usize),
    /// It has completed, and nobody refers to it.
    Gone(ProcId),
}

/// How a step ends.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// In a state.
    Moved(StateId),
    /// With a failing assertion; what that violates, and how it is said.
    Failed(Option<ViolationKind>, String),
    /// It could not be followed.
    Cut(Box<Cut>),
}

/// A step.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// By its number in the state.
    pub(crate) thread: usize,
    pub(crate) ops: Vec<OpRef>,
    pub(crate) end: End,
    /// The threads that it starts, in order.
    started: Vec<usize>,
    exits: bool,
}

/// All steps of a state, and sets of threads as bits.
#[derive(Debug, Default)]
pub(crate) struct Expansion {
    pub(crate) live: u64,
    pub(crate) enabled: u64,
    /// Those that cannot step, with some choices because of an assume that does not hold.
    pub(crate) assuming: u64,
    pub(crate) steps: Vec<Step>,
    /// What each thread runs.
    procs: Vec<Option<ProcId>>,
}

/// The states and their steps.
pub(crate) struct Steps<'p> {
    code: &'p Code,
    machine: Machine<'p>,
    checks: Checks,
    states: StateSet,
    expansions: Vec<Option<Rc<Expansion>>>,
    packed: Vec<u8>,
}

impl<'p> Steps<'p> {
    pub(crate) fn new(code: &'p Code, config: &Config) -> Self {
        // Who can step is a set of threads.
        let threads = config.limits.threads.min(Limits::MOST_EXPLORED);
        let limits = Limits { threads, ..config.limits };
        Steps {
            code,
            machine: Machine::new(code, config.int_range, limits, false),
            checks: config.checks,
            states: StateSet::new(),
            expansions: Vec::new(),
            packed: Vec::new(),
        }
    }

    pub(crate) fn memory(&self) -> usize {
        self.states.memory()
    }

    fn store(&mut self) -> StateId {
        let (id, new) = self.states.insert(pack(&self.machine.words, &mut self.packed));
        if new {
            self.expansions.push(None);
        }
        id
    }

    fn words(&self, state: StateId) -> Vec<Word> {
        let mut words = Vec::new();
        unpack(self.states.get(state), &mut words);
        words
    }

    /// The initial states, and their threads.
    pub(crate) fn initial(&mut self) -> Result<Vec<(StateId, Vec<Slot>)>, Box<Cut>> {
        let mut initial = Vec::new();
        self.machine.recording = false;
        self.machine.oracle.reset();
        loop {
            match self.machine.initialise() {
                Outcome::Moved => {
                    let slots = (0..self.machine.threads()).map(Slot::At).collect();
                    initial.push((self.store(), slots));
                }
                Outcome::Cut(cut) => return Err(cut),
                Outcome::Blocked | Outcome::Failed(_) => {}
            }
            if !self.machine.oracle.advance() {
                return Ok(initial);
            }
        }
    }

    /// All steps of a state.
    pub(crate) fn of(&mut self, state: StateId) -> Rc<Expansion> {
        if let Some(known) = &self.expansions[state as usize] {
            return known.clone();
        }
        let base = self.words(state);
        self.machine.recording = true;
        self.machine.load(&base);
        let threads = 0..self.machine.threads();
        let mut expansion =
            Expansion { procs: threads.clone().map(|t| self.proc(t)).collect(), ..Expansion::default() };
        let live: Vec<usize> = threads.filter(|&t| self.machine.is_live(t)).collect();
        for thread in live {
            expansion.live |= 1 << thread;
            self.add_steps(&base, thread, &mut expansion);
        }
        expansion.assuming &= !expansion.enabled;
        let expansion = Rc::new(expansion);
        self.expansions[state as usize] = Some(expansion.clone());
        expansion
    }

    /// Takes the steps of one thread with every sequence of choices.
    fn add_steps(&mut self, base: &[Word], thread: usize, expansion: &mut Expansion) {
        let mut seen: FxHashSet<(StateId, Vec<OpRef>)> = FxHashSet::default();
        self.machine.oracle.reset();
        loop {
            self.machine.load(base);
            let outcome = self.machine.step(thread);
            let end = match self.checks.judged(outcome) {
                Outcome::Moved => Some(End::Moved(self.store())),
                Outcome::Blocked => {
                    expansion.assuming |= u64::from(self.machine.effects.at_assume) << thread;
                    None
                }
                Outcome::Failed(failure) => {
                    Some(End::Failed(self.checks.violated_by(failure.kind), failure.message))
                }
                Outcome::Cut(cut) => Some(End::Cut(cut)),
            };
            if let Some(end) = end {
                expansion.enabled |= 1 << thread;
                let effects = &self.machine.effects;
                let ops: Vec<OpRef> = effects.trace.iter().map(|&pc| self.code.instr(pc).origin).collect();
                let last = effects.trace.last().map(|&pc| &self.code.instr(pc).action);
                let exits = matches!(last, Some(Action::Exit));
                let known = matches!(end, End::Moved(target) if !seen.insert((target, ops.clone())));
                if !known {
                    let started = effects.started.clone();
                    expansion.steps.push(Step { thread, ops, end, started, exits });
                }
            }
            if !self.machine.oracle.advance() {
                return;
            }
        }
    }

    /// What a thread of the machine's state runs or ran.
    fn proc(&self, thread: usize) -> Option<ProcId> {
        match self.machine.header(thread, STATUS) {
            LIVE => self.machine.frames(thread).next().map(|(pc, _)| self.code.instr(pc).proc),
            DONE => Some(self.machine.results(thread).0),
            _ => None,
        }
    }

    /// The threads after a step.
    pub(crate) fn slots_after(
        &mut self,
        before: &Expansion,
        step: &Step,
        target: StateId,
        slots: &[Slot],
    ) -> Vec<Slot> {
        if step.exits {
            return Vec::new();
        }
        let words = self.words(target);
        self.machine.load(&words);
        let machine = &self.machine;
        let there = |thread: usize| thread < machine.threads() && machine.header(thread, STATUS) != FREE;
        let old = slots.iter().map(|&slot| match slot {
            // A number that was freed in this step is not yet used again.
            Slot::At(thread) if !there(thread) => before.procs[thread].map_or(slot, Slot::Gone),
            _ => slot,
        });
        old.chain(step.started.iter().copied().map(Slot::At)).collect()
    }

    /// Where the threads of a state are.
    pub(crate) fn location(&mut self, state: StateId, slots: &[Slot]) -> Vec<Standing> {
        let words = self.words(state);
        self.machine.load(&words);
        let machine = &self.machine;
        let standing = |slot: &Slot| match *slot {
            Slot::Gone(proc) => Standing::Completed(proc),
            Slot::At(thread) if machine.is_live(thread) => {
                let ops = machine.frames(thread).map(|(pc, _)| self.code.instr(pc).origin);
                Standing::Running(ops.collect())
            }
            Slot::At(thread) => Standing::Completed(machine.results(thread).0),
        };
        slots.iter().map(standing).collect()
    }
}

/// The number of a thread in the order of starting, given its number in the state.
pub(crate) fn number_of(slots: &[Slot], thread: usize) -> u32 {
    (0..).zip(slots).find(|(_, slot)| **slot == Slot::At(thread)).map_or(u32::MAX, |(number, _)| number)
}
