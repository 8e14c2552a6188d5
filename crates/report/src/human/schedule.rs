//! A finding: its schedule, how it ends and why.

use engine::{Bounds, Finding};

use crate::ending::{Line, all_rows, explanation};
use crate::human::{Detail, Style};
use crate::paint::{HEADING, paint};
use crate::story::Teller;
use crate::table::{Row, Table, cut};
use crate::words::number;
use crate::{is_own_global, is_text};

/// A table with more steps is cut in the middle.
const MOST_STEPS: usize = 300;
const FIRST_STEPS: usize = 60;

/// Writes the tables and the explanation of a finding.
pub(super) fn write(out: &mut String, teller: &Teller<'_>, bounds: &Bounds, finding: &Finding, style: Style) {
    let replay = finding.replay();
    write_initial(out, teller, finding, style);
    let (mut rows, end) = all_rows(teller, finding, &teller.tell(finding), style.detail == Detail::Verbose);
    match finding.run().lasso_start {
        None => {
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
    if let Some(explanation) = explanation(teller, bounds, finding) {
        heading(out, &explanation.title, style);
        for line in explanation.lines {
            let text = match line {
                Line::Long(text, least) => cut(&format!("  {text}"), style.width.max(least)),
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
