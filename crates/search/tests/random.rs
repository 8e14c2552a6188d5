//! The search against the schedulers themselves, on random programs: with as many delays, the one finds a failing
//! assertion if and only if the other does.

use std::time::{Duration, Instant};

use engine::{Budget, Cancel, Checks, Config, Found, IntRange, Limits, Observer, SwitchAt, Verdict};
use interp::{Exploration, Flow};
use random::{Expr, GlobalKind, Program, Stmt, Style, Var, program, shrink, to_boogie, to_ir};
use search::{Effort, Failure, Options, Scheduler, delay_bounded};

/// Programs for which the explorer needs more states than this are skipped.
const MOST_STATES: usize = 20_000;
/// A search that takes longer is given up.
const MOST_TIME: Duration = Duration::from_secs(20);

struct Clock(Instant);

impl Observer for Clock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    fn memory(&self) -> Option<u64> {
        None
    }
}

/// What a comparison says of a program.
#[derive(Debug, PartialEq, Eq)]
enum Comparison {
    Agree {
        violation: bool,
    },
    /// The search found a violation with values that the explorer does not try. It was replayed.
    Beyond,
    /// Too large for one of them, or not supported.
    Skipped,
    Differ(String),
}

/// What is searched.
#[derive(Clone, Copy, Debug)]
struct Schedules {
    scheduler: Scheduler,
    delays: u32,
    switch_at: SwitchAt,
    /// Every question counts as hard, so that states are looked at.
    hard: bool,
}

fn dfw(delays: u32) -> Schedules {
    Schedules { scheduler: Scheduler::Dfw, delays, switch_at: SwitchAt::Visible, hard: false }
}

fn df(delays: u32) -> Schedules {
    Schedules { scheduler: Scheduler::Df, ..dfw(delays) }
}

/// How many programs a test runs: its own number, scaled by `RADDLE_RANDOM_PROGRAMS` percent.
fn scaled(programs: u64) -> u64 {
    let percent = std::env::var("RADDLE_RANDOM_PROGRAMS").ok().and_then(|text| text.parse().ok());
    programs * percent.unwrap_or(100) / 100
}

/// Whether an assertion fails under a scheduler, if the program is small enough to tell.
fn explored(program: &ir::Program, schedules: Schedules, delays: u32) -> Option<bool> {
    let config = Config {
        switch_at: schedules.switch_at,
        scheduler: match schedules.scheduler {
            Scheduler::Df => engine::Scheduler::Df(delays),
            Scheduler::Dfw => engine::Scheduler::Dfw(delays),
        },
        int_range: IntRange::new(0, 2)?,
        limits: Limits { threads: 16, frames: 64 },
        checks: Checks { deadlocks: false, ..Checks::default() },
        ..Config::default()
    };
    let mut control = |progress: &interp::Progress| {
        if progress.states > MOST_STATES { Flow::Stop } else { Flow::Continue }
    };
    let Exploration { finished, violations, cuts, .. } = interp::explore(program, &config, &mut control);
    match (violations.is_empty(), finished && cuts.is_empty()) {
        (false, _) => Some(true),
        (true, true) => Some(false),
        (true, false) => None,
    }
}

/// Compares for 0, 1, ... delays.
fn compare(program: &ir::Program, schedules: Schedules) -> Comparison {
    let Schedules { scheduler, delays, switch_at, hard } = schedules;
    let mut solver = |_| -> Box<dyn smt::Solver> { Box::new(smt::Z3::new()) };
    let mut options = Options {
        scheduler,
        delays,
        switch_at,
        unroll: 12,
        states: if hard { MOST_STATES } else { 0 },
        easy: Effort { query: 1, formulas: 0 },
        config: Config::default(),
        solver: &mut solver,
    };
    let budget = Budget { time: Some(MOST_TIME), memory: None };
    let mut clock = Clock(Instant::now());
    let outcome = match delay_bounded(program, &mut options, &budget, &Cancel::default(), &mut clock) {
        Ok(outcome) => outcome,
        Err(Failure::Unsupported { .. }) => return Comparison::Skipped,
        Err(failure) => return Comparison::Differ(format!("{failure:?}")),
    };
    let mut known = 0;
    let mut violation = false;
    for attempt in &outcome.attempts {
        let (engine::Scheduler::Df(delays) | engine::Scheduler::Dfw(delays)) = attempt.scheduler else {
            return Comparison::Differ("it searched under another scheduler".to_owned());
        };
        let Some(expected) = explored(program, schedules, delays) else { break };
        match (expected, attempt.found) {
            (true, Found::Violation) | (false, Found::Nothing | Found::NothingWithinUnroll) => {}
            (false, Found::Violation) => return Comparison::Beyond,
            // The states are looked at instead.
            (_, Found::Undecided) if hard => continue,
            (true, Found::NothingWithinUnroll) | (_, Found::Undecided) => break,
            (true, Found::Nothing) => {
                return Comparison::Differ(format!(
                    "{} has a violation that was not found",
                    attempt.scheduler
                ));
            }
        }
        known += 1;
        violation |= expected;
    }
    if let Verdict::Unknown(engine::Reason::Unconfirmed(why)) = &outcome.verdict {
        return Comparison::Differ(format!("what was found cannot be run: {why}"));
    }
    if known == 0 { Comparison::Skipped } else { Comparison::Agree { violation } }
}

/// A program of the style. Those of tasks have no assertions of their own: some global shall not have some value when
/// a procedure ends.
fn asserting(seed: u64, style: Style) -> Program {
    let mut program = program(seed, style);
    if !matches!(style, Style::Tasks | Style::Joining) {
        return program;
    }
    let plain: Vec<(usize, u8)> = (0..program.globals.len())
        .filter_map(|global| match program.globals[global].kind {
            GlobalKind::Bool => Some((global, 2)),
            GlobalKind::Int => Some((global, 3)),
            GlobalKind::Map | GlobalKind::Mutex | GlobalKind::Mutexes => None,
        })
        .collect();
    let mut pick = fastrand::Rng::with_seed(seed);
    for (number, proc) in (0..).zip(&mut program.procs) {
        let Some(&(global, values)) = pick.choice(&plain) else { break };
        let value = pick.u8(0..values);
        let read = Expr::var(Var::Global(global));
        let has = match values {
            2 if value == 1 => read,
            2 => Expr::Not(Box::new(read)),
            _ => Expr::Equal(Box::new(read), Box::new(Expr::Int(value))),
        };
        if number == 0 || pick.bool() {
            proc.body.push(Stmt::Assert(Expr::Not(Box::new(has)), 100 + number));
        }
    }
    program
}

fn has_loop(program: &Program) -> bool {
    let mut found = false;
    let body = program.procs.iter().flat_map(|proc| &proc.body);
    body.for_each(|stmt| stmt.for_each(&mut |stmt| found |= matches!(stmt, Stmt::While(..))));
    found
}

fn check(style: Style, schedules: Schedules, programs: u64) {
    let compare_random = |program: &Program| compare(&to_ir(program), schedules);
    let (mut agree, mut violations, mut beyond) = (0, 0, 0);
    let count = scaled(programs);
    for seed in 0..count {
        let original = asserting(seed, style);
        // A loop without a `yield` is one step, which the explorer tries to run to its end.
        if schedules.switch_at == SwitchAt::Yield && has_loop(&original) {
            continue;
        }
        match compare_random(&original) {
            Comparison::Agree { violation } => {
                agree += 1;
                violations += u64::from(violation);
            }
            Comparison::Beyond => beyond += 1,
            Comparison::Skipped => {}
            Comparison::Differ(_) => {
                let small = shrink(&original, |p| matches!(compare_random(p), Comparison::Differ(_)));
                let difference = compare_random(&small);
                panic!("{style:?}, {schedules:?}, seed {seed}: {difference:?}\n{}", to_boogie(&small));
            }
        }
    }
    println!(
        "{style:?}, {schedules:?}: of {count}, {agree} agree, {violations} with a violation, {beyond} beyond"
    );
    assert!(agree * 3 >= count, "{style:?}: only {agree} of {count} programs were compared");
    assert!(violations * 20 >= count, "{style:?}: only {violations} of {count} programs have a violation");
}

#[test]
fn tasks_under_dfw() {
    check(Style::Tasks, dfw(2), 60);
}

#[test]
fn tasks_under_df() {
    check(Style::Tasks, df(2), 60);
}

#[test]
fn threads_under_dfw() {
    check(Style::Threads, dfw(1), 30);
}

#[test]
fn joining_threads_under_df() {
    check(Style::Joining, df(1), 30);
}

#[test]
fn everything_under_dfw() {
    check(Style::Mixed, dfw(1), 30);
}

#[test]
fn threads_that_switch_at_yields() {
    let at_yields = |schedules| Schedules { switch_at: SwitchAt::Yield, ..schedules };
    check(Style::Threads, at_yields(dfw(2)), 60);
    check(Style::Threads, at_yields(df(2)), 30);
}

/// Where formulas are hard, the states decide.
#[test]
fn hard_questions() {
    let hard = |schedules| Schedules { hard: true, ..schedules };
    check(Style::Tasks, hard(dfw(2)), 60);
    check(Style::Threads, hard(df(2)), 30);
    check(Style::Mixed, hard(dfw(1)), 30);
}
