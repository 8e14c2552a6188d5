//! From a path in the tree to a run of the interpreter.
//!
//! The solver gives a value for all that is arbitrary on the path. The interpreter runs the program with the same threads in
//! the same order, and asks whenever it needs something arbitrary: then the value is that of the term which the path has
//! for that variable at that moment.

use interp::{Config, Guide, ReplayError, Run, Turn, Unknown};
use ir::{OpRef, Program};
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use schedule::Variable;
use smt::{Solver, Sort, SortId, TermId, TermPool, Value};

use crate::expand::{Counterexample, Played};
use crate::model::{Model, VarId};
use crate::query::Solving;
use crate::step::{End, Path};
use crate::tree::{Stop, Tree};

/// Makes a run of a path.
pub(crate) fn run(
    tree: &mut Tree<'_, '_>,
    program: &Program,
    config: &Config,
    counterexample: &Counterexample,
) -> Result<Result<Run, ReplayError>, Stop> {
    let root = &tree.nodes[crate::tree::NodeId::from_u32(0)];
    let info = std::rc::Rc::clone(tree.model.info(root.loc));
    let first: FxHashMap<VarId, TermId> =
        info.vars.iter().copied().zip(root.exact.store.iter().copied()).collect();
    let mut numbers = FxHashMap::default();
    let mut next = 0;
    for (thread, _) in (0u32..).zip(&info.location.threads) {
        numbers.insert(thread, thread as usize);
        next = thread + 1;
    }
    let steps = tree.steps_of(counterexample);
    let Tree { model, solving, .. } = tree;
    let model: &mut Model<'_> = model;
    let solving: &mut Solving<'_> = solving;
    // Terms are made before the solver is asked: it must not change after its answer.
    let script = Script::new(model, &steps, first);
    let pool = model.translator.pool.clone();
    let answer = solving.model(&pool, &counterexample.conds, |solver| {
        let mut player = Player {
            model,
            pool: &pool,
            solver,
            steps: &steps,
            script: &script,
            step: 0,
            op: None,
            numbers: FxHashMap::default(),
            started: 0,
            next,
            elements: FxHashMap::default(),
            depth: FxHashMap::default(),
        };
        interp::guided(program, config, &mut player)
    })?;
    Ok(answer.unwrap_or_else(|| {
        Err(ReplayError { step: None, message: "there are no values for it any more".to_owned() })
    }))
}

/// What variables are on the path.
struct Script {
    /// Before each step.
    before: Vec<FxHashMap<VarId, TermId>>,
    /// In each step, the assignments with the positions of their ops.
    log: Vec<Vec<(usize, VarId, TermId)>>,
}

impl Script {
    fn new(model: &mut Model<'_>, steps: &[Played], first: FxHashMap<VarId, TermId>) -> Self {
        let mut script = Script { before: vec![first], log: Vec::new() };
        for played in steps {
            let before = script.before.last().cloned().unwrap_or_default();
            let mut after = before.clone();
            let mut log = Vec::new();
            for (op, var, term) in &played.path.log {
                let value = instance(model, &before, &played.path, &played.inputs, *term);
                log.push((*op, *var, value));
                after.insert(*var, value);
            }
            script.before.push(after);
            script.log.push(log);
        }
        script
    }
}

fn instance(
    model: &mut Model<'_>,
    values: &FxHashMap<VarId, TermId>,
    path: &Path,
    inputs: &[TermId],
    term: TermId,
) -> TermId {
    let vars = &model.vars;
    model.translator.pool.rewrite(term, |_, leaf| match vars.of_term(leaf) {
        Some(var) => values.get(&var).copied().unwrap_or(leaf),
        None => path.inputs.iter().position(|input| *input == leaf).map_or(leaf, |at| inputs[at]),
    })
}

/// Knows the run.
struct Player<'a, 'p> {
    model: &'a Model<'p>,
    pool: &'a TermPool,
    solver: &'a mut dyn Solver,
    steps: &'a [Played],
    script: &'a Script,
    /// The step that runs, or is next.
    step: usize,
    /// The op of it that runs.
    op: Option<usize>,
    /// From the interpreter's numbers of threads to those of the path.
    numbers: FxHashMap<usize, u32>,
    /// How many of the first threads there are.
    started: u32,
    /// The number of the next thread that is started.
    next: u32,
    /// Elements of sorts, in the order in which they turn up.
    elements: FxHashMap<SortId, Vec<String>>,
    /// The newest frame of each thread.
    depth: FxHashMap<u32, u32>,
}

impl Player<'_, '_> {
    fn path(&self) -> Option<&Path> {
        self.steps.get(self.step).map(|played| &*played.path)
    }

    fn thread(&self, thread: usize) -> Result<u32, String> {
        self.numbers.get(&thread).copied().ok_or_else(|| "an unknown thread".to_owned())
    }

    /// The term of a variable at this moment.
    fn now(&self, variable: Variable) -> Result<TermId, String> {
        let (id, _) = self.model.vars.find(variable).ok_or("a variable that the path does not have")?;
        let logged = self.op.and_then(|running| {
            let log = self.script.log.get(self.step)?;
            log.iter().rev().find(|(op, var, _)| *op < running && *var == id).map(|(_, _, term)| *term)
        });
        let before = self.script.before.get(self.step).and_then(|before| before.get(&id).copied());
        // A local that was not live has no value in the tree, but then nobody reads it.
        logged.or(before).ok_or_else(|| "a variable that has no value".to_owned())
    }

    fn value(&mut self, term: TermId, key: &[i64]) -> Result<i64, String> {
        let mut value = self.solver.value(self.pool, term).map_err(|error| error.to_string())?;
        let mut sort = self.pool.sort_of(term);
        for index in key {
            let (Value::Array(array), Sort::Array(at, element)) = (&value, self.pool.sort(sort)) else {
                return Err("a cell of what is no map".to_owned());
            };
            let at = self.index(*at, *index);
            value = array.at(&at).clone();
            sort = *element;
        }
        self.number(sort, value)
    }

    fn index(&mut self, sort: SortId, index: i64) -> Value {
        match self.pool.sort(sort) {
            Sort::Bool => Value::Bool(index != 0),
            Sort::Bv(width) => Value::Bv(*width, index.cast_unsigned().into()),
            Sort::Uninterpreted(_) => {
                let known = self.elements.entry(sort).or_default();
                let at = usize::try_from(index).unwrap_or(usize::MAX);
                Value::Element(known.get(at).cloned().unwrap_or_else(|| format!("other{index}")))
            }
            Sort::Int | Sort::Array(..) => Value::Int(index.into()),
        }
    }

    fn number(&mut self, sort: SortId, value: Value) -> Result<i64, String> {
        match value {
            Value::Bool(value) => Ok(i64::from(value)),
            Value::Int(value) => {
                value.to_i64().ok_or_else(|| "a number leaves the range of 64 bits".to_owned())
            }
            Value::Bv(_, value) => value
                .to_u64()
                .map(u64::cast_signed)
                .ok_or_else(|| "a bit vector is wider than 64 bits".to_owned()),
            Value::Element(name) => {
                let known = self.elements.entry(sort).or_default();
                let at = known.iter().position(|other| *other == name).unwrap_or_else(|| {
                    known.push(name);
                    known.len() - 1
                });
                i64::try_from(at).map_err(|error| error.to_string())
            }
            Value::Array(_) => Err("a whole map is asked for".to_owned()),
        }
    }
}

impl Guide for Player<'_, '_> {
    fn started(&mut self, thread: usize, by: Option<usize>) -> Result<(), String> {
        let number = if by.is_none() {
            self.started += 1;
            self.started - 1
        } else {
            self.next += 1;
            self.next - 1
        };
        self.numbers.insert(thread, number);
        self.depth.insert(number, 0);
        Ok(())
    }

    fn turn(&mut self) -> Result<Turn, String> {
        let Some(played) = self.steps.get(self.step) else { return Ok(Turn::End) };
        self.op = None;
        let thread = self.numbers.iter().find(|(_, number)| **number == played.thread);
        let (thread, _) = thread.ok_or("a thread that is not there")?;
        Ok(match played.path.end {
            End::Failed { .. } => Turn::Fail(*thread),
            End::Moved { .. } | End::Cut { .. } => Turn::Run(*thread),
        })
    }

    fn delays(&mut self, _: usize, _: bool) -> Result<bool, String> {
        Ok(false)
    }

    fn begins(&mut self, thread: usize, op: OpRef) -> Result<(), String> {
        let thread = self.thread(thread)?;
        let at = self.op.map_or(0, |op| op + 1);
        let Some(path) = self.path() else { return Err("the run is over".to_owned()) };
        // A step that ends before a condition that does not hold begins it.
        if path.ops.get(at) != Some(&op) && at < path.ops.len() {
            return Err("another op was expected".to_owned());
        }
        let frame = path.frames.get(at).copied();
        self.op = Some(at);
        if let Some(frame) = frame {
            self.depth.insert(thread, frame);
        }
        Ok(())
    }

    fn stops(&mut self, thread: usize, _done: bool) {
        if let (Ok(thread), Some(path)) = (self.thread(thread), self.path())
            && let End::Moved { me: schedule::ThreadAt::Running(frames), .. } = &path.end
        {
            let depth = u32::try_from(frames.len().saturating_sub(1)).unwrap_or(u32::MAX);
            self.depth.insert(thread, depth);
        }
        self.step += 1;
        self.op = None;
    }

    fn choose(&mut self, thread: usize, what: Unknown<'_>) -> Result<i64, String> {
        let number = self.thread(thread).unwrap_or(0);
        match what {
            Unknown::Handle(at) => {
                let running = self.op.unwrap_or(0);
                let path = self.path().ok_or("the run is over")?;
                let mut picked = path.handles.iter().filter(|(op, _)| *op == running);
                let (_, thread) = picked.nth(at).ok_or("a handle that is not on the path")?;
                let number = self.numbers.iter().find(|(_, number)| *number == thread);
                let (number, _) = number.ok_or("a thread that is not there")?;
                i64::try_from(number + 1).map_err(|error| error.to_string())
            }
            Unknown::Target => {
                let running = self.op.unwrap_or(0);
                let chosen = self.path().and_then(|path| path.chosen.iter().find(|(op, _)| *op == running));
                chosen.map(|(_, chosen)| *chosen).ok_or_else(|| "a choice that is not on the path".to_owned())
            }
            Unknown::Global(id, key) => {
                let term = self.now(Variable::Global(id))?;
                self.value(term, key)
            }
            Unknown::Local(local, key) => {
                let frame = self.depth.get(&number).copied().unwrap_or(0);
                let found = self.model.variables().keys().copied().filter(|variable| {
                    matches!(variable, Variable::Local { thread, frame: at, local: of, .. }
                        if *thread == number && *at == frame && *of == local)
                });
                let candidates: Vec<Variable> = found.collect();
                let known = candidates.into_iter().find_map(|variable| self.now(variable).ok());
                let term = known.ok_or_else(|| "a local that has no value".to_owned())?;
                self.value(term, key)
            }
            Unknown::Const(id, key) => {
                let constants = self.model.translator.constants();
                match constants.iter().find(|(constant, _)| *constant == id) {
                    Some((_, term)) => self.value(*term, key),
                    None => Ok(0),
                }
            }
            Unknown::Func(id, args) => {
                let applications: Vec<(Vec<TermId>, TermId)> = self
                    .model
                    .translator
                    .applications()
                    .filter(|(func, ..)| *func == id)
                    .map(|(_, args, term)| (args.to_vec(), term))
                    .collect();
                for (terms, result) in applications {
                    let mut same = true;
                    for (term, arg) in terms.iter().zip(args) {
                        same &= self.value(*term, &[])? == *arg;
                    }
                    if same {
                        return self.value(result, &[]);
                    }
                }
                Ok(0)
            }
            Unknown::Result(thread, at) => {
                let number = self.thread(thread)?;
                let index = u32::try_from(at).unwrap_or(u32::MAX);
                let found = self.model.variables().keys().copied().find(|variable| {
                    matches!(variable, Variable::Result { thread, index: of, .. }
                        if *thread == number && *of == index)
                });
                let variable = found.ok_or("a result that the path does not have")?;
                let term = self.now(variable)?;
                self.value(term, &[])
            }
            Unknown::Nameless => Err("a cell of a map that is in no variable".to_owned()),
        }
    }
}
