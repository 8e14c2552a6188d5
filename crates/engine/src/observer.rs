//! What an engine sees of the outside. Libraries read no clock and print nothing: the binary does it for them.

use std::time::Duration;

use interp::Progress;

/// What an engine is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Exploring states.
    Explore,
    /// Replaying what was found.
    Replay,
}

/// Clock, memory meter and audience of an engine.
pub trait Observer {
    /// Time since the command was started.
    fn now(&self) -> Duration;

    /// Bytes of memory that the process takes, if that can be known.
    fn memory(&self) -> Option<u64>;

    /// Told every so often how far the engine is.
    fn progress(&mut self, phase: Phase, progress: &Progress);
}
