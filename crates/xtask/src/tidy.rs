//! `cargo xtask tidy`: the rules of the project that neither the compiler nor clippy knows.
//!
//! Each rule is a module with one function that returns problems as data; this file collects and prints them.

mod book;
mod dependencies;
mod leftovers;
mod links;
mod names;
mod orphans;
mod sizes;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::workspace::{self, Metadata};

/// Something that breaks a rule: where, what, and what to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    severity: Severity,
    file: PathBuf,
    line: Option<usize>,
    message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Severity {
    Warning,
    Error,
}

impl Problem {
    fn error(file: &Path, line: Option<usize>, message: impl Into<String>) -> Self {
        Problem { severity: Severity::Error, file: file.to_owned(), line, message: message.into() }
    }

    fn warning(file: &Path, line: Option<usize>, message: impl Into<String>) -> Self {
        Problem { severity: Severity::Warning, ..Problem::error(file, line, message) }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{severity}: {}", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.message)
    }
}

/// The repository as the rules see it: every file by its path from the root, and the text of those they read.
pub(crate) struct Tree {
    root: PathBuf,
    files: Vec<PathBuf>,
}

impl Tree {
    fn new(root: &Path) -> Self {
        let files = workspace::files(root)
            .filter_map(|file| file.strip_prefix(root).map(Path::to_path_buf).ok())
            .collect();
        Tree { root: root.to_owned(), files }
    }

    fn with_extension<'tree>(&'tree self, extension: &'tree str) -> impl Iterator<Item = &'tree Path> {
        self.files
            .iter()
            .map(PathBuf::as_path)
            .filter(move |file| file.extension().is_some_and(|e| e == extension))
    }

    fn read(&self, file: &Path) -> Result<String> {
        fs::read_to_string(self.root.join(file)).with_context(|| format!("cannot read `{}`", file.display()))
    }

    fn exists(&self, path: &Path) -> bool {
        self.root.join(path).exists()
    }
}

/// Checks every rule; errors when one is broken.
pub(crate) fn run() -> Result<()> {
    let problems = check(&Tree::new(workspace::root()), &workspace::metadata()?)?;
    for problem in &problems {
        println!("{problem}");
    }
    match problems.iter().filter(|problem| problem.severity == Severity::Error).count() {
        0 => Ok(()),
        1 => bail!("1 rule is broken"),
        n => bail!("{n} rules are broken"),
    }
}

fn check(tree: &Tree, metadata: &Metadata) -> Result<Vec<Problem>> {
    let rules = [
        dependencies::check(tree, metadata)?,
        names::check(tree, metadata),
        sizes::check(tree)?,
        leftovers::check(tree)?,
        links::check(tree)?,
        book::check(tree)?,
        orphans::check(tree),
    ];
    Ok(rules.into_iter().flatten().collect())
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// A tree of files with the given texts; the folder lives as long as the first part of the pair.
    pub(crate) fn tree(files: &[(&str, &str)]) -> (tempfile::TempDir, Tree) {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let tree = Tree::new(dir.path());
        (dir, tree)
    }

    /// The problems as they are printed.
    pub(crate) fn printed(problems: &[Problem]) -> Vec<String> {
        problems.iter().map(ToString::to_string).collect()
    }
}
