//! What a program reaches under a scheduler, and what its sequential program reaches.

use std::collections::BTreeSet;

use interp::{Checks, Config, Exploration, Flow, IntRange, Limits, Scheduler, ViolationKind};
use ir::Type;
use sequentialize::{Sequential, Unsupported};

/// Programs that need more states than this are skipped.
const MOST_STATES: usize = 20_000;
const MOST_SEQUENTIAL_STATES: usize = 400_000;

/// The values of the globals at the end of complete runs, and the assertions that fail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reached {
    pub(crate) valuations: BTreeSet<Vec<String>>,
    pub(crate) failures: BTreeSet<String>,
}

fn config(scheduler: Scheduler, high: i64) -> Config {
    Config {
        scheduler,
        int_range: IntRange::new(0, high).expect("is a range"),
        limits: Limits { threads: 16, frames: 64 },
        checks: Checks { deadlocks: false, ..Checks::default() },
        valuations: true,
        most_violations: usize::MAX,
        reduction: false,
        ..Config::default()
    }
}

/// What the program reaches under a scheduler, if it is small enough; arbitrary integers are from 0 to `high`.
pub(crate) fn concurrent(program: &ir::Program, scheduler: Scheduler, high: i64) -> Option<Reached> {
    let config = config(scheduler, high);
    Some(reached(program, &explored(program, &config, MOST_STATES)?, high))
}

/// What the sequential program reaches, in the globals of the original.
pub(crate) fn sequential(program: &ir::Program, sequential: &Sequential, high: i64) -> Option<Reached> {
    let config = config(Scheduler::All, high);
    Some(reached(program, &explored(&sequential.program, &config, MOST_SEQUENTIAL_STATES)?, high))
}

/// The sequential program of a scheduler.
pub(crate) fn sequentialized(program: &ir::Program, scheduler: Scheduler) -> Result<Sequential, Unsupported> {
    match scheduler {
        Scheduler::Df(delays) => sequentialize::df(program, delays),
        Scheduler::Dfw(delays) => sequentialize::dfw(program, delays),
        Scheduler::All => unreachable!("only delay-bounding schedulers have one"),
    }
}

fn explored(program: &ir::Program, config: &Config, most: usize) -> Option<Exploration> {
    let mut control = |progress: &interp::Progress| {
        let large = progress.states > most || progress.transitions > 10 * most as u64;
        if large { Flow::Stop } else { Flow::Continue }
    };
    let exploration = interp::explore(program, config, &mut control);
    (exploration.finished && exploration.cuts.is_empty()).then_some(exploration)
}

fn reached(program: &ir::Program, exploration: &Exploration, high: i64) -> Reached {
    let globals = ir::expand(program).program.globals;
    let mut valuations = BTreeSet::new();
    for valuation in &exploration.valuations {
        let mut rows = vec![Vec::new()];
        for global in globals.values() {
            let shown = valuation.iter().find(|(name, _)| *name == global.name).expect("is a global");
            let values = values(&global.ty, &shown.1, high);
            rows = rows
                .iter()
                .flat_map(|row: &Vec<String>| {
                    values.iter().map(|value| [row.as_slice(), std::slice::from_ref(value)].concat())
                })
                .collect();
        }
        valuations.extend(rows);
    }
    let failures = exploration.violations.iter().filter(|v| v.kind == ViolationKind::Assertion);
    Reached { valuations, failures: failures.map(|v| v.message.clone()).collect() }
}

/// The values that are shown like this; of handles only whether they are nil.
fn values(ty: &Type, shown: &str, high: i64) -> Vec<String> {
    match (ty, shown) {
        (Type::Bool, "*") => vec!["false".to_owned(), "true".to_owned()],
        (Type::Int, "*") => (0..=high).map(|value| value.to_string()).collect(),
        (Type::Task, _) => vec![if matches!(shown, "nil" | "0") { "nil" } else { "a task" }.to_owned()],
        _ => vec![shown.to_owned()],
    }
}
