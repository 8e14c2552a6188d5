//! `cargo xtask corpus predict`: pairs of public C programs, one with a bug and one without, and what is predicted from one run.
//!
//! The programs are those of sctbench (mc-imperial/sctbench) in benchmarks/concurrent-software-benchmarks. From one run, the bug of
//! the first should be predicted if it is in the events of that run. Of the second, no assertion may be said to fail, and
//! no deadlock to happen. Races and divided updates are in some of the second ones, too, so they are told but not judged.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::answer::{self, Answer, Reply, Said};
use crate::bench::table;
use crate::{page, setup};

/// Command-line options.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// A checkout of mc-imperial/sctbench, or its folder benchmarks/concurrent-software-benchmarks
    folder: PathBuf,
    /// Seconds for each program: its run may take as long, and the prediction as long again
    #[arg(long, value_name = "S", default_value_t = 20.0)]
    timeout: f64,
    /// Only programs whose name contains this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Run this binary instead of building one
    #[arg(long, value_name = "FILE")]
    raddle: Option<PathBuf>,
    /// Write the table to this file too
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

const FOLDER: &str = "benchmarks/concurrent-software-benchmarks";
/// How names of programs end, and whether those have a bug.
const ENDINGS: &[(&str, bool)] = &[("_bad", true), ("_ok", false), ("_sat", true), ("_unsat", false)];
/// How many other runs of the interpreter are made if the recorded one goes wrong: one under its usual scheduler, and random ones.
const OTHERS: u32 = 10;
/// What is wrong with a program if it happens.
const ERRORS: &[&str] = &["assertion", "deadlock", "memory"];

/// A program.
#[derive(Debug)]
struct Subject {
    name: String,
    path: PathBuf,
    has_bug: bool,
}

/// Runs the programs and prints the table.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut subjects = find(&options.folder)?;
    subjects.retain(|subject| options.only.as_ref().is_none_or(|part| subject.name.contains(part.as_str())));
    if subjects.is_empty() {
        bail!("`{}` has no such programs", options.folder.display());
    }
    let raddle = setup::raddle(options.raddle.as_deref())?;
    let mut rows = Vec::new();
    for subject in subjects {
        eprintln!("corpus: {}", subject.name);
        let row = first_good(&raddle, &subject, options.timeout)?;
        rows.push((subject, row));
    }
    page::publish(&report(options.timeout, &rows), options.output.as_deref())?;
    let wrong = rows.iter().filter(|(subject, row)| row.ours.is_false_alarm(subject.has_bug));
    let wrong: Vec<&str> = wrong.map(|(subject, _)| subject.name.as_str()).collect();
    if !wrong.is_empty() {
        bail!("false alarms: {}", wrong.join(", "));
    }
    Ok(())
}

/// What came out, and from which run.
#[derive(Debug)]
struct Row {
    ours: Ours,
    run: String,
    seconds: f64,
}

/// Predicts from a recorded run. If that itself goes wrong, from the first good one of some random ones, if there is one.
fn first_good(raddle: &Path, subject: &Subject, timeout: f64) -> Result<Row> {
    let mut first: Option<Row> = None;
    for seed in 0..=OTHERS {
        let mut command = Command::new(raddle);
        command.args(["predict", "--format", "json", "--timeout", &timeout.to_string()]);
        let run = match seed {
            0 => "recorded".to_owned(),
            1 => {
                command.arg("--simulate");
                "simulated".to_owned()
            }
            _ => {
                command.args(["--seed", &seed.to_string()]);
                format!("seed {seed}")
            }
        };
        let reply = answer::ask(command.arg(&subject.path), 10.0 * timeout + 60.0)?;
        let row = Row { ours: Ours::read(&reply), run, seconds: reply.seconds };
        let is_bad = matches!(&reply.said, Said::Answer(answer) if is_bad(answer));
        if !is_bad {
            return Ok(row);
        }
        first.get_or_insert(Row { run: format!("{}, itself bad", row.run), ..row });
    }
    first.with_context(|| format!("`{}` was not run", subject.name))
}

/// Whether the run itself goes wrong.
fn is_bad(answer: &Answer) -> bool {
    is_noted(answer, "the run itself ends")
}

fn is_noted(answer: &Answer, text: &str) -> bool {
    let notes = answer.prediction.iter().flat_map(|prediction| &prediction.notes);
    notes.into_iter().any(|note| note.contains(text))
}

fn find(folder: &Path) -> Result<Vec<Subject>> {
    let inner = folder.join(FOLDER);
    let folder = if inner.is_dir() { inner } else { folder.to_owned() };
    let entries =
        std::fs::read_dir(&folder).with_context(|| format!("cannot read `{}`", folder.display()))?;
    let mut subjects = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".c")) else {
            continue;
        };
        if let Some((_, has_bug)) = ENDINGS.iter().find(|(ending, _)| name.ends_with(ending)) {
            subjects.push(Subject { name: name.to_owned(), path: path.clone(), has_bug: *has_bug });
        }
    }
    subjects.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(subjects)
}

/// What raddle says.
#[derive(Debug)]
enum Ours {
    /// Violations of these kinds, each once, and whether an assertion or a deadlock needs events that the run does not have.
    Violations {
        kinds: Vec<String>,
        beyond: bool,
    },
    None,
    /// The reason.
    Unknown(String),
    Refused(String),
}

impl Ours {
    fn read(reply: &Reply) -> Self {
        match &reply.said {
            Said::Nothing => Ours::Unknown("it did not stop at its time limit".to_owned()),
            Said::Refusal(why) => Ours::Refused(why.clone()),
            Said::Answer(answer) => Ours::of(answer),
        }
    }

    fn of(answer: &Answer) -> Self {
        let mut kinds: Vec<String> =
            answer.violations.iter().map(|violation| violation.kind.clone()).collect();
        kinds.sort();
        kinds.dedup();
        match answer.verdict.as_str() {
            _ if !kinds.is_empty() => {
                Ours::Violations { kinds, beyond: is_noted(answer, "has events that the run does not have") }
            }
            "none" => Ours::None,
            _ => Ours::Unknown(answer.reason().to_owned()),
        }
    }

    fn has_error(&self) -> bool {
        matches!(self, Ours::Violations { kinds, .. } if kinds.iter().any(|kind| ERRORS.contains(&kind.as_str())))
    }

    fn is_false_alarm(&self, has_bug: bool) -> bool {
        !has_bug && self.has_error()
    }

    fn shown(&self) -> String {
        match self {
            Ours::Violations { kinds, beyond: false } => kinds.join(", "),
            Ours::Violations { kinds, beyond: true } => {
                format!("{}; beyond the events of the run", kinds.join(", "))
            }
            Ours::None => "none".to_owned(),
            Ours::Unknown(why) => format!("unknown: {}", why.replace('|', "\\|")),
            Ours::Refused(why) => format!("refused: {}", why.replace('|', "\\|")),
        }
    }

    fn judged(&self, has_bug: bool) -> &'static str {
        match (self, has_bug) {
            (Ours::Violations { .. }, true) => "found",
            (_, true) => "missed",
            _ if self.has_error() => "**FALSE ALARM**",
            (Ours::Unknown(_) | Ours::Refused(_), false) => "undecided",
            (_, false) => "right",
        }
    }
}

impl Row {
    fn judged(&self, has_bug: bool) -> &'static str {
        match self.ours.judged(has_bug) {
            "found" if self.run.ends_with("bad") => "seen",
            judged => judged,
        }
    }
}

const HEADER: &[&str] = &["program", "has a bug", "run", "predicted", "judgement", "seconds"];

fn report(timeout: f64, rows: &[(Subject, Row)]) -> String {
    let judged =
        |wanted: &str| rows.iter().filter(|(subject, row)| row.judged(subject.has_bug) == wanted).count();
    let bugs = rows.iter().filter(|(subject, ..)| subject.has_bug).count();
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|(subject, row)| {
            vec![
                format!("`{}`", subject.name),
                if subject.has_bug { "yes" } else { "no" }.to_owned(),
                row.run.clone(),
                row.ours.shown(),
                row.judged(subject.has_bug).to_owned(),
                table::number(row.seconds, 1),
            ]
        })
        .collect();
    format!(
        "# Pairs of public C programs, with a bug and without\n\n\
         This page is made by `cargo xtask corpus predict SCTBENCH --output FILE`, where `SCTBENCH` is a checkout of\n\
         mc-imperial/sctbench. It runs [`raddle predict`](predict.md) on the programs of `{FOLDER}`:\n\
         each is compiled, run and recorded, and that run is predicted from, for at most {timeout} seconds each. If the run itself \
         goes wrong,\nthe first good one of {OTHERS} other runs of the interpreter is taken instead; where all are bad, the bug is seen and not \
         predicted. What a\nrun does depends on the machine, so another run may show more or less. Why some bugs are missed is told in\n\
         [its page](predict.md#bugs-that-one-run-does-not-show).\n\n\
         {} programs. Of {bugs} with a bug: {} found from a good run, {} seen, {} missed. Of {} without: {} right, {} undecided, {} FALSE ALARMS.\n\n{}",
        rows.len(),
        judged("found"),
        judged("seen"),
        judged("missed"),
        rows.len() - bugs,
        judged("right"),
        judged("undecided"),
        judged("**FALSE ALARM**"),
        table::markdown(HEADER, &cells)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(kinds: &[&str]) -> Ours {
        Ours::Violations { kinds: kinds.iter().map(|kind| (*kind).to_owned()).collect(), beyond: false }
    }

    #[test]
    fn only_errors_are_false_alarms() {
        assert_eq!(found(&["race"]).judged(false), "right");
        assert_eq!(found(&["race", "deadlock"]).judged(false), "**FALSE ALARM**");
        assert_eq!(found(&["race"]).judged(true), "found");
        assert_eq!(Ours::None.judged(true), "missed");
        assert_eq!(Ours::Unknown(String::new()).judged(false), "undecided");
    }

    #[test]
    fn programs_are_found_by_their_names() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a_ok.c", "a_bad.c", "b_unsat.c", "b_sat.c", "c_bad.c.skip", "common.inc"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let found = find(folder.path()).unwrap();
        let shown: Vec<(&str, bool)> =
            found.iter().map(|subject| (subject.name.as_str(), subject.has_bug)).collect();
        assert_eq!(shown, [("a_bad", true), ("a_ok", false), ("b_sat", true), ("b_unsat", false)]);
    }

    #[test]
    fn the_page_counts_and_lists() {
        let subject = |name: &str, has_bug| Subject { name: name.to_owned(), path: PathBuf::new(), has_bug };
        let row = |ours, run: &str| Row { ours, run: run.to_owned(), seconds: 0.5 };
        let rows = [
            (subject("a_bad", true), row(found(&["assertion"]), "seed 1")),
            (subject("a_ok", false), row(Ours::None, "recorded")),
            (subject("b_bad", true), row(Ours::Unknown("a | b".to_owned()), "recorded")),
            (subject("c_bad", true), row(found(&["assertion"]), "recorded, itself bad")),
        ];
        let text = report(20.0, &rows);
        assert!(
            text.contains(
                "Of 3 with a bug: 1 found from a good run, 1 seen, 1 missed. Of 1 without: 1 right"
            ),
            "{text}"
        );
        assert!(text.contains("unknown: a \\| b"), "{text}");
    }
}
