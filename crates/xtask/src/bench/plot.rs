//! A table as a picture: bars on a logarithmic axis, as SVG.
//!
//! The picture is made from the Markdown of the page that it belongs to, so it shows what the tables say and nothing else. `> 60`
//! is a bar with an open end; a dash is no bar.

use std::fmt::Write as _;

/// What to draw.
pub(crate) struct Chart {
    pub(crate) title: &'static str,
    /// What the axis counts.
    pub(crate) unit: &'static str,
    /// How many columns on the left name a row.
    pub(crate) names: usize,
    /// The columns to draw, and what to call them.
    pub(crate) columns: &'static [(&'static str, &'static str)],
}

/// A row of bars.
struct Group {
    name: String,
    bars: Vec<Option<Bar>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Bar {
    value: f64,
    /// Whether it is at least that.
    open: bool,
}

const COLOURS: [&str; 6] = ["#2f6fb2", "#d9822b", "#5c9e5c", "#a05cab", "#8a8a8a", "#b8b83c"];
const LEFT: f64 = 250.0;
const WIDTH: f64 = 900.0;
const RIGHT: f64 = 90.0;
const BAR: f64 = 12.0;
const GAP: f64 = 10.0;
const TOP: f64 = 70.0;
/// What is less is drawn as this: an axis of logarithms has no zero.
const LEAST: f64 = 0.001;

/// Draws the tables of a page that have one of the columns; nothing if none has.
pub(crate) fn draw(page: &str, chart: &Chart) -> Option<String> {
    let groups = groups(page, chart);
    let values: Vec<f64> =
        groups.iter().flat_map(|group| group.bars.iter().flatten()).map(|bar| bar.value).collect();
    let low = values.iter().copied().fold(f64::INFINITY, f64::min).max(LEAST).log10().floor();
    let high = values.iter().copied().fold(LEAST, f64::max).log10().ceil().max(low + 1.0);
    if values.is_empty() {
        return None;
    }
    let x = |value: f64| LEFT + (value.max(LEAST).log10() - low) / (high - low) * (WIDTH - LEFT - RIGHT);
    let mut body = String::new();
    let mut y = TOP;
    for group in &groups {
        let bars = group.bars.len() as f64;
        let middle = y + bars * BAR / 2.0 + 4.0;
        let _ = writeln!(
            body,
            r#"<text x="{:.1}" y="{middle:.1}" text-anchor="end">{}</text>"#,
            LEFT - 8.0,
            escaped(&group.name)
        );
        for (bar, colour) in group.bars.iter().zip(COLOURS.iter().cycle()) {
            if let Some(bar) = bar {
                let end = x(bar.value).max(LEFT + 1.0);
                let (shape, mark) = if bar.open { (r#" opacity="0.55""#, "> ") } else { ("", "") };
                let _ = writeln!(
                    body,
                    r#"<rect x="{LEFT}" y="{y:.1}" width="{:.1}" height="{:.1}" fill="{colour}"{shape}/><text class="value" x="{:.1}" y="{:.1}">{mark}{}</text>"#,
                    end - LEFT,
                    BAR - 2.0,
                    end + 4.0,
                    y + BAR - 3.0,
                    figure(bar.value)
                );
            }
            y += BAR;
        }
        y += GAP;
    }
    let height = y + 30.0;
    let mut axis = String::new();
    let mut power = low;
    while power <= high {
        let at = x(10_f64.powf(power));
        let _ = writeln!(
            axis,
            r#"<line class="grid" x1="{at:.1}" y1="{:.1}" x2="{at:.1}" y2="{y:.1}"/><text class="value" x="{at:.1}" y="{:.1}" text-anchor="middle">{}</text>"#,
            TOP - 6.0,
            y + 14.0,
            figure(10_f64.powf(power))
        );
        power += 1.0;
    }
    let mut legend = String::new();
    let mut at = LEFT;
    for ((_, name), colour) in chart.columns.iter().zip(COLOURS.iter().cycle()) {
        let _ = writeln!(
            legend,
            r#"<rect x="{at:.1}" y="40" width="10" height="10" fill="{colour}"/><text x="{:.1}" y="49">{}</text>"#,
            at + 14.0,
            escaped(name)
        );
        at += 34.0 + 7.0 * name.chars().count() as f64;
    }
    Some(format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0}" role="img" aria-labelledby="title" font-family="sans-serif" font-size="12">
<title id="title">{title}</title>
<style>
text {{ fill: #222 }} .value {{ font-size: 10px; fill: #555 }} .grid {{ stroke: #ddd }} .ground {{ fill: #fff }}
@media (prefers-color-scheme: dark) {{ text {{ fill: #ddd }} .value {{ fill: #aaa }} .grid {{ stroke: #444 }} .ground {{ fill: #1b1b1b }} }}
</style>
<rect class="ground" width="{WIDTH}" height="{height:.0}"/>
<text x="{LEFT}" y="24" font-size="16">{title} ({unit}, logarithmic)</text>
{legend}{axis}{body}</svg>
"#,
        title = escaped(chart.title),
        unit = escaped(chart.unit),
    ))
}

/// The rows of the tables of a page that have one of the columns.
fn groups(page: &str, chart: &Chart) -> Vec<Group> {
    let mut groups = Vec::new();
    let mut columns: Option<Vec<Option<usize>>> = None;
    let mut header: Vec<String> = Vec::new();
    for line in page.lines() {
        let Some(row) = line.strip_prefix('|').and_then(|line| line.strip_suffix('|')) else {
            (columns, header) = (None, Vec::new());
            continue;
        };
        let cells: Vec<String> = row.split('|').map(|cell| cell.trim().to_owned()).collect();
        if header.is_empty() {
            header = cells;
            let find = |(column, _): &(&str, &str)| header.iter().position(|cell| cell == column);
            let found: Vec<Option<usize>> = chart.columns.iter().map(find).collect();
            columns = found.iter().any(Option::is_some).then_some(found);
            continue;
        }
        let Some(columns) = &columns else { continue };
        if cells.iter().all(|cell| cell.chars().all(|c| "-:".contains(c)) && cell.len() > 1) {
            continue;
        }
        // What is called 5 in its table is 5 of something.
        let name = |(at, cell): (usize, &String)| match cell.parse::<f64>() {
            Ok(_) => format!("{} {cell}", header[at]),
            Err(_) => cell.clone(),
        };
        let name = cells.iter().take(chart.names).enumerate().map(name).collect::<Vec<_>>().join(", ");
        let bars = columns.iter().map(|column| column.and_then(|column| bar(cells.get(column)?))).collect();
        groups.push(Group { name, bars });
    }
    groups
}

fn bar(cell: &str) -> Option<Bar> {
    let (number, open) = match cell.strip_prefix('>') {
        Some(rest) => (rest, true),
        None => (cell.strip_prefix('<').unwrap_or(cell), false),
    };
    let value: f64 = number.trim().replace(',', "").parse().ok()?;
    (value.is_finite() && value >= 0.0).then_some(Bar { value, open })
}

/// A number for people.
fn figure(value: f64) -> String {
    match value {
        value if value >= 100.0 => super::table::number(value, 0),
        value if value >= 1.0 => trimmed(&format!("{value:.1}")),
        value => trimmed(&format!("{value:.3}")),
    }
}

fn trimmed(text: &str) -> String {
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHART: Chart = Chart {
        title: "Times",
        unit: "seconds",
        names: 1,
        columns: &[("ours", "Raddle"), ("theirs", "A & B")],
    };

    #[test]
    fn a_picture_shows_what_the_table_says() {
        let page = "# T\n\n| program | ours | theirs |\n|---|---:|---:|\n| a<b | 0.5 | > 1,000 |\n| c | 2 | - |\n\ntext\n\n\
                    | N | other |\n|--:|--:|\n| 1 | 2 |\n";
        let groups = groups(page, &CHART);
        assert_eq!(groups.iter().map(|group| group.name.as_str()).collect::<Vec<_>>(), ["a<b", "c"]);
        assert_eq!(groups[0].bars[1], Some(Bar { value: 1000.0, open: true }));
        assert_eq!(groups[1].bars[1], None);
        let svg = draw(page, &CHART).expect("a picture");
        assert!(svg.contains("a&lt;b") && svg.contains("A &amp; B") && svg.contains("> 1,000"));
        assert_eq!(svg.matches("<rect").count(), 1 + 2 + 3);
    }

    #[test]
    fn a_page_without_figures_has_no_picture() {
        assert_eq!(draw("text", &CHART), None);
        assert_eq!(draw("| program | ours |\n|---|---|\n| a | - |\n", &CHART), None);
    }

    #[test]
    fn numbers_that_name_a_row_say_what_they_count() {
        let page = "| N | ours |\n|--:|--:|\n| 5 | 2 |\n";
        assert_eq!(groups(page, &CHART)[0].name, "N 5");
    }
}
