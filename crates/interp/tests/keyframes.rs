//! Which runs are infinite executions, when stacks change on the way: the judge of `replay`.

use interp::{Config, Ending, Fairness, Growth, Run, Step, replay};

fn load(text: &str) -> ir::Program {
    let mut map = source::SourceMap::default();
    let file = map.add("text.ir", format!("program;\nvar stop: bool = false;\nthread main;\n{text}"));
    ir::text::parse(&map, file).expect("is a program")
}

/// How a run ends that repeats its steps from one of them on. Threads step one after the other; a step makes one choice, or
/// none.
fn ending(program: &str, steps: &[(usize, Option<i64>)], lasso_start: usize) -> Ending {
    let step = |&(thread, choice): &(usize, Option<i64>)| Step {
        thread,
        delay: false,
        choices: choice.into_iter().collect(),
    };
    let steps = steps.iter().map(step).collect();
    let run = Run { initial: Vec::new(), steps, lasso_start: Some(lasso_start) };
    replay(&load(program), &Config::default(), &run).expect("there is such a run").ending
}

/// By how many calls the stack of the first thread grows, if the run is an infinite execution in which only that one runs.
fn grows(ending: &Ending) -> Option<usize> {
    match ending {
        Ending::Lasso { fairness: Fairness::Strong, growing, .. } => {
            Some(growing.iter().map(|&Growth { thread, calls }| if thread == 0 { calls } else { 0 }).sum())
        }
        Ending::Open => None,
        other => panic!("{other:?}"),
    }
}

/// A procedure that calls itself as long as nobody stops it. The frame below is another one each time.
#[test]
fn the_stack_grows() {
    let program = "
proc main() {
entry:
  call p(0);
  return;
}
proc p(n: int) {
entry:
  branch stop then end else more;
more:
  call p(n);
  goto end;
end:
  return;
}";
    for steps in 2..5 {
        assert_eq!(grows(&ending(program, &vec![(0, None); steps], 1)), Some(steps - 1));
    }
    // Before the first call it was in another procedure.
    assert_eq!(grows(&ending(program, &[(0, None); 2], 0)), None);
    // A parameter that counts is never the same.
    assert_eq!(grows(&ending(&program.replace("call p(n)", "call p(n + 1)"), &[(0, None); 3], 1)), None);
}

/// Frames that are all alike, and fewer each time: the newest two are the same before and after, but one day there
/// are no more.
#[test]
fn a_stack_that_gets_lower_ends() {
    let program = "
proc main() {
entry:
  call p();
  return;
}
proc p() {
entry:
  choose deeper, again;
deeper:
  call p();
  goto again;
again:
  branch stop then again else end;
end:
  return;
}";
    let down = [(0, None), (0, Some(0)), (0, Some(0)), (0, Some(1))];
    let steps: Vec<_> = down.into_iter().chain([(0, None)]).collect();
    assert_eq!(grows(&ending(program, &steps, 4)), None);
    // If it calls itself once more before it returns, it is as deep as before, and goes on for ever.
    let bouncing = program.replace("else end;\nend:", "else bounce;\nbounce:\n  choose deeper, end;\nend:");
    let steps: Vec<_> = down.into_iter().chain([(0, Some(0)), (0, Some(1)), (0, Some(1))]).collect();
    assert_eq!(grows(&ending(&bouncing, &steps, 4)), Some(0));
    assert_eq!(grows(&ending(&bouncing, &steps[..6], 4)), Some(1));
}

/// The lasso begins in a procedure that returns; its caller then calls itself.
const RETURNS: &str = "
proc main() {
entry:
  call p(0);
  return;
}
proc p(n: int) {
  local m: int;
entry:
  m := 0;
  call q();
  call p(m);
  return;
}
proc q() {
entry:
  branch stop then end else end;
end:
  return;
}";

#[test]
fn frames_that_are_returned_to_are_compared() {
    // To the entry of p, to that of q, on to the entry of the next p, and so on.
    assert_eq!(grows(&ending(RETURNS, &[(0, None); 4], 2)), Some(1));
    assert_eq!(grows(&ending(RETURNS, &[(0, None); 6], 2)), Some(2));
    assert_eq!(grows(&ending(RETURNS, &[(0, None); 3], 2)), None);
    let counting = RETURNS.replace("m := 0", "m := n + 1");
    assert_eq!(grows(&ending(&counting, &[(0, None); 4], 2)), None);
}

/// Each frame keeps the handle of a task that has completed. The next time it is another number, which makes no
/// difference.
#[test]
fn tasks_that_frames_below_keep_do_not_matter() {
    let program = "
var last: task;
proc main() {
entry:
  call p();
  return;
}
proc p() {
  local t: task;
entry:
  t := spawn q(7);
  wait t;
  last := t;
  call p();
  return;
}
proc q(n: int) returns (r: int) {
entry:
  r := n;
  return;
}";
    // It is started, runs and completes, is waited for; then comes the call.
    let once = |task: usize| [(0, None), (task, None), (task, None), (0, None), (0, None)];
    let steps: Vec<_> = [(0, None)].into_iter().chain((1..4).flat_map(once)).collect();
    assert_eq!(grows(&ending(program, &steps[..11], 6)), Some(1));
    assert_eq!(grows(&ending(program, &steps, 6)), Some(2));
    // There is no task yet in the variable.
    assert_eq!(grows(&ending(program, &steps[..6], 1)), None);
}

/// A completed task is not like another one with another result.
#[test]
fn the_results_of_tasks_matter() {
    let program = "
var last: task;
var flip: int = 0;
proc main() {
entry:
  call p();
  return;
}
proc p() {
  local t: task;
entry:
  flip := 1 - flip;
  t := spawn q(flip);
  wait t;
  last := t;
  call p();
  return;
}
proc q(n: int) returns (r: int) {
entry:
  r := n;
  return;
}";
    let once = |task: usize| [(0, None), (0, None), (task, None), (task, None), (0, None), (0, None)];
    let steps: Vec<_> = [(0, None)].into_iter().chain((1..5).flat_map(once)).collect();
    assert_eq!(grows(&ending(program, &steps[..13], 7)), None);
    assert_eq!(grows(&ending(program, &steps[..19], 7)), Some(2));
}
