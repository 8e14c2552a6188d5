//! Sorts, interned in the pool so that terms name them with a small id.

/// Names a sort of a [`TermPool`](crate::TermPool).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SortId(pub(crate) u32);

impl SortId {
    /// The truth values; the same in every pool.
    pub const BOOL: SortId = SortId(0);
    /// The mathematical integers; the same in every pool.
    pub const INT: SortId = SortId(1);

    /// Position in the pool.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What values a term can have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Mathematical integers.
    Int,
    /// Bit vectors of a width of at least one.
    Bv(u32),
    /// Total maps from the first sort to the second. Maps with several indices are curried.
    Array(SortId, SortId),
    /// A sort of which nothing is known but its name.
    Uninterpreted(String),
}
