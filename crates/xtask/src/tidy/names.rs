//! Rule: a crate's folder is `crates/NAME`, where `NAME` is its package name.

use std::path::Path;

use super::{Problem, Tree};
use crate::workspace::Metadata;

/// Compares package names with folders.
pub(crate) fn check(tree: &Tree, metadata: &Metadata) -> Vec<Problem> {
    let misplaced = metadata.packages.iter().filter_map(|package| {
        let folder = package.manifest_path.parent()?;
        let folder = folder.strip_prefix(&tree.root).unwrap_or(folder);
        let expected = Path::new("crates").join(&package.name);
        (folder != expected).then(|| {
            let message = format!(
                "package `{}` lives in `{}`; move it to `{}` or rename it",
                package.name,
                folder.display(),
                expected.display()
            );
            Problem::error(&folder.join("Cargo.toml"), None, message)
        })
    });
    misplaced.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::testing::{printed, tree};

    #[test]
    fn folder_and_package_agree() {
        let (dir, tree) = tree(&[]);
        let package = |name: &str, folder: &str| {
            let manifest = dir.path().join(folder).join("Cargo.toml");
            serde_json::json!({"name": name, "manifest_path": manifest, "dependencies": []})
        };
        let metadata = serde_json::from_value(serde_json::json!({
            "packages": [package("ir", "crates/ir"), package("raddle-smt", "crates/smt")],
            "target_directory": "/x",
        }))
        .unwrap();
        assert_eq!(
            printed(&check(&tree, &metadata)),
            ["error: crates/smt/Cargo.toml: package `raddle-smt` lives in `crates/smt`; move it to \
              `crates/raddle-smt` or rename it"]
        );
    }
}
