//! The formula of all feasible prefixes of the linearizations of a concurrent trace program (sections 4 and 5 of the paper).
//!
//! Each event has a truth value, whether it is *in* the prefix, and each pair of events one for its order ([`crate::order`]). The events of a thread
//! that are in the prefix are its first ones. An event is in only if its guard holds, and if all that its thread decided
//! before came out as in the run. This is the paper's formula for erroneous prefixes, in a form that does not depend
//! on which violation is looked for: all questions share it, and each adds a few literals.
//!
//! Constraints are made on demand: a use of a shared variable gets its pi-function when a formula mentions it. What influences
//! no guard, no decision and no question never enters the solver. That is the slicing.

use engine::Reason;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Answer, Limits, Solver, TermId, TermPool};

use crate::ctp::{Blocking, Ctp, Ev, Event, Free};
use crate::cycle::Graph;
use crate::execute::{Executor, Stuck};
use crate::lock_section::{self, Section};
use crate::order::Order;
use crate::pins::Pins;

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Undecided {
    /// The watch says to stop.
    Stopped,
    /// It would be more work than the question may be.
    Effort,
    /// The solver could not tell.
    Solver(String),
}

impl Undecided {
    pub(crate) fn reason(&self) -> Reason {
        match self {
            Undecided::Stopped => Reason::Exhausted(engine::Exhausted::Cancelled),
            Undecided::Effort => Reason::Solver(smt::Reason::Effort.to_string()),
            Undecided::Solver(why) => Reason::Solver(why.clone()),
        }
    }
}

/// An order of events that the solver found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    /// The events of the prefix, in order.
    pub(crate) order: Vec<Ev>,
    /// What was chosen that may be chosen: by event, the thread that a signal wakes, or whether a wait is late.
    pub(crate) chosen: FxHashMap<Ev, i64>,
}

pub(crate) struct Encoding<'e, 'p, 'a> {
    pub(crate) ctp: &'e Ctp,
    pub(crate) executor: &'e mut Executor<'p, 'a>,
    pub(crate) solver: &'e mut dyn Solver,
    /// Asked before each question: what it may use, or nothing to stop.
    pub(crate) watch: &'e mut dyn FnMut() -> Option<Limits>,
    pub(crate) order: Order,
    /// Makes the names of this window's constants different from others.
    pub(crate) prefix: String,
    pub(crate) inside: Vec<TermId>,
    /// Whether the values that an event reads have to be right: it is in the prefix, or the next of its thread.
    pub(crate) live: Vec<TermId>,
    /// The events that are looked at as the next of their thread, with the literals that say so.
    pub(crate) standing: FxHashMap<Ev, TermId>,
    /// The uses that have their pi-functions, by event.
    pub(crate) defined: FxHashMap<Ev, Vec<usize>>,
    pub(crate) demanded: FxHashSet<usize>,
    /// The definitions of each global, by thread.
    pub(crate) definitions: FxHashMap<ir::GlobalId, Vec<Vec<(Ev, usize)>>>,
    pub(crate) sections: Vec<Section>,
    pub(crate) queries: u64,
    /// How much work a question may be, if that is limited.
    pub(crate) effort: Option<u32>,
    pub(crate) pending: Vec<TermId>,
    seen_terms: FxHashSet<TermId>,
    /// Whether the watch said to stop while formulas were made: they are not complete then.
    stopped: bool,
}

impl<'e, 'p, 'a> Encoding<'e, 'p, 'a> {
    /// Asserts what all questions have in common.
    pub(crate) fn new(
        ctp: &'e Ctp,
        executor: &'e mut Executor<'p, 'a>,
        solver: &'e mut dyn Solver,
        watch: &'e mut dyn FnMut() -> Option<Limits>,
        prefix: String,
    ) -> Self {
        let count = ctp.events.len();
        let pool = &mut executor.translator.pool;
        let inside: Vec<TermId> =
            (0..count).map(|event| pool.constant(&format!("{prefix}in{event}"), smt::SortId::BOOL)).collect();
        let mut definitions: FxHashMap<ir::GlobalId, Vec<Vec<(Ev, usize)>>> = FxHashMap::default();
        for (event, of) in ctp.events.iter().enumerate() {
            for (at, definition) in of.definitions.iter().enumerate() {
                let by_thread = definitions
                    .entry(definition.global)
                    .or_insert_with(|| vec![Vec::new(); ctp.threads.len()]);
                by_thread[of.thread].push((event, at));
            }
        }
        let sections = lock_section::sections(ctp, executor.subject.owners);
        let mut encoding = Encoding {
            ctp,
            executor,
            solver,
            watch,
            order: Order::new(ctp),
            prefix,
            live: inside.clone(),
            inside,
            standing: FxHashMap::default(),
            defined: FxHashMap::default(),
            demanded: FxHashSet::default(),
            definitions,
            sections,
            queries: 0,
            effort: None,
            pending: Vec::new(),
            seen_terms: FxHashSet::default(),
            stopped: false,
        };
        encoding.program_order();
        encoding.guards();
        encoding.mutual_exclusion();
        encoding
    }

    pub(crate) fn pool(&mut self) -> &mut TermPool {
        &mut self.executor.translator.pool
    }

    /// Asserts a formula, and the pi-functions of all uses in it.
    pub(crate) fn assert(&mut self, formula: TermId) {
        if self.pool().as_bool(formula) == Some(true) {
            return;
        }
        self.demand(formula);
        self.solver.assert(&self.executor.translator.pool, formula);
    }

    /// Sees to it that all uses in a formula have their pi-functions.
    pub(crate) fn demand(&mut self, formula: TermId) {
        self.pending.push(formula);
        while let Some(next) = self.pending.pop() {
            self.look_for_uses(next);
        }
    }

    fn look_for_uses(&mut self, root: TermId) {
        let mut work = vec![root];
        let mut found = Vec::new();
        while let Some(term) = work.pop() {
            if !self.seen_terms.insert(term) {
                continue;
            }
            if let Some(&of) = self.executor.use_terms.get(&term) {
                found.push(of);
            }
            self.executor.translator.pool.term(term).for_each_operand(|operand| work.push(operand));
        }
        for of in found {
            // Many definitions make large formulas.
            self.stopped = self.stopped || (self.watch)().is_none();
            if !self.stopped && self.demanded.insert(of) {
                self.pi_function(of);
            }
        }
    }

    /// `HB(first, second)`.
    pub(crate) fn before(&mut self, first: Ev, second: Ev) -> TermId {
        let pool = &mut self.executor.translator.pool;
        let term = self.order.before(pool, self.ctp, first, second, &self.prefix);
        for implied in std::mem::take(&mut self.order.implied) {
            self.solver.assert(&self.executor.translator.pool, implied);
        }
        term
    }

    /// The first events of each thread are in, after it was started; who has waited has waited for something. All
    /// that the threads decided on the way has to come out as it did.
    fn program_order(&mut self) {
        for event in 0..self.ctp.events.len() {
            let of = &self.ctp.events[event];
            let inside = self.inside[event];
            if of.exits {
                // Nothing comes after it: what there is to find comes before.
                let never = self.pool().not(inside);
                self.assert(never);
                continue;
            }
            let mut needs: Vec<TermId> = Vec::new();
            match self.ctp.previous(event) {
                Some(previous) => {
                    needs.push(self.inside[previous]);
                    needs.extend(&self.ctp.events[previous].tail);
                }
                None => needs.extend(self.ctp.started_by[of.thread].map(|start| self.inside[start])),
            }
            for waited in &of.waits {
                needs.extend(self.ctp.completed_by[*waited].map(|completion| self.inside[completion]));
            }
            for need in needs {
                let implied = self.pool().implies(inside, need);
                self.assert(implied);
            }
        }
    }

    /// An event that is in was enabled. Whom a signal wakes must be there.
    fn guards(&mut self) {
        for event in 0..self.ctp.events.len() {
            let inside = self.inside[event];
            let of = &self.ctp.events[event];
            for &guard in &of.guard {
                let implied = self.pool().implies(inside, guard);
                self.assert(implied);
            }
            for free in &of.free {
                let Free::Woken(woken) = *free else { continue };
                let mut possible = Vec::new();
                for thread in 0..self.ctp.threads.len() {
                    if self.ctp.absent[thread] {
                        continue;
                    }
                    let number = i64::try_from(thread + 1).unwrap_or(0);
                    let number = self.pool().int(number);
                    let mut there = vec![self.pool().eq(woken, number)];
                    if let Some(start) = self.ctp.started_by[thread] {
                        there.push(self.inside[start]);
                        there.push(self.before(start, event));
                    }
                    possible.push(self.pool().and(there));
                }
                let possible = self.pool().or(possible);
                let implied = self.pool().implies(inside, possible);
                self.assert(implied);
            }
        }
    }

    /// The literal that says that an event is the next of its thread, right after the prefix: it is not in it, and what it
    /// would read is what the prefix leaves.
    pub(crate) fn standing(&mut self, event: Ev) -> TermId {
        if let Some(&known) = self.standing.get(&event) {
            return known;
        }
        let name = format!("{}at{event}", self.prefix);
        let stands = self.pool().constant(&name, smt::SortId::BOOL);
        self.standing.insert(event, stands);
        let inside = self.inside[event];
        let mut needs = vec![self.pool().not(inside)];
        match self.ctp.previous(event) {
            Some(previous) => {
                needs.push(self.inside[previous]);
                needs.extend(&self.ctp.events[previous].tail);
            }
            None => {
                needs.extend(
                    self.ctp.started_by[self.ctp.events[event].thread].map(|start| self.inside[start]),
                );
            }
        }
        for need in needs {
            let implied = self.pool().implies(stands, need);
            self.assert(implied);
        }
        // The pi-functions that it has, and those to come, see to the values.
        for of in self.defined.get(&event).cloned().unwrap_or_default() {
            self.reads_at_end(of, stands);
        }
        stands
    }

    /// When an event can be executed, apart from the mutex that it takes; nothing if that is not known.
    pub(crate) fn enabled(&mut self, event: Ev) -> Option<TermId> {
        match self.ctp.events[event].blocking {
            Blocking::Never => Some(self.pool().bool(true)),
            Blocking::Until(condition) => Some(condition),
            Blocking::Filter | Blocking::Unknown => None,
        }
    }

    /// What is known of constants and functions.
    pub(crate) fn facts(&mut self, pins: &Pins) -> Result<(), Stuck> {
        let mut facts = self.executor.translator.axioms()?;
        let program = self.executor.subject.expanded;
        for ((func, key), value) in &pins.funcs {
            let function = &program.funcs[*func];
            let mut args = Vec::new();
            for ((_, ty), part) in function.params.iter().zip(key) {
                args.push(self.executor.literal(ty, *part)?);
            }
            let value = self.executor.literal(&function.result, *value)?;
            let translator = &mut self.executor.translator;
            let mut params = Vec::new();
            for (_, ty) in &function.params {
                params.push(translator.sort(ty)?);
            }
            let result = translator.sort(&function.result)?;
            let declared = translator.pool.function(&format!("{}()", function.name), &params, result);
            let applied = translator.pool.apply(declared, &args);
            facts.push(translator.pool.eq(applied, value));
        }
        for elements in self.executor.elements.values() {
            let elements: Vec<TermId> = elements.iter().copied().collect();
            facts.push(self.executor.translator.pool.distinct(&elements));
        }
        for fact in facts {
            self.assert(fact);
        }
        Ok(())
    }

    /// How many events have to do with some question.
    pub(crate) fn size(&self) -> usize {
        let matters = |event: &Ev| {
            let of = &self.ctp.events[*event];
            self.order.matters(*event) || !of.guard.is_empty() || !of.tail.is_empty()
        };
        (0..self.ctp.events.len()).filter(matters).count()
    }

    /// Asks whether a feasible prefix has all this.
    pub(crate) fn ask(&mut self, literals: &[TermId]) -> Result<Option<Model>, Undecided> {
        for literal in literals {
            if self.pool().as_bool(*literal) == Some(false) {
                return Ok(None);
            }
            self.demand(*literal);
        }
        let pool = &self.executor.translator.pool;
        let open = literals.iter().copied().filter(|literal| pool.as_bool(*literal).is_none());
        let open: Vec<TermId> = open.collect();
        if self.stopped {
            return Err(Undecided::Stopped);
        }
        // Until the order has no cycles.
        loop {
            let limits = (self.watch)().ok_or(Undecided::Stopped)?;
            self.solver.set_limits(Limits { effort: self.effort.or(limits.effort), ..limits });
            self.queries += 1;
            let answer = self.solver.check_sat(&self.executor.translator.pool, &open);
            match answer.map_err(|error| Undecided::Solver(error.to_string()))? {
                Answer::Sat => {
                    if let Some(model) = self.model()? {
                        return Ok(Some(model));
                    }
                }
                Answer::Unsat => return Ok(None),
                Answer::Unknown(smt::Reason::Cancelled | smt::Reason::Timeout | smt::Reason::Memory) => {
                    return Err(Undecided::Stopped);
                }
                Answer::Unknown(smt::Reason::Effort) => return Err(Undecided::Effort),
                Answer::Unknown(reason) => return Err(Undecided::Solver(reason.to_string())),
            }
        }
    }

    fn truth(&mut self, term: TermId) -> Result<bool, Undecided> {
        let value = self.solver.value(&self.executor.translator.pool, term);
        Ok(value.map_err(|error| Undecided::Solver(error.to_string()))? == smt::Value::Bool(true))
    }

    /// What the solver found; nothing if that was no order, which is then forbidden.
    fn model(&mut self) -> Result<Option<Model>, Undecided> {
        let mut is_in = vec![false; self.ctp.events.len()];
        for events in &self.ctp.threads {
            for &event in events {
                if !self.truth(self.inside[event])? {
                    break;
                }
                is_in[event] = true;
            }
        }
        let mut swapped = Vec::with_capacity(self.order.pairs().len());
        for pair in 0..self.order.pairs().len() {
            let (early, late, term) = self.order.pairs()[pair];
            swapped.push(is_in[early] && is_in[late] && self.truth(term)?);
        }
        let graph = Graph::new(self.ctp, &self.order, &is_in, &swapped);
        let sorted = match graph.sorted() {
            Ok(sorted) => sorted,
            Err(rest) => {
                let cycles = graph.cycles(&rest, &swapped);
                if cycles.is_empty() {
                    return Err(Undecided::Solver("an order without a first event".to_owned()));
                }
                for cycle in cycles {
                    self.forbid(&cycle, &swapped);
                }
                return Ok(None);
            }
        };
        let mut model = Model { order: self.linearize(&sorted, &is_in), ..Model::default() };
        for event in model.order.clone() {
            for free in &self.ctp.events[event].free {
                let (Free::Woken(term) | Free::Late(term)) = *free;
                let value = self.solver.value(&self.executor.translator.pool, term);
                let value = match value.map_err(|error| Undecided::Solver(error.to_string()))? {
                    smt::Value::Int(value) => i64::try_from(&value).unwrap_or(0),
                    smt::Value::Bool(value) => i64::from(value),
                    _ => 0,
                };
                model.chosen.insert(event, value);
            }
        }
        Ok(Some(model))
    }

    /// Some pairs cannot all be as they are.
    fn forbid(&mut self, cycle: &[usize], swapped: &[bool]) {
        let mut clause = Vec::new();
        for &pair in cycle {
            let (_, _, term) = self.order.pairs()[pair];
            clause.push(if swapped[pair] { self.pool().not(term) } else { term });
        }
        let clause = self.pool().or(clause);
        self.solver.assert(&self.executor.translator.pool, clause);
    }

    /// All events of the prefix in order. Those whose order does not matter come right before the next one of their thread
    /// whose order does, so that threads are interrupted as rarely as possible.
    fn linearize(&self, sorted: &[Ev], is_in: &[bool]) -> Vec<Ev> {
        let mut order = Vec::new();
        let mut next = vec![0; self.ctp.threads.len()];
        for &event in sorted {
            let Event { thread, pos, .. } = self.ctp.events[event];
            order.extend(&self.ctp.threads[thread][next[thread]..=pos]);
            next[thread] = pos + 1;
        }
        for (events, next) in self.ctp.threads.iter().zip(next) {
            order.extend(events[next..].iter().copied().take_while(|event| is_in[*event]));
        }
        order
    }
}
