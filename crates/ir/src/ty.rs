//! Types.

use std::sync::Arc;

use crate::{SortId, SyncType};

/// The type of a variable or expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Truth values.
    Bool,
    /// Mathematical integers.
    Int,
    /// Bit vectors of a width of at least 1.
    Bv(u32),
    /// Total maps.
    Map(Arc<MapType>),
    /// An uninterpreted sort.
    Sort(SortId),
    /// A handle of a task (or thread), or nil.
    Task,
    /// A synchronization object. Only globals and the cells of global maps have such a type, and only
    /// synchronization ops touch them.
    Sync(SyncType),
}

/// Arguments and result of a map type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MapType {
    /// Types of the indices; at least one.
    pub args: Vec<Type>,
    /// Type of the cells.
    pub result: Type,
}

impl Type {
    /// The map type from `args` to `result`.
    #[must_use]
    pub fn map(args: Vec<Type>, result: Type) -> Type {
        Type::Map(Arc::new(MapType { args, result }))
    }

    /// Arguments and result if this is a map type.
    #[must_use]
    pub fn as_map(&self) -> Option<&MapType> {
        match self {
            Type::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The synchronization type of this type or, for a map, of its cells.
    #[must_use]
    pub fn sync_inside(&self) -> Option<&SyncType> {
        match self {
            Type::Sync(sync) => Some(sync),
            Type::Map(map) => map.result.sync_inside(),
            _ => None,
        }
    }

    /// The same type with its synchronization type, at whatever depth of maps, replaced by `plain`.
    #[must_use]
    pub fn with_cell(&self, plain: &Type) -> Type {
        match self {
            Type::Map(map) => Type::map(map.args.clone(), map.result.with_cell(plain)),
            _ => plain.clone(),
        }
    }
}
