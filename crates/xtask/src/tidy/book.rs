//! Rule: every page of the documentation is in the book, so that a reader can come there.

use std::path::Path;

use anyhow::Result;

use super::{Problem, Tree};

const FOLDER: &str = "docs";
const SUMMARY: &str = "docs/SUMMARY.md";

/// Looks for pages that the table of contents does not name.
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
    Ok(pages.into_iter().filter(missing).map(problem).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::testing::{printed, tree};

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
