//! From a seed to a program.
//!
//! A procedure calls and starts only procedures that come after it, or itself with less fuel; loops start no
//! tasks, except those that count to two. So there are few tasks and few frames, and all programs are finite.

mod exprs;
mod stmts;

use crate::ast::{Entry, Expr, Global, GlobalKind, Local, Lock, Proc, Program, Stmt, Type, Var};
use crate::seed::Seed;

/// What kind of program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Threads that are there from the start, with locks and atomic blocks.
    Threads,
    /// Tasks that are started and waited for, and nothing else to synchronize: the programs of the delay-bounding
    /// schedulers.
    Tasks,
    /// Tasks that are waited for, all that were started together at once. A procedure may end with starting more,
    /// but then nobody waits for it. So when a group of waits has been passed, nothing started before still runs.
    Joining,
    /// Tasks, locks and atomic blocks.
    Mixed,
}

/// The program of a seed.
#[must_use]
pub fn program(seed: u64, style: Style) -> Program {
    let salt = match style {
        Style::Threads => 1,
        Style::Tasks => 2,
        Style::Mixed => 3,
        Style::Joining => 4,
    };
    let mut generator = Generator {
        seed: Seed::new(seed.wrapping_mul(8).wrapping_add(salt)),
        style,
        globals: Vec::new(),
        entry: Entry::Main,
        shapes: Vec::new(),
        traits: Vec::new(),
        asserts: 0,
    };
    generator.program()
}

/// What can be said of a procedure before its body is there.
#[derive(Clone, Debug)]
struct Shape {
    params: Vec<Type>,
    result: Option<Type>,
    /// The first parameter is fuel for recursion.
    recursive: bool,
}

/// What its callers must know of a procedure's body, callees included.
#[derive(Clone, Copy, Debug, Default)]
struct Traits {
    loops: bool,
    starts: bool,
    /// It returns although tasks that it started may still run.
    leaves: bool,
}

struct Generator {
    seed: Seed,
    style: Style,
    globals: Vec<Global>,
    entry: Entry,
    shapes: Vec<Shape>,
    traits: Vec<Traits>,
    asserts: u32,
}

/// Where in a procedure the generator is.
#[derive(Clone, Debug)]
struct Scope {
    proc: usize,
    locals: Vec<Local>,
    /// Locals that nobody may assign: parameters and counters.
    fixed: Vec<usize>,
    traits: Traits,
    /// How many statements may still come.
    budget: usize,
    depth: usize,
    in_loop: bool,
    in_atomic: bool,
    /// The locks that the statements before have taken.
    held: Vec<Lock>,
}

impl Generator {
    fn program(&mut self) -> Program {
        let seed = &mut self.seed;
        let (first, others) = match self.style {
            Style::Threads => (seed.between(2, 3), usize::from(seed.percent(35))),
            Style::Tasks | Style::Joining => (1, seed.between(2, 3)),
            Style::Mixed => (1, seed.between(1, 2) + usize::from(seed.percent(20))),
        };
        self.entry = if self.style == Style::Threads { Entry::Threads(first) } else { Entry::Main };
        self.make_globals();
        for proc in 0..first + others {
            let shape = self.shape(proc, first, first + others);
            self.shapes.push(shape);
        }
        let mut procs = Vec::new();
        self.traits = vec![Traits::default(); self.shapes.len()];
        // Callers must know what their callees do.
        for proc in (0..self.shapes.len()).rev() {
            procs.push(self.procedure(proc));
        }
        procs.reverse();
        Program { globals: std::mem::take(&mut self.globals), procs, entry: self.entry }
    }

    fn make_globals(&mut self) {
        let only_tasks = self.only_tasks();
        let seed = &mut self.seed;
        // Threads have nobody to initialise variables for them; sometimes nobody does.
        let arbitrary = self.style == Style::Threads && seed.percent(25);
        for _ in 0..seed.between(1, 3) {
            let kind = if seed.percent(60) { GlobalKind::Int } else { GlobalKind::Bool };
            let bound = if kind == GlobalKind::Int { 3 } else { 2 };
            let value = if seed.percent(70) { 0 } else { u8::try_from(seed.below(bound)).unwrap_or(0) };
            self.globals.push(Global { kind, init: (!arbitrary).then_some(value) });
        }
        if !arbitrary && seed.percent(20) {
            self.globals.push(Global { kind: GlobalKind::Map, init: Some(0) });
        }
        if only_tasks {
            return;
        }
        let (mutexes, array) = (seed.below(3), seed.percent(20));
        for _ in 0..mutexes {
            self.globals.push(Global { kind: GlobalKind::Mutex, init: None });
        }
        if array {
            self.globals.push(Global { kind: GlobalKind::Mutexes, init: None });
        }
    }

    fn shape(&mut self, proc: usize, first: usize, all: usize) -> Shape {
        if proc < first {
            return Shape { params: Vec::new(), result: None, recursive: false };
        }
        let seed = &mut self.seed;
        let recursive = seed.percent(15);
        let mut params = Vec::new();
        if recursive || seed.percent(35) {
            params.push(Type::Int);
        }
        let tasks = matches!(self.style, Style::Tasks | Style::Mixed);
        if tasks && all > first + 1 && seed.percent(20) {
            let other = seed.between(first, all - 1);
            if other != proc {
                params.push(Type::Task(other));
            }
        }
        let result = seed.percent(45).then(|| if seed.percent(70) { Type::Int } else { Type::Bool });
        Shape { params, result, recursive }
    }

    fn procedure(&mut self, proc: usize) -> Proc {
        let shape = self.shapes[proc].clone();
        let mut locals: Vec<Local> = shape.params.iter().map(|&ty| Local { ty }).collect();
        let result = shape.result.map(|ty| {
            locals.push(Local { ty });
            locals.len() - 1
        });
        let seed = &mut self.seed;
        let plain = locals.len();
        for _ in 0..[0, 0, 1, 1, 2][seed.below(5)] {
            locals.push(Local { ty: if seed.percent(60) { Type::Int } else { Type::Bool } });
        }
        let threads = self.entry.threads();
        let budget = match self.style {
            Style::Threads if threads == 2 => seed.between(2, 6),
            Style::Threads => seed.between(2, 4),
            Style::Tasks | Style::Joining if proc == 0 => seed.between(1, 5),
            Style::Mixed if proc == 0 => seed.between(2, 5),
            Style::Tasks | Style::Joining | Style::Mixed => seed.between(1, 3),
        };
        let mut body = Vec::new();
        for local in result.into_iter().chain(plain..locals.len()) {
            // What nobody assigns is arbitrary.
            if seed.percent(75) {
                let value = if locals[local].ty == Type::Int { Expr::Int(0) } else { Expr::Bool(false) };
                body.push(Stmt::Assign(vec![(crate::Place::Var(Var::Local(local)), value)]));
            }
        }
        let mut scope = Scope {
            proc,
            locals,
            fixed: (0..shape.params.len()).collect(),
            traits: Traits::default(),
            budget,
            depth: 0,
            in_loop: false,
            in_atomic: false,
            held: Vec::new(),
        };
        if proc >= threads && self.style != Style::Threads {
            self.assign(&scope, 1, &mut body);
        } else if self.style != Style::Threads {
            // Tasks that start early have somebody to meet.
            for _ in 0..self.seed.between(1, 2) {
                self.start_tasks(&mut scope, &mut body);
            }
        }
        self.block(&mut scope, &mut body);
        if self.style == Style::Joining && self.seed.percent(60) {
            scope.traits.leaves = true;
            for _ in 0..self.seed.between(1, 2) {
                self.start(&mut scope, false, &mut body);
            }
        }
        self.traits[proc] = scope.traits;
        Proc { locals: scope.locals, params: shape.params.len(), result, body }
    }

    /// Whether tasks are all there is to synchronize with.
    fn only_tasks(&self) -> bool {
        matches!(self.style, Style::Tasks | Style::Joining)
    }

    /// Statements until the budget is spent.
    fn block(&mut self, scope: &mut Scope, out: &mut Vec<Stmt>) {
        while scope.budget > 0 {
            scope.budget -= 1;
            self.stmt(scope, out);
        }
    }

    /// A block of its own with at most so many statements, taken from the budget.
    fn inner(&mut self, scope: &mut Scope, most: usize) -> Vec<Stmt> {
        let share = self.seed.between(1, most).min(scope.budget);
        let rest = scope.budget - share;
        scope.budget = share;
        scope.depth += 1;
        let mut body = Vec::new();
        self.block(scope, &mut body);
        scope.depth -= 1;
        scope.budget = rest;
        body
    }
}
