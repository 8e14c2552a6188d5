//! Standard output and standard error.

use std::io::{self, IsTerminal, Write};

use report::{Detail, Report, Style};

use crate::args::{ColorName, Format, OutputOptions};

/// Writes the report to standard output.
pub(crate) fn write(report: &Report<'_>, options: OutputOptions) -> io::Result<()> {
    print(&match options.format {
        Format::Human => report::human(report, style(options)),
        Format::Json => report::json(report),
        Format::Sarif => report::sarif(report),
        Format::Junit => report::junit(report),
        Format::Short => report::short(report),
    })
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
pub(crate) fn style(options: OutputOptions) -> Style {
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
