//! Schedules with one defect each.

use interp::Checks;
use schedule::Claim;

use crate::accepts::ALTERNATE;
use crate::tree::{refuses, verdict_with};

fn refuses_alternate(text: &str, message: &str) {
    refuses(ALTERNATE, Claim::Schedule, text, message);
}

#[test]
fn a_root_elsewhere() {
    refuses_alternate(
        "n0 produce:head.1 | consume:head.0 { count == 0 }",
        "node n0: the root is not where the program starts",
    );
}

#[test]
fn a_root_label_that_does_not_follow() {
    refuses_alternate(
        "n0 produce:head.0 | consume:head.0 { count == 1 }",
        "node n0: `(= count@ 1)` does not follow from the initial state",
    );
}

#[test]
fn a_missing_edge() {
    refuses_alternate(
        "
        n0 produce:head.0 | consume:head.0 { count == 0 }
          0: produce:head.0 -> n1
        n1 produce:head.0 | consume:head.0 { count == 0 }
          cover n0
        ",
        "node n0: thread 0 can step in a way that has no edge, up to `assert count < 1 \"overflow\"`",
    );
}

#[test]
fn a_stray_edge() {
    refuses_alternate(
        "
        n0 produce:head.0 | consume:head.0 { count == 0 }
          0: produce:head.0 -> n1
          0: produce:head.0 produce:head.1 -> n1
        n1 produce:head.1 | consume:head.0 { 0 == 1 }
        ",
        "node n0: after the step of thread 0 to n1, `false` need not hold",
    );
    refuses_alternate(
        "
        n0 produce:head.0 | consume:head.0 { count == 0 }
          0: produce:head.0 -> n1
          0: produce:head.0 produce:head.1 -> n1
        n1 produce:head.1 | consume:head.0 { }
        ",
        "node n0: thread 0 has an edge to n1 that is none of its steps",
    );
}

#[test]
fn a_label_that_does_not_follow() {
    refuses_alternate(
        "
        n0 produce:head.0 | consume:head.0 { count == 0 }
          0: produce:head.0 -> n1
        n1 produce:head.1 | consume:head.0 { count <= 5 }
          0: produce:head.1 produce:head.2 -> n2
        n2 produce:head.0 | consume:head.0 { count <= 5 }
        ",
        "node n1: after the step of thread 0 to n2, `(<= count@ 5)` need not hold",
    );
}

#[test]
fn an_assertion_that_can_fail() {
    let text = "
        n0 produce:head.0 | consume:head.0 { count == 0 }
          1: consume:head.0 -> n1
        n1 produce:head.0 | consume:head.1 { 0 == 1 }
    ";
    refuses_alternate(text, "node n0: an assertion of thread 1 can fail: `assert count > 0 \"underflow\"`");
    // If nobody asks for it, it is the end of a run.
    let checks = Checks { assertions: false, ..Checks::default() };
    assert!(verdict_with(ALTERNATE, Claim::Schedule, checks, text).is_ok());
}

#[test]
fn a_bad_cover() {
    let start = "
        n0 produce:head.0 | consume:head.0 { count == 0 }
          0: produce:head.0 -> n1
        n1 produce:head.1 | consume:head.0 { count == 0 }
          0: produce:head.1 produce:head.2 -> n2
        n2 produce:head.0 | consume:head.0 { count == 1 }
    ";
    refuses_alternate(
        &format!("{start} cover n0"),
        "node n2: n0 covers it, but `(= count@ 0)` of its label does not follow",
    );
    refuses_alternate(&format!("{start} cover n1"), "node n2: n1 covers it, but is at another location");
    refuses_alternate(&format!("{start} cover n2"), "node n2: n2 covers it, but is covered itself");
    refuses_alternate(&format!("{start} cover n7"), "node n2: it leads to n7, which is not there");
}

#[test]
fn an_unfair_cycle() {
    let source = "
        program;
        var x: int = 0;
        thread a;
        thread b;
        proc a() {
        head:
          x := 1;
          goto head;
        }
        proc b() {
        head:
          x := 1;
          goto head;
        }
    ";
    refuses(
        source,
        Claim::Schedule,
        "
        n0 a:head.0 | b:head.0 { }
          0: a:head.0 a:head.1 -> n1
        n1 a:head.0 | b:head.0 { }
          0: a:head.0 a:head.1 -> n2
          1: b:head.0 b:head.1 -> n3
        n2 a:head.0 | b:head.0 { }
          cover n1
        n3 a:head.0 | b:head.0 { }
          cover n0
        ",
        "node n1: on a cycle through it thread 1 can be enabled, but never runs",
    );
}

/// Both take one lock each and wait for the other's.
const TWO_LOCKS: &str = "
program;
var m: mutex;
var n: mutex;
thread a;
thread b;
proc a() {
entry:
  acquire m;
  acquire n;
  return;
}
proc b() {
entry:
  acquire n;
  acquire m;
  return;
}
";

#[test]
fn a_deadlock() {
    let start = "
        n0 a:entry.0 | b:entry.0 { m.owner == 0, n.owner == 0 }
          0: a:entry.0 -> n1
        n1 a:entry.1 | b:entry.0 { m.owner == 1, n.owner == 0 }
          1: b:entry.0 -> n2
        n2 a:entry.1 | b:entry.1 { m.owner == 1, n.owner == 2 }
    ";
    refuses(TWO_LOCKS, Claim::Schedule, start, "node n2: nobody can run: a deadlock");
    refuses(
        TWO_LOCKS,
        Claim::Schedule,
        &format!(
            "{start}
              0: a:entry.1 -> n3
            n3 a:entry.2 | b:entry.1 {{ 0 == 1 }}"
        ),
        "node n2: thread 0 may run, but can be blocked at `await n.owner == nil then n.owner := self`",
    );
}

#[test]
fn a_node_that_is_no_end() {
    refuses(
        TWO_LOCKS,
        Claim::Schedule,
        "n0 a:entry.0 | b:entry.0 { m.owner == 0 }",
        "node n0: no thread that may run can run, though one that may not run could",
    );
}

/// The schedule keeps an assume from coming to hold.
#[test]
fn an_assume_that_is_kept_from_holding() {
    let source = "
        program;
        var x: bool = false;
        thread a;
        thread b;
        proc a() {
        entry:
          assume x;
          return;
        }
        proc b() {
        entry:
          x := true;
          return;
        }
    ";
    refuses(
        source,
        Claim::Schedule,
        "
        n0 a:entry.0 | b:entry.0 { x == false }
          0: a:entry.0 -> n1
        n1 a:entry.1 | b:entry.0 { 0 == 1 }
        ",
        "node n0: no thread that may run can run, though one that may not run could",
    );
}

#[test]
fn choices_that_make_no_sense() {
    refuses_alternate(
        "
        n0 produce:head.0 | consume:head.0 { count == 0 }
          2: produce:head.0 -> n0
        ",
        "node n0: thread 2 has a choice, but has completed or was never started",
    );
    refuses_alternate(
        "
        n0 produce:head.0 | consume:head.0 { count == 0 }
          0: produce:head.0 -> n1
          0: produce:head.0 -> n1
        n1 produce:head.1 | consume:head.0 { count == 0 }
        ",
        "node n0: thread 0 has two edges with the same ops to the same location: one of them is enough",
    );
}

#[test]
fn what_formulas_cannot_express() {
    let source = "
        program;
        thread a;
        proc a() {
        entry:
          opaque \"a system call\";
          return;
        }
    ";
    refuses(
        source,
        Claim::Schedule,
        "
        n0 a:entry.0 { }
          0: a:entry.0 -> n1
        n1 a:entry.1 { }
        ",
        "node n0: formulas cannot express a system call",
    );
}

/// A wait for a thread that has not completed blocks.
#[test]
fn a_wait_that_comes_too_early() {
    let source = "
        program;
        thread main;
        proc main() {
          local t: task;
        entry:
          t := spawn other();
          wait t;
          return;
        }
        proc other() {
        entry:
          return;
        }
    ";
    refuses(
        source,
        Claim::Schedule,
        "
        n0 main:entry.0 { }
          0: main:entry.0 -> n1
        n1 main:entry.1 | other:entry.0 { 0.t == 2 }
          0: main:entry.1 -> n2
        n2 main:entry.2 | other:entry.0 { 0 == 1 }
        ",
        "node n1: thread 0 has an edge to n2 that is none of its steps",
    );
}

/// A variable that has the name of a constant would be taken for it.
#[test]
fn a_constant_that_stands_for_two_things() {
    let source = "
        program;
        const |x@|: int;
        var x: int = 0;
        thread main;
        proc main() {
        entry:
          return;
        }
    ";
    refuses(
        source,
        Claim::Schedule,
        "n0 main:entry.0 { x == 0 }",
        "node n0: the constant `x@` of the program stands for Global(global0), too",
    );
}
