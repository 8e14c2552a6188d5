//! Violations in other orders of the events of a run (Wang, Limaye, Ganai and Gupta, "Trace-Based Symbolic Analysis for
//! Atomicity Violations", TACAS 2010).
//!
//! A run of a program becomes a *concurrent trace program*: its events as guarded assignments, ordered within threads only
//! ([`ctp`]). A formula describes all orders, and prefixes of orders, in which they can be executed ([`encode`]). Questions
//! to it are whether such a prefix violates atomicity, has a race, ends in a deadlock, or lets an assertion fail. Each answer
//! becomes a run of the interpreter, which has the last word ([`witness`]).
//!
//! Where the run comes from does not matter. What is arbitrary in it, results of [`ir::Op::Opaque`] included once
//! [`observed`] has made them so, keeps the values that the run has.

mod acquisition_history;
mod assertion;
mod atomicity;
mod control_dependence;
mod ctp;
mod cycle;
mod deadlock;
mod encode;
mod enumerate;
mod execute;
mod happens_before;
mod lock_section;
mod lockset;
mod order;
mod other_way;
mod outcome;
mod pattern;
mod pi_function;
mod pins;
mod predict;
mod race;
mod range;
mod record;
mod relevance;
mod search;
mod shape;
mod state;
mod transaction;
mod window;
mod witness;

pub use ctp::Origin;
pub use outcome::{Figures, Outcome, Potential};
pub use predict::{Error, Method, Options, observed, predict};
