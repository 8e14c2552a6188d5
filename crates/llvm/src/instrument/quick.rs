//! Library functions that others need not wait for.

/// How the names of library functions start that never block and never call back; a call of one is no reason to let
/// others run.
const QUICK: &[&str] = &[
    "__ctype_",
    "__errno_location",
    "__isoc",
    "abs",
    "acos",
    "asin",
    "atan",
    "ato",
    "ceil",
    "cos",
    "div",
    "exp",
    "fabs",
    "floor",
    "fmod",
    "getenv",
    "gettimeofday",
    "htonl",
    "htons",
    "is",
    "labs",
    "log",
    "mem",
    "ntohl",
    "ntohs",
    "pow",
    "pthread_attr_",
    "pthread_equal",
    "pthread_self",
    "rand",
    "sin",
    "snprintf",
    "sprintf",
    "sqrt",
    "sscanf",
    "strc",
    "strdup",
    "strerror",
    "strlen",
    "strn",
    "strr",
    "strs",
    "strto",
    "tan",
    "time",
    "to",
];

/// Whether the name is one of such a function.
pub(super) fn is(name: &str) -> bool {
    QUICK.iter().any(|start| name.starts_with(start))
}
