//! Rule: every page of the documentation is in the book, so that a reader can come there, and no link leads out of it: what is outside
//! is not where the book is read.

use std::path::Path;

use anyhow::Result;

use super::links::{links, prose, target_of};
use super::{Problem, Tree};

const FOLDER: &str = "docs";
const SUMMARY: &str = "docs/SUMMARY.md";

/// Looks for pages that the table of contents does not name, and for links that lead out of the book.
pub(crate) fn check(tree: &Tree) -> Result<Vec<Problem>> {
    let summary = Path::new(SUMMARY);
    let pages = tree.with_extension("md").filter(|page| page.starts_with(FOLDER) && *page != summary);
    let pages: Vec<&Path> = pages.collect();
    if pages.is_empty() {
        return Ok(Vec::new());
    }
    if !tree.exists(summary) {
        return Ok(vec![Problem::error(summary, None, "the book has no table of contents; write it")]);
    }
    let contents = tree.read(summary)?;
    let missing = |page: &&Path| {
        let name = page.strip_prefix(FOLDER).unwrap_or(page).display().to_string();
        !contents.contains(&format!("]({name})"))
    };
    let problem = |page: &Path| Problem::error(page, None, format!("not in the book; add it to `{SUMMARY}`"));
    let mut problems: Vec<Problem> = pages.iter().copied().filter(missing).map(problem).collect();
    for page in pages {
        let text = tree.read(page)?;
        for (number, line) in prose(&text) {
            for target in links(line).map(|(target, _)| target_of(page, target)) {
                if !target.starts_with(FOLDER) {
                    let message =
                        format!("`{}` is not in the book; name it without a link", target.display());
                    problems.push(Problem::error(page, Some(number), message));
                }
            }
            let Some(included) = included(line).map(|name| target_of(page, name)) else { continue };
            let text = tree.read(&included)?;
            for (number, _) in prose(&text).filter(|(_, line)| links(line).next().is_some()) {
                let message = "the book shows this page elsewhere, where the link leads nowhere; name it without a link";
                problems.push(Problem::error(&included, Some(number), message));
            }
        }
    }
    Ok(problems)
}

/// The file that mdBook puts in the place of a line.
fn included(line: &str) -> Option<&str> {
    line.trim().strip_prefix("{{#include ")?.strip_suffix("}}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::testing::{printed, tree};

    #[test]
    fn links_out_of_the_book_are_found() {
        let page = "[b](b/c.md) [up](../d.md)\n```\n[code](../d.md)\n```\n{{#include ../d.md}}\n[web](https://example.org)\n";
        let files = [
            ("docs/SUMMARY.md", "- [A](a.md)\n- [C](b/c.md)\n"),
            ("docs/a.md", page),
            ("docs/b/c.md", "[a](../a.md) [e](../../e.c)"),
            ("d.md", "plain\n[a](docs/a.md)\n"),
        ];
        let (_dir, tree) = tree(&files);
        assert_eq!(
            printed(&check(&tree).unwrap()),
            [
                "error: docs/a.md:1: `d.md` is not in the book; name it without a link",
                "error: d.md:2: the book shows this page elsewhere, where the link leads nowhere; name it without a link",
                "error: docs/b/c.md:1: `e.c` is not in the book; name it without a link"
            ]
        );
    }

    #[test]
    fn pages_outside_the_book_are_found() {
        let files =
            [("docs/SUMMARY.md", "- [A](a.md)\n"), ("docs/a.md", ""), ("docs/b/c.md", ""), ("d.md", "")];
        let (_dir, tree) = tree(&files);
        assert_eq!(
            printed(&check(&tree).unwrap()),
            ["error: docs/b/c.md: not in the book; add it to `docs/SUMMARY.md`"]
        );
    }
}
