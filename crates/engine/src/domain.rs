//! What is known of the values of a program's variables before anything is run.
//!
//! It is plain data, so that the transformation that knows it and the engine that uses it need not know each other.

use ir::{GlobalId, LocalId, ProcId};
use rustc_hash::FxHashMap;

/// The values that a variable can have wherever it is arbitrary. Whoever leaves out all others misses nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// All of its type.
    Any,
    /// One of these integers, in ascending order.
    Numbers(Vec<i64>),
    /// A map with integer indices of which only some cells are ever looked at or changed. All such maps of a type can be
    /// taken to be the same everywhere else.
    Cells {
        /// Which, in ascending order.
        indices: Vec<i64>,
        /// What is in these.
        cell: Box<Domain>,
    },
}

/// The domains of variables. Nothing is known of those that are not there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Domains {
    /// Of globals.
    pub globals: FxHashMap<GlobalId, Domain>,
    /// Of the locals of procedures.
    pub locals: FxHashMap<(ProcId, LocalId), Domain>,
}

impl Domains {
    /// The domain of a global.
    #[must_use]
    pub fn global(&self, id: GlobalId) -> &Domain {
        self.globals.get(&id).unwrap_or(&Domain::Any)
    }

    /// The domain of a local.
    #[must_use]
    pub fn local(&self, proc: ProcId, id: LocalId) -> &Domain {
        self.locals.get(&(proc, id)).unwrap_or(&Domain::Any)
    }
}
