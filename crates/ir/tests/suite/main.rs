//! Tests of the text format, the validator and the definitions of synchronization ops.

mod documentation;
mod expansion;
mod generator;
mod random;
mod text;
mod validator;

use ir::{Broken, Program, text::parse, validate};
use source::{SourceMap, render_all};

/// The program of a text that must parse.
fn program(text: &str) -> Program {
    let mut map = SourceMap::default();
    let file = map.add("test.ir", text);
    match parse(&map, file) {
        Ok(program) => program,
        Err(errors) => panic!("{}", render_all(&map, &errors, false)),
    }
}

/// The program of a text that must parse and be valid.
fn valid(text: &str) -> Program {
    let program = program(text);
    assert_valid(&program);
    program
}

fn assert_valid(program: &Program) {
    if let Err(broken) = validate(program) {
        let lines: Vec<String> = broken.iter().map(Broken::to_string).collect();
        panic!("{}\n{}", lines.join("\n"), ir::text::print(program));
    }
}
