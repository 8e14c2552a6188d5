//! Names as they are written: as they are if that reads back, and quoted otherwise.

use std::fmt::Write;

/// Words that are no names in expressions, unless quoted.
const RESERVED: [&str; 16] = [
    "true", "false", "nil", "self", "if", "then", "else", "forall", "exists", "lambda", "let", "in", "div",
    "mod", "wait", "spawn",
];

/// Whether a character can start a plain name.
pub(super) fn starts_name(c: char) -> bool {
    c.is_ascii_alphabetic() || "_.$#'~^\\?`".contains(c)
}

/// Whether a character can stand in a plain name.
pub(super) fn continues_name(c: char) -> bool {
    starts_name(c) || c.is_ascii_digit()
}

/// Whether a bare word cannot be a name.
pub(super) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// Whether a bare word in the place of a type is a built-in type.
pub(super) fn is_type_word(word: &str) -> bool {
    let fixed = [
        "bool",
        "int",
        "task",
        "mutex",
        "mutex.recursive",
        "mutex.errorcheck",
        "rwlock",
        "condvar",
        "barrier",
        "semaphore",
        "once",
        "key",
    ];
    fixed.contains(&word) || width_word(word).is_some()
}

/// The digits of `bvN`.
pub(super) fn width_word(word: &str) -> Option<&str> {
    word.strip_prefix("bv").filter(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}

/// Writes a name; `taken` says which further words need quotes where it stands.
pub(super) fn write_name(out: &mut String, name: &str, taken: impl Fn(&str) -> bool) {
    let plain = name.starts_with(starts_name) && name.chars().all(continues_name);
    if plain && !is_reserved(name) && !taken(name) {
        out.push_str(name);
    } else {
        write_quoted(out, name, '|');
    }
}

/// Writes text between quotes.
pub(super) fn write_quoted(out: &mut String, text: &str, quote: char) {
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push(quote);
}
