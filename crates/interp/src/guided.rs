//! Runs that somebody else knows: the scheduler of the interpreter runs the program, and a guide answers for all that
//! is arbitrary. Engines that work on formulas find a run in other terms than [`Run`]; with a guide that knows their
//! terms it becomes one, which [`replay`](crate::replay()) then takes like any other.

use cranelift_entity::EntityRef;
use ir::{AssertKind, ConstId, FuncId, GlobalId, LocalId, OpRef, Program};

use crate::Cut;
use crate::code::{Base, Cell};
use crate::compile::compile;
use crate::delay::Delaying;
use crate::keyframe::Beginning;
use crate::machine::Machine;
use crate::replay::ReplayError;
use crate::response::Watched;
use crate::run::{Config, Run, Scheduler, Step};
use crate::step::Outcome;
use crate::word::{Domain, Word};

/// Something arbitrary whose value matters from now on. Values are as in [`Step::choices`]: truth values are 0 and 1,
/// bit vectors unsigned, elements of sorts numbered, and the handle of a thread is its number plus one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown<'a> {
    /// Which of its targets a `choose` takes, counted from 0.
    Target,
    /// The handle that a `havoc` gives to one of its targets, by position.
    Handle(usize),
    /// A global, or a cell of it: the indices of all maps on the way, one after the other.
    Global(GlobalId, &'a [i64]),
    /// A local of the thread's newest frame, or a cell of it.
    Local(LocalId, &'a [i64]),
    /// A constant, or a cell of it.
    Const(ConstId, &'a [i64]),
    /// A function without a body, at some arguments.
    Func(FuncId, &'a [i64]),
    /// A result of a thread that has completed, by position.
    Result(usize, usize),
    /// A cell of a map that is in no variable.
    Nameless,
}

/// What happens next when all schedules are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// A thread steps.
    Run(usize),
    /// A thread steps, and an assertion fails: the run ends.
    Fail(usize),
    /// The run ends.
    End,
    /// The lasso begins, for the first time or once more.
    Lasso,
}

/// How often a lasso is gone round until it can be gone round for ever. What is arbitrary when it begins is chosen on the
/// way, so once may not be enough.
const MOST_ITERATIONS: usize = 6;

/// Knows a run. Ops are those of the program with its synchronization expanded (see [`ir::expand`]). What a method
/// returns as an error ends the run.
pub trait Guide {
    /// A thread has its number: one that is there from the start, or one that the running op of a thread starts.
    ///
    /// # Errors
    /// When there is no such thread.
    fn started(&mut self, thread: usize, by: Option<usize>) -> Result<(), String>;

    /// Who runs next, when all schedules are allowed.
    ///
    /// # Errors
    /// When it does not say so.
    fn turn(&mut self) -> Result<Turn, String>;

    /// Whether the thread that the scheduler selects is delayed. `arrived` says that it has come to the wait at which
    /// it stands, under DFW.
    ///
    /// # Errors
    /// When it should not be there.
    fn delays(&mut self, thread: usize, arrived: bool) -> Result<bool, String>;

    /// A thread begins an op. The one before it, in the same step, is done.
    ///
    /// # Errors
    /// When that is not its next op.
    fn begins(&mut self, thread: usize, op: OpRef) -> Result<(), String>;

    /// An assertion fails in a step that [`Turn::Run`] began: whether the run ends there. Otherwise there is no such run.
    fn fails(&mut self, thread: usize, kind: AssertKind) -> bool {
        let _ = (thread, kind);
        false
    }

    /// The thread's step is over. Its last op is done, or it could not be and will be begun again.
    fn stops(&mut self, thread: usize, done: bool);

    /// Between steps, when all schedules are allowed: the op that a thread stands at, if it has not completed. It is told of
    /// threads that have just stepped or been started.
    fn stands(&mut self, thread: usize, at: Option<OpRef>) {
        let _ = (thread, at);
    }

    /// The value of something that the running op needs; between steps, what the op needs at which the thread stands.
    ///
    /// # Errors
    /// When it has no such value.
    fn choose(&mut self, thread: usize, what: Unknown<'_>) -> Result<i64, String>;
}

/// A guide, and what it needs to be asked.
pub(crate) struct Guided<'g> {
    pub(crate) guide: &'g mut dyn Guide,
    /// Globals of the code below this are variables, those below the other one constants, the rest functions.
    variables: usize,
    constants: usize,
}

/// What is about to be chosen, in terms of the code.
#[derive(Clone, Copy)]
pub(crate) enum Unset<'a> {
    Target,
    Handle(usize),
    Global(u32),
    /// A thread's newest frame has it.
    Local(usize, u32),
    Cell(&'a Cell, &'a [Word]),
    Result(usize, usize),
}

/// Runs a valid program with what the guide says: under a delay-bounding scheduler to a failing assertion; under all
/// schedules to where the guide says, or round a lasso until it can be gone round again in the same way.
///
/// # Errors
/// When the program has no such run.
pub fn guided(program: &Program, config: &Config, guide: &mut dyn Guide) -> Result<Run, ReplayError> {
    let mut run = Run::default();
    follow(program, config, guide, &mut run).map(|()| run)
}

/// The same as far as it works: what comes out is a run of the program in any case, with what was wrong after its end.
pub fn guided_as_far_as_possible(
    program: &Program,
    config: &Config,
    guide: &mut dyn Guide,
) -> (Run, Option<ReplayError>) {
    let mut run = Run::default();
    let followed = follow(program, config, guide, &mut run);
    if let Err(error) = &followed {
        // The step that went wrong is none.
        run.steps.truncate(error.step.unwrap_or(0));
    }
    (run, followed.err())
}

fn follow(
    program: &Program,
    config: &Config,
    guide: &mut dyn Guide,
    run: &mut Run,
) -> Result<(), ReplayError> {
    let expanded = ir::expand(program).program;
    let code = compile(&expanded, config.switch_at);
    let delaying = match config.scheduler {
        Scheduler::Df(most) => Some((Delaying::Df, most)),
        Scheduler::Dfw(most) => Some((Delaying::Dfw, most)),
        Scheduler::All => None,
    };
    let mut machine = Machine::new(&code, config.int_range, config.limits, delaying.is_some());
    machine.recording = true;
    machine.watched = config.checks.response.map(Watched::new);
    let variables = expanded.globals.len();
    machine.guided = Some(Guided { guide, variables, constants: variables + expanded.consts.len() });
    let error = |step: Option<usize>, message: String| ReplayError { step, message };
    match machine.initialise() {
        Outcome::Moved => run.initial = made(&machine),
        Outcome::Cut(cut) => return Err(error(None, cut.to_string())),
        Outcome::Blocked | Outcome::Failed(_) => {
            return Err(error(None, "its choices contradict the axioms".to_owned()));
        }
    }
    match delaying {
        Some((delaying, most)) => delayed(machine, run, delaying, most),
        None => free(machine, run),
    }
}

fn delayed(
    mut machine: Machine<'_>,
    run: &mut Run,
    delaying: Delaying,
    most: u32,
) -> Result<(), ReplayError> {
    let error = |step: Option<usize>, message: String| ReplayError { step, message };
    loop {
        let at = Some(run.steps.len());
        let Some(thread) = machine.selected() else {
            return Err(error(at, "no thread can run".to_owned()));
        };
        let arrived = machine.has_arrived(thread);
        let delays = machine.guided.as_mut().map_or(Ok(false), |g| g.guide.delays(thread, arrived));
        machine.oracle.reset();
        if delays.map_err(|message| error(at, message))? {
            if !machine.delay(most, thread) {
                return Err(error(at, "no delay is left".to_owned()));
            }
            run.steps.push(Step { thread, delay: true, choices: Vec::new() });
            continue;
        }
        let outcome = machine.scheduled_step(delaying, thread);
        run.steps.push(Step { thread, delay: false, choices: made(&machine) });
        match outcome {
            Outcome::Moved => {}
            Outcome::Failed(_) => return Ok(()),
            Outcome::Blocked => return Err(error(at, "the thread is blocked".to_owned())),
            Outcome::Cut(cut) => return Err(error(at, cut.to_string())),
        }
    }
}

/// Follows a run to its end, or a stem and then round the lasso.
fn free(mut machine: Machine<'_>, run: &mut Run) -> Result<(), ReplayError> {
    let mut beginnings: Vec<(usize, Beginning)> = Vec::new();
    for thread in 0..machine.threads() {
        machine.tell_where(thread);
    }
    loop {
        let at = run.steps.len();
        let error = |message: String| ReplayError { step: Some(at), message };
        let turn = machine.guided.as_mut().map(|g| g.guide.turn());
        let turn = turn.unwrap_or_else(|| Err("nobody says who runs".to_owned())).map_err(error)?;
        let thread = match turn {
            Turn::Run(thread) | Turn::Fail(thread) => thread,
            Turn::End => return Ok(()),
            Turn::Lasso => {
                let same = beginnings.iter().find(|(_, beginning)| beginning.repeats(&machine).is_some());
                if let Some((start, _)) = same {
                    run.lasso_start = Some(*start);
                    return Ok(());
                }
                if beginnings.len() > MOST_ITERATIONS {
                    return Err(error("the lasso does not come back to the same state".to_owned()));
                }
                beginnings.push((at, Beginning::new(&machine)));
                continue;
            }
        };
        if thread >= machine.threads() || !machine.is_live(thread) {
            return Err(error("a thread runs that has completed".to_owned()));
        }
        machine.oracle.reset();
        let outcome = machine.step(thread);
        run.steps.push(Step { thread, delay: false, choices: made(&machine) });
        match outcome {
            Outcome::Moved if matches!(turn, Turn::Fail(_)) => {
                return Err(error("no assertion fails".to_owned()));
            }
            Outcome::Moved => {
                beginnings.iter_mut().for_each(|(_, b)| b.step(&machine, thread));
                machine.tell_where(thread);
                for started in machine.effects.started.clone() {
                    machine.tell_where(started);
                }
            }
            Outcome::Failed(failure) => {
                let guide = machine.guided.as_mut().map(|g| &mut *g.guide);
                let ends = matches!(turn, Turn::Fail(_))
                    || guide.is_some_and(|guide| guide.fails(thread, failure.kind));
                return if ends { Ok(()) } else { Err(error("an assertion fails".to_owned())) };
            }
            Outcome::Blocked => return Err(error("the thread is blocked".to_owned())),
            Outcome::Cut(cut) => return Err(error(cut.to_string())),
        }
    }
}

fn made(machine: &Machine<'_>) -> Vec<i64> {
    machine.oracle.made().map(Word::cast_signed).collect()
}

fn cut(message: String) -> Box<Cut> {
    Box::new(Cut::Script(message))
}

/// What the guide is told and asked.
impl Machine<'_> {
    /// Notes that the running thread begins an instruction.
    pub(crate) fn begin_instr(&mut self, pc: crate::code::Pc) -> Result<(), Box<Cut>> {
        self.effects.trace.push(pc);
        let Some(guided) = &mut self.guided else { return Ok(()) };
        guided.guide.begins(self.me, self.code.instr(pc).origin).map_err(cut)
    }

    /// Notes that the running thread's step is over.
    pub(crate) fn end_step(&mut self, done: bool) {
        if !done {
            self.effects.trace.pop();
        }
        if let Some(guided) = &mut self.guided {
            guided.guide.stops(self.me, done);
        }
    }

    /// Tells where a thread stands.
    fn tell_where(&mut self, thread: usize) {
        let live = thread < self.threads() && self.is_live(thread);
        let at = live.then(|| self.code.instr(self.pc_of(thread)).origin);
        if let Some(guided) = &mut self.guided {
            guided.guide.stands(thread, at);
        }
    }

    /// Notes that a thread was started by another one.
    pub(crate) fn note_started(&mut self, thread: usize, parent: Word) -> Result<(), Box<Cut>> {
        self.effects.started.push(thread);
        let Some(guided) = &mut self.guided else { return Ok(()) };
        let by = parent.checked_sub(1).map(crate::machine::as_index);
        guided.guide.started(thread, by).map_err(cut)
    }

    /// Makes a choice.
    pub(crate) fn choose(&mut self, domain: Domain, what: Unset<'_>) -> Result<Word, Box<Cut>> {
        let Some(guided) = &mut self.guided else { return self.oracle.choose(domain) };
        let signed = |key: &[Word]| key.iter().map(|&word| word.cast_signed()).collect::<Vec<i64>>();
        let key = if let Unset::Cell(_, key) = what { signed(key) } else { Vec::new() };
        let global = |global: u32| {
            let at = global as usize;
            if at < guided.variables {
                Unknown::Global(GlobalId::new(at), &key)
            } else if at < guided.constants {
                Unknown::Const(ConstId::new(at - guided.variables), &key)
            } else {
                Unknown::Func(FuncId::new(at - guided.constants), &key)
            }
        };
        let (thread, unknown) = match what {
            Unset::Target => (self.me, Unknown::Target),
            Unset::Handle(at) => (self.me, Unknown::Handle(at)),
            Unset::Global(id) => (self.me, global(id)),
            Unset::Local(thread, id) => (thread, Unknown::Local(LocalId::from_u32(id), &key)),
            Unset::Cell(cell, _) => match cell.base {
                Base::Global(id) => (self.me, global(id)),
                Base::Local(id) => (self.me, Unknown::Local(LocalId::from_u32(id), &key)),
                Base::Value(_) => (self.me, Unknown::Nameless),
            },
            Unset::Result(thread, at) => (self.me, Unknown::Result(thread, at)),
        };
        let value = guided.guide.choose(thread, unknown).map_err(cut)?;
        self.oracle.take(domain, value.cast_unsigned())
    }
}
