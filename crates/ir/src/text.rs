//! The text format: a readable form of whole programs, described in `docs/ir.md`.
//!
//! [`print()`] writes a program and [`parse`] reads it back: the text of what was read is the text that was read, up
//! to layout and comments. Names that are no plain identifiers are quoted, names that hide each other are
//! qualified, and large shared or deep expressions are written with `let`, so that the text is never much larger
//! than the program and never nests deeper than the parser allows.

mod lex;
mod name;
pub(crate) mod operator;
mod parse;
mod print;
mod types;

pub use parse::{parse, parse_response};
pub use print::{Printer, print};
pub(crate) use types::type_text;
