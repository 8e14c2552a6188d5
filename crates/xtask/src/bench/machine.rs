//! What measurements depend on: the machine, the day, and what else the machine was doing.

use std::process::Command;

use anyhow::Result;

use crate::process;

/// A sentence about the machine and the day.
pub(crate) fn described() -> Result<String> {
    let today = process::capture(Command::new("date").args(["-u", "+%F"]))?;
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let read = |file: &str| std::fs::read_to_string(file).unwrap_or_default();
    let (info, memory, load) = (read("/proc/cpuinfo"), read("/proc/meminfo"), read("/proc/loadavg"));
    let model = field(&info, "model name").unwrap_or(std::env::consts::ARCH);
    let memory = field(&memory, "MemTotal").and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    let memory = memory.map_or(0, |kilobytes| kilobytes >> 20);
    let load = load.split(' ').next().unwrap_or("?");
    Ok(format!("{}: {cores} cores ({model}), {memory} GiB, load {load} at the start.", today.trim()))
}

/// What comes after the colon in the first line that begins so.
fn field<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.lines().find(|line| line.starts_with(name))?.split_once(':').map(|(_, value)| value.trim())
}

/// The seconds of computing that the programs took which this one has started and waited for.
pub(crate) fn computing() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Ticks of a hundredth of a second, whatever the machine; the name in parentheses may have spaces in it.
    let fields = stat.rsplit(") ").next().unwrap_or_default();
    let ticks = fields.split(' ').skip(13).take(2).filter_map(|text| text.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found() {
        let text = "processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\nmodel name\t: another\n";
        assert_eq!(field(text, "model name"), Some("Some CPU @ 2 GHz"));
        assert_eq!(field(text, "bogomips"), None);
    }

    #[test]
    fn children_count() {
        let before = computing();
        let script = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        assert!(Command::new("sh").args(["-c", script]).status().unwrap().success());
        assert!(computing() > before);
    }
}
