//! What clang would do: the commands that `clang -###` lists. So nobody but clang has to know what its options mean.

use std::ffi::{OsStr, OsString};
use std::io::IsTerminal;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Options with which clang runs nothing.
const DRY: &[&str] = &["-###", "-fdriver-only"];

/// How lines start that clang always prints before its commands; without `-v`, nobody wants to see them.
const HEADINGS: &[&str] = &[
    "Target: ",
    "Thread model: ",
    "InstalledDir: ",
    "Build config: ",
    "Configuration file: ",
    "Found candidate GCC installation: ",
    "Selected GCC installation: ",
    "Candidate multilib: ",
    "Selected multilib: ",
    " (in-process)",
];

/// One thing that clang says or does.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A message of its own.
    Said(Vec<u8>),
    /// What only `-v` shows.
    Heading(Vec<u8>),
    /// A command that it would run: the program and its arguments.
    Job(Vec<OsString>),
}

/// What clang would do; its temporary files would be in `scratch`. Nothing if it refuses, or only answers a question.
pub(super) fn of(
    clang: &OsStr,
    arguments: &[OsString],
    scratch: &Path,
) -> std::io::Result<Option<Vec<Line>>> {
    if arguments.iter().any(|argument| DRY.iter().any(|dry| argument == dry)) {
        return Ok(None);
    }
    let mut command = Command::new(clang);
    command.arg("-###").env("TMPDIR", scratch).stdin(Stdio::null());
    if std::io::stderr().is_terminal() {
        // It does not see the terminal. Who wants no colours says so later.
        command.arg("-fcolor-diagnostics");
    }
    let output = command.args(arguments).output()?;
    let lines = lines(&output.stderr);
    let acts = output.status.success() && lines.iter().any(|line| matches!(line, Line::Job(_)));
    Ok(acts.then_some(lines))
}

/// A command as clang shows it with `-v`.
pub(super) fn shown(job: &[OsString]) -> Vec<u8> {
    let mut text = Vec::new();
    for (at, word) in job.iter().enumerate() {
        text.push(b' ');
        let word = word.as_encoded_bytes();
        // The program always has quotes.
        if at > 0 && !word.iter().any(|byte| b" \"\\$".contains(byte)) {
            text.extend(word);
        } else {
            quote(word, &mut text);
        }
    }
    text.push(b'\n');
    text
}

/// A word in quotes, as clang writes it, and reads it from files of arguments.
pub(super) fn quote(word: &[u8], text: &mut Vec<u8>) {
    text.push(b'"');
    for byte in word {
        if b"\"\\$".contains(byte) {
            text.push(b'\\');
        }
        text.push(*byte);
    }
    text.push(b'"');
}

fn lines(mut text: &[u8]) -> Vec<Line> {
    let mut lines = Vec::new();
    while !text.is_empty() {
        if text.starts_with(b" \"") {
            let (job, rest) = job(text);
            lines.push(Line::Job(job));
            text = rest;
            continue;
        }
        let end = text.iter().position(|byte| *byte == b'\n').map_or(text.len(), |at| at + 1);
        let (line, rest) = text.split_at(end);
        text = rest;
        let is_heading = HEADINGS.iter().any(|start| line.starts_with(start.as_bytes()))
            || String::from_utf8_lossy(line).contains("clang version ");
        lines.push(if is_heading { Line::Heading(line.to_vec()) } else { Line::Said(line.to_vec()) });
    }
    lines
}

/// The words of a command, which are in quotes, and what comes after its line.
fn job(text: &[u8]) -> (Vec<OsString>, &[u8]) {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut bytes = text.iter().enumerate();
    while let Some((at, &byte)) = bytes.next() {
        match (byte, &mut word) {
            (b'\\', Some(word)) => word.extend(bytes.next().map(|(_, next)| *next)),
            (b'"', Some(_)) => words.extend(word.take().map(OsString::from_vec)),
            (_, Some(word)) => word.push(byte),
            (b'"', None) => word = Some(Vec::new()),
            (b'\n', None) => return (words, &text[at + 1..]),
            (_, None) => {}
        }
    }
    (words, &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"Debian clang version 19.1.7 (3)
Target: x86_64-pc-linux-gnu
clang: warning: -lm: 'linker' input unused [-Wunused-command-line-argument]
 (in-process)
 \"/usr/bin/clang\" \"-cc1\" \"-D\" \"A=\\\"a b\\\"\" \"\" \"a\nb\\\\\" \"c.c\"
 \"/usr/bin/ld\" \"-o\" \"\\$x y\"
";

    #[test]
    fn commands_are_told_from_messages() {
        let lines = lines(TEXT);
        let job = |words: &[&str]| Line::Job(words.iter().map(OsString::from).collect());
        assert!(matches!(lines[..2], [Line::Heading(_), Line::Heading(_)]), "{lines:?}");
        assert!(matches!(lines[2..4], [Line::Said(_), Line::Heading(_)]), "{lines:?}");
        let expected = [
            job(&["/usr/bin/clang", "-cc1", "-D", "A=\"a b\"", "", "a\nb\\", "c.c"]),
            job(&["/usr/bin/ld", "-o", "$x y"]),
        ];
        assert_eq!(lines[4..], expected);
    }

    #[test]
    fn commands_are_shown_as_clang_shows_them() {
        let words = ["/usr/bin/ld", "-o", "a b", "c\\d", "-L/usr/lib"].map(OsString::from);
        let expected = " \"/usr/bin/ld\" -o \"a b\" \"c\\\\d\" -L/usr/lib\n";
        assert_eq!(String::from_utf8_lossy(&shown(&words)), expected);
    }
}
