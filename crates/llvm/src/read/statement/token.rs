//! Words, literals and punctuation of C and C++; comments and preprocessor lines are left out.

/// A token and where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or number.
    Word,
    /// A string or character.
    Literal,
    /// `::`, which is no colon.
    Scope,
    Punctuation(u8),
}

impl Token {
    pub(super) fn is(self, punctuation: u8) -> bool {
        self.kind == Kind::Punctuation(punctuation)
    }

    pub(super) fn text(self, text: &str) -> &str {
        &text[self.start..self.end]
    }
}

/// Cuts a text into tokens.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut is_line_start = true;
    while let Some(&byte) = bytes.get(at) {
        let rest = &bytes[at..];
        let (length, kind) = match byte {
            b'\n' => {
                is_line_start = true;
                at += 1;
                continue;
            }
            b'#' if is_line_start => {
                at += directive(rest);
                continue;
            }
            b'/' if rest.starts_with(b"//") => {
                at += directive(rest);
                continue;
            }
            b'/' if rest.starts_with(b"/*") => {
                at += find(&rest[2..], b"*/").map_or(rest.len(), |end| end + 4);
                continue;
            }
            _ if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'"' | b'\'' => (literal(rest), Kind::Literal),
            b':' if rest.starts_with(b"::") => (2, Kind::Scope),
            _ if is_word(byte) => word(rest),
            _ => (1, Kind::Punctuation(byte)),
        };
        is_line_start = false;
        tokens.push(Token { start: at, end: at + length, kind });
        at += length;
    }
    tokens
}

/// Names may have letters outside ASCII; all their bytes count, so that tokens end between characters.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// The length of a line that may go on after a backslash.
fn directive(rest: &[u8]) -> usize {
    let mut at = 0;
    while let Some(end) = rest[at..].iter().position(|&byte| byte == b'\n') {
        let line = &rest[at..at + end];
        if !line.ends_with(b"\\") && !line.ends_with(b"\\\r") {
            return at + end;
        }
        at += end + 1;
    }
    rest.len()
}

/// The length of a string or character, which ends at the end of its line if it is not closed.
fn literal(rest: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = rest.get(at) {
        match byte {
            // What is escaped may be a character of several bytes: none of its bytes means anything here.
            b'\\' => at += if rest.get(at + 1).is_some_and(u8::is_ascii) { 2 } else { 1 },
            b'\n' => return at,
            _ if byte == rest[0] => return at + 1,
            _ => at += 1,
        }
    }
    at.min(rest.len())
}

/// A name or number, or a literal with a prefix.
fn word(rest: &[u8]) -> (usize, Kind) {
    let is_number = rest[0].is_ascii_digit();
    let mut end = 0;
    while let Some(&byte) = rest.get(end) {
        let is_separator = is_number && byte == b'\'' && rest.get(end + 1).is_some_and(|&byte| is_word(byte));
        if !is_word(byte) && !is_separator {
            break;
        }
        end += 1;
    }
    let prefix = &rest[..end];
    match rest.get(end) {
        Some(b'"') if matches!(prefix, b"R" | b"LR" | b"uR" | b"UR" | b"u8R") => {
            (end + raw_string(&rest[end..]), Kind::Literal)
        }
        Some(b'"' | b'\'') if matches!(prefix, b"L" | b"u" | b"U" | b"u8") => {
            (end + literal(&rest[end..]), Kind::Literal)
        }
        _ => (end, Kind::Word),
    }
}

/// The length of `"delimiter(...)delimiter"`.
fn raw_string(rest: &[u8]) -> usize {
    let Some(open) = rest.iter().take(18).position(|&byte| byte == b'(') else { return literal(rest) };
    let close = [b")", &rest[1..open], b"\""].concat();
    find(&rest[open..], &close).map_or(rest.len(), |at| open + at + close.len())
}

fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}
