//! The reference semantics of Raddle.
//!
//! A small-step interpreter with an explicit scheduler, and on it an explicit-state explorer. It defines what is
//! right: every counterexample of every engine is replayed here before anybody sees it. `docs/ir.md` says what
//! each op means; this crate is that meaning, executable.

mod access;
mod blind;
mod code;
mod compile;
mod delay;
mod eval;
mod explore;
mod fair_cycle;
mod follow;
mod game;
mod graph;
mod guard;
mod guided;
mod initial;
mod keyframe;
mod machine;
mod map_store;
mod oracle;
mod outline;
mod pack;
mod points;
mod quantify;
mod race;
mod replay;
mod response;
mod run;
mod scc;
mod show;
mod simulate;
mod step;
mod steps;
mod word;

pub use access::Access;
pub use blind::{Blind, Row, Timetable, Way, blind};
pub use explore::{Exploration, Flow, Progress, Statistics, Valuation, Violation, explore};
pub use fair_cycle::Fairness;
pub use follow::{Conduct, Constraints, Followed, Move, Problem, Standing, StepTaken, follow};
pub use game::{Game, game};
pub use guided::{Guide, Turn, Unknown, guided, guided_as_far_as_possible};
pub use keyframe::Growth;
pub use outline::{Outline, OutlineOf};
pub use points::SwitchAt;
pub use replay::{
    Accessed, Blocked, Change, Ending, Event, Input as ReplayInput, Replay, ReplayError, replay,
};
pub use run::{Checks, Config, Cut, IntRange, Limits, Run, Scheduler, SearchOrder, Step, ViolationKind};
pub use simulate::{End, Schedule, Simulation, Value, go_on, simulate};
