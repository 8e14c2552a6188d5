//! Runs a check on many programs, shrinks the first that fails, and reports it as text.

use std::collections::BTreeSet;

use interp::{Config, Exploration, Flow, IntRange, Limits, Scheduler, ViolationKind};
use random::{GlobalKind, Program, Style, program, shrink, to_boogie};

use crate::reference::Failure;

/// Programs for which the explorer needs more states than this are skipped.
const MOST_STATES: usize = 4_000;

/// The same for the reference, which is slow.
pub(crate) const MOST_REFERENCE_STATES: usize = 3_000;

/// How many programs a test runs: its own number, scaled by `RADDLE_RANDOM_PROGRAMS` percent.
pub(crate) fn scaled(programs: u64) -> u64 {
    let percent = std::env::var("RADDLE_RANDOM_PROGRAMS").ok().and_then(|text| text.parse().ok());
    programs * percent.unwrap_or(100) / 100
}

/// What a check says of a program.
pub(crate) enum Finding {
    Agrees,
    /// Too large, or not of the kind that the check is about.
    Skipped,
    Differs(String),
}

/// Runs the check on the programs of the seeds `0..count`. Says how many were not skipped.
pub(crate) fn check_all(style: Style, count: u64, check: impl Fn(&Program) -> Finding) -> u64 {
    let mut checked = 0;
    for seed in 0..count {
        let original = program(seed, style);
        match check(&original) {
            Finding::Agrees => checked += 1,
            Finding::Skipped => {}
            Finding::Differs(_) => {
                let small = shrink(&original, |p| matches!(check(p), Finding::Differs(_)));
                let Finding::Differs(difference) = check(&small) else { unreachable!("it still differs") };
                panic!("{style:?}, seed {seed}: {difference}\n{}", to_boogie(&small));
            }
        }
    }
    assert!(checked * 2 >= count, "{style:?}: only {checked} of {count} programs were checked");
    checked
}

/// What the explorer found, in the terms of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) failures: BTreeSet<Failure>,
    pub(crate) deadlock: bool,
    pub(crate) valuations: BTreeSet<Vec<u8>>,
}

/// All violations and final valuations, with the values that the programs use.
pub(crate) fn config() -> Config {
    Config {
        int_range: IntRange::new(0, 2).expect("is a range"),
        limits: Limits { threads: 16, frames: 16 },
        valuations: true,
        most_violations: usize::MAX,
        reduction: false,
        ..Config::default()
    }
}

pub(crate) fn under(scheduler: Scheduler) -> Config {
    Config { scheduler, ..config() }
}

/// Explores a program to the end, if it is small enough.
pub(crate) fn explored(ir: &ir::Program, config: &Config) -> Option<Exploration> {
    let mut control = |progress: &interp::Progress| {
        if progress.states > MOST_STATES { Flow::Stop } else { Flow::Continue }
    };
    let exploration = interp::explore(ir, config, &mut control);
    (exploration.finished && exploration.cuts.is_empty()).then_some(exploration)
}

pub(crate) fn found(program: &Program, exploration: &Exploration) -> Found {
    let assertions = exploration.violations.iter().filter(|v| v.kind == ViolationKind::Assertion);
    Found {
        failures: assertions.map(|v| failure(program, &v.message)).collect(),
        deadlock: exploration.violations.iter().any(|v| v.kind == ViolationKind::Deadlock),
        valuations: valuations(program, exploration),
    }
}

fn failure(program: &Program, message: &str) -> Failure {
    if let Some(number) = message.strip_prefix("assertion ") {
        return Failure::Assertion(number.parse().expect("is the number of an assertion"));
    }
    let quoted = message.split(['`', '[']).nth(1).expect("names a lock");
    let global = (0..program.globals.len()).find(|&g| program.global_name(g) == quoted);
    Failure::Release(global.expect("is a lock of the program"))
}

/// Final valuations as lists of cells, as the reference has them; an arbitrary value is every value.
pub(crate) fn valuations(program: &Program, exploration: &Exploration) -> BTreeSet<Vec<u8>> {
    let mut all = BTreeSet::new();
    for valuation in &exploration.valuations {
        let mut rows = vec![Vec::new()];
        for (at, global) in program.globals.iter().enumerate() {
            let name = program.global_name(at);
            let is_it = |shown: &str| shown.split('.').next() == Some(&name);
            let shown = valuation.iter().find(|(shown, _)| is_it(shown)).map(|(_, value)| value.as_str());
            for cell in cells(global.kind, shown) {
                let extend = |row: &Vec<u8>| {
                    cell.iter().map(|&value| [row.as_slice(), &[value]].concat()).collect::<Vec<_>>()
                };
                rows = rows.iter().flat_map(extend).collect();
            }
        }
        all.extend(rows);
    }
    all
}

/// The possible values of each cell of a global that is shown like this; one that is not there is as it started.
fn cells(kind: GlobalKind, shown: Option<&str>) -> Vec<Vec<u8>> {
    let is_lock = matches!(kind, GlobalKind::Mutex | GlobalKind::Mutexes);
    let value = |text: &str| match text {
        "*" if kind == GlobalKind::Bool => vec![0, 1],
        "*" => vec![0, 1, 2],
        _ if is_lock => vec![u8::from(text != "nil")],
        "false" => vec![0],
        "true" => vec![1],
        number => vec![number.parse().expect("is a number")],
    };
    let shown = shown.unwrap_or(if is_lock { "nil" } else { "*" });
    if !matches!(kind, GlobalKind::Map | GlobalKind::Mutexes) {
        return vec![value(shown)];
    }
    let inside = shown.trim_start_matches('[').trim_end_matches(']');
    let part = |wanted: &str| {
        inside.split(", ").find_map(|part| part.strip_prefix(wanted).map(|text| value(text.trim())))
    };
    let other = part("else ").unwrap_or_else(|| value(if is_lock { "nil" } else { "*" }));
    (0..3).map(|cell| part(&format!("{cell} := ")).unwrap_or_else(|| other.clone())).collect()
}
