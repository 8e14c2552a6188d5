//! Programs that leave their schedules. They break a promise: a function whose name starts with `raddle_outside_` does nothing that
//! other threads can see, and those of these programs do.

use std::path::Path;
use std::process::{Command, Output};

use super::said;

/// Who calls second waits until the first one is in its critical section, and then leads its thread where no schedule has it. The other
/// threads are, at that moment, inside of the section, at the barrier, and in the wait.
const LIAR: &str = r#"
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t all;
static int total, changed, extra, ready;
static volatile int calls, inside;
void raddle_outside_call(void) {
  if (__sync_fetch_and_add(&calls, 1) != 1) return;
  for (int i = 0; i < 500 && !inside; i++) usleep(10000);
  changed = 1;
}
void raddle_outside_pause(void) { inside = 1; usleep(300000); }
static void *work(void *p) {
  raddle_outside_call();
  if (changed)
    extra = 1;
  pthread_mutex_lock(&n);
  int seen = total;
  raddle_outside_pause();
  total = seen + 1;
  pthread_mutex_unlock(&n);
  pthread_barrier_wait(&all);
  pthread_mutex_lock(&m);
  ready++;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t one, other;
  pthread_barrier_init(&all, 0, 2);
  pthread_create(&one, 0, work, 0);
  pthread_create(&other, 0, work, 0);
  pthread_mutex_lock(&m);
  while (ready < 2) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  pthread_join(one, 0);
  pthread_join(other, 0);
  printf("total %d, extra %d\n", total, extra);
  return 7;
}
"#;

const LEFT: &str = "is at program.c:19:5, and not at program.c:";

fn raddle(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.current_dir(folder).args(arguments).output().expect("raddle runs")
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("program.c"), LIAR).expect("a file");
    folder
}

#[test]
fn a_program_that_leaves_its_schedule_is_stopped() {
    let folder = folder();
    for level in ["0", "1", "2"] {
        let output = raddle(folder.path(), &["run", "program.c", "-q", "--opt", level]);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(112), "at level {level}: {text}");
        let told = text.contains("raddle: the program left its schedule: thread ") && text.contains(LEFT);
        assert!(told, "at level {level}: {text}");
        assert!(!text.contains("total"), "{text}");
    }
}

/// All locks are as they would be: nobody comes into a section that somebody is in, waits for somebody at a barrier who has passed it,
/// or misses a signal.
#[test]
fn a_program_may_go_on_without_its_schedule() {
    let folder = folder();
    let output = raddle(folder.path(), &["run", "program.c", "-q", "--on-divergence", "continue"]);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(7), "{text}");
    assert!(text.contains(LEFT) && text.contains("; it goes on without\n"), "{text}");
    assert!(text.contains("total 2, extra 1"), "{text}");
}

#[test]
fn a_program_that_may_go_on_takes_all_of_its_locks() {
    let folder = folder();
    let folder = folder.path();
    let output = raddle(folder, &["run", "program.c", "--on-divergence", "continue", "--opt", "1"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("if it has taken all of its locks"), "{}", said(&output));
    for (level, code) in [("0", 7), ("2", 2)] {
        let options = ["--schedules", level, "--opt", level, "--until", "first-schedule"];
        raddle(folder, &[&["verify", "program.c", "-q"], &options[..]].concat());
        let schedule = format!("{level}/schedule-1.txt");
        let output =
            raddle(folder, &["run", "program.c", "--schedule", &schedule, "--on-divergence", "continue"]);
        assert_eq!(output.status.code(), Some(code), "at level {level}: {}", said(&output));
        assert_eq!(said(&output).contains("leaves out locks or barriers"), code == 2, "{}", said(&output));
    }
}

#[test]
fn a_barrier_that_is_destroyed_is_no_step() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = "#include <pthread.h>\nstatic pthread_barrier_t both;
static void *first(void *p) { pthread_barrier_wait(&both); return p; }
int main(void) {
  pthread_t one;
  pthread_barrier_init(&both, 0, 2);
  pthread_create(&one, 0, first, 0);
  pthread_barrier_wait(&both);
  pthread_join(one, 0);
  return pthread_barrier_destroy(&both);
}";
    std::fs::write(folder.path().join("program.c"), source).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    let output = command.current_dir(folder.path()).args(["run", "program.c"]).output().expect("raddle runs");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
}
