//! A program as text in the Boogie dialect.
//!
//! Boogie has no initial values: `main` assigns them first. Threads that need initial values are started by a `main`
//! that the program does not have otherwise.

use std::fmt::Write;

use crate::ast::{Cond, Entry, Expr, GlobalKind, Lock, Place, Program, Stmt, Type, Var};

/// The text of a program.
#[must_use]
pub fn to_boogie(program: &Program) -> String {
    let mut text = String::new();
    for (at, global) in program.globals.iter().enumerate() {
        let ty = match global.kind {
            GlobalKind::Bool => "bool",
            GlobalKind::Int => "int",
            GlobalKind::Map => "[int]int",
            GlobalKind::Mutex => "mutex",
            GlobalKind::Mutexes => "[int]mutex",
        };
        line(&mut text, 0, &format!("var {}: {ty};", program.global_name(at)));
    }
    let initialised = program.globals.iter().any(|g| g.init.is_some());
    let starter = initialised && matches!(program.entry, Entry::Threads(_));
    for at in 0..program.procs.len() {
        Printer { program, proc: at, text: &mut text }.procedure(starter);
    }
    if starter {
        text.push('\n');
        line(&mut text, 0, "procedure main()");
        modifies(program, &mut text);
        line(&mut text, 0, "{");
        initialise(program, &mut text);
        for thread in 0..program.entry.threads() {
            line(&mut text, 1, &format!("async call {}();", program.proc_name(thread)));
        }
        line(&mut text, 0, "}");
    }
    text
}

fn line(text: &mut String, depth: usize, content: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(text, "{:width$}{content}", "", width = depth * 2);
}

fn modifies(program: &Program, text: &mut String) {
    let names: Vec<String> = (0..program.globals.len()).map(|g| program.global_name(g)).collect();
    if !names.is_empty() {
        line(text, 1, &format!("modifies {};", names.join(", ")));
    }
}

fn initialise(program: &Program, text: &mut String) {
    for (at, global) in program.globals.iter().enumerate() {
        let (Some(value), name) = (global.init, program.global_name(at)) else { continue };
        match global.kind {
            GlobalKind::Bool => line(text, 1, &format!("{name} := {};", value == 1)),
            GlobalKind::Int => line(text, 1, &format!("{name} := {value};")),
            GlobalKind::Map => (0..3).for_each(|cell| line(text, 1, &format!("{name}[{cell}] := {value};"))),
            GlobalKind::Mutex | GlobalKind::Mutexes => {}
        }
    }
}

struct Printer<'a> {
    program: &'a Program,
    proc: usize,
    text: &'a mut String,
}

impl Printer<'_> {
    fn procedure(mut self, started_by_main: bool) {
        let program = self.program;
        let proc = &program.procs[self.proc];
        let is_thread = matches!(program.entry, Entry::Threads(n) if self.proc < n) && !started_by_main;
        let declare = |local: usize| format!("{}: {}", proc.local_name(local), ty(proc.locals[local].ty));
        let params: Vec<String> = (0..proc.params).map(declare).collect();
        let result = proc.result.map_or(String::new(), |r| format!(" returns ({})", declare(r)));
        let thread = if is_thread { "{:thread} " } else { "" };
        self.text.push('\n');
        let name = program.proc_name(self.proc);
        self.line(0, &format!("procedure {thread}{name}({}){result}", params.join(", ")));
        modifies(program, self.text);
        self.line(0, "{");
        for local in (proc.params..proc.locals.len()).filter(|&l| proc.result != Some(l)) {
            self.line(1, &format!("var {};", declare(local)));
        }
        if program.entry == Entry::Main && self.proc == 0 {
            initialise(program, self.text);
        }
        self.block(1, &proc.body);
        self.line(0, "}");
    }

    fn line(&mut self, depth: usize, content: &str) {
        line(self.text, depth, content);
    }

    fn block(&mut self, depth: usize, block: &[Stmt]) {
        for stmt in block {
            self.stmt(depth, stmt);
        }
    }

    fn stmt(&mut self, depth: usize, stmt: &Stmt) {
        let program = self.program;
        let simple = match stmt {
            Stmt::If(cond, then, otherwise) => {
                let head = self.cond("if", cond);
                self.line(depth, &format!("{head} {{"));
                self.block(depth + 1, then);
                if !otherwise.is_empty() {
                    self.line(depth, "} else {");
                    self.block(depth + 1, otherwise);
                }
                return self.line(depth, "}");
            }
            Stmt::While(cond, body) => {
                let head = self.cond("while", cond);
                self.line(depth, &format!("{head} {{"));
                self.block(depth + 1, body);
                return self.line(depth, "}");
            }
            Stmt::Atomic(body) => {
                self.line(depth, "atomic {");
                self.block(depth + 1, body);
                return self.line(depth, "}");
            }
            Stmt::Assign(pairs) => {
                let targets: Vec<String> = pairs.iter().map(|(place, _)| self.place(place)).collect();
                let values: Vec<String> = pairs.iter().map(|(_, value)| self.expr(value)).collect();
                format!("{} := {}", targets.join(", "), values.join(", "))
            }
            Stmt::Havoc(var) => format!("havoc {}", self.var(*var)),
            Stmt::Call { proc, args, result } => {
                let target = result.map_or(String::new(), |var| format!("{} := ", self.var(var)));
                format!("call {target}{}({})", program.proc_name(*proc), self.exprs(args))
            }
            Stmt::Async { proc, args, handle } => {
                let target = handle.map_or(String::new(), |l| format!("{} := ", self.var(Var::Local(l))));
                format!("async call {target}{}({})", program.proc_name(*proc), self.exprs(args))
            }
            Stmt::Wait { handle, result } => {
                let target = result.map_or(String::new(), |var| format!("{} := ", self.var(var)));
                format!("{target}wait {}", self.var(Var::Local(*handle)))
            }
            Stmt::Acquire(lock) => format!("acquire {}", self.lock(lock)),
            Stmt::Release(lock) => format!("release {}", self.lock(lock)),
            Stmt::TryAcquire(var, lock) => format!("{} := tryacquire {}", self.var(*var), self.lock(lock)),
            Stmt::Assume(cond) => format!("assume {}", self.expr(cond)),
            Stmt::Assert(cond, number) => {
                format!("assert {{:msg \"assertion {number}\"}} {}", self.expr(cond))
            }
            Stmt::Yield => "yield".to_owned(),
            Stmt::Progress => "assume {:progress} true".to_owned(),
            Stmt::Return => "return".to_owned(),
        };
        self.line(depth, &format!("{simple};"));
    }

    fn cond(&self, keyword: &str, cond: &Cond) -> String {
        match cond {
            Cond::Any { fair: true } => format!("{keyword} {{:fair}} (*)"),
            Cond::Any { fair: false } => format!("{keyword} (*)"),
            Cond::Holds(cond) => format!("{keyword} ({})", self.expr(cond)),
        }
    }

    fn var(&self, var: Var) -> String {
        match var {
            Var::Global(global) => self.program.global_name(global),
            Var::Local(local) => self.program.procs[self.proc].local_name(local),
        }
    }

    fn place(&self, place: &Place) -> String {
        match place {
            Place::Var(var) => self.var(*var),
            Place::Cell(map, index) => format!("{}[{}]", self.program.global_name(*map), self.expr(index)),
        }
    }

    fn lock(&self, lock: &Lock) -> String {
        let name = self.program.global_name(lock.global);
        match &lock.index {
            Some(index) => format!("{name}[{}]", self.expr(index)),
            None => name,
        }
    }

    fn exprs(&self, exprs: &[Expr]) -> String {
        let parts: Vec<String> = exprs.iter().map(|e| self.expr(e)).collect();
        parts.join(", ")
    }

    fn expr(&self, expr: &Expr) -> String {
        let binary = |a: &Expr, op: &str, b: &Expr| format!("({} {op} {})", self.expr(a), self.expr(b));
        match expr {
            Expr::Bool(value) => value.to_string(),
            Expr::Int(value) => value.to_string(),
            Expr::Read(place) => self.place(place),
            Expr::Not(a) => format!("!{}", self.expr(a)),
            Expr::Add(a, b) => format!("({} mod 3)", binary(a, "+", b)),
            Expr::Equal(a, b) => binary(a, "==", b),
            Expr::Less(a, b) => binary(a, "<", b),
            Expr::And(a, b) => binary(a, "&&", b),
            Expr::Or(a, b) => binary(a, "||", b),
        }
    }
}

fn ty(ty: Type) -> &'static str {
    match ty {
        Type::Bool => "bool",
        Type::Int => "int",
        Type::Task(_) => "task",
    }
}
