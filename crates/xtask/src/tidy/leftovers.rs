//! Rule: nothing unfinished is left behind: no placeholder macro, no debug print, no ignored test, no note to self.
//!
//! The marks are spelled in two halves here, so that this file does not break its own rule.

use anyhow::Result;

use super::{Problem, Tree};

/// What is not wanted, where, and what to do instead.
struct Mark {
    text: &'static str,
    /// Only Rust code, or every text file of the project.
    only_rust: bool,
    advice: &'static str,
}

const MARKS: &[Mark] = &[
    Mark {
        text: concat!("to", "do!("),
        only_rust: true,
        advice: "finish it, or return an error that says so",
    },
    Mark {
        text: concat!("unimpl", "emented!("),
        only_rust: true,
        advice: "finish it, or return an error that says so",
    },
    Mark { text: concat!("db", "g!("), only_rust: true, advice: "remove it" },
    Mark {
        text: concat!("#[ig", "nore"),
        only_rust: true,
        advice: "repair the test, or write the gap down as an expectation",
    },
    Mark { text: concat!("TO", "DO"), only_rust: false, advice: "do it, or write it in the documentation" },
    Mark { text: concat!("FIX", "ME"), only_rust: false, advice: "repair it" },
];

const EXTENSIONS: &[&str] = &["rs", "md", "toml", "bpl", "ir", "c", "cpp", "pml", "cli"];

/// Looks at each line of each file that people write.
pub(crate) fn check(tree: &Tree) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for extension in EXTENSIONS {
        for file in tree.with_extension(extension) {
            // Test inputs may hold any bytes; what is not text holds no note to self.
            let Ok(text) = tree.read(file) else { continue };
            for (index, line) in text.lines().enumerate() {
                for mark in MARKS.iter().filter(|mark| !mark.only_rust || *extension == "rs") {
                    if is_in(line, mark.text) {
                        let message = format!("`{}` is left over; {}", mark.text, mark.advice);
                        problems.push(Problem::error(file, Some(index + 1), message));
                    }
                }
            }
        }
    }
    Ok(problems)
}

/// Whether the line holds the mark as a word of its own.
fn is_in(line: &str, mark: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(mark).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + mark.len()..].chars().next();
        let continues = mark.ends_with(char::is_uppercase) && after.is_some_and(is_word);
        !before.is_some_and(is_word) && !continues
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::testing::{printed, tree};

    #[test]
    fn leftovers_are_found_with_their_line() {
        let rust =
            concat!("fn f() {\n    to", "do!()\n}\n#[ig", "nore = \"slow\"]\n// mastodon's TO", "DOS\n");
        let (_dir, tree) = tree(&[
            ("a.rs", rust),
            ("b.md", concat!("fine\nFIX", "ME: this\n")),
            ("c.txt", concat!("FIX", "ME")),
        ]);
        let found = printed(&check(&tree).unwrap());
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].starts_with("error: a.rs:2: "), "{found:?}");
        assert!(found[1].starts_with("error: a.rs:4: "), "{found:?}");
        assert!(found[2].starts_with("error: b.md:2: "), "{found:?}");
    }
}
