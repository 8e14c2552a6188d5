//! What is predicted from runs of compiled programs, and forced on them.

use std::process::{Command, Stdio};

use super::{MAIN, said};

/// Predicts from a run of a small program; its exit code, and what is said.
fn predicted(source: &str, options: &[&str]) -> (Option<i32>, String) {
    predicted_with(source, options, &[])
}

/// The same for a program that gets arguments, and beside which there is a file `input`.
fn predicted_with(source: &str, options: &[&str], arguments: &[&str]) -> (Option<i32>, String) {
    predicted_from("program.c", source, options, arguments)
}

fn predicted_from(file: &str, source: &str, options: &[&str], arguments: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join(file), source).expect("a file");
    std::fs::write(folder.path().join("input"), "a\nbcd\n").expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.current_dir(folder.path()).arg("predict").args(options).arg(file).arg("--").args(arguments);
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
        "#include <fcntl.h>\n#include <locale.h>\n#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>
#include <sys/resource.h>\n#include <sys/stat.h>\n#include <sys/time.h>\n#include <unistd.h>\nstatic int total, wanted;
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
        "int file = open(argv[1], O_RDONLY), words[2] = {0, 0}; if (read(file, words, 8) != 6) return 1; wanted = words[1] == '\\n' * 256 + 'd';",
        "struct timeval now; struct stat about; gettimeofday(&now, 0); if (stat(argv[1], &about)) return 1;
         wanted = now.tv_sec > 1000 && about.st_size == 6;",
        "struct rlimit limit; setlocale(LC_ALL, \"\"); if (getrlimit(RLIMIT_NOFILE, &limit)) return 1;
         wanted = limit.rlim_cur > 3 && limit.rlim_max >= limit.rlim_cur && sysconf(_SC_PAGESIZE) > 0;",
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

/// Two threads sort their halves of an array, and count what they compare.
fn sorting(element: &str, lock: &str, unlock: &str) -> String {
    format!(
        "#include <pthread.h>\n#include <stdlib.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct {{ {element} }} all[6] = {{{{5}}, {{3}}, {{9}}, {{1}}, {{7}}, {{2}}}};\nstatic int compared;
static int order(const void *a, const void *b) {{
  {lock} compared++; {unlock}
  return *(const int *)a - *(const int *)b;
}}
static void *first(void *p) {{ qsort(all, 3, sizeof *all, order); return p; }}
static void *second(void *p) {{ qsort(all + 3, 3, sizeof *all, order); return p; }}
static void end(void) {{}}\n{MAIN}"
    )
}

#[test]
fn what_the_library_calls_back_is_followed() {
    let (code, text) = predicted(&sorting("int key; char rest[9];", "", ""), &["--check", "atomicity"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("in the body of `order` (inferred)"), "{text}");
    assert!(text.contains("on the compiled program: reproduced"), "{text}");
    let locked = sorting("int key;", "pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);");
    let (code, text) = predicted(&locked, &[]);
    assert_eq!(code, Some(0), "{text}");
}

/// A task that a thread runs, and whose result `main` waits for.
fn packaged(lock: &str) -> String {
    format!(
        "#include <future>\n#include <mutex>\n#include <thread>\nstatic std::mutex m;\nstatic int total;
static void add(int amount) {{ {lock} int seen = total; total = seen + amount; }}
int main() {{
  std::packaged_task<void()> task([] {{ add(3); }});
  std::future<void> done = task.get_future();
  std::thread thread(std::move(task));
  add(1);
  done.get();
  thread.join();
  return 0;
}}"
    )
}

#[test]
fn futures_are_followed_and_forced() {
    let (code, text) = predicted_from("program.cpp", &packaged(""), &["--check", "race"], &[]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("on the compiled program: reproduced"), "{text}");
    let locked = packaged("std::lock_guard<std::mutex> lock(m);");
    let (code, text) = predicted_from("program.cpp", &locked, &[], &[]);
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn trees_and_hash_tables_have_the_same_shape_in_the_run() {
    let source = "#include <map>\n#include <pthread.h>\n#include <unordered_map>
static std::map<int, int> all;\nstatic std::unordered_map<int, int> some;\nstatic int found;
static void *look(void *p) { if (all.count(4) && some.count(2)) found++; return p; }
int main() {
  for (int i = 0; i < 5; i++) { all[i] = i; some[13 * i + 2] = i; }
  pthread_t first, second;
  pthread_create(&first, 0, look, 0);
  pthread_create(&second, 0, look, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}";
    let (code, text) = predicted_from("program.cpp", source, &["--check", "race"], &[]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("`found` by look"), "{text}");
    assert!(!text.contains("the run was followed for"), "{text}");
}

/// Two threads that are no matter, and then `end`.
fn ending_with(end: &str) -> String {
    format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <signal.h>\n#include <stdlib.h>\n#include <string.h>
static int zero, *nothing, *block;\nstatic char *text;\nstatic struct {{ int a, b; }} *pair;
static void *first(void *p) {{ block = malloc(4 * sizeof *block); return p; }}
static void *second(void *p) {{ return p; }}
static void end(void) {{ {end} }}\n{MAIN}"
    )
}

#[test]
fn a_run_that_crashes_goes_wrong_itself() {
    let ends = [
        ("*nothing = 3;", "null pointer dereference"),
        ("zero = *nothing;", "null pointer dereference"),
        ("pair->b = 7;", "null pointer dereference"),
        ("zero = (int)strlen(text);", "null pointer dereference"),
        ("zero = 7 / zero;", "division by zero"),
        ("assert(zero == 1);", "assertion does not hold: zero == 1"),
        (
            "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; free(block); pthread_mutex_lock(&m); free(block);",
            "free",
        ),
    ];
    for (end, what) in ends {
        let (code, text) = predicted(&ending_with(end), &["--check", "assertion", "--check", "memory"]);
        assert_eq!(code, Some(1), "{end}: {text}");
        let told = text.lines().find(|line| line.starts_with("violations: ")).unwrap_or_default();
        assert!(told.contains(what) && told.ends_with(", in this run itself"), "{end}: {text}");
        assert!(text.contains("on the compiled program: reproduced"), "{end}: {text}");
    }
}

#[test]
fn an_access_that_is_not_valid_need_not_crash_to_be_seen_in_a_run() {
    for end in ["block[zero + 4] = 1;", "free(block); block[1] = 1;"] {
        let (code, text) = predicted(&ending_with(end), &["--check", "memory"]);
        assert_eq!(code, Some(1), "{end}: {text}");
        assert!(text.contains(", in this run itself"), "{end}: {text}");
    }
    // Nobody knows what happens after it.
    let (code, text) = predicted(&ending_with("*nothing = 3;"), &["--check", "assertion"]);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("null pointer dereference: nothing is known of what happens after that"), "{text}");
}

#[test]
fn a_crash_that_the_analysis_does_not_see_proves_nothing() {
    // In the second one nobody tells the trace.
    for end in ["raise(SIGSEGV);", "signal(SIGSEGV, SIG_DFL); raise(SIGSEGV);"] {
        let (code, text) = predicted(&ending_with(end), &[]);
        assert_eq!(code, Some(3), "{end}: {text}");
        let said = "signal 11 ended the program, and nothing is wrong there in the analysis";
        assert!(text.contains(said), "{end}: {text}");
    }
    // That a program ends itself is nothing wrong.
    let (code, text) = predicted(&ending_with("abort();"), &[]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("events, which signal 6 ended"), "{text}");
}

#[test]
fn the_trace_of_a_crash_is_predicted_from() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("program.c"), ending_with("pair->a = 7;")).expect("a file");
    let raddle = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
        command.current_dir(folder.path()).args(arguments).output().expect("raddle runs")
    };
    raddle(&["record", "program.c", "-o", "run.trace"]);
    let output = raddle(&["predict", "run.trace"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("null pointer dereference (program.c:11:"), "{}", said(&output));
    assert!(said(&output).contains(", in this run itself"), "{}", said(&output));
}

#[test]
fn who_reads_only_the_beginning_of_a_trace_has_read_enough() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("program.c"), ending_with("")).expect("a file");
    let command = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
        command.current_dir(folder.path()).args(arguments);
        command
    };
    command(&["record", "program.c", "-o", "run.trace"]).output().expect("raddle runs");
    let mut shown = command(&["trace", "run.trace", "--events"]);
    let mut child = shown.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("raddle runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("raddle ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}
