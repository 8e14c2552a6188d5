//! Runs both tools on one program, turn by turn, and keeps the medians.

use std::path::{Path, PathBuf};

use anyhow::Result;
use tempfile::TempDir;

use super::programs::Scheduler;
use super::tools::{self, Outcome};
use super::{Tool, growth};

/// What takes more seconds is not measured again: repeating shows how much the start-up varies, which weighs little there.
pub(super) const LONG: f64 = 5.0;

/// What all measurements share.
pub(super) struct Bench {
    pub(super) raddle: PathBuf,
    /// For the programs that are made.
    pub(super) folder: TempDir,
    pub(super) runs: u32,
    pub(super) limit: f64,
    pub(super) only: Option<Tool>,
}

/// A line of a table.
pub(super) struct Row {
    pub(super) scheduler: Scheduler,
    pub(super) delays: u32,
    /// The length of a chain.
    pub(super) size: Option<u32>,
    pub(super) comparison: Comparison,
}

/// The times of both tools.
pub(super) struct Comparison {
    pub(super) raddle: Times,
    pub(super) boogie: Times,
}

/// The times of one tool, in seconds.
pub(super) struct Times {
    /// For all bounds up to the one that suffices.
    pub(super) total: Option<f64>,
    /// For that bound alone.
    pub(super) last: Option<f64>,
    /// What to show where there is no time.
    pub(super) why_not: String,
}

impl Times {
    fn missing(why_not: impl Into<String>) -> Self {
        Times { total: None, last: None, why_not: why_not.into() }
    }

    pub(super) fn shown_total(&self) -> String {
        self.total.map_or_else(|| self.why_not.clone(), |seconds| format!("{seconds:.3}"))
    }

    pub(super) fn shown_last(&self) -> String {
        self.last.map_or("-".to_owned(), |seconds| format!("{seconds:.3}"))
    }
}

impl Comparison {
    pub(super) fn of(&self, tool: Tool) -> &Times {
        match tool {
            Tool::Raddle => &self.raddle,
            Tool::Boogie => &self.boogie,
        }
    }

    /// Below 1 where Raddle is faster.
    pub(super) fn ratio(&self) -> Option<f64> {
        Some(self.raddle.total? / self.boogie.total?)
    }

    pub(super) fn in_time(&self) -> [bool; 2] {
        [&self.raddle, &self.boogie].map(|times| times.total.is_some())
    }
}

/// What one tool took in one run: in total, and for the last bound.
enum Run {
    Took { total: f64, last: f64 },
    Failed(String),
}

impl Bench {
    /// Measures the tools that are wanted and have a chance.
    pub(super) fn compare(
        &self,
        program: &Path,
        scheduler: Scheduler,
        delays: u32,
        in_time: [bool; 2],
    ) -> Result<Comparison> {
        let wanted = |tool: Tool| self.only.is_none_or(|only| only == tool);
        let mut sequential = Vec::new();
        if wanted(Tool::Boogie) && in_time[1] {
            for bound in 0..=delays {
                let file = self.folder.path().join(format!("sequential{bound}.bpl"));
                tools::sequentialize(&self.raddle, program, scheduler, bound, &file)?;
                sequential.push(file);
            }
        }
        let mut runs: [Result<Vec<(f64, f64)>, String>; 2] = [Ok(Vec::new()), Ok(Vec::new())];
        for ((tool, runs), in_time) in [Tool::Raddle, Tool::Boogie].into_iter().zip(&mut runs).zip(in_time) {
            if !wanted(tool) {
                *runs = Err("-".to_owned());
            } else if !in_time {
                *runs = Err(self.time_over());
            }
        }
        for _ in 0..self.runs {
            for (tool, runs) in [Tool::Raddle, Tool::Boogie].into_iter().zip(&mut runs) {
                let Ok(times) = runs else { continue };
                if times.iter().any(|(total, _)| *total > LONG) {
                    continue;
                }
                let run = match tool {
                    Tool::Raddle => self.raddle(program, scheduler, delays)?,
                    Tool::Boogie => self.boogie(&sequential)?,
                };
                match run {
                    Run::Took { total, last } => times.push((total, last)),
                    Run::Failed(why) => *runs = Err(why),
                }
            }
        }
        let [raddle, boogie] = runs.map(|runs| match runs {
            Ok(times) => Times {
                total: growth::median(times.iter().map(|time| time.0).collect()),
                last: growth::median(times.iter().map(|time| time.1).collect()),
                why_not: "-".to_owned(),
            },
            Err(why) => Times::missing(why),
        });
        Ok(Comparison { raddle, boogie })
    }

    /// The last bound is what the search takes beyond the search with one delay less, which finds nothing.
    fn raddle(&self, program: &Path, scheduler: Scheduler, delays: u32) -> Result<Run> {
        let search = |delays| tools::raddle(&self.raddle, program, scheduler, delays, self.limit);
        let total = match search(delays)? {
            Outcome::Violation(seconds) => seconds,
            Outcome::None(_) => return Ok(Run::Failed("not found".to_owned())),
            Outcome::TimeOver => return Ok(Run::Failed(self.time_over())),
        };
        let Some(fewer) = delays.checked_sub(1) else { return Ok(Run::Took { total, last: total }) };
        Ok(match search(fewer)? {
            Outcome::None(seconds) => Run::Took { total, last: (total - seconds).max(0.0) },
            Outcome::Violation(_) => Run::Failed(format!("found with {fewer}")),
            Outcome::TimeOver => Run::Failed(self.time_over()),
        })
    }

    /// The faster one of Boogie's settings.
    fn boogie(&self, programs: &[PathBuf]) -> Result<Run> {
        let mut best = Run::Failed(self.time_over());
        // What takes longer than the best so far need not be waited for.
        let mut limit = self.limit;
        for setting in tools::SETTINGS {
            let run = self.boogie_with(setting, programs, limit)?;
            match (&run, &best) {
                (Run::Took { total, .. }, _) => (limit, best) = (*total, run),
                (Run::Failed(_), Run::Failed(_)) => best = run,
                (Run::Failed(_), Run::Took { .. }) => {}
            }
        }
        Ok(best)
    }

    /// One program for each bound.
    fn boogie_with(&self, setting: &[&str], programs: &[PathBuf], limit: f64) -> Result<Run> {
        let mut total = 0.0;
        for (bound, program) in programs.iter().enumerate() {
            let remaining = limit - total;
            if remaining <= 0.0 {
                return Ok(Run::Failed(self.time_over()));
            }
            match tools::boogie(program, setting, remaining)? {
                Outcome::Violation(seconds) if bound + 1 == programs.len() => {
                    return Ok(Run::Took { total: total + seconds, last: seconds });
                }
                Outcome::Violation(_) => return Ok(Run::Failed(format!("found with {bound}"))),
                Outcome::None(seconds) => total += seconds,
                Outcome::TimeOver => return Ok(Run::Failed(self.time_over())),
            }
        }
        Ok(Run::Failed("not found".to_owned()))
    }

    fn time_over(&self) -> String {
        format!("> {}", self.limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_need_both_tools() {
        let times = |total| Times { total: Some(total), last: Some(0.5), why_not: String::new() };
        let both = Comparison { raddle: times(1.0), boogie: times(2.0) };
        assert_eq!((both.ratio(), both.in_time()), (Some(0.5), [true, true]));
        let one = Comparison { raddle: times(1.0), boogie: Times::missing("> 100") };
        assert_eq!((one.ratio(), one.in_time()), (None, [true, false]));
        assert_eq!(one.boogie.shown_total(), "> 100");
        assert_eq!(
            (one.raddle.shown_total(), one.raddle.shown_last()),
            ("1.000".to_owned(), "0.500".to_owned())
        );
    }
}
