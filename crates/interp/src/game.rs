//! Whether a program can be scheduled safely: a game on the state graph.
//!
//! At each state the scheduler picks a thread that can step; if it can step in several ways, the adversary picks one. So
//! the adversary has the arbitrary values, and it has the initial state too. The scheduler wins a play if no violation
//! happens in it and, if it goes on for ever, every thread that is enabled infinitely often is scheduled infinitely often
//! (strong fairness). A play that ends without a deadlock is won: all threads have completed, or the program has exited,
//! or some thread is at an assume that does not hold, so that there is no such run.
//!
//! The scheduler sees the state: it is a function of execution prefixes, which have the states in them (Metzler, Suri and
//! Weissenbacher, "Extracting safe thread schedules from incomplete model checking results", STTT 2020, Definition 1). What
//! is arbitrary and was not read yet has no value in a state, so the scheduler does not see it, and the adversary chooses
//! it when it is read.
//!
//! Threads are known by their numbers in states. A number that is free and used again is another thread, but fairness is
//! judged by numbers. That makes no difference in a finite graph, unless threads are started for ever: then a number that
//! is used infinitely often has to be scheduled infinitely often, whoever has it. Fair choices are choices like any
//! other: the adversary may refuse one for ever, and then the scheduler has to be fair all the same.

pub(crate) mod arena;
#[cfg(test)]
mod parity;
pub(crate) mod strategy;
mod streett;
#[cfg(test)]
mod tests;

use ir::{OpRef, Program};
use source::Span;

use crate::compile::compile;
use crate::explore::{Explorer, Flow, Progress, Statistics};
use crate::graph::Graph;
use crate::pack::StateId;
use crate::run::{Checks, Config, Cut, Scheduler};

use arena::{Arena, Builder, Player};

/// What came out.
#[derive(Clone, Debug)]
pub struct Game {
    /// Whether some violation can be reached: a failing assertion, an invalid access to memory, a deadlock. If the search
    /// did not finish, one that it has seen.
    pub bad: bool,
    /// Whether the scheduler wins, or nothing if not all runs could be followed.
    pub schedulable: Option<bool>,
    /// Whether every state was expanded.
    pub finished: bool,
    /// Runs that could not be followed, each with an op at which that happened.
    pub cuts: Vec<(Cut, Option<OpRef>, Span)>,
    /// Whether some choice was from a part of its type only: integers from the range, elements of sorts.
    pub limited: bool,
    /// Figures.
    pub statistics: Statistics,
}

/// Solves the game of a valid program. Of the configuration, the scheduler, the reduction, data races, infinite executions
/// and the number of violations are ignored. `control` is called every so often and can stop the search.
pub fn game(program: &Program, config: &Config, control: &mut dyn FnMut(&Progress) -> Flow) -> Game {
    let checks = Checks { races: false, non_termination: None, response: None, ..config.checks };
    let config = Config {
        scheduler: Scheduler::All,
        reduction: false,
        valuations: false,
        most_violations: usize::MAX,
        checks,
        ..*config
    };
    let code = compile(program, config.switch_at);
    let mut explorer = Explorer::new(&code, config, control);
    explorer.keep_graph();
    explorer.add_initial_states();
    let initial = explorer.states.len();
    let finished = explorer.search();
    let graph = explorer.graph.take().unwrap_or_default();
    let exploration = explorer.finish(finished);
    let followed = finished && exploration.cuts.is_empty();
    Game {
        bad: !exploration.violations.is_empty(),
        schedulable: followed.then(|| is_won(&graph, initial, config.checks.deadlocks)),
        finished,
        cuts: exploration.cuts,
        limited: exploration.limited,
        statistics: exploration.statistics,
    }
}

/// Whether the scheduler wins from each of the first states.
fn is_won(graph: &Graph, initial: usize, deadlocks: bool) -> bool {
    let (arena, lost) = arena_of(graph, deadlocks);
    let won = arena.won(&lost);
    won[..initial].iter().all(|&won| won)
}

/// The positions are the states, in which the scheduler moves; then those in which a thread was picked, in which the
/// adversary does; and the end of all plays that end well. With them comes which positions are lost at once.
fn arena_of(graph: &Graph, deadlocks: bool) -> (Arena, Vec<bool>) {
    let states = graph.len();
    let mut arena = Builder::default();
    for _ in 0..states {
        arena.position(Player::Scheduler);
    }
    let end = arena.position(Player::Scheduler);
    arena.edge(end, end);
    let mut lost = vec![false; states + 1];
    let numbers = 0..StateId::try_from(states).unwrap_or(StateId::MAX);
    let all = numbers.clone().fold(0, |all, state| all | graph.threads(state).enabled);
    let mut pairs: Vec<(u32, arena::Pair)> = (0..64)
        .filter(|thread| all & (1 << thread) != 0)
        .map(|thread| (thread, arena::Pair::default()))
        .collect();
    for state in numbers {
        let threads = graph.threads(state);
        if threads.enabled == 0 {
            if deadlocks && threads.live != 0 && threads.at_false_assume == 0 {
                lost[state as usize] = true;
            } else {
                arena.edge(state, end);
            }
        }
        for (thread, pair) in &mut pairs {
            if threads.enabled & (1 << *thread) == 0 {
                continue;
            }
            let picked = arena.position(Player::Adversary);
            arena.edge(state, picked);
            lost.push(threads.failing & (1 << *thread) != 0);
            pair.asked.push(state);
            pair.granted.push(picked);
            let steps = graph.edges_of(state).filter(|(_, label)| u32::from(label.thread) == *thread);
            let mut targets: Vec<StateId> = steps.map(|(to, _)| to).collect();
            targets.sort_unstable();
            targets.dedup();
            if targets.is_empty() {
                // A failure that is no violation ends the play.
                targets.push(end);
            }
            targets.into_iter().for_each(|to| arena.edge(picked, to));
        }
    }
    (arena.finish(pairs.into_iter().map(|(_, pair)| pair).collect()), lost)
}
