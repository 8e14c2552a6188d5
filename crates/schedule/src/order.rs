//! Section schedules: which events of a section have to wait for which others.
//!
//! The order is the smallest one that has the dependent events of a section as they are in its path: it stands for all
//! executions that are equivalent to the path in the sense of Mazurkiewicz. The events of a thread are in order anyway, so
//! the order is a vector clock per event: of each other thread, how many events have to come first.

use rustc_hash::FxHashMap;

use crate::symbolic::{Touch, Touched};

/// What matters of an event for the order.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) thread: u32,
    /// What it touches, with indices that are numbers where they are known.
    pub(crate) touches: Vec<KnownTouch>,
    /// The threads that it starts.
    pub(crate) starts: Vec<u32>,
}

/// An access with the indices that are known: of the others nothing is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct KnownTouch {
    pub(crate) touch: Touch,
    /// For each index, whether it is a value. Two that are values and not the same term differ.
    pub(crate) is_value: Vec<bool>,
}

/// How much is known to be independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Independence {
    /// Nothing: all events in a row.
    None,
    /// Different variables.
    Variables,
    /// Different variables, and different cells of a map.
    Cells,
}

/// A vector clock: pairs of a thread and how many of its events have to come first, in the order of the threads.
pub(crate) type Clock = Vec<(u32, u32)>;

impl Independence {
    pub(crate) fn conflict(self, x: &KnownTouch, y: &KnownTouch) -> bool {
        let (a, b) = (&x.touch, &y.touch);
        if !(a.write || b.write) {
            return false;
        }
        let mut indices = a.indices.iter().zip(&x.is_value).zip(b.indices.iter().zip(&y.is_value));
        let differ = indices.any(|((i, i_is), (j, j_is))| *i_is && *j_is && i != j);
        !(self == Independence::Cells && differ)
    }

    /// Whether all that conflicts with an earlier access conflicts with a later one, too, which conflicts with it or is
    /// of the same thread.
    fn hides(self, later: &KnownTouch, earlier: &KnownTouch, same_thread: bool) -> bool {
        let same_place = self == Independence::Variables
            || later.touch.indices == earlier.touch.indices
            || later.touch.indices.is_empty();
        same_place && (later.touch.write || (same_thread && !earlier.touch.write))
    }
}

/// The clocks of the events of a section.
pub(crate) fn clocks(steps: &[&Step], independence: Independence) -> Vec<Clock> {
    // Each clock has the event itself in it, until the end.
    let mut clocks: Vec<Clock> = Vec::new();
    let mut last: FxHashMap<u32, usize> = FxHashMap::default();
    let mut started: FxHashMap<u32, usize> = FxHashMap::default();
    let mut history: FxHashMap<Touched, Vec<(usize, &KnownTouch)>> = FxHashMap::default();
    for (at, step) in steps.iter().enumerate() {
        let mut clock = Clock::new();
        let mut number = 1;
        match last.get(&step.thread) {
            Some(&before) => {
                merge(&mut clock, &clocks[before]);
                number += count(&clocks[before], step.thread);
            }
            None => {
                if let Some(&by) = started.get(&step.thread) {
                    merge(&mut clock, &clocks[by]);
                }
            }
        }
        if independence == Independence::None && at > 0 {
            merge(&mut clock, &clocks[at - 1]);
        }
        for touch in &step.touches {
            if touch.touch.what == Touched::Everything {
                last.values().for_each(|&before| merge(&mut clock, &clocks[before]));
            }
            let known = history.entry(touch.touch.what).or_default();
            for (before, earlier) in known.iter() {
                if steps[*before].thread != step.thread && independence.conflict(earlier, touch) {
                    merge(&mut clock, &clocks[*before]);
                }
            }
            known.retain(|(before, earlier)| {
                !independence.hides(touch, earlier, steps[*before].thread == step.thread)
            });
            known.push((at, touch));
        }
        merge(&mut clock, &[(step.thread, number)]);
        clocks.push(clock);
        last.insert(step.thread, at);
        started.extend(step.starts.iter().map(|thread| (*thread, at)));
    }
    for (step, clock) in steps.iter().zip(&mut clocks) {
        clock.retain(|(thread, _)| *thread != step.thread);
    }
    clocks
}

fn count(clock: &Clock, thread: u32) -> u32 {
    clock.iter().find(|(other, _)| *other == thread).map_or(0, |(_, count)| *count)
}

/// Adds what another clock asks for.
pub(crate) fn merge(clock: &mut Clock, other: &[(u32, u32)]) {
    for &(thread, count) in other {
        match clock.binary_search_by_key(&thread, |entry| entry.0) {
            Ok(at) => clock[at].1 = clock[at].1.max(count),
            Err(at) => clock.insert(at, (thread, count)),
        }
    }
}

/// Leaves out what other constraints imply: those of the event before of the same thread, and those of the events that
/// have to come first (the transitive reduction).
pub(crate) fn reduce(threads: &[u32], clocks: &[Clock]) -> Vec<Clock> {
    let mut of_thread: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    let mut reduced = Vec::new();
    for (at, thread) in threads.iter().enumerate() {
        let previous = of_thread.get(thread).and_then(|events| events.last());
        let needed = |&(thread, needed): &(u32, u32)| {
            let by_previous = previous.is_some_and(|&before| count(&clocks[before], thread) >= needed);
            let by_others = clocks[at].iter().any(|&(other, number)| {
                let event = of_thread.get(&other).and_then(|events| events.get(number as usize - 1));
                other != thread && event.is_some_and(|&event| count(&clocks[event], thread) >= needed)
            });
            !by_previous && !by_others
        };
        reduced.push(clocks[at].iter().copied().filter(needed).collect());
        of_thread.entry(*thread).or_default().push(at);
    }
    reduced
}

/// What constraints imply, all told; nothing if an event waits for one that comes later in the list.
pub(crate) fn closure(threads: &[u32], constraints: &[Clock]) -> Option<Vec<Clock>> {
    let mut full: Vec<Clock> = Vec::new();
    let mut of_thread: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for (at, own) in threads.iter().enumerate() {
        let mut clock = constraints[at].clone();
        for &(thread, number) in &constraints[at] {
            let event = *of_thread.get(&thread)?.get((number as usize).checked_sub(1)?)?;
            merge(&mut clock, &full[event]);
        }
        if let Some(&before) = of_thread.get(own).and_then(|events| events.last()) {
            merge(&mut clock, &full[before]);
        }
        clock.retain(|(thread, _)| thread != own);
        full.push(clock);
        of_thread.entry(*own).or_default().push(at);
    }
    Some(full)
}

#[cfg(test)]
mod tests {
    use ir::GlobalId;

    use super::*;
    use crate::symbolic::Touch;

    fn step(thread: u32, touches: &[(u32, bool)]) -> Step {
        let touch = |&(global, write): &(u32, bool)| KnownTouch {
            touch: Touch { what: Touched::Global(GlobalId::from_u32(global)), indices: Vec::new(), write },
            is_value: Vec::new(),
        };
        Step { thread, touches: touches.iter().map(touch).collect(), starts: Vec::new() }
    }

    /// All pairs of dependent events, as the definition has them.
    fn by_definition(steps: &[Step]) -> Vec<Clock> {
        let mut before: Vec<Vec<bool>> = Vec::new();
        for (at, step) in steps.iter().enumerate() {
            let mut mine = vec![false; steps.len()];
            for other in 0..at {
                let dependent = steps[other].thread == step.thread
                    || steps[other].touches.iter().any(|x| {
                        step.touches
                            .iter()
                            .any(|y| x.touch.what == y.touch.what && Independence::Variables.conflict(x, y))
                    });
                if dependent {
                    mine[other] = true;
                    (0..other).filter(|first| before[other][*first]).for_each(|first| mine[first] = true);
                }
            }
            before.push(mine);
        }
        let number = |at: usize| {
            let of = steps[..=at].iter().filter(|step| step.thread == steps[at].thread);
            u32::try_from(of.count()).unwrap()
        };
        let clock = |at: usize| {
            let mut clock = Clock::new();
            for other in (0..at).filter(|other| before[at][*other]) {
                merge(&mut clock, &[(steps[other].thread, number(other))]);
            }
            clock.retain(|(thread, _)| *thread != steps[at].thread);
            clock
        };
        (0..steps.len()).map(clock).collect()
    }

    #[test]
    fn clocks_are_those_of_the_definition() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..500 {
            let steps: Vec<Step> = (0..random.usize(1..20))
                .map(|_| {
                    let touches: Vec<(u32, bool)> =
                        (0..random.usize(0..3)).map(|_| (random.u32(0..4), random.bool())).collect();
                    step(random.u32(0..3), &touches)
                })
                .collect();
            let expected = by_definition(&steps);
            let found = clocks(&steps.iter().collect::<Vec<_>>(), Independence::Variables);
            assert_eq!(found, expected, "{steps:?}");
            let threads: Vec<u32> = steps.iter().map(|step| step.thread).collect();
            let closed = |constraints: &[Clock]| closure(&threads, constraints).unwrap();
            let reduced = reduce(&threads, &found);
            assert_eq!(closed(&reduced), expected, "{steps:?}");
            for (at, clock) in reduced.iter().enumerate() {
                for entry in clock {
                    let mut fewer = reduced.clone();
                    fewer[at].retain(|other| other != entry);
                    assert_ne!(closed(&fewer), expected, "{entry:?} of event {at} is superfluous");
                }
            }
        }
    }
}
