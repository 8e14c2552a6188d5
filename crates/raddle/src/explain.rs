//! `raddle explain`: what a kind of violation or a verdict means. The texts are pages of the documentation.

use report::{KINDS, explanation as page};

use crate::args::ExplainOptions;
use crate::failure::{Failure, NOTHING_WRONG};
use crate::output;

const VERDICTS: &str = include_str!("../../../docs/verdicts.md");

/// Explains a word, or lists those that there are.
pub(crate) fn run(options: &ExplainOptions) -> Result<u8, Failure> {
    let text = match options.what.as_deref() {
        None => list(),
        Some(word) => explanation(word).ok_or_else(|| {
            Failure::Input(format!(
                "error: there is nothing to explain about `{word}`\nhelp: {}",
                list().trim_end()
            ))
        })?,
    };
    output::print(&text)?;
    Ok(NOTHING_WRONG)
}

fn list() -> String {
    let kinds: Vec<&str> = KINDS.iter().map(|kind| kind.name()).collect();
    let verdicts: Vec<&str> = verdicts().map(|(name, _)| name).collect();
    format!("kinds of violations: {}\nverdicts: {}\n", kinds.join(", "), verdicts.join(", "))
}

fn explanation(word: &str) -> Option<String> {
    let word = match word {
        "race" => "data-race",
        other => other,
    };
    let kind = KINDS.into_iter().find(|kind| kind.name() == word).map(|kind| page(kind).to_owned());
    kind.or_else(|| {
        let mut all = verdicts();
        all.find(|(name, _)| *name == word).map(|(name, text)| format!("# {name}\n\n{}\n", text.trim()))
    })
}

/// The verdicts and what is said about them.
fn verdicts() -> impl Iterator<Item = (&'static str, &'static str)> {
    VERDICTS.split("\n## ").skip(1).filter_map(|section| section.split_once('\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_a_result_is_explained() {
        for kind in KINDS {
            let text = explanation(kind.name()).expect("a page");
            assert!(text.starts_with(&format!("# {}\n", kind.name())));
        }
        let verdicts =
            "safe unsafe partially-safe violation violations non-terminating none none-within-bounds unknown";
        for verdict in verdicts.split(' ') {
            assert!(explanation(verdict).expect("a paragraph").len() > 40);
        }
        assert_eq!(explanation("race"), explanation("data-race"));
        assert_eq!(explanation("nonsense"), None);
    }
}
