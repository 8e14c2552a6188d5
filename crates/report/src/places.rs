//! The other places that a violation is about, each with what happens there.

use engine::{Blocked, Ending, Finding, Location, location_of};
use source::Span;

use crate::Report;
use crate::blocked::why;
use crate::story::Teller;

/// A place that a violation is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RelatedPlace {
    pub(crate) location: Location,
    /// What happens there.
    pub(crate) message: String,
}

/// Where a violation is.
pub(crate) fn main_place(report: &Report<'_>, finding: &Finding) -> Option<Location> {
    location_of(report.map, finding.access().span)
}

/// The places that a violation is about besides the one where it is: the other accesses, and who else is blocked.
pub(crate) fn related(report: &Report<'_>, teller: &Teller<'_>, finding: &Finding) -> Vec<RelatedPlace> {
    let replay = finding.replay();
    let place = |span: Span, message: String| {
        location_of(report.map, span).map(|location| RelatedPlace { location, message })
    };
    let blocked = |all: &[Blocked], verb: &str| -> Vec<RelatedPlace> {
        // Several may be blocked at the same op: one of them is where the violation is.
        let is_main = |b: &Blocked| b.at == finding.access().at && b.span == finding.access().span;
        let main = all.iter().position(is_main);
        let others = all.iter().enumerate().filter(|(at, _)| Some(*at) != main);
        let message = |b: &Blocked| {
            format!("{} {verb} here: {}", replay.threads[b.thread], why(teller, replay, b, all))
        };
        others.filter_map(|(_, b)| place(b.span, message(b))).collect()
    };
    match &replay.ending {
        Ending::Deadlock(all) => blocked(all, "is blocked"),
        Ending::Lasso { idle, .. } => blocked(idle, "stays"),
        Ending::Race { variable, accesses: [_, (thread, _, span, writes)] } => {
            let verb = if *writes { "writes" } else { "reads" };
            let message = format!("(2) {} {verb} `{variable}`", replay.threads[*thread]);
            place(*span, message).into_iter().collect()
        }
        Ending::Failed { .. } | Ending::Completed | Ending::Open => {
            let thread = |step: usize| {
                let thread = replay.events.get(step).and_then(|event| replay.threads.get(event.thread));
                thread.map_or("", String::as_str)
            };
            let steps = finding.atomicity().map(|atomicity| atomicity.steps);
            let accesses = [finding.other(), finding.last()].into_iter().enumerate();
            let others = accesses.filter_map(|(at, access)| {
                let step = steps.map(|steps| steps[at + 1]);
                let who = step.map(thread).unwrap_or_default();
                place(access?.span, format!("({}) {who} is here", at + 2))
            });
            others.collect()
        }
    }
}
