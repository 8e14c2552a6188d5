//! Which values matter besides those that a question asks for: those that a guard, a decision, an assertion or an index depends on.

use ir::GlobalId;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::TermId;

use crate::ctp::{Blocking, Ctp, Ev, Free};
use crate::execute::Executor;

pub(crate) struct Relevant {
    /// The globals whose values matter.
    pub(crate) globals: FxHashSet<GlobalId>,
    /// The uses of each event that matter, in the order in which they were made.
    pub(crate) uses: Vec<Vec<usize>>,
    /// For each constant that matters, how many events of each thread have to be executed until nobody needs it.
    pub(crate) needed: FxHashMap<TermId, Vec<usize>>,
}

impl Relevant {
    pub(crate) fn new(ctp: &Ctp, executor: &Executor<'_, '_>) -> Self {
        let mut relevant = Relevant {
            globals: FxHashSet::default(),
            uses: vec![Vec::new(); ctp.events.len()],
            needed: FxHashMap::default(),
        };
        let free: FxHashSet<TermId> = ctp
            .events
            .iter()
            .flat_map(|event| &event.free)
            .map(|free| {
                let (Free::Woken(term) | Free::Late(term)) = *free;
                term
            })
            .collect();
        let mut by_global: FxHashMap<GlobalId, Vec<(Ev, usize)>> = FxHashMap::default();
        for (event, of) in ctp.events.iter().enumerate() {
            for (at, definition) in of.definitions.iter().enumerate() {
                by_global.entry(definition.global).or_default().push((event, at));
            }
        }
        let mut work: Vec<(Ev, TermId)> = Vec::new();
        for (event, of) in ctp.events.iter().enumerate() {
            work.extend(of.guard.iter().chain(&of.tail).map(|term| (event, *term)));
            for assertion in &of.assertions {
                work.extend(assertion.before.iter().chain([&assertion.holds]).map(|term| (event, *term)));
            }
            if let Blocking::Until(condition) = of.blocking {
                work.push((event, condition));
            }
            if of.plain {
                for access in &of.accesses[..of.first_accesses] {
                    work.extend(access.index.iter().chain([&access.when]).map(|term| (event, *term)));
                }
            }
        }
        let mut seen: FxHashSet<(Ev, TermId)> = FxHashSet::default();
        let mut used: FxHashSet<usize> = FxHashSet::default();
        while let Some((event, term)) = work.pop() {
            if !seen.insert((event, term)) {
                continue;
            }
            let of = executor.use_terms.get(&term).copied();
            if of.is_some() || free.contains(&term) {
                let (thread, pos) = (ctp.events[event].thread, ctp.events[event].pos);
                let needed = relevant.needed.entry(term).or_insert_with(|| vec![0; ctp.threads.len()]);
                needed[thread] = needed[thread].max(pos + 1);
            }
            if let Some(of) = of.filter(|of| used.insert(*of)) {
                let read = &executor.uses[of];
                work.extend(read.index.iter().map(|term| (read.event, *term)));
                if relevant.globals.insert(read.global) {
                    for (event, at) in by_global.get(&read.global).into_iter().flatten() {
                        let definition = &ctp.events[*event].definitions[*at];
                        work.extend(definition.index.iter().map(|term| (*event, *term)));
                        work.push((*event, definition.value));
                    }
                }
            }
            executor.translator.pool.term(term).for_each_operand(|operand| work.push((event, operand)));
        }
        let mut used: Vec<usize> = used.into_iter().collect();
        used.sort_unstable();
        for of in used {
            relevant.uses[executor.uses[of].event].push(of);
        }
        relevant
    }

    /// Whether nothing depends on what is read.
    pub(crate) fn is_empty(&self) -> bool {
        self.globals.is_empty()
    }
}
