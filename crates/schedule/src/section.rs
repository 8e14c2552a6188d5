//! Sections: the parts of a tree without branches.
//!
//! A section path follows the edges of a tree from one point to the next (section 4 of the paper). Points are the root, the nodes
//! at which the thread that runs has more than one edge, those that cover others, and the ends. At a point with branches a section
//! starts with one of the edges, and the thread that runs decides which. Edges that lead only to nodes whose label is false are
//! left out: no run takes them.

use cranelift_entity::SecondaryMap;
use indexmap::IndexSet;

use crate::{Art, Choice, Edge, NodeId};

/// A step of a section: where it starts, who runs, and along which edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg<'a> {
    pub(crate) node: NodeId,
    pub(crate) thread: u32,
    pub(crate) edge: &'a Edge,
}

/// A path without branches from one point to another.
#[derive(Clone, Debug)]
pub(crate) struct SectionPath<'a> {
    pub(crate) legs: Vec<Leg<'a>>,
    /// The point at its end, by its position.
    pub(crate) next: usize,
}

/// The sections of a tree that was checked, by the point at which they start.
pub(crate) fn sections(art: &Art) -> Vec<Vec<SectionPath<'_>>> {
    let dead = dead(art);
    let edges = |node: NodeId| legs(art, &dead, node);
    let is_point = points(art, &edges);
    let mut points: IndexSet<NodeId> = IndexSet::from([art.resolve(Art::ROOT)]);
    let mut paths = Vec::new();
    while let Some(&start) = points.get_index(paths.len()) {
        let mut here = Vec::new();
        for first in edges(start) {
            let mut legs = vec![first];
            let mut at = art.resolve(first.edge.target);
            while !is_point[at]
                && let [only] = edges(at).as_slice()
            {
                legs.push(*only);
                at = art.resolve(only.edge.target);
            }
            let (next, _) = points.insert_full(at);
            here.push(SectionPath { legs, next });
        }
        paths.push(here);
    }
    paths
}

/// The edges that count at a node: those of the first thread that has any.
fn legs<'a>(art: &'a Art, dead: &SecondaryMap<NodeId, bool>, node: NodeId) -> Vec<Leg<'a>> {
    let alive = |edge: &Edge| !dead[edge.target];
    let choice = art.nodes[node].choices.iter().find(|choice| choice.edges.iter().any(alive));
    let Some(Choice { thread, edges }) = choice else { return Vec::new() };
    edges.iter().filter(|edge| alive(edge)).map(|edge| Leg { node, thread: *thread, edge }).collect()
}

/// The nodes from which runs lead nowhere: their labels are false, or so are those of all nodes after them.
fn dead(art: &Art) -> SecondaryMap<NodeId, bool> {
    let mut dead: SecondaryMap<NodeId, bool> = SecondaryMap::new();
    loop {
        let mut changed = false;
        for (id, node) in art.nodes.iter().rev() {
            let mut targets = node.choices.iter().flat_map(|choice| &choice.edges).map(|edge| edge.target);
            let nowhere = art.pool.as_bool(node.label) == Some(false)
                || (!node.choices.is_empty() && targets.all(|target| dead[target]));
            if nowhere && !dead[id] {
                dead[id] = true;
                changed = true;
            }
        }
        if !changed {
            return dead;
        }
    }
}

/// Which nodes are points.
fn points<'a>(art: &'a Art, edges: &impl Fn(NodeId) -> Vec<Leg<'a>>) -> SecondaryMap<NodeId, bool> {
    let mut is_point: SecondaryMap<NodeId, bool> = SecondaryMap::new();
    let mut seen: SecondaryMap<NodeId, bool> = SecondaryMap::new();
    let root = art.resolve(Art::ROOT);
    (is_point[root], seen[root]) = (true, true);
    let mut work = vec![root];
    while let Some(node) = work.pop() {
        let legs = edges(node);
        is_point[node] |= legs.len() != 1;
        for leg in legs {
            let target = art.resolve(leg.edge.target);
            // A node to which more than one way leads.
            is_point[target] |= seen[target] || target != leg.edge.target;
            if !seen[target] {
                seen[target] = true;
                work.push(target);
            }
        }
    }
    is_point
}
