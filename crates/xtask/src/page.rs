//! A page of results: printed, and kept in a file if one is wanted.

use std::path::Path;

use anyhow::{Context, Result};

/// Prints a page and writes it to the file.
pub(crate) fn publish(text: &str, file: Option<&Path>) -> Result<()> {
    print!("{text}");
    let Some(file) = file else { return Ok(()) };
    std::fs::write(file, text).with_context(|| format!("cannot write `{}`", file.display()))
}
