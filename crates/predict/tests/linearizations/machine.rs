//! Explicit execution of the events of a run, in any order: a small evaluator of its own, on plain values.

use std::collections::BTreeMap;

use ir::{
    BinaryOp, ExprId, ExprNode, GlobalId, LocalId, Op, OpRef, Place, PlaceBase, ProcId, Program, Type,
    UnaryOp,
};

use crate::recording::{Chosen, Recorded, RunOp};

/// A value: truth values are 0 and 1, handles are numbers of threads plus one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Value {
    Number(i64),
    Map(i64, BTreeMap<i64, i64>),
    /// Nobody has looked: where it comes from.
    Unset(usize),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Frame {
    proc: ProcId,
    locals: Vec<Option<i64>>,
    results: Vec<(PlaceBase, Vec<ExprId>)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Thread {
    /// How many of its steps were executed.
    pub next: usize,
    /// It does something else than in the run.
    pub strayed: bool,
    frames: Vec<Frame>,
    results: Vec<Option<i64>>,
    pub done: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    globals: Vec<Value>,
    pub threads: Vec<Option<Thread>>,
}

/// An access of a step: the cell, whether it writes, and what is there before and after the step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Touch {
    pub global: GlobalId,
    pub key: Option<i64>,
    pub write: bool,
    pub before: i64,
    pub after: i64,
}

/// What came of a step.
pub(crate) enum Done {
    /// It was executed; the ops of the assertion at which the thread now stands, if that fails.
    Moved { touches: Vec<Touch>, first: usize, fails: Option<OpRef> },
    /// An assertion in its visible part fails; the cells that were accessed until then.
    Fails(OpRef, Vec<Touch>),
    /// It cannot be executed; whether that counts as being blocked.
    Not(bool),
}

/// What ends the execution of an op.
enum Stop {
    Blocked,
    Stray,
    Fails,
}

pub(crate) struct Machine<'p> {
    pub program: &'p Program,
    /// The steps of each thread, by their positions in the run.
    pub steps: Vec<Vec<usize>>,
    pub run: &'p Recorded,
    /// The values of what was arbitrary, by where it comes from.
    pins: BTreeMap<usize, i64>,
    /// While the run is followed, to find these out.
    learning: bool,
    touches: Vec<(GlobalId, Option<i64>, bool)>,
    /// The thread that a signal wakes in the step to be executed, if not the one of the run.
    pub woken: Option<i64>,
}

impl<'p> Machine<'p> {
    pub(crate) fn new(program: &'p Program, run: &'p Recorded) -> Result<Self, String> {
        let mut steps = vec![Vec::new(); run.threads];
        for (at, step) in run.steps.iter().enumerate() {
            steps[step.thread].push(at);
        }
        let mut machine = Machine {
            program,
            steps,
            run,
            pins: BTreeMap::new(),
            learning: true,
            touches: Vec::new(),
            woken: None,
        };
        let mut state = machine.initial();
        for (at, step) in run.steps.iter().enumerate() {
            if !matches!(machine.step(&mut state, step.thread), Done::Moved { .. }) {
                return Err(format!("step {at} of the run itself cannot be executed"));
            }
        }
        machine.learning = false;
        Ok(machine)
    }

    pub(crate) fn initial(&mut self) -> State {
        let mut state = State { globals: Vec::new(), threads: vec![None; self.run.threads] };
        for (id, global) in &self.program.globals {
            let value = match global.init {
                Some(init) => self.constant(init),
                None if global.ty == Type::Task => Value::Number(0),
                None => Value::Unset(id.as_u32() as usize),
            };
            state.globals.push(value);
        }
        for (thread, &proc) in self.program.threads.iter().enumerate() {
            state.threads[thread] = Some(self.thread(proc, &[]));
        }
        let run = self.run;
        self.settle(&mut state, &run.initial);
        state
    }

    fn constant(&mut self, expr: ExprId) -> Value {
        match self.program.exprs.node(expr) {
            ExprNode::ConstMap(_, cell) => match self.constant(*cell) {
                Value::Number(cell) => Value::Map(cell, BTreeMap::new()),
                other => panic!("a map of {other:?}"),
            },
            ExprNode::Bool(value) => Value::Number(i64::from(*value)),
            ExprNode::Int(value) => Value::Number(i64::try_from(value).unwrap()),
            ExprNode::Nil => Value::Number(0),
            other => panic!("an initial value {other:?}"),
        }
    }

    fn thread(&self, proc: ProcId, args: &[i64]) -> Thread {
        Thread {
            next: 0,
            strayed: false,
            frames: vec![self.frame(proc, args)],
            results: Vec::new(),
            done: false,
        }
    }

    fn frame(&self, proc: ProcId, args: &[i64]) -> Frame {
        let declared = &self.program.procs[proc];
        let mut locals: Vec<Option<i64>> =
            declared.locals.values().map(|local| (local.ty == Type::Task).then_some(0)).collect();
        for (param, arg) in declared.params.iter().zip(args) {
            locals[param.as_u32() as usize] = Some(*arg);
        }
        Frame { proc, locals, results: Vec::new() }
    }

    fn settle(&mut self, state: &mut State, chosen: &[Chosen]) {
        for choice in chosen {
            match *choice {
                Chosen::Local(thread, local, value) => {
                    if let Some(thread) = &mut state.threads[thread] {
                        thread.frames.last_mut().unwrap().locals[local.as_u32() as usize] = Some(value);
                    }
                }
                Chosen::Global(global, value) if self.learning => {
                    if let Value::Unset(source) = state.globals[global.as_u32() as usize] {
                        self.pins.insert(source, value);
                    }
                }
                Chosen::Global(..) | Chosen::Handle(_) | Chosen::Result(..) => {}
            }
        }
    }

    /// Executes the next step of a thread.
    pub(crate) fn step(&mut self, state: &mut State, thread: usize) -> Done {
        let before = state.globals.clone();
        let next = state.threads[thread].as_ref().unwrap().next;
        let step = &self.run.steps[self.steps[thread][next]];
        self.touches.clear();
        let mut atomic = 0;
        let (mut in_head, mut first) = (true, None);
        let mut fails = None;
        let program = self.program;
        let mut guards = true;
        for (at, run_op) in step.ops.iter().enumerate() {
            let declared = &program.procs[run_op.op.proc].blocks[run_op.op.block].stmts[run_op.op.index].op;
            self.settle(state, &run_op.chosen.clone());
            let followed = step.ops.get(at + 1).map(|next| next.op).or_else(|| {
                let later = self.steps[thread].get(next + 1)?;
                self.run.steps[*later].ops.first().map(|op| op.op)
            });
            let result = self.op(state, thread, run_op, declared, followed, at);
            match declared {
                Op::AtomicBegin => atomic += 1,
                Op::AtomicEnd => atomic -= 1,
                _ => {}
            }
            let visible = in_head || atomic > 0;
            if atomic == 0 && in_head {
                in_head = false;
                first = Some(self.touches.len());
            }
            match result {
                Ok(()) => {}
                Err(Stop::Fails) if visible => {
                    return Done::Fails(run_op.op, self.touched(&before, state));
                }
                Err(Stop::Fails) => {
                    fails = Some(run_op.op);
                    state.threads[thread].as_mut().unwrap().strayed = true;
                    break;
                }
                // A branch that is no part of a section goes somewhere else after the step.
                Err(Stop::Stray) if atomic == 0 => {
                    state.threads[thread].as_mut().unwrap().strayed = true;
                    break;
                }
                Err(Stop::Stray) => return Done::Not(false),
                Err(Stop::Blocked) if visible => {
                    let waits = matches!(declared, Op::Await { .. } | Op::Wait { .. })
                        || (atomic > 0 && matches!(declared, Op::Assume(_)));
                    return Done::Not(waits && guards);
                }
                Err(Stop::Blocked) => {
                    state.threads[thread].as_mut().unwrap().strayed = true;
                    break;
                }
            }
            guards &= matches!(declared, Op::AtomicBegin);
        }
        let settled = step.settled.clone();
        self.settle(state, &settled);
        if let Some(thread) = &mut state.threads[thread] {
            thread.next += 1;
        }
        let touches = self.touched(&before, state);
        Done::Moved { first: first.unwrap_or(touches.len()), touches, fails }
    }

    fn touched(&self, before: &[Value], state: &State) -> Vec<Touch> {
        let touch = |&(global, key, write): &(GlobalId, Option<i64>, bool)| Touch {
            global,
            key,
            write,
            before: self.cell(before, global, key),
            after: self.cell(&state.globals, global, key),
        };
        self.touches.iter().map(touch).collect()
    }

    fn cell(&self, globals: &[Value], global: GlobalId, key: Option<i64>) -> i64 {
        match (&globals[global.as_u32() as usize], key) {
            (Value::Number(value), _) => *value,
            (Value::Unset(source), _) => self.pins.get(source).copied().unwrap_or(0),
            (Value::Map(rest, cells), Some(key)) => cells.get(&key).copied().unwrap_or(*rest),
            // Parts of synchronization objects: nobody looks at their accesses.
            (Value::Map(..), None) => 0,
        }
    }

    fn op(
        &mut self,
        state: &mut State,
        thread: usize,
        run_op: &RunOp,
        op: &Op,
        followed: Option<OpRef>,
        at: usize,
    ) -> Result<(), Stop> {
        match op {
            Op::Assign { targets, values, .. } => {
                let values: Vec<Value> = values.iter().map(|e| self.value(state, thread, *e)).collect();
                self.assign(state, thread, targets, &values);
            }
            Op::Havoc { targets } => {
                for (target, place) in targets.iter().enumerate() {
                    let handle = run_op.chosen.iter().find_map(|chosen| match chosen {
                        Chosen::Handle(value) => Some(*value),
                        _ => None,
                    });
                    match (place.base, handle) {
                        (_, Some(handle)) => {
                            let handle = self.woken.unwrap_or(handle);
                            self.assign(state, thread, std::slice::from_ref(place), &[Value::Number(handle)]);
                        }
                        (PlaceBase::Local(local), None) => {
                            self.frame_of(state, thread).locals[local.as_u32() as usize] = None;
                        }
                        (PlaceBase::Global(global), None) => {
                            assert!(place.path.is_empty(), "an arbitrary cell");
                            let next = state.threads[thread].as_ref().unwrap().next;
                            let step = self.steps[thread][next];
                            let source = 1000 + step * 1000 + at * 10 + target;
                            self.touches.push((global, None, true));
                            state.globals[global.as_u32() as usize] = Value::Unset(source);
                        }
                    }
                }
            }
            Op::Assume(cond) => self.holds(state, thread, *cond)?,
            Op::Await { guard, targets, values } => {
                self.holds(state, thread, *guard)?;
                let values: Vec<Value> = values.iter().map(|e| self.value(state, thread, *e)).collect();
                self.assign(state, thread, targets, &values);
            }
            Op::Assert { cond, .. } => {
                if self.eval(state, thread, *cond) == 0 {
                    return Err(Stop::Fails);
                }
            }
            Op::Call { proc, args, results } => {
                let args: Vec<i64> = args.iter().map(|e| self.eval(state, thread, *e)).collect();
                self.frame_of(state, thread).results =
                    results.iter().map(|place| (place.base, place.path.concat())).collect();
                let frame = self.frame(*proc, &args);
                state.threads[thread].as_mut().unwrap().frames.push(frame);
            }
            Op::Spawn { proc, args, handle } => {
                let args: Vec<i64> = args.iter().map(|e| self.eval(state, thread, *e)).collect();
                let started = run_op.started.unwrap();
                state.threads[started] = Some(self.thread(*proc, &args));
                if let Some(place) = handle {
                    self.assign(
                        state,
                        thread,
                        std::slice::from_ref(place),
                        &[Value::Number(started as i64 + 1)],
                    );
                }
            }
            Op::Wait { task, results } => {
                let handle = self.eval(state, thread, *task);
                let waited = usize::try_from(handle - 1).ok().and_then(|at| state.threads[at].clone());
                let Some(waited) = waited.filter(|waited| waited.done) else { return Err(Stop::Blocked) };
                let values: Vec<Value> =
                    waited.results.iter().map(|value| Value::Number(value.unwrap_or(0))).collect();
                self.assign(state, thread, results, &values);
            }
            Op::Branch { cond, then, otherwise } => {
                let to = if self.eval(state, thread, *cond) == 0 { otherwise } else { then };
                if followed.is_some_and(|next| next.proc == run_op.op.proc && next.block != *to) {
                    return Err(Stop::Stray);
                }
            }
            Op::Return => self.leave(state, thread, at),
            Op::AtomicBegin | Op::AtomicEnd | Op::Yield | Op::Progress | Op::Goto(_) | Op::Choose { .. } => {}
            other => panic!("the enumeration does not know {other:?}"),
        }
        Ok(())
    }

    fn leave(&mut self, state: &mut State, thread: usize, at: usize) {
        let of = state.threads[thread].as_mut().unwrap();
        let frame = of.frames.last().unwrap();
        let results = &self.program.procs[frame.proc].results;
        let values: Vec<Option<i64>> =
            results.iter().map(|result| frame.locals[result.as_u32() as usize]).collect();
        if of.frames.len() == 1 {
            of.done = true;
            let observed = self.run.steps.iter().flat_map(|step| &step.ops).flat_map(|op| &op.chosen);
            of.results = values;
            for chosen in observed {
                if let Chosen::Result(waited, at, value) = chosen
                    && *waited == thread
                {
                    of.results[*at] = Some(*value);
                }
            }
            return;
        }
        of.frames.pop();
        let step = self.steps[thread][of.next];
        let targets = of.frames.last().unwrap().results.clone();
        for (target, ((base, index), value)) in targets.into_iter().zip(values).enumerate() {
            match (base, value) {
                (PlaceBase::Global(global), None) if index.is_empty() => {
                    self.touches.push((global, None, true));
                    let source = 1000 + step * 1000 + at * 10 + target;
                    state.globals[global.as_u32() as usize] = Value::Unset(source);
                }
                (PlaceBase::Local(local), value) if index.is_empty() => {
                    self.frame_of(state, thread).locals[local.as_u32() as usize] = value;
                }
                (base, value) => {
                    let path = if index.is_empty() { Vec::new() } else { vec![index] };
                    self.assign(state, thread, &[Place { base, path }], &[Value::Number(value.unwrap_or(0))]);
                }
            }
        }
    }

    fn holds(&mut self, state: &mut State, thread: usize, cond: ExprId) -> Result<(), Stop> {
        if self.eval(state, thread, cond) == 0 { Err(Stop::Blocked) } else { Ok(()) }
    }

    fn frame_of<'s>(&self, state: &'s mut State, thread: usize) -> &'s mut Frame {
        state.threads[thread].as_mut().unwrap().frames.last_mut().unwrap()
    }

    fn assign(&mut self, state: &mut State, thread: usize, targets: &[Place], values: &[Value]) {
        let keys: Vec<Option<i64>> = targets
            .iter()
            .map(|place| place.path.first().map(|index| self.eval(state, thread, index[0])))
            .collect();
        for ((place, key), value) in targets.iter().zip(keys).zip(values) {
            match (place.base, value) {
                (PlaceBase::Local(local), Value::Number(value)) => {
                    self.frame_of(state, thread).locals[local.as_u32() as usize] = Some(*value);
                }
                (PlaceBase::Local(_), other) => panic!("a local {other:?}"),
                (PlaceBase::Global(global), value) => {
                    self.touches.push((global, key, true));
                    match (&mut state.globals[global.as_u32() as usize], key, value) {
                        (Value::Map(rest, cells), Some(key), Value::Number(value)) if value == rest => {
                            cells.remove(&key);
                        }
                        (Value::Map(_, cells), Some(key), Value::Number(value)) => {
                            cells.insert(key, *value);
                        }
                        (held, _, value) => *held = value.clone(),
                    }
                }
            }
        }
    }

    /// A value that may be a map.
    fn value(&mut self, state: &State, thread: usize, expr: ExprId) -> Value {
        let program = self.program;
        if program.exprs.ty(expr).as_map().is_none() {
            return Value::Number(self.eval(state, thread, expr));
        }
        match program.exprs.node(expr) {
            ExprNode::ConstMap(_, cell) => Value::Map(self.eval(state, thread, *cell), BTreeMap::new()),
            ExprNode::Global(global, _) => {
                self.touches.push((*global, None, false));
                state.globals[global.as_u32() as usize].clone()
            }
            ExprNode::Ite(c, a, b) => {
                let way = if self.eval(state, thread, *c) == 0 { b } else { a };
                self.value(state, thread, *way)
            }
            ExprNode::Store(map, index, cell) => {
                let (key, cell) = (self.eval(state, thread, index[0]), self.eval(state, thread, *cell));
                match self.value(state, thread, *map) {
                    Value::Map(rest, mut cells) => {
                        if cell == rest {
                            cells.remove(&key);
                        } else {
                            cells.insert(key, cell);
                        }
                        Value::Map(rest, cells)
                    }
                    other => panic!("a cell of {other:?}"),
                }
            }
            other => panic!("the enumeration does not know {other:?}"),
        }
    }

    fn local(&self, state: &State, thread: usize, local: LocalId) -> i64 {
        let frame = state.threads[thread].as_ref().unwrap().frames.last().unwrap();
        frame.locals[local.as_u32() as usize].unwrap_or(0)
    }

    fn eval(&mut self, state: &State, thread: usize, expr: ExprId) -> i64 {
        let program = self.program;
        match program.exprs.node(expr) {
            ExprNode::Bool(value) => i64::from(*value),
            ExprNode::Int(value) => i64::try_from(value).unwrap(),
            ExprNode::Nil => 0,
            ExprNode::SelfTask => thread as i64 + 1,
            ExprNode::Global(global, _) => {
                self.touches.push((*global, None, false));
                self.cell(&state.globals, *global, None)
            }
            ExprNode::Local(local, _) => self.local(state, thread, *local),
            ExprNode::Select(map, index) => {
                let ExprNode::Global(global, _) = program.exprs.node(*map) else { panic!("a local map") };
                let key = self.eval(state, thread, index[0]);
                self.touches.push((*global, Some(key), false));
                self.cell(&state.globals, *global, Some(key))
            }
            ExprNode::Unary(UnaryOp::Not, a) => i64::from(self.eval(state, thread, *a) == 0),
            ExprNode::Binary(op, a, b) => {
                let a = self.eval(state, thread, *a);
                match (op, a) {
                    (BinaryOp::And, 0) => return 0,
                    (BinaryOp::Or, 1) | (BinaryOp::Implies, 0) => return 1,
                    _ => {}
                }
                let b = self.eval(state, thread, *b);
                match op {
                    BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => b,
                    BinaryOp::Eq | BinaryOp::Iff => i64::from(a == b),
                    BinaryOp::Ne => i64::from(a != b),
                    BinaryOp::Add => a + b,
                    BinaryOp::Sub => a - b,
                    BinaryOp::Mod => a.rem_euclid(b),
                    BinaryOp::Lt => i64::from(a < b),
                    BinaryOp::Le => i64::from(a <= b),
                    BinaryOp::Gt => i64::from(a > b),
                    BinaryOp::Ge => i64::from(a >= b),
                    other => panic!("the enumeration does not know {other:?}"),
                }
            }
            ExprNode::Ite(c, a, b) => {
                if self.eval(state, thread, *c) == 0 {
                    self.eval(state, thread, *b)
                } else {
                    self.eval(state, thread, *a)
                }
            }
            other => panic!("the enumeration does not know {other:?}"),
        }
    }
}
