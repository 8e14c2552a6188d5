//! Library functions that have their meaning from C and C++ of our own, in `models/`.
//!
//! A file of those is compiled and linked when the program uses something that it defines, and of the file only what is
//! used. Functions in C are put in the place of their calls, unless they ask for the opposite: then strings of different calls are told apart, sizes that are
//! constants choose how memory is accessed, and steps have the lines of the calls.
//!
//! A file is linked again when more of it is needed. So variables that change are not static in it; they have names that
//! programs may not use.

/// A file of library functions.
#[derive(Debug)]
pub(crate) struct Model {
    /// Its name.
    pub(crate) name: &'static str,
    text: &'static str,
    /// What it defines, as the linker sees it. A star stands for any end.
    defines: &'static [&'static str],
    /// Whether its functions are put in the place of their calls, but for those that are `noinline`.
    pub(crate) inlined: bool,
    /// Whether programs are made to run with it, too. What it does then is the same in the analysis and in the run, call by call.
    pub(crate) runs: bool,
    /// What the program must use besides, if the file is not always needed.
    only_with: Option<&'static str>,
}

/// The folder that debug information names.
pub(crate) const FOLDER: &str = "<raddle>";

static MODELS: &[Model] = &[
    Model {
        name: "string.c",
        text: include_str!("models/string.c"),
        defines: &[
            "__raddle_strtok_rest",
            "__strdup",
            "__strtok_r",
            "bcmp",
            "bcopy",
            "bzero",
            "memchr",
            "memcmp",
            "mempcpy",
            "stpcpy",
            "strcasecmp",
            "strcat",
            "strchr",
            "strchrnul",
            "strcmp",
            "strcpy",
            "strcspn",
            "strdup",
            "strlen",
            "strncasecmp",
            "strncat",
            "strncmp",
            "strncpy",
            "strndup",
            "strnlen",
            "strpbrk",
            "strrchr",
            "strspn",
            "strstr",
            "strtok",
            "strtok_r",
        ],
        inlined: true,
        runs: false,
        only_with: None,
    },
    Model {
        name: "stdlib.c",
        text: include_str!("models/stdlib.c"),
        defines: &[
            "__errno_location",
            "__isoc23_strtol",
            "__isoc23_strtoll",
            "__isoc23_strtoul",
            "__isoc23_strtoull",
            "__raddle_errno",
            "atoi",
            "atol",
            "atoll",
            "getenv",
            "secure_getenv",
            "strerror",
            "strtol",
            "strtoll",
            "strtoul",
            "strtoull",
        ],
        inlined: true,
        runs: false,
        only_with: None,
    },
    Model {
        name: "sort.c",
        text: include_str!("models/sort.c"),
        defines: &["bsearch", "lfind", "lsearch", "qsort", "qsort_r"],
        inlined: true,
        runs: true,
        only_with: None,
    },
    Model {
        name: "semaphore.c",
        text: include_str!("models/semaphore.c"),
        defines: &["sem_timedwait", "sem_trywait"],
        inlined: true,
        runs: false,
        only_with: Some("__errno_location"),
    },
    Model {
        name: "format.c",
        text: include_str!("models/format.c"),
        defines: &["__raddle_format_*", "vsnprintf", "vsprintf"],
        inlined: true,
        runs: false,
        only_with: None,
    },
    Model {
        name: "float.c",
        text: include_str!("models/float.c"),
        defines: &["__raddle_float_*", "ceil", "floor", "round", "sqrt", "trunc"],
        inlined: true,
        runs: false,
        only_with: None,
    },
    Model {
        name: "time.c",
        text: include_str!("models/time.c"),
        defines: &["clock_gettime", "difftime", "gettimeofday", "time", "timespec_get"],
        inlined: true,
        runs: false,
        only_with: None,
    },
    Model {
        name: "ctype.c",
        text: include_str!("models/ctype.c"),
        defines: &[
            "__ctype_b_loc",
            "__ctype_tolower_loc",
            "__ctype_toupper_loc",
            "isalnum",
            "isalpha",
            "isascii",
            "isblank",
            "iscntrl",
            "isdigit",
            "isgraph",
            "islower",
            "isprint",
            "ispunct",
            "isspace",
            "isupper",
            "isxdigit",
            "tolower",
            "toupper",
        ],
        inlined: true,
        runs: false,
        only_with: None,
    },
    Model {
        name: "atomic.c",
        text: include_str!("models/atomic.c"),
        defines: &["__atomic_*"],
        inlined: true,
        runs: false,
        only_with: None,
    },
    Model {
        name: "cxx.c",
        text: include_str!("models/cxx.c"),
        defines: &[
            "_ZSt9terminatev",
            "_ZdaPvRKSt9nothrow_t",
            "_ZdaPvSt11align_val_t",
            "_ZdaPvmSt11align_val_t",
            "_ZdlPvRKSt9nothrow_t",
            "_ZdlPvSt11align_val_t",
            "_ZdlPvmSt11align_val_t",
            "_ZnamSt11align_val_t",
            "_ZnwmSt11align_val_t",
            "__cxa_deleted_virtual",
            "__cxa_guard_abort",
            "__cxa_guard_acquire",
            "__cxa_guard_release",
            "__cxa_pure_virtual",
            "__libc_single_threaded",
        ],
        inlined: true,
        runs: false,
        only_with: None,
    },
    Model {
        name: "exception.c",
        text: include_str!("models/exception.c"),
        defines: &[
            "_ZNKSt11logic_error4whatEv",
            "_ZNKSt13runtime_error4whatEv",
            "_ZNKSt9exception4whatEv",
            "_ZNSt11logic_error*",
            "_ZNSt11range_error*",
            "_ZNSt12domain_error*",
            "_ZNSt12length_error*",
            "_ZNSt12out_of_range*",
            "_ZNSt13runtime_error*",
            "_ZNSt14overflow_error*",
            "_ZNSt15__exception_ptr13exception_ptr*",
            "_ZNSt15underflow_error*",
            "_ZNSt16invalid_argument*",
            "_ZNSt9exceptionD*",
            "_ZSt17current_exceptionv",
            "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE",
            "_ZTVSt11logic_error",
            "_ZTVSt11range_error",
            "_ZTVSt12domain_error",
            "_ZTVSt12length_error",
            "_ZTVSt12out_of_range",
            "_ZTVSt13runtime_error",
            "_ZTVSt14overflow_error",
            "_ZTVSt15underflow_error",
            "_ZTVSt16invalid_argument",
            "_ZTVSt9exception",
            "__cxa_allocate_exception",
            "__cxa_begin_catch",
            "__cxa_end_catch",
            "__cxa_free_exception",
            "__cxa_get_exception_ptr",
            "__cxa_init_primary_exception",
            "__cxa_rethrow",
            "__cxa_throw",
            "__raddle_exception_*",
        ],
        inlined: true,
        runs: false,
        only_with: Some("__cxa_throw"),
    },
    Model {
        name: "condition_variable.c",
        text: include_str!("models/condition_variable.c"),
        defines: &[
            "_ZNSt18condition_variable10notify_allEv",
            "_ZNSt18condition_variable10notify_oneEv",
            "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE",
        ],
        inlined: true,
        runs: false,
        only_with: None,
    },
    Model {
        name: "containers.c",
        text: include_str!("models/containers.c"),
        defines: &[
            "_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm",
            "_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm",
            "_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_",
            "_ZNSt8__detail15_List_node_base7_M_hookEPS0_",
            "_ZNSt8__detail15_List_node_base9_M_unhookEv",
            "_ZSt11_Hash_bytesPKvmm",
            "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base",
            "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base",
            "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base",
            "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base",
            "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_",
            "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_",
        ],
        inlined: true,
        runs: true,
        only_with: None,
    },
    Model {
        name: "futex.c",
        text: include_str!("models/futex.c"),
        defines: &["__raddle_futex_*", "syscall"],
        inlined: true,
        runs: false,
        only_with: None,
    },
    Model {
        name: "future.c",
        text: include_str!("models/future.c"),
        defines: &["_ZNSt28__atomic_futex_unsigned_base*", "pthread_once"],
        inlined: true,
        runs: false,
        only_with: Some("_ZNSt13__future_base12_Result_baseC2Ev"),
    },
    Model {
        name: "future.cpp",
        text: include_str!("models/future.cpp"),
        defines: &[
            "_ZNSt13__future_base12_Result_base*",
            "_ZTINSt13__future_base12_Result_baseE",
            "_ZTVNSt13__future_base12_Result_baseE",
        ],
        inlined: false,
        runs: true,
        only_with: None,
    },
    Model {
        name: "stdio.c",
        text: include_str!("models/stdio.c"),
        defines: &["stderr", "stdin", "stdout"],
        inlined: true,
        runs: false,
        only_with: None,
    },
    Model {
        name: "string.cpp",
        text: include_str!("models/string.cpp"),
        defines: &[
            "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE*",
            "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE*",
        ],
        inlined: false,
        runs: true,
        only_with: None,
    },
    Model {
        name: "thread.cpp",
        text: include_str!("models/thread.cpp"),
        defines: &[
            "_ZNSt18condition_variableC*",
            "_ZNSt18condition_variableD*",
            "_ZNSt6thread*",
            "_ZSt11__once_call",
            "_ZSt15__once_callable",
            "_ZTINSt6thread6_StateE",
            "_ZTSNSt6thread6_StateE",
            "_ZTVNSt6thread6_StateE",
            "__once_proxy",
        ],
        inlined: false,
        runs: true,
        only_with: None,
    },
];

impl Model {
    /// Its text.
    pub(crate) fn text(&self) -> &'static str {
        self.text
    }

    /// What debug information calls it, and reports do.
    pub(crate) fn path(&self) -> String {
        format!("{FOLDER}/{}", self.name)
    }

    fn defines(&self, symbol: &str) -> bool {
        self.defines.iter().any(|defined| match defined.strip_suffix('*') {
            Some(start) => symbol.starts_with(start),
            None => symbol == *defined,
        })
    }
}

/// The files that define some of what is used and not defined.
pub(crate) fn defining(undefined: &[String]) -> impl Iterator<Item = &'static Model> {
    let is_used = |symbol: &str| undefined.iter().any(|used| used == symbol);
    MODELS.iter().filter(move |model| {
        model.only_with.is_none_or(is_used) && undefined.iter().any(|symbol| model.defines(symbol))
    })
}

/// Whether we have a function of a name of our own.
pub(crate) fn has(name: &str) -> bool {
    MODELS.iter().any(|model| model.defines(name))
}

/// The library function that a function stands for: models call functions that the lowering knows by this name, where they
/// define the function itself.
pub(crate) fn known_name(name: &str) -> &str {
    name.strip_prefix("__raddle_").unwrap_or(name)
}

/// The file that has a name in debug information.
pub(crate) fn at(path: &str) -> Option<&'static Model> {
    let name = path.strip_prefix(FOLDER)?.strip_prefix('/')?;
    MODELS.iter().find(|model| model.name == name)
}

#[cfg(test)]
mod tests;
