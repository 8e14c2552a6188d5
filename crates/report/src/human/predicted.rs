//! What a prediction looked at.

use super::Style;
use crate::Report;
use crate::paint::{HEADING, paint};
use crate::words::{bytes, count, seconds};

/// Where the violations are: in the run itself, or in other orders of its events.
pub(super) fn place(report: &Report<'_>, violations: usize) -> &'static str {
    match (report.predicted.is_some_and(|predicted| predicted.is_own), violations) {
        (true, 1) => "in this run itself",
        (true, _) => "one in this run itself, the others in other orders of its events",
        (false, _) => "in another order of the events of this run",
    }
}

pub(super) fn write(out: &mut String, report: &Report<'_>, style: Style) {
    let Some(predicted) = report.predicted else { return };
    out.push_str(&format!("\n{}\n", paint(style.color, HEADING, "Predicted from")));
    out.push_str(&format!("  {}\n", predicted.run));
    let number = |n: usize| n as u64;
    out.push_str(&format!(
        "  {}, {}, {}, of which {} matter\n",
        count(number(predicted.threads), "thread"),
        count(number(predicted.shared), "shared variable"),
        count(number(predicted.events), "event"),
        predicted.simplified,
    ));
    if report.checks.atomicity {
        let real = predicted.real.map_or("not asked".to_owned(), |real| real.to_string());
        out.push_str(&format!(
            "  {}: {}, {} by order, {} by locks, real: {real}\n",
            count(number(predicted.regions), "transaction"),
            count(number(predicted.potential), "potential violation"),
            predicted.after_happens_before,
            predicted.after_locksets,
        ));
    }
    for transaction in &predicted.transactions {
        let why = if transaction.inferred { "inferred" } else { "given" };
        let times =
            if transaction.count > 1 { format!(", {} times", transaction.count) } else { String::new() };
        out.push_str(&format!("  transaction ({why}): {}{times}\n", transaction.block));
    }
    for note in &predicted.notes {
        out.push_str(&format!("Note: {note}.\n"));
    }
    let queries = count(predicted.queries, "query").replace("querys", "queries");
    let mut parts = vec![queries, seconds(report.cost.total)];
    parts.extend(report.cost.peak_memory.map(bytes));
    out.push_str(&format!("\nIn all: {}.\n", parts.join(", ")));
}
