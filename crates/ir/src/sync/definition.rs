//! What synchronization ops mean: the one definition of each, as guarded atomic assignments over the plain
//! components of the object (in the manner of Wang, Limaye, Ganai and Gupta, "Trace-Based Symbolic Analysis for
//! Atomicity Violations", TACAS 2010, section 2).
//!
//! [`expand`] applies the definitions to a whole program. Procedures, blocks, locals and all other globals keep
//! their ids; an object `m` becomes `m.owner` and so on.

use cranelift_entity::PrimaryMap;
use rustc_hash::{FxHashMap, FxHashSet};
use source::Span;

use super::zero;
use crate::{
    AccessOrder, AssertKind, BackMap, BinaryOp, ExprId, ExprNode, ExprPool, Global, GlobalId, Local,
    MutexKind, Op, OpRef, Place, PlaceBase, Proc, Program, Stmt, SyncKind, SyncOp, SyncType, Type,
};

/// A program without synchronization types and ops.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// The program.
    pub program: Program,
    /// From its ops to those of the original.
    pub back: BackMap,
    /// For each synchronization object of the original, the globals of its components, in the order of
    /// [`SyncType::components`].
    pub components: FxHashMap<GlobalId, Vec<GlobalId>>,
}

/// Replaces every synchronization op by its definition. The program must be valid.
#[must_use]
pub fn expand(original: &Program) -> Expanded {
    let mut program = original.clone();
    let components = expand_globals(original, &mut program);
    let mut back = BackMap::default();
    for proc_id in original.procs.keys() {
        let proc = &mut program.procs[proc_id];
        let mut definer = Definer {
            original,
            exprs: &mut program.exprs,
            globals: &program.globals,
            components: &components,
            woken: None,
            late: None,
        };
        for block in original.procs[proc_id].blocks.keys() {
            let mut stmts = Vec::new();
            for (index, stmt) in original.procs[proc_id].blocks[block].stmts.iter().enumerate() {
                let first = stmts.len();
                match &stmt.op {
                    Op::Sync(sync) => {
                        let ops = definer.define(proc, sync);
                        stmts.extend(ops.into_iter().map(|op| Stmt { op, span: stmt.span }));
                    }
                    _ => stmts.push(stmt.clone()),
                }
                for new in first..stmts.len() {
                    back.insert(
                        OpRef { proc: proc_id, block, index: new },
                        OpRef { proc: proc_id, block, index },
                    );
                }
            }
            proc.blocks[block].stmts = stmts;
        }
    }
    Expanded { program, back, components }
}

/// The first component takes the place of the object, the others are added at the end: other globals keep their
/// ids.
fn expand_globals(original: &Program, program: &mut Program) -> FxHashMap<GlobalId, Vec<GlobalId>> {
    let mut components = FxHashMap::default();
    let mut names: FxHashSet<String> = original.globals.values().map(|g| g.name.clone()).collect();
    for (id, global) in &original.globals {
        let Some(sync) = global.ty.sync_inside() else { continue };
        let mut ids = Vec::new();
        for component in sync.components() {
            let ty = global.ty.with_cell(&component.ty);
            let new = Global {
                name: fresh(&mut names, format!("{}.{}", global.name, component.name)),
                init: zero(&mut program.exprs, &ty),
                ty,
                span: global.span,
            };
            if ids.is_empty() {
                program.globals[id] = new;
                ids.push(id);
            } else {
                ids.push(program.globals.push(new));
            }
        }
        components.insert(id, ids);
    }
    components
}

/// `name`, or `name` with as many primes as make it new.
fn fresh(names: &mut FxHashSet<String>, mut name: String) -> String {
    while !names.insert(name.clone()) {
        name.push('\'');
    }
    name
}

/// An object whose components can be read and assigned.
struct Object {
    ty: SyncType,
    components: Vec<GlobalId>,
    path: Vec<Vec<ExprId>>,
}

struct Definer<'a> {
    original: &'a Program,
    exprs: &'a mut ExprPool,
    globals: &'a PrimaryMap<GlobalId, Global>,
    components: &'a FxHashMap<GlobalId, Vec<GlobalId>>,
    /// The local of this procedure that holds the task a signal wakes.
    woken: Option<crate::LocalId>,
    /// The local of this procedure that says whether a timed wait ends without a signal.
    late: Option<crate::LocalId>,
}

/// Targets and values of one assignment.
#[derive(Default)]
struct Assignment {
    targets: Vec<Place>,
    values: Vec<ExprId>,
}

impl Assignment {
    fn set(mut self, target: Place, value: ExprId) -> Self {
        self.targets.push(target);
        self.values.push(value);
        self
    }

    fn set_result(self, result: Option<&Place>, value: ExprId) -> Self {
        match result {
            Some(place) => self.set(place.clone(), value),
            None => self,
        }
    }

    fn when(self, guard: ExprId) -> Op {
        Op::Await { guard, targets: self.targets, values: self.values }
    }
}

impl Definer<'_> {
    fn define(&mut self, proc: &mut Proc, sync: &SyncOp) -> Vec<Op> {
        let object = self.object(&sync.object);
        let result = sync.result.as_ref();
        match sync.kind {
            SyncKind::Init => vec![self.init(&object, sync.value)],
            SyncKind::Acquire => vec![self.acquire(&object, result)],
            SyncKind::TryAcquire => vec![self.try_acquire(&object, result)],
            SyncKind::Release if matches!(object.ty, SyncType::RwLock) => self.release_rw(&object, result),
            SyncKind::Release => self.release(&object, result),
            SyncKind::AcquireRead => vec![self.acquire_read(&object, None)],
            SyncKind::AcquireWrite => vec![self.acquire_write(&object, None)],
            SyncKind::TryAcquireRead => vec![self.acquire_read(&object, Some(result))],
            SyncKind::TryAcquireWrite => vec![self.acquire_write(&object, Some(result))],
            SyncKind::CondWait | SyncKind::CondTimedWait => match &sync.mutex {
                Some(mutex) => {
                    let late = (sync.kind == SyncKind::CondTimedWait).then(|| self.late(proc));
                    self.cond_wait(&object, mutex, late, result)
                }
                None => Vec::new(),
            },
            SyncKind::Signal => self.signal(proc, &object),
            SyncKind::Broadcast => {
                let always = self.exprs.bool(true);
                let reset = self.reset(Assignment::default(), &object, 0);
                vec![self.reset(reset, &object, 1).when(always)]
            }
            SyncKind::BarrierWait => self.barrier_wait(&object, result),
            SyncKind::Down => vec![self.down(&object, None)],
            SyncKind::TryDown => vec![self.down(&object, Some(result))],
            SyncKind::Up => {
                let (always, one) = (self.exprs.bool(true), self.exprs.int(1));
                let value = self.read(&object, 0);
                let more = self.exprs.binary(BinaryOp::Add, value, one);
                vec![Assignment::default().set(object.place(0), more).when(always)]
            }
            SyncKind::Value | SyncKind::KeyGet => {
                let always = self.exprs.bool(true);
                let mut value = self.read(&object, 0);
                if sync.kind == SyncKind::KeyGet {
                    let me = self.me();
                    value = self.exprs.select(value, vec![me]);
                }
                vec![Assignment::default().set_result(result, value).when(always)]
            }
            SyncKind::OnceBegin => {
                let (running, done) = (self.read(&object, 0), self.read(&object, 1));
                let (idle, first) = (self.exprs.not(running), self.exprs.not(done));
                vec![Assignment::default().set_result(result, first).set(object.place(0), first).when(idle)]
            }
            SyncKind::OnceEnd => {
                let (yes, no) = (self.exprs.bool(true), self.exprs.bool(false));
                vec![Assignment::default().set(object.place(0), no).set(object.place(1), yes).when(yes)]
            }
            SyncKind::KeySet => {
                let (always, me) = (self.exprs.bool(true), self.me());
                let value = sync.value.unwrap_or(always);
                vec![Assignment::default().set(object.place(0).at(vec![me]), value).when(always)]
            }
        }
    }

    fn init(&mut self, object: &Object, value: Option<ExprId>) -> Op {
        let always = self.exprs.bool(true);
        let mut assignment = Assignment::default();
        for (index, component) in object.ty.components().iter().enumerate() {
            match (component.name, value) {
                ("threshold" | "value", Some(value)) => {
                    assignment = assignment.set(object.place(index), value);
                }
                _ => assignment = self.reset(assignment, object, index),
            }
        }
        assignment.when(always)
    }

    fn acquire(&mut self, mutex: &Object, result: Option<&Place>) -> Op {
        let (me, yes) = (self.me(), self.exprs.bool(true));
        let free = self.is_nil(mutex, 0);
        let owner = self.read(mutex, 0);
        let mine = self.exprs.eq(owner, me);
        let either = self.exprs.binary(BinaryOp::Or, free, mine);
        let held = Assignment::default().set(mutex.place(0), me);
        match mutex.ty {
            SyncType::Mutex(MutexKind::Recursive) => {
                let depth = self.plus(mutex, 1, 1);
                held.set(mutex.place(1), depth).set_result(result, yes).when(either)
            }
            SyncType::Mutex(MutexKind::ErrorChecking) => held.set_result(result, free).when(either),
            _ => held.set_result(result, yes).when(free),
        }
    }

    fn try_acquire(&mut self, mutex: &Object, result: Option<&Place>) -> Op {
        let (me, always) = (self.me(), self.exprs.bool(true));
        let owner = self.read(mutex, 0);
        let mut can = self.is_nil(mutex, 0);
        if mutex.ty == SyncType::Mutex(MutexKind::Recursive) {
            let mine = self.exprs.eq(owner, me);
            can = self.exprs.binary(BinaryOp::Or, can, mine);
        }
        let new_owner = self.exprs.ite(can, me, owner);
        let mut assignment = Assignment::default().set(mutex.place(0), new_owner).set_result(result, can);
        if mutex.ty == SyncType::Mutex(MutexKind::Recursive) {
            let (depth, deeper) = (self.read(mutex, 1), self.plus(mutex, 1, 1));
            let new_depth = self.exprs.ite(can, deeper, depth);
            assignment = assignment.set(mutex.place(1), new_depth);
        }
        assignment.when(always)
    }

    fn release(&mut self, mutex: &Object, result: Option<&Place>) -> Vec<Op> {
        let (me, nil, always) = (self.me(), self.exprs.add(ExprNode::Nil), self.exprs.bool(true));
        let owner = self.read(mutex, 0);
        let mine = self.exprs.eq(owner, me);
        match mutex.ty {
            SyncType::Mutex(MutexKind::Recursive) => {
                let (depth, less, one) = (self.read(mutex, 1), self.plus(mutex, 1, -1), self.exprs.int(1));
                let outermost = self.exprs.eq(depth, one);
                let last = self.exprs.and(mine, outermost);
                let new_owner = self.exprs.ite(last, nil, owner);
                let new_depth = self.exprs.ite(mine, less, depth);
                let assignment = Assignment::default().set(mutex.place(0), new_owner);
                vec![assignment.set(mutex.place(1), new_depth).set_result(result, mine).when(always)]
            }
            SyncType::Mutex(MutexKind::ErrorChecking) => {
                let new_owner = self.exprs.ite(mine, nil, owner);
                vec![
                    Assignment::default()
                        .set(mutex.place(0), new_owner)
                        .set_result(result, mine)
                        .when(always),
                ]
            }
            _ => {
                let assignment = Assignment::default().set(mutex.place(0), nil).set_result(result, always);
                let message = format!("`{}` is released by a thread that does not hold it", self.name(mutex));
                checked(mine, message, assignment.when(always))
            }
        }
    }

    fn acquire_read(&mut self, lock: &Object, attempt: Option<Option<&Place>>) -> Op {
        let can = self.is_nil(lock, 0);
        let more = self.plus(lock, 1, 1);
        self.guarded_or_tried(lock.place(1), can, more, attempt)
    }

    fn acquire_write(&mut self, lock: &Object, attempt: Option<Option<&Place>>) -> Op {
        let (me, zero) = (self.me(), self.exprs.int(0));
        let (no_writer, readers) = (self.is_nil(lock, 0), self.read(lock, 1));
        let no_readers = self.exprs.eq(readers, zero);
        let can = self.exprs.and(no_writer, no_readers);
        self.guarded_or_tried(lock.place(0), can, me, attempt)
    }

    fn release_rw(&mut self, lock: &Object, result: Option<&Place>) -> Vec<Op> {
        let (me, nil, always) = (self.me(), self.exprs.add(ExprNode::Nil), self.exprs.bool(true));
        let (writer, readers, zero) = (self.read(lock, 0), self.read(lock, 1), self.exprs.int(0));
        let writing = self.exprs.eq(writer, me);
        let read = self.exprs.binary(BinaryOp::Gt, readers, zero);
        let held = self.exprs.binary(BinaryOp::Or, writing, read);
        let new_writer = self.exprs.ite(writing, nil, writer);
        let fewer = self.plus(lock, 1, -1);
        let new_readers = self.exprs.ite(writing, readers, fewer);
        let assignment = Assignment::default().set(lock.place(0), new_writer).set(lock.place(1), new_readers);
        let message = format!("`{}` is released but not held", self.name(lock));
        checked(held, message, assignment.set_result(result, always).when(always))
    }

    fn late(&mut self, proc: &mut Proc) -> crate::LocalId {
        *self.late.get_or_insert_with(|| {
            let mut names = proc.locals.values().map(|local| local.name.clone()).collect();
            let name = fresh(&mut names, "$late".to_owned());
            proc.locals.push(Local { name, ty: Type::Bool, span: Span::NONE })
        })
    }

    /// With `late`, the wait may also end without a signal: the choice is a havoc, as for a signal.
    fn cond_wait(
        &mut self,
        cond: &Object,
        mutex: &Place,
        late: Option<crate::LocalId>,
        result: Option<&Place>,
    ) -> Vec<Op> {
        let mutex = self.object(mutex);
        let (me, nil, always) = (self.me(), self.exprs.add(ExprNode::Nil), self.exprs.bool(true));
        let owner = self.read(&mutex, 0);
        let mine = self.exprs.eq(owner, me);
        let more = self.plus(cond, 1, 1);
        let mut sleep = Assignment::default()
            .set(mutex.place(0), nil)
            .set(cond.place(0).at(vec![me]), always)
            .set(cond.place(1), more);
        let waiting = self.read(cond, 0);
        let waiting = self.exprs.select(waiting, vec![me]);
        let woken = self.exprs.not(waiting);
        let free = self.is_nil(&mutex, 0);
        let can = self.exprs.and(woken, free);
        let mut wake = Assignment::default().set(mutex.place(0), me);
        let mut held = mine;
        if mutex.ty == SyncType::Mutex(MutexKind::Recursive) {
            let (zero, one, depth) = (self.exprs.int(0), self.exprs.int(1), self.read(&mutex, 1));
            let once = self.exprs.eq(depth, one);
            held = self.exprs.and(mine, once);
            sleep = sleep.set(mutex.place(1), zero);
            wake = wake.set(mutex.place(1), one);
        }
        let message = format!("a wait on `{}` without holding `{}` once", self.name(cond), self.name(&mutex));
        let mut ops = checked(held, message, sleep.when(always));
        let Some(late) = late else {
            ops.push(wake.when(can));
            return ops;
        };
        let no = self.exprs.bool(false);
        let gives_up = self.exprs.add(ExprNode::Local(late, Type::Bool));
        let over = self.exprs.binary(BinaryOp::Or, gives_up, woken);
        let can = self.exprs.and(over, free);
        let (waiters, fewer) = (self.read(cond, 1), self.plus(cond, 1, -1));
        let left = self.exprs.ite(waiting, fewer, waiters);
        let wake = wake.set(cond.place(0).at(vec![me]), no).set(cond.place(1), left);
        let clear =
            Op::Assign { targets: vec![Place::local(late)], values: vec![no], order: AccessOrder::Plain };
        let choose = Op::Havoc { targets: vec![Place::local(late)] };
        let wake = wake.set_result(result, woken).when(can);
        ops.extend([Op::AtomicBegin, choose, wake, clear, Op::AtomicEnd]);
        ops
    }

    /// Wakes any one waiter: the choice is a havoc that the guard filters, all in one atomic section. The local
    /// is cleared so that it does not tell states apart.
    fn signal(&mut self, proc: &mut Proc, cond: &Object) -> Vec<Op> {
        let woken = *self.woken.get_or_insert_with(|| {
            let mut names = proc.locals.values().map(|local| local.name.clone()).collect();
            let name = fresh(&mut names, "$woken".to_owned());
            proc.locals.push(Local { name, ty: Type::Task, span: Span::NONE })
        });
        let (zero, no) = (self.exprs.int(0), self.exprs.bool(false));
        let nil = self.exprs.add(ExprNode::Nil);
        let who = self.exprs.add(ExprNode::Local(woken, Type::Task));
        let waiters = self.read(cond, 1);
        let nobody = self.exprs.eq(waiters, zero);
        let waiting = self.read(cond, 0);
        let waiting = self.exprs.select(waiting, vec![who]);
        let can = self.exprs.binary(BinaryOp::Or, nobody, waiting);
        let fewer = self.plus(cond, 1, -1);
        let left = self.exprs.ite(nobody, zero, fewer);
        let wake = Assignment::default().set(cond.place(0).at(vec![who]), no).set(cond.place(1), left);
        let clear =
            Op::Assign { targets: vec![Place::local(woken)], values: vec![nil], order: AccessOrder::Plain };
        let choose = Op::Havoc { targets: vec![Place::local(woken)] };
        vec![Op::AtomicBegin, choose, wake.when(can), clear, Op::AtomicEnd]
    }

    fn barrier_wait(&mut self, barrier: &Object, result: Option<&Place>) -> Vec<Op> {
        let (me, always, zero) = (self.me(), self.exprs.bool(true), self.exprs.int(0));
        let (waiting, threshold) = (self.read(barrier, 0), self.read(barrier, 2));
        let arrived = self.plus(barrier, 1, 1);
        let last = self.exprs.binary(BinaryOp::Ge, arrived, threshold);
        let count = self.exprs.ite(last, zero, arrived);
        let nobody_type = self.exprs.ty(waiting).clone();
        let no = self.exprs.bool(false);
        let nobody = self.exprs.add(ExprNode::ConstMap(nobody_type, no));
        let with_me = self.exprs.add(ExprNode::Store(waiting, vec![me], always));
        let now = self.exprs.ite(last, nobody, with_me);
        let arrive = Assignment::default().set(barrier.place(0), now).set(barrier.place(1), count);
        let mine = self.exprs.select(waiting, vec![me]);
        let released = self.exprs.not(mine);
        vec![arrive.set_result(result, last).when(always), Assignment::default().when(released)]
    }

    fn down(&mut self, semaphore: &Object, attempt: Option<Option<&Place>>) -> Op {
        let (value, zero) = (self.read(semaphore, 0), self.exprs.int(0));
        let can = self.exprs.binary(BinaryOp::Gt, value, zero);
        let less = self.plus(semaphore, 0, -1);
        self.guarded_or_tried(semaphore.place(0), can, less, attempt)
    }

    /// `await can then target := value`, or, as an attempt, the same without blocking and with the result.
    fn guarded_or_tried(
        &mut self,
        target: Place,
        can: ExprId,
        value: ExprId,
        attempt: Option<Option<&Place>>,
    ) -> Op {
        match attempt {
            None => Assignment::default().set(target, value).when(can),
            Some(result) => {
                let always = self.exprs.bool(true);
                let old = self.read_place(&target);
                let new = self.exprs.ite(can, value, old);
                Assignment::default().set(target, new).set_result(result, can).when(always)
            }
        }
    }

    fn object(&self, place: &Place) -> Object {
        // The validator has made sure that the base is a global of a synchronization type.
        let PlaceBase::Global(id) = place.base else {
            return Object { ty: SyncType::Once, components: Vec::new(), path: Vec::new() };
        };
        let ty = self.original.globals[id].ty.sync_inside().cloned().unwrap_or(SyncType::Once);
        Object { ty, components: self.components[&id].clone(), path: place.path.clone() }
    }

    fn name(&self, object: &Object) -> String {
        let first = object.components[0];
        let name = &self.original.globals[first].name;
        match self.original.presentation.globals.get(&first) {
            Some(look) => look.name.replace("[{}]", "[...]").replace("#{}", "").replace("{_}", ""),
            None if object.path.is_empty() => name.clone(),
            None => format!("{name}[...]"),
        }
    }

    fn me(&mut self) -> ExprId {
        self.exprs.add(ExprNode::SelfTask)
    }

    fn read(&mut self, object: &Object, component: usize) -> ExprId {
        self.read_place(&object.place(component))
    }

    fn read_place(&mut self, place: &Place) -> ExprId {
        let PlaceBase::Global(id) = place.base else { return self.me() };
        let mut value = self.exprs.add(ExprNode::Global(id, self.globals[id].ty.clone()));
        for indices in &place.path {
            value = self.exprs.select(value, indices.clone());
        }
        value
    }

    fn is_nil(&mut self, object: &Object, component: usize) -> ExprId {
        let nil = self.exprs.add(ExprNode::Nil);
        let value = self.read(object, component);
        self.exprs.eq(value, nil)
    }

    fn plus(&mut self, object: &Object, component: usize, amount: i32) -> ExprId {
        let value = self.read(object, component);
        let by = self.exprs.int(amount.abs());
        self.exprs.binary(if amount < 0 { BinaryOp::Sub } else { BinaryOp::Add }, value, by)
    }

    fn reset(&mut self, assignment: Assignment, object: &Object, component: usize) -> Assignment {
        match zero(self.exprs, &object.ty.components()[component].ty) {
            Some(value) => assignment.set(object.place(component), value),
            None => assignment,
        }
    }
}

impl Object {
    fn place(&self, component: usize) -> Place {
        Place { base: PlaceBase::Global(self.components[component]), path: self.path.clone() }
    }
}

/// The op, after a check that it is not misused. Both are one step: what is checked must still hold, and the check
/// must not count as an access of its own.
fn checked(holds: ExprId, message: String, op: Op) -> Vec<Op> {
    let check = Op::Assert { cond: holds, kind: AssertKind::Assertion, message };
    vec![Op::AtomicBegin, check, op, Op::AtomicEnd]
}
