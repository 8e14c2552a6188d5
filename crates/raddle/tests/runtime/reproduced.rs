//! Witnesses, forced on compiled programs.

use std::process::{Command, Output};

use tempfile::TempDir;

use super::{MAIN, said};

fn raddle(folder: &TempDir, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.current_dir(folder.path()).args(arguments).output().expect("raddle runs")
}

/// A folder with a program in a file.
pub(crate) fn folder(source: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("program.c"), source).expect("a file");
    folder
}

/// Lets a command find a violation of the program in a folder, and keep its witness.
pub(crate) fn find(folder: &TempDir, command: &[&str]) {
    let found = raddle(folder, &[command, &["program.c", "--witness", "witness.json"]].concat());
    assert_eq!(found.status.code(), Some(1), "{command:?}: {}", said(&found));
}

/// A witness of a small program, made by a command, and what replaying it says.
fn check_replayed(source: &str, command: &[&str], expected: &str) {
    let folder = folder(source);
    find(&folder, command);
    let text = said(&raddle(&folder, &["replay", "witness.json"]));
    assert!(text.contains(&format!("On the compiled program: {expected}")), "{command:?} {source}: {text}");
    let output = raddle(&folder, &["replay", "witness.json", "--format", "json"]);
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

/// What the analysis takes for arbitrary is what the witness says, whatever the library of C would give.
#[test]
fn what_library_functions_answer_is_that_of_the_witness() {
    for condition in [
        "rand() == 5",
        "time(0) == 77",
        "time(&now) == 78 && now == 78",
        "getchar() == 'q'",
        "rand() - 3 == random()",
        "getpid() == -7 && isatty(0) == 3",
        "clock() == 12 && getuid() == 9",
        "printf(\"\") == 4",
        "getenv(\"PATH\") == 0",
        "(gettimeofday(&day, 0), day.tv_sec == 3) && day.tv_usec == 4",
        "(clock_gettime(CLOCK_REALTIME, &moment), moment.tv_sec == 4) && moment.tv_nsec == 2",
        "__VERIFIER_nondet_int() == 2 && time(0) == 1 && __VERIFIER_nondet_int() == 3 && rand() == 4",
    ] {
        let source = format!(
            "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <sys/time.h>\n#include <time.h>
#include <unistd.h>\nextern int __VERIFIER_nondet_int(void);
int main(void) {{
  time_t now; struct timeval day; struct timespec moment;
  (void)now, (void)day, (void)moment;
  if ({condition}) assert(0);
}}\n"
        );
        check_replayed(&source, &["explore"], "reproduced: the assertion failed");
    }
}

#[test]
fn each_thread_gets_its_own_answers() {
    let source = format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\nstatic int x, y;
static void *first(void *p) {{ x = rand() == 1 ? 1 : rand() == 2 ? 2 : 3; return p; }}
static void *second(void *p) {{ y = rand() == 4 ? 1 : rand() == 5 ? 2 : 3; return p; }}
static void end(void) {{ assert(!(x == 2 && y == 1)); }}\n{MAIN}"
    );
    check_replayed(&source, &["explore"], "reproduced: the assertion failed");
}

#[test]
fn arbitrary_floating_point_numbers_are_those_of_the_witness() {
    let source = "#include <assert.h>\nextern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
int main(void) {
  double d = __VERIFIER_nondet_double();
  float f = __VERIFIER_nondet_float();
  assert(!(d == 0 && f == 0));
}\n";
    check_replayed(source, &["explore"], "reproduced: the assertion failed");
}

/// The same answers come in each round.
#[test]
fn as_many_rounds_are_repeated_as_are_asked_for() {
    let source = "#include <stdio.h>\n#include <stdlib.h>\nstatic int x;
int main(void) {
  for (;;) {
    x = rand();
    if (x != 3) return 0;
    fputs(\"a round\\n\", stderr);
  }
}\n";
    let folder = folder(source);
    find(&folder, &["live"]);
    let rounds = |asked: &str| {
        let output = raddle(&folder, &["replay", "witness.json", "--lasso-rounds", asked]);
        let text = said(&output);
        let expected = format!("reproduced: what is repeated was gone round {asked} times");
        assert!(text.contains(&expected), "{text}");
        text.matches("a round\n").count()
    };
    let once = rounds("1");
    assert_eq!([rounds("2"), rounds("25")], [once + 1, once + 24]);
}

/// Threads that do what the analysis was promised they never do.
fn lying(lie: &str) -> String {
    format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\nstatic int x, changed;
void raddle_outside_call(void) {{ changed = 1; }}
static void *first(void *p) {{
  raddle_outside_call();
  if (changed)
    {lie};
  int v = x;
  x = v + 1;
  return p;
}}
static void *second(void *p) {{ return first(p); }}
static void end(void) {{ assert(x == 2); }}\n{MAIN}"
    )
}

/// A run that is left tells which thread left it, where that is, and where the witness has it.
#[test]
fn it_is_told_where_and_why_a_run_was_left() {
    let cases = [
        (
            "x = 5",
            Some("program.c:9:5"),
            "left the run at program.c:9:5: in the witness it is at program.c:10:3 then",
        ),
        ("return 0", None, "left the run at its end: in the witness it is at program.c:10:3 then"),
        (
            "exit(0)",
            Some("program.c:9:5"),
            "left the run at program.c:9:5: in the witness it is at program.c:10:3 then",
        ),
    ];
    for (lie, at, expected) in cases {
        let folder = folder(&lying(lie));
        find(&folder, &["explore"]);
        let text = said(&raddle(&folder, &["replay", "witness.json"]));
        assert!(text.contains(&format!("not reproduced: `first` {expected}.")), "{lie}: {text}");
        let json = raddle(&folder, &["replay", "witness.json", "--format", "json"]);
        let result: serde_json::Value = serde_json::from_slice(&json.stdout).expect("it is JSON");
        let left = serde_json::json!({ "thread": "first", "at": at, "expected": "program.c:10:3" });
        let message = format!("`first` {expected}");
        let wanted = serde_json::json!({ "reproduced": false, "message": message, "left": left });
        assert_eq!(result["compiled"], wanted, "{lie}: {}", said(&json));
    }
}

/// Every command that finds violations writes witnesses that can be forced.
#[test]
fn witnesses_of_every_command_are_reproduced() {
    let lost = format!(
        "#include <assert.h>\n#include <pthread.h>\nstatic int x;
static void *first(void *p) {{ int v = x; x = v + 1; return p; }}
static void *second(void *p) {{ return first(p); }}
static void end(void) {{ assert(x == 2); }}\n{MAIN}"
    );
    for command in [&["explore"][..], &["verify"], &["async"], &["predict", "--check", "assertion"]] {
        check_replayed(&lost, command, "reproduced: the assertion failed");
    }
    check_replayed(&lost, &["predict"], "reproduced: the three accesses were made in this order");
    let spins = format!(
        "#include <pthread.h>\nstatic volatile int stop;
static void *first(void *p) {{ while (!stop) {{}} return p; }}
static void *second(void *p) {{ return p; }}
static void end(void) {{}}\n{MAIN}"
    );
    check_replayed(&spins, &["live"], "reproduced: what is repeated was gone round 10 times");
}
