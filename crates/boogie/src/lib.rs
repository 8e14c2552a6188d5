//! The Boogie frontend: text to syntax tree to checked program to IR. And back: sequential IR to text.
//!
//! The dialect is Boogie 2 as real tools emit it, plus the concurrency forms of Corral, c2s and Ultimate
//! (`docs/boogie.md`). Everything wrong with the input comes back as [`source::Diagnostic`]s, several per run.

pub mod ast;
mod check;
mod lexer;
mod lower;
mod parser;
mod print;
mod problems;
mod types;

pub use check::{BodyRef, Checked, FunctionSymbol, ProcedureSymbol, Symbols, check};
pub use lower::{Loaded, lower};
pub use parser::parse;
pub use print::{Unprintable, print};
pub use types::{Ty, TyKind, TypeTable};

use source::{Diagnostic, FileId, SourceMap, Span};

/// Parses, checks and lowers one file. `entry` names the procedure to start with, if it is not the usual one.
///
/// # Errors
/// With everything that is wrong with the file, up to a limit.
pub fn load(map: &SourceMap, file: FileId, entry: Option<&str>) -> Result<Loaded, Vec<Diagnostic>> {
    load_with(map, file, entry, None)
}

/// The same with a response property, which is the text of another file of the map: `P ~> Q` over the program's globals.
///
/// # Errors
/// With everything that is wrong with the files, up to a limit.
pub fn load_with(
    map: &SourceMap,
    file: FileId,
    entry: Option<&str>,
    response: Option<FileId>,
) -> Result<Loaded, Vec<Diagnostic>> {
    let mut program = parse(map, file)?;
    if let Some(response) = response {
        parser::parse_response(map, response, &mut program)?;
    }
    let checked = check(&program)?;
    lower(map, checked, entry, Span::new(file, 0, 0))
}
