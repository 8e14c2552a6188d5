//! The one op type. `docs/ir.md` has syntax and meaning of each; this is the data.

use source::Span;

use crate::{BlockId, ExprId, Place, ProcId, SyncOp};

/// Whether two conflicting accesses at the same time are a data race.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessOrder {
    /// An ordinary access.
    Plain,
    /// An atomic access (C11 atomics, compiler builtins): never part of a race.
    Atomic,
}

/// What kind of violation a failing assertion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssertKind {
    /// The program's own assertion.
    Assertion,
    /// An invalid access to memory.
    Memory,
}

/// What one step does. Ops from [`Op::Goto`] on end a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// Evaluates all values and indices, then assigns all targets at once.
    Assign {
        /// What is assigned; no cell twice.
        targets: Vec<Place>,
        /// One value per target.
        values: Vec<ExprId>,
        /// Whether the accesses can race.
        order: AccessOrder,
    },
    /// Gives each target an arbitrary value of its type (a task handle becomes that of any task there is).
    Havoc {
        /// What is assigned.
        targets: Vec<Place>,
    },
    /// Filters: a run in which this never comes to hold here is not a run of the program.
    Assume(ExprId),
    /// Blocks until the guard holds, and in the same instant assigns. With no targets it only waits. All
    /// accesses are atomic.
    Await {
        /// What to wait for.
        guard: ExprId,
        /// What is assigned.
        targets: Vec<Place>,
        /// One value per target.
        values: Vec<ExprId>,
    },
    /// Fails the run if the condition does not hold.
    Assert {
        /// What must hold.
        cond: ExprId,
        /// The kind of violation otherwise.
        kind: AssertKind,
        /// What to tell the user.
        message: String,
    },
    /// Calls a procedure; `results` is empty or has one place per result of the callee.
    Call {
        /// The callee.
        proc: ProcId,
        /// One argument per parameter.
        args: Vec<ExprId>,
        /// Where the results go.
        results: Vec<Place>,
    },
    /// Starts a task that runs a procedure.
    Spawn {
        /// The procedure.
        proc: ProcId,
        /// One argument per parameter.
        args: Vec<ExprId>,
        /// Where the handle goes.
        handle: Option<Place>,
    },
    /// Blocks until the task has completed, then takes its results (none, or one place per result). Waiting for
    /// nil blocks for ever.
    Wait {
        /// The handle.
        task: ExprId,
        /// Where the results go.
        results: Vec<Place>,
    },
    /// From here to the matching end, everything is one step; it blocks unless some way through passes every
    /// assume, await, wait and synchronization op inside.
    AtomicBegin,
    /// Ends the innermost atomic section.
    AtomicEnd,
    /// A point at which a cooperative scheduler switches.
    Yield,
    /// A progress mark: a lasso that passes one is not a livelock.
    Progress,
    /// A mark: what comes from here to the matching end is meant to be indivisible. It changes nothing that a program
    /// does; who predicts violations of atomicity reads it.
    TransactionBegin,
    /// Ends the innermost transaction.
    TransactionEnd,
    /// A synchronization op; [`crate::expand`] defines it.
    Sync(SyncOp),
    /// Something the frontend cannot express; its results are known only from a recorded run.
    Opaque {
        /// What it assigns.
        targets: Vec<Place>,
        /// What it is, for people.
        what: String,
    },

    /// Continues at a block.
    Goto(BlockId),
    /// Continues at one of two blocks.
    Branch {
        /// Decides.
        cond: ExprId,
        /// Where to go if it holds.
        then: BlockId,
        /// Where to go if not.
        otherwise: BlockId,
    },
    /// Continues at any of the blocks.
    Choose {
        /// At least one block.
        targets: Vec<BlockId>,
        /// The target (by its position) that may not be refused for ever, if any.
        fair: Option<usize>,
    },
    /// Returns from the procedure; from a task's first procedure, completes the task.
    Return,
    /// Ends the whole program normally, whatever other tasks are doing.
    Exit,
}

/// An op and the source it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stmt {
    /// The op.
    pub op: Op,
    /// Where it stands in the source.
    pub span: Span,
}

impl Op {
    /// Whether the op ends a block.
    #[must_use]
    pub fn is_terminator(&self) -> bool {
        matches!(self, Op::Goto(_) | Op::Branch { .. } | Op::Choose { .. } | Op::Return | Op::Exit)
    }

    /// The blocks control may go to; empty for an op that ends no block, and for `return` and `exit`.
    #[must_use]
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            Op::Goto(block) => vec![*block],
            Op::Branch { then, otherwise, .. } => vec![*then, *otherwise],
            Op::Choose { targets, .. } => targets.clone(),
            _ => Vec::new(),
        }
    }

    /// Calls `visit` with each expression that the op evaluates, indices of the places it assigns included.
    pub fn for_each_operand(&self, mut visit: impl FnMut(ExprId)) {
        let mut copy = self.clone();
        copy.change_operands(&mut |e| {
            visit(e);
            e
        });
    }

    /// The same op with each expression replaced.
    #[must_use]
    pub fn map_operands(&self, mut change: impl FnMut(ExprId) -> ExprId) -> Op {
        let mut copy = self.clone();
        copy.change_operands(&mut change);
        copy
    }

    /// Calls `visit` with each place the op assigns (for a synchronization op: its result).
    pub fn for_each_target(&self, visit: impl FnMut(&Place)) {
        match self {
            Op::Assign { targets, .. }
            | Op::Havoc { targets }
            | Op::Await { targets, .. }
            | Op::Opaque { targets, .. }
            | Op::Call { results: targets, .. }
            | Op::Wait { results: targets, .. } => targets.iter().for_each(visit),
            Op::Spawn { handle, .. } => handle.iter().for_each(visit),
            Op::Sync(sync) => sync.result.iter().for_each(visit),
            Op::Assume(_)
            | Op::Assert { .. }
            | Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Yield
            | Op::Progress
            | Op::TransactionBegin
            | Op::TransactionEnd
            | Op::Goto(_)
            | Op::Branch { .. }
            | Op::Choose { .. }
            | Op::Return
            | Op::Exit => {}
        }
    }

    fn change_operands(&mut self, change: &mut dyn FnMut(ExprId) -> ExprId) {
        let places = |targets: &mut [Place], change: &mut dyn FnMut(ExprId) -> ExprId| {
            targets.iter_mut().flat_map(|p| p.path.iter_mut().flatten()).for_each(|e| *e = change(*e));
        };
        match self {
            Op::Assign { targets, values, .. } => {
                places(targets, change);
                values.iter_mut().for_each(|e| *e = change(*e));
            }
            Op::Havoc { targets } | Op::Opaque { targets, .. } => places(targets, change),
            Op::Assume(cond) | Op::Assert { cond, .. } | Op::Branch { cond, .. } => *cond = change(*cond),
            Op::Await { guard, targets, values } => {
                *guard = change(*guard);
                places(targets, change);
                values.iter_mut().for_each(|e| *e = change(*e));
            }
            Op::Call { args, results, .. } => {
                args.iter_mut().for_each(|e| *e = change(*e));
                places(results, change);
            }
            Op::Spawn { args, handle, .. } => {
                args.iter_mut().for_each(|e| *e = change(*e));
                places(handle.as_mut_slice(), change);
            }
            Op::Wait { task, results } => {
                *task = change(*task);
                places(results, change);
            }
            Op::Sync(sync) => {
                places(std::slice::from_mut(&mut sync.object), change);
                places(sync.mutex.as_mut_slice(), change);
                sync.value.iter_mut().for_each(|e| *e = change(*e));
                places(sync.result.as_mut_slice(), change);
            }
            Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Yield
            | Op::Progress
            | Op::TransactionBegin
            | Op::TransactionEnd
            | Op::Goto(_)
            | Op::Choose { .. }
            | Op::Return
            | Op::Exit => {}
        }
    }
}
