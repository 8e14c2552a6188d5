//! Examples in documents: a code block that starts with `$ raddle ...` shows what commands print.
//!
//! All examples of a document run in one fresh folder that has the repository's `examples` in it. Times and amounts of
//! memory may differ, and in recorded runs of real programs all numbers; everything else must be as printed. With blessing,
//! the documents are written anew. A command that stands in a block of its own without being run is a mistake. Of those
//! within the text, the options must be options of the command.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use regex_lite::Regex;
use walkdir::WalkDir;

use crate::normalise::normalise;
use crate::{Harness, process};

/// How a command in a document begins.
const PROMPT: &str = "$ raddle ";

/// Runs the examples of a document; the error holds everything that is wrong.
pub(crate) fn run(harness: &Harness, document: &Path, examples: &Path) -> Result<(), String> {
    let text = fs::read_to_string(document).map_err(|error| format!("cannot read it: {error}"))?;
    let dir = tempfile::tempdir().map_err(|error| format!("cannot create a folder: {error}"))?;
    copy_files(examples, &dir.path().join("examples"))?;
    let mut new = String::new();
    let mut problems = Vec::new();
    let mut options = Options { harness, dir: dir.path(), help: BTreeMap::new() };
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        new.push_str(line);
        new.push('\n');
        if !line.starts_with("```") {
            problems.extend(
                spans(line)
                    .filter_map(|span| options.problem(span).transpose())
                    .collect::<Result<Vec<_>, _>>()?,
            );
            continue;
        }
        let block: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
        if block.first().is_some_and(|line| line.starts_with(PROMPT)) {
            for (command, printed) in commands(&block) {
                let shown = output_of(harness, command, dir.path())?;
                new.push_str(&format!("{command}\n"));
                if comparable(command, &shown, dir.path()) == comparable(command, &printed, dir.path()) {
                    new.push_str(&ended(&printed));
                } else {
                    let diff = similar::TextDiff::from_lines(&printed, &shown).unified_diff().to_string();
                    problems.push(format!("`{command}` prints something else:\n{diff}"));
                    new.push_str(&ended(&shown));
                }
            }
        } else {
            let alone = block.iter().filter(|line| is_command(line));
            problems.extend(alone.map(|line| {
                format!(
                    "`{}` is not run: write `$ raddle ...` at the start of a block, and what it prints",
                    line.trim()
                )
            }));
            block.iter().for_each(|line| new.push_str(&format!("{line}\n")));
        }
        new.push_str("```\n");
    }
    if harness.bless && new != text {
        return fs::write(document, new).map_err(|error| format!("cannot write it: {error}"));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// The commands of a block, each with the text that follows it.
fn commands<'t>(block: &[&'t str]) -> Vec<(&'t str, String)> {
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in block {
        match found.last_mut() {
            Some((_, printed)) if !line.starts_with(PROMPT) => printed.push(line),
            _ => found.push((line, Vec::new())),
        }
    }
    found.into_iter().map(|(command, printed)| (command, printed.join("\n"))).collect()
}

/// Whether a line of a block for shells is a command of ours.
fn is_command(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let command = words.find(|word| !word.contains('=')).unwrap_or_default();
    command == "raddle" || command.ends_with("/raddle")
}

fn ended(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{text}\n") }
}

fn output_of(harness: &Harness, command: &str, dir: &Path) -> Result<String, String> {
    let words = command.strip_prefix(PROMPT).unwrap_or(command);
    let arguments = shlex::split(words).ok_or_else(|| format!("cannot split `{command}`"))?;
    let output = process::run(&harness.binary, &arguments, dir, harness.time_limit)?;
    Ok(format!("{}{}", output.stdout, output.stderr).trim_end().to_owned())
}

/// What is the same each time.
fn comparable(command: &str, text: &str, dir: &Path) -> String {
    let text = normalise(text, dir);
    // What a real program does differs from run to run.
    let real = ["$ raddle record ", "$ raddle trace "].iter().any(|start| command.starts_with(start))
        || (command.starts_with("$ raddle replay ") && command.contains(".trace"));
    if !real {
        return text;
    }
    // Who waits for whom is a matter of speed, too.
    let rules = [(r"0x[0-9a-f]+|[0-9]+", "N"), (", N (?:turn|waits)", ""), (r"(?m)^ *N  waits .*\n", "")];
    rules.iter().fold(text, |text, (pattern, new)| match Regex::new(pattern) {
        Ok(pattern) => pattern.replace_all(&text, *new).into_owned(),
        Err(_) => text,
    })
}

/// The parts of a line of text that are set as code and are commands of ours.
fn spans(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2).filter(|span| span.starts_with("raddle "))
}

/// The options of each command, as its help tells them.
struct Options<'h> {
    harness: &'h Harness,
    dir: &'h Path,
    help: BTreeMap<String, String>,
}

impl Options<'_> {
    /// What is wrong with a command in the text, if something is.
    fn problem(&mut self, span: &str) -> Result<Option<String>, String> {
        let mut words = span.split(|c: char| c.is_whitespace() || c == '=').skip(1);
        let Some(command) = words.next().filter(|word| word.chars().all(|c| c.is_ascii_lowercase())) else {
            return Ok(None);
        };
        // These take the options of clang.
        if command == "cc" {
            return Ok(None);
        }
        if !self.help.contains_key(command) {
            let arguments = [command.to_owned(), "--help".to_owned()];
            let output = process::run(&self.harness.binary, &arguments, self.dir, self.harness.time_limit)?;
            self.help.insert(
                command.to_owned(),
                if output.exit_code == 0 { output.stdout } else { String::new() },
            );
        }
        let help = &self.help[command];
        if help.is_empty() {
            return Ok(Some(format!("`{span}`: there is no command `{command}`")));
        }
        let known = |option: &str| {
            help.split(|c: char| c.is_whitespace() || c == ',' || c == '=').any(|word| word == option)
        };
        let options = words.take_while(|word| *word != "--").filter(|word| word.starts_with("--"));
        let unknown: Vec<&str> =
            options.map(|word| word.trim_end_matches(['.', ',', ')'])).filter(|word| !known(word)).collect();
        Ok((!unknown.is_empty())
            .then(|| format!("`{span}`: `raddle {command}` has no {}", unknown.join(", "))))
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_several_commands() {
        let block = ["$ raddle a", "$ raddle b", "one", "", "two", "$ raddle c", "three"];
        let found = commands(&block);
        let expected = [("$ raddle a", ""), ("$ raddle b", "one\n\ntwo"), ("$ raddle c", "three")];
        assert_eq!(found, expected.map(|(command, printed)| (command, printed.to_owned())));
    }

    #[test]
    fn commands_that_are_not_run_are_found() {
        for line in ["raddle check a.c", "  target/release/raddle check a.c", "CC=clang raddle check a.c"] {
            assert!(is_command(line), "{line}");
        }
        for line in ["CC=\"raddle cc\" make", "run: raddle check a.c", "raddle: a message", "x = raddle"] {
            assert!(!is_command(line), "{line}");
        }
    }

    #[test]
    fn numbers_of_real_runs_may_differ() {
        let same = |command: &str| {
            comparable(command, "read 0x7f3a (4), 12 events", Path::new("/tmp/t"))
                == comparable(command, "read 0x55 (8), 9 events", Path::new("/tmp/t"))
        };
        assert!(same("$ raddle trace a.trace"));
        let waits = comparable("$ raddle trace a", "1 sync, 2 turn, 1 waits", Path::new("/tmp/t"));
        assert_eq!(waits, "N sync");
        assert!(same("$ raddle replay a.trace"));
        assert!(!same("$ raddle replay w.json"));
        assert!(!same("$ raddle predict a.c"));
    }
}
