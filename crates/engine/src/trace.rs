//! A run of a sequential program op by op, with the values it reads: what an engine finds that works on formulas.
//!
//! It is plain data, so that the engine that finds it and the transformation that reads it as a run of the original
//! program need not know each other.

use std::collections::BTreeMap;

use ir::{ConstId, FuncId, GlobalId, LocalId, OpRef};
use num_bigint::BigInt;

/// A value of the IR.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(BigInt),
    /// A bit vector: width and unsigned value below 2^width.
    Bv(u32, BigInt),
    /// An element of an uninterpreted sort: two with different names are different.
    Element(String),
    /// A map; one with several indices is a map of maps.
    Map(Box<MapValue>),
}

/// One value everywhere but in some cells.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MapValue {
    /// The value of all other cells.
    pub default: Value,
    /// The values of some cells.
    pub entries: BTreeMap<Value, Value>,
}

impl Value {
    /// The cell of a map at some indices; the value itself without indices, and nothing if it is no such map.
    #[must_use]
    pub fn at(&self, indices: &[Value]) -> Option<&Value> {
        indices.iter().try_fold(self, |value, index| match value {
            Value::Map(map) => Some(map.entries.get(index).unwrap_or(&map.default)),
            _ => None,
        })
    }
}

/// A variable of the frame that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variable {
    /// A global.
    Global(GlobalId),
    /// A local of the running procedure.
    Local(LocalId),
}

/// One op that ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// The op.
    pub at: OpRef,
    /// Which activation of its procedure: numbered from 0 in the order in which they begin.
    pub frame: usize,
    /// The variables it reads, each once, with what it finds. A map is read as a whole.
    pub reads: Vec<(Variable, Value)>,
    /// The variables it assigns, with what they are afterwards. A call has none; its results are assigned when the
    /// callee returns, and belong to no step.
    pub writes: Vec<(Variable, Value)>,
    /// For an op that ends a block: the position of the target taken, among its successors.
    pub target: Option<usize>,
}

/// A run of a sequential program from its start to a failing assertion, which is the last step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The values of the constants.
    pub constants: Vec<(ConstId, Value)>,
    /// The functions without a body as maps from their arguments; one without parameters is its value.
    pub functions: Vec<(FuncId, Value)>,
    /// The values of all globals at the start.
    pub initial: Vec<(GlobalId, Value)>,
    /// The ops.
    pub steps: Vec<TraceStep>,
}
