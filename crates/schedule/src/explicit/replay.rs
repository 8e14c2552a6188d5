//! Program schedules on the interpreter: every order that a schedule permits is a run, and it does what the section does.

use std::collections::BTreeMap;

use interp::{Checks, Config, Ending, Run, Step, SwitchAt};
use ir::{ExprNode, Op, Place, Program};
use random::{Style, to_ir};
use smt::Z3;

use super::{Policy, unfold};
use crate::{Claim, Event, Level, PointId, ProgramSchedule, Question, Section, check};

/// How many programs are tried.
const PROGRAMS: u64 = 150;
/// After so many events a run has been followed long enough.
const LONGEST: usize = 60;

/// The program with ops that touch nothing in place of those that a schedule omits. They still are steps.
fn without(program: &Program, schedule: &ProgramSchedule) -> Program {
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
            let (listed, mixed) = (self.replay(&self.listed)?, self.replay(&self.mixed)?);
            assert_eq!(listed, mixed, "the orders lead to different states");
            point = section.next;
        }
        Ok(self.listed.iter().zip(&self.mixed).filter(|(a, b)| a != b).count())
    }

    /// The section that the program takes: where there are several, the step of the thread decides.
    fn choose(&self, sections: &'a [Section]) -> Result<Option<&'a Section>, Unknown> {
        let [first, _, ..] = sections else { return Ok(sections.first()) };
        let mut steps = steps(&self.mixed);
        steps.push(step(first.events[0].thread));
        let ran = self.run(&steps)?.events.pop().map(|event| event.ops).unwrap_or_default();
        let ran: Vec<_> = ran.into_iter().map(|(op, _)| op).collect();
        let taken = sections.iter().find(|section| section.events[0].ops == ran);
        assert!(taken.is_some(), "no section for {ran:?}");
        Ok(taken)
    }

    /// Puts the events of a section into a random order that it permits.
    fn mix(&mut self, section: &'a Section, branches: bool) {
        let mut executed: BTreeMap<u32, usize> = BTreeMap::new();
        for at in 0..section.events.len() {
            let enabled = section.enabled(&|thread| executed.get(&thread).copied().unwrap_or(0));
            assert!(!enabled.is_empty(), "a section that gets stuck");
            // The event that decides which section it is comes first.
            let next = if at == 0 && branches { 0 } else { enabled[self.random.usize(0..enabled.len())] };
            let event = &section.events[next];
            *executed.entry(event.thread).or_default() += 1;
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
        let changes = replay.initial.into_iter().chain(replay.events.into_iter().flat_map(|e| e.changes));
        let globals = changes.filter(|change| !change.local);
        Ok(globals.map(|change| (change.name, change.value)).collect())
    }

    fn run(&self, steps: &[Step]) -> Result<interp::Replay, Unknown> {
        let run = Run { initial: Vec::new(), steps: steps.to_vec(), lasso_start: None };
        interp::replay(self.program, &Config::default(), &run).map_err(|error| {
            assert!(error.message.contains("choices"), "{error}");
            Unknown
        })
    }
}

fn step(thread: u32) -> Step {
    Step { thread: thread as usize, delay: false, choices: Vec::new() }
}

fn steps(events: &[&Event]) -> Vec<Step> {
    events.iter().map(|event| step(event.thread)).collect()
}

/// Follows the schedules of trees that are accepted. How many runs were followed, and how many events of which level were not
/// where the list has them.
fn follow_all(policy: impl Fn(u64) -> Policy) -> (usize, [usize; 3]) {
    let (mut followed, mut moved) = (0, [0; 3]);
    for seed in 0..PROGRAMS {
        let program = to_ir(&random::program(seed, Style::Threads));
        let expanded = ir::expand(&program).program;
        let switch_at = SwitchAt::Visible;
        let Some(unfolded) = unfold(&expanded, policy(seed), switch_at, 400) else { continue };
        let question = Question { claim: Claim::Schedule, checks: Checks::default(), switch_at };
        if check(&program, &unfolded.art, &question, &mut Z3::new(), &|| Some(smt::Limits::default()))
            .is_err()
        {
            continue;
        }
        for level in Level::ALL {
            let made = ProgramSchedule::new(&program, &unfolded.art, switch_at, level, "");
            let schedule = made.expect("the tree was accepted");
            let changed = without(&program, &schedule);
            for round in 0..4 {
                let random = fastrand::Rng::with_seed(seed * 16 + round);
                let (listed, mixed) = (Vec::new(), Vec::new());
                let mut follower = Follower { program: &changed, schedule: &schedule, listed, mixed, random };
                if let Ok(count) = follower.follow() {
                    followed += 1;
                    moved[level.number()] += count;
                }
            }
        }
    }
    (followed, moved)
}

#[test]
fn all_orders_of_a_schedule_are_equivalent() {
    let (followed, moved) = follow_all(|_| Policy::RoundRobin);
    assert!(followed > 100, "{followed}");
    assert!(moved[0] == 0 && moved[1] > 100 && moved[2] > moved[1], "{moved:?}");
}

#[test]
fn schedules_made_by_chance_are_as_good_once_they_are_accepted() {
    let (followed, moved) = follow_all(Policy::Chance);
    assert!(followed > 50 && moved[1] > 0, "{followed} {moved:?}");
}
