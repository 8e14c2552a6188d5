//! Writes program schedules.

use std::fmt::Write;

use ir::{OpRef, Program};

use super::VERSION;
use super::name::{write_name, write_quoted};
use crate::{Event, EventEnd, ProgramSchedule};

/// The text of a schedule of a program. Comments tell what the ops are.
#[must_use]
pub fn write(program: &Program, schedule: &ProgramSchedule) -> String {
    let mut writer = Writer { program, printer: ir::text::Printer::new(program), out: String::new() };
    writer.schedule(schedule);
    writer.out
}

struct Writer<'a> {
    program: &'a Program,
    printer: ir::text::Printer<'a>,
    out: String,
}

impl Writer<'_> {
    fn schedule(&mut self, schedule: &ProgramSchedule) {
        let ProgramSchedule { fingerprint, level, omitted, points } = schedule;
        let _ = writeln!(self.out, "raddle-schedule {VERSION}");
        let _ = writeln!(self.out, "program sha256 {fingerprint}");
        let _ = writeln!(self.out, "level {}", level.number());
        for &op in omitted {
            self.out.push_str("omit ");
            self.op(op);
            self.comment(op);
        }
        for (id, point) in points {
            let _ = writeln!(self.out, "\npoint {id}");
            for section in &point.sections {
                self.out.push_str("  section");
                if let Some(guard) = &section.guard {
                    self.out.push_str(" when ");
                    write_quoted(&mut self.out, guard);
                }
                self.out.push('\n');
                for event in &section.events {
                    self.event(event);
                }
                let _ = writeln!(self.out, "  next {}", section.next);
            }
        }
    }

    fn event(&mut self, event: &Event) {
        let _ = write!(self.out, "    {}:", event.thread);
        for &op in &event.ops {
            self.out.push(' ');
            self.op(op);
        }
        self.out.push_str(" -> ");
        match event.end {
            EventEnd::Before(op) => self.op(op),
            EventEnd::Completed => self.out.push_str("completed"),
            EventEnd::Exited => self.out.push_str("exited"),
        }
        if event.omitted {
            self.out.push_str(" omitted");
        }
        if event.late {
            self.out.push_str(" late");
        }
        if !event.after.is_empty() {
            self.out.push_str(" after");
            for after in &event.after {
                let _ = write!(self.out, " {}:{}", after.thread, after.count);
            }
        }
        match event.ops.first() {
            Some(op) => self.comment(*op),
            None => self.out.push('\n'),
        }
    }

    fn op(&mut self, op: OpRef) {
        let proc = &self.program.procs[op.proc];
        write_name(&mut self.out, &proc.name);
        self.out.push(':');
        write_name(&mut self.out, &proc.blocks[op.block].name);
        let _ = write!(self.out, ".{}", op.index);
    }

    /// Ends the line with what an op is.
    fn comment(&mut self, op: OpRef) {
        let stmt = &self.program.procs[op.proc].blocks[op.block].stmts[op.index];
        let text = self.printer.op(op.proc, &stmt.op);
        let line: String = text.trim().chars().filter(|c| !c.is_control()).collect();
        let _ = writeln!(self.out, " // {line}");
    }
}
