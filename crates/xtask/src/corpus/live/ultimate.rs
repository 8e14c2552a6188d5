//! Ultimate's concurrent Boogie programs with a mark of termination.
//!
//! Ultimate's tests take the expected verdict from the first line (`//#Terminating`, `//#Nonterminating`, and
//! older forms of these). Other programs have it in their names only: `..._nonterminating.bpl`. Most of the concurrent
//! programs say that they are `#Safe` or `#Unsafe`. That is about assertions, so they are left out here.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::workspace;

const EXAMPLES: &str = "trunk/examples";

/// Where concurrent programs with such a mark are.
const FOLDERS: &[&str] = &["concurrent/bpl", "programs/termination"];

/// Programs that go on for ever only with data that grow, and what grows, as somebody found by reading them. Of the programs
/// known so far, each that does not terminate can repeat a state.
const GROWING: &[(&str, &str)] = &[];

/// A program and what is known of it.
#[derive(Debug)]
pub(super) struct Subject {
    /// The path among Ultimate's examples.
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) expected: Expected,
    /// What grows in all its infinite executions.
    pub(super) grows: Option<&'static str>,
}

/// What Ultimate expects, whatever the scheduler does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    Terminating,
    NonTerminating,
}

impl Expected {
    pub(super) fn shown(self) -> &'static str {
        match self {
            Expected::Terminating => "terminating",
            Expected::NonTerminating => "non-terminating",
        }
    }

    /// What a program says of itself, in its first line or in its name.
    fn of(name: &str, text: &str) -> Option<Self> {
        let first = text.lines().next().unwrap_or_default();
        let marks = [
            (
                first.contains("#Nonterminating") || first.contains("#rNonTermination"),
                Expected::NonTerminating,
            ),
            (first.contains("#Terminating") || first.contains("#rTermination"), Expected::Terminating),
            (name.contains("_nonterminating"), Expected::NonTerminating),
            (name.contains("_terminating"), Expected::Terminating),
        ];
        marks.into_iter().find_map(|(is_there, expected)| is_there.then_some(expected))
    }
}

/// The marked concurrent programs of a checkout.
pub(super) fn find(checkout: &Path) -> Result<Vec<Subject>> {
    let examples = checkout.join(EXAMPLES);
    let mut subjects = Vec::new();
    for path in FOLDERS.iter().flat_map(|folder| workspace::files(&examples.join(folder))) {
        if path.extension().is_none_or(|extension| extension != "bpl") {
            continue;
        }
        let text = fs::read(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
        let text = String::from_utf8_lossy(&text);
        let name = path.strip_prefix(&examples).unwrap_or(&path).display().to_string();
        if let Some(expected) = Expected::of(&name, &text).filter(|_| is_concurrent(&text)) {
            let grows = GROWING.iter().find(|(program, _)| *program == name).map(|(_, what)| *what);
            subjects.push(Subject { name, path, expected, grows });
        }
    }
    Ok(subjects)
}

/// Whether a program starts threads.
fn is_concurrent(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with("fork "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkout_is_read() {
        let dir = tempfile::tempdir().unwrap();
        assert!(find(dir.path()).unwrap().is_empty());
        let write = |path: &str, text: &str| {
            let path = dir.path().join(EXAMPLES).join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("concurrent/bpl/a/loop_nonterminating2.bpl", "  fork 1 p();");
        write("concurrent/bpl/safe.bpl", "//#Safe\n fork 1 p();");
        write("programs/termination/marked.bpl", "//#Terminating\nfork 1 p();");
        write("programs/termination/one_thread.bpl", "//#Terminating\n");
        let found = find(dir.path()).unwrap();
        let found: Vec<_> = found.iter().map(|subject| (subject.name.as_str(), subject.expected)).collect();
        let expected = [
            ("concurrent/bpl/a/loop_nonterminating2.bpl", Expected::NonTerminating),
            ("programs/termination/marked.bpl", Expected::Terminating),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn the_first_line_goes_before_the_name() {
        assert_eq!(Expected::of("x_terminating", "//#Nonterminating"), Some(Expected::NonTerminating));
        assert_eq!(Expected::of("x", "//#rTerminationDerivable"), Some(Expected::Terminating));
        assert_eq!(Expected::of("termination/x", "\n//#Terminating"), None);
    }
}
