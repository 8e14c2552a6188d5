//! Program schedules on the interpreter: every order that a schedule permits is a run, and it does what the section does.

use std::collections::BTreeMap;

use interp::{Checks, Config, Ending, Run, Step, SwitchAt};
use ir::{ExprNode, Op, Place, Program};
use random::{Style, to_ir};
use smt::Z3;

use super::{Policy, Unfolded, unfold};
use crate::{Claim, Event, Level, PointId, ProgramSchedule, Question, Section, check};

/// How many programs are tried.
const PROGRAMS: u64 = 150;
/// After so many events a run has been followed long enough.
const LONGEST: usize = 60;

/// The program with ops that touch nothing in place of those that a schedule omits. They still are steps.
pub(super) fn without(program: &Program, schedule: &ProgramSchedule) -> Program {
    let mut program = program.clone();
    let yes = program.exprs.add(ExprNode::Bool(true));
    for op in &schedule.omitted {
        let stmt = &mut program.procs[op.proc].blocks[op.block].stmts[op.index];
        let targets: Vec<Place> = match &stmt.op {
            Op::Sync(sync) => sync.result.iter().cloned().collect(),
            _ => Vec::new(),
        };
        let values = vec![yes; targets.len()];
        stmt.op = Op::Await { guard: yes, targets, values };
    }
    program
}

/// A run of which every order is replayed in two ways.
struct Follower<'a> {
    program: &'a Program,
    schedule: &'a ProgramSchedule,
    /// The events as the schedule lists them, and in a random order that it permits.
    listed: Vec<&'a Event>,
    mixed: Vec<&'a Event>,
    /// What has not happened yet although its section is over, in an order in which it can.
    late: Vec<&'a Event>,
    were_late: usize,
    random: fastrand::Rng,
}

/// Why a run is not followed: it needs choices that nobody made.
struct Unknown;

impl<'a> Follower<'a> {
    /// Follows the schedule for some time. How many events of threads have changed places.
    fn follow(&mut self) -> Result<usize, Unknown> {
        let mut point = PointId::from_u32(0);
        while self.listed.len() < LONGEST {
            let sections = &self.schedule.points[point].sections;
            let Some(section) = self.choose(sections)? else { break };
            let branches = sections.len() > 1;
            self.mix(section, branches);
            self.listed.extend(&section.events);
            let mixed: Vec<&Event> = self.mixed.iter().chain(&self.late).copied().collect();
            let (listed, mixed) = (self.replay(&self.listed)?, self.replay(&mixed)?);
            assert_eq!(listed, mixed, "the orders lead to different states");
            point = section.next;
        }
        Ok(self.listed.iter().zip(&self.mixed).filter(|(a, b)| a != b).count())
    }

    /// The section that the program takes: where there are several, the step of the thread decides.
    fn choose(&self, sections: &'a [Section]) -> Result<Option<&'a Section>, Unknown> {
        let [first, _, ..] = sections else { return Ok(sections.first()) };
        let thread = first.events[0].thread;
        let mut steps = steps(&self.mixed);
        steps.extend(self.late.iter().filter(|event| event.thread == thread).map(|_| step(thread)));
        steps.push(step(thread));
        let ran = self.run(&steps)?.events.pop().map(|event| event.ops).unwrap_or_default();
        let ran: Vec<_> = ran.into_iter().map(|(op, _)| op).collect();
        let taken = sections.iter().find(|section| section.events[0].ops == ran);
        assert!(taken.is_some(), "no section for {ran:?}");
        Ok(taken)
    }

    /// Puts the events of a section into a random order that it permits. Some of those that can be late are.
    fn mix(&mut self, section: &'a Section, branches: bool) {
        let mut executed: BTreeMap<u32, usize> = BTreeMap::new();
        for at in 0..section.events.len() {
            while self.random.u8(0..4) == 0 && !self.late.is_empty() {
                self.mixed.push(self.late.remove(0));
            }
            let enabled = section.enabled(&|thread| executed.get(&thread).copied().unwrap_or(0));
            assert!(!enabled.is_empty(), "a section that gets stuck");
            // The event that decides which section it is comes first.
            let next = if at == 0 && branches { 0 } else { enabled[self.random.usize(0..enabled.len())] };
            let event = &section.events[next];
            *executed.entry(event.thread).or_default() += 1;
            let is_late = self.late.iter().any(|other| other.thread == event.thread);
            if event.late && (is_late || self.random.bool()) {
                self.late.push(event);
                self.were_late += 1;
                continue;
            }
            while let Some(at) = self.late.iter().position(|other| other.thread == event.thread) {
                self.mixed.push(self.late.remove(at));
            }
            self.mixed.push(event);
        }
    }

    /// Replays events, and gives the values of the globals in the end.
    fn replay(&self, events: &[&Event]) -> Result<BTreeMap<String, String>, Unknown> {
        let replay = self.run(&steps(events))?;
        assert!(!matches!(replay.ending, Ending::Failed { .. } | Ending::Deadlock(_)), "{:?}", replay.ending);
        for (event, ran) in events.iter().zip(&replay.events) {
            let ops: Vec<_> = ran.ops.iter().map(|(op, _)| *op).collect();
            assert_eq!(ops, event.ops, "another event than the schedule has");
        }
        Ok(globals(replay))
    }

    fn run(&self, steps: &[Step]) -> Result<interp::Replay, Unknown> {
        let run = Run { initial: Vec::new(), steps: steps.to_vec(), lasso_start: None };
        interp::replay(self.program, &Config::default(), &run).map_err(|error| {
            assert!(error.message.contains("choices"), "{error}");
            Unknown
        })
    }
}

/// The values of the globals after a run.
pub(super) fn globals(replay: interp::Replay) -> BTreeMap<String, String> {
    let changes = replay.initial.into_iter().chain(replay.events.into_iter().flat_map(|event| event.changes));
    changes.filter(|change| !change.local).map(|change| (change.name, change.value)).collect()
}

pub(super) fn step(thread: u32) -> Step {
    Step { thread: thread as usize, delay: false, choices: Vec::new() }
}

fn steps(events: &[&Event]) -> Vec<Step> {
    events.iter().map(|event| step(event.thread)).collect()
}

/// How many runs were followed, how many events of which level were not where the list has them, and how many came after their
/// section.
#[derive(Debug, Default)]
struct Followed {
    runs: usize,
    moved: [usize; 3],
    late: usize,
}

/// Follows the schedules of trees of random programs that are accepted.
fn follow_all(policy: impl Fn(u64) -> Policy) -> Followed {
    let mut followed = Followed::default();
    for seed in 0..PROGRAMS {
        let program = to_ir(&random::program(seed, Style::Threads));
        follow(&program, policy(seed), seed, &mut followed);
    }
    followed
}

/// The tree of a program, if it is accepted as a schedule.
pub(super) fn accepted(program: &Program, policy: Policy) -> Option<Unfolded> {
    let expanded = ir::expand(program).program;
    let switch_at = SwitchAt::Visible;
    let unfolded = unfold(&expanded, policy, switch_at, 400)?;
    let question = Question { claim: Claim::Schedule, checks: Checks::default(), switch_at };
    check(program, &unfolded.art, &question, &mut Z3::new(), &|| Some(smt::Limits::default())).ok()?;
    Some(unfolded)
}

/// Follows the schedules of a tree of a program, if it is accepted.
fn follow(program: &Program, policy: Policy, seed: u64, followed: &mut Followed) {
    let Some(unfolded) = accepted(program, policy) else { return };
    for level in Level::ALL {
        let made = ProgramSchedule::new(program, &unfolded.art, SwitchAt::Visible, level, "");
        let schedule = made.expect("the tree was accepted");
        let changed = without(program, &schedule);
        for round in 0..4 {
            let random = fastrand::Rng::with_seed(seed * 16 + round);
            let (listed, mixed, late) = (Vec::new(), Vec::new(), Vec::new());
            let (program, schedule, were_late) = (&changed, &schedule, 0);
            let mut follower = Follower { program, schedule, listed, mixed, late, were_late, random };
            if let Ok(count) = follower.follow() {
                followed.runs += 1;
                followed.moved[level.number()] += count;
                followed.late += follower.were_late;
            }
        }
    }
}

#[test]
fn all_orders_of_a_schedule_are_equivalent() {
    let Followed { runs, moved, .. } = follow_all(|_| Policy::RoundRobin);
    assert!(runs > 100, "{runs}");
    assert!(moved[0] == 0 && moved[1] > 100 && moved[2] > moved[1], "{moved:?}");
}

#[test]
fn schedules_made_by_chance_are_as_good_once_they_are_accepted() {
    let Followed { runs, moved, .. } = follow_all(Policy::Chance);
    assert!(runs > 50 && moved[1] > 0, "{runs} {moved:?}");
}

/// Each thread has a variable of its own, and after it has told the others it goes on with that.
const PRIVATE: &str = "
program;
var x: int;
var mine: int;
var yours: int;
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
  goto head;
}
";

#[test]
fn what_nobody_else_touches_can_be_late() {
    let mut map = source::SourceMap::default();
    let file = map.add("private.ir", PRIVATE);
    let program = ir::text::parse(&map, file).expect("the program is well-formed");
    let mut followed = Followed::default();
    for seed in 0..40 {
        let policy = if seed == 0 { Policy::RoundRobin } else { Policy::Chance(seed) };
        follow(&program, policy, seed, &mut followed);
    }
    assert!(followed.runs > 40 && followed.late > 100, "{followed:?}");
}

#[test]
fn what_the_end_of_the_program_would_cut_off_is_not_late() {
    let ending = PRIVATE.replace("x := 2;\n  yours := 3;\n  goto head;", "x := 2;\n  exit;");
    let mut map = source::SourceMap::default();
    let file = map.add("private.ir", &ending);
    let program = ir::text::parse(&map, file).expect("the program is well-formed");
    let mut followed = Followed::default();
    follow(&program, Policy::RoundRobin, 0, &mut followed);
    assert!(followed.runs > 0 && followed.late == 0, "{followed:?}");
}
