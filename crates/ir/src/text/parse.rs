//! Reads programs from text: first what is declared, then what the declarations say, so that order does not matter.
//! Checks syntax and resolves names; everything else is left to the validator.
//!
//! After an error the parser goes on behind the statement or declaration, so that one run tells several errors.
//! Time is linear in the text, and nesting is limited, so that no text can exhaust the stack.

mod cursor;
mod declaration;
mod expr;
mod names;
mod op;
mod procedure;
mod response;
mod types;

use source::{Diagnostic, FileId, SourceMap};

pub use response::parse_response;

use super::lex::lex;
use crate::Program;
use cursor::Cursor;
use names::Names;

/// After this many errors the rest is not looked at.
const MOST_ERRORS: usize = 20;

/// Stands for an error that has been noted.
struct Failed;

type Parsed<T> = Result<T, Failed>;

/// The program that a file holds. Whether it is valid is for [`crate::validate`] to say.
///
/// # Errors
/// What is wrong with the text, at most about twenty problems.
pub fn parse(map: &SourceMap, file: FileId) -> Result<Program, Vec<Diagnostic>> {
    let (tokens, errors) = lex(file, map.file(file).text(), MOST_ERRORS);
    let mut parser =
        Parser { cursor: Cursor::new(&tokens, errors), program: Program::default(), names: Names::default() };
    parser.file();
    let mut errors = parser.cursor.errors;
    if errors.is_empty() {
        return Ok(parser.program);
    }
    errors.sort_by_key(|error| error.primary.span);
    Err(errors)
}

struct Parser<'t> {
    cursor: Cursor<'t>,
    program: Program,
    names: Names,
}
