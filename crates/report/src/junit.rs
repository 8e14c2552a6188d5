//! The result as JUnit's XML, which servers for continuous integration display.
//!
//! Each kind that was looked for is a test. One that goes wrong fails once per violation; one of which nothing is known is
//! skipped, so that it never looks as if it had passed. What a person would read is the suite's output.

use engine::{Finding, Verdict, ViolationKind};
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

use crate::human::{Detail, Style, human, human_check};
use crate::places::main_place;
use crate::story::one_line;
use crate::words::{checked_kinds, reason_sentence};
use crate::{CheckVerdict, Checked, Cost, Outcome, Report};

/// Why nothing is known about other kinds if something was found.
const STOPPED: &str = "not known: the search ends at a violation";
/// For files there is no terminal.
const STYLE: Style = Style { width: 100, color: false, detail: Detail::Normal };

/// The report as JUnit's XML.
#[must_use]
pub fn junit(report: &Report<'_>) -> String {
    // Only `predict` goes on after a violation.
    let stopped = !report.verdict.findings().is_empty() && report.command != "predict";
    let reason = match report.verdict {
        Verdict::Unknown(reason) => Some(reason_sentence(reason)),
        _ => report.incomplete.map(reason_sentence).or(stopped.then(|| STOPPED.to_owned())),
    };
    let mut tests = Tests::new(report.command, report.input);
    for finding in report.verdict.findings() {
        tests.fails(report, finding);
    }
    for kind in checked_kinds(report.checks) {
        tests.ends(kind, reason.as_deref());
    }
    tests.finish(report.cost, &human(report, STYLE))
}

/// What all analyses together found, as JUnit's XML.
#[must_use]
pub fn junit_check(checked: &Checked<'_>) -> String {
    let mut tests = Tests::new("check", checked.input);
    for problem in &checked.problems {
        tests.fails(&problem.report, problem.finding);
    }
    let unknown = checked.verdict == CheckVerdict::Unknown;
    let why = match checked.verdict {
        CheckVerdict::Violations => Some(STOPPED),
        CheckVerdict::Unknown => Some("not everything could be looked at"),
        CheckVerdict::None => None,
    };
    for analysis in &checked.analyses {
        if let Outcome::Answered(report) = &analysis.outcome {
            for kind in checked_kinds(report.checks) {
                tests.ends(kind, why);
            }
        }
    }
    if unknown && tests.told.is_empty() {
        tests.add("analysis", not_known("not everything could be looked at"));
    }
    tests.finish(checked.cost, &human_check(checked, STYLE))
}

fn not_known(why: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(one_line(why));
    status
}

/// The tests of one command.
struct Tests<'a> {
    suite: TestSuite,
    input: &'a str,
    /// The kinds that are told.
    told: Vec<ViolationKind>,
}

impl<'a> Tests<'a> {
    fn new(command: &str, input: &'a str) -> Self {
        Tests { suite: TestSuite::new(format!("raddle {command}")), input, told: Vec::new() }
    }

    fn add(&mut self, name: &str, status: TestCaseStatus) {
        let mut test = TestCase::new(name, status);
        test.set_classname(self.input);
        self.suite.add_test_case(test);
    }

    /// A violation.
    fn fails(&mut self, report: &Report<'_>, finding: &Finding) {
        let kind = finding.kind();
        let place = main_place(report, finding);
        let place = place.map(|place| format!("{}:{}:{}", place.file, place.line, place.column));
        let place = place.as_deref().unwrap_or(report.input);
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_type(kind.name());
        status.set_message(one_line(finding.message()));
        status.set_description(format!("{place}: {}", one_line(finding.message())));
        self.add(&format!("{} ({place})", kind.name()), status);
        self.told.push(kind);
    }

    /// A kind that was looked for: there is nothing of it, or nothing is known, for this reason.
    fn ends(&mut self, kind: ViolationKind, unknown: Option<&str>) {
        if !self.told.contains(&kind) {
            self.add(kind.name(), unknown.map_or_else(TestCaseStatus::success, not_known));
            self.told.push(kind);
        }
    }

    fn finish(mut self, cost: Cost, output: &str) -> String {
        self.suite.set_time(cost.total);
        self.suite.set_system_out(output);
        let mut report = quick_junit::Report::new("raddle");
        report.set_time(cost.total);
        report.add_test_suite(self.suite);
        // It is written to memory, and has nothing in it that XML cannot say.
        let mut text = report.to_string().unwrap_or_default();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text
    }
}
