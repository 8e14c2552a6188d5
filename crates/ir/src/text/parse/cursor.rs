//! A position in the tokens, and the errors so far.

use source::{Diagnostic, Span};

use super::{Failed, MOST_ERRORS, Parsed};
use crate::text::lex::{Kind, Token};
use crate::text::name::is_reserved;

/// How deep expressions may nest. The printer stays far below it.
pub(super) const DEEPEST: usize = 200;

pub(super) struct Cursor<'t> {
    tokens: &'t [Token<'t>],
    at: usize,
    /// Where the part that is being read ends; reads there give [`Kind::End`].
    end: usize,
    pub(super) errors: Vec<Diagnostic>,
    depth: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(tokens: &'t [Token<'t>], errors: Vec<Diagnostic>) -> Self {
        Cursor { tokens, at: 0, end: tokens.len().saturating_sub(1), errors, depth: 0 }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// Goes to a part of the tokens.
    pub(super) fn enter(&mut self, from: usize, to: usize) {
        self.end = to.min(self.tokens.len().saturating_sub(1));
        self.at = from.min(self.end);
        self.depth = 0;
    }

    /// Whether there have been so many errors that nobody reads more.
    pub(super) fn gave_up(&self) -> bool {
        self.errors.len() >= MOST_ERRORS
    }

    pub(super) fn kind(&self) -> &'t Kind<'t> {
        self.peek(0)
    }

    pub(super) fn peek(&self, ahead: usize) -> &'t Kind<'t> {
        match self.tokens.get(self.at.saturating_add(ahead)) {
            Some(token) if self.at + ahead < self.end => &token.kind,
            _ => &Kind::End,
        }
    }

    /// The token before the current one, even if it is outside the part.
    pub(super) fn kind_at(&self, index: usize) -> &'t Kind<'t> {
        self.tokens.get(index).map_or(&Kind::End, |token| &token.kind)
    }

    /// The current token's place.
    pub(super) fn span(&self) -> Span {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(Span::NONE, |token| token.span)
    }

    /// From the token at `from` to the one before the current.
    pub(super) fn span_from(&self, from: usize) -> Span {
        let last = self.at.saturating_sub(1).max(from);
        match (self.tokens.get(from), self.tokens.get(last)) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => self.span(),
        }
    }

    pub(super) fn skip(&mut self) {
        self.at = (self.at + 1).min(self.end);
    }

    /// Goes behind the next semicolon, or to the end of the part.
    pub(super) fn skip_statement(&mut self) {
        self.depth = 0;
        while *self.kind() != Kind::End && !self.take(";") {
            self.skip();
        }
    }

    pub(super) fn is(&self, symbol: &str) -> bool {
        matches!(self.kind(), Kind::Symbol(found) if *found == symbol)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.kind(), Kind::Word(found) if *found == word)
    }

    pub(super) fn take(&mut self, symbol: &str) -> bool {
        let found = self.is(symbol);
        if found {
            self.skip();
        }
        found
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.skip();
        }
        found
    }

    pub(super) fn expect(&mut self, symbol: &str) -> Parsed<()> {
        if self.take(symbol) { Ok(()) } else { Err(self.expected(&format!("`{symbol}`"))) }
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.take_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    /// A name, quoted or a word that is not reserved.
    pub(super) fn name(&mut self, what: &str) -> Parsed<String> {
        let name = match self.kind() {
            Kind::Word(word) if is_reserved(word) => {
                let failed = self.expected(what);
                if let Some(error) = self.errors.last_mut() {
                    error.help = Some(format!("`{word}` is reserved; as a name it is written `|{word}|`"));
                }
                return Err(failed);
            }
            Kind::Word(word) => (*word).to_owned(),
            Kind::Quoted(name) => name.clone(),
            _ => return Err(self.expected(what)),
        };
        self.skip();
        Ok(name)
    }

    /// Text in double quotes.
    pub(super) fn text(&mut self, what: &str) -> Parsed<String> {
        match self.kind() {
            Kind::Text(text) => {
                self.skip();
                Ok(text.clone())
            }
            _ => Err(self.expected(what)),
        }
    }

    /// Counts one more level of nesting; the caller must call [`Cursor::leave`] unless this fails.
    pub(super) fn nest(&mut self) -> Parsed<()> {
        if self.depth >= DEEPEST {
            let span = self.span();
            self.note(
                Diagnostic::error(span, format!("this nests more than {DEEPEST} deep"))
                    .help("give names to parts of it: `let a = ..., b = ... in ...`"),
            );
            return Err(Failed);
        }
        self.depth += 1;
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    pub(super) fn expected(&mut self, what: &str) -> Failed {
        let found = match self.kind() {
            Kind::Word(word) => format!("`{}`", short(word)),
            Kind::Quoted(name) => format!("the name `{}`", short(name)),
            Kind::Number(digits) | Kind::Bits(digits, _) => format!("the number {}", short(digits)),
            Kind::Text(_) => "text in quotes".to_owned(),
            Kind::Symbol(symbol) => format!("`{symbol}`"),
            Kind::End if self.at + 1 >= self.tokens.len() => "the end of the file".to_owned(),
            Kind::End => "the end of the declaration".to_owned(),
        };
        self.error(self.span(), format!("expected {what}, found {found}"))
    }

    pub(super) fn error(&mut self, span: Span, message: String) -> Failed {
        self.note(Diagnostic::error(span, message));
        Failed
    }

    pub(super) fn note(&mut self, diagnostic: Diagnostic) {
        if !self.gave_up() {
            self.errors.push(diagnostic);
        }
    }
}

fn short(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((cut, _)) => format!("{}...", &text[..cut]),
        None => text.to_owned(),
    }
}
