//! Recorded runs, repeated on the real program.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn raddle(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.current_dir(folder).args(arguments).output().expect("raddle runs")
}

fn said(output: &Output) -> String {
    let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    format!("{}\n{out}{error}", output.status)
}

/// A folder with a program in a file.
fn folder(name: &str, source: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join(name), source).expect("a file");
    folder
}

/// Records a program, with these arguments, and repeats the run so often; all is as it was each time.
fn check_repeated(name: &str, source: &str, arguments: &[&str], times: u32) {
    let folder = folder(name, source);
    let recorded =
        raddle(folder.path(), &[&["record", name, "-O2", "-o", "a.trace", "--"], arguments].concat());
    for _ in 0..times {
        let repeated = raddle(folder.path(), &["replay", "a.trace"]);
        let text = said(&repeated);
        assert!(
            text.contains("reproduced: the run was repeated to its end ("),
            "{}\n{text}",
            said(&recorded)
        );
        assert!(!text.contains("not reproduced"), "{text}");
        assert_eq!((repeated.stdout, repeated.status), (recorded.stdout.clone(), recorded.status), "{text}");
    }
}

/// Threads that lose each other's updates: the sum is another one in nearly every run.
const RACY: &str = r#"
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static volatile int sum;
static void *work(void *p) {
  for (int i = 0; i < 1000; i++) {
    int seen = sum;
    if (i % 50 == 0) usleep((seen + i) % 7 * 100);
    sum = seen + 1;
    if (i % 30 == 0) usleep(1);
  }
  return p;
}
int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  printf("%d\n", sum);
  return sum % 100;
}
"#;

#[test]
fn lost_updates_are_lost_again() {
    check_repeated("racy.c", RACY, &[], 20);
}

#[test]
fn synchronization_is_repeated() {
    let source = r#"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t b;
static sem_t s;
static int ready, failed, late, order, first;
static void begin(void) { order = 7; }
static void *work(void *p) {
  pthread_once(&once, begin);
  pthread_mutex_lock(&m);
  ready++;
  pthread_cond_broadcast(&c);
  while (ready < 4) pthread_cond_wait(&c, &m);
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 300000;
  if (until.tv_nsec >= 1000000000) { until.tv_nsec -= 1000000000; until.tv_sec++; }
  if (pthread_cond_timedwait(&c, &m, &until) == ETIMEDOUT) late++;
  pthread_mutex_unlock(&m);
  if (pthread_barrier_wait(&b)) first = (int)(long)p;
  for (int i = 0; i < 300; i++) {
    while (pthread_mutex_trylock(&m)) failed++;
    order = order * 31 + (int)(long)p;
    pthread_mutex_unlock(&m);
    pthread_rwlock_rdlock(&r);
    failed += order & 1;
    pthread_rwlock_unlock(&r);
    sem_wait(&s);
    order++;
    sem_post(&s);
  }
  return 0;
}
int main(void) {
  pthread_t t[4];
  pthread_barrier_init(&b, 0, 4);
  sem_init(&s, 0, 2);
  for (long i = 0; i < 4; i++) pthread_create(&t[i], 0, work, (void *)i);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  printf("%d %d %d %d\n", failed, late, order, first);
  return 0;
}
"#;
    check_repeated("all.c", source, &[], 5);
}

/// A thread can come back from a function that another one has not quite left.
#[test]
fn functions_that_are_called_once_are_repeated() {
    let source = r#"
#include <pthread.h>
#include <stdio.h>
enum { TIMES = 300 };
static pthread_once_t once[TIMES];
static int begun, turn;
static pthread_barrier_t b;
static void begin(void) { begun++; }
static void *work(void *p) {
  for (int i = 0; i < TIMES; i++) {
    pthread_barrier_wait(&b);
    pthread_once(&once[i], begin);
    turn += i;
  }
  return p;
}
int main(void) {
  pthread_t t[3];
  pthread_barrier_init(&b, 0, 3);
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  printf("%d %d\n", begun, turn);
}
"#;
    check_repeated("once.c", source, &[], 5);
}

/// Both unwind through the wrappers of the run-time library.
#[test]
fn cancellation_and_exits_of_threads_are_repeated() {
    let source = r#"
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, cleaned;
static void clean(void *p) { cleaned++; pthread_mutex_unlock(&m); }
static void *waits(void *p) {
  pthread_mutex_lock(&m);
  pthread_cleanup_push(clean, p);
  waiting++;
  for (;;) pthread_cond_wait(&c, &m);
  pthread_cleanup_pop(0);
  return p;
}
static void *exits(void *p) { pthread_exit(p); }
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, i % 2 ? waits : exits, &t[i]);
  for (;;) {
    pthread_mutex_lock(&m);
    int all = waiting == 2;
    pthread_mutex_unlock(&m);
    if (all) break;
    usleep(100);
  }
  for (int i = 1; i < 4; i += 2) pthread_cancel(t[i]);
  int cancelled = 0;
  for (int i = 0; i < 4; i++) { void *r; pthread_join(t[i], &r); cancelled += r == PTHREAD_CANCELED; }
  printf("%d %d\n", cleaned, cancelled);
  return 0;
}
"#;
    check_repeated("cancel.c", source, &[], 5);
}

#[test]
fn cpp_threads_and_an_abort_are_repeated() {
    let source = r#"
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>
std::atomic<int> count; std::mutex m; std::condition_variable c; int sum;
int main() {
  std::vector<std::thread> all;
  for (int i = 0; i < 4; i++) all.emplace_back([] {
    for (int k = 0; k < 200; k++) {
      count++;
      std::unique_lock<std::mutex> lock(m);
      sum += count;
      c.notify_all();
      if (k % 64 == 0) c.wait_for(lock, std::chrono::milliseconds(1));
    }
  });
  for (auto &thread : all) thread.join();
  if (sum > 5) std::abort();
}
"#;
    check_repeated("threads.cpp", source, &[], 5);
}

#[test]
fn arbitrary_values_and_arguments_are_those_of_the_run() {
    let source = r#"
#include <stdio.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);
int main(int argc, char **argv) {
  int a = __VERIFIER_nondet_int();
  printf("%d %f %s\n", a, __VERIFIER_nondet_double(), argv[1]);
  for (int i = 0; i < a; i++) puts("");
  exit(argc);
}
"#;
    check_repeated("arbitrary.c", source, &["one", "two words"], 2);
}

fn check_left(name: &str, source: &str, arguments: &[&str], place: &str) {
    let folder = folder(name, source);
    let recorded = raddle(folder.path(), &["record", name, "-o", "a.trace", "--", "3"]);
    let repeated = raddle(folder.path(), &[&["replay", "a.trace"], arguments].concat());
    let text = said(&repeated);
    assert_eq!(repeated.status.code(), Some(112), "{}\n{text}", said(&recorded));
    assert!(text.contains(&format!("not reproduced: {place}")), "{text}");
}

#[test]
fn a_loop_without_events_lets_others_go_on() {
    let source = r"
#include <pthread.h>
#include <unistd.h>
static volatile int done;
static void *compute(void *p) {
  unsigned x = 1;
  for (;;) x = x * 3 + 1;
  return p;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, compute, 0);
  for (int i = 0; i < 100; i++) done++;
  usleep(2000);
  done += 3;
  return done;
}
";
    check_repeated("alone.c", source, &[], 2);
}

#[test]
fn what_can_be_computed_again_is_not_recorded() {
    // Where `cubes` goes follows from what was read; where `main` goes depends on its input.
    let source = r"
#include <stdlib.h>
static volatile int most = 500, found;
static int is_cube(int number) {
  for (int root = 0; root <= number; root++)
    if (root * root * root == number) return 1;
  return 0;
}
static void cubes(void) {
  int all = most;
  for (int number = 0; number < all; number++)
    if (is_cube(number)) found++;
}
int main(int argc, char **argv) {
  cubes();
  if (found != atoi(argv[1])) abort();
  return 0;
}
";
    let folder = folder("cubes.c", source);
    let recorded = raddle(folder.path(), &["record", "cubes.c", "-o", "a.trace", "--", "8"]);
    assert_eq!(recorded.status.code(), Some(0), "{}", said(&recorded));
    let listed = raddle(folder.path(), &["trace", "a.trace"]);
    let text = String::from_utf8_lossy(&listed.stdout);
    let expected = "thread 0 1 back, 1 branch, 2 enter, 2 leave, 1 module, 11 read, 1 start, 1 turn, 8 write";
    assert!(text.contains(expected), "{text}");
}

/// The values of the reads of a trace in each line of a file, in order.
fn reads(folder: &Path) -> BTreeMap<u32, Vec<u64>> {
    let listed = raddle(folder, &["trace", "a.trace", "--events"]);
    let mut lines: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
    for line in String::from_utf8_lossy(&listed.stdout).lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let [_, "read", value, "at", _, _, place, ..] = words.as_slice() {
            let number = place.split(':').nth(1).and_then(|line| line.parse().ok()).expect("a line");
            let value = value.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
            lines.entry(number).or_default().push(value.expect("a value"));
        }
    }
    lines
}

#[test]
fn loops_that_only_read_tell_what_they_have_read() {
    let source = r#"#include <stdlib.h>
#include <stdio.h>
static int a[40]; static long b[40]; static char *text; static double d[9]; static unsigned short s[8][8];
static int *pointer; static int none; static struct { int x, y; } pairs[10];
int main(void) {
  for (int i = 0; i < 40; i++) { a[i] = 3 * i; b[i] = i * i; }
  for (int i = 0; i < 9; i++) d[i] = i;
  for (int i = 0; i < 8; i++) for (int k = 0; k < 8; k++) s[i][k] = 10 * i + k;
  for (int i = 0; i < 10; i++) pairs[i].y = i + 100;
  text = malloc(6); text[0] = 'h'; text[1] = 'e'; text[2] = 'l'; text[3] = 'l'; text[4] = 'o'; text[5] = 0;
  pointer = a;
  long sum = 0; double all = 0;
  for (int i = 0; i < 40; i++)
    sum += a[i];
  for (int i = 39; i >= 0; i -= 3)
    sum += a[i]; /* 16 */
  for (int i = 0; i < 8; i++)
    sum += s[i][5]; /* 18 */
  const char *at = text; /* 19 */
  while (*at) /* 20 */
    at++;
  for (int i = 0; i < none; i++)
    sum += a[i] + b[i]; /* 23 */
  long k = 4;
  do { sum += b[k]; k += 2; } while (b[k] < 900); /* 25 */
  for (int i = 0; i < 5; i++)
    sum += pointer[i]; /* 27: where it points to is read each time */
  for (int i = 0; i < 9; i++)
    all += d[i]; /* 29 */
  for (int i = 0; i < 10; i++)
    sum += pairs[i].y + b[i]; /* 31 */
  pairs[3].y = 7;
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < 10; i++)
      sum += pairs[i].y; /* 35 */
  printf("%ld %f %ld\n", sum, all, (long)(at - text));
  return 0;
}
"#;
    for level in ["-O0", "-O2"] {
        let folder = folder("loops.c", source);
        let recorded = raddle(folder.path(), &["record", "loops.c", level, "-o", "a.trace"]);
        let lines = reads(folder.path());
        let is = |line: u32, expected: Vec<u64>| {
            assert_eq!(lines.get(&line), (!expected.is_empty()).then_some(&expected), "{level} {line}");
        };
        is(14, (0..40).map(|i| 3 * i).collect());
        is(16, (0..40).rev().step_by(3).map(|i| 3 * i).collect());
        is(18, (0..8).map(|i| 10 * i + 5).collect());
        is(20, b"hello\0".iter().map(|&byte| u64::from(byte)).collect());
        is(23, vec![]);
        is(25, (4..=30).step_by(2).flat_map(|k: u64| [k * k, (k + 2) * (k + 2)]).take(26).collect());
        let pointed = lines.get(&27).expect("reads");
        assert!(pointed.len() == 10 && pointed[0] == pointed[8], "{pointed:?}");
        is(29, (0..9).map(|i| f64::from(i).to_bits()).collect());
        is(31, (0..10).flat_map(|i| [i + 100, i * i]).collect());
        is(35, (0..20).map(|i| if i % 10 == 3 { 7 } else { i % 10 + 100 }).collect());
        assert_eq!(lines.get(&22).map(Vec::len), Some(1), "{level}");
        let repeated = raddle(folder.path(), &["replay", "a.trace"]);
        assert!(
            said(&repeated).contains("reproduced: the run was repeated to its end"),
            "{}",
            said(&repeated)
        );
        assert_eq!(repeated.stdout, recorded.stdout);
    }
}

#[test]
fn a_crash_in_a_loop_that_only_reads_is_told() {
    let source = r"
#include <sys/mman.h>
int main(void) {
  unsigned char *pages = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(pages + 4096, 4096, PROT_NONE);
  pages[5] = 1;
  int sum = 0;
  for (int i = 0; i < 5000; i++)
    sum += pages[i];
  return sum;
}
";
    let folder = folder("beyond.c", source);
    let recorded = raddle(folder.path(), &["record", "beyond.c", "-O2", "-o", "a.trace"]);
    assert_eq!(recorded.status.code(), Some(128 + 11), "{}", said(&recorded));
    let listed = raddle(folder.path(), &["trace", "a.trace"]);
    let text = String::from_utf8_lossy(&listed.stdout);
    assert!(text.contains("1 lost") && text.contains("1 signal"), "{text}");
}

#[test]
fn a_handler_may_leave_a_loop_that_only_reads() {
    // The loop takes about a second, if nobody leaves it.
    let source = r"
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
static sigjmp_buf out;
static volatile int strikes;
static void handler(int number) { strikes = strikes + 1; siglongjmp(out, number); }
static int sum(const unsigned char *bytes, long size) {
  int sum = 0;
  for (long i = 0; i < size; i++)
    sum = sum * 31 + bytes[i];
  return sum;
}
int main(void) {
  unsigned char *bytes = calloc(1 << 20, 1000);
  signal(SIGVTALRM, handler);
  struct itimerval soon = {{0, 0}, {0, 20000}};
  if (sigsetjmp(out, 1) == 0) {
    setitimer(ITIMER_VIRTUAL, &soon, 0);
    strikes = sum(bytes, 1000L << 20);
  }
  return sum(bytes, 100) + (strikes > 0) + 3;
}
";
    let folder = folder("leaves.c", source);
    let recorded = raddle(folder.path(), &["record", "leaves.c", "-O2", "-o", "a.trace"]);
    assert!(matches!(recorded.status.code(), Some(3 | 4)), "{}", said(&recorded));
    let listed = raddle(folder.path(), &["trace", "a.trace"]);
    let text = String::from_utf8_lossy(&listed.stdout);
    assert!(listed.status.success() && text.contains("lost"), "{text}");
}

#[test]
fn a_program_that_reads_the_time_leaves_the_run() {
    // Some bit of the time is another one.
    let source = r#"
#include <pthread.h>
#include <time.h>
static volatile int steps;
static void *work(void *p) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  unsigned long time = now.tv_sec * 1000000000UL + now.tv_nsec;
  for (int bit = 0; bit < 64; bit++)
    if (time >> bit & 1) steps++;
  return p;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
"#;
    check_left("time.c", source, &[], "thread 1 left the run at time.c:10:9 work: it went another way");
}

#[test]
fn other_arguments_lead_elsewhere() {
    let source = r#"
#include <stdlib.h>
static volatile int steps;
int main(int argc, char **argv) {
  for (int i = 0; i < atoi(argv[1]); i++) steps++;
  return 0;
}
"#;
    check_left(
        "count.c",
        source,
        &["--", "2"],
        "thread 0 left the run at count.c:5:3 main: it went another way",
    );
    check_left(
        "count.c",
        source,
        &["--", "4"],
        "thread 0 left the run at count.c:5:3 main: it went another way",
    );
}

#[test]
fn a_run_that_was_killed_is_repeated_up_to_there() {
    let source = r#"
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static void *work(void *p) {
  pthread_mutex_lock(&b);
  pthread_barrier_wait(&both);
  pthread_mutex_lock(&a);
  return p;
}
static void *end(void *p) { usleep(100000); kill(getpid(), SIGKILL); return p; }
int main(void) {
  pthread_t thread;
  pthread_barrier_init(&both, 0, 2);
  pthread_create(&thread, 0, work, 0);
  pthread_create(&thread, 0, end, 0);
  pthread_mutex_lock(&a);
  pthread_barrier_wait(&both);
  pthread_mutex_lock(&b);
  return 0;
}
"#;
    let folder = folder("dead.c", source);
    let built = raddle(folder.path(), &["cc", "-O1", "dead.c", "-o", "dead"]);
    assert!(built.status.success(), "{}", said(&built));
    let recorded = raddle(folder.path(), &["record", "./dead", "-o", "a.trace"]);
    assert_eq!(recorded.status.code(), Some(137), "{}", said(&recorded));
    let repeated = raddle(folder.path(), &["replay", "a.trace"]);
    let text = said(&repeated);
    assert!(
        repeated.status.success() && text.contains("reproduced: the run was repeated to its end"),
        "{text}"
    );
    std::fs::rename(folder.path().join("dead"), folder.path().join("moved")).expect("it is moved");
    let missing = raddle(folder.path(), &["replay", "a.trace"]);
    assert!(said(&missing).contains("help: say where it is with --program"), "{}", said(&missing));
    let moved = raddle(folder.path(), &["replay", "a.trace", "--program", "./moved"]);
    assert!(moved.status.success(), "{}", said(&moved));
    std::fs::write(folder.path().join("other.c"), "int main(void) { return 0; }").expect("a file");
    let rebuilt = raddle(folder.path(), &["cc", "other.c", "-o", "other"]);
    assert!(rebuilt.status.success(), "{}", said(&rebuilt));
    let refused = raddle(folder.path(), &["replay", "a.trace", "--program", "./other"]);
    assert!(said(&refused).contains("is not the program that"), "{}", said(&refused));
}

#[test]
fn a_damaged_trace_is_not_taken_for_all_of_the_run() {
    let folder = folder("racy.c", RACY);
    let recorded = raddle(folder.path(), &["record", "racy.c", "-O2", "-o", "a.trace"]);
    let trace = folder.path().join("a.trace");
    let bytes = std::fs::read(&trace).expect("a trace");
    std::fs::write(&trace, &bytes[..bytes.len() - 20]).expect("a shorter one");
    let text = said(&raddle(folder.path(), &["replay", "a.trace"]));
    assert!(text.contains("the trace is damaged (the trace ends early"), "{}\n{text}", said(&recorded));
    assert!(text.contains("reproduced: the run was repeated to where the trace is damaged ("), "{text}");
}

#[test]
fn it_is_told_for_whom_a_run_waits() {
    let source = r#"
#include <pthread.h>
#include <unistd.h>
static volatile int seen;
static void *work(void *p) {
  char byte;
  seen = read(0, &byte, 1);
  return p;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
"#;
    let folder = folder("reads.c", source);
    let recorded = raddle(folder.path(), &["record", "reads.c", "-O1", "-o", "a.trace"]);
    assert!(recorded.status.success(), "{}", said(&recorded));
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.current_dir(folder.path()).args(["replay", "a.trace"]);
    let (read, write) = std::io::pipe().expect("a pipe");
    let (stdin, stderr) = (Stdio::from(read), Stdio::piped());
    let mut child = command.stdin(stdin).stderr(stderr).spawn().expect("raddle runs");
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines().map_while(Result::ok);
    let line = lines.next().unwrap_or_default();
    assert!(line.starts_with("raddle: the run stands still: thread 1 does not come to reads.c:7:"), "{line}");
    // Now it gets what it waits for: as then, there is nothing to read.
    drop(write);
    let line = lines.next().unwrap_or_default();
    assert!(line.contains("reproduced: the run was repeated to its end"), "{line}");
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn children_that_are_not_recorded_are_told() {
    let source = r#"
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  return waitpid(child, 0, 0) == child ? 0 : 1;
}
"#;
    let folder = folder("parent.c", source);
    let recorded = raddle(folder.path(), &["record", "parent.c", "-o", "a.trace"]);
    let text = said(&recorded);
    assert!(recorded.status.success(), "{text}");
    assert!(
        text.contains("raddle: 1 child process is not in the trace (`fork`, `system` and the like)"),
        "{text}"
    );
}

#[test]
fn a_program_has_the_name_that_it_had() {
    let source = r#"
#include <stdio.h>
#include <string.h>
static volatile int letters;
int main(int argc, char **argv) {
  for (const char *at = argv[0]; *at; at++) letters++;
  puts(argv[0]);
  return strstr(argv[0], "link") ? 3 : 4;
}
"#;
    let folder = folder("named.c", source);
    let built = raddle(folder.path(), &["cc", "-O1", "named.c", "-o", "named"]);
    assert!(built.status.success(), "{}", said(&built));
    std::os::unix::fs::symlink("named", folder.path().join("a_link_to_it")).expect("a link");
    let recorded = raddle(folder.path(), &["record", "./a_link_to_it", "-o", "a.trace"]);
    assert_eq!(recorded.status.code(), Some(3), "{}", said(&recorded));
    std::fs::rename(folder.path().join("named"), folder.path().join("moved")).expect("it is moved");
    let repeated = raddle(folder.path(), &["replay", "a.trace", "--program", "./moved"]);
    let text = said(&repeated);
    assert!(text.contains("reproduced: the run was repeated to its end"), "{text}");
    assert_eq!((repeated.status, repeated.stdout), (recorded.status, recorded.stdout), "{text}");
}

#[test]
fn threads_that_still_run_when_the_process_ends_are_no_hindrance() {
    let source = r#"
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static volatile int sum;
static void *work(void *p) { for (;;) { sum++; if (sum % 1000 == 0) usleep(1); } return p; }
int main(void) {
  pthread_t thread;
  for (int i = 0; i < 3; i++) pthread_create(&thread, 0, work, 0);
  usleep(20000);
  exit(sum % 50);
}
"#;
    check_repeated("running.c", source, &[], 5);
}

/// A run of a program that gives back how many arguments it has.
fn counting() -> tempfile::TempDir {
    let source = "#include <stdio.h>\nstatic volatile int x;
int main(int argc, char **argv) {
  puts(\"said\"), fflush(stdout);
  if (argc > 2)
    x = 1;
  else
    x = 2;
  return argc;
}\n";
    let folder = folder("count.c", source);
    let recorded = raddle(folder.path(), &["record", "count.c", "-o", "a.trace", "--", "one"]);
    assert_eq!(recorded.status.code(), Some(2), "{}", said(&recorded));
    folder
}

#[test]
fn what_came_of_it_is_told_to_programs() {
    let folder = counting();
    let output = raddle(folder.path(), &["replay", "a.trace", "--format", "json"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let told = |field: &str| result[field].clone();
    assert_eq!(told("schema"), "raddle-repeated/1");
    assert_eq!((told("command"), told("input")), ("replay".into(), "a.trace".into()));
    assert_eq!((told("reproduced"), told("complete")), (true.into(), true.into()));
    assert_eq!((told("exit_code"), told("left")), (2.into(), serde_json::Value::Null));
    assert!(told("events").as_u64().is_some_and(|events| events > 0), "{result}");
    assert!(told("message").as_str().is_some_and(|text| text.contains("repeated to its end")), "{result}");
    let output = raddle(folder.path(), &["replay", "a.trace", "--format", "json", "--", "one", "more"]);
    assert_eq!(output.status.code(), Some(112), "{}", said(&output));
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let left = serde_json::json!({
        "thread": "thread 0", "at": "count.c:6:7 main", "expected": "count.c:8:7 main"
    });
    assert_eq!((&result["reproduced"], &result["left"]), (&false.into(), &left), "{result}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("said\n"), "{}", said(&output));
}

#[test]
fn what_means_nothing_for_a_trace_is_refused() {
    let folder = counting();
    for (option, expected) in [
        (&["--no-run"][..], "to repeat a recorded run is to run the program"),
        (&["--lasso-rounds", "3"], "a recorded run has nothing that is repeated for ever"),
        (&["--format", "sarif"], "no result in this format"),
        (&["--format", "junit"], "no result in this format"),
        (&["--html", "page.html"], "no page to make of it"),
    ] {
        let output = raddle(folder.path(), &[&["replay", "a.trace"], option].concat());
        assert_eq!(output.status.code(), Some(2), "{option:?}: {}", said(&output));
        assert!(said(&output).contains(expected), "{option:?}: {}", said(&output));
        assert!(!said(&output).contains("said\n"), "{option:?}: {}", said(&output));
    }
}

#[test]
fn a_witness_has_the_arguments_of_its_program() {
    let folder = folder("program.c", "#include <assert.h>\nint main(void) { assert(0); }\n");
    let found = raddle(folder.path(), &["explore", "program.c", "--witness", "w.json"]);
    assert_eq!(found.status.code(), Some(1), "{}", said(&found));
    let output = raddle(folder.path(), &["replay", "w.json", "--", "more"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("a witness names the arguments of its program"), "{}", said(&output));
}
