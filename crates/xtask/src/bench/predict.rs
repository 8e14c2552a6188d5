//! `cargo xtask bench predict`: prediction from one run, beside the paper.
//!
//! Table 1 of Wang, Limaye, Ganai and Gupta, "Trace-Based Symbolic Analysis for Atomicity Violations", TACAS 2010. The paper's
//! programs are no longer published; ours are written from its descriptions, so the counts need not be the same, but
//! where there are real violations has to be. A second table has runs of up to a million accesses.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use super::plot::Chart;
use super::{Effort, growth, table};
use crate::answer::{self, Prediction, Said};
use crate::workspace;
use crate::{page, process, setup};

/// Command-line options.
#[derive(clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    effort: Effort,
    /// The most accesses of a long run
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    longest: u64,
    /// The most seconds for a long run
    #[arg(long, value_name = "S", default_value_t = 1800.0)]
    long_limit: f64,
    /// Measure this binary instead of building one
    #[arg(long, value_name = "FILE")]
    raddle: Option<PathBuf>,
}

/// A line of the paper's table.
#[derive(Clone, Copy)]
struct Paper {
    simplified: u32,
    events: u32,
    regions: u32,
    potential: u32,
    by_order: u32,
    by_locks: u32,
    real: u32,
    seconds: f64,
}

/// A program: its name, its file, its flags, whether violations are real in it, and what the paper says of its own.
struct Subject {
    name: String,
    file: String,
    flags: Vec<String>,
    real: bool,
    paper: Option<Paper>,
}

/// The programs that have no parameters.
const SMALL: &[(&str, &str, bool, Option<Paper>)] = &[
    ("Figure 1 (a)", "fig1a", false, None),
    ("Figure 1 (a), real", "fig1a_real", true, None),
    ("Figure 1 (b)", "fig1b", false, None),
    ("Figure 1 (b), real", "fig1b_real", true, None),
    ("Figure 6", "fig6", true, None),
    ("atom001", "atom001", true, Some(paper([50, 88, 1, 8, 2, 1, 1], 0.03))),
    ("atom001a", "atom001a", false, Some(paper([58, 100, 1, 8, 2, 1, 0], 0.03))),
    ("atom002", "atom002", true, Some(paper([349, 462, 1, 212, 34, 33, 33], 20.4))),
    ("atom002a", "atom002a", false, Some(paper([359, 462, 1, 212, 34, 33, 0], 17.6))),
];

/// The bank, by version and number of threads.
const BANK: &[(&str, [Paper; 4])] = &[
    (
        "av",
        [
            paper([278, 748, 2, 24, 8, 8, 8], 0.1),
            paper([527, 1213, 4, 48, 16, 16, 16], 0.6),
            paper([770, 1672, 6, 72, 24, 24, 24], 2.3),
            paper([1016, 2134, 8, 96, 32, 32, 32], 2.5),
        ],
    ),
    (
        "sav",
        [
            paper([337, 852, 2, 24, 8, 8, 4], 0.2),
            paper([642, 1410, 4, 48, 16, 16, 8], 0.9),
            paper([941, 1960, 6, 72, 24, 24, 12], 3.8),
            paper([1243, 2517, 8, 96, 32, 32, 16], 4.6),
        ],
    ),
    (
        "nav",
        [
            paper([341, 856, 2, 24, 8, 8, 0], 0.2),
            paper([647, 1414, 4, 48, 16, 16, 0], 0.2),
            paper([953, 1972, 6, 72, 24, 24, 0], 3.7),
            paper([1163, 2362, 8, 96, 32, 32, 0], 140.6),
        ],
    ),
];

const fn paper(counts: [u32; 7], seconds: f64) -> Paper {
    let [simplified, events, regions, potential, by_order, by_locks, real] = counts;
    Paper { simplified, events, regions, potential, by_order, by_locks, real, seconds }
}

fn subjects() -> Vec<Subject> {
    let mut subjects = Vec::new();
    for &(name, file, real, paper) in SMALL {
        let file = format!("tests/boogie/predict/{file}.bpl");
        subjects.push(Subject { name: name.to_owned(), file, flags: Vec::new(), real, paper });
    }
    for language in ["", ", in C"] {
        for (repaired, (version, papers)) in BANK.iter().enumerate() {
            for (paper, threads) in papers.iter().zip([2, 4, 6, 8]) {
                let (file, flags) = match language {
                    "" => (format!("tests/boogie/predict/bank_{version}_{threads}.bpl"), Vec::new()),
                    _ => {
                        let flags = vec![format!("-DTELLERS={threads}"), format!("-DREPAIRED={repaired}")];
                        ("bench/predict/bank.c".to_owned(), flags)
                    }
                };
                let name = format!("bank-{version}-{threads}{language}");
                subjects.push(Subject { name, file, flags, real: *version != "nav", paper: Some(*paper) });
            }
        }
    }
    subjects
}

/// What one program took.
struct Measured {
    /// On the wall, and of computing.
    seconds: f64,
    computing: f64,
    verdict: String,
    prediction: Box<Prediction>,
    peak_memory: u64,
}

const HEADER: &[&str] = &[
    "program",
    "threads",
    "shared",
    "events",
    "left",
    "regions",
    "potential",
    "by order",
    "by locks",
    "real",
    "seconds",
    "CPU",
];

const PAPER_HEADER: &[&str] =
    &["program", "events", "left", "regions", "potential", "by order", "by locks", "real", "paper", "Raddle"];

const CHART: Chart = Chart {
    title: "Prediction from one run",
    unit: "seconds",
    names: 1,
    columns: &[("Raddle", "Raddle"), ("paper", "paper")],
};

const SCALE_HEADER: &[&str] = &["accesses", "events", "windows", "verdict", "real", "seconds", "CPU", "MB"];

/// The lengths of the long runs.
const LENGTHS: &[u64] = &[1000, 10_000, 100_000, 1_000_000];
/// No line of the first table is to take longer, in seconds.
const WANTED: f64 = 2.0;

/// Measures and prints both tables.
pub(crate) fn run(options: &Options) -> Result<()> {
    let raddle = setup::raddle(options.raddle.as_deref())?;
    let mut rows = Vec::new();
    for subject in subjects() {
        eprintln!("bench: {}", subject.name);
        let mut arguments =
            vec!["--simulate".to_owned(), "--no-run".to_owned(), "--check=atomicity".to_owned()];
        if subject.name.starts_with("atom001") {
            arguments.push("--atomic=BufferedLog".to_owned());
        }
        arguments.extend(subject.flags.iter().cloned());
        let effort = &options.effort;
        let measured = measure(&raddle, &subject.file, &arguments, effort.runs, effort.limit)?;
        rows.push((subject, measured));
    }
    let mut long = Vec::new();
    for &accesses in LENGTHS.iter().filter(|accesses| **accesses <= options.longest) {
        eprintln!("bench: a run of {accesses} accesses");
        let arguments =
            ["--no-run".to_owned(), "--max-steps=100000000".to_owned(), format!("-DACCESSES={accesses}")];
        let measured = measure(&raddle, "bench/predict/scale.c", &arguments, 1, options.long_limit)?;
        long.push((accesses, measured));
    }
    let text = report(&options.effort, &rows, &long);
    page::publish_measured(&text, options.effort.output.as_deref(), &CHART)?;
    let wrong = |(subject, measured): &&(Subject, Measured)| {
        let expected = if subject.real { "violations" } else { "none" };
        measured.verdict != expected || (measured.prediction.real.unwrap_or(0) > 0) != subject.real
    };
    let wrong: Vec<&str> = rows.iter().filter(wrong).map(|(subject, _)| subject.name.as_str()).collect();
    if !wrong.is_empty() {
        bail!("not what is real in the program: {}", wrong.join("; "));
    }
    Ok(())
}

fn measure(raddle: &Path, file: &str, arguments: &[String], runs: u32, limit: f64) -> Result<Measured> {
    let (mut seconds, mut computing) = (Vec::new(), Vec::new());
    let mut last = None;
    for _ in 0..runs {
        let mut command = Command::new(raddle);
        command.current_dir(workspace::root());
        command.args(["predict", "--format", "json", "--timeout", &limit.to_string()]);
        command.args(arguments).arg(file);
        let before = process::computing();
        let reply = answer::ask(&command, 2.0 * limit + 10.0)?;
        computing.push(process::computing() - before);
        seconds.push(reply.seconds);
        match reply.said {
            Said::Answer(answer) => last = Some(answer),
            Said::Refusal(why) => bail!("`{file}` is refused: {why}"),
            Said::Nothing => bail!("`{file}` did not stop at its time limit"),
        }
    }
    let Some(answer) = last else { bail!("`{file}` was not run") };
    let Some(prediction) = answer.prediction else {
        bail!("`{file}`: the result says nothing of a prediction")
    };
    Ok(Measured {
        seconds: growth::median(seconds).unwrap_or(limit),
        computing: growth::median(computing).unwrap_or(limit),
        verdict: answer.verdict,
        prediction,
        peak_memory: answer.statistics.peak_memory.unwrap_or(0),
    })
}

fn report(effort: &Effort, rows: &[(Subject, Measured)], long: &[(u64, Measured)]) -> String {
    let ours: Vec<Vec<String>> = rows.iter().map(|(subject, measured)| our_row(subject, measured)).collect();
    let theirs: Vec<Vec<String>> =
        rows.iter().filter_map(|(subject, measured)| paper_row(subject, measured)).collect();
    let mut text = format!(
        "# Prediction from one run: Raddle and the paper\n\n\
         Made by `cargo xtask bench predict`. Seconds on the wall, with start-up and, for C, compilation; CPU: seconds of computing; median of {} runs.\n\n\
         ## The programs of the paper\n\n\
         The runs are made by the interpreter, which lets each thread run until it is blocked, so they are the same each \
         time. Left: events\nthat matter for some question. Potential: triples in unserializable patterns; by order: those that \
         the start and end of threads\nleave; by locks: those that locksets and acquisition histories leave; real: those that \
         an order of the events shows.\n\n{}\n",
        effort.runs,
        table::markdown(HEADER, &ours),
    );
    let slow: Vec<String> = rows
        .iter()
        .filter(|(_, measured)| measured.seconds > WANTED)
        .map(|(subject, measured)| {
            format!("{} ({} s of computing)", subject.name, table::number(measured.computing, 2))
        })
        .collect();
    text += &match slow.is_empty() {
        true => format!("No program takes more than {WANTED} s.\n"),
        false => format!("More than {WANTED} s on the wall: {}.\n", slow.join(", ")),
    };
    text += &format!(
        "\n### What the paper says of its own\n\n\
         Theirs ran on a PC with 1.6 GHz and 2 GB, with Yices. The programs are not the same ones, and have more \
         events. By locks: its column\nw/o data. Paper and Raddle: seconds.\n\n{}",
        table::markdown(PAPER_HEADER, &theirs)
    );
    let cells: Vec<Vec<String>> =
        long.iter().map(|(accesses, measured)| long_row(*accesses, measured)).collect();
    text += &format!(
        "\n## Long runs\n\n\
         Eight threads that update shared counters, most under locks: `bench/predict/scale.c`, compiled, run and recorded, then \
         predicted from\nwith all checks. Accesses: to shared variables, without those of locks. One run each.\n\n{}\n",
        table::markdown(SCALE_HEADER, &cells)
    );
    let points: Vec<(f64, f64)> = long
        .iter()
        .filter(|(accesses, _)| *accesses >= LENGTHS[1])
        .map(|(accesses, measured)| (*accesses as f64, measured.computing))
        .collect();
    if let Some(exponent) = growth::exponent(&points) {
        text +=
            &format!("From {} accesses on, the time of computing grows with N^{exponent:.2}.\n", LENGTHS[1]);
    }
    text
}

fn our_row(subject: &Subject, measured: &Measured) -> Vec<String> {
    let Prediction { threads, shared, events, simplified, regions, .. } = *measured.prediction;
    let Prediction { potential, after_happens_before, after_locksets, real, .. } = *measured.prediction;
    let mut row = vec![subject.name.clone()];
    let counts =
        [threads, shared, events, simplified, regions, potential, after_happens_before, after_locksets];
    row.extend(counts.map(|count| count.to_string()));
    row.push(real.map_or("-".to_owned(), |real| real.to_string()));
    row.extend([table::number(measured.seconds, 2), table::number(measured.computing, 2)]);
    row
}

fn paper_row(subject: &Subject, measured: &Measured) -> Option<Vec<String>> {
    let paper = subject.paper?;
    let mut row = vec![subject.name.clone()];
    let Paper { simplified, events, regions, potential, by_order, by_locks, real, seconds } = paper;
    row.extend(
        [events, simplified, regions, potential, by_order, by_locks, real].map(|count| count.to_string()),
    );
    row.extend([table::number(seconds, 2), table::number(measured.seconds, 2)]);
    Some(row)
}

fn long_row(accesses: u64, measured: &Measured) -> Vec<String> {
    let count = |count: u64| table::number(count as f64, 0);
    vec![
        count(accesses),
        count(measured.prediction.events),
        measured.prediction.windows.to_string(),
        measured.verdict.clone(),
        measured.prediction.real.map_or("-".to_owned(), |real| real.to_string()),
        table::number(measured.seconds, 1),
        table::number(measured.computing, 1),
        count(measured.peak_memory / 1_000_000),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(seconds: f64, real: u64) -> Measured {
        let prediction =
            Box::new(Prediction { threads: 3, events: 60, real: Some(real), ..Prediction::default() });
        let verdict = if real > 0 { "violations" } else { "none" }.to_owned();
        Measured { seconds, computing: seconds / 2.0, verdict, prediction, peak_memory: 200_000_000 }
    }

    #[test]
    fn every_program_of_the_paper_is_there() {
        let subjects = subjects();
        assert_eq!(subjects.len(), SMALL.len() + 24);
        for subject in &subjects {
            assert!(workspace::root().join(&subject.file).is_file(), "{}", subject.file);
        }
        let real = subjects.iter().filter(|subject| subject.real).count();
        assert_eq!(real, 5 + 16);
    }

    #[test]
    fn the_page_has_all_tables() {
        let effort = Effort { runs: 3, limit: 100.0, output: None };
        let rows: Vec<_> = subjects().into_iter().map(|subject| (subject, measured(0.5, 1))).collect();
        let long = [(10_000, measured(1.0, 1)), (100_000, measured(10.0, 1))];
        let text = report(&effort, &rows, &long);
        assert_eq!(text.matches("| bank-nav-8 ").count(), 2, "{text}");
        assert!(text.contains("140.60"), "{text}");
        assert!(text.contains("No program takes more than 2 s."), "{text}");
        assert!(text.contains("grows with N^1.00"), "{text}");
    }
}
