//! A response property of a program that was read before.

use cranelift_entity::PrimaryMap;
use source::{Diagnostic, FileId, SourceMap, Span};

use super::cursor::Cursor;
use super::names::Names;
use super::{MOST_ERRORS, Parser};
use crate::text::lex::{Kind, lex};
use crate::{Block, ExprId, Op, Proc, Program, Response, Stmt, sides, validate};

/// Reads `P ~> Q` over the globals of a valid program, and adds both to its expressions.
///
/// # Errors
/// What is wrong with the text, or with what it says.
pub fn parse_response(
    map: &SourceMap,
    file: FileId,
    program: &mut Program,
) -> Result<Response, Vec<Diagnostic>> {
    let texts = sides(map, file).map_err(|problem| vec![problem])?;
    let mut conditions = Vec::new();
    for text in &texts {
        let (tokens, errors) = lex(file, text, MOST_ERRORS);
        let mut cursor = Cursor::new(&tokens, errors);
        let names = names(program, &mut cursor);
        let mut parser = Parser { cursor, program: std::mem::take(program), names };
        let condition = parser.expr();
        if condition.is_ok() && *parser.cursor.kind() != Kind::End {
            let _ = parser.cursor.expected("the end of the condition");
        }
        *program = parser.program;
        let (Ok(condition), true) = (condition, parser.cursor.errors.is_empty()) else {
            return Err(parser.cursor.errors);
        };
        let first = tokens.first().map_or(Span::NONE, |token| token.span);
        let span = first.to(Span::new(file, text.trim_end().len(), text.trim_end().len()));
        check(program, condition, span)?;
        conditions.push(condition);
    }
    match conditions.as_slice() {
        &[request, answer] => Ok(Response { request, answer }),
        _ => Err(Vec::new()),
    }
}

fn names(program: &Program, cursor: &mut Cursor<'_>) -> Names {
    let mut names = Names::default();
    for (id, sort) in &program.sorts {
        names.sorts.declare(cursor, "sort", &sort.name, id, sort.span);
    }
    for (id, constant) in &program.consts {
        names.consts.declare(cursor, "constant", &constant.name, id, constant.span);
    }
    for (id, func) in &program.funcs {
        names.funcs.declare(cursor, "function", &func.name, id, func.span);
    }
    for (id, global) in &program.globals {
        names.globals.declare(cursor, "variable", &global.name, id, global.span);
    }
    names
}

/// A condition has to be what an op may ask for: so it is checked as the condition of one.
fn check(program: &Program, condition: ExprId, span: Span) -> Result<(), Vec<Diagnostic>> {
    let mut with = program.clone();
    let stmts = [Op::Assume(condition), Op::Return].map(|op| Stmt { op, span }).to_vec();
    let mut blocks = PrimaryMap::new();
    let entry = blocks.push(Block { name: "start".to_owned(), stmts });
    let mut name = "--responds".to_owned();
    while with.proc_named(&name).is_some() {
        name.push('\'');
    }
    let (params, results, locals) = (Vec::new(), Vec::new(), PrimaryMap::new());
    with.procs.push(Proc { name, params, results, locals, blocks, entry, span });
    let mut problems = match validate(&with) {
        Ok(()) => Vec::new(),
        Err(broken) => broken.iter().map(Diagnostic::from).collect(),
    };
    problems.extend(Response::own_to_a_thread(program, condition, span));
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}
