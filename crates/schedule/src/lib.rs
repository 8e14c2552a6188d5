//! Which schedules of a program are safe, as plain data.
//!
//! An [`Art`] is an abstract reachability tree (Metzler, Suri, Weissenbacher, "Extracting safe thread schedules from
//! incomplete model checking results", STTT 2020): it says in which order threads may run, and its labels say why nothing
//! goes wrong then.

mod art;
mod check;
mod symbolic;

pub use art::{Art, Choice, Edge, Location, Node, NodeId, ThreadAt, Variable};
pub use check::{Checked, Claim, Defect, Question, Refusal, check};
