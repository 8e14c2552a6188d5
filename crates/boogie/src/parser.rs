//! Tokens to syntax tree, by recursive descent with precedence climbing.
//!
//! An error is recorded where it is found and [`Failed`] unwinds to the next place where parsing can go on: the
//! next statement inside a body, the next declaration outside. Two limits keep hostile input from using up the
//! stack: how deep brackets nest while parsing, and how high an expression tree may grow (other passes recurse
//! over it). Reaching one ends the run.

mod concurrency;
mod decl;
mod expr;
mod stmt;
mod types;

use source::{Diagnostic, FileId, SourceMap, Span};

use crate::ast::{Expr, ExprId, ExprKind, Ident, Name, Program};
use crate::lexer::{Spanned, Token, lex};
use crate::problems::Problems;

/// How deep brackets, blocks and types may nest.
const MAX_NESTING: usize = 500;
/// How high an expression tree may be.
const MAX_HEIGHT: u16 = 1000;

/// Words that are never plain names (unless written with a backslash). All others, from `async` to `wait`, are
/// keywords only where no name makes sense.
const RESERVED: &[&str] = &[
    "assert",
    "assume",
    "axiom",
    "bool",
    "break",
    "call",
    "const",
    "div",
    "else",
    "ensures",
    "exists",
    "false",
    "forall",
    "free",
    "function",
    "goto",
    "havoc",
    "if",
    "implementation",
    "int",
    "invariant",
    "lambda",
    "mod",
    "modifies",
    "old",
    "procedure",
    "requires",
    "return",
    "returns",
    "then",
    "true",
    "type",
    "var",
    "where",
    "while",
];

/// An error was recorded; find a place to go on.
#[derive(Debug)]
pub(crate) struct Failed;

type Parsed<T> = Result<T, Failed>;

/// Parses one file.
///
/// # Errors
/// With everything that is wrong with its syntax, up to a limit.
pub fn parse(map: &SourceMap, file: FileId) -> Result<Program, Vec<Diagnostic>> {
    let text = map.file(file).text();
    let (tokens, lexical) = lex(file, text);
    let mut problems = Problems::default();
    lexical.into_iter().for_each(|d| problems.push(d));
    let mut parser = Parser { file, text, tokens, at: 0, depth: 0, heights: Vec::new(), problems };
    let mut program = Program::default();
    parser.declarations(&mut program);
    program.expr_count = u32::try_from(parser.heights.len()).unwrap_or(u32::MAX);
    parser.problems.into_result(program)
}

/// Parses a response property of a program, and makes it part of it.
///
/// # Errors
/// With everything that is wrong with its syntax, up to a limit.
pub(crate) fn parse_response(
    map: &SourceMap,
    file: FileId,
    program: &mut Program,
) -> Result<(), Vec<Diagnostic>> {
    let texts = ir::sides(map, file).map_err(|problem| vec![problem])?;
    let mut sides = Vec::new();
    for text in &texts {
        let (tokens, lexical) = lex(file, text);
        let mut problems = Problems::default();
        lexical.into_iter().for_each(|d| problems.push(d));
        // Expressions are numbered after those of the program.
        let heights = vec![0; program.expr_count as usize];
        let mut parser = Parser { file, text, tokens, at: 0, depth: 0, heights, problems };
        let parsed = parser.expr();
        if parsed.is_ok() && parser.peek() != Token::End {
            parser.unexpected("the end of the condition");
        }
        program.expr_count = u32::try_from(parser.heights.len()).unwrap_or(u32::MAX);
        sides.extend(parser.problems.into_result(parsed.ok())?);
    }
    program.response = <[Expr; 2]>::try_from(sides).ok();
    Ok(())
}

struct Parser<'a> {
    file: FileId,
    text: &'a str,
    tokens: Vec<Spanned>,
    at: usize,
    depth: usize,
    /// Height of each expression so far; its length is the next id.
    heights: Vec<u16>,
    problems: Problems,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Token {
        self.peek_nth(0)
    }

    fn peek_nth(&self, n: usize) -> Token {
        // The last token is End, and the cursor never passes it.
        self.tokens.get(self.at + n).map_or(Token::End, |t| t.token)
    }

    fn text_nth(&self, n: usize) -> &'a str {
        self.tokens.get(self.at + n).map_or("", |t| &self.text[t.start as usize..t.end as usize])
    }

    fn span(&self) -> Span {
        self.tokens.get(self.at).map_or(Span::new(self.file, self.text.len(), self.text.len()), |t| {
            Span::new(self.file, t.start as usize, t.end as usize)
        })
    }

    /// From the start of `from` to the end of the token before the cursor.
    fn span_since(&self, from: Span) -> Span {
        let end =
            self.at.checked_sub(1).and_then(|i| self.tokens.get(i)).map_or(from.end(), |t| t.end as usize);
        Span::new(self.file, from.start(), end.max(from.end()))
    }

    fn bump(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    fn eat(&mut self, token: Token) -> bool {
        let found = self.peek() == token;
        if found {
            self.bump();
        }
        found
    }

    /// Whether the n-th token from here is the given word, not escaped by a backslash.
    fn is_word_nth(&self, n: usize, word: &str) -> bool {
        self.peek_nth(n) == Token::Ident { escaped: false } && self.text_nth(n) == word
    }

    fn is_word(&self, word: &str) -> bool {
        self.is_word_nth(0, word)
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.bump();
        }
        found
    }

    /// Whether the n-th token from here can be a plain name.
    fn is_name_nth(&self, n: usize) -> bool {
        match self.peek_nth(n) {
            Token::Ident { escaped: true } => true,
            Token::Ident { escaped: false } => RESERVED.binary_search(&self.text_nth(n)).is_err(),
            _ => false,
        }
    }

    fn is_name(&self) -> bool {
        self.is_name_nth(0)
    }

    fn here(&self) -> String {
        match self.peek() {
            Token::Ident { .. } => {
                let word = self.text_nth(0);
                let short: String = word.chars().take(40).collect();
                if short.len() < word.len() { format!("`{short}...`") } else { format!("`{short}`") }
            }
            token => token.describe().to_owned(),
        }
    }

    fn unexpected(&mut self, wanted: &str) -> Failed {
        let message = format!("expected {wanted}, found {}", self.here());
        self.fail(Diagnostic::error(self.span(), message).label(format!("expected {wanted}")))
    }

    fn fail(&mut self, problem: Diagnostic) -> Failed {
        self.problems.push(problem);
        Failed
    }

    fn expect(&mut self, token: Token) -> Parsed<()> {
        if self.eat(token) { Ok(()) } else { Err(self.unexpected(token.describe())) }
    }

    /// A semicolon; its absence is reported after the last token, which is where it belongs.
    fn expect_semicolon(&mut self) -> Parsed<()> {
        if self.eat(Token::Semicolon) {
            return Ok(());
        }
        let end = self.span_since(self.span()).end();
        let previous =
            self.at.checked_sub(1).and_then(|i| self.tokens.get(i)).map_or(end, |t| t.end as usize);
        let span = Span::new(self.file, previous, previous);
        let message = format!("expected `;`, found {}", self.here());
        Err(self.fail(
            Diagnostic::error(span, message).label("`;` is missing here").with(self.span(), "before this"),
        ))
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    fn ident(&mut self, what: &str) -> Parsed<Ident> {
        if self.is_name() {
            let ident = Ident { name: Name::from(self.text_nth(0)), span: self.span() };
            self.bump();
            return Ok(ident);
        }
        if let Token::Ident { .. } = self.peek() {
            let word = self.text_nth(0);
            let problem =
                Diagnostic::error(self.span(), format!("expected {what}, found the keyword `{word}`"))
                    .help(format!("to use it as a name, write `\\{word}`"));
            return Err(self.fail(problem));
        }
        Err(self.unexpected(what))
    }

    fn idents(&mut self, what: &str) -> Parsed<Vec<Ident>> {
        let mut idents = vec![self.ident(what)?];
        while self.eat(Token::Comma) {
            idents.push(self.ident(what)?);
        }
        Ok(idents)
    }

    /// Runs `inner` one level deeper.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_NESTING {
            return Err(self.give_up(self.span(), format!("nested more than {MAX_NESTING} levels deep")));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Reports a limit and moves to the end, so that nothing is tried again.
    fn give_up(&mut self, span: Span, message: String) -> Failed {
        let failed = self.fail(Diagnostic::error(span, message).help("split it into smaller parts"));
        self.at = self.tokens.len().saturating_sub(1);
        self.problems.close();
        failed
    }

    fn expr_node(&mut self, span: Span, kind: ExprKind) -> Parsed<Expr> {
        let mut height = 0u16;
        kind.for_each_child(|child| {
            height = height.max(self.heights.get(child.id.index()).copied().unwrap_or(0).saturating_add(1));
        });
        if height > MAX_HEIGHT {
            return Err(self.give_up(span, format!("expression is more than {MAX_HEIGHT} levels high")));
        }
        let id = self.expr_id(height)?;
        Ok(Expr { id, span, kind })
    }

    fn expr_id(&mut self, height: u16) -> Parsed<ExprId> {
        let Ok(id) = u32::try_from(self.heights.len()) else {
            return Err(self.give_up(self.span(), "too many expressions in one file".to_owned()));
        };
        self.heights.push(height);
        Ok(ExprId(id))
    }
}

#[cfg(test)]
mod tests {
    use super::RESERVED;

    #[test]
    fn reserved_words_are_sorted_for_the_search() {
        assert!(RESERVED.is_sorted());
    }
}
