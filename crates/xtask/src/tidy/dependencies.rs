//! Rule: one crate uses another of the workspace only where the table in `ARCHITECTURE.md` says so, and one from outside
//! only when it stands there with a reason.
//!
//! The first table has the columns `crate | purpose | may use`. A cell of names is separated by commas; `-` stands for
//! nothing and `all` for every other crate. The second has the columns `dependency | why`.

use std::collections::{BTreeMap, BTreeSet};
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

/// Compares both tables with the manifests.
pub(crate) fn check(tree: &Tree, metadata: &Metadata) -> Result<Vec<Problem>> {
    let text = tree.read(Path::new(FILE))?;
    let mut problems = check_edges(&text, metadata);
    problems.extend(check_outside(&text, metadata));
    Ok(problems)
}

fn check_edges(text: &str, metadata: &Metadata) -> Vec<Problem> {
    let table = read_table(text);
    if table.is_empty() {
        return vec![Problem::error(Path::new(FILE), None, "no table `| crate | purpose | may use |` here")];
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
    problems
}

fn check_outside(text: &str, metadata: &Metadata) -> Vec<Problem> {
    let lines = text.lines().enumerate().skip_while(|(_, line)| *line != "| dependency | why |").skip(2);
    let rows = lines.take_while(|(_, line)| line.starts_with('|'));
    let listed: BTreeMap<&str, usize> =
        rows.filter_map(|(index, line)| Some((line.split('`').nth(1)?, index + 1))).collect();
    let dependencies = metadata.packages.iter().flat_map(|package| &package.dependencies);
    let used: BTreeSet<&str> =
        dependencies.filter(|used| used.path.is_none()).map(|used| used.name.as_str()).collect();
    let missing = used.iter().filter(|name| !listed.contains_key(*name)).map(|name| {
        let message = format!(
            "dependency `{name}` has no row in the table `| dependency | why |`; say why it is needed"
        );
        Problem::error(Path::new(FILE), None, message)
    });
    let unused = listed.iter().filter(|(name, _)| !used.contains(*name)).map(|(name, line)| {
        Problem::error(Path::new(FILE), Some(*line), format!("no crate depends on `{name}`; remove the row"))
    });
    missing.chain(unused).collect()
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
    fn dependencies_from_outside_stand_with_a_reason() {
        let text =
            "| dependency | why |\n|---|---|\n| `one` | needed |\n| `old` | once needed |\n\n`other` text\n";
        let metadata = serde_json::from_value(serde_json::json!({
            "packages": [{"name": "low", "manifest_path": "/x", "dependencies": [{"name": "one"}, {"name": "two"}]}],
            "target_directory": "/x",
        }))
        .unwrap();
        let found = printed(&check_outside(text, &metadata));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("dependency `two` has no row"), "{found:?}");
        assert_eq!(found[1], "error: ARCHITECTURE.md:4: no crate depends on `old`; remove the row");
    }

    #[test]
    fn a_crate_without_row_is_an_error() {
        assert_eq!(
            problems("new", &[]),
            ["error: ARCHITECTURE.md: crate `new` has no row in the table; add one"]
        );
    }
}
