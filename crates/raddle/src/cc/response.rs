//! Arguments that are in files: `@FILE` stands for the words in it, as GNU's tools and clang read them.

use std::ffi::OsString;

/// So many files may name each other before they are taken for a circle.
const DEPTH: u32 = 16;

/// The arguments with the contents of files in place of their names. What is no such file stays as it is.
pub(super) fn expanded(arguments: &[OsString]) -> Vec<OsString> {
    arguments.iter().flat_map(|argument| expand(argument, DEPTH)).collect()
}

fn expand(argument: &OsString, depth: u32) -> Vec<OsString> {
    let file = argument.to_str().and_then(|text| text.strip_prefix('@')).filter(|_| depth > 0);
    match file.and_then(|file| std::fs::read_to_string(file).ok()) {
        Some(text) => words(&text).iter().flat_map(|word| expand(word, depth - 1)).collect(),
        None => vec![argument.clone()],
    }
}

/// Words are separated by white space; quotes keep it, and a backslash keeps the next character as it is.
fn words(text: &str) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (character, quote) {
            ('\\', _) => word.get_or_insert_default().extend(characters.next()),
            (_, Some(open)) if character == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (_, None) if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_apart_as_in_a_shell() {
        let expected = ["-c", "a b.c", "-DX=\"1\"", "", "c\\d"].map(OsString::from);
        assert_eq!(words("-c 'a b.c'\n -DX=\\\"1\\\" \"\"  c\\\\d\n"), expected);
    }
}
