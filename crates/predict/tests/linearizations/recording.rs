//! The ops and the arbitrary values of a run, taken from the interpreter.

use interp::{Config, Guide, Run, Turn, Unknown};
use ir::{GlobalId, LocalId, OpRef, Program};

/// An arbitrary value that the enumeration has to know.
#[derive(Clone, Debug)]
pub(crate) enum Chosen {
    Local(usize, LocalId, i64),
    Global(GlobalId, i64),
    Handle(i64),
    Result(usize, usize, i64),
}

#[derive(Clone, Debug)]
pub(crate) struct RunOp {
    pub op: OpRef,
    pub chosen: Vec<Chosen>,
    pub started: Option<usize>,
}

#[derive(Clone, Debug)]
pub(crate) struct RunStep {
    pub thread: usize,
    pub ops: Vec<RunOp>,
    pub settled: Vec<Chosen>,
}

/// A run. Threads are numbered as they are started.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorded {
    pub initial: Vec<Chosen>,
    pub steps: Vec<RunStep>,
    pub threads: usize,
}

struct Recorder<'r> {
    run: &'r Run,
    step: usize,
    choice: usize,
    running: bool,
    numbers: Vec<usize>,
    out: Recorded,
}

pub(crate) fn record(program: &Program, config: &Config, run: &Run) -> Recorded {
    let mut recorder =
        Recorder { run, step: 0, choice: 0, running: false, numbers: Vec::new(), out: Recorded::default() };
    interp::guided(program, config, &mut recorder).unwrap();
    recorder.out
}

impl Guide for Recorder<'_> {
    fn started(&mut self, thread: usize, by: Option<usize>) -> Result<(), String> {
        self.numbers.resize(self.numbers.len().max(thread + 1), 0);
        self.numbers[thread] = self.out.threads;
        if by.is_some() {
            let op = self.out.steps.last_mut().unwrap().ops.last_mut().unwrap();
            op.started = Some(self.out.threads);
        }
        self.out.threads += 1;
        Ok(())
    }

    fn turn(&mut self) -> Result<Turn, String> {
        let Some(step) = self.run.steps.get(self.step) else { return Ok(Turn::End) };
        self.step += 1;
        self.choice = 0;
        let thread = self.numbers[step.thread];
        self.out.steps.push(RunStep { thread, ops: Vec::new(), settled: Vec::new() });
        Ok(Turn::Run(step.thread))
    }

    fn delays(&mut self, _: usize, _: bool) -> Result<bool, String> {
        Ok(false)
    }

    fn begins(&mut self, _: usize, op: OpRef) -> Result<(), String> {
        self.running = true;
        self.out.steps.last_mut().unwrap().ops.push(RunOp { op, chosen: Vec::new(), started: None });
        Ok(())
    }

    fn stops(&mut self, _: usize, done: bool) {
        self.running = false;
        if !done {
            let step = self.out.steps.last_mut().unwrap();
            let undone = step.ops.pop().unwrap();
            step.settled.extend(undone.chosen);
        }
    }

    fn choose(&mut self, thread: usize, what: Unknown<'_>) -> Result<i64, String> {
        let choices = if self.step == 0 { &self.run.initial } else { &self.run.steps[self.step - 1].choices };
        let value = choices[self.choice];
        self.choice += 1;
        let chosen = match what {
            Unknown::Local(local, &[]) => Chosen::Local(self.numbers[thread], local, value),
            Unknown::Global(global, &[]) => Chosen::Global(global, value),
            Unknown::Handle(_) => {
                Chosen::Handle(self.numbers[usize::try_from(value - 1).unwrap()] as i64 + 1)
            }
            Unknown::Result(of, at) => Chosen::Result(self.numbers[of], at, value),
            Unknown::Target => return Ok(value),
            other => return Err(format!("the enumeration does not know {other:?}")),
        };
        match self.out.steps.last_mut() {
            None => self.out.initial.push(chosen),
            Some(step) if self.running => step.ops.last_mut().unwrap().chosen.push(chosen),
            Some(step) => step.settled.push(chosen),
        }
        Ok(value)
    }
}
