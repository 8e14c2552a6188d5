//! Cycles in what a solver takes for an order: which pairs cannot all be as they are.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ctp::{Ctp, Ev};
use crate::order::Order;

/// No more cycles than this are reported at once.
const MOST: usize = 400;

/// What comes right before what, with the pair that says so; program order needs none.
pub(crate) struct Graph {
    nodes: Vec<Ev>,
    next: FxHashMap<Ev, Vec<(Ev, Option<usize>)>>,
}

impl Graph {
    /// The graph of the events of a prefix, given which pairs are swapped.
    pub(crate) fn new(ctp: &Ctp, order: &Order, is_in: &[bool], swapped: &[bool]) -> Self {
        let mut graph = Graph { nodes: Vec::new(), next: FxHashMap::default() };
        for (thread, events) in ctp.threads.iter().enumerate() {
            let mut last = ctp.started_by[thread].filter(|start| is_in[*start]);
            for &event in events.iter().take_while(|event| is_in[**event]) {
                if order.matters(event) {
                    graph.nodes.push(event);
                    if let Some(last) = last {
                        graph.edge(last, event, None);
                    }
                    last = Some(event);
                    for waited in &ctp.events[event].waits {
                        if let Some(completion) = ctp.completed_by[*waited] {
                            graph.edge(completion, event, None);
                        }
                    }
                }
            }
        }
        for (pair, &(early, late, _)) in order.pairs().iter().enumerate() {
            if is_in[early] && is_in[late] {
                let (from, to) = if swapped[pair] { (late, early) } else { (early, late) };
                graph.edge(from, to, Some(pair));
            }
        }
        graph
    }

    fn edge(&mut self, from: Ev, to: Ev, pair: Option<usize>) {
        self.next.entry(from).or_default().push((to, pair));
    }

    fn after(&self, event: Ev) -> &[(Ev, Option<usize>)] {
        self.next.get(&event).map(Vec::as_slice).unwrap_or_default()
    }

    /// The events in order, those that come first in the run first; nothing if there are cycles.
    pub(crate) fn sorted(&self) -> Result<Vec<Ev>, FxHashSet<Ev>> {
        let mut before: FxHashMap<Ev, usize> = FxHashMap::default();
        for (to, _) in self.next.values().flatten() {
            *before.entry(*to).or_default() += 1;
        }
        let free = self.nodes.iter().filter(|node| !before.contains_key(node));
        let mut ready: BinaryHeap<Reverse<Ev>> = free.map(|node| Reverse(*node)).collect();
        let mut sorted = Vec::new();
        while let Some(Reverse(event)) = ready.pop() {
            sorted.push(event);
            for (to, _) in self.after(event) {
                if let Some(count) = before.get_mut(to) {
                    *count -= 1;
                    if *count == 0 {
                        ready.push(Reverse(*to));
                    }
                }
            }
        }
        if sorted.len() == self.nodes.len() {
            return Ok(sorted);
        }
        let done: FxHashSet<Ev> = sorted.into_iter().collect();
        Err(self.nodes.iter().filter(|node| !done.contains(node)).copied().collect())
    }

    /// Short cycles among some events, each as the pairs on it.
    pub(crate) fn cycles(&self, among: &FxHashSet<Ev>, swapped: &[bool]) -> Vec<Vec<usize>> {
        let mut cycles: Vec<Vec<usize>> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut from: Vec<Ev> = among.iter().copied().collect();
        from.sort_unstable();
        // All that is as in the run has no cycles, so each has a pair that is not.
        for event in from {
            for &(to, pair) in self.after(event) {
                let Some(pair) = pair.filter(|pair| swapped[*pair] && among.contains(&to)) else { continue };
                if let Some(mut way) = self.way(to, event, among) {
                    way.push(pair);
                    way.sort_unstable();
                    if seen.insert(way.clone()) {
                        cycles.push(way);
                    }
                }
                if cycles.len() >= MOST {
                    return cycles;
                }
            }
        }
        cycles
    }

    /// The pairs on a shortest way.
    fn way(&self, from: Ev, to: Ev, among: &FxHashSet<Ev>) -> Option<Vec<usize>> {
        let mut came: FxHashMap<Ev, (Ev, Option<usize>)> = FxHashMap::default();
        let mut work = VecDeque::from([from]);
        while let Some(event) = work.pop_front() {
            if event == to {
                let mut pairs = Vec::new();
                let mut at = to;
                while at != from {
                    let (before, pair) = came[&at];
                    pairs.extend(pair);
                    at = before;
                }
                return Some(pairs);
            }
            for &(next, pair) in self.after(event) {
                if among.contains(&next) && next != from && !came.contains_key(&next) {
                    came.insert(next, (event, pair));
                    work.push_back(next);
                }
            }
        }
        None
    }
}
