//! Which objects a pointer can point to, and where in them: Andersen's analysis, field by field, with the call graph
//! found on the way.
//!
//! Any value of at least pointer size can carry a pointer, integers included. A target is an object and a canonical
//! offset in it (see [`crate::layout`]). The analysis is repeated until the layouts are right: a first round guesses as
//! what the heap is used, later ones find out which arrays are indexed by computed numbers. The guess is only about how memory is divided; what
//! the last round finds holds for any division.

mod constraints;
mod effects;
mod solve;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::module::{ConstId, FuncId, Module, Operand, ValueId};
use crate::objects::{ObjectId, Objects, Site};
use crate::patience::{OutOfTime, Patience};

/// A place that a pointer can point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Target {
    pub(crate) object: ObjectId,
    /// Canonical offset.
    pub(crate) offset: u64,
}

/// What was found out.
#[derive(Clone, Debug, Default)]
pub(crate) struct PointsTo {
    pub(crate) objects: Objects,
    /// Functions that can be called, in the order of discovery.
    pub(crate) reachable: Vec<FuncId>,
    /// Who can be called where: bodies, and for library functions that call back, what they call.
    pub(crate) callees: FxHashMap<(FuncId, Site), Vec<FuncId>>,
    /// Who can be started as a thread where.
    pub(crate) starts: FxHashMap<(FuncId, Site), Vec<FuncId>>,
    /// Who is called with the values of thread-specific keys when threads end.
    pub(crate) destructors: Vec<FuncId>,
    /// For parameters that are passed by value: where the pointers that callers give can point to.
    pub(crate) incoming: FxHashMap<(FuncId, ValueId), Vec<Target>>,
    values: FxHashMap<(FuncId, ValueId), Vec<Target>>,
    consts: FxHashMap<ConstId, Vec<Target>>,
    /// Places that pointers to bytes walk over.
    pub(crate) walked: FxHashSet<Target>,
    /// Objects whose address is in memory, or given to a thread, or returned.
    pub(crate) stored: FxHashSet<ObjectId>,
}

impl PointsTo {
    /// Where an operand of a function can point to, in order.
    pub(crate) fn targets(&self, func: FuncId, operand: Operand) -> &[Target] {
        match operand {
            Operand::Value(value) => self.values.get(&(func, value)),
            Operand::Const(id) => self.consts.get(&id),
        }
        .map_or(&[], Vec::as_slice)
    }
}

/// Analyses all that can be called from `roots`.
pub(crate) fn analyse(
    module: &Module,
    roots: &[FuncId],
    patience: Patience<'_>,
) -> Result<PointsTo, OutOfTime> {
    let mut objects = Objects::new(module);
    loop {
        let mut solver = solve::Solver::new(module, &objects);
        for &root in roots {
            solver.reach(root);
        }
        solver.add_arguments();
        solver.run(patience)?;
        let (findings, mut result) = solver.finish();
        if !objects.refine(module, &findings) {
            result.objects = objects;
            return Ok(result);
        }
    }
}
