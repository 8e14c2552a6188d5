//! Compiled programs: kept on schedules, and made to repeat runs.
//!
//! Each program of the safe-schedules paper runs many times under its first schedule, and nothing goes wrong; those that can go
//! wrong do so when nobody keeps them on one. `RADDLE_RUNS` says how often they run.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output};
use std::time::Duration;

use wait_timeout::ChildExt;

fn raddle() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/run"));
    command
}

fn runs() -> usize {
    std::env::var("RADDLE_RUNS").ok().and_then(|text| text.parse().ok()).unwrap_or(10)
}

fn said(output: &Output) -> String {
    format!(
        "{}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// Runs a program under its first schedule, at all levels. Endless programs end at so many progress marks.
fn check_kept(program: &str, flags: &[&str], marks: u32) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for level in ["0", "1", "2"] {
        let kept: PathBuf = folder.path().join(format!("program{level}"));
        let mut command = raddle();
        command.args(["run", program, "--opt", level, "-O2", "--progress", &marks.to_string(), "--keep"]);
        let output = command.arg(&kept).args(flags).output().expect("raddle runs");
        assert!(output.status.success(), "{program} {flags:?} at level {level}: {}", said(&output));
        let table = format!("{}.schedule", kept.display());
        for run in 1..runs() {
            let mut command = Command::new(&kept);
            command.env("RADDLE_SCHEDULE", &table).env("RADDLE_PROGRESS", marks.to_string());
            let ended = ended(&mut command, Duration::from_secs(60));
            let what = ended.map_or_else(|| "it hangs".to_owned(), |status| status.to_string());
            assert!(
                ended.is_some_and(|status| status.success()),
                "{program} {flags:?} at level {level}, run {run}: {what}"
            );
        }
    }
}

/// How a program ends; nothing if it had to be stopped.
fn ended(command: &mut Command, limit: Duration) -> Option<ExitStatus> {
    let mut child = command.spawn().expect("the program runs");
    let ended = child.wait_timeout(limit).expect("the program can be waited for");
    if ended.is_none() {
        child.kill().expect("it can be killed");
        child.wait().expect("it can be waited for");
    }
    ended
}

/// What `raddle.h` declares, for programs that nobody keeps on a schedule: they end after some marks. If nobody has passed a mark for two
/// seconds, nobody can go on: a slow machine is no deadlock.
const MARKS: &str = r#"
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
static atomic_long left = 3000000;
void raddle_progress(void) { if (atomic_fetch_sub(&left, 1) == 1) _exit(0); }
static void *watch(void *unused) {
  for (int still = 0;; still++) {
    long before = left;
    usleep(100000);
    if (left != before)
      still = 0;
    if (still == 20)
      _exit(3);
  }
  return unused;
}
__attribute__((constructor)) static void start(void) {
  pthread_t watcher;
  pthread_create(&watcher, 0, watch, 0);
}
"#;

/// How a program that nobody keeps on a schedule goes wrong in the first of its runs in which it does.
fn goes_wrong(program: &str, flags: &[&str], runs: usize) -> Option<ExitStatus> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("marks.c"), MARKS).expect("a file");
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../llvm/include");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/run").join(program);
    // As it is written: an optimiser may look only once at what has no lock, and then the program hangs before the race is lost.
    let built = Command::new("clang-19")
        .args(["-O0", "-pthread", "-DRADDLE", "-I"])
        .arg(&include)
        .args(flags)
        .arg(&source)
        .arg(path("marks.c"))
        .arg("-o")
        .arg(path("program"))
        .output()
        .expect("clang runs");
    assert!(built.status.success(), "{}", said(&built));
    (0..runs).find_map(|_| {
        let mut command = Command::new(path("program"));
        let ended = ended(command.stderr(std::process::Stdio::null()), Duration::from_secs(60));
        ended
            .map(|status| (!status.success()).then_some(status))
            .expect("it ends, or somebody sees that it does not")
    })
}

#[test]
fn a_producer_and_a_consumer_of_5() {
    check_kept("stack.c", &[], 1000);
}

#[test]
fn two_producers_and_two_consumers_of_5() {
    check_kept("stack.c", &["-DPAIRS=2"], 1000);
}

#[test]
fn four_producers_and_four_consumers_of_5() {
    check_kept("stack.c", &["-DPAIRS=4"], 1000);
}

#[test]
fn a_producer_and_a_consumer_of_1000() {
    check_kept("stack.c", &["-DSIZE=1000"], 1000);
}

#[test]
fn two_producers_and_two_consumers_of_1000() {
    check_kept("stack.c", &["-DSIZE=1000", "-DPAIRS=2"], 1000);
}

#[test]
fn four_producers_and_four_consumers_of_1000() {
    check_kept("stack.c", &["-DSIZE=1000", "-DPAIRS=4"], 1000);
}

#[test]
fn two_locks_in_opposite_orders() {
    check_kept("double_lock.c", &[], 1000);
}

#[test]
fn two_locks_in_the_same_order() {
    check_kept("double_lock.c", &["-DCORRECT"], 1000);
}

#[test]
fn a_file_system() {
    check_kept("file_system.c", &[], 1000);
}

#[test]
fn barriers() {
    check_kept("barrier.c", &[], 1000);
}

#[test]
fn a_race_for_the_last_place() {
    check_kept("race.c", &[], 1000);
}

#[test]
fn one_hands_out_files_and_two_search_them() {
    check_kept("scan.c", &["-DBYTES=1000"], 300);
}

/// What is analysed of the C++ library is what the program is made of.
#[test]
fn threads_of_cpp() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/cpp");
    for program in ["atomic.cpp", "call_once.cpp", "condition_variable.cpp", "joined.cpp", "virtual_call.cpp"]
    {
        check_kept(&folder.join(program).display().to_string(), &[], 1000);
    }
}

/// Handles that are copied as memory, and shared objects that are counted.
#[test]
fn threads_of_cpp_in_containers() {
    let programs = [
        (
            "vector.cpp",
            "#include <cassert>\n#include <mutex>\n#include <thread>\n#include <vector>\n\
             static std::mutex m;\nstatic int sum;\n\
             int main() {\n  std::vector<std::thread> threads;\n\
             \x20 for (int i = 1; i <= 2; i++)\n\
             \x20   threads.emplace_back([i] { std::lock_guard<std::mutex> guard(m); sum += i; });\n\
             \x20 for (auto &thread : threads) thread.join();\n  assert(sum == 3);\n}\n",
        ),
        (
            "array.cpp",
            "#include <array>\n#include <atomic>\n#include <cassert>\n#include <thread>\n\
             static std::atomic<int> count;\n\
             int main() {\n  std::array<std::thread, 2> threads;\n\
             \x20 for (auto &thread : threads) thread = std::thread([] { count.fetch_add(1); });\n\
             \x20 for (auto &thread : threads) thread.join();\n  assert(count == 2);\n}\n",
        ),
        (
            "shared.cpp",
            "#include <cassert>\n#include <memory>\n#include <thread>\n\
             int main() {\n  auto value = std::make_shared<int>(1);\n\
             \x20 std::thread thread([value] { assert(*value == 1); });\n  thread.join();\n}\n",
        ),
    ];
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in programs {
        let source = folder.path().join(name);
        std::fs::write(&source, text).expect("a file");
        check_kept(&source.display().to_string(), &[], 1000);
    }
}

/// Runs a program of its own under a schedule.
fn kept(text: &str, arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = folder.path().join("program.c");
    std::fs::write(&source, text).expect("a file");
    let mut command = raddle();
    command.args(["run", "-q"]).arg(&source).arg("--").args(arguments).output().expect("raddle runs")
}

#[test]
fn a_schedule_is_found_for_the_arguments() {
    let text = "#include <pthread.h>\n#include <stdlib.h>\nstatic int x;\n\
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
        static void *add(void *by) {\n  pthread_mutex_lock(&m);\n  x += *(int *)by;\n  pthread_mutex_unlock(&m);\n  return NULL;\n}\n\
        int main(int argc, char **argv) {\n  pthread_t t;\n  int by = argc > 1 ? atoi(argv[1]) : 0;\n\
        \x20 pthread_create(&t, NULL, add, &by);\n  if (argc > 2) add(&by);\n  pthread_join(t, NULL);\n  return x;\n}\n";
    for (arguments, expected) in [(&[][..], 0), (&["7"][..], 7), (&["4", "twice"][..], 8)] {
        let output = kept(text, arguments);
        assert_eq!(output.status.code(), Some(expected), "{arguments:?}: {}", said(&output));
    }
}

#[test]
fn it_is_told_why_there_is_no_schedule() {
    let text = "int unknown(void);\nint main(void) { return unknown(); }\n";
    let output = kept(text, &[]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("a call of `unknown`"), "{}", said(&output));
}

#[test]
fn two_locks_deadlock_without_a_schedule() {
    let status = goes_wrong("double_lock.c", &[], 20).expect("it goes wrong");
    assert_eq!(status.code(), Some(3), "nobody goes on: {status}");
    assert_eq!(goes_wrong("double_lock.c", &["-DCORRECT"], 1), None);
}

#[test]
fn a_race_is_lost_without_a_schedule() {
    use std::os::unix::process::ExitStatusExt;
    /// That of `abort`
    const FAILED: i32 = 6;
    let status = goes_wrong("race.c", &[], 20).expect("it goes wrong");
    assert_eq!(status.signal(), Some(FAILED), "the assertion fails: {status}");
}

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

/// `main` starts two threads and waits for both.
const MAIN: &str = "int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, first, 0);
  pthread_create(&other, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  end();
  return 0;
}
";

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

/// Predicts from a run of a small program; its exit code, and what is said.
fn predicted(source: &str, options: &[&str]) -> (Option<i32>, String) {
    predicted_with(source, options, &[])
}

/// The same for a program that gets arguments, and beside which there is a file `input`.
fn predicted_with(source: &str, options: &[&str], arguments: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("program.c"), source).expect("a file");
    std::fs::write(folder.path().join("input"), "a\nbcd\n").expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command
        .current_dir(folder.path())
        .arg("predict")
        .args(options)
        .arg("program.c")
        .arg("--")
        .args(arguments);
    let output = command.output().expect("raddle runs");
    (output.status.code(), said(&output))
}

/// An account from which two threads take money. What it holds is looked at in one critical section and changed in the next.
fn account(between: &str) -> String {
    format!(
        "#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic int balance = 100;
static void take(int amount) {{
  pthread_mutex_lock(&m);
  int seen = balance;
  {between}
  balance = seen - amount;
  pthread_mutex_unlock(&m);
}}
static void *first(void *p) {{ take(20); return p; }}
static void *second(void *p) {{ take(30); return p; }}
static void end(void) {{}}\n{MAIN}"
    )
}

#[test]
fn a_divided_update_is_predicted_and_reproduced() {
    let source = account("pthread_mutex_unlock(&m);\n  pthread_mutex_lock(&m);");
    let (code, text) = predicted(&source, &["--check", "atomicity"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("a run of the compiled program"), "{text}");
    assert!(text.contains("on the compiled program: reproduced"), "{text}");
}

#[test]
fn a_whole_update_is_not_predicted_to_be_divided() {
    let (code, text) = predicted(&account(""), &[]);
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn a_deadlock_is_predicted_and_reproduced() {
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
    let (code, text) = predicted(&source, &["--check", "deadlock"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("on the compiled program: reproduced: nobody can go on"), "{text}");
}

#[test]
fn a_trace_is_recorded_shown_and_predicted_from() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = account("pthread_mutex_unlock(&m);\n  pthread_mutex_lock(&m);")
        .replace("return 0;\n}", "return 7;\n}");
    std::fs::write(folder.path().join("program.c"), source).expect("a file");
    let raddle = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
        command.current_dir(folder.path()).args(arguments).output().expect("raddle runs")
    };
    let output = raddle(&["record", "program.c", "-o", "run.trace"]);
    assert_eq!(output.status.code(), Some(7), "{}", said(&output));
    let output = raddle(&["trace", "run.trace", "--events"]);
    let text = said(&output);
    assert!(text.contains("with exit code 7") && text.contains("program.c:6:14 take"), "{text}");
    let output = raddle(&["predict", "run.trace", "--check", "atomicity"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
}

#[test]
fn a_run_that_cannot_be_followed_proves_nothing() {
    let source = format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdio.h>\nstatic char text[8];
static void *first(void *p) {{ return p; }}
static void *second(void *p) {{ return p; }}
static void end(void) {{ snprintf(text, sizeof text, \"%.0f\", 7.0); assert(text[0] == '7'); }}\n{MAIN}"
    );
    let (code, text) = predicted(&source, &[]);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("the recorded run could not be followed to its end"), "{text}");
}

/// Two threads that add to a total without a lock, if `main` wants them to.
fn counting(main: &str) -> String {
    format!(
        "#include <fcntl.h>\n#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/stat.h>
#include <sys/time.h>\n#include <unistd.h>\nstatic int total, wanted;
static void *add(void *p) {{ if (wanted) {{ int seen = total; total = seen + 1; }} return p; }}
int main(int argc, char **argv) {{
  {main}
  pthread_t first, second;
  pthread_create(&first, 0, add, 0);
  pthread_create(&second, 0, add, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}}"
    )
}

#[test]
fn arguments_are_those_of_the_run() {
    let source =
        counting("if (argc != 3 || strcmp(argv[1], \"add\") || argv[3]) return 1; wanted = atoi(argv[2]);");
    let (code, text) = predicted_with(&source, &["--check", "atomicity"], &["add", "7"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("on the compiled program: reproduced"), "{text}");
    let (code, text) = predicted_with(&source, &["--check", "atomicity"], &["add", "0"]);
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn what_library_functions_return_and_write_is_that_of_the_run() {
    let readers = [
        "int file = open(argv[1], O_RDONLY); if (file < 0) return 1; char text[9]; long got; int rounds = 0;
         while ((got = read(file, text, 3)) > 0) { rounds++; if (text[0] == 'c' && got == 3) wanted = 1; } if (rounds != 2) return 1;",
        "FILE *file = fopen(argv[1], \"r\"); char line[20]; while (fgets(line, sizeof line, file)) if (!strcmp(line, \"bcd\\n\")) wanted = 1;",
        "FILE *file = fopen(argv[1], \"r\"); short words[4]; if (fread(words, 2, 4, file) != 3) return 1; wanted = words[1] == 'c' * 256 + 'b';",
        "struct timeval now; struct stat about; gettimeofday(&now, 0); if (stat(argv[1], &about)) return 1;
         wanted = now.tv_sec > 1000 && about.st_size == 6;",
    ];
    for main in readers {
        let (code, text) = predicted_with(&counting(main), &["--check", "atomicity"], &["input"]);
        assert_eq!(code, Some(1), "{main}: {text}");
        assert!(text.contains("on the compiled program: reproduced"), "{main}: {text}");
        assert!(!text.contains("could not be followed"), "{main}: {text}");
    }
}

#[test]
fn signals_may_come_before_who_waits_goes_on() {
    let source = "#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, done;
static void *take(void *p) {
  for (;;) {
    pthread_mutex_lock(&m);
    while (!ready && !done) pthread_cond_wait(&c, &m);
    if (!ready) { pthread_mutex_unlock(&m); return p; }
    ready--;
    pthread_mutex_unlock(&m);
  }
}
static void *give(void *p) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&m);
    ready++;
    pthread_mutex_unlock(&m);
    pthread_cond_signal(&c);
  }
  pthread_mutex_lock(&m);
  done = 1;
  pthread_mutex_unlock(&m);
  pthread_cond_broadcast(&c);
  return p;
}
int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, take, 0);
  pthread_create(&second, 0, give, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}";
    let (code, text) = predicted(source, &["--check", "race,deadlock,assertion"]);
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn what_runs_after_main_is_left_out() {
    let after = "__attribute__((destructor)) static void after(void) { balance = 0; }\n";
    let (code, text) = predicted(&format!("{}{after}", account("")), &[]);
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn threads_that_main_does_not_wait_for_come_to_their_ends() {
    let source =
        "#include <assert.h>\n#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int given, taken;
static void *check(void *p) {
  pthread_mutex_lock(&m);
  if (given && taken) assert(given == taken);
  pthread_mutex_unlock(&m);
  return p;
}
static void *give(void *p) { pthread_mutex_lock(&m); given = 2; pthread_mutex_unlock(&m); return p; }
static void *take(void *p) { pthread_mutex_lock(&m); taken = 1; pthread_mutex_unlock(&m); return p; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, check, 0);
  pthread_create(&thread, 0, give, 0);
  pthread_create(&thread, 0, take, 0);
  return 0;
}";
    let (code, text) = predicted(source, &["--check", "assertion"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("reproduced: the assertion failed"), "{text}");
}

#[test]
fn a_deadlock_of_locks_that_were_allocated_is_reproduced() {
    let source = "#include <pthread.h>\n#include <stdlib.h>\nstruct pair { pthread_mutex_t *left, *right; };
static void *take(void *given) {
  struct pair *pair = given;
  pthread_mutex_lock(pair->left);
  pthread_mutex_lock(pair->right);
  pthread_mutex_unlock(pair->right);
  pthread_mutex_unlock(pair->left);
  return 0;
}
int main(void) {
  pthread_mutex_t *locks = malloc(2 * sizeof *locks);
  struct pair *pairs = calloc(2, sizeof *pairs);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_mutex_init(&locks[i], 0);
  for (int i = 0; i < 2; i++) { pairs[i].left = &locks[i]; pairs[i].right = &locks[1 - i]; }
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, take, &pairs[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  free(locks);
  free(pairs);
}";
    let (code, text) = predicted(source, &["--check", "deadlock"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("reproduced: nobody can go on"), "{text}");
}

#[test]
fn copies_of_structs_are_forced_like_everything_else() {
    let source =
        "#include <assert.h>\n#include <pthread.h>\nstruct id { pthread_t handle; };\nstatic int sum;
static void *add(void *p) { sum += 1; return p; }
static void swap(struct id *a, struct id *b) { struct id kept = *a; *a = *b; *b = kept; }
int main(void) {
  struct id one, other = {0};
  pthread_create(&one.handle, 0, add, 0);
  swap(&one, &other);
  pthread_create(&one.handle, 0, add, 0);
  pthread_join(one.handle, 0);
  pthread_join(other.handle, 0);
  assert(sum == 2);
}";
    let (code, text) = predicted(source, &["--check", "assertion"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("reproduced: the assertion failed"), "{text}");
}

#[test]
fn counterexamples_are_kept_beside_safe_schedules() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let kept = folder.path().join("kept");
    let output = raddle()
        .args(["verify", "-q", "double_lock.c", "--schedules"])
        .arg(&kept)
        .output()
        .expect("raddle runs");
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(kept.join("schedule-1.txt").exists());
    let output =
        raddle().args(["replay", "--no-run"]).arg(kept.join("violation.json")).output().expect("raddle runs");
    assert!(said(&output).contains("deadlock"), "{}", said(&output));
}
