//! The run-time library of instrumented programs.
//!
//! An instrumented program calls the functions of [`abi`] at what it does, and [`wrap`] in place of library functions. While it is
//! recorded, only the thread that has the *turn* ([`turn`]) runs instrumented code, so that the order of all events is known
//! without any atomic operation per event. Each thread writes into chunks of its own ([`thread`], [`file`]).
//!
//! Rules that hold everywhere here:
//! - Nothing allocates with the program's allocator, unwinds, or changes `errno`.
//! - Whatever goes wrong, the program goes on: recording stops with one line on the standard error stream.
//! - Signal handlers may interrupt anything. A thread that is inside this library says so (it is *busy*), and then a handler's
//!   events are counted as lost.
//! - All that is recorded is recorded by the thread that has the turn.

mod abi;
mod crash;
mod errno;
mod farewell;
mod file;
mod futex;
mod gate;
mod known;
mod local;
mod message;
mod reading;
mod real;
mod registry;
mod replay;
mod signals;
mod start;
mod sync;
mod thread;
mod turn;
mod wrap;
