//! Which places in memory are synchronization objects, and of which kind: those that are given to functions that work on such.

use ir::{MutexKind, SyncType};
use rustc_hash::FxHashMap;
use source::{Diagnostic, Span};

use super::super::address::dims_at;
use super::super::context::{Context, LibraryCall};
use super::super::image::image;
use crate::module::{Module, Operand, TypeId, TypeKind};
use crate::objects::{ObjectId, ObjectKind, constant};
use crate::points_to::Target;

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
    pub(in crate::lower) fn declare_synchronization(&mut self, calls: &[LibraryCall<'_>]) {
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
        let certain = self.points_to.objects.is_certain(self.module, target.object);
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
                _ => return (here.size > 1 && certain).then_some(false),
            }
        }
    }

    /// How many of `size` bytes from `offset` on belong to the object: as far as its type says.
    fn room(&self, object: ObjectId, offset: u64, size: u64) -> u64 {
        let layout = &self.points_to.objects.all[object].layout;
        let stride = dims_at(&layout.cells, offset).last().map(|dim| dim.start + dim.stride - offset);
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
        let image = image(self.module, &self.placements, init);
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
