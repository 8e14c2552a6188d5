//! Sequential programs against the schedulers that they stand for.

mod harness;
mod theorem_2;
