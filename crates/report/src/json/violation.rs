//! A violation: what is wrong, and its run step by step.

use std::collections::BTreeSet;

use engine::{Change, Ending, Finding, Location, location_of};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::ending::{all_rows, explanation};
use crate::story::{Teller, Told};
use crate::table::Row;
use crate::{Report, is_own_global, is_text};

#[derive(Serialize)]
pub(super) struct ViolationField<'a> {
    kind: &'static str,
    message: &'a str,
    location: Option<Location>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other_location: Option<Location>,
    /// The third access of a violation of atomicity.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_location: Option<Location>,
    /// How many violations there are that differ only in which instances of these lines they are about.
    #[serde(skip_serializing_if = "is_one")]
    count: usize,
    threads: &'a [String],
    initial: ChangesField<'a>,
    /// The axioms that the interpreter cannot evaluate, and takes for granted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    assumed: Vec<Location>,
    steps: Vec<StepField<'a>>,
    lasso_start: Option<usize>,
    /// Whether the lasso repeats only up to a renaming of objects on the heap.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    renames_objects: bool,
    /// Where threads stand at the end, if that is what is wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    end: Vec<StandingField<'a>>,
    /// The accesses of a race or of a violation of atomicity, in the order of their numbers in the message.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    accesses: Vec<AccessField<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<ExplanationField>,
    /// The globals among the values that are no variables of the program: parts of locks and the like.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    internal: BTreeSet<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<&'a str>,
}

impl<'a> ViolationField<'a> {
    pub(super) fn of(
        report: &Report<'a>,
        teller: &Teller<'_>,
        finding: &'a Finding,
        witness: Option<&'a str>,
    ) -> Self {
        let replay = finding.replay();
        let told = teller.tell(finding);
        let (rows, end) = all_rows(teller, finding, &told, false);
        let steps = told.into_iter().zip(rows);
        let name = |thread: usize| replay.threads[thread].as_str();
        let explanation = explanation(teller, report.bounds, finding).map(|explanation| ExplanationField {
            lines: explanation.lines.iter().map(crate::ending::Line::text).collect(),
            title: explanation.title,
        });
        ViolationField {
            kind: finding.kind().name(),
            message: finding.message(),
            location: location_of(report.map, finding.access().span),
            other_location: finding.other().and_then(|other| location_of(report.map, other.span)),
            last_location: finding.last().and_then(|last| location_of(report.map, last.span)),
            count: finding.count(),
            threads: &replay.threads,
            initial: ChangesField(&replay.initial),
            assumed: replay.assumed.iter().filter_map(|span| location_of(report.map, *span)).collect(),
            steps: steps.map(|(step, rows)| StepField::of(step, rows, &replay.threads)).collect(),
            lasso_start: finding.run().lasso_start,
            renames_objects: teller.reallocates(finding),
            end: end
                .into_iter()
                .map(|row| StandingField { thread: name(row.thread), told: ToldField::of(row) })
                .collect(),
            accesses: accesses(report, finding),
            explanation,
            internal: internal(report, finding),
            witness,
        }
    }

    /// Every place of the source that people are shown.
    pub(super) fn for_each_location(&self, mut visit: impl FnMut(&Location)) {
        [&self.location, &self.other_location, &self.last_location]
            .into_iter()
            .flatten()
            .for_each(&mut visit);
        self.assumed.iter().for_each(&mut visit);
        let told = self.steps.iter().flat_map(|step| &step.told);
        told.filter_map(|told| told.location.as_ref()).for_each(&mut visit);
        self.end.iter().filter_map(|standing| standing.told.location.as_ref()).for_each(&mut visit);
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_one(count: &usize) -> bool {
    *count == 1
}

/// The numbered accesses of a violation.
fn accesses<'a>(report: &Report<'_>, finding: &'a Finding) -> Vec<AccessField<'a>> {
    let replay = finding.replay();
    let name = |thread: usize| replay.threads.get(thread).map_or("", String::as_str);
    if let Some(atomicity) = finding.atomicity() {
        let spans = [Some(finding.access()), finding.other(), finding.last()];
        let access = |(step, access): (&usize, Option<engine::Access>)| AccessField {
            step: Some(*step),
            thread: replay.events.get(*step).map_or("", |event| name(event.thread)),
            location: access.and_then(|access| location_of(report.map, access.span)),
        };
        return atomicity.steps.iter().zip(spans).map(access).collect();
    }
    match &replay.ending {
        Ending::Race { accesses, .. } => accesses
            .iter()
            .map(|(thread, _, span, _)| AccessField {
                step: None,
                thread: name(*thread),
                location: location_of(report.map, *span),
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// The names of globals that are not the user's.
fn internal<'a>(report: &Report<'_>, finding: &'a Finding) -> BTreeSet<&'a str> {
    let replay = finding.replay();
    let mut known: std::collections::BTreeMap<&str, bool> = std::collections::BTreeMap::new();
    let mut internal = BTreeSet::new();
    for change in replay.initial.iter().chain(replay.events.iter().flat_map(|event| &event.changes)) {
        let own =
            *known.entry(&change.variable).or_insert_with(|| is_own_global(report.program, &change.variable));
        if !change.local && (!own || is_text(&change.name)) {
            internal.insert(change.name.as_str());
        }
    }
    internal
}

#[derive(Serialize)]
struct ExplanationField {
    title: String,
    lines: Vec<String>,
}

/// An access that a violation is about.
#[derive(Serialize)]
struct AccessField<'a> {
    /// The index of its step; nothing if it is what could happen next.
    step: Option<usize>,
    thread: &'a str,
    location: Option<Location>,
}

/// Where a thread stands at the end.
#[derive(Serialize)]
struct StandingField<'a> {
    thread: &'a str,
    #[serde(flatten)]
    told: ToldField,
}

/// A line of the schedule as people are shown it.
#[derive(Serialize)]
struct ToldField {
    location: Option<Location>,
    text: String,
    /// What it changes, or reads if it changes nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<String>,
}

impl ToldField {
    fn of(row: Row) -> Self {
        ToldField { location: row.location, text: row.text, values: row.values, mark: row.mark }
    }
}

/// One step: the first statement it ran, and all of them if there are more.
#[derive(Serialize)]
struct StepField<'a> {
    thread: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    delay: bool,
    location: Option<Location>,
    source: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    statements: Vec<StatementField>,
    values: ChangesField<'a>,
    /// Which of the values are of local variables of the thread.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locals: Vec<&'a str>,
    /// What people are shown of it; nothing if it goes on with the statement before, or happens in a library.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    told: Vec<ToldField>,
}

#[derive(Clone, Serialize)]
struct StatementField {
    location: Option<Location>,
    source: String,
}

impl<'a> StepField<'a> {
    fn of(step: Told<'a>, rows: Vec<Row>, threads: &'a [String]) -> Self {
        let statements: Vec<StatementField> = step
            .statements
            .into_iter()
            .map(|s| StatementField { location: s.location, source: s.text })
            .collect();
        let first = statements.first().cloned();
        StepField {
            thread: &threads[step.thread],
            delay: step.delay,
            location: first.as_ref().and_then(|s| s.location.clone()),
            source: first.map(|s| s.source).unwrap_or_default(),
            statements: if statements.len() > 1 { statements } else { Vec::new() },
            locals: step.changes.iter().filter(|change| change.local).map(|c| c.name.as_str()).collect(),
            values: ChangesField(step.changes),
            told: rows.into_iter().map(ToldField::of).collect(),
        }
    }
}

/// Values by name, in the order of the program.
struct ChangesField<'a>(&'a [Change]);

impl Serialize for ChangesField<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for change in self.0 {
            map.serialize_entry(&change.name, &change.value)?;
        }
        map.end()
    }
}
