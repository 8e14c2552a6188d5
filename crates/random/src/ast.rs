//! The programs: a small structured language with the concurrency of the Boogie dialect.
//!
//! Integers are 0, 1 and 2, and sums are taken modulo 3, so that all data is finite. A simple statement is one
//! step, and so is the evaluation of a condition, and so is an atomic block.

/// A program. Names follow from positions, so that removing something renames the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Global variables and locks.
    pub globals: Vec<Global>,
    /// Procedures. Those that run from the start come first.
    pub procs: Vec<Proc>,
    /// What runs from the start.
    pub entry: Entry,
}

/// What runs from the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// The first procedure.
    Main,
    /// As many procedures, each as a thread.
    Threads(usize),
}

impl Entry {
    /// How many threads run from the start.
    #[must_use]
    pub fn threads(self) -> usize {
        match self {
            Entry::Main => 1,
            Entry::Threads(count) => count,
        }
    }
}

/// A global.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// What it is.
    pub kind: GlobalKind,
    /// The initial value of a variable, or of each cell of a map; without one it is arbitrary. Locks start free.
    pub init: Option<u8>,
}

/// What a global is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlobalKind {
    /// A truth value, 0 or 1.
    Bool,
    /// An integer.
    Int,
    /// A map from integers to integers; indices are 0, 1 and 2.
    Map,
    /// A lock.
    Mutex,
    /// A map from integers to locks.
    Mutexes,
}

/// The type of a local, or of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// A truth value.
    Bool,
    /// An integer.
    Int,
    /// The handle of a task that runs the given procedure, or nil.
    Task(usize),
}

impl Type {
    /// How many values a variable of the type can start with: a handle starts as nil.
    #[must_use]
    pub fn values(self) -> u8 {
        match self {
            Type::Bool => 2,
            Type::Int => 3,
            Type::Task(_) => 1,
        }
    }
}

/// A local variable. It starts arbitrary, unless it is a parameter or a handle, which starts as nil.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// Its type.
    pub ty: Type,
}

/// A procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proc {
    /// All locals: the parameters first.
    pub locals: Vec<Local>,
    /// How many of them are parameters.
    pub params: usize,
    /// The local that is the result, if there is one.
    pub result: Option<usize>,
    /// What it does.
    pub body: Vec<Stmt>,
}

/// A variable that holds plain data or a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Var {
    /// A global that is no map and no lock.
    Global(usize),
    /// A local.
    Local(usize),
}

/// What can be assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A variable.
    Var(Var),
    /// A cell of a global map.
    Cell(usize, Expr),
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(u8),
    /// What a place holds.
    Read(Box<Place>),
    /// Negation.
    Not(Box<Expr>),
    /// The sum modulo 3.
    Add(Box<Expr>, Box<Expr>),
    /// Equality of integers or of truth values.
    Equal(Box<Expr>, Box<Expr>),
    /// Comparison of integers.
    Less(Box<Expr>, Box<Expr>),
    /// Conjunction.
    And(Box<Expr>, Box<Expr>),
    /// Disjunction.
    Or(Box<Expr>, Box<Expr>),
}

impl Expr {
    /// The value of a variable.
    #[must_use]
    pub fn var(var: Var) -> Expr {
        Expr::Read(Box::new(Place::Var(var)))
    }
}

/// A lock: a mutex, or one of a map of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lock {
    /// The global.
    pub global: usize,
    /// Which of the map.
    pub index: Option<Expr>,
}

/// What decides a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cond {
    /// A choice; a fair one enters a branch, or leaves a loop, if it is made again and again.
    Any {
        /// Whether it is fair.
        fair: bool,
    },
    /// A condition.
    Holds(Expr),
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stmt {
    /// Assigns all places at once.
    Assign(Vec<(Place, Expr)>),
    /// Gives a variable an arbitrary value.
    Havoc(Var),
    /// Branches.
    If(Cond, Vec<Stmt>, Vec<Stmt>),
    /// Loops.
    While(Cond, Vec<Stmt>),
    /// Calls a procedure.
    Call {
        /// The procedure.
        proc: usize,
        /// One per parameter.
        args: Vec<Expr>,
        /// Where its result goes, if it has one.
        result: Option<Var>,
    },
    /// Starts a task.
    Async {
        /// The procedure.
        proc: usize,
        /// One per parameter.
        args: Vec<Expr>,
        /// The local where the handle goes.
        handle: Option<usize>,
    },
    /// Waits for a task.
    Wait {
        /// The local with the handle.
        handle: usize,
        /// Where the task's result goes, if it has one and anybody wants it.
        result: Option<Var>,
    },
    /// Takes a lock.
    Acquire(Lock),
    /// Gives a lock back.
    Release(Lock),
    /// Takes a lock if it is free, and says whether.
    TryAcquire(Var, Lock),
    /// One step; the assumes inside guard it.
    Atomic(Vec<Stmt>),
    /// Filters runs.
    Assume(Expr),
    /// Must hold. The number tells assertions apart.
    Assert(Expr, u32),
    /// Hints at a switch.
    Yield,
    /// Marks progress.
    Progress,
    /// Leaves the procedure.
    Return,
}

impl Program {
    /// The name of a global.
    #[must_use]
    pub fn global_name(&self, global: usize) -> String {
        let prefix = match self.globals[global].kind {
            GlobalKind::Bool => "b",
            GlobalKind::Int => "x",
            GlobalKind::Map => "a",
            GlobalKind::Mutex => "m",
            GlobalKind::Mutexes => "ms",
        };
        format!("{prefix}{global}")
    }

    /// The name of a procedure.
    #[must_use]
    pub fn proc_name(&self, proc: usize) -> String {
        match self.entry {
            Entry::Main if proc == 0 => "main".to_owned(),
            Entry::Threads(threads) if proc < threads => format!("T{proc}"),
            _ => format!("P{proc}"),
        }
    }

    /// The type of a variable of a procedure.
    #[must_use]
    pub fn var_type(&self, proc: usize, var: Var) -> Type {
        match var {
            Var::Local(local) => self.procs[proc].locals[local].ty,
            Var::Global(global) if self.globals[global].kind == GlobalKind::Bool => Type::Bool,
            Var::Global(_) => Type::Int,
        }
    }
}

impl Proc {
    /// The name of a local.
    #[must_use]
    pub fn local_name(&self, local: usize) -> String {
        let prefix = match self.locals[local].ty {
            _ if self.result == Some(local) => "r",
            _ if local < self.params => "p",
            Type::Task(_) => "t",
            Type::Bool | Type::Int => "v",
        };
        format!("{prefix}{local}")
    }
}

impl Stmt {
    /// The blocks inside.
    #[must_use]
    pub fn blocks(&self) -> Vec<&Vec<Stmt>> {
        match self {
            Stmt::If(_, then, otherwise) => vec![then, otherwise],
            Stmt::While(_, body) | Stmt::Atomic(body) => vec![body],
            _ => Vec::new(),
        }
    }

    /// The blocks inside.
    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Stmt::If(_, then, otherwise) => vec![then, otherwise],
            Stmt::While(_, body) | Stmt::Atomic(body) => vec![body],
            _ => Vec::new(),
        }
    }

    /// The statement and all statements inside it.
    pub fn for_each(&self, visit: &mut dyn FnMut(&Stmt)) {
        visit(self);
        for stmt in self.blocks().into_iter().flatten() {
            stmt.for_each(visit);
        }
    }

    /// The expressions of the statement itself, not of those inside it.
    pub fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        fn index(place: &mut Place) -> Option<&mut Expr> {
            match place {
                Place::Cell(_, index) => Some(index),
                Place::Var(_) => None,
            }
        }
        match self {
            Stmt::Assign(pairs) => {
                pairs.iter_mut().flat_map(|(place, value)| index(place).into_iter().chain([value])).collect()
            }
            Stmt::If(Cond::Holds(cond), ..)
            | Stmt::While(Cond::Holds(cond), _)
            | Stmt::Assume(cond)
            | Stmt::Assert(cond, _) => vec![cond],
            Stmt::Call { args, .. } | Stmt::Async { args, .. } => args.iter_mut().collect(),
            Stmt::Acquire(lock) | Stmt::Release(lock) | Stmt::TryAcquire(_, lock) => {
                lock.index.iter_mut().collect()
            }
            Stmt::If(..)
            | Stmt::While(..)
            | Stmt::Havoc(_)
            | Stmt::Wait { .. }
            | Stmt::Atomic(_)
            | Stmt::Yield
            | Stmt::Progress
            | Stmt::Return => Vec::new(),
        }
    }

    /// Calls `visit` with each variable of the statement itself, not of those inside it; a map or lock is a
    /// global variable here.
    pub fn vars_mut(&mut self, visit: &mut dyn FnMut(&mut Var)) {
        let mut global = |at: &mut usize| {
            let mut var = Var::Global(*at);
            visit(&mut var);
            if let Var::Global(new) = var {
                *at = new;
            }
        };
        match self {
            Stmt::Acquire(lock) | Stmt::Release(lock) | Stmt::TryAcquire(_, lock) => global(&mut lock.global),
            Stmt::Assign(pairs) => {
                for (place, _) in pairs.iter_mut() {
                    if let Place::Cell(map, _) = place {
                        global(map);
                    }
                }
            }
            _ => {}
        }
        let local = |at: &mut usize, visit: &mut dyn FnMut(&mut Var)| {
            let mut var = Var::Local(*at);
            visit(&mut var);
            if let Var::Local(new) = var {
                *at = new;
            }
        };
        match self {
            Stmt::Assign(pairs) => {
                for (place, _) in pairs.iter_mut() {
                    if let Place::Var(var) = place {
                        visit(var);
                    }
                }
            }
            Stmt::Havoc(var) | Stmt::TryAcquire(var, _) => visit(var),
            Stmt::Call { result, .. } => result.iter_mut().for_each(&mut *visit),
            Stmt::Async { handle, .. } => handle.iter_mut().for_each(|at| local(at, visit)),
            Stmt::Wait { handle, result } => {
                local(handle, visit);
                result.iter_mut().for_each(&mut *visit);
            }
            _ => {}
        }
        for expr in self.exprs_mut() {
            expr.vars_mut(visit);
        }
    }
}

impl Expr {
    /// Calls `visit` with each variable; a map is a global variable here.
    pub fn vars_mut(&mut self, visit: &mut dyn FnMut(&mut Var)) {
        match self {
            Expr::Bool(_) | Expr::Int(_) => {}
            Expr::Read(place) => match &mut **place {
                Place::Var(var) => visit(var),
                Place::Cell(map, index) => {
                    let mut var = Var::Global(*map);
                    visit(&mut var);
                    if let Var::Global(new) = var {
                        *map = new;
                    }
                    index.vars_mut(visit);
                }
            },
            Expr::Not(a) => a.vars_mut(visit),
            Expr::Add(a, b) | Expr::Equal(a, b) | Expr::Less(a, b) | Expr::And(a, b) | Expr::Or(a, b) => {
                a.vars_mut(visit);
                b.vars_mut(visit);
            }
        }
    }
}
