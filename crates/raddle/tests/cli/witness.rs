//! Witnesses: written, found again, refused when they do not fit.

use crate::programs::{ARBITRARY, DEADLOCK, LIVELOCK, LOST_UPDATE, RACE};
use crate::sandbox::Sandbox;

/// What a report tells between the verdict and the figures.
fn schedule(report: &str) -> String {
    report.lines().take_while(|line| !line.starts_with("Explored:") && *line != "What to do next").collect()
}

#[test]
fn every_violation_comes_out_again() {
    for (program, arguments) in [
        (LOST_UPDATE, ""),
        (LOST_UPDATE, "--scheduler dfw --delays 1"),
        (LOST_UPDATE, "--scheduler df --delays 3"),
        (LOST_UPDATE, "--entry main"),
        (DEADLOCK, ""),
        (RACE, "--check race"),
        (LIVELOCK, "--fairness strong"),
        (LIVELOCK, "--fairness none"),
        (ARBITRARY, "--int-range 990..1000"),
    ] {
        let sandbox = Sandbox::with("p.bpl", program);
        let first = sandbox.run(&format!("explore p.bpl {arguments} --witness w.json"));
        assert_eq!(first.code, 1, "{arguments}: {}{}", first.stdout, first.stderr);
        assert!(first.stdout.contains("raddle replay w.json"), "{}", first.stdout);
        let again = sandbox.run("replay w.json");
        assert_eq!(again.code, 1, "{arguments}: {}{}", again.stdout, again.stderr);
        assert_eq!(schedule(&again.stdout), schedule(&first.stdout));
        let result = sandbox.json(1, "replay w.json");
        assert_eq!(result["command"], "replay");
        assert_eq!(result["verdict"], "unsafe");
    }
}

#[test]
fn nothing_else_is_left_in_the_folder() {
    let sandbox = Sandbox::with("p.bpl", LOST_UPDATE);
    sandbox.run("explore p.bpl --witness w.json");
    sandbox.run("explore p.bpl --witness w.json");
    let mut names: Vec<String> = std::fs::read_dir(sandbox.dir())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["p.bpl", "w.json"]);
}

#[test]
fn the_program_is_found_from_the_witness() {
    let sandbox = Sandbox::with("src/p.bpl", LOST_UPDATE);
    std::fs::create_dir_all(sandbox.path("out/deep")).unwrap();
    assert_eq!(sandbox.run("explore src/p.bpl --witness out/deep/w.json").code, 1);
    assert!(sandbox.read("out/deep/w.json").contains("\"../../src/p.bpl\""));
    assert_eq!(sandbox.run("replay out/deep/w.json").code, 1);
    let elsewhere = sandbox.command("replay w.json").current_dir(sandbox.path("out/deep")).output().unwrap();
    assert_eq!(elsewhere.status.code(), Some(1));
}

#[test]
fn a_changed_program_is_refused() {
    let sandbox = Sandbox::with("p.bpl", LOST_UPDATE);
    sandbox.run("explore p.bpl --witness w.json");
    sandbox.write("p.bpl", format!("// A comment.\n{LOST_UPDATE}"));
    let refused = sandbox.run("replay w.json");
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("its content has changed"), "{}", refused.stderr);
    assert_eq!(sandbox.run("replay w.json --force").code, 1);
    sandbox.write("p.bpl", LOST_UPDATE.replace("seen + 1", "2"));
    let refused = sandbox.run("replay w.json --force");
    assert_eq!(refused.code, 2, "{}", refused.stdout);
    assert!(refused.stderr.contains("does not fit"), "{}", refused.stderr);
}

#[test]
fn missing_files_are_named() {
    let sandbox = Sandbox::with("p.bpl", LOST_UPDATE);
    sandbox.run("explore p.bpl --witness w.json");
    std::fs::remove_file(sandbox.path("p.bpl")).unwrap();
    let answer = sandbox.run("replay w.json");
    assert_eq!(answer.code, 2);
    assert!(answer.stderr.contains("there is no file `p.bpl`"), "{}", answer.stderr);
    assert_eq!(sandbox.run("replay missing.json").code, 2);
    assert_eq!(sandbox.run("replay .").code, 2);
}

#[test]
fn further_violations_get_further_witnesses() {
    let program =
        "procedure {:thread} one() { assert false; }\nprocedure {:thread} two() { assert false; }\n";
    let sandbox = Sandbox::with("p.bpl", program);
    assert_eq!(sandbox.run("explore p.bpl --no-reduction --violations 2 --witness w.json").code, 1);
    assert_eq!(sandbox.run("replay w.json").code, 1);
    assert_eq!(sandbox.run("replay w-2.json").code, 1);
}

#[test]
fn a_device_is_written_to_and_not_replaced() {
    let sandbox = Sandbox::with("p.bpl", LOST_UPDATE);
    assert_eq!(sandbox.run("explore p.bpl --witness /dev/null").code, 1);
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn a_witness_does_not_make_clang_run_anything() {
    let sandbox = Sandbox::with("p.bpl", LOST_UPDATE);
    sandbox.write("p.c", "int main(void) { return 0; }");
    sandbox.run("explore p.bpl --witness w.json");
    let mut witness: serde_json::Value = serde_json::from_str(&sandbox.read("w.json")).unwrap();
    let mut refused = |compiled: serde_json::Value| {
        witness["input"]["compiled"] = compiled;
        sandbox.write("w.json", witness.to_string());
        let answer = sandbox.run("replay w.json");
        assert_eq!(answer.code, 2, "{}{}", answer.stdout, answer.stderr);
        answer.stderr
    };
    let compiled = |file: &str, flag: &str| {
        serde_json::json!({
            "folder": ".",
            "files": [{ "file": file, "sha256": "" }],
            "flags": [flag],
            "spurious_wakeups": false,
        })
    };
    assert!(refused(compiled("p.c", "-fplugin=./evil.so")).contains("may do more than compile"));
    assert!(refused(compiled("gone.c", "-DN")).contains("there is no file `gone.c`"));
    assert!(refused(serde_json::json!({ "folder": "." })).contains("damaged witness"));
}
