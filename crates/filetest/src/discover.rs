//! Finding tests, and files that belong to no test.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// A family of tests; its folder and the extensions of its inputs are in [`SUITES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suite {
    /// Programs in the text format of the intermediate representation.
    Ir,
    /// Boogie programs.
    Boogie,
    /// C and C++ programs.
    C,
    /// Command lines.
    Scripts,
}

/// The suites: folder below `tests/`, and extensions of the inputs.
pub const SUITES: &[(Suite, &str, &[&str])] = &[
    (Suite::Ir, "ir", &["ir"]),
    (Suite::Boogie, "boogie", &["bpl"]),
    (Suite::C, "c", &["c", "cpp"]),
    (Suite::Scripts, "cli", &["cli"]),
];

/// Programs below this are compared with what they do when clang compiles them; they have a harness of their own.
const DIFFERENTIAL: [&str; 2] = ["c", "differential"];

/// A test input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Test {
    pub(crate) suite: Suite,
    pub(crate) path: PathBuf,
}

/// A file below the folder of tests: a test, or a problem that fails under the file's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Path below the folder, with `/`.
    pub(crate) name: String,
    pub(crate) content: Result<Test, String>,
}

/// Everything below `dir` that is not the expectation of a test, in the order of names.
pub(crate) fn discover(dir: &Path) -> Vec<Found> {
    let mut found = Vec::new();
    for entry in WalkDir::new(dir).sort_by_file_name() {
        match entry {
            Ok(entry) if entry.file_type().is_dir() => {}
            Ok(entry) => found.extend(classify(dir, entry.path())),
            Err(error) => found.push(Found { name: "tests".to_owned(), content: Err(error.to_string()) }),
        }
    }
    if found.is_empty() {
        let problem = format!("no test below `{}`", dir.display());
        found.push(Found { name: "tests".to_owned(), content: Err(problem) });
    }
    found
}

/// `None` for the expectation of a test that is there, and for tests of another harness.
fn classify(dir: &Path, path: &Path) -> Option<Found> {
    let below = path.strip_prefix(dir).unwrap_or(path);
    let parts: Vec<String> = below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let found = |content| Some(Found { name: parts.join("/"), content });
    if let [folder, kind, _topic, _name] = parts.as_slice()
        && [folder.as_str(), kind] == DIFFERENTIAL
        && path.extension().is_some_and(|extension| extension == "c" || extension == "cpp")
    {
        return None;
    }
    let [folder, _topic, _name] = parts.as_slice() else {
        return found(Err("tests are `SUITE/TOPIC/NAME.EXT`; move or remove this file".to_owned()));
    };
    let Some(&(suite, _, inputs)) = SUITES.iter().find(|(_, name, _)| name == folder) else {
        return found(Err(format!("there is no suite `{folder}`; move or remove this file")));
    };
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    if inputs.contains(&&*extension) {
        return found(Ok(Test { suite, path: path.to_owned() }));
    }
    if extension != "expect" {
        return found(Err(format!("suite `{folder}` has no tests of type `.{extension}`; remove this file")));
    }
    if inputs.iter().any(|input| path.with_extension(input).exists()) {
        return None;
    }
    found(Err("no test input beside this expectation; remove it".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_and_problems(files: &[&str]) -> Vec<(String, bool)> {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        discover(dir.path()).into_iter().map(|found| (found.name, found.content.is_ok())).collect()
    }

    #[test]
    fn tests_are_found_in_order_and_everything_else_is_a_problem() {
        let files = ["boogie/b/two.bpl", "boogie/a/one.bpl", "boogie/a/one.expect", "cli/x/three.cli"];
        let strays = ["boogie/a/alone.expect", "boogie/a/notes.txt", "boogie/flat.bpl", "pascal/a/x.pas"];
        let elsewhere = ["c/differential/a/x.c", "c/differential/a/y.cpp", "c/differential/a/x.expect"];
        let found = names_and_problems(&[&files[..], &strays[..], &elsewhere[..]].concat());
        let expected = [
            ("boogie/a/alone.expect", false),
            ("boogie/a/notes.txt", false),
            ("boogie/a/one.bpl", true),
            ("boogie/b/two.bpl", true),
            ("boogie/flat.bpl", false),
            ("c/differential/a/x.expect", false),
            ("cli/x/three.cli", true),
            ("pascal/a/x.pas", false),
        ];
        assert_eq!(found, expected.map(|(name, ok)| (name.to_owned(), ok)));
    }

    #[test]
    fn an_empty_folder_is_a_problem() {
        assert_eq!(names_and_problems(&[]), [("tests".to_owned(), false)]);
    }
}
