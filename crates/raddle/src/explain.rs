//! `raddle explain`: what a kind of violation or a verdict means. The texts are pages of the documentation.

use clap::builder::{PossibleValue, PossibleValuesParser};
use report::{KINDS, explanation as page};

use crate::args::ExplainOptions;
use crate::failure::{Failure, NOTHING_WRONG};
use crate::output;

/// Words that options and lines for editors have, and what they are called otherwise.
const OTHER_WORDS: [(&str, &str); 2] = [("race", "data-race"), ("undecided", "unknown")];

const VERDICTS: &str = include_str!("../../../docs/verdicts.md");

/// Explains a word, or lists those that there are.
pub(crate) fn run(options: &ExplainOptions) -> Result<u8, Failure> {
    let text = options.what.as_deref().and_then(explanation).unwrap_or_else(list);
    output::print(&text)?;
    Ok(NOTHING_WRONG)
}

/// The words that can be explained, some of them with another one for the same.
pub(crate) fn words() -> PossibleValuesParser {
    let kinds = KINDS.iter().map(|kind| kind.name());
    let all = kinds.chain(verdicts().map(|(name, _)| name));
    PossibleValuesParser::new(all.map(|name| {
        let others = OTHER_WORDS.iter().filter(|(_, known)| *known == name).map(|(other, _)| *other);
        PossibleValue::new(name).aliases(others)
    }))
}

fn list() -> String {
    let kinds: Vec<&str> = KINDS.iter().map(|kind| kind.name()).collect();
    let verdicts: Vec<&str> = verdicts().map(|(name, _)| name).collect();
    format!("kinds of violations: {}\nverdicts: {}\n", kinds.join(", "), verdicts.join(", "))
}

fn explanation(word: &str) -> Option<String> {
    let word = word.to_lowercase();
    let word =
        OTHER_WORDS.iter().find(|(other, _)| *other == word).map_or(word.as_str(), |(_, known)| *known);
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
        assert_eq!(explanation("Undecided"), explanation("unknown"));
        assert_eq!(explanation("nonsense"), None);
    }
}
