//! How often the programs do something interesting. A generator whose programs are all alike tests nothing.

use interp::{Checks, Config, Fairness, ViolationKind};
use random::{Style, program, to_ir};

use crate::harness::{config, explored, scaled};

fn shares(style: Style, least: [(&str, usize); 5]) {
    let count = scaled(400);
    let mut explored_programs = 0;
    let mut seen = [0usize; 5];
    for seed in 0..count {
        let ir = to_ir(&program(seed, style));
        let checks = Checks { non_termination: Some(Fairness::Strong), ..Checks::default() };
        let Some(exploration) = explored(&ir, &Config { checks, ..config() }) else { continue };
        explored_programs += 1;
        let has = |kind| exploration.violations.iter().any(|v| v.kind == kind);
        let interesting = [
            has(ViolationKind::Assertion),
            has(ViolationKind::Deadlock),
            has(ViolationKind::NonTermination),
            exploration.valuations.len() > 1,
            exploration.violations.is_empty(),
        ];
        for (total, now) in seen.iter_mut().zip(interesting) {
            *total += usize::from(now);
        }
    }
    print!("{style:?}: {explored_programs} of {count} programs explored;");
    let mut rare = Vec::new();
    for ((name, least), total) in least.into_iter().zip(seen) {
        let percent = total * 100 / explored_programs.max(1);
        print!(" {name} {percent} %;");
        rare.extend((percent < least).then_some(name));
    }
    println!();
    assert!(rare.is_empty(), "{style:?}: too rare: {rare:?}");
}

#[test]
fn threads_do_interesting_things() {
    let least = [
        ("failures", 15),
        ("deadlocks", 10),
        ("livelocks", 8),
        ("several outcomes", 25),
        ("no violation", 20),
    ];
    shares(Style::Threads, least);
}

#[test]
fn tasks_do_interesting_things() {
    let least =
        [("failures", 0), ("deadlocks", 0), ("livelocks", 5), ("several outcomes", 20), ("no violation", 20)];
    shares(Style::Tasks, least);
}

#[test]
fn mixed_programs_do_interesting_things() {
    let least = [
        ("failures", 15),
        ("deadlocks", 10),
        ("livelocks", 3),
        ("several outcomes", 10),
        ("no violation", 20),
    ];
    shares(Style::Mixed, least);
}
