//! Sequential programs against the schedulers that they stand for.

mod domains;
mod harness;
mod narrow;
mod real_boogie;
mod texts;
mod theorem_2;
mod wide;
mod yields;
