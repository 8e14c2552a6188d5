//! Recorded runs: the events, how they lie in a file, and how they are read back.
//!
//! While a program is recorded, one thread runs at a time: the one that has the *turn*. Each thread writes into chunks of its
//! own, and writes the number of the turn whenever it takes it. Sorted by these numbers, the pieces are the run. See
//! `docs/traces.md` for the format.
//!
//! [`encode`], [`rounds`], [`memory`] and [`layout`] are what the run-time library needs: they neither allocate nor need the standard library. All else
//! is behind the feature `reader`, which is on by default.

#![cfg_attr(not(feature = "reader"), no_std)]

extern crate alloc;

pub mod encode;
pub mod layout;
pub mod memory;
mod op;
pub mod repeat;
pub mod rounds;
pub mod table;
mod wrapped;

#[cfg(feature = "reader")]
mod chunks;
#[cfg(feature = "reader")]
mod decode;
#[cfg(feature = "reader")]
mod error;
#[cfg(feature = "reader")]
mod event;
#[cfg(feature = "reader")]
mod pack;
#[cfg(feature = "reader")]
mod reader;
#[cfg(feature = "reader")]
mod repeat_file;
#[cfg(feature = "reader")]
mod summary;

pub use op::Op;
pub use wrapped::{GATED, WRAPPED};

#[cfg(feature = "reader")]
pub use chunks::{Ending, Header};
#[cfg(feature = "reader")]
pub use error::{Error, Problem};
#[cfg(feature = "reader")]
pub use event::{Event, Module, Record};
#[cfg(feature = "reader")]
pub use pack::{Packed, Section, pack};
#[cfg(feature = "reader")]
pub use reader::Reader;
#[cfg(feature = "reader")]
pub use repeat_file::{Repeated, write_repeat};
#[cfg(feature = "reader")]
pub use summary::{Summary, summary};
