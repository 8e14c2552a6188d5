//! From a line and a column to a span: which file, and which statement of it.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use source::{FileId, SourceMap, Span};

use super::statement::Statements;
use crate::models;
use crate::raw::{Metadata, Source, Value};

/// The files that the debug information names, each read once.
pub(super) struct Places<'m, 's> {
    map: &'s mut SourceMap,
    /// By the node of a file; files that cannot be read are none.
    files: FxHashMap<Metadata<'m>, Option<usize>>,
    by_path: FxHashMap<PathBuf, Option<usize>>,
    texts: Vec<Text>,
    scopes: FxHashMap<Metadata<'m>, Option<usize>>,
    locations: FxHashMap<Metadata<'m>, Span>,
}

struct Text {
    id: FileId,
    statements: Statements,
    /// Whether it is one of ours, and not of the program.
    model: bool,
}

impl<'m, 's> Places<'m, 's> {
    pub(super) fn new(map: &'s mut SourceMap) -> Self {
        Places {
            map,
            files: FxHashMap::default(),
            by_path: FxHashMap::default(),
            texts: Vec::new(),
            scopes: FxHashMap::default(),
            locations: FxHashMap::default(),
        }
    }

    /// The statement that an instruction belongs to.
    pub(super) fn of_instruction(&mut self, source: Source<'m>, instruction: Value<'m>) -> Span {
        let Some(location) = source.location(instruction) else { return Span::NONE };
        if let Some(&span) = self.locations.get(&location) {
            return span;
        }
        let span = self.statement_at(location);
        self.locations.insert(location, span);
        span
    }

    fn statement_at(&mut self, mut location: Metadata<'m>) -> Span {
        let Some(mut file) = location.scope().and_then(|scope| self.file_of_scope(scope)) else {
            return Span::NONE;
        };
        // What a library function does happens where it is called.
        while self.texts[file].model
            && let Some(call) = location.inlined_at()
            && let Some(caller) = call.scope().and_then(|scope| self.file_of_scope(scope))
        {
            (location, file) = (call, caller);
        }
        // Code that no line stands behind has line zero.
        if location.line() == 0 {
            return Span::NONE;
        }
        self.statement(file, location.line(), location.column())
    }

    /// The name of a local variable, where it is declared.
    pub(super) fn of_local(
        &mut self,
        source: Source<'m>,
        call: Value<'m>,
        variable: Metadata<'m>,
        name: &str,
    ) -> Span {
        let column =
            source.location(call).filter(|at| at.line() == variable.line()).map_or(0, Metadata::column);
        self.of_variable(variable, name, column)
    }

    /// The name of a variable, where it is declared: at or after a column.
    pub(super) fn of_variable(&mut self, variable: Metadata<'m>, name: &str, column: u32) -> Span {
        let Some(file) = variable.file().and_then(|file| self.file(file)) else { return Span::NONE };
        let text = self.map.file(self.texts[file].id);
        let Some((start, line)) = line(text, variable.line()) else { return Span::NONE };
        let from = (column as usize).saturating_sub(1);
        match word(line, name, from).or_else(|| word(line, name, 0)) {
            Some(at) => Span::new(self.texts[file].id, start + at, start + at + name.len()),
            None => self.statement(file, variable.line(), column),
        }
    }

    /// The head of a function.
    pub(super) fn of_function(&mut self, subprogram: Metadata<'m>) -> Span {
        let Some(file) = subprogram.file().and_then(|file| self.file(file)) else { return Span::NONE };
        self.statement(file, subprogram.line(), 0)
    }

    fn statement(&self, file: usize, number: u32, column: u32) -> Span {
        let Text { id, statements, .. } = &self.texts[file];
        let text = self.map.file(*id);
        let Some((start, line)) = line(text, number) else { return Span::NONE };
        let blank = line.len() - line.trim_start().len();
        let at = if column == 0 { blank } else { (column as usize - 1).min(line.len()) };
        let range = statements.around(text.text(), start + at, start + blank..start + line.trim_end().len());
        Span::new(*id, range.start, range.end)
    }

    fn file_of_scope(&mut self, scope: Metadata<'m>) -> Option<usize> {
        if let Some(&file) = self.scopes.get(&scope) {
            return file;
        }
        let file = scope.file().and_then(|file| self.file(file));
        self.scopes.insert(scope, file);
        file
    }

    fn file(&mut self, node: Metadata<'m>) -> Option<usize> {
        if let Some(&file) = self.files.get(&node) {
            return file;
        }
        let (folder, name) = node.path()?;
        let path = Path::new(&folder).join(&name);
        let file = match self.by_path.get(&path) {
            Some(&file) => file,
            None => match models::at(&name) {
                Some(model) => Some(self.add(name, model.text().to_owned(), true)),
                None => self.read(&path, name),
            },
        };
        self.by_path.insert(path, file);
        self.files.insert(node, file);
        file
    }

    fn read(&mut self, path: &Path, name: String) -> Option<usize> {
        let meta = std::fs::metadata(path).ok()?;
        if !meta.is_file() || meta.len() > SourceMap::MAX_BYTES {
            return None;
        }
        let text = text(std::fs::read(path).ok()?);
        Some(self.add(name, text, false))
    }

    fn add(&mut self, name: String, text: String, model: bool) -> usize {
        let statements = Statements::of(&text);
        let id = self.map.add(name, text);
        self.texts.push(Text { id, statements, model });
        self.texts.len() - 1
    }
}

/// Bytes as text. What is not UTF-8 (an old file with accents, say) becomes a question mark for each byte, so that columns
/// stay what the compiler says.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let mut text = String::new();
        for chunk in error.as_bytes().utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(chunk.invalid().iter().map(|_| '?'));
        }
        text
    })
}

/// Where a line starts, and its text.
fn line(file: &source::SourceFile, number: u32) -> Option<(usize, &str)> {
    let number = number as usize;
    if number == 0 || number > file.line_count() {
        return None;
    }
    let line = file.line(number);
    // Both are parts of the same text.
    Some((line.as_ptr().addr() - file.text().as_ptr().addr(), line))
}

/// Where a word stands by itself in a line, from a byte on.
fn word(line: &str, name: &str, from: usize) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let rest = line.get(from..)?;
    rest.match_indices(name).map(|(at, _)| from + at).find(|&at| {
        !name.is_empty() && !line[..at].ends_with(is_part) && !line[at + name.len()..].starts_with(is_part)
    })
}
