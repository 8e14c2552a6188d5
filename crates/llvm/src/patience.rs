//! How long compiling, reading and lowering a program may take.
//!
//! Libraries read no clock: whoever has one says when the time is over, and is asked every so often.

use std::fmt;

/// Says when the time is over. Without anybody to say so it never is.
#[derive(Clone, Copy, Default)]
pub struct Patience<'a>(Option<&'a dyn Fn() -> bool>);

/// The time is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfTime;

impl<'a> Patience<'a> {
    /// Until `is_over` says so.
    #[must_use]
    pub fn until(is_over: &'a dyn Fn() -> bool) -> Self {
        Patience(Some(is_over))
    }

    /// # Errors
    /// When the time is over.
    pub fn check(self) -> Result<(), OutOfTime> {
        match self.0 {
            Some(is_over) if is_over() => Err(OutOfTime),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for Patience<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Patience(until)" } else { "Patience(any)" })
    }
}
