//! What every engine speaks, and the explorer in these terms.
//!
//! An engine answers with a [`Verdict`] that carries its evidence. It works within a [`Budget`], stops when a
//! [`Cancel`] says so, and sees the outside (clock, memory, whoever watches) only through an [`Observer`]. A
//! violation becomes a [`Finding`] only after its run was replayed on the interpreter and came out as claimed;
//! [`Witness`] is the file that lets anybody replay it again.

mod atomicity;
mod attempt;
mod bounds;
mod budget;
mod domain;
mod explore;
mod finding;
mod observer;
mod trace;
mod verdict;
mod witness;

pub use atomicity::{Atomicity, confirm_atomicity, is_stale, is_unserializable, unserializable};
pub use attempt::{Attempt, Found};
pub use bounds::{Bounds, Rounds, Touched};
pub use budget::{Budget, Cancel, Exhausted};
pub use domain::{Domain, Domains};
pub use explore::{Figures, Outcome, explore};
pub use finding::{Access, Claim, Disagreement, Finding, confirm};
pub use interp::{
    Accessed, Blocked, Change, Checks, Config, Cut, Ending, Event, Fairness, IntRange, Limits, Progress,
    Replay, Run, Scheduler, SearchOrder, Step, SwitchAt, Valuation, ViolationKind,
};
pub use observer::{Observer, Phase, Solving};
pub use trace::{MapValue, Trace, TraceStep, Value, Variable};
pub use verdict::{CutAt, Proof, Reason, Verdict};
pub use witness::{
    Claimed, Compiled, CompiledFile, Input, Location, MOST_BYTES, SCHEMA, Witness, WitnessError, fingerprint,
    fingerprint_bytes, location_of,
};
