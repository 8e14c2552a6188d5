//! Executes a recorded run once more, this time with terms: what comes out is the concurrent trace program.
//!
//! The same code makes three passes over a run. The first finds out to which source each observed value of something
//! arbitrary belongs. The second knows all values, and tells which thread waits for which, who accesses what, and what holds
//! at the beginning of each window. The third, over one window, leaves shared variables symbolic.

mod expressions;
mod ops;
mod values;

use formula::{Translator, Unsupported};
use ir::{BackMap, GlobalId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::TermId;
use source::Span;

use crate::ctp::{Block, Blocking, Event, LockOp, Use};
use crate::happens_before::Clocks;
use crate::pins::{Pins, Sources};
use crate::record::{Choice, Recording, What};
use crate::state::{Frame, Held, Pair, State};

/// What one step did that does not depend on values: from the second pass.
#[derive(Clone, Debug, Default)]
pub(crate) struct StepFacts {
    pub(crate) thread: usize,
    pub(crate) spawns: Vec<usize>,
    pub(crate) waits: Vec<usize>,
    pub(crate) completes: bool,
    /// The globals that it accesses, and whether it assigns them.
    pub(crate) accesses: Vec<(GlobalId, bool)>,
}

/// Elements of sorts, each a constant.
pub(crate) type Elements = FxHashMap<smt::SortId, std::collections::BTreeSet<TermId>>;

/// What the third pass knows beforehand of its window.
pub(crate) struct Plan<'a> {
    /// The globals that two threads access, one of them writing.
    pub(crate) shared: FxHashSet<GlobalId>,
    /// The events that assign each shared global.
    pub(crate) writers: FxHashMap<GlobalId, Vec<usize>>,
    /// Which of them can assign which cells, where that is known from a pass before.
    pub(crate) cells: FxHashMap<GlobalId, Cells>,
    /// The events that read what they read in the run, and globals: a thread that reads something else does not go on.
    pub(crate) pinned: FxHashSet<(usize, GlobalId)>,
    pub(crate) clocks: &'a Clocks,
}

/// The events that assign cells of a global: those with numbers as indices by these, and those that may assign any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cells {
    pub(crate) known: FxHashMap<Vec<TermId>, Vec<usize>>,
    pub(crate) any: Vec<usize>,
}

impl Plan<'_> {
    /// The events that may assign a global, or a cell of it, in the order of the run.
    fn writers_of(&self, pool: &smt::TermPool, global: GlobalId, index: &[TermId]) -> Vec<usize> {
        let is_known = !index.is_empty() && index.iter().all(|part| pool.term(*part).is_literal_value());
        match self.cells.get(&global).filter(|_| is_known) {
            Some(cells) => {
                let known = cells.known.get(index).map(Vec::as_slice).unwrap_or_default();
                let mut writers = [known, &cells.any].concat();
                writers.sort_unstable();
                writers.dedup();
                writers
            }
            None => self.writers.get(&global).cloned().unwrap_or_default(),
        }
    }
}

/// Programs, and what is known of them.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'p> {
    pub(crate) original: &'p Program,
    pub(crate) expanded: &'p Program,
    pub(crate) back: &'p BackMap,
    pub(crate) whole: &'p FxHashSet<GlobalId>,
    /// The globals that synchronization objects are made of.
    pub(crate) components: &'p FxHashSet<GlobalId>,
    /// Those of them that are owners of mutexes which are only acquired, given back and waited with.
    pub(crate) owners: &'p FxHashSet<GlobalId>,
    /// The procedures whose bodies are transactions, as the user says.
    pub(crate) named: &'p FxHashSet<ir::ProcId>,
}

impl Subject<'_> {
    /// Whether the last of these procedures is one that a thread calls. What is below it is the thread's own procedure, and what libraries
    /// need to start that.
    pub(crate) fn is_called_by_thread(&self, frames: &[Frame]) -> bool {
        let looks = &self.original.presentation;
        let is_own = |frame: &Frame| !looks.is_library(self.original.procs[frame.proc].span);
        frames.last().is_some_and(is_own) && frames.iter().filter(|frame| is_own(frame)).count() == 2
    }
}

/// What is wrong with a run for our purposes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stuck {
    pub(crate) what: String,
    pub(crate) span: Span,
}

impl From<Unsupported> for Stuck {
    fn from(unsupported: Unsupported) -> Self {
        Stuck { what: unsupported.what, span: unsupported.span.unwrap_or(Span::NONE) }
    }
}

pub(crate) struct Executor<'p, 'a> {
    pub(crate) subject: Subject<'p>,
    pub(crate) translator: Translator<'p>,
    pub(crate) recording: &'a Recording,
    pub(crate) pins: Pins,
    /// In the first pass, where arbitrary values come from.
    pub(crate) sources: Option<Sources>,
    pub(crate) state: State,
    /// In the third pass, what is shared.
    pub(crate) plan: Option<Plan<'a>>,
    pub(crate) facts: Vec<StepFacts>,
    pub(crate) events: Vec<Event>,
    pub(crate) uses: Vec<Use>,
    known_uses: FxHashMap<(usize, GlobalId, Vec<TermId>), usize>,
    /// The uses by their constants.
    pub(crate) use_terms: FxHashMap<TermId, usize>,
    /// What globals held when the window began.
    pub(crate) beginning: FxHashMap<GlobalId, Held>,
    pub(crate) blocks: Vec<Block>,
    /// In the third pass, the branches of each thread: the event, the op, and what it depended on.
    pub(crate) branches: Vec<Vec<(usize, ir::OpRef, TermId)>>,
    /// In the third pass: the terms of globals that are not shared, and the newest definitions of those that are.
    pub(crate) private: FxHashMap<GlobalId, TermId>,
    pub(crate) defined: FxHashMap<GlobalId, Vec<(usize, usize)>>,
    pub(crate) locks: FxHashMap<(GlobalId, Vec<TermId>), usize>,
    /// The elements of sorts that turned up.
    pub(crate) elements: Elements,
    /// Owners of mutexes that turn out to be known only by symbolic indices.
    pub(crate) symbolic_owners: FxHashSet<GlobalId>,
    pub(crate) symbolic_locks: Vec<TermId>,
    /// Positions in the recording of the running step, and of its running op.
    step: usize,
    op: usize,
    /// How many events each thread has had.
    positions: Vec<usize>,
    /// How many atomic sections the running step is in.
    atomic: usize,
    in_head: bool,
    /// How many ops of the running section were executed before it first branched, and how often it did.
    section: (usize, usize),
    /// The events that initialise mutexes whose ops are ordered as sections.
    pub(crate) initialised: Vec<(usize, GlobalId)>,
}

impl<'p, 'a> Executor<'p, 'a> {
    pub(crate) fn new(
        subject: Subject<'p>,
        translator: Translator<'p>,
        recording: &'a Recording,
        pins: Pins,
    ) -> Self {
        Executor {
            subject,
            translator,
            recording,
            pins,
            sources: None,
            state: State::default(),
            plan: None,
            facts: Vec::new(),
            events: Vec::new(),
            uses: Vec::new(),
            known_uses: FxHashMap::default(),
            use_terms: FxHashMap::default(),
            beginning: FxHashMap::default(),
            blocks: Vec::new(),
            branches: vec![Vec::new(); recording.threads],
            private: FxHashMap::default(),
            defined: FxHashMap::default(),
            locks: FxHashMap::default(),
            elements: FxHashMap::default(),
            symbolic_owners: FxHashSet::default(),
            symbolic_locks: Vec::new(),
            step: 0,
            op: 0,
            positions: vec![0; recording.threads],
            atomic: 0,
            in_head: false,
            section: (0, 0),
            initialised: Vec::new(),
        }
    }

    /// The state in which the run begins.
    pub(crate) fn begin(&mut self) -> Result<(), Stuck> {
        let threads = self.recording.threads;
        self.state = State {
            frames: vec![Vec::new(); threads],
            started: vec![false; threads],
            done: vec![false; threads],
            results: vec![Vec::new(); threads],
            globals: FxHashMap::default(),
            held: FxHashMap::default(),
            marks: vec![Vec::new(); threads],
        };
        let recording = self.recording;
        for choice in &recording.initial {
            self.pins.note(choice);
        }
        for global in self.subject.expanded.globals.keys() {
            self.initialise(global)?;
        }
        for (thread, &proc) in self.subject.expanded.threads.iter().enumerate() {
            self.state.started[thread] = true;
            let locals = FxHashMap::default();
            self.state.frames[thread].push(Frame { proc, locals, results: Vec::new(), from: 0, call: None });
        }
        for choice in &recording.initial {
            self.choice(choice)?;
        }
        Ok(())
    }

    /// Executes a step of the recording.
    pub(crate) fn step(&mut self, step: usize) -> Result<(), Stuck> {
        let recording = self.recording;
        let recorded = &recording.steps[step];
        let thread = recorded.thread;
        self.step = step;
        self.atomic = 0;
        self.in_head = true;
        self.section = (0, 0);
        self.facts.push(StepFacts { thread, ..StepFacts::default() });
        let Some(first) = recorded.ops.first() else {
            return Err(Stuck { what: "a step in which nothing happens".to_owned(), span: Span::NONE });
        };
        let calls = match self.plan {
            Some(_) => self.state.frames[thread].iter().filter_map(|frame| frame.call).collect(),
            None => Vec::new(),
        };
        self.events.push(Event {
            thread,
            pos: self.positions[thread],
            step,
            op: first.op,
            calls,
            guard: Vec::new(),
            tail: Vec::new(),
            accesses: Vec::new(),
            first_accesses: 0,
            plain: false,
            definitions: Vec::new(),
            assertions: Vec::new(),
            ways: Vec::new(),
            blocking: Blocking::Never,
            free: Vec::new(),
            locks: Vec::new(),
            spawns: Vec::new(),
            waits: Vec::new(),
            completes: false,
            exits: false,
        });
        for (at, op) in recorded.ops.iter().enumerate() {
            self.op = at;
            let span = self.span(op.op);
            for choice in &op.choices {
                self.choice(choice)?;
            }
            self.execute(thread, op).map_err(|stuck| match stuck.span {
                Span::NONE => Stuck { span, ..stuck },
                _ => stuck,
            })?;
            if self.atomic == 0 && self.in_head {
                self.in_head = false;
                let event = self.event()?;
                event.first_accesses = event.accesses.len();
            }
        }
        for choice in &recorded.settled {
            self.choice(choice)?;
        }
        self.positions[thread] += 1;
        if self.plan.is_none() {
            // Only the third pass is there to make events.
            self.events.pop();
        }
        Ok(())
    }

    pub(crate) fn span(&self, op: ir::OpRef) -> Span {
        self.subject.expanded.procs[op.proc].blocks[op.block].stmts[op.index].span
    }

    fn event(&mut self) -> Result<&mut Event, Stuck> {
        self.events.last_mut().ok_or_else(|| Stuck { what: "no event".to_owned(), span: Span::NONE })
    }

    fn fact(&mut self) -> Option<&mut StepFacts> {
        self.facts.last_mut()
    }

    /// Something must hold: for the event to be executed, or for the thread to go on as it did.
    fn demand(&mut self, condition: TermId, to_execute: bool) -> Result<(), Stuck> {
        if self.translator.pool.as_bool(condition) == Some(true) {
            return Ok(());
        }
        let to_execute = (to_execute && self.in_head) || self.atomic > 0;
        let event = self.event()?;
        if to_execute {
            event.guard.push(condition);
        } else {
            event.tail.push(condition);
        }
        Ok(())
    }

    /// What is read: what was read in the run, if it is to be that.
    fn pinned(&mut self, global: GlobalId, read: Pair) -> Result<Pair, Stuck> {
        let event = self.events.len().saturating_sub(1);
        if self.plan.as_ref().is_none_or(|plan| !plan.pinned.contains(&(event, global))) {
            return Ok(read);
        }
        let same = self.translator.pool.eq(read.term, read.observed);
        if self.translator.pool.as_bool(same) != Some(true) {
            self.demand(same, false)?;
            if self.atomic > 0 {
                // It is not executed then, and nothing is known of what would be.
                self.event()?.blocking = Blocking::Unknown;
            }
        }
        Ok(Pair::known(read.observed))
    }

    /// A value of something arbitrary is looked at for the first time.
    fn choice(&mut self, choice: &Choice) -> Result<(), Stuck> {
        match &choice.what {
            What::Local(local, key) => self.settle_local(choice.thread, *local, key, choice.value)?,
            What::Global(global, key) if self.sources.is_some() => {
                let index = self.indices(*global, key)?;
                let source = self.sources.as_ref().and_then(|sources| sources.of(*global, &index));
                self.pins.globals.entry((*global, source)).or_default().push((key.clone(), choice.value));
                self.settle_global(*global, &index, choice.value)?;
            }
            What::Result(thread, at) => self.settle_result(*thread, *at, choice.value)?,
            What::Const(..) | What::Func(..) if self.sources.is_some() => self.pins.note(choice),
            What::Global(..)
            | What::Const(..)
            | What::Func(..)
            | What::Target
            | What::Handle(_)
            | What::Nameless => {}
        }
        Ok(())
    }

    /// Takes or gives back the mutex that is known by these indices.
    fn lock(
        &mut self,
        thread: usize,
        owner: GlobalId,
        index: &[TermId],
        observed: Vec<TermId>,
        acquire: bool,
    ) {
        let key = (owner, observed);
        let held = self.state.held.entry(key.clone()).or_insert((thread, 0));
        held.1 = if acquire { held.1 + 1 } else { held.1.saturating_sub(1) };
        // Only the outermost of several counts.
        let counts = held.1 == usize::from(acquire);
        if held.1 == 0 {
            self.state.held.remove(&key);
        }
        if self.plan.is_none() || !counts {
            return;
        }
        if !index.iter().all(|term| self.translator.pool.term(*term).is_literal_value()) {
            self.symbolic_owners.insert(owner);
            self.symbolic_locks.extend(index);
            return;
        }
        let next = self.locks.len();
        let lock = *self.locks.entry(key).or_insert(next);
        if let Some(event) = self.events.last_mut() {
            event.locks.push(LockOp { lock, acquire });
        }
    }
}
