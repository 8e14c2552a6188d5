//! The report for people: the verdict in a line, the schedule as a table, why it is wrong, what to do next.

mod check;
mod comparison;
mod predicted;
mod schedule;

use engine::{Exhausted, Finding, Reason, Touched, Verdict, ViolationKind, location_of};

use crate::{Report, Wakeups, waits_for_signals};

use crate::paint::{BAD, GOOD, HEADING, UNSURE, paint};
use crate::story::{Teller, one_line};
use crate::table::cut;
use crate::words::{
    attempt_line, bound_sentences, bytes, check_names, count, fairness_name, number, reason_sentence, seconds,
};
pub use check::human_check;
pub(crate) use check::summary_of_check;

/// How much to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The verdict only.
    Quiet,
    /// What a person needs.
    Normal,
    /// Steps that only move control and the insides of synchronization objects too.
    Verbose,
}

/// How to tell it.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// How wide a line may be.
    pub width: usize,
    /// Whether to use terminal colours.
    pub color: bool,
    /// How much to tell.
    pub detail: Detail,
}

/// The report as text.
#[must_use]
pub fn human(report: &Report<'_>, style: Style) -> String {
    let mut out = verdict_line(report, style);
    if style.detail == Detail::Quiet {
        return out;
    }
    let teller = Teller::new(report.program, report.map);
    let findings = report.verdict.findings();
    for (at, finding) in findings.iter().enumerate() {
        if findings.len() > 1 {
            let title = format!("Violation {} of {}: {}", at + 1, findings.len(), title(report, finding));
            out.push_str(&format!("\n{}\n", paint(style.color, HEADING, &title)));
        }
        schedule::write(&mut out, &teller, report.bounds, finding, style);
    }
    write_values(&mut out, report, style);
    write_limits(&mut out, report, style);
    write_figures(&mut out, report, style);
    write_attempts(&mut out, report, style);
    write_schedules(&mut out, report, style);
    predicted::write(&mut out, report, style);
    write_next(&mut out, report, style);
    out
}

fn verdict_line(report: &Report<'_>, style: Style) -> String {
    let (word, color, rest) = verdict_words(report);
    format!("{}: {rest}\n", paint(style.color, color, word))
}

/// The verdict in a line.
pub(crate) fn summary(report: &Report<'_>) -> String {
    let (word, _, rest) = verdict_words(report);
    format!("{word}: {rest}")
}

fn verdict_words(report: &Report<'_>) -> (&'static str, anstyle::Style, String) {
    let checks = check_names(report.checks).join(", ");
    match report.verdict {
        Verdict::Safe(_) | Verdict::SafeWithin(..) if report.command == "async" => {
            let rest = format!("no assertion fails under {}", report.bounds.scheduler);
            ("none within bounds", GOOD, rest)
        }
        Verdict::Unsafe(findings) if report.command == "async" => {
            let titles: Vec<String> = findings.iter().map(|finding| title(report, finding)).collect();
            ("violation", BAD, format!("{}, under {}", titles.join(", "), report.bounds.scheduler))
        }
        Verdict::Safe(_) | Verdict::SafeWithin(..) if report.command == "live" => {
            let what = match report.checks.response {
                Some(_) => "no infinite execution breaks the response property",
                None => "no infinite execution",
            };
            let rest = match report.bounds.rounds {
                Some(rounds) => format!("{what} within {rounds}"),
                None => format!("{what} in any schedule"),
            };
            ("none within bounds", GOOD, rest)
        }
        Verdict::Unsafe(findings) if report.command == "live" => {
            let titles: Vec<String> = findings.iter().map(|finding| title(report, finding)).collect();
            ("non-terminating", BAD, titles.join(", "))
        }
        Verdict::Safe(_) | Verdict::SafeWithin(..) if report.command == "predict" => {
            let rest = format!("no order of the events of this run goes wrong (checked: {checks})");
            ("none", GOOD, rest)
        }
        Verdict::Unsafe(findings) | Verdict::Violated(findings, _) if report.command == "predict" => (
            "violations",
            BAD,
            format!("{}, {}", wrong(report, findings), predicted::place(report, findings.len())),
        ),
        Verdict::Safe(_) => ("safe", GOOD, format!("nothing goes wrong in any schedule (checked: {checks})")),
        Verdict::SafeWithin(..) => {
            ("safe", GOOD, format!("nothing goes wrong within the bounds below (checked: {checks})"))
        }
        Verdict::PartiallySafe(findings) => {
            let rest = format!("{}; a fair schedule avoids it", wrong(report, findings));
            ("partially safe", BAD, rest)
        }
        Verdict::Unsafe(findings) if report.command == "verify" => {
            let rest = format!("{}; no fair schedule avoids it", wrong(report, findings));
            ("unsafe", BAD, rest)
        }
        Verdict::Violated(findings, _) => {
            let rest = format!("{}; whether a fair schedule avoids it is not known", wrong(report, findings));
            ("unknown", BAD, rest)
        }
        Verdict::Unsafe(findings) => ("unsafe", BAD, wrong(report, findings)),
        Verdict::Unknown(reason) => ("unknown", UNSURE, reason_sentence(reason)),
    }
}

/// What is wrong: all of it.
fn wrong(report: &Report<'_>, findings: &[Finding]) -> String {
    match findings {
        [one] => title(report, one),
        many => format!("{} violations", many.len()),
    }
}

/// What is wrong and where, in a line.
fn title(report: &Report<'_>, finding: &Finding) -> String {
    let what = match finding.kind() {
        ViolationKind::Assertion => "assertion violation",
        ViolationKind::Memory => "invalid memory access",
        ViolationKind::Deadlock => "deadlock",
        ViolationKind::DataRace => "data race",
        ViolationKind::NonTermination => "non-termination",
        ViolationKind::Atomicity => "atomicity violation",
    };
    let place = location_of(report.map, finding.access().span);
    let place = place.map(|l| format!(" ({}:{}:{})", l.file, l.line, l.column)).unwrap_or_default();
    let count = if finding.count() > 1 { format!(", {} times", finding.count()) } else { String::new() };
    format!("{what}: {}{place}{count}", one_line(finding.message()))
}

fn write_values(out: &mut String, report: &Report<'_>, style: Style) {
    let Some(valuations) = report.valuations else { return };
    // A search that ended early has not seen all of them.
    let (heading, none) = match report.verdict {
        Verdict::Safe(_) | Verdict::SafeWithin(..) => {
            ("Final values of the globals", "none: no run completes")
        }
        Verdict::Unsafe(_) | Verdict::PartiallySafe(_) | Verdict::Violated(..) | Verdict::Unknown(_) => {
            ("Final values of the globals, as far as explored", "none seen so far")
        }
    };
    out.push_str(&format!("\n{}\n", paint(style.color, HEADING, heading)));
    if valuations.is_empty() {
        out.push_str(&format!("  {none}\n"));
    }
    for valuation in valuations {
        let values: Vec<String> = valuation.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        out.push_str(&format!(
            "  {}\n",
            if values.is_empty() { "no globals".to_owned() } else { values.join(", ") }
        ));
    }
}

fn write_limits(out: &mut String, report: &Report<'_>, style: Style) {
    let reason = match report.verdict {
        Verdict::Unknown(reason) | Verdict::Violated(_, reason) => Some(reason),
        _ => report.incomplete,
    };
    // A violation is one whatever the bounds are.
    let is_unsafe = !report.verdict.findings().is_empty();
    let sentences = if is_unsafe { Vec::new() } else { bound_sentences(report.bounds) };
    let before = out.len();
    if let Verdict::Violated(_, reason) = report.verdict {
        out.push_str(&format!("It ended early: {}.\n", reason_sentence(reason)));
    }
    if let Some(reason) = report.incomplete {
        out.push_str(&format!("There may be more: {}.\n", reason_sentence(reason)));
    }
    if let Some(Reason::Cut(cuts)) = reason {
        out.push_str("Runs that could not be followed any further:\n");
        for stop in cuts {
            let place = location_of(report.map, stop.span);
            let place = place.map_or_else(
                || "in the initial state".to_owned(),
                |l| format!("{}:{}:{}", l.file, l.line, l.column),
            );
            out.push_str(&format!("  {place}: {}\n", stop.cut));
            let source = one_line(report.map.text(stop.span));
            if !source.is_empty() {
                out.push_str(&format!("    {}\n", cut(&source, style.width.saturating_sub(4))));
            }
        }
    }
    for sentence in sentences {
        out.push_str(&format!("Bound: {sentence}.\n"));
    }
    if out.len() > before {
        out.insert(before, '\n');
    }
}

fn write_figures(out: &mut String, report: &Report<'_>, style: Style) {
    let Some(figures) = report.figures else { return };
    let mut parts = vec![count(figures.states as u64, "state"), count(figures.transitions, "transition")];
    let time = figures.explore.as_secs_f64();
    if style.detail == Detail::Verbose && time > 0.0 {
        #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let rate = (figures.states as f64 / time) as u64;
        parts.push(format!("{} states/s", number(rate)));
    }
    parts.push(seconds(report.cost.total));
    if let Some(cost) = report.cost.frontend.filter(|_| style.detail == Detail::Verbose) {
        parts.push(format!("clang {}", seconds(cost.compile)));
        parts.push(format!("lowering {}", seconds(cost.lower)));
    }
    if let Some(memory) = report.cost.peak_memory {
        parts.push(bytes(memory));
    }
    let reduced = if figures.reduced { " (orders of independent steps left out)" } else { "" };
    out.push_str(&format!("\nExplored: {}{reduced}.\n", parts.join(", ")));
}

/// The searches, one line each; if they are of two schedulers, also which got further with less.
fn write_attempts(out: &mut String, report: &Report<'_>, style: Style) {
    if report.attempts.is_empty() {
        return;
    }
    out.push_str(&format!("\n{}\n", paint(style.color, HEADING, "Searched")));
    for attempt in report.attempts {
        out.push_str(&format!("  {}\n", attempt_line(attempt)));
    }
    if let Some(table) = comparison::table(report.attempts) {
        out.push_str(&format!("\n{}\n{table}", paint(style.color, HEADING, "Comparison")));
    }
    let mut parts = vec![seconds(report.cost.total)];
    parts.extend(report.cost.peak_memory.map(bytes));
    out.push_str(&format!("\nIn all: {}.\n", parts.join(", ")));
}

/// The safe schedules, and what it took to find them.
fn write_schedules(out: &mut String, report: &Report<'_>, style: Style) {
    let Some(tree) = report.tree else { return };
    if !report.schedules.is_empty() {
        out.push_str(&format!("\n{}\n", paint(style.color, HEADING, "Safe schedules")));
    }
    for schedule in report.schedules {
        let what = schedule.added.as_deref().unwrap_or(&schedule.order);
        let line = format!("{:>3}  {what}", schedule.number);
        out.push_str(&format!("{}\n", cut(&line, style.width)));
        if let Some(file) = &schedule.file {
            out.push_str(&format!("     written to {file}\n"));
        }
    }
    let queries = count(tree.queries, "query").replace("querys", "queries");
    let mut parts = vec![count(tree.nodes, "node"), queries, seconds(report.cost.total)];
    parts.extend(report.cost.peak_memory.map(bytes));
    out.push_str(&format!("\nIn all: {}.\n", parts.join(", ")));
}

fn write_next(out: &mut String, report: &Report<'_>, style: Style) {
    let lines = next_lines(report);
    if !lines.is_empty() {
        out.push_str(&format!("\n{}\n", paint(style.color, HEADING, "What to do next")));
        for line in lines {
            out.push_str(&format!("  {line}\n"));
        }
    }
}

/// What to do next; commands are indented.
pub(crate) fn next_lines(report: &Report<'_>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    match report.verdict {
        Verdict::Unsafe(_) if report.command == "replay" => {
            if let Some(compiled) = report.compiled {
                let outcome = if compiled.reproduced { "reproduced" } else { "not reproduced" };
                lines.push(format!("On the compiled program: {outcome}: {}.", compiled.what));
            }
            lines.push("The violation was replayed. Once the program is fixed, explore it again:".to_owned());
            lines.push(format!("  raddle explore {}", report.input));
        }
        Verdict::Unsafe(_) | Verdict::PartiallySafe(_) | Verdict::Violated(..)
            if !report.witnesses.is_empty() =>
        {
            lines.push("See this run again:".to_owned());
            lines.extend(report.witnesses.iter().map(|witness| format!("  raddle replay {witness}")));
        }
        Verdict::Unsafe(_) | Verdict::PartiallySafe(_) | Verdict::Violated(..) => {
            if report.schedules.iter().any(|schedule| schedule.file.is_none()) {
                lines.push("Keep the safe schedules in files: --schedules DIR.".to_owned());
            }
            lines.push("Keep this run in a file: give the same command with --witness FILE.".to_owned());
            lines.push("See it again at any time: raddle replay FILE.".to_owned());
        }
        Verdict::SafeWithin(..) | Verdict::Safe(_) if report.command == "predict" => {
            lines.push("Predict from another run: --seed N.".to_owned());
            lines.push("Look at all runs: raddle verify, raddle explore.".to_owned());
        }
        Verdict::SafeWithin(..) | Verdict::Safe(_) if report.command == "async" => {
            lines.push("Search more schedules: --delays K.".to_owned());
            if report.bounds.touched.contains(&Touched::Unroll) {
                lines.push("Follow loops and recursion for longer: --unroll N.".to_owned());
            }
        }
        Verdict::SafeWithin(..) if report.command == "live" => {
            lines.push("Search executions with more rounds: --stem K1, --lasso K2.".to_owned());
            if report.bounds.touched.contains(&Touched::Unroll) {
                lines.push("Follow loops and recursion for longer: --unroll N.".to_owned());
            }
        }
        Verdict::SafeWithin(bounds, _) if bounds.touched.contains(&Touched::IntRange) => {
            lines.push("Widen the bound and see whether the answer stays: --int-range LO..HI.".to_owned());
        }
        Verdict::SafeWithin(..)
        | Verdict::Safe(_)
        | Verdict::Unknown(Reason::Undecidable | Reason::Enough | Reason::Unfollowed(_)) => {}
        Verdict::Unknown(Reason::Exhausted(exhausted)) => {
            lines.push(match exhausted {
                Exhausted::Time(_) => "Give it more time: --timeout S.".to_owned(),
                Exhausted::Memory(_) => "Give it more memory: --memory GB.".to_owned(),
                Exhausted::Cancelled => {
                    "Nothing wrong was found until then. Let it run for longer.".to_owned()
                }
            });
            let less = match report.command {
                "async" => "Or search less: fewer --delays, smaller --unroll.",
                "live" => "Or search less: smaller --stem, --lasso or --unroll.",
                "predict" => "Or predict from a shorter run.",
                "explore" => "Or make the program smaller: fewer threads, smaller --int-range.",
                _ => "Or make the program smaller: fewer threads, shorter loops.",
            };
            lines.push(less.to_owned());
        }
        Verdict::Unknown(Reason::Solver(_)) => {
            lines.push("Try another solver: --solver cvc5, --solver z3, or the path of one.".to_owned());
        }
        Verdict::Unknown(Reason::Sampled(range)) => {
            let (low, high) = (range.low(), range.high());
            lines.push(format!("Say that this is enough, or which values are: --int-range {low}..{high}."));
        }
        Verdict::Unknown(Reason::Unconfirmed(_)) => {
            lines.push("Give the interpreter more room: --max-threads N, --max-frames N.".to_owned());
        }
        Verdict::Unknown(Reason::Potential(_)) => {
            lines.push("Ask which of them are real: the same command without --method lockset.".to_owned());
        }
        Verdict::Unknown(Reason::Cut(_)) => {
            lines.push(
                "What was explored is fine; the runs above are not known. Change those lines.".to_owned(),
            );
        }
    }
    if let Some(fairness) = report.checks.non_termination
        && matches!(report.verdict, Verdict::Safe(_) | Verdict::SafeWithin(..))
        && report.command != "live"
    {
        let name = fairness_name(fairness);
        let which = match report.checks.response {
            Some(_) => "breaks the response property",
            None => "makes no progress",
        };
        lines.push(format!("No infinite execution with fairness `{name}` that {which}."));
    }
    if report.wakeups == Wakeups::With {
        let told = match report.verdict {
            Verdict::Unknown(_) => {
                "That is about waits for condition variables that end without a signal, as POSIX allows."
            }
            _ => "A wait for a condition variable ends without a signal here, as POSIX allows.",
        };
        lines.push(format!("{told} Nothing goes wrong otherwise: --no-spurious-wakeups."));
    }
    if matches!(report.verdict, Verdict::Safe(_) | Verdict::SafeWithin(..))
        && report.command != "predict"
        && report.wakeups == Wakeups::AsRead
        && waits_for_signals(report.program)
        && !report.input.ends_with(".ir")
    {
        let line = "Waits for condition variables end only when they are signalled here; with --spurious-wakeups, at any time.";
        lines.push(line.to_owned());
    }
    lines
}
