//! The page of `raddle check`: what is wrong, how sure that is, how to see it again, how to live with it, and what was looked at.

use engine::{Exhausted, Reason, Verdict};

use super::{Detail, Style, schedule, title};
use crate::check::{Analysis, CheckVerdict, Checked, Outcome, Problem};
use crate::paint::{BAD, GOOD, HEADING, UNSURE, paint};
use crate::story::{Teller, one_line};
use crate::table::paragraph;
use crate::words::{bytes, count, reason_sentence, seconds, verdict_name};

/// Of so many problems the run is shown; of more if the user wants all of it.
const MOST_SHOWN: usize = 3;

/// What all analyses together found, as text.
#[must_use]
pub fn human_check(checked: &Checked<'_>, style: Style) -> String {
    let mut out = verdict_line(checked, style);
    if style.detail == Detail::Quiet {
        return out;
    }
    let mut shown = Vec::new();
    for (at, problem) in checked.problems.iter().enumerate() {
        let title = format!("{}. {}", at + 1, title(&problem.report, problem.finding));
        heading(&mut out, &title, style);
        write_sure(&mut out, problem);
        if at < MOST_SHOWN || style.detail == Detail::Verbose {
            let teller = Teller::new(problem.report.program, problem.report.map);
            let (bounds, known) = (problem.report.bounds, (at + 1, &mut shown));
            schedule::write_after(&mut out, &teller, bounds, problem.finding, style, known);
            out.push('\n');
        }
        write_again(&mut out, problem);
    }
    write_refuge(&mut out, checked, style);
    write_suspicions(&mut out, checked, style);
    write_analyses(&mut out, checked, style);
    if checked.verdict == CheckVerdict::Unknown {
        write_next(&mut out, checked, style);
    }
    out
}

fn heading(out: &mut String, text: &str, style: Style) {
    out.push_str(&format!("\n{}\n", paint(style.color, HEADING, text)));
}

fn verdict_line(checked: &Checked<'_>, style: Style) -> String {
    let (color, rest) = verdict_words(checked);
    format!("{}: {rest}\n", paint(style.color, color, checked.verdict.name()))
}

/// The verdict in a line.
pub(crate) fn summary_of_check(checked: &Checked<'_>) -> String {
    format!("{}: {}", checked.verdict.name(), verdict_words(checked).1)
}

fn verdict_words(checked: &Checked<'_>) -> (anstyle::Style, String) {
    match checked.verdict {
        CheckVerdict::Violations => {
            let problems = count(checked.problems.len() as u64, "problem");
            (BAD, format!("{problems} in {}", checked.input))
        }
        CheckVerdict::None => (GOOD, format!("nothing wrong was found in {}", checked.input)),
        CheckVerdict::Unknown => {
            let rest = format!(
                "nothing wrong was found in {}, but not everything could be looked at",
                checked.input
            );
            (UNSURE, rest)
        }
    }
}

/// How sure it is.
fn write_sure(out: &mut String, problem: &Problem<'_>) {
    let by = problem.found_by.join(", ");
    out.push_str(&format!("   Found by {by}, and replayed step by step on the reference interpreter.\n"));
    match problem.more {
        0 => {}
        1 => out.push_str("   The same variable races at another pair of lines, too.\n"),
        more => out.push_str(&format!("   The same variable races at {more} other pairs of lines, too.\n")),
    }
    if let Some(compiled) = problem.compiled {
        let outcome = if compiled.reproduced { "reproduced" } else { "not reproduced" };
        out.push_str(&format!("   On the compiled program: {outcome}: {}.\n", compiled.what));
    }
}

fn write_again(out: &mut String, problem: &Problem<'_>) {
    match problem.witness {
        Some(witness) => out.push_str(&format!("   See it again: raddle replay {witness}\n")),
        None => out.push_str(&format!("   See it again: {}\n", problem.command)),
    }
    out.push_str(&format!("   What this is: raddle explain {}\n", problem.finding.kind().name()));
}

fn write_refuge(out: &mut String, checked: &Checked<'_>, style: Style) {
    let reports = || checked.analyses.iter().filter_map(Analysis::report);
    let hopeless =
        reports().any(|report| report.command == "verify" && matches!(report.verdict, Verdict::Unsafe(_)));
    if checked.refuge.is_some() || hopeless {
        heading(out, "Until it is fixed", style);
    }
    if hopeless {
        out.push_str("   No fair schedule is free of errors, so there is none to keep the program on.\n");
    }
    let Some(refuge) = checked.refuge else { return };
    let text = format!("This schedule is proven safe: {}.", refuge.schedule.order);
    out.push_str(&paragraph(&text, "   ", "     ", style.width));
    if let Some(command) = refuge.command {
        out.push_str(&format!("   Keep the program on it: {command}\n"));
    }
}

fn write_suspicions(out: &mut String, checked: &Checked<'_>, style: Style) {
    if checked.suspicions.is_empty() {
        return;
    }
    heading(out, "Worth a look", style);
    out.push_str("   Wrong only if this code is meant to be indivisible, which nobody has said:\n");
    for suspicion in &checked.suspicions {
        let title = title(&suspicion.report, suspicion.finding);
        out.push_str(&paragraph(&title, "   - ", "     ", style.width));
        match suspicion.witness {
            Some(witness) => out.push_str(&format!("     See it: raddle replay {witness}\n")),
            None => out.push_str(&format!("     See it: {}\n", suspicion.command)),
        }
    }
}

fn write_analyses(out: &mut String, checked: &Checked<'_>, style: Style) {
    heading(out, "What was looked at", style);
    for analysis in &checked.analyses {
        out.push_str(&format!("   {}\n", analysis.asks));
        let outcome = match &analysis.outcome {
            Outcome::Answered(report) => {
                format!("{} ({})", answered(report), seconds(report.cost.total))
            }
            Outcome::Refused(why) => format!("not possible: {why}"),
            Outcome::Skipped(why) => format!("not needed: {why}"),
        };
        out.push_str(&paragraph(&outcome, "     ", "       ", style.width));
        if !matches!(analysis.outcome, Outcome::Skipped(_)) {
            write_command(out, analysis, style);
        }
    }
    let mut parts = vec![seconds(checked.cost.total)];
    parts.extend(checked.cost.peak_memory.map(bytes));
    out.push_str(&format!("\nIn all: {}.\n", parts.join(", ")));
}

/// What can be done if it is not known whether something is wrong.
fn write_next(out: &mut String, checked: &Checked<'_>, style: Style) {
    let ran_out = |of: fn(&Exhausted) -> bool| {
        checked.analyses.iter().any(|analysis| match &analysis.outcome {
            Outcome::Answered(report) => {
                matches!(report.verdict, Verdict::Unknown(Reason::Exhausted(exhausted)) if of(exhausted))
            }
            Outcome::Refused(_) | Outcome::Skipped(_) => false,
        })
    };
    heading(out, "What to do next", style);
    if ran_out(|exhausted| matches!(exhausted, Exhausted::Time(_))) {
        out.push_str("   Give it more time: --timeout S.\n");
    }
    if ran_out(|exhausted| matches!(exhausted, Exhausted::Memory(_))) {
        out.push_str("   Give it more memory: --memory GB.\n");
    }
    out.push_str(
        "   Go on with one analysis alone, which tells more: --verbose shows the command of each.\n",
    );
}

fn write_command(out: &mut String, analysis: &Analysis<'_>, style: Style) {
    if style.detail == Detail::Verbose {
        out.push_str(&format!("     {}\n", analysis.command));
    }
}

/// The answer of an analysis, and why there is no better one.
fn answered(report: &crate::Report<'_>) -> String {
    let word = verdict_name(report.command, report.verdict);
    match report.verdict {
        Verdict::Unknown(Reason::Enough) => "a safe schedule was found".to_owned(),
        Verdict::Unknown(reason) => format!("{word}: {}", one_line(&reason_sentence(reason))),
        Verdict::Violated(findings, reason) => {
            let found = count(findings.len() as u64, "violation");
            format!("{found}; {}", one_line(&reason_sentence(reason)))
        }
        verdict => match verdict.findings().len() {
            0 => word.to_owned(),
            n => format!("{word}: {}", count(n as u64, "violation")),
        },
    }
}
