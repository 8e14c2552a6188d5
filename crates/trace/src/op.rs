//! The operations on threads and synchronization objects that are recorded by name.

/// Defines the enumeration together with its numbers in the file and its names in listings, so that none can be forgotten.
macro_rules! ops {
    ($($name:ident = $number:literal, $text:literal;)*) => {
        /// An operation of a library on a synchronization object. C11's are those of POSIX on which they are built.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Op { $($name = $number,)* }

        impl Op {
            /// Every operation.
            pub const ALL: &[Op] = &[$(Op::$name,)*];

            /// The operation with this number in a file.
            #[must_use]
            pub fn from_number(number: u64) -> Option<Op> {
                match number { $($number => Some(Op::$name),)* _ => None }
            }

            /// How listings call it.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Op::$name => $text,)* }
            }
        }
    };
}

ops! {
    MutexInit = 1, "mutex-init";
    MutexDestroy = 2, "mutex-destroy";
    MutexLock = 3, "mutex-lock";
    MutexTryLock = 4, "mutex-trylock";
    MutexTimedLock = 5, "mutex-timedlock";
    MutexUnlock = 6, "mutex-unlock";
    RwlockInit = 10, "rwlock-init";
    RwlockDestroy = 11, "rwlock-destroy";
    RwlockRead = 12, "rwlock-rdlock";
    RwlockTryRead = 13, "rwlock-tryrdlock";
    RwlockTimedRead = 14, "rwlock-timedrdlock";
    RwlockWrite = 15, "rwlock-wrlock";
    RwlockTryWrite = 16, "rwlock-trywrlock";
    RwlockTimedWrite = 17, "rwlock-timedwrlock";
    RwlockUnlock = 18, "rwlock-unlock";
    CondInit = 20, "cond-init";
    CondDestroy = 21, "cond-destroy";
    CondWait = 22, "cond-wait";
    CondTimedWait = 23, "cond-timedwait";
    CondSignal = 24, "cond-signal";
    CondBroadcast = 25, "cond-broadcast";
    BarrierInit = 30, "barrier-init";
    BarrierDestroy = 31, "barrier-destroy";
    BarrierWait = 32, "barrier-wait";
    SpinInit = 40, "spin-init";
    SpinDestroy = 41, "spin-destroy";
    SpinLock = 42, "spin-lock";
    SpinTryLock = 43, "spin-trylock";
    SpinUnlock = 44, "spin-unlock";
    SemInit = 50, "sem-init";
    SemDestroy = 51, "sem-destroy";
    SemWait = 52, "sem-wait";
    SemTryWait = 53, "sem-trywait";
    SemTimedWait = 54, "sem-timedwait";
    SemPost = 55, "sem-post";
    SemGetValue = 56, "sem-getvalue";
    Once = 60, "once";
    FutexWait = 61, "futex-wait";
    Join = 70, "join";
    TryJoin = 71, "tryjoin";
    TimedJoin = 72, "timedjoin";
    Detach = 73, "detach";
    ThreadExit = 74, "thread-exit";
    Yield = 75, "yield";
    Sleep = 76, "sleep";
}
