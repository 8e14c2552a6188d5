//! Runs under gdb, which stops where they come to their ends. What gdb is told comes from a file, as from somebody who types it.

use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use super::reproduced::{find, folder};
use super::{MAIN, said};

/// Replays under gdb, with what somebody types.
fn debugged(folder: &TempDir, arguments: &[&str], typed: &str) -> Output {
    let commands = folder.path().join("commands");
    std::fs::write(&commands, typed).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.current_dir(folder.path()).args(["replay", "--gdb"]).args(arguments);
    command.stdin(Stdio::from(std::fs::File::open(&commands).expect("a file")));
    command.output().expect("raddle runs")
}

const STOPPED: &str = "Breakpoint 1, ";

/// Two threads that lose an update.
fn losing() -> String {
    format!(
        "#include <assert.h>\n#include <pthread.h>\nstatic int x;
static void *first(void *p) {{ int v = x; x = v + 1; return p; }}
static void *second(void *p) {{ return first(p); }}
static void end(void) {{ assert(x == 2); }}\n{MAIN}"
    )
}

#[test]
fn a_debugger_stops_where_the_assertion_fails() {
    let folder = folder(&losing());
    find(&folder, &["explore"]);
    let output = debugged(&folder, &["witness.json"], "print x\nkill\nquit\n");
    let text = said(&output);
    assert!(text.contains(STOPPED) && text.contains("$1 = 1"), "{text}");
    assert!(text.contains("On the compiled program: reproduced: the assertion failed"), "{text}");
    assert_eq!(output.status.code(), Some(1), "{text}");
}

#[test]
fn what_a_debugger_says_is_no_part_of_the_result() {
    let folder = folder(&losing());
    find(&folder, &["explore"]);
    let output = debugged(&folder, &["witness.json", "--format", "json"], "continue\nquit\n");
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let compiled = serde_json::json!({ "reproduced": true, "message": "the assertion failed" });
    assert_eq!(result["compiled"], compiled, "{}", said(&output));
}

/// All threads are there, where they wait.
#[test]
fn a_debugger_stops_in_a_deadlock() {
    let source = format!(
        "#include <pthread.h>\nstatic pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *first(void *p) {{
  pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return p;
}}
static void *second(void *p) {{
  pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return p;
}}
static void end(void) {{}}\n{MAIN}"
    );
    let folder = folder(&source);
    find(&folder, &["explore"]);
    let text = said(&debugged(&folder, &["witness.json"], "thread apply all backtrace\nkill\nquit\n"));
    assert!(text.contains(STOPPED), "{text}");
    assert!(text.contains("in first (p=") && text.contains("in second (p="), "{text}");
    assert!(text.contains("On the compiled program: reproduced: nobody can go on"), "{text}");
}

/// A program that crashes stops there, and not in the library.
#[test]
fn a_debugger_stops_where_the_program_crashes() {
    let source =
        "#include <stdlib.h>\nint main(void) { int *x = (int *)(long)(rand() & 0); *x = 2; return *x; }\n";
    let folder = folder(source);
    find(&folder, &["explore"]);
    let text = said(&debugged(&folder, &["witness.json"], "kill\nquit\n"));
    assert!(text.contains("received signal SIGSEGV"), "{text}");
    assert!(text.contains("On the compiled program: reproduced: the program crashed"), "{text}");
}

#[test]
fn who_leaves_the_debugger_before_the_end_has_reproduced_nothing() {
    let source = format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <unistd.h>\nstatic int x;
void raddle_outside_wait(void) {{ kill(getpid(), 12); }}
static void *first(void *p) {{ raddle_outside_wait(); x++; return p; }}
static void *second(void *p) {{ return p; }}
static void end(void) {{ assert(x == 0); }}\n{MAIN}"
    );
    let folder = folder(&source.replace("#include <unistd.h>", "#include <signal.h>\n#include <unistd.h>"));
    find(&folder, &["explore"]);
    let text = said(&debugged(&folder, &["witness.json"], "kill\nquit\n"));
    let expected = "On the compiled program: not reproduced: the assertion did not fail before gdb was left";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn a_recorded_run_is_repeated_under_a_debugger() {
    let folder = folder(
        "#include <stdio.h>\nstatic volatile int x;\nint main(void) { x = 42; puts(\"here\"); x++; return 7; }\n",
    );
    let mut record = Command::new(env!("CARGO_BIN_EXE_raddle"));
    record.current_dir(folder.path()).args(["record", "program.c", "-o", "a.trace"]);
    let recorded = record.output().expect("raddle runs");
    assert_eq!(recorded.status.code(), Some(7), "{}", said(&recorded));
    let output = debugged(&folder, &["a.trace"], "print x\nkill\nquit\n");
    let text = said(&output);
    assert!(text.contains(STOPPED) && text.contains("$1 = 43"), "{text}");
    assert!(text.contains("raddle: reproduced: the run was repeated to its end"), "{text}");
    assert_eq!(output.status.code(), Some(7), "{text}");
    let early = debugged(&folder, &["a.trace"], "quit\n");
    assert_eq!(early.status.code(), Some(7), "{}", said(&early));
}

#[test]
fn a_debugger_stops_where_a_recorded_run_is_left() {
    let folder = folder(
        "#include <stdlib.h>\nstatic volatile int x;\nint main(int argc, char **argv) { if (argc > 1) x = 1; else x = 2; return 0; }\n",
    );
    let mut record = Command::new(env!("CARGO_BIN_EXE_raddle"));
    record.current_dir(folder.path()).args(["record", "program.c", "-o", "a.trace"]);
    let recorded = record.output().expect("raddle runs");
    assert_eq!(recorded.status.code(), Some(0), "{}", said(&recorded));
    let output = debugged(&folder, &["a.trace", "--", "more"], "backtrace\nkill\nquit\n");
    let text = said(&output);
    assert!(text.contains(STOPPED), "{text}");
    assert!(text.contains("raddle: not reproduced: thread 0 left the run at program.c:3:"), "{text}");
    assert_eq!(output.status.code(), Some(112), "{text}");
}

#[test]
fn a_program_that_is_not_compiled_has_nothing_to_debug() {
    let folder = folder("");
    let source = "var x: int;\nprocedure main() { x := 0; assert x == 1; }\n";
    std::fs::write(folder.path().join("program.bpl"), source).expect("a file");
    let mut explore = Command::new(env!("CARGO_BIN_EXE_raddle"));
    explore.current_dir(folder.path()).args(["explore", "program.bpl", "--witness", "witness.json"]);
    assert_eq!(explore.output().expect("raddle runs").status.code(), Some(1));
    let output = debugged(&folder, &["witness.json"], "");
    assert!(
        said(&output).contains("error: only programs in C and C++ can be run under gdb"),
        "{}",
        said(&output)
    );
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
}
