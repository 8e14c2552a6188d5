//! Theorem 2, both ways, on random programs: the sequential program reaches what the scheduler reaches.

use std::sync::atomic::Ordering;

use interp::{Scheduler, SwitchAt};
use random::{Program, Style, program, shrink, to_boogie, to_ir};

use crate::harness::{
    Handles, MOST_OPS, REBUILT, Schedules, at_yields, concurrent, explored_sequential, narrowed,
    sequentialized,
};
use crate::{wide, yields};

/// How many programs a test runs: its own number, scaled by `RADDLE_RANDOM_PROGRAMS` percent.
fn scaled(programs: u64) -> u64 {
    let percent = std::env::var("RADDLE_RANDOM_PROGRAMS").ok().and_then(|text| text.parse().ok());
    programs * percent.unwrap_or(100) / 100
}

/// For each number of delays, how many programs there are: as a test says, with fewer programs the more delays. With
/// `RADDLE_RANDOM_DELAYS` there is only that number, with as many programs as without delays.
fn sizes(programs: &[u64]) -> Vec<(u32, u64)> {
    match chosen_delays().zip(programs.first()) {
        Some((delays, &most)) => vec![(delays, scaled(most))],
        None => (0..).zip(programs.iter().map(|&programs| scaled(programs))).collect(),
    }
}

fn chosen_delays() -> Option<u32> {
    std::env::var("RADDLE_RANDOM_DELAYS").ok().and_then(|text| text.parse().ok())
}

/// Not too many programs may be too large; with many delays, many are.
fn enough(checked: u64, count: u64) -> bool {
    checked * 4 >= count || chosen_delays().is_some()
}

/// Ops of all runs of a small program together.
const FEW_OPS: u64 = 20_000;

enum Finding {
    Agrees,
    /// Too large.
    Skipped,
    Differs(String),
}

fn compare(program: &Program, schedules: Schedules, high: i64, most_ops: u64) -> Finding {
    compare_ir(&to_ir(program), schedules, high, most_ops)
}

fn compare_ir(ir: &ir::Program, schedules: Schedules, high: i64, most_ops: u64) -> Finding {
    let Some(expected) = concurrent(ir, schedules, high) else { return Finding::Skipped };
    let translated = match sequentialized(ir, schedules) {
        Ok(translated) => translated,
        Err(unsupported) => return Finding::Differs(format!("{schedules:?}: {unsupported}")),
    };
    let Some(actual) = narrowed(ir, &translated, Handles::All, high, most_ops) else {
        return Finding::Skipped;
    };
    let finds_all = translated.partial.is_none();
    if expected == actual || (!finds_all && expected.includes(&actual)) {
        return Finding::Agrees;
    }
    Finding::Differs(format!("{schedules:?}: the scheduler reaches {expected:?}, the program {actual:?}"))
}

fn check(style: Style, seeds: std::ops::Range<u64>, schedules: Schedules, high: i64, most_ops: u64) -> u64 {
    let mut checked = 0;
    for seed in seeds {
        let mut original = program(seed, style);
        if schedules.switch_at == SwitchAt::Yield {
            yields::add(&mut original, seed);
        }
        match compare(&original, schedules, high, most_ops) {
            Finding::Agrees => checked += 1,
            Finding::Skipped => {}
            Finding::Differs(_) => {
                let differs = |p: &Program| compare(p, schedules, high, most_ops);
                let small = shrink(&original, |p| matches!(differs(p), Finding::Differs(_)));
                let Finding::Differs(difference) = differs(&small) else { unreachable!("it still differs") };
                panic!("{style:?}, seed {seed}: {difference}\n{}", to_boogie(&small));
            }
        }
    }
    checked
}

/// Runs the check with few delays, on fewer programs the more there are.
fn check_style<S: Into<Schedules>>(style: Style, make: impl Fn(u32) -> S, programs: &[u64], high: i64) {
    for (delays, count) in sizes(programs) {
        let schedules = make(delays).into();
        let checked = check(style, 0..count, schedules, high, MOST_OPS);
        let rebuilt = REBUILT.load(Ordering::Relaxed);
        println!("{style:?}, {schedules:?}: {checked} of {count} programs, {rebuilt} runs so far");
        assert!(enough(checked, count), "{style:?}, {schedules:?}: only {checked} of {count}");
    }
}

/// Small programs, of which many can be run with many delays: those of the seeds that take few ops, up to the same number for
/// each number of delays.
fn check_small(make: impl Fn(u32) -> Scheduler, programs: u64) {
    for delays in 0..=3 {
        let (schedules, wanted) = (make(delays).into(), scaled(programs));
        let mut counts = Vec::new();
        for style in [Style::Tasks, Style::Mixed, Style::Threads] {
            let (mut checked, mut seeds) = (0, 0);
            while checked < wanted {
                checked += check(style, seeds..seeds + 1, schedules, 2, FEW_OPS);
                seeds += 1;
                assert!(seeds < 20 * wanted + 100, "{style:?}, {schedules:?}: only {checked} of {seeds}");
            }
            counts.push(format!("{checked} of {seeds} {style:?}"));
        }
        let rebuilt = REBUILT.load(Ordering::Relaxed);
        println!("small, {schedules:?}: {}, {rebuilt} runs so far", counts.join(", "));
    }
}

/// Programs of all kinds, as texts.
fn check_wide<S: Into<Schedules>>(make: impl Fn(u32) -> S, programs: &[u64]) {
    for (delays, count) in sizes(programs) {
        let (mut checked, schedules) = (0, make(delays).into());
        for seed in 0..count {
            let mut ir = crate::texts::parse(&wide::text(seed));
            if schedules.switch_at == SwitchAt::Yield {
                yields::add_to_ir(&mut ir, seed);
            }
            match compare_ir(&ir, schedules, 4, MOST_OPS) {
                Finding::Agrees => checked += 1,
                Finding::Skipped => {}
                Finding::Differs(difference) => {
                    panic!("seed {seed}: {difference}\n{}", ir::text::print(&ir))
                }
            }
        }
        let rebuilt = REBUILT.load(Ordering::Relaxed);
        println!("wide, {schedules:?}: {checked} of {count} programs, {rebuilt} runs so far");
        assert!(enough(checked, count), "wide, {schedules:?}: only {checked} of {count}");
    }
}

#[test]
fn df_on_small_programs() {
    check_small(Scheduler::Df, 8);
}

#[test]
fn dfw_on_small_programs() {
    check_small(Scheduler::Dfw, 8);
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

#[test]
fn df_at_yields_on_everything() {
    check_wide(|delays| at_yields(Scheduler::Df(delays)), &[100, 40, 10, 4]);
}

#[test]
fn dfw_at_yields_on_everything() {
    check_wide(|delays| at_yields(Scheduler::Dfw(delays)), &[100, 40, 10, 4]);
}

#[test]
fn df_at_yields_on_tasks() {
    check_style(Style::Tasks, |delays| at_yields(Scheduler::Df(delays)), &[100, 50, 12, 4], 2);
}

#[test]
fn dfw_at_yields_on_tasks() {
    check_style(Style::Tasks, |delays| at_yields(Scheduler::Dfw(delays)), &[100, 50, 12, 4], 2);
}

#[test]
fn df_at_yields_on_threads() {
    check_style(Style::Threads, |delays| at_yields(Scheduler::Df(delays)), &[50, 25, 6, 4], 2);
}

#[test]
fn dfw_at_yields_on_threads() {
    check_style(Style::Threads, |delays| at_yields(Scheduler::Dfw(delays)), &[50, 25, 6, 4], 2);
}

#[test]
fn df_at_yields_on_locks_and_tasks() {
    check_style(Style::Mixed, |delays| at_yields(Scheduler::Df(delays)), &[100, 40, 6, 4], 2);
}

#[test]
fn dfw_at_yields_on_locks_and_tasks() {
    check_style(Style::Mixed, |delays| at_yields(Scheduler::Dfw(delays)), &[100, 40, 6, 4], 2);
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
