//! Where things lie in a raw trace: a header, then chunks, all of [`CHUNK`] bytes. Numbers are little-endian.
//!
//! The header is never moved, so that the run time can note in it how the run ended at any moment, even in a signal handler.

/// How large the header and each chunk are.
pub const CHUNK: usize = 64 * 1024;
/// No encoded event of the hot kinds is larger. The run time changes chunks when less is left.
pub const EVENT: usize = 64;
/// No text in an event is longer; the rest is cut off.
pub const TEXT: usize = 4096;
/// The version of the format. A reader refuses others.
pub const VERSION: u32 = 4;

/// How a raw trace begins.
pub const RAW: [u8; 8] = *b"raddleTR";
/// How a packed trace begins.
pub const PACKED: [u8; 8] = *b"raddlePK";

/// Offsets in the header of a raw trace.
pub mod header {
    /// [`super::RAW`], written last: a file without it is no trace yet.
    pub const MAGIC: usize = 0;
    /// `u32`: [`super::VERSION`].
    pub const VERSION: usize = 8;
    /// `u32`: [`super::CHUNK`].
    pub const CHUNK: usize = 12;
    /// `u32`: the process.
    pub const PID: usize = 16;
    /// `u32`: how the run ended, one of [`super::ending`].
    pub const ENDING: usize = 20;
    /// `u32`: the exit status, or the number of the signal.
    pub const STATUS: usize = 24;
    /// `u32`: how long the path of the executable is.
    pub const EXECUTABLE: usize = 28;
    /// `u32`: how long the command line is; its arguments end with a zero byte each.
    pub const COMMAND: usize = 32;
    /// The path, and then the command line.
    pub const TEXTS: usize = 64;
}

/// How a run can end, as the header tells it.
pub mod ending {
    /// Nothing is known: the process was killed, replaced by another program, or still runs.
    pub const UNKNOWN: u32 = 0;
    /// The process exited.
    pub const EXIT: u32 = 1;
    /// A signal that the program did not handle.
    pub const SIGNAL: u32 = 2;
    /// There was no more room for the trace; the program went on.
    pub const FULL: u32 = 3;
}

/// Offsets at the beginning of a chunk.
pub mod chunk {
    /// `u32`: [`MARK`], written last: a chunk without it is not in use.
    pub const MARK_AT: usize = 0;
    /// `u32`: the thread, by its number.
    pub const THREAD: usize = 4;
    /// `u32`: how many chunks this thread had before.
    pub const SEQUENCE: usize = 8;
    /// `u64`: the turn in which the first event was recorded.
    pub const TURN: usize = 16;
    /// Where events begin.
    pub const EVENTS: usize = 24;
    /// Tells a chunk from an unused one.
    pub const MARK: u32 = 0x6b6e_6843;
}

/// The first byte of each event.
pub mod tag {
    /// What is in the tags of reads and writes besides: that the value is the expected one.
    pub const EXPECTED: u8 = 0x40;
    /// The tags of usual events are below.
    pub const OTHER: u8 = 32;
    /// There are no more events in this chunk.
    pub const NONE: u8 = 0;
    /// Reads of 1, 2, 4, 8 bytes, and of any other number.
    pub const READ: u8 = 1;
    /// Writes, likewise.
    pub const WRITE: u8 = 6;
    /// Atomic updates, likewise.
    pub const UPDATE: u8 = 11;
    pub const BRANCH: u8 = 16;
    pub const ENTER: u8 = 17;
    pub const LEAVE: u8 = 18;
    pub const CALL: u8 = 19;
    pub const BACK: u8 = 20;
    pub const COPY: u8 = 32;
    pub const FILL: u8 = 33;
    pub const TURN: u8 = 34;
    pub const WAITS: u8 = 35;
    pub const SYNC: u8 = 36;
    pub const START: u8 = 37;
    pub const END: u8 = 38;
    pub const CREATE: u8 = 39;
    pub const ALLOC: u8 = 40;
    pub const FREE: u8 = 41;
    pub const FAILED: u8 = 42;
    pub const ABORT: u8 = 43;
    pub const EXIT: u8 = 44;
    pub const ATOMIC_BEGIN: u8 = 45;
    pub const ATOMIC_END: u8 = 46;
    pub const PROGRESS: u8 = 47;
    pub const NONDET: u8 = 48;
    pub const ASSUME: u8 = 49;
    pub const LOST: u8 = 50;
    pub const MODULE: u8 = 51;
    pub const FORK: u8 = 52;
    pub const EXEC: u8 = 53;
    pub const SIGNAL: u8 = 54;
    pub const STOPPED: u8 = 55;
    pub const FORGET: u8 = 56;
    pub const INPUT: u8 = 57;
}
