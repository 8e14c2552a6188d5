//! Compares what an engine says of random programs with the game on explicit states, follows the schedules that it gives,
//! shrinks the first program on which something is wrong, and reports it as text.

use interp::{Conduct, Config, Flow, IntRange, Limits, Progress};
use random::{Program, Style, program, shrink, to_boogie, to_ir};
use schedule::Art;

use crate::bounded::bounded;
use crate::tree::Followable;

/// Programs with more states, or schedules with more pairs of a state and a node, are skipped.
const MOST_STATES: usize = 4_000;
const MOST_FOLLOWED: usize = 100_000;

/// What an engine says of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Safe,
    PartiallySafe,
    Unsafe,
    Unknown,
}

/// An engine: its verdict, and schedules that it says are safe.
pub(crate) type Engine = dyn Fn(&ir::Program, &Config) -> (Verdict, Vec<Art>);

/// What is compared.
pub(crate) struct Comparison<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) style: Style,
    /// How many programs: those of the first seeds.
    pub(crate) programs: u64,
    /// How often the engine may not know, in percent of the programs that were compared.
    pub(crate) most_unknown: u64,
}

/// How many programs a test runs: its own number, scaled by `RADDLE_RANDOM_PROGRAMS` percent.
pub(crate) fn scaled(programs: u64) -> u64 {
    let percent = std::env::var("RADDLE_RANDOM_PROGRAMS").ok().and_then(|text| text.parse().ok());
    programs * percent.unwrap_or(100) / 100
}

/// What a comparison says of a program.
#[derive(Debug)]
enum Finding {
    Agrees {
        verdict: Verdict,
        schedules: usize,
    },
    /// Too large for explicit states.
    Skipped,
    Differs(String),
}

/// Compares many programs. Says how often each verdict was given.
pub(crate) fn check_all(comparison: &Comparison<'_>) {
    let Comparison { engine, style, programs, most_unknown } = *comparison;
    let mut verdicts =
        [Verdict::Safe, Verdict::PartiallySafe, Verdict::Unsafe, Verdict::Unknown].map(|v| (v, 0));
    let (mut compared, mut followed) = (0, 0);
    for seed in 0..programs {
        let original = program(seed, style);
        match compare(engine, &original) {
            Finding::Agrees { verdict, schedules } => {
                compared += 1;
                followed += schedules;
                verdicts.iter_mut().filter(|(v, _)| *v == verdict).for_each(|(_, count)| *count += 1);
            }
            Finding::Skipped => {}
            Finding::Differs(_) => {
                let small = shrink(&original, |p| matches!(compare(engine, p), Finding::Differs(_)));
                let Finding::Differs(difference) = compare(engine, &small) else {
                    unreachable!("it still differs")
                };
                panic!("{style:?}, seed {seed}: {difference}\n{}", to_boogie(&bounded(&small)));
            }
        }
    }
    println!(
        "{style:?}: of {programs} programs, {compared} compared: {verdicts:?}; {followed} schedules followed"
    );
    assert!(compared * 2 >= programs, "{style:?}: only {compared} of {programs} programs were compared");
    let [.., (_, unknown)] = verdicts;
    assert!(unknown * 100 <= most_unknown * compared, "{style:?}: {unknown} of {compared} are unknown");
}

/// What the programs are run with: the integers are those that the programs use.
fn config() -> Config {
    Config {
        int_range: IntRange::new(0, 2).expect("is a range"),
        limits: Limits { threads: 16, frames: 16 },
        reduction: false,
        ..Config::default()
    }
}

fn until(most: usize) -> impl FnMut(&Progress) -> Flow {
    move |progress| if progress.states > most { Flow::Stop } else { Flow::Continue }
}

fn compare(engine: &Engine, program: &Program) -> Finding {
    let ir = to_ir(&bounded(program));
    let config = config();
    let game = interp::game(&ir, &config, &mut until(MOST_STATES));
    let Some(schedulable) = game.schedulable else { return Finding::Skipped };
    let expected = match (game.bad, schedulable) {
        (false, _) => Verdict::Safe,
        (true, true) => Verdict::PartiallySafe,
        (true, false) => Verdict::Unsafe,
    };
    let (verdict, arts) = engine(&ir, &config);
    if verdict != Verdict::Unknown && verdict != expected {
        return Finding::Differs(format!("the engine says {verdict:?}, and it is {expected:?}"));
    }
    for (at, art) in arts.iter().enumerate() {
        let mut schedule = Followable(art);
        let followed = interp::follow(&ir, &config, &mut schedule, &mut until(MOST_FOLLOWED));
        match followed.conduct {
            Conduct::Fine => {}
            Conduct::Stopped => return Finding::Skipped,
            Conduct::Wrong(problem, moves) => {
                return Finding::Differs(format!("schedule {at}: {problem:?} after {moves:#?}"));
            }
            Conduct::Cut(cut) => return Finding::Differs(format!("schedule {at}: {cut}")),
        }
    }
    Finding::Agrees { verdict, schedules: arts.len() }
}
