//! Standard output and standard error.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use report::{Detail, Report, Style};

use crate::args::{ColorName, Format, OutputOptions};
use crate::failure::Failure;
use crate::{whole_file, witness_file};

/// A result in each of the formats.
pub(crate) struct Formats<'a> {
    pub(crate) human: &'a dyn Fn(Style) -> String,
    pub(crate) json: &'a dyn Fn() -> String,
    pub(crate) sarif: &'a dyn Fn() -> String,
    pub(crate) junit: &'a dyn Fn() -> String,
    pub(crate) short: &'a dyn Fn() -> String,
}

/// Writes the report to standard output, and the page if one is asked for.
pub(crate) fn write(report: &Report<'_>, options: &OutputOptions) -> io::Result<()> {
    let formats = Formats {
        human: &|style| report::human(report, style),
        json: &|| report::json(report),
        sarif: &|| report::sarif(report),
        junit: &|| report::junit(report),
        short: &|| report::short(report),
    };
    write_as(options, &formats)
}

/// Writes a result in the format that is asked for to standard output, and the page if one is asked for. A page that cannot be
/// written does not take away the answer.
pub(crate) fn write_as(options: &OutputOptions, result: &Formats<'_>) -> io::Result<()> {
    let json = if wants_json(options) { (result.json)() } else { String::new() };
    let mut page = options.html.as_deref();
    if let Some(path) = page
        && let Err(what) = write_page(path, std::slice::from_ref(&json))
    {
        error(&format!("error: cannot write the page `{}`: {what}", path.display()));
        page = None;
    }
    print(&match (options.format, page) {
        (Format::Human, Some(page)) if !options.quiet => {
            format!("{}\nAs a page for browsers: {}\n", (result.human)(style(options)), page.display())
        }
        (Format::Human, _) => (result.human)(style(options)),
        (Format::Json, _) => json,
        (Format::Sarif, _) => (result.sarif)(),
        (Format::Junit, _) => (result.junit)(),
        (Format::Short, _) => (result.short)(),
    })
}

/// Writes a page about results in JSON.
fn write_page(path: &Path, results: &[String]) -> Result<(), String> {
    let page = report::html(results).map_err(|(_, error)| format!("a result {error}"))?;
    whole_file::write(path, &page).map_err(|error| error.to_string())
}

/// Whether the JSON of a report is needed: what only that has can be left out otherwise.
pub(crate) fn wants_json(options: &OutputOptions) -> bool {
    options.html.is_some() || matches!(options.format, Format::Json)
}

/// Before the work begins: whether a page could be written after it.
pub(crate) fn check_folder(options: &OutputOptions) -> Result<(), Failure> {
    match options.html.as_deref().map(witness_file::folder) {
        Some(folder) if !folder.is_dir() => {
            let folder = folder.display();
            Err(Failure::Input(format!("error: there is no folder `{folder}` to write the page to")))
        }
        _ => Ok(()),
    }
}

/// Writes to standard output. A reader that goes away early (`| head`) has read enough.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Tells on standard error. If nobody listens there is nothing to be done about it.
pub(crate) fn error(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Whether diagnostics on standard error are coloured.
pub(crate) fn color_on_stderr(color: ColorName) -> bool {
    wants_color(color, anstream::AutoStream::choice(&io::stderr()))
}

/// How to tell it.
fn style(options: &OutputOptions) -> Style {
    Style {
        width: terminal_size::terminal_size_of(io::stdout()).map_or(100, |(width, _)| width.0.max(40).into()),
        color: wants_color(options.color, anstream::AutoStream::choice(&io::stdout())),
        detail: match (options.quiet, options.verbose) {
            (true, _) => Detail::Quiet,
            (_, true) => Detail::Verbose,
            _ => Detail::Normal,
        },
    }
}

fn wants_color(color: ColorName, automatic: anstream::ColorChoice) -> bool {
    match color {
        ColorName::Always => true,
        ColorName::Never => false,
        ColorName::Auto => !matches!(automatic, anstream::ColorChoice::Never),
    }
}

/// Whether progress can be shown.
pub(crate) fn has_terminal() -> bool {
    io::stderr().is_terminal()
}
