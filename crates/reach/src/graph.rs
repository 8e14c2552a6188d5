//! The graph of what was inlined so far: nodes with the ops that run there, and how control comes to them.
//!
//! Each edge has a literal. Formulas only ever say that a literal needs others: an edge needs its source and its
//! condition, a node needs one of its edges. So a model in which the failing assertion is reached holds a way back
//! from it to the start, and all that is not on this way can be false.

use std::rc::Rc;

use cranelift_entity::{PrimaryMap, entity_impl};
use engine::Variable;
use ir::OpRef;
use smt::TermId;

use crate::split::Leave;
use crate::state::State;
use crate::units::UnitId;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $display:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) struct $name(u32);
        entity_impl!($name, $display);
    )*};
}

ids! {
    /// Names a node.
    NodeId = "node";
    /// Names a call, or an entry of a loop, that is inlined when it is needed.
    SiteId = "site";
    /// Names a unit that was inlined at a site.
    InstanceId = "instance";
}

/// An op that runs in a node.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) at: OpRef,
    /// What it assigns.
    pub(crate) writes: Vec<(Variable, TermId)>,
}

/// A place in the graph: a node and how many of its ops have run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) node: NodeId,
    pub(crate) events: usize,
}

/// How control comes to a node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    /// It is the first node of its instance.
    Start,
    /// From another node; the position of the target, if an op was passed that has several.
    Edge { from: Point, target: Option<usize> },
    /// From a site, in one of the ways in which it is left.
    Site { site: SiteId, leave: usize },
}

/// One way into a node, and the literal that says that it is taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Incoming {
    pub(crate) source: Source,
    pub(crate) on: TermId,
}

/// Ops that run one after the other.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) incoming: Vec<Incoming>,
    /// The state before the first op.
    pub(crate) start: State,
    pub(crate) events: Vec<Event>,
}

/// A call or an entry of a loop.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) unit: UnitId,
    /// Where it stands.
    pub(crate) origin: Point,
    pub(crate) parent: Option<InstanceId>,
    /// The state in which the unit starts.
    pub(crate) entry: State,
    /// The ways in which it can be left.
    pub(crate) leaves: Rc<[Leave]>,
    /// One literal for each of these: it is entered here and left so.
    pub(crate) goals: Vec<TermId>,
    /// What the variables that the unit may assign are afterwards, but for the split ones; shared by all ways.
    pub(crate) outputs: Vec<(Variable, TermId)>,
    /// The units around it, the outermost first.
    pub(crate) around: Rc<[UnitId]>,
    pub(crate) instance: Option<InstanceId>,
}

/// A unit that was inlined.
#[derive(Debug)]
pub(crate) struct Instance {
    pub(crate) unit: UnitId,
    /// Nothing for the program's entry.
    pub(crate) site: Option<SiteId>,
    /// The node at the end of each way out of its site, or for the program's entry at each exit; nothing if control
    /// cannot come there.
    pub(crate) exits: Vec<Option<NodeId>>,
}

/// All of it.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) nodes: PrimaryMap<NodeId, Node>,
    pub(crate) sites: PrimaryMap<SiteId, Site>,
    pub(crate) instances: PrimaryMap<InstanceId, Instance>,
}

impl Graph {
    /// The end of a node as it is now.
    pub(crate) fn end(&self, node: NodeId) -> Point {
        Point { node, events: self.nodes[node].events.len() }
    }
}
