//! Fairness: no thread is enabled again and again without ever running.
//!
//! Definition 5 of the paper asks that every cycle contains a step of each thread that is enabled at a node of the cycle.
//! So for each thread, no cycle without its steps may contain a node at which it can be enabled. A cycle lies in a strongly
//! connected component, and each node of a component lies on a cycle.

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use rustc_hash::FxHashMap;

use super::{Checker, Defect, Refusal, Seen};
use crate::NodeId;

impl Checker<'_> {
    /// That every cycle is fair.
    pub(super) fn check_fairness(&mut self, seen: &FxHashMap<NodeId, Seen>) -> Result<(), Refusal> {
        let art = self.art;
        let most = seen.keys().map(|id| art.nodes[*id].location.threads.len()).max().unwrap_or(0);
        let all = on_cycles(seen, |_, _| true);
        for thread in 0..u32::try_from(most).unwrap_or(u32::MAX) {
            let among = |id: NodeId| all.binary_search(&id).is_ok();
            let cycles = on_cycles(seen, |id, (who, to)| *who != thread && among(id) && among(*to));
            for id in cycles {
                self.may_go_on()?;
                self.node = id;
                let node = &art.nodes[id];
                let Some(steps) = self.steps_at(node, thread)? else { continue };
                let facts = self.symbolic.facts(node.label);
                if self.is_possible(&facts, steps.enabled)? {
                    return self.defect(Defect::Unfair(thread));
                }
            }
        }
        Ok(())
    }
}

/// The nodes on cycles of some of the steps, in order.
pub(super) fn on_cycles(
    seen: &FxHashMap<NodeId, Seen>,
    counts: impl Fn(NodeId, &(u32, NodeId)) -> bool,
) -> Vec<NodeId> {
    let mut graph: DiGraphMap<u32, ()> = DiGraphMap::new();
    for (&id, here) in seen {
        for step in here.steps.iter().filter(|step| counts(id, step)) {
            graph.add_edge(id.as_u32(), step.1.as_u32(), ());
        }
    }
    let mut nodes = Vec::new();
    for component in tarjan_scc(&graph) {
        if component.len() > 1 || component.iter().any(|&id| graph.contains_edge(id, id)) {
            nodes.extend(component.into_iter().map(NodeId::from_u32));
        }
    }
    nodes.sort_unstable();
    nodes
}
