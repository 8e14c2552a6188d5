//! Drawings for graphviz.

use std::fmt::Write;

use ir::{OpRef, Program};

use crate::{Art, EventEnd, Location, ProgramSchedule, ThreadAt};

/// A tree: nodes with locations and labels, edges with threads and ops, dashed edges to covering nodes. The ops are those
/// of the program with its synchronization expanded.
#[must_use]
pub fn art(program: &Program, art: &Art) -> String {
    let expanded = ir::expand(program).program;
    let drawing = Drawing { program: &expanded, printer: ir::text::Printer::new(&expanded) };
    let mut out =
        "digraph art {\n  node [shape=box, fontname=monospace];\n  edge [fontname=monospace];\n".to_owned();
    for (id, node) in &art.nodes {
        let place = drawing.location(&node.location);
        let label = smt::term_to_string(&art.pool, node.label);
        let text = quote(&format!("{id}: {place}\n{}", shorten(&label)));
        let _ = writeln!(out, "  {id} [label={text}];");
        for choice in &node.choices {
            for edge in &choice.edges {
                let text = quote(&format!("{}: {}", choice.thread, drawing.ops(&edge.ops)));
                let _ = writeln!(out, "  {id} -> {} [label={text}];", edge.target);
            }
        }
        if let Some(by) = node.cover {
            let _ = writeln!(out, "  {id} -> {by} [style=dashed, constraint=false];");
        }
    }
    out.push_str("}\n");
    out
}

/// A program schedule: points as circles, and each section as a box with its events, an arrow for each constraint.
#[must_use]
pub fn schedule(program: &Program, schedule: &ProgramSchedule) -> String {
    let drawing = Drawing { program, printer: ir::text::Printer::new(program) };
    let mut out =
        "digraph schedule {\n  compound=true;\n  node [shape=box, fontname=monospace];\n".to_owned();
    for (id, point) in &schedule.points {
        let shape = if point.sections.is_empty() { "doublecircle" } else { "circle" };
        let _ = writeln!(out, "  {id} [shape={shape}];");
        for (number, section) in point.sections.iter().enumerate() {
            let prefix = format!("{id}_{number}");
            let guard = quote(section.guard.as_deref().unwrap_or_default());
            let _ = writeln!(out, "  subgraph cluster_{prefix} {{\n    label={guard};");
            let mut counted: Vec<(u32, usize)> = Vec::new();
            let mut arrows = String::new();
            for (at, event) in section.events.iter().enumerate() {
                let end = if event.end == EventEnd::Exited { " (exit)" } else { "" };
                let text = quote(&format!("{}: {}{end}", event.thread, drawing.ops(&event.ops)));
                let style = if event.omitted { ", style=dotted" } else { "" };
                let _ = writeln!(out, "    {prefix}_{at} [label={text}{style}];");
                let before = section.events[..at].iter().rposition(|other| other.thread == event.thread);
                if let Some(before) = before {
                    let _ = writeln!(arrows, "    {prefix}_{before} -> {prefix}_{at} [style=bold];");
                }
                for after in &event.after {
                    let mut of = counted.iter().filter(|(thread, _)| *thread == after.thread);
                    if let Some((_, first)) = of.nth(after.count.saturating_sub(1) as usize) {
                        let _ = writeln!(arrows, "    {prefix}_{first} -> {prefix}_{at};");
                    }
                }
                if !event.omitted {
                    counted.push((event.thread, at));
                }
            }
            out.push_str(&arrows);
            out.push_str("  }\n");
            let last = section.events.len().saturating_sub(1);
            let _ = writeln!(out, "  {id} -> {prefix}_0 [lhead=cluster_{prefix}];");
            let _ = writeln!(out, "  {prefix}_{last} -> {} [ltail=cluster_{prefix}];", section.next);
        }
    }
    out.push_str("}\n");
    out
}

struct Drawing<'a> {
    program: &'a Program,
    printer: ir::text::Printer<'a>,
}

impl Drawing<'_> {
    fn location(&self, location: &Location) -> String {
        let place = |at: &ThreadAt| match at {
            ThreadAt::Running(frames) => frames.last().map_or_else(String::new, |op| self.place(*op)),
            ThreadAt::Completed(_) => "completed".to_owned(),
        };
        location.threads.iter().map(place).collect::<Vec<_>>().join(" | ")
    }

    fn place(&self, op: OpRef) -> String {
        let proc = &self.program.procs[op.proc];
        format!("{}:{}.{}", proc.name, proc.blocks[op.block].name, op.index)
    }

    /// The ops that do more than pass control; if there are none, where they are.
    fn ops(&self, ops: &[OpRef]) -> String {
        let op = |at: &OpRef| &self.program.procs[at.proc].blocks[at.block].stmts[at.index].op;
        let shown: Vec<String> = ops
            .iter()
            .filter(|at| !matches!(op(at), ir::Op::Goto(_) | ir::Op::AtomicBegin | ir::Op::AtomicEnd))
            .map(|at| self.printer.op(at.proc, op(at)).trim().to_owned())
            .collect();
        let text = if shown.is_empty() {
            ops.first().map(|op| self.place(*op)).unwrap_or_default()
        } else {
            shown.join("\n")
        };
        shorten(&text)
    }
}

/// Long texts make a drawing useless.
fn shorten(text: &str) -> String {
    const LONGEST: usize = 400;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\l"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
