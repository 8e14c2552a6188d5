//! Program schedules: sections, orders, levels.

use interp::SwitchAt;
use ir::Program;
use schedule::{Claim, Level, ProgramSchedule, text};

use crate::tree::{accepts, program, tree};

/// A fingerprint of nothing in particular.
pub(crate) const FINGERPRINT: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// The schedule of a tree, which is checked first.
pub(crate) fn schedule(source: &str, tree_text: &str, level: Level) -> (Program, ProgramSchedule) {
    accepts(source, Claim::Schedule, tree_text);
    let program = program(source);
    let art = tree(&program, tree_text);
    let schedule = ProgramSchedule::new(&program, &art, SwitchAt::Visible, level, FINGERPRINT);
    (program, schedule.expect("the tree has a schedule"))
}

/// The text of a schedule without the first three lines and the comments.
fn shown(source: &str, tree_text: &str, level: Level) -> String {
    let (program, schedule) = schedule(source, tree_text, level);
    let text = text::write(&program, &schedule);
    let lines = text.lines().skip(3).map(|line| line.split(" //").next().unwrap_or_default());
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

fn shows(source: &str, tree_text: &str, level: Level, expected: &str) {
    let indent = |line: &str| line.strip_prefix("        ").unwrap_or(line).to_owned();
    let expected: Vec<String> = expected.lines().map(indent).filter(|line| !line.trim().is_empty()).collect();
    assert_eq!(shown(source, tree_text, level), expected.join("\n"));
}

/// Figure 5 of the paper: T1 writes x and reads z, T2 writes y and x, and then T1 branches on y.
pub(crate) const FIGURE_5: &str = "
program;
var x: int;
var y: int;
var z: int;
thread t1;
thread t2;
proc t1() {
  local t: int;
head:
  x := 1;
  t := z;
  branch y == 0 then zero else other;
zero:
  y := 1;
  goto head;
other:
  goto head;
}
proc t2() {
head:
  y := z;
  x := 0;
  goto head;
}
";

pub(crate) const FIGURE_5_TREE: &str = "
n0 t1:head.0 | t2:head.0 { }
  0: t1:head.0 -> n1
n1 t1:head.1 | t2:head.0 { }
  1: t2:head.0 -> n2
n2 t1:head.1 | t2:head.1 { }
  0: t1:head.1 -> n3
n3 t1:head.2 | t2:head.1 { }
  1: t2:head.1 t2:head.2 -> n4
n4 t1:head.2 | t2:head.0 { }
  0: t1:head.2 -> n5
  0: t1:head.2 t1:other.0 -> n6
n5 t1:zero.0 | t2:head.0 { y == 0 }
  0: t1:zero.0 t1:zero.1 -> n7
n6 t1:head.0 | t2:head.0 { }
  cover n0
n7 t1:head.0 | t2:head.0 { }
  cover n0
";

#[test]
fn figure_5_in_a_row() {
    shows(
        FIGURE_5,
        FIGURE_5_TREE,
        Level::Sequential,
        "
        point p0
          section
            0: t1:head.0 -> t1:head.1
            1: t2:head.0 -> t2:head.1 after 0:1
            0: t1:head.1 -> t1:head.2 after 1:1
            1: t2:head.1 t2:head.2 -> t2:head.0 after 0:2
          next p1
        point p1
          section when \"y == 0\"
            0: t1:head.2 -> t1:zero.0
            0: t1:zero.0 t1:zero.1 -> t1:head.0
          next p0
          section when \"!(y == 0)\"
            0: t1:head.2 t1:other.0 -> t1:head.0
          next p0
        ",
    );
}

/// Only the two writes of x are ordered: the second event of T2 after the first of T1.
#[test]
fn figure_5_relaxed() {
    shows(
        FIGURE_5,
        FIGURE_5_TREE,
        Level::Relaxed,
        "
        point p0
          section
            0: t1:head.0 -> t1:head.1
            1: t2:head.0 -> t2:head.1
            0: t1:head.1 -> t1:head.2
            1: t2:head.1 t2:head.2 -> t2:head.0 after 0:1
          next p1
        point p1
          section when \"y == 0\"
            0: t1:head.2 -> t1:zero.0
            0: t1:zero.0 t1:zero.1 -> t1:head.0
          next p0
          section when \"!(y == 0)\"
            0: t1:head.2 t1:other.0 -> t1:head.0
          next p0
        ",
    );
}

/// Figure 7 of the paper, a program with a deadlock, and Figure 8, the one section of its schedule.
pub(crate) const FIGURE_7: &str = "
program;
var m1: mutex;
var m2: mutex;
var x: int;
thread t1;
thread t2;
proc t1() {
head:
  acquire m1;
  acquire m2;
  x := 1;
  release m2;
  release m1;
  goto head;
}
proc t2() {
head:
  acquire m2;
  acquire m1;
  x := 2;
  release m2;
  release m1;
  goto head;
}
";

pub(crate) const FIGURE_8_TREE: &str = "
n0 t1:head.0 | t2:head.0 { m1.owner == 0, m2.owner == 0 }
  0: t1:head.0 -> n1
n1 t1:head.1 | t2:head.0 { m1.owner == 1, m2.owner == 0 }
  0: t1:head.1 -> n2
n2 t1:head.2 | t2:head.0 { m1.owner == 1, m2.owner == 1 }
  0: t1:head.2 -> n3
n3 t1:head.3 | t2:head.0 { m1.owner == 1, m2.owner == 1 }
  0: t1:head.3 t1:head.4 t1:head.5 t1:head.6 -> n4
n4 t1:head.7 | t2:head.0 { m1.owner == 1, m2.owner == 0 }
  0: t1:head.7 t1:head.8 t1:head.9 t1:head.10 t1:head.11 -> n5
n5 t1:head.0 | t2:head.0 { m1.owner == 0, m2.owner == 0 }
  1: t2:head.0 -> n6
n6 t1:head.0 | t2:head.1 { m1.owner == 0, m2.owner == 2 }
  1: t2:head.1 -> n7
n7 t1:head.0 | t2:head.2 { m1.owner == 2, m2.owner == 2 }
  1: t2:head.2 -> n8
n8 t1:head.0 | t2:head.3 { m1.owner == 2, m2.owner == 2 }
  1: t2:head.3 t2:head.4 t2:head.5 t2:head.6 -> n9
n9 t1:head.0 | t2:head.7 { m1.owner == 2, m2.owner == 0 }
  1: t2:head.7 t2:head.8 t2:head.9 t2:head.10 t2:head.11 -> n10
n10 t1:head.0 | t2:head.0 { m1.owner == 0, m2.owner == 0 }
  cover n0
";

#[test]
fn figure_8_in_a_row() {
    shows(
        FIGURE_7,
        FIGURE_8_TREE,
        Level::Sequential,
        "
        point p0
          section
            0: t1:head.0 -> t1:head.1
            0: t1:head.1 -> t1:head.2
            0: t1:head.2 -> t1:head.3
            0: t1:head.3 -> t1:head.4
            0: t1:head.4 t1:head.5 -> t1:head.0
            1: t2:head.0 -> t2:head.1 after 0:5
            1: t2:head.1 -> t2:head.2
            1: t2:head.2 -> t2:head.3
            1: t2:head.3 -> t2:head.4
            1: t2:head.4 t2:head.5 -> t2:head.0
          next p0
        ",
    );
}

/// The order of the critical sections makes the locks superfluous.
#[test]
fn figure_8_without_locks() {
    shows(
        FIGURE_7,
        FIGURE_8_TREE,
        Level::Relaxed,
        "
        omit t1:head.0
        omit t1:head.1
        omit t1:head.3
        omit t1:head.4
        omit t2:head.0
        omit t2:head.1
        omit t2:head.3
        omit t2:head.4
        point p0
          section
            0: t1:head.0 -> t1:head.1 omitted
            0: t1:head.1 -> t1:head.2 omitted
            0: t1:head.2 -> t1:head.3
            0: t1:head.3 -> t1:head.4 omitted
            0: t1:head.4 t1:head.5 -> t1:head.0 omitted
            1: t2:head.0 -> t2:head.1 omitted
            1: t2:head.1 -> t2:head.2 omitted
            1: t2:head.2 -> t2:head.3 after 0:1
            1: t2:head.3 -> t2:head.4 omitted
            1: t2:head.4 t2:head.5 -> t2:head.0 omitted
          next p0
        ",
    );
}

#[test]
fn figure_8_eight_times() {
    let (_, schedule) = schedule(FIGURE_7, FIGURE_8_TREE, Level::Replicated);
    let section = &schedule.points.values().next().expect("a point").sections[0];
    let counted: Vec<_> = section.events.iter().filter(|event| !event.omitted).collect();
    assert_eq!(section.events.len(), 80);
    // The critical sections alternate, and each waits for the one before only.
    for (at, event) in counted.iter().enumerate() {
        let round = u32::try_from(at / 2).expect("few rounds");
        let expected = match (event.thread, round) {
            (0, 0) => Vec::new(),
            (0, round) => vec![(1, round)],
            (_, round) => vec![(0, round + 1)],
        };
        let after: Vec<_> = event.after.iter().map(|after| (after.thread, after.count)).collect();
        assert_eq!(after, expected, "event {at}");
    }
}

/// Two threads that write different cells: only with indices in view are they independent.
#[test]
fn different_cells_are_independent_at_level_2() {
    let source = "
        program;
        var a: [int]int;
        thread p;
        thread q;
        proc p() {
          local i: int;
        entry:
          i := 1;
          goto head;
        head:
          a[i] := 1;
          return;
        }
        proc q() {
        entry:
          a[2] := 2;
          return;
        }
    ";
    let tree = "
        n0 p:entry.0 | q:entry.0 { }
          0: p:entry.0 p:entry.1 -> n1
        n1 p:head.0 | q:entry.0 { 0.i == 1 }
          0: p:head.0 -> n2
        n2 p:head.1 | q:entry.0 { }
          1: q:entry.0 -> n3
        n3 p:head.1 | q:entry.1 { }
          0: p:head.1 -> n4
        n4 done p | q:entry.1 { }
          1: q:entry.1 -> n5
        n5 done p | done q { }
    ";
    let order = |level| {
        let (_, schedule) = schedule(source, tree, level);
        let section = &schedule.points.values().next().expect("a point").sections[0];
        section.events.iter().map(|event| event.after.len()).collect::<Vec<_>>()
    };
    assert_eq!(order(Level::Relaxed), [0, 0, 1, 0, 1]);
    assert_eq!(order(Level::Replicated), [0, 0, 0, 0, 0]);
}

/// A thread starts after it was started, and is waited for after it has completed.
#[test]
fn starting_and_waiting_are_ordered() {
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
    let tree = "
        n0 main:entry.0 { }
          0: main:entry.0 -> n1
        n1 main:entry.1 | other:entry.0 { 0.t == 2 }
          1: other:entry.0 -> n2
        n2 main:entry.1 | done other { 0.t == 2 }
          0: main:entry.1 -> n3
        n3 main:entry.2 | done other { }
          0: main:entry.2 -> n4
        n4 done main | done other { }
    ";
    shows(
        source,
        tree,
        Level::Replicated,
        "
        point p0
          section
            0: main:entry.0 -> main:entry.1
            1: other:entry.0 -> completed after 0:1
            0: main:entry.1 -> main:entry.2 after 1:1
            0: main:entry.2 -> completed
          next p1
        point p1
        ",
    );
}

/// A lock whose result is looked at stays, and so does the lock of a condition variable.
#[test]
fn synchronization_that_is_needed_stays() {
    let source = "
        program;
        var m: mutex;
        var e: mutex.errorcheck;
        var c: condvar;
        var k: mutex;
        thread main;
        proc main() {
          local ok: bool;
        entry:
          ok := tryacquire m;
          ok := acquire e;
          acquire k;
          return;
        }
        proc other() {
        entry:
          condwait c k;
          return;
        }
    ";
    let tree = "
        n0 main:entry.0 { m.owner == 0, e.owner == 0, k.owner == 0 }
          0: main:entry.0 -> n1
        n1 main:entry.1 { e.owner == 0, k.owner == 0 }
          0: main:entry.1 -> n2
        n2 main:entry.2 { k.owner == 0 }
          0: main:entry.2 -> n3
        n3 main:entry.3 { }
          0: main:entry.3 -> n4
        n4 done main { }
    ";
    let (_, schedule) = schedule(source, tree, Level::Relaxed);
    assert!(schedule.omitted.is_empty());
}
