//! Ops as statements.

use ir::{ExprId, Op, Place, PlaceBase, ProcId, Type};

use super::procedure::Body;
use super::{Printed, Unprintable};

impl Body<'_, '_> {
    pub(super) fn op(&mut self, op: &Op, note: Option<&str>) -> Printed<()> {
        match op {
            Op::Assign { targets, values, .. } => self.assign_op(targets, values, note)?,
            Op::Havoc { targets } => self.havoc(targets, note)?,
            Op::Assume(cond) => self.condition("assume", *cond, note)?,
            // For assertions it makes no difference whether a run blocks or is none.
            Op::Await { guard, targets, values } => {
                self.condition("assume", *guard, note)?;
                self.parts.clear();
                if !targets.is_empty() {
                    self.assign_op(targets, values, None)?;
                }
            }
            Op::Assert { cond, message, .. } => {
                let attribute =
                    if message.is_empty() { String::new() } else { format!(" {}", quoted(message)) };
                self.condition(&format!("assert{attribute}"), *cond, note)?;
            }
            Op::Call { proc, args, results } => self.call(*proc, args, results, note)?,
            Op::Goto(block) => {
                let target = self.printer.names.blocks[self.proc][*block].clone();
                self.line(&format!("goto {target};"), note);
            }
            Op::Branch { cond, then, otherwise } => {
                self.prepare(&[*cond])?;
                let cond = self.expr(*cond)?;
                let labels = &self.printer.names.blocks[self.proc];
                let text = format!(
                    "if ({cond}) {{ goto {}; }} else {{ goto {}; }}",
                    labels[*then], labels[*otherwise]
                );
                self.line(&text, note);
            }
            Op::Choose { targets, .. } => {
                let labels = &self.printer.names.blocks[self.proc];
                let targets: Vec<&str> = targets.iter().map(|&block| labels[block].as_str()).collect();
                self.line(&format!("goto {};", targets.join(", ")), note);
            }
            Op::Return if self.is_entry => self.end(note),
            Op::Return => self.line("return;", note),
            Op::Exit => self.end(note),
            // One thread has nobody to be interrupted by.
            Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Yield
            | Op::Progress
            | Op::TransactionBegin
            | Op::TransactionEnd => self.nothing(note),
            Op::Spawn { .. } => return Err(self.refuse("the start of a task")),
            Op::Wait { .. } => return Err(self.refuse("a wait for a task")),
            Op::Sync(_) => return Err(self.refuse("a synchronization op")),
            Op::Opaque { what, .. } => {
                return Err(self.refuse(&format!("{what}, which is known only from a recorded run")));
            }
        }
        Ok(())
    }

    /// The run ends, and well.
    pub(super) fn end(&mut self, note: Option<&str>) {
        self.line("assume false;", Some(note.unwrap_or("the run ends here, and well")));
        self.line("return;", None);
    }

    fn nothing(&mut self, note: Option<&str>) {
        if note.is_some() {
            self.line("", note);
        }
    }

    fn condition(&mut self, word: &str, cond: ExprId, note: Option<&str>) -> Printed<()> {
        self.prepare(&[cond])?;
        let cond = self.expr(cond)?;
        self.line(&format!("{word} {cond};"), note);
        Ok(())
    }

    fn assign_op(&mut self, targets: &[Place], values: &[ExprId], note: Option<&str>) -> Printed<()> {
        self.prepare(values)?;
        let values = values.iter().map(|&value| self.expr(value)).collect::<Printed<Vec<_>>>()?;
        self.assign(targets, &values, note)
    }

    /// Assigns all at once.
    fn assign(&mut self, targets: &[Place], values: &[String], note: Option<&str>) -> Printed<()> {
        if targets.is_empty() {
            self.nothing(note);
            return Ok(());
        }
        let indices: Vec<ExprId> =
            targets.iter().flat_map(|place| place.path.iter().flatten()).copied().collect();
        self.prepare(&indices)?;
        let (mut left, mut right): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        for (at, place) in targets.iter().enumerate() {
            if targets[..at].iter().any(|before| before.base == place.base) {
                continue;
            }
            let base = self.variable(place.base);
            let same: Vec<usize> = (at..targets.len()).filter(|&n| targets[n].base == place.base).collect();
            if let [_] = same[..] {
                let path = self.path(place)?;
                left.push(path.iter().fold(base, |map, indices| format!("{map}[{indices}]")));
                right.push(values[at].clone());
                continue;
            }
            // Boogie assigns a variable once. So several cells make one new map.
            let mut map = base.clone();
            for n in same {
                let path = self.path(&targets[n])?;
                map = stored(&map, &path, &values[n]);
            }
            left.push(base);
            right.push(map);
        }
        self.line(&format!("{} := {};", left.join(", "), right.join(", ")), note);
        Ok(())
    }

    fn havoc(&mut self, targets: &[Place], note: Option<&str>) -> Printed<()> {
        let mut note = note;
        if !targets.is_empty() && targets.iter().all(|place| place.path.is_empty()) {
            let names: Vec<String> = targets.iter().map(|place| self.variable(place.base)).collect();
            self.line(&format!("havoc {};", names.join(", ")), note);
            return Ok(());
        }
        for place in targets {
            if place.path.is_empty() {
                let name = self.variable(place.base);
                self.line(&format!("havoc {name};"), note.take());
                continue;
            }
            let any = self.new_local("any", &self.type_at(place));
            self.line(&format!("havoc {any};"), None);
            self.assign(std::slice::from_ref(place), &[any], note.take())?;
            self.parts.clear();
        }
        self.nothing(note);
        Ok(())
    }

    fn call(&mut self, proc: ProcId, args: &[ExprId], results: &[Place], note: Option<&str>) -> Printed<()> {
        self.prepare(args)?;
        let args = args.iter().map(|&arg| self.expr(arg)).collect::<Printed<Vec<_>>>()?;
        let callee = &self.printer.program.procs[proc];
        let plain = results.iter().all(|place| place.path.is_empty());
        let taken: Vec<String> = if plain && results.len() == callee.results.len() {
            results.iter().map(|place| self.variable(place.base)).collect()
        } else {
            // Boogie takes all results, and in variables.
            callee.results.iter().map(|&result| self.new_local("result", &callee.locals[result].ty)).collect()
        };
        let assigned = if taken.is_empty() { String::new() } else { format!("{} := ", taken.join(", ")) };
        let name = self.printer.names.procs[proc].clone();
        self.line(&format!("call {assigned}{name}({});", args.join(", ")), note);
        self.parts.clear();
        if !plain {
            self.assign(results, &taken, None)?;
        }
        Ok(())
    }

    fn variable(&self, base: PlaceBase) -> String {
        match base {
            PlaceBase::Global(id) => self.printer.names.globals[id].clone(),
            PlaceBase::Local(id) => self.printer.names.locals[self.proc][id].clone(),
        }
    }

    /// The indices on the way to a place, one text per map.
    fn path(&mut self, place: &Place) -> Printed<Vec<String>> {
        let mut path = Vec::new();
        for indices in &place.path {
            let indices = indices.iter().map(|&index| self.expr(index)).collect::<Printed<Vec<_>>>()?;
            path.push(indices.join(", "));
        }
        Ok(path)
    }

    fn type_at(&self, place: &Place) -> Type {
        let program = self.printer.program;
        let mut ty = match place.base {
            PlaceBase::Global(id) => &program.globals[id].ty,
            PlaceBase::Local(id) => &program.procs[self.proc].locals[id].ty,
        };
        for _ in &place.path {
            if let Some(map) = ty.as_map() {
                ty = &map.result;
            }
        }
        ty.clone()
    }

    fn refuse(&self, what: &str) -> Unprintable {
        Unprintable { what: what.to_owned(), span: self.span }
    }
}

/// A map with the cell at a path changed.
fn stored(map: &str, path: &[String], value: &str) -> String {
    match path {
        [] => value.to_owned(),
        [indices, rest @ ..] => {
            format!("{map}[{indices} := {}]", stored(&format!("{map}[{indices}]"), rest, value))
        }
    }
}

/// A message as an attribute. Boogie's strings have no quotes in them, and no escapes that it would undo.
fn quoted(message: &str) -> String {
    let plain = |c: char| match c {
        '"' => '\'',
        c if c.is_control() => ' ',
        c => c,
    };
    let mut text: String = message.chars().map(plain).collect();
    if text.ends_with('\\') {
        text.push(' ');
    }
    format!("{{:msg \"{text}\"}}")
}
