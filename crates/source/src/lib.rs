//! Source files, spans into them, and diagnostics about them.
//!
//! A [`SourceMap`] owns the text of every file that was read. A [`Span`] names a range of one of them and is
//! small enough to be copied everywhere. A [`Diagnostic`] says what is wrong with the user's input; it is data,
//! and [`render`] turns it into text with the source line and a caret.

mod diagnostic;
mod map;

pub use diagnostic::{Diagnostic, Label, Severity, render, render_all};
pub use map::{FileId, LineColumn, ReadError, SourceFile, SourceMap, Span};
