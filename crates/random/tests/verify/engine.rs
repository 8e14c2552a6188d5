//! The engine under test.

use impact::{Options, Pace, Until};
use interp::Config;
use schedule::Art;

use crate::agreement::Verdict;

/// Impact; its schedules, and the tree that proves a program safe, were accepted by the checker.
pub(crate) fn impact(program: &ir::Program, config: &Config) -> (Verdict, Vec<Art>) {
    at_pace(program, config, Pace::Even, 200_000)
}

/// The same with schedules on which threads change rarely.
pub(crate) fn impact_at_length(program: &ir::Program, config: &Config) -> (Verdict, Vec<Art>) {
    at_pace(program, config, Pace::Long, 20_000)
}

/// Gives up after so many questions: few programs need them, and those need very many, and memory with them.
fn at_pace(program: &ir::Program, config: &Config, pace: Pace, most: u32) -> (Verdict, Vec<Art>) {
    let options = Options { until: Until::Complete, max_schedules: 3, pace };
    let mut solver = smt::Z3::new();
    let mut checker = || -> Box<dyn smt::Solver> { Box::new(smt::Z3::new()) };
    let mut questions = 0;
    let mut watch = |_: &impact::Statistics| {
        questions += 1;
        (questions < most).then(smt::Limits::default)
    };
    let outcome =
        impact::verify(program, config, &options, &mut solver, &mut watch, &mut checker, &mut |_| {});
    let outcome = outcome.unwrap_or_else(|error| panic!("{error}\n{}", ir::text::print(program)));
    let verdict = match &outcome.verdict {
        impact::Verdict::Safe(_) => Verdict::Safe,
        impact::Verdict::PartiallySafe => Verdict::PartiallySafe,
        impact::Verdict::Unsafe => Verdict::Unsafe,
        impact::Verdict::Unknown(_) => Verdict::Unknown,
    };
    (verdict, outcome.schedules.into_iter().map(|schedule| schedule.art).collect())
}
