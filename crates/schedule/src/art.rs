//! Abstract reachability trees.
//!
//! All ops are those of the program with its synchronization expanded (see [`ir::expand`]), and an edge is one step as
//! `interp` takes it: from one scheduling point to the next.

use cranelift_entity::PrimaryMap;
use indexmap::IndexMap;
use ir::{GlobalId, LocalId, OpRef, ProcId};
use smt::{TermId, TermPool};

ir::ids! {
    /// Names a node of a tree.
    NodeId = "n";
}

/// A variable of a state. Threads have the numbers in which they were started, from 0; their handles are these plus one.
/// The frames of a thread are counted from its first procedure, which is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variable {
    /// A global.
    Global(GlobalId),
    /// A local of a frame of a thread.
    Local {
        /// The thread.
        thread: u32,
        /// The frame.
        frame: u32,
        /// Its procedure.
        proc: ProcId,
        /// The local.
        local: LocalId,
    },
    /// A result of a thread that has completed, by position.
    Result {
        /// The thread.
        thread: u32,
        /// The procedure that it ran.
        proc: ProcId,
        /// Which one.
        index: u32,
    },
}

/// Where a thread is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ThreadAt {
    /// For each of its frames, oldest first: the call in which it is, and for the newest the op that is next.
    Running(Vec<OpRef>),
    /// It has completed; which procedure it ran.
    Completed(ProcId),
}

/// Where all threads are that were ever started, in the order of their numbers. After `exit` there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Location {
    /// The threads.
    pub threads: Vec<ThreadAt>,
}

/// One way in which a thread can step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The ops that it runs, in order. A step that comes to an op at which it blocks or fails, and that is no scheduling
    /// point, ends before that op.
    pub ops: Vec<OpRef>,
    /// The threads whose handles it gives to variables that are to get the handle of any thread, in order: who is woken.
    pub handles: Vec<u32>,
    /// Where it leads.
    pub target: NodeId,
}

/// A thread that may run at a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Which one.
    pub thread: u32,
    /// All ways in which it can step, except those that the label rules out. No two have the same ops and handles and lead to
    /// the same location.
    pub edges: Vec<Edge>,
}

/// A set of states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Where the threads are.
    pub location: Location,
    /// What holds: a formula over [`Art::variables`] and the constants and functions of the program.
    pub label: TermId,
    /// The threads that may run. A node that is covered has none.
    pub choices: Vec<Choice>,
    /// The node whose choices count instead: it is at the same location, and its label follows from this one's.
    pub cover: Option<NodeId>,
    /// For each thread, the one in whose place it is at the node that covers this one; empty if it is the same for all. Only
    /// proofs that every schedule is safe may do so: a schedule tells threads apart.
    pub renaming: Vec<u32>,
}

/// An abstract reachability tree.
///
/// Read as a schedule it permits, at each node, the threads that have a choice there; a step leads along the edge whose
/// ops it ran. A node where no thread can run is an end of the program.
#[derive(Clone, Debug)]
pub struct Art {
    /// The terms of the labels.
    pub pool: TermPool,
    /// The constants that stand for variables in the labels.
    pub variables: IndexMap<Variable, TermId>,
    /// The nodes; the first is the root.
    pub nodes: PrimaryMap<NodeId, Node>,
}

impl Art {
    /// Where the program starts.
    pub const ROOT: NodeId = NodeId(0);

    /// The node whose choices count at a node.
    #[must_use]
    pub fn resolve(&self, node: NodeId) -> NodeId {
        self.nodes[node].cover.unwrap_or(node)
    }
}
