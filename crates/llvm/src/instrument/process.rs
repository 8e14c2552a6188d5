//! Library functions that make other processes, or another program of this one. Neither is recorded; the trace says that it happened.
//!
//! They are called as they are, since some take any number of arguments, and the run-time library is told before or after.
//! `fork` and `vfork` are replaced: a process that shares memory with this one would record into it.

/// Whether the function makes another program of this one.
pub(super) fn is_exec(name: &str) -> bool {
    const NAMES: &[&str] =
        &["execl", "execle", "execlp", "execv", "execve", "execveat", "execvp", "execvpe", "fexecve"];
    NAMES.contains(&name)
}

/// The function of `inline.ll` that finds the number of the process in the result of a function that makes one: 0 if it is not
/// known, and -1 if there is none.
pub(super) fn number_of_child(name: &str) -> Option<&'static str> {
    match name {
        "_Fork" | "clone" | "forkpty" => Some("__raddle_child_number"),
        "system" => Some("__raddle_child_unless_failed"),
        "popen" => Some("__raddle_child_unless_zero"),
        "posix_spawn" | "posix_spawnp" => Some("__raddle_child_if_zero"),
        _ => None,
    }
}
