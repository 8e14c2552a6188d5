//! Tables, as Markdown that reads well as plain text, too: numbers to the right.

/// Lays out rows under a header; every row has as many cells as the header. Columns of numbers are set to the right.
pub(crate) fn markdown(header: &[&str], rows: &[Vec<String>]) -> String {
    let column = |at: usize| rows.iter().filter_map(move |row| row.get(at)).map(String::as_str);
    let width = |at: usize| column(at).chain([header[at], "--:"]).map(|cell| cell.chars().count()).max();
    let is_number = |cell: &str| cell.starts_with(|c: char| c.is_ascii_digit() || "-<>".contains(c));
    let columns: Vec<(usize, bool)> =
        (0..header.len()).map(|at| (width(at).unwrap_or(0), column(at).all(is_number))).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let padded = cells.zip(&columns).map(|(cell, &(width, right))| match right {
            true => format!(" {cell:>width$} "),
            false => format!(" {cell:<width$} "),
        });
        format!("|{}|\n", padded.collect::<Vec<_>>().join("|"))
    };
    let rule = columns.iter().map(|&(width, right)| match right {
        true => "-".repeat(width + 1) + ":",
        false => "-".repeat(width + 2),
    });
    let mut text = line(&mut header.iter().copied());
    text += &format!("|{}|\n", rule.collect::<Vec<_>>().join("|"));
    for row in rows {
        text += &line(&mut row.iter().map(String::as_str));
    }
    text
}

/// A number with its thousands apart.
pub(crate) fn number(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut apart = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            apart.push(',');
        }
        apart.push(digit);
    }
    apart + fraction
}

/// A measured number to three places; a dash where there is none.
pub(crate) fn decimal(number: Option<f64>) -> String {
    number.map_or("-".to_owned(), |number| format!("{number:.3}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows =
            vec![vec!["a".to_owned(), number(1_234_567.0, 0)], vec!["longer".to_owned(), number(89.25, 1)]];
        assert_eq!(
            markdown(&["model", "states"], &rows),
            "| model  |    states |\n|--------|----------:|\n| a      | 1,234,567 |\n| longer |      89.2 |\n"
        );
    }
}
