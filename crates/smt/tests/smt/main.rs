//! Tests of the crate from outside, against an evaluator that shares no code with it.

mod cancel;
mod decorators;
mod deep;
mod evaluate;
mod incremental;
mod limits;
mod models;
mod print;
mod process;
mod quantifiers;
mod random_term;
mod simplify;
