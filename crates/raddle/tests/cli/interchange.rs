//! Formats that other tools read: what they say has to be what those tools expect.

use std::path::{Path, PathBuf};
use std::process::Command;

use quick_xml::events::Event;
use serde_json::{Value, json};

use crate::programs::{DEADLOCK, LIVELOCK, LOCKED_UPDATE, LOST_UPDATE, RACE};
use crate::sandbox::Sandbox;

/// The schema of SARIF 2.1.0, which the crate `serde-sarif` carries.
fn sarif_schema() -> Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages.iter().find(|package| package["name"] == "serde-sarif").unwrap();
    let manifest = Path::new(package["manifest_path"].as_str().unwrap());
    let schema = std::fs::read_to_string(manifest.with_file_name("src").join("schema.json")).unwrap();
    // The pattern of languages has a bracket too many in the standard, which strict readers refuse.
    let schema = schema.replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}?$");
    let schema: Value = serde_json::from_str(&schema).unwrap();
    assert!(schema["definitions"]["threadFlowLocation"].is_object());
    schema
}

const CASES: [(&str, &str); 6] = [
    (LOST_UPDATE, "explore"),
    (DEADLOCK, "explore"),
    (RACE, "explore --check race"),
    (LIVELOCK, "explore --check non-termination"),
    (LOST_UPDATE, "predict --check atomicity"),
    (LOCKED_UPDATE, "explore --max-threads 2"),
];

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// A folder with an example in it, under its own name.
fn example(name: &str) -> Sandbox {
    Sandbox::with(name, &std::fs::read_to_string(examples().join(name)).unwrap())
}

#[test]
fn sarif_is_as_its_schema_says() {
    let validator = jsonschema::validator_for(&sarif_schema()).unwrap();
    let check = |text: &str| {
        let log: Value = serde_json::from_str(text).unwrap();
        let problems: Vec<String> =
            validator.iter_errors(&log).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(problems.is_empty(), "{problems:#?}\n{text}");
        log
    };
    for (program, command) in CASES {
        let sandbox = Sandbox::with("p.bpl", program);
        check(&sandbox.run(&format!("{command} p.bpl --format sarif")).stdout);
    }
    let lasso = check(&Sandbox::with("p.bpl", LIVELOCK).run("live p.bpl --format sarif").stdout);
    let result = &lasso["runs"][0]["results"][0];
    let start = result["properties"]["lassoStart"].as_u64().unwrap();
    let flows = result["codeFlows"][0]["threadFlows"].as_array().unwrap();
    for step in flows.iter().flat_map(|flow| flow["locations"].as_array().unwrap()) {
        let repeated = step["executionOrder"].as_u64().unwrap() >= start;
        assert_eq!(step["properties"]["lasso"].as_bool().unwrap_or(false), repeated, "{step}");
        assert_eq!(step["nestingLevel"], u64::from(repeated));
        assert_eq!(step["location"]["message"]["text"].as_str().unwrap().starts_with("again"), repeated);
    }
}

#[test]
fn the_schema_tells_wrong_sarif_from_right() {
    let validator = jsonschema::validator_for(&sarif_schema()).unwrap();
    let text = Sandbox::with("p.bpl", LOST_UPDATE).run("explore p.bpl --format sarif").stdout;
    let mut log: Value = serde_json::from_str(&text).unwrap();
    assert!(validator.is_valid(&log));
    log["runs"][0]["results"][0]["level"] = "terrible".into();
    assert!(!validator.is_valid(&log));
}

/// A result is the same when lines are added above it, and another one when the statement is another one.
#[test]
fn fingerprints_stay_when_lines_move() {
    let fingerprint = |program: &str| {
        let text = Sandbox::with("p.bpl", program).run("explore p.bpl --format sarif").stdout;
        let log: Value = serde_json::from_str(&text).unwrap();
        log["runs"][0]["results"][0]["partialFingerprints"]["raddle/v1"].as_str().unwrap().to_owned()
    };
    let first = fingerprint(LOST_UPDATE);
    assert_eq!(first, fingerprint(&format!("// One more line.\n\n{LOST_UPDATE}")));
    assert_ne!(first, fingerprint(&LOST_UPDATE.replace("counter == 2", "2 == counter")));
}

#[test]
fn sarif_knows_its_files_and_rules() {
    let text = Sandbox::with("p.bpl", RACE).run("explore --check race p.bpl --format sarif").stdout;
    let log: Value = serde_json::from_str(&text).unwrap();
    let run = &log["runs"][0];
    assert_eq!(run["artifacts"][0]["location"]["uri"], "p.bpl");
    assert_eq!(run["artifacts"][0]["location"]["uriBaseId"], "%SRCROOT%");
    let result = &run["results"][0];
    let rule =
        &run["tool"]["driver"]["rules"][usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
    assert_eq!(rule["id"], result["ruleId"]);
    assert!(rule["help"]["markdown"].as_str().unwrap().contains("## What to do"));
    let other = &result["relatedLocations"][0];
    assert!(other["message"]["text"].as_str().unwrap().starts_with("(2) "), "{other}");
    assert_eq!(other["id"], 1);
}

/// The tests of a file: name, and how it ended.
fn junit_tests(xml: &str) -> Vec<(String, &'static str)> {
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut tests: Vec<(String, &'static str)> = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Eof => return tests,
            Event::Start(tag) | Event::Empty(tag) => match tag.name().as_ref() {
                b"testcase" => {
                    let name = tag.try_get_attribute("name").unwrap().unwrap();
                    tests.push((String::from_utf8(name.value.into_owned()).unwrap(), "passed"));
                }
                b"failure" => tests.last_mut().unwrap().1 = "failed",
                b"skipped" => tests.last_mut().unwrap().1 = "skipped",
                b"error" => tests.last_mut().unwrap().1 = "error",
                _ => {}
            },
            _ => {}
        }
    }
}

#[test]
fn junit_has_a_test_per_kind() {
    let tests = |program: &str, command: &str| {
        let answer = Sandbox::with("p.bpl", program).run(&format!("{command} p.bpl --format junit"));
        junit_tests(&answer.stdout)
    };
    let named = |list: &[(&str, &'static str)]| -> Vec<(String, &'static str)> {
        list.iter().map(|(name, end)| ((*name).to_owned(), *end)).collect()
    };
    assert_eq!(tests(LOCKED_UPDATE, "explore"), named(&[("assertion", "passed"), ("deadlock", "passed")]));
    // What was not looked at any more has not passed.
    let expected = named(&[("assertion (p.bpl:19:3)", "failed"), ("deadlock", "skipped")]);
    assert_eq!(tests(LOST_UPDATE, "explore"), expected);
    let expected = named(&[("assertion", "skipped"), ("deadlock", "skipped")]);
    assert_eq!(tests(LOCKED_UPDATE, "explore --max-threads 2"), expected);
    let all = tests(LOCKED_UPDATE, "check");
    assert!(all.iter().all(|(_, end)| *end == "passed") && all.len() >= 2, "{all:?}");
    let all = tests(DEADLOCK, "check");
    assert!(
        all.iter().any(|(name, end)| name.starts_with("deadlock (p.bpl:") && *end == "failed"),
        "{all:?}"
    );
}

#[test]
fn short_lines_are_those_of_compilers() {
    let line = |program: &str, command: &str| {
        Sandbox::with("p.bpl", program).run(&format!("{command} p.bpl --format short")).stdout
    };
    let expected = "p.bpl:19:3: error: assertion does not hold: counter == 2 [assertion]\n";
    assert_eq!(line(LOST_UPDATE, "explore"), expected);
    assert_eq!(line(LOCKED_UPDATE, "explore"), "");
    let race = line(RACE, "explore --check race");
    let lines: Vec<&str> = race.lines().collect();
    assert!(lines[0].contains(": error: ") && lines[0].ends_with(" [data-race]"), "{race}");
    assert!(lines[1].contains(": note: (2) "), "{race}");
    let cut = line(LOCKED_UPDATE, "explore --max-threads 2");
    assert!(cut.starts_with("p.bpl:17:") && cut.contains(": warning: unknown: "), "{cut}");
    let late = line(LOCKED_UPDATE, "check --timeout 0.000001");
    assert!(late.starts_with("p.bpl:1:1: warning: unknown: ") && late.ends_with("[undecided]\n"), "{late}");
}

/// The matcher that the documentation shows for VS Code, on real output.
#[test]
fn the_documented_problem_matcher_matches() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/ci.md")).unwrap();
    let block = page.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let tasks: Value = serde_json::from_str(block).unwrap();
    let pattern = &tasks["tasks"][0]["problemMatcher"]["pattern"];
    let regexp = regex_lite::Regex::new(pattern["regexp"].as_str().unwrap()).unwrap();
    let group = |name: &str| usize::try_from(pattern[name].as_u64().unwrap()).unwrap();
    let sandbox = Sandbox::with("a b/p.bpl", LOST_UPDATE);
    let output = sandbox.command("check --format short").arg("a b/p.bpl").output().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    let first = regexp.captures(output.lines().next().unwrap()).unwrap();
    let part = |name: &str| first.get(group(name)).unwrap().as_str();
    assert_eq!(part("file"), "a b/p.bpl");
    assert_eq!((part("line"), part("column")), ("19", "3"));
    assert_eq!(part("severity"), "error");
    assert_eq!(part("message"), "assertion does not hold: counter == 2");
    assert_eq!(part("code"), "assertion");
    for (program, command) in CASES {
        let sandbox = Sandbox::with("p.bpl", program);
        for line in sandbox.run(&format!("{command} p.bpl --format short")).stdout.lines() {
            assert!(regexp.is_match(line), "{line}");
        }
    }
}

const REACHED: &str = "#include <pthread.h>
void reach_error(void) {}
static int counter;
static void *count(void *unused) {
  int seen = counter;
  counter = seen + 1;
  return unused;
}
int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, count, NULL);
  pthread_create(&second, NULL, count, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  if (counter != 2) {
    reach_error();
  }
  return 0;
}
";

/// What version 2.0 of the format says about violation witnesses, in the words of a schema: which fields there are, and what is in
/// them. What it says about places, and which waypoints have a constraint, is in [`check_witness`].
fn witness_schema() -> Value {
    let text = json!({"type": "string", "minLength": 1});
    let exactly = |fields: Value, optional: &[&str]| {
        let names = fields.as_object().unwrap().keys().filter(|name| !optional.contains(&name.as_str()));
        let required: Vec<&String> = names.collect();
        json!({"type": "object", "required": required, "additionalProperties": false, "properties": fields})
    };
    let location = exactly(
        json!({
            "file_name": text, "line": {"type": "integer", "minimum": 1},
            "column": {"type": "integer", "minimum": 1}, "function": text
        }),
        &["column", "function"],
    );
    let constraint =
        exactly(json!({"value": text, "format": {"enum": ["c_expression", "acsl_expression"]}}), &["format"]);
    let waypoint = exactly(
        json!({
            "type": {"enum": ["assumption", "target", "function_enter", "function_return", "branching"]},
            "action": {"enum": ["follow", "avoid"]}, "constraint": constraint, "location": location
        }),
        &["constraint"],
    );
    let list = |item: Value| json!({"type": "array", "minItems": 1, "items": item});
    let segment = exactly(json!({"segment": list(exactly(json!({"waypoint": waypoint}), &[]))}), &[]);
    let producer = exactly(
        json!({"name": text, "version": text, "configuration": text, "command_line": text, "description": text}),
        &["configuration", "command_line", "description"],
    );
    let hash = json!({"type": "string", "pattern": "^[0-9a-f]{64}$"});
    let task = exactly(
        json!({
            "input_files": list(text.clone()),
            "input_file_hashes": {"type": "object", "additionalProperties": hash},
            "specification": {"type": "string", "pattern": "^CHECK\\( init\\(\\w+\\(\\)\\), LTL\\(G .+\\) \\)$"},
            "data_model": {"enum": ["ILP32", "LP64"]}, "language": {"const": "C"}
        }),
        &[],
    );
    let metadata = exactly(
        json!({
            "format_version": {"const": "2.0"}, "uuid": {"type": "string", "format": "uuid"},
            "creation_time": {"type": "string", "format": "date-time"}, "producer": producer, "task": task
        }),
        &[],
    );
    list(exactly(
        json!({"entry_type": {"const": "violation_sequence"}, "metadata": metadata, "content": list(segment)}),
        &[],
    ))
}

/// Looks at a witness with the eyes of somebody who knows the format and the program. Gives the waypoints.
fn check_witness(witness: &Value, program: &str) -> Vec<(String, u64, u64)> {
    let validator = jsonschema::options().should_validate_formats(true).build(&witness_schema()).unwrap();
    let problems: Vec<String> =
        validator.iter_errors(witness).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(problems.is_empty(), "{problems:#?}\n{witness}");
    let [entry] = witness.as_array().unwrap().as_slice() else { panic!("{witness}") };
    let task = &entry["metadata"]["task"];
    let segments = entry["content"].as_array().unwrap();
    let mut waypoints = Vec::new();
    for (at, segment) in segments.iter().enumerate() {
        // Waypoints to avoid come first, and the last one of a segment is followed; we have none to avoid.
        let [waypoint] = segment["segment"].as_array().unwrap().as_slice() else { panic!("{segment}") };
        let waypoint = &waypoint["waypoint"];
        assert_eq!(waypoint["action"], "follow");
        let kind = waypoint["type"].as_str().unwrap();
        assert_eq!(kind == "target", at + 1 == segments.len(), "the target, and nothing else, is the end");
        assert_eq!(kind == "target", waypoint["constraint"].is_null(), "{waypoint}");
        let location = &waypoint["location"];
        assert!(task["input_file_hashes"][location["file_name"].as_str().unwrap()].is_string(), "{location}");
        let (line, column) = (location["line"].as_u64().unwrap(), location["column"].as_u64().unwrap());
        // It is the beginning of a statement: the one before has ended, or there are heads of branches only.
        let number = |n: u64| usize::try_from(n).unwrap() - 1;
        let text = program.lines().nth(number(line)).unwrap();
        let before: String = text.chars().take(number(column)).collect();
        let ended = before.trim_end().is_empty() || before.trim_end().ends_with(['{', '}', ';', ')']);
        assert!(
            ended && text.chars().nth(number(column)).is_some_and(|c| !c.is_whitespace()),
            "{location}: {text}"
        );
        waypoints.push((kind.to_owned(), line, column));
    }
    waypoints
}

#[test]
fn targets_of_witnesses_for_sv_comp_are_statements() {
    let sandbox = Sandbox::with("p.c", SPLIT);
    assert_eq!(sandbox.run("explore p.c --witness w.yml").code, 1);
    let witness: Value = serde_yaml_ng::from_str(&sandbox.read("w.yml")).unwrap();
    let specification = &witness[0]["metadata"]["task"]["specification"];
    assert_eq!(*specification, "CHECK( init(main()), LTL(G valid-deref) )");
    assert_eq!(check_witness(&witness, SPLIT).last().unwrap(), &("target".to_owned(), 13, 3));
}

/// The statement that fails is longer than a line.
const SPLIT: &str = "#include <pthread.h>
#include <stdlib.h>
static int *shared;
static void *drop(void *unused) {
  shared = NULL;
  return unused;
}
int main(void) {
  int own = 1;
  pthread_t thread;
  shared = &own;
  pthread_create(&thread, NULL, drop, NULL);
  own = own * 2 +
        *shared;
  pthread_join(thread, NULL);
  return own;
}
";

#[test]
fn witnesses_for_sv_comp() {
    let sandbox = Sandbox::with("p.c", REACHED);
    let run = || {
        let mut command = sandbox.command("explore p.c --witness w.yml");
        assert_eq!(command.env("SOURCE_DATE_EPOCH", "86400").output().unwrap().status.code(), Some(1));
        sandbox.read("w.yml")
    };
    let text = run();
    assert_eq!(text, run(), "it is the same each time");
    let witness: Value = serde_yaml_ng::from_str(&text).unwrap();
    let metadata = &witness[0]["metadata"];
    assert_eq!(metadata["creation_time"], "1970-01-02T00:00:00Z");
    let task = &metadata["task"];
    assert_eq!(task["input_files"][0], "p.c");
    assert_eq!(task["specification"], "CHECK( init(main()), LTL(G ! call(reach_error())) )");
    assert_eq!(task["data_model"], "LP64");
    let points = check_witness(&witness, REACHED);
    let (last, before) = points.split_last().unwrap();
    assert_eq!(*last, ("target".to_owned(), 16, 5));
    assert!(before.iter().all(|(kind, ..)| kind == "assumption"));
    // Both threads have read before one of them writes.
    let lines: Vec<u64> = before.iter().map(|(_, line, _)| *line).collect();
    let write = lines.iter().position(|line| *line == 6).unwrap();
    assert_eq!(lines[..write].iter().filter(|line| **line == 5).count(), 2, "{lines:?}");
    assert_eq!(lines.last(), Some(&15));
    let answer = sandbox.run("replay w.yml");
    assert_eq!(answer.code, 2);
    assert!(answer.stderr.contains("is a witness for SV-COMP"), "{}", answer.stderr);
}

#[test]
fn what_witnesses_for_sv_comp_cannot_say() {
    let sandbox = Sandbox::with("p.bpl", LOST_UPDATE);
    let answer = sandbox.run("explore p.bpl --witness w.yml");
    assert_eq!(answer.code, 2);
    assert!(answer.stderr.contains("are for programs in C"), "{}", answer.stderr);
    for (name, command, why) in [
        ("lock_order/buggy.c", "explore", "no property for deadlocks"),
        ("reader_writer/buggy.c", "explore --check race", "which two accesses race"),
        ("spin_on_flag/buggy.c", "live", "no witnesses for infinite executions"),
    ] {
        let sandbox = example(name);
        let answer = sandbox.run(&format!("{command} {name} --witness w.yaml"));
        assert_eq!(answer.code, 1);
        assert!(answer.stderr.contains(why), "{}", answer.stderr);
        assert!(!sandbox.path("w.yaml").exists());
    }
    let sandbox = example("connection_pool/buggy.c");
    assert_eq!(sandbox.run("explore connection_pool/buggy.c --witness w.yaml").code, 1);
    assert!(sandbox.read("w.yaml").contains("CHECK( init(main()), LTL(G valid-deref) )"));
}

#[test]
fn sarif_of_checked_examples_is_as_its_schema_says() {
    let validator = jsonschema::validator_for(&sarif_schema()).unwrap();
    for name in
        ["bank_account/buggy.c", "lock_order/buggy.c", "lock_order/fixed.c", "event_handlers/buggy.bpl"]
    {
        let answer = example(name).run(&format!("check {name} --no-run --format sarif"));
        assert_eq!(answer.code, i32::from(name.contains("buggy")), "{name}: {}", answer.stderr);
        let log: Value = serde_json::from_str(&answer.stdout).unwrap();
        assert!(validator.is_valid(&log), "{name}: {}", answer.stdout);
        let results = log["runs"][0]["results"].as_array().unwrap();
        assert_eq!(results.iter().any(|result| result["level"] == "error"), name.contains("buggy"));
    }
}

/// The pages of the examples, which are tests, have `raddle check` find the bug in one program, and nothing in the other.
#[test]
fn every_example_is_checked_on_its_page() {
    let mut count = 0;
    for entry in std::fs::read_dir(examples()).unwrap().flatten().filter(|entry| entry.path().is_dir()) {
        let name = entry.file_name().into_string().unwrap();
        let page = std::fs::read_to_string(entry.path().join("README.md")).unwrap();
        for (program, verdict) in [("buggy", "violations: "), ("fixed", "none: ")] {
            let command = format!("$ raddle check -q examples/{name}/{program}.");
            let block = page.split(&command).nth(1).unwrap_or_else(|| panic!("{name}: {command}"));
            assert!(block.lines().nth(1).unwrap().starts_with(verdict), "{name}: {program}");
        }
        count += 1;
    }
    assert_eq!(count, 10);
}

/// The steps of the workflow that the documentation shows, as far as they run Raddle.
#[test]
fn the_documented_workflow_runs() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/ci.md")).unwrap();
    let block = page.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let workflow: Value = serde_yaml_ng::from_str(block).unwrap();
    let source = std::fs::read_to_string(examples().join("lock_order/buggy.c")).unwrap();
    let sandbox = Sandbox::with("src/queue.c", &source);
    let mut written = Vec::new();
    for step in workflow["jobs"]["raddle"]["steps"].as_array().unwrap() {
        let run = step["run"].as_str().unwrap_or_default();
        let Some((arguments, file)) = run.strip_prefix("raddle ").and_then(|run| run.split_once(" > "))
        else {
            continue;
        };
        let answer = sandbox.run(arguments);
        assert_eq!(answer.code, 1, "{}", answer.stderr);
        written.push((file.trim().to_owned(), answer.stdout));
    }
    let [(sarif, log), (junit, xml)] = written.as_slice() else { panic!("{written:?}") };
    assert_eq!((sarif.as_str(), junit.as_str()), ("raddle.sarif", "raddle.xml"));
    let log: Value = serde_json::from_str(log).unwrap();
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], "deadlock");
    assert!(junit_tests(xml).iter().any(|(name, end)| name.starts_with("deadlock (") && *end == "failed"));
    let uploads: Vec<&Value> = workflow["jobs"]["raddle"]["steps"].as_array().unwrap().iter().collect();
    let given = |name: &str| uploads.iter().find_map(|step| step["with"][name].as_str());
    assert_eq!(given("sarif_file"), Some("raddle.sarif"));
}
