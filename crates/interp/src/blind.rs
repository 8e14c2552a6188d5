//! Whether there is a safe schedule that does not depend on values: the game of [`crate::game()`] for a scheduler that sees
//! which ops threads run and where they are, and nothing else. That is what a schedule can say that is followed with
//! [`crate::follow()`].
//!
//! What such a scheduler knows is a set of states, its *belief*: those that fit what it has seen. In a belief it permits some
//! threads such that in each state some of them can step. Who does, and how, is up to the adversary. More threads than
//! needed are never better, since then more can happen.
//!
//! Fairness depends on who was enabled, which the scheduler does not see. So the game is solved twice: a thread counts as
//! enabled when it is in some state that fits the next step, or when it is in all of them. If the scheduler wins the first,
//! there is a schedule: the belief says what to do. If it loses the second, there is none: a play of beliefs has a run
//! in it, as each state of a belief comes from one of the belief before, and sets are finite. In between nothing is known.

mod positions;
#[cfg(test)]
mod tests;
mod timetable;

use ir::Program;

use crate::compile::compile;
use crate::explore::{Flow, Progress};
use crate::game::arena::Pair;
use crate::run::Config;

use positions::Positions;
pub use timetable::{Row, Timetable, Way};

/// What came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blind {
    /// Whether there is such a schedule, or nothing if that is not known.
    pub schedulable: Option<bool>,
    /// One, if there is.
    pub timetable: Option<Timetable>,
    /// Whether the game was built to its end. If not, some run could not be followed, or `control` said stop.
    pub finished: bool,
    /// How many sets of states the scheduler distinguishes.
    pub beliefs: usize,
}

/// Solves the game of a valid program. Of the configuration, the scheduler, the reduction, data races, infinite executions
/// and the number of violations are ignored. `control` is called for each set of states and can stop the search.
pub fn blind(program: &Program, config: &Config, control: &mut dyn FnMut(&Progress) -> Flow) -> Blind {
    let expanded = ir::expand(program).program;
    let code = compile(&expanded, config.switch_at);
    let mut positions = Positions::new(&code, config);
    let finished = positions.build(control).is_some();
    let mut blind = Blind { schedulable: None, timetable: None, finished, beliefs: positions.beliefs() };
    if !finished {
        return blind;
    }
    let pairs = std::mem::take(&mut positions.pairs);
    let sometimes =
        pairs.values().map(|pair| Pair { asked: pair.sometimes.clone(), granted: pair.granted.clone() });
    let mut arena = std::mem::take(&mut positions.arena).finish(sometimes.collect());
    let root = positions.root() as usize;
    let won = arena.won(&positions.lost);
    if won[root] {
        blind.schedulable = Some(true);
        blind.timetable = Some(positions.timetable(&arena, &arena.strategy(&won)));
        return blind;
    }
    let always = pairs.into_values().map(|pair| Pair { asked: pair.always, granted: pair.granted });
    arena.pairs = always.collect();
    if !arena.won(&positions.lost)[root] {
        blind.schedulable = Some(false);
    }
    blind
}
