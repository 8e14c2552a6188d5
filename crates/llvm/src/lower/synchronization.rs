//! Locks, condition variables, barriers, semaphores and once flags: POSIX and C11.

mod found;

use ir::{ExprId, ExprNode, LocalId, MutexKind, Op, Place, SyncKind, SyncOp, SyncType, Type, UnaryOp};

use super::address::{Pointer, Way};
use super::bits::Bits;
use super::function::FunctionLowering;
use crate::module::{ConstKind, Operand, ValueId};

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
