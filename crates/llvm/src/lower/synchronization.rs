//! Locks, condition variables, barriers, semaphores and once flags: POSIX and C11.

use ir::{ExprId, ExprNode, LocalId, MutexKind, Op, Place, SyncKind, SyncOp, SyncType, Type, UnaryOp};
use rustc_hash::FxHashMap;
use source::{Diagnostic, Span};

use super::address::{Pointer, Way};
use super::bits::Bits;
use super::context::{Context, LibraryCall};
use super::function::FunctionLowering;
use crate::module::{ConstKind, Module, Operand, TypeId, TypeKind, ValueId};
use crate::objects::{ObjectId, ObjectKind, constant};
use crate::points_to::Target;

/// What a function returns.
#[derive(Clone, Copy)]
enum Returns {
    /// Zero, always.
    Zero,
    /// Zero if the op's result is true, else this.
    Else(i64),
    /// This if the op's result is true, else zero.
    If(i64),
}

const EPERM: i64 = 1;
const EBUSY: i64 = 16;
const EINVAL: i64 = 22;
const EDEADLK: i64 = 35;
const ETIMEDOUT: i64 = 110;
const THRD_BUSY: i64 = 1;
const THRD_TIMEDOUT: i64 = 4;
const BARRIER_SERIAL_THREAD: i64 = -1;

/// The type of the object that the first argument of a function points to.
fn object_type(name: &str) -> Option<SyncType> {
    let plain = || SyncType::Mutex(MutexKind::Plain);
    Some(match name {
        "pthread_mutex_lock"
        | "pthread_mutex_unlock"
        | "pthread_mutex_trylock"
        | "pthread_mutex_timedlock"
        | "pthread_mutex_clocklock"
        | "pthread_mutex_init"
        | "pthread_mutex_destroy"
        | "mtx_init"
        | "mtx_lock"
        | "mtx_trylock"
        | "mtx_timedlock"
        | "mtx_unlock"
        | "mtx_destroy"
        | "pthread_spin_init"
        | "pthread_spin_lock"
        | "pthread_spin_trylock"
        | "pthread_spin_unlock"
        | "pthread_spin_destroy" => plain(),
        "pthread_rwlock_init"
        | "pthread_rwlock_destroy"
        | "pthread_rwlock_rdlock"
        | "pthread_rwlock_wrlock"
        | "pthread_rwlock_tryrdlock"
        | "pthread_rwlock_trywrlock"
        | "pthread_rwlock_timedrdlock"
        | "pthread_rwlock_timedwrlock"
        | "pthread_rwlock_clockrdlock"
        | "pthread_rwlock_clockwrlock"
        | "pthread_rwlock_unlock" => SyncType::RwLock,
        "pthread_cond_init"
        | "pthread_cond_destroy"
        | "pthread_cond_wait"
        | "pthread_cond_timedwait"
        | "pthread_cond_clockwait"
        | "pthread_cond_signal"
        | "pthread_cond_broadcast"
        | "cnd_init"
        | "cnd_destroy"
        | "cnd_wait"
        | "cnd_timedwait"
        | "cnd_signal"
        | "cnd_broadcast" => SyncType::Condvar,
        "pthread_barrier_init" | "pthread_barrier_destroy" | "pthread_barrier_wait" => SyncType::Barrier,
        "sem_init" | "sem_destroy" | "sem_wait" | "sem_trywait" | "sem_timedwait" | "sem_post"
        | "sem_getvalue" => SyncType::Semaphore,
        "pthread_once" | "call_once" => SyncType::Once,
        _ => return None,
    })
}

fn waits_with_mutex(name: &str) -> bool {
    matches!(
        name,
        "pthread_cond_wait"
            | "pthread_cond_timedwait"
            | "pthread_cond_clockwait"
            | "cnd_wait"
            | "cnd_timedwait"
    )
}

/// How large an object is in memory.
fn bytes(ty: &SyncType) -> u64 {
    match ty {
        SyncType::Mutex(_) => 40,
        SyncType::RwLock => 56,
        SyncType::Condvar => 48,
        SyncType::Barrier | SyncType::Semaphore => 32,
        SyncType::Once | SyncType::Key(_) => 4,
    }
}

impl Context<'_> {
    /// Finds the synchronization objects of the program: what is given to functions that work on such.
    pub(super) fn declare_synchronization(&mut self, calls: &[LibraryCall<'_>]) {
        let mut found: FxHashMap<(ObjectId, u64), (SyncType, u64, Span)> = FxHashMap::default();
        let mut clash = None;
        for call in calls {
            let Some(ty) = object_type(call.name) else { continue };
            let spin = call.name.starts_with("pthread_spin_");
            let mut note = |operand: Option<&Operand>, ty: &SyncType| {
                let targets = operand.map_or(&[][..], |operand| self.points_to.targets(call.func, *operand));
                let known = targets.iter().any(|target| self.held(*target) == Some(true));
                for target in targets.iter().filter(|target| !known || self.held(**target) != Some(false)) {
                    let size = if spin { 4 } else { bytes(ty) };
                    let entry = found.entry((target.object, target.offset));
                    let known = entry.or_insert_with(|| (ty.clone(), size, call.span));
                    if known.0 != *ty {
                        clash = Some(call.span);
                    }
                }
            };
            note(call.args.first(), &ty);
            if waits_with_mutex(call.name) {
                note(call.args.get(1), &SyncType::Mutex(MutexKind::Plain));
            }
        }
        if let Some(span) = clash {
            self.errors.push(
                Diagnostic::error(
                    span,
                    "one place in memory is used as synchronization objects of two kinds",
                )
                .help("give each object its own variable"),
            );
        }
        let kinds = self.mutex_kinds(calls);
        for ((object, offset), (mut ty, size, span)) in found {
            if let SyncType::Mutex(kind) = &mut ty {
                match kinds.get(&(object, offset)).map(Vec::as_slice) {
                    None | Some([]) => *kind = self.static_kind(object, offset),
                    Some([one]) => *kind = *one,
                    Some(_) => self.errors.push(Diagnostic::error(
                        span,
                        "a mutex that is initialised with different kinds is not supported",
                    )),
                }
            }
            let room = self.room(object, offset, size);
            self.memory.declare_synchronization(object, offset, ty, room);
        }
    }

    /// Whether the type of an object says that there is a synchronization object at a place; none if it says nothing. Pointers that seem to
    /// point to such objects, and to others as well, do so because the analysis of pointers does not know better.
    fn held(&self, target: Target) -> Option<bool> {
        if let ObjectKind::Func(_) = self.points_to.objects.all[target.object].kind {
            return Some(false);
        }
        let mut ty = self.points_to.objects.ty(target.object)?;
        let mut offset = target.offset % self.module.types[ty].size.max(1);
        loop {
            let here = &self.module.types[ty];
            match &here.kind {
                TypeKind::Struct { name: Some(name), .. } if offset == 0 && is_synchronization(name) => {
                    return Some(true);
                }
                TypeKind::Struct { .. } | TypeKind::Array { .. } => {
                    (ty, offset) = part_at(self.module, ty, offset)?;
                }
                // Bytes are room for anything.
                _ => return (here.size > 1).then_some(false),
            }
        }
    }

    /// How many of `size` bytes from `offset` on belong to the object: as far as its type says.
    fn room(&self, object: ObjectId, offset: u64, size: u64) -> u64 {
        let layout = &self.points_to.objects.all[object].layout;
        let stride =
            super::address::dims_at(&layout.cells, offset).last().map(|dim| dim.start + dim.stride - offset);
        let mut room = size.min(stride.unwrap_or(u64::MAX));
        if let Some(ty) = self.points_to.objects.ty(object) {
            let start = offset % self.module.types[ty].size.max(1);
            room = room.min(struct_at(self.module, ty, start, size).unwrap_or(room));
        }
        room
    }

    /// The kind that a mutex has from its initialiser.
    fn static_kind(&mut self, object: ObjectId, offset: u64) -> MutexKind {
        // Where glibc keeps the kind.
        const KIND: u64 = 16;
        let ObjectKind::Global(global) = self.points_to.objects.all[object].kind else {
            return MutexKind::Plain;
        };
        let Some(init) = self.module.globals[global].init else { return MutexKind::Plain };
        let image = super::image::image(self.module, &self.placements, init);
        match usize::try_from(offset + KIND).ok().and_then(|at| image.get(at)) {
            Some(1) => MutexKind::Recursive,
            Some(2) => MutexKind::ErrorChecking,
            _ => MutexKind::Plain,
        }
    }

    /// The kinds with which mutexes are initialised by calls.
    fn mutex_kinds(&self, calls: &[LibraryCall<'_>]) -> FxHashMap<(ObjectId, u64), Vec<MutexKind>> {
        let kind_of = |operand: Option<&Operand>| match operand.and_then(|arg| constant(self.module, *arg)) {
            Some(1) => MutexKind::Recursive,
            Some(2) => MutexKind::ErrorChecking,
            _ => MutexKind::Plain,
        };
        let mut attributes: FxHashMap<(ObjectId, u64), Vec<MutexKind>> = FxHashMap::default();
        for call in calls.iter().filter(|call| call.name == "pthread_mutexattr_settype") {
            let targets = call.args.first().map_or(&[][..], |arg| self.points_to.targets(call.func, *arg));
            for target in targets {
                attributes.entry((target.object, target.offset)).or_default().push(kind_of(call.args.get(1)));
            }
        }
        let mut kinds: FxHashMap<(ObjectId, u64), Vec<MutexKind>> = FxHashMap::default();
        for call in calls {
            let given: Vec<MutexKind> = match call.name {
                "pthread_mutex_init" => {
                    let attribute = call.args.get(1);
                    let targets = attribute.map_or(&[][..], |arg| self.points_to.targets(call.func, *arg));
                    let found: Vec<MutexKind> = targets
                        .iter()
                        .filter_map(|target| attributes.get(&(target.object, target.offset)))
                        .flatten()
                        .copied()
                        .collect();
                    if found.is_empty() { vec![MutexKind::Plain] } else { found }
                }
                "mtx_init" => {
                    let flags = call.args.get(1).and_then(|arg| constant(self.module, *arg)).unwrap_or(0);
                    vec![if flags & 1 == 1 { MutexKind::Recursive } else { MutexKind::Plain }]
                }
                _ => continue,
            };
            let targets = call.args.first().map_or(&[][..], |arg| self.points_to.targets(call.func, *arg));
            for target in targets {
                let known = kinds.entry((target.object, target.offset)).or_default();
                for &kind in &given {
                    if !known.contains(&kind) {
                        known.push(kind);
                    }
                }
            }
        }
        kinds
    }
}

/// Whether a struct has the name of a type of synchronization objects; linking appends numbers to some.
fn is_synchronization(name: &str) -> bool {
    let name = name.trim_start_matches("union.").trim_start_matches("struct.");
    let base = name.split_once('.').map_or(name, |(base, _)| base);
    matches!(
        base,
        "pthread_mutex_t"
            | "pthread_cond_t"
            | "pthread_rwlock_t"
            | "pthread_barrier_t"
            | "sem_t"
            | "mtx_t"
            | "cnd_t"
    )
}

/// The size of the synchronization object at an offset of a type: that of the struct there with such a name, or else of the
/// largest struct with at most `most` bytes.
fn struct_at(module: &Module, ty: TypeId, offset: u64, most: u64) -> Option<u64> {
    let (mut ty, mut offset) = (ty, offset);
    let mut largest = None;
    loop {
        let here = &module.types[ty];
        if offset == 0 && here.size <= most {
            largest = largest.or(Some(here.size));
        }
        match &here.kind {
            TypeKind::Struct { name: Some(name), .. } if offset == 0 && is_synchronization(name) => {
                return Some(here.size);
            }
            _ => match part_at(module, ty, offset) {
                Some(part) => (ty, offset) = part,
                None => return largest,
            },
        }
    }
}

/// The field or element at an offset of a type, and the offset in it.
fn part_at(module: &Module, ty: TypeId, offset: u64) -> Option<(TypeId, u64)> {
    match &module.types[ty].kind {
        TypeKind::Struct { fields, .. } => {
            let after = fields.partition_point(|(at, _)| *at <= offset);
            let &(at, inner) = fields.get(after.checked_sub(1)?)?;
            Some((inner, offset - at))
        }
        TypeKind::Array { element, .. } => Some((*element, offset % module.types[*element].size.max(1))),
        _ => None,
    }
}

impl FunctionLowering<'_, '_> {
    /// Lowers a call that synchronizes; returns whether it is one.
    pub(super) fn synchronization_call(
        &mut self,
        result: Option<ValueId>,
        name: &str,
        args: &[Operand],
    ) -> bool {
        use Returns::{Else, If, Zero};
        let (kind, returns) = match name {
            "pthread_mutex_lock" => (SyncKind::Acquire, Else(EDEADLK)),
            "mtx_lock" | "pthread_spin_lock" => (SyncKind::Acquire, Zero),
            "pthread_mutex_unlock" => (SyncKind::Release, Else(EPERM)),
            "mtx_unlock" | "pthread_spin_unlock" | "pthread_rwlock_unlock" => (SyncKind::Release, Zero),
            "pthread_mutex_trylock" | "pthread_spin_trylock" => (SyncKind::TryAcquire, Else(EBUSY)),
            "mtx_trylock" => (SyncKind::TryAcquire, Else(THRD_BUSY)),
            // Waiting for a while and then giving up is trying at some later time.
            "pthread_mutex_timedlock" | "pthread_mutex_clocklock" => (SyncKind::TryAcquire, Else(ETIMEDOUT)),
            "mtx_timedlock" => (SyncKind::TryAcquire, Else(THRD_TIMEDOUT)),
            "pthread_rwlock_rdlock" => (SyncKind::AcquireRead, Zero),
            "pthread_rwlock_wrlock" => (SyncKind::AcquireWrite, Zero),
            "pthread_rwlock_tryrdlock" => (SyncKind::TryAcquireRead, Else(EBUSY)),
            "pthread_rwlock_trywrlock" => (SyncKind::TryAcquireWrite, Else(EBUSY)),
            "pthread_rwlock_timedrdlock" | "pthread_rwlock_clockrdlock" => {
                (SyncKind::TryAcquireRead, Else(ETIMEDOUT))
            }
            "pthread_rwlock_timedwrlock" | "pthread_rwlock_clockwrlock" => {
                (SyncKind::TryAcquireWrite, Else(ETIMEDOUT))
            }
            "pthread_cond_signal" | "cnd_signal" => (SyncKind::Signal, Zero),
            "pthread_cond_broadcast" | "cnd_broadcast" => (SyncKind::Broadcast, Zero),
            "pthread_barrier_wait" => (SyncKind::BarrierWait, If(BARRIER_SERIAL_THREAD)),
            "sem_wait" => (SyncKind::Down, Zero),
            "sem_trywait" | "sem_timedwait" => (SyncKind::TryDown, Else(-1)),
            "sem_post" => (SyncKind::Up, Zero),
            "pthread_mutex_init"
            | "mtx_init"
            | "pthread_spin_init"
            | "pthread_rwlock_init"
            | "pthread_cond_init"
            | "cnd_init" => (SyncKind::Init, Zero),
            "pthread_barrier_init" | "sem_init" => {
                let value = args.get(2).map(|&arg| self.scalar(arg));
                if let (Some(value), Some(&object)) = (value, args.first()) {
                    let none = self.cx.program.exprs.literal_u64(value) == Some(0);
                    if none && name == "pthread_barrier_init" {
                        self.returned_number(result, EINVAL);
                        return true;
                    }
                    let value = self.cx.program.exprs.add(ExprNode::Unary(UnaryOp::BvToInt, value));
                    self.synchronize(object, SyncKind::Init, None, Some(value), None);
                }
                self.returned_number(result, 0);
                return true;
            }
            "pthread_mutex_destroy" => {
                // A recorded run has no step for it.
                match args.first().filter(|_| !self.cx.options.transactions) {
                    Some(&mutex) if result.is_some_and(|result| self.is_used(result)) => {
                        self.destroy_mutex(result, mutex);
                    }
                    _ => self.returned_number(result, 0),
                }
                return true;
            }
            "mtx_destroy"
            | "pthread_spin_destroy"
            | "pthread_rwlock_destroy"
            | "pthread_cond_destroy"
            | "cnd_destroy"
            | "pthread_barrier_destroy"
            | "sem_destroy" => {
                self.returned_number(result, 0);
                return true;
            }
            "pthread_cond_wait" | "cnd_wait" => {
                let kind = if self.cx.options.spurious_wakeups {
                    SyncKind::CondTimedWait
                } else {
                    SyncKind::CondWait
                };
                self.wait_on_condition(args, kind, None);
                self.returned_number(result, 0);
                return true;
            }
            "pthread_cond_timedwait" | "pthread_cond_clockwait" | "cnd_timedwait" => {
                let local = self.temporary("$woken", Type::Bool);
                self.wait_on_condition(args, SyncKind::CondTimedWait, Some(local));
                let late = if name.starts_with("cnd") { THRD_TIMEDOUT } else { ETIMEDOUT };
                self.returned(result, local, Else(late));
                return true;
            }
            "sem_getvalue" => {
                self.semaphore_value(args);
                self.returned_number(result, 0);
                return true;
            }
            "pthread_once" | "call_once" => {
                self.once(args);
                self.returned_number(result, 0);
                return true;
            }
            _ => return false,
        };
        let Some(&object) = args.first() else { return false };
        let wanted = result.filter(|result| self.is_used(*result));
        match (returns, wanted) {
            (Zero, _) | (_, None) => {
                self.synchronize(object, kind, None, None, None);
                self.returned_number(result, 0);
            }
            (returns, Some(_)) => {
                let local = self.temporary("$done", Type::Bool);
                self.synchronize(object, kind, None, None, Some(local));
                self.returned(result, local, returns);
            }
        }
        true
    }

    /// Defines the result of a call as a number.
    pub(super) fn returned_number(&mut self, result: Option<ValueId>, number: i64) {
        let Some(result) = result else { return };
        let ty = self.cx.module.funcs[self.func].values[result].ty;
        let parts = super::context::leaves(self.cx.module, ty);
        let exprs = &mut self.cx.program.exprs;
        let parts = parts
            .iter()
            .map(|leaf| match leaf {
                Type::Bv(width) => exprs.big(*width, &number.into()),
                _ => exprs.bool(number != 0),
            })
            .collect();
        self.define(result, parts);
    }

    fn returned(&mut self, result: Option<ValueId>, local: LocalId, returns: Returns) {
        let Some(result) = result else { return };
        let done = self.local_expr(local);
        let exprs = &mut self.cx.program.exprs;
        let (yes, no) = match returns {
            Returns::Zero => (0, 0),
            Returns::Else(no) => (0, no),
            Returns::If(yes) => (yes, 0),
        };
        let (yes, no) = (exprs.big(32, &yes.into()), exprs.big(32, &no.into()));
        let value = exprs.choose(done, yes, no);
        self.define(result, vec![value]);
    }

    /// One op on what a pointer points to.
    fn synchronize(
        &mut self,
        object: Operand,
        kind: SyncKind,
        mutex: Option<&Place>,
        value: Option<ExprId>,
        result: Option<LocalId>,
    ) {
        let pointer = Pointer::from(object);
        let ways = self.ways(pointer, 1);
        let mutex = mutex.cloned();
        self.follow(pointer, &ways, &mut |lowering, way| {
            let Some(place) = lowering.synchronization_place(way) else { return };
            let result = result.map(Place::local);
            let op = SyncOp { kind, object: place, mutex: mutex.clone(), value, result };
            lowering.push(Op::Sync(op));
        });
    }

    fn synchronization_place(&mut self, way: &Way) -> Option<Place> {
        for (holds, message) in &way.valid {
            self.require(*holds, message);
        }
        let place = self.cx.synchronization(way.object, way.offset, way.keys.clone());
        if place.is_none() {
            self.unsupported("a synchronization object that was not found");
        }
        place
    }

    /// Zero is how synchronization objects start; what is inside them has no meaning of its own.
    pub(super) fn clear_synchronization(&mut self, way: &Way) {
        let starts = match self.cx.memory.synchronization_at(way.object, way.offset) {
            Some(SyncType::Mutex(_) | SyncType::RwLock | SyncType::Condvar | SyncType::Once) => true,
            Some(SyncType::Barrier | SyncType::Semaphore | SyncType::Key(_)) | None => false,
        };
        if starts && let Some(object) = self.synchronization_place(way) {
            let op = SyncOp { kind: SyncKind::Init, object, mutex: None, value: None, result: None };
            self.push(Op::Sync(op));
        } else if self.cx.options.transactions {
            // A recorded run has the instruction, so there is a step for it.
            self.push(Op::AtomicBegin);
            self.push(Op::AtomicEnd);
        }
    }

    fn wait_on_condition(&mut self, args: &[Operand], kind: SyncKind, result: Option<LocalId>) {
        let (Some(&condition), Some(&mutex)) = (args.first(), args.get(1)) else { return };
        let pointer = Pointer::from(mutex);
        let ways = self.ways(pointer, 1);
        self.follow(pointer, &ways, &mut |lowering, way| {
            if let Some(place) = lowering.synchronization_place(way) {
                lowering.synchronize(condition, kind, Some(&place), None, result);
            }
        });
    }

    /// What is held cannot be destroyed: whether it is held is what trying to hold it says, and for a recursive mutex, trying to give it
    /// back once more.
    fn destroy_mutex(&mut self, result: Option<ValueId>, mutex: Operand) {
        let free = self.temporary("$free", Type::Bool);
        let held = self.temporary("$held", Type::Bool);
        let pointer = Pointer::from(mutex);
        let ways = self.ways(pointer, 1);
        self.follow(pointer, &ways, &mut |lowering, way| {
            let Some(object) = lowering.synchronization_place(way) else { return };
            let ty = lowering.cx.memory.synchronization_at(way.object, way.offset).cloned();
            let step = |lowering: &mut FunctionLowering<'_, '_>, kind, result: Option<LocalId>| {
                let result = result.map(Place::local);
                lowering.push(Op::Sync(SyncOp {
                    kind,
                    object: object.clone(),
                    mutex: None,
                    value: None,
                    result,
                }));
            };
            lowering.push(Op::AtomicBegin);
            step(lowering, SyncKind::TryAcquire, Some(free));
            let is_free = lowering.local_expr(free);
            let after = lowering.branch(is_free);
            step(lowering, SyncKind::Release, None);
            if ty == Some(SyncType::Mutex(MutexKind::Recursive)) {
                step(lowering, SyncKind::Release, Some(held));
                let is_held = lowering.local_expr(held);
                let next = lowering.branch(is_held);
                step(lowering, SyncKind::Acquire, None);
                let never = lowering.cx.program.exprs.bool(false);
                lowering.push(Op::Assign {
                    targets: vec![Place::local(free)],
                    values: vec![never],
                    order: ir::AccessOrder::Plain,
                });
                lowering.push(Op::Goto(next));
                lowering.builder.switch_to(next);
            }
            lowering.push(Op::Goto(after));
            lowering.builder.switch_to(after);
            lowering.push(Op::AtomicEnd);
        });
        self.returned(result, free, Returns::Else(EBUSY));
    }

    fn semaphore_value(&mut self, args: &[Operand]) {
        let (Some(&object), Some(&to)) = (args.first(), args.get(1)) else { return };
        let local = self.temporary("$value", Type::Int);
        self.synchronize(object, SyncKind::Value, None, None, Some(local));
        let value = self.local_expr(local);
        let value = self.cx.program.exprs.add(ExprNode::Unary(UnaryOp::IntToBv(32), value));
        self.store(Pointer::from(to), value, 4, false);
    }

    fn once(&mut self, args: &[Operand]) {
        let (Some(&flag), Some(&routine)) = (args.first(), args.get(1)) else { return };
        let local = self.temporary("$first", Type::Bool);
        self.synchronize(flag, SyncKind::OnceBegin, None, None, Some(local));
        let first = self.local_expr(local);
        let next = self.branch(first);
        let funcs = self.functions(routine);
        let number = self.scalar(routine);
        self.dispatch(number, &funcs, &mut |lowering, func| {
            lowering.call_body(func, Vec::new(), &[], false);
        });
        self.synchronize(flag, SyncKind::OnceEnd, None, None, None);
        self.push(Op::Goto(next));
        self.builder.switch_to(next);
    }

    /// Whether anybody reads a value.
    pub(super) fn is_used(&self, value: ValueId) -> bool {
        self.uses(value) > 0
    }

    /// The text that a pointer to a constant points to, up to its zero.
    pub(super) fn text(&mut self, operand: Operand) -> Option<Vec<u8>> {
        if let Operand::Const(id) = operand
            && matches!(self.cx.module.consts[id].kind, ConstKind::Null)
        {
            return None;
        }
        let address = self.address(operand);
        let super::address::Base::Object(object, None) = address.base else { return None };
        if !address.terms.is_empty() {
            return None;
        }
        let bytes = self.cx.constant_bytes(object, u64::try_from(address.bytes).ok()?)?;
        let end = bytes.iter().position(|&byte| byte == 0)?;
        Some(bytes[..end].to_vec())
    }
}
