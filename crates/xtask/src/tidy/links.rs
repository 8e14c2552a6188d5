//! Rule: a relative link in a Markdown file leads somewhere, to a heading if it names one, and so does a `docs/` page that the
//! text names.

use std::path::{Component, Path, PathBuf};

use anyhow::Result;

use super::{Problem, Tree};

/// Follows the links of every Markdown file.
pub(crate) fn check(tree: &Tree) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for file in tree.with_extension("md") {
        let text = tree.read(file)?;
        for (number, line) in prose(&text) {
            let mut complain = |message| problems.push(Problem::error(file, Some(number), message));
            for (target, heading) in links(line) {
                let target = target_of(file, target);
                if !tree.exists(&target) {
                    complain(missing(&target));
                } else if !heading.is_empty() && !headings(&tree.read(&target)?).any(|name| name == heading) {
                    complain(format!("`{}` has no heading `#{heading}`; correct the link", target.display()));
                }
            }
            for page in pages(line).map(PathBuf::from).filter(|page| !tree.exists(page)) {
                complain(missing(&page));
            }
        }
    }
    Ok(problems)
}

/// The lines of a page that are not code, with their numbers.
pub(super) fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut in_code = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        in_code ^= line.trim_start().starts_with("```");
        (!in_code).then_some((index + 1, line))
    })
}

/// Where a relative link of a file leads, counted from the root of the repository.
pub(super) fn target_of(file: &Path, target: &str) -> PathBuf {
    match target {
        "" => file.to_path_buf(),
        target => without_dots(&file.parent().unwrap_or(Path::new("")).join(target)),
    }
}

fn missing(target: &Path) -> String {
    format!("`{}` does not exist; correct the link or write it", target.display())
}

/// The targets of `[text](target#heading)` that are relative paths, with the heading, either of which may be empty.
pub(super) fn links(line: &str) -> impl Iterator<Item = (&str, &str)> {
    line.split("](").skip(1).filter_map(|rest| {
        let target = rest.split([')', ' ']).next()?;
        let (path, heading) = target.split_once('#').unwrap_or((target, ""));
        let is_relative = !target.is_empty() && !path.contains(':') && !path.starts_with('/');
        is_relative.then_some((path, heading))
    })
}

/// The headings of a page as links name them: lower case, words joined by hyphens.
fn headings(text: &str) -> impl Iterator<Item = String> {
    prose(text).filter_map(|(_, line)| {
        let title = line.trim_start_matches('#');
        let is_heading = title.len() < line.len() && title.starts_with(' ');
        let kept = |c: char| match c {
            ' ' => Some('-'),
            c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
            _ => None,
        };
        is_heading.then(|| title.trim().to_lowercase().chars().filter_map(kept).collect())
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
        let readme = "[a](docs/a.md#a-top) [c](docs/a.md#bottom) [b](docs/b.md)\n[web](https://example.org) [here](#here)\n`docs/c.md`\n\
                      ```\n[code](x.md)\n```\n";
        let (_dir, tree) =
            tree(&[("README.md", readme), ("docs/a.md", "# `a`, Top!\n[up](../README.md) [no](../LICENSE)")]);
        assert_eq!(
            printed(&check(&tree).unwrap()),
            [
                "error: README.md:1: `docs/a.md` has no heading `#bottom`; correct the link",
                "error: README.md:1: `docs/b.md` does not exist; correct the link or write it",
                "error: README.md:2: `README.md` has no heading `#here`; correct the link",
                "error: README.md:3: `docs/c.md` does not exist; correct the link or write it",
                "error: docs/a.md:2: `LICENSE` does not exist; correct the link or write it"
            ]
        );
    }
}
