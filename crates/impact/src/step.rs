//! One step of one thread, for all states at once: the ways that it can take from one scheduling point to the next.
//!
//! Steps are those of `interp`: see there for where they end. A way is a guarded assignment over the constants that stand for
//! variables, so it is computed once for each place where a thread can be, and used at every node.

mod transfer;

use std::rc::Rc;

use formula::{Unsupported, Values};
use ir::{AssertKind, GlobalId, LocalId, Op, OpRef, Place, PlaceBase, Type};
use rustc_hash::FxHashMap;
use schedule::{ThreadAt, Variable};
use smt::TermId;

use crate::model::{Model, VarId, Vars};

/// Steps with more ops than this are not followed.
const MOST_OPS: usize = 1_000;
/// Nor are steps whose ways have more ops than this taken together.
const MOST_EFFORT: usize = 2_000;
/// Steps with more ways than this are not followed.
const MOST_WAYS: usize = 1_000;

/// What decides which ways a step has.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct StepKey {
    pub(crate) thread: u32,
    pub(crate) frames: Vec<OpRef>,
    pub(crate) threads: usize,
    /// The threads that have completed, and what they ran; empty if that does not matter.
    pub(crate) completed: Vec<(u32, ir::ProcId)>,
}

/// How a way ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// At the next scheduling point, or completed.
    Moved {
        me: ThreadAt,
        started: Vec<ThreadAt>,
        /// The program is over.
        exit: bool,
    },
    /// An assertion fails.
    Failed { at: OpRef, kind: AssertKind },
    /// It cannot be followed any further.
    Cut { at: OpRef, cut: interp::Cut },
}

/// One way through a step.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub(crate) ops: Vec<OpRef>,
    /// When it can be taken.
    pub(crate) guard: TermId,
    /// What it leaves in variables.
    pub(crate) updates: Vec<(VarId, TermId)>,
    /// Every single assignment, with the position of its op.
    pub(crate) log: Vec<(usize, VarId, TermId)>,
    /// The constants that stand for what it chooses.
    pub(crate) inputs: Vec<TermId>,
    /// Which target each `choose` takes, with the position of the op.
    pub(crate) chosen: Vec<(usize, i64)>,
    /// The threads whose handles a `havoc` gives, with the position of the op.
    pub(crate) handles: Vec<(usize, u32)>,
    /// The frame in which each op runs.
    pub(crate) frames: Vec<u32>,
    /// Whether it jumps back.
    pub(crate) back: bool,
    pub(crate) end: End,
}

/// A way that is being followed.
#[derive(Clone)]
struct Walk {
    frames: Vec<OpRef>,
    values: FxHashMap<VarId, TermId>,
    guard: TermId,
    started: Vec<ThreadAt>,
    atomic: usize,
    path: Path,
}

/// The values that the ops of a way see.
struct View<'a> {
    vars: &'a Vars,
    values: &'a FxHashMap<VarId, TermId>,
    thread: u32,
    frame: u32,
    proc: ir::ProcId,
}

impl View<'_> {
    fn get(&self, variable: Variable) -> Option<TermId> {
        let (id, term) = self.vars.find(variable)?;
        Some(self.values.get(&id).copied().unwrap_or(term))
    }
}

impl Values for View<'_> {
    fn global(&self, id: GlobalId) -> TermId {
        self.get(Variable::Global(id))
            .unwrap_or_else(|| unreachable!("globals have their terms at the start"))
    }

    fn local(&self, local: LocalId) -> Option<TermId> {
        self.get(Variable::Local { thread: self.thread, frame: self.frame, proc: self.proc, local })
    }

    fn task(&self) -> u32 {
        self.thread + 1
    }
}

/// What an op does to the flow of control.
enum Flow {
    Next,
    Jump(ir::BlockId),
    /// The frames say where.
    Stay,
    Ended(End),
}

/// Follows the ways of one step.
struct Stepper<'a, 'p> {
    model: &'a mut Model<'p>,
    key: &'a StepKey,
    done: Vec<Path>,
    work: Vec<Walk>,
    effort: usize,
}

impl<'p> Model<'p> {
    /// The ways that a thread can step, from the location at which it is.
    pub(crate) fn ways(&mut self, thread: u32, threads: &[ThreadAt]) -> Rc<[Rc<Path>]> {
        let ThreadAt::Running(frames) = &threads[thread as usize] else { return Rc::new([]) };
        let newest = frames.last().map(|at| self.op(*at));
        let matters = matches!(newest, Some(Op::Wait { .. } | Op::AtomicBegin));
        let completed = |(at, thread): (u32, &ThreadAt)| match thread {
            ThreadAt::Completed(proc) if matters => Some((at, *proc)),
            _ => None,
        };
        let key = StepKey {
            thread,
            frames: frames.clone(),
            threads: threads.len(),
            completed: (0u32..).zip(threads).filter_map(completed).collect(),
        };
        if let Some(known) = self.steps.get(&key) {
            return Rc::clone(known);
        }
        let yes = self.translator.pool.bool(true);
        let path = Path {
            ops: Vec::new(),
            guard: yes,
            updates: Vec::new(),
            log: Vec::new(),
            inputs: Vec::new(),
            chosen: Vec::new(),
            handles: Vec::new(),
            frames: Vec::new(),
            back: false,
            end: End::Failed { at: key.frames[0], kind: AssertKind::Assertion },
        };
        let walk = Walk {
            frames: key.frames.clone(),
            values: FxHashMap::default(),
            guard: yes,
            started: Vec::new(),
            atomic: 0,
            path,
        };
        let mut stepper = Stepper { model: self, key: &key, done: Vec::new(), work: vec![walk], effort: 0 };
        stepper.run();
        let done: Rc<[Rc<Path>]> = stepper.done.into_iter().map(Rc::new).collect();
        self.steps.insert(key, Rc::clone(&done));
        done
    }
}

impl Stepper<'_, '_> {
    fn run(&mut self) {
        while let Some(mut walk) = self.work.pop() {
            while let Some(&at) = walk.frames.last() {
                if !walk.path.ops.is_empty() && walk.atomic == 0 && self.is_point(&walk, at) {
                    self.finish_moved(walk);
                    break;
                }
                self.effort += 1;
                let long = walk.path.ops.len() >= MOST_OPS || self.effort > MOST_EFFORT;
                if long || self.done.len() + self.work.len() >= MOST_WAYS {
                    self.finish(walk, End::Cut { at, cut: interp::Cut::LongStep });
                    break;
                }
                let flow = self.op(&mut walk, at).unwrap_or_else(|unsupported| {
                    Some(Flow::Ended(End::Cut { at, cut: interp::Cut::Unsupported(unsupported.what) }))
                });
                match flow {
                    None => break,
                    Some(Flow::Next) => {
                        if let Some(top) = walk.frames.last_mut() {
                            top.index += 1;
                        }
                    }
                    Some(Flow::Jump(target)) => jump(self.model, &mut walk, target),
                    Some(Flow::Stay) => {}
                    Some(Flow::Ended(end)) => {
                        self.finish(walk, end);
                        break;
                    }
                }
                if self.model.translator.pool.as_bool(walk.guard) == Some(false) {
                    break;
                }
            }
        }
    }

    fn is_point(&self, walk: &Walk, at: OpRef) -> bool {
        if self.model.outline.of(at).point {
            return true;
        }
        if !matches!(self.model.op(at), Op::Return) {
            return false;
        }
        match walk.frames.len().checked_sub(2).map(|caller| walk.frames[caller]) {
            None => true,
            Some(call) => match self.model.op(call) {
                Op::Call { results, .. } => {
                    results.iter().any(|place| matches!(place.base, PlaceBase::Global(_)))
                }
                _ => false,
            },
        }
    }

    fn finish_moved(&mut self, walk: Walk) {
        let me = ThreadAt::Running(walk.frames.clone());
        let started = walk.started.clone();
        self.finish(walk, End::Moved { me, started, exit: false });
    }

    fn finish(&mut self, walk: Walk, end: End) {
        let Walk { values, guard, mut path, .. } = walk;
        if self.model.translator.pool.as_bool(guard) == Some(false) {
            return;
        }
        let mut updates: Vec<(VarId, TermId)> = values.into_iter().collect();
        updates.sort_unstable();
        path.updates = updates;
        path.guard = guard;
        path.end = end;
        self.done.push(path);
    }

    fn eval(&mut self, walk: &Walk, expr: ir::ExprId) -> Result<TermId, Unsupported> {
        let frame = walk.frames.len() - 1;
        let proc = walk.frames[frame].proc;
        let view = View {
            vars: &self.model.vars,
            values: &walk.values,
            thread: self.key.thread,
            frame: u32::try_from(frame).unwrap_or(u32::MAX),
            proc,
        };
        self.model.translator.eval(expr, &view)
    }

    fn eval_all(&mut self, walk: &Walk, exprs: &[ir::ExprId]) -> Result<Vec<TermId>, Unsupported> {
        exprs.iter().map(|expr| self.eval(walk, *expr)).collect()
    }

    fn set(&mut self, walk: &mut Walk, variable: Variable, value: TermId) -> Result<(), Unsupported> {
        let id = self.model.var(variable)?;
        walk.values.insert(id, value);
        walk.path.log.push((walk.path.ops.len().saturating_sub(1), id, value));
        Ok(())
    }

    fn get(&mut self, walk: &Walk, variable: Variable) -> Result<TermId, Unsupported> {
        let id = self.model.var(variable)?;
        Ok(walk.values.get(&id).copied().unwrap_or_else(|| self.model.term_of(id)))
    }

    fn input(&mut self, walk: &mut Walk, ty: &Type) -> Result<TermId, Unsupported> {
        let term = self.model.translator.arbitrary("in", ty)?;
        walk.path.inputs.push(term);
        Ok(term)
    }

    fn variable(&self, walk: &Walk, base: PlaceBase) -> Variable {
        match base {
            PlaceBase::Global(id) => Variable::Global(id),
            PlaceBase::Local(local) => {
                let frame = walk.frames.len() - 1;
                Variable::Local {
                    thread: self.key.thread,
                    frame: u32::try_from(frame).unwrap_or(u32::MAX),
                    proc: walk.frames[frame].proc,
                    local,
                }
            }
        }
    }

    /// Assigns all places at once.
    fn assign(&mut self, walk: &mut Walk, places: &[Place], values: &[TermId]) -> Result<(), Unsupported> {
        let mut keys = Vec::new();
        for place in places {
            let mut path = Vec::new();
            for indices in &place.path {
                path.push(self.eval_all(walk, indices)?);
            }
            keys.push(path);
        }
        for ((place, path), &value) in places.iter().zip(&keys).zip(values) {
            let variable = self.variable(walk, place.base);
            let whole = if path.is_empty() {
                value
            } else {
                let old = self.get(walk, variable)?;
                self.with_cell(old, path, value)
            };
            self.set(walk, variable, whole)?;
        }
        Ok(())
    }

    fn with_cell(&mut self, map: TermId, path: &[Vec<TermId>], value: TermId) -> TermId {
        let pool = &mut self.model.translator.pool;
        let mut maps = vec![map];
        for indices in &path[..path.len() - 1] {
            let inner = pool.select_at(maps[maps.len() - 1], indices);
            maps.push(inner);
        }
        maps.iter().zip(path).rev().fold(value, |value, (map, indices)| pool.store_at(*map, indices, value))
    }

    fn require(&mut self, walk: &mut Walk, condition: TermId) {
        walk.guard = self.model.translator.pool.and([walk.guard, condition]);
    }

    /// Runs one op; nothing if the way ends here, or has become others.
    #[expect(clippy::too_many_lines, reason = "one arm per op")]
    fn op(&mut self, walk: &mut Walk, at: OpRef) -> Result<Option<Flow>, Unsupported> {
        let op = self.model.op(at);
        let first = walk.path.ops.is_empty();
        // A local condition in the middle of a step that does not hold ends the step before it.
        if let (Op::Assume(cond) | Op::Assert { cond, .. }, false, 0) = (op, first, walk.atomic) {
            let holds = self.eval(walk, *cond)?;
            let fails = self.model.translator.pool.not(holds);
            let mut other = walk.clone();
            self.require(&mut other, fails);
            self.finish_moved(other);
            self.require(walk, holds);
            self.begin(walk, at);
            return Ok(Some(Flow::Next));
        }
        self.begin(walk, at);
        Ok(Some(match op {
            Op::Assign { targets, values, .. } => {
                let values = self.eval_all(walk, values)?;
                self.assign(walk, targets, &values)?;
                Flow::Next
            }
            Op::Havoc { targets } => return self.havoc(walk, targets),
            Op::Assume(cond) => {
                let holds = self.eval(walk, *cond)?;
                self.require(walk, holds);
                Flow::Next
            }
            Op::Await { guard, targets, values } => {
                let holds = self.eval(walk, *guard)?;
                self.require(walk, holds);
                let values = self.eval_all(walk, values)?;
                self.assign(walk, targets, &values)?;
                Flow::Next
            }
            Op::Assert { cond, kind, .. } => {
                let holds = self.eval(walk, *cond)?;
                let fails = self.model.translator.pool.not(holds);
                let mut other = walk.clone();
                self.require(&mut other, fails);
                self.finish(other, End::Failed { at, kind: *kind });
                self.require(walk, holds);
                Flow::Next
            }
            Op::Call { proc, args, .. } => {
                if walk.frames.len() >= self.model.most_frames {
                    let cut = interp::Cut::Frames(self.model.most_frames);
                    return Ok(Some(Flow::Ended(End::Cut { at, cut })));
                }
                let args = self.eval_all(walk, args)?;
                let frame = u32::try_from(walk.frames.len()).unwrap_or(u32::MAX);
                self.enter(walk, self.key.thread, frame, *proc, &args)?;
                walk.frames.push(entry(self.model, *proc));
                Flow::Stay
            }
            Op::Spawn { proc, args, handle } => {
                let thread = self.key.threads + walk.started.len();
                if thread >= self.model.most_threads {
                    let cut = interp::Cut::Threads(self.model.most_threads);
                    return Ok(Some(Flow::Ended(End::Cut { at, cut })));
                }
                let args = self.eval_all(walk, args)?;
                let number = u32::try_from(thread).unwrap_or(u32::MAX);
                self.enter(walk, number, 0, *proc, &args)?;
                walk.started.push(ThreadAt::Running(vec![entry(self.model, *proc)]));
                if let Some(place) = handle {
                    let value = self.model.translator.pool.int(number + 1);
                    self.assign(walk, std::slice::from_ref(place), &[value])?;
                }
                Flow::Next
            }
            Op::Wait { task, results } => return self.wait(walk, *task, results),
            Op::AtomicBegin => {
                walk.atomic += 1;
                Flow::Next
            }
            Op::AtomicEnd => {
                walk.atomic = walk.atomic.saturating_sub(1);
                Flow::Next
            }
            Op::Yield | Op::Progress | Op::TransactionBegin | Op::TransactionEnd => Flow::Next,
            Op::Sync(_) => return Err(Unsupported::new("a synchronization op that is not expanded")),
            Op::Opaque { what, .. } => Flow::Ended(End::Cut { at, cut: interp::Cut::Opaque(what.clone()) }),
            Op::Goto(target) => Flow::Jump(*target),
            Op::Branch { cond, then, otherwise } => {
                let holds = self.eval(walk, *cond)?;
                let fails = self.model.translator.pool.not(holds);
                let mut other = walk.clone();
                self.require(&mut other, fails);
                jump(self.model, &mut other, *otherwise);
                if self.model.translator.pool.as_bool(other.guard) != Some(false) {
                    self.work.push(other);
                }
                self.require(walk, holds);
                Flow::Jump(*then)
            }
            Op::Choose { targets, .. } => {
                for (index, target) in targets.iter().enumerate().skip(1).rev() {
                    if targets[..index].contains(target) {
                        continue;
                    }
                    let mut other = walk.clone();
                    other.path.chosen.push((other.path.ops.len() - 1, i64::try_from(index).unwrap_or(0)));
                    jump(self.model, &mut other, *target);
                    self.work.push(other);
                }
                walk.path.chosen.push((walk.path.ops.len() - 1, 0));
                Flow::Jump(targets[0])
            }
            Op::Return => return self.leave(walk, at).map(Some),
            Op::Exit => {
                Flow::Ended(End::Moved { me: ThreadAt::Completed(at.proc), started: Vec::new(), exit: true })
            }
        }))
    }

    fn begin(&mut self, walk: &mut Walk, at: OpRef) {
        walk.path.ops.push(at);
        walk.path.frames.push(u32::try_from(walk.frames.len() - 1).unwrap_or(u32::MAX));
    }
}

fn entry(model: &Model<'_>, proc: ir::ProcId) -> OpRef {
    OpRef { proc, block: model.program.procs[proc].entry, index: 0 }
}

fn jump(model: &Model<'_>, walk: &mut Walk, target: ir::BlockId) {
    if let Some(top) = walk.frames.last_mut() {
        walk.path.back |= model.liveness.goes_back(top.proc, top.block, target);
        *top = OpRef { proc: top.proc, block: target, index: 0 };
    }
}
