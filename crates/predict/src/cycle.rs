//! Cycles in what a solver takes for an order: which pairs cannot all be as they are.

use std::collections::{BTreeSet, VecDeque};

use rustc_hash::FxHashSet;

use crate::ctp::{Ctp, Ev};
use crate::order::Order;

/// No more cycles than this are reported at once.
const MOST: usize = 400;

/// What comes right before what, with the pair that says so; program order needs none.
pub(crate) struct Graph {
    nodes: Vec<Ev>,
    next: Vec<Vec<(Ev, Option<usize>)>>,
    /// The thread of each event.
    thread: Vec<usize>,
}

/// A search for a shortest way: how each event was come to, and by which search.
struct Ways {
    came: Vec<(Ev, Option<usize>)>,
    seen: Vec<usize>,
    search: usize,
    work: VecDeque<Ev>,
}

impl Graph {
    /// The graph of the events of a prefix, given which pairs are swapped.
    pub(crate) fn new(ctp: &Ctp, order: &Order, is_in: &[bool], swapped: &[bool]) -> Self {
        let thread = ctp.events.iter().map(|event| event.thread).collect();
        let mut graph = Graph { nodes: Vec::new(), next: vec![Vec::new(); ctp.events.len()], thread };
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
        self.next[from].push((to, pair));
    }

    /// The events in order: a thread goes on as long as it can, and otherwise whoever came first in the run. If there are
    /// cycles, the events that may be on them.
    pub(crate) fn sorted(&self) -> Result<Vec<Ev>, Vec<Ev>> {
        let mut before = vec![0_usize; self.next.len()];
        for (to, _) in self.next.iter().flatten() {
            before[*to] += 1;
        }
        let mut ready: BTreeSet<Ev> = self.nodes.iter().copied().filter(|node| before[*node] == 0).collect();
        let mut sorted: Vec<Ev> = Vec::new();
        let mut goes_on: Option<Ev> = None;
        while let Some(event) = goes_on.or_else(|| ready.first().copied()) {
            ready.remove(&event);
            sorted.push(event);
            goes_on = None;
            for (to, _) in &self.next[event] {
                before[*to] -= 1;
                if before[*to] == 0 {
                    ready.insert(*to);
                    if self.thread[*to] == self.thread[event] {
                        goes_on = Some(*to);
                    }
                }
            }
        }
        if sorted.len() == self.nodes.len() {
            return Ok(sorted);
        }
        Err(self.nodes.iter().filter(|node| before[**node] > 0).copied().collect())
    }

    /// Short cycles among some events, each as the pairs on it.
    pub(crate) fn cycles(&self, events: &[Ev], swapped: &[bool]) -> Vec<Vec<usize>> {
        let mut among = vec![false; self.next.len()];
        for &event in events {
            among[event] = true;
        }
        let mut ways = Ways {
            came: vec![(0, None); self.next.len()],
            seen: vec![0; self.next.len()],
            search: 0,
            work: VecDeque::new(),
        };
        let mut cycles: Vec<Vec<usize>> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut from = events.to_vec();
        from.sort_unstable();
        // All that is as in the run has no cycles, so each has a pair that is not.
        for event in from {
            for &(to, pair) in &self.next[event] {
                let Some(pair) = pair.filter(|pair| swapped[*pair] && among[to]) else { continue };
                if let Some(mut way) = self.way(to, event, &among, &mut ways) {
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
    fn way(&self, from: Ev, to: Ev, among: &[bool], ways: &mut Ways) -> Option<Vec<usize>> {
        ways.search += 1;
        ways.work.clear();
        ways.work.push_back(from);
        ways.seen[from] = ways.search;
        while let Some(event) = ways.work.pop_front() {
            if event == to {
                let mut pairs = Vec::new();
                let mut at = to;
                while at != from {
                    let (before, pair) = ways.came[at];
                    pairs.extend(pair);
                    at = before;
                }
                return Some(pairs);
            }
            for &(next, pair) in &self.next[event] {
                if among[next] && ways.seen[next] != ways.search {
                    ways.seen[next] = ways.search;
                    ways.came[next] = (event, pair);
                    ways.work.push_back(next);
                }
            }
        }
        None
    }
}
