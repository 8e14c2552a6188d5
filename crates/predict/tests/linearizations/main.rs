//! Theorems 1 and 2 of the paper on random runs: what is predicted is what enumeration of all feasible prefixes of the
//! linearizations of the run's events finds, violation by violation. The enumeration has an evaluator of its own and
//! shares nothing with the formulas.

mod enumerate;
mod machine;
mod recording;

use std::collections::BTreeSet;

use engine::{Checks, Config, ViolationKind};
use interp::{End, Schedule};
use ir::OpRef;
use predict::{Options, Outcome, predict};
use random::{Style, program, synchronized, to_boogie, to_ir};

use enumerate::Enumeration;
use machine::Machine;

/// How many programs of each style, each with two runs: 50, scaled by `RADDLE_RANDOM_PROGRAMS` percent.
fn count() -> u64 {
    let percent: Option<u64> =
        std::env::var("RADDLE_RANDOM_PROGRAMS").ok().and_then(|text| text.parse().ok());
    50 * percent.unwrap_or(100) / 100
}

fn config() -> Config {
    let checks = Checks { atomicity: true, races: true, ..Checks::default() };
    Config { checks, ..Config::default() }
}

#[derive(Default, Debug)]
struct Tally {
    traces: usize,
    too_large: usize,
    triples: usize,
    real: usize,
    races: usize,
    deadlocks: usize,
    assertions: usize,
    in_windows: usize,
}

fn predicted(ir: &ir::Program, run: &interp::Run, window: usize, list_from: usize) -> Outcome {
    let options = Options {
        atomic: ir.procs.keys().collect(),
        window,
        list_from,
        goes_on: false,
        ..Options::default()
    };
    let mut solver = smt::Z3::new();
    predict(ir, &config(), run, &options, &mut solver, &mut |_, _| Some(smt::Limits::default()))
        .unwrap_or_else(|error| panic!("{error}"))
}

fn check(ir: &ir::Program, what: &str, schedule: Schedule, tally: &mut Tally) {
    let simulation = interp::simulate(ir, &config(), schedule, 40);
    if simulation.run.steps.len() < 3 || matches!(simulation.end, End::Cut(..)) {
        return;
    }
    let context = || format!("{schedule:?}, {what}");
    let expanded = ir::expand(ir);
    let recorded = recording::record(ir, &config(), &simulation.run);
    let machine =
        Machine::new(&expanded.program, &recorded).unwrap_or_else(|why| panic!("{why}: {}", context()));
    let Some(enumeration) = Enumeration::new(machine, ir, &expanded) else {
        tally.too_large += 1;
        return;
    };
    tally.traces += 1;
    // By the solver alone, and with states listed before it is asked.
    for list_from in [usize::MAX, 0] {
        let context = || format!("{}{}", if list_from == 0 { "states listed, " } else { "" }, context());
        compare(ir, &simulation, &enumeration, list_from, &context, tally);
    }
}

fn compare(
    ir: &ir::Program,
    simulation: &interp::Simulation,
    enumeration: &Enumeration<'_>,
    list_from: usize,
    context: &dyn Fn() -> String,
    tally: &mut Tally,
) {
    let outcome = predicted(ir, &simulation.run, 4000, list_from);
    assert_eq!(outcome.incomplete, None, "{}", context());
    for potential in &outcome.potential {
        let expected = enumeration.violates(potential.steps, potential.global);
        assert_eq!(potential.real, Some(expected), "{:?} of {}", potential.steps, context());
        tally.triples += 1;
        tally.real += usize::from(expected);
    }
    let of = |kind: ViolationKind| outcome.findings.iter().filter(move |finding| finding.kind() == kind);
    let own = matches!(simulation.end, End::Violation(..));
    // What the run itself shows is reported beside what is predicted from it.
    if !own {
        let failing: BTreeSet<OpRef> =
            of(ViolationKind::Assertion).map(|finding| finding.access().at).collect();
        assert_eq!(failing, enumeration.failing, "assertions of {}", context());
        tally.assertions += failing.len();
        let deadlock = of(ViolationKind::Deadlock).next().is_some();
        assert_eq!(deadlock, enumeration.deadlock, "deadlocks of {}", context());
        tally.deadlocks += usize::from(deadlock);
    }
    let race = of(ViolationKind::DataRace).next().is_some();
    assert_eq!(race, enumeration.race, "races of {}", context());
    tally.races += usize::from(race);
    let unreported = outcome.potential.iter().any(|potential| potential.real == Some(true))
        && of(ViolationKind::Atomicity).next().is_none();
    assert!(!unreported, "nothing is told of {}", context());
    // Windows may miss something, but what they find is real.
    let within = predicted(ir, &simulation.run, 6, list_from);
    for finding in &within.findings {
        assert!(finding.replay().events.len() <= simulation.run.steps.len() + 1);
        let real = match finding.kind() {
            ViolationKind::Assertion => own || enumeration.failing.contains(&finding.access().at),
            ViolationKind::Deadlock => own || enumeration.deadlock,
            ViolationKind::DataRace => enumeration.race,
            _ => true,
        };
        assert!(real, "{:?} in a window of {}", finding.kind(), context());
    }
    for potential in within.potential.iter().filter(|potential| potential.real == Some(true)) {
        assert!(
            enumeration.violates(potential.steps, potential.global),
            "{:?} in a window of {}",
            potential.steps,
            context()
        );
        tally.in_windows += 1;
    }
}

fn check_style(style: Style) {
    let mut tally = Tally::default();
    for seed in 0..count() {
        for schedule in [Schedule::Oldest, Schedule::Random(seed)] {
            let source = program(seed, style);
            let what = format!("seed {seed}, {style:?}:\n{}", to_boogie(&source));
            check(&to_ir(&source), &what, schedule, &mut tally);
        }
    }
    println!("{style:?}: {tally:?}");
    assert!(tally.traces > 0);
}

/// Condition variables, barriers, semaphores and read-write locks.
#[test]
fn synchronization() {
    let mut tally = Tally::default();
    for seed in 0..4 * count() {
        let text = synchronized(seed);
        let mut map = source::SourceMap::default();
        let file = map.add("random.ir", text.clone());
        let ir = ir::text::parse(&map, file).unwrap_or_else(|problems| panic!("{problems:?}\n{text}"));
        for schedule in [Schedule::Oldest, Schedule::Random(seed)] {
            check(&ir, &format!("seed {seed}:\n{text}"), schedule, &mut tally);
        }
    }
    println!("synchronization: {tally:?}");
    assert!(tally.traces > 0 && tally.deadlocks > 0 && tally.real > 0);
}

/// Who starts a thread may have nothing else to do with it, and still decides when it can come between others.
#[test]
fn started_in_between() {
    let mut tally = Tally::default();
    let source = program(132, Style::Tasks);
    check(&to_ir(&source), &to_boogie(&source), Schedule::Random(132), &mut tally);
    assert!(tally.real > 0);
}

#[test]
fn threads() {
    check_style(Style::Threads);
}

#[test]
fn tasks() {
    check_style(Style::Tasks);
}

#[test]
fn joining() {
    check_style(Style::Joining);
}

#[test]
fn mixed() {
    check_style(Style::Mixed);
}
