//! Which schedules of a program are safe, as plain data.
//!
//! An [`Art`] is an abstract reachability tree (Metzler, Suri, Weissenbacher, "Extracting safe thread schedules from
//! incomplete model checking results", STTT 2020): it says in which order threads may run, and its labels say why nothing
//! goes wrong then. [`check`] decides whether that is so. A [`ProgramSchedule`] is what a scheduler needs to keep a program
//! to it; [`text`] writes and reads it.

mod art;
mod check;
pub mod dot;
mod enforcement;
#[cfg(test)]
mod explicit;
mod handover;
mod instruction;
mod lateness;
mod omission;
mod order;
mod program_schedule;
mod removal;
mod section;
mod summary;
mod symbolic;
pub mod text;

pub use art::{Art, Choice, Edge, Location, Node, NodeId, ThreadAt, Variable};
pub use check::{Checked, Claim, Defect, Question, Refusal, check};
pub use enforcement::{enforcement, visible_sites};
pub use instruction::{Follower, InstructionKind, Origin, Origins, Within};
pub use program_schedule::{
    After, BuildError, Event, EventEnd, Level, Point, PointId, ProgramSchedule, Section,
};
pub use removal::remove_unordered;
pub use summary::{summary, thread_names};
