//! From a run of the sequential program to the run of the concurrent one that it stands for.
//!
//! The trace has all ops of a task in one piece, but for those of the tasks that it starts on the way. [`Script`] cuts
//! it into tasks. Then the interpreter runs the original program under the scheduler, and [`Actors`] tells it what the
//! tasks do: where they are delayed, where they go, and what is arbitrary. The values of the globals at a moment of the
//! concurrent run are those that the ops run so far have left in the trace; the value of a local is the one with which
//! its own task reads it next.

use engine::{Trace, Value, Variable};
use interp::{Config, Guide, ReplayError, Run, Turn, Unknown};
use ir::{GlobalId, LocalId, Op, OpRef, PlaceBase, Program, SortId, Type};
use rustc_hash::FxHashMap;

use crate::Sequential;
use crate::script::{Act, Script, is_silent, op_at};
use crate::turns::Turns;

impl Sequential {
    /// The scheduler under which the original has the same runs.
    #[must_use]
    pub fn scheduler(&self) -> interp::Scheduler {
        match self.scheduler {
            crate::Scheduler::Df => interp::Scheduler::Df(self.bound),
            crate::Scheduler::Dfw => interp::Scheduler::Dfw(self.bound),
        }
    }

    /// The assertion of the original that fails at the end of a trace of [`Sequential::program`].
    #[must_use]
    pub fn failure(&self, trace: &Trace) -> Option<OpRef> {
        let last = trace.steps.last()?;
        let stmt =
            &self.program.procs.get(last.at.proc)?.blocks.get(last.at.block)?.stmts.get(last.at.index)?;
        if matches!(stmt.op, Op::Assert { .. }) { self.back.get(last.at) } else { None }
    }

    /// The configuration under which a run of the original replays: the one given, with the scheduler and
    /// where it switches.
    #[must_use]
    pub fn config(&self, config: &Config) -> Config {
        Config { scheduler: self.scheduler(), switch_at: self.switch_at, ..*config }
    }

    /// The run of the original that a trace of [`Sequential::program`] stands for. It ends with the same failing
    /// assertion; replay it under [`Sequential::config`]. Only the limits of `config` matter here; every task counts, so
    /// they should allow many threads ([`interp::Limits::MOST_RUN`]).
    ///
    /// Of ops that are neither in [`Sequential::back`] nor in [`Sequential::marks`] no values are needed, but for those
    /// written to [`crate::Variables::task`]: the maps that remember all tasks can be left out of a trace.
    ///
    /// # Errors
    /// When the interpreter cannot run it, for example since a number has more than 64 bits or there are more threads
    /// than its limits allow; and when the trace is none.
    pub fn run(&self, original: &Program, config: &Config, trace: &Trace) -> Result<Run, ReplayError> {
        let error = |message: String| ReplayError { step: None, message };
        let old = ir::expand(original).program;
        let script = Script::new(self, &old, trace).map_err(error)?;
        let mut actors = Actors::new(self, &old, trace, script);
        interp::guided(&old, &self.config(config), &mut actors)
    }
}

/// The infinite execution that a trace of a lasso's program stands for.
pub(crate) fn run_lasso(
    lasso: &crate::Lasso,
    original: &Program,
    config: &Config,
    trace: &Trace,
) -> Result<Run, ReplayError> {
    let error = |message: String| ReplayError { step: None, message };
    let old = ir::expand(original).program;
    let script = Script::new(&lasso.sequential, &old, trace).map_err(error)?;
    let mut actors = Actors::new(&lasso.sequential, &old, trace, script);
    actors.turns = Some(Turns::new(lasso, &actors.script));
    interp::guided(&old, &lasso.config(config), &mut actors)
}

/// The tasks as they run.
struct Actors<'a> {
    sequential: &'a Sequential,
    old: &'a Program,
    trace: &'a Trace,
    script: Script<'a>,
    /// For each thread of the interpreter, the number of its task, and the other way round.
    numbers: Vec<usize>,
    threads: FxHashMap<usize, usize>,
    /// How many tasks without a parent have their numbers.
    roots: usize,
    /// For each task, by its number, how many of its ops are done or running.
    begun: Vec<usize>,
    /// The thread in the middle of an op that is in the script.
    running: Option<usize>,
    /// The values of the globals.
    globals: FxHashMap<GlobalId, &'a Value>,
    elements: Elements<'a>,
    /// Who runs when, in a lasso.
    turns: Option<Turns>,
}

impl<'a> Actors<'a> {
    fn new(sequential: &'a Sequential, old: &'a Program, trace: &'a Trace, script: Script<'a>) -> Self {
        let begun = vec![0; script.tasks.len() + 1];
        Actors {
            sequential,
            old,
            trace,
            script,
            numbers: Vec::new(),
            threads: FxHashMap::default(),
            roots: 0,
            begun,
            running: None,
            globals: trace.initial.iter().map(|(id, value)| (*id, value)).collect(),
            elements: Elements::new(old, trace),
            turns: None,
        }
    }

    fn number(&self, thread: usize) -> Result<usize, String> {
        self.numbers.get(thread).copied().ok_or_else(|| "it has a thread that is no task".to_owned())
    }

    /// Notes what the op did that has been running.
    fn finish(&mut self) {
        let Some(thread) = self.running.take() else { return };
        let number = self.numbers[thread];
        let Some(act) = self.script.acts(number).get(self.begun[number].wrapping_sub(1)) else { return };
        for &step in std::iter::once(&act.step).chain(&act.more) {
            for (variable, value) in &self.trace.steps[step].writes {
                if let Variable::Global(global) = variable {
                    self.globals.insert(*global, value);
                }
            }
        }
    }

    /// The act that a thread is in the middle of, or stands at.
    fn act(&self, thread: usize) -> Result<Option<&Act>, String> {
        let number = self.number(thread)?;
        let at = self.begun[number] - usize::from(self.running == Some(thread));
        let acts = self.script.acts(number);
        if let (Some(turns), true) = (&self.turns, at >= acts.len()) {
            // It stands where the lasso began, or still.
            let standing = self.script.tasks.get(number.wrapping_sub(1)).and_then(|t| t.standing.as_ref());
            return Ok(standing.or_else(|| acts.get(turns.first(number))));
        }
        Ok(acts.get(at))
    }

    fn global(&mut self, id: GlobalId, key: &[i64]) -> Result<i64, String> {
        self.cell(self.globals.get(&id).copied(), &self.old.globals[id].ty, key)
    }

    fn local(&mut self, thread: usize, id: LocalId, key: &[i64]) -> Result<i64, String> {
        let Some(act) = self.act(thread)? else { return Ok(0) };
        let ty = &self.old.procs[act.op.proc].locals[id].ty;
        self.cell(self.script.local(act.frame, id, act.step), ty, key)
    }

    /// The result of a task that has completed, which the running op waits for.
    fn result(&mut self, thread: usize, waited_for: usize, at: usize) -> Result<i64, String> {
        let Some(act) = self.act(thread)? else { return Ok(0) };
        let Op::Wait { results, .. } = op_at(self.old, act.op) else {
            return Err("it takes a result without waiting".to_owned());
        };
        let ty = crate::state::place_type(self.old, act.op.proc, &results[at]);
        let erased = crate::erase::erased(&ty);
        let maps = &self.sequential.results;
        let map =
            maps.iter().find(|(position, of, _)| *position == at && *of == erased).map(|(.., map)| *map);
        let number = self.number(waited_for)?;
        let index = [Value::Int(number.into())];
        let read = act.more.iter().flat_map(|&step| &self.trace.steps[step].reads).find_map(|(of, value)| {
            map.filter(|map| *of == Variable::Global(*map)).and_then(|_| value.at(&index))
        });
        self.cell(read, &ty, &[])
    }

    /// The choice for a variable of a type that has a value, at some indices. What has none does not matter.
    fn cell(&mut self, value: Option<&'a Value>, ty: &Type, key: &[i64]) -> Result<i64, String> {
        let Some(value) = value else { return Ok(0) };
        let (mut ty, mut rest, mut indices) = (ty, key, Vec::with_capacity(key.len()));
        while let (Type::Map(map), false) = (ty, rest.is_empty()) {
            let (now, later) = rest.split_at(map.args.len().min(rest.len()));
            for (&index, ty) in now.iter().zip(&map.args) {
                indices.push(self.value(index, ty)?);
            }
            (ty, rest) = (&map.result, later);
        }
        value.at(&indices).map_or(Ok(0), |value| self.choice(value, ty))
    }

    /// A value as the interpreter writes it.
    fn choice(&mut self, value: &'a Value, ty: &Type) -> Result<i64, String> {
        let range = || "a number leaves the range of 64 bits".to_owned();
        match (value, ty) {
            (Value::Bool(value), Type::Bool) => Ok(i64::from(*value)),
            (Value::Int(value), Type::Int) => i64::try_from(value).map_err(|_| range()),
            (Value::Bv(_, value), Type::Bv(_)) => {
                u64::try_from(value).map(u64::cast_signed).map_err(|_| range())
            }
            (Value::Element(name), Type::Sort(sort)) => Ok(self.elements.number(*sort, name)),
            (Value::Int(value), Type::Task) => {
                let thread = usize::try_from(value).ok().and_then(|number| self.threads.get(&number));
                Ok(thread.map_or(0, |&thread| handle(thread)))
            }
            _ => Err("it has a value of another type".to_owned()),
        }
    }

    /// What the interpreter writes, as a value of the trace.
    fn value(&self, choice: i64, ty: &Type) -> Result<Value, String> {
        Ok(match ty {
            Type::Bool => Value::Bool(choice != 0),
            Type::Int => Value::Int(choice.into()),
            Type::Bv(width) => Value::Bv(*width, choice.cast_unsigned().into()),
            Type::Sort(sort) => Value::Element(self.elements.name(*sort, choice)),
            Type::Task => match usize::try_from(choice - 1) {
                Ok(thread) => Value::Int(self.number(thread)?.into()),
                Err(_) => Value::Int(0.into()),
            },
            Type::Map(_) | Type::Sync(_) => return Err("it has a map as an index".to_owned()),
        })
    }
}

fn handle(thread: usize) -> i64 {
    i64::try_from(thread).unwrap_or(i64::MAX).saturating_add(1)
}

impl Guide for Actors<'_> {
    fn started(&mut self, thread: usize, by: Option<usize>) -> Result<(), String> {
        let number = match by {
            Some(parent) => self.act(parent)?.and_then(|act| act.child),
            None => {
                self.roots += 1;
                self.script.roots.get(self.roots - 1).copied()
            }
        };
        let number = number.ok_or("it starts a task that the trace does not have")?;
        if self.numbers.len() <= thread {
            self.numbers.resize(thread + 1, 0);
        }
        self.numbers[thread] = number;
        self.threads.insert(number, thread);
        self.begun[number] = 0;
        Ok(())
    }

    fn delays(&mut self, thread: usize, arrived: bool) -> Result<bool, String> {
        let number = self.number(thread)?;
        let Some(left) = self.script.delays(number, self.begun[number], arrived) else { return Ok(false) };
        let delayed = *left > 0;
        *left -= u64::from(delayed);
        Ok(delayed)
    }

    fn turn(&mut self) -> Result<Turn, String> {
        let Some(turns) = &mut self.turns else { return Err("it does not say who runs".to_owned()) };
        let next = turns.next(&self.script, &mut self.begun);
        match next? {
            None => Ok(Turn::Lasso),
            Some(number) => {
                let thread = self.threads.get(&number).ok_or("it runs a task that is not there")?;
                Ok(Turn::Run(*thread))
            }
        }
    }

    fn begins(&mut self, thread: usize, op: OpRef) -> Result<(), String> {
        self.finish();
        if is_silent(op_at(self.old, op)) {
            return Ok(());
        }
        let number = self.number(thread)?;
        let next = self.script.acts(number).get(self.begun[number]).map(|act| act.op);
        if next != Some(op) {
            return Err(format!("task {number} comes to an op that the trace does not have"));
        }
        self.begun[number] += 1;
        self.running = Some(thread);
        Ok(())
    }

    fn stops(&mut self, thread: usize, done: bool) {
        if done {
            self.finish();
        } else if self.running.take().is_some() {
            self.begun[self.numbers[thread]] -= 1;
        }
    }

    fn choose(&mut self, thread: usize, what: Unknown<'_>) -> Result<i64, String> {
        match what {
            Unknown::Target => {
                let target = self.act(thread)?.and_then(|act| self.trace.steps[act.step].target);
                let target = target.and_then(|target| i64::try_from(target).ok());
                target.ok_or_else(|| "the trace does not say where it goes".to_owned())
            }
            Unknown::Handle(at) => {
                let Some(act) = self.act(thread)? else { return Ok(1) };
                let Op::Havoc { targets } = op_at(self.old, act.op) else { return Ok(1) };
                let variable = match targets[at].base {
                    PlaceBase::Global(id) => Variable::Global(id),
                    PlaceBase::Local(id) => Variable::Local(id),
                };
                let written = self.trace.steps[act.step].writes.iter().find(|(of, _)| *of == variable);
                // A number that is no handle is there only if nobody looks at it.
                let chosen = written.map_or(Ok(0), |(_, value)| self.choice(value, &Type::Task))?;
                Ok(chosen.max(1))
            }
            Unknown::Global(id, key) => self.global(id, key),
            Unknown::Local(id, key) => self.local(thread, id, key),
            Unknown::Const(id, key) => {
                let value = self.trace.constants.iter().find(|(of, _)| *of == id).map(|(_, value)| value);
                self.cell(value, &self.old.consts[id].ty, key)
            }
            Unknown::Func(id, key) => {
                let func = &self.old.funcs[id];
                let value = self.trace.functions.iter().find(|(of, _)| *of == id).map(|(_, value)| value);
                let args: Vec<Type> = func.params.iter().map(|(_, ty)| ty.clone()).collect();
                let ty =
                    if args.is_empty() { func.result.clone() } else { Type::map(args, func.result.clone()) };
                self.cell(value, &ty, key)
            }
            Unknown::Result(waited_for, at) => self.result(thread, waited_for, at),
            Unknown::Nameless => Err("it needs an arbitrary cell of a map that is in no variable".to_owned()),
        }
    }
}

/// The elements of the sorts, numbered as the interpreter does: first the unique constants, then the others as they
/// come.
struct Elements<'a> {
    numbers: FxHashMap<(SortId, &'a str), i64>,
    names: FxHashMap<(SortId, i64), &'a str>,
    next: FxHashMap<SortId, i64>,
}

impl<'a> Elements<'a> {
    fn new(old: &Program, trace: &'a Trace) -> Self {
        let mut elements = Elements {
            numbers: FxHashMap::default(),
            names: FxHashMap::default(),
            next: FxHashMap::default(),
        };
        for (id, constant) in old.consts.iter().filter(|(_, constant)| constant.unique) {
            let Type::Sort(sort) = constant.ty else { continue };
            match trace.constants.iter().find(|(of, _)| *of == id) {
                Some((_, Value::Element(name))) => drop(elements.number(sort, name)),
                _ => *elements.next.entry(sort).or_default() += 1,
            }
        }
        elements
    }

    fn number(&mut self, sort: SortId, name: &'a str) -> i64 {
        *self.numbers.entry((sort, name)).or_insert_with(|| {
            let next = self.next.entry(sort).or_default();
            self.names.insert((sort, *next), name);
            *next += 1;
            *next - 1
        })
    }

    fn name(&self, sort: SortId, number: i64) -> String {
        self.names
            .get(&(sort, number))
            .map_or_else(|| format!("no element {number}"), |&name| name.to_owned())
    }
}
