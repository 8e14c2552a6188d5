//! Library functions that are known by name.

/// What a library function does with pointers. Numbers are positions of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pointers {
    /// Returns a new object.
    Allocates,
    /// Stores a new object through an argument.
    AllocatesInto(usize),
    /// Returns an argument.
    Returns(usize),
    /// Changes the size of the object that an argument points to.
    Resizes(usize),
    /// Returns a pointer into what an argument points into.
    ReturnsInto(usize),
    /// Copies memory, as many bytes as another argument says.
    Copies { to: usize, from: usize, size: usize },
    /// Goes through memory from an argument on, as many bytes as another argument says.
    Sweeps { from: usize, size: usize },
    /// Starts a thread.
    Starts { function: usize, argument: usize },
    /// Stores the result of a thread through an argument.
    Joins(usize),
    /// Ends the thread with a result.
    Exits(usize),
    /// Sets a thread's value of a key.
    SetsKey(usize),
    /// Creates a key; an argument is called with threads' values of it when they end.
    CreatesKey { destructor: usize },
    /// Returns a thread's value of a key.
    GetsKey,
    /// Calls a function with some of the arguments.
    Calls { function: usize, arguments: &'static [usize] },
}

/// Whether a function of libstdc++ writes to a stream, which it also returns. Streams whose contents a program can see again, such as
/// `std::ostringstream`, are made by functions that are not known, so nobody gets here with one.
pub(crate) fn is_stream_output(name: &str) -> bool {
    const BEGIN: &[&str] = &[
        "_ZNSo3putEc",
        "_ZNSo5flushEv",
        "_ZNSo5writeEPKc",
        "_ZNSo9_M_insertI",
        "_ZNSolsE",
        "_ZSt16__ostream_insertI",
        "_ZSt4endlIcSt",
        "_ZSt4endsIcSt",
        "_ZSt5flushIcSt",
    ];
    BEGIN.iter().any(|begin| name.starts_with(begin))
        || (name.starts_with("_ZStlsI") && name.contains("ERSt13basic_ostreamI"))
}

/// Whether a function is there for programs that are checked, and in no library.
pub(crate) fn is_of_verifiers(name: &str) -> bool {
    name.starts_with("__VERIFIER_") || name.starts_with("raddle_") || name == "reach_error"
}

/// What the function of a name does with pointers.
pub(crate) fn pointers(name: &str) -> &'static [Pointers] {
    use Pointers::{
        Allocates, AllocatesInto, Calls, Copies, CreatesKey, Exits, GetsKey, Joins, Resizes, Returns,
        ReturnsInto, SetsKey, Starts, Sweeps,
    };
    if name.starts_with("llvm.memcpy.") || name.starts_with("llvm.memmove.") {
        return &[
            Copies { to: 0, from: 1, size: 2 },
            Sweeps { from: 0, size: 2 },
            Sweeps { from: 1, size: 2 },
        ];
    }
    if name.starts_with("llvm.memset.") {
        return &[Sweeps { from: 0, size: 2 }];
    }
    if name.starts_with("llvm.threadlocal.address.") {
        return &[Returns(0)];
    }
    if is_stream_output(name) {
        return &[Returns(0)];
    }
    match name {
        "malloc"
        | "calloc"
        | "valloc"
        | "aligned_alloc"
        | "memalign"
        | "_Znwm"
        | "_Znam"
        | "_ZnwmRKSt9nothrow_t"
        | "_ZnamRKSt9nothrow_t" => &[Allocates],
        "realloc" => &[Allocates, Returns(0), Resizes(0)],
        "posix_memalign" => &[AllocatesInto(0)],
        "memcpy" | "memmove" => &[
            Returns(0),
            Copies { to: 0, from: 1, size: 2 },
            Sweeps { from: 0, size: 2 },
            Sweeps { from: 1, size: 2 },
        ],
        "memset" => &[Returns(0), Sweeps { from: 0, size: 2 }],
        // How much is written there is not known before the run.
        "read" | "pread" | "pread64" | "recv" | "readlink" => &[Sweeps { from: 1, size: usize::MAX }],
        "fread" | "fread_unlocked" | "getrandom" => &[Sweeps { from: 0, size: usize::MAX }],
        "fgets" | "fgets_unlocked" | "getcwd" => &[Returns(0), Sweeps { from: 0, size: usize::MAX }],
        "localtime_r" | "gmtime_r" => &[Returns(1)],
        "strcpy" | "strncpy" | "strcat" | "strncat" => &[Returns(0)],
        "strchr" | "strrchr" | "strstr" | "memchr" | "strpbrk" | "__dynamic_cast" => &[ReturnsInto(0)],
        "pthread_create" => &[Starts { function: 2, argument: 3 }],
        "thrd_create" => &[Starts { function: 1, argument: 2 }],
        "pthread_join" => &[Joins(1)],
        "pthread_exit" => &[Exits(0)],
        "pthread_key_create" | "tss_create" => &[CreatesKey { destructor: 1 }],
        "pthread_setspecific" | "tss_set" => &[SetsKey(1)],
        "pthread_getspecific" | "tss_get" => &[GetsKey],
        "pthread_once" | "call_once" => &[Calls { function: 1, arguments: &[] }],
        "qsort" => &[Calls { function: 3, arguments: &[0, 0] }],
        "bsearch" => &[Calls { function: 4, arguments: &[0, 1] }, ReturnsInto(1)],
        _ => &[],
    }
}
