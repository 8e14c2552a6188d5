//! The result as compilers tell theirs: one line per place, `file:line:column: error: message [kind]`, which editors can read.

use engine::{Finding, Location, Reason, Verdict, location_of};

use crate::places::{main_place, related};
use crate::story::{Teller, one_line};
use crate::words::{reason_sentence, verdict_name};
use crate::{CheckVerdict, Checked, Outcome, Report};

/// The report in lines. There is none if nothing is wrong.
#[must_use]
pub fn short(report: &Report<'_>) -> String {
    let mut out = String::new();
    for finding in report.verdict.findings() {
        write_finding(&mut out, report, finding, "error");
    }
    if let Verdict::Unknown(reason) = report.verdict {
        write_reason(&mut out, report, reason);
    }
    out
}

/// What all analyses together found, in lines.
#[must_use]
pub fn short_check(checked: &Checked<'_>) -> String {
    let mut out = String::new();
    for problem in &checked.problems {
        write_finding(&mut out, &problem.report, problem.finding, "error");
    }
    for suspicion in &checked.suspicions {
        write_finding(&mut out, &suspicion.report, suspicion.finding, "warning");
    }
    if checked.verdict == CheckVerdict::Unknown {
        for analysis in &checked.analyses {
            let mut lines = String::new();
            match &analysis.outcome {
                Outcome::Answered(report) => {
                    if let Verdict::Unknown(reason) = report.verdict {
                        write_reason(&mut lines, report, reason);
                    }
                }
                Outcome::Refused(why) => {
                    let text = format!("unknown: {why} [undecided]");
                    write_line(&mut lines, None, checked.input, "warning", &text);
                }
                Outcome::Skipped(_) => {}
            }
            // Several may have the same reason.
            if !out.contains(&lines) {
                out.push_str(&lines);
            }
        }
    }
    out
}

fn write_finding(out: &mut String, report: &Report<'_>, finding: &Finding, severity: &str) {
    let teller = Teller::new(report.program, report.map);
    let text = format!("{} [{}]", one_line(finding.message()), finding.kind().name());
    write_line(out, main_place(report, finding).as_ref(), report.input, severity, &text);
    for place in related(report, &teller, finding) {
        write_line(out, Some(&place.location), report.input, "note", &one_line(&place.message));
    }
}

/// Why there is no answer: at the lines where runs could not be followed, if it is that.
fn write_reason(out: &mut String, report: &Report<'_>, reason: &Reason) {
    let verdict = verdict_name(report.command, report.verdict);
    if let Reason::Cut(cuts) = reason {
        for cut in cuts {
            let text = format!("{verdict}: a run could not be followed: {} [undecided]", cut.cut);
            let place = location_of(report.map, cut.span);
            write_line(out, place.as_ref(), report.input, "warning", &one_line(&text));
        }
        return;
    }
    let text = format!("{verdict}: {} [undecided]", reason_sentence(reason));
    write_line(out, None, report.input, "warning", &one_line(&text));
}

/// What is about no line is about the first one: readers of such lines want a place.
fn write_line(out: &mut String, place: Option<&Location>, input: &str, severity: &str, text: &str) {
    let (file, line, column) = match place {
        Some(place) => (place.file.as_str(), place.line, place.column),
        None => (input, 1, 1),
    };
    let file = file.replace(char::is_control, " ");
    out.push_str(&format!("{file}:{line}:{column}: {severity}: {text}\n"));
}
