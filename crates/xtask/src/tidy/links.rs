//! Rule: a relative link in a Markdown file leads somewhere, and so does a `docs/` page that the text names.

use std::path::{Component, Path, PathBuf};

use anyhow::Result;

use super::{Problem, Tree};

/// Follows the links of every Markdown file.
pub(crate) fn check(tree: &Tree) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for file in tree.with_extension("md") {
        let folder = file.parent().unwrap_or(Path::new(""));
        let mut in_code = false;
        for (index, line) in tree.read(file)?.lines().enumerate() {
            if line.trim_start().starts_with("```") {
                in_code = !in_code;
            }
            if in_code {
                continue;
            }
            let links = links(line).map(|target| without_dots(&folder.join(target)));
            let pages = pages(line).map(PathBuf::from);
            for target in links.chain(pages).filter(|target| !tree.exists(target)) {
                let message = format!("`{}` does not exist; correct the link or write it", target.display());
                problems.push(Problem::error(file, Some(index + 1), message));
            }
        }
    }
    Ok(problems)
}

/// The targets of `[text](target)` that are relative paths, without their `#fragment`.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| {
        let target = rest.split([')', ' ', '#']).next()?;
        let is_relative = !target.is_empty() && !target.contains(':') && !target.starts_with('/');
        is_relative.then_some(target)
    })
}

/// The paths in `` `docs/page.md` ``, counted from the root of the repository.
fn pages(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2).filter(|code| code.starts_with("docs/") && code.ends_with(".md"))
}

fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::testing::{printed, tree};

    #[test]
    fn dead_links_are_found() {
        let readme = "[a](docs/a.md#top) [b](docs/b.md)\n[web](https://example.org) [here](#here)\n`docs/c.md`\n\
                      ```\n[code](x.md)\n```\n";
        let (_dir, tree) =
            tree(&[("README.md", readme), ("docs/a.md", "[up](../README.md) [no](../LICENSE)")]);
        assert_eq!(
            printed(&check(&tree).unwrap()),
            [
                "error: README.md:1: `docs/b.md` does not exist; correct the link or write it",
                "error: README.md:3: `docs/c.md` does not exist; correct the link or write it",
                "error: docs/a.md:1: `LICENSE` does not exist; correct the link or write it"
            ]
        );
    }
}
