//! Fair infinite executions: the search by formulas against the explorer's search of the state graph.

mod responses;
mod states;
mod tail_calls;

use std::time::{Duration, Instant};

use engine::{
    Budget, Cancel, Checks, Config, Ending, Fairness, IntRange, Limits, Observer, Reason, Rounds, Verdict,
};
use interp::{Exploration, Flow};
use ir::Response;
use random::{Program, Style, program, shrink, to_boogie, to_ir};
use search::{Effort, Failure, LiveOptions, LiveOutcome, live};
use tail_calls::tail_calls;

/// Programs for which the explorer needs more states than this are skipped.
const MOST_STATES: usize = 3_000;
/// A search that takes longer is given up.
const MOST_TIME: Duration = Duration::from_secs(10);

struct Clock(Instant);

impl Observer for Clock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    fn memory(&self) -> Option<u64> {
        None
    }
}

/// How many programs a test runs: its own number, scaled by `RADDLE_RANDOM_PROGRAMS` percent.
fn scaled(programs: u64) -> u64 {
    let percent = std::env::var("RADDLE_RANDOM_PROGRAMS").ok().and_then(|text| text.parse().ok());
    programs * percent.unwrap_or(100) / 100
}

fn searched(
    program: &ir::Program,
    fairness: Fairness,
    response: Option<Response>,
    rounds: Rounds,
    time: Option<Duration>,
) -> Result<LiveOutcome, Failure> {
    let mut solver = || -> Box<dyn smt::Solver> { Box::new(smt::Z3::new()) };
    let checks = Checks { response, ..Checks::default() };
    let config = Config { limits: Limits { threads: 16, frames: 64 }, checks, ..Config::default() };
    let easy = Effort::default();
    let mut options =
        LiveOptions { rounds, fairness, unroll: 8, states: 0, easy, config, solver: &mut solver };
    let budget = Budget { time, memory: None };
    live(program, &mut options, &budget, &Cancel::default(), &mut Clock(Instant::now()))
}

/// Whether the explorer has a fair infinite execution, which breaks a response property if there is one, if the program is small enough to tell.
fn explored(program: &ir::Program, fairness: Fairness, response: Option<Response>) -> Option<bool> {
    let config = Config {
        int_range: IntRange::new(0, 2)?,
        limits: Limits { threads: 16, frames: 12 },
        checks: Checks {
            assertions: false,
            deadlocks: false,
            non_termination: Some(fairness),
            response,
            ..Checks::default()
        },
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

#[derive(Debug, PartialEq, Eq)]
enum Comparison {
    Agree {
        infinite: bool,
    },
    /// The explorer does not try the values, or is not large enough; what was found was replayed.
    Beyond,
    /// The explorer has one that needs more rounds.
    More,
    Skipped,
    Differ(String),
}

/// Compares; where there is nothing to find, only a few rounds are tried.
fn compare(program: &ir::Program, fairness: Fairness) -> Comparison {
    let Some(expected) = explored(program, fairness, None) else { return Comparison::Skipped };
    compare_search(program, fairness, None, expected).0
}

/// Compares a search with what is known, and gives what it found.
fn compare_search(
    program: &ir::Program,
    fairness: Fairness,
    response: Option<Response>,
    expected: bool,
) -> (Comparison, Option<LiveOutcome>) {
    let rounds = if expected { Rounds { stem: 4, lasso: 4 } } else { Rounds { stem: 2, lasso: 1 } };
    let time = if response.is_some() { responses::MOST_TIME } else { MOST_TIME };
    let outcome = match searched(program, fairness, response, rounds, Some(time)) {
        Ok(outcome) => outcome,
        Err(Failure::Unsupported { .. }) => return (Comparison::Skipped, None),
        Err(failure) => return (Comparison::Differ(format!("{failure:?}")), None),
    };
    let comparison = match (&outcome.verdict, expected) {
        (Verdict::Unsafe(_), true) => Comparison::Agree { infinite: true },
        (Verdict::Unsafe(_), false) => Comparison::Beyond,
        (Verdict::Unknown(Reason::Unconfirmed(why)), _) => {
            Comparison::Differ(format!("what was found cannot be run: {why}"))
        }
        (Verdict::Unknown(_), _) => Comparison::Skipped,
        (_, true) => Comparison::More,
        (_, false) => Comparison::Agree { infinite: false },
    };
    (comparison, Some(outcome))
}

/// How many stacks grow in what was found.
fn growing(outcome: &LiveOutcome) -> usize {
    let endings = outcome.verdict.findings().iter().map(|finding| &finding.replay().ending);
    let grows = |ending: &Ending| if let Ending::Lasso { growing, .. } = ending { growing.len() } else { 0 };
    endings.map(grows).sum()
}

/// Compares a program that has calls instead of its loops with what the explorer knows of the one with loops.
fn compare_calls(program: &ir::Program, fairness: Fairness, grown: &mut u64) -> Comparison {
    let Some(expected) = explored(program, fairness, None) else { return Comparison::Skipped };
    let (comparison, outcome) = compare_search(&tail_calls(program), fairness, None, expected);
    *grown += u64::from(outcome.is_some_and(|outcome| growing(&outcome) > 0));
    // What is beyond the explorer is so with loops, too.
    match comparison {
        Comparison::Beyond => match compare_search(program, fairness, None, expected).0 {
            Comparison::Agree { .. } => Comparison::Differ("only with calls it runs for ever".to_owned()),
            other => other,
        },
        other => other,
    }
}

fn check(style: Style, fairness: Fairness, programs: u64) {
    check_by(program, style, fairness, programs, &mut |program| compare(program, fairness));
}

/// The same with calls instead of loops.
fn check_calls(style: Style, fairness: Fairness, programs: u64) {
    let mut grown = 0;
    check_by(program, style, fairness, programs, &mut |program| compare_calls(program, fairness, &mut grown));
    println!("in {grown} a stack grows");
    assert!(grown > 0 || scaled(programs) < 20, "{style:?}: no stack grows");
}

fn check_by(
    generate: fn(u64, Style) -> Program,
    style: Style,
    fairness: Fairness,
    programs: u64,
    compare: &mut dyn FnMut(&ir::Program) -> Comparison,
) {
    let mut compare_random = |program: &Program| compare(&to_ir(program));
    let (mut agree, mut infinite, mut beyond) = (0, 0, 0);
    let count = scaled(programs);
    for seed in 0..count {
        let original = generate(seed, style);
        let wrong = |comparison: &Comparison| matches!(comparison, Comparison::Differ(_) | Comparison::More);
        match compare_random(&original) {
            Comparison::Agree { infinite: is } => {
                agree += 1;
                infinite += u64::from(is);
            }
            Comparison::Beyond => beyond += 1,
            Comparison::Skipped => {}
            Comparison::More | Comparison::Differ(_) => {
                let small = shrink(&original, |p| wrong(&compare_random(p)));
                let difference = compare_random(&small);
                panic!("{style:?}, {fairness:?}, seed {seed}: {difference:?}\n{}", to_boogie(&small));
            }
        }
    }
    println!("{style:?}, {fairness:?}: of {count}, {agree} agree, {infinite} infinite, {beyond} beyond");
    assert!(agree * 2 >= count, "{style:?}: only {agree} of {count} programs were compared");
    assert!(infinite > 0 || count < 20, "{style:?}: none of {count} programs runs for ever");
}

fn load(name: &str) -> ir::Program {
    let path = format!("{}/../../tests/boogie/nontermination/{name}.bpl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the program is there");
    let mut map = source::SourceMap::default();
    let file = map.add("text.bpl", &text);
    boogie::load(&map, file, None).expect("is a program").program
}

/// The bounds with which an infinite execution is found, if one is.
fn found(name: &str, fairness: Fairness) -> Option<(u32, u32)> {
    let outcome =
        searched(&load(name), fairness, None, Rounds { stem: 2, lasso: 2 }, None).expect("it is searched");
    match outcome.verdict {
        Verdict::Unsafe(_) => {
            outcome.attempts.last().and_then(|attempt| attempt.rounds).map(|r| (r.stem, r.lasso))
        }
        Verdict::SafeWithin(..) => None,
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn the_papers_programs_need_few_rounds() {
    for (name, fairness, expected) in [
        // The second thread runs first: that is another round.
        ("fig1a", Fairness::Strong, Some((2, 1))),
        ("fig1a", Fairness::None, Some((1, 1))),
        ("fig1a_repaired", Fairness::Strong, None),
        ("fig1a_repaired", Fairness::None, Some((1, 1))),
        ("fig1b", Fairness::Strong, Some((1, 1))),
        ("fig1c", Fairness::Strong, Some((1, 1))),
        ("philosophers2", Fairness::Strong, Some((1, 1))),
        ("philosophers3", Fairness::Strong, Some((1, 1))),
    ] {
        assert_eq!(found(name, fairness), expected, "{name}, {fairness:?}");
    }
}

#[test]
fn threads_under_strong_fairness() {
    check(Style::Threads, Fairness::Strong, 60);
}

#[test]
fn threads_under_weak_fairness() {
    check(Style::Threads, Fairness::Weak, 60);
}

#[test]
fn threads_under_no_fairness() {
    check(Style::Threads, Fairness::None, 60);
}

#[test]
fn everything_under_strong_fairness() {
    check(Style::Mixed, Fairness::Strong, 60);
}

#[test]
fn everything_under_weak_fairness() {
    check(Style::Mixed, Fairness::Weak, 60);
}

#[test]
fn tasks_under_strong_fairness() {
    check(Style::Tasks, Fairness::Strong, 60);
}

#[test]
fn joining_threads_under_no_fairness() {
    check(Style::Joining, Fairness::None, 60);
}

#[test]
fn calls_of_threads_under_strong_fairness() {
    check_calls(Style::Threads, Fairness::Strong, 40);
}

#[test]
fn calls_of_everything_under_weak_fairness() {
    check_calls(Style::Mixed, Fairness::Weak, 40);
}

#[test]
fn calls_of_tasks_under_strong_fairness() {
    check_calls(Style::Tasks, Fairness::Strong, 40);
}
