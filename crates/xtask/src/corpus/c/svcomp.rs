//! Programs of SV-COMP, each with a task definition beside it that names the file and the expected verdict.
//!
//! A task definition is YAML of a fixed shape, of which a few lines matter. So it is read line by line:
//!
//! ```yaml
//! input_files: 'queue.i'
//! properties:
//!   - property_file: ../properties/unreach-call.prp
//!     expected_verdict: false
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::workspace;

/// The folder of CSeq's repository that has the programs.
const BENCHMARKS: &str = "original-svcomp2020-concurrency-benchmarks";

/// The folders in it whose programs use nothing but POSIX threads and SV-COMP's own functions.
pub(super) const FOLDERS: [&str; 4] = ["pthread", "pthread-atomic", "pthread-lit", "pthread-nondet"];

/// The property: no call of the error function is reachable.
const PROPERTY: &str = "unreach-call.prp";

/// A program and what is known of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Subject {
    pub(super) folder: String,
    /// Folder and name of the task.
    pub(super) name: String,
    pub(super) path: PathBuf,
    /// Whether an error can be reached.
    pub(super) reachable: bool,
}

impl Subject {
    /// The name without the folder.
    pub(super) fn program(&self) -> &str {
        self.name.split_once('/').map_or(self.name.as_str(), |(_, program)| program)
    }
}

/// The programs in some folders of a checkout that have a verdict for the property: all, or a sample of each folder.
pub(super) fn find(checkout: &Path, folders: &[String], sample: Option<usize>) -> Result<Vec<Subject>> {
    let below = checkout.join(BENCHMARKS);
    let benchmarks = if below.is_dir() { &below } else { checkout };
    let mut subjects = Vec::new();
    for folder in folders {
        let mut of_folder = Vec::new();
        for task in workspace::files(&benchmarks.join(folder)) {
            if task.extension().is_none_or(|extension| extension != "yml") {
                continue;
            }
            let text =
                fs::read_to_string(&task).with_context(|| format!("cannot read `{}`", task.display()))?;
            let Some((file, holds)) = read(&text) else { continue };
            let path = task.with_file_name(&file);
            if !path.is_file() {
                bail!("`{}` names `{file}`, which is not beside it", task.display());
            }
            let stem = task.file_stem().unwrap_or_default().to_string_lossy();
            let name = format!("{folder}/{stem}");
            of_folder.push(Subject { folder: folder.clone(), name, path, reachable: !holds });
        }
        of_folder.sort_by(|a, b| a.name.cmp(&b.name));
        let all = of_folder.len();
        let wanted = sample.map_or(all, |sample| sample.min(all));
        // A program is taken if it is the last of its share.
        let taken = |at: usize| (at + 1) * wanted / all != at * wanted / all;
        subjects.extend(of_folder.into_iter().enumerate().filter(|(at, _)| taken(*at)).map(|(_, one)| one));
    }
    Ok(subjects)
}

/// The file of a task, and whether the property holds; nothing if the task is about other properties only.
fn read(task: &str) -> Option<(String, bool)> {
    let value = |line: &str, key: &str| {
        let value = line.trim_start().trim_start_matches("- ").strip_prefix(key)?.strip_prefix(':')?;
        Some(value.trim().trim_matches(['\'', '"']).to_owned())
    };
    let file = task.lines().find_map(|line| value(line, "input_files"))?;
    let mut ours = false;
    for line in task.lines() {
        if let Some(property) = value(line, "property_file") {
            ours = property.ends_with(PROPERTY);
        } else if let Some(verdict) = value(line, "expected_verdict").filter(|_| ours) {
            return match verdict.as_str() {
                "true" => Some((file, true)),
                "false" => Some((file, false)),
                _ => None,
            };
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_is_that_of_the_property() {
        let task = "format_version: '1.0'\n\n# old file name: x\ninput_files: 'queue.i'\n\nproperties:\n  \
                    - property_file: ../properties/no-overflow.prp\n    expected_verdict: true\n  \
                    - property_file: ../properties/unreach-call.prp\n    expected_verdict: false\n";
        assert_eq!(read(task), Some(("queue.i".to_owned(), false)));
        assert_eq!(read(&task.replace("unreach-call", "termination")), None);
        assert_eq!(read("properties:\n"), None);
    }

    #[test]
    fn programs_are_found_below_the_checkout_or_in_the_folder_itself() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join(BENCHMARKS).join("pthread-lit");
        fs::create_dir_all(&folder).unwrap();
        let task = "input_files: 'a.i'\nproperties:\n  - property_file: p/unreach-call.prp\n    expected_verdict: true\n";
        fs::write(folder.join("a-1.yml"), task).unwrap();
        let folders = FOLDERS.map(str::to_owned);
        let missing = find(dir.path(), &folders, None).unwrap_err().to_string();
        assert!(missing.contains("names `a.i`"), "{missing}");
        fs::write(folder.join("a.i"), "").unwrap();
        let found = find(dir.path(), &folders, None).unwrap();
        assert_eq!(found, find(&dir.path().join(BENCHMARKS), &folders, None).unwrap());
        assert_eq!((found[0].name.as_str(), found[0].program()), ("pthread-lit/a-1", "a-1"));
        assert!(!found[0].reachable);
        for name in ["b", "c", "d", "e"] {
            fs::write(folder.join(format!("{name}.yml")), task).unwrap();
        }
        let sampled = find(dir.path(), &folders, Some(2)).unwrap();
        assert_eq!(sampled.iter().map(Subject::program).collect::<Vec<_>>(), ["c", "e"]);
        assert!(find(dir.path(), &["pthread-ext".to_owned()], None).unwrap().is_empty());
    }
}
