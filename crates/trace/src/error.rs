//! What can be wrong with a trace.

use std::fmt;
use std::io;

/// Why a trace cannot be read, or not any further, and where in the file.
#[derive(Debug)]
pub struct Error {
    pub offset: u64,
    pub problem: Problem,
}

#[derive(Debug)]
pub enum Problem {
    /// The file could not be read or written at all.
    Io(io::Error),
    /// The file does not begin like a trace.
    NoTrace,
    /// A version that this reader does not know.
    Version(u32),
    /// The file ends in the middle of something.
    Truncated,
    /// The bytes mean nothing; what was expected.
    Corrupt(&'static str),
    /// No thread has recorded this turn; what comes after it cannot be put in order.
    MissingTurn(u64),
}

impl Error {
    pub(crate) fn corrupt(offset: u64, expected: &'static str) -> Self {
        Error { offset, problem: Problem::Corrupt(expected) }
    }

    pub(crate) fn truncated(offset: u64) -> Self {
        Error { offset, problem: Problem::Truncated }
    }

    pub(crate) fn io(offset: u64, error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Error::truncated(offset),
            _ => Error { offset, problem: Problem::Io(error) },
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let offset = self.offset;
        match &self.problem {
            Problem::Io(error) => write!(f, "cannot access the trace at byte {offset}: {error}"),
            Problem::NoTrace => write!(f, "this is no trace: it does not begin like one"),
            Problem::Version(version) => write!(
                f,
                "this trace has version {version} of the format, and only {} is known; record it again",
                crate::layout::VERSION
            ),
            Problem::Truncated => write!(f, "the trace ends early, at byte {offset}"),
            Problem::Corrupt(expected) => {
                write!(f, "the trace is damaged at byte {offset}: expected {expected}")
            }
            Problem::MissingTurn(turn) => {
                write!(f, "the trace is incomplete: turn {turn} is missing; the next is at byte {offset}")
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            Problem::Io(error) => Some(error),
            _ => None,
        }
    }
}
