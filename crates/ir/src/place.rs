//! What can be assigned: a variable, or a cell of a map variable.

use crate::{ExprId, GlobalId, LocalId};

/// The variable of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlaceBase {
    /// A global.
    Global(GlobalId),
    /// A local of the procedure the place is used in.
    Local(LocalId),
}

/// A variable and, for a cell of a map, the indices on the way to it: `m[i, j][k]` has the path `[[i, j], [k]]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The variable.
    pub base: PlaceBase,
    /// One list of indices per map on the way.
    pub path: Vec<Vec<ExprId>>,
}

impl Place {
    /// A whole global.
    #[must_use]
    pub fn global(id: GlobalId) -> Place {
        Place { base: PlaceBase::Global(id), path: Vec::new() }
    }

    /// A whole local.
    #[must_use]
    pub fn local(id: LocalId) -> Place {
        Place { base: PlaceBase::Local(id), path: Vec::new() }
    }

    /// The cell of this place at `indices`.
    #[must_use]
    pub fn at(mut self, indices: Vec<ExprId>) -> Place {
        self.path.push(indices);
        self
    }
}
