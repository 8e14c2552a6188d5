//! Reads program schedules.
//!
//! A line is a statement; its words are separated by blanks. Reading takes time linear in the text. What is read fits the
//! program: all ops are there, and events wait only for events before them.

use ir::{OpRef, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, FileId, SourceMap, Span};

use super::VERSION;
use super::name::read_quoted;
use crate::{After, Event, EventEnd, Level, Point, PointId, ProgramSchedule, Section};

/// After this many errors the rest is not looked at.
const MOST_ERRORS: usize = 20;

/// The schedule of a program that a file holds.
///
/// # Errors
/// What is wrong with the text, at most about twenty problems.
pub fn parse(map: &SourceMap, file: FileId, program: &Program) -> Result<ProgramSchedule, Vec<Diagnostic>> {
    let mut parser = Parser::new(program, file);
    let mut start = 0;
    for line in map.file(file).text().split_inclusive('\n') {
        let words = words(line, start);
        start += line.len();
        if words.is_empty() {
            continue;
        }
        if let Err(error) = parser.line(&words) {
            parser.errors.push(error);
            // Nothing makes sense without the first line.
            if parser.errors.len() >= MOST_ERRORS || !parser.versioned {
                break;
            }
        }
    }
    if parser.errors.is_empty() {
        parser.finish(start);
    }
    if parser.errors.is_empty() { Ok(parser.schedule) } else { Err(parser.errors) }
}

/// A word and where it starts in the file.
#[derive(Clone, Copy)]
struct Word<'t> {
    text: &'t str,
    start: usize,
}

/// The words of a line, without a comment. Blanks in quotes belong to a word.
fn words(line: &str, start: usize) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(skip) = line[at..].find(|c: char| !c.is_whitespace()) {
        at += skip;
        if line[at..].starts_with("//") {
            break;
        }
        let (mut quoted, mut escaped) = (false, false);
        let end = line[at..].find(|c: char| {
            let ends = !quoted && c.is_whitespace();
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = quoted,
                '"' => quoted = !quoted,
                _ => {}
            }
            ends
        });
        let end = end.map_or(line.len(), |end| at + end);
        words.push(Word { text: line[at..end].trim_end(), start: start + at });
        at = end;
    }
    words
}

type Parsed<T> = Result<T, Diagnostic>;

struct Parser<'p> {
    program: &'p Program,
    file: FileId,
    procs: FxHashMap<&'p str, ir::ProcId>,
    blocks: FxHashMap<(ir::ProcId, &'p str), ir::BlockId>,
    errors: Vec<Diagnostic>,
    schedule: ProgramSchedule,
    versioned: bool,
    has_program: bool,
    has_level: bool,
    /// Where the section that is open starts.
    open: Option<Span>,
    /// How many events of each thread are in it.
    counts: FxHashMap<u32, u32>,
    /// The threads that are late in it.
    late: FxHashSet<u32>,
    /// Where sections say that they lead.
    links: Vec<(PointId, Span)>,
}

impl<'p> Parser<'p> {
    fn new(program: &'p Program, file: FileId) -> Self {
        let mut blocks = FxHashMap::default();
        for (id, proc) in &program.procs {
            blocks.extend(proc.blocks.iter().map(|(block, body)| ((id, body.name.as_str()), block)));
        }
        Parser {
            program,
            file,
            procs: program.procs.iter().map(|(id, proc)| (proc.name.as_str(), id)).collect(),
            blocks,
            errors: Vec::new(),
            schedule: ProgramSchedule {
                fingerprint: String::new(),
                level: Level::Sequential,
                omitted: Vec::new(),
                points: cranelift_entity::PrimaryMap::new(),
            },
            versioned: false,
            has_program: false,
            has_level: false,
            open: None,
            counts: FxHashMap::default(),
            late: FxHashSet::default(),
            links: Vec::new(),
        }
    }

    fn span(&self, word: Word<'_>) -> Span {
        Span::new(self.file, word.start, word.start + word.text.len())
    }

    fn error<T>(&self, word: Word<'_>, message: impl Into<String>) -> Parsed<T> {
        Err(Diagnostic::error(self.span(word), message))
    }

    fn line(&mut self, words: &[Word<'_>]) -> Parsed<()> {
        let first = words[0];
        if !self.versioned {
            return self.version(words);
        }
        match (first.text, &words[1..]) {
            ("program", [kind, hash]) if kind.text == "sha256" => {
                if hash.text.len() != 64 || !hash.text.chars().all(|c| c.is_ascii_hexdigit()) {
                    return self.error(*hash, "a SHA-256 fingerprint has 64 hexadecimal digits");
                }
                self.schedule.fingerprint = hash.text.to_owned();
                self.has_program = true;
                Ok(())
            }
            ("level", [level]) => {
                let number = level.text.parse::<usize>().ok();
                let Some(&found) = number.and_then(|number| Level::ALL.get(number)) else {
                    return self.error(*level, "the levels are 0, 1 and 2");
                };
                self.schedule.level = found;
                self.has_level = true;
                Ok(())
            }
            ("omit", [op]) => {
                let op = self.op(*op)?;
                self.schedule.omitted.push(op);
                Ok(())
            }
            ("point", [name]) => self.point(*name),
            ("section", guard) => self.section(first, guard),
            ("next", [point]) => self.next(first, *point),
            (text, rest) => match text.strip_suffix(':').map(str::parse::<u32>) {
                Some(Ok(thread)) => self.event(thread, first, rest),
                _ => Err(Diagnostic::error(self.span(first), "a line that is no statement of a schedule")
                    .help("a line is `program sha256 HASH`, `level N`, `omit OP`, `point NAME`, `section`, `next NAME` or an event")),
            },
        }
    }

    fn version(&mut self, words: &[Word<'_>]) -> Parsed<()> {
        let [format, version] = words else {
            return self.error(words[0], "a schedule starts with `raddle-schedule` and its version");
        };
        if format.text != "raddle-schedule" {
            return self.error(*format, "a schedule starts with `raddle-schedule` and its version");
        }
        if version.text.parse() != Ok(VERSION) {
            return Err(Diagnostic::error(
                self.span(*version),
                format!("version `{}` of the format is not known", version.text),
            )
            .help(format!("this program reads version {VERSION}; make the schedule anew with it")));
        }
        self.versioned = true;
        Ok(())
    }

    fn point(&mut self, name: Word<'_>) -> Parsed<()> {
        self.closed()?;
        let next = self.schedule.points.next_key();
        if name.text != next.to_string() {
            return self.error(name, format!("points come in order, and `{next}` is next"));
        }
        self.schedule.points.push(Point::default());
        Ok(())
    }

    /// That no section is open.
    fn closed(&mut self) -> Parsed<()> {
        match self.open.take() {
            Some(start) => {
                Err(Diagnostic::error(start, "a section without an end").help("it ends with `next POINT`"))
            }
            None => Ok(()),
        }
    }

    fn section(&mut self, first: Word<'_>, guard: &[Word<'_>]) -> Parsed<()> {
        self.closed()?;
        let guard = match guard {
            [] => None,
            [when, text] if when.text == "when" => match read_quoted(text.text) {
                Some((guard, "")) => Some(guard),
                _ => return self.error(*text, "a condition is in quotes"),
            },
            [other, ..] => {
                return self.error(*other, "after `section` comes `when` and a condition, or nothing");
            }
        };
        let span = self.span(first);
        let Some((_, point)) = self.schedule.points.iter_mut().next_back() else {
            return self.error(first, "a section belongs to a point, and there is none yet");
        };
        point.sections.push(Section { guard, events: Vec::new(), next: PointId::from_u32(0) });
        self.open = Some(span);
        self.counts.clear();
        self.late.clear();
        Ok(())
    }

    fn next(&mut self, first: Word<'_>, name: Word<'_>) -> Parsed<()> {
        let number = name.text.strip_prefix('p').and_then(|number| number.parse::<u32>().ok());
        let Some(number) = number.filter(|number| format!("p{number}") == name.text && *number < u32::MAX)
        else {
            return self.error(name, "a point is named `p` and its number");
        };
        let span = self.span(name);
        let Some(section) = self.current() else {
            return self.error(first, "`next` ends a section, and none is open");
        };
        section.next = PointId::from_u32(number);
        let is_empty = section.events.is_empty();
        self.open = None;
        self.links.push((PointId::from_u32(number), span));
        if is_empty { self.error(first, "a section without events") } else { Ok(()) }
    }

    /// The section that is open.
    fn current(&mut self) -> Option<&mut Section> {
        self.open?;
        self.schedule.points.iter_mut().next_back()?.1.sections.last_mut()
    }

    fn event(&mut self, thread: u32, first: Word<'_>, words: &[Word<'_>]) -> Parsed<()> {
        if self.open.is_none() {
            return self.error(first, "an event belongs to a section, and none is open");
        }
        let Some(arrow) = words.iter().position(|word| word.text == "->") else {
            return Err(Diagnostic::error(self.span(first), "an event does not say where it ends")
                .help("after the ops comes `->` and an op, `completed` or `exited`"));
        };
        let ops = words[..arrow].iter().map(|word| self.op(*word)).collect::<Parsed<Vec<_>>>()?;
        if ops.is_empty() {
            return self.error(words[arrow], "an event runs at least one op");
        }
        let mut rest = words[arrow + 1..].iter();
        let end = match rest.next() {
            None => return self.error(words[arrow], "an event does not say where it ends"),
            Some(word) if word.text == "completed" => EventEnd::Completed,
            Some(word) if word.text == "exited" => EventEnd::Exited,
            Some(word) => EventEnd::Before(self.op(*word)?),
        };
        let (mut omitted, mut late, mut after) = (false, false, Vec::new());
        let mut word = rest.next();
        if word.is_some_and(|word| word.text == "omitted") {
            omitted = true;
            word = rest.next();
        } else if word.is_some_and(|word| word.text == "late") {
            late = true;
            word = rest.next();
        }
        if late && !self.counts.contains_key(&thread) {
            return self.error(first, "what is late comes after an event of the same thread that is not");
        }
        if !late && !omitted && self.late.contains(&thread) {
            return self.error(first, "what is late comes last of the events of its thread");
        }
        if let Some(word) = word {
            if word.text != "after" || omitted {
                return self.error(*word, "nothing is expected here");
            }
            for word in rest {
                let constraint = self.after(thread, *word)?;
                after.push(constraint);
            }
            if after.is_empty() {
                return self.error(*word, "`after` needs a thread and a number of events, as `1:3`");
            }
        }
        if !omitted {
            *self.counts.entry(thread).or_default() += 1;
        }
        if late {
            self.late.insert(thread);
        }
        if let Some(section) = self.current() {
            section.events.push(Event { thread, ops, end, after, omitted, late });
        }
        Ok(())
    }

    fn after(&self, thread: u32, word: Word<'_>) -> Parsed<After> {
        let parts = word.text.split_once(':').map(|(of, count)| (of.parse::<u32>(), count.parse::<u32>()));
        let Some((Ok(of), Ok(count))) = parts else {
            return self.error(word, "a thread and a number of events are expected, as `1:3`");
        };
        if of == thread {
            return self.error(word, "the events of a thread are in order anyway");
        }
        let there_are = self.counts.get(&of).copied().unwrap_or(0);
        if count == 0 || count > there_are {
            let message = format!("thread {of} has {there_are} events before this one");
            return self.error(word, message);
        }
        Ok(After { thread: of, count })
    }

    /// An op: `procedure:block.index`.
    fn op(&self, word: Word<'_>) -> Parsed<OpRef> {
        let malformed = || Diagnostic::error(self.span(word), "an op is expected, as `procedure:block.0`");
        let (proc, rest) = name(word.text, ':').ok_or_else(malformed)?;
        let (block, index) = name(rest, '.').ok_or_else(malformed)?;
        let index: usize = index.parse().map_err(|_| malformed())?;
        let Some(&id) = self.procs.get(proc.as_str()) else {
            return self.error(word, format!("the program has no procedure `{proc}`"));
        };
        let Some(&at) = self.blocks.get(&(id, block.as_str())) else {
            return self.error(word, format!("the procedure `{proc}` has no block `{block}`"));
        };
        let count = self.program.procs[id].blocks[at].stmts.len();
        if index >= count {
            return self.error(word, format!("the block `{block}` has only {count} ops"));
        }
        Ok(OpRef { proc: id, block: at, index })
    }

    fn finish(&mut self, end: usize) {
        if let Err(error) = self.closed() {
            self.errors.push(error);
        }
        let whole = Span::new(self.file, end, end);
        let missing = [
            (self.versioned, "a schedule starts with `raddle-schedule` and its version"),
            (self.has_program, "a schedule says which program it is for: `program sha256 HASH`"),
            (self.has_level, "a schedule says how much it is optimised: `level N`"),
            (!self.schedule.points.is_empty(), "a schedule has at least one point"),
        ];
        let messages = missing.iter().filter(|(there, _)| !there).take(1);
        self.errors.extend(messages.map(|(_, message)| Diagnostic::error(whole, *message)));
        for (point, span) in &self.links {
            if self.errors.len() < MOST_ERRORS && !self.schedule.points.is_valid(*point) {
                self.errors.push(Diagnostic::error(*span, format!("there is no point `{point}`")));
            }
        }
        self.branches(whole);
    }

    /// That one thread decides where several sections start.
    fn branches(&mut self, whole: Span) {
        for (id, point) in &self.schedule.points {
            let mut firsts = point.sections.iter().filter_map(|section| section.events.first());
            let Some(first) = firsts.next() else { continue };
            let mut others = firsts;
            if self.errors.len() < MOST_ERRORS && others.any(|event| event.thread != first.thread) {
                let message = format!("the sections of `{id}` start with events of different threads");
                self.errors.push(Diagnostic::error(whole, message));
            }
        }
    }
}

/// Reads a name up to a mark, and what follows the mark. A plain name before an index ends at its last dot.
fn name(text: &str, mark: char) -> Option<(String, &str)> {
    if text.starts_with('"') {
        let (name, rest) = read_quoted(text)?;
        return Some((name, rest.strip_prefix(mark)?));
    }
    let (name, rest) = if mark == '.' { text.rsplit_once(mark)? } else { text.split_once(mark)? };
    Some((name.to_owned(), rest))
}
