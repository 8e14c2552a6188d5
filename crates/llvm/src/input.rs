//! Library functions of which a recorded run tells all that they did: what they returned, and what they wrote into memory
//! of the program. Instrumented programs record it, and the lowering for recorded runs takes it from there, so both read this table.

use crate::models;

/// What a library function writes through a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Input {
    /// The argument that says where to.
    pub(crate) to: usize,
    pub(crate) length: Length,
}

/// How many bytes it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    /// As many as it returns, if that is no error.
    Result,
    /// As many items as it returns; an argument has their size.
    Items { size: usize },
    /// A text with the zero at its end, if it returns something.
    Text,
    /// So many, if it returns zero.
    IfZero(u32),
    /// So many, if it does not.
    IfNot(u32),
}

impl Length {
    /// The function of `instrument/inline.ll` that computes it from the result, and from a size if it takes one.
    pub(crate) fn computed_by(self) -> &'static str {
        match self {
            Length::Result => "__raddle_length_result",
            Length::Items { .. } => "__raddle_length_items",
            Length::Text => "__raddle_length_text",
            Length::IfZero(_) => "__raddle_length_if_zero",
            Length::IfNot(_) => "__raddle_length_if_not",
        }
    }
}

/// What the function of a name writes.
pub(crate) fn input(name: &str) -> Option<Input> {
    let written = |to: usize, length: Length| Some(Input { to, length });
    match name {
        "read" | "pread" | "pread64" | "recv" | "readlink" => written(1, Length::Result),
        "getrandom" => written(0, Length::Result),
        "fread" | "fread_unlocked" => written(0, Length::Items { size: 1 }),
        "fgets" | "fgets_unlocked" | "getcwd" => written(0, Length::Text),
        "gettimeofday" => written(0, Length::IfZero(16)),
        "clock_gettime" | "clock_getres" | "getrlimit" | "getrlimit64" => written(1, Length::IfZero(16)),
        "getitimer" => written(1, Length::IfZero(32)),
        "time" => written(0, Length::IfNot(8)),
        "localtime_r" | "gmtime_r" => written(1, Length::IfNot(56)),
        // `getrusage` gives a struct of the same size.
        "stat" | "stat64" | "lstat" | "lstat64" | "fstat" | "fstat64" | "getrusage" => {
            written(1, Length::IfZero(144))
        }
        "pipe" | "pipe2" => written(0, Length::IfZero(8)),
        "socketpair" => written(3, Length::IfZero(8)),
        _ => None,
    }
}

/// What a library function whose answer may be anything gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Given {
    /// Whether that is what it returns.
    pub(crate) result: bool,
    /// How many numbers of 64 bits it writes.
    pub(crate) words: u32,
    /// Where to: the argument with the address.
    pub(crate) to: Option<usize>,
}

/// What the function of a name gives; nothing if our own version of it asks for other things.
pub(crate) fn given(name: &str) -> Option<Given> {
    let writes = |to: usize, words: u32| Some(Given { result: false, words, to: Some(to) });
    match name {
        "time" => Some(Given { result: true, words: 1, to: Some(0) }),
        "clock_gettime" => writes(1, 2),
        "gettimeofday" | "timespec_get" => writes(0, 2),
        _ if models::has(name) => None,
        _ => Some(Given { result: true, words: 0, to: None }),
    }
}

/// Whether the function of a name writes nothing that the program can see, and returns something that is no address of its memory.
pub(crate) fn only_returns(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "accept4",
        "access",
        "alarm",
        "atof",
        "bind",
        "chdir",
        "chmod",
        "clearerr",
        "close",
        "closedir",
        "connect",
        "creat",
        "dup",
        "dup2",
        "fclose",
        "fdopen",
        "feof",
        "ferror",
        "fgetc",
        "fileno",
        "fopen",
        "fopen64",
        "fputs",
        "fseek",
        "fseeko",
        "fsync",
        "ftell",
        "ftello",
        "ftruncate",
        "getc",
        "getegid",
        "geteuid",
        "getgid",
        "getpagesize",
        "getpriority",
        "getuid",
        "isatty",
        "kill",
        "link",
        "listen",
        "lseek",
        "lseek64",
        "mkdir",
        "nice",
        "open",
        "open64",
        "openat",
        "opendir",
        "pwrite",
        "pwrite64",
        "remove",
        "rename",
        "rewind",
        "rmdir",
        "send",
        "sendto",
        "setlocale",
        "setpriority",
        "setrlimit",
        "setrlimit64",
        "setsockopt",
        "shutdown",
        "socket",
        "srand48",
        "strerror",
        "symlink",
        "sysconf",
        "truncate",
        "umask",
        "ungetc",
        "unlink",
        "write",
        "writev",
    ];
    NAMES.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_our_own_are_asked_for_what_they_ask() {
        assert!(given("rand").is_some_and(|given| given.result && given.to.is_none()));
        assert!(given("time").is_some_and(|given| given.result && given.words == 1));
        assert!(given("gettimeofday").is_some_and(|given| !given.result && given.words == 2));
        assert_eq!(given("syscall"), None);
    }

    #[test]
    fn names_are_found() {
        assert!(only_returns("access") && only_returns("writev") && only_returns("open"));
        assert!(!only_returns("read") && !only_returns("longjmp"));
        assert!(input("read").is_some_and(|input| input.to == 1 && input.length == Length::Result));
    }
}
