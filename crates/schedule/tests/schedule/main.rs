//! Trees written by hand: what the checker accepts and what it refuses.

mod accepts;
mod proofs;
mod refuses;
mod tree;
