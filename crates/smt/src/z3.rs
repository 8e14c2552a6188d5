//! Z3, linked into this process.
//!
//! All solvers of one thread share the thread's Z3 context, so a `Z3` cannot move to another thread. Terms are
//! translated once: translations belong to the context, not to the solver's stack, so they stay valid over `pop`.

mod translate;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use ::z3::ast::Bool;
use ::z3::{Context, Model, Params, SatResult};
use rustc_hash::{FxHashMap, FxHashSet};

use self::translate::Translator;
use crate::scope::ScopedSet;
use crate::value::parse;
use crate::{Answer, Error, Limits, Reason, Solver, Sort, Term, TermId, TermPool, Value};

/// By how much the clock of Z3 and ours may differ when a query runs out of time.
const CLOCKS: Duration = Duration::from_millis(200);

/// How often a running query looks whether it shall stop.
const POLL: Duration = Duration::from_millis(10);

/// The Z3 solver in this process.
pub struct Z3 {
    solver: ::z3::Solver,
    translator: Translator,
    /// The assumptions that are no literals, for each of which a constant is asserted to imply it.
    proxies: ScopedSet<TermId>,
    limits: Limits,
    /// Whether there was a query already.
    asked: bool,
    last: Last,
}

/// What the last query left behind.
enum Last {
    Nothing,
    /// There is a model; Z3 builds it when it is asked for.
    Sat,
    Model(Model),
    Core(Vec<TermId>),
}

impl Default for Z3 {
    fn default() -> Self {
        Z3::new()
    }
}

impl Z3 {
    /// A solver with nothing asserted and no limits.
    #[must_use]
    pub fn new() -> Self {
        let z3 = Z3 {
            solver: ::z3::Solver::new(),
            translator: Translator::default(),
            proxies: ScopedSet::default(),
            limits: Limits::default(),
            asked: false,
            last: Last::Nothing,
        };
        z3.apply_limits();
        z3
    }

    fn apply_limits(&self) {
        let mut params = Params::new();
        let time = self.limits.time.map_or(u32::MAX, |time| {
            // Zero would mean no limit.
            u32::try_from(time.as_millis()).unwrap_or(u32::MAX).max(1)
        });
        params.set_u32("timeout", time);
        // Zero means no limit.
        params.set_u32("rlimit", self.limits.effort.map_or(0, |effort| effort.max(1)));
        // Formulas say what has to hold for something else; what nobody needs is best taken to be false.
        params.set_u32("smt.phase_selection", 0);
        // Z3 would take over the handling of Ctrl-C.
        params.set_bool("ctrl_c", false);
        self.solver.set_params(&params);
    }

    /// To keep track of which terms matter pays only where quantifiers are to be instantiated, or the axioms of division,
    /// and takes most of the time elsewhere. Z3 cannot change its mind once it has been asked something.
    fn choose_relevancy(&mut self) {
        if !std::mem::replace(&mut self.asked, true) && !self.translator.has_instances() {
            let mut params = Params::new();
            params.set_u32("smt.relevancy", 0);
            self.solver.set_params(&params);
        }
    }

    /// The literal that stands for an assumption.
    fn literal(&mut self, pool: &TermPool, term: TermId) -> Bool {
        pool.expect_closed_formula(term);
        let atom = match pool.term(term) {
            Term::Not(inner) => *inner,
            _ => term,
        };
        let ast = self.translator.bool(pool, term);
        if matches!(pool.term(atom), Term::Apply(_, args) if args.is_empty()) {
            return ast;
        }
        let proxy = Bool::new_const(crate::script::proxy_name(term));
        if self.proxies.insert(term) {
            self.solver.assert(proxy.implies(ast));
        }
        proxy
    }

    fn run(&self, literals: &[Bool]) -> SatResult {
        let _limit = self.limits.memory.map(MemoryLimit::set);
        match &self.limits.cancel {
            None => self.solver.check_assumptions(literals),
            Some(cancel) => {
                interruptible(self.solver.get_context(), cancel, || self.solver.check_assumptions(literals))
            }
        }
    }

    fn reason(&self, started: Instant) -> Reason {
        let why = self.solver.get_reason_unknown().unwrap_or_default();
        let cancelled = self.limits.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed));
        if why.contains("memout") || why.contains("memory") {
            Reason::Memory
        } else if cancelled {
            Reason::Cancelled
        } else if self.limits.effort.is_some() && (why == "canceled" || why.contains("resource limit")) {
            // Memory may have run out as well. Who asks again without this limit finds out.
            Reason::Effort
        } else if why == "timeout" || self.limits.time.is_some_and(|time| started.elapsed() + CLOCKS >= time)
        {
            Reason::Timeout
        } else if why == "canceled" && self.limits.memory.is_some() {
            // Nobody else cancels: this is how some parts of Z3 stop at the limit.
            Reason::Memory
        } else {
            Reason::Incomplete(why)
        }
    }
}

impl Solver for Z3 {
    fn name(&self) -> String {
        "z3 (in-process)".to_owned()
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        self.apply_limits();
    }

    fn push(&mut self) {
        self.last = Last::Nothing;
        self.proxies.push();
        self.solver.push();
    }

    fn pop(&mut self, levels: usize) {
        self.last = Last::Nothing;
        self.proxies.pop(levels);
        self.solver.pop(u32::try_from(levels).unwrap_or(u32::MAX));
    }

    fn assert(&mut self, pool: &TermPool, term: TermId) {
        pool.expect_closed_formula(term);
        self.last = Last::Nothing;
        let ast = self.translator.bool(pool, term);
        self.solver.assert(ast);
    }

    fn check_sat(&mut self, pool: &TermPool, assumptions: &[TermId]) -> Result<Answer, Error> {
        self.last = Last::Nothing;
        if self.limits.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Ok(Answer::Unknown(Reason::Cancelled));
        }
        let started = Instant::now();
        let literals: Vec<Bool> = assumptions.iter().map(|term| self.literal(pool, *term)).collect();
        self.choose_relevancy();
        Ok(match self.run(&literals) {
            SatResult::Sat => {
                self.last = Last::Sat;
                Answer::Sat
            }
            SatResult::Unsat => {
                let by_ast: FxHashMap<&Bool, TermId> =
                    literals.iter().zip(assumptions.iter().copied()).collect();
                let used: FxHashSet<TermId> =
                    self.solver.get_unsat_core().iter().filter_map(|ast| by_ast.get(ast).copied()).collect();
                let core = assumptions.iter().copied().filter(|term| used.contains(term)).collect();
                self.last = Last::Core(core);
                Answer::Unsat
            }
            SatResult::Unknown => Answer::Unknown(self.reason(started)),
        })
    }

    fn unsat_core(&mut self, _pool: &TermPool) -> Result<Vec<TermId>, Error> {
        match &self.last {
            Last::Core(core) => Ok(core.clone()),
            Last::Nothing | Last::Sat | Last::Model(_) => Err(Error::NothingToShow("core".to_owned())),
        }
    }

    fn value(&mut self, pool: &TermPool, term: TermId) -> Result<Value, Error> {
        if matches!(self.last, Last::Sat)
            && let Some(model) = self.solver.get_model()
        {
            self.last = Last::Model(model);
        }
        let Last::Model(model) = &self.last else {
            return Err(Error::NothingToShow("model".to_owned()));
        };
        let ast = self.translator.term(pool, term);
        let sort = pool.sort_of(term);
        // Constants need no evaluation, unless the model leaves them open, or says what an array is by a function.
        let is_array = matches!(pool.sort(sort), Sort::Array(..));
        let known = match pool.term(term) {
            Term::Apply(_, operands) if operands.is_empty() && !is_array => model.get_const_interp(&ast),
            _ => None,
        };
        let value = known
            .or_else(|| model.eval(&ast, true))
            .ok_or_else(|| Error::NoValue(crate::term_to_string(pool, term)))?;
        let quick = match pool.sort(sort) {
            Sort::Bool => value.as_bool().and_then(|value| value.as_bool()).map(Value::Bool),
            Sort::Int => {
                value.as_int().and_then(|value| value.as_i64()).map(|value| Value::Int(value.into()))
            }
            Sort::Bv(width) => {
                value.as_bv().and_then(|value| value.as_u64()).map(|value| Value::Bv(*width, value.into()))
            }
            Sort::Array(..) | Sort::Uninterpreted(_) => None,
        };
        match quick {
            Some(value) => Ok(value),
            None => parse(pool, sort, &value.to_string()),
        }
    }
}

/// The limit on all memory of Z3, while a query that has one runs. Z3 knows only one for the process.
struct MemoryLimit;

impl MemoryLimit {
    fn set(bytes: u64) -> Self {
        ::z3::set_global_param("memory_high_watermark_mb", &(bytes >> 20).max(1).to_string());
        MemoryLimit
    }
}

impl Drop for MemoryLimit {
    fn drop(&mut self) {
        ::z3::set_global_param("memory_high_watermark_mb", "0");
    }
}

/// Runs a query that another thread interrupts once `cancel` is set.
fn interruptible(
    context: &Context,
    cancel: &Arc<AtomicBool>,
    query: impl FnOnce() -> SatResult,
) -> SatResult {
    let (done, wake) = (Mutex::new(false), Condvar::new());
    let handle = context.handle();
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut finished = done.lock().unwrap_or_else(PoisonError::into_inner);
            while !*finished {
                if cancel.load(Ordering::Relaxed) {
                    handle.interrupt();
                }
                finished = wake.wait_timeout(finished, POLL).unwrap_or_else(PoisonError::into_inner).0;
            }
        });
        let result = query();
        *done.lock().unwrap_or_else(PoisonError::into_inner) = true;
        wake.notify_all();
        result
    })
}
