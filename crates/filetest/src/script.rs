//! A test that is a list of command lines, for everything that is not about one program: wrong arguments, wrong inputs,
//! help, several commands in a row.
//!
//! `#@ file: NAME = INPUT` creates an input (see [`crate::input`]); `$ raddle ...` runs the program; a line that starts
//! with `#` is a comment. All commands of a test share one fresh folder. Exit codes and output are in the expectation.

use std::fs;
use std::path::Path;

use crate::input::Input;
use crate::{Harness, expectation, process};

/// A script, read.
#[derive(Debug, Default, PartialEq, Eq)]
struct Script {
    inputs: Vec<(String, Input)>,
    /// The arguments of each command.
    commands: Vec<Vec<String>>,
}

/// Runs the test; the error holds everything that is wrong with it.
pub(crate) fn run(harness: &Harness, path: &Path) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|error| format!("cannot read the test: {error}"))?;
    let script = parse(&text)?;
    let dir = tempfile::tempdir().map_err(|error| format!("cannot create a folder: {error}"))?;
    for (name, input) in &script.inputs {
        input.create(&dir.path().join(name)).map_err(|error| format!("cannot create `{name}`: {error}"))?;
    }
    let mut transcript = Vec::new();
    for arguments in &script.commands {
        let output = process::run(&harness.binary, arguments, dir.path(), harness.time_limit)?;
        transcript.push(expectation::record(&process::shlex_join(arguments), &output, dir.path()));
    }
    expectation::compare(path, &transcript.join("\n"), harness.bless)
}

/// Reads the test without running it.
pub(crate) fn check_syntax(text: &str) -> Result<(), String> {
    parse(text).map(drop)
}

fn parse(text: &str) -> Result<Script, String> {
    let mut script = Script::default();
    for (index, line) in text.lines().enumerate() {
        parse_line(line.trim(), &mut script).map_err(|problem| format!("line {}: {problem}", index + 1))?;
    }
    if script.commands.is_empty() {
        return Err("no command; a test has at least one line `$ raddle ...`".to_owned());
    }
    Ok(script)
}

fn parse_line(line: &str, script: &mut Script) -> Result<(), String> {
    if let Some(directive) = line.strip_prefix("#@") {
        let (key, value) = directive.split_once(':').ok_or("a directive is `#@ key: value`")?;
        if key.trim() != "file" {
            return Err(format!("unknown directive `{}`; known is file", key.trim()));
        }
        let (name, input) = value.split_once('=').ok_or("an input is `#@ file: NAME = INPUT`")?;
        let name = name.trim();
        if name.is_empty() || name.contains('/') || name.starts_with("..") {
            return Err(format!("`{name}` is not the plain name of a file"));
        }
        if script.inputs.iter().any(|(other, _)| other == name) {
            return Err(format!("there already is a file `{name}`"));
        }
        script.inputs.push((name.to_owned(), Input::parse(input)?));
        return Ok(());
    }
    if line.is_empty() || line.starts_with('#') {
        return Ok(());
    }
    let command = line.strip_prefix("$ ").ok_or("a line is a command `$ raddle ...` or a comment `# ...`")?;
    let mut words = shlex::split(command).ok_or("a quote is not closed")?.into_iter();
    if words.next().as_deref() != Some("raddle") {
        return Err("a command starts with `raddle`; there is no shell here".to_owned());
    }
    script.commands.push(words.collect());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_read() {
        let script =
            parse("# Empty input.\n#@ file: a.bpl = empty\n\n$ raddle explore a.bpl\n$ raddle 'a b'\n")
                .unwrap();
        assert_eq!(script.inputs, [("a.bpl".to_owned(), Input::File(Vec::new()))]);
        assert_eq!(script.commands, [vec!["explore", "a.bpl"], vec!["a b"]]);
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let problem = |text: &str| parse(text).unwrap_err();
        assert_eq!(problem("# nothing"), "no command; a test has at least one line `$ raddle ...`");
        assert_eq!(problem("\n$ rm -rf x"), "line 2: a command starts with `raddle`; there is no shell here");
        assert_eq!(problem("#@ color: red"), "line 1: unknown directive `color`; known is file");
        assert_eq!(problem("#@ file: ../x = empty"), "line 1: `../x` is not the plain name of a file");
        assert_eq!(problem("#@ file: a = empty\n#@ file: a = empty"), "line 2: there already is a file `a`");
        assert_eq!(problem("raddle x"), "line 1: a line is a command `$ raddle ...` or a comment `# ...`");
    }
}
