//! `cargo xtask corpus live`: public concurrent Boogie programs that are known to terminate, or not to.
//!
//! The programs are those of Ultimate (ultimate-pa/ultimate); see [`ultimate`]. Its termination analysis knows no fairness,
//! so `raddle live --fairness none` is what is compared with it. Under strong fairness fewer executions count; what is
//! found then is an infinite execution all the same.

mod ultimate;
mod verdict;

use std::path::PathBuf;

use anyhow::{Result, bail};

use super::judgement::{self, Judgement};
use crate::bench::table;
use crate::{live, page, setup};
use ultimate::Subject;
use verdict::Ours;

/// Command-line options.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// A checkout of ultimate-pa/ultimate
    checkout: PathBuf,
    /// Seconds for each program and fairness
    #[arg(long, value_name = "S", default_value_t = 20.0)]
    timeout: f64,
    /// Run this binary instead of building one
    #[arg(long, value_name = "FILE")]
    raddle: Option<PathBuf>,
    /// Write the table to this file too
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs the programs and prints the table.
pub(crate) fn run(options: &Options) -> Result<()> {
    let subjects = ultimate::find(&options.checkout)?;
    if subjects.is_empty() {
        bail!("`{}` is no checkout of ultimate-pa/ultimate", options.checkout.display());
    }
    let raddle = setup::raddle(options.raddle.as_deref())?;
    let mut rows = Vec::new();
    for subject in subjects {
        eprintln!("corpus: {}", subject.name);
        let search = |fairness| live::run(&raddle, &["--fairness", fairness], &subject.path, options.timeout);
        let ours = Ours { any: search("none")?, fair: search("strong")? };
        rows.push((subject, ours));
    }
    page::publish(&report(options.timeout, &rows), options.output.as_deref())
}

const HEADER: &[&str] = &["program", "expected", "no fairness", "strong fairness", "judgement"];

/// The page: what was done, the sums, and a line for each program.
fn report(timeout: f64, rows: &[(Subject, Ours)]) -> String {
    let judgements: Vec<Judgement> = rows.iter().map(|(subject, ours)| ours.judge(subject)).collect();
    let mut text = format!(
        "# Public programs that terminate, or do not\n\n\
         This page is made by `cargo xtask corpus live ULTIMATE --output FILE`, where `ULTIMATE` is a checkout of\n\
         ultimate-pa/ultimate. It runs [`raddle live`](live.md) on each concurrent Boogie program there that says whether \
         it\nterminates, for at most {timeout} seconds, with `--fairness none` and with `--fairness strong`.\n\n\
         Ultimate's termination analysis knows no fairness, so its verdict is compared with the first of the two. An \
         execution that\nis found under strong fairness shows too that a program does not terminate. To find none within \
         the bounds agrees with\na program that terminates, and proves nothing. A program that goes on for ever only with \
         data that grow is\n[beyond](live.md#limits) a search for repeated states.\n\n\
         {}\n\n",
        judgement::summary(&judgements),
    );
    let cells = rows.iter().zip(&judgements).map(|((subject, ours), judgement)| {
        vec![
            format!("`{}`", subject.name),
            subject.expected.shown().to_owned(),
            verdict::shown(&ours.any),
            verdict::shown(&ours.fair),
            judgement.shown(),
        ]
    });
    text += &table::markdown(HEADER, &cells.collect::<Vec<_>>());
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use ultimate::Expected;

    #[test]
    fn the_page_counts_and_lists() {
        let subject = |name: &str, expected| Subject {
            name: name.to_owned(),
            path: PathBuf::new(),
            expected,
            grows: None,
        };
        let ours = |any, fair| Ours { any: verdict::tests::search(any), fair: verdict::tests::search(fair) };
        let rows = [
            (subject("a.bpl", Expected::NonTerminating), ours("found", "none")),
            (subject("b.bpl", Expected::Terminating), ours("none", "none")),
            (subject("c.bpl", Expected::Terminating), ours("found", "unknown")),
        ];
        let text = report(20.0, &rows);
        assert!(text.contains("3 programs: 2 agree, 1 disagree, 0 are beyond"), "{text}");
        assert!(text.contains("| `a.bpl` | non-terminating | non-terminating (1 + 2)"), "{text}");
    }
}
