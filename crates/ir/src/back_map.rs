//! From a transformed program back to the one it came from.

use rustc_hash::FxHashMap;

use crate::{BlockId, ProcId};

/// Names one op of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OpRef {
    /// The procedure.
    pub proc: ProcId,
    /// The block.
    pub block: BlockId,
    /// Position in the block.
    pub index: usize,
}

/// For each op of a new program, the op of the old program it stands for. What is not in it stands for nothing
/// that the user wrote.
#[derive(Clone, Debug, Default)]
pub struct BackMap {
    ops: FxHashMap<OpRef, OpRef>,
}

impl BackMap {
    /// Records that `new` stands for `old`.
    pub fn insert(&mut self, new: OpRef, old: OpRef) {
        self.ops.insert(new, old);
    }

    /// The old op that a new one stands for.
    #[must_use]
    pub fn get(&self, new: OpRef) -> Option<OpRef> {
        self.ops.get(&new).copied()
    }
}
