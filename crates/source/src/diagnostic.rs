//! What is wrong with the input, where, and what to do.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::{SourceMap, Span};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input can be used, but probably does not mean what its author thinks.
    Warning,
}

/// A place with a remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What about it; may be empty.
    pub text: String,
}

/// One problem with the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong: a lower-case fragment without a full stop.
    pub message: String,
    /// The place it is about; its text stands beside the caret.
    pub primary: Label,
    /// Other places that explain it.
    pub secondary: Vec<Label>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    #[must_use]
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, span, message.into())
    }

    /// A warning at a place.
    #[must_use]
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, span, message.into())
    }

    fn new(severity: Severity, span: Span, message: String) -> Self {
        Diagnostic {
            severity,
            message,
            primary: Label { span, text: String::new() },
            secondary: Vec::new(),
            help: None,
        }
    }

    /// Puts a remark beside the caret.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Adds another place that explains the problem.
    #[must_use]
    pub fn with(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}

/// Renders one diagnostic with its source lines; `color` adds terminal colours. Very long lines are cut around
/// the caret.
#[must_use]
pub fn render(map: &SourceMap, diagnostic: &Diagnostic, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = Group::with_title(level.primary_title(diagnostic.message.as_str()));
    let labels = std::iter::once((&diagnostic.primary, AnnotationKind::Primary))
        .chain(diagnostic.secondary.iter().map(|label| (label, AnnotationKind::Context)));
    for (label, kind) in labels {
        let Some(file) = map.file_of(label.span) else { continue };
        let window = Window::around(file.text(), label.span);
        group = group.element(
            Snippet::source(window.text)
                .path(file.name())
                .line_start(window.first_line)
                .annotation(kind.span(window.start..window.end).label(non_empty(&label.text))),
        );
    }
    if let Some(note) = true_column(map, diagnostic) {
        group = group.element(Level::NOTE.message(note));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer.render(&[group])
}

/// Where the problem is, if its line was cut at the left and the column above is that of the part shown.
fn true_column(map: &SourceMap, diagnostic: &Diagnostic) -> Option<String> {
    let span = diagnostic.primary.span;
    let window = Window::around(map.file_of(span)?.text(), span);
    let column = map.position(span)?.column;
    window.is_cut_left.then(|| format!("the line is long: this is column {column} of it"))
}

/// Renders diagnostics one after the other, with an empty line between them.
#[must_use]
pub fn render_all(map: &SourceMap, diagnostics: &[Diagnostic], color: bool) -> String {
    let parts: Vec<String> = diagnostics.iter().map(|d| render(map, d, color)).collect();
    parts.join("\n\n")
}

fn non_empty(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

/// The part of a file that a label needs. The renderer looks at all the text it is given, so a 10 MB line must
/// not reach it whole.
struct Window<'a> {
    text: &'a str,
    first_line: usize,
    start: usize,
    end: usize,
    is_cut_left: bool,
}

impl<'a> Window<'a> {
    /// How far to look to each side of the span's ends.
    const REACH: usize = 200;
    /// How many bytes of the span itself are shown.
    const LONGEST: usize = 400;

    fn around(text: &'a str, span: Span) -> Self {
        let boundary = |mut at: usize| {
            at = at.min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let start = boundary(span.start());
        let mut end = boundary(span.end().max(start)).min(boundary(start + Self::LONGEST));
        // One line is enough to recognise the place.
        if let Some(newline) = text[start..end].find('\n') {
            end = start + newline;
        }
        let floor = boundary(start.saturating_sub(Self::REACH));
        let ceiling = boundary(end + Self::REACH);
        let from = text[floor..start].rfind('\n').map_or(floor, |at| floor + at + 1);
        let to = text[end..ceiling].find('\n').map_or(ceiling, |at| end + at);
        Window {
            text: &text[from..to],
            first_line: text[..from].bytes().filter(|&b| b == b'\n').count() + 1,
            start: start - from,
            end: end - from,
            is_cut_left: from > 0 && !text[..from].ends_with('\n'),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_the_line_and_a_caret() {
        let mut map = SourceMap::default();
        let file = map.add("p.bpl", "var x: int;\nvar y: imt;\n");
        let d = Diagnostic::error(Span::new(file, 19, 22), "unknown type `imt`")
            .label("not declared")
            .help("did you mean `int`?");
        let text = render(&map, &d, false);
        assert!(text.contains("error: unknown type `imt`"), "{text}");
        assert!(text.contains("p.bpl:2:8"), "{text}");
        assert!(text.contains("^^^ not declared"), "{text}");
        assert!(text.contains("help: did you mean `int`?"), "{text}");
    }

    #[test]
    fn a_very_long_line_is_cut() {
        let mut map = SourceMap::default();
        let file = map.add("p.bpl", "x".repeat(10_000_000));
        let d = Diagnostic::error(Span::new(file, 5_000_000, 5_000_001), "here");
        let text = render(&map, &d, false);
        assert!(text.len() < 2_000, "{text}");
        assert!(text.contains("column 5000001"), "{text}");
    }
}
