//! Response properties: kept in witnesses, and judged again.

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
    // The first reads of the first state what the property of the witness does, whatever is arbitrary there.
    for (property, why) in [
        ("a ~> !a", "every request is answered"),
        ("a ~> c", "unknown variable `c`"),
        ("a", "a response property needs `~>`"),
    ] {
        sandbox.write("t.json", witness.replace(PROPERTY, property));
        let answer = sandbox.run("replay t.json --force");
        assert_eq!(answer.code, 2, "{property}: {}{}", answer.stdout, answer.stderr);
        assert!(answer.stderr.contains(why), "{property}: {}", answer.stderr);
    }
}
