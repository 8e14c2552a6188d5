//! Colours, where they are wanted.

use anstyle::{AnsiColor, Style};

pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
pub(crate) const UNSURE: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const HEADING: Style = Style::new().bold();
pub(crate) const VALUE: Style = AnsiColor::Cyan.on_default();
pub(crate) const FAINT: Style = Style::new().dimmed();

/// A text in a style, or as it is.
pub(crate) fn paint(color: bool, style: Style, text: &str) -> String {
    if color && !text.is_empty() { format!("{style}{text}{style:#}") } else { text.to_owned() }
}
