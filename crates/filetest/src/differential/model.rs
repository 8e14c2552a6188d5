//! A program as the frontend lowers it and the reference interpreter runs it.

use std::path::Path;

use interp::{Config, End, Schedule, Simulation, Value, simulate};
use llvm::{Lowered, OutputSite};
use source::{SourceMap, Span};

use super::{Printed, printf};

/// A program that takes more steps is not a small one.
const MOST_STEPS: usize = 2_000_000;

/// Schedules for programs with threads.
const SCHEDULES: &[Schedule] = &[
    Schedule::Oldest,
    Schedule::Newest,
    Schedule::RoundRobin,
    Schedule::Random(1),
    Schedule::Random(2),
    Schedule::Random(3),
];

/// Schedules for programs without: the second one makes other arbitrary choices.
const ALONE: &[Schedule] = &[Schedule::Oldest, Schedule::Random(1)];

/// One run.
pub(super) struct Ran {
    pub(super) schedule: Schedule,
    pub(super) printed: Printed,
}

/// Why there is no run.
pub(super) enum Problem {
    /// It takes too many steps.
    TooLong,
    /// It does what the frontend or the interpreter does not support.
    NotFollowed(String),
    /// Anything else, as a message.
    Other(String),
}

impl From<String> for Problem {
    fn from(message: String) -> Self {
        Problem::Other(message)
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Problem::TooLong => write!(f, "has not ended after {MOST_STEPS} steps"),
            Problem::NotFollowed(message) | Problem::Other(message) => f.write_str(message),
        }
    }
}

/// Lowers a program and runs it along several schedules.
pub(super) fn run(path: &Path, flags: &[String], threads: bool) -> Result<Vec<Ran>, Problem> {
    let mut map = SourceMap::default();
    let lowered = lower(path, flags, &mut map)?;
    if let Err(broken) = ir::validate(&lowered.program) {
        return Err(format!("the program that comes out is not valid: {broken:?}").into());
    }
    let schedules = if threads { SCHEDULES } else { ALONE };
    let ran = schedules.iter().map(|&schedule| {
        let simulation = simulate(&lowered.program, &Config::default(), schedule, MOST_STEPS);
        if simulation.end == End::TooLong {
            return Err(Problem::TooLong);
        }
        if let End::Cut(cut, span) = &simulation.end {
            return Err(Problem::NotFollowed(format!("cannot go on: {cut}{}", line(&map, *span))));
        }
        let printed = read(&simulation, &lowered.outputs, &map)
            .map_err(|problem| format!("{problem} ({schedule:?})"))?;
        Ok(Ran { schedule, printed })
    });
    ran.collect()
}

fn lower(path: &Path, flags: &[String], map: &mut SourceMap) -> Result<Lowered, String> {
    let scratch = tempfile::tempdir().map_err(|error| format!("cannot make a folder: {error}"))?;
    let files = [path.to_owned()];
    let inputs = llvm::Inputs {
        files: &files,
        flags,
        folder: None,
        clang: None,
        scratch: scratch.path(),
        recorded: false,
        patience: llvm::Patience::default(),
    };
    let loaded = llvm::load(inputs, map).map_err(|error| error.to_string())?;
    let options = llvm::Options {
        entry: None,
        spurious_wakeups: false,
        reuse: false,
        transactions: false,
        record_output: true,
    };
    llvm::lower(&loaded.module, &options, llvm::Patience::default()).map_err(|error| match error {
        llvm::LowerError::Refused(diagnostics) => {
            format!("is refused:\n{}", source::render_all(map, &diagnostics, false))
        }
        llvm::LowerError::OutOfTime => "was not lowered in time".to_owned(),
    })
}

/// Where it is, for a message.
fn line(map: &SourceMap, span: Span) -> String {
    map.position(span).map_or(String::new(), |at| format!(", line {}", at.line))
}

/// What a run printed, from what the lowering records in `$output`: for every call the number of the call and its arguments.
fn read(simulation: &Simulation, sites: &[OutputSite], map: &SourceMap) -> Result<Printed, String> {
    let line = |span: Span| line(map, span);
    match &simulation.end {
        End::Completed => {}
        End::Violation(kind, message, span) => {
            return Err(format!("ends with a violation ({}): {message}{}", kind.name(), line(*span)));
        }
        End::Discarded(span) => return Err(format!("is stopped by an assume{}", line(*span))),
        End::Cut(..) | End::TooLong | End::Stopped => return Err(Problem::TooLong.to_string()),
    }
    let count = match simulation.global("$output.count") {
        Some(Value::Scalar(count)) => *count,
        other => return Err(format!("`$output.count` is {other:?}")),
    };
    let output = simulation.global("$output").ok_or("there is no `$output`")?;
    let cell = |at: u64| output.cell(at).ok_or_else(|| format!("`$output` has no value at {at} of {count}"));
    let mut text = Vec::new();
    let mut at = 0;
    while at < count {
        let number = cell(at)?;
        let site = usize::try_from(number).ok().and_then(|number| sites.get(number));
        let site = site.ok_or_else(|| format!("`$output` names the call {number} of {}", sites.len()))?;
        let arguments = printf::argument_count(site);
        let values = (at + 1..=at + arguments as u64).map(cell).collect::<Result<Vec<u64>, String>>()?;
        printf::print(site, &values, &mut text)?;
        at += 1 + arguments as u64;
    }
    let exit_code = match simulation.global("$exit.code") {
        // The system keeps the low eight bits.
        Some(Value::Scalar(code)) => i32::try_from(code & 0xff).ok(),
        _ => None,
    };
    Ok(Printed { text: String::from_utf8_lossy(&text).into_owned(), exit_code })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a lowering records of `printf("%d %s\n", -1, "x")`, `puts("end")`, `putchar('!')` and an exit code of 3.
    const RECORDED: &str = r"program;
var $output: [bv64]bv64;
var $output.count: bv64 = 0bv64;
var $exit.code: bv32 = 0bv32;
thread main;
proc main() {
entry:
  $output[0bv64] := 0bv64;
  $output[1bv64] := 4294967295bv64;
  $output[2bv64] := 77bv64;
  $output[3bv64] := 1bv64;
  $output[4bv64] := 2bv64;
  $output[5bv64] := 33bv64;
  $output.count := 6bv64;
  $exit.code := 259bv32;
  return;
}
";

    fn site(function: &str, format: &str, texts: Vec<Option<Vec<u8>>>) -> OutputSite {
        OutputSite { function: function.to_owned(), format: format.as_bytes().to_vec(), texts }
    }

    fn outcome(text: &str) -> Result<Printed, String> {
        let mut map = SourceMap::default();
        let file = map.add("recorded.ir", text);
        let program = ir::text::parse(&map, file).map_err(|problems| format!("{problems:?}"))?;
        let sites = [
            site("printf", "%d %s\n", vec![None, Some(b"x".to_vec())]),
            site("puts", "end", Vec::new()),
            site("putchar", "", vec![None]),
        ];
        read(&simulate(&program, &Config::default(), Schedule::Oldest, 1000), &sites, &map)
    }

    #[test]
    fn what_was_recorded_is_printed() {
        let printed = outcome(RECORDED).unwrap();
        assert_eq!(printed, Printed { text: "-1 x\nend\n!".to_owned(), exit_code: Some(3) });
    }

    #[test]
    fn what_goes_wrong_is_told() {
        let unknown = outcome(&RECORDED.replace("$output[3bv64] := 1bv64", "$output[3bv64] := 9bv64"));
        assert_eq!(unknown.unwrap_err(), "`$output` names the call 9 of 3");
        let short = outcome(&RECORDED.replace("$output.count := 6bv64", "$output.count := 7bv64"));
        assert_eq!(short.unwrap_err(), "`$output` has no value at 6 of 7");
        let failing = outcome(&RECORDED.replace("  return;", "  assert false \"never\";\n  return;"));
        assert_eq!(failing.unwrap_err(), "ends with a violation (assertion): never, line 16");
    }
}
