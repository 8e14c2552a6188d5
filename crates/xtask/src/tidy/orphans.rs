//! Rule: every file under `tests/` belongs to a test.
//!
//! A test is an input with a known extension in `tests/SUITE/TOPIC/`; beside it lies its `.expect`, without which the
//! test itself fails. Programs in `tests/c/differential/TOPIC/` have no expectation: what they print when clang compiles
//! them is expected. Anything else is a file that no test reads.

use std::path::Path;

use super::{Problem, Tree};

/// The suites, and the extensions of the inputs in each. The harness in `crates/filetest` runs exactly these.
const SUITES: &[(&str, &[&str])] =
    &[("ir", &["ir"]), ("boogie", &["bpl"]), ("c", &["c", "cpp"]), ("cli", &["cli"])];

/// Looks at each file under `tests/`.
pub(crate) fn check(tree: &Tree) -> Vec<Problem> {
    tree.files
        .iter()
        .filter(|file| file.starts_with("tests"))
        .filter_map(|file| check_file(tree, file))
        .collect()
}

fn check_file(tree: &Tree, file: &Path) -> Option<Problem> {
    let components: Vec<_> = file.components().map(|c| c.as_os_str().to_string_lossy()).collect();
    let extension = file.extension().unwrap_or_default().to_string_lossy();
    if let [_, suite, kind, _topic, _name] = components.as_slice()
        && (&**suite, &**kind) == ("c", "differential")
        && (extension == "c" || extension == "cpp")
    {
        return None;
    }
    let [_, suite, _topic, _name] = components.as_slice() else {
        return Some(Problem::error(
            file,
            None,
            "no test reads this; tests are `tests/SUITE/TOPIC/NAME.EXT`",
        ));
    };
    let Some((_, inputs)) = SUITES.iter().find(|(name, _)| name == suite) else {
        return Some(Problem::error(file, None, format!("there is no suite `{suite}`; move or remove it")));
    };
    if inputs.contains(&&*extension) {
        return None;
    }
    if extension == "expect" {
        let owned = inputs.iter().any(|input| tree.exists(&file.with_extension(input)));
        return (!owned).then(|| Problem::error(file, None, "no test input beside it; remove it"));
    }
    Some(Problem::error(
        file,
        None,
        format!("suite `{suite}` has no tests of type `.{extension}`; remove it"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::testing::{printed, tree};

    #[test]
    fn only_tests_and_their_expectations_belong() {
        let (_dir, tree) = tree(&[
            ("tests/boogie/locks/good.bpl", ""),
            ("tests/boogie/locks/good.expect", ""),
            ("tests/boogie/locks/alone.expect", ""),
            ("tests/boogie/locks/new.bpl", ""),
            ("tests/boogie/locks/notes.txt", ""),
            ("tests/boogie/flat.bpl", ""),
            ("tests/c/differential/integers/widths.c", ""),
            ("tests/c/differential/integers/widths.expect", ""),
            ("tests/pascal/locks/a.pas", ""),
        ]);
        let found = printed(&check(&tree));
        let files: Vec<_> = found.iter().filter_map(|line| line.split(' ').nth(1)).collect();
        assert_eq!(
            files,
            [
                "tests/boogie/flat.bpl:",
                "tests/boogie/locks/alone.expect:",
                "tests/boogie/locks/notes.txt:",
                "tests/c/differential/integers/widths.expect:",
                "tests/pascal/locks/a.pas:"
            ]
        );
    }
}
