//! The result as SARIF 2.1.0 (OASIS, 2020), which editors and code hosts display.
//!
//! Only the part of the standard that is needed is here; the crates that have all of it generate it from the JSON
//! schema at build time, which costs more than these few types. Each step of the schedule is a location of a thread
//! flow, and its order in time is `executionOrder`, so that a viewer can show the threads side by side.

use engine::{Finding, Location, ViolationKind, location_of};
use serde::Serialize;

use crate::story::Teller;
use crate::words::{reason_sentence, verdict_name};
use crate::{CheckVerdict, Checked, Problem, Report};

/// The report as SARIF.
#[must_use]
pub fn sarif(report: &Report<'_>) -> String {
    let teller = Teller::new(report.program, report.map);
    let findings = report.verdict.findings();
    let reason = match report.verdict {
        engine::Verdict::Unknown(reason) | engine::Verdict::Violated(_, reason) => Some(reason),
        _ => report.incomplete,
    };
    let notification = reason.map(|reason| Notification {
        level: "warning",
        message: Message::new(format!(
            "{}: {}",
            verdict_name(report.command, report.verdict),
            reason_sentence(reason)
        )),
    });
    let results = findings.iter().map(|finding| SarifResult::of(report, &teller, finding)).collect();
    log(notification.into_iter().collect(), results)
}

/// What all analyses together found, as SARIF.
#[must_use]
pub fn sarif_check(checked: &Checked<'_>) -> String {
    let notification = (checked.verdict == CheckVerdict::Unknown).then(|| Notification {
        level: "warning",
        message: Message::new("unknown: not everything could be looked at".to_owned()),
    });
    let results = |problems: &[Problem<'_>], level: &'static str| -> Vec<SarifResult> {
        let result = |problem: &Problem<'_>| {
            let teller = Teller::new(problem.report.program, problem.report.map);
            SarifResult { level, ..SarifResult::of(&problem.report, &teller, problem.finding) }
        };
        problems.iter().map(result).collect()
    };
    let mut all = results(&checked.problems, "error");
    all.extend(results(&checked.suspicions, "note"));
    log(notification.into_iter().collect(), all)
}

fn log(notifications: Vec<Notification>, results: Vec<SarifResult>) -> String {
    let log = Log {
        schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool { driver: driver() },
            invocations: [Invocation {
                execution_successful: true,
                tool_execution_notifications: notifications,
            }],
            column_kind: "unicodeCodePoints",
            results,
        }],
    };
    // Strings, numbers and lists of them: there is nothing in it that JSON cannot say.
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}

const RULES: [(ViolationKind, &str); 6] = [
    (ViolationKind::Assertion, "An assertion fails."),
    (ViolationKind::Memory, "Memory is accessed that must not be."),
    (ViolationKind::Deadlock, "Threads are blocked for ever."),
    (ViolationKind::DataRace, "Two conflicting accesses are not ordered."),
    (ViolationKind::Atomicity, "A block that is meant to be indivisible is divided by another thread."),
    (ViolationKind::NonTermination, "Threads run for ever without getting anywhere."),
];

fn driver() -> Driver {
    let rules = RULES
        .iter()
        .map(|(kind, text)| Rule { id: kind.name(), short_description: Message::new((*text).to_owned()) });
    Driver { name: "raddle", version: env!("CARGO_PKG_VERSION"), rules: rules.collect() }
}

#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    invocations: [Invocation; 1],
    column_kind: &'static str,
    results: Vec<SarifResult>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    short_description: Message,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Message,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

impl Message {
    fn new(text: String) -> Self {
        Message { text }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: &'static str,
    level: &'static str,
    message: Message,
    locations: Vec<Place>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Place>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    code_flows: Vec<CodeFlow>,
}

impl SarifResult {
    fn of(report: &Report<'_>, teller: &Teller<'_>, finding: &Finding) -> Self {
        let threads = &finding.replay().threads;
        let mut flows: Vec<ThreadFlow> =
            threads.iter().map(|name| ThreadFlow { id: name.clone(), locations: Vec::new() }).collect();
        for (at, step) in teller.tell(finding).into_iter().enumerate() {
            let statement = step.statements.into_iter().next();
            let values: Vec<String> =
                step.changes.iter().map(|change| format!("{} = {}", change.name, change.value)).collect();
            let text = statement.as_ref().map_or("delayed", |s| s.text.as_str());
            let text =
                if values.is_empty() { text.to_owned() } else { format!("{text} → {}", values.join(", ")) };
            let location = statement.and_then(|s| s.location);
            flows[step.thread]
                .locations
                .push(FlowLocation { execution_order: at + 1, location: Place::new(location, Some(text)) });
        }
        // The standard asks for at least one location per flow, and for at least one flow.
        flows.retain(|flow| !flow.locations.is_empty());
        let code_flow = (!flows.is_empty()).then_some(CodeFlow { thread_flows: flows });
        let place = |span| location_of(report.map, span).map(|l| Place::new(Some(l), None));
        SarifResult {
            rule_id: finding.kind().name(),
            level: "error",
            message: Message::new(finding.message().to_owned()),
            locations: place(finding.access().span).into_iter().collect(),
            related_locations: [finding.other(), finding.last()]
                .into_iter()
                .flatten()
                .filter_map(|access| place(access.span))
                .collect(),
            code_flows: code_flow.into_iter().collect(),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CodeFlow {
    thread_flows: Vec<ThreadFlow>,
}

#[derive(Serialize)]
struct ThreadFlow {
    id: String,
    locations: Vec<FlowLocation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FlowLocation {
    execution_order: usize,
    location: Place,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Place {
    #[serde(skip_serializing_if = "Option::is_none")]
    physical_location: Option<PhysicalLocation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
}

impl Place {
    fn new(location: Option<Location>, message: Option<String>) -> Self {
        Place {
            physical_location: location.map(|l| PhysicalLocation {
                artifact_location: ArtifactLocation { uri: uri(&l.file) },
                region: Region { start_line: l.line, start_column: l.column },
            }),
            message: message.map(Message::new),
        }
    }
}

/// A path as a URI reference: what is not plain is percent-encoded.
fn uri(path: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~/".contains(&b);
    path.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}
