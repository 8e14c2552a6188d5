//! Searches that are made of a sequentialization and bounded reachability.
//!
//! [`delay_bounded`] is the search of asynchronous programs: Emmi, Kulahcioglu Ozkan and Tasiran, "Exploiting
//! Synchronization in the Analysis of Shared-Memory Asynchronous Programs", SPIN 2014. For 0, 1, ... delays, the program
//! becomes a sequential one, `reach` looks for a failing assertion in it, and the trace it finds becomes a run of the
//! original that the interpreter replays under the very scheduler.

mod delay_bounded;

pub use delay_bounded::{Failure, Options, Outcome, delay_bounded};
pub use sequentialize::{Scheduler, SwitchAt};
