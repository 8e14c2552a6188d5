//! A finding: its schedule, how it ends and why.

use engine::{Blocked, Bounds, Ending, Fairness, Finding, Scheduler};

use crate::blocked::{circle, why};
use crate::human::{Detail, Style, steps};
use crate::paint::{HEADING, paint};
use crate::story::{Statement, Teller, one_line};
use crate::table::{Row, Table, cut};
use crate::words::number;
use crate::{is_own_global, is_text};

/// A table with more steps is cut in the middle.
const MOST_STEPS: usize = 300;
const FIRST_STEPS: usize = 60;

/// Writes the tables and the explanation of a finding.
pub(super) fn write(out: &mut String, teller: &Teller<'_>, bounds: &Bounds, finding: &Finding, style: Style) {
    let replay = finding.replay();
    let told = teller.tell(finding);
    write_initial(out, teller, finding, style);
    let verbose = style.detail == Detail::Verbose;
    let end = end_rows(teller, finding);
    let mut rows = steps::rows(teller, &told, verbose, finding.run().lasso_start, &end);
    match finding.run().lasso_start {
        None => {
            if matches!(replay.ending, Ending::Failed { .. })
                && let Some(last) = rows.iter_mut().rev().find_map(|rows| rows.last_mut())
            {
                last.mark = Some("✗ fails here".to_owned());
            }
            rows.extend(end.into_iter().map(|row| vec![row]));
            heading(out, "Schedule", style);
            write_table(out, &replay.threads, &rows, style);
        }
        Some(start) => {
            let (stem, lasso) = rows.split_at(start);
            if !stem.is_empty() {
                heading(out, "First, once (the stem)", style);
                write_table(out, &replay.threads, stem, style);
            }
            heading(out, "Then, again and again (the lasso)", style);
            write_table(out, &replay.threads, lasso, style);
        }
    }
    write_ending(out, teller, bounds, finding, style);
    if !replay.assumed.is_empty() {
        let places: Vec<String> = replay.assumed.iter().filter_map(|span| teller.line(*span)).collect();
        let axioms = if places.len() == 1 { "the axiom in line" } else { "the axioms in lines" };
        out.push_str(&format!(
            "\nTaken for granted, since the interpreter cannot evaluate them: {axioms} {}.\n",
            places.join(", ")
        ));
    }
}

fn heading(out: &mut String, text: &str, style: Style) {
    out.push_str(&format!("\n{}\n", paint(style.color, HEADING, text)));
}

fn write_initial(out: &mut String, teller: &Teller<'_>, finding: &Finding, style: Style) {
    let initial = finding.replay().initial.iter();
    let values: Vec<String> = initial
        .filter(|change| style.detail == Detail::Verbose || is_own_global(teller.program(), &change.variable))
        .filter(|change| change.value != "nil" && !is_text(&change.name))
        .map(|change| format!("{} = {}", change.name, change.value))
        .collect();
    if !values.is_empty() {
        let text = format!("At the start: {}", values.join(", "));
        out.push_str(&format!("\n{}\n", cut(&text, style.width)));
    }
}

/// Where threads stand when a finite run has gone wrong.
fn end_rows(teller: &Teller<'_>, finding: &Finding) -> Vec<Row> {
    let standing = |thread: usize, statement: &Statement, mark: String| Row {
        thread,
        line: statement.location.as_ref().map(|l| l.line),
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

fn write_table(out: &mut String, threads: &[String], rows: &[Vec<Row>], style: Style) {
    let (first, rest) = if rows.len() > MOST_STEPS && style.detail != Detail::Verbose {
        (&rows[..FIRST_STEPS], &rows[rows.len() - (MOST_STEPS - FIRST_STEPS)..])
    } else {
        (rows, &rows[..0])
    };
    let mut shown = vec![first];
    if !rest.is_empty() {
        shown.push(rest);
    }
    for (at, part) in shown.iter().enumerate() {
        if at > 0 {
            let left_out = number((rows.len() - MOST_STEPS) as u64);
            out.push_str(&format!("   … {left_out} steps left out; -v shows them\n"));
        }
        let rows = part.iter().flatten().cloned().collect();
        out.push_str(&Table { threads, rows }.render(style.width, style.color));
    }
}

fn write_ending(out: &mut String, teller: &Teller<'_>, bounds: &Bounds, finding: &Finding, style: Style) {
    let replay = finding.replay();
    match &replay.ending {
        Ending::Deadlock(blocked) => {
            heading(out, "Blocked for ever", style);
            write_blocked(out, teller, finding, blocked, Stuck::Always, style);
            if let Some(names) = circle(replay, blocked).filter(|names| names.len() > 2) {
                let links: Vec<String> =
                    names.windows(2).map(|pair| format!("{} waits for {}", pair[0], pair[1])).collect();
                out.push_str(&format!("  They wait in a circle: {}.\n", links.join(", ")));
            }
        }
        Ending::Race { variable, accesses } => {
            heading(out, &format!("The two accesses to `{variable}`"), style);
            for (at, (thread, op, span, writes)) in accesses.iter().enumerate() {
                let statement = teller.statement(*op, *span);
                let line = statement.location.map(|l| format!("line {}: ", l.line)).unwrap_or_default();
                let verb = if *writes { "writes" } else { "reads" };
                let name = &replay.threads[*thread];
                let text = format!("  ({}) {name} {verb} it, {line}{}", at + 1, statement.text);
                out.push_str(&format!("{}\n", cut(&text, style.width)));
            }
            out.push_str(
                "  Both can happen now, in either order, and nothing makes one wait for the other.\n",
            );
        }
        Ending::Lasso { fairness, moving, idle, growing, unanswered, .. } => {
            if unanswered.is_some() {
                heading(out, "Why the request is never answered", style);
                out.push_str(&format!("  {}.\n", capitalised(&one_line(finding.message()))));
            } else {
                heading(out, "Why nobody gets anywhere", style);
            }
            let names: Vec<&str> = moving.iter().map(|&t| replay.threads[t].as_str()).collect();
            out.push_str(&format!("  Run for ever: {}.\n", names.join(", ")));
            if !idle.is_empty() {
                let (title, stuck) = match fairness {
                    Fairness::Strong => ("Blocked all the time:", Stuck::Always),
                    Fairness::Weak | Fairness::None => ("Never run again:", Stuck::Perhaps),
                };
                out.push_str(&format!("  {title}\n"));
                write_blocked(out, teller, finding, idle, stuck, style);
            }
            for growth in growing {
                let calls =
                    if growth.calls == 1 { "one call".to_owned() } else { format!("{} calls", growth.calls) };
                let name = &replay.threads[growth.thread];
                out.push_str(&format!("  The stack of {name} grows by {calls} each time around.\n"));
            }
            if teller.reallocates(finding) {
                out.push_str(
                    "  Memory that was freed is allocated again in the lasso: it repeats up to a renaming of objects.\n",
                );
            }
            let same = if growing.is_empty() {
                "The lasso ends in the state in which it starts"
            } else {
                "All else is as at the start of the lasso"
            };
            out.push_str(&format!("  {same}{}\n", lasso_sentence(*fairness, bounds.scheduler)));
        }
        Ending::Failed { .. } | Ending::Completed | Ending::Open => {}
    }
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

fn write_blocked(
    out: &mut String,
    teller: &Teller<'_>,
    finding: &Finding,
    blocked: &[Blocked],
    stuck: Stuck,
    style: Style,
) {
    let replay = finding.replay();
    for b in blocked {
        let statement = teller.statement(b.at, b.span);
        let line = statement.location.map(|l| format!("line {}: ", l.line)).unwrap_or_default();
        // Where a thread is only kept from running, there may be nothing that it waits for.
        let known = stuck == Stuck::Always || b.waits_for.is_some();
        let reason = if known { format!("  ({})", why(teller, replay, b, blocked)) } else { String::new() };
        let text = format!("  {} at {line}{}{reason}", replay.threads[b.thread], statement.text);
        out.push_str(&format!("{}\n", cut(&text, style.width.max(60))));
    }
}
