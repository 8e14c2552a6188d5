//! What people read.

use crate::programs::{DEADLOCK, LIVELOCK, LOST_UPDATE, RACE};
use crate::sandbox::Sandbox;

/// The report, without the figures, which differ from run to run.
fn report(program: &str, arguments: &str) -> String {
    let sandbox = Sandbox::with("p.bpl", program);
    let answer = sandbox.run(&format!("explore p.bpl {arguments}"));
    let lines = answer.stdout.lines().filter(|line| !line.starts_with("Explored:"));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn an_assertion() {
    let expected = "\
unsafe: assertion violation: assertion does not hold: counter == 2 (p.bpl:19:3)

Schedule
   │ main                                   │ add                     │ add#2
   │ ────────────────────────────────────── │ ─────────────────────── │ ───────────────────────
 1 │ 14 counter := 0;  → counter = 0        │                         │
 2 │ 15 async call a := add();  → a = add   │                         │
 3 │ 16 async call b := add();  → b = add#2 │                         │
 4 │                                        │  6 seen := counter;     │
   │                                        │    → seen = 0           │
 5 │                                        │                         │  6 seen := counter;
   │                                        │                         │    → seen = 0
 6 │                                        │  7 counter := seen + 1; │
   │                                        │    → counter = 1        │
 7 │                                        │  8 (returns)            │
 8 │ 17 wait a;                             │                         │
 9 │                                        │                         │  7 counter := seen + 1;
   │                                        │                         │    → counter = 1
10 │                                        │                         │  8 (returns)
11 │ 18 wait b;                             │                         │
12 │ 19 assert counter == 2;                │                         │
   │    ✗ fails here                        │                         │


What to do next
  Keep this run in a file: give the same command with --witness FILE.
  See it again at any time: raddle replay FILE.
";
    assert_eq!(report(LOST_UPDATE, ""), expected);
}

#[test]
fn a_deadlock() {
    let expected = "\
unsafe: deadlock: left and right are blocked for ever (p.bpl:5:3)

Schedule
   │ left              │ right
   │ ───────────────── │ ─────────────────
 1 │  4 acquire a;     │
 2 │                   │ 10 acquire b;
   │  5 acquire b;     │
   │    ✗ blocked here │
   │                   │ 11 acquire a;
   │                   │    ✗ blocked here

Blocked for ever
  left at line 5: acquire b;  (`b` is held by right)
  right at line 11: acquire a;  (`a` is held by left)
  They wait in a circle: left waits for right, right waits for left.


What to do next
  Keep this run in a file: give the same command with --witness FILE.
  See it again at any time: raddle replay FILE.
";
    assert_eq!(report(DEADLOCK, ""), expected);
}

#[test]
fn a_race() {
    let told = report(RACE, "--check race");
    assert!(
        told.contains("  (1) one writes it, line 5: x := 1;\n  (2) two writes it, line 10: x := 2;\n"),
        "{told}"
    );
    assert!(told.contains("✗ (1) write is possible now"), "{told}");
}

#[test]
fn an_infinite_execution() {
    let told = report(LIVELOCK, "--fairness strong");
    for part in [
        "First, once (the stem)",
        "Then, again and again (the lasso)",
        "Why nobody gets anywhere",
        "Run for ever: left, right.",
        "can be fair and still stay in it for ever.",
    ] {
        assert!(told.contains(part), "{part}:\n{told}");
    }
}

#[test]
fn a_holder_that_has_completed() {
    let program = "var m: mutex;
procedure {:thread} keeper() { acquire m; }
procedure {:thread} loser() { acquire m; }
";
    let told = report(program, "");
    assert!(told.contains("is held by keeper, which has completed"), "{told}");
}
