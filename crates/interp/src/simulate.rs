//! One run of a program to its end, along one schedule.
//!
//! An exploration tells what can happen; a simulation tells what a program computes. Tests compare that with other
//! executions of the same program. Which thread runs, and which alternative an arbitrary choice takes, is up to a
//! [`Schedule`]: the same one gives the same run. Every schedule lets every thread run again and again, so that a thread
//! that spins until another one has done something does not spin for ever.

use ir::{AssertKind, OpRef, Program};
use source::Span;

use crate::compile::compile;
use crate::machine::Machine;
use crate::replay::ReplayError;
use crate::run::{Config, Cut, Run, Step, ViolationKind};
use crate::step::{Failure, Outcome};
use crate::word::{UNSET, Word};

/// Who runs next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// The oldest thread that can.
    Oldest,
    /// The newest thread that can.
    Newest,
    /// This thread, as long as it can, and then the oldest that can.
    First(usize),
    /// The oldest of the other threads that can, and this one when none can.
    Last(usize),
    /// One after the other, a step each.
    RoundRobin,
    /// Any, by random numbers from this seed. Arbitrary values are random, too.
    Random(u64),
}

/// How a simulation ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// All threads completed, or the program exited.
    Completed,
    /// Something is wrong: what, in words, and where.
    Violation(ViolationKind, String, Span),
    /// A thread is stopped for ever by an assume, so that there is no such run.
    Discarded(Span),
    /// The semantics could not go on.
    Cut(Cut, Span),
    /// The run took as many steps as allowed.
    TooLong,
    /// It came to an op at which it was to stop.
    Stopped,
}

/// What a simulation did.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// How it ended.
    pub end: End,
    /// Steps taken.
    pub steps: usize,
    /// The run, as far as it came without a failing step.
    pub run: Run,
    /// The step after that, if it fails.
    pub failing: Option<Step>,
    /// The values of the globals in the end, by name.
    globals: Vec<(String, Value)>,
}

/// A value. Truth values are 0 and 1, bit vectors are unsigned, integers are in two's complement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nobody assigned it.
    Arbitrary,
    /// Of any type but a map.
    Scalar(u64),
    /// A map with one index: the value of most cells, and the other cells by index.
    Map(Option<u64>, Vec<(u64, u64)>),
    /// A map with more than one index, or of maps.
    Nested,
}

impl Simulation {
    /// The value of a global in the end; none if there is no such global.
    #[must_use]
    pub fn global(&self, name: &str) -> Option<&Value> {
        self.globals.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }
}

impl Value {
    /// The value of a cell, if this is a map and it has one.
    #[must_use]
    pub fn cell(&self, index: u64) -> Option<u64> {
        let Value::Map(default, cells) = self else { return None };
        let known = cells.iter().find(|(at, _)| *at == index).map(|(_, value)| *value);
        known.or(*default).filter(|value| *value != UNSET)
    }
}

/// Runs a valid program along a schedule, for at most some steps. Of the configuration, where threads can be switched, the
/// limits and the range of integers count.
#[must_use]
pub fn simulate(program: &Program, config: &Config, schedule: Schedule, most_steps: usize) -> Simulation {
    let code = compile(program, config.switch_at);
    let machine = Machine::new(&code, config.int_range, config.limits, false);
    let (turns, run) = (Turns::new(schedule), Run::default());
    let mut simulator = Simulator { machine, turns, choices: Vec::new(), run, failing: None, stops: None };
    let mut steps = 0;
    let end = simulator.begin().unwrap_or_else(|| simulator.run(most_steps, &mut steps));
    simulator.told(end, steps)
}

/// Goes on where a run ends, along a schedule, for at most some steps; not beyond a step that executes one of the ops that `stops` tells.
///
/// # Errors
/// When the program has no such run.
pub fn go_on(
    program: &Program,
    config: &Config,
    run: &Run,
    schedule: Schedule,
    most_steps: usize,
    stops: &dyn Fn(OpRef) -> bool,
) -> Result<Simulation, ReplayError> {
    let code = compile(program, config.switch_at);
    let mut machine = Machine::new(&code, config.int_range, config.limits, false);
    machine.recording = true;
    let (turns, stops) = (Turns::new(schedule), Some(stops));
    let mut simulator =
        Simulator { machine, turns, choices: Vec::new(), run: run.clone(), failing: None, stops };
    simulator.repeat(run)?;
    let mut steps = 0;
    let end = simulator.run(most_steps, &mut steps);
    Ok(simulator.told(end, steps))
}

/// After so many steps in a row another thread runs, even under a schedule that prefers this one.
const LONGEST_TURN: usize = 500;

/// The most sequences of choices that are tried to find one with which a thread can step.
const MOST_CHOICES: usize = 64;

struct Simulator<'c> {
    machine: Machine<'c>,
    turns: Turns,
    /// The choices of the step that was taken last.
    choices: Vec<i64>,
    run: Run,
    failing: Option<Step>,
    /// The ops beyond which it does not go on.
    stops: Option<&'c dyn Fn(OpRef) -> bool>,
}

impl Simulator<'_> {
    /// The state in which the program begins, unless there is none.
    fn begin(&mut self) -> Option<End> {
        self.machine.oracle.reset();
        match self.machine.initialise() {
            Outcome::Moved => self.run.initial = self.made(),
            Outcome::Cut(cut) => return Some(End::Cut(*cut, Span::NONE)),
            Outcome::Blocked | Outcome::Failed(_) => return Some(End::Discarded(Span::NONE)),
        }
        None
    }

    /// The state in which a run ends.
    fn repeat(&mut self, run: &Run) -> Result<(), ReplayError> {
        let words = |choices: &[i64]| choices.iter().map(|choice| choice.cast_unsigned()).collect();
        let error = |step, message: &str| ReplayError { step, message: message.to_owned() };
        self.machine.oracle.follow(words(&run.initial));
        if !matches!(self.machine.initialise(), Outcome::Moved) {
            return Err(error(None, "its choices contradict the axioms"));
        }
        for (at, step) in run.steps.iter().enumerate() {
            let thread = step.thread;
            if thread >= self.machine.threads() || !self.machine.is_live(thread) {
                return Err(error(Some(at), "a thread runs that has completed"));
            }
            self.machine.oracle.follow(words(&step.choices));
            if !matches!(self.machine.step(thread), Outcome::Moved) {
                return Err(error(Some(at), "the thread does not step"));
            }
        }
        Ok(())
    }

    fn told(self, end: End, steps: usize) -> Simulation {
        let globals = self.globals();
        Simulation { end, steps, run: self.run, failing: self.failing, globals }
    }

    /// Whether the step that was taken last executed an op beyond which nothing is known.
    fn stops(&self) -> bool {
        let Some(stops) = self.stops else { return false };
        self.machine.effects.trace.iter().any(|pc| stops(self.machine.code.instr(*pc).origin))
    }

    fn run(&mut self, most_steps: usize, steps: &mut usize) -> End {
        while *steps < most_steps {
            let mut live: Vec<usize> =
                (0..self.machine.threads()).filter(|&t| self.machine.is_live(t)).collect();
            if live.is_empty() {
                return End::Completed;
            }
            let base = self.machine.words.clone();
            let mut assuming = None;
            // A thread is known to be blocked only when it is tried.
            loop {
                if live.is_empty() {
                    self.machine.load(&base);
                    return self.stuck(assuming);
                }
                let thread = live.remove(self.turns.next(&live));
                match self.step(&base, thread) {
                    Outcome::Moved | Outcome::Failed(_) if self.stops() => return End::Stopped,
                    Outcome::Moved => {
                        self.turns.ran(thread);
                        let choices = std::mem::take(&mut self.choices);
                        self.run.steps.push(Step { thread, delay: false, choices });
                        break;
                    }
                    Outcome::Failed(failure) => {
                        let choices = std::mem::take(&mut self.choices);
                        self.failing = Some(Step { thread, delay: false, choices });
                        return self.failed(failure);
                    }
                    Outcome::Cut(cut) => return End::Cut(*cut, self.span_of_running()),
                    Outcome::Blocked if self.machine.effects.at_assume => {
                        assuming = assuming.or(Some(self.span_of_running()));
                    }
                    Outcome::Blocked => {}
                }
            }
            *steps += 1;
        }
        End::TooLong
    }

    /// A step of one thread, with choices that let it move if there are such.
    fn step(&mut self, base: &[Word], thread: usize) -> Outcome {
        self.machine.oracle.reset();
        let mut skipped = self.turns.choices_to_skip();
        let mut moved = None;
        for _ in 0..MOST_CHOICES {
            self.machine.load(base);
            match self.machine.step(thread) {
                Outcome::Moved => {
                    self.choices = self.made();
                    if skipped == 0 {
                        return Outcome::Moved;
                    }
                    moved = Some(self.machine.words.clone());
                }
                Outcome::Blocked => {}
                outcome @ (Outcome::Failed(_) | Outcome::Cut(_)) => {
                    self.choices = self.made();
                    return outcome;
                }
            }
            if !self.machine.oracle.advance() {
                break;
            }
            skipped = skipped.saturating_sub(1);
        }
        // Without another sequence of choices the last one that moved has to do.
        let Some(words) = moved else { return Outcome::Blocked };
        self.machine.load(&words);
        Outcome::Moved
    }

    fn made(&self) -> Vec<i64> {
        self.machine.oracle.made().map(Word::cast_signed).collect()
    }

    fn failed(&self, failure: Failure) -> End {
        let kind = match failure.kind {
            AssertKind::Assertion => ViolationKind::Assertion,
            AssertKind::Memory => ViolationKind::Memory,
        };
        End::Violation(kind, failure.message, self.machine.code.instr(failure.pc).span)
    }

    /// No thread can step.
    fn stuck(&self, assuming: Option<Span>) -> End {
        if let Some(span) = assuming {
            return End::Discarded(span);
        }
        let live: Vec<usize> = (0..self.machine.threads()).filter(|&t| self.machine.is_live(t)).collect();
        let span = live.first().map(|&t| self.machine.code.instr(self.machine.pc_of(t)).span);
        let message = format!("{} blocked for ever", live.len());
        End::Violation(ViolationKind::Deadlock, message, span.unwrap_or(Span::NONE))
    }

    fn span_of_running(&self) -> Span {
        self.machine.code.instr(self.machine.pc()).span
    }

    fn globals(&self) -> Vec<(String, Value)> {
        let known = self.machine.code.globals.iter().zip(&self.machine.words);
        known.map(|(global, &word)| (global.name.clone(), self.value(word, &global.ty))).collect()
    }

    fn value(&self, word: Word, ty: &ir::Type) -> Value {
        if word == UNSET {
            return Value::Arbitrary;
        }
        let Some(map) = ty.as_map() else { return Value::Scalar(word) };
        if map.args.len() != 1 || map.result.as_map().is_some() {
            return Value::Nested;
        }
        let (default, cells) = self.machine.maps.contents(word);
        let cells = cells.into_iter().filter_map(|(key, value)| Some((*key.first()?, value)));
        Value::Map(Some(default).filter(|value| *value != UNSET), cells.collect())
    }
}

/// Whose turn it is.
struct Turns {
    schedule: Schedule,
    /// Who ran last, and for how many steps in a row.
    last: Option<usize>,
    row: usize,
    random: u64,
}

impl Turns {
    fn new(schedule: Schedule) -> Self {
        let random = if let Schedule::Random(seed) = schedule { seed } else { 0 };
        Turns { schedule, last: None, row: 0, random }
    }

    /// Which of the threads, in the order of their numbers, is tried next: its position.
    fn next(&mut self, threads: &[usize]) -> usize {
        let after_last = |last: Option<usize>| {
            let next = threads.iter().position(|&t| last.is_none_or(|last| t > last));
            next.unwrap_or(0)
        };
        match self.schedule {
            Schedule::Random(_) => {
                let count = threads.len().max(1) as u64;
                usize::try_from(self.draw() % count).unwrap_or(0)
            }
            Schedule::RoundRobin => after_last(self.last),
            Schedule::First(first) if self.row < LONGEST_TURN && threads.contains(&first) => {
                threads.iter().position(|&t| t == first).unwrap_or(0)
            }
            // It stays with one thread, and moves on only when that has run for long.
            Schedule::Oldest | Schedule::Newest | Schedule::First(_) | Schedule::Last(_) => {
                let stays = self.last.filter(|last| {
                    self.row > 0 && self.row < LONGEST_TURN && self.schedule != Schedule::Last(*last)
                });
                match stays.and_then(|last| threads.iter().position(|&t| t == last)) {
                    Some(position) => position,
                    None if self.row >= LONGEST_TURN => after_last(self.last),
                    None if self.schedule == Schedule::Newest => threads.len().saturating_sub(1),
                    None => match self.schedule {
                        Schedule::Last(last) => threads.iter().position(|&t| t != last).unwrap_or(0),
                        _ => 0,
                    },
                }
            }
        }
    }

    fn ran(&mut self, thread: usize) {
        let again = self.last == Some(thread);
        self.row = if again && self.row < LONGEST_TURN { self.row + 1 } else { 1 };
        self.last = Some(thread);
    }

    /// How many sequences of choices to leave out: the first one will do unless chance is asked for.
    fn choices_to_skip(&mut self) -> u64 {
        if matches!(self.schedule, Schedule::Random(_)) { self.draw() % 4 } else { 0 }
    }

    /// The next random number: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
    fn draw(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
