//! Compiled programs: kept on schedules, and made to repeat runs.
//!
//! Each program of the safe-schedules paper runs 200 times under its first schedule at each level, and nothing goes wrong; those that
//! can go wrong do so when nobody keeps them on one.

mod debugged;
mod divergence;
mod hard_to_force;
mod predicted;
mod reproduced;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output};
use std::time::Duration;

use wait_timeout::ChildExt;

/// Programs that take longer than this hang: a run takes a few milliseconds.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often the programs of the paper run at each level, and how often others do.
const PAPER: usize = 200;
const OTHERS: usize = 10;
/// Endless programs end at so many progress marks: some rounds of the longest schedule of the paper's programs.
const MARKS_OF_RUN: &str = "100";

fn raddle() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/run"));
    command
}

fn said(output: &Output) -> String {
    format!(
        "{}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// Runs a program under its first schedule, at all levels. It is built once for each.
fn check_kept(program: &str, flags: &[&str], runs: usize) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for level in ["0", "1", "2"] {
        let kept: PathBuf = folder.path().join(format!("program{level}"));
        let mut command = raddle();
        command.args(["run", program, "--opt", level, "-O2", "--progress", MARKS_OF_RUN, "--keep"]);
        let output = command.arg(&kept).args(flags).output().expect("raddle runs");
        assert!(output.status.success(), "{program} {flags:?} at level {level}: {}", said(&output));
        let table = format!("{}.schedule", kept.display());
        for run in 1..runs {
            let mut command = Command::new(&kept);
            command.env("RADDLE_SCHEDULE", &table).env("RADDLE_PROGRESS", MARKS_OF_RUN);
            let ended = ended(&mut command, PATIENCE);
            let what = ended.map_or_else(|| "it hangs".to_owned(), |status| status.to_string());
            assert!(
                ended.is_some_and(|status| status.success()),
                "{program} {flags:?} at level {level}, run {run}: {what}"
            );
        }
    }
}

/// How often each thread of a process stopped running, the first thread first.
fn stops(process: u32) -> Vec<u64> {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).expect("its threads");
    let mut paths: Vec<PathBuf> = threads.map(|entry| entry.expect("a thread").path()).collect();
    paths.sort();
    let of = |path: &PathBuf| {
        let status = std::fs::read_to_string(path.join("status")).unwrap_or_default();
        let counts = status.lines().filter(|line| line.contains("voluntary_ctxt_switches"));
        counts.filter_map(|line| line.split_whitespace().last()?.parse::<u64>().ok()).sum()
    };
    paths.iter().map(of).collect()
}

/// A main thread that waits for threads that never end has nothing to do on the schedule, and sleeps while they go on.
#[test]
fn who_has_nothing_to_do_sleeps() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let kept = folder.path().join("program");
    let mut command = raddle();
    command.args(["run", "stack.c", "-O2", "--progress", "1", "--keep"]);
    let output = command.arg(&kept).output().expect("raddle runs");
    assert!(output.status.success(), "{}", said(&output));
    let mut command = Command::new(&kept);
    command.env("RADDLE_SCHEDULE", format!("{}.schedule", kept.display()));
    let mut child = command.spawn().expect("the program runs");
    // On a machine that is busy it may take a while until it is there.
    let sleeps = (0..100).any(|_| {
        let before = stops(child.id());
        std::thread::sleep(Duration::from_millis(200));
        let after = stops(child.id());
        before.len() == 3 && after.len() == 3 && before[0] == after[0] && before[1..] != after[1..]
    });
    child.kill().expect("it can be killed");
    child.wait().expect("it can be waited for");
    assert!(sleeps, "the main thread goes on");
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

/// What `raddle.h` declares, for programs that nobody keeps on a schedule: they end after some marks. Who wants a lock lets others go
/// first, so that threads meet at locks on one processor, too. If nobody passes a mark and all sleep, nobody can go on. Who only
/// waits for a processor does not sleep, so a slow machine is no deadlock.
const MARKS: &str = r#"
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static atomic_long left = 500;
void raddle_progress(void) { if (atomic_fetch_sub(&left, 1) == 1) _exit(0); }
int __real_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex) {
  sched_yield();
  return __real_pthread_mutex_lock(mutex);
}
static int others_sleep(void) {
  int sleep = 1;
  DIR *threads = opendir("/proc/self/task");
  for (struct dirent *thread; sleep && (thread = readdir(threads));) {
    char path[300], text[300] = "";
    if (thread->d_name[0] == '.' || atoi(thread->d_name) == gettid())
      continue;
    snprintf(path, sizeof path, "/proc/self/task/%s/stat", thread->d_name);
    FILE *file = fopen(path, "r");
    if (!file || !fgets(text, sizeof text, file) || !strstr(text, ") S "))
      sleep = 0;
    if (file)
      fclose(file);
  }
  closedir(threads);
  return sleep;
}
static void *watch(void *unused) {
  for (int still = 0; still < 10; still++) {
    long before = left;
    usleep(50000);
    if (!others_sleep() || left != before)
      still = -1;
  }
  _exit(3);
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
        .args(["-O0", "-pthread", "-D_GNU_SOURCE", "-DRADDLE", "-Wl,--wrap=pthread_mutex_lock", "-I"])
        .arg(&include)
        .args(flags)
        .arg(&source)
        .arg(path("marks.c"))
        .arg("-o")
        .arg(path("program"))
        .output()
        .expect("clang runs");
    assert!(built.status.success(), "{}", said(&built));
    let start = std::time::Instant::now();
    let wrong = (0..runs).find_map(|_| {
        let mut command = Command::new(path("program"));
        let ended = ended(command.stderr(std::process::Stdio::null()), PATIENCE);
        ended
            .map(|status| (!status.success()).then_some(status))
            .expect("it ends, or somebody sees that it does not")
    });
    println!("{program}: {wrong:?} after {:.1} s", start.elapsed().as_secs_f64());
    wrong
}

#[test]
fn a_producer_and_a_consumer_of_5() {
    check_kept("stack.c", &[], PAPER);
}

#[test]
fn two_producers_and_two_consumers_of_5() {
    check_kept("stack.c", &["-DPAIRS=2"], PAPER);
}

#[test]
fn four_producers_and_four_consumers_of_5() {
    check_kept("stack.c", &["-DPAIRS=4"], PAPER);
}

#[test]
fn a_producer_and_a_consumer_of_1000() {
    check_kept("stack.c", &["-DSIZE=1000"], PAPER);
}

#[test]
fn two_producers_and_two_consumers_of_1000() {
    check_kept("stack.c", &["-DSIZE=1000", "-DPAIRS=2"], PAPER);
}

#[test]
fn four_producers_and_four_consumers_of_1000() {
    check_kept("stack.c", &["-DSIZE=1000", "-DPAIRS=4"], PAPER);
}

#[test]
fn two_locks_in_opposite_orders() {
    check_kept("double_lock.c", &[], PAPER);
}

#[test]
fn two_locks_in_the_same_order() {
    check_kept("double_lock.c", &["-DCORRECT"], PAPER);
}

#[test]
fn a_file_system() {
    check_kept("file_system.c", &[], PAPER);
}

#[test]
fn barriers() {
    check_kept("barrier.c", &[], PAPER);
}

#[test]
fn a_file_system_whose_synchronization_is_declared() {
    check_kept("declared.c", &[], PAPER);
}

#[test]
fn a_file_system_in_which_all_do_something() {
    check_kept("declared.c", &["-DUSEFUL"], PAPER);
}

#[test]
fn a_buffer_at_which_nobody_looks_for_space() {
    check_kept("unsynchronized.c", &[], PAPER);
}

#[test]
fn a_race_for_the_last_place() {
    check_kept("race.c", &[], PAPER);
}

#[test]
fn one_hands_out_files_and_two_search_them() {
    check_kept("scan.c", &[], PAPER);
}

/// Arithmetic that the analysis does with functions of its own is no step.
#[test]
fn atomic_floating_point_numbers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/floats");
    check_kept(&folder.join("atomic.c").display().to_string(), &[], OTHERS);
}

/// What is analysed of the C++ library is what the program is made of.
#[test]
fn threads_of_cpp() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/cpp");
    for program in [
        "atomic.cpp",
        "call_once.cpp",
        "captured_reference.cpp",
        "condition_variable.cpp",
        "joined.cpp",
        "lock_guard.cpp",
        "virtual_call.cpp",
    ] {
        check_kept(&folder.join(program).display().to_string(), &[], OTHERS);
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
        check_kept(&source.display().to_string(), &[], OTHERS);
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

/// A thread that comes to its end without having done anything that others see decides by that where the schedule goes on.
#[test]
fn the_end_of_a_thread_is_a_way_it_goes() {
    for seed in 1..=4 {
        let text = format!(
            "#include <pthread.h>\n#include <stdlib.h>\nstatic int x;\n\
             static void *first(void *unused) {{\n  if (rand() % 2) x = 1;\n  return unused;\n}}\n\
             static void *second(void *unused) {{\n  x = 2;\n  return unused;\n}}\n\
             int main(void) {{\n  pthread_t one, other;\n  srand({seed});\n\
             \x20 pthread_create(&one, NULL, first, NULL);\n  pthread_create(&other, NULL, second, NULL);\n\
             \x20 pthread_join(one, NULL);\n  pthread_join(other, NULL);\n  return x;\n}}\n"
        );
        let output = kept(&text, &[]);
        assert_eq!(output.status.code(), Some(2), "{seed}: {}", said(&output));
    }
}

/// What is omitted inside of an atomic block is not the block.
#[test]
fn an_atomic_block_with_nothing_but_a_lock_in_it_is_a_step() {
    let text = "#include <pthread.h>\n#include <raddle.h>\nstatic int x;\n\
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
        static void *lock(void *unused) {\n  RADDLE_ATOMIC { pthread_mutex_lock(&m); }\n  x = 3;\n\
        \x20 pthread_mutex_unlock(&m);\n  return unused;\n}\n\
        int main(void) {\n  pthread_t t;\n  pthread_create(&t, NULL, lock, NULL);\n  pthread_join(t, NULL);\n  return x;\n}\n";
    let output = kept(text, &[]);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
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

/// An assertion of a program fails when nobody keeps it on a schedule.
fn check_assertion_fails(program: &str) {
    use std::os::unix::process::ExitStatusExt;
    /// That of `abort`
    const FAILED: i32 = 6;
    let status = goes_wrong(program, &[], 20).expect("it goes wrong");
    assert_eq!(status.signal(), Some(FAILED), "the assertion fails: {status}");
}

#[test]
fn a_race_is_lost_without_a_schedule() {
    check_assertion_fails("race.c");
}

#[test]
fn a_buffer_overflows_without_a_schedule() {
    check_assertion_fails("unsynchronized.c");
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
