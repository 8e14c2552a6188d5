//! The schedule as a table with one column per thread.
//!
//! Columns are as wide as they need to be and shrink when the terminal is narrow: first values go to lines of their
//! own, then texts are wrapped, and what is very long is cut with `…`. When even that is too wide, there is one
//! column, with the thread's name in front.

use anstyle::Style;
use engine::Location;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::paint::{BAD, FAINT, HEADING, VALUE, paint};

/// What one thread does in one row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Row {
    /// The number of the step; rows that belong to the step above have none.
    pub(crate) step: Option<usize>,
    /// The column.
    pub(crate) thread: usize,
    /// Where it is in the source.
    pub(crate) location: Option<Location>,
    /// What runs.
    pub(crate) text: String,
    /// What changes: `x = 1`.
    pub(crate) values: Vec<String>,
    /// What goes wrong here.
    pub(crate) mark: Option<String>,
}

impl Row {
    /// The source line.
    pub(crate) fn line(&self) -> Option<usize> {
        self.location.as_ref().map(|location| location.line)
    }
}

/// A table to be rendered. Rows are in the order of time.
pub(crate) struct Table<'a> {
    /// All threads by name; columns are made for those with rows.
    pub(crate) threads: &'a [String],
    pub(crate) rows: Vec<Row>,
}

/// Columns get no narrower than this.
const NARROWEST: usize = 16;
/// A column asks for no more than this.
const WIDEST: usize = 64;
/// The text of a step, and its values, take no more lines than this.
const MOST_LINES: usize = 4;

/// How wide a column would like to be: with values beside the text, and with values below it.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    whole: usize,
    split: usize,
}

/// Lines of a cell, each with its style.
type CellLines = Vec<(String, Option<Style>)>;

impl Table<'_> {
    /// The table as lines that are at most `width` wide.
    pub(crate) fn render(&self, width: usize, color: bool) -> String {
        let mut used: Vec<usize> = self.rows.iter().map(|row| row.thread).collect();
        used.sort_unstable();
        used.dedup();
        let line_width = self.rows.iter().filter_map(Row::line).max().map_or(0, digits);
        let step_width = self.rows.iter().filter_map(|row| row.step).max().map_or(1, digits).max(2);
        let wanted: Vec<Wanted> = used.iter().map(|&thread| self.wanted(thread, line_width)).collect();
        match fit(&wanted, width.saturating_sub(step_width + 1)) {
            Some(widths) => self.columns(&used, &widths, line_width, step_width, color),
            None => self.single(&used, line_width, step_width, width, color),
        }
    }

    fn wanted(&self, thread: usize, line_width: usize) -> Wanted {
        let name = self.threads[thread].width();
        let mut wanted = Wanted { whole: name, split: name };
        for row in self.rows.iter().filter(|row| row.thread == thread) {
            let (text, values) = (row.text.width(), values_text(row).width());
            let mark = row.mark.as_ref().map_or(0, |mark| mark.width());
            let gap = if values == 0 { 0 } else { 2 };
            let line = line_width + 1;
            wanted.whole = wanted.whole.max((line + (text + gap + values).max(mark)).min(WIDEST));
            wanted.split = wanted.split.max((line + text.max(values).max(mark)).min(WIDEST));
        }
        wanted
    }

    fn columns(
        &self,
        used: &[usize],
        widths: &[usize],
        line_width: usize,
        step_width: usize,
        color: bool,
    ) -> String {
        let mut out = String::new();
        let bar = paint(color, FAINT, "│");
        let mut push = |lead: &str, cells: Vec<(String, Option<Style>)>| {
            let mut line = format!("{lead:>step_width$} ");
            for ((text, style), &width) in cells.iter().zip(widths) {
                let text = cut(text, width);
                let pad = " ".repeat(width - text.width());
                let text = style.map_or_else(|| text.clone(), |style| paint(color, style, &text));
                line.push_str(&format!("{bar} {text}{pad} "));
            }
            out.push_str(line.trim_end());
            out.push('\n');
        };
        push("", used.iter().map(|&t| (self.threads[t].clone(), Some(HEADING))).collect());
        push("", widths.iter().map(|&width| ("─".repeat(width), Some(FAINT))).collect());
        for row in &self.rows {
            let Some(column) = used.iter().position(|&thread| thread == row.thread) else { continue };
            for (at, line) in cell(row, line_width, widths[column]).into_iter().enumerate() {
                let lead = row.step.filter(|_| at == 0).map(|step| step.to_string()).unwrap_or_default();
                let mut cells = vec![(String::new(), None); used.len()];
                cells[column] = line;
                push(&lead, cells);
            }
        }
        out
    }

    fn single(
        &self,
        used: &[usize],
        line_width: usize,
        step_width: usize,
        width: usize,
        color: bool,
    ) -> String {
        let name_width = used.iter().map(|&t| self.threads[t].width()).max().unwrap_or(0).min(20);
        let rest = width.saturating_sub(step_width + name_width + 6).max(NARROWEST);
        let mut out = String::new();
        let mut last = None;
        for row in &self.rows {
            for (at, (text, style)) in cell(row, line_width, rest).into_iter().enumerate() {
                let lead = row.step.filter(|_| at == 0).map(|step| step.to_string()).unwrap_or_default();
                let name =
                    if at == 0 && last != Some(row.thread) { self.threads[row.thread].as_str() } else { "" };
                let name = cut(name, name_width);
                let pad = " ".repeat(name_width - name.width());
                let name = paint(color, HEADING, &name);
                let text = style.map_or_else(|| text.clone(), |style| paint(color, style, &text));
                let bar = paint(color, FAINT, "│");
                out.push_str(format!("{lead:>step_width$} {bar} {name}{pad} {bar} {text}").trim_end());
                out.push('\n');
            }
            last = Some(row.thread);
        }
        out
    }
}

/// The lines of a row in a column of a width.
fn cell(row: &Row, line_width: usize, width: usize) -> CellLines {
    let line = row.line().map(|line| line.to_string()).unwrap_or_default();
    let head = format!("{line:>line_width$} {}", row.text);
    let indent = " ".repeat(line_width + 1);
    let room = width.saturating_sub(line_width + 1).max(8);
    let values = values_text(row);
    let mut lines: CellLines = Vec::new();
    if !values.is_empty() && head.width() + 2 + values.width() <= width {
        lines.push((format!("{head}  {values}"), None));
    } else {
        let words: Vec<&str> = row.text.split(' ').flat_map(|word| broken(word, room)).collect();
        for (at, text) in wrap(&words, "", " ", room).into_iter().enumerate() {
            let lead = if at == 0 { format!("{line:>line_width$} ") } else { indent.clone() };
            lines.push((format!("{lead}{text}"), None));
        }
        if !row.values.is_empty() {
            let commas = row.values.len() - 1;
            let parts: Vec<String> = row
                .values
                .iter()
                .enumerate()
                .map(|(at, v)| format!("{v}{}", if at < commas { "," } else { "" }))
                .collect();
            let narrow = room.saturating_sub(2);
            let parts: Vec<&str> = parts
                .iter()
                .flat_map(|part| match part.width() > narrow {
                    true => part.split(' ').flat_map(|word| broken(word, narrow)).collect(),
                    false => vec![part.as_str()],
                })
                .collect();
            let wrapped = wrap(&parts, "→ ", "  ", room).into_iter();
            lines.extend(wrapped.map(|text| (format!("{indent}{text}"), Some(VALUE))));
        }
    }
    if let Some(mark) = &row.mark {
        lines.push((cut(&format!("{indent}{mark}"), width), Some(BAD)));
    }
    lines
}

fn values_text(row: &Row) -> String {
    if row.values.is_empty() { String::new() } else { format!("→ {}", row.values.join(", ")) }
}

/// A word in parts that are at most `width` wide, with breaks after what opens or separates where that is possible.
fn broken(word: &str, width: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = word;
    while rest.width() > width {
        let (mut used, mut fits, mut good) = (0, 0, 0);
        for (at, c) in rest.char_indices() {
            used += c.width().unwrap_or(0);
            if used > width {
                break;
            }
            fits = at + c.len_utf8();
            if matches!(c, '(' | '[' | '{' | ',' | '.' | '>' | '&' | '|') {
                good = fits;
            }
        }
        let end = if good > 0 { good } else { fits };
        if end == 0 {
            break;
        }
        let (part, later) = rest.split_at(end);
        parts.push(part);
        rest = later;
    }
    parts.push(rest);
    parts
}

/// Parts in lines of a width, with a lead for the first line and one for the others.
fn wrap(parts: &[&str], first: &str, other: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + part.width() <= width => line.push_str(&format!(" {part}")),
            _ => lines.push(format!("{}{part}", if lines.is_empty() { first } else { other })),
        }
    }
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES);
        lines[MOST_LINES - 1] = format!("{other}…");
    }
    lines.into_iter().map(|line| cut(&line, width)).collect()
}

/// A text in lines of a width, broken between words; a word that is longer than a line stays whole.
pub(crate) fn paragraph(text: &str, first: &str, other: &str, width: usize) -> String {
    let mut out = String::from(first);
    let mut used = first.width();
    let mut starts = true;
    for word in text.split(' ') {
        if !starts && used + 1 + word.width() > width {
            out.push_str(&format!("\n{other}{word}"));
            used = other.width() + word.width();
        } else {
            let gap = if starts { "" } else { " " };
            out.push_str(&format!("{gap}{word}"));
            used += gap.len() + word.width();
        }
        starts = false;
    }
    out.push('\n');
    out
}

/// The widths of columns that fit, or nothing if the narrowest do not. The widest column gives way first; where
/// there is room to spare, columns with values beside the text come first.
fn fit(wanted: &[Wanted], room: usize) -> Option<Vec<usize>> {
    let room = (room + 1).checked_sub(wanted.len() * 3)?;
    let mut widths: Vec<usize> = wanted.iter().map(|wanted| wanted.split).collect();
    let least: usize = widths.iter().map(|&width| width.min(NARROWEST)).sum();
    if least > room {
        return None;
    }
    while widths.iter().sum::<usize>() > room {
        let widest = widths.iter_mut().max()?;
        *widest -= 1;
    }
    let mut spare = room - widths.iter().sum::<usize>();
    for (width, wanted) in widths.iter_mut().zip(wanted) {
        let more = wanted.whole.saturating_sub(*width);
        if more <= spare && *width == wanted.split {
            *width += more;
            spare -= more;
        }
    }
    Some(widths)
}

/// A text that is at most `width` wide, with `…` if something is missing.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut short = String::new();
    let mut used = 0;
    for c in text.chars() {
        let wide = c.width().unwrap_or(0);
        if used + wide + 1 > width {
            break;
        }
        short.push(c);
        used += wide;
    }
    if width > 0 {
        short.push('…');
    }
    short
}

fn digits(n: usize) -> usize {
    n.to_string().len()
}

#[cfg(test)]
mod tests;
