//! Theorem 2, both ways, on random programs: the sequential program reaches what the scheduler reaches.

use std::sync::atomic::Ordering;

use interp::Scheduler;
use random::{Program, Style, program, shrink, to_boogie, to_ir};

use crate::harness::{Handles, MOST_OPS, REBUILT, concurrent, explored_sequential, narrowed, sequentialized};
use crate::wide;

/// How many programs a test runs: its own number, scaled by `RADDLE_RANDOM_PROGRAMS` percent.
fn scaled(programs: u64) -> u64 {
    let percent = std::env::var("RADDLE_RANDOM_PROGRAMS").ok().and_then(|text| text.parse().ok());
    programs * percent.unwrap_or(100) / 100
}

enum Finding {
    Agrees,
    /// Too large.
    Skipped,
    Differs(String),
}

fn compare(program: &Program, scheduler: Scheduler, high: i64) -> Finding {
    compare_ir(&to_ir(program), scheduler, high)
}

fn compare_ir(ir: &ir::Program, scheduler: Scheduler, high: i64) -> Finding {
    let Some(expected) = concurrent(ir, scheduler, high) else { return Finding::Skipped };
    let translated = match sequentialized(ir, scheduler) {
        Ok(translated) => translated,
        Err(unsupported) => return Finding::Differs(format!("{scheduler:?}: {unsupported}")),
    };
    let Some(actual) = narrowed(ir, &translated, Handles::All, high, MOST_OPS) else {
        return Finding::Skipped;
    };
    let finds_all = translated.partial.is_none();
    if expected == actual || (!finds_all && expected.includes(&actual)) {
        return Finding::Agrees;
    }
    Finding::Differs(format!("{scheduler:?}: the scheduler reaches {expected:?}, the program {actual:?}"))
}

fn check(style: Style, seeds: std::ops::Range<u64>, scheduler: Scheduler, high: i64) -> u64 {
    let mut checked = 0;
    for seed in seeds {
        let original = program(seed, style);
        match compare(&original, scheduler, high) {
            Finding::Agrees => checked += 1,
            Finding::Skipped => {}
            Finding::Differs(_) => {
                let small = shrink(&original, |p| matches!(compare(p, scheduler, high), Finding::Differs(_)));
                let Finding::Differs(difference) = compare(&small, scheduler, high) else {
                    unreachable!("it still differs")
                };
                panic!("{style:?}, seed {seed}: {difference}\n{}", to_boogie(&small));
            }
        }
    }
    checked
}

/// Runs the check with few delays, on fewer programs the more there are.
fn check_style(style: Style, make: impl Fn(u32) -> Scheduler, programs: &[u64], high: i64) {
    for (delays, &programs) in (0..).zip(programs) {
        let count = scaled(programs);
        let checked = check(style, 0..count, make(delays), high);
        let rebuilt = REBUILT.load(Ordering::Relaxed);
        println!("{style:?}, {:?}: {checked} of {count} programs, {rebuilt} runs so far", make(delays));
        assert!(checked * 4 >= count, "{style:?}, {:?}: only {checked} of {count}", make(delays));
    }
}

/// Programs of all kinds, as texts.
fn check_wide(make: impl Fn(u32) -> Scheduler, programs: &[u64]) {
    for (delays, &programs) in (0..).zip(programs) {
        let (mut checked, count) = (0, scaled(programs));
        for seed in 0..count {
            let text = wide::text(seed);
            let ir = crate::texts::parse(&text);
            match compare_ir(&ir, make(delays), 4) {
                Finding::Agrees => checked += 1,
                Finding::Skipped => {}
                Finding::Differs(difference) => panic!("seed {seed}: {difference}\n{text}"),
            }
        }
        let rebuilt = REBUILT.load(Ordering::Relaxed);
        println!("wide, {:?}: {checked} of {count} programs, {rebuilt} runs so far", make(delays));
        assert!(checked * 4 >= count, "wide, {:?}: only {checked} of {count}", make(delays));
    }
}

#[test]
fn df_on_everything() {
    check_wide(Scheduler::Df, &[150, 60, 16, 6]);
}

#[test]
fn dfw_on_everything() {
    check_wide(Scheduler::Dfw, &[150, 60, 16, 6]);
}

#[test]
fn df_on_tasks() {
    check_style(Style::Tasks, Scheduler::Df, &[200, 100, 24, 6], 2);
}

#[test]
fn dfw_on_tasks() {
    check_style(Style::Tasks, Scheduler::Dfw, &[200, 100, 24, 6], 2);
}

#[test]
fn df_on_threads() {
    check_style(Style::Threads, Scheduler::Df, &[80, 40, 10, 4], 2);
}

#[test]
fn dfw_on_threads() {
    check_style(Style::Threads, Scheduler::Dfw, &[80, 40, 10, 4], 2);
}

#[test]
fn df_on_locks_and_tasks() {
    check_style(Style::Mixed, Scheduler::Df, &[150, 60, 8, 4], 2);
}

#[test]
fn dfw_on_locks_and_tasks() {
    check_style(Style::Mixed, Scheduler::Dfw, &[150, 60, 8, 4], 2);
}

/// The test's own way to run sequential programs is that of the reference.
#[test]
fn unknown_values_are_arbitrary_values() {
    for (make, seeds) in
        [(Scheduler::Df as fn(u32) -> Scheduler, 0..scaled(60)), (Scheduler::Dfw, 0..scaled(60))]
    {
        let mut compared = 0;
        for (seed, delays) in seeds.flat_map(|seed| [(seed, 0), (seed, 1)]) {
            let ir = to_ir(&program(seed, Style::Mixed));
            let translated = sequentialized(&ir, make(delays)).expect("is supported");
            let narrow = narrowed(&ir, &translated, Handles::InRange, 2, MOST_OPS);
            let explored = explored_sequential(&ir, &translated, 2);
            if let (Some(narrow), Some(explored)) = (narrow, explored) {
                assert_eq!(narrow, explored, "seed {seed}, {:?}", make(delays));
                compared += 1;
            }
        }
        println!("{compared} programs");
    }
}
