//! Which text a person would quote for a place in a C or C++ file.
//!
//! Debug information gives a point; a report wants the statement. The file is cut, once, into segments: statements
//! without their `;`, the heads of `if`, `while`, `switch` and `for`, the three pieces of a `for`, labels, heads of
//! functions. Segments may contain others (a lambda among the arguments of a call has its own statements). There is no
//! parser behind this: macros may hide braces. Then the segments are odd, and at worst a line is quoted instead.

mod token;

use std::ops::Range;

use token::{Kind, Token, tokens};

/// A longer statement is quoted by its line.
const MOST_LINES: usize = 5;

const NOBODY: u32 = u32::MAX;

/// The segments of a file, by where they start.
#[derive(Debug, Default)]
pub(super) struct Statements {
    segments: Vec<Segment>,
}

#[derive(Debug)]
struct Segment {
    start: usize,
    end: usize,
    /// The segment that contains this one.
    parent: u32,
}

impl Statements {
    pub(super) fn of(text: &str) -> Self {
        let tokens = tokens(text);
        let blocks = blocks(text, &tokens);
        let mut cutter =
            Cutter { text, segments: Vec::new(), open: Vec::new(), current: None, parent: NOBODY };
        for (at, token) in tokens.iter().enumerate() {
            cutter.token(*token, blocks[at]);
        }
        Statements { segments: cutter.segments }
    }

    /// What to quote for a point: it starts in the line of the point, whose text without blanks at its ends is `line`.
    pub(super) fn around(&self, text: &str, point: usize, line: Range<usize>) -> Range<usize> {
        let mut at = self.segments.partition_point(|segment| segment.start <= point).checked_sub(1);
        while let Some(segment) = at.and_then(|at| self.segments.get(at)) {
            let start = segment.start.max(line.start);
            if point < segment.end && start < segment.end {
                let is_short = text[start..segment.end].lines().count() <= MOST_LINES;
                return start..if is_short { segment.end } else { line.end.max(start) };
            }
            at = (segment.parent != NOBODY).then_some(segment.parent as usize);
        }
        match text.as_bytes().get(point) {
            Some(b'{' | b'}' | b';') => point..point + 1,
            _ => line,
        }
    }
}

/// For each token: whether it is a brace that opens statements or declarations, and not values.
fn blocks(text: &str, tokens: &[Token]) -> Vec<bool> {
    let mut blocks = vec![false; tokens.len()];
    let mut open: Vec<usize> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Punctuation(b'{' | b'(') => open.push(at),
            Kind::Punctuation(b';') => {
                if let Some(&top) = open.last() {
                    blocks[top] |= tokens[top].is(b'{');
                }
            }
            Kind::Punctuation(b')') if open.last().is_some_and(|&top| tokens[top].is(b'(')) => {
                open.pop();
            }
            Kind::Punctuation(b'}') => {
                while let Some(top) = open.pop() {
                    if !tokens[top].is(b'{') {
                        continue;
                    }
                    if top + 1 == at {
                        blocks[top] = top.checked_sub(1).is_none_or(|before| {
                            let before = tokens[before];
                            !matches!(before.kind, Kind::Punctuation(b'=' | b',' | b'(' | b'{'))
                                && before.text(text) != "return"
                        });
                    }
                    if let Some(&around) = open.last() {
                        blocks[around] |= blocks[top] && tokens[around].is(b'{');
                    }
                    break;
                }
            }
            _ => {}
        }
    }
    blocks
}

/// What is open around a token.
#[derive(Clone, Copy)]
enum Open {
    /// Statements. When they end, the segment around them goes on, if there is one.
    Block { around: Option<usize>, parent: u32 },
    /// Values in braces.
    Values,
    /// Parentheses.
    Parentheses,
    /// Parentheses after `if`, `while`, `switch`: the segment ends with them.
    Head,
    /// Parentheses after `for`, which is this segment.
    For { head: usize, parent: u32, pieces: usize },
}

struct Cutter<'a> {
    text: &'a str,
    segments: Vec<Segment>,
    open: Vec<Open>,
    current: Option<Current>,
    /// The segment that contains the current one.
    parent: u32,
}

/// The segment that is being read.
#[derive(Clone, Copy)]
struct Current {
    segment: usize,
    tokens: usize,
}

impl Cutter<'_> {
    fn token(&mut self, token: Token, is_block: bool) {
        match token.kind {
            Kind::Punctuation(b';') => self.semicolon(),
            Kind::Punctuation(b'{') if is_block => self.block(),
            Kind::Punctuation(b'{') => {
                self.extend(token);
                self.open.push(Open::Values);
            }
            Kind::Punctuation(b'}') => self.close_brace(token),
            Kind::Punctuation(b'(') => self.open_parenthesis(token),
            Kind::Punctuation(b')') => self.close_parenthesis(token),
            Kind::Punctuation(b':') if self.ends_label() => {
                self.extend(token);
                self.current = None;
            }
            Kind::Word
                if self.current.is_none() && matches!(token.text(self.text), "else" | "do" | "try") =>
            {
                self.extend(token);
                self.current = None;
            }
            _ => self.extend(token),
        }
    }

    /// Makes a token part of the current segment, or begins one with it.
    fn extend(&mut self, token: Token) {
        let current = self.current.get_or_insert_with(|| {
            self.segments.push(Segment { start: token.start, end: token.end, parent: self.parent });
            Current { segment: self.segments.len() - 1, tokens: 0 }
        });
        current.tokens += 1;
        self.segments[current.segment].end = token.end;
    }

    fn resume(&mut self, segment: Option<usize>, parent: u32) {
        // How many tokens it has matters at its beginning only.
        self.current = segment.map(|segment| Current { segment, tokens: 100 });
        self.parent = parent;
    }

    /// The first word of the current segment, if it has so many tokens.
    fn first_word(&self, tokens: Range<usize>) -> &str {
        let Some(current) = self.current.filter(|current| tokens.contains(&current.tokens)) else {
            return "";
        };
        let rest = &self.text[self.segments[current.segment].start..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        &rest[..end]
    }

    fn ends_label(&self) -> bool {
        match self.open.last() {
            None | Some(Open::Block { .. }) => {
                matches!(self.first_word(1..100), "case" | "default") || !self.first_word(1..2).is_empty()
            }
            Some(_) => false,
        }
    }

    fn semicolon(&mut self) {
        if let Some(Open::For { pieces, .. }) = self.open.last_mut() {
            *pieces += 1;
            self.current = None;
            return;
        }
        // Parentheses do not reach beyond a statement: a macro closes them.
        while matches!(self.open.last(), Some(Open::Parentheses | Open::Head | Open::Values)) {
            self.open.pop();
        }
        self.current = None;
    }

    fn block(&mut self) {
        let in_expression = !matches!(self.open.last(), None | Some(Open::Block { .. }));
        let around = self.current.filter(|_| in_expression).map(|current| current.segment);
        self.open.push(Open::Block { around, parent: self.parent });
        if let Some(segment) = around {
            self.parent = u32::try_from(segment).unwrap_or(NOBODY);
        }
        self.current = None;
    }

    fn close_brace(&mut self, token: Token) {
        while let Some(open) = self.open.pop() {
            match open {
                Open::Block { around, parent } => {
                    self.resume(around, parent);
                    if around.is_some() {
                        self.extend(token);
                    }
                    return;
                }
                Open::Values => return self.extend(token),
                Open::For { head, parent, .. } => self.resume(Some(head), parent),
                Open::Parentheses | Open::Head => {}
            }
        }
        self.current = None;
    }

    fn open_parenthesis(&mut self, token: Token) {
        // `if constexpr (` has two tokens before it.
        let open = match (self.first_word(1..3), self.current) {
            ("if" | "while" | "switch", _) => Open::Head,
            ("for", Some(current)) => Open::For { head: current.segment, parent: self.parent, pieces: 1 },
            _ => Open::Parentheses,
        };
        self.extend(token);
        self.open.push(open);
        if let Open::For { head, .. } = open {
            self.current = None;
            self.parent = u32::try_from(head).unwrap_or(NOBODY);
        }
    }

    fn close_parenthesis(&mut self, token: Token) {
        match self.open.last().copied() {
            Some(Open::Parentheses) => {
                self.open.pop();
                self.extend(token);
            }
            Some(Open::Head) => {
                self.open.pop();
                self.extend(token);
                self.current = None;
            }
            Some(Open::For { head, parent, pieces }) => {
                self.open.pop();
                // `for (auto x : list)` is quoted whole.
                if let Some(current) = self.current.filter(|_| pieces == 1) {
                    self.segments[current.segment].end = self.segments[current.segment].start;
                }
                self.resume(Some(head), parent);
                self.extend(token);
                self.current = None;
            }
            _ => self.extend(token),
        }
    }
}

#[cfg(test)]
mod tests;
