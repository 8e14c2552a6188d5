//! Random programs on which things that should agree do.

mod delay_bounds;
mod fair_cycles;
mod frontends;
mod harness;
mod reduction;
mod reference;
mod replays;
mod semantics;
mod shares;
