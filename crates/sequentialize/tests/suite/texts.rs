//! Programs as text, on which the sequential program and the scheduler must agree.

use engine::{Trace, Value, Variable};
use interp::Scheduler;
use sequentialize::Mark;

use crate::harness::{
    Handles, MOST_OPS, Reached, Schedules, concurrent, narrowed, narrowed_with, sequentialized,
};

fn load(text: &str) -> ir::Program {
    let mut map = source::SourceMap::default();
    let file = map.add("text.bpl", text);
    boogie::load(&map, file, None).expect("is a program").program
}

pub(crate) fn parse(text: &str) -> ir::Program {
    let mut map = source::SourceMap::default();
    let file = map.add("text.ir", text);
    let program = match ir::text::parse(&map, file) {
        Ok(program) => program,
        Err(errors) => panic!("{errors:?}\n{text}"),
    };
    assert_eq!(ir::validate(&program), Ok(()), "{text}");
    program
}

/// What the program reaches both ways, which must be the same.
pub(crate) fn agreed(text: &str, schedules: impl Into<Schedules>, high: i64) -> Reached {
    let (program, schedules) = (load(text), schedules.into());
    let expected = concurrent(&program, schedules, high).expect("is small");
    let translated = sequentialized(&program, schedules).expect("is supported");
    let actual = narrowed(&program, &translated, Handles::All, high, 10 * MOST_OPS).expect("is small");
    assert_eq!(expected, actual, "{schedules:?}:{text}");
    expected
}

const NESTED_WAIT: &str = "
var started, done, early: bool;
procedure inner() modifies done; { done := true; }
procedure outer() modifies started; { var t: task; async call t := inner(); started := true; wait t; }
procedure other() {}
procedure main() modifies started, done, early;
{
  var t, u: task;
  started := false; done := false;
  async call t := outer();
  async call u := other();
  wait u;
  early := started && !done;
}";

#[test]
fn a_waiting_task_is_in_the_round_of_what_it_waits_for() {
    for delays in 0..=2 {
        let reached = agreed(NESTED_WAIT, Scheduler::Dfw(delays), 1);
        assert_eq!(reached.valuations.len(), if delays == 0 { 1 } else { 2 });
    }
}

/// The loop of Figure 4, twice unrolled.
const PAPER_FIGURE_4: &str = "
var i: int;
procedure p() returns (r: int) { r := i; }
procedure main() modifies i;
{
  var x: task;
  var y: int;
  i := 0;
  if (*) { async call x := p(); y := wait x; i := i + 1; }
  if (*) { async call x := p(); y := wait x; i := i + 1; }
}";

#[test]
fn dfw_passes_waits_without_delays() {
    assert_eq!(agreed(PAPER_FIGURE_4, Scheduler::Dfw(0), 2).valuations.len(), 3);
    for delays in 0..=2 {
        let expected = usize::try_from(delays).expect("is small") + 1;
        assert_eq!(agreed(PAPER_FIGURE_4, Scheduler::Df(delays), 2).valuations.len(), expected);
    }
}

/// The loop of Figure 4, many times.
const MANY_TASKS: &str = "
var x: int;
procedure one() returns (r: int) { r := 1; }
procedure main() modifies x;
{
  var t: task;
  var i, r: int;
  x := 0;
  i := 0;
  while (i < COUNT) { async call t := one(); r := wait t; i := i + r; x := x + 1; }
  assert x != COUNT;
}";

#[test]
fn runs_with_many_tasks_are_rebuilt() {
    let program = load(&MANY_TASKS.replace("COUNT", "100"));
    let translated = sequentialized(&program, Scheduler::Dfw(0)).expect("is supported");
    let reached = narrowed(&program, &translated, Handles::All, 1, 10 * MOST_OPS).expect("is small");
    assert_eq!(reached.failures.len(), 1);
}

const LARGE_NUMBER: &str = "
var g: int;
procedure p() modifies g; { var x: int; g := x; }
procedure main() modifies g; { async call p(); assume g == 1; assert false; }";

/// What the interpreter cannot run, and what is no run, is refused.
#[test]
fn traces_without_a_run_are_refused() {
    let program = load(LARGE_NUMBER);
    let translated = sequentialized(&program, Scheduler::Df(1)).expect("is supported");
    let mut traces = Vec::new();
    let mut keep = |trace: &Trace| traces.push(trace.clone());
    narrowed_with(&program, &translated, Handles::All, 1, MOST_OPS, &mut keep).expect("is small");
    let config = interp::Config::default();
    let refused =
        |trace: &Trace| translated.run(&program, &config, trace).expect_err("is no run").to_string();
    let mut large = traces[0].clone();
    for step in large.steps.iter_mut().filter(|step| translated.back.get(step.at).is_some()) {
        for (variable, value) in &mut step.reads {
            if matches!(variable, Variable::Local(_)) && *value == Value::Int(1.into()) {
                *value = Value::Int(i128::MAX.into());
            }
        }
    }
    assert!(refused(&large).contains("64 bits"), "{}", refused(&large));
    let delays = translated.marks.iter().find(|(_, mark)| matches!(mark, Mark::Delay(_)));
    let delay = *delays.expect("there are delays").0;
    let mut early = traces[0].clone();
    early.steps.retain(|step| step.at != delay);
    assert!(refused(&early).contains("does not fit"), "{}", refused(&early));
    let mut short = traces[0].clone();
    short.steps.truncate(short.steps.len() / 2);
    assert!(!refused(&short).is_empty());
    assert!(!refused(&Trace::default()).is_empty());
}

/// The handle is in a global, and the task that waits was started first.
const HANDLE_IN_GLOBAL: &str = "
var t: task;
var y: bool;
procedure first() modifies y; { var r: bool; r := wait t; y := r; }
procedure second() returns (r: bool) { r := true; }
procedure main() modifies t, y; { y := false; async call first(); async call t := second(); }";

#[test]
fn df_waits_for_handles_in_globals() {
    for delays in 0..=1 {
        let reached = agreed(HANDLE_IN_GLOBAL, Scheduler::Df(delays), 2);
        assert_eq!(reached.valuations.is_empty(), delays == 0);
    }
}

/// Whoever waits has started the task, or comes after it.
const ORDERED_HANDLE_IN_GLOBAL: &str = "
var t: task;
var x: int;
procedure first() returns (r: int) modifies x; { x := x + 1; r := x; }
procedure second() modifies x; { var r: int; r := wait t; x := x + r; }
procedure main() modifies t, x;
{
  var r: int;
  x := 0;
  async call t := first();
  async call second();
  r := wait t;
  assert x != 2;
}";

#[test]
fn dfw_waits_for_handles_in_globals_of_tasks_that_come_before() {
    let translated = sequentialized(&load(HANDLE_IN_GLOBAL), Scheduler::Dfw(1)).expect("is supported");
    assert!(translated.partial.is_some());
    for delays in 0..=2 {
        let translated = sequentialized(&load(ORDERED_HANDLE_IN_GLOBAL), Scheduler::Dfw(delays));
        assert!(translated.expect("is supported").partial.is_some());
        assert_eq!(agreed(ORDERED_HANDLE_IN_GLOBAL, Scheduler::Dfw(delays), 4).failures.len(), 1);
    }
}

/// One task loops, one is stuck, one waits for nil, and the others end the program.
const NOBODY_FINISHES: &str = "
var x: int;
procedure loops() { while (true) {} }
procedure stuck() { assume false; }
procedure waits() { var t: task; wait t; }
procedure fails() modifies x; { x := 1; assert x != 1; }
procedure main() modifies x; { x := 0; async call KIND(); async call fails(); assume x == 7; }";

#[test]
fn violations_are_found_though_others_do_not_finish() {
    for (kind, delays_df, delays_dfw) in [("loops", 2, 2), ("stuck", 2, 2), ("waits", 2, 1)] {
        let text = NOBODY_FINISHES.replace("KIND", kind);
        for delays in 0..=2 {
            let df = agreed(&text, Scheduler::Df(delays), 2);
            let dfw = agreed(&text, Scheduler::Dfw(delays), 2);
            assert_eq!(df.failures.is_empty(), delays < delays_df, "{kind}, DF({delays})");
            assert_eq!(dfw.failures.is_empty(), delays < delays_dfw, "{kind}, DFW({delays})");
        }
    }
}

/// Waiting for nil is not in the way of others under DFW, and neither is waiting for who waits for nil.
const WAITING_FOR_EVER: &str = "
var x: bool;
procedure waits() { var t: task; wait t; }
procedure {:thread} A() { var t: task; async call t := waits(); wait t; x := true; }
procedure {:thread} B() modifies x; { x := false; assert x; }";

#[test]
fn a_task_that_waits_for_ever_lets_others_run() {
    for delays in 0..=2 {
        assert_eq!(agreed(WAITING_FOR_EVER, Scheduler::Dfw(delays), 1).failures.len(), 1);
        let df = agreed(WAITING_FOR_EVER, Scheduler::Df(delays), 1).failures;
        assert_eq!(df.is_empty(), delays < 1, "DF({delays})");
    }
}

const ATOMIC_WAIT: &str = "
var x, y: bool;
procedure child() modifies x; { x := !x; }
procedure main() modifies x, y;
{
  var t, u: task;
  x := false; y := false;
  async call t := child();
  async call u := child();
  wait u;
  atomic { wait t; y := x; }
  async call t := child();
  atomic { wait t; y := y == x; }
}";

#[test]
fn a_wait_in_an_atomic_block_blocks() {
    for delays in 0..=1 {
        agreed(ATOMIC_WAIT, Scheduler::Df(delays), 1);
        agreed(ATOMIC_WAIT, Scheduler::Dfw(delays), 1);
    }
}

/// Waiting on synchronization objects blocks, under both schedulers.
const CONDITION: &str = r#"program;
var m: mutex;
var c: condvar;
var x: bool = false;
thread main;

proc main() {
entry:
  spawn worker();
  acquire m;
  condwait c m;
  assert !x "woken";
  return;
}

proc worker() {
entry:
  acquire m;
  x := true;
  signal c;
  release m;
  return;
}
"#;

const BARRIER: &str = r#"program;
var b: barrier;
var x: bool = false;
thread main;

proc main() {
entry:
  init b 2;
  spawn worker();
  barrierwait b;
  assert !x "together";
  return;
}

proc worker() {
entry:
  barrierwait b;
  x := true;
  return;
}
"#;

#[test]
fn synchronization_objects_are_shared_variables() {
    for text in [CONDITION, BARRIER] {
        let program = parse(text);
        for (delays, failures) in (0..).zip([0, 1]) {
            for scheduler in [Scheduler::Df(delays), Scheduler::Dfw(delays)] {
                let expected = concurrent(&program, scheduler, 2).expect("is small").failures;
                let translated = sequentialized(&program, scheduler).expect("is supported");
                let actual =
                    narrowed(&program, &translated, Handles::All, 2, 50 * MOST_OPS).expect("is small");
                assert_eq!(expected, actual.failures, "{scheduler:?}");
                assert_eq!(expected.len(), failures, "{scheduler:?}");
            }
        }
    }
}

/// A task can be delayed before its first step, even if nobody can see that step.
const FIRST_STEP: &str = "
var x: bool;
procedure {:thread} A() { assert {:msg \"first\"} false; }
procedure {:thread} B() modifies x; { x := true; assert {:msg \"second\"} !x; }";

#[test]
fn a_task_can_be_delayed_before_it_starts() {
    for (delays, failures) in (0..).zip([1, 2]) {
        assert_eq!(agreed(FIRST_STEP, Scheduler::Df(delays), 1).failures.len(), failures);
        assert_eq!(agreed(FIRST_STEP, Scheduler::Dfw(delays), 1).failures.len(), failures);
    }
}

/// What a callee that starts a task gives back is assigned after the start.
const RESULT_IN_A_GLOBAL: &str = "
var x: int;
procedure last() modifies x; { x := x + 1; }
procedure starts() returns (r: int) { r := 1; async call last(); }
procedure calls() modifies x; { call x := starts(); }
procedure main() modifies x; { x := 0; async call calls(); }";

#[test]
fn results_that_go_to_globals_are_assigned_later() {
    for delays in 0..=2 {
        assert!(!agreed(RESULT_IN_A_GLOBAL, Scheduler::Dfw(delays), 2).valuations.is_empty());
        assert!(!agreed(RESULT_IN_A_GLOBAL, Scheduler::Df(delays), 2).valuations.is_empty());
    }
}
