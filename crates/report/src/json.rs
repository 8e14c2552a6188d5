//! The result for machines: JSON, schema `raddle-result/1`. Fields are only ever added within a version.
//!
//! It has all that the page of [`crate::html`] shows: that is made from it and from nothing else.

mod sources;
mod violation;

use engine::{Attempt, Found, Location, Reason, Valuation, location_of};
use serde::{Serialize, Serializer};

use crate::human::{next_lines, summary, summary_of_check};
use crate::json::sources::{SourceField, Sources};
use crate::json::violation::ViolationField;
use crate::story::Teller;
use crate::words::{check_names, fairness_name, reason_name, reason_sentence, scheduler_name, verdict_name};
use crate::{Checked, Cost, Graph, Outcome, Predicted, Problem, Report, Scheduled};

/// The format and its version.
pub const RESULT_SCHEMA: &str = "raddle-result/1";

/// The report as JSON.
#[must_use]
pub fn json(report: &Report<'_>) -> String {
    let teller = Teller::new(report.program, report.map);
    let findings = report.verdict.findings().iter().enumerate();
    let violation = |(at, finding)| {
        let witness = report.witnesses.get(at).map(String::as_str);
        ViolationField::of(report, &teller, finding, witness)
    };
    let violations: Vec<ViolationField<'_>> = findings.map(violation).collect();
    let mut sources = Sources::default();
    violations.iter().for_each(|violation| violation.for_each_location(|location| sources.name(location)));
    sources.name_in_graphs(report.schedules.iter().flat_map(Scheduled::graphs).chain(report.proof));
    let (scheduler, delays) = scheduler_name(report.bounds.scheduler);
    let result = ResultFile {
        schema: RESULT_SCHEMA,
        producer: PRODUCER,
        command: report.command,
        input: report.input,
        verdict: verdict_name(report.command, report.verdict),
        summary: summary(report),
        reason: reason(report).map(|reason| ReasonField::of(report, reason)),
        checks: check_names(report.checks),
        violations,
        schedules: report.schedules.iter().map(ScheduleField::of).collect(),
        attempts: report.attempts.iter().map(AttemptField::of).collect(),
        values: report.valuations.map(|all| all.iter().map(ValuesField).collect()),
        bounds: BoundsField {
            int_range: report.bounds.int_range.map(|range| [range.low(), range.high()]),
            max_threads: report.bounds.limits.map(|limits| limits.threads),
            max_frames: report.bounds.limits.map(|limits| limits.frames),
            unroll: report.bounds.unroll,
            stem: report.bounds.rounds.map(|rounds| rounds.stem),
            lasso: report.bounds.rounds.map(|rounds| rounds.lasso),
            scheduler,
            delays,
            switch_at: match report.bounds.switch_at {
                engine::SwitchAt::Visible => "visible",
                engine::SwitchAt::Yield => "yield",
            },
            fairness: report.checks.non_termination.map(fairness_name),
            touched: report.bounds.touched.iter().map(|touched| touched.name()).collect(),
        },
        compiled: report.compiled.map(CompiledField::of),
        prediction: report.predicted,
        proof: report.proof,
        next: next_lines(report),
        statistics: StatisticsField::of(report),
        sources: sources.texts([report.map]),
    };
    pretty(&result)
}

/// What all analyses together found, as JSON.
#[must_use]
pub fn json_check(checked: &Checked<'_>) -> String {
    let violations: Vec<ProblemField<'_>> = checked.problems.iter().map(ProblemField::of).collect();
    let suspicions: Vec<ProblemField<'_>> = checked.suspicions.iter().map(ProblemField::of).collect();
    let proof = checked.analyses.iter().filter_map(crate::Analysis::report).find_map(|report| report.proof);
    let refuge = checked.refuge.map(|refuge| refuge.schedule);
    let mut sources = Sources::default();
    for problem in violations.iter().chain(&suspicions) {
        problem.violation.for_each_location(|location| sources.name(location));
    }
    sources.name_in_graphs(refuge.iter().flat_map(|schedule| schedule.graphs()).chain(proof));
    let reports = checked.problems.iter().chain(&checked.suspicions).map(|problem| problem.report);
    let maps =
        reports.chain(checked.analyses.iter().filter_map(crate::Analysis::report)).map(|report| report.map);
    pretty(&CheckFile {
        schema: RESULT_SCHEMA,
        producer: PRODUCER,
        command: "check",
        input: checked.input,
        verdict: checked.verdict.name(),
        summary: summary_of_check(checked),
        violations,
        suspicions,
        schedules: checked.refuge.iter().map(RefugeField::of).collect(),
        proof,
        analyses: checked.analyses.iter().map(AnalysisField::of).collect(),
        statistics: CheckStatistics::of(checked.cost),
        sources: sources.texts(maps),
    })
}

pub(crate) const PRODUCER: &str = concat!("raddle ", env!("CARGO_PKG_VERSION"));

/// Strings, numbers and lists of them: there is nothing in it that JSON cannot say.
pub(crate) fn pretty(result: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(result).unwrap_or_default();
    text.push('\n');
    text
}

/// The result of `check`.
#[derive(Serialize)]
struct CheckFile<'a> {
    schema: &'static str,
    producer: &'static str,
    command: &'static str,
    input: &'a str,
    verdict: &'static str,
    summary: String,
    violations: Vec<ProblemField<'a>>,
    suspicions: Vec<ProblemField<'a>>,
    schedules: Vec<RefugeField<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<&'a Graph>,
    analyses: Vec<AnalysisField<'a>>,
    statistics: CheckStatistics,
    sources: Vec<SourceField<'a>>,
}

/// A violation, and how sure it is.
#[derive(Serialize)]
struct ProblemField<'a> {
    #[serde(flatten)]
    violation: ViolationField<'a>,
    found_by: &'a [&'a str],
    #[serde(skip_serializing_if = "Option::is_none")]
    compiled: Option<CompiledField<'a>>,
    /// The command that shows it.
    shown_by: &'a str,
}

impl<'a> ProblemField<'a> {
    fn of(problem: &'a Problem<'a>) -> Self {
        let teller = Teller::new(problem.report.program, problem.report.map);
        ProblemField {
            violation: ViolationField::of(&problem.report, &teller, problem.finding, problem.witness),
            found_by: &problem.found_by,
            compiled: problem.compiled.map(CompiledField::of),
            shown_by: problem.command,
        }
    }
}

#[derive(Serialize)]
struct RefugeField<'a> {
    #[serde(flatten)]
    schedule: ScheduleField<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<&'a str>,
}

impl<'a> RefugeField<'a> {
    fn of(refuge: &crate::Refuge<'a>) -> Self {
        RefugeField { schedule: ScheduleField::of(refuge.schedule), command: refuge.command }
    }
}

/// One of the analyses of `check`.
#[derive(Serialize)]
struct AnalysisField<'a> {
    asks: &'static str,
    command: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<ReasonField>,
    #[serde(skip_serializing_if = "Option::is_none")]
    statistics: Option<StatisticsField>,
    /// Why there is no answer because it was not asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<&'a str>,
    /// Why there is no answer because it cannot be given.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<&'a str>,
}

impl<'a> AnalysisField<'a> {
    fn of(analysis: &'a crate::Analysis<'a>) -> Self {
        let mut field = AnalysisField {
            asks: analysis.asks,
            command: analysis.command,
            verdict: None,
            reason: None,
            statistics: None,
            skipped: None,
            refused: None,
        };
        match &analysis.outcome {
            Outcome::Answered(report) => {
                field.verdict = Some(verdict_name(report.command, report.verdict));
                field.reason = reason(report).map(|reason| ReasonField::of(report, reason));
                field.statistics = Some(StatisticsField::of(report));
            }
            Outcome::Refused(why) => field.refused = Some(why),
            Outcome::Skipped(why) => field.skipped = Some(why),
        }
        field
    }
}

#[derive(Serialize)]
struct CheckStatistics {
    seconds: f64,
    peak_memory: Option<u64>,
}

impl CheckStatistics {
    fn of(cost: Cost) -> Self {
        CheckStatistics { seconds: cost.total.as_secs_f64(), peak_memory: cost.peak_memory }
    }
}

/// Why not everything is known.
fn reason<'a>(report: &Report<'a>) -> Option<&'a Reason> {
    match report.verdict {
        engine::Verdict::Unknown(reason) | engine::Verdict::Violated(_, reason) => Some(reason),
        _ => report.incomplete,
    }
}

#[derive(Serialize)]
struct CompiledField<'a> {
    reproduced: bool,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<&'a crate::Left>,
}

impl<'a> CompiledField<'a> {
    fn of(compiled: crate::Compiled<'a>) -> Self {
        CompiledField { reproduced: compiled.reproduced, message: compiled.what, left: compiled.left }
    }
}

#[derive(Serialize)]
struct ResultFile<'a> {
    schema: &'static str,
    producer: &'static str,
    command: &'a str,
    input: &'a str,
    verdict: &'static str,
    /// The verdict as a sentence.
    summary: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<ReasonField>,
    checks: Vec<&'static str>,
    violations: Vec<ViolationField<'a>>,
    schedules: Vec<ScheduleField<'a>>,
    /// What the compiled program did when the run was forced on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    compiled: Option<CompiledField<'a>>,
    /// The searches made, each within larger bounds than the one before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    attempts: Vec<AttemptField>,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Vec<ValuesField<'a>>>,
    bounds: BoundsField,
    #[serde(skip_serializing_if = "Option::is_none")]
    prediction: Option<&'a Predicted>,
    /// The tree that proves that every schedule is safe.
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<&'a Graph>,
    /// What to do next, for people; commands are indented.
    next: Vec<String>,
    statistics: StatisticsField,
    /// The texts that locations are in.
    sources: Vec<SourceField<'a>>,
}

/// A safe schedule.
#[derive(Serialize)]
struct ScheduleField<'a> {
    number: usize,
    order: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    added: Option<&'a str>,
    nodes: usize,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    /// The program schedule as a drawing.
    #[serde(skip_serializing_if = "Option::is_none")]
    graph: Option<&'a Graph>,
    /// The tree that proves it.
    #[serde(skip_serializing_if = "Option::is_none")]
    tree: Option<&'a Graph>,
}

impl<'a> ScheduleField<'a> {
    fn of(schedule: &'a Scheduled) -> Self {
        ScheduleField {
            number: schedule.number,
            order: &schedule.order,
            added: schedule.added.as_deref(),
            nodes: schedule.nodes,
            seconds: schedule.time.as_secs_f64(),
            file: schedule.file.as_deref(),
            graph: schedule.graph.as_ref(),
            tree: schedule.tree.as_ref(),
        }
    }
}

/// Why not everything is known.
#[derive(Serialize)]
struct ReasonField {
    kind: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cuts: Vec<CutField>,
}

#[derive(Serialize)]
struct CutField {
    message: String,
    location: Option<Location>,
}

impl ReasonField {
    fn of(report: &Report<'_>, reason: &Reason) -> Self {
        let cuts = match reason {
            Reason::Cut(cuts) => cuts.as_slice(),
            Reason::Exhausted(_)
            | Reason::Sampled(_)
            | Reason::Solver(_)
            | Reason::Enough
            | Reason::Undecidable
            | Reason::Potential(_)
            | Reason::Unfollowed(_)
            | Reason::Unconfirmed(_) => &[],
        };
        let cuts = cuts.iter().map(|cut| CutField {
            message: cut.cut.to_string(),
            location: location_of(report.map, cut.span),
        });
        ReasonField { kind: reason_name(reason), message: reason_sentence(reason), cuts: cuts.collect() }
    }
}

struct ValuesField<'a>(&'a Valuation);

impl Serialize for ValuesField<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

#[derive(Serialize)]
struct BoundsField {
    #[serde(skip_serializing_if = "Option::is_none")]
    int_range: Option<[i64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_threads: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_frames: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unroll: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stem: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lasso: Option<u32>,
    scheduler: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    delays: Option<u32>,
    switch_at: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    fairness: Option<&'static str>,
    /// The bounds that mattered, by the names of their options.
    touched: Vec<&'static str>,
}

#[derive(Serialize)]
struct AttemptField {
    scheduler: &'static str,
    delays: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stem: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lasso: Option<u32>,
    found: &'static str,
    seconds: f64,
    queries: u64,
    inlined: u64,
    unroll: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<usize>,
}

impl AttemptField {
    fn of(attempt: &Attempt) -> Self {
        let (scheduler, delays) = scheduler_name(attempt.scheduler);
        AttemptField {
            scheduler,
            delays,
            stem: attempt.rounds.map(|rounds| rounds.stem),
            lasso: attempt.rounds.map(|rounds| rounds.lasso),
            found: match attempt.found {
                Found::Violation => "violation",
                Found::Nothing => "nothing",
                Found::NothingWithinUnroll => "nothing-within-unroll",
                Found::Undecided => "undecided",
            },
            seconds: attempt.time.as_secs_f64(),
            queries: attempt.queries,
            inlined: attempt.inlined,
            unroll: attempt.unroll,
            states: attempt.states,
        }
    }
}

#[derive(Serialize)]
struct StatisticsField {
    seconds: f64,
    phases: PhasesField,
    #[serde(flatten)]
    exploration: Option<ExplorationField>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    queries: Option<u64>,
    peak_memory: Option<u64>,
}

#[derive(Serialize)]
struct PhasesField {
    load_seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    compile_seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lower_seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explore_seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replay_seconds: Option<f64>,
}

#[derive(Serialize)]
struct ExplorationField {
    states: usize,
    transitions: u64,
    bytes_per_state: f64,
    reduced: bool,
}

impl StatisticsField {
    fn of(report: &Report<'_>) -> Self {
        let figures = report.figures;
        StatisticsField {
            seconds: report.cost.total.as_secs_f64(),
            phases: PhasesField {
                load_seconds: report.cost.load.as_secs_f64(),
                compile_seconds: report.cost.frontend.map(|cost| cost.compile.as_secs_f64()),
                lower_seconds: report.cost.frontend.map(|cost| cost.lower.as_secs_f64()),
                explore_seconds: figures.map(|f| f.explore.as_secs_f64()),
                replay_seconds: figures.map(|f| f.replay.as_secs_f64()),
            },
            exploration: figures.map(|f| ExplorationField {
                states: f.states,
                transitions: f.transitions,
                bytes_per_state: f.bytes_per_state,
                reduced: f.reduced,
            }),
            nodes: report.tree.map(|tree| tree.nodes),
            queries: report.tree.map(|tree| tree.queries),
            peak_memory: report.cost.peak_memory,
        }
    }
}
