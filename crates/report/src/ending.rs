//! How the run of a finding ends, and why: where threads stand, and the sentences that explain it.

use engine::{Blocked, Bounds, Ending, Fairness, Finding, Scheduler};

use crate::blocked::{circle, why};
use crate::story::{Statement, Teller, Told, one_line};
use crate::table::Row;

/// Why a run is wrong, in a few sentences under a title.
pub(crate) struct Explanation {
    pub(crate) title: String,
    pub(crate) lines: Vec<Line>,
}

/// A sentence.
pub(crate) enum Line {
    /// It has a statement of the program in it, so it may be very long: it is cut where it does not fit, but not below a width.
    /// Why the thread stands there comes after it, and is never cut.
    Long { text: String, least: usize, why: Option<String> },
    /// It may have line breaks.
    Whole(String),
}

impl Line {
    /// The sentence, however long.
    pub(crate) fn text(&self) -> String {
        let whole = match self {
            Line::Long { text, why: Some(why), .. } => format!("{text} ({why})"),
            Line::Long { text, why: None, .. } | Line::Whole(text) => text.clone(),
        };
        whole.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// Where threads stand when a finite run has gone wrong.
pub(crate) fn end_rows(teller: &Teller<'_>, finding: &Finding) -> Vec<Row> {
    let standing = |thread: usize, statement: &Statement, mark: String| Row {
        thread,
        location: statement.location.clone(),
        text: statement.text.clone(),
        mark: Some(mark),
        ..Row::default()
    };
    match &finding.replay().ending {
        Ending::Deadlock(blocked) => blocked
            .iter()
            .map(|b| standing(b.thread, &teller.statement(b.at, b.span), "✗ blocked here".to_owned()))
            .collect(),
        Ending::Race { accesses, .. } => accesses
            .iter()
            .enumerate()
            .map(|(at, (thread, op, span, writes))| {
                let verb = if *writes { "write" } else { "read" };
                let mark = format!("✗ ({}) {verb} is possible now", at + 1);
                standing(*thread, &teller.statement(*op, *span), mark)
            })
            .collect(),
        Ending::Failed { .. } | Ending::Lasso { .. } | Ending::Completed | Ending::Open => Vec::new(),
    }
}

/// The rows of all steps, in order, and of where threads stand at the end. The one that fails is marked.
pub(crate) fn all_rows(
    teller: &Teller<'_>,
    finding: &Finding,
    told: &[Told<'_>],
    verbose: bool,
) -> (Vec<Vec<Row>>, Vec<Row>) {
    let end = end_rows(teller, finding);
    let mut rows = crate::steps::rows(teller, told, verbose, finding.run().lasso_start, &end);
    if matches!(finding.replay().ending, Ending::Failed { .. })
        && let Some(last) = rows.iter_mut().rev().find_map(|rows| rows.last_mut())
    {
        last.mark = Some("✗ fails here".to_owned());
    }
    (rows, end)
}

/// Why the end of a run is wrong, where that is not plain.
pub(crate) fn explanation(teller: &Teller<'_>, bounds: &Bounds, finding: &Finding) -> Option<Explanation> {
    let replay = finding.replay();
    let mut lines = Vec::new();
    let title = match &replay.ending {
        Ending::Deadlock(blocked) => {
            lines.extend(blocked_lines(teller, finding, blocked, Stuck::Always));
            if let Some(names) = circle(replay, blocked).filter(|names| names.len() > 2) {
                let links: Vec<String> =
                    names.windows(2).map(|pair| format!("{} waits for {}", pair[0], pair[1])).collect();
                lines.push(Line::Whole(format!("They wait in a circle: {}.", links.join(", "))));
            }
            "Blocked for ever".to_owned()
        }
        Ending::Race { variable, accesses } => {
            for (at, (thread, op, span, writes)) in accesses.iter().enumerate() {
                let statement = teller.statement(*op, *span);
                let line = statement.location.map(|l| format!("line {}: ", l.line)).unwrap_or_default();
                let verb = if *writes { "writes" } else { "reads" };
                let name = &replay.threads[*thread];
                let text = format!("({}) {name} {verb} it, {line}{}", at + 1, statement.text);
                lines.push(Line::Long { text, least: 0, why: None });
            }
            let both = "Both can happen now, in either order, and nothing makes one wait for the other.";
            lines.push(Line::Whole(both.to_owned()));
            format!("The two accesses to `{variable}`")
        }
        Ending::Lasso { fairness, moving, idle, growing, unanswered, .. } => {
            let title = if unanswered.is_some() {
                lines.push(Line::Whole(format!("{}.", capitalised(&one_line(finding.message())))));
                "Why the request is never answered"
            } else {
                "Why nobody gets anywhere"
            };
            let names: Vec<&str> = moving.iter().map(|&t| replay.threads[t].as_str()).collect();
            lines.push(Line::Whole(format!("Run for ever: {}.", names.join(", "))));
            if !idle.is_empty() {
                let (title, stuck) = match fairness {
                    Fairness::Strong => ("Blocked all the time:", Stuck::Always),
                    Fairness::Weak | Fairness::None => ("Never run again:", Stuck::Perhaps),
                };
                lines.push(Line::Whole(title.to_owned()));
                lines.extend(blocked_lines(teller, finding, idle, stuck));
            }
            for growth in growing {
                let calls =
                    if growth.calls == 1 { "one call".to_owned() } else { format!("{} calls", growth.calls) };
                let name = &replay.threads[growth.thread];
                lines.push(Line::Whole(format!("The stack of {name} grows by {calls} each time around.")));
            }
            if teller.reallocates(finding) {
                let text = "Memory that was freed is allocated again in the lasso: it repeats up to a renaming of objects.";
                lines.push(Line::Whole(text.to_owned()));
            }
            let same = if growing.is_empty() {
                "The lasso ends in the state in which it starts"
            } else {
                "All else is as at the start of the lasso"
            };
            lines.push(Line::Whole(format!("{same}{}", lasso_sentence(*fairness, bounds.scheduler))));
            title.to_owned()
        }
        Ending::Failed { .. } | Ending::Completed | Ending::Open => return None,
    };
    Some(Explanation { title, lines })
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// What follows from a lasso's end being like its beginning.
fn lasso_sentence(fairness: Fairness, scheduler: Scheduler) -> &'static str {
    match (fairness, scheduler) {
        (_, Scheduler::Df(_) | Scheduler::Dfw(_)) => ".",
        (Fairness::Strong, _) => {
            ", and every thread that can run in it does run: a \
             scheduler\n  can be fair and still stay in it for ever."
        }
        (Fairness::Weak, _) => {
            ". Every thread that could run all the time does run; \
             one\n  that can run only now and then may never get its turn (weak fairness)."
        }
        (Fairness::None, _) => {
            ". Some thread that could run never does: only an \
             unfair\n  scheduler allows this."
        }
    }
}

/// Whether threads that do not run cannot, or perhaps could.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stuck {
    Always,
    Perhaps,
}

fn blocked_lines(teller: &Teller<'_>, finding: &Finding, blocked: &[Blocked], stuck: Stuck) -> Vec<Line> {
    const LEAST: usize = 60;
    let replay = finding.replay();
    let line = |b: &Blocked| {
        let statement = teller.statement(b.at, b.span);
        let line = statement.location.map(|l| format!("line {}: ", l.line)).unwrap_or_default();
        // Where a thread is only kept from running, there may be nothing that it waits for.
        let known = stuck == Stuck::Always || b.waits_for.is_some();
        let text = format!("{} at {line}{}", replay.threads[b.thread], statement.text);
        Line::Long { text, least: LEAST, why: known.then(|| why(teller, replay, b, blocked)) }
    };
    blocked.iter().map(line).collect()
}
