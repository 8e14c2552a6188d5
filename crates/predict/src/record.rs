//! What a run did: its ops, thread by thread, and every arbitrary value that somebody looked at.
//!
//! The run is executed again by the interpreter, with a guide that knows nothing but the run. Threads are numbered in the
//! order in which they are started: the interpreter uses the numbers of threads that are gone again.

use interp::{Config, Guide, ReplayError, Run, Turn, Unknown};
use ir::{ConstId, FuncId, GlobalId, LocalId, OpRef, Program, Type};

/// Something arbitrary that got a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Target,
    Handle(usize),
    Global(GlobalId, Vec<i64>),
    Local(LocalId, Vec<i64>),
    Const(ConstId, Vec<i64>),
    Func(FuncId, Vec<i64>),
    Result(usize, usize),
    Nameless,
}

/// A value of something arbitrary. Handles are numbers of threads plus one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) thread: usize,
    pub(crate) what: What,
    pub(crate) value: i64,
}

/// An op that ran, in the program with its synchronization expanded.
#[derive(Clone, Debug)]
pub(crate) struct RecordedOp {
    pub(crate) op: OpRef,
    /// The values that it needed.
    pub(crate) choices: Vec<Choice>,
    /// The thread that it started.
    pub(crate) started: Option<usize>,
}

/// One step.
#[derive(Clone, Debug)]
pub(crate) struct RecordedStep {
    pub(crate) thread: usize,
    pub(crate) ops: Vec<RecordedOp>,
    /// The values that were needed after its last op.
    pub(crate) settled: Vec<Choice>,
}

/// A run as it happened.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recording {
    pub(crate) initial: Vec<Choice>,
    pub(crate) steps: Vec<RecordedStep>,
    /// How many threads there were.
    pub(crate) threads: usize,
    /// How many of them were there from the start.
    pub(crate) first_threads: usize,
}

/// Executes the first steps of a run again. None of them may fail.
pub(crate) fn record(
    program: &Program,
    expanded: &Program,
    config: &Config,
    run: &Run,
    steps: usize,
) -> Result<Recording, ReplayError> {
    let mut recorder = Recorder {
        program: expanded,
        run,
        steps,
        next: 0,
        choice: 0,
        identity: Vec::new(),
        recording: Recording::default(),
        begun: false,
        in_step: false,
    };
    interp::guided(program, config, &mut recorder)?;
    Ok(recorder.recording)
}

struct Recorder<'a> {
    program: &'a Program,
    run: &'a Run,
    steps: usize,
    /// How many steps were begun.
    next: usize,
    /// How many choices of the running step were made.
    choice: usize,
    /// For each thread of the interpreter, its number here.
    identity: Vec<usize>,
    recording: Recording,
    begun: bool,
    in_step: bool,
}

impl Recorder<'_> {
    fn thread(&self, number: usize) -> usize {
        self.identity.get(number).copied().unwrap_or(0)
    }

    fn handle(&self, value: i64) -> i64 {
        let number = usize::try_from(value - 1).ok();
        number.map_or(value, |number| i64::try_from(self.thread(number) + 1).unwrap_or(0))
    }

    /// Indices and values of handles are numbers of threads.
    fn keys(&self, key: &[i64], ty: &Type) -> (Vec<i64>, Type) {
        let (mut ty, mut keys, mut rest) = (ty, Vec::new(), key);
        while let Some(map) = ty.as_map().filter(|map| !rest.is_empty() && map.args.len() <= rest.len()) {
            let (now, later) = rest.split_at(map.args.len());
            for (part, arg) in now.iter().zip(&map.args) {
                keys.push(if *arg == Type::Task { self.handle(*part) } else { *part });
            }
            (ty, rest) = (&map.result, later);
        }
        (keys, ty.clone())
    }

    fn note(&mut self, thread: usize, what: &Unknown<'_>, value: i64) {
        let thread = self.thread(thread);
        let program = self.program;
        let global = |recorder: &Self, ty: &Type, key: &[i64]| {
            let (keys, ty) = recorder.keys(key, ty);
            (keys, if ty == Type::Task { recorder.handle(value) } else { value })
        };
        let (what, value) = match *what {
            Unknown::Target => (What::Target, value),
            Unknown::Handle(at) => (What::Handle(at), self.handle(value)),
            Unknown::Global(id, key) => {
                let (key, value) = global(self, &program.globals[id].ty, key);
                (What::Global(id, key), value)
            }
            Unknown::Local(id, key) => (What::Local(id, key.to_vec()), value),
            Unknown::Const(id, key) => {
                let (key, value) = global(self, &program.consts[id].ty, key);
                (What::Const(id, key), value)
            }
            Unknown::Func(id, key) => (What::Func(id, key.to_vec()), value),
            Unknown::Result(of, at) => (What::Result(self.thread(of), at), value),
            Unknown::Nameless => (What::Nameless, value),
        };
        let choice = Choice { thread, what, value };
        let Some(step) = self.recording.steps.last_mut() else {
            self.recording.initial.push(choice);
            return;
        };
        match step.ops.last_mut() {
            Some(op) if self.in_step => op.choices.push(choice),
            _ => step.settled.push(choice),
        }
    }
}

impl Guide for Recorder<'_> {
    fn started(&mut self, thread: usize, by: Option<usize>) -> Result<(), String> {
        if self.identity.len() <= thread {
            self.identity.resize(thread + 1, 0);
        }
        let number = self.recording.threads;
        self.identity[thread] = number;
        self.recording.threads += 1;
        if by.is_none() {
            self.recording.first_threads += 1;
        } else if let Some(op) = self.recording.steps.last_mut().and_then(|step| step.ops.last_mut()) {
            op.started = Some(number);
        }
        Ok(())
    }

    fn turn(&mut self) -> Result<Turn, String> {
        let Some(step) = self.run.steps.get(self.next).filter(|_| self.next < self.steps) else {
            return Ok(Turn::End);
        };
        let thread = self.thread(step.thread);
        self.recording.steps.push(RecordedStep { thread, ops: Vec::new(), settled: Vec::new() });
        self.next += 1;
        self.choice = 0;
        self.begun = true;
        Ok(Turn::Run(step.thread))
    }

    fn delays(&mut self, _: usize, _: bool) -> Result<bool, String> {
        Ok(false)
    }

    fn begins(&mut self, _: usize, op: OpRef) -> Result<(), String> {
        self.in_step = true;
        if let Some(step) = self.recording.steps.last_mut() {
            step.ops.push(RecordedOp { op, choices: Vec::new(), started: None });
        }
        Ok(())
    }

    fn stops(&mut self, _: usize, done: bool) {
        self.in_step = false;
        if let Some(step) = self.recording.steps.last_mut()
            && !done
            && let Some(undone) = step.ops.pop()
        {
            step.settled.extend(undone.choices);
        }
    }

    fn choose(&mut self, thread: usize, what: Unknown<'_>) -> Result<i64, String> {
        let choices = match self.begun {
            false => &self.run.initial,
            true => &self.run.steps[self.next - 1].choices,
        };
        let value = choices.get(self.choice).copied().ok_or("it has too few choices")?;
        self.choice += 1;
        self.note(thread, &what, value);
        Ok(value)
    }
}
