//! Names in schedule files: as they are, or in quotes.

/// Writes a name, in quotes if it has characters that mean something else.
pub(super) fn write_name(out: &mut String, name: &str) {
    let special = |c: char| c.is_whitespace() || c.is_control() || matches!(c, ':' | '"' | '\\' | '/');
    if name.is_empty() || name.contains(special) {
        write_quoted(out, name);
    } else {
        out.push_str(name);
    }
}

/// Writes a text in quotes.
pub(super) fn write_quoted(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ => out.push(c),
        }
    }
    out.push('"');
}

/// Reads a text in quotes at the beginning of another. What it says, and what follows.
pub(super) fn read_quoted(text: &str) -> Option<(String, &str)> {
    let mut chars = text.strip_prefix('"')?.char_indices();
    let mut value = String::new();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((value, &text[at + 2..])),
            '\\' => value.push(match chars.next()?.1 {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                other => other,
            }),
            _ => value.push(c),
        }
    }
    None
}
