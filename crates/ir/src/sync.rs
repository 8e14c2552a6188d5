//! Synchronization objects and the ops on them.
//!
//! The data is here; what the ops mean is in [`definition`], once, as guarded atomic assignments over the plain
//! components listed by [`SyncType::components`].

mod definition;

use crate::{ExprId, ExprNode, ExprPool, Place, Type};

pub use definition::{Expanded, expand};

/// How a mutex treats a holder that acquires it again and a stranger that releases it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MutexKind {
    /// Acquiring it again blocks for ever; releasing what one does not hold is a violation.
    Plain,
    /// Acquiring it again counts; a stranger's release fails.
    Recursive,
    /// Acquiring it again fails; a stranger's release fails.
    ErrorChecking,
}

/// The type of a synchronization object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SyncType {
    /// A lock with one holder.
    Mutex(MutexKind),
    /// A lock with one writer or many readers.
    RwLock,
    /// A condition variable.
    Condvar,
    /// A barrier.
    Barrier,
    /// A counting semaphore.
    Semaphore,
    /// A once flag.
    Once,
    /// A thread-local key: one value of the given type per task.
    Key(Box<Type>),
}

/// A plain variable that holds part of the state of a synchronization object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// `owner` in `m.owner`.
    pub name: &'static str,
    /// Its type.
    pub ty: Type,
}

impl SyncType {
    /// The plain variables that make up an object of this type. All start as nil, false, zero, or a map of such
    /// (a key of another type starts arbitrary).
    #[must_use]
    pub fn components(&self) -> Vec<Component> {
        let component = |name, ty| Component { name, ty };
        let per_task = |ty: Type| Type::map(vec![Type::Task], ty);
        match self {
            SyncType::Mutex(MutexKind::Recursive) => {
                vec![component("owner", Type::Task), component("depth", Type::Int)]
            }
            SyncType::Mutex(_) => vec![component("owner", Type::Task)],
            SyncType::RwLock => vec![component("writer", Type::Task), component("readers", Type::Int)],
            SyncType::Condvar => {
                vec![component("waiting", per_task(Type::Bool)), component("waiters", Type::Int)]
            }
            SyncType::Barrier => vec![
                component("waiting", per_task(Type::Bool)),
                component("arrived", Type::Int),
                component("threshold", Type::Int),
            ],
            SyncType::Semaphore => vec![component("value", Type::Int)],
            SyncType::Once => vec![component("running", Type::Bool), component("done", Type::Bool)],
            SyncType::Key(ty) => vec![component("values", per_task((**ty).clone()))],
        }
    }

    /// The name in the text format.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            SyncType::Mutex(MutexKind::Plain) => "mutex",
            SyncType::Mutex(MutexKind::Recursive) => "mutex.recursive",
            SyncType::Mutex(MutexKind::ErrorChecking) => "mutex.errorcheck",
            SyncType::RwLock => "rwlock",
            SyncType::Condvar => "condvar",
            SyncType::Barrier => "barrier",
            SyncType::Semaphore => "semaphore",
            SyncType::Once => "once",
            SyncType::Key(_) => "key",
        }
    }
}

/// The value of a type that is nil, false or zero in every cell, if the type has one.
pub(crate) fn zero(exprs: &mut ExprPool, ty: &Type) -> Option<ExprId> {
    Some(match ty {
        Type::Bool => exprs.bool(false),
        Type::Int => exprs.int(0),
        Type::Bv(width) => exprs.add(ExprNode::Bv(*width, 0.into())),
        Type::Task => exprs.add(ExprNode::Nil),
        Type::Map(map) => {
            let cell = zero(exprs, &map.result)?;
            exprs.add(ExprNode::ConstMap(ty.clone(), cell))
        }
        Type::Sort(_) | Type::Sync(_) => return None,
    })
}

/// What a synchronization op does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SyncKind {
    /// Any object: back to its initial state; a barrier takes its threshold, a semaphore its value.
    Init,
    /// Mutex: block until it can be held. The result is true, except that acquiring an error-checking mutex again
    /// gives false.
    Acquire,
    /// Mutex or read-write lock: give it back. The result says whether this task held it.
    Release,
    /// Mutex: hold it if that is possible at once. The result says whether it is held.
    TryAcquire,
    /// Read-write lock: hold it for reading.
    AcquireRead,
    /// Read-write lock: hold it for writing.
    AcquireWrite,
    /// Read-write lock: hold it for reading if that is possible at once.
    TryAcquireRead,
    /// Read-write lock: hold it for writing if that is possible at once.
    TryAcquireWrite,
    /// Condition variable: give back the mutex and wait in one instant; once woken, hold the mutex again.
    CondWait,
    /// Condition variable: the same, but the wait may end at any time without a signal. The result says whether there
    /// was one.
    CondTimedWait,
    /// Condition variable: wake one waiter, any, if there is one.
    Signal,
    /// Condition variable: wake all waiters.
    Broadcast,
    /// Barrier: wait until as many tasks as its threshold have come. The result is true for the last to come.
    BarrierWait,
    /// Semaphore: block until it is positive, then take one.
    Down,
    /// Semaphore: take one if it is positive. The result says whether.
    TryDown,
    /// Semaphore: add one.
    Up,
    /// Semaphore: the result is its value.
    Value,
    /// Once: block while another task is between begin and end. The result says whether this task must run the
    /// routine and then end.
    OnceBegin,
    /// Once: the routine has run.
    OnceEnd,
    /// Key: the result is this task's value.
    KeyGet,
    /// Key: set this task's value.
    KeySet,
}

impl SyncKind {
    /// Every kind, in the order of `docs/ir.md`.
    pub const ALL: [SyncKind; 21] = [
        SyncKind::Init,
        SyncKind::Acquire,
        SyncKind::Release,
        SyncKind::TryAcquire,
        SyncKind::AcquireRead,
        SyncKind::AcquireWrite,
        SyncKind::TryAcquireRead,
        SyncKind::TryAcquireWrite,
        SyncKind::CondWait,
        SyncKind::CondTimedWait,
        SyncKind::Signal,
        SyncKind::Broadcast,
        SyncKind::BarrierWait,
        SyncKind::Down,
        SyncKind::TryDown,
        SyncKind::Up,
        SyncKind::Value,
        SyncKind::OnceBegin,
        SyncKind::OnceEnd,
        SyncKind::KeyGet,
        SyncKind::KeySet,
    ];

    /// The keyword in the text format.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            SyncKind::Init => "init",
            SyncKind::Acquire => "acquire",
            SyncKind::Release => "release",
            SyncKind::TryAcquire => "tryacquire",
            SyncKind::AcquireRead => "acquire.read",
            SyncKind::AcquireWrite => "acquire.write",
            SyncKind::TryAcquireRead => "tryacquire.read",
            SyncKind::TryAcquireWrite => "tryacquire.write",
            SyncKind::CondWait => "condwait",
            SyncKind::CondTimedWait => "condwait.timed",
            SyncKind::Signal => "signal",
            SyncKind::Broadcast => "broadcast",
            SyncKind::BarrierWait => "barrierwait",
            SyncKind::Down => "down",
            SyncKind::TryDown => "trydown",
            SyncKind::Up => "up",
            SyncKind::Value => "value",
            SyncKind::OnceBegin => "once.begin",
            SyncKind::OnceEnd => "once.end",
            SyncKind::KeyGet => "key.get",
            SyncKind::KeySet => "key.set",
        }
    }

    /// Whether the op applies to objects of a type.
    #[must_use]
    pub fn applies_to(self, ty: &SyncType) -> bool {
        match self {
            SyncKind::Init => true,
            SyncKind::Acquire | SyncKind::TryAcquire => matches!(ty, SyncType::Mutex(_)),
            SyncKind::Release => matches!(ty, SyncType::Mutex(_) | SyncType::RwLock),
            SyncKind::AcquireRead
            | SyncKind::AcquireWrite
            | SyncKind::TryAcquireRead
            | SyncKind::TryAcquireWrite => matches!(ty, SyncType::RwLock),
            SyncKind::CondWait | SyncKind::CondTimedWait | SyncKind::Signal | SyncKind::Broadcast => {
                matches!(ty, SyncType::Condvar)
            }
            SyncKind::BarrierWait => matches!(ty, SyncType::Barrier),
            SyncKind::Down | SyncKind::TryDown | SyncKind::Up | SyncKind::Value => {
                matches!(ty, SyncType::Semaphore)
            }
            SyncKind::OnceBegin | SyncKind::OnceEnd => matches!(ty, SyncType::Once),
            SyncKind::KeyGet | SyncKind::KeySet => matches!(ty, SyncType::Key(_)),
        }
    }

    /// Whether the op gives back a mutex and takes it again: such ops take two steps.
    #[must_use]
    pub fn takes_mutex(self) -> bool {
        matches!(self, SyncKind::CondWait | SyncKind::CondTimedWait)
    }

    /// The type of the result that the op can give, if any.
    #[must_use]
    pub fn result_type(self, ty: &SyncType) -> Option<Type> {
        match self {
            SyncKind::Acquire
            | SyncKind::Release
            | SyncKind::TryAcquire
            | SyncKind::TryAcquireRead
            | SyncKind::TryAcquireWrite
            | SyncKind::BarrierWait
            | SyncKind::CondTimedWait
            | SyncKind::TryDown
            | SyncKind::OnceBegin => Some(Type::Bool),
            SyncKind::Value => Some(Type::Int),
            SyncKind::KeyGet => match ty {
                SyncType::Key(value) => Some((**value).clone()),
                _ => None,
            },
            SyncKind::Init
            | SyncKind::AcquireRead
            | SyncKind::AcquireWrite
            | SyncKind::CondWait
            | SyncKind::Signal
            | SyncKind::Broadcast
            | SyncKind::Down
            | SyncKind::Up
            | SyncKind::OnceEnd
            | SyncKind::KeySet => None,
        }
    }

    /// The type of the value that the op needs, if any.
    #[must_use]
    pub fn value_type(self, ty: &SyncType) -> Option<Type> {
        match (self, ty) {
            (SyncKind::Init, SyncType::Barrier | SyncType::Semaphore) => Some(Type::Int),
            (SyncKind::KeySet, SyncType::Key(value)) => Some((**value).clone()),
            _ => None,
        }
    }
}

/// A synchronization op on an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyncOp {
    /// What it does.
    pub kind: SyncKind,
    /// The object: a global of a synchronization type, or a cell of a global map of them.
    pub object: Place,
    /// The mutex of a condition wait.
    pub mutex: Option<Place>,
    /// The value of an init or set, where [`SyncKind::value_type`] asks for one.
    pub value: Option<ExprId>,
    /// Where the result goes, if anybody wants it.
    pub result: Option<Place>,
}
