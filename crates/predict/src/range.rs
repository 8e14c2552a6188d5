//! The range of each value that matters, over all orders of the events: from this, some conditions hold wherever a thread comes to them.
//!
//! A use has a value of one of the definitions that it can see, or the initial one: so its range is that of all of them. Ranges are
//! found round by round, from none: after a round more, values are in them that took a definition more to come about. In each order a
//! value depends on definitions that were executed before, each at most once, so that as many rounds as there are definitions are
//! enough, even if ranges still grow then: a counter that is incremented two hundred times has no more than two hundred values.
//!
//! Solvers need long to prove that no order of many updates of one variable breaks a condition, and states are too many to be
//! listed: this takes neither.

mod interval;

use ir::GlobalId;
use rustc_hash::FxHashMap;
use smt::{Limits, Term, TermId, TermPool};

use crate::ctp::{Ctp, Ev};
use crate::encode::Undecided;
use crate::execute::Executor;
use crate::relevance::Relevant;

use interval::Values;

/// No more terms than this are looked at, each as often as it is.
const MOST_WORK: usize = 20_000_000;

/// How often the watch is asked: after so many terms.
const WATCH_EVERY: usize = 1_000_000;

/// The definitions by one thread that a use may see: a section of a list.
struct Section {
    list: usize,
    from: usize,
    to: usize,
}

/// Where the value of a use comes from.
struct Source {
    term: TermId,
    /// What it is when nobody has assigned it; nothing if somebody must have.
    initial: Option<TermId>,
    sections: Vec<Section>,
}

/// The definitions of a thread of what may be the same cell, in order.
struct List {
    values: Vec<TermId>,
    events: Vec<Ev>,
    /// Whether each of them certainly is of that cell.
    certain: Vec<bool>,
}

/// What is known of values.
struct Ranges<'e> {
    pool: &'e TermPool,
    sources: Vec<Source>,
    lists: Vec<List>,
    /// All terms that matter, operands first, and what each may be.
    terms: Vec<TermId>,
    values: FxHashMap<TermId, Values>,
}

/// Leaves out conditions that hold in all orders, the assertions that do, and the branches that always go the same way.
pub(crate) fn simplify(
    ctp: &mut Ctp,
    executor: &mut Executor<'_, '_>,
    watch: &mut dyn FnMut() -> Option<Limits>,
) -> Result<(), Undecided> {
    let relevant = Relevant::new(ctp, executor);
    if relevant.is_empty() {
        return Ok(());
    }
    let mut ranges = Ranges::new(ctp, executor, &relevant);
    let definitions: usize = ranges.lists.iter().map(|list| list.values.len()).sum();
    let mut work = 0;
    // One round for what depends on no use, and one for what is read last.
    for _ in 0..definitions + 2 {
        if work / WATCH_EVERY != (work + ranges.terms.len()) / WATCH_EVERY && watch().is_none() {
            return Err(Undecided::Stopped);
        }
        work += ranges.terms.len();
        if work > MOST_WORK {
            return Ok(());
        }
        if !ranges.round() {
            break;
        }
    }
    let values = ranges.values;
    let may_fail = |term: TermId| values.get(&term).is_none_or(|values| values.may_fail());
    ctp.retain_conditions(|_, condition| may_fail(condition), |_, _, assertion| may_fail(assertion.holds));
    Ok(())
}

impl<'e> Ranges<'e> {
    fn new(ctp: &Ctp, executor: &'e mut Executor<'_, '_>, relevant: &Relevant) -> Self {
        let mut by_thread: FxHashMap<GlobalId, Vec<Vec<(Ev, usize)>>> = FxHashMap::default();
        let mut roots: Vec<TermId> = Vec::new();
        for (event, of) in ctp.events.iter().enumerate() {
            roots.extend(of.guard.iter().chain(&of.tail));
            roots.extend(of.ways.iter().flat_map(|way| way.before.iter().chain([&way.condition])));
            for assertion in &of.assertions {
                roots.extend(assertion.before.iter().chain([&assertion.holds]));
            }
            for (at, definition) in of.definitions.iter().enumerate() {
                if relevant.globals.contains(&definition.global) {
                    roots.push(definition.value);
                    let threads = by_thread.entry(definition.global);
                    threads.or_insert_with(|| vec![Vec::new(); ctp.threads.len()])[of.thread]
                        .push((event, at));
                }
            }
        }
        let mut known: FxHashMap<(GlobalId, Vec<TermId>), Vec<usize>> = FxHashMap::default();
        let (mut sources, mut lists) = (Vec::new(), Vec::new());
        for &of in relevant.uses.iter().flatten() {
            let (event, global) = (executor.uses[of].event, executor.uses[of].global);
            let (term, index) = (executor.uses[of].term, executor.uses[of].index.clone());
            let of_cell = known.entry((global, index.clone())).or_insert_with(|| {
                let threads = by_thread.get(&global).into_iter().flatten();
                let made = threads.map(|definitions| list(ctp, executor, definitions, &index));
                let first = lists.len();
                lists.extend(made.filter(|list| !list.values.is_empty()));
                (first..lists.len()).collect()
            });
            let sections: Vec<Section> =
                of_cell.iter().map(|list| section(ctp, &lists[*list], *list, event)).collect();
            let must_see = |section: &Section| {
                let list = &lists[section.list];
                (section.from < section.to)
                    && list.certain[section.from]
                    && ctp.must_precede(list.events[section.from], event)
            };
            let initial = match sections.iter().any(must_see) {
                true => None,
                false => executor.at_beginning(global, &index),
            };
            let unknown = initial.is_none() && !sections.iter().any(must_see);
            roots.extend(initial);
            // What is nowhere known may be anything: then it has no source.
            if !unknown {
                sources.push(Source { term, initial, sections });
            }
        }
        let pool = &executor.translator.pool;
        let mut terms = Vec::new();
        pool.for_each_in(&roots, |term, _| terms.push(term));
        Ranges { pool, sources, lists, terms, values: FxHashMap::default() }
    }

    /// Finds out more; returns whether there was more.
    fn round(&mut self) -> bool {
        let (before, after): (Vec<_>, Vec<_>) = self.lists.iter().map(|list| self.hulls(list)).unzip();
        let mut changed = false;
        let mut uses: FxHashMap<TermId, Values> = FxHashMap::default();
        for source in &self.sources {
            let mut values = self.of(source.term).join(self.initially(source));
            for section in &source.sections {
                let list = &self.lists[section.list];
                values = values.join(match (section.from, section.to) {
                    (from, to) if from >= to => Values::None,
                    (from, to) if to == list.values.len() => after[section.list][from],
                    (0, to) => before[section.list][to - 1],
                    (from, to) => list.values[from..to]
                        .iter()
                        .fold(Values::None, |all, value| all.join(self.of(*value))),
                });
            }
            uses.insert(source.term, values);
        }
        for at in 0..self.terms.len() {
            let term = self.terms[at];
            let values = match uses.get(&term) {
                Some(values) => *values,
                None => self.evaluate(term),
            };
            changed |= self.values.insert(term, values) != Some(values);
        }
        changed
    }

    fn of(&self, term: TermId) -> Values {
        self.values.get(&term).copied().unwrap_or(Values::None)
    }

    fn initially(&self, source: &Source) -> Values {
        source.initial.map_or(Values::None, |initial| self.of(initial))
    }

    /// What the first ones of a list may be, for each number of them, and what the last ones may be.
    fn hulls(&self, list: &List) -> (Vec<Values>, Vec<Values>) {
        let join = |all: &mut Values, value: &TermId| {
            *all = all.join(self.of(*value));
            Some(*all)
        };
        let before = list.values.iter().scan(Values::None, join).collect();
        let mut after: Vec<Values> = list.values.iter().rev().scan(Values::None, join).collect();
        after.reverse();
        (before, after)
    }

    fn evaluate(&self, term: TermId) -> Values {
        let all = || Values::all(self.pool.sort(self.pool.sort_of(term)));
        let values = match self.pool.term(term) {
            Term::Bool(value) => Values::of_bool(*value),
            Term::Int(value) => Values::of_int(value),
            Term::Bv(width, value) => Values::of_bv(*width, value),
            Term::Not(a) => self.of(*a).not(),
            Term::And(args) => {
                args.iter().fold(Values::of_bool(true), |values, arg| values.and(self.of(*arg)))
            }
            Term::Or(args) => {
                args.iter().fold(Values::of_bool(false), |values, arg| values.or(self.of(*arg)))
            }
            Term::Unary(op, a) => self.of(*a).unary(*op),
            Term::Binary(op, a, b) => self.of(*a).binary(*op, self.of(*b)),
            Term::Ite(a, b, c) => self.of(*a).ite(self.of(*b), self.of(*c)),
            _ => Values::Any,
        };
        if values == Values::Any { all() } else { values }
    }
}

/// The definitions of a thread that may be of a cell.
fn list(ctp: &Ctp, executor: &mut Executor<'_, '_>, definitions: &[(Ev, usize)], index: &[TermId]) -> List {
    let mut list = List { values: Vec::new(), events: Vec::new(), certain: Vec::new() };
    for &(event, at) in definitions {
        let definition = &ctp.events[event].definitions[at];
        let same = executor.same_index(&definition.index, index);
        let same = executor.translator.pool.as_bool(same);
        if same != Some(false) {
            list.values.push(definition.value);
            list.events.push(event);
            list.certain.push(same == Some(true));
        }
    }
    list
}

/// Those of a list that an event may see. Of those that must come before it, the last certain one hides the others.
fn section(ctp: &Ctp, of: &List, list: usize, event: Ev) -> Section {
    let later = |other: Ev| other == event || ctp.must_precede(event, other);
    let to = of.events.iter().position(|other| later(*other)).unwrap_or(of.events.len());
    let hides = |at: &usize| of.certain[*at] && ctp.must_precede(of.events[*at], event);
    let from = (0..to).rev().find(hides).unwrap_or(0);
    Section { list, from, to }
}
