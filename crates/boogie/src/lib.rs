//! The Boogie frontend: text to syntax tree to checked program to IR.
//!
//! The dialect is Boogie 2 as real tools emit it, plus the concurrency forms of Corral, c2s and Ultimate
//! (`docs/boogie.md`). Everything wrong with the input comes back as [`source::Diagnostic`]s, several per run.

pub mod ast;
mod check;
mod lexer;
mod parser;
mod problems;
mod types;

pub use check::{BodyRef, Checked, FunctionSymbol, ProcedureSymbol, Symbols, check};
pub use parser::parse;
pub use types::{Ty, TyKind, TypeTable};
