//! Violations as witnesses of SV-COMP, format 2.0 (Ayaziova, Beyer, Lingsch-Rosenfeld, Spiessl and Strejcek, "Software
//! Verification Witnesses 2.0", SPIN 2024).
//!
//! Such a witness is a sequence of *waypoints*; it stands for all executions that pass them in this order and end at the
//! last one, the target. Here a waypoint is the point before a statement, in the order in which threads come to statements in
//! the run that was replayed. So the run is one of the executions that the witness stands for. The format does not know
//! threads: a witness says in which order statements are reached, and not by whom.
//!
//! Invariant: only what is certainly a point of the format is written. A statement whose beginning is not plain in the source
//! is left out, since fewer waypoints stand for more executions, and never for the wrong ones only.

use std::collections::BTreeMap;

use engine::{Finding, Location, ViolationKind, fingerprint, location_of};
use ir::{Op, Program};
use serde::Serialize;
use source::{SourceMap, Span};

use crate::story::Teller;

/// What a witness tells of where it comes from.
#[derive(Clone, Debug)]
pub struct Origin<'a> {
    /// The files of the program with their SHA-256 sums, as the user named them.
    pub files: &'a [(String, String)],
    /// Whether the program was compiled for 32 bits.
    pub narrow: bool,
    /// When: date and time as in ISO 8601.
    pub time: &'a str,
    /// The function that the program starts with.
    pub entry: &'a str,
}

/// Why there can be no such witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inexpressible(pub String);

impl std::fmt::Display for Inexpressible {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Inexpressible {}

/// The witness of a violation, as YAML.
///
/// # Errors
/// When the format cannot express it.
pub fn sv_witness(
    program: &Program,
    map: &SourceMap,
    finding: &Finding,
    origin: &Origin<'_>,
) -> Result<String, Inexpressible> {
    let property = property(finding, map)?;
    let is_input = |file: &str| origin.files.iter().any(|(name, _)| name == file);
    let target = location_of(map, whole(map, finding.access().span));
    let target = target.filter(|location| is_input(&location.file));
    let target = target.ok_or_else(|| Inexpressible("it is in no file of the program itself".to_owned()))?;
    let mut places: Vec<Location> = Vec::new();
    for span in arrivals(&Teller::new(program, map), finding) {
        if let Some(location) = location_of(map, span).filter(|location| is_input(&location.file))
            && is_beginning(map, span)
        {
            places.push(location);
        }
    }
    if places.last() == Some(&target) {
        places.pop();
    }
    let mut segments: Vec<Segment<'_>> = places.iter().map(Segment::passed).collect();
    segments.push(Segment::target(&target));
    let specification = format!("CHECK( init({}()), LTL(G {property}) )", origin.entry);
    let mut entry = Entry {
        entry_type: "violation_sequence",
        metadata: Metadata {
            format_version: "2.0",
            uuid: String::new(),
            creation_time: origin.time,
            producer: Producer { name: "raddle", version: env!("CARGO_PKG_VERSION") },
            task: Task {
                input_files: origin.files.iter().map(|(name, _)| name.as_str()).collect(),
                input_file_hashes: origin
                    .files
                    .iter()
                    .map(|(name, sum)| (name.as_str(), sum.as_str()))
                    .collect(),
                specification,
                data_model: if origin.narrow { "ILP32" } else { "LP64" },
                language: "C",
            },
        },
        content: segments,
    };
    let yaml = |entry: &Entry<'_>| {
        serde_yaml_ng::to_string(&[entry])
            .map_err(|error| Inexpressible(format!("YAML cannot say it: {error}")))
    };
    entry.metadata.uuid = uuid(&yaml(&entry)?);
    yaml(&entry)
}

/// What is violated, in the language of SV-COMP's properties.
fn property(finding: &Finding, map: &SourceMap) -> Result<&'static str, Inexpressible> {
    let message = finding.message();
    let none = |what: &str| Err(Inexpressible(format!("SV-COMP has no property for {what} in format 2.0")));
    match finding.kind() {
        ViolationKind::Assertion if message.contains("`reach_error` is called") => {
            Ok("! call(reach_error())")
        }
        ViolationKind::Assertion if message.starts_with("assertion does not hold") => {
            if map.text(finding.access().span).contains("__VERIFIER_assert") {
                none("`__VERIFIER_assert` without a body")
            } else {
                Ok("! call(__assert_fail())")
            }
        }
        ViolationKind::Assertion if message.contains("`__VERIFIER_error` is called") => {
            Ok("! call(__VERIFIER_error())")
        }
        ViolationKind::Memory => match message {
            "double free" | "free of what was not allocated" => Ok("valid-free"),
            "null pointer dereference"
            | "invalid pointer"
            | "access out of bounds"
            | "use after free"
            | "use of a local variable after its function has returned" => Ok("valid-deref"),
            other => none(&format!("this: {other}")),
        },
        ViolationKind::Assertion => none("the misuse of a lock"),
        ViolationKind::Deadlock => none("deadlocks"),
        ViolationKind::DataRace => {
            Err(Inexpressible("format 2.0 cannot say which two accesses race".to_owned()))
        }
        ViolationKind::Atomicity => none("atomicity"),
        ViolationKind::NonTermination => {
            Err(Inexpressible("format 2.0 has no witnesses for infinite executions".to_owned()))
        }
    }
}

/// Where threads come to a statement, in the order of the run. A statement that goes on after a call is not come to again.
fn arrivals(teller: &Teller<'_>, finding: &Finding) -> Vec<Span> {
    let replay = finding.replay();
    let mut frames: Vec<Vec<Option<Span>>> = vec![vec![None]; replay.threads.len()];
    let mut arrivals = Vec::new();
    for event in &replay.events {
        let stack = &mut frames[event.thread];
        for &(at, span) in &event.ops {
            let here = stack.last_mut();
            if let Some(last) = here
                && *last != Some(span)
            {
                *last = Some(span);
                arrivals.push(span);
            }
            match teller.op(at) {
                // What is done in the place of a call belongs to it.
                Some(Op::Call { .. }) => stack.push(Some(span)),
                Some(Op::Return) if stack.len() > 1 => {
                    stack.pop();
                }
                _ => {}
            }
        }
    }
    arrivals
}

/// Whether a span is plainly the beginning of a statement or declaration in a block: what comes before ends another one, or
/// begins the block, and it is not inside of parentheses. Loops are passed in other ways than once, so they are none.
fn is_beginning(map: &SourceMap, span: Span) -> bool {
    let Some(file) = map.file_of(span) else { return false };
    let text = map.text(span);
    let word: String = text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let loops = ["while", "for", "do", "switch", "case", "default", "else"].contains(&word.as_str());
    let starts = text.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '*' || c == '(');
    let before = file.text().get(..span.start()).unwrap_or_default().trim_end();
    if loops || !starts || !before.ends_with([';', '{', '}']) {
        return false;
    }
    // Inside of the head of a `for`, an open parenthesis comes before anything that ends a block.
    let mut depth = 0i32;
    for c in before.chars().rev() {
        match c {
            ')' => depth += 1,
            '(' if depth == 0 => return false,
            '(' => depth -= 1,
            '{' | '}' => break,
            _ => {}
        }
    }
    depth == 0
}

/// A span from where its statement begins; spans begin at their line at the earliest, and a target has to be the first character of
/// a statement or of an expression that is no part of another.
fn whole(map: &SourceMap, span: Span) -> Span {
    match (span.file(), map.file_of(span)) {
        (Some(id), Some(file)) => Span::new(id, statement_start(file.text(), span.start()), span.end()),
        _ => span,
    }
}

/// Where the statement begins that a place is in. The heads of branches and loops in front of it, and labels, are none of its own.
fn statement_start(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    let mut depth = 0u32;
    let ends_another = |c: char| {
        match c {
            ')' => depth += 1,
            '(' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && matches!(c, ';' | '{' | '}')
    };
    let start = before.rfind(ends_another).map_or(0, |end| end + 1);
    let mut rest = &before[start..];
    // What a comment or a directive says is no code, and may be where it seems to end.
    let line = before[..start].rfind('\n').map_or(0, |end| end + 1);
    if before[line..].contains("//") || rest.contains("*/") || rest.contains('#') {
        return at;
    }
    loop {
        rest = rest.trim_start();
        let after_word = rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
        let word = &rest[..rest.len() - after_word.len()];
        let label = after_word.trim_start().strip_prefix(':').filter(|next| !next.starts_with(':'));
        rest = match word {
            "else" | "do" => after_word,
            "case" => match after_word.split_once(':') {
                Some((_, statement)) => statement,
                None => break,
            },
            "if" | "while" | "switch" | "for" => match head_end(after_word) {
                Some(end) => &after_word[end..],
                None => break,
            },
            _ => match label {
                Some(statement) if !word.is_empty() => statement,
                _ => break,
            },
        };
    }
    at - rest.len()
}

/// Where the parentheses end that a text begins with.
fn head_end(text: &str) -> Option<usize> {
    let mut depth = 0u32;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(at + 1),
            ')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

/// A UUID that the content has: the same witness has the same one.
fn uuid(content: &str) -> String {
    let mut hash = fingerprint(content.as_bytes());
    // The version and the variant of a name that was hashed.
    hash.replace_range(12..13, "5");
    hash.replace_range(16..17, "8");
    format!("{}-{}-{}-{}-{}", &hash[..8], &hash[8..12], &hash[12..16], &hash[16..20], &hash[20..32])
}

#[derive(Serialize)]
struct Entry<'a> {
    entry_type: &'static str,
    metadata: Metadata<'a>,
    content: Vec<Segment<'a>>,
}

#[derive(Serialize)]
struct Metadata<'a> {
    format_version: &'static str,
    uuid: String,
    creation_time: &'a str,
    producer: Producer,
    task: Task<'a>,
}

#[derive(Serialize)]
struct Producer {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct Task<'a> {
    input_files: Vec<&'a str>,
    input_file_hashes: BTreeMap<&'a str, &'a str>,
    specification: String,
    data_model: &'static str,
    language: &'static str,
}

#[derive(Serialize)]
struct Segment<'a> {
    segment: [WaypointEntry<'a>; 1],
}

#[derive(Serialize)]
struct WaypointEntry<'a> {
    waypoint: Waypoint<'a>,
}

#[derive(Serialize)]
struct Waypoint<'a> {
    r#type: &'static str,
    action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    constraint: Option<Constraint>,
    location: WaypointLocation<'a>,
}

#[derive(Serialize)]
struct Constraint {
    value: &'static str,
    format: &'static str,
}

#[derive(Serialize)]
struct WaypointLocation<'a> {
    file_name: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Segment<'a> {
    /// The point before a statement is passed, whatever holds there.
    fn passed(location: &'a Location) -> Self {
        Segment::new("assumption", Some(Constraint { value: "1", format: "c_expression" }), location)
    }

    fn target(location: &'a Location) -> Self {
        Segment::new("target", None, location)
    }

    fn new(r#type: &'static str, constraint: Option<Constraint>, location: &'a Location) -> Self {
        let location =
            WaypointLocation { file_name: &location.file, line: location.line, column: location.column };
        Segment {
            segment: [WaypointEntry {
                waypoint: Waypoint { r#type, action: "follow", constraint, location },
            }],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_beginnings_of_statements_are_points() {
        let text = "int main(void) { int x = f(1); for (int i = 0; i < 3; i++) x++; while (x) g(); if (x) { h(); } return 0; }";
        let mut map = SourceMap::default();
        let file = map.add("p.c", text);
        let begins = |statement: &str| {
            let start = text.find(statement).unwrap();
            is_beginning(&map, Span::new(file, start, start + statement.len()))
        };
        for statement in ["int x = f(1)", "if (x)", "h()", "return 0"] {
            assert!(begins(statement), "{statement}");
        }
        for statement in ["for (", "int i = 0", "i++", "x++", "while (x)", "g()"] {
            assert!(!begins(statement), "{statement}");
        }
    }

    #[test]
    fn targets_are_first_characters_of_statements() {
        let begins = |text: &str| {
            let at = text.find('|').unwrap();
            let text = text.replacen('|', "", 1);
            text[statement_start(&text, at)..].lines().next().unwrap().to_owned()
        };
        for (text, expected) in [
            ("{ a(); sum = f(2) +\n  |p->value; }", "sum = f(2) +"),
            ("{ |x = *p; }", "x = *p; }"),
            ("{ if (c)\n |x = *p; }", "x = *p; }"),
            ("{ if (f(a) &&\n |*p) x(); }", "if (f(a) &&"),
            ("{ else\n g(a,\n |*p); }", "g(a,"),
            ("{ again: case 1:\n x =\n |*p; }", "x ="),
            ("{ std::sort(a,\n |*p); }", "std::sort(a,"),
            ("{ for (i = 0; i <\n |*p; i++) ; }", "i <"),
            ("{ // no; code\n x =\n |*p; }", "*p; }"),
        ] {
            assert_eq!(begins(text), expected, "{text}");
        }
    }

    #[test]
    fn identifiers_are_uuids_of_the_content() {
        let one = uuid("one");
        assert_eq!(one.len(), 36);
        assert_eq!(one.as_bytes()[14], b'5');
        assert_eq!(one, uuid("one"));
        assert_ne!(one, uuid("two"));
    }
}
