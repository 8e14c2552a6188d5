//! Statements of a scope.

use super::{Generator, Scope, Style};
use crate::ast::{Cond, Expr, GlobalKind, Local, Lock, Place, Stmt, Type, Var};

#[derive(Clone, Copy)]
enum Kind {
    Assign,
    Parallel,
    Havoc,
    If,
    While,
    Count,
    Call,
    Recurse,
    Async,
    Wait,
    Locked,
    Acquire,
    Release,
    TryAcquire,
    Atomic,
    Assume,
    Assert,
    Yield,
    Progress,
    Return,
}

impl Generator {
    pub(super) fn stmt(&mut self, scope: &mut Scope, out: &mut Vec<Stmt>) {
        let when = |condition: bool, weight: usize| if condition { weight } else { 0 };
        let locks = !self.locks().is_empty();
        let tasks = self.style != Style::Threads;
        let loose = !scope.in_atomic;
        let may_start = tasks && !scope.in_loop && (loose || self.style == Style::Mixed);
        let handles = scope.locals.iter().any(|l| matches!(l.ty, Type::Task(_)));
        let nest = scope.budget > 0 && scope.depth < 3;
        let only_tasks = self.only_tasks();
        let joining = self.style == Style::Joining;
        let kinds = [
            (30, Kind::Assign),
            (5, Kind::Parallel),
            (5, Kind::Havoc),
            (when(nest, 12), Kind::If),
            (when(loose && nest && scope.depth < 2, 9), Kind::While),
            (when(loose && nest && !scope.in_loop, 4), Kind::Count),
            (8, Kind::Call),
            (when(self.shapes[scope.proc].recursive && !scope.in_loop, 12), Kind::Recurse),
            (when(may_start, if loose { 35 } else { 3 }), Kind::Async),
            (when(tasks && handles && !joining, if loose { 25 } else { 5 }), Kind::Wait),
            (when(locks && nest, 25), Kind::Locked),
            (when(locks, 3), Kind::Acquire),
            (when(locks, 2), Kind::Release),
            (when(locks && nest, 6), Kind::TryAcquire),
            (when(loose && nest && !only_tasks, 16), Kind::Atomic),
            (if loose { 3 } else { 20 }, Kind::Assume),
            (when(!only_tasks, 8), Kind::Assert),
            (2, Kind::Yield),
            (if scope.in_loop { 4 } else { 1 }, Kind::Progress),
            (when(loose && scope.depth > 0 && !joining, 2), Kind::Return),
        ];
        let Some(kind) = self.seed.weighted(&kinds) else { return };
        match kind {
            Kind::Assign => self.assign(scope, 1, out),
            Kind::Parallel => self.assign(scope, 2, out),
            Kind::Havoc => {
                let ty = if self.seed.percent(80) { Type::Bool } else { Type::Int };
                if let Some(&var) = self.seed.pick(&self.targets(scope, ty)) {
                    out.push(Stmt::Havoc(var));
                }
            }
            Kind::If => self.branch(scope, out),
            Kind::While => self.repeat(scope, out),
            Kind::Count => self.count(scope, out),
            Kind::Call => self.call(scope, out),
            Kind::Recurse => self.recurse(scope, out),
            Kind::Async => self.start_tasks(scope, out),
            Kind::Wait => self.wait(scope, out),
            Kind::Locked => self.locked(scope, out),
            Kind::Acquire => {
                let lock = self.lock(scope);
                out.push(Stmt::Acquire(lock));
            }
            Kind::Release => {
                let lock = scope.held.pop().unwrap_or_else(|| self.lock(scope));
                out.push(Stmt::Release(lock));
            }
            Kind::TryAcquire => self.try_acquire(scope, out),
            Kind::Atomic => self.atomic(scope, out),
            Kind::Assume => out.push(Stmt::Assume(self.bool_expr(scope, 1))),
            Kind::Assert => {
                self.asserts += 1;
                let cond = self.likely(scope);
                out.push(Stmt::Assert(cond, self.asserts));
            }
            Kind::Yield => out.push(Stmt::Yield),
            Kind::Progress => out.push(Stmt::Progress),
            Kind::Return => {
                let cond = Cond::Holds(self.bool_expr(scope, 1));
                out.push(Stmt::If(cond, vec![Stmt::Return], Vec::new()));
            }
        }
    }

    /// A condition that holds more often than not.
    fn likely(&mut self, scope: &Scope) -> Expr {
        let (a, b) = (self.bool_expr(scope, 1), self.bool_expr(scope, 0));
        Expr::Or(Box::new(a), Box::new(b))
    }

    pub(super) fn assign(&mut self, scope: &Scope, count: usize, out: &mut Vec<Stmt>) {
        let mut pairs: Vec<(Place, Expr)> = Vec::new();
        for _ in 0..count {
            let maps = self.maps();
            if !maps.is_empty() && self.seed.percent(25) {
                let map = self.seed.pick(&maps).copied().unwrap_or(0);
                // Two cells may be one.
                if !pairs.iter().any(|(place, _)| matches!(place, Place::Cell(..))) {
                    let (index, value) = (self.int_expr(scope, 1), self.int_expr(scope, 1));
                    pairs.push((Place::Cell(map, index), value));
                }
                continue;
            }
            let ty = if self.seed.percent(65) { Type::Int } else { Type::Bool };
            let mut targets = self.targets(scope, ty);
            let shared: Vec<Var> = targets.iter().copied().filter(|v| matches!(v, Var::Global(_))).collect();
            targets.extend(shared.iter().chain(&shared));
            if let Some(&var) = self.seed.pick(&targets)
                && !pairs.iter().any(|(place, _)| *place == Place::Var(var))
            {
                let value = self.expr(scope, ty, 1);
                let value = match var {
                    // The order of such assignments shows.
                    Var::Global(_) if ty == Type::Int && self.seed.percent(35) => {
                        let twice = Expr::Add(Box::new(Expr::var(var)), Box::new(Expr::var(var)));
                        let more = u8::try_from(self.seed.below(3)).unwrap_or(0);
                        Expr::Add(Box::new(twice), Box::new(Expr::Int(more)))
                    }
                    _ if value == Expr::var(var) => self.changed(scope, ty, value),
                    _ => value,
                };
                pairs.push((Place::Var(var), value));
            }
        }
        if !pairs.is_empty() {
            out.push(Stmt::Assign(pairs));
        }
    }

    /// Another value than this one.
    fn changed(&mut self, scope: &Scope, ty: Type, value: Expr) -> Expr {
        if ty == Type::Bool {
            return Expr::Not(Box::new(value));
        }
        let more = match self.int_expr(scope, 0) {
            Expr::Int(0) => Expr::Int(1),
            more => more,
        };
        Expr::Add(Box::new(value), Box::new(more))
    }

    fn cond(&mut self, scope: &Scope, any: usize) -> Cond {
        if self.seed.percent(any) {
            Cond::Any { fair: self.seed.percent(40) }
        } else {
            Cond::Holds(self.bool_expr(scope, 1))
        }
    }

    fn branch(&mut self, scope: &mut Scope, out: &mut Vec<Stmt>) {
        let cond = self.cond(scope, 25);
        let held = scope.held.clone();
        let then = self.inner(scope, 2);
        scope.held.clone_from(&held);
        let otherwise =
            if scope.budget > 0 && self.seed.percent(35) { self.inner(scope, 2) } else { Vec::new() };
        scope.held = held;
        out.push(Stmt::If(cond, then, otherwise));
    }

    fn repeat(&mut self, scope: &mut Scope, out: &mut Vec<Stmt>) {
        let cond = self.cond(scope, 25);
        scope.traits.loops = true;
        let was = std::mem::replace(&mut scope.in_loop, true);
        let body = if self.seed.percent(25) { Vec::new() } else { self.inner(scope, 2) };
        scope.in_loop = was;
        out.push(Stmt::While(cond, body));
    }

    /// A loop that counts to one or two, and so may start tasks.
    fn count(&mut self, scope: &mut Scope, out: &mut Vec<Stmt>) {
        scope.locals.push(Local { ty: Type::Int });
        let counter = Var::Local(scope.locals.len() - 1);
        scope.fixed.push(scope.locals.len() - 1);
        scope.traits.loops = true;
        let mut body = self.inner(scope, 2);
        let add = |n| Expr::Add(Box::new(Expr::var(counter)), Box::new(Expr::Int(n)));
        body.push(Stmt::Assign(vec![(Place::Var(counter), add(1))]));
        let times = u8::try_from(self.seed.between(1, 2)).unwrap_or(1);
        let cond = Expr::Less(Box::new(Expr::var(counter)), Box::new(Expr::Int(times)));
        out.push(Stmt::Assign(vec![(Place::Var(counter), Expr::Int(0))]));
        out.push(Stmt::While(Cond::Holds(cond), body));
    }

    /// The procedures that may be called or started here.
    fn callees(&self, scope: &Scope, start: bool, keep: bool) -> Vec<usize> {
        let first = self.entry.threads().max(scope.proc + 1);
        let fits = |&proc: &usize| {
            let traits = self.traits[proc];
            let loops_on = scope.in_loop && traits.starts;
            let too_much = scope.in_atomic && (traits.loops || traits.starts);
            let leaves = self.style == Style::Joining && keep && traits.leaves;
            !leaves && (start || !(loops_on || too_much))
        };
        (first..self.shapes.len()).filter(fits).collect()
    }

    /// Arguments for a procedure, if there are handles for all of its parameters that need one.
    fn args(&mut self, scope: &Scope, proc: usize) -> Option<Vec<Expr>> {
        let params = self.shapes[proc].params.clone();
        let mut args = Vec::new();
        for ty in params {
            args.push(match ty {
                Type::Task(_) => {
                    let vars: Vec<usize> =
                        (0..scope.locals.len()).filter(|&l| scope.locals[l].ty == ty).collect();
                    Expr::var(Var::Local(*self.seed.pick(&vars)?))
                }
                Type::Bool | Type::Int => self.expr(scope, ty, 1),
            });
        }
        Some(args)
    }

    fn result(&mut self, scope: &Scope, proc: usize) -> Option<Var> {
        let ty = self.shapes[proc].result?;
        if self.seed.percent(70) { self.seed.pick(&self.targets(scope, ty)).copied() } else { None }
    }

    /// A call takes the result, if there is one.
    fn taken_result(&mut self, scope: &mut Scope, proc: usize) -> Option<Var> {
        let ty = self.shapes[proc].result?;
        let known = self.seed.pick(&self.targets(scope, ty)).copied();
        Some(known.unwrap_or_else(|| {
            scope.locals.push(Local { ty });
            Var::Local(scope.locals.len() - 1)
        }))
    }

    fn call(&mut self, scope: &mut Scope, out: &mut Vec<Stmt>) {
        let callees = self.callees(scope, false, true);
        let Some(&proc) = self.seed.pick(&callees) else { return };
        let Some(args) = self.args(scope, proc) else { return };
        let result = self.taken_result(scope, proc);
        scope.traits.loops |= self.traits[proc].loops;
        scope.traits.starts |= self.traits[proc].starts;
        scope.traits.leaves |= self.traits[proc].leaves;
        out.push(Stmt::Call { proc, args, result });
    }

    /// Calls or starts the same procedure with less fuel.
    fn recurse(&mut self, scope: &mut Scope, out: &mut Vec<Stmt>) {
        let Some(mut args) = self.args(scope, scope.proc) else { return };
        let fuel = Expr::var(Var::Local(0));
        args[0] = Expr::Add(Box::new(fuel.clone()), Box::new(Expr::Int(2)));
        let may_start = matches!(self.style, Style::Tasks | Style::Mixed);
        let start = may_start && !scope.in_atomic && self.seed.percent(25);
        let stmt = if start {
            scope.traits.starts = true;
            Stmt::Async { proc: scope.proc, args, handle: None }
        } else {
            let result = self.taken_result(scope, scope.proc);
            Stmt::Call { proc: scope.proc, args, result }
        };
        let cond = Expr::Less(Box::new(Expr::Int(0)), Box::new(fuel));
        out.push(Stmt::If(Cond::Holds(cond), vec![stmt], Vec::new()));
    }

    /// Starts a task, or tasks that are waited for soon.
    pub(super) fn start_tasks(&mut self, scope: &mut Scope, out: &mut Vec<Stmt>) {
        if self.style != Style::Joining {
            return self.start(scope, true, out);
        }
        let first = out.len();
        for _ in 0..self.seed.between(1, 3) {
            self.start(scope, true, out);
            if self.seed.percent(40) {
                self.assign(scope, 1, out);
            }
        }
        let started = out[first..].iter().filter_map(|stmt| match stmt {
            Stmt::Async { handle, .. } => *handle,
            _ => None,
        });
        let mut handles: Vec<usize> = started.collect();
        while !handles.is_empty() {
            let handle = handles.swap_remove(self.seed.below(handles.len()));
            let Type::Task(proc) = scope.locals[handle].ty else { continue };
            // A result in a global could be seen before the last of the waits.
            let result = self.result(scope, proc).filter(|var| matches!(var, Var::Local(_)));
            out.push(Stmt::Wait { handle, result });
        }
    }

    pub(super) fn start(&mut self, scope: &mut Scope, keep: bool, out: &mut Vec<Stmt>) {
        let callees = self.callees(scope, true, keep);
        let Some(&proc) = self.seed.pick(&callees) else { return };
        let Some(args) = self.args(scope, proc) else { return };
        scope.traits.starts = true;
        let known: Vec<usize> = (self.shapes[scope.proc].params.len()..scope.locals.len())
            .filter(|&l| scope.locals[l].ty == Type::Task(proc))
            .collect();
        let handle = match self.seed.pick(&known) {
            _ if !keep || (self.seed.percent(25) && self.style != Style::Joining) => None,
            Some(&local) if self.seed.percent(30) && self.style != Style::Joining => Some(local),
            _ => {
                scope.locals.push(Local { ty: Type::Task(proc) });
                Some(scope.locals.len() - 1)
            }
        };
        out.push(Stmt::Async { proc, args, handle });
    }

    fn wait(&mut self, scope: &Scope, out: &mut Vec<Stmt>) {
        let handles: Vec<(usize, usize)> = (0..scope.locals.len())
            .filter_map(|l| match scope.locals[l].ty {
                Type::Task(proc) => Some((l, proc)),
                Type::Bool | Type::Int => None,
            })
            .collect();
        if let Some(&(handle, proc)) = self.seed.pick(&handles) {
            let result = self.result(scope, proc);
            out.push(Stmt::Wait { handle, result });
        }
    }

    pub(super) fn locks(&self) -> Vec<usize> {
        let is_lock = |&g: &usize| matches!(self.globals[g].kind, GlobalKind::Mutex | GlobalKind::Mutexes);
        (0..self.globals.len()).filter(is_lock).collect()
    }

    fn lock(&mut self, scope: &Scope) -> Lock {
        let locks = self.locks();
        let global = self.seed.pick(&locks).copied().unwrap_or(0);
        let index = (self.globals[global].kind == GlobalKind::Mutexes).then(|| {
            // Mostly constants: a lock whose index changes meanwhile is not the one to give back.
            if self.seed.percent(75) {
                Expr::Int(u8::try_from(self.seed.below(2)).unwrap_or(0))
            } else {
                self.int_expr(scope, 0)
            }
        });
        Lock { global, index }
    }

    /// Statements under a lock, sometimes badly nested.
    fn locked(&mut self, scope: &mut Scope, out: &mut Vec<Stmt>) {
        let lock = self.lock(scope);
        // What is held already would block for ever, which is interesting now and then only.
        if scope.held.contains(&lock) && self.seed.percent(90) {
            return;
        }
        out.push(Stmt::Acquire(lock.clone()));
        scope.held.push(lock.clone());
        let body = self.inner(scope, 3);
        out.extend(body);
        scope.held.retain(|held| *held != lock);
        match self.seed.below(20) {
            0 => {}
            1 => {
                let other = self.lock(scope);
                out.push(Stmt::Release(other));
            }
            _ => out.push(Stmt::Release(lock)),
        }
    }

    fn try_acquire(&mut self, scope: &mut Scope, out: &mut Vec<Stmt>) {
        let Some(&taken) = self.seed.pick(&self.targets(scope, Type::Bool)) else { return };
        let lock = self.lock(scope);
        out.push(Stmt::TryAcquire(taken, lock.clone()));
        let mut then = self.inner(scope, 2);
        then.push(Stmt::Release(lock));
        out.push(Stmt::If(Cond::Holds(Expr::var(taken)), then, Vec::new()));
    }

    fn atomic(&mut self, scope: &mut Scope, out: &mut Vec<Stmt>) {
        let mut body = Vec::new();
        scope.in_atomic = true;
        if self.seed.percent(45) {
            body.push(Stmt::Assume(self.bool_expr(scope, 1)));
        }
        body.extend(self.inner(scope, 3));
        scope.in_atomic = false;
        out.push(Stmt::Atomic(body));
    }
}
