//! From text to tokens.

use source::{Diagnostic, FileId, Span};

use super::name::{continues_name, starts_name};

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind<'t> {
    /// A word that may be a keyword or a name.
    Word(&'t str),
    /// A name in `|`.
    Quoted(String),
    /// Decimal digits.
    Number(&'t str),
    /// `5bv8`: the digits of value and width.
    Bits(&'t str, &'t str),
    /// Text in `"`.
    Text(String),
    /// Punctuation or an operator.
    Symbol(&'static str),
    /// The end of what is being read.
    End,
}

/// A token and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind<'t>,
    pub(super) span: Span,
}

/// Longer symbols first, so that the first that fits is the right one.
const SYMBOLS: [&str; 28] = [
    "<==>", "==>", "==", "!=", "<=", ">=", ":=", "::", "&&", "||", "(", ")", "[", "]", "{", "}", ",", ";",
    ":", "=", "<", ">", "+", "-", "*", "!", "|", "/",
];

/// Tokens up to the end of the text, and what is wrong with it; after `limit` problems it gives up.
pub(super) fn lex(file: FileId, text: &str, limit: usize) -> (Vec<Token<'_>>, Vec<Diagnostic>) {
    let mut lexer = Lexer { file, text, at: 0, errors: Vec::new() };
    let mut tokens = Vec::new();
    while lexer.errors.len() < limit {
        lexer.skip_space();
        let start = lexer.at;
        if start >= text.len() {
            break;
        }
        if let Some(kind) = lexer.token() {
            tokens.push(Token { kind, span: Span::new(file, start, lexer.at) });
        }
    }
    tokens.push(Token { kind: Kind::End, span: Span::new(file, text.len(), text.len()) });
    (tokens, lexer.errors)
}

struct Lexer<'t> {
    file: FileId,
    text: &'t str,
    at: usize,
    errors: Vec<Diagnostic>,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn take_while(&mut self, keep: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let length = rest.find(|c| !keep(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn skip_space(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            if !self.rest().starts_with("//") {
                return;
            }
            self.take_while(|c| c != '\n');
        }
    }

    fn token(&mut self) -> Option<Kind<'t>> {
        let first = self.rest().chars().next()?;
        if starts_name(first) {
            return Some(Kind::Word(self.take_while(continues_name)));
        }
        if first.is_ascii_digit() {
            return Some(self.number());
        }
        if first == '"' {
            return self.quoted('"').map(Kind::Text);
        }
        if first == '|' && !self.rest().starts_with("||") {
            return self.quoted('|').map(Kind::Quoted);
        }
        let rest = self.rest();
        match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            Some(symbol) => {
                self.at += symbol.len();
                Some(Kind::Symbol(symbol))
            }
            None => {
                self.at += first.len_utf8();
                self.error(
                    self.at - first.len_utf8(),
                    format!("unexpected character `{}`", first.escape_debug()),
                );
                None
            }
        }
    }

    fn number(&mut self) -> Kind<'t> {
        let digits = self.take_while(|c| c.is_ascii_digit());
        let rest = self.rest();
        if let Some(after) = rest.strip_prefix("bv") {
            let length = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
            if length > 0 && !after[length..].starts_with(continues_name) {
                self.at += "bv".len() + length;
                return Kind::Bits(digits, &after[..length]);
            }
        }
        Kind::Number(digits)
    }

    /// Text up to the closing quote, on one line.
    fn quoted(&mut self, quote: char) -> Option<String> {
        let start = self.at;
        self.at += quote.len_utf8();
        let mut out = String::new();
        loop {
            let plain = self.take_while(|c| c != quote && c != '\\' && c != '\n');
            out.push_str(plain);
            match self.rest().chars().next() {
                Some('\\') => {
                    let escape = self.at;
                    match self.escape() {
                        Some(c) => out.push(c),
                        None => self.error(escape, "unknown escape".to_owned()),
                    }
                }
                Some(c) if c == quote => {
                    self.at += c.len_utf8();
                    return Some(out);
                }
                _ => {
                    self.error(start, format!("no closing `{quote}` on this line"));
                    return None;
                }
            }
        }
    }

    /// The character that an escape stands for. Always moves on.
    fn escape(&mut self) -> Option<char> {
        self.at += 1;
        let c = self.rest().chars().next().filter(|&c| c != '\n')?;
        self.at += c.len_utf8();
        match c {
            'n' => Some('\n'),
            'r' => Some('\r'),
            't' => Some('\t'),
            '\\' | '"' | '|' => Some(c),
            'u' => {
                let digits = self.rest().strip_prefix('{')?;
                let length = digits.find('}').filter(|&length| length <= 6)?;
                let value = u32::from_str_radix(digits.get(..length)?, 16).ok()?;
                self.at += length + 2;
                char::from_u32(value)
            }
            _ => None,
        }
    }

    fn error(&mut self, start: usize, message: String) {
        let end = self.at.max(start);
        self.errors.push(Diagnostic::error(Span::new(self.file, start, end), message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind<'_>> {
        let mut map = source::SourceMap::default();
        let file = map.add("a", "");
        let (tokens, errors) = lex(file, text, 10);
        assert_eq!(errors, []);
        tokens.into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn names_keep_what_boogie_allows() {
        let expected =
            [Kind::Word("a.b$c#d'e~f^g\\h?i`j"), Kind::Symbol(":="), Kind::Bits("5", "8"), Kind::End];
        assert_eq!(kinds("a.b$c#d'e~f^g\\h?i`j:=5bv8 // end"), expected);
    }

    #[test]
    fn quotes_hold_anything() {
        let expected = [Kind::Quoted("a |\n".to_owned()), Kind::Symbol("||"), Kind::Text("\u{1}".to_owned())];
        assert_eq!(kinds(r#"|a \|\n| || "\u{1}""#)[..3], expected);
    }

    #[test]
    fn escapes_that_are_none_are_errors_and_do_not_hang() {
        for text in ["\"\\q\"", "\"\\u{zz}\"", "\"\\u{", "\"\\", "|a", "\"\\u{ä}\"", "§"] {
            let mut map = source::SourceMap::default();
            let file = map.add("a", text);
            assert!(!lex(file, text, 10).1.is_empty(), "{text}");
        }
    }
}
