//! Tables on the interpreter: threads that wait where a table says, and nowhere else, do what the schedule says.
//!
//! [`Gates`] does what the run-time library does with a table, as [`trace::table`] defines it, and runs any thread that does not have to
//! wait. So what is tested is all that lies between a schedule and a compiled program: instructions, gathered waits, removed events, late
//! events, and what the run-time library makes of them: nobody gets stuck, nobody comes to another place than the schedule has, and
//! the state is that of the order in which the schedule lists its events.

use std::collections::{BTreeMap, BTreeSet};

use interp::{Config, Run, SwitchAt, guided};
use ir::{Op, Program};
use random::{Style, synchronized, to_ir};
use trace::table::Table;

use super::Policy;
use super::gates::{Compiled, Gates};
use super::replay::{accepted, globals, without};
use crate::{Follower, Level, PointId, ProgramSchedule, enforcement, remove_unordered, visible_sites};

/// How many programs of each style are tried.
const PROGRAMS: u64 = 120;

/// What was followed.
#[derive(Debug, Default)]
struct Followed {
    runs: [usize; 3],
    /// How many steps were not where the schedule lists them.
    moved: [usize; 3],
    /// How many events were removed, and how many could be late.
    removed: usize,
    late: usize,
    /// How many instructions are several ops.
    grouped: usize,
    branches: usize,
}

impl Followed {
    fn assert_enough(&self, runs: usize) {
        let moved = self.moved[1] > runs && self.moved[2] > runs;
        assert!(moved && self.runs.iter().all(|many| *many > runs), "{self:?}");
    }

    fn count(
        &mut self,
        schedule: &ProgramSchedule,
        taken: &[(usize, usize)],
        events: &[&crate::Event],
        run: &Run,
    ) {
        let level = schedule.level.number();
        self.runs[level] += 1;
        self.moved[level] +=
            run.steps.iter().zip(events).filter(|(a, b)| a.thread != b.thread as usize).count();
        self.late += events.iter().filter(|event| event.late).count();
        self.branches += taken
            .iter()
            .filter(|(point, _)| {
                schedule.points[PointId::from_u32(u32::try_from(*point).unwrap())].sections.len() > 1
            })
            .count();
    }
}

/// A program with a schedule, and its table for some instructions.
struct Enforced<'a> {
    program: &'a Program,
    schedule: &'a ProgramSchedule,
    compiled: Compiled,
}

impl Enforced<'_> {
    /// Follows the table in some orders.
    fn follow(&self, random: &mut fastrand::Rng, followed: &mut Followed) {
        let Enforced { program, schedule, compiled } = self;
        let seed_of = random.u64(..u64::MAX / 2);
        let origins = |op| compiled.origin(op);
        // Others would have to run in the middle of an instruction.
        let Ok(mut table) = enforcement(program, schedule, &origins) else { return };
        let mut gated: BTreeSet<u32> = visible_sites(program, &origins, &table).into_keys().collect();
        gated.retain(|site| !table.omitted.contains(site));
        if schedule.level == Level::Replicated {
            let removed = remove_unordered(program, &origins, &mut table);
            followed.removed += removed.len();
            gated.retain(|site| !removed.contains(site));
        }
        assert_eq!(Table::decode(&table.encode()).as_ref(), Some(&table), "the table is not sound");
        let changed = without(program, schedule);
        let expanded = ir::expand(&changed);
        for seed in 0..4 {
            let seed = seed_of + seed;
            let gates = |listed| Gates {
                program,
                table: &table,
                compiled,
                expanded: &expanded,
                follower: Follower::new(program, &origins),
                gated: gated.clone(),
                threads: Vec::new(),
                numbers: BTreeMap::new(),
                taken: Vec::new(),
                random: fastrand::Rng::with_seed(seed),
                steps: 0,
                listed,
                chosen: BTreeMap::new(),
                running: None,
                unknown: false,
                over: false,
                ended: false,
            };
            let mut mixed = gates(None);
            let run = match guided(&changed, &Config::default(), &mut mixed) {
                Ok(run) => run,
                Err(_) if mixed.unknown || mixed.is_at_assume() => return,
                Err(error) => panic!("{error} at level {}", schedule.level.number()),
            };
            if !mixed.over {
                return;
            }
            mixed.assert_over(schedule.level);
            let Some(events) = listed(schedule, &mixed) else { return };
            let mut listed =
                gates(Some(events.iter().map(|event| event.thread).collect::<Vec<_>>().into_iter()));
            listed.chosen = mixed.chosen;
            let expected = match guided(&changed, &Config::default(), &mut listed) {
                Ok(run) => run,
                Err(_) if listed.unknown => return,
                Err(error) => panic!("{error} in the schedule's own order"),
            };
            let end = |run| globals(interp::replay(&changed, &Config::default(), run).expect("it is a run"));
            assert_eq!(
                end(&run),
                end(&expected),
                "the table leads elsewhere at level {}",
                schedule.level.number()
            );
            followed.count(schedule, &mixed.taken, &events, &run);
        }
    }
}

/// The events of the sections that were taken, in the order of the schedule; nothing if the table has fewer sections there.
fn listed<'s>(schedule: &'s ProgramSchedule, gates: &Gates<'_>) -> Option<Vec<&'s crate::Event>> {
    let mut events = Vec::new();
    for &(point, index) in &gates.taken {
        let sections = &schedule.points[PointId::from_u32(u32::try_from(point).ok()?)].sections;
        if sections.len() != gates.table.points[point].sections.len() {
            return None;
        }
        events.extend(&sections[index].events);
    }
    Some(events)
}

/// Whether a call reads or assigns what others see. In compiled programs none does.
fn has_visible_calls(program: &Program) -> bool {
    let sites = |_| None;
    let follower = Follower::new(program, &sites);
    let mut ops = program.procs.values().flat_map(ir::Proc::stmts).map(|(.., stmt)| &stmt.op);
    ops.any(|op| matches!(op, Op::Call { .. }) && follower.is_visible(op))
}

/// Follows the tables of a program at all levels, if its tree is accepted.
fn follow(program: &Program, policy: Policy, seed: u64, followed: &mut Followed) {
    if has_visible_calls(program) {
        return;
    }
    let Some(unfolded) = accepted(program, policy) else { return };
    let mut random = fastrand::Rng::with_seed(seed);
    for level in Level::ALL {
        let schedule = ProgramSchedule::new(program, &unfolded.art, SwitchAt::Visible, level, "");
        let schedule = schedule.expect("the tree was accepted");
        for grouped in [false, true] {
            let compiled = Compiled::new(program, grouped, &mut random);
            followed.grouped += compiled.origins.values().filter(|origin| !origin.fresh).count();
            Enforced { program, schedule: &schedule, compiled }.follow(&mut random, followed);
        }
    }
}

fn follow_all(style: Style, policy: impl Fn(u64) -> Policy) -> Followed {
    let mut followed = Followed::default();
    for seed in 0..PROGRAMS {
        follow(&to_ir(&random::program(seed, style)), policy(seed), seed, &mut followed);
    }
    followed
}

#[test]
fn tables_of_threads_in_turns() {
    let followed = follow_all(Style::Threads, |_| Policy::RoundRobin);
    followed.assert_enough(100);
    assert!(followed.branches > 20 && followed.removed > 5 && followed.grouped > 20, "{followed:?}");
}

#[test]
fn tables_of_threads_by_chance() {
    let followed = follow_all(Style::Threads, Policy::Chance);
    followed.assert_enough(100);
    assert!(followed.branches > 20 && followed.removed > 5 && followed.grouped > 20, "{followed:?}");
}

#[test]
fn tables_of_mixed_programs() {
    let followed = follow_all(Style::Mixed, Policy::Chance);
    followed.assert_enough(100);
}

#[test]
fn tables_of_synchronization() {
    let mut followed = Followed::default();
    for seed in 0..PROGRAMS {
        let mut map = source::SourceMap::default();
        let file = map.add("synchronized.ir", synchronized(seed));
        let program = ir::text::parse(&map, file).expect("the program is well-formed");
        let policy = if seed % 2 == 0 { Policy::RoundRobin } else { Policy::Chance(seed) };
        follow(&program, policy, seed, &mut followed);
    }
    followed.assert_enough(100);
    assert!(followed.removed > 10, "{followed:?}");
}

/// Each thread has a variable of its own, and after it has told the others it goes on with that, in one of two ways.
const PRIVATE: &str = "
program;
var x: int = 0;
var mine: int = 0;
var yours: int = 0;
thread first;
thread second;
proc first() {
head:
  mine := 7;
  x := 1;
  mine := 1;
  mine := 2;
  goto head;
}
proc second() {
head:
  x := 2;
  yours := 3;
  choose head, other;
other:
  yours := 4;
  x := 3;
  goto head;
}
";

#[test]
fn tables_with_late_events_and_branches() {
    let mut map = source::SourceMap::default();
    let file = map.add("private.ir", PRIVATE);
    let program = ir::text::parse(&map, file).expect("the program is well-formed");
    let mut followed = Followed::default();
    for seed in 0..40 {
        let policy = if seed == 0 { Policy::RoundRobin } else { Policy::Chance(seed) };
        follow(&program, policy, seed, &mut followed);
    }
    followed.assert_enough(15);
    assert!(followed.late > 10 && followed.branches > 20, "{followed:?}");
}
