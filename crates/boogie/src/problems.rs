//! A capped list of what is wrong.

use source::{Diagnostic, Severity, Span};

/// How many problems one run reports: a person fixes the first few and runs again.
const LIMIT: usize = 20;

/// Diagnostics in the order they were found. Several at one place are follow-ups of the first and are dropped.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    list: Vec<Diagnostic>,
    closed: bool,
}

impl Problems {
    pub(crate) fn push(&mut self, problem: Diagnostic) {
        let same_place = |span: Span| self.list.iter().any(|d| d.primary.span == span);
        if !self.is_full() && !same_place(problem.primary.span) {
            self.list.push(problem);
        }
    }

    /// Ignores everything from now on.
    pub(crate) fn close(&mut self) {
        self.closed = true;
    }

    pub(crate) fn is_full(&self) -> bool {
        self.closed || self.list.len() >= LIMIT
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.list.iter().any(|d| d.severity == Severity::Error)
    }

    /// `value` if nothing is wrong.
    pub(crate) fn into_result<T>(self, value: T) -> Result<T, Vec<Diagnostic>> {
        if self.has_errors() { Err(self.list) } else { Ok(value) }
    }
}
