//! The part of a machine-readable result that directives speak of, and their comparison.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::directive::{Expectation, Expected};

/// A result of `--format json`.
#[derive(Debug, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) verdict: String,
    #[serde(default)]
    violations: Vec<Violation>,
}

#[derive(Debug, Deserialize)]
struct Violation {
    kind: String,
    location: Option<Location>,
}

#[derive(Debug, Deserialize)]
struct Location {
    line: usize,
}

impl Outcome {
    /// Reads a result.
    pub(crate) fn parse(json: &str) -> Result<Self, String> {
        serde_json::from_str(json)
            .map_err(|error| format!("the result is not as it should be: {error}\n{json}"))
    }

    /// Every expectation that does not hold, one sentence each.
    ///
    /// The kinds that are expected are exactly those that are reported, and where lines are marked with a kind, exactly
    /// these lines report it.
    pub(crate) fn compare(&self, expectations: &[&Expectation]) -> Vec<String> {
        let mut problems = Vec::new();
        let mut kinds = BTreeSet::new();
        let mut marked = BTreeSet::new();
        for expectation in expectations {
            match &expectation.expected {
                Expected::Verdict(verdict) if *verdict != self.verdict => problems.push(format!(
                    "line {}: verdict is `{}`, not `{verdict}`",
                    expectation.line, self.verdict
                )),
                Expected::Verdict(_) | Expected::Exit(_) => {}
                Expected::Kind(kind) => {
                    kinds.insert(kind.as_str());
                }
                Expected::KindHere(kind) => {
                    kinds.insert(kind.as_str());
                    marked.insert((kind.as_str(), expectation.line));
                }
            }
        }
        if kinds.is_empty() {
            return problems;
        }
        let reported: BTreeSet<&str> =
            self.violations.iter().map(|violation| violation.kind.as_str()).collect();
        for kind in kinds.difference(&reported) {
            problems.push(format!("no `{kind}` is reported"));
        }
        for kind in reported.difference(&kinds) {
            problems.push(format!("a `{kind}` is reported that no directive expects"));
        }
        let places: BTreeSet<(&str, usize)> = self
            .violations
            .iter()
            .filter_map(|violation| Some((violation.kind.as_str(), violation.location.as_ref()?.line)))
            .filter(|(kind, _)| marked.iter().any(|(marked_kind, _)| marked_kind == kind))
            .collect();
        for (kind, line) in marked.difference(&places) {
            problems.push(format!("line {line}: no `{kind}` is reported here"));
        }
        for (kind, line) in places.difference(&marked) {
            problems.push(format!("line {line}: a `{kind}` is reported here, but the line is not marked"));
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESULT: &str = r#"{"schema": "raddle-result/1", "verdict": "unsafe", "violations": [
        {"kind": "assertion", "message": "m", "location": {"file": "a.bpl", "line": 3, "column": 1}},
        {"kind": "deadlock", "message": "m", "location": null}]}"#;

    fn problems(expected: &[(usize, Expected)]) -> Vec<String> {
        let expectations: Vec<Expectation> = expected
            .iter()
            .map(|(line, expected)| Expectation { line: *line, scope: None, expected: expected.clone() })
            .collect();
        Outcome::parse(RESULT).unwrap().compare(&expectations.iter().collect::<Vec<_>>())
    }

    fn kind(kind: &str) -> Expected {
        Expected::Kind(kind.to_owned())
    }

    fn here(kind: &str) -> Expected {
        Expected::KindHere(kind.to_owned())
    }

    #[test]
    fn what_is_reported_passes() {
        let verdict = Expected::Verdict("unsafe".to_owned());
        assert!(problems(&[(1, verdict), (3, here("assertion")), (2, kind("deadlock"))]).is_empty());
        assert!(problems(&[(1, kind("assertion")), (2, kind("deadlock"))]).is_empty());
        assert!(problems(&[]).is_empty());
    }

    #[test]
    fn what_differs_is_told() {
        assert_eq!(
            problems(&[(1, Expected::Verdict("safe".to_owned()))]),
            ["line 1: verdict is `unsafe`, not `safe`"]
        );
        assert_eq!(
            problems(&[(1, kind("assertion")), (1, kind("memory"))]),
            ["no `memory` is reported", "a `deadlock` is reported that no directive expects"]
        );
        assert_eq!(
            problems(&[(4, here("assertion")), (1, kind("deadlock"))]),
            [
                "line 4: no `assertion` is reported here",
                "line 3: a `assertion` is reported here, but the line is not marked"
            ]
        );
    }

    #[test]
    fn a_broken_result_is_shown() {
        assert!(Outcome::parse("{}").unwrap_err().contains("missing field `verdict`"));
    }
}
