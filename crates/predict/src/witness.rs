//! From an order of events to a run of the interpreter.
//!
//! The interpreter runs the program with the threads in that order. All that is arbitrary is what it was in the recorded run;
//! whom a signal wakes, and whether a timed wait is late, is what the solver says.

use std::collections::VecDeque;

use interp::{Config, Guide, ReplayError, Run, Turn, Unknown};
use ir::{GlobalId, LocalId, Op, OpRef, PlaceBase, Program, SyncKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::execute::Subject;
use crate::pins::{Pins, Source};
use crate::record::{Choice, Recording, What};

/// What to run.
pub(crate) struct Script<'a> {
    /// Steps of the recording, in the order wanted.
    pub(crate) steps: Vec<usize>,
    /// The thread whose next step fails after these.
    pub(crate) fails: Option<usize>,
    /// What was chosen in steps: the thread that a signal wakes, or whether a wait is late.
    pub(crate) chosen: FxHashMap<usize, i64>,
    pub(crate) subject: Subject<'a>,
    pub(crate) recording: &'a Recording,
    pub(crate) pins: &'a Pins,
}

/// Makes a run of it.
pub(crate) fn run(program: &Program, config: &Config, script: &Script<'_>) -> Result<Run, ReplayError> {
    let mut queues: Vec<VecDeque<&Choice>> = vec![VecDeque::new(); script.recording.threads];
    let mut results = FxHashMap::default();
    let mut note = |choice: &'_ Choice| {
        if let What::Result(thread, at) = choice.what {
            results.insert((thread, at), choice.value);
        }
    };
    let recording = script.recording;
    recording.initial.iter().for_each(&mut note);
    for choice in &recording.initial {
        queues[choice.thread].push_back(choice);
    }
    for step in &recording.steps {
        for choice in step.ops.iter().flat_map(|op| &op.choices).chain(&step.settled) {
            note(choice);
            queues[choice.thread].push_back(choice);
        }
    }
    let mut last = vec![None; recording.threads];
    for (at, &step) in script.steps.iter().enumerate() {
        last[recording.steps[step].thread] = Some(at);
    }
    let mut player = Player {
        script,
        next: 0,
        op: None,
        identity: Vec::new(),
        numbers: FxHashMap::default(),
        first_threads: 0,
        queues,
        results,
        sources: FxHashMap::default(),
        last,
        calls: FxHashMap::default(),
        gone: FxHashSet::default(),
        strayed: false,
    };
    interp::guided(program, config, &mut player)
}

struct Player<'a> {
    script: &'a Script<'a>,
    /// How many steps were begun.
    next: usize,
    /// The position of the running op in its step.
    op: Option<usize>,
    /// Threads of the recording by their numbers in the interpreter, and the other way round.
    identity: Vec<usize>,
    numbers: FxHashMap<usize, usize>,
    first_threads: usize,
    /// For each thread, what of its arbitrary values was not used yet.
    queues: Vec<VecDeque<&'a Choice>>,
    results: FxHashMap<(usize, usize), i64>,
    /// What left globals arbitrary, the newest last.
    sources: FxHashMap<GlobalId, Vec<Source>>,
    /// The last step of each thread.
    last: Vec<Option<usize>>,
    /// The calls that each thread is in.
    calls: FxHashMap<usize, Vec<OpRef>>,
    /// The threads that have completed.
    gone: FxHashSet<usize>,
    /// Whether the running step does something else than in the recording. Only the last one of a thread may.
    strayed: bool,
}

impl Player<'_> {
    /// The recorded step that runs, unless the failing one does.
    fn step(&self) -> Option<usize> {
        self.next.checked_sub(1).and_then(|at| self.script.steps.get(at).copied())
    }

    fn handle_of(&self, thread: usize) -> Option<i64> {
        self.numbers.get(&thread).and_then(|number| i64::try_from(number + 1).ok())
    }

    /// The value of a handle in the interpreter.
    fn handle(&self, recorded: i64) -> i64 {
        let thread = usize::try_from(recorded - 1).ok();
        thread.and_then(|thread| self.handle_of(thread)).unwrap_or(0)
    }

    fn take(&mut self, thread: usize, wanted: &What) -> Option<i64> {
        let queue = self.queues.get_mut(thread)?;
        let at = queue.iter().position(|choice| choice.what == *wanted)?;
        queue.remove(at).map(|choice| choice.value)
    }

    fn global(&self, global: GlobalId, key: &[i64]) -> i64 {
        let mut sources = vec![None];
        sources.extend(self.sources.get(&global).into_iter().flatten().copied());
        for source in sources.into_iter().rev() {
            let pins = self.script.pins.of(global, source);
            if let Some((_, value)) = pins.iter().find(|(of, _)| of == key) {
                return *value;
            }
            // All of it is of this source, and nobody looked.
            if key.is_empty() {
                break;
            }
        }
        0
    }

    /// The globals that an op may leave arbitrary: a result of a procedure may have been left so.
    fn left_arbitrary(&mut self, thread: usize, at: OpRef) -> Vec<GlobalId> {
        let op_at =
            |at: OpRef| &self.script.subject.expanded.procs[at.proc].blocks[at.block].stmts[at.index].op;
        let targets = match op_at(at) {
            Op::Havoc { targets } => targets.as_slice(),
            Op::Call { .. } => {
                self.calls.entry(thread).or_default().push(at);
                &[]
            }
            Op::Return => match self.calls.get_mut(&thread).and_then(Vec::pop).map(op_at) {
                Some(Op::Call { results, .. }) => results.as_slice(),
                _ => &[],
            },
            _ => &[],
        };
        let global = |place: &ir::Place| match place.base {
            PlaceBase::Global(global) => Some(global),
            PlaceBase::Local(_) => None,
        };
        targets.iter().filter_map(global).collect()
    }

    /// Indices that are handles, as the recording has them.
    fn recorded_key(&self, global: GlobalId, key: &[i64]) -> Vec<i64> {
        let mut ty = &self.script.subject.expanded.globals[global].ty;
        let (mut keys, mut rest) = (Vec::new(), key);
        while let Some(map) = ty.as_map().filter(|map| !rest.is_empty() && map.args.len() <= rest.len()) {
            let (now, later) = rest.split_at(map.args.len());
            for (part, arg) in now.iter().zip(&map.args) {
                let number = usize::try_from(*part - 1).ok().filter(|_| *arg == ir::Type::Task);
                let thread = number.and_then(|number| self.identity.get(number));
                keys.push(thread.map_or(*part, |thread| i64::try_from(thread + 1).unwrap_or(0)));
            }
            (ty, rest) = (&map.result, later);
        }
        keys
    }

    /// Whether a local says that a timed wait is late.
    fn is_late(&self, step: usize, local: LocalId) -> bool {
        let Script { subject, recording, .. } = self.script;
        recording.steps[step].ops.iter().any(|recorded| {
            let kind = subject.back.get(recorded.op).and_then(|at| {
                let stmt = subject.original.procs[at.proc].blocks[at.block].stmts.get(at.index)?;
                if let Op::Sync(sync) = &stmt.op { Some(sync.kind) } else { None }
            });
            let at = recorded.op;
            let op = &subject.expanded.procs[at.proc].blocks[at.block].stmts[at.index].op;
            kind == Some(SyncKind::CondTimedWait)
                && matches!(op, Op::Havoc { targets } if targets.iter().any(|p| p.base == PlaceBase::Local(local)))
        })
    }
}

impl Guide for Player<'_> {
    fn started(&mut self, thread: usize, by: Option<usize>) -> Result<(), String> {
        let identity = if by.is_none() {
            self.first_threads += 1;
            Some(self.first_threads - 1)
        } else {
            let step = self.step().filter(|_| !self.strayed);
            let op = step.zip(self.op);
            op.and_then(|(step, op)| self.script.recording.steps[step].ops.get(op)?.started)
        };
        // Who strays may start threads that the recording does not have; none of them ever runs.
        let identity = identity.unwrap_or(usize::MAX);
        if self.identity.len() <= thread {
            self.identity.resize(thread + 1, usize::MAX);
        }
        self.identity[thread] = identity;
        self.numbers.insert(identity, thread);
        Ok(())
    }

    fn turn(&mut self) -> Result<Turn, String> {
        self.op = None;
        self.strayed = false;
        self.next += 1;
        let number = |thread: usize| self.numbers.get(&thread).copied().ok_or("a thread that is not there");
        match self.script.steps.get(self.next - 1) {
            Some(&step) => Ok(Turn::Run(number(self.script.recording.steps[step].thread)?)),
            None if self.next == self.script.steps.len() + 1 => match self.script.fails {
                Some(thread) => Ok(Turn::Fail(number(thread)?)),
                None => Ok(Turn::End),
            },
            None => Ok(Turn::End),
        }
    }

    fn delays(&mut self, _: usize, _: bool) -> Result<bool, String> {
        Ok(false)
    }

    fn begins(&mut self, thread: usize, op: OpRef) -> Result<(), String> {
        let at = self.op.map_or(0, |op| op + 1);
        self.op = Some(at);
        let Some(step) = self.step() else { return Ok(()) };
        let recorded = &self.script.recording.steps[step].ops;
        if recorded.get(at).map(|recorded| recorded.op) != Some(op) {
            let identity = self.identity.get(thread).copied().unwrap_or(usize::MAX);
            // A step that stops before something begins it.
            if at < recorded.len() && self.last.get(identity).copied().flatten() != Some(self.next - 1) {
                return Err("another op was expected".to_owned());
            }
            self.strayed = true;
        }
        let identity = self.identity.get(thread).copied().unwrap_or(usize::MAX);
        for global in self.left_arbitrary(identity, op) {
            self.sources.entry(global).or_default().push(Some((step, at)));
        }
        Ok(())
    }

    fn stops(&mut self, _: usize, _: bool) {}

    fn stands(&mut self, thread: usize, at: Option<OpRef>) {
        if at.is_none() {
            self.gone.extend(self.identity.get(thread));
        }
    }

    fn choose(&mut self, thread: usize, what: Unknown<'_>) -> Result<i64, String> {
        let identity = self.identity.get(thread).copied().unwrap_or(usize::MAX);
        let step = self.step().filter(|_| !self.strayed);
        let chosen = step.and_then(|step| self.script.chosen.get(&step).copied());
        match what {
            Unknown::Target => Ok(self.take(identity, &What::Target).unwrap_or(0)),
            Unknown::Handle(at) => {
                let recorded = self.take(identity, &What::Handle(at));
                // Whoever is woken when nobody waits makes no difference. Who has completed does not wait.
                let gone = |value: &i64| usize::try_from(value - 1).is_ok_and(|of| self.gone.contains(&of));
                let wanted = match chosen {
                    Some(chosen) if gone(&chosen) => 0,
                    _ => chosen.or(recorded).map_or(0, |value| self.handle(value)),
                };
                Ok(if wanted == 0 { i64::try_from(thread + 1).unwrap_or(1) } else { wanted })
            }
            Unknown::Global(id, key) => {
                let key = self.recorded_key(id, key);
                Ok(self.global(id, &key))
            }
            Unknown::Local(local, key) => {
                let recorded = self.take(identity, &What::Local(local, key.to_vec()));
                match (chosen, step) {
                    (Some(chosen), Some(step)) if self.is_late(step, local) => Ok(chosen),
                    _ => Ok(recorded.unwrap_or(0)),
                }
            }
            Unknown::Const(id, key) => {
                Ok(self.script.pins.consts.get(&(id, key.to_vec())).copied().unwrap_or(0))
            }
            Unknown::Func(id, key) => {
                let known = self.script.pins.funcs.iter().find(|((of, at), _)| *of == id && at == key);
                known.map(|(_, value)| *value).ok_or_else(|| "a function where nobody looked".to_owned())
            }
            Unknown::Result(of, at) => {
                let of = self.identity.get(of).copied().unwrap_or(usize::MAX);
                Ok(self.results.get(&(of, at)).copied().unwrap_or(0))
            }
            Unknown::Nameless => Err("a cell of a map that is in no variable".to_owned()),
        }
    }
}
