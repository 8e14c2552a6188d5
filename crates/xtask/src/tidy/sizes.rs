//! Rule: one concept, one file. Long Rust files get a warning, very long ones are an error.

use anyhow::Result;

use super::{Problem, Tree};

const LONG: usize = 600;
const TOO_LONG: usize = 1000;

/// Counts the lines of every Rust file.
pub(crate) fn check(tree: &Tree) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for file in tree.with_extension("rs") {
        let lines = tree.read(file)?.lines().count();
        if lines > TOO_LONG {
            let message = format!("{lines} lines, more than {TOO_LONG}; split it by concept");
            problems.push(Problem::error(file, None, message));
        } else if lines > LONG {
            let message = format!("{lines} lines, more than {LONG}; look for the seam");
            problems.push(Problem::warning(file, None, message));
        }
    }
    Ok(problems)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::testing::{printed, tree};

    #[test]
    fn long_files_are_listed() {
        let lines = |n| "// x\n".repeat(n);
        let (_dir, tree) = tree(&[
            ("a.rs", &lines(LONG)),
            ("b.rs", &lines(LONG + 1)),
            ("c.rs", &lines(TOO_LONG + 1)),
            ("d.md", &lines(TOO_LONG + 1)),
        ]);
        assert_eq!(
            printed(&check(&tree).unwrap()),
            [
                "warning: b.rs: 601 lines, more than 600; look for the seam",
                "error: c.rs: 1001 lines, more than 1000; split it by concept"
            ]
        );
    }
}
