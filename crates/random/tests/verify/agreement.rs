//! Compares what an engine says of random programs with the games on explicit states, follows the schedules that it gives,
//! shrinks the first program on which something is wrong, and reports it as text.
//!
//! A program with violations is partially safe if there is a safe schedule that does not depend on values, since that is what
//! a tree can say. Few programs have only safe schedules that do ([`Truth::NeedsValues`]), and for very few it is not known
//! whether they need to ([`Truth::Open`]). What an engine claims to be safe has to be followed in any case.

use interp::{Conduct, Config, Flow, IntRange, Limits, Progress};
use random::{Program, Style, program, shrink, to_boogie, to_ir};
use schedule::Art;

use crate::bounded::bounded;
use crate::tree::Followable;

/// Programs with more states, or schedules with more pairs of a state and a node, are skipped.
const MOST_STATES: usize = 4_000;
const MOST_FOLLOWED: usize = 100_000;

/// If there are more sets of states that look alike, it is not known whether a schedule has to depend on values.
const MOST_BELIEFS: usize = 4_000;

/// What an engine says of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Safe,
    PartiallySafe,
    Unsafe,
    Unknown,
}

/// What is known of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Truth {
    Safe,
    PartiallySafe,
    Unsafe,
    /// There are violations, and only schedules that depend on values avoid them all.
    NeedsValues,
    /// There are violations, and some schedules avoid them all, but maybe only such as depend on values.
    Open,
}

impl Truth {
    fn allows(self, verdict: Verdict) -> bool {
        match verdict {
            Verdict::Safe => self == Truth::Safe,
            Verdict::PartiallySafe => matches!(self, Truth::PartiallySafe | Truth::Open),
            Verdict::Unsafe => matches!(self, Truth::Unsafe | Truth::NeedsValues | Truth::Open),
            Verdict::Unknown => true,
        }
    }
}

/// An engine: its verdict, and schedules that it says are safe.
pub(crate) type Engine = dyn Fn(&ir::Program, &Config) -> (Verdict, Vec<Art>);

/// What is compared.
pub(crate) struct Comparison<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) style: Style,
    /// Whether the first thread is there twice.
    pub(crate) twins: bool,
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
        truth: Truth,
        known: bool,
        schedules: usize,
    },
    /// Too large for explicit states.
    Skipped,
    Differs(String),
}

/// Compares many programs. Says how many there were of each kind.
pub(crate) fn check_all(comparison: &Comparison<'_>) {
    let Comparison { engine, style, twins, programs, most_unknown } = *comparison;
    let kinds = [Truth::Safe, Truth::PartiallySafe, Truth::Unsafe, Truth::NeedsValues, Truth::Open];
    let mut counts = kinds.map(|truth| (truth, 0));
    let (mut compared, mut unknown, mut followed) = (0, 0, 0);
    for seed in 0..programs {
        let original = program(seed, style);
        match compare(engine, &original, twins) {
            Finding::Agrees { truth, known, schedules } => {
                compared += 1;
                unknown += u64::from(!known);
                followed += schedules;
                counts.iter_mut().filter(|(kind, _)| *kind == truth).for_each(|(_, count)| *count += 1);
            }
            Finding::Skipped => {}
            Finding::Differs(_) => {
                let small = shrink(&original, |p| matches!(compare(engine, p, twins), Finding::Differs(_)));
                let Finding::Differs(difference) = compare(engine, &small, twins) else {
                    unreachable!("it still differs")
                };
                panic!("{style:?}, seed {seed}: {difference}\n{}", to_boogie(&bounded(&small)));
            }
        }
    }
    println!(
        "{style:?}: of {programs} programs, {compared} compared: {counts:?}; {unknown} not known to the engine; \
         {followed} schedules followed"
    );
    // Programs with one thread more are more often too large.
    let least = if twins { programs / 3 } else { programs / 2 };
    assert!(compared >= least, "{style:?}: only {compared} of {programs} programs were compared");
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

/// Checks that the truth about programs is the same if arbitrary integers are chosen from a larger range.
pub(crate) fn check_range(style: Style, programs: u64) {
    let larger = Config { int_range: IntRange::default(), ..config() };
    let mut compared = 0;
    for seed in 0..programs {
        let program = bounded(&program(seed, style));
        let ir = to_ir(&program);
        let (Some(small), Some(large)) = (truth(&ir, &config()), truth(&ir, &larger)) else { continue };
        assert_eq!(small, large, "{style:?}, seed {seed}:\n{}", to_boogie(&program));
        compared += 1;
    }
    println!("{style:?}: {compared} of {programs} programs with two ranges of integers");
    assert!(compared * 2 >= programs, "{style:?}: only {compared} of {programs} programs were compared");
}

fn until(most: usize) -> impl FnMut(&Progress) -> Flow {
    move |progress| if progress.states > most { Flow::Stop } else { Flow::Continue }
}

/// What is known of a program, if it is small enough.
fn truth(ir: &ir::Program, config: &Config) -> Option<Truth> {
    let game = interp::game(ir, config, &mut until(MOST_STATES));
    let schedulable = game.schedulable?;
    if !game.bad {
        assert!(schedulable, "whatever the scheduler does, nothing goes wrong");
        return Some(Truth::Safe);
    }
    let blind = interp::blind(ir, config, &mut until(MOST_BELIEFS));
    Some(match (schedulable, blind.schedulable) {
        (false, Some(true)) => panic!("who sees less cannot do more:\n{}", ir::text::print(ir)),
        (false, _) => Truth::Unsafe,
        (true, Some(true)) => Truth::PartiallySafe,
        (true, Some(false)) => Truth::NeedsValues,
        (true, None) => Truth::Open,
    })
}

fn compare(engine: &Engine, program: &Program, twins: bool) -> Finding {
    let mut ir = to_ir(&bounded(program));
    if twins {
        ir.threads.insert(0, ir.threads[0]);
    }
    let config = config();
    let Some(truth) = truth(&ir, &config) else { return Finding::Skipped };
    let (verdict, arts) = engine(&ir, &config);
    if !truth.allows(verdict) {
        return Finding::Differs(format!("the engine says {verdict:?}, and it is {truth:?}"));
    }
    if verdict == Verdict::PartiallySafe && arts.is_empty() {
        return Finding::Differs(format!("the engine says {verdict:?} and gives no schedule"));
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
    Finding::Agrees { truth, known: verdict != Verdict::Unknown, schedules: arts.len() }
}
