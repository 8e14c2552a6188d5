//! `cargo xtask bench async`: delay-bounded search beside Boogie's stratified inlining, and beside the paper.
//!
//! The experiments of Emmi, Kulahcioglu Ozkan and Tasiran, "Exploiting Synchronization in the Analysis of Shared-Memory
//! Asynchronous Programs", SPIN 2014, section 7. Boogie is given the very sequential programs that Raddle makes, one
//! for each bound, in the same run: so it is the search that is compared, not the sequentialization. Both tools
//! start with no delays and go up to the smallest bound that suffices. Times are those on the wall, with start-up;
//! what `raddle sequentialize` takes to write a program is not counted for Boogie.

mod measure;
mod programs;
mod tools;

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::ValueEnum;

use super::plot::Chart;
use super::table::decimal;
use super::{Effort, growth, table};
use crate::{page, setup};
use measure::{Bench, Comparison, Row};
use programs::{PROGRAMS, Scheduler};

/// Lengths of chains under DFW, which needs no delays for them.
const CHAINS_DFW: &[u32] = &[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
/// Lengths of chains under DF, which needs as many delays.
const CHAINS_DF: &[u32] = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
/// From here on the growth is measured: below, the start-up weighs more.
const LONG: u32 = 50;

/// Command-line options.
#[derive(clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    effort: Effort,
    /// Run only one of the two tools
    #[arg(long)]
    only: Option<Tool>,
    /// Leave out chains of more calls than this
    #[arg(long, value_name = "N", default_value_t = 1000)]
    longest: u32,
    /// Measure this binary of Raddle instead of building one
    #[arg(long, value_name = "FILE")]
    raddle: Option<PathBuf>,
}

/// The two tools under comparison.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tool {
    Raddle,
    Boogie,
}

/// Measures and prints the comparison.
pub(crate) fn run(options: &Options) -> Result<()> {
    let bench = Bench {
        raddle: setup::raddle(options.raddle.as_deref())?,
        folder: tempfile::tempdir()?,
        runs: options.effort.runs,
        limit: options.effort.limit,
        only: options.only,
    };
    let mut rows = Vec::new();
    for program in PROGRAMS {
        for scheduler in [Scheduler::Df, Scheduler::Dfw] {
            eprintln!("bench: {} under {}", program.name, scheduler.name());
            let comparison =
                bench.compare(&program.path(), scheduler, program.delays(scheduler), [true; 2])?;
            rows.push(Row { scheduler, delays: program.delays(scheduler), size: None, comparison });
        }
    }
    let mut chains = Vec::new();
    for (scheduler, lengths) in [(Scheduler::Dfw, CHAINS_DFW), (Scheduler::Df, CHAINS_DF)] {
        // What takes too long will not be faster on a longer chain.
        let mut in_time = [true; 2];
        for &length in lengths.iter().filter(|&&length| length <= options.longest) {
            eprintln!("bench: P({length}) under {}", scheduler.name());
            let file = bench.folder.path().join(format!("chain{length}.bpl"));
            std::fs::write(&file, programs::chain(length)).context("cannot write a program")?;
            let delays = if scheduler == Scheduler::Df { length } else { 0 };
            let comparison = bench.compare(&file, scheduler, delays, in_time)?;
            in_time = comparison.in_time();
            chains.push(Row { scheduler, delays, size: Some(length), comparison });
        }
    }
    let text = report(&options.effort, &rows, &chains);
    page::publish_measured(&text, options.effort.output.as_deref(), &CHART)
}

/// The tables, as Markdown.
fn report(effort: &Effort, rows: &[Row], chains: &[Row]) -> String {
    let mut text = format!(
        "# Delay-bounded search: Raddle, Boogie, and the paper\n\n\
         Made by `cargo xtask bench async`. Seconds on the wall, with start-up; median of {} runs (what takes more\n\
         than {} s is run once); at most {} s each.\n\
         Boogie: `/stratifiedInline:1` on the sequential programs that Raddle makes, with or without Z3's relevancy,\n\
         whichever is faster. Total: all bounds from 0 to K; last: bound K alone. Ratio: Raddle's total divided by Boogie's.\n\n\
         ## The programs (Figure 8 of the paper)\n\n",
        effort.runs,
        measure::LONG,
        effort.limit
    );
    text += &table::markdown(FIGURE_8, &figure_8(rows));
    text += "\n## All figures\n\n";
    text += &table::markdown(PROGRAMS_HEADER, &all_figures(rows));
    text += "\n## Chains of N awaited calls (Figure 9)\n\n";
    for scheduler in [Scheduler::Dfw, Scheduler::Df] {
        let chosen = chains.iter().filter(|row| row.scheduler == scheduler);
        text += &table::markdown(CHAINS_HEADER, &chosen.map(chain_row).collect::<Vec<_>>());
        text.push('\n');
    }
    let ratios: Vec<f64> = rows.iter().chain(chains).filter_map(|row| row.comparison.ratio()).collect();
    text += &format!(
        "Geometric mean of {} ratios: {}.\n",
        ratios.len(),
        decimal(growth::geometric_mean(&ratios))
    );
    let exponent = |tool: Tool| {
        let long = chains.iter().filter(|row| row.scheduler == Scheduler::Dfw);
        let points = long.filter_map(|row| {
            let size = row.size.filter(|&size| size >= LONG)?;
            Some((f64::from(size), row.comparison.of(tool).total?))
        });
        decimal(growth::exponent(&points.collect::<Vec<_>>()))
    };
    text += &format!(
        "Growth of the cost under DFW, N >= {LONG}: N^{} for Raddle, N^{} for Boogie.\n",
        exponent(Tool::Raddle),
        exponent(Tool::Boogie)
    );
    text += "In the paper (Corral, a laptop of 2013): DFW takes less than 5 s for N = 50; DF takes more than 100 s for \
             N = 10.\n";
    text
}

const FIGURE_8: &[&str] =
    &["program", "K under DF", "total", "last", "K under DFW", "total", "last", "K under DFW in the paper"];

/// One line per program; times are Raddle's.
fn figure_8(rows: &[Row]) -> Vec<Vec<String>> {
    let pairs = PROGRAMS.iter().zip(rows.chunks(2));
    pairs
        .map(|(program, pair)| {
            let mut cells = vec![program.name.to_owned()];
            for row in pair {
                let ours = row.comparison.of(Tool::Raddle);
                cells.push(row.delays.to_string());
                cells.extend([ours.shown_total(), ours.shown_last()]);
            }
            cells.push(program.paper_dfw.map_or("-".to_owned(), |delays| delays.to_string()));
            cells
        })
        .collect()
}

const CHART: Chart = Chart {
    title: "Delay-bounded search, all bounds",
    unit: "seconds",
    names: 2,
    columns: &[("Raddle total", "Raddle"), ("Boogie total", "Boogie")],
};

const PROGRAMS_HEADER: &[&str] =
    &["program", "scheduler", "K", "Raddle total", "Raddle last", "Boogie total", "Boogie last", "ratio"];

fn all_figures(rows: &[Row]) -> Vec<Vec<String>> {
    let programs = PROGRAMS.iter().flat_map(|program| [program; 2]);
    programs
        .zip(rows)
        .map(|(program, row)| {
            let mut cells =
                vec![program.name.to_owned(), row.scheduler.name().to_owned(), row.delays.to_string()];
            cells.extend(compared(&row.comparison));
            cells
        })
        .collect()
}

const CHAINS_HEADER: &[&str] =
    &["N", "scheduler", "K", "Raddle total", "Raddle last", "Boogie total", "Boogie last", "ratio", "paper"];

fn chain_row(row: &Row) -> Vec<String> {
    let size = row.size.unwrap_or_default();
    let mut cells = vec![size.to_string(), row.scheduler.name().to_owned(), row.delays.to_string()];
    cells.extend(compared(&row.comparison));
    // As far as the paper's text says; its figures are pictures.
    let paper = match (row.scheduler, size) {
        (Scheduler::Dfw, 50) => "< 5",
        (Scheduler::Df, 10) => "> 100",
        _ => "-",
    };
    cells.push(paper.to_owned());
    cells
}

fn compared(comparison: &Comparison) -> [String; 5] {
    let (ours, theirs) = (comparison.of(Tool::Raddle), comparison.of(Tool::Boogie));
    [
        ours.shown_total(),
        ours.shown_last(),
        theirs.shown_total(),
        theirs.shown_last(),
        decimal(comparison.ratio()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use measure::Times;

    #[test]
    fn the_report_has_every_row() {
        let effort = Effort { runs: 3, limit: 100.0, output: None };
        let times =
            |total: f64| Times { total: Some(total), last: Some(total / 2.0), why_not: String::new() };
        let over = Times { total: None, last: None, why_not: "> 100".to_owned() };
        let row = |scheduler, size, ours, theirs| Row {
            scheduler,
            delays: 1,
            size,
            comparison: Comparison { raddle: ours, boogie: theirs },
        };
        let rows: Vec<Row> = PROGRAMS
            .iter()
            .flat_map(|_| [Scheduler::Df, Scheduler::Dfw])
            .map(|scheduler| row(scheduler, None, times(1.0), times(4.0)))
            .collect();
        let chains = vec![
            row(Scheduler::Dfw, Some(50), times(1.0), times(4.0)),
            row(Scheduler::Dfw, Some(100), times(4.0), over),
        ];
        let text = report(&effort, &rows, &chains);
        assert_eq!(text.matches("CollectionLoad").count(), 3, "{text}");
        assert!(text.contains("Geometric mean of 11 ratios: 0.250."), "{text}");
        assert!(text.contains("N^2.000 for Raddle, N^- for Boogie."), "{text}");
        assert!(text.contains("> 100"), "{text}");
    }
}
