//! Witnesses, forced on compiled programs.

use std::process::Command;

use super::{MAIN, said};

/// A witness of a small program, made by a command, and what replaying it says.
fn check_replayed(source: &str, command: &[&str], expected: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("program.c"), source).expect("a file");
    let mut find = Command::new(env!("CARGO_BIN_EXE_raddle"));
    find.current_dir(folder.path()).args(command).args(["program.c", "--witness", "witness.json"]);
    let found = find.output().expect("raddle runs");
    assert_eq!(found.status.code(), Some(1), "{}", said(&found));
    let mut again = Command::new(env!("CARGO_BIN_EXE_raddle"));
    again.current_dir(folder.path()).args(["replay", "witness.json"]);
    let output = again.output().expect("raddle runs");
    let text = said(&output);
    assert!(text.contains(&format!("On the compiled program: {expected}")), "{text}");
    let mut json = Command::new(env!("CARGO_BIN_EXE_raddle"));
    json.current_dir(folder.path()).args(["replay", "witness.json", "--format", "json"]);
    let output = json.output().expect("raddle runs");
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(result["compiled"]["reproduced"], expected.starts_with("reproduced"), "{}", said(&output));
}

#[test]
fn a_failing_assertion_is_reproduced() {
    let source = format!(
        "#include <assert.h>\n#include <pthread.h>\nextern int __VERIFIER_nondet_int(void);
static int x, by;
static void *first(void *p) {{ int v = x; x = v + by; return p; }}
static void *second(void *p) {{ return first(p); }}
static void end(void) {{ by = __VERIFIER_nondet_int() == 17; assert(x == 0 || by == 0); }}\n{MAIN}"
    );
    // The number has to be the right one.
    let source = source.replace("static int x, by;", "static int x, by = 1;");
    check_replayed(&source, &["explore"], "reproduced: the assertion failed");
}

/// There is no place to wait at in it.
#[test]
fn a_program_without_threads_is_reproduced() {
    let source = "#include <assert.h>\nint main(void) { assert(0); }\n";
    check_replayed(source, &["explore"], "reproduced: the assertion failed");
}

#[test]
fn a_deadlock_is_reproduced() {
    let source = format!(
        "#include <pthread.h>\nstatic pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *both(pthread_mutex_t *x, pthread_mutex_t *y) {{
  pthread_mutex_lock(x); pthread_mutex_lock(y); pthread_mutex_unlock(y); pthread_mutex_unlock(x); return 0;
}}
static void *first(void *p) {{ (void)p; return both(&a, &b); }}
static void *second(void *p) {{ (void)p; return both(&b, &a); }}
static void end(void) {{}}\n{MAIN}"
    );
    check_replayed(&source, &["explore"], "reproduced: nobody can go on");
}

#[test]
fn a_lost_signal_is_reproduced() {
    let source = format!(
        "#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *first(void *p) {{
  pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return p;
}}
static void *second(void *p) {{ pthread_cond_signal(&c); return p; }}
static void end(void) {{}}\n{MAIN}"
    );
    check_replayed(&source, &["explore"], "reproduced: nobody can go on");
}

#[test]
fn a_data_race_is_reproduced() {
    let source = format!(
        "#include <pthread.h>\nstatic int x;
static void *first(void *p) {{ x = 1; return p; }}
static void *second(void *p) {{ x = 2; return p; }}
static void end(void) {{}}\n{MAIN}"
    );
    check_replayed(
        &source,
        &["explore", "--check", "race"],
        "reproduced: both threads are at their accesses",
    );
}

#[test]
fn a_livelock_is_reproduced() {
    let source = format!(
        "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int f, g;
static void *first(void *p) {{ for (;;) {{ f = 1; if (!g) break; f = 0; }} f = 0; return p; }}
static void *second(void *p) {{ for (;;) {{ g = 1; if (!f) break; g = 0; }} g = 0; return p; }}
static void end(void) {{}}\n{MAIN}"
    );
    check_replayed(&source, &["live"], "reproduced: what is repeated was gone round 10 times");
}

#[test]
fn a_use_after_free_is_reproduced() {
    let source = format!(
        "#include <pthread.h>\n#include <stdlib.h>\nstatic int *x;
static void *first(void *p) {{ free(x); return p; }}
static void *second(void *p) {{ *x = 2; return p; }}
static void end(void) {{}}\n{MAIN}"
    )
    .replace("pthread_t one, other;", "pthread_t one, other; x = malloc(4);");
    check_replayed(&source, &["explore"], "reproduced: ");
}
