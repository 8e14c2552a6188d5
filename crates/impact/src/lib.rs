//! x
#![allow(dead_code)]
mod covering;
mod expand;
mod exhaustive;
mod iteration;
mod liveness;
mod model;
mod query;
mod refine;
mod step;
mod tree;
mod witness;
