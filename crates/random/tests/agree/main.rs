//! Random programs on which things that should agree do.

mod harness;
mod reference;
mod semantics;
