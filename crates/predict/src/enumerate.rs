//! All states that prefixes of linearizations lead to, one by one, where they are few.
//!
//! Proofs that no order of many updates of one variable goes wrong are long for a solver: it has to try the orders. Often few of
//! these differ in what they leave behind, and then the states can be listed. What no state shows need not be asked, and
//! conditions that hold wherever a thread comes to them need not be in the formula. The solver is asked the rest, and gives the
//! orders that are reported: what is listed here only says what need not be looked for.
//!
//! Events that commute with all that others can do meanwhile are executed at once ([`independence`]), and groups of threads that have
//! nothing to do with each other are looked at one after the other.

mod independence;
mod observation;
mod shown;
mod valuation;

use indexmap::IndexSet;
use ir::{GlobalId, OpRef};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smt::{Limits, TermId};

use crate::ctp::{Ctp, Definition, Ev, Free, Use};
use crate::execute::Executor;
use crate::lockset::Locksets;
use crate::pattern::Triple;
use crate::race::Pair;
use crate::relevance::Relevant;

use independence::Independence;
pub(crate) use shown::Shown;
use valuation::{Environment, Valuation};

/// How often the watch is asked: every so many states.
const WATCH_EVERY: usize = 64;

/// Why there is no list of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GivenUp {
    /// There are too many.
    TooMany,
    /// Something has no value that is known.
    Unclear,
    /// The watch says to stop.
    Stopped,
}

/// A state that a prefix leads to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    /// How many events of each thread were executed.
    executed: Vec<usize>,
    /// The threads that did not go on as in the run.
    strayed: Vec<bool>,
    /// What cells hold, by their numbers; those that are missing hold what they held at the beginning.
    cells: Vec<TermId>,
    /// What was read and is needed later.
    read: Environment,
    /// Who holds each lock.
    holders: Vec<Option<usize>>,
}

/// An event that was executed, and what was chosen for it.
type Step = (Ev, Option<i64>);

struct Explorer<'x, 'c, 'p, 'a> {
    ctp: &'c Ctp,
    values: Valuation<'x, 'p, 'a>,
    relevant: Relevant,
    independence: Independence,
    /// Whether the ops of each lock are ordered as sections.
    ordered: Vec<bool>,
    pairs: FxHashMap<(Ev, Ev), Vec<Pair>>,
    /// For events that may come between two others, the threads of these.
    between: FxHashMap<Ev, Vec<usize>>,
    shown: Shown,
    states: IndexSet<State, FxBuildHasher>,
    edges: Vec<(usize, usize)>,
    /// How each state was come to first: from which one, and what was executed.
    ways: Vec<(usize, Vec<Step>)>,
    /// The ops before which threads stand where nobody can go on.
    stuck_at: FxHashSet<OpRef>,
    /// Such an event was executed after so many events of a thread, and led to that state.
    crossings: FxHashSet<(Ev, usize, usize, usize)>,
    /// Those of the running step, and all that it executes.
    crossed: Vec<(Ev, usize, usize)>,
    steps: Vec<Step>,
}

/// How large a formula about all values would be: for each use, pairs of what it may see.
pub(crate) fn size_of_formula(ctp: &Ctp, executor: &Executor<'_, '_>) -> usize {
    let pool = &executor.translator.pool;
    let is_known = |index: &[TermId]| index.iter().all(|part| pool.term(*part).is_literal_value());
    let mut known: FxHashMap<(GlobalId, &[TermId]), usize> = FxHashMap::default();
    let mut any: FxHashMap<GlobalId, (usize, usize)> = FxHashMap::default();
    for definition in ctp.events.iter().flat_map(|event| &event.definitions) {
        let (all, unknown) = any.entry(definition.global).or_default();
        *all += 1;
        if is_known(&definition.index) {
            *known.entry((definition.global, &definition.index)).or_default() += 1;
        } else {
            *unknown += 1;
        }
    }
    let seen = |used: &Use| {
        let (all, unknown) = any.get(&used.global).copied().unwrap_or_default();
        let exact = known.get(&(used.global, used.index.as_slice())).copied().unwrap_or(0);
        if is_known(&used.index) { exact + unknown } else { all }
    };
    executor.uses.iter().map(|used| seen(used).pow(2)).sum()
}

/// Lists the states, if there are no more than so many.
pub(crate) fn enumerate(
    ctp: &Ctp,
    executor: &mut Executor<'_, '_>,
    locksets: &Locksets,
    (triples, pairs): (&[Triple], &[Pair]),
    most: usize,
    watch: &mut dyn FnMut() -> Option<Limits>,
) -> Result<Shown, GivenUp> {
    let relevant = Relevant::new(ctp, executor);
    let independence = Independence::new(ctp, executor, locksets, &relevant);
    let owners = executor.subject.owners;
    let mut explorer = Explorer {
        ctp,
        ordered: ctp.locks.iter().map(|owner| owners.contains(owner)).collect(),
        values: Valuation::new(executor, ctp.events.iter().flat_map(|event| event.free.iter().copied())),
        relevant,
        independence,
        pairs: FxHashMap::default(),
        between: FxHashMap::default(),
        shown: Shown::default(),
        states: IndexSet::default(),
        edges: Vec::new(),
        ways: Vec::new(),
        stuck_at: FxHashSet::default(),
        crossings: FxHashSet::default(),
        crossed: Vec::new(),
        steps: Vec::new(),
    };
    for &pair in pairs {
        explorer.pairs.entry((pair.0, pair.1)).or_default().push(pair);
    }
    for triple in triples {
        let threads = explorer.between.entry(triple.middle).or_default();
        let thread = ctp.events[triple.first].thread;
        if !threads.contains(&thread) {
            threads.push(thread);
        }
    }
    explorer.explore(most, watch)?;
    explorer.reaches();
    explorer.shown.events = (0..ctp.events.len()).filter(|event| explorer.matters(*event)).count();
    Ok(explorer.shown)
}

impl Explorer<'_, '_, '_, '_> {
    fn explore(&mut self, most: usize, watch: &mut dyn FnMut() -> Option<Limits>) -> Result<(), GivenUp> {
        let threads = self.ctp.threads.len();
        let mut holders = vec![None; self.ctp.locks.len()];
        for &(lock, thread) in &self.ctp.held {
            holders[lock] = Some(thread);
        }
        let first = State {
            executed: vec![0; threads],
            strayed: vec![false; threads],
            cells: Vec::new(),
            read: Environment::default(),
            holders,
        };
        let first = self.settled(first)?;
        let mut work = vec![self.known(first, 0)];
        while let Some(id) = work.pop() {
            if id % WATCH_EVERY == 0 && watch().is_none() {
                return Err(GivenUp::Stopped);
            }
            let state = self.states[id].clone();
            self.races(&state)?;
            let successors = self.successors(&state)?;
            if successors.is_empty() && self.is_stuck(&state)? {
                self.note_stuck(&state, id);
            }
            for (step, next) in successors {
                self.note_step(step, &state);
                let next = self.settled(next)?;
                let known = self.states.len();
                let to = self.known(next, id);
                self.edges.push((id, to));
                if to == known {
                    work.push(to);
                }
                if known > most {
                    return Err(GivenUp::TooMany);
                }
            }
        }
        Ok(())
    }

    /// The number of a state.
    fn known(&mut self, mut state: State, from: usize) -> usize {
        let needed = &self.relevant.needed;
        state.read.retain(|term| {
            let needed = needed.get(&term).into_iter().flatten();
            needed.zip(&state.executed).any(|(needed, executed)| executed < needed)
        });
        self.values.trim(&mut state.cells);
        let (id, is_new) = self.states.insert_full(state);
        let steps = std::mem::take(&mut self.steps);
        if is_new {
            self.ways.push((from, steps));
        }
        for (event, thread, count) in std::mem::take(&mut self.crossed) {
            self.crossings.insert((event, thread, count, id));
        }
        id
    }

    /// All that can come next. If threads have nothing to do with each other, one group of them is enough.
    fn successors(&mut self, state: &State) -> Result<Vec<(Step, State)>, GivenUp> {
        let mut groups = self.independence.group.clone();
        groups.sort_unstable();
        groups.dedup();
        for group in groups {
            let together = self.together(state, group);
            let mut next = Vec::new();
            for thread in 0..self.ctp.threads.len() {
                if together.contains(&self.independence.group[thread]) {
                    next.extend(self.attempt(state, thread)?);
                }
            }
            if !next.is_empty() {
                return Ok(next);
            }
        }
        Ok(Vec::new())
    }

    /// The groups that have to be looked at with a group: those of who starts its threads, and of whom its threads wait for. What these
    /// do lets threads of the group do more, among the rest of the group.
    fn together(&self, state: &State, group: usize) -> FxHashSet<usize> {
        let ctp = self.ctp;
        let group_of = |thread: usize| self.independence.group[thread];
        let mut together = FxHashSet::from_iter([group]);
        loop {
            let before = together.len();
            for thread in (0..ctp.threads.len()).filter(|thread| !ctp.absent[*thread]) {
                if !together.contains(&group_of(thread)) {
                    continue;
                }
                match ctp.started_by[thread] {
                    Some(start) if !self.is_executed(state, start) => {
                        together.insert(group_of(ctp.events[start].thread));
                    }
                    _ => {
                        let waits = self.next(state, thread).map(|event| &ctp.events[event].waits);
                        together.extend(waits.into_iter().flatten().map(|waited| group_of(*waited)));
                    }
                }
            }
            if together.len() == before {
                return together;
            }
        }
    }

    /// Executes what commutes with everything.
    fn settled(&mut self, mut state: State) -> Result<State, GivenUp> {
        loop {
            let mut changed = false;
            for thread in 0..self.ctp.threads.len() {
                while let Some(event) = self.next(&state, thread)
                    && self.independence.eager[event]
                    && let Some((step, next)) = self.attempt(&state, thread)?.pop()
                {
                    self.note_step(step, &state);
                    state = next;
                    changed = true;
                }
            }
            if !changed {
                return Ok(state);
            }
        }
    }

    /// Whether an event has something to do with others.
    fn matters(&self, event: Ev) -> bool {
        let of = &self.ctp.events[event];
        let assigns = |definition: &Definition| self.relevant.globals.contains(&definition.global);
        !self.relevant.uses[event].is_empty()
            || of.definitions.iter().any(assigns)
            || !(of.locks.is_empty() && of.spawns.is_empty() && of.waits.is_empty())
            || of.completes
    }

    fn is_executed(&self, state: &State, event: Ev) -> bool {
        let of = &self.ctp.events[event];
        state.executed[of.thread] > of.pos
    }

    /// The event before which a thread stands.
    fn next(&self, state: &State, thread: usize) -> Option<Ev> {
        let next = self.ctp.threads[thread].get(state.executed[thread]).copied()?;
        let started = self.ctp.started_by[thread].is_none_or(|start| self.is_executed(state, start));
        (started && !state.strayed[thread] && !self.ctp.absent[thread]).then_some(next)
    }

    /// What is known when a thread stands before an event.
    fn environment(&mut self, state: &State, event: Ev) -> Result<Environment, GivenUp> {
        self.with_reads(state, event, state.read.clone())
    }

    /// What is known besides when what may be chosen is chosen: which cells are read may depend on that.
    fn with_reads(
        &mut self,
        state: &State,
        event: Ev,
        mut read: Environment,
    ) -> Result<Environment, GivenUp> {
        for at in 0..self.relevant.uses[event].len() {
            let of = self.relevant.uses[event][at];
            self.values.read(of, &state.cells, &mut read)?;
        }
        Ok(read)
    }

    fn has_waited(&self, state: &State, event: Ev) -> bool {
        let mut waits = self.ctp.events[event].waits.iter();
        waits
            .all(|of| self.ctp.completed_by[*of].is_none_or(|completion| self.is_executed(state, completion)))
    }

    /// Whether nobody else has the locks that an event takes.
    fn may_take(&self, state: &State, event: Ev) -> bool {
        let of = &self.ctp.events[event];
        let mut taken = of.locks.iter().filter(|op| op.acquire && self.ordered[op.lock]);
        taken.all(|op| state.holders[op.lock].is_none_or(|holder| holder == of.thread))
    }

    /// Executes the next event of a thread, in all ways.
    fn attempt(&mut self, state: &State, thread: usize) -> Result<Vec<(Step, State)>, GivenUp> {
        let ctp = self.ctp;
        let Some(event) = self.next(state, thread) else { return Ok(Vec::new()) };
        let of = &ctp.events[event];
        let mut states = Vec::new();
        for (read, chosen) in self.choices(state, event)? {
            let read = self.with_reads(state, event, read)?;
            self.assertions(event, false, &read)?;
            let mut holds = true;
            for &condition in &of.guard {
                holds &= self.condition(event, condition, &read)?;
            }
            if !holds || of.exits || !self.has_waited(state, event) || !self.may_take(state, event) {
                continue;
            }
            let mut next = state.clone();
            let mut assigned = Vec::new();
            for definition in &of.definitions {
                if self.relevant.globals.contains(&definition.global) {
                    let index = self.values.all(&definition.index, &read)?;
                    assigned.push((definition.global, index, self.values.of(definition.value, &read)?));
                }
            }
            for (global, index, value) in assigned {
                self.values.assign(global, index, value, &mut next.cells)?;
            }
            for op in &of.locks {
                next.holders[op.lock] = op.acquire.then_some(thread);
            }
            self.assertions(event, true, &read)?;
            for &condition in &of.tail {
                next.strayed[thread] |= !self.condition(event, condition, &read)?;
            }
            next.executed[thread] += 1;
            next.read = read;
            states.push(((event, chosen), next));
        }
        Ok(states)
    }

    /// Notes that an event is executed, and where other threads are then.
    fn note_step(&mut self, step: Step, state: &State) {
        self.steps.push(step);
        let (event, _) = step;
        for &other in self.between.get(&event).into_iter().flatten() {
            self.crossed.push((event, other, state.executed[other]));
        }
    }

    /// Whether a condition of an event holds; notes if not.
    fn condition(&mut self, event: Ev, condition: TermId, read: &Environment) -> Result<bool, GivenUp> {
        let holds = self.values.truth(condition, read)?;
        if !holds {
            self.shown.broken.insert((event, condition));
        }
        Ok(holds)
    }

    /// The values that may be chosen.
    fn choices(&self, state: &State, event: Ev) -> Result<Vec<(Environment, Option<i64>)>, GivenUp> {
        let (term, values) = match self.ctp.events[event].free.as_slice() {
            [] => return Ok(vec![(state.read.clone(), None)]),
            [Free::Woken(term)] => {
                let is_there = |thread: &usize| {
                    let start = self.ctp.started_by[*thread];
                    !self.ctp.absent[*thread] && start.is_none_or(|start| self.is_executed(state, start))
                };
                let there = (0..self.ctp.threads.len()).filter(is_there);
                let values = there.map(|thread| Ok((thread + 1, self.values.number(thread + 1)?)));
                (*term, values.collect::<Result<Vec<_>, GivenUp>>()?)
            }
            [Free::Late(term)] => (*term, [0, 1].map(|late| (late, self.values.boolean(late == 1))).to_vec()),
            _ => return Err(GivenUp::Unclear),
        };
        let choices = values.into_iter().map(|(number, value)| {
            let mut read = state.read.clone();
            read.set(term, value);
            (read, i64::try_from(number).ok())
        });
        Ok(choices.collect())
    }
}
