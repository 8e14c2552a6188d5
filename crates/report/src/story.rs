//! A replayed run as a story: per step the source lines it ran and the values it changed.

use engine::{Change, Event, Finding, Location, location_of};
use ir::text::Printer;
use ir::{Op, OpRef, Place, PlaceBase, ProcId, Program};
use source::{SourceMap, Span};

/// A source line that a step ran, or part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    pub(crate) location: Option<Location>,
    /// Its text in one line.
    pub(crate) text: String,
    /// Whether it does nothing but move control.
    pub(crate) control: bool,
    /// The ops it stands for.
    pub(crate) ops: Vec<OpRef>,
    /// The variables it assigns, by name.
    assigns: Vec<String>,
    returns: bool,
}

impl Statement {
    /// Whether it returns from a procedure.
    pub(crate) fn returns(&self) -> bool {
        self.returns
    }

    /// Whether it assigns the variable of this name, or a cell of it.
    pub(crate) fn assigns(&self, name: &str) -> bool {
        self.assigns.iter().any(|assigned| assigned == name)
    }
}

/// One step.
#[derive(Clone, Debug)]
pub(crate) struct Told<'a> {
    /// Which thread, by position.
    pub(crate) thread: usize,
    pub(crate) delay: bool,
    pub(crate) statements: Vec<Statement>,
    pub(crate) changes: &'a [Change],
    pub(crate) reads: &'a [Change],
}

/// Turns ops into text; made once per report.
pub(crate) struct Teller<'a> {
    program: &'a Program,
    map: &'a SourceMap,
    printer: Printer<'a>,
}

impl<'a> Teller<'a> {
    pub(crate) fn new(program: &'a Program, map: &'a SourceMap) -> Self {
        Teller { program, map, printer: Printer::new(program) }
    }

    /// The line of a place, if it has one.
    pub(crate) fn line(&self, span: Span) -> Option<String> {
        location_of(self.map, span).map(|location| location.line.to_string())
    }

    pub(crate) fn program(&self) -> &'a Program {
        self.program
    }

    pub(crate) fn printer(&self) -> &Printer<'a> {
        &self.printer
    }

    /// The steps of a finding's run, in order.
    pub(crate) fn tell<'f>(&self, finding: &'f Finding) -> Vec<Told<'f>> {
        finding.replay().events.iter().map(|event| self.tell_event(event)).collect()
    }

    fn tell_event<'f>(&self, event: &'f Event) -> Told<'f> {
        let mut statements: Vec<Statement> = Vec::new();
        for &(at, span) in &event.ops {
            let statement = self.statement(at, span);
            // One source statement is often several ops.
            match statements.last_mut() {
                Some(last) if last.text == statement.text && last.location == statement.location => {
                    last.control &= statement.control;
                    last.ops.extend(statement.ops);
                    last.assigns.extend(statement.assigns);
                    last.returns |= statement.returns;
                }
                _ => statements.push(statement),
            }
        }
        let (changes, reads) = (event.changes.as_slice(), event.reads.as_slice());
        Told { thread: event.thread, delay: event.delay, statements, changes, reads }
    }

    /// An op as the user wrote it.
    pub(crate) fn statement(&self, at: OpRef, span: Span) -> Statement {
        let op = self.op(at);
        let source = one_line(self.map.text(span));
        let text = match (source.is_empty(), op) {
            (true, Some(op)) => one_line(&self.printer.op(at.proc, op)),
            _ => source,
        };
        let returns = matches!(op, Some(Op::Return));
        let text = if returns { "(returns)".to_owned() } else { text };
        let control = op.is_some_and(|op| op.is_terminator() || matches!(op, Op::AtomicEnd | Op::Yield));
        let mut assigns = Vec::new();
        if let Some(op) = op {
            op.for_each_target(|place| assigns.push(self.base_name(at.proc, place)));
        }
        Statement { location: location_of(self.map, span), text, control, ops: vec![at], assigns, returns }
    }

    /// The name of the variable of a place.
    pub(crate) fn base_name(&self, proc: ProcId, place: &Place) -> String {
        match place.base {
            PlaceBase::Global(global) => self.program.globals[global].name.clone(),
            PlaceBase::Local(local) => self.program.procs[proc].locals[local].name.clone(),
        }
    }

    pub(crate) fn op(&self, at: OpRef) -> Option<&'a Op> {
        let proc = self.program.procs.get(at.proc)?;
        Some(&proc.blocks.get(at.block)?.stmts.get(at.index)?.op)
    }
}

/// The first line of a text, without what a terminal might obey, blanks in a row as one. The rest of a long
/// statement (the body of an atomic block) is told by its own ops.
pub(crate) fn one_line(text: &str) -> String {
    const LONGEST: usize = 400;
    let line = text.trim_start().lines().next().unwrap_or_default();
    let clean: String = line.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn a_statement_is_one_harmless_line() {
        assert_eq!(one_line("  x :=\t 1;\n y"), "x := 1;");
        assert_eq!(one_line("x\u{1b}[31m"), "x [31m");
        assert_eq!(one_line(&"x".repeat(1_000_000)).len(), 400);
    }
}
