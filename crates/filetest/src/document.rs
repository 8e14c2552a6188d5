//! Examples in documents: a code block that starts with `$ raddle ...` shows what the command prints.
//!
//! All examples of a document run in one fresh folder that has the repository's `examples` in it. Times and amounts of
//! memory may differ; everything else must be as printed. With blessing, the documents are written anew.

use std::fs;
use std::path::Path;

use walkdir::WalkDir;

use crate::normalise::normalise;
use crate::{Harness, process};

/// Runs the examples of a document; the error holds everything that is wrong.
pub(crate) fn run(harness: &Harness, document: &Path, examples: &Path) -> Result<(), String> {
    let text = fs::read_to_string(document).map_err(|error| format!("cannot read it: {error}"))?;
    let dir = tempfile::tempdir().map_err(|error| format!("cannot create a folder: {error}"))?;
    copy_files(examples, &dir.path().join("examples"))?;
    let mut new = String::new();
    let mut problems = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        new.push_str(line);
        new.push('\n');
        if !line.starts_with("```") {
            continue;
        }
        let block: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
        match example(harness, &block, dir.path())? {
            Some(shown) => {
                let printed = block[1..].join("\n");
                if normalise(&shown, dir.path()) != normalise(&printed, dir.path()) {
                    let diff = similar::TextDiff::from_lines(&printed, &shown).unified_diff().to_string();
                    problems.push(format!("`{}` prints something else:\n{diff}", block[0]));
                    new.push_str(&format!("{}\n{shown}\n", block[0]));
                } else {
                    block.iter().for_each(|line| new.push_str(&format!("{line}\n")));
                }
            }
            None => block.iter().for_each(|line| new.push_str(&format!("{line}\n"))),
        }
        new.push_str("```\n");
    }
    if harness.bless && !problems.is_empty() {
        return fs::write(document, new).map_err(|error| format!("cannot write it: {error}"));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// What the command of a block prints, if the block is an example.
fn example(harness: &Harness, block: &[&str], dir: &Path) -> Result<Option<String>, String> {
    let Some(command) = block.first().and_then(|line| line.strip_prefix("$ raddle ")) else {
        return Ok(None);
    };
    let arguments = shlex::split(command).ok_or_else(|| format!("cannot split `{command}`"))?;
    let output = process::run(&harness.binary, &arguments, dir, harness.time_limit)?;
    Ok(Some(format!("{}{}", output.stdout, output.stderr).trim_end().to_owned()))
}

fn copy_files(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("cannot copy the examples: {error}");
    for entry in WalkDir::new(from) {
        let entry = entry.map_err(|error| failed(error.into()))?;
        let target = to.join(entry.path().strip_prefix(from).unwrap_or(entry.path()));
        if entry.file_type().is_dir() {
            fs::create_dir_all(target).map_err(failed)?;
        } else {
            fs::copy(entry.path(), target).map_err(failed)?;
        }
    }
    Ok(())
}
