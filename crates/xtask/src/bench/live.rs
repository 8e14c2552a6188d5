//! `cargo xtask bench live`: the search for fair infinite executions beside the paper.
//!
//! The experiments of Atig, Bouajjani, Emmi and Lal, "Detecting Fair Non-Termination in Multithreaded Programs", CAV 2012,
//! section 5. Their tool is not to be had, so what is compared with are the times that the paper gives. Times are those
//! on the wall, with start-up. A verdict other than the one in the paper is an error, once all is measured.

mod measure;
mod programs;

use std::path::PathBuf;

use anyhow::{Result, bail};

use super::plot::Chart;
use super::table::decimal;
use super::{Effort, growth, table};
use crate::live::Verdict;
use crate::{page, setup};
use measure::{Fit, Row};

/// Command-line options.
#[derive(clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    effort: Effort,
    /// Measure this binary instead of building one
    #[arg(long, value_name = "FILE")]
    raddle: Option<PathBuf>,
}

/// Measures and prints the comparison.
pub(crate) fn run(options: &Options) -> Result<()> {
    let raddle = setup::raddle(options.raddle.as_deref())?;
    let folder = tempfile::tempdir()?;
    let mut rows = Vec::new();
    for subject in programs::all(folder.path())? {
        eprintln!("bench: {}", subject.name);
        rows.push(measure::row(&raddle, subject, &options.effort)?);
    }
    page::publish_measured(&report(&options.effort, &rows), options.effort.output.as_deref(), &CHART)?;
    let wrong: Vec<&str> =
        rows.iter().filter(|row| row.fit() == Fit::Wrong).map(|row| row.subject.name.as_str()).collect();
    if !wrong.is_empty() {
        bail!("not the expected verdict: {}; see the remarks below the table", wrong.join("; "));
    }
    Ok(())
}

const CHART: Chart = Chart {
    title: "Time to a fair infinite execution, or to none",
    unit: "seconds",
    names: 1,
    columns: &[("Raddle", "Raddle"), ("paper", "paper")],
};

const HEADER: &[&str] = &[
    "program", "verdict", "expected", "options", "stem", "lasso", "queries", "Raddle", "paper", "ratio", "MB",
];

/// The table and what to know about it, as Markdown.
fn report(effort: &Effort, rows: &[Row]) -> String {
    let mut text = format!(
        "# Fair infinite executions: Raddle and the paper\n\n\
         Made by `cargo xtask bench live`. Seconds on the wall, with start-up; median of {} runs; at most {} s each. \
         MB: the most\nmemory in use. Stem and lasso: the rounds of the last search, the one that found something if \
         any did. Ratio: Raddle's\nseconds divided by the paper's (MUTANT and Corral, 2012; it does not tell the \
         machine). The paper bounds stem and lasso\ntogether: 2 rounds for the philosophers, 3 for the others.\n\n",
        effort.runs, effort.limit
    );
    text += &table::markdown(HEADER, &rows.iter().map(|row| cells(row, effort)).collect::<Vec<_>>());
    let remarks: Vec<String> = rows.iter().filter_map(remark).collect();
    if !remarks.is_empty() {
        text += &format!("\nRemarks:\n\n{}", remarks.concat());
    }
    let ratios: Vec<f64> = rows.iter().filter_map(Row::ratio).collect();
    let left_out = rows.iter().filter(|row| row.subject.paper.is_some() && row.ratio().is_none()).count();
    text += &format!(
        "\nGeometric mean of {} ratios: {}. It leaves out {left_out} programs of the paper without the expected verdict.\n",
        ratios.len(),
        decimal(growth::geometric_mean(&ratios))
    );
    text + &growth_sentence(rows)
}

/// How the cost grows with the number of philosophers. What ran out of time has no cost, so Raddle and the paper are
/// compared on the numbers for which both have one.
fn growth_sentence(rows: &[Row]) -> String {
    let dinners = rows.iter().filter_map(|row| Some((row.subject.size?, row.seconds(), row.subject.paper)));
    let (mut ours, mut theirs, mut shared) = (Vec::new(), Vec::new(), (Vec::new(), Vec::new()));
    let mut late = Vec::new();
    for (number, seconds, paper) in dinners {
        let size = f64::from(number);
        ours.extend(seconds.map(|seconds| (size, seconds)));
        theirs.extend(paper.map(|paper| (size, paper)));
        if let (Some(seconds), Some(paper)) = (seconds, paper) {
            shared.0.push((size, seconds));
            shared.1.push((size, paper));
        }
        if seconds.is_none() {
            late.push(number.to_string());
        }
    }
    let span = |points: &[(f64, f64)]| match (points.first(), points.last()) {
        (Some(first), Some(last)) => format!("{} to {}", first.0, last.0),
        _ => "none".to_owned(),
    };
    let power = |points: &[(f64, f64)]| format!("N^{}", decimal(growth::exponent(points)));
    // Where there are few philosophers the start-up weighs most, and the fit through all hides what comes later.
    let last = &ours[ours.len().saturating_sub(2)..];
    let mut text = format!(
        "Growth of the cost with the number of philosophers: for N that both have ({}), {} for Raddle and {} in the paper;\n\
         for all that Raddle has ({}), {}, and between the last two ({}), {}; for all that the paper has ({}), {}.\n",
        span(&shared.0),
        power(&shared.0),
        power(&shared.1),
        span(&ours),
        power(&ours),
        span(last),
        power(last),
        span(&theirs),
        power(&theirs)
    );
    if !late.is_empty() {
        text +=
            &format!("Raddle has no answer for N = {}; the growth does not show that.\n", late.join(", "));
    }
    text
}

fn cells(row: &Row, effort: &Effort) -> Vec<String> {
    let dash = || "-".to_owned();
    let search = row.search.as_ref();
    let verdict = search.map_or("no such file", |search| search.verdict.shown());
    let fit = match row.fit() {
        Fit::Expected => "yes",
        Fit::Wrong => "**no**",
        Fit::Undecided => "-",
    };
    let rounds = search.and_then(|search| search.rounds);
    let seconds = match search.map(|search| &search.verdict) {
        Some(Verdict::Unknown(_)) => format!("> {}", effort.limit),
        _ => decimal(row.seconds()),
    };
    let megabytes = search.and_then(|search| search.peak_memory).map(|bytes| bytes as f64 / 1e6);
    vec![
        row.subject.name.clone(),
        verdict.to_owned(),
        fit.to_owned(),
        format!("`{}`", row.subject.options.join(" ")),
        rounds.map_or_else(dash, |(stem, _)| stem.to_string()),
        rounds.map_or_else(dash, |(_, lasso)| lasso.to_string()),
        search.map_or_else(dash, |search| search.queries.to_string()),
        seconds,
        row.subject.paper.map_or_else(dash, |seconds| seconds.to_string()),
        decimal(row.ratio()),
        megabytes.map_or_else(dash, |megabytes| table::number(megabytes, 1)),
    ]
}

/// What the table has no room for.
fn remark(row: &Row) -> Option<String> {
    let what = match row.search.as_ref() {
        None => "the program is missing",
        Some(search) => match (&search.verdict, &search.warning) {
            (Verdict::Unknown(why) | Verdict::Refused(why), _) => why,
            (Verdict::NoneWithinBounds, Some(warning)) => warning,
            _ => return None,
        },
    };
    Some(format!("- {}: {what}\n", row.subject.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::Search;
    use programs::{Expected, Subject};

    fn row(size: Option<u32>, expected: Expected, found: Option<(Verdict, f64)>) -> Row {
        Row {
            subject: Subject {
                name: "dinner".to_owned(),
                path: PathBuf::new(),
                options: &["--stem", "1"],
                expected,
                paper: Some(4.0),
                size,
            },
            search: found.map(|(verdict, seconds)| Search {
                verdict,
                rounds: Some((1, 2)),
                queries: 7,
                seconds,
                peak_memory: Some(45_600_000),
                warning: None,
            }),
        }
    }

    #[test]
    fn the_report_has_rows_remarks_and_growth() {
        let effort = Effort { runs: 3, limit: 20.0, output: None };
        let found = |size, seconds| {
            row(Some(size), Expected::NonTerminating, Some((Verdict::NonTerminating, seconds)))
        };
        let late = Verdict::Unknown("late".to_owned());
        let rows = [
            found(2, 1.0),
            found(4, 4.0),
            row(Some(20), Expected::NonTerminating, Some((late, 21.0))),
            row(None, Expected::Nothing, Some((Verdict::NonTerminating, 1.0))),
            row(None, Expected::Nothing, None),
        ];
        let text = report(&effort, &rows);
        assert!(
            text.contains("| `--stem 1` |    1 |     2 |       7 |  1.000 |     4 | 0.250 | 45.6 |"),
            "{text}"
        );
        assert!(text.contains("(2 to 4), N^2.000 for Raddle and N^0.000 in the paper;"), "{text}");
        assert!(text.contains("no answer for N = 20;"), "{text}");
        assert!(text.contains("- dinner: late\n- dinner: the program is missing\n"), "{text}");
        assert!(text.contains("Geometric mean of 2 ratios: 0.500. It leaves out 3 programs"), "{text}");
        let fits: Vec<Fit> = rows.iter().map(Row::fit).collect();
        assert_eq!(fits, [Fit::Expected, Fit::Expected, Fit::Undecided, Fit::Wrong, Fit::Wrong]);
    }
}
