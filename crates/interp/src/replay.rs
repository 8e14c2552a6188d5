//! Replay of a run, step by step, with what each step did: the check that every counterexample passes before
//! anybody sees it, and what reports are made of.

mod ending;

use ir::{OpRef, ProcId, Program};
use source::Span;

use crate::code::{Action, Code};
use crate::compile::compile;
use crate::delay::Delaying;
use crate::machine::{Arbitrary, LIVE, Machine, STATUS, Touch};
use crate::response::{Requests, Watched};
use crate::run::{Config, Limits, Run, Scheduler, Step};
use crate::step::{Failure, Outcome};
use crate::word::Word;

pub use ending::{Blocked, Ending};

/// A value that a step changed, or assigned again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The variable, or the cell of a map, as the user knows it.
    pub name: String,
    /// The variable by its name in the program.
    pub variable: String,
    /// Whether it is a local variable of the thread that stepped.
    pub local: bool,
    /// What it is now.
    pub value: String,
}

/// An access to a global, or to a cell of it, of a step. Values are words: what can be compared, and no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accessed {
    /// The global of the program with its synchronization expanded.
    pub global: ir::GlobalId,
    /// The indices of all maps on the way, one after the other.
    pub key: Vec<i64>,
    /// Whether it is assigned.
    pub write: bool,
    /// What it held before the step, unless that was arbitrary and nobody had looked.
    pub before: Option<u64>,
    /// What it holds after the step, unless that is arbitrary.
    pub after: Option<u64>,
    /// How the user knows it, if it is the user's.
    pub name: Option<String>,
}

impl Accessed {
    /// Whether both are the same cell, or one has the other in it.
    #[must_use]
    pub fn overlaps(&self, other: &Accessed) -> bool {
        self.global == other.global && self.key.iter().zip(&other.key).all(|(mine, theirs)| mine == theirs)
    }
}

/// One step as it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Which thread: a position in [`Replay::threads`].
    pub thread: usize,
    /// Whether the thread was delayed instead of run.
    pub delay: bool,
    /// The ops that ran, in order, each once in a row.
    pub ops: Vec<(OpRef, Span)>,
    /// The variables that changed, and the globals that were assigned the value they had.
    pub changes: Vec<Change>,
    /// The globals that were read and not assigned, where the program's presentation says how they are shown.
    pub reads: Vec<Change>,
    /// All accesses to globals, in the order in which they were made.
    pub accesses: Vec<Accessed>,
}

/// An arbitrary value of a local variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// Which thread: a position in [`Replay::threads`].
    pub thread: usize,
    /// The havoc that made it arbitrary.
    pub op: OpRef,
    /// What it is; nothing if nobody looked at it.
    pub value: Option<i64>,
}

/// A run with all that happened in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The threads of the run by name, in the order in which they were started.
    pub threads: Vec<String>,
    /// The values of the globals in the initial state, as far as they are not arbitrary.
    pub initial: Vec<Change>,
    /// The axioms that cannot be evaluated, and are taken for granted.
    pub assumed: Vec<Span>,
    /// The steps.
    pub events: Vec<Event>,
    /// The arbitrary values of local variables, in the order in which they became so.
    pub inputs: Vec<Input>,
    /// How it ends.
    pub ending: Ending,
}

/// Why a run cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// The step, counted from 0, or nothing if there is no such initial state.
    pub step: Option<usize>,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.step {
            Some(step) => {
                write!(f, "step {} of the run does not fit the program: {}", step + 1, self.message)
            }
            None => write!(f, "the run does not fit the program's initial states: {}", self.message),
        }
    }
}

impl std::error::Error for ReplayError {}

/// Replays a run of a valid program, under the scheduler of `config`.
///
/// # Errors
/// When the program has no such run.
pub fn replay(program: &Program, config: &Config, run: &Run) -> Result<Replay, ReplayError> {
    let code = compile(program, config.switch_at);
    Replayer::new(program, &code, *config).replay(run)
}

struct Replayer<'c> {
    program: &'c Program,
    code: &'c Code,
    config: Config,
    machine: Machine<'c>,
    /// Every thread there ever was, by name.
    threads: Vec<String>,
    /// For each thread of the state, which of them it is.
    identity: Vec<usize>,
    /// How many threads of each procedure there were.
    instances: std::collections::BTreeMap<ProcId, usize>,
    inputs: Vec<Input>,
    /// For each local variable that is arbitrary, by thread and place: the input that it is.
    open: std::collections::BTreeMap<(usize, usize), usize>,
}

impl<'c> Replayer<'c> {
    fn new(program: &'c Program, code: &'c Code, config: Config) -> Self {
        let delaying = config.scheduler != Scheduler::All;
        let mut machine = Machine::new(code, config.int_range, config.limits, delaying);
        machine.recording = true;
        machine.watched = config.checks.response.map(Watched::new);
        Replayer {
            program,
            code,
            config,
            machine,
            threads: Vec::new(),
            identity: Vec::new(),
            instances: std::collections::BTreeMap::new(),
            inputs: Vec::new(),
            open: std::collections::BTreeMap::new(),
        }
    }

    fn replay(mut self, run: &Run) -> Result<Replay, ReplayError> {
        if run.lasso_start.is_some() {
            // Lassos are judged by sets of threads.
            self.machine.limits.threads = self.machine.limits.threads.min(Limits::MOST_EXPLORED);
        }
        self.start(run)?;
        let initial = self.changes(&[]);
        let mut events = Vec::new();
        let mut failure = None;
        let mut requests = Requests::default();
        self.note_moment(0, &mut requests);
        let mut lasso = run.lasso_start.map(|_| ending::LassoCheck::default());
        for (at, step) in run.steps.iter().enumerate() {
            if failure.is_some() {
                return Err(error(at, "it has already failed"));
            }
            if run.lasso_start.is_some_and(|start| at >= start)
                && let Some(check) = &mut lasso
            {
                check.visit(&mut self.machine);
            }
            let (event, outcome) = self.step(at, step)?;
            events.push(event);
            if let Some(check) = &mut lasso
                && run.lasso_start.is_some_and(|start| at >= start)
            {
                check.step(&self.machine, step.thread);
            }
            failure = outcome;
            if failure.is_none() {
                self.note_moment(at + 1, &mut requests);
            }
        }
        let ending = self.ending(run, failure, lasso, &requests);
        let Replayer { threads, inputs, machine, .. } = self;
        Ok(Replay { threads, initial, assumed: machine.assumed, events, inputs, ending })
    }

    fn start(&mut self, run: &Run) -> Result<(), ReplayError> {
        self.machine.oracle.follow(words(&run.initial));
        let message = match self.machine.initialise() {
            Outcome::Moved if self.machine.oracle.is_exhausted() => {
                for thread in 0..self.machine.threads() {
                    self.name_thread(thread, self.code.threads[thread]);
                }
                return Ok(());
            }
            Outcome::Moved => "it has choices that the program does not make".to_owned(),
            Outcome::Cut(cut) => cut.to_string(),
            Outcome::Blocked | Outcome::Failed(_) => "its choices contradict the axioms".to_owned(),
        };
        Err(ReplayError { step: None, message })
    }

    /// Looks whether a request holds now, or its answer. What is arbitrary of it was chosen by the step before.
    fn note_moment(&mut self, at: usize, requests: &mut Requests) {
        if let Ok(Some(moment)) = self.machine.moment() {
            requests.visit(at, moment);
        }
    }

    /// Names the thread that now has a place in the state.
    fn name_thread(&mut self, thread: usize, proc: ProcId) {
        let instances = self.instances.entry(proc).or_default();
        *instances += 1;
        let name = ir::shown_name(&self.code.procs[proc].name);
        let name = if *instances == 1 { name.to_owned() } else { format!("{name}#{instances}") };
        if self.identity.len() <= thread {
            self.identity.resize(thread + 1, 0);
            self.machine.names.resize(thread + 1, String::new());
        }
        self.identity[thread] = self.threads.len();
        self.machine.names[thread].clone_from(&name);
        self.threads.push(name);
    }

    fn step(&mut self, at: usize, step: &Step) -> Result<(Event, Option<Failure>), ReplayError> {
        if step.thread >= self.machine.threads() || self.machine.header(step.thread, STATUS) != LIVE {
            return Err(error(at, &format!("there is no thread {} that could run", step.thread)));
        }
        let delaying = match self.config.scheduler {
            Scheduler::All => None,
            Scheduler::Df(most) => Some((Delaying::Df, most)),
            Scheduler::Dfw(most) => Some((Delaying::Dfw, most)),
        };
        if delaying.is_some() && self.machine.selected() != Some(step.thread) {
            return Err(error(at, "the scheduler does not run this thread now"));
        }
        let thread = self.identity[step.thread];
        if step.delay {
            let delayed = delaying.is_some_and(|(_, most)| self.machine.delay(most, step.thread));
            if !delayed {
                return Err(error(at, "no delay is left"));
            }
            let (changes, reads, accesses) = (Vec::new(), Vec::new(), Vec::new());
            return Ok((Event { thread, delay: true, ops: Vec::new(), changes, reads, accesses }, None));
        }
        // What is told are changes of globals and of its own locals.
        let globals = self.machine.words[..self.code.globals.len()].to_vec();
        let frames = self.frames(step.thread);
        let mut stack = self.calls(step.thread);
        self.machine.oracle.follow(words(&step.choices));
        let outcome = match delaying {
            Some((kind, _)) => self.machine.scheduled_step(kind, step.thread),
            None => self.machine.step(step.thread),
        };
        let failure = match outcome {
            Outcome::Moved => None,
            Outcome::Failed(failure) => Some(failure),
            Outcome::Blocked => return Err(error(at, "the thread is blocked")),
            Outcome::Cut(cut) => return Err(error(at, &cut.to_string())),
        };
        if !self.machine.oracle.is_exhausted() {
            return Err(error(at, "it has more choices than the program makes"));
        }
        for started in self.machine.effects.started.clone() {
            if started < self.machine.threads() && self.machine.header(started, STATUS) == LIVE {
                let frame = self.machine.frames(started).next();
                if let Some((pc, _)) = frame {
                    self.name_thread(started, self.code.instr(pc).proc);
                }
            }
        }
        self.note_inputs(thread);
        let mut ops: Vec<(OpRef, Span)> = Vec::new();
        for &pc in &self.machine.effects.trace {
            let instr = self.code.instr(pc);
            if ops.last().is_none_or(|(last, _)| *last != instr.origin) {
                ops.push((instr.origin, self.told(&stack, instr.span)));
            }
            match instr.action {
                Action::Call { .. } => stack.push(instr.span),
                Action::Return => {
                    stack.pop();
                }
                _ => {}
            }
        }
        let mut changes = self.changes(&globals);
        self.add_rewritten(&mut changes);
        let reads = self.reads(&changes);
        changes.extend(self.local_changes(&frames, step.thread));
        let accesses = self.accesses(&globals);
        Ok((Event { thread, delay: false, ops, changes, reads, accesses }, failure))
    }

    /// The accesses of the step that was just taken, given the globals before it.
    fn accesses(&self, before: &[Word]) -> Vec<Accessed> {
        let touches = self.machine.effects.touches.iter();
        let touches = touches.map(|touch| Accessed {
            global: ir::GlobalId::from_u32(touch.global),
            key: touch.key.iter().map(|word| word.cast_signed()).collect(),
            write: touch.write,
            before: self.held(touch, before),
            after: self.held(touch, &self.machine.words),
            name: self.touched(touch).map(|touched| touched.name),
        });
        touches.collect()
    }

    /// What a cell held when the globals were these.
    fn held(&self, touch: &Touch, globals: &[Word]) -> Option<Word> {
        let mut ty = &self.code.globals[touch.global as usize].ty;
        let (mut word, mut key) = (globals[touch.global as usize], touch.key.as_slice());
        while let Some(map) = ty.as_map().filter(|map| !key.is_empty() && map.args.len() <= key.len()) {
            let (now, later) = key.split_at(map.args.len());
            (word, ty, key) = (self.machine.maps.get(word, now), &map.result, later);
        }
        Some(word).filter(|word| *word != crate::word::UNSET)
    }

    /// Takes over what the step had to do with arbitrary local variables.
    fn note_inputs(&mut self, thread: usize) {
        for &(at, what) in &self.machine.effects.arbitrary {
            match what {
                Arbitrary::Became(pc) => {
                    self.open.insert((thread, at), self.inputs.len());
                    self.inputs.push(Input { thread, op: self.code.instr(pc).origin, value: None });
                }
                Arbitrary::Is(word) => {
                    if let Some(input) = self.open.remove(&(thread, at)) {
                        self.inputs[input].value = Some(word.cast_signed());
                    }
                }
            }
        }
    }

    /// The calls that a thread is in, the newest last.
    fn calls(&self, thread: usize) -> Vec<Span> {
        let mut calls: Vec<Span> =
            self.machine.frames(thread).map(|(pc, _)| self.code.instr(pc).span).collect();
        calls.pop();
        calls
    }

    /// Where something is told that happens at a place inside of calls: there, or, if that is in a library, where the
    /// library was called.
    fn told(&self, calls: &[Span], at: Span) -> Span {
        let looks = &self.code.presentation;
        if !looks.is_library(at) {
            return at;
        }
        calls.iter().rev().copied().find(|call| !looks.is_library(*call)).unwrap_or(at)
    }

    /// Where what a thread does next is told.
    fn told_next(&self, thread: usize) -> Span {
        let at = self.code.instr(self.machine.pc_of(thread)).span;
        self.told(&self.calls(thread), at)
    }

    /// The globals that differ from an earlier state, cell by cell.
    fn changes(&self, before: &[Word]) -> Vec<Change> {
        let mut changes = Vec::new();
        for (at, global) in self.code.globals.iter().enumerate().filter(|(_, g)| g.is_variable) {
            let old = before.get(at).copied().unwrap_or(crate::word::UNSET);
            if let Some(named) = self.global(at) {
                self.compare(&named, &[], &global.ty, old, self.machine.words[at], &mut changes);
            }
        }
        changes
    }

    /// Adds the globals that were assigned the value they had: a lost update is just that.
    fn add_rewritten(&self, changes: &mut Vec<Change>) {
        for touch in self.machine.effects.touches.iter().filter(|touch| touch.write) {
            let Some(Touched { named, name, ty, word }) = self.touched(touch) else { continue };
            // A whole map is told cell by cell; that it is the same is no news.
            if ty.as_map().is_none() && !changes.iter().any(|change| !change.local && change.name == name) {
                changes.push(named.change(name, self.machine.show_as(word, ty, named.look)));
            }
        }
    }

    /// The globals that were read and not assigned, where the frontend says how they are shown.
    fn reads(&self, changes: &[Change]) -> Vec<Change> {
        let mut reads: Vec<Change> = Vec::new();
        for touch in self.machine.effects.touches.iter().filter(|touch| !touch.write) {
            let Some(Touched { named, name, ty, word }) = self.touched(touch) else { continue };
            let told = changes.iter().chain(&reads).any(|change| !change.local && change.name == name);
            if named.look.is_some() && ty.as_map().is_none() && !told {
                reads.push(named.change(name, self.machine.show_as(word, ty, named.look)));
            }
        }
        reads
    }

    /// What was accessed, and what it holds now.
    fn touched(&self, touch: &Touch) -> Option<Touched<'_>> {
        let mut ty = &self.code.globals[touch.global as usize].ty;
        let named = self.global(touch.global as usize)?;
        let mut keys = Vec::new();
        let (mut word, mut key) = (self.machine.words[touch.global as usize], touch.key.as_slice());
        while let Some(map) = ty.as_map().filter(|map| !key.is_empty() && map.args.len() <= key.len()) {
            let (now, later) = key.split_at(map.args.len());
            keys.push(self.machine.show_keys(now, &map.args, named.look));
            (word, ty, key) = (self.machine.maps.get(word, now), &map.result, later);
        }
        let name = named.with(&keys);
        Some(Touched { named, name, ty, word })
    }

    /// The frames of a thread: the procedure and its locals.
    fn frames(&self, thread: usize) -> Vec<(ProcId, Vec<Word>)> {
        if thread >= self.machine.threads() || !self.machine.is_live(thread) {
            return Vec::new();
        }
        let frames = self.machine.frames(thread).map(|(pc, start)| {
            let proc = self.code.instr(pc).proc;
            (proc, self.machine.words[start..start + self.code.procs[proc].locals.len()].to_vec())
        });
        frames.collect()
    }

    /// The locals of the newest frame that differ from those of the same frame before, or are new.
    fn local_changes(&self, before: &[(ProcId, Vec<Word>)], thread: usize) -> Vec<Change> {
        let mut changes = Vec::new();
        let frames = self.frames(thread);
        let Some((proc, locals)) = frames.last() else { return changes };
        // What libraries have for themselves tells nothing.
        if self.code.presentation.is_library(self.code.instr(self.machine.pc_of(thread)).span) {
            return changes;
        }
        let old = before.get(frames.len() - 1).filter(|(old, _)| old == proc);
        for (at, (name, ty)) in self.code.procs[*proc].locals.iter().enumerate() {
            let was = old.map_or(crate::word::UNSET, |(_, old)| old[at]);
            let nil = *ty == ir::Type::Task && old.is_none() && locals[at] == 0;
            if !name.starts_with('$') && !nil {
                let id = ir::LocalId::from_u32(u32::try_from(at).unwrap_or(u32::MAX));
                let look = self.code.presentation.locals.get(&(*proc, id));
                let named = Named { name, look, local: true };
                self.compare(&named, &[], ty, was, locals[at], &mut changes);
            }
        }
        changes
    }

    /// A global that is shown.
    fn global(&self, at: usize) -> Option<Named<'_>> {
        let name = &self.code.globals[at].name;
        let id = ir::GlobalId::from_u32(u32::try_from(at).unwrap_or(u32::MAX));
        let look = self.code.presentation.globals.get(&id);
        (!name.starts_with('$')).then_some(Named { name, look, local: false })
    }

    fn compare(
        &self,
        named: &Named<'_>,
        keys: &[Vec<String>],
        ty: &ir::Type,
        old: Word,
        new: Word,
        changes: &mut Vec<Change>,
    ) {
        if old == new {
            return;
        }
        let maps = &self.machine.maps;
        if let Some(map) = ty.as_map() {
            let (old_default, _) = maps.contents(old);
            let (new_default, cells) = maps.contents(new);
            // The same map with other cells: tell the cells.
            if old_default == new_default && (old != crate::word::UNSET || named.look.is_some()) {
                let (_, old_cells) = maps.contents(old);
                let touched: std::collections::BTreeSet<&[Word]> =
                    cells.iter().chain(&old_cells).map(|(key, _)| *key).collect();
                for key in touched {
                    let mut inner = keys.to_vec();
                    inner.push(self.machine.show_keys(key, &map.args, named.look));
                    let (old, new) = (maps.get(old, key), maps.get(new, key));
                    self.compare(named, &inner, &map.result, old, new, changes);
                }
                return;
            }
        }
        changes.push(named.change(named.with(keys), self.machine.show_as(new, ty, named.look)));
    }
}

/// A global, or a cell of it, and what it holds.
struct Touched<'a> {
    named: Named<'a>,
    name: String,
    ty: &'a ir::Type,
    word: Word,
}

/// A variable and how it is shown.
struct Named<'a> {
    name: &'a str,
    look: Option<&'a ir::Look>,
    local: bool,
}

impl Named<'_> {
    /// The name of a cell: one list of keys per map on the way.
    fn with(&self, keys: &[Vec<String>]) -> String {
        match self.look {
            Some(look) => look.named(&keys.concat()),
            None => {
                let indices: String = keys.iter().map(|keys| format!("[{}]", keys.join(", "))).collect();
                format!("{}{indices}", ir::shown_name(self.name))
            }
        }
    }

    fn change(&self, name: String, value: String) -> Change {
        Change { name, variable: self.name.to_owned(), local: self.local, value }
    }
}

fn words(choices: &[i64]) -> Vec<Word> {
    choices.iter().map(|&c| c.cast_unsigned()).collect()
}

fn error(step: usize, message: &str) -> ReplayError {
    ReplayError { step: Some(step), message: message.to_owned() }
}
