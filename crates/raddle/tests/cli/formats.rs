//! JSON and SARIF.

use serde_json::{Value, json};

use crate::programs::{ARBITRARY, DEADLOCK, LIVELOCK, LOCKED_UPDATE, LOST_UPDATE, RACE};
use crate::sandbox::Sandbox;

#[test]
fn a_violation_is_told_in_full() {
    let sandbox = Sandbox::with("p.bpl", LOST_UPDATE);
    let result = sandbox.json(1, "explore p.bpl");
    assert_eq!(result["schema"], "raddle-result/1");
    assert_eq!(result["command"], "explore");
    assert_eq!(result["input"], "p.bpl");
    assert_eq!(result["verdict"], "unsafe");
    assert_eq!(result["schedules"], json!([]));
    let violation = &result["violations"][0];
    assert_eq!(violation["kind"], "assertion");
    assert_eq!(violation["location"], json!({"file": "p.bpl", "line": 19, "column": 3}));
    assert_eq!(violation["lasso_start"], Value::Null);
    let steps = violation["steps"].as_array().unwrap();
    assert_eq!(steps[0]["thread"], "main");
    assert_eq!(steps[0]["location"]["line"], 14);
    assert_eq!(steps[0]["source"], "counter := 0;");
    assert_eq!(steps[0]["values"], json!({"counter": "0"}));
    assert_eq!(steps.last().unwrap()["source"], "assert counter == 2;");
    let statistics = &result["statistics"];
    for field in ["seconds", "states", "transitions", "bytes_per_state", "peak_memory"] {
        assert!(statistics[field].is_number(), "{field}: {statistics}");
    }
    for phase in ["load_seconds", "explore_seconds", "replay_seconds"] {
        assert!(statistics["phases"][phase].is_number(), "{phase}: {statistics}");
    }
}

#[test]
fn every_kind_has_its_name() {
    for (program, arguments, kind) in [
        (DEADLOCK, "", "deadlock"),
        (RACE, "--check race", "data-race"),
        (LIVELOCK, "--fairness strong", "non-termination"),
    ] {
        let sandbox = Sandbox::with("p.bpl", program);
        let result = sandbox.json(1, &format!("explore p.bpl {arguments}"));
        let violation = &result["violations"][0];
        assert_eq!(violation["kind"], kind);
        let steps = violation["steps"].as_array().unwrap().len() as u64;
        match violation["lasso_start"].as_u64() {
            Some(start) => assert!(kind == "non-termination" && start < steps),
            None => assert_ne!(kind, "non-termination"),
        }
        assert_eq!(violation["other_location"].is_object(), kind == "data-race");
    }
}

#[test]
fn bounds_say_what_mattered() {
    let sandbox = Sandbox::with("p.bpl", ARBITRARY);
    let result = sandbox.json(0, "explore p.bpl --int-range -2..2");
    assert_eq!(result["verdict"], "safe");
    assert_eq!(result["bounds"]["int_range"], json!([-2, 2]));
    assert_eq!(result["bounds"]["touched"], json!(["int-range"]));
    let sandbox = Sandbox::with("p.bpl", LOCKED_UPDATE);
    assert_eq!(sandbox.json(0, "explore p.bpl")["bounds"]["touched"], json!([]));
    let result = sandbox.json(3, "explore p.bpl --max-threads 2");
    assert_eq!(result["bounds"]["touched"], json!(["max-threads"]));
    assert_eq!(result["reason"]["kind"], "cut");
    assert_eq!(result["reason"]["cuts"][0]["location"]["line"], 17);
}

#[test]
fn values_are_listed_in_order() {
    let sandbox = Sandbox::with("p.bpl", RACE);
    let result = sandbox.json(0, "explore p.bpl --values");
    assert_eq!(result["values"], json!([{"x": "1"}, {"x": "2"}]));
    let answer = sandbox.run("explore p.bpl --values");
    assert!(answer.stdout.contains("Final values of the globals\n  x = 1\n  x = 2\n"), "{}", answer.stdout);
}

#[test]
fn several_violations() {
    let program = "var x: int;
procedure {:thread} one() { assert false; }
procedure {:thread} two() { assert false; }
";
    let sandbox = Sandbox::with("p.bpl", program);
    let count = |n: usize| {
        let result = sandbox.json(1, &format!("explore p.bpl --no-reduction --violations {n}"));
        result["violations"].as_array().unwrap().len()
    };
    assert_eq!((count(1), count(2), count(10)), (1, 2, 2));
}

#[test]
fn the_same_input_gives_the_same_output() {
    let sandbox = Sandbox::with("p.bpl", LIVELOCK);
    let without_measures = || {
        let mut result = sandbox.json(1, "explore p.bpl --fairness weak");
        result.as_object_mut().unwrap().remove("statistics");
        result.to_string()
    };
    assert_eq!(without_measures(), without_measures());
}

#[test]
fn sarif_has_a_flow_per_thread() {
    let sandbox = Sandbox::with("p q.bpl", LOST_UPDATE);
    let output = sandbox.command("explore --format sarif").arg("p q.bpl").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let log: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "assertion");
    let location = &result["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "p%20q.bpl");
    assert_eq!(location["region"], json!({"startLine": 19, "startColumn": 3}));
    let flows = result["codeFlows"][0]["threadFlows"].as_array().unwrap();
    let ids: Vec<&str> = flows.iter().map(|flow| flow["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["main", "add", "add#2"]);
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]));
}

/// The standard wants no empty lists of flows.
#[test]
fn sarif_without_steps_has_no_flows() {
    let sandbox = Sandbox::with("p.bpl", RACE);
    let answer = sandbox.run("explore p.bpl --check race --format sarif");
    let log: Value = serde_json::from_str(&answer.stdout).unwrap();
    let result = &log["runs"][0]["results"][0];
    assert!(result["codeFlows"].is_null() && result["relatedLocations"].is_array(), "{result}");
}

#[test]
fn colours_only_where_asked_for() {
    let sandbox = Sandbox::with("p.bpl", LOST_UPDATE);
    assert!(!sandbox.run("explore p.bpl").stdout.contains('\u{1b}'));
    assert!(!sandbox.run("explore p.bpl --color never").stdout.contains('\u{1b}'));
    assert!(sandbox.run("explore p.bpl --color always").stdout.contains('\u{1b}'));
}
