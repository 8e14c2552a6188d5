//! Text to tokens.
//!
//! Keywords are identifiers here: nearly all of them are keywords in some places only, which the parser knows.
//! The lexer never fails: what it cannot read becomes one diagnostic per run of bad characters and is skipped.

use source::{Diagnostic, FileId, Span};

/// What a token is. Text is found through the span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Token {
    /// A name or keyword; `escaped` is a name written with a leading backslash, which is never a keyword.
    Ident {
        escaped: bool,
    },
    Int,
    Bv,
    Real,
    Float,
    String,
    OpenParen,
    CloseParen,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    Comma,
    Semicolon,
    Colon,
    ColonColon,
    Assign,
    Bar,
    Iff,
    Implies,
    Explies,
    And,
    Or,
    Not,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Below,
    Concat,
    Plus,
    Minus,
    Star,
    StarStar,
    Slash,
    Percent,
    Equals,
    Forall,
    Exists,
    Lambda,
    End,
}

impl Token {
    /// How messages name it.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Token::Ident { .. } => "a name",
            Token::Int | Token::Bv | Token::Real | Token::Float => "a number",
            Token::String => "a string",
            Token::OpenParen => "`(`",
            Token::CloseParen => "`)`",
            Token::OpenBracket => "`[`",
            Token::CloseBracket => "`]`",
            Token::OpenBrace => "`{`",
            Token::CloseBrace => "`}`",
            Token::Comma => "`,`",
            Token::Semicolon => "`;`",
            Token::Colon => "`:`",
            Token::ColonColon => "`::`",
            Token::Assign => "`:=`",
            Token::Bar => "`|`",
            Token::Iff => "`<==>`",
            Token::Implies => "`==>`",
            Token::Explies => "`<==`",
            Token::And => "`&&`",
            Token::Or => "`||`",
            Token::Not => "`!`",
            Token::Eq => "`==`",
            Token::Ne => "`!=`",
            Token::Lt => "`<`",
            Token::Le => "`<=`",
            Token::Gt => "`>`",
            Token::Ge => "`>=`",
            Token::Below => "`<:`",
            Token::Concat => "`++`",
            Token::Plus => "`+`",
            Token::Minus => "`-`",
            Token::Star => "`*`",
            Token::StarStar => "`**`",
            Token::Slash => "`/`",
            Token::Percent => "`%`",
            Token::Equals => "`=`",
            Token::Forall => "`forall`",
            Token::Exists => "`exists`",
            Token::Lambda => "`lambda`",
            Token::End => "the end of the file",
        }
    }
}

/// A token and where it stands (bytes of the file).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spanned {
    pub(crate) token: Token,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// Operators, longest first among those with a common start.
const SYMBOLS: &[(&str, Token)] = &[
    ("<==>", Token::Iff),
    ("==>", Token::Implies),
    ("<==", Token::Explies),
    ("&&", Token::And),
    ("||", Token::Or),
    ("==", Token::Eq),
    ("!=", Token::Ne),
    ("<=", Token::Le),
    (">=", Token::Ge),
    ("<:", Token::Below),
    ("::", Token::ColonColon),
    (":=", Token::Assign),
    ("++", Token::Concat),
    ("**", Token::StarStar),
    ("(", Token::OpenParen),
    (")", Token::CloseParen),
    ("[", Token::OpenBracket),
    ("]", Token::CloseBracket),
    ("{", Token::OpenBrace),
    ("}", Token::CloseBrace),
    (",", Token::Comma),
    (";", Token::Semicolon),
    (":", Token::Colon),
    ("|", Token::Bar),
    ("!", Token::Not),
    ("<", Token::Lt),
    (">", Token::Gt),
    ("+", Token::Plus),
    ("-", Token::Minus),
    ("*", Token::Star),
    ("/", Token::Slash),
    ("%", Token::Percent),
    ("=", Token::Equals),
    ("⇔", Token::Iff),
    ("⇒", Token::Implies),
    ("⇐", Token::Explies),
    ("∧", Token::And),
    ("∨", Token::Or),
    ("¬", Token::Not),
    ("≠", Token::Ne),
    ("≤", Token::Le),
    ("≥", Token::Ge),
    ("•", Token::ColonColon),
    ("∀", Token::Forall),
    ("∃", Token::Exists),
    ("λ", Token::Lambda),
];

fn starts_name(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '\'' | '~' | '#' | '$' | '^' | '_' | '.' | '?' | '`')
}

fn continues_name(c: char) -> bool {
    starts_name(c) || c.is_ascii_digit()
}

/// All tokens of a text, with [`Token::End`] as the last.
pub(crate) fn lex(file: FileId, text: &str) -> (Vec<Spanned>, Vec<Diagnostic>) {
    let mut lexer = Lexer { file, text, at: 0, tokens: Vec::new(), problems: Vec::new() };
    lexer.run();
    (lexer.tokens, lexer.problems)
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    tokens: Vec<Spanned>,
    problems: Vec<Diagnostic>,
}

impl Lexer<'_> {
    fn run(&mut self) {
        while let Some(c) = self.peek() {
            let start = self.at;
            if c.is_whitespace() || c == '\u{feff}' {
                self.at += c.len_utf8();
            } else if self.rest().starts_with("//") {
                self.skip_while(|c| c != '\n');
            } else if self.rest().starts_with("/*") {
                self.comment();
            } else if c.is_ascii_digit() {
                self.number();
            } else if c == '"' {
                self.string();
            } else if starts_name(c) {
                self.skip_while(continues_name);
                self.push(Token::Ident { escaped: false }, start);
            } else if c == '\\' && self.rest()[1..].starts_with(starts_name) {
                self.at += 1;
                let start = self.at;
                self.skip_while(continues_name);
                self.push(Token::Ident { escaped: true }, start);
            } else if let Some(&(symbol, token)) = SYMBOLS.iter().find(|(s, _)| self.rest().starts_with(s)) {
                self.at += symbol.len();
                self.push(token, start);
            } else {
                self.noise();
            }
        }
        self.push(Token::End, self.at);
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip_while(&mut self, keep: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !keep(c)).unwrap_or(rest.len());
    }

    fn push(&mut self, token: Token, start: usize) {
        let offset = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        self.tokens.push(Spanned { token, start: offset(start), end: offset(self.at) });
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start, end)
    }

    /// Comments nest, as in Boogie.
    fn comment(&mut self) {
        let start = self.at;
        let mut depth = 0usize;
        let bytes = self.text.as_bytes();
        while self.at < bytes.len() {
            if bytes[self.at..].starts_with(b"/*") {
                depth += 1;
                self.at += 2;
            } else if bytes[self.at..].starts_with(b"*/") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    return;
                }
            } else {
                self.at += 1;
            }
        }
        let problem = Diagnostic::error(self.span(start, start + 2), "comment is never closed")
            .label("starts here")
            .help("comments nest: each `/*` inside needs its own `*/`");
        self.problems.push(problem);
    }

    fn string(&mut self) {
        let start = self.at;
        self.at += 1;
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    break;
                }
                Some(b'\\') if bytes.get(self.at + 1) == Some(&b'"') => self.at += 2,
                None | Some(b'\n') => {
                    let problem = Diagnostic::error(self.span(start, start + 1), "string is never closed")
                        .label("starts here");
                    self.problems.push(problem);
                    break;
                }
                Some(_) => self.at += 1,
            }
        }
        self.push(Token::String, start);
    }

    fn number(&mut self) {
        let start = self.at;
        if self.rest().starts_with("0x") {
            // Only floats are written in hexadecimal: 0x1.8e2f24e8. The parser reads the parts.
            self.at += 2;
            self.skip_while(|c| c.is_ascii_alphanumeric() || c == '.');
            self.push(Token::Float, start);
            return;
        }
        self.skip_while(|c| c.is_ascii_digit());
        let mut token = Token::Int;
        if let Some(width) = self.rest().strip_prefix("bv")
            && width.starts_with(|c: char| c.is_ascii_digit())
        {
            self.at += 2;
            self.skip_while(|c| c.is_ascii_digit());
            self.push(Token::Bv, start);
            return;
        }
        let digit = |c: char| c.is_ascii_digit();
        if self.rest().strip_prefix('.').is_some_and(|r| r.starts_with(digit)) {
            token = Token::Real;
            self.at += 1;
            self.skip_while(digit);
        }
        if let Some(exponent) = self.rest().strip_prefix('e') {
            let unsigned = exponent.strip_prefix('-').unwrap_or(exponent);
            if unsigned.starts_with(digit) {
                token = Token::Real;
                self.at += 1 + exponent.len() - unsigned.len();
                self.skip_while(digit);
            }
        }
        self.push(token, start);
    }

    /// Skips characters that start no token, all at once: one complaint per run is enough.
    fn noise(&mut self) {
        let start = self.at;
        let first = self.peek().unwrap_or(' ');
        self.skip_while(|c| {
            !c.is_whitespace()
                && !c.is_ascii_digit()
                && !starts_name(c)
                && c != '"'
                && !SYMBOLS.iter().any(|(s, _)| s.starts_with(c))
        });
        if self.at == start {
            self.at += first.len_utf8();
        }
        // Enough is enough: a file of noise has a million of these.
        if self.problems.len() >= 100 {
            return;
        }
        let problem = Diagnostic::error(
            self.span(start, start + first.len_utf8()),
            format!("unexpected character `{}`", first.escape_debug()),
        );
        self.problems.push(problem);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<(Token, String)> {
        let mut map = source::SourceMap::default();
        let file = map.add("t", text);
        let (tokens, problems) = lex(file, text);
        assert_eq!(problems, Vec::new());
        tokens.iter().map(|t| (t.token, text[t.start as usize..t.end as usize].to_owned())).collect()
    }

    fn kinds(text: &str) -> Vec<Token> {
        tokens(text).into_iter().map(|(t, _)| t).collect()
    }

    #[test]
    fn numbers_of_every_kind() {
        use Token::{Bv, Comma, End, Float, Int, Real};
        assert_eq!(
            kinds("2,2 5bv8 1.5 1e10 1.0e-3 0x1.8e2f24e8"),
            [Int, Comma, Int, Bv, Real, Real, Real, Float, End]
        );
    }

    #[test]
    fn names_may_hold_odd_characters_and_be_escaped() {
        let all = tokens(r"$M.0 a'b #x ^t \old x?");
        let names: Vec<&str> = all.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(names, ["$M.0", "a'b", "#x", "^t", "old", "x?", ""]);
        assert_eq!(all[4].0, Token::Ident { escaped: true });
    }

    #[test]
    fn operators_take_the_longest_match() {
        use Token::{Assign, Below, ColonColon, End, Explies, Iff, Implies, Le, Lt, Minus};
        assert_eq!(
            kinds("<==> ==> <== <= < <: :: := ⇒ ≤ <-"),
            [Iff, Implies, Explies, Le, Lt, Below, ColonColon, Assign, Implies, Le, Lt, Minus, End]
        );
    }

    #[test]
    fn comments_nest_and_strings_escape() {
        assert_eq!(kinds("/* a /* b */ c */ // d\n \"x \\\" y\""), [Token::String, Token::End]);
    }

    #[test]
    fn noise_is_one_problem_per_run() {
        let mut map = source::SourceMap::default();
        let text = "@@@@@ x \u{0}\u{1}";
        let file = map.add("t", text);
        let (tokens, problems) = lex(file, text);
        assert_eq!(tokens.len(), 2);
        assert_eq!(problems.len(), 2);
    }
}
