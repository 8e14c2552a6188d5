//! The variables of the lasso sequentialization.

use interp::Fairness;
use ir::{GlobalId, LocalId, Op, OpRef, ProcId, Program, Type};
use rustc_hash::FxHashMap;

use super::Wanted;
use super::keyframe::Stack;
use super::response::Requests;
use super::watch::Watch;
use crate::erase::erased;
use crate::points::is_recursive;
use crate::state::{Declare, Needs};

/// Where the running task is in its life, as a number.
pub(crate) mod phase {
    /// Before the lasso.
    pub(crate) const STEM: u32 = 0;
    /// In the lasso, since its beginning.
    pub(crate) const LASSO: u32 = 1;
    /// It has gone round the lasso once.
    pub(crate) const CLOSED: u32 = 2;
    /// It does nothing any more.
    pub(crate) const IDLE: u32 = 3;
    /// It was started in the lasso.
    pub(crate) const TRANSIENT: u32 = 4;
    /// There are no others.
    pub(crate) const LAST: u32 = TRANSIENT;
}

/// What a frame of a procedure looks like when the lasso begins. In programs with recursion these are maps: the newest
/// frame is at 0, its caller at -1, and so on.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    /// The place; with recursion one map for all procedures.
    pub(crate) at: GlobalId,
    /// The number of the procedure's first place.
    pub(crate) first: usize,
    pub(crate) locals: Vec<(LocalId, GlobalId)>,
}

/// A fair choice: whether the running task refused and granted it in the lasso.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FairChoice {
    pub(crate) op: OpRef,
    pub(crate) refused: GlobalId,
    pub(crate) granted: GlobalId,
}

/// What the translation knows of the lasso.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    /// The rounds before the lasso.
    pub(crate) stem: u32,
    pub(crate) fairness: Fairness,
    pub(crate) phase: GlobalId,
    /// Whether some task runs in the lasso.
    pub(crate) moves: GlobalId,
    /// How high the running task's stack is, in programs with recursion.
    pub(crate) stack: Option<Stack>,
    pub(crate) snapshots: FxHashMap<ProcId, Snapshot>,
    pub(crate) choices: Vec<FairChoice>,
    pub(crate) watches: Vec<Watch>,
    pub(crate) requests: Option<Requests>,
}

impl Form {
    /// The guessed variables of the running task, in a fixed order.
    pub(crate) fn guessed(&self) -> Vec<GlobalId> {
        let mut guessed: Vec<GlobalId> = self
            .snapshots
            .values()
            .flat_map(|s| std::iter::once(s.at).chain(s.locals.iter().map(|(_, g)| *g)))
            .collect();
        guessed.sort_unstable();
        guessed.dedup();
        guessed
    }

    /// The variables that belong to the running task.
    pub(crate) fn per_task(&self) -> Vec<GlobalId> {
        let mut all = vec![self.phase];
        all.extend(self.stack.iter().flat_map(|stack| stack.first().map(|(global, _)| global)));
        all.extend(self.choices.iter().flat_map(|c| [c.refused, c.granted]));
        all.extend(self.guessed());
        all
    }
}

/// Declares everything but what is watched.
pub(crate) fn declare(declare: &mut Declare<'_>, old: &Program, needs: &Needs, wanted: Wanted) -> Form {
    let recursive = needs.reachable.iter().any(|&id| is_recursive(old, id));
    let ty = |ty: Type| if recursive { Type::map(vec![Type::Int], ty) } else { ty };
    // A stack may have a frame of one procedure where there was one of another: then places must differ.
    let common = recursive.then(|| declare.global("Place", ty(Type::Int), None));
    let mut first = 0;
    let mut snapshots = FxHashMap::default();
    let mut choices = Vec::new();
    for &id in &needs.reachable {
        let proc = &old.procs[id];
        let at = common.unwrap_or_else(|| declare.global(&format!("Place.{}", proc.name), Type::Int, None));
        let locals = proc.locals.iter().map(|(local, info)| {
            let name = format!("Local.{}.{}", proc.name, info.name);
            (local, declare.global(&name, ty(erased(&info.ty)), None))
        });
        let locals = locals.collect();
        snapshots.insert(id, Snapshot { at, first, locals });
        if recursive {
            first += proc.stmts().count();
        }
        for (block, index, stmt) in proc.stmts() {
            if matches!(stmt.op, Op::Choose { fair: Some(_), .. }) {
                let op = OpRef { proc: id, block, index };
                choices.push(FairChoice {
                    op,
                    refused: declare.no("refused"),
                    granted: declare.no("granted"),
                });
            }
        }
    }
    Form {
        stem: wanted.stem,
        fairness: wanted.fairness,
        phase: declare.zero("phase"),
        moves: declare.no("moves"),
        stack: recursive.then(|| Stack { level: declare.zero("level"), key: declare.zero("key") }),
        snapshots,
        choices,
        watches: Vec::new(),
        requests: None,
    }
}
