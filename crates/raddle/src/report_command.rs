//! `raddle report`.

use std::path::Path;

use crate::args::ReportOptions;
use crate::failure::{Failure, NOTHING_WRONG};
use crate::whole_file;

/// Makes a page of results.
pub(crate) fn run(options: &ReportOptions) -> Result<u8, Failure> {
    let results: Vec<String> = options.results.iter().map(|path| read(path)).collect::<Result<_, _>>()?;
    let page = report::html(&results).map_err(|(at, error)| {
        let path = options.results.get(at).map(|path| path.display().to_string()).unwrap_or_default();
        let help = "help: a result is what an analysis writes with `--format json`";
        Failure::Input(format!("error: `{path}` {error}\n{help}"))
    })?;
    whole_file::write(&options.output, &page).map_err(|error| {
        Failure::Input(format!("error: cannot write the page `{}`: {error}", options.output.display()))
    })?;
    Ok(NOTHING_WRONG)
}

fn read(path: &Path) -> Result<String, Failure> {
    let cannot = |what: &str| Failure::Input(format!("error: cannot read `{}`: {what}", path.display()));
    if path.is_dir() {
        return Err(cannot("it is a directory, expected a result in JSON"));
    }
    let bytes = std::fs::read(path).map_err(|error| Failure::unreadable(path, &error))?;
    String::from_utf8(bytes).map_err(|_| cannot("it is not text"))
}
