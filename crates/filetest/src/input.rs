//! Input files for command-line tests, as expressions, so that a file of ten megabytes is one line of a test.
//!
//! `"var x: int;\n"` is a text, with the escapes `\n`, `\t`, `\\`, `\"` and `\xHH` for any byte;
//! `repeat("x", 1000)` repeats it; `nesting("(", "1", ")", 1000)` is the middle text in a thousand parentheses;
//! `random(7, 1000)` is a thousand random bytes from seed 7; `empty` is nothing. `+` joins them. Alone stand
//! `directory`, and `unreadable`: a file that opens, but fails to be read, for every user.

use std::fs;
use std::io;
use std::path::Path;

/// What to put under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    File(Vec<Piece>),
    Directory,
    Unreadable,
}

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Text(Vec<u8>),
    Repeat { text: Vec<u8>, times: usize },
    Nesting { open: Vec<u8>, middle: Vec<u8>, close: Vec<u8>, depth: usize },
    Random { seed: u64, length: usize },
}

/// The largest generated file.
const MOST_BYTES: usize = 1 << 30;

impl Input {
    /// Reads an expression.
    pub(crate) fn parse(expression: &str) -> Result<Self, String> {
        match expression.trim() {
            "directory" => return Ok(Input::Directory),
            "unreadable" => return Ok(Input::Unreadable),
            "empty" => return Ok(Input::File(Vec::new())),
            _ => {}
        }
        let mut reader = Reader { rest: expression.trim() };
        let mut pieces = vec![reader.piece()?];
        while reader.accept('+') {
            pieces.push(reader.piece()?);
        }
        if !reader.rest.is_empty() {
            return Err(format!("`{}` is left over; pieces are joined with `+`", reader.rest));
        }
        let size = pieces.iter().try_fold(0_usize, |size, piece| size.checked_add(piece.size()?));
        if size.is_none_or(|size| size > MOST_BYTES) {
            return Err(format!("that would be more than {MOST_BYTES} bytes"));
        }
        Ok(Input::File(pieces))
    }

    /// Creates it.
    pub(crate) fn create(&self, path: &Path) -> io::Result<()> {
        match self {
            Input::File(pieces) => fs::write(path, pieces.iter().flat_map(Piece::bytes).collect::<Vec<u8>>()),
            Input::Directory => fs::create_dir(path),
            // Opens for every user, root too, and every read at its start fails.
            Input::Unreadable => std::os::unix::fs::symlink("/proc/self/mem", path),
        }
    }
}

impl Piece {
    /// Its size in bytes, unless that is no number of this machine.
    fn size(&self) -> Option<usize> {
        match self {
            Piece::Text(text) => Some(text.len()),
            Piece::Repeat { text, times } => text.len().checked_mul(*times),
            Piece::Nesting { open, middle, close, depth } => {
                (open.len() + close.len()).checked_mul(*depth)?.checked_add(middle.len())
            }
            Piece::Random { length, .. } => Some(*length),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        match self {
            Piece::Text(text) => text.clone(),
            Piece::Repeat { text, times } => text.repeat(*times),
            Piece::Nesting { open, middle, close, depth } => {
                [open.repeat(*depth), middle.clone(), close.repeat(*depth)].concat()
            }
            Piece::Random { seed, length } => {
                let mut random = fastrand::Rng::with_seed(*seed);
                std::iter::repeat_with(|| random.u8(..)).take(*length).collect()
            }
        }
    }
}

struct Reader<'text> {
    rest: &'text str,
}

impl Reader<'_> {
    fn piece(&mut self) -> Result<Piece, String> {
        if self.rest.starts_with('"') {
            return Ok(Piece::Text(self.string()?));
        }
        let end = self.rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest.len());
        let (function, rest) = self.rest.split_at(end);
        let function = function.to_owned();
        self.rest = rest.trim_start();
        self.expect('(')?;
        let piece = match function.as_str() {
            "repeat" => {
                let text = self.string()?;
                self.expect(',')?;
                Piece::Repeat { text, times: self.number()? }
            }
            "nesting" => {
                let open = self.string()?;
                self.expect(',')?;
                let middle = self.string()?;
                self.expect(',')?;
                let close = self.string()?;
                self.expect(',')?;
                Piece::Nesting { open, middle, close, depth: self.number()? }
            }
            "random" => {
                let seed = self.number()?;
                self.expect(',')?;
                Piece::Random { seed, length: self.number()? }
            }
            _ => {
                return Err(format!(
                    "unknown input `{function}`; known are a text, repeat, nesting, random, \
                                     empty, directory, unreadable"
                ));
            }
        };
        self.expect(')')?;
        Ok(piece)
    }

    fn accept(&mut self, wanted: char) -> bool {
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        if self.accept(wanted) { Ok(()) } else { Err(format!("expected `{wanted}` before `{}`", self.rest)) }
    }

    fn number<T: std::str::FromStr>(&mut self) -> Result<T, String> {
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        let number = digits.parse().map_err(|_| format!("expected a number before `{}`", self.rest))?;
        self.rest = rest.trim_start();
        Ok(number)
    }

    fn string(&mut self) -> Result<Vec<u8>, String> {
        let whole = self.rest;
        let unclosed = || format!("the text `{whole}` is not closed");
        let mut chars =
            whole.strip_prefix('"').ok_or_else(|| format!("expected a text before `{whole}`"))?.chars();
        let mut bytes = Vec::new();
        loop {
            match chars.next().ok_or_else(unclosed)? {
                '"' => break,
                '\\' => match chars.next().ok_or_else(unclosed)? {
                    'n' => bytes.push(b'\n'),
                    't' => bytes.push(b'\t'),
                    'x' => {
                        let digits: String = chars.by_ref().take(2).collect();
                        let byte = u8::from_str_radix(&digits, 16);
                        bytes.push(byte.map_err(|_| format!("`\\x{digits}` is no byte"))?);
                    }
                    other @ ('\\' | '"') => bytes.push(other as u8),
                    other => return Err(format!("unknown escape `\\{other}`")),
                },
                other => bytes.extend_from_slice(other.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        self.rest = chars.as_str().trim_start();
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(expression: &str) -> Vec<u8> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        Input::parse(expression).unwrap().create(&path).unwrap();
        fs::read(path).unwrap()
    }

    #[test]
    fn pieces_are_built_and_joined() {
        assert_eq!(bytes(r#""a\n\x00\"é""#), "a\n\0\"é".as_bytes());
        assert_eq!(bytes(r#"repeat("ab", 3) + "c""#), b"abababc");
        assert_eq!(bytes(r#""<" + nesting("(", "1", ")", 3)+">""#), b"<(((1)))>");
        assert_eq!(bytes("empty"), b"");
        assert_eq!(bytes("random(1, 100)").len(), 100);
        assert_eq!(bytes("random(1, 100)"), bytes("random(1, 100)"));
        assert_ne!(bytes("random(1, 100)"), bytes("random(2, 100)"));
    }

    #[test]
    fn an_unreadable_file_opens_but_does_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        Input::Unreadable.create(&path).unwrap();
        assert!(fs::File::open(&path).is_ok());
        assert!(fs::read(&path).is_err());
    }

    #[test]
    fn mistakes_are_named() {
        let problem = |expression: &str| Input::parse(expression).unwrap_err();
        assert!(problem("shout(1)").starts_with("unknown input `shout`"));
        assert_eq!(problem("\"a"), "the text `\"a` is not closed");
        assert_eq!(problem(r#"repeat("a" 3)"#), "expected `,` before `3)`");
        assert_eq!(problem(r#"repeat("a", x)"#), "expected a number before `x)`");
        assert_eq!(problem(r#""a" "b""#), "`\"b\"` is left over; pieces are joined with `+`");
        assert_eq!(problem(r#""\q""#), "unknown escape `\\q`");
        assert_eq!(problem(r#""\xZZ""#), "`\\xZZ` is no byte");
        assert!(problem(r#"repeat("aa", 18446744073709551615)"#).starts_with("that would be more than"));
    }
}
