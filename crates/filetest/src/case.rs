//! A test that is a program: runs `raddle` on it as its directives say.
//!
//! Every run happens in a fresh folder that holds a copy of the file, so that output files leave no trace and messages
//! name the file without its path. The human output goes into the expectation; the verdict, kinds and lines of the
//! directives are checked against a second run with `--format json`.

use std::fs;
use std::path::Path;

use crate::directive::{self, Expectation, Expected, Run};
use crate::outcome::Outcome;
use crate::process::{self, Output};
use crate::{Harness, expectation};

/// Runs the test; the error holds everything that is wrong with it.
pub(crate) fn run(harness: &Harness, path: &Path) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|error| format!("cannot read the test: {error}"))?;
    let directives = directive::parse(&text)?;
    let mut transcript = Vec::new();
    let mut problems = Vec::new();
    for run in &directives.runs {
        let expectations: Vec<&Expectation> = directives
            .expectations
            .iter()
            .filter(|expectation| run.is_in(expectation.scope.as_deref()))
            .collect();
        let (record, found) = run_once(harness, path, run, &expectations)?;
        transcript.push(record);
        let shown = process::shlex_join(&run.arguments);
        problems.extend(found.into_iter().map(|problem| format!("{shown}: {problem}")));
    }
    if let Err(problem) = expectation::compare(path, &transcript.join("\n"), harness.bless) {
        problems.push(problem);
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// One run: what to write down, and what is wrong.
fn run_once(
    harness: &Harness,
    path: &Path,
    run: &Run,
    expectations: &[&Expectation],
) -> Result<(String, Vec<String>), String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let arguments = with_file(&run.arguments, &name);
    let (dir, output) = execute(harness, path, &arguments)?;
    let record = expectation::record(&process::shlex_join(&arguments), &output, dir.path());
    let mut problems = Vec::new();
    for expectation in expectations {
        if let Expected::Exit(code) = expectation.expected
            && code != output.exit_code
        {
            problems
                .push(format!("line {}: exit code is {}, not {code}", expectation.line, output.exit_code));
        }
    }
    if expectations.iter().any(|e| !matches!(e.expected, Expected::Exit(_))) {
        let json = if arguments.iter().any(|argument| argument.starts_with("--format")) {
            output
        } else {
            let (command, options) = arguments.split_at(1);
            let format = ["--format".to_owned(), "json".to_owned()];
            let (_dir, json) = execute(harness, path, &[command, &format, options].concat())?;
            if json.exit_code != output.exit_code {
                let codes = (output.exit_code, json.exit_code);
                problems.push(format!("exit code is {}, but {} with `--format json`", codes.0, codes.1));
            }
            json
        };
        match Outcome::parse(&json.stdout) {
            Ok(outcome) => problems.extend(outcome.compare(expectations)),
            Err(problem) => problems.push(format!("{problem}{}", json.stderr)),
        }
    }
    Ok((record, problems))
}

/// Puts the file's name where `FILE` stands, or last; but before `--`, after which the program's own arguments begin.
fn with_file(arguments: &[String], name: &str) -> Vec<String> {
    let mut arguments = arguments.to_vec();
    let mut found = false;
    for argument in arguments.iter_mut().filter(|argument| *argument == "FILE") {
        name.clone_into(argument);
        found = true;
    }
    if !found {
        let end = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
        arguments.insert(end, name.to_owned());
    }
    arguments
}

/// Runs the program in a fresh folder with a copy of the file.
fn execute(
    harness: &Harness,
    path: &Path,
    arguments: &[String],
) -> Result<(tempfile::TempDir, Output), String> {
    let prepare = || {
        let dir = tempfile::tempdir()?;
        fs::copy(path, dir.path().join(path.file_name().unwrap_or_default()))?;
        Ok(dir)
    };
    let dir = prepare().map_err(|error: std::io::Error| format!("cannot prepare a folder: {error}"))?;
    let output = process::run(&harness.binary, arguments, dir.path(), harness.time_limit)?;
    Ok((dir, output))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_comes_last_unless_it_is_placed() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(with_file(&words("explore -q"), "a.bpl"), words("explore -q a.bpl"));
        assert_eq!(with_file(&words("x FILE -o out"), "a.bpl"), words("x a.bpl -o out"));
        assert_eq!(with_file(&words("record -- 1 2"), "a.c"), words("record a.c -- 1 2"));
    }
}
