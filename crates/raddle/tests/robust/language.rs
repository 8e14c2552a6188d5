//! Constructs of C and C++ that are unusual in some way for whoever instruments them.

use crate::{check, check_that_may_leave, check_with};

#[test]
fn odd_constructs_of_c() {
    // Jumps, vectors, wide and small integers, arrays on the stack, assembler, functions that are chosen when the program starts.
    let expected =
        "300 600 -298970312 1855449970 1595726247 150.000000 0.000000 0.000000 1440 7 1 4 900 -1500 14850\n";
    for level in ["-O0", "-O2"] {
        check_with("odd.c", &[level, "-latomic"], &[], expected, 0);
    }
}

#[test]
fn threads_of_c11() {
    check("c11.c", &[], "28 20 4\n", 0);
}

#[test]
fn synchronization_of_cpp20_and_coroutines() {
    check_that_may_leave("cpp20.cpp", "1 50 3 245 5\n");
}

#[test]
fn exceptions_and_functions_that_are_called_once() {
    check("exceptions.cpp", &[], "101 100\n1\n", 0);
}

#[test]
fn contexts() {
    check("contexts.c", &[], "150 1\n", 0);
}

#[test]
fn loops_over_events_and_timers() {
    check_that_may_leave("events.c", "1 1 10\n");
}

#[test]
fn waiting_for_signals() {
    check("sigwait.c", &[], "20\n", 0);
}
