//! The texts that a result is about: files of the usual size as a whole, of larger ones the lines around what is named.

use std::collections::{BTreeMap, BTreeSet};

use engine::Location;
use indexmap::IndexMap;
use serde::Serialize;
use source::{SourceFile, SourceMap};

use crate::Graph;

/// A file with more lines, or more bytes, is not there as a whole.
const MOST_LINES: usize = 3000;
const MOST_BYTES: usize = 300_000;
/// So many lines before and after a line that is named are there.
const AROUND: usize = 40;
/// A longer line is cut.
const LONGEST_LINE: usize = 2000;

/// Which lines of which files are named.
#[derive(Default)]
pub(super) struct Sources {
    lines: BTreeMap<String, BTreeSet<usize>>,
}

/// A file, or parts of it.
#[derive(Serialize)]
pub(super) struct SourceField<'a> {
    file: &'a str,
    /// How many lines the file has.
    lines: usize,
    parts: Vec<PartField>,
}

/// Lines in a row.
#[derive(Serialize)]
struct PartField {
    /// The number of the first one.
    first_line: usize,
    text: String,
}

impl Sources {
    pub(super) fn name(&mut self, location: &Location) {
        match self.lines.get_mut(&location.file) {
            Some(lines) => {
                lines.insert(location.line);
            }
            None => {
                self.lines.insert(location.file.clone(), BTreeSet::from([location.line]));
            }
        }
    }

    /// Names all places of drawings.
    pub(super) fn name_in_graphs<'g>(&mut self, graphs: impl Iterator<Item = &'g Graph>) {
        let nodes = graphs.flat_map(|graph| &graph.nodes);
        nodes.filter_map(|node| node.location.as_ref()).for_each(|location| self.name(location));
    }

    /// The texts of the files that were named, in the order in which they were read; if none was, that of the first. A file that was
    /// read more than once is taken as it was first.
    pub(super) fn texts<'a>(&self, maps: impl IntoIterator<Item = &'a SourceMap>) -> Vec<SourceField<'a>> {
        let files: IndexMap<&str, &SourceFile> = {
            let mut files = IndexMap::new();
            for (_, file) in maps.into_iter().flat_map(SourceMap::files) {
                files.entry(file.name()).or_insert(file);
            }
            files
        };
        let named = files.values().filter_map(|file| Some((*file, self.lines.get(file.name())?)));
        let mut fields: Vec<SourceField<'a>> = named.map(|(file, lines)| field(file, lines)).collect();
        if fields.is_empty() {
            fields.extend(files.values().next().map(|file| field(file, &BTreeSet::from([1]))));
        }
        fields
    }
}

fn field<'a>(file: &'a SourceFile, named: &BTreeSet<usize>) -> SourceField<'a> {
    let count = file.line_count();
    let whole = count <= MOST_LINES && file.text().len() <= MOST_BYTES;
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    if whole {
        ranges.push((1, count));
    }
    for &line in named.iter().filter(|_| !whole) {
        let (first, last) = (line.saturating_sub(AROUND).max(1), (line + AROUND).min(count));
        match ranges.last_mut() {
            Some(range) if first <= range.1 + 1 => range.1 = last,
            _ => ranges.push((first, last)),
        }
    }
    let part = |&(first, last): &(usize, usize)| PartField {
        first_line: first,
        text: (first..=last).map(|line| shortened(file.line(line))).collect::<Vec<_>>().join("\n"),
    };
    SourceField { file: file.name(), lines: count, parts: ranges.iter().map(part).collect() }
}

fn shortened(line: &str) -> &str {
    line.char_indices().nth(LONGEST_LINE).map_or(line, |(end, _)| &line[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str, lines: &[usize]) -> Vec<(usize, usize)> {
        let mut map = SourceMap::default();
        map.add("a.c", text);
        let mut sources = Sources::default();
        for &line in lines {
            sources.name(&Location { file: "a.c".to_owned(), line, column: 1 });
        }
        let fields = sources.texts([&map]);
        assert_eq!(fields.len(), 1);
        let parts = fields[0].parts.iter();
        parts.map(|part| (part.first_line, part.first_line + part.text.split('\n').count() - 1)).collect()
    }

    #[test]
    fn a_small_file_is_there_as_a_whole_and_a_large_one_in_parts() {
        assert_eq!(texts("a\nb\nc", &[2]), [(1, 3)]);
        assert_eq!(texts("a\nb\nc", &[]), [(1, 3)]);
        let long = "x\n".repeat(9999);
        assert_eq!(texts(&long, &[10, 60, 5000, 10_000]), [(1, 100), (4960, 5040), (9960, 10_000)]);
    }

    #[test]
    fn endless_lines_are_cut() {
        let mut map = SourceMap::default();
        map.add("a.c", "ä".repeat(1_000_000));
        let fields = Sources::default().texts([&map]);
        assert_eq!(fields[0].parts[0].text.chars().count(), LONGEST_LINE);
    }
}
