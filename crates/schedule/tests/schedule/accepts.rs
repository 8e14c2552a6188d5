//! Schedules that are right.

use interp::{Checks, SwitchAt};
use schedule::{Claim, Question};

use crate::tree::{accepts, ask};

/// Two threads that alternate: the producer may produce only if the buffer is empty.
pub(crate) const ALTERNATE: &str = "
program;
var count: int = 0;
thread produce;
thread consume;
proc produce() {
head:
  assert count < 1 \"overflow\";
  count := count + 1;
  goto head;
}
proc consume() {
head:
  assert count > 0 \"underflow\";
  count := count - 1;
  goto head;
}
";

#[test]
fn alternating_producer_and_consumer() {
    accepts(
        ALTERNATE,
        Claim::Schedule,
        "
        n0 produce:head.0 | consume:head.0 { count == 0 }
          0: produce:head.0 -> n1
        n1 produce:head.1 | consume:head.0 { count == 0 }
          0: produce:head.1 produce:head.2 -> n2
        n2 produce:head.0 | consume:head.0 { count == 1 }
          1: consume:head.0 -> n3
        n3 produce:head.0 | consume:head.1 { count == 1 }
          1: consume:head.1 consume:head.2 -> n4
        n4 produce:head.0 | consume:head.0 { count == 0 }
          cover n0
        ",
    );
}

/// The same with a formula instead of a value, and a constant of the program.
#[test]
fn labels_that_need_a_solver() {
    let source = "
        program;
        const N: int;
        axiom N > 3;
        var count: int = 0;
        thread up;
        proc up() {
          local i: int;
        head:
          branch count < N then more else less;
        more:
          count := count + 1;
          goto head;
        less:
          count := count - N;
          goto head;
        }
    ";
    accepts(
        source,
        Claim::Schedule,
        "
        n0 up:head.0 { 0 <= count, count <= N }
          0: up:head.0 -> n1
          0: up:head.0 -> n2
        n1 up:more.0 { 0 <= count, count < N }
          0: up:more.0 up:more.1 -> n3
        n2 up:less.0 { count == N }
          0: up:less.0 up:less.1 -> n4
        n3 up:head.0 { 0 <= count, count <= N }
          cover n0
        n4 up:head.0 { count == 0, 0 < N }
          cover n0
        ",
    );
}

#[test]
fn threads_are_started_and_waited_for() {
    let source = "
        program;
        var x: int;
        thread main;
        proc main() {
          local t: task;
          local r: int;
        entry:
          t := spawn double(4);
          r := wait t;
          assert r == 8;
          return;
        }
        proc double(n: int) returns (m: int) {
        entry:
          m := n + n;
          return;
        }
    ";
    accepts(
        source,
        Claim::Schedule,
        "
        n0 main:entry.0 { 0.t == 0 }
          0: main:entry.0 -> n1
        n1 main:entry.1 | double:entry.0 { 0.t == 2, 1.n == 4 }
          1: double:entry.0 -> n2
        n2 main:entry.1 | double:entry.1 { 0.t == 2, 1.m == 8 }
          1: double:entry.1 -> n3
        n3 main:entry.1 | done double { 0.t == 2, 1.m == 8 }
          0: main:entry.1 main:entry.2 -> n4
        n4 main:entry.3 | done double { }
          0: main:entry.3 -> n5
        n5 done main | done double { }
        ",
    );
}

#[test]
fn calls_return_results_and_have_locals_of_their_own() {
    let source = "
        program;
        var x: int = 0;
        thread main;
        proc main() {
          local r: int;
        entry:
          call r := next(5);
          x := r;
          call x := next(x);
          return;
        }
        proc next(n: int) returns (m: int) {
        entry:
          m := n + 1;
          return;
        }
    ";
    // The return that assigns a global is a step of its own.
    accepts(
        source,
        Claim::Schedule,
        "
        n0 main:entry.0 { x == 0 }
          0: main:entry.0 next:entry.0 next:entry.1 -> n1
        n1 main:entry.1 { 0.r == 6 }
          0: main:entry.1 -> n2
        n2 main:entry.2 { x == 6 }
          0: main:entry.2 next:entry.0 -> n3
        n3 main:entry.2 > next:entry.1 { 0/1.m == 7 }
          0: next:entry.1 -> n4
        n4 main:entry.3 { x == 7 }
          0: main:entry.3 -> n5
        n5 done main { x == 7 }
        ",
    );
}

#[test]
fn a_lock_is_taken_where_it_is_free() {
    let source = "
        program;
        var m: mutex;
        var x: int = 0;
        thread a;
        proc a() {
        head:
          acquire m;
          x := 1;
          release m;
          goto head;
        }
    ";
    accepts(
        source,
        Claim::Schedule,
        "
        n0 a:head.0 { m.owner == 0 }
          0: a:head.0 -> n1
        n1 a:head.1 { m.owner == 1 }
          0: a:head.1 -> n2
        n2 a:head.2 { m.owner == 1 }
          0: a:head.2 a:head.3 a:head.4 a:head.5 a:head.6 -> n3
        n3 a:head.0 { m.owner == 0 }
          cover n0
        ",
    );
}

/// Inputs branch. An assume about an input that does not hold ends the run: it is none of the program.
#[test]
fn inputs_and_assumes() {
    let source = "
        program;
        var x: int = 0;
        thread main;
        thread other;
        proc main() {
          local i: int;
        entry:
          havoc i;
          assume i > 0;
          x := i;
          assert x > 0;
          return;
        }
        proc other() {
        entry:
          return;
        }
    ";
    accepts(
        source,
        Claim::Schedule,
        "
        n0 main:entry.0 | other:entry.0 { }
          0: main:entry.0 main:entry.1 -> n1
          0: main:entry.0 -> n2
        n1 main:entry.2 | other:entry.0 { 0 < 0.i }
          0: main:entry.2 -> n3
        n2 main:entry.1 | other:entry.0 { 0.i <= 0 }
          0: main:entry.1 -> n7
        n3 main:entry.3 | other:entry.0 { 0 < x }
          0: main:entry.3 -> n4
        n4 main:entry.4 | other:entry.0 { }
          0: main:entry.4 -> n5
        n5 done main | other:entry.0 { }
          1: other:entry.0 -> n6
        n6 done main | done other { }
        n7 main:entry.2 | other:entry.0 { 0 == 1 }
        ",
    );
}

/// A signal wakes one of those who wait; a woken handle is chosen by the step.
#[test]
fn a_step_that_chooses_a_thread() {
    let source = "
        program;
        var c: condvar;
        thread main;
        proc main() {
        entry:
          signal c;
          return;
        }
    ";
    accepts(
        source,
        Claim::Schedule,
        "
        n0 main:entry.0 { c.waiters == 0 }
          0: main:entry.0 main:entry.1 main:entry.2 main:entry.3 main:entry.4 @0 -> n1
        n1 main:entry.5 { c.waiters == 0 }
          0: main:entry.5 -> n2
        n2 done main { }
        ",
    );
}

#[test]
fn exit_ends_the_program() {
    let source = "
        program;
        thread main;
        thread other;
        proc main() {
        entry:
          exit;
        }
        proc other() {
        entry:
          await false;
          return;
        }
    ";
    accepts(
        source,
        Claim::Schedule,
        "
        n0 main:entry.0 | other:entry.0 { }
          0: main:entry.0 -> n1
        n1 { }
        ",
    );
}

/// All between two yields is one step, and an assume that does not hold rules it out.
#[test]
fn a_cooperative_program() {
    let source = "
        program;
        var x: int = 0;
        thread a;
        thread b;
        proc a() {
        entry:
          x := 1;
          x := 2;
          yield;
          assert x == 2;
          return;
        }
        proc b() {
        entry:
          choose one, two;
        one:
          assume x == 7;
          x := 3;
          return;
        two:
          assert x == 0 || x == 2;
          return;
        }
    ";
    let question = Question { claim: Claim::Safe, checks: Checks::default(), switch_at: SwitchAt::Yield };
    let tree = "
        n0 a:entry.0 | b:entry.0 { x == 0 }
          0: a:entry.0 a:entry.1 -> n1
          1: b:entry.0 b:two.0 -> n2
        n1 a:entry.2 | b:entry.0 { x == 2 }
          0: a:entry.2 a:entry.3 -> n3
          1: b:entry.0 b:two.0 -> n4
        n2 a:entry.0 | b:two.1 { x == 0 }
          0: a:entry.0 a:entry.1 -> n4
          1: b:two.1 -> n5
        n3 a:entry.4 | b:entry.0 { x == 2 }
          0: a:entry.4 -> n6
          1: b:entry.0 b:two.0 -> n7
        n4 a:entry.2 | b:two.1 { x == 2 }
          0: a:entry.2 a:entry.3 -> n7
          1: b:two.1 -> n8
        n5 a:entry.0 | done b { x == 0 }
          0: a:entry.0 a:entry.1 -> n8
        n6 done a | b:entry.0 { x == 2 }
          1: b:entry.0 b:two.0 -> n9
        n7 a:entry.4 | b:two.1 { }
          0: a:entry.4 -> n9
          1: b:two.1 -> n10
        n8 a:entry.2 | done b { x == 2 }
          0: a:entry.2 a:entry.3 -> n10
        n9 done a | b:two.1 { }
          1: b:two.1 -> n11
        n10 a:entry.4 | done b { }
          0: a:entry.4 -> n11
        n11 done a | done b { }
    ";
    assert_eq!(ask(source, &question, tree), Ok(12));
}
