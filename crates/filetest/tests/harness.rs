//! The harness as a whole, with a shell script in place of `raddle`.

use std::fs;
use std::path::Path;
use std::time::Duration;

use filetest::{Harness, Report};

/// Writes the files, and runs the harness on them.
fn run(files: &[(&str, &str)], bless: bool) -> (tempfile::TempDir, Report) {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let report = harness(bless).run_dir(dir.path());
    (dir, report)
}

fn harness(bless: bool) -> Harness {
    let binary = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake_raddle.sh");
    Harness { bless, ..Harness::new(&binary) }
}

/// The message of the only failure.
fn only_failure(files: &[(&str, &str)]) -> String {
    let (_dir, report) = run(files, false);
    assert_eq!(report.failures.len(), 1, "{report:?}");
    report.failures[0].message.clone()
}

const CASE: &str = "//@ run: explore\n//@ run(quiet): explore -q\n//@ verdict: unsafe\n//@ exit: 1\n\
                    assert false; //~ assertion\n";
const CASE_EXPECT: &str = "$ raddle explore one.bpl\nexit code: 1\n--- stdout\nunsafe in <time>\none.bpl:5: assertion\n\
                           \n$ raddle explore -q one.bpl\nexit code: 1\n--- stdout\nunsafe in <time>\n\
                           one.bpl:5: assertion\n";

#[test]
fn a_case_passes() {
    let (_dir, report) = run(&[("boogie/a/one.bpl", CASE), ("boogie/a/one.expect", CASE_EXPECT)], false);
    assert_eq!(report, Report { passed: 1, failures: Vec::new() });
}

#[test]
fn blessing_writes_what_then_passes() {
    let (dir, report) = run(&[("boogie/a/one.bpl", CASE)], true);
    assert_eq!(report.failures, []);
    assert_eq!(fs::read_to_string(dir.path().join("boogie/a/one.expect")).unwrap(), CASE_EXPECT);
    assert_eq!(harness(false).run_dir(dir.path()).passed, 1);
}

#[test]
fn blessing_does_not_hide_a_wrong_verdict() {
    let (_dir, report) = run(&[("boogie/a/one.bpl", "//@ run: explore\n//@ verdict: unsafe\n")], true);
    assert_eq!(report.failures[0].message, "raddle explore: line 2: verdict is `safe`, not `unsafe`");
}

#[test]
fn different_output_is_shown_as_a_difference() {
    let message = only_failure(&[
        ("boogie/a/one.bpl", CASE),
        ("boogie/a/one.expect", &CASE_EXPECT.replace("unsafe", "safe")),
    ]);
    assert!(message.contains("-safe in <time>\n+unsafe in <time>\n"), "{message}");
}

#[test]
fn a_line_without_its_violation_fails() {
    let case = "//@ run: explore\nassert true; //~ assertion\nassert false;\n";
    let (_dir, report) = run(&[("boogie/a/one.bpl", case)], true);
    assert_eq!(
        report.failures[0].message,
        "raddle explore: line 2: no `assertion` is reported here\n\
         raddle explore: line 3: a `assertion` is reported here, but the line is not marked"
    );
}

#[test]
fn what_is_not_a_test_fails() {
    let no_directive = only_failure(&[("boogie/a/one.bpl", "assert true;\n"), ("boogie/a/one.expect", "")]);
    assert!(no_directive.contains("no directive"), "{no_directive}");
    let unknown = only_failure(&[("boogie/a/one.bpl", "//@ verdct: safe\n")]);
    assert!(unknown.contains("line 1: unknown directive `verdct`"), "{unknown}");
    let missing = only_failure(&[("boogie/a/one.bpl", "//@ run: explore\n")]);
    assert!(missing.contains("BLESS=1 writes it"), "{missing}");
    let orphan = only_failure(&[("boogie/a/one.expect", "")]);
    assert!(orphan.contains("no test input beside this expectation"), "{orphan}");
}

#[test]
fn a_process_that_hangs_or_dies_fails() {
    let (dir, _) = run(&[("boogie/a/one.bpl", "//@ run: explore\n")], true);
    fs::write(dir.path().join("boogie/a/one.bpl"), "//@ run: hang\n").unwrap();
    let impatient = Harness { time_limit: Duration::from_millis(300), ..harness(false) };
    let report = impatient.run_dir(dir.path());
    assert_eq!(report.failures[0].message, "`raddle hang one.bpl` was killed after 0.3 s");
    let crash = only_failure(&[("boogie/a/one.bpl", "//@ run: crash\n"), ("boogie/a/one.expect", "")]);
    assert!(crash.contains("died: signal: 9"), "{crash}");
}

#[test]
fn a_script_runs_with_its_inputs() {
    let script = "# Wrong input.\n#@ file: good.bpl = repeat(\"x\", 1000)\n#@ file: dir = directory\n\
                  $ raddle explore good.bpl\n$ raddle explore dir\n$ raddle dance\n";
    let expect = "$ raddle explore good.bpl\nexit code: 0\n--- stdout\nsafe in <time>\n\
                  \n$ raddle explore dir\nexit code: 2\n--- stderr\nerror: cannot read dir\n\
                  \n$ raddle dance\nexit code: 2\n--- stderr\nerror: unknown command 'dance'\n";
    let (_dir, report) = run(&[("cli/a/one.cli", script), ("cli/a/one.expect", expect)], false);
    assert_eq!(report, Report { passed: 1, failures: Vec::new() });
}
