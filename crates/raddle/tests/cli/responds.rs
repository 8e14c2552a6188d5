//! Response properties: kept in witnesses, judged again, and as the documentation shows them.

use std::path::Path;

use crate::programs::LIVELOCK;
use crate::sandbox::Sandbox;

const PROPERTY: &str = "a~>(!a&&!b)";

#[test]
fn a_broken_property_comes_out_again() {
    for command in ["explore", "live"] {
        let sandbox = Sandbox::with("p.bpl", LIVELOCK);
        let first = sandbox.run(&format!("{command} p.bpl -q --responds {PROPERTY} --witness w.json"));
        assert_eq!(first.code, 1, "{}{}", first.stdout, first.stderr);
        assert!(first.stdout.contains("`a` held and `!a && !b` never does"), "{}", first.stdout);
        let again = sandbox.json(1, "replay w.json");
        let violation = &again["violations"][0];
        assert_eq!(violation["kind"], "non-termination");
        let message = violation["message"].as_str().unwrap();
        assert!(message.starts_with("from ") && first.stdout.contains(message), "{message}");
    }
}

#[test]
fn another_property_is_not_shown_by_the_same_run() {
    let sandbox = Sandbox::with("p.bpl", LIVELOCK);
    assert_eq!(sandbox.run(&format!("live p.bpl --responds {PROPERTY} --witness w.json")).code, 1);
    let witness = sandbox.read("w.json");
    assert!(witness.contains(&format!("\"responds\": \"{PROPERTY}\"")), "{witness}");
    for (property, why) in [
        ("a ~> b", "every request is answered"),
        ("a ~> c", "unknown variable `c`"),
        ("a", "a response property needs `~>`"),
    ] {
        sandbox.write("t.json", witness.replace(PROPERTY, property));
        let answer = sandbox.run("replay t.json --force");
        assert_eq!(answer.code, 2, "{property}: {}{}", answer.stdout, answer.stderr);
        assert!(answer.stderr.contains(why), "{property}: {}", answer.stderr);
    }
}

/// The example in `docs/live.md` is what comes out.
#[test]
fn the_documentation_shows_what_comes_out() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let command = "live examples/passed_over.bpl --fairness weak --responds wants~>has";
    let output = Sandbox::with("p.bpl", LIVELOCK).command(command).current_dir(&root).output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    let shown = shown.split("\nSearched").next().unwrap();
    let page = std::fs::read_to_string(root.join("docs/live.md")).unwrap();
    assert!(page.contains(shown), "docs/live.md does not show\n{shown}");
}
