//! Runs of sequential programs with unknown values, for tests.
//!
//! The explorer of `interp` chooses an arbitrary value when it is first copied, so that a program with guesses has a
//! run for each combination of them, nearly all in vain. Here an arbitrary value stays unknown until an operation
//! needs it, and an assumed equality makes two values one. All runs are tried, one after the other; a run that comes
//! back to a state that it has been in is given up, since what follows also follows from the first time.

mod record;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use engine::Trace;
use ir::{
    BinaryOp, BlockId, ConstId, ExprId, ExprNode, GlobalId, Local, Op, OpRef, Place, PlaceBase, Proc, ProcId,
    Program, Type, UnaryOp,
};

use crate::harness::Reached;
use record::Step;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    /// A truth value, 0 or 1, or an integer.
    Known(i64),
    Unknown(usize),
    Map(Rc<Map>),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Map {
    cells: BTreeMap<Vec<i64>, Value>,
    rest: Rest,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rest {
    All(Value),
    /// A map of which only the cells that were looked at are known.
    Unknown(usize),
}

enum Stop {
    /// This run leads nowhere.
    Pruned,
    Failed(String),
    /// Too much work.
    Limit,
}

struct Frame {
    proc: ProcId,
    activation: usize,
    locals: Vec<Value>,
    block: BlockId,
    /// The op that is running.
    index: usize,
}

struct Runner<'p> {
    program: &'p Program,
    ranges: Ranges,
    /// Which of how many alternatives to take at each choice.
    script: Vec<(i64, i64)>,
    cursor: usize,
    globals: Vec<Value>,
    initial: Vec<Value>,
    frames: Vec<Frame>,
    bindings: Vec<Option<Value>>,
    /// How many values each unknown has; of a map, each integer in it.
    sizes: Vec<i64>,
    /// How many elements each sort has, and which one each unique constant is.
    elements: Vec<i64>,
    constants: BTreeMap<ConstId, i64>,
    unknown_cells: BTreeMap<(usize, Vec<i64>), Value>,
    seen: BTreeSet<Seen>,
    /// How many values the integers in each local of each procedure have, if that has been called.
    integers: Vec<Vec<i64>>,
    /// Ops that may still run, over all runs.
    left: u64,
    /// Activations of procedures so far.
    activations: usize,
    /// The ops of this run, if anybody wants to know.
    steps: Option<Vec<Step>>,
}

/// A state at the head of a loop: the values of all variables, and where each activation stands.
type Seen = (Vec<Value>, Vec<(ProcId, BlockId, usize)>);

/// There are fewer tasks than this.
const HANDLES: i64 = 8;

/// What unknown integers are chosen from.
pub(crate) struct Ranges {
    /// Data is from 0 to this.
    pub(crate) high: i64,
    /// Rounds are from 0 to this.
    pub(crate) delays: i64,
    /// Guesses for variables with these names are handles.
    pub(crate) handles: Vec<String>,
    /// Whether handles are indices of maps.
    pub(crate) handles_as_keys: bool,
}

/// What all runs of a sequential program reach, in the given globals. Each run to a failing assertion is shown to
/// `failing`.
pub(crate) fn reached(
    program: &Program,
    globals: &[GlobalId],
    ranges: Ranges,
    most_ops: u64,
    failing: &mut dyn FnMut(&Trace),
) -> Option<Reached> {
    let mut elements = vec![0; program.sorts.len()];
    let mut constants = BTreeMap::new();
    for (id, constant) in &program.consts {
        let Type::Sort(sort) = constant.ty else { panic!("constants are elements here") };
        assert!(constant.unique, "constants are unique here");
        constants.insert(id, elements[sort.as_u32() as usize]);
        elements[sort.as_u32() as usize] += 1;
    }
    elements.iter_mut().for_each(|size| *size = (*size + 1).max(2));
    let mut runner = Runner {
        program,
        ranges,
        elements,
        constants,
        script: Vec::new(),
        cursor: 0,
        globals: Vec::new(),
        initial: Vec::new(),
        frames: Vec::new(),
        bindings: Vec::new(),
        sizes: Vec::new(),
        unknown_cells: BTreeMap::new(),
        seen: BTreeSet::new(),
        integers: vec![Vec::new(); program.procs.len()],
        left: most_ops,
        activations: 0,
        steps: None,
    };
    let mut all = Reached::default();
    loop {
        match runner.run(globals) {
            Ok(row) => drop(all.valuations.insert(row)),
            Err(Stop::Pruned) => {}
            Err(Stop::Failed(message)) => {
                all.failures.insert(message);
                // Once more, to see what happens.
                runner.steps = Some(Vec::new());
                runner.left += most_ops;
                let _ = runner.run(globals);
                runner.left -= most_ops.min(runner.left);
                failing(&runner.trace());
                runner.steps = None;
            }
            Err(Stop::Limit) => return None,
        }
        loop {
            match runner.script.pop() {
                None => return Some(all),
                Some((chosen, size)) if chosen + 1 < size => {
                    runner.script.push((chosen + 1, size));
                    break;
                }
                Some(_) => {}
            }
        }
    }
}

impl Runner<'_> {
    fn run(&mut self, globals: &[GlobalId]) -> Result<Vec<String>, Stop> {
        self.cursor = 0;
        self.bindings.clear();
        self.sizes.clear();
        self.unknown_cells.clear();
        self.seen.clear();
        self.frames.clear();
        self.globals.clear();
        self.activations = 0;
        for global in self.program.globals.values() {
            let value = match global.init {
                Some(init) => self.eval(init)?,
                None => {
                    let size = if global.name == "completed" { self.ranges.delays + 1 } else { self.data() };
                    self.fresh(&global.ty, size)
                }
            };
            self.globals.push(value);
        }
        self.initial = self.globals.clone();
        self.call(self.program.threads[0], Vec::new())?;
        let mut row = Vec::new();
        for &id in globals {
            let (value, ty) = (self.globals[id.as_u32() as usize].clone(), &self.program.globals[id].ty);
            self.show(&value, ty, &mut row)?;
        }
        Ok(row)
    }

    fn show(&mut self, value: &Value, ty: &Type, row: &mut Vec<String>) -> Result<(), Stop> {
        match ty {
            Type::Map(map) => {
                for key in 0..=self.ranges.high {
                    let cell = self.cell(value, vec![key], &map.result);
                    self.show(&cell, &map.result, row)?;
                }
            }
            _ => {
                let known = self.known(value)?;
                row.push(match ty {
                    Type::Bool => (known != 0).to_string(),
                    Type::Bv(width) => format!("{known}bv{width}"),
                    Type::Sort(_) => format!("element {known}"),
                    _ => known.to_string(),
                });
            }
        }
        Ok(())
    }

    fn choose(&mut self, size: i64) -> i64 {
        if self.cursor == self.script.len() {
            self.script.push((0, size));
        }
        self.cursor += 1;
        self.script[self.cursor - 1].0
    }

    fn data(&self) -> i64 {
        self.ranges.high + 1
    }

    /// How many values a type has, with so many integers.
    fn size(&self, ty: &Type, integers: i64) -> i64 {
        match ty {
            Type::Bool => 2,
            Type::Bv(width) => 1 << width,
            Type::Sort(sort) => self.elements[sort.as_u32() as usize],
            _ => integers,
        }
    }

    /// All indices of a map.
    fn keys(&self, args: &[Type]) -> Vec<Vec<i64>> {
        let integers = if self.ranges.handles_as_keys { HANDLES.max(self.data()) } else { self.data() };
        let mut keys = vec![Vec::new()];
        for ty in args {
            let longer = |key: &Vec<i64>| {
                let with = |index| [key.as_slice(), &[index]].concat();
                (0..self.size(ty, integers)).map(with).collect::<Vec<_>>()
            };
            keys = keys.iter().flat_map(longer).collect();
        }
        keys
    }

    fn fresh(&mut self, ty: &Type, integers: i64) -> Value {
        self.bindings.push(None);
        self.sizes.push(self.size(ty, integers));
        let id = self.bindings.len() - 1;
        match ty {
            Type::Map(_) => Value::Map(Rc::new(Map { cells: BTreeMap::new(), rest: Rest::Unknown(id) })),
            _ => Value::Unknown(id),
        }
    }

    fn resolve(&self, value: &Value) -> Value {
        let mut value = value;
        while let Value::Unknown(id) = value
            && let Some(bound) = &self.bindings[*id]
        {
            value = bound;
        }
        value.clone()
    }

    /// A scalar, chosen now if it is still unknown.
    fn known(&mut self, value: &Value) -> Result<i64, Stop> {
        match self.resolve(value) {
            Value::Known(known) => Ok(known),
            Value::Unknown(id) => {
                let known = self.choose(self.sizes[id]);
                self.bindings[id] = Some(Value::Known(known));
                Ok(known)
            }
            Value::Map(_) => panic!("a map where a scalar is needed"),
        }
    }

    fn cell(&mut self, map: &Value, key: Vec<i64>, ty: &Type) -> Value {
        let Value::Map(map) = self.resolve(map) else { panic!("no map") };
        if let Some(value) = map.cells.get(&key) {
            return value.clone();
        }
        match &map.rest {
            Rest::All(value) => value.clone(),
            Rest::Unknown(id) => {
                let (at, integers) = ((*id, key), self.sizes[*id]);
                if let Some(value) = self.unknown_cells.get(&at) {
                    return value.clone();
                }
                let value = self.fresh(ty, integers);
                self.unknown_cells.insert(at, value.clone());
                value
            }
        }
    }

    fn with_cell(&mut self, map: &Value, key: Vec<i64>, value: Value) -> Value {
        let Value::Map(map) = self.resolve(map) else { panic!("no map") };
        let mut map = (*map).clone();
        map.cells.insert(key, value);
        Value::Map(Rc::new(map))
    }

    fn unify(&mut self, a: &Value, b: &Value, ty: &Type) -> Result<(), Stop> {
        match (self.resolve(a), self.resolve(b)) {
            (Value::Known(a), Value::Known(b)) => {
                if a == b {
                    Ok(())
                } else {
                    Err(Stop::Pruned)
                }
            }
            (Value::Unknown(a), Value::Unknown(b)) if a == b => Ok(()),
            (Value::Unknown(a), Value::Unknown(b)) if self.sizes[a] < self.sizes[b] => {
                self.bindings[b] = Some(Value::Unknown(a));
                Ok(())
            }
            (Value::Unknown(id), value) | (value, Value::Unknown(id)) => {
                self.bindings[id] = Some(value);
                Ok(())
            }
            (a, b) => {
                let Type::Map(map) = ty else { panic!("a map where a scalar is needed") };
                for key in self.keys(&map.args) {
                    let (a, b) = (self.cell(&a, key.clone(), &map.result), self.cell(&b, key, &map.result));
                    self.unify(&a, &b, &map.result)?;
                }
                Ok(())
            }
        }
    }

    fn assume(&mut self, cond: ExprId) -> Result<(), Stop> {
        match self.program.exprs.node(cond) {
            ExprNode::Binary(BinaryOp::And, a, b) => {
                self.assume(*a)?;
                self.assume(*b)
            }
            ExprNode::Binary(BinaryOp::Eq, a, b) => {
                let ty = self.program.exprs.ty(*a).clone();
                let (a, b) = (self.eval(*a)?, self.eval(*b)?);
                self.unify(&a, &b, &ty)
            }
            _ => {
                if self.number(cond)? == 0 {
                    Err(Stop::Pruned)
                } else {
                    Ok(())
                }
            }
        }
    }

    fn number(&mut self, e: ExprId) -> Result<i64, Stop> {
        let value = self.eval(e)?;
        self.known(&value)
    }

    fn numbers(&mut self, es: &[ExprId]) -> Result<Vec<i64>, Stop> {
        es.iter().map(|&e| self.number(e)).collect()
    }

    fn eval(&mut self, e: ExprId) -> Result<Value, Stop> {
        let program = self.program;
        Ok(match program.exprs.node(e) {
            ExprNode::Bool(value) => Value::Known(i64::from(*value)),
            ExprNode::Int(value) | ExprNode::Bv(_, value) => {
                Value::Known(value.try_into().expect("is small"))
            }
            ExprNode::Const(id, _) => Value::Known(self.constants[id]),
            ExprNode::Global(id, _) => self.globals[id.as_u32() as usize].clone(),
            ExprNode::Local(id, _) => {
                let frame = self.frames.last().expect("is in a procedure");
                frame.locals[id.as_u32() as usize].clone()
            }
            ExprNode::Unary(UnaryOp::Not, a) => Value::Known(1 - self.number(*a)?),
            ExprNode::Ite(cond, a, b) => {
                let chosen = if self.number(*cond)? == 0 { b } else { a };
                self.eval(*chosen)?
            }
            ExprNode::Select(map, key) => {
                let ty = program.exprs.ty(e);
                let (map, key) = (self.eval(*map)?, self.numbers(key)?);
                self.cell(&map, key, ty)
            }
            ExprNode::Store(map, key, value) => {
                let (map, key, value) = (self.eval(*map)?, self.numbers(key)?, self.eval(*value)?);
                self.with_cell(&map, key, value)
            }
            ExprNode::ConstMap(_, value) => {
                let value = self.eval(*value)?;
                Value::Map(Rc::new(Map { cells: BTreeMap::new(), rest: Rest::All(value) }))
            }
            ExprNode::Binary(op, a, b) => Value::Known(self.binary(*op, *a, *b)?),
            node => panic!("not needed here: {node:?}"),
        })
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Result<i64, Stop> {
        let width = if let Type::Bv(width) = self.program.exprs.ty(a) { *width } else { 0 };
        let a = self.number(a)?;
        match (op, a) {
            (BinaryOp::And, 0) => return Ok(0),
            (BinaryOp::Or, 1) | (BinaryOp::Implies, 0) => return Ok(1),
            _ => {}
        }
        let b = self.number(b)?;
        Ok(match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => b,
            BinaryOp::Eq | BinaryOp::Iff => i64::from(a == b),
            BinaryOp::Ne => i64::from(a != b),
            BinaryOp::Lt | BinaryOp::BvUlt => i64::from(a < b),
            BinaryOp::Le => i64::from(a <= b),
            BinaryOp::Gt => i64::from(a > b),
            BinaryOp::Ge => i64::from(a >= b),
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            BinaryOp::Mod => a.rem_euclid(b),
            BinaryOp::BvAdd => (a + b) % (1 << width),
            op => panic!("not needed here: {op:?}"),
        })
    }

    fn variable(&mut self, base: PlaceBase) -> &mut Value {
        match base {
            PlaceBase::Global(id) => &mut self.globals[id.as_u32() as usize],
            PlaceBase::Local(id) => {
                let frame = self.frames.last_mut().expect("is in a procedure");
                &mut frame.locals[id.as_u32() as usize]
            }
        }
    }

    fn write(&mut self, targets: &[Place], values: Vec<Value>) -> Result<(), Stop> {
        let mut keys = Vec::new();
        for place in targets {
            let path = place.path.iter().map(|key| self.numbers(key)).collect::<Result<Vec<_>, _>>()?;
            keys.push(path);
        }
        let proc = self.frames.last().map(|frame| frame.proc).expect("is in a procedure");
        for ((place, path), value) in targets.iter().zip(keys).zip(values) {
            let ty = match place.base {
                PlaceBase::Global(id) => &self.program.globals[id].ty,
                PlaceBase::Local(id) => &self.program.procs[proc].locals[id].ty,
            };
            let old = self.variable(place.base).clone();
            *self.variable(place.base) = self.with_cells(&old, ty, &path, value);
        }
        Ok(())
    }

    /// The value with the cell changed to which a path leads.
    fn with_cells(&mut self, old: &Value, ty: &Type, path: &[Vec<i64>], value: Value) -> Value {
        let (Some((key, deeper)), Type::Map(map)) = (path.split_first(), ty) else { return value };
        let value = if deeper.is_empty() {
            value
        } else {
            let inner = self.cell(old, key.clone(), &map.result);
            self.with_cells(&inner, &map.result, deeper, value)
        };
        self.with_cell(old, key.clone(), value)
    }

    fn call(&mut self, proc: ProcId, args: Vec<Value>) -> Result<Vec<Value>, Stop> {
        let info = &self.program.procs[proc];
        let at = proc.as_u32() as usize;
        if self.integers[at].is_empty() {
            self.integers[at] = info.locals.values().map(|local| self.integers_in(info, local)).collect();
        }
        let sizes = std::mem::take(&mut self.integers[at]);
        let mut locals: Vec<Value> =
            info.locals.values().zip(&sizes).map(|(local, &size)| self.fresh(&local.ty, size)).collect();
        self.integers[at] = sizes;
        for (&param, arg) in info.params.iter().zip(args) {
            locals[param.as_u32() as usize] = arg;
        }
        if self.frames.len() > 60 {
            return Err(Stop::Limit);
        }
        self.frames.push(Frame { proc, activation: self.activations, locals, block: info.entry, index: 0 });
        self.activations += 1;
        let mut block = info.entry;
        while let Some(next) = self.block(proc, block)? {
            // Every loop has a retreating edge in the order of the blocks.
            if next <= block {
                self.visit(next)?;
            }
            block = next;
        }
        let frame = self.frames.pop().expect("was pushed");
        Ok(info.results.iter().map(|&r| frame.locals[r.as_u32() as usize].clone()).collect())
    }

    /// How many values the integers in a local have.
    fn integers_in(&self, proc: &Proc, local: &Local) -> i64 {
        let guessed = local.name.strip_prefix("pick.").or_else(|| local.name.strip_prefix("Init."));
        let variable = guessed.and_then(|name| name.rsplit_once('.')).map(|(variable, _)| variable);
        let is_round = (proc.name.as_str(), local.name.as_str()) == ("delay", "by");
        let is_handle = variable.is_some_and(|name| self.ranges.handles.iter().any(|known| known == name));
        let plain = if is_round { self.ranges.delays + 1 } else { self.data() };
        if is_handle { HANDLES } else { plain }
    }

    /// Gives the run up if it has been here in the same state.
    fn visit(&mut self, block: BlockId) -> Result<(), Stop> {
        let frame = self.frames.last_mut().expect("is in a procedure");
        (frame.block, frame.index) = (block, 0);
        let variables = self.globals.iter().chain(self.frames.iter().flat_map(|f| &f.locals));
        let values = variables.map(|value| self.resolve(value)).collect();
        let state = (values, self.frames.iter().map(|f| (f.proc, f.block, f.index)).collect());
        if self.seen.insert(state) { Ok(()) } else { Err(Stop::Pruned) }
    }

    /// Runs a block and gives the next one.
    fn block(&mut self, proc: ProcId, block: BlockId) -> Result<Option<BlockId>, Stop> {
        let program = self.program;
        for (index, stmt) in program.procs[proc].blocks[block].stmts.iter().enumerate() {
            let frame = self.frames.last_mut().expect("is in a procedure");
            (frame.block, frame.index) = (block, index);
            self.left = self.left.checked_sub(1).ok_or(Stop::Limit)?;
            self.record_reads(&stmt.op, OpRef { proc, block, index });
            match &stmt.op {
                Op::Assign { targets, values, .. } => {
                    let values = values.iter().map(|&e| self.eval(e)).collect::<Result<_, _>>()?;
                    self.write(targets, values)?;
                    self.record_writes(targets);
                }
                Op::Havoc { targets } => {
                    let types = targets.iter().map(|place| self.type_of(proc, place)).collect::<Vec<_>>();
                    let handle = |place: &Place| match place.base {
                        PlaceBase::Local(id) => program.procs[proc].locals[id].name == "$woken",
                        PlaceBase::Global(_) => false,
                    };
                    let sizes = targets.iter().map(|place| if handle(place) { HANDLES } else { self.data() });
                    let sizes = sizes.collect::<Vec<_>>();
                    let values = types.iter().zip(sizes).map(|(ty, size)| self.fresh(ty, size)).collect();
                    self.write(targets, values)?;
                    self.record_writes(targets);
                }
                Op::Assume(cond) => self.assume(*cond)?,
                Op::Assert { cond, message, .. } => {
                    if self.number(*cond)? == 0 {
                        return Err(Stop::Failed(message.clone()));
                    }
                }
                Op::Call { proc, args, results } => {
                    let args = args.iter().map(|&e| self.eval(e)).collect::<Result<_, _>>()?;
                    let values = self.call(*proc, args)?;
                    self.write(results, values)?;
                }
                Op::Goto(next) => {
                    self.record_target(0);
                    return Ok(Some(*next));
                }
                Op::Branch { cond, then, otherwise } => {
                    let holds = self.number(*cond)? != 0;
                    self.record_target(usize::from(!holds));
                    return Ok(Some(if holds { *then } else { *otherwise }));
                }
                Op::Choose { targets, .. } => {
                    let chosen = self.choose(i64::try_from(targets.len()).expect("is small"));
                    let chosen = usize::try_from(chosen).expect("is a choice");
                    self.record_target(chosen);
                    return Ok(Some(targets[chosen]));
                }
                Op::Return => return Ok(None),
                op => panic!("this is not sequential: {op:?}"),
            }
        }
        unreachable!("a block ends with a terminator")
    }

    fn type_of(&self, proc: ProcId, place: &Place) -> Type {
        let mut ty = match place.base {
            PlaceBase::Global(id) => &self.program.globals[id].ty,
            PlaceBase::Local(id) => &self.program.procs[proc].locals[id].ty,
        };
        for _ in &place.path {
            let Type::Map(map) = ty else { panic!("no map") };
            ty = &map.result;
        }
        ty.clone()
    }
}
