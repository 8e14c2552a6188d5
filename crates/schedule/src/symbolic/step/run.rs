//! Runs a thread on formulas, from one scheduling point to the next.

use std::rc::Rc;

use formula::{Unsupported, Values};
use interp::SwitchAt;
use ir::{AssertKind, BlockId, ExprId, GlobalId, LocalId, Op, OpRef, PlaceBase};
use rustc_hash::FxHashMap;
use smt::TermId;

use super::super::Symbolic;
use super::super::variables::position;
use super::{End, Path, Situation, Touch, Touched};
use crate::ThreadAt;

/// More ways through one step than this are not looked at.
const MOST_PATHS: usize = 4096;
/// Nor are more ops, on all ways together.
const MOST_OPS: usize = 2_000;

/// A way that has not yet come to its end.
#[derive(Clone)]
pub(crate) struct Way {
    pub(crate) frames: Vec<OpRef>,
    /// The constants of the locals of each frame.
    pub(crate) scopes: Vec<Rc<[TermId]>>,
    pub(crate) changes: FxHashMap<TermId, TermId>,
    pub(crate) guard: TermId,
    pub(crate) ops: Vec<OpRef>,
    pub(crate) handles: Vec<u32>,
    pub(crate) atomic: usize,
    pub(crate) started: Vec<ThreadAt>,
    pub(crate) touches: Vec<Touch>,
}

/// A stop that is no scheduling point.
pub(crate) enum Stop {
    Assume,
    Wait,
    Assert(AssertKind),
}

/// What expressions read in the middle of a step.
struct View<'v> {
    way: &'v Way,
    globals: &'v cranelift_entity::PrimaryMap<GlobalId, TermId>,
    thread: u32,
}

impl Values for View<'_> {
    fn global(&self, id: GlobalId) -> TermId {
        self.way.value(self.globals[id])
    }

    fn local(&self, id: LocalId) -> Option<TermId> {
        let term = *self.way.scopes.last()?.get(position(id))?;
        Some(self.way.value(term))
    }

    fn task(&self) -> u32 {
        self.thread + 1
    }
}

impl Way {
    pub(crate) fn value(&self, constant: TermId) -> TermId {
        self.changes.get(&constant).copied().unwrap_or(constant)
    }

    pub(crate) fn go_on(&mut self) {
        if let Some(next) = self.frames.last_mut() {
            next.index += 1;
        }
    }

    fn jump(&mut self, block: BlockId) {
        if let Some(next) = self.frames.last_mut() {
            (next.block, next.index) = (block, 0);
        }
    }
}

/// One step of one thread.
pub(crate) struct Stepper<'c, 'a> {
    pub(crate) symbolic: &'c mut Symbolic<'a>,
    pub(crate) situation: &'c Situation,
    pub(crate) work: Vec<Way>,
    pub(crate) paths: Vec<Path>,
    pub(crate) chosen: Vec<TermId>,
    /// How many ops were run.
    effort: usize,
}

impl Symbolic<'_> {
    /// All ways of a step, and what it chooses.
    pub(crate) fn run(&mut self, situation: &Situation) -> Result<(Vec<Path>, Vec<TermId>), Unsupported> {
        let mut scopes = Vec::new();
        for (frame, op) in (0..).zip(&situation.frames) {
            scopes.push(self.variables.frame(&mut self.formulas, situation.thread, frame, op.proc)?);
        }
        let way = Way {
            frames: situation.frames.clone(),
            scopes,
            changes: FxHashMap::default(),
            guard: self.yes(),
            ops: Vec::new(),
            handles: Vec::new(),
            atomic: 0,
            started: Vec::new(),
            touches: Vec::new(),
        };
        let mut stepper = Stepper {
            symbolic: self,
            situation,
            work: vec![way],
            paths: Vec::new(),
            chosen: Vec::new(),
            effort: 0,
        };
        while let Some(way) = stepper.work.pop() {
            if stepper.paths.len() >= MOST_PATHS {
                let what = "a step with very many ways through it";
                return Err(Unsupported::new(what));
            }
            stepper.follow(way);
        }
        Ok((stepper.paths, stepper.chosen))
    }
}

impl Stepper<'_, '_> {
    /// Follows a way up to its end, or to where it divides.
    fn follow(&mut self, mut way: Way) {
        loop {
            let Some(&at) = way.frames.last() else { return };
            self.effort += 1;
            if self.effort > MOST_OPS {
                return self.end(way, End::Unsupported(Unsupported::new("a step that does not end")));
            }
            if !way.ops.is_empty() && way.atomic == 0 && self.is_point(&way, at) {
                return self.moved(way);
            }
            let program = self.symbolic.program;
            let stmt = &program.procs[at.proc].blocks[at.block].stmts[at.index];
            let guard = way.guard;
            match self.execute(way, at, &stmt.op) {
                Ok(Some(next)) => way = next,
                Ok(None) => return,
                Err(what) => {
                    let end = End::Unsupported(what.at(stmt.span));
                    let (ops, touches, changes) = (vec![at], Vec::new(), FxHashMap::default());
                    return self.paths.push(Path { ops, handles: Vec::new(), guard, touches, changes, end });
                }
            }
        }
    }

    fn is_point(&self, way: &Way, at: OpRef) -> bool {
        let program = self.symbolic.program;
        let op = |at: OpRef| &program.procs[at.proc].blocks[at.block].stmts[at.index].op;
        if self.symbolic.outline.of(at).point {
            return true;
        }
        if !matches!(op(at), Op::Return) {
            return false;
        }
        let [.., call, _] = way.frames.as_slice() else { return true };
        self.symbolic.outline.switch_at == SwitchAt::Visible
            && matches!(op(*call), Op::Call { results, .. }
                if results.iter().any(|place| matches!(place.base, PlaceBase::Global(_))))
    }

    pub(crate) fn end(&mut self, way: Way, end: End) {
        let Way { handles, ops, guard, mut changes, touches, .. } = way;
        changes.retain(|constant, value| constant != value);
        self.paths.push(Path { ops, handles, guard, touches, changes, end });
    }

    fn moved(&mut self, mut way: Way) {
        let (thread, started) =
            (ThreadAt::Running(std::mem::take(&mut way.frames)), std::mem::take(&mut way.started));
        self.end(way, End::Moved { thread, started });
    }

    /// Ends a way at an op that it cannot pass.
    pub(crate) fn stop(&mut self, mut way: Way, at: OpRef, why: &Stop) {
        let may_stop = match self.symbolic.outline.switch_at {
            SwitchAt::Visible => true,
            SwitchAt::Yield => matches!(why, Stop::Wait),
        };
        if !way.ops.is_empty() && way.atomic == 0 && may_stop {
            return self.moved(way);
        }
        let end = match why {
            Stop::Assume => End::Blocked { at_assume: way.atomic == 0 },
            Stop::Wait => End::Blocked { at_assume: false },
            Stop::Assert(kind) => End::Failed { op: at, kind: *kind },
        };
        way.ops.push(at);
        self.end(way, end);
    }

    pub(crate) fn eval(&mut self, way: &Way, expr: ExprId) -> Result<TermId, Unsupported> {
        let view = View { way, globals: &self.symbolic.variables.globals, thread: self.situation.thread };
        self.symbolic.formulas.eval(expr, &view)
    }

    /// Evaluates an expression and notes what it reads.
    pub(crate) fn read(&mut self, way: &mut Way, expr: ExprId) -> Result<TermId, Unsupported> {
        self.note_reads(way, expr)?;
        self.eval(way, expr)
    }

    fn read_all(&mut self, way: &mut Way, exprs: &[ExprId]) -> Result<Vec<TermId>, Unsupported> {
        exprs.iter().map(|&expr| self.read(way, expr)).collect()
    }

    /// The way on which a condition holds; nothing if it cannot.
    pub(crate) fn under(&mut self, way: &Way, condition: TermId) -> Option<Way> {
        let pool = &mut self.symbolic.formulas.pool;
        let guard = pool.and([way.guard, condition]);
        (pool.as_bool(guard) != Some(false)).then(|| Way { guard, ..way.clone() })
    }

    /// Goes on where a condition holds and stops where it does not.
    fn pass(&mut self, way: Way, at: OpRef, condition: TermId, why: &Stop) -> Option<Way> {
        if self.symbolic.formulas.pool.as_bool(condition) == Some(true) {
            return Some(way);
        }
        let otherwise = self.symbolic.formulas.pool.not(condition);
        if let Some(stopped) = self.under(&way, otherwise) {
            self.stop(stopped, at, why);
        }
        self.under(&way, condition)
    }

    /// Runs one op: the way goes on, or divides and is put aside, or ends.
    fn execute(&mut self, mut way: Way, at: OpRef, op: &Op) -> Result<Option<Way>, Unsupported> {
        match op {
            Op::Assume(cond) => {
                let cond = self.read(&mut way, *cond)?;
                let Some(passed) = self.pass(way, at, cond, &Stop::Assume) else { return Ok(None) };
                way = passed;
            }
            Op::Assert { cond, kind, .. } => {
                let cond = self.read(&mut way, *cond)?;
                let Some(passed) = self.pass(way, at, cond, &Stop::Assert(*kind)) else { return Ok(None) };
                way = passed;
            }
            Op::Await { guard, targets, values } => {
                let guard = self.read(&mut way, *guard)?;
                let Some(passed) = self.pass(way, at, guard, &Stop::Wait) else { return Ok(None) };
                way = passed;
                let values = self.read_all(&mut way, values)?;
                self.assign(&mut way, targets, &values)?;
            }
            Op::Wait { task, results } => return self.wait(way, at, *task, results).map(|()| None),
            Op::Assign { targets, values, .. } => {
                let values = self.read_all(&mut way, values)?;
                self.assign(&mut way, targets, &values)?;
            }
            Op::Havoc { targets } => {
                way.ops.push(at);
                return self.havoc(way, targets).map(|()| None);
            }
            Op::Call { proc, args, .. } => {
                let args = self.read_all(&mut way, args)?;
                let depth = u32::try_from(way.frames.len()).unwrap_or(u32::MAX);
                let scope = self.enter(&mut way, self.situation.thread, depth, *proc, &args)?;
                way.ops.push(at);
                way.frames.push(self.entry(*proc));
                way.scopes.push(scope);
                return Ok(Some(way));
            }
            Op::Spawn { proc, args, handle } => {
                let args = self.read_all(&mut way, args)?;
                let count = self.situation.completed.len() + way.started.len();
                let thread = u32::try_from(count).unwrap_or(u32::MAX);
                self.enter(&mut way, thread, 0, *proc, &args)?;
                way.note(Touched::Threads, Vec::new(), true);
                way.started.push(ThreadAt::Running(vec![self.entry(*proc)]));
                let number = self.symbolic.formulas.pool.int(thread + 1);
                self.assign(&mut way, handle.as_slice(), &[number])?;
            }
            Op::AtomicBegin => way.atomic += 1,
            Op::AtomicEnd => way.atomic = way.atomic.saturating_sub(1),
            Op::Yield | Op::Progress | Op::TransactionBegin | Op::TransactionEnd => {}
            Op::Sync(_) => return Err(Unsupported::new("a synchronization op that was not expanded")),
            Op::Opaque { what, .. } => return Err(Unsupported::new(what)),
            Op::Goto(target) => {
                way.ops.push(at);
                way.jump(*target);
                return Ok(Some(way));
            }
            Op::Branch { cond, then, otherwise } => {
                let cond = self.read(&mut way, *cond)?;
                way.ops.push(at);
                let not = self.symbolic.formulas.pool.not(cond);
                for (cond, target) in [(not, otherwise), (cond, then)] {
                    if let Some(mut taken) = self.under(&way, cond) {
                        taken.jump(*target);
                        self.work.push(taken);
                    }
                }
                return Ok(None);
            }
            Op::Choose { targets, .. } => {
                way.ops.push(at);
                let mut seen = Vec::new();
                for target in targets.iter().rev() {
                    if !seen.contains(target) {
                        seen.push(*target);
                        let mut taken = way.clone();
                        taken.jump(*target);
                        self.work.push(taken);
                    }
                }
                return Ok(None);
            }
            Op::Return => return self.leave(way, at),
            Op::Exit => {
                way.note(Touched::Everything, Vec::new(), true);
                way.ops.push(at);
                self.end(way, End::Exited);
                return Ok(None);
            }
        }
        way.ops.push(at);
        way.go_on();
        Ok(Some(way))
    }
}
