//! Rule: one crate uses another of the workspace only where the table in `ARCHITECTURE.md` says so.
//!
//! The table has the columns `crate | purpose | may use`. A cell of names is separated by commas; `-` stands for
//! nothing and `all` for every other crate.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;

use super::{Problem, Tree};
use crate::workspace::Metadata;

const FILE: &str = "ARCHITECTURE.md";

/// One row's right-hand side, and the line it stands in.
struct Row {
    line: usize,
    may_use: Vec<String>,
}

/// Compares the table with the manifests.
pub(crate) fn check(tree: &Tree, metadata: &Metadata) -> Result<Vec<Problem>> {
    let table = read_table(&tree.read(Path::new(FILE))?);
    if table.is_empty() {
        return Ok(vec![Problem::error(
            Path::new(FILE),
            None,
            "no table `| crate | purpose | may use |` here",
        )]);
    }
    let mut problems = Vec::new();
    for package in &metadata.packages {
        let Some(row) = table.get(&package.name) else {
            let message = format!("crate `{}` has no row in the table; add one", package.name);
            problems.push(Problem::error(Path::new(FILE), None, message));
            continue;
        };
        for used in package.dependencies.iter().filter(|dependency| dependency.is_edge()) {
            if !row.may_use.iter().any(|name| *name == used.name || name == "all") {
                let message = format!(
                    "crate `{}` depends on `{}`, which this row does not allow; drop the dependency, or change \
                     the architecture and this row",
                    package.name, used.name
                );
                problems.push(Problem::error(Path::new(FILE), Some(row.line), message));
            }
        }
    }
    for row in table.values() {
        for name in row.may_use.iter().filter(|name| *name != "all" && !table.contains_key(*name)) {
            let message = format!("`{name}` has no row of its own; correct the name or add the row");
            problems.push(Problem::error(Path::new(FILE), Some(row.line), message));
        }
    }
    Ok(problems)
}

/// The rows of the table by crate. A row whose first cell lists several crates stands for each of them.
fn read_table(text: &str) -> BTreeMap<String, Row> {
    let mut rows = BTreeMap::new();
    let mut inside = false;
    for (index, line) in text.lines().enumerate() {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        match cells.as_slice() {
            ["crate", "purpose", "may use"] => inside = true,
            [crates, _, may_use] if inside && line.starts_with('|') => {
                if crates.chars().all(|c| matches!(c, '-' | ':')) {
                    continue;
                }
                for name in names(crates) {
                    rows.insert(name, Row { line: index + 1, may_use: names(may_use) });
                }
            }
            _ => inside = false,
        }
    }
    rows
}

fn names(cell: &str) -> Vec<String> {
    let words = cell.split(',').map(|word| word.trim().trim_matches('`'));
    words.filter(|word| !word.is_empty() && *word != "-").map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::testing::{printed, tree};

    const TABLE: &str = "Text.\n\n| crate | purpose | may use |\n|---|---|---|\n| `low` | x | - |\n\
                         | `high`, `higher` | y | `low` |\n| `top` | z | all |\n\nMore | text | here\n";

    fn metadata(name: &str, uses: &[&str]) -> Metadata {
        let dependencies: Vec<_> =
            uses.iter().map(|used| serde_json::json!({"name": used, "path": format!("/x/{used}")})).collect();
        serde_json::from_value(serde_json::json!({
            "packages": [{"name": name, "manifest_path": "/x/Cargo.toml", "dependencies": dependencies}],
            "target_directory": "/x/target",
        }))
        .unwrap()
    }

    fn problems(name: &str, uses: &[&str]) -> Vec<String> {
        let (_dir, tree) = tree(&[(FILE, TABLE)]);
        printed(&check(&tree, &metadata(name, uses)).unwrap())
    }

    #[test]
    fn allowed_edges_pass() {
        assert!(problems("high", &["low"]).is_empty());
        assert!(problems("higher", &["low"]).is_empty());
        assert!(problems("top", &["high", "low"]).is_empty());
    }

    #[test]
    fn other_edges_are_named_with_their_row() {
        let found = problems("low", &["high"]);
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("error: ARCHITECTURE.md:5: crate `low` depends on `high`"), "{found:?}");
    }

    #[test]
    fn a_crate_without_row_is_an_error() {
        assert_eq!(
            problems("new", &[]),
            ["error: ARCHITECTURE.md: crate `new` has no row in the table; add one"]
        );
    }
}
