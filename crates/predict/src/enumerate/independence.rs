//! Which events have nothing to do with what other threads do meanwhile: these need not be tried in all orders.

use ir::GlobalId;
use rustc_hash::FxHashMap;

use crate::ctp::{Ctp, Ev};
use crate::execute::Executor;
use crate::lockset::Locksets;
use crate::relevance::Relevant;

/// What is known of events and threads without values.
pub(super) struct Independence {
    /// The events that can be executed as soon as they can be executed: whatever else comes before them commutes with them.
    pub(super) eager: Vec<bool>,
    /// For each thread, the group of threads with which it has to do.
    pub(super) group: Vec<usize>,
}

impl Independence {
    pub(super) fn new(
        ctp: &Ctp,
        executor: &mut Executor<'_, '_>,
        locksets: &Locksets,
        relevant: &Relevant,
    ) -> Self {
        let mut independence = Independence {
            eager: ctp.events.iter().map(|event| event.free.is_empty() && !event.exits).collect(),
            group: (0..ctp.threads.len()).collect(),
        };
        let mut touches: FxHashMap<GlobalId, Vec<(Ev, Touch)>> = FxHashMap::default();
        for event in 0..ctp.events.len() {
            for (global, touch) in touched(ctp, executor, relevant, event) {
                touches.entry(global).or_default().push((event, touch));
            }
        }
        for touches in touches.into_values() {
            for (at, (one, mine)) in touches.iter().enumerate() {
                for (other, theirs) in &touches[at + 1..] {
                    if (mine.write || theirs.write)
                        && !ordered(ctp, *one, *other)
                        && may_be_same(executor, mine, theirs)
                    {
                        independence.connect(ctp, *one, *other);
                        if !locksets.have_common(ctp, *one, *other) {
                            independence.eager[*one] = false;
                            independence.eager[*other] = false;
                        }
                    }
                }
            }
        }
        independence.locks(ctp);
        independence
    }

    /// Who takes a lock has to do with all others who do so, or give it back. To give one back keeps nobody from anything.
    fn locks(&mut self, ctp: &Ctp) {
        let mut by_lock: FxHashMap<usize, Vec<(Ev, bool)>> = FxHashMap::default();
        for (event, of) in ctp.events.iter().enumerate() {
            for op in &of.locks {
                by_lock.entry(op.lock).or_default().push((event, op.acquire));
            }
        }
        for events in by_lock.into_values() {
            for (at, &(one, takes)) in events.iter().enumerate() {
                for &(other, other_takes) in &events[at + 1..] {
                    if ordered(ctp, one, other) {
                        continue;
                    }
                    self.connect(ctp, one, other);
                    if takes && other_takes {
                        self.eager[one] = false;
                        self.eager[other] = false;
                    }
                }
            }
        }
    }

    fn connect(&mut self, ctp: &Ctp, one: Ev, other: Ev) {
        let (from, to) = (self.group[ctp.events[one].thread], self.group[ctp.events[other].thread]);
        if from != to {
            self.group.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
        }
    }
}

fn ordered(ctp: &Ctp, one: Ev, other: Ev) -> bool {
    ctp.events[one].thread == ctp.events[other].thread
        || ctp.must_precede(one, other)
        || ctp.must_precede(other, one)
}

/// How an event touches a global.
struct Touch {
    index: Vec<smt::TermId>,
    write: bool,
}

fn may_be_same(executor: &mut Executor<'_, '_>, one: &Touch, other: &Touch) -> bool {
    // One of all cells is the same as any.
    if one.index.len() != other.index.len() {
        return true;
    }
    let same = executor.same_index(&one.index, &other.index);
    executor.translator.pool.as_bool(same) != Some(false)
}

/// What an event reads, assigns, or is asked about.
fn touched(ctp: &Ctp, executor: &Executor<'_, '_>, relevant: &Relevant, event: Ev) -> Vec<(GlobalId, Touch)> {
    let mut touched = Vec::new();
    for &of in &relevant.uses[event] {
        let used = &executor.uses[of];
        touched.push((used.global, Touch { index: used.index.clone(), write: false }));
    }
    for definition in &ctp.events[event].definitions {
        if relevant.globals.contains(&definition.global) {
            touched.push((definition.global, Touch { index: definition.index.clone(), write: true }));
        }
    }
    for access in &ctp.events[event].accesses {
        touched.push((access.global, Touch { index: access.index.clone(), write: access.write }));
    }
    touched
}
