//! Why a command gives no answer.

use std::io;
use std::path::Path;

use engine::Verdict;

/// Nothing wrong was found.
pub(crate) const NOTHING_WRONG: u8 = 0;
/// A violation was found.
pub(crate) const VIOLATION: u8 = 1;
/// The input or the command is wrong.
pub(crate) const INPUT_IS_WRONG: u8 = 2;
/// Undecided.
pub(crate) const UNDECIDED: u8 = 3;

/// The exit code of an answer.
pub(crate) fn exit_code(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Safe(_) | Verdict::SafeWithin(..) => NOTHING_WRONG,
        Verdict::Unsafe(_) | Verdict::PartiallySafe(_) | Verdict::Violated(..) => VIOLATION,
        Verdict::Unknown(_) => UNDECIDED,
    }
}

/// Why a command gives no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input or the command is wrong. The text is complete: place, what is wrong, what to do.
    Input(String),
    /// We failed.
    Internal(String),
    /// Solvers contradict each other, or themselves.
    Solvers(String),
    /// The answer could not be written.
    Output(std::io::Error),
    /// The user has ended it, before there was anything to tell.
    Interrupted,
    /// The time was over, or the user has ended it, before the program was read.
    Unread,
}

impl Failure {
    /// A file that cannot be read.
    pub(crate) fn unreadable(path: &Path, error: &io::Error) -> Self {
        let shown = path.display();
        Failure::Input(if error.kind() == io::ErrorKind::NotFound {
            format!(
                "error: there is no file `{shown}`\nhelp: check the path; it is relative to where you are"
            )
        } else {
            format!("error: cannot read `{shown}`: {error}")
        })
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Failure::Input(_) => INPUT_IS_WRONG,
            Failure::Internal(_)
            | Failure::Solvers(_)
            | Failure::Output(_)
            | Failure::Interrupted
            | Failure::Unread => UNDECIDED,
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Input(text) => f.write_str(text),
            Failure::Internal(what) => write!(f, "internal error: {what}; this is a bug in raddle"),
            Failure::Solvers(what) => {
                write!(f, "internal error: {what}; this is a bug in a solver or in raddle")
            }
            Failure::Output(error) => write!(f, "error: cannot write the result: {error}"),
            Failure::Interrupted => f.write_str("error: it was interrupted while clang was at work"),
            Failure::Unread => f.write_str("error: the time was over before the program was read"),
        }
    }
}
