//! A page of results: printed, and kept in a file if one is wanted.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::bench::plot::{self, Chart};

/// Prints a page and writes it to the file.
pub(crate) fn publish(text: &str, file: Option<&Path>) -> Result<()> {
    print!("{text}");
    let Some(file) = file else { return Ok(()) };
    std::fs::write(file, text).with_context(|| format!("cannot write `{}`", file.display()))
}

/// Prints a page of measurements, and writes it to the file, with where and when it was made, and a picture beside it.
pub(crate) fn publish_measured(text: &str, file: Option<&Path>, chart: &Chart) -> Result<()> {
    let mut text = format!("{text}\n{}\n", machine());
    if let Some(file) = file
        && let Some(picture) = plot::draw(&text, chart)
    {
        let svg = file.with_extension("svg");
        std::fs::write(&svg, picture).with_context(|| format!("cannot write `{}`", svg.display()))?;
        let name = svg.file_name().unwrap_or_default().to_string_lossy();
        text.push_str(&format!("\n![{}]({name})\n", chart.title));
    }
    publish(&text, file)
}

/// Where and when something is measured.
fn machine() -> String {
    let field = |file: &str, name: &str| {
        let text = std::fs::read_to_string(file).ok()?;
        let line = text.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let processor = field("/proc/cpuinfo", "model name").unwrap_or_else(|| "an unknown processor".to_owned());
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let memory =
        field("/proc/meminfo", "MemTotal").and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    let memory = memory.map_or_else(String::new, |kilobytes| format!(", {:.0} GB", kilobytes * 1024.0 / 1e9));
    let date = Command::new("date").args(["-u", "+%Y-%m-%d"]).output().ok();
    let date = date.map(|date| String::from_utf8_lossy(&date.stdout).trim().to_owned()).unwrap_or_default();
    let load = std::fs::read_to_string("/proc/loadavg").ok();
    let load = load.and_then(|load| load.split(' ').next().map(|load| format!(", load {load} at the end")));
    format!("Measured on {processor}, {cores} cores{memory}, on {date}{}.", load.unwrap_or_default())
}
