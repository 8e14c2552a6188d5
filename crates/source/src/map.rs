//! Files and spans.

use std::path::Path;

/// Names one file of a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(u32);

/// A half-open range of bytes in one file, or nowhere ([`Span::NONE`]) for what no source line stands behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    file: FileId,
    start: u32,
    end: u32,
}

impl Span {
    /// The span of what was not written by a user.
    pub const NONE: Span = Span { file: FileId(u32::MAX), start: 0, end: 0 };

    /// The range `start..end` of `file`. Files are at most 4 GiB (see [`SourceMap::add`]), so offsets fit.
    #[must_use]
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        let offset = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span { file, start: offset(start), end: offset(end.max(start)) }
    }

    /// The file, unless the span is nowhere.
    #[must_use]
    pub fn file(self) -> Option<FileId> {
        (self != Span::NONE).then_some(self.file)
    }

    /// First byte.
    #[must_use]
    pub fn start(self) -> usize {
        self.start as usize
    }

    /// One past the last byte.
    #[must_use]
    pub fn end(self) -> usize {
        self.end as usize
    }

    /// The smallest span that holds both; `self` if they are in different files.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A position as a person counts: both from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// One file: its name as the user gave it, and its text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    line_starts: Vec<usize>,
}

impl SourceFile {
    /// The name as the user gave it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many lines there are.
    #[must_use]
    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }

    /// The text of a line, counted from 1, without its line end.
    #[must_use]
    pub fn line(&self, line: usize) -> &str {
        let Some(&start) = self.line_starts.get(line.wrapping_sub(1)) else { return "" };
        let end = self.line_starts.get(line).copied().unwrap_or(self.text.len());
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }

    fn position(&self, offset: usize) -> LineColumn {
        let offset = offset.min(self.text.len());
        let line = self.line_starts.partition_point(|&start| start <= offset).max(1);
        let start = self.line_starts[line - 1];
        let column = self.text.get(start..offset).map_or(1, |before| before.chars().count() + 1);
        LineColumn { line, column }
    }
}

/// Why a file could not be read.
#[derive(Debug)]
pub enum ReadError {
    /// The operating system said no.
    Io(std::io::Error),
    /// It is a directory.
    Directory,
    /// It is not UTF-8; the offset is that of the first bad byte.
    NotText(usize),
    /// It is larger than can be handled.
    TooLarge(u64),
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReadError::Io(error) => write!(f, "{error}"),
            ReadError::Directory => f.write_str("is a directory, expected a program file"),
            ReadError::NotText(offset) => {
                write!(f, "is not a text file: byte {offset} does not belong to UTF-8 text")
            }
            ReadError::TooLarge(bytes) => {
                write!(f, "has {bytes} bytes; files of more than {} bytes are not read", SourceMap::MAX_BYTES)
            }
        }
    }
}

impl std::error::Error for ReadError {}

/// All files that were read, by [`FileId`].
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// Files larger than this are refused: no program that a person or tool wrote comes near it.
    pub const MAX_BYTES: u64 = 1 << 30;

    /// Adds a text under a name. A text beyond [`SourceMap::MAX_BYTES`] is cut at a character boundary; reading
    /// from disk refuses such files instead.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let mut text: String = text.into();
        let limit = usize::try_from(Self::MAX_BYTES).unwrap_or(usize::MAX);
        if text.len() > limit {
            let cut = (0..=limit).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
            text.truncate(cut);
        }
        let mut line_starts = vec![0];
        line_starts.extend(text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(at, _)| at + 1));
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.files.push(SourceFile { name: name.into(), text, line_starts });
        id
    }

    /// Reads a file from disk.
    ///
    /// # Errors
    /// When it cannot be read, is a directory, is not UTF-8 or is too large.
    pub fn read(&mut self, path: &Path) -> Result<FileId, ReadError> {
        let meta = std::fs::metadata(path).map_err(ReadError::Io)?;
        if meta.is_dir() {
            return Err(ReadError::Directory);
        }
        if meta.len() > Self::MAX_BYTES {
            return Err(ReadError::TooLarge(meta.len()));
        }
        let bytes = std::fs::read(path).map_err(ReadError::Io)?;
        let text = String::from_utf8(bytes).map_err(|e| ReadError::NotText(e.utf8_error().valid_up_to()))?;
        Ok(self.add(path.display().to_string(), text))
    }

    /// The file of an id that this map gave out.
    #[must_use]
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        (0..).map(FileId).zip(&self.files)
    }

    /// The file a span is in.
    #[must_use]
    pub fn file_of(&self, span: Span) -> Option<&SourceFile> {
        span.file().and_then(|id| self.files.get(id.0 as usize))
    }

    /// Where a span starts.
    #[must_use]
    pub fn position(&self, span: Span) -> Option<LineColumn> {
        self.file_of(span).map(|file| file.position(span.start()))
    }

    /// The text a span covers.
    #[must_use]
    pub fn text(&self, span: Span) -> &str {
        self.file_of(span).and_then(|file| file.text.get(span.start()..span.end())).unwrap_or("")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_from_one() {
        let mut map = SourceMap::default();
        let file = map.add("a", "ä := 1;\nß := 2;\n");
        let at = "ä := 1;\nß :".len();
        let position = map.position(Span::new(file, at, at + 1)).unwrap();
        assert_eq!(position, LineColumn { line: 2, column: 4 });
        assert_eq!(map.file(file).line(2), "ß := 2;");
        assert_eq!(map.position(Span::NONE), None);
    }
}
