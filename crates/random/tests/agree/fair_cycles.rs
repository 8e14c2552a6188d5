//! Infinite executions: the explorer's search against the definition, applied to the reference's graph.
//!
//! The definition is checked by brute force: for every set of threads that keep moving, and every set of fair
//! choices that are never refused, it is asked whether some strongly connected part of the graph does just that and
//! is fair.

use std::collections::BTreeSet;

use interp::{Checks, Config, Ending, Fairness, ViolationKind, replay};
use random::{Program, Style, to_ir};

use crate::harness::{Finding, MOST_REFERENCE_STATES, check_all, config, explored, scaled};
use crate::reference::{self, Label, Node};

/// A fair choice: the task that makes it, and the statement.
type Choice = (usize, usize);

/// Graphs with more states, tasks or fair choices than this are skipped.
const MOST_NODES: usize = 1000;
const MOST_CHOICES: usize = 4;
const MOST_TASKS: usize = 5;

struct Part<'g> {
    graph: &'g [Node],
    moving: u32,
    never_refused: &'g BTreeSet<Choice>,
    fairness: Fairness,
}

impl Part<'_> {
    /// Threads that may never move again must have no right to.
    fn has_state(&self, state: usize) -> bool {
        let node = &self.graph[state];
        let idle = node.live & !self.moving;
        self.fairness != Fairness::Strong || idle & (node.enabled | node.at_false_assume) == 0
    }

    fn edges(&self, state: usize) -> impl Iterator<Item = &(usize, usize, Label)> {
        self.graph[state].edges.iter().filter(|(target, task, label)| {
            let refuses =
                label.fair.iter().any(|&(at, granted)| !granted && self.never_refused.contains(&(*task, at)));
            self.moving & (1 << task) != 0 && !label.progress && !refuses && self.has_state(*target)
        })
    }

    fn reachable(&self, from: usize) -> BTreeSet<usize> {
        let mut seen = BTreeSet::new();
        let mut work = vec![from];
        while let Some(state) = work.pop() {
            for (target, ..) in self.edges(state) {
                if seen.insert(*target) {
                    work.push(*target);
                }
            }
        }
        seen
    }

    fn is_fair(&self, states: &BTreeSet<usize>) -> bool {
        let mut moved = 0;
        let (mut refused, mut granted) = (BTreeSet::new(), BTreeSet::new());
        for &state in states {
            for (_, task, label) in self.edges(state).filter(|(target, ..)| states.contains(target)) {
                moved |= 1 << task;
                for &(at, yes) in &label.fair {
                    if yes { &mut granted } else { &mut refused }.insert((*task, at));
                }
            }
        }
        let everywhere = |pick: fn(&Node) -> u32| {
            states.iter().fold(u32::MAX, |set, &state| set & pick(&self.graph[state]))
        };
        let idle = states.iter().fold(0, |set, &state| set | self.graph[state].live) & !moved;
        let ignored = if self.fairness == Fairness::Weak { everywhere(|n| n.enabled) } else { 0 };
        moved == self.moving
            && refused.is_subset(&granted)
            && idle & everywhere(|n| n.at_false_assume) == 0
            && idle & ignored == 0
    }

    fn has_fair_cycle(&self) -> bool {
        let mut done: BTreeSet<usize> = BTreeSet::new();
        for state in (0..self.graph.len()).filter(|&s| self.has_state(s)) {
            if done.contains(&state) {
                continue;
            }
            let ahead = self.reachable(state);
            if !ahead.contains(&state) {
                continue;
            }
            let component: BTreeSet<usize> =
                ahead.into_iter().filter(|&other| self.reachable(other).contains(&state)).collect();
            if self.is_fair(&component) {
                return true;
            }
            done.extend(component);
        }
        false
    }
}

/// Whether there is an infinite execution of the given fairness, or nothing if it takes too long to find out.
fn expected(graph: &[Node], fairness: Fairness) -> Option<bool> {
    let mut choices: BTreeSet<Choice> = BTreeSet::new();
    let mut tasks = 0;
    for node in graph {
        for (_, task, label) in &node.edges {
            tasks = tasks.max(task + 1);
            choices.extend(label.fair.iter().map(|&(at, _)| (*task, at)));
        }
    }
    if graph.len() > MOST_NODES || choices.len() > MOST_CHOICES || tasks > MOST_TASKS {
        return None;
    }
    let choices: Vec<Choice> = choices.into_iter().collect();
    for moving in 1..1u32 << tasks {
        for set in 0..1u32 << choices.len() {
            let of_set = choices.iter().enumerate().filter(|(at, _)| set & (1 << at) != 0);
            let never_refused = of_set.map(|(_, choice)| *choice).collect();
            if (Part { graph, moving, never_refused: &never_refused, fairness }).has_fair_cycle() {
                return Some(true);
            }
        }
    }
    Some(false)
}

/// Whether the explorer finds one, and it replays with at least that fairness.
fn actual(ir: &ir::Program, fairness: Fairness) -> Result<Option<bool>, String> {
    let checks = Checks { non_termination: Some(fairness), ..Checks::default() };
    let config = Config { checks, ..config() };
    let Some(exploration) = explored(ir, &config) else { return Ok(None) };
    let lasso = exploration.violations.iter().find(|v| v.kind == ViolationKind::NonTermination);
    let Some(lasso) = lasso else { return Ok(Some(false)) };
    let replay = replay(ir, &config, &lasso.run).map_err(|error| error.to_string())?;
    let Ending::Lasso { fairness: shown, progress, .. } = replay.ending else {
        return Err(format!("{fairness:?}: the lasso ends {:?}", replay.ending));
    };
    let enough = match fairness {
        Fairness::Strong => shown == Fairness::Strong,
        Fairness::Weak => shown != Fairness::None,
        Fairness::None => true,
    };
    if enough && !progress { Ok(Some(true)) } else { Err(format!("{fairness:?}: the lasso is {shown:?}")) }
}

fn agrees(program: &Program) -> Finding {
    let Some(truth) = reference::explore(program, MOST_REFERENCE_STATES) else { return Finding::Skipped };
    let ir = to_ir(program);
    let mut weaker = true;
    for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
        let actual = match actual(&ir, fairness) {
            Ok(Some(actual)) => actual,
            Ok(None) => return Finding::Skipped,
            Err(difference) => return Finding::Differs(difference),
        };
        if actual && !weaker {
            return Finding::Differs(format!("{fairness:?} lasso, but none that is less fair"));
        }
        weaker = actual;
        match expected(&truth.graph, fairness) {
            Some(expected) if expected != actual => {
                return Finding::Differs(format!("{fairness:?}: expected {expected}, found {actual}"));
            }
            Some(_) => {}
            None => return Finding::Skipped,
        }
    }
    Finding::Agrees
}

#[test]
fn fair_cycles_of_threads_are_found() {
    println!("{} programs", check_all(Style::Threads, scaled(250), agrees));
}

#[test]
fn fair_cycles_of_mixed_programs_are_found() {
    println!("{} programs", check_all(Style::Mixed, scaled(250), agrees));
}
