//! Questions that are hard: the states are looked at first, and only if that decides nothing the formulas are.

use std::time::Instant;

use engine::{Attempt, Budget, Cancel, Checks, Config, Fairness, Limits, Reason, Rounds, Verdict};
use random::{Style, program, to_boogie, to_ir};
use search::{Effort, LiveOptions, LiveOutcome, live};

use crate::{Clock, MOST_STATES, MOST_TIME, explored, scaled};

/// Every question is hard.
const NONE_IS_EASY: Effort = Effort { query: 1, formulas: 0 };

fn searched(program: &ir::Program, fairness: Fairness, states: usize) -> LiveOutcome {
    let mut solver = || -> Box<dyn smt::Solver> { Box::new(smt::Z3::new()) };
    let config =
        Config { limits: Limits { threads: 16, frames: 64 }, checks: Checks::default(), ..Config::default() };
    let mut options = LiveOptions {
        rounds: Rounds { stem: 2, lasso: 1 },
        fairness,
        unroll: 4,
        states,
        easy: NONE_IS_EASY,
        config,
        solver: &mut solver,
    };
    let budget = Budget { time: Some(MOST_TIME), memory: None };
    live(program, &mut options, &budget, &Cancel::default(), &mut Clock(Instant::now())).expect("is searched")
}

/// Whether an answer was found state by state.
fn by_states(outcome: &LiveOutcome) -> bool {
    let is = |attempt: &Attempt| attempt.states.is_some() && attempt.rounds.is_none();
    outcome.attempts.last().is_some_and(is)
}

fn check(style: Style, fairness: Fairness) {
    let (mut explicit, mut infinite, count) = (0, 0, scaled(40));
    for seed in 0..count {
        let original = program(seed, style);
        let ir = to_ir(&original);
        let Some(expected) = explored(&ir, fairness, None) else { continue };
        let outcome = searched(&ir, fairness, MOST_STATES);
        let shown = || format!("{style:?}, {fairness:?}, seed {seed}\n{}", to_boogie(&original));
        match &outcome.verdict {
            Verdict::Unsafe(_) => infinite += u64::from(expected),
            Verdict::Safe(_) => assert!(!expected, "there is an infinite execution: {}", shown()),
            // By formulas.
            Verdict::SafeWithin(..) => assert!(!by_states(&outcome), "{}", shown()),
            Verdict::Unknown(Reason::Unconfirmed(why)) => panic!("{why}: {}", shown()),
            _ => {}
        }
        explicit += u64::from(by_states(&outcome));
    }
    println!("{style:?}, {fairness:?}: {explicit} of {count} by states, {infinite} infinite");
    assert!(explicit * 4 >= count, "{style:?}: only {explicit} of {count}");
}

#[test]
fn hard_questions_about_threads() {
    check(Style::Threads, Fairness::Strong);
    check(Style::Threads, Fairness::Weak);
}

#[test]
fn hard_questions_about_everything() {
    check(Style::Mixed, Fairness::Strong);
    check(Style::Mixed, Fairness::None);
}

/// A program with more states than are looked at is left to the solver.
#[test]
fn too_many_states() {
    let program = crate::load("fig1b");
    let few = searched(&program, Fairness::Strong, 1_000_000);
    assert!(by_states(&few) && matches!(few.verdict, Verdict::Unsafe(_)), "{:?}", few.verdict);
    let never = searched(&program, Fairness::Strong, 0);
    assert!(!by_states(&never) && matches!(never.verdict, Verdict::Unsafe(_)), "{:?}", never.verdict);
}
