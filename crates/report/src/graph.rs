//! Drawings as plain data: program schedules, and the trees that prove them. Where things go is decided by who draws.

use engine::Location;
use serde::Serialize;

/// What a graph is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GraphKind {
    /// An abstract reachability tree.
    Tree,
    /// A program schedule: points, and sections with their events between them.
    Schedule,
}

/// A graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Graph {
    /// What it is.
    pub kind: GraphKind,
    /// Threads by name.
    pub threads: Vec<String>,
    /// The nodes; the first is where the program starts.
    pub nodes: Vec<GraphNode>,
    /// The edges.
    pub edges: Vec<GraphEdge>,
    /// How many nodes are left out, since there are too many.
    #[serde(skip_serializing_if = "is_zero")]
    pub left_out: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NodeKind {
    /// Of a tree: a set of states.
    State,
    /// Of a tree: a set of states that another node covers.
    Covered,
    /// An end of the program.
    End,
    /// Of a schedule: where sections start.
    Point,
    /// Of a schedule: a step of a thread.
    Event,
    /// Of a schedule: a step that is synchronization which is not performed, since the order makes it superfluous.
    Omitted,
}

/// A node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GraphNode {
    /// Its name.
    pub id: String,
    /// What it is.
    pub kind: NodeKind,
    /// Who steps: a position in [`Graph::threads`]. In a tree, the step that leads to the node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<usize>,
    /// What the step runs.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Where that is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    /// Of a tree: where each thread is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<String>,
    /// Of a tree: what holds, one fact each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<String>,
    /// Of an event: the section, counted through the schedule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<usize>,
}

/// What an edge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EdgeKind {
    /// Of a tree: a step. Of a schedule: the next event of the same thread.
    Step,
    /// Of a tree: to the node that covers.
    Cover,
    /// Of a schedule: an event of another thread has to come first.
    After,
    /// Of a schedule: into a section, or out of it.
    Next,
}

/// An edge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GraphEdge {
    /// Where it starts: a position in [`Graph::nodes`].
    pub from: usize,
    /// Where it leads.
    pub to: usize,
    /// What it is.
    pub kind: EdgeKind,
    /// When it is taken, if that is to be said.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
}
