//! A second semantics, slow and plain: it runs the programs' own trees, one statement at a time, with every
//! interleaving and every value. It shares no code and no representation with the interpreter.

use std::collections::{BTreeSet, VecDeque};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use random::{Cond, Expr, GlobalKind, Lock, Place, Program, Stmt, Var};

/// What is left of a block.
#[derive(Clone, Copy, Debug)]
enum Rest<'p> {
    Stmts(&'p [Stmt]),
    EndAtomic,
}

impl Rest<'_> {
    /// Where in the program: the same place is the same slice.
    fn place(&self) -> (usize, usize) {
        match self {
            Rest::Stmts(stmts) => (stmts.as_ptr() as usize, stmts.len()),
            Rest::EndAtomic => (0, 0),
        }
    }
}

impl PartialEq for Rest<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.place() == other.place()
    }
}

impl Eq for Rest<'_> {}

impl Hash for Rest<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.place().hash(state);
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Frame<'p> {
    proc: usize,
    locals: Vec<u8>,
    rest: Vec<Rest<'p>>,
    /// Where the caller wants the result.
    target: Option<Var>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Task<'p> {
    frames: Vec<Frame<'p>>,
    result: Option<u8>,
    atomic: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State<'p> {
    /// Three cells per global, of which all but maps use the first; a lock's cell is its holder plus one.
    globals: Vec<u8>,
    tasks: Vec<Rc<Task<'p>>>,
}

/// A failed check.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Failure {
    Assertion(u32),
    /// Of a lock that the task does not hold, by its global.
    Release(usize),
}

/// What a step passed on its way, for fairness.
#[derive(Clone, Debug, Default)]
pub(crate) struct Label {
    pub(crate) progress: bool,
    /// Fair choices: which statement, and whether it was granted.
    pub(crate) fair: Vec<(usize, bool)>,
}

enum Micro<'p> {
    Moved(State<'p>),
    Failed(Failure),
    Blocked,
}

/// A state of the graph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    pub(crate) live: u32,
    pub(crate) enabled: u32,
    pub(crate) at_false_assume: u32,
    pub(crate) edges: Vec<(usize, usize, Label)>,
}

/// All there is to know.
#[derive(Clone, Debug, Default)]
pub(crate) struct Truth {
    pub(crate) failures: BTreeSet<Failure>,
    pub(crate) deadlock: bool,
    /// Per final state, the cells of all globals; a lock is 1 if held.
    pub(crate) valuations: BTreeSet<Vec<u8>>,
    pub(crate) graph: Vec<Node>,
}

/// Explores everything, or nothing if there are more states than that.
pub(crate) fn explore(program: &Program, most: usize) -> Option<Truth> {
    let runner = Runner { program };
    let mut truth = Truth::default();
    let mut known: FxHashMap<State<'_>, usize> = FxHashMap::default();
    let mut queue = VecDeque::new();
    for state in runner.initial_states() {
        number(state, &mut known, &mut queue);
    }
    while let Some(state) = queue.pop_front() {
        if known.len() > most {
            return None;
        }
        let mut node = Node::default();
        for task in (0..state.tasks.len()).filter(|&t| !state.tasks[t].frames.is_empty()) {
            node.live |= 1 << task;
            let (moves, failures) = runner.step(&state, task);
            if moves.is_empty() && failures.is_empty() {
                if matches!(runner.next_stmt(&state, task), Some(Stmt::Assume(_))) {
                    node.at_false_assume |= 1 << task;
                }
                continue;
            }
            node.enabled |= 1 << task;
            truth.failures.extend(failures);
            for (next, label) in moves {
                let target = number(next, &mut known, &mut queue);
                node.edges.push((target, task, label));
            }
        }
        if node.live == 0 {
            truth.valuations.insert(runner.valuation(&state));
        } else if node.enabled == 0 && node.at_false_assume == 0 {
            truth.deadlock = true;
        }
        truth.graph.push(node);
    }
    Some(truth)
}

/// The number of a state; a new one is queued.
fn number<'p>(
    state: State<'p>,
    known: &mut FxHashMap<State<'p>, usize>,
    queue: &mut VecDeque<State<'p>>,
) -> usize {
    let next = known.len();
    *known.entry(state.clone()).or_insert_with(|| {
        queue.push_back(state);
        next
    })
}

struct Runner<'p> {
    program: &'p Program,
}

impl<'p> Runner<'p> {
    fn initial_states(&self) -> Vec<State<'p>> {
        let mut states = vec![State { globals: Vec::new(), tasks: Vec::new() }];
        for global in &self.program.globals {
            let (cells, values) = match global.kind {
                GlobalKind::Bool => (1, 2),
                GlobalKind::Int => (1, 3),
                GlobalKind::Map => (3, 3),
                GlobalKind::Mutex => (1, 1),
                GlobalKind::Mutexes => (3, 1),
            };
            let starts: Vec<u8> = global.init.map_or_else(|| (0..values).collect(), |value| vec![value]);
            for cell in 0..3 {
                let starts = if cell < cells { starts.as_slice() } else { &[0] };
                let extend = |state: &State<'p>| {
                    let states = starts.iter().map(|&value| {
                        let mut state = state.clone();
                        state.globals.push(value);
                        state
                    });
                    states.collect::<Vec<_>>()
                };
                states = states.iter().flat_map(extend).collect();
            }
        }
        for thread in 0..self.program.entry.threads() {
            let frames = self.frames(thread, &[], None);
            let start = |state: &State<'p>| {
                let states = frames.iter().map(|frame| {
                    let mut state = state.clone();
                    state.tasks.push(Rc::new(Task { frames: vec![frame.clone()], ..Task::default() }));
                    state
                });
                states.collect::<Vec<_>>()
            };
            states = states.iter().flat_map(start).collect();
        }
        states
    }

    /// A frame for every value of the arbitrary locals.
    fn frames(&self, proc: usize, args: &[u8], target: Option<Var>) -> Vec<Frame<'p>> {
        let decl = &self.program.procs[proc];
        let mut all = vec![args.to_vec()];
        for local in &decl.locals[decl.params..] {
            let extend = |locals: &Vec<u8>| {
                let longer = (0..local.ty.values()).map(|value| [locals.as_slice(), &[value]].concat());
                longer.collect::<Vec<_>>()
            };
            all = all.iter().flat_map(extend).collect();
        }
        let rest = vec![Rest::Stmts(&decl.body)];
        all.into_iter().map(|locals| Frame { proc, locals, rest: rest.clone(), target }).collect()
    }

    /// All ways for a task to take a step: an atomic block is one.
    fn step(&self, state: &State<'p>, task: usize) -> (Vec<(State<'p>, Label)>, BTreeSet<Failure>) {
        let (mut moves, mut failures) = (Vec::new(), BTreeSet::new());
        let mut work = vec![(state.clone(), Label::default())];
        while let Some((state, label)) = work.pop() {
            for (micro, passed) in self.micro(state, task) {
                let mut label = label.clone();
                label.progress |= passed.progress;
                label.fair.extend(passed.fair);
                match micro {
                    Micro::Moved(next) if next.tasks[task].atomic > 0 => work.push((next, label)),
                    Micro::Moved(next) => moves.push((next, label)),
                    Micro::Failed(failure) => {
                        failures.insert(failure);
                    }
                    Micro::Blocked => {}
                }
            }
        }
        (moves, failures)
    }

    /// The statement that a task comes to next.
    fn next_stmt(&self, state: &State<'p>, task: usize) -> Option<&'p Stmt> {
        for rest in state.tasks[task].frames.last()?.rest.iter().rev() {
            match rest {
                Rest::Stmts([]) => {}
                Rest::Stmts(stmts) => return stmts.first(),
                Rest::EndAtomic => return None,
            }
        }
        None
    }

    /// All ways to run one statement, or to come back from a procedure.
    fn micro(&self, mut state: State<'p>, task: usize) -> Vec<(Micro<'p>, Label)> {
        let plain = |micro| vec![(micro, Label::default())];
        let frame = Rc::make_mut(&mut state.tasks[task]).frames.last_mut().expect("is live");
        while matches!(frame.rest.last(), Some(Rest::Stmts(stmts)) if stmts.is_empty()) {
            frame.rest.pop();
        }
        let Some(rest) = frame.rest.last_mut() else { return plain(self.come_back(state, task)) };
        let Rest::Stmts(stmts) = rest else {
            frame.rest.pop();
            Rc::make_mut(&mut state.tasks[task]).atomic -= 1;
            return plain(Micro::Moved(state));
        };
        let stmt = &stmts[0];
        let after: &'p [Stmt] = &stmts[1..];
        *rest = Rest::Stmts(after);
        match stmt {
            Stmt::If(cond, then, otherwise) => self.decide(&state, task, cond, stmt, true, |state, holds| {
                push(state, task, Rest::Stmts(if holds { then } else { otherwise }));
            }),
            Stmt::While(cond, body) => {
                // The loop is still to come when its body has run.
                let again = std::slice::from_ref(stmt);
                self.decide(&state, task, cond, stmt, false, |state, holds| {
                    if holds {
                        push(state, task, Rest::Stmts(again));
                        push(state, task, Rest::Stmts(body));
                    }
                })
            }
            Stmt::Atomic(body) => {
                Rc::make_mut(&mut state.tasks[task]).atomic += 1;
                push(&mut state, task, Rest::EndAtomic);
                push(&mut state, task, Rest::Stmts(body));
                plain(Micro::Moved(state))
            }
            Stmt::Assign(pairs) => {
                let values: Vec<u8> = pairs.iter().map(|(_, value)| self.eval(&state, task, value)).collect();
                let cells: Vec<Option<u8>> = pairs
                    .iter()
                    .map(|(place, _)| match place {
                        Place::Cell(_, index) => Some(self.eval(&state, task, index)),
                        Place::Var(_) => None,
                    })
                    .collect();
                for (((place, _), value), cell) in pairs.iter().zip(values).zip(cells) {
                    match place {
                        Place::Var(var) => set(&mut state, task, *var, value),
                        Place::Cell(map, _) => {
                            state.globals[*map * 3 + usize::from(cell.unwrap_or(0))] = value;
                        }
                    }
                }
                plain(Micro::Moved(state))
            }
            Stmt::Havoc(var) => {
                let proc = state.tasks[task].frames.last().expect("is live").proc;
                let values = 0..self.program.var_type(proc, *var).values();
                let moved = values.map(|value| {
                    let mut state = state.clone();
                    set(&mut state, task, *var, value);
                    (Micro::Moved(state), Label::default())
                });
                moved.collect()
            }
            Stmt::Call { proc, args, result } => {
                let args: Vec<u8> = args.iter().map(|a| self.eval(&state, task, a)).collect();
                let moved = self.frames(*proc, &args, *result).into_iter().map(|frame| {
                    let mut state = state.clone();
                    Rc::make_mut(&mut state.tasks[task]).frames.push(frame);
                    (Micro::Moved(state), Label::default())
                });
                moved.collect()
            }
            Stmt::Async { proc, args, handle } => {
                let args: Vec<u8> = args.iter().map(|a| self.eval(&state, task, a)).collect();
                let moved = self.frames(*proc, &args, None).into_iter().map(|frame| {
                    let mut state = state.clone();
                    state.tasks.push(Rc::new(Task { frames: vec![frame], ..Task::default() }));
                    if let Some(local) = handle {
                        let number = u8::try_from(state.tasks.len()).expect("few tasks");
                        set(&mut state, task, Var::Local(*local), number);
                    }
                    (Micro::Moved(state), Label::default())
                });
                moved.collect()
            }
            Stmt::Wait { handle, result } => {
                let number = usize::from(self.get(&state, task, Var::Local(*handle)));
                if number == 0 || !state.tasks[number - 1].frames.is_empty() {
                    return plain(Micro::Blocked);
                }
                if let (Some(var), Some(value)) = (result, state.tasks[number - 1].result) {
                    set(&mut state, task, *var, value);
                }
                plain(Micro::Moved(state))
            }
            Stmt::Acquire(lock) => {
                plain(if self.take(&mut state, task, lock) { Micro::Moved(state) } else { Micro::Blocked })
            }
            Stmt::TryAcquire(var, lock) => {
                let taken = self.take(&mut state, task, lock);
                set(&mut state, task, *var, u8::from(taken));
                plain(Micro::Moved(state))
            }
            Stmt::Release(lock) => {
                let cell = self.lock_cell(&state, task, lock);
                if usize::from(state.globals[cell]) != task + 1 {
                    return plain(Micro::Failed(Failure::Release(lock.global)));
                }
                state.globals[cell] = 0;
                plain(Micro::Moved(state))
            }
            Stmt::Assume(cond) => {
                let holds = self.eval(&state, task, cond) == 1;
                plain(if holds { Micro::Moved(state) } else { Micro::Blocked })
            }
            Stmt::Assert(cond, number) => {
                let holds = self.eval(&state, task, cond) == 1;
                plain(if holds { Micro::Moved(state) } else { Micro::Failed(Failure::Assertion(*number)) })
            }
            Stmt::Yield => plain(Micro::Moved(state)),
            Stmt::Progress => vec![(Micro::Moved(state), Label { progress: true, fair: Vec::new() })],
            Stmt::Return => {
                Rc::make_mut(&mut state.tasks[task]).frames.last_mut().expect("is live").rest.clear();
                plain(Micro::Moved(state))
            }
        }
    }

    /// Both ways, or the one that the condition gives. `fair_way` is the one that a fair choice may not refuse.
    fn decide(
        &self,
        state: &State<'p>,
        task: usize,
        cond: &Cond,
        stmt: &Stmt,
        fair_way: bool,
        go: impl Fn(&mut State<'p>, bool),
    ) -> Vec<(Micro<'p>, Label)> {
        let ways = match cond {
            Cond::Any { .. } => vec![true, false],
            Cond::Holds(cond) => vec![self.eval(state, task, cond) == 1],
        };
        let moved = ways.into_iter().map(|way| {
            let mut state = state.clone();
            go(&mut state, way);
            let fair = matches!(cond, Cond::Any { fair: true });
            let choice = fair.then_some((std::ptr::from_ref(stmt) as usize, way == fair_way));
            (Micro::Moved(state), Label { progress: false, fair: choice.into_iter().collect() })
        });
        moved.collect()
    }

    fn come_back(&self, mut state: State<'p>, task: usize) -> Micro<'p> {
        let running = Rc::make_mut(&mut state.tasks[task]);
        let frame = running.frames.pop().expect("is live");
        let result = self.program.procs[frame.proc].result.map(|local| frame.locals[local]);
        if running.frames.is_empty() {
            running.result = result;
        } else if let (Some(var), Some(value)) = (frame.target, result) {
            set(&mut state, task, var, value);
        }
        Micro::Moved(state)
    }

    fn get(&self, state: &State<'p>, task: usize, var: Var) -> u8 {
        match var {
            Var::Global(global) => state.globals[global * 3],
            Var::Local(local) => state.tasks[task].frames.last().expect("is live").locals[local],
        }
    }

    fn lock_cell(&self, state: &State<'p>, task: usize, lock: &Lock) -> usize {
        let index = lock.index.as_ref().map_or(0, |index| usize::from(self.eval(state, task, index)));
        lock.global * 3 + index
    }

    fn take(&self, state: &mut State<'p>, task: usize, lock: &Lock) -> bool {
        let cell = self.lock_cell(state, task, lock);
        let holder = &mut state.globals[cell];
        let free = *holder == 0;
        if free {
            *holder = u8::try_from(task + 1).expect("few tasks");
        }
        free
    }

    fn eval(&self, state: &State<'p>, task: usize, expr: &Expr) -> u8 {
        let value = |e: &Expr| self.eval(state, task, e);
        match expr {
            Expr::Bool(value) => u8::from(*value),
            Expr::Int(value) => *value,
            Expr::Read(place) => match &**place {
                Place::Var(var) => self.get(state, task, *var),
                Place::Cell(map, index) => state.globals[*map * 3 + usize::from(value(index))],
            },
            Expr::Not(a) => 1 - value(a),
            Expr::Add(a, b) => (value(a) + value(b)) % 3,
            Expr::Equal(a, b) => u8::from(value(a) == value(b)),
            Expr::Less(a, b) => u8::from(value(a) < value(b)),
            Expr::And(a, b) => value(a) & value(b),
            Expr::Or(a, b) => value(a) | value(b),
        }
    }

    fn valuation(&self, state: &State<'p>) -> Vec<u8> {
        let mut valuation = Vec::new();
        for (global, cells) in self.program.globals.iter().zip(state.globals.chunks(3)) {
            match global.kind {
                GlobalKind::Bool | GlobalKind::Int => valuation.push(cells[0]),
                GlobalKind::Map => valuation.extend_from_slice(cells),
                GlobalKind::Mutex => valuation.push(u8::from(cells[0] != 0)),
                GlobalKind::Mutexes => valuation.extend(cells.iter().map(|&cell| u8::from(cell != 0))),
            }
        }
        valuation
    }
}

fn push<'p>(state: &mut State<'p>, task: usize, rest: Rest<'p>) {
    Rc::make_mut(&mut state.tasks[task]).frames.last_mut().expect("is live").rest.push(rest);
}

fn set(state: &mut State<'_>, task: usize, var: Var, value: u8) {
    match var {
        Var::Global(global) => state.globals[global * 3] = value,
        Var::Local(local) => {
            Rc::make_mut(&mut state.tasks[task]).frames.last_mut().expect("is live").locals[local] = value;
        }
    }
}
