//! A replayed run as a story: per step the source lines it ran and the values it changed.

use engine::{Change, Event, Finding, Location, location_of};
use ir::text::Printer;
use ir::{Op, OpRef, Place, PlaceBase, ProcId, Program, Stmt};
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

    /// Whether both are the same place of the source.
    pub(crate) fn is_same(&self, other: &Statement) -> bool {
        self.text == other.text && self.location == other.location
    }

    /// Adds what comes next of the same place.
    pub(crate) fn add(&mut self, other: Statement) {
        self.control &= other.control;
        self.ops.extend(other.ops);
        self.assigns.extend(other.assigns);
        self.returns |= other.returns;
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
    /// Whether all of it happens in libraries that nobody of the program has called: where threads start.
    pub(crate) hidden: bool,
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

    /// Whether a lasso repeats only since memory that was freed is allocated again: up to a renaming of objects.
    pub(crate) fn reallocates(&self, finding: &Finding) -> bool {
        let Some(start) = finding.run().lasso_start else { return false };
        let mut reallocates = false;
        for (at, _) in finding.replay().events.iter().skip(start).flat_map(|event| &event.ops) {
            self.program.procs[at.proc].blocks[at.block].stmts[at.index].op.for_each_target(|place| {
                if let PlaceBase::Global(global) = place.base {
                    reallocates |= self.program.presentation.reused.contains(&global);
                }
            });
        }
        reallocates
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
        let looks = &self.program.presentation;
        let own: Vec<&(OpRef, Span)> = event.ops.iter().filter(|op| !looks.is_library(op.1)).collect();
        let hidden = own.is_empty() && !event.ops.is_empty();
        let ops = if hidden { event.ops.iter().collect() } else { own };
        for &&(at, span) in &ops {
            let statement = self.statement(at, span);
            // One source statement is often several ops.
            match statements.last_mut() {
                Some(last) if last.is_same(&statement) => last.add(statement),
                _ => statements.push(statement),
            }
        }
        let (changes, reads) = (event.changes.as_slice(), event.reads.as_slice());
        Told { thread: event.thread, delay: event.delay, statements, hidden, changes, reads }
    }

    /// An op as the user wrote it.
    pub(crate) fn statement(&self, at: OpRef, span: Span) -> Statement {
        let op = self.op(at);
        let source = one_line(self.map.text(span));
        let text = match (source.is_empty(), op) {
            (true, Some(op)) => one_line(&self.printer.op(at.proc, op)),
            _ => source,
        };
        // What a library does is told as a part of the statement that calls it.
        let own = self.own_span(at).is_none_or(|own| own == span);
        let returns = matches!(op, Some(Op::Return)) && own;
        let text = if returns { "(returns)".to_owned() } else { text };
        // Where there is a source, what is not in it is no statement.
        let made_up =
            !returns && self.map.text(span).is_empty() && !self.program.presentation.regions.is_empty();
        let control =
            made_up || op.is_some_and(|op| op.is_terminator() || matches!(op, Op::AtomicEnd | Op::Yield));
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
        Some(&self.stmt(at)?.op)
    }

    /// Whether an op is in a file that the user did not write.
    pub(crate) fn is_in_library(&self, at: OpRef) -> bool {
        self.own_span(at).is_some_and(|span| self.program.presentation.is_library(span))
    }

    fn own_span(&self, at: OpRef) -> Option<Span> {
        Some(self.stmt(at)?.span)
    }

    fn stmt(&self, at: OpRef) -> Option<&'a Stmt> {
        self.program.procs.get(at.proc)?.blocks.get(at.block)?.stmts.get(at.index)
    }
}

/// The first line of a text, without what a terminal might obey, blanks in a row as one. The rest of a long
/// statement (the body of an atomic block) is told by its own ops.
#[must_use]
pub fn one_line(text: &str) -> String {
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
