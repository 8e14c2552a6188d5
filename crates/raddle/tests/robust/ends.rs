//! Threads and processes that end, in all ways.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::{Program, check, check_that_may_leave, said};

#[test]
fn ends_in_all_ways_and_places() {
    let program = Program::build("ends.cpp", &[]);
    let ways = [
        ("exit", "atexit\nstatic gone\n", 3),
        ("_exit", "", 4),
        ("quick", "quick\n", 5),
        ("abort", "", 128 + 6),
        ("throw", "", 128 + 6),
        ("crash", "", 128 + 11),
    ];
    for place in ["main", "thread", "key", "local"] {
        for (how, expected, code) in ways {
            program.record(&[how, place], expected, code);
            let repeated = program.repeat("a.trace");
            assert_eq!(repeated.status.code(), Some(code), "{how} {place}: {}", said(&repeated));
        }
    }
}

/// What is told together with other accesses is told in time.
#[test]
fn what_led_to_a_crash_is_in_the_trace() {
    let program = Program::build("crash.c", &[]);
    for (how, signal, last) in [
        ("null", 11, ["crash.c:15:21", "crash.c:16:15", "crash.c:16:27"].as_slice()),
        ("zero", 8, ["crash.c:21:11", "crash.c:21:22"].as_slice()),
    ] {
        if signal == 8 && !cfg!(target_arch = "x86_64") {
            // A division by zero is no crash there.
            continue;
        }
        program.record(&[how], "", 128 + signal);
        let events = program.raddle(&["trace", "a.trace", "--events", "--thread", "1"]);
        let events = String::from_utf8_lossy(&events.stdout).into_owned();
        let mut lines = events.lines().rev().filter(|line| !line.is_empty());
        assert!(lines.next().is_some_and(|line| line.contains(&format!("signal {signal}"))), "{events}");
        for place in last.iter().rev() {
            assert!(lines.next().is_some_and(|line| line.contains(place)), "{place}: {events}");
        }
    }
}

#[test]
fn crashes_in_destructors() {
    check("destructor.cpp", &[], "", 128 + 6);
    check("destructor.cpp", &["trap"], "", if cfg!(target_arch = "x86_64") { 128 + 4 } else { 128 + 5 });
}

#[test]
fn the_end_of_the_stack() {
    // How deep that is depends on the environment.
    let program = Program::build("overflow.c", &[]);
    program.record(&[], "", 128 + 11).says("the trace ends where the program was killed, by signal 11");
    program.repeat_or_leave();
    check_that_may_leave("overflow_handled.c", "3\n");
}

#[test]
fn main_ends_before_its_threads() {
    check("main_exits.c", &[], "last\nlast\nlast\n", 0);
}

#[test]
fn destructors_of_thread_local_data() {
    check("thread_local.cpp", &[], "25 161\n", 0);
}

#[test]
fn detached_threads_that_end_while_main_does() {
    check("detached.cpp", &[], "done\n", 5);
}

#[test]
fn cancellation() {
    check_that_may_leave("cancel.c", "15 1\n");
}

#[test]
fn a_storm_of_signals() {
    check_that_may_leave("storm.c", "jumped 200\n");
}

/// A process that one of the threads of this one has started.
fn child_of(parent: u32) -> Option<String> {
    let mut threads = std::fs::read_dir(format!("/proc/{parent}/task")).ok()?.flatten();
    threads.find_map(|thread| {
        let children = std::fs::read_to_string(thread.path().join("children")).ok()?;
        children.split_whitespace().next().map(str::to_owned)
    })
}

#[test]
fn killed_at_any_moment() {
    let program = Program::build("endless.c", &[]);
    let raw = program.path().join("a.trace.raw");
    let mut random = fastrand::Rng::with_seed(5);
    for round in 0..6 {
        let mut raddle = std::process::Command::new(env!("CARGO_BIN_EXE_raddle"));
        raddle
            .args(["record", "./program", "-o", "a.trace"])
            .current_dir(program.path())
            .stderr(Stdio::null());
        let mut raddle = raddle.spawn().expect("raddle runs");
        let size = u64::from(random.u32(6..40)) << 16;
        let begin = Instant::now();
        while std::fs::metadata(&raw).map_or(0, |data| data.len()) < size {
            assert!(begin.elapsed() < Duration::from_secs(60), "nothing is recorded");
            std::thread::sleep(Duration::from_micros(random.u64(100..2000)));
        }
        let child = child_of(raddle.id()).expect("a program");
        let kills_program = round % 2 == 0;
        if !kills_program {
            // What it has started goes on, and has to be ended, too.
            raddle.kill().expect("it is killed");
        }
        let kill = std::process::Command::new("kill").args(["-KILL", &child]).status();
        assert!(kill.is_ok_and(|status| status.success()));
        let status = raddle.wait().expect("it ends");
        let trace = if kills_program { "a.trace" } else { "a.trace.raw" };
        assert_eq!(status.code(), kills_program.then_some(128 + 9));
        assert!(program.read(trace).contains("nobody knows: it was killed"), "{trace}");
        program.repeat(trace);
        let _ = std::fs::remove_file(&raw);
    }
}
