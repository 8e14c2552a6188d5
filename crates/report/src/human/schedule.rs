//! A finding: its schedule, how it ends and why.

use engine::{Bounds, Finding};
use source::Span;

use crate::ending::{Line, all_rows, explanation};
use crate::human::{Detail, Style};
use crate::paint::{HEADING, paint};
use crate::story::Teller;
use crate::table::{Row, Table, cut};
use crate::words::number;
use crate::{is_own_global, is_text};
use unicode_width::UnicodeWidthStr;

/// A table with more steps is cut in the middle.
const MOST_STEPS: usize = 300;
const FIRST_STEPS: usize = 60;

/// A shorter beginning is shown again.
const LEAST_SHARED: usize = 10;

/// A run that was shown, so that others need not show their beginning if it is the same.
pub(super) struct Shown {
    number: usize,
    threads: Vec<String>,
    rows: Vec<Vec<Row>>,
}

/// Writes the tables and the explanation of a finding.
pub(super) fn write(out: &mut String, teller: &Teller<'_>, bounds: &Bounds, finding: &Finding, style: Style) {
    write_after(out, teller, bounds, finding, style, (0, &mut Vec::new()));
}

/// Writes the tables and the explanation of a finding that has a number, after others were shown.
pub(super) fn write_after(
    out: &mut String,
    teller: &Teller<'_>,
    bounds: &Bounds,
    finding: &Finding,
    style: Style,
    (number, shown): (usize, &mut Vec<Shown>),
) {
    let replay = finding.replay();
    let (mut rows, end) = all_rows(teller, finding, &teller.tell(finding), style.detail == Detail::Verbose);
    match finding.run().lasso_start {
        None => {
            rows.extend(end.into_iter().map(|row| vec![row]));
            match known_beginning(shown, &replay.threads, &rows).filter(|_| style.detail != Detail::Verbose) {
                Some((other, steps)) => {
                    heading(out, "Schedule", style);
                    out.push_str(&format!(
                        "   … the first {steps} steps are those of {other}; -v shows them\n"
                    ));
                    write_table(out, &replay.threads, &rows[steps..], style);
                }
                None => {
                    write_initial(out, teller, finding, style);
                    heading(out, "Schedule", style);
                    write_table(out, &replay.threads, &rows, style);
                }
            }
            shown.push(Shown { number, threads: replay.threads.clone(), rows });
        }
        Some(start) => {
            write_initial(out, teller, finding, style);
            let (stem, lasso) = rows.split_at(start);
            if !stem.is_empty() {
                heading(out, "First, once (the stem)", style);
                write_table(out, &replay.threads, stem, style);
            }
            heading(out, "Then, again and again (the lasso)", style);
            write_table(out, &replay.threads, lasso, style);
        }
    }
    if let Some(explanation) = explanation(teller, bounds, finding) {
        heading(out, &explanation.title, style);
        for line in explanation.lines {
            let text = match line {
                Line::Long { text, least, why } => {
                    let text = format!("  {text}");
                    let why = why.map(|why| format!("({why})")).unwrap_or_default();
                    if text.width() + 2 + why.width() <= style.width {
                        format!("{text}  {why}").trim_end().to_owned()
                    } else if why.is_empty() {
                        cut(&text, style.width.max(least))
                    } else {
                        format!("{}\n      {why}", cut(&text, style.width.max(least)))
                    }
                }
                Line::Whole(text) => format!("  {text}"),
            };
            out.push_str(&format!("{text}\n"));
        }
    }
    if !replay.assumed.is_empty() {
        let places: Vec<String> = replay.assumed.iter().filter_map(|span| teller.line(*span)).collect();
        let axioms = if places.len() == 1 { "the axiom in line" } else { "the axioms in lines" };
        out.push_str(&format!(
            "\nTaken for granted, since the interpreter cannot evaluate them: {axioms} {}.\n",
            places.join(", ")
        ));
    }
}

/// The run that begins as this one does for the longest time, and for how many steps; not all of them, and not only a few.
fn known_beginning(shown: &[Shown], threads: &[String], rows: &[Vec<Row>]) -> Option<(usize, usize)> {
    let same = |other: &Shown| {
        let steps = rows.iter().zip(&other.rows).take_while(|(row, other)| row == other).count();
        // The last step of all is where it goes wrong.
        (other.number, steps.min(rows.len().saturating_sub(1)))
    };
    let of_the_same_program = shown
        .iter()
        .filter(|other| other.threads.starts_with(threads) || threads.starts_with(&other.threads));
    let best = of_the_same_program.map(same).reduce(|a, b| if b.1 > a.1 { b } else { a })?;
    (best.1 >= LEAST_SHARED).then_some(best)
}

fn heading(out: &mut String, text: &str, style: Style) {
    out.push_str(&format!("\n{}\n", paint(style.color, HEADING, text)));
}

fn write_initial(out: &mut String, teller: &Teller<'_>, finding: &Finding, style: Style) {
    let initial = finding.replay().initial.iter();
    let program = teller.program();
    // In C, what no line declares is of a library, or of the compiler, or what the program is called with.
    let declared = |name: &str| {
        let mut globals = program.globals.values();
        let global = globals.find(|global| global.name == name);
        program.presentation.libraries.is_empty() || global.is_some_and(|global| global.span != Span::NONE)
    };
    let own = |name: &str| is_own_global(program, name) && declared(name);
    let values: Vec<String> = initial
        .filter(|change| style.detail == Detail::Verbose || own(&change.variable))
        .filter(|change| change.value != "nil" && !is_text(&change.name))
        .map(|change| format!("{} = {}", change.name, change.value))
        .collect();
    if !values.is_empty() {
        let text = format!("At the start: {}", values.join(", "));
        out.push_str(&format!("\n{}\n", cut(&text, style.width)));
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
