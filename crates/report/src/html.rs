//! The report as one page for browsers, made from JSON results and from nothing else: `--html` and `raddle report` give the same page.
//!
//! The page has everything in it: data, style and script. It loads nothing, and its content security policy forbids it to. The data
//! is JSON in an element that is no script; the script puts texts into the page as texts, never as markup, so a program can
//! have anything in it.

mod shorten;

use std::fmt::Write;

use serde_json::Value;

use crate::RESULT_SCHEMA;

const TEMPLATE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/style.css");

/// The script, in the order in which its parts need each other.
const SCRIPT: [&str; 7] = [
    include_str!("html/element.js"),
    include_str!("html/run.js"),
    include_str!("html/lanes.js"),
    include_str!("html/source.js"),
    include_str!("html/values.js"),
    include_str!("html/graph.js"),
    include_str!("html/page.js"),
];

/// Why there is no page.
#[derive(Debug)]
pub enum PageError {
    /// It is not JSON.
    NotJson(serde_json::Error),
    /// It is JSON, but no result.
    NotAResult,
    /// It is a result of another version: which one.
    OtherSchema(String),
}

impl std::fmt::Display for PageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PageError::NotJson(error) => write!(f, "is not JSON: {error}"),
            PageError::NotAResult => f.write_str("is JSON, but not a result of raddle"),
            PageError::OtherSchema(schema) => {
                write!(f, "has the schema `{schema}`; this version reads `{RESULT_SCHEMA}`")
            }
        }
    }
}

impl std::error::Error for PageError {}

/// A page about results, which are texts in the schema `raddle-result/1`.
///
/// # Errors
/// When one of them is something else; which one, counted from 0.
pub fn html(results: &[impl AsRef<str>]) -> Result<String, (usize, PageError)> {
    let read = |(at, text): (usize, &str)| result(text).map_err(|error| (at, error));
    let results: Vec<Value> =
        results.iter().map(AsRef::as_ref).enumerate().map(read).collect::<Result<_, _>>()?;
    let summary = |result: &Value| text_of(result, "summary").or_else(|| text_of(result, "verdict"));
    let inputs: Vec<String> = results.iter().filter_map(|result| text_of(result, "input")).collect();
    let summaries: Vec<String> = results.iter().filter_map(summary).collect();
    let title = format!("{} – raddle", inputs.first().map_or("report", String::as_str));
    let data = serde_json::json!({ "results": results });
    let parts = [
        ("{{title}}", escaped(&title)),
        ("{{summary}}", escaped(&summaries.join("\n"))),
        ("{{style}}", STYLE.to_owned()),
        ("{{data}}", harmless_json(&data.to_string())),
        ("{{script}}", SCRIPT.join("\n")),
    ];
    Ok(filled(&parts))
}

/// The template with its parts. What is put in is not looked at again.
fn filled(parts: &[(&str, String)]) -> String {
    let mut out =
        String::with_capacity(parts.iter().map(|(_, text)| text.len()).sum::<usize>() + TEMPLATE.len());
    let mut rest = TEMPLATE;
    while let Some((at, (name, text))) =
        parts.iter().filter_map(|part| Some((rest.find(part.0)?, part))).min_by_key(|(at, _)| *at)
    {
        out.push_str(&rest[..at]);
        out.push_str(text);
        rest = &rest[at + name.len()..];
    }
    out.push_str(rest);
    out
}

fn result(text: &str) -> Result<Value, PageError> {
    let mut result: Value = serde_json::from_str(text).map_err(PageError::NotJson)?;
    match result.get("schema").and_then(Value::as_str) {
        Some(RESULT_SCHEMA) => {
            shorten::shorten(&mut result);
            Ok(result)
        }
        Some(other) if other.starts_with("raddle-result/") => Err(PageError::OtherSchema(other.to_owned())),
        _ => Err(PageError::NotAResult),
    }
}

fn text_of(result: &Value, field: &str) -> Option<String> {
    result.get(field).and_then(Value::as_str).map(str::to_owned)
}

/// A text as HTML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// JSON that ends no element and starts no comment, wherever it stands. It means the same.
fn harmless_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const NASTY: &str = "</script><script>alert(1)</script><!-- {{script}} \u{2028} ' \" & ]]>";

    fn page_of(result: &Value) -> String {
        html(&[result.to_string()]).unwrap()
    }

    fn data_in(page: &str) -> Value {
        let (_, data) = page.split_once("id=\"data\">").unwrap();
        let (data, _) = data.split_once("</script>").unwrap();
        serde_json::from_str(data).unwrap()
    }

    #[test]
    fn whatever_a_program_says_is_only_data() {
        let result = serde_json::json!({
            "schema": RESULT_SCHEMA, "input": NASTY, "summary": NASTY, "violations": [{"message": NASTY}],
        });
        let page = page_of(&result);
        assert_eq!(page.matches("</script>").count(), TEMPLATE.matches("</script>").count());
        assert!(!page.contains("<script>alert"));
        assert_eq!(data_in(&page)["results"][0], result);
    }

    #[test]
    fn a_page_loads_nothing() {
        let page = page_of(&serde_json::json!({ "schema": RESULT_SCHEMA }));
        assert!(page.contains("default-src 'none'"));
        for loader in ["src=", "@import", "url(", "fetch(", "XMLHttpRequest", "import("] {
            assert!(!page.contains(loader), "{loader}");
        }
        // No address but the name of a kind of markup, and no link but the empty picture of the page.
        assert_eq!(page.matches("//www.w3.org/2000/svg").count(), page.matches("http:").count());
        assert!(!page.contains("https:"));
        assert_eq!(page.matches("href=\"data:,\"").count(), page.matches("href=").count());
        assert!(!page.contains("{{"));
    }

    #[test]
    fn only_results_become_pages() {
        let error = |text: &str| html(&["{\"schema\": \"raddle-result/1\"}", text]).unwrap_err();
        assert!(matches!(error("{"), (1, PageError::NotJson(_))));
        assert!(matches!(error("[]"), (1, PageError::NotAResult)));
        assert!(matches!(error("{\"schema\": \"raddle-witness/1\"}"), (1, PageError::NotAResult)));
        assert!(matches!(error("{\"schema\": \"raddle-result/2\"}"), (1, PageError::OtherSchema(_))));
    }

    #[test]
    fn the_assets_have_no_marks_of_their_own() {
        for asset in SCRIPT.iter().chain([&STYLE]) {
            assert!(!asset.contains("{{") && !asset.contains("</"), "would be mistaken for markup");
        }
    }
}
