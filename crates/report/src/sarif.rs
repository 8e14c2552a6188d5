//! The result as SARIF 2.1.0 (OASIS, 2020), which editors and code hosts display.
//!
//! Only the part of the standard that is needed is here; the crates that have all of it generate it from the JSON
//! schema at build time, which costs more than these few types. The tests compare what comes out with the schema of the
//! standard. Each step of the schedule is a location of a thread flow, and its order in time is `executionOrder`, so that a
//! viewer can show the threads side by side. Steps of a lasso are nested, and their messages say so.

mod format;

use std::collections::BTreeMap;

use engine::{Finding, Location, Reason, Verdict, ViolationKind, fingerprint, location_of};
use indexmap::IndexSet;

use crate::explanations::{KINDS, explanation, summary};
use crate::places::{main_place, related};
use crate::story::{Teller, Told, one_line};
use crate::words::{count, reason_sentence, verdict_name};
use crate::{CheckVerdict, Checked, Outcome, Problem, Report, is_own_global, is_text};
use format::{
    Artifact, ArtifactLocation, BaseId, CodeFlow, Configuration, Driver, FlowLocation, Help, Invocation, Log,
    Message, Notification, PhysicalLocation, Place, ROOT, Region, ResultProperties, Rule, RuleProperties,
    Run, SarifResult, StepProperties, ThreadFlow, Tool,
};

/// The report as SARIF.
#[must_use]
pub fn sarif(report: &Report<'_>) -> String {
    let mut writer = Writer::default();
    let results =
        report.verdict.findings().iter().map(|finding| writer.result(report, finding, "error")).collect();
    let reason = match report.verdict {
        Verdict::Unknown(reason) | Verdict::Violated(_, reason) => Some(reason),
        _ => report.incomplete,
    };
    let notifications = reason.map(|reason| writer.notification(report, reason));
    writer.log(report.input, notifications.into_iter().collect(), results)
}

/// What all analyses together found, as SARIF.
#[must_use]
pub fn sarif_check(checked: &Checked<'_>) -> String {
    let mut writer = Writer::default();
    let mut results = Vec::new();
    let mut add = |problems: &[Problem<'_>], level| {
        results.extend(problems.iter().map(|problem| writer.result(&problem.report, problem.finding, level)));
    };
    add(&checked.problems, "error");
    add(&checked.suspicions, "note");
    let mut notifications = Vec::new();
    if checked.verdict == CheckVerdict::Unknown {
        notifications.push(Notification {
            level: "warning",
            message: Message::new("unknown: not everything could be looked at"),
            locations: Vec::new(),
        });
        for analysis in &checked.analyses {
            if let Outcome::Answered(report) = &analysis.outcome
                && let Verdict::Unknown(reason) = report.verdict
            {
                notifications.push(writer.notification(report, reason));
            }
        }
    }
    writer.log(checked.input, notifications, results)
}

fn driver() -> Driver {
    let rule = |kind: ViolationKind| Rule {
        id: kind.name(),
        name: match kind {
            ViolationKind::Assertion => "FailingAssertion",
            ViolationKind::Memory => "InvalidMemoryAccess",
            ViolationKind::Deadlock => "Deadlock",
            ViolationKind::DataRace => "DataRace",
            ViolationKind::Atomicity => "AtomicityViolation",
            ViolationKind::NonTermination => "NonTermination",
        },
        short_description: Message::new(match kind {
            ViolationKind::Assertion => "An assertion fails.",
            ViolationKind::Memory => "Memory is accessed that must not be.",
            ViolationKind::Deadlock => "Threads are blocked for ever.",
            ViolationKind::DataRace => "Two conflicting accesses are not ordered.",
            ViolationKind::Atomicity => {
                "A block that is meant to be indivisible is divided by another thread."
            }
            ViolationKind::NonTermination => "Threads run for ever without getting anywhere.",
        }),
        full_description: Message::new(summary(kind)),
        help: Help { text: explanation(kind), markdown: explanation(kind) },
        default_configuration: Configuration { level: "error" },
        properties: RuleProperties { tags: ["concurrency", "correctness"], precision: "very-high" },
    };
    let version = env!("CARGO_PKG_VERSION");
    let rules = KINDS.into_iter().map(rule).collect();
    Driver { name: "raddle", semantic_version: version, version, rules }
}

/// What is written, and which files it speaks of.
#[derive(Default)]
struct Writer {
    files: IndexSet<String>,
    fingerprints: BTreeMap<String, usize>,
}

impl Writer {
    fn log(mut self, input: &str, notifications: Vec<Notification>, results: Vec<SarifResult>) -> String {
        let inputs: Vec<&str> = input.split(", ").collect();
        for input in &inputs {
            self.files.insert((*input).to_owned());
        }
        let artifact = |(index, file): (usize, &String)| Artifact {
            location: ArtifactLocation { index: Some(index), ..address(file) },
            roles: if inputs.contains(&file.as_str()) { vec!["analysisTarget"] } else { Vec::new() },
        };
        let root = BaseId { description: Message::new("The folder in which raddle was run.") };
        let log = Log {
            schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
            version: "2.1.0",
            runs: [Run {
                tool: Tool { driver: driver() },
                invocations: [Invocation {
                    execution_successful: true,
                    tool_execution_notifications: notifications,
                }],
                original_uri_base_ids: BTreeMap::from([(ROOT, root)]),
                artifacts: self.files.iter().enumerate().map(artifact).collect(),
                column_kind: "unicodeCodePoints",
                results,
            }],
        };
        // Strings, numbers and lists of them: there is nothing in it that JSON cannot say.
        let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Why not everything is known, and where.
    fn notification(&mut self, report: &Report<'_>, reason: &Reason) -> Notification {
        let verdict = verdict_name(report.command, report.verdict);
        let cuts = match reason {
            Reason::Cut(cuts) => cuts.as_slice(),
            _ => &[],
        };
        let locations = cuts.iter().filter_map(|cut| {
            let location = location_of(report.map, cut.span)?;
            Some(self.place(Some(&location), Some(cut.cut.to_string())))
        });
        let locations = locations.collect();
        let message = Message::new(format!("{verdict}: {}", reason_sentence(reason)));
        Notification { level: "warning", message, locations }
    }

    fn result(&mut self, report: &Report<'_>, finding: &Finding, level: &'static str) -> SarifResult {
        let teller = Teller::new(report.program, report.map);
        let kind = finding.kind();
        let locations = main_place(report, finding);
        let locations = locations.map(|location| self.place(Some(&location), None)).into_iter().collect();
        let others = related(report, &teller, finding).into_iter().enumerate();
        let related_locations = others.map(|(at, other)| Place {
            id: Some(at + 1),
            ..self.place(Some(&other.location), Some(other.message))
        });
        let related_locations = related_locations.collect();
        SarifResult {
            rule_id: kind.name(),
            rule_index: KINDS.iter().position(|other| *other == kind).unwrap_or_default(),
            level,
            message: Message::new(finding.message()),
            locations,
            related_locations,
            code_flows: self.flow(&teller, finding).into_iter().collect(),
            partial_fingerprints: BTreeMap::from([("raddle/v1", self.fingerprint(report, finding))]),
            properties: finding.run().lasso_start.map(|start| ResultProperties { lasso_start: start + 1 }),
        }
    }

    /// The run. The standard asks for at least one location per flow, and for at least one flow.
    fn flow(&mut self, teller: &Teller<'_>, finding: &Finding) -> Option<CodeFlow> {
        let replay = finding.replay();
        let start = finding.run().lasso_start;
        let empty = |name: &String| ThreadFlow {
            id: name.clone(),
            message: Message::new(format!("thread {name}")),
            initial_state: BTreeMap::new(),
            locations: Vec::new(),
        };
        let mut flows: Vec<ThreadFlow> = replay.threads.iter().map(empty).collect();
        let steps = replay.events.len();
        for (at, step) in teller.tell(finding).into_iter().enumerate() {
            let repeated = start.is_some_and(|start| at >= start);
            let thread = step.thread;
            let location = self.step(at, &step, repeated, at + 1 == steps);
            flows[thread].locations.push(location);
        }
        flows.retain(|flow| !flow.locations.is_empty());
        let initial = replay.initial.iter().filter(|change| {
            is_own_global(teller.program(), &change.variable)
                && change.value != "nil"
                && !is_text(&change.name)
        });
        flows.first_mut()?.initial_state =
            initial.map(|change| (change.name.clone(), Message::new(change.value.as_str()))).collect();
        let message = match start {
            Some(start) => format!(
                "{} once, and then {} again and again",
                count(start as u64, "step"),
                count((steps - start) as u64, "step")
            ),
            None => count(steps as u64, "step"),
        };
        Some(CodeFlow { message: Message::new(message), thread_flows: flows })
    }

    fn step(&mut self, at: usize, step: &Told<'_>, repeated: bool, last: bool) -> FlowLocation {
        let statement = step.statements.first();
        let values: Vec<String> =
            step.changes.iter().map(|change| format!("{} = {}", change.name, change.value)).collect();
        let text = statement.map_or("delayed", |s| s.text.as_str());
        let text =
            if values.is_empty() { text.to_owned() } else { format!("{text} → {}", values.join(", ")) };
        let text = if repeated { format!("again and again: {text}") } else { text };
        let tells = !step.hidden && step.statements.iter().any(|statement| !statement.control);
        FlowLocation {
            execution_order: at + 1,
            importance: match (last, tells) {
                (true, _) => "essential",
                (false, true) => "important",
                (false, false) => "unimportant",
            },
            nesting_level: usize::from(repeated),
            location: self.place(statement.and_then(|s| s.location.as_ref()), Some(text)),
            state: step
                .changes
                .iter()
                .map(|change| (change.name.clone(), Message::new(change.value.as_str())))
                .collect(),
            properties: repeated.then_some(StepProperties { lasso: true }),
        }
    }

    fn place(&mut self, location: Option<&Location>, message: Option<String>) -> Place {
        let physical_location = location.map(|location| {
            let (index, _) = self.files.insert_full(location.file.clone());
            PhysicalLocation {
                artifact_location: ArtifactLocation { index: Some(index), ..address(&location.file) },
                region: Region { start_line: location.line, start_column: location.column },
            }
        });
        Place { id: None, physical_location, message: message.map(Message::new) }
    }

    /// What stays the same when lines are added elsewhere: the kind, the file, and the statements that it is about. A second
    /// one that is the same has another number.
    fn fingerprint(&mut self, report: &Report<'_>, finding: &Finding) -> String {
        let accesses = [Some(finding.access()), finding.other(), finding.last()];
        let mut text = finding.kind().name().to_owned();
        for access in accesses.into_iter().flatten() {
            let file = location_of(report.map, access.span).map(|location| location.file).unwrap_or_default();
            text.push_str(&format!("\n{file}\n{}", one_line(report.map.text(access.span))));
        }
        let hash = fingerprint(text.as_bytes())[..16].to_owned();
        let number = self.fingerprints.entry(hash.clone()).or_default();
        *number += 1;
        format!("{hash}:{number}")
    }
}

/// A path as an address: relative to the folder where we are, unless it is absolute.
fn address(path: &str) -> ArtifactLocation {
    if path.starts_with('/') {
        return ArtifactLocation { uri: format!("file://{}", uri(path)), uri_base_id: None, index: None };
    }
    let path = path.strip_prefix("./").unwrap_or(path);
    ArtifactLocation { uri: uri(path), uri_base_id: Some(ROOT), index: None }
}

/// A path as a URI reference: what is not plain is percent-encoded.
fn uri(path: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~/".contains(&b);
    path.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}
