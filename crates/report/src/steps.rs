//! The rows of the steps of a run.
//!
//! A step is what happens between two moments at which threads can be switched, and one statement of the source may take
//! several: the call that starts a thread also writes the handle. Where a thread takes them without a break they are one
//! row.

use engine::Change;
use ir::{AssertKind, Op, OpRef};

use crate::story::{Statement, Teller, Told};
use crate::table::Row;
use crate::{is_own_global, is_text};

/// What a statement does in a step, or in several without a break.
struct Part {
    row: Row,
    ops: Vec<OpRef>,
    /// What it reads: told where it changes nothing.
    reads: Vec<String>,
}

/// The rows of the steps of a run, step by step. What goes round in a lasso starts at `border`; `end` has the rows of where
/// threads stand at the end.
pub(crate) fn rows(
    teller: &Teller<'_>,
    told: &[Told<'_>],
    verbose: bool,
    border: Option<usize>,
    end: &[Row],
) -> Vec<Vec<Row>> {
    let mut steps: Vec<Vec<Part>> = Vec::new();
    for (at, step) in told.iter().enumerate() {
        let mut parts = if step.hidden && !verbose { Vec::new() } else { parts(teller, at, step, verbose) };
        if !verbose && border != Some(at) {
            continue_last(teller, &mut steps, &mut parts);
        }
        steps.push(parts);
    }
    if !verbose && border.is_none() {
        leave_out_arrivals(teller, &mut steps, end);
    }
    let finish = |part: Part| {
        let mut row = part.row;
        if row.values.is_empty() && !part.reads.is_empty() {
            row.values = part.reads;
            row.values[0].insert_str(0, "reads ");
        }
        row
    };
    steps.into_iter().map(|parts| parts.into_iter().map(finish).collect()).collect()
}

/// The parts of a step. Statements that only move control are left out if the step does something else.
fn parts(teller: &Teller<'_>, at: usize, step: &Told<'_>, verbose: bool) -> Vec<Part> {
    let number = Some(at + 1);
    if step.statements.is_empty() {
        let text = if step.delay { "(delayed)" } else { "(waits)" }.to_owned();
        let row = Row { step: number, thread: step.thread, text, ..Row::default() };
        return vec![Part { row, ops: Vec::new(), reads: Vec::new() }];
    }
    let mut shown: Vec<Statement> = Vec::new();
    for statement in step.statements.iter().filter(|s| verbose || !s.control) {
        match shown.last_mut() {
            Some(last) if last.is_same(statement) && !verbose => last.add(statement.clone()),
            _ => shown.push(statement.clone()),
        }
    }
    if shown.is_empty() {
        shown.extend(step.statements.first().cloned());
    }
    let mut parts: Vec<Part> = shown
        .iter()
        .map(|statement| {
            let row = Row {
                thread: step.thread,
                location: statement.location.clone(),
                text: statement.text.clone(),
                ..Row::default()
            };
            Part { row, ops: statement.ops.clone(), reads: Vec::new() }
        })
        .collect();
    let own = |name: &str| is_own_global(teller.program(), name);
    // In C, what is not set yet tells nothing, nor do the insides of the standard library of C++.
    let other = teller.program().presentation.regions.is_empty();
    let tells = |value: &str| other || (value != "*" && !value.contains("::_"));
    let shows = |change: &&Change| (change.local || own(&change.variable)) && tells(&change.value);
    let told = step.changes.iter().filter(|change| verbose || shows(change));
    let calls = |s: &Statement| s.ops.iter().any(|op| matches!(teller.op(*op), Some(Op::Call { .. })));
    let call = shown.iter().rposition(calls);
    let returns = step.statements.iter().any(Statement::returns);
    for change in told {
        // The last statement that assigns it has the last word. What no statement assigns is the result of a call
        // that returns, or an arbitrary value that is chosen now, when it is needed.
        let assigned = shown.iter().rposition(|s| s.assigns(&change.variable));
        let chosen = assigned.is_none() && !change.local && own(&change.variable) && !returns;
        let note = if chosen { " (chosen)" } else { "" };
        let value = format!("{} = {}{note}", change.name, change.value);
        // A variable of the source is often several of the program, one per assignment: the first tells it.
        let parameter = call.filter(|_| change.local && !returns);
        let at = assigned.or(parameter).unwrap_or(parts.len() - 1);
        if !parts[..=at].iter().any(|part| part.row.values.contains(&value)) {
            parts[at..].iter_mut().for_each(|part| part.row.values.retain(|old| *old != value));
            parts[at].row.values.push(value);
        }
    }
    // A step starts with what others can see, and the rest of it reads nothing that they change. Who waits for a thread
    // reads its handle, which tells nothing.
    if !leads_to_wait(teller, &parts[0].ops) {
        let reads = step.reads.iter().filter(|read| own(&read.variable) && !is_text(&read.name));
        parts[0].reads = reads.map(|read| format!("{} = {}", read.name, read.value)).collect();
    }
    if !verbose {
        leave_out(&mut parts);
    }
    parts[0].row.step = number;
    parts
}

/// Whether a statement waits for a thread, now or later.
fn leads_to_wait(teller: &Teller<'_>, ops: &[OpRef]) -> bool {
    let Some(&first) = ops.first() else { return false };
    let Some(proc) = teller.program().procs.get(first.proc) else { return false };
    let block = proc.blocks.get(first.block).and_then(|block| block.stmts.get(first.index));
    let Some(span) = block.map(|stmt| stmt.span) else { return false };
    proc.stmts().any(|(_, _, stmt)| stmt.span == span && matches!(stmt.op, Op::Wait { .. }))
}

/// Leaves out where a thread has come to a statement but done nothing of it that anybody sees, if the statement is told
/// later: in one of the steps, or at the end of the run, of which `end` has the rows.
fn leave_out_arrivals(teller: &Teller<'_>, steps: &mut [Vec<Part>], end: &[Row]) {
    let mut next: Vec<(Row, Vec<OpRef>)> = end.iter().map(|row| (row.clone(), Vec::new())).collect();
    for parts in steps.iter_mut().rev() {
        let arrives = parts.last().is_some_and(|part| {
            let later = next.iter().rev().find(|(row, _)| row.thread == part.row.thread);
            let told = later.is_some_and(|(row, ops)| {
                is_same(row, &part.row) && !part.ops.iter().any(|op| ops.contains(op))
            });
            let local = |op: &OpRef| match teller.op(*op) {
                Some(Op::Assign { .. } | Op::Branch { .. } | Op::Goto(_)) => true,
                Some(Op::Assert { kind, .. }) => *kind == AssertKind::Memory,
                _ => false,
            };
            told && part.row.values.is_empty() && part.reads.is_empty() && part.ops.iter().all(local)
        });
        if arrives {
            parts.pop();
        }
        if let Some(first) = parts.first() {
            next.push((first.row.clone(), first.ops.clone()));
        }
    }
}

fn is_same(a: &Row, b: &Row) -> bool {
    a.thread == b.thread && a.line() == b.line() && a.text == b.text
}

/// Leaves out ends of blocks and heads of loops that tell nothing, unless there is nothing else.
fn leave_out(parts: &mut Vec<Part>) {
    let tells = |part: &Part| {
        let head = part.row.text == "}" || part.row.text.starts_with("for (");
        !head || !part.row.values.is_empty() || !part.reads.is_empty()
    };
    if parts.iter().any(tells) {
        parts.retain(tells);
    }
}

/// Adds the first part of a step to the last one before, if it is the same statement and goes on with it.
fn continue_last(teller: &Teller<'_>, steps: &mut [Vec<Part>], parts: &mut Vec<Part>) {
    let Some(last) = steps.iter_mut().rev().find_map(|parts| parts.last_mut()) else { return };
    let Some(first) = parts.first() else { return };
    // Libraries call their own functions again and again in one statement.
    let own = |op: &&OpRef| !teller.is_in_library(**op);
    let again = first.ops.is_empty() || first.ops.iter().filter(own).any(|op| last.ops.contains(op));
    if !is_same(&last.row, &first.row) || again {
        return;
    }
    let first = parts.remove(0);
    last.ops.extend(first.ops);
    for read in first.reads {
        if !last.reads.contains(&read) {
            last.reads.push(read);
        }
    }
    for value in first.row.values {
        let name = |value: &str| value.split(" = ").next().map(str::to_owned);
        last.row.values.retain(|old| name(old) != name(&value));
        last.row.values.push(value);
    }
    if let Some(next) = parts.first_mut() {
        next.row.step = first.row.step;
    }
}
