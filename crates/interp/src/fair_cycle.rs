//! Infinite executions: fair cycles of the state graph.
//!
//! A cycle is an infinite execution if nobody who is kept from running has a right to run. Under strong fairness
//! a thread that is enabled infinitely often runs infinitely often; under weak fairness one that is enabled from
//! some point on does. A fair choice that is made infinitely often is not refused for ever. A run in which a
//! thread stays at an assume that never holds is not a run. And a cycle with a progress mark is none that matters.
//!
//! The search is the usual one for such (Streett) conditions: decompose into strongly connected components,
//! take out of a component what makes it unfair, and decompose what is left.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::code::Pc;
use crate::graph::{Graph, Label, Threads};
use crate::machine::Effects;
use crate::pack::StateId;
use crate::scc::components;

/// Which infinite executions count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fairness {
    /// Those in which every thread that is enabled infinitely often runs infinitely often.
    Strong,
    /// Those in which every thread that is enabled from some point on runs infinitely often.
    Weak,
    /// All.
    None,
}

/// The search was stopped from outside.
pub(crate) struct Stopped;

/// An edge of a cycle.
#[derive(Clone, Debug)]
pub(crate) struct CycleEdge {
    pub(crate) from: StateId,
    pub(crate) to: StateId,
    label: Label,
}

impl CycleEdge {
    pub(crate) fn thread(&self) -> usize {
        usize::from(self.label.thread)
    }

    /// Whether a step of a thread is the one that this edge stands for.
    pub(crate) fn matches(&self, thread: usize, effects: &Effects) -> bool {
        self.thread() == thread && self.label.progress == effects.progress && self.label.fair == effects.fair
    }
}

/// A cycle, as a sequence of edges that ends where it starts.
pub(crate) struct Cycle {
    edges: Vec<CycleEdge>,
}

impl Cycle {
    pub(crate) fn start(&self) -> StateId {
        self.edges.first().map_or(0, |edge| edge.from)
    }

    pub(crate) fn edges(&self) -> &[CycleEdge] {
        &self.edges
    }

    /// In words, without names.
    pub(crate) fn describe(&self) -> String {
        let threads: BTreeSet<usize> = self.edges.iter().map(CycleEdge::thread).collect();
        match threads.len() {
            1 => "one thread runs for ever".to_owned(),
            count => format!("{count} threads run for ever"),
        }
    }
}

/// A part of the graph to search: its states, and the fair choices whose refusal is taken out.
struct Part {
    states: Vec<StateId>,
    taken_out: BTreeSet<(u8, Pc)>,
}

/// What happens inside a component.
#[derive(Default)]
struct Inside {
    moving: u64,
    refused: BTreeSet<(u8, Pc)>,
    granted: BTreeSet<(u8, Pc)>,
    edges: usize,
}

impl Graph {
    /// The edges that a part keeps: no progress, none of the refusals that were taken out.
    fn kept<'a>(
        &'a self,
        state: StateId,
        taken_out: &'a BTreeSet<(u8, Pc)>,
    ) -> impl Iterator<Item = (StateId, &'a Label)> + 'a {
        self.edges_of(state).filter(move |(_, label)| {
            let refuses = |&(pc, granted): &(Pc, bool)| !granted && taken_out.contains(&(label.thread, pc));
            !label.progress && !label.fair.iter().any(refuses)
        })
    }

    /// A fair cycle of some states, if there is one. Steps to other states count where it is asked who could run. `stop`
    /// is asked between components.
    pub(crate) fn fair_cycle(
        &self,
        states: Vec<StateId>,
        fairness: Fairness,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Cycle>, Stopped> {
        let count = self.len();
        let mut parts = vec![Part { states, taken_out: BTreeSet::new() }];
        while let Some(part) = parts.pop() {
            if stop() {
                return Err(Stopped);
            }
            let found = components(&part.states, count, |state, out| {
                out.extend(self.kept(state, &part.taken_out).map(|(to, _)| to));
            });
            for component in found {
                let inside = self.inside(&component, &part.taken_out);
                if inside.edges == 0 {
                    continue;
                }
                match self.judge(&component, &inside, fairness) {
                    Judgement::Fair => {
                        return Ok(Some(self.cycle(&component, &part.taken_out, &inside, fairness)));
                    }
                    Judgement::Hopeless => {}
                    Judgement::Without { states, refusals } => {
                        let states = component.into_iter().filter(|s| !states.contains(s)).collect();
                        let taken_out = part.taken_out.union(&refusals).copied().collect();
                        parts.push(Part { states, taken_out });
                    }
                }
            }
        }
        Ok(None)
    }

    fn inside(&self, component: &[StateId], taken_out: &BTreeSet<(u8, Pc)>) -> Inside {
        let mut inside = Inside::default();
        for &state in component {
            for (to, label) in self.kept(state, taken_out) {
                if component.binary_search(&to).is_ok() {
                    inside.add(label);
                }
            }
        }
        inside
    }

    /// Whether the infinite execution that visits all these states again and again, with just the steps inside,
    /// is fair, and if not, what stands in the way.
    fn judge(&self, states: &[StateId], inside: &Inside, fairness: Fairness) -> Judgement {
        let threads = |state: &StateId| self.threads(*state);
        let all = |pick: fn(&Threads) -> u64| {
            states.iter().map(|s| pick(&threads(s))).fold(u64::MAX, |set, next| set & next)
        };
        let any = |pick: fn(&Threads) -> u64| states.iter().map(|s| pick(&threads(s))).fold(0, |a, b| a | b);
        let idle = any(|t| t.live) & !inside.moving;
        // Whoever does not move stays at one instruction: if that is an assume that does not hold somewhere, it
        // is an assume everywhere.
        let never_holds = idle & all(|t| t.at_false_assume);
        let unfair = match fairness {
            Fairness::Strong => idle & any(|t| t.at_false_assume),
            Fairness::Weak => idle & all(|t| t.enabled),
            Fairness::None => 0,
        };
        if never_holds | unfair != 0 {
            return Judgement::Hopeless;
        }
        let ignored = if fairness == Fairness::Strong { idle & any(|t| t.enabled) } else { 0 };
        let out = states.iter().copied().filter(|s| threads(s).enabled & ignored != 0);
        let out: BTreeSet<StateId> = out.collect();
        let refusals: BTreeSet<(u8, Pc)> = inside.refused.difference(&inside.granted).copied().collect();
        if out.is_empty() && refusals.is_empty() {
            Judgement::Fair
        } else {
            Judgement::Without { states: out, refusals }
        }
    }

    /// A cycle in a fair component that is fair itself: a short one if that will do, else one that takes a step
    /// of every thread that moves, grants every fair choice and visits every state that fairness needs.
    fn cycle(
        &self,
        component: &[StateId],
        taken_out: &BTreeSet<(u8, Pc)>,
        inside: &Inside,
        fairness: Fairness,
    ) -> Cycle {
        const ATTEMPTS: usize = 64;
        let walker = Walker { graph: self, component, taken_out };
        let mut best: Option<Vec<CycleEdge>> = None;
        for &start in component.iter().take(ATTEMPTS) {
            let Some(edges) = walker.path(start, |edge| edge.to == start) else { continue };
            let shorter = best.as_ref().is_none_or(|b| edges.len() < b.len());
            if shorter && self.is_fair_walk(&edges, fairness) {
                best = Some(edges);
            }
        }
        let edges = best.unwrap_or_else(|| walker.covering(inside));
        Cycle { edges }
    }

    fn is_fair_walk(&self, edges: &[CycleEdge], fairness: Fairness) -> bool {
        let mut inside = Inside::default();
        edges.iter().for_each(|edge| inside.add(&edge.label));
        let mut states: Vec<StateId> = edges.iter().map(|edge| edge.from).collect();
        states.sort_unstable();
        states.dedup();
        matches!(self.judge(&states, &inside, fairness), Judgement::Fair)
    }
}

impl Inside {
    fn add(&mut self, label: &Label) {
        self.edges += 1;
        self.moving |= 1 << label.thread;
        for &(pc, granted) in &label.fair {
            let set = if granted { &mut self.granted } else { &mut self.refused };
            set.insert((label.thread, pc));
        }
    }
}

enum Judgement {
    Fair,
    /// No part of it is fair either.
    Hopeless,
    /// It may have fair parts without these states and refusals.
    Without {
        states: BTreeSet<StateId>,
        refusals: BTreeSet<(u8, Pc)>,
    },
}

/// Finds paths inside a component.
struct Walker<'a> {
    graph: &'a Graph,
    component: &'a [StateId],
    taken_out: &'a BTreeSet<(u8, Pc)>,
}

impl Walker<'_> {
    fn edges(&self, from: StateId) -> impl Iterator<Item = CycleEdge> + '_ {
        self.graph
            .kept(from, self.taken_out)
            .filter(|(to, _)| self.component.binary_search(to).is_ok())
            .map(move |(to, label)| CycleEdge { from, to, label: label.clone() })
    }

    /// A shortest path of at least one edge that ends with an edge that `goal` likes.
    fn path(&self, start: StateId, mut goal: impl FnMut(&CycleEdge) -> bool) -> Option<Vec<CycleEdge>> {
        let mut came_by: FxHashMap<StateId, CycleEdge> = FxHashMap::default();
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(state) = queue.pop_front() {
            for edge in self.edges(state) {
                if goal(&edge) {
                    let mut path = vec![edge];
                    while path[path.len() - 1].from != start {
                        path.push(came_by[&path[path.len() - 1].from].clone());
                    }
                    path.reverse();
                    return Some(path);
                }
                if edge.to != start && !came_by.contains_key(&edge.to) {
                    queue.push_back(edge.to);
                    came_by.insert(edge.to, edge);
                }
            }
        }
        None
    }

    /// A closed walk that visits every state of the component: with it, what holds of the component holds of the
    /// walk. Large components are covered edge kind by edge kind first, so that the walk is no longer than needed.
    fn covering(&self, inside: &Inside) -> Vec<CycleEdge> {
        let start = self.component[0];
        let mut walk: Vec<CycleEdge> = Vec::new();
        let end = |walk: &[CycleEdge]| walk.last().map_or(start, |edge| edge.to);
        for thread in (0u8..64).filter(|&t| inside.moving & (1 << t) != 0) {
            if !walk.iter().any(|edge| edge.label.thread == thread) {
                walk.extend(self.path(end(&walk), |edge| edge.label.thread == thread).unwrap_or_default());
            }
        }
        for &(thread, pc) in &inside.granted {
            let grants =
                |edge: &CycleEdge| edge.label.thread == thread && edge.label.fair.contains(&(pc, true));
            if !walk.iter().any(grants) {
                walk.extend(self.path(end(&walk), grants).unwrap_or_default());
            }
        }
        self.visit_states_that_excuse(inside, &mut walk);
        if end(&walk) != start {
            walk.extend(self.path(end(&walk), |edge| edge.to == start).unwrap_or_default());
        }
        walk
    }

    /// Threads that do not move are excused by states in which they are not enabled (weak fairness), and an
    /// assume by a state in which it holds.
    fn visit_states_that_excuse(&self, inside: &Inside, walk: &mut Vec<CycleEdge>) {
        let start = self.component[0];
        let threads = |state: StateId| self.graph.threads(state);
        let any = |pick: fn(&Threads) -> u64| {
            self.component.iter().map(|&s| pick(&threads(s))).fold(0, |set, next| set | next)
        };
        let idle = any(|t| t.live) & !inside.moving;
        for thread in (0..64).filter(|t| idle & (1 << t) != 0) {
            for enabled in [true, false] {
                let wanted = |state: StateId| (threads(state).enabled & (1 << thread) != 0) == enabled;
                let here = walk.last().map_or(start, |edge| edge.to);
                let visited = wanted(start) || walk.iter().any(|edge| wanted(edge.to));
                if !visited && self.component.iter().any(|&s| wanted(s)) {
                    walk.extend(self.path(here, |edge| wanted(edge.to)).unwrap_or_default());
                }
            }
        }
    }
}
