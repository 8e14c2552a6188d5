//! Proofs that every schedule is safe.

use interp::{Checks, SwitchAt};
use schedule::{Claim, Question, Refusal};

use crate::tree::{accepts, program, refuses, tree, verdict_with};

/// Two threads that write variables of their own.
const APART: &str = "
program;
var x: int = 0;
var y: int = 0;
thread a;
thread b;
proc a() {
entry:
  x := 1;
  return;
}
proc b() {
entry:
  y := 1;
  return;
}
";

/// Two threads that write the same variable.
const TOGETHER: &str = "
program;
var x: int = 0;
thread a;
thread b;
proc a() {
entry:
  x := 1;
  return;
}
proc b() {
entry:
  x := 1;
  return;
}
";

const ONE_ORDER: &str = "
    n0 a:entry.0 | b:entry.0 { }
      0: a:entry.0 -> n1
    n1 a:entry.1 | b:entry.0 { }
      0: a:entry.1 -> n2
    n2 done a | b:entry.0 { }
      1: b:entry.0 -> n3
    n3 done a | b:entry.1 { }
      1: b:entry.1 -> n4
    n4 done a | done b { }
";

#[test]
fn independent_steps_need_one_order() {
    accepts(APART, Claim::Safe, ONE_ORDER);
    let checks = Checks { races: true, ..Checks::default() };
    let refusal = verdict_with(APART, Claim::Safe, checks, ONE_ORDER).unwrap_err();
    assert_eq!(refusal, "node n0: thread 1 can run, but has no choice: races need all orders");
}

#[test]
fn it_can_be_stopped() {
    let program = program(APART);
    let art = tree(&program, ONE_ORDER);
    let question = Question { claim: Claim::Safe, checks: Checks::default(), switch_at: SwitchAt::Visible };
    let result = schedule::check(&program, &art, &question, &mut smt::Z3::new(), &|| None);
    assert_eq!(result, Err(Refusal::Stopped));
}

#[test]
fn dependent_steps_need_both() {
    refuses(
        TOGETHER,
        Claim::Safe,
        ONE_ORDER,
        "node n0: thread 1 can run, but has no choice: the step of the one that has may conflict with what others do",
    );
}

#[test]
fn a_race() {
    let checks = Checks { races: true, ..Checks::default() };
    let refusal = verdict_with(
        TOGETHER,
        Claim::Safe,
        checks,
        "
        n0 a:entry.0 | b:entry.0 { }
          0: a:entry.0 -> n1
          1: b:entry.0 -> n2
        n1 a:entry.1 | b:entry.0 { }
        n2 a:entry.0 | b:entry.1 { }
        ",
    );
    assert_eq!(refusal.unwrap_err(), "node n0: threads 0 and 1 can access `x` at once");
    // Under a schedule that orders them they do not.
    assert!(verdict_with(TOGETHER, Claim::Schedule, checks, ONE_ORDER).is_ok());
}

#[test]
fn different_cells_are_no_race() {
    let source = "
        program;
        var a: [int]int;
        thread p;
        thread q;
        proc p() {
          local i: int;
        entry:
          a[i] := 1;
          return;
        }
        proc q() {
          local i: int;
        entry:
          a[i] := 2;
          return;
        }
    ";
    let checks = Checks { races: true, ..Checks::default() };
    let tree = |label: &str| {
        format!(
            "
            n0 p:entry.0 | q:entry.0 {{ {label} }}
              0: p:entry.0 -> n1
              1: q:entry.0 -> n2
            n1 p:entry.1 | q:entry.0 {{ }}
              1: q:entry.0 -> n3
            n2 p:entry.0 | q:entry.1 {{ }}
              0: p:entry.0 -> n3
            n3 p:entry.1 | q:entry.1 {{ }}
              0: p:entry.1 -> n4
            n4 done p | q:entry.1 {{ }}
              1: q:entry.1 -> n5
            n5 done p | done q {{ }}
            "
        )
    };
    let refusal = verdict_with(source, Claim::Schedule, checks, &tree(""));
    assert_eq!(refusal.unwrap_err(), "node n0: threads 0 and 1 can access `a` at once");
    let other = source.replace("thread p", "axiom true; thread p");
    let refusal = verdict_with(&other, Claim::Schedule, checks, &tree("0.i != 1.i"));
    assert_eq!(
        refusal.unwrap_err(),
        "node n0: `(not (= |0.i@| |1.i@|))` does not follow from the initial state"
    );
}

/// A thread that goes round for ever on its own must not keep another from being looked at.
#[test]
fn nobody_is_left_out_for_ever() {
    let source = "
        program;
        var x: int = 0;
        var y: int = 0;
        thread a;
        thread b;
        proc a() {
        head:
          x := 1;
          goto head;
        }
        proc b() {
        entry:
          assert y == 1;
          return;
        }
    ";
    refuses(
        source,
        Claim::Safe,
        "
        n0 a:head.0 | b:entry.0 { }
          0: a:head.0 a:head.1 -> n1
        n1 a:head.0 | b:entry.0 { }
          cover n0
        ",
        "node n0: on a cycle through it all but one thread are always left out",
    );
}

#[test]
fn a_deadlock_of_some_schedule() {
    let source = "
        program;
        var x: bool;
        thread a;
        proc a() {
        entry:
          await x;
          return;
        }
    ";
    let tree = "
        n0 a:entry.0 { }
          0: a:entry.0 -> n1
        n1 a:entry.1 { }
          0: a:entry.1 -> n2
        n2 done a { }
    ";
    refuses(source, Claim::Safe, tree, "node n0: nobody can run: a deadlock");
    let checks = Checks { deadlocks: false, ..Checks::default() };
    assert!(verdict_with(source, Claim::Safe, checks, tree).is_ok());
    accepts(&source.replace("await", "assume"), Claim::Safe, tree);
}

/// The end of the program may hide what others would have done.
#[test]
fn exit_is_not_taken_alone() {
    let source = "
        program;
        thread a;
        thread b;
        proc a() {
        entry:
          exit;
        }
        proc b() {
          local i: int;
        entry:
          assert i == 0;
          return;
        }
    ";
    refuses(
        source,
        Claim::Safe,
        "
        n0 a:entry.0 | b:entry.0 { }
          0: a:entry.0 -> n1
        n1 { }
        ",
        "node n0: thread 1 can run, but has no choice: the step of the one that has can end the run",
    );
}

/// Two threads that run the same.
const TWINS: &str = "
program;
var x: int = 0;
thread a;
thread a;
proc a() {
  local t: int;
entry:
  t := x;
  x := t;
  return;
}
";

/// One order; the other one is the same with the threads in each other's places.
const HALF: &str = "
    n0 a:entry.0 | a:entry.0 { x == 0 }
      0: a:entry.0 -> n1
      1: a:entry.0 -> n2
    n1 a:entry.1 | a:entry.0 { x == 0, 0.t == 0 }
      0: a:entry.1 -> n3
      1: a:entry.0 -> n4
    n2 a:entry.0 | a:entry.1 { x == 0, 1.t == 0 }
      cover n1 as 1 0
    n3 a:entry.2 | a:entry.0 { x == 0 }
      0: a:entry.2 -> n5
      1: a:entry.0 -> n6
    n4 a:entry.1 | a:entry.1 { x == 0, 0.t == 0, 1.t == 0 }
      0: a:entry.1 -> n6
      1: a:entry.1 -> n7
    n5 done a | a:entry.0 { x == 0 }
      1: a:entry.0 -> n8
    n6 a:entry.2 | a:entry.1 { x == 0, 1.t == 0 }
      0: a:entry.2 -> n8
      1: a:entry.1 -> n9
    n7 a:entry.1 | a:entry.2 { x == 0, 0.t == 0 }
      cover n6 as 1 0
    n8 done a | a:entry.1 { x == 0, 1.t == 0 }
      1: a:entry.1 -> n10
    n9 a:entry.2 | a:entry.2 { x == 0 }
      0: a:entry.2 -> n10
      1: a:entry.2 -> n11
    n10 done a | a:entry.2 { x == 0 }
      1: a:entry.2 -> n12
    n11 a:entry.2 | done a { x == 0 }
      cover n10 as 1 0
    n12 done a | done a { x == 0 }
";

#[test]
fn threads_that_run_the_same_change_places() {
    accepts(TWINS, Claim::Safe, HALF);
    let refused = |from: &str, to: &str, why: &str| refuses(TWINS, Claim::Safe, &HALF.replace(from, to), why);
    refused("cover n1 as 1 0", "cover n1", "node n2: n1 covers it, but is at another location");
    refused("cover n1 as 1 0", "cover n1 as 0 1", "node n2: n1 covers it, but is at another location");
    let nobody = "node n2: n1 covers it with its threads renamed, but that is no permutation of them";
    refused("cover n1 as 1 0", "cover n1 as 1 1", nobody);
    refused("cover n1 as 1 0", "cover n1 as 1", nobody);
    refused("cover n1 as 1 0", "cover n1 as 1 2", nobody);
    // What is known of one thread has to be known of the other one.
    refused(
        "n2 a:entry.0 | a:entry.1 { x == 0, 1.t == 0 }",
        "n2 a:entry.0 | a:entry.1 { x == 0 }",
        "node n2: n1 covers it, but `(= 0 |0.t@|)` of its label does not follow",
    );
    refuses(
        TWINS,
        Claim::Schedule,
        HALF,
        "node n2: n1 covers it with its threads renamed, but a schedule tells threads apart",
    );
}

/// Handles are renamed with the threads.
#[test]
fn handles_change_with_the_threads() {
    let source = "
        program;
        var owner: task = nil;
        var kept: task = nil;
        thread a;
        thread a;
        proc a() {
        entry:
          owner := self;
          goto entry;
        }
    ";
    let tree = |owners: [u32; 2]| {
        let [first, second] = owners;
        format!(
            "
            n0 a:entry.0 | a:entry.0 {{ owner == 0 }}
              0: a:entry.0 a:entry.1 -> n1
              1: a:entry.0 a:entry.1 -> n2
            n1 a:entry.0 | a:entry.0 {{ owner == {first} }}
              0: a:entry.0 a:entry.1 -> n3
              1: a:entry.0 a:entry.1 -> n4
            n2 a:entry.0 | a:entry.0 {{ owner == {second} }}
              cover n1 as 1 0
            n3 a:entry.0 | a:entry.0 {{ owner == 1 }}
              cover n1
            n4 a:entry.0 | a:entry.0 {{ owner == 2 }}
              cover n1 as 1 0
            "
        )
    };
    accepts(source, Claim::Safe, &tree([1, 2]));
    let same = tree([1, 2]).replace("as 1 0", "as 0 1");
    refuses(
        source,
        Claim::Safe,
        &same,
        "node n2: n1 covers it, but `(= owner@ 1)` of its label does not follow",
    );
    // A handle in a map, or as its index, could tell threads apart.
    for other in ["[int]task", "[task]int"] {
        let source = source.replace("var kept: task = nil", &format!("var kept: {other}"));
        refuses(
            &source,
            Claim::Safe,
            &tree([1, 2]),
            "node n2: n1 covers it with its threads renamed, but the program may tell threads apart",
        );
    }
}
