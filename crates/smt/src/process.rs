//! Any SMT-LIB 2 solver, as a child process.
//!
//! Nothing that the process does is trusted: it may fail to start, crash, hang, or say something that is no answer. Then
//! the answer is `Unknown` with the reason, and the next query starts a new process and tells it everything again. The
//! process ends with this value.

mod child;

use std::path::Path;
use std::time::Instant;

use self::child::Child;
use crate::scope::ScopedSet;
use crate::script::{Emitter, check_sat, proxy_name};
use crate::sexpr::{self, Node};
use crate::value::parse_answer;
use crate::{Answer, Error, Limits, Reason, Solver, TermId, TermPool, Value, term_to_string};

/// How to start a solver that reads SMT-LIB 2 from its standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverCommand {
    /// A program: a path, or a name to look for on the search path.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
}

impl SolverCommand {
    /// The command for a solver, given as its name or path, with the arguments that make well-known solvers interactive.
    #[must_use]
    pub fn for_solver(program: &str) -> Self {
        let name = Path::new(program).file_stem().map(|name| name.to_string_lossy().to_lowercase());
        let args: &[&str] = match name.as_deref() {
            Some(name) if name.starts_with("z3") => &["-in", "-smt2"],
            Some(name) if name.starts_with("cvc5") => &["--incremental", "--lang=smt2"],
            Some(name) if name.starts_with("yices") => &["--incremental"],
            Some(name) if name.starts_with("bitwuzla") => &["--lang=smt2"],
            _ => &[],
        };
        SolverCommand { program: program.to_owned(), args: args.iter().map(ToString::to_string).collect() }
    }
}

/// An SMT-LIB 2 solver in a process of its own.
pub struct SmtLib {
    command: SolverCommand,
    limits: Limits,
    asserted: ScopedSet<TermId>,
    child: Option<Child>,
    /// What the process has been told, or will be with the next query.
    emitter: Emitter,
    /// Commands to send with the next query.
    pending: String,
    last: Last,
}

enum Last {
    Nothing,
    Sat(Vec<TermId>),
    Unsat(Vec<TermId>),
}

impl SmtLib {
    /// A solver with nothing asserted and no limits. The process starts with the first query.
    #[must_use]
    pub fn new(command: SolverCommand) -> Self {
        SmtLib {
            command,
            limits: Limits::default(),
            asserted: ScopedSet::default(),
            child: None,
            emitter: Emitter::default(),
            pending: String::new(),
            last: Last::Nothing,
        }
    }

    /// Starts the process, if there is none, and prepares to tell it all that is asserted.
    fn start(&mut self, pool: &TermPool, deadline: Option<Instant>) -> Result<(), Reason> {
        if self.child.is_some() {
            return Ok(());
        }
        let mut child = Child::spawn(&self.command).map_err(Reason::Crashed)?;
        // Some solvers lack some of the options, and say so: what they say here is ignored.
        let options = "(set-option :print-success false)\n(set-option :produce-models true)\n\
                       (set-option :produce-unsat-assumptions true)\n(set-logic ALL)\n";
        child.ask(options, deadline, &self.limits)?;
        self.child = Some(child);
        self.emitter.clear();
        self.pending.clear();
        for (level, terms) in self.asserted.levels().enumerate() {
            if level > 0 {
                self.emitter.push();
                self.pending.push_str("(push 1)\n");
            }
            for term in terms {
                self.emitter.assert(&mut self.pending, pool, *term);
            }
        }
        Ok(())
    }

    /// Sends commands and waits for what the process has to say. A process that fails is ended.
    fn ask(&mut self, text: &str, deadline: Option<Instant>) -> Result<String, Reason> {
        let Some(child) = &mut self.child else {
            return Err(Reason::Crashed("it is not running".to_owned()));
        };
        let answer = child.ask(text, deadline, &self.limits);
        if answer.is_err() {
            self.child = None;
        }
        answer
    }

    fn deadline(&self) -> Option<Instant> {
        self.limits.time.and_then(|time| Instant::now().checked_add(time))
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[TermId]) -> Result<Answer, Reason> {
        let deadline = self.deadline();
        self.start(pool, deadline)?;
        let mut text = std::mem::take(&mut self.pending);
        check_sat(&mut text, &mut self.emitter, pool, assumptions);
        let said = self.ask(&text, deadline)?;
        match said.trim() {
            "sat" => Ok(Answer::Sat),
            "unsat" => Ok(Answer::Unsat),
            "unknown" => {
                let why = self.ask("(get-info :reason-unknown)\n", deadline)?;
                Err(reason_unknown(&why))
            }
            other => {
                // What the process knows is no longer sure.
                self.child = None;
                Err(complaint(other))
            }
        }
    }
}

/// Why a solver says it does not know.
fn reason_unknown(said: &str) -> Reason {
    if said.contains("memout") || said.contains("memory") {
        return Reason::Memory;
    }
    if said.contains("timeout") || said.contains("canceled") {
        return Reason::Timeout;
    }
    let why = sexpr::read(said).ok().and_then(|(arena, top)| {
        match arena.node(*arena.list(*top.first()?)?.get(1)?) {
            Node::Atom(why) | Node::Text(why) => Some(why.clone()),
            Node::List(_) => None,
        }
    });
    Reason::Incomplete(why.unwrap_or_else(|| excerpt(said)))
}

/// Whether last words of a solver are that it has no memory left, whoever limited it.
fn tells_of_memory(said: &str) -> bool {
    ["out of memory", "bad_alloc", "memory exhausted"].iter().any(|sign| said.contains(sign))
}

/// What it means that a solver said something else than an answer.
fn complaint(said: &str) -> Reason {
    if tells_of_memory(said) {
        return Reason::Memory;
    }
    Reason::Garbled(if said.is_empty() { "nothing".to_owned() } else { excerpt(said) })
}

fn excerpt(text: &str) -> String {
    text.trim().chars().take(300).collect()
}

impl Solver for SmtLib {
    fn name(&self) -> String {
        self.command.program.clone()
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn push(&mut self) {
        self.last = Last::Nothing;
        self.asserted.push();
        if self.child.is_some() {
            self.emitter.push();
            self.pending.push_str("(push 1)\n");
        }
    }

    fn pop(&mut self, levels: usize) {
        self.last = Last::Nothing;
        self.asserted.pop(levels);
        if self.child.is_some() && levels > 0 {
            self.emitter.pop(levels);
            self.pending.push_str(&format!("(pop {levels})\n"));
        }
    }

    fn assert(&mut self, pool: &TermPool, term: TermId) {
        pool.expect_closed_formula(term);
        self.last = Last::Nothing;
        if self.asserted.insert(term) && self.child.is_some() {
            self.emitter.assert(&mut self.pending, pool, term);
        }
    }

    fn check_sat(&mut self, pool: &TermPool, assumptions: &[TermId]) -> Result<Answer, Error> {
        assumptions.iter().for_each(|term| pool.expect_closed_formula(*term));
        self.last = Last::Nothing;
        let answer = self.check(pool, assumptions).unwrap_or_else(Answer::Unknown);
        self.last = match &answer {
            Answer::Sat => Last::Sat(assumptions.to_vec()),
            Answer::Unsat => Last::Unsat(assumptions.to_vec()),
            Answer::Unknown(_) => Last::Nothing,
        };
        Ok(answer)
    }

    fn unsat_core(&mut self, _pool: &TermPool) -> Result<Vec<TermId>, Error> {
        let Last::Unsat(assumptions) = &self.last else {
            return Err(Error::NothingToShow("core".to_owned()));
        };
        let assumptions = assumptions.clone();
        if assumptions.is_empty() {
            return Ok(assumptions);
        }
        let said = self.ask("(get-unsat-assumptions)\n", self.deadline()).unwrap_or_default();
        let core = sexpr::read(&said).ok().and_then(|(arena, top)| {
            let [list] = top.as_slice() else { return None };
            let names: Vec<&str> =
                arena.list(*list)?.iter().map(|item| arena.atom(*item)).collect::<Option<_>>()?;
            let known: Vec<String> = assumptions.iter().map(|term| proxy_name(*term)).collect();
            if !names.iter().all(|name| known.iter().any(|known| known == name)) {
                return None;
            }
            let used = assumptions.iter().zip(&known).filter(|(_, known)| names.contains(&known.as_str()));
            Some(used.map(|(term, _)| *term).collect())
        });
        // All assumptions together are a core too, if not a small one.
        Ok(core.unwrap_or(assumptions))
    }

    fn value(&mut self, pool: &TermPool, term: TermId) -> Result<Value, Error> {
        let Last::Sat(assumptions) = &self.last else {
            return Err(Error::NothingToShow("model".to_owned()));
        };
        let assumptions = assumptions.clone();
        let mut declarations = String::new();
        self.emitter.declare_all(&mut declarations, pool, term);
        if !declarations.is_empty() {
            // A declaration ends the model, so it has to be found once more.
            self.pending.push_str(&declarations);
            match self.check_sat(pool, &assumptions)? {
                Answer::Sat => {}
                Answer::Unsat => return Err(Error::NothingToShow("model".to_owned())),
                Answer::Unknown(reason) => return Err(Error::GaveUp(reason)),
            }
        }
        let text = format!("(get-value ({}))\n", term_to_string(pool, term));
        match self.ask(&text, self.deadline()) {
            Ok(said) => parse_answer(pool, pool.sort_of(term), &said),
            Err(reason) => {
                self.last = Last::Nothing;
                Err(Error::GaveUp(reason))
            }
        }
    }
}
