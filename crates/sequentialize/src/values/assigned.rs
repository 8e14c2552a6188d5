//! What is assigned for sure when an op is run: by its task before, or by the one that started the task, before that.

use std::collections::BTreeSet;

use ir::{ExprId, ExprNode, GlobalId, Place, PlaceBase, Program};

use super::Set;

/// A global, or one cell of it.
type Cell = (GlobalId, Option<i64>);

/// What is assigned for sure; everything where nothing has been run yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Assigned {
    cells: BTreeSet<Cell>,
}

impl Assigned {
    /// Whether a global is, or all cells of it that an index can lead to.
    pub(super) fn has(&self, global: GlobalId, index: Option<&Set>) -> bool {
        if self.cells.contains(&(global, None)) {
            return true;
        }
        let Some(Set { numbers: Some(numbers), origins }) = index else { return false };
        origins.is_empty() && numbers.iter().all(|index| self.cells.contains(&(global, Some(*index))))
    }

    /// Notes that a place is assigned.
    pub(super) fn add(&mut self, program: &Program, place: &Place) {
        let PlaceBase::Global(global) = place.base else { return };
        match &place.path[..] {
            [] => drop(self.cells.insert((global, None))),
            [indices] => {
                if let [index] = indices[..]
                    && let Some(index) = number(program, index)
                {
                    self.cells.insert((global, Some(index)));
                }
            }
            _ => {}
        }
    }

    pub(super) fn add_all(&mut self, other: &Assigned) {
        self.cells.extend(&other.cells);
    }

    /// Keeps what is assigned on another way, too; whether that is less.
    pub(super) fn keep(&mut self, other: &Assigned) -> bool {
        let before = self.cells.len();
        self.cells.retain(|cell| other.cells.contains(cell));
        before != self.cells.len()
    }
}

/// How deep functions are looked into.
const MOST_NESTED: usize = 8;

/// The number that an expression is, if it is one, or a function that stands for one.
fn number(program: &Program, root: ExprId) -> Option<i64> {
    let mut root = root;
    for _ in 0..MOST_NESTED {
        match program.exprs.node(root) {
            ExprNode::Int(value) => return i64::try_from(value).ok(),
            ExprNode::Apply(func, ..) => root = program.funcs[*func].body?,
            _ => return None,
        }
    }
    None
}
