//! `cargo xtask bench explore`: the explicit-state explorer beside spin.
//!
//! Each model is written twice, in Promela and in Boogie, statement by statement alike: `bench/explore/NAME.pml` and
//! `NAME.bpl`. Both tools explore it completely, without and with partial-order reduction. Speed and memory are those
//! of the runs without, where both have the same work to do. Times are those that the tools measure themselves, so
//! neither start-up nor reading the model counts; runs are repeated, turn by turn, until their times
//! add up to the wanted seconds.
//! A state's memory is what the tool stores for it: with the hash table in Raddle's case, without in spin's, whose table has
//! a fixed size.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::ValueEnum;

use super::plot::Chart;
use super::{raddle, spin, table};
use crate::{page, setup, workspace};

const MODELS: &[&str] = &["peterson", "dekker", "bakery", "bounded_buffer", "philosophers"];
const FOLDER: &str = "bench/explore";

/// Command-line options.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Models to run; all when left out
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(MODELS))]
    models: Vec<String>,
    /// Repeat each run until its times add up to this
    #[arg(long, value_name = "N", default_value_t = 2.0)]
    seconds: f64,
    /// Run only one of the two tools
    #[arg(long)]
    only: Option<Tool>,
    /// Measure this binary instead of building one
    #[arg(long, value_name = "FILE")]
    raddle: Option<PathBuf>,
    /// Write the table to this file too, with a picture beside it
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The two tools under comparison.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tool {
    Raddle,
    Spin,
}

/// Whether partial-order reduction is on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reduction {
    Off,
    On,
}

/// What one complete exploration gives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figures {
    pub(crate) violation: bool,
    pub(crate) states: u64,
    pub(crate) seconds: f64,
    pub(crate) bytes_per_state: f64,
}

/// The figures of one tool on one model.
struct Measurement {
    full: Figures,
    states_per_second: f64,
    reduced: Figures,
}

/// Measures and prints the comparison.
pub(crate) fn run(options: &Options) -> Result<()> {
    let wanted = |tool: Tool| options.only.is_none_or(|only| only == tool);
    let raddle = setup::raddle(options.raddle.as_deref())?;
    let raddle = wanted(Tool::Raddle).then_some(raddle);
    let mut rows = Vec::new();
    for model in
        MODELS.iter().filter(|model| options.models.is_empty() || options.models.iter().any(|m| m == *model))
    {
        eprintln!("bench: {model}");
        let path = |extension: &str| workspace::root().join(FOLDER).join(model).with_extension(extension);
        let (bpl, pml) = (path("bpl"), path("pml"));
        let ours = raddle.as_ref().map(|raddle| Subject::Raddle { raddle, model: &bpl });
        let theirs = if wanted(Tool::Spin) { Some(Subject::spin(&pml)?) } else { None };
        let [ours, theirs] = measure(&[ours, theirs], options.seconds)?;
        for (tool, measurement) in [("raddle", &ours), ("spin", &theirs)] {
            if measurement.as_ref().is_some_and(|m| m.full.violation || m.reduced.violation) {
                bail!("{tool} reports a violation in `{model}`, which has none");
            }
        }
        rows.push(row(model, ours.as_ref(), theirs.as_ref()));
    }
    let text = format!(
        "# Explicit states: Raddle and spin\n\nMade by `cargo xtask bench explore`. r: Raddle, s: spin, r/s: Raddle's figure divided by \
         spin's. No violation on either side.\n\n{}",
        table::markdown(HEADER, &rows)
    );
    page::publish_measured(&text, options.output.as_deref(), &CHART)
}

/// One tool with one model, ready to run.
enum Subject<'a> {
    Raddle { raddle: &'a Path, model: &'a Path },
    Spin { full: spin::Verifier, reduced: spin::Verifier },
}

impl Subject<'_> {
    fn spin(model: &Path) -> Result<Self> {
        let full = spin::Verifier::build(model, Reduction::Off)?;
        Ok(Subject::Spin { full, reduced: spin::Verifier::build(model, Reduction::On)? })
    }

    fn run(&self, reduction: Reduction) -> Result<Figures> {
        match (self, reduction) {
            (Subject::Raddle { raddle, model }, _) => raddle::run(raddle, model, reduction),
            (Subject::Spin { full, .. }, Reduction::Off) => full.run(),
            (Subject::Spin { reduced, .. }, Reduction::On) => reduced.run(),
        }
    }
}

/// Measures the tools that are wanted.
fn measure(subjects: &[Option<Subject<'_>>; 2], seconds: f64) -> Result<[Option<Measurement>; 2]> {
    let mut runs: [Runs; 2] = Default::default();
    // Turn by turn, so that whatever else the machine does weighs on both alike.
    while subjects.iter().zip(&runs).any(|(subject, runs)| subject.is_some() && !runs.suffice(seconds)) {
        for (subject, runs) in subjects.iter().zip(&mut runs) {
            if let Some(subject) = subject
                && !runs.suffice(seconds)
            {
                runs.add(subject.run(Reduction::Off)?);
            }
        }
    }
    let mut measured = [None, None];
    for ((subject, runs), measured) in subjects.iter().zip(&runs).zip(&mut measured) {
        if let Some((subject, full)) = subject.as_ref().zip(runs.last) {
            let reduced = subject.run(Reduction::On)?;
            *measured = Some(Measurement { full, states_per_second: runs.states_per_second(), reduced });
        }
    }
    Ok(measured)
}

/// Several runs of the same, summed.
#[derive(Default)]
struct Runs {
    count: u32,
    states: u64,
    seconds: f64,
    last: Option<Figures>,
}

impl Runs {
    /// Enough for a meaningful sum, even where one run takes no measurable time.
    const MOST: u32 = 100;

    fn add(&mut self, figures: Figures) {
        self.count += 1;
        self.states += figures.states;
        self.seconds += figures.seconds;
        self.last = Some(figures);
    }

    fn suffice(&self, seconds: f64) -> bool {
        self.count > 0 && (self.seconds >= seconds || self.count == Self::MOST)
    }

    fn states_per_second(&self) -> f64 {
        self.states as f64 / self.seconds.max(0.01)
    }
}

const CHART: Chart = Chart {
    title: "Exploration of all states",
    unit: "states per second",
    names: 1,
    columns: &[("states/s r", "Raddle"), ("states/s s", "spin")],
};

const HEADER: &[&str] = &[
    "model",
    "states r",
    "states s",
    "r/s",
    "states/s r",
    "states/s s",
    "r/s",
    "bytes/state r",
    "bytes/state s",
    "r/s",
    "reduced r",
    "reduced s",
    "r/s",
];

fn row(model: &str, ours: Option<&Measurement>, theirs: Option<&Measurement>) -> Vec<String> {
    let mut cells = vec![model.to_owned()];
    let mut compare = |figure: fn(&Measurement) -> f64, decimals: usize| {
        let (ours, theirs) = (ours.map(figure), theirs.map(figure));
        for side in [ours, theirs] {
            cells.push(side.map_or("-".to_owned(), |figure| table::number(figure, decimals)));
        }
        cells.push(ours.zip(theirs).map_or("-".to_owned(), |(ours, theirs)| format!("{:.2}", ours / theirs)));
    };
    compare(|measured| measured.full.states as f64, 0);
    compare(|measured| measured.states_per_second, 0);
    compare(|measured| measured.full.bytes_per_state, 1);
    compare(|measured| measured.reduced.states as f64, 0);
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(states: u64, seconds: f64) -> Figures {
        Figures { violation: false, states, seconds, bytes_per_state: 40.0 }
    }

    #[test]
    fn each_model_is_written_twice() {
        for model in MODELS {
            for extension in ["pml", "bpl"] {
                let path = workspace::root().join(FOLDER).join(model).with_extension(extension);
                assert!(path.exists(), "{} is missing", path.display());
            }
        }
    }

    #[test]
    fn short_runs_are_repeated_and_summed() {
        let mut runs = Runs::default();
        while !runs.suffice(1.0) {
            runs.add(figures(100, 0.3));
        }
        assert_eq!(runs.count, 4);
        assert!((runs.states_per_second() - 400.0 / 1.2).abs() < 1e-6);
        let mut immeasurable = Runs::default();
        while !immeasurable.suffice(1.0) {
            immeasurable.add(figures(1, 0.0));
        }
        assert_eq!(immeasurable.count, Runs::MOST);
    }

    #[test]
    fn a_row_compares_both_tools() {
        let measured = |states| Measurement {
            full: figures(states, 1.0),
            states_per_second: states as f64,
            reduced: figures(states / 2, 0.5),
        };
        let cells = row("m", Some(&measured(1000)), Some(&measured(2000)));
        assert_eq!(cells.len(), HEADER.len());
        assert_eq!(cells[..4], ["m", "1,000", "2,000", "0.50"]);
        assert_eq!(row("m", None, Some(&measured(2000)))[1..4], ["-", "2,000", "-"]);
    }
}
