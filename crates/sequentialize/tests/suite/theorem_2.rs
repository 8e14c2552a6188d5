//! Theorem 2, both ways, on random programs: the sequential program reaches what the scheduler reaches.

use interp::Scheduler;
use random::{Program, Style, program, shrink, to_boogie, to_ir};

use crate::harness::{concurrent, sequential, sequentialized};

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
    let ir = to_ir(program);
    let Some(expected) = concurrent(&ir, scheduler, high) else { return Finding::Skipped };
    let translated = match sequentialized(&ir, scheduler) {
        Ok(translated) => translated,
        Err(unsupported) => return Finding::Differs(format!("{scheduler:?}: {unsupported}")),
    };
    let Some(actual) = sequential(&ir, &translated, high) else { return Finding::Skipped };
    if expected == actual {
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

#[test]
fn without_delays() {
    let count = scaled(300);
    for scheduler in [Scheduler::Df(0), Scheduler::Dfw(0)] {
        println!("{scheduler:?}: {} of {count}", check(Style::Tasks, 0..count, scheduler, 2));
    }
}
