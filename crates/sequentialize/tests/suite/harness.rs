//! What a program reaches under a scheduler, and what its sequential program reaches.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use engine::{Claim, Fairness, Trace};
use interp::{Checks, Config, Exploration, Flow, IntRange, Limits, Scheduler, SwitchAt, ViolationKind};
use ir::Type;
use sequentialize::{Sequential, Unsupported};

use crate::narrow::{self, Ranges};

/// Programs that need more states than this are skipped.
const MOST_STATES: usize = 20_000;
const MOST_SEQUENTIAL_STATES: usize = 50_000;
/// Ops of all runs together.
pub(crate) const MOST_OPS: u64 = 400_000;
/// Runs of one program that are rebuilt.
const MOST_REBUILT: usize = 50;
/// Runs rebuilt so far, by all tests.
pub(crate) static REBUILT: AtomicUsize = AtomicUsize::new(0);

/// A scheduler, and where it switches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schedules {
    pub(crate) scheduler: Scheduler,
    pub(crate) switch_at: SwitchAt,
}

impl From<Scheduler> for Schedules {
    fn from(scheduler: Scheduler) -> Self {
        Schedules { scheduler, switch_at: SwitchAt::Visible }
    }
}

/// A scheduler that switches at yields only.
pub(crate) fn at_yields(scheduler: Scheduler) -> Schedules {
    Schedules { scheduler, switch_at: SwitchAt::Yield }
}

/// The values of the globals at the end of complete runs, and the assertions that fail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reached {
    pub(crate) valuations: BTreeSet<Vec<String>>,
    pub(crate) failures: BTreeSet<String>,
}

impl Reached {
    pub(crate) fn includes(&self, other: &Reached) -> bool {
        self.valuations.is_superset(&other.valuations) && self.failures.is_superset(&other.failures)
    }
}

fn config(schedules: Schedules, high: i64) -> Config {
    Config {
        scheduler: schedules.scheduler,
        switch_at: schedules.switch_at,
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
pub(crate) fn concurrent(
    program: &ir::Program,
    schedules: impl Into<Schedules>,
    high: i64,
) -> Option<Reached> {
    let config = config(schedules.into(), high);
    Some(reached(program, &explored(program, &config, MOST_STATES)?, high))
}

/// What the sequential program reaches, in the globals of the original, as the explorer of `interp` finds it.
pub(crate) fn explored_sequential(
    program: &ir::Program,
    sequential: &Sequential,
    high: i64,
) -> Option<Reached> {
    let config = config(Scheduler::All.into(), high);
    Some(reached(program, &explored(&sequential.program, &config, MOST_SEQUENTIAL_STATES)?, high))
}

/// The sequential program of a scheduler.
pub(crate) fn sequentialized(
    program: &ir::Program,
    schedules: impl Into<Schedules>,
) -> Result<Sequential, Unsupported> {
    let Schedules { scheduler, switch_at } = schedules.into();
    match scheduler {
        Scheduler::Df(delays) => sequentialize::df(program, delays, switch_at),
        Scheduler::Dfw(delays) => sequentialize::dfw(program, delays, switch_at),
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
        for global in globals.values().filter(|global| is_shown(&global.ty)) {
            let shown = valuation.iter().find(|(name, _)| *name == global.name).expect("is a global");
            for values in cells(&global.ty, &shown.1, high) {
                let extend = |row: &Vec<String>| {
                    let with = |value: &String| [row.as_slice(), std::slice::from_ref(value)].concat();
                    values.iter().map(with).collect::<Vec<_>>()
                };
                rows = rows.iter().flat_map(extend).collect();
            }
        }
        valuations.extend(rows);
    }
    let failures = exploration.violations.iter().filter(|v| v.kind == ViolationKind::Assertion);
    Reached { valuations, failures: failures.map(|v| v.message.clone()).collect() }
}

/// Whether the values of a variable at the end are compared: not those of maps of maps and of maps with other indices
/// than integers.
fn is_shown(ty: &Type) -> bool {
    match ty {
        Type::Map(map) => map.args == [Type::Int] && map.result.as_map().is_none(),
        _ => true,
    }
}

fn has_handles_as_keys(ty: &Type) -> bool {
    match ty {
        Type::Map(map) => map.args.contains(&Type::Task) || has_handles_as_keys(&map.result),
        _ => false,
    }
}

/// The possible values of each cell of a variable that is shown like this; a map has the cells from 0 to `high`.
fn cells(ty: &Type, shown: &str, high: i64) -> Vec<Vec<String>> {
    let Type::Map(map) = ty else { return vec![values(ty, shown, high)] };
    let inside = shown.trim_start_matches('[').trim_end_matches(']');
    let part = |wanted: &str| inside.split(", ").find_map(|part| part.strip_prefix(wanted));
    let other = part("else ").unwrap_or("*");
    let cell = |key| values(&map.result, part(&format!("{key} := ")).unwrap_or(other), high);
    (0..=high).map(cell).collect()
}

/// The values that are shown like this; of handles only whether they are nil.
fn values(ty: &Type, shown: &str, high: i64) -> Vec<String> {
    match (ty, shown) {
        (Type::Bool, "*") => vec!["false".to_owned(), "true".to_owned()],
        (Type::Int, "*") => (0..=high).map(|value| value.to_string()).collect(),
        (Type::Bv(width), "*") => (0..1 << width).map(|value| format!("{value}bv{width}")).collect(),
        // There are two unique constants.
        (Type::Sort(_), "*") => (0..3).map(|value| format!("element {value}")).collect(),
        (Type::Task, _) => vec![handle(shown).to_owned()],
        _ => vec![shown.to_owned()],
    }
}

fn handle(shown: &str) -> &'static str {
    if matches!(shown, "nil" | "0") { "nil" } else { "a task" }
}

/// Which handles are guessed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Handles {
    /// All that there may be.
    All,
    /// Those in the range of the data, as `interp` does.
    InRange,
}

/// What the sequential program reaches, by runs with unknown values.
pub(crate) fn narrowed(
    program: &ir::Program,
    sequential: &Sequential,
    guessed: Handles,
    high: i64,
    most_ops: u64,
) -> Option<Reached> {
    let mut rebuilt = 0;
    narrowed_with(program, sequential, guessed, high, most_ops, &mut |trace: &Trace| {
        if rebuilt < MOST_REBUILT {
            rebuild(program, sequential, trace);
            rebuilt += 1;
        }
    })
}

/// The same, and what to do with runs that fail.
pub(crate) fn narrowed_with(
    program: &ir::Program,
    sequential: &Sequential,
    guessed: Handles,
    high: i64,
    most_ops: u64,
    failing: &mut dyn FnMut(&Trace),
) -> Option<Reached> {
    let globals = ir::expand(program).program.globals;
    let holds = |global: &&ir::Global| guessed == Handles::All && handles(&global.ty, high).contains(&true);
    let (Scheduler::Df(delays) | Scheduler::Dfw(delays)) = sequential.scheduler() else {
        unreachable!("only delay-bounding schedulers have sequential programs")
    };
    let ranges = Ranges {
        high,
        delays: i64::from(delays),
        handles: globals.values().filter(holds).map(|global| global.name.clone()).collect(),
        handles_as_keys: globals.values().any(|global| has_handles_as_keys(&global.ty)),
    };
    let shown: Vec<_> = globals.iter().filter(|(_, global)| is_shown(&global.ty)).collect();
    let ids: Vec<_> = shown.iter().map(|(id, _)| *id).collect();
    let mut reached = narrow::reached(&sequential.program, &ids, ranges, most_ops, failing)?;
    let is_handle: Vec<bool> = shown.iter().flat_map(|(_, global)| handles(&global.ty, high)).collect();
    let rename = |row: &Vec<String>| {
        row.iter()
            .zip(&is_handle)
            .map(|(shown, &is)| if is { handle(shown).to_owned() } else { shown.clone() })
            .collect()
    };
    reached.valuations = reached.valuations.iter().map(rename).collect();
    Some(reached)
}

/// Makes a run of the program from one of the sequential program. It must replay, and fail in the same way.
fn rebuild(program: &ir::Program, sequential: &Sequential, trace: &Trace) {
    let limits = Limits { threads: 10_000, frames: 64 };
    let config = sequential.config(&Config { limits, ..config(Scheduler::All.into(), 1) });
    let text = || ir::text::print(program);
    let at = sequential.failure(trace).expect("the trace fails");
    let run = sequential
        .run(program, &config, trace)
        .unwrap_or_else(|error| panic!("{:?}: {error}\n{}", config.scheduler, text()));
    let claim = Claim { kind: ViolationKind::Assertion, fairness: Fairness::None, at: Some((at, None)) };
    let confirmed = engine::confirm(program, &config, &run, claim);
    REBUILT.fetch_add(1, Ordering::Relaxed);
    assert!(confirmed.is_ok(), "{:?}: {:?}\n{}", config.scheduler, confirmed.err(), text());
}

fn handles(ty: &Type, high: i64) -> Vec<bool> {
    match ty {
        Type::Map(map) => (0..=high).map(|_| map.result == Type::Task).collect(),
        _ => vec![*ty == Type::Task],
    }
}
