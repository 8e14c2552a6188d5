//! Searches that are made of a sequentialization and bounded reachability.
//!
//! [`delay_bounded`] is the search of asynchronous programs: Emmi, Kulahcioglu Ozkan and Tasiran, "Exploiting
//! Synchronization in the Analysis of Shared-Memory Asynchronous Programs", SPIN 2014. For 0, 1, ... delays, the program
//! becomes a sequential one, `reach` looks for a failing assertion in it, and the trace it finds becomes a run of the
//! original that the interpreter replays under the very scheduler.
//!
//! [`live()`] is the search for fair infinite executions: Atig, Bouajjani, Emmi and Lal, "Detecting Fair Non-Termination in
//! Multithreaded Programs", CAV 2012. It does the same with more and more rounds of a stem and a lasso.
//!
//! Where a question is hard for the solver, both look at the states of the program one by one first: see `explicit`.

mod delay_bounded;
mod explicit;
mod failure;
mod live;
mod question;

pub use delay_bounded::{Options, Outcome, delay_bounded};
pub use failure::Failure;
pub use live::{LiveOptions, LiveOutcome, live};
pub use question::Effort;
pub use sequentialize::{Gap, Scheduler, SwitchAt};
