//! The old regression tests of bam: `test/old/regressions`, from the time when it was called c2s.
//!
//! A program says in comments how c2s ran it and what it expects: `@c2s-options --rounds 3`, `@c2s-expected Verified`.
//! With R rounds, each task can be delayed R - 1 times; `--delays` bounds the delays of all tasks. So an expected violation
//! is looked for with R + 1 delays in all, of which no task may have more than R - 1. Tasks are switched only at
//! `assume {:yield} true`. `--unroll N` bounds loops.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use walkdir::WalkDir;

use super::{Expected, Subject, is_concurrent};

const FOLDER: &str = "test/old/regressions";

/// The concurrent programs of a checkout; nothing if it is none of bam.
pub(super) fn find(checkout: &Path) -> Result<Option<Vec<Subject>>> {
    let folder = checkout.join(FOLDER);
    if !folder.is_dir() {
        return Ok(None);
    }
    let mut subjects = Vec::new();
    for entry in WalkDir::new(&folder).sort_by_file_name() {
        let entry = entry.with_context(|| format!("cannot read `{}`", folder.display()))?;
        if entry.path().extension().is_none_or(|extension| extension != "bpl") {
            continue;
        }
        let text = fs::read_to_string(entry.path())
            .with_context(|| format!("cannot read `{}`", entry.path().display()))?;
        if is_concurrent(&text) {
            let file = entry.path().strip_prefix(&folder).unwrap_or(entry.path());
            subjects.push(read(entry.path(), &file.display().to_string(), &text)?);
        }
    }
    Ok(Some(subjects))
}

fn read(path: &Path, file: &str, text: &str) -> Result<Subject> {
    let mut expected = Expected::Nothing;
    let mut bounds = Vec::new();
    let (mut rounds, mut delays, mut unroll) = (None, None, None);
    for line in text.lines() {
        if let Some((_, verdict)) = line.split_once("@c2s-expected ") {
            expected = match verdict.trim() {
                "Verified" => Expected::Correct,
                "Got a trace" => Expected::Violation,
                "timed out" => Expected::TimeOver,
                other => bail!("`{file}` expects `{other}`, which is unknown"),
            };
        } else if let Some((_, options)) = line.split_once("@c2s-options ") {
            let words: Vec<&str> = options.split_whitespace().collect();
            for pair in words.windows(2) {
                let bound = match pair[0] {
                    "--rounds" => &mut rounds,
                    "--delays" => &mut delays,
                    "--unroll" => &mut unroll,
                    _ => continue,
                };
                *bound = Some(pair[1].parse::<u32>().with_context(|| format!("`{options}` has no number"))?);
                bounds.push(format!("`{} {}`", pair[0], pair[1]));
            }
        }
    }
    Ok(Subject {
        name: format!("bam {file}"),
        path: path.to_owned(),
        appended: Vec::new(),
        entry: None,
        expected,
        bounds: if bounds.is_empty() { "-".to_owned() } else { bounds.join(" ") },
        delays: delays.unwrap_or(match (rounds, expected) {
            (Some(rounds @ 2..), Expected::Violation | Expected::TimeOver) => rounds + 1,
            (rounds, _) => rounds.unwrap_or(1).saturating_sub(1),
        }),
        per_task: rounds.filter(|_| delays.is_none()).map(|rounds| rounds.saturating_sub(1)),
        unroll,
        cooperative: true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_says_of_itself_is_read() {
        let of = |text: &str| read(Path::new("x.bpl"), "x.bpl", text).unwrap();
        let rounds =
            of("// @c2s-options --unroll 1\n// @c2s-options --rounds 3\n// @c2s-expected Verified\n");
        assert_eq!((rounds.expected, rounds.delays, rounds.unroll), (Expected::Correct, 2, Some(1)));
        assert_eq!(rounds.bounds, "`--unroll 1` `--rounds 3`");
        let delays = of("// @c2s-options --unroll 1 --delays 1 --rounds 3\n// @c2s-expected Got a trace\n");
        assert_eq!((delays.expected, delays.delays, delays.per_task), (Expected::Violation, 1, None));
        let wrong = of("// @c2s-options --rounds 3\n// @c2s-expected Got a trace\n");
        assert_eq!((wrong.delays, wrong.per_task), (4, Some(2)));
        assert_eq!((of("").expected, of("").delays), (Expected::Nothing, 0));
        assert!(read(Path::new("x"), "x", "// @c2s-expected Maybe").is_err());
    }
}
