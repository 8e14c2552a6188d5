//! Synchronization that a schedule makes superfluous.
//!
//! Whoever keeps to a schedule never waits for a lock or a barrier: the order of the accesses that conflict is given. So these
//! operations can be left out (section 5.6 of the paper), and with them the order between them. That holds only if nobody asks
//! such an object for anything: if an operation can give different results, or if it is the lock of a condition variable, all
//! stay.

use cranelift_entity::EntitySet;
use indexmap::IndexSet;
use ir::{GlobalId, MutexKind, Op, OpRef, PlaceBase, Program, SyncKind, SyncOp, SyncType};
use rustc_hash::FxHashSet;

/// What is left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Omission {
    /// The operations, in the order of the program.
    pub(crate) ops: IndexSet<OpRef>,
    /// The components of their objects.
    components: FxHashSet<GlobalId>,
}

impl Omission {
    /// Finds the objects whose operations can all be left out.
    pub(crate) fn of(program: &Program, expanded: &ir::Expanded) -> Self {
        let mut needed: EntitySet<GlobalId> = EntitySet::new();
        let mut ops: Vec<(OpRef, GlobalId)> = Vec::new();
        for (proc, body) in &program.procs {
            for (block, index, stmt) in body.stmts() {
                let Op::Sync(sync) = &stmt.op else { continue };
                let PlaceBase::Global(object) = sync.object.base else { continue };
                if !only_waits(program, object, sync) {
                    needed.insert(object);
                }
                if let Some(PlaceBase::Global(mutex)) = sync.mutex.as_ref().map(|place| place.base) {
                    needed.insert(mutex);
                }
                if sync.kind != SyncKind::Init {
                    ops.push((OpRef { proc, block, index }, object));
                }
            }
        }
        ops.retain(|(_, object)| !needed.contains(*object));
        let components = ops.iter().filter_map(|(_, object)| expanded.components.get(object)).flatten();
        Omission {
            components: components.copied().collect(),
            ops: ops.into_iter().map(|(op, _)| op).collect(),
        }
    }

    /// Whether a global is a component of an object whose operations are left out.
    pub(crate) fn has(&self, global: GlobalId) -> bool {
        self.components.contains(&global)
    }
}

/// Whether an operation does no more than keep somebody waiting: its result, if it has one, is always the same.
fn only_waits(program: &Program, object: GlobalId, sync: &SyncOp) -> bool {
    let ty = program.globals[object].ty.sync_inside();
    match sync.kind {
        SyncKind::Init | SyncKind::AcquireRead | SyncKind::AcquireWrite | SyncKind::Down | SyncKind::Up => {
            true
        }
        SyncKind::Acquire => sync.result.is_none() || ty != Some(&SyncType::Mutex(MutexKind::ErrorChecking)),
        SyncKind::Release => {
            sync.result.is_none() || matches!(ty, Some(SyncType::Mutex(MutexKind::Plain) | SyncType::RwLock))
        }
        SyncKind::BarrierWait => sync.result.is_none(),
        _ => false,
    }
}
