//! Corral's regression tests: `test/regression`.
//!
//! `Files` has a line for each program: its path, with backslashes, and `c` (correct) or `b` (has a bug). The file
//! `config` beside the program has Corral's options. `/k:N` lets every thread run N times, in rounds. A thread that is
//! interrupted N - 1 times has N - 1 delays here, and so does one that waits for it to go on; hence 2N - 1, one to spare.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::{Expected, Subject, is_concurrent};

const FOLDER: &str = "test/regression";
/// How often Corral goes round loops, and into recursion, unless it is told otherwise: "Using default recursion bound of 1".
const DEFAULT_RECURSION_BOUND: u32 = 1;

/// The concurrent programs of a checkout; nothing if it is none of Corral.
pub(super) fn find(checkout: &Path) -> Result<Option<Vec<Subject>>> {
    let folder = checkout.join(FOLDER);
    let list = folder.join("Files");
    if !list.exists() {
        return Ok(None);
    }
    let list = fs::read_to_string(&list).with_context(|| format!("cannot read `{}`", list.display()))?;
    let mut subjects = Vec::new();
    for line in list.lines().filter(|line| !line.trim().is_empty()) {
        let (file, expected) = parse_line(line)?;
        let path = folder.join(&file);
        let config = path.with_file_name("config");
        let config =
            fs::read_to_string(&config).with_context(|| format!("cannot read `{}`", config.display()))?;
        let mut subject = Subject {
            name: format!("corral {file}"),
            path,
            appended: Vec::new(),
            entry: None,
            expected,
            bounds: String::new(),
            delays: 1,
            per_task: None,
            unroll: Some(DEFAULT_RECURSION_BOUND),
            cooperative: false,
        };
        configure(&mut subject, &config)?;
        let mut texts = std::iter::once(&subject.path).chain(&subject.appended).map(fs::read_to_string);
        if texts.any(|text| text.is_ok_and(|text| is_concurrent(&text))) {
            subjects.push(subject);
        }
    }
    Ok(Some(subjects))
}

fn parse_line(line: &str) -> Result<(String, Expected)> {
    let mut words = line.split_whitespace();
    let expected = match (words.next(), words.next()) {
        (Some(file), Some("c")) => (file, Expected::Correct),
        (Some(file), Some("b")) => (file, Expected::Violation),
        _ => bail!("`{line}` in Corral's list is not a file and `c` or `b`"),
    };
    Ok((expected.0.replace('\\', "/"), expected.1))
}

/// Reads the options that matter here.
fn configure(subject: &mut Subject, config: &str) -> Result<()> {
    let mut bounds = Vec::new();
    for option in config.split_whitespace() {
        let (name, value) = option.split_once(':').unwrap_or((option, ""));
        let number = || value.parse::<u32>().with_context(|| format!("`{option}` has no number"));
        match name {
            "/k" => subject.delays = (2 * number()?).saturating_sub(1),
            "/recursionBound" | "/maxStaticLoopBound" => subject.unroll = Some(number()?),
            "/cooperative" => subject.cooperative = true,
            "/main" => subject.entry = Some(value.to_owned()),
            "/concat" => subject.appended.push(subject.path.with_file_name(value)),
            _ => continue,
        }
        if !matches!(name, "/main" | "/concat") {
            bounds.push(format!("`{option}`"));
        }
    }
    subject.bounds = if bounds.is_empty() { "-".to_owned() } else { bounds.join(" ") };
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkout_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = dir.path().join(FOLDER).join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        assert!(find(dir.path()).unwrap().is_none());
        write("Files", "1\\a.bpl c\r\n1\\seq.bpl b\r\n2\\b.bpl b \r\n");
        write("1/config", "/k:2\r\n/main:start\r\n");
        write("1/a.bpl", "async call p();");
        write("1/seq.bpl", "call p();");
        write("2/config", "/cooperative /k:3 /recursionBound:1 /concat:c.bpl");
        write("2/b.bpl", "");
        write("2/c.bpl", "async call q();");
        let found = find(dir.path()).unwrap().unwrap();
        let [first, second] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(
            (first.name.as_str(), first.expected, first.delays),
            ("corral 1/a.bpl", Expected::Correct, 3)
        );
        assert_eq!((first.entry.as_deref(), first.bounds.as_str()), (Some("start"), "`/k:2`"));
        assert_eq!(first.unroll, Some(DEFAULT_RECURSION_BOUND));
        assert_eq!((second.expected, second.delays, second.unroll), (Expected::Violation, 5, Some(1)));
        assert!(second.cooperative && second.appended[0].ends_with("2/c.bpl"));
        assert!(parse_line("x.bpl maybe").is_err());
    }
}
