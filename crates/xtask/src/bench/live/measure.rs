//! Runs `raddle live` on one program several times, and keeps the median.

use std::path::Path;

use anyhow::Result;

use super::programs::Subject;
use crate::bench::{Effort, growth};
use crate::live::{self, Search, Verdict};

/// A line of the table.
pub(super) struct Row {
    pub(super) subject: Subject,
    /// Nothing where the program's file is missing. Its time is the median, its memory the most.
    pub(super) search: Option<Search>,
}

/// How a line compares with what was expected.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fit {
    Expected,
    Wrong,
    /// Time or memory did not suffice.
    Undecided,
}

impl Row {
    pub(super) fn fit(&self) -> Fit {
        match self.search.as_ref().map(|search| self.subject.expected.is_met(&search.verdict)) {
            Some(Some(true)) => Fit::Expected,
            Some(None) => Fit::Undecided,
            Some(Some(false)) | None => Fit::Wrong,
        }
    }

    /// The time, if there is an answer.
    pub(super) fn seconds(&self) -> Option<f64> {
        let search = self.search.as_ref()?;
        matches!(search.verdict, Verdict::NonTerminating | Verdict::NoneWithinBounds)
            .then_some(search.seconds)
    }

    /// Below 1 where Raddle is faster; only for the same answer.
    pub(super) fn ratio(&self) -> Option<f64> {
        let seconds = self.seconds().filter(|_| self.fit() == Fit::Expected)?;
        Some(seconds / self.subject.paper?)
    }
}

/// Measures a program.
pub(super) fn row(raddle: &Path, subject: Subject, effort: &Effort) -> Result<Row> {
    if !subject.path.exists() {
        return Ok(Row { subject, search: None });
    }
    let mut searches: Vec<Search> = Vec::new();
    for _ in 0..effort.runs {
        let search = live::run(raddle, subject.options, &subject.path, effort.limit)?;
        if matches!(search.verdict, Verdict::Unknown(_) | Verdict::Refused(_)) {
            // One such run decides: there is no median then.
            return Ok(Row { subject, search: Some(search) });
        }
        searches.push(search);
    }
    Ok(Row { subject, search: middle(&searches) })
}

/// The first search with the median of the times and the most memory.
fn middle(searches: &[Search]) -> Option<Search> {
    let mut search = searches.first()?.clone();
    search.seconds = growth::median(searches.iter().map(|search| search.seconds).collect())?;
    search.peak_memory = searches.iter().filter_map(|search| search.peak_memory).max();
    Some(search)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_time_and_the_most_memory_count() {
        let search = |seconds, peak_memory| Search {
            verdict: Verdict::NonTerminating,
            rounds: Some((1, 1)),
            queries: 3,
            seconds,
            peak_memory,
            warning: None,
        };
        let middle = middle(&[search(3.0, Some(1)), search(1.0, Some(5)), search(2.0, None)]).unwrap();
        assert!((middle.seconds - 2.0).abs() < 1e-9);
        assert_eq!(middle.peak_memory, Some(5));
    }
}
