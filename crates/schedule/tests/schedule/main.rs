//! Trees written by hand: what the checker accepts and refuses, and the program schedules made of them.

mod accepts;
mod file;
mod program;
mod proofs;
mod refuses;
mod tree;
