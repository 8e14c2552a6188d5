//! The `.expect` file: what all runs of a test print, in a form that people read and compare.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use similar::TextDiff;

use crate::normalise::normalise;
use crate::process::Output;

/// Writes one run down: the command line, the exit code, and each channel that is not empty.
pub(crate) fn record(command: &str, output: &Output, dir: &Path) -> String {
    let mut text = format!("$ {command}\nexit code: {}\n", output.exit_code);
    for (channel, content) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        if content.is_empty() {
            continue;
        }
        let content = normalise(content, dir);
        let end = if content.ends_with('\n') { "" } else { "\n(no newline at the end)\n" };
        // Writing to a string cannot fail.
        let _ = write!(text, "--- {channel}\n{content}{end}");
    }
    text
}

/// Compares with the file beside the test, or writes it.
pub(crate) fn compare(test: &Path, actual: &str, bless: bool) -> Result<(), String> {
    let path = test.with_extension("expect");
    if bless {
        if fs::read_to_string(&path).is_ok_and(|expected| expected == actual) {
            return Ok(());
        }
        let written = path.with_extension("expect.tmp");
        return fs::write(&written, actual)
            .and_then(|()| fs::rename(&written, &path))
            .map_err(|error| format!("cannot write `{}`: {error}", path.display()));
    }
    let expected = fs::read_to_string(&path).map_err(|error| {
        format!("cannot read `{}`: {error}; BLESS=1 writes it. The output is:\n{actual}", path.display())
    })?;
    if expected == actual {
        return Ok(());
    }
    let diff = TextDiff::from_lines(expected.as_str(), actual);
    let shown = diff.unified_diff().context_radius(3).header("expected", "actual").to_string();
    Err(format!("the output differs from `{}`; BLESS=1 accepts it\n{shown}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_written_down() {
        let output = Output { exit_code: 1, stdout: "took 3 ms".to_owned(), stderr: String::new() };
        assert_eq!(
            record("raddle explore a.bpl", &output, Path::new("/x")),
            "$ raddle explore a.bpl\nexit code: 1\n--- stdout\ntook <time>\n(no newline at the end)\n"
        );
    }

    #[test]
    fn comparing_and_blessing() {
        let dir = tempfile::tempdir().unwrap();
        let test = dir.path().join("a.bpl");
        assert!(compare(&test, "one\n", false).unwrap_err().contains("BLESS=1 writes it"));
        compare(&test, "one\n", true).unwrap();
        compare(&test, "one\n", false).unwrap();
        let problem = compare(&test, "two\n", false).unwrap_err();
        assert!(problem.contains("-one\n+two\n"), "{problem}");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
