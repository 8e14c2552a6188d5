//! The schedule as a table with one column per thread.
//!
//! Columns are as wide as they need to be and shrink when the terminal is narrow; what does not fit is cut with
//! `…`, values are wrapped. When even that is too wide, there is one column, with the thread's name in front.

use anstyle::Style;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::paint::{BAD, FAINT, HEADING, VALUE, paint};

/// What one thread does in one row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    /// The number of the step; rows that belong to the step above have none.
    pub(crate) step: Option<usize>,
    /// The column.
    pub(crate) thread: usize,
    /// The source line.
    pub(crate) line: Option<usize>,
    /// What runs.
    pub(crate) text: String,
    /// What changes: `x = 1`.
    pub(crate) values: Vec<String>,
    /// What goes wrong here.
    pub(crate) mark: Option<String>,
}

/// A table to be rendered. Rows are in the order of time.
pub(crate) struct Table<'a> {
    /// All threads by name; columns are made for those with rows.
    pub(crate) threads: &'a [String],
    pub(crate) rows: Vec<Row>,
}

/// Columns get no narrower than this.
const NARROWEST: usize = 22;
/// A column asks for no more than this.
const WIDEST: usize = 64;
/// Values of one step take no more lines than this.
const MOST_LINES: usize = 6;

/// Lines of a cell, each with its style.
type CellLines = Vec<(String, Option<Style>)>;

impl Table<'_> {
    /// The table as lines that are at most `width` wide.
    pub(crate) fn render(&self, width: usize, color: bool) -> String {
        let mut used: Vec<usize> = self.rows.iter().map(|row| row.thread).collect();
        used.sort_unstable();
        used.dedup();
        let line_width = self.rows.iter().filter_map(|row| row.line).max().map_or(0, digits);
        let step_width = self.rows.iter().filter_map(|row| row.step).max().map_or(1, digits).max(2);
        let wanted: Vec<usize> = used.iter().map(|&thread| self.wanted(thread, line_width)).collect();
        match shrink(wanted, width.saturating_sub(step_width + 1)) {
            Some(widths) => self.columns(&used, &widths, line_width, step_width, color),
            None => self.single(&used, line_width, step_width, width, color),
        }
    }

    /// How wide a thread's column would like to be.
    fn wanted(&self, thread: usize, line_width: usize) -> usize {
        let rows = self.rows.iter().filter(|row| row.thread == thread);
        let cell = |row: &Row| {
            let values = values_text(row).width();
            let gap = if values == 0 { 0 } else { 2 };
            let mark = row.mark.as_ref().map_or(0, |mark| mark.width());
            line_width + 1 + (row.text.width() + gap + values).max(mark)
        };
        let widest = rows.map(cell).max().unwrap_or(0);
        widest.min(WIDEST).max(self.threads[thread].width())
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
        let rest = width.saturating_sub(step_width + name_width + 4).max(NARROWEST);
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
    let line = row.line.map(|line| line.to_string()).unwrap_or_default();
    let head = format!("{line:>line_width$} {}", row.text);
    let indent = " ".repeat(line_width + 1);
    let values = values_text(row);
    let mut lines = Vec::new();
    if values.is_empty() {
        lines.push((cut(&head, width), None));
    } else if head.width() + 2 + values.width() <= width {
        lines.push((format!("{head}  {values}"), None));
    } else {
        lines.push((cut(&head, width), None));
        let room = width.saturating_sub(line_width + 1).max(8);
        lines
            .extend(wrap(&row.values, room).into_iter().map(|text| (format!("{indent}{text}"), Some(VALUE))));
    }
    if let Some(mark) = &row.mark {
        lines.push((cut(&format!("{indent}{mark}"), width), Some(BAD)));
    }
    lines
}

fn values_text(row: &Row) -> String {
    if row.values.is_empty() { String::new() } else { format!("→ {}", row.values.join(", ")) }
}

/// Values in lines: `→ x = 1, y = 2,`.
fn wrap(values: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (at, value) in values.iter().enumerate() {
        let comma = if at + 1 < values.len() { "," } else { "" };
        let fits = lines.last().is_some_and(|line| line.width() + 1 + value.width() + comma.len() <= width);
        match lines.last_mut() {
            Some(line) if fits => line.push_str(&format!(" {value}{comma}")),
            _ => {
                let lead = if lines.is_empty() { "→" } else { " " };
                lines.push(format!("{lead} {value}{comma}"));
            }
        }
    }
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES - 1);
        lines.push("  …".to_owned());
    }
    lines.into_iter().map(|line| cut(&line, width)).collect()
}

/// The widths of columns that fit, the widest made narrower first; nothing if the narrowest do not fit.
fn shrink(mut widths: Vec<usize>, room: usize) -> Option<Vec<usize>> {
    let borders = widths.len() * 3;
    let least: usize = widths.iter().map(|&width| width.min(NARROWEST)).sum();
    if least + borders > room + 1 {
        return None;
    }
    while widths.iter().sum::<usize>() + borders > room + 1 {
        let widest = widths.iter_mut().max()?;
        *widest -= 1;
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
