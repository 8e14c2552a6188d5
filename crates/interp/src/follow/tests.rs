//! Schedules written by hand.

use ir::OpRef;
use source::SourceMap;

use super::{Conduct, Constraints, Followed, Problem, Standing, StepTaken, follow};
use crate::explore::Flow;
use crate::run::{Config, ViolationKind};

fn parsed(text: &str) -> ir::Program {
    let mut map = SourceMap::default();
    let file = map.add("text.ir", format!("program;{text}"));
    let program = ir::text::parse(&map, file).unwrap_or_else(|problems| panic!("{problems:?}"));
    assert_eq!(ir::validate(&program), Ok(()));
    program
}

/// A schedule made of two functions.
struct Written<P, N> {
    permitted: P,
    next: N,
}

impl<P: FnMut(u32) -> Vec<u32>, N: FnMut(u32, &StepTaken<'_>) -> Option<u32>> Constraints for Written<P, N> {
    fn root(&mut self) -> u32 {
        0
    }

    fn permitted(&mut self, node: u32) -> Vec<u32> {
        (self.permitted)(node)
    }

    fn next(&mut self, node: u32, step: &StepTaken<'_>) -> Option<u32> {
        (self.next)(node, step)
    }
}

fn followed(
    text: &str,
    permitted: impl FnMut(u32) -> Vec<u32>,
    next: impl FnMut(u32, &StepTaken<'_>) -> Option<u32>,
) -> Followed {
    let mut written = Written { permitted, next };
    follow(&parsed(text), &Config::default(), &mut written, &mut |_| Flow::Continue)
}

/// Follows a schedule in which one thread runs at a time; after the last turn comes that with the given number.
fn in_turn(text: &str, turns: &[u32], back_to: u32) -> Followed {
    let count = u32::try_from(turns.len()).expect("is small");
    let next = |node: u32, _: &StepTaken<'_>| Some(if node + 1 == count { back_to } else { node + 1 });
    followed(text, |node| vec![turns[node as usize]], next)
}

fn problem(followed: Followed) -> Problem {
    match followed.conduct {
        Conduct::Wrong(problem, _) => problem,
        conduct => panic!("{conduct:?}"),
    }
}

const TWO_LOCKS: &str = "var m: mutex; var n: mutex; thread a; thread b;
    proc a() { l: acquire m; acquire n; release n; release m; goto l; }
    proc b() { l: acquire n; acquire m; release m; release n; goto l; }";

#[test]
fn taking_turns_avoids_the_deadlock() {
    let followed = in_turn(TWO_LOCKS, &[0, 0, 0, 0, 1, 1, 1, 1], 0);
    assert_eq!((followed.conduct, followed.states, followed.steps), (Conduct::Fine, 8, 8));
}

#[test]
fn without_constraints_there_is_the_deadlock() {
    let followed = followed(TWO_LOCKS, |_| vec![0, 1], |_, _| Some(0));
    let Conduct::Wrong(problem, moves) = followed.conduct else { panic!("{followed:?}") };
    assert!(matches!(problem, Problem::Violation { kind: ViolationKind::Deadlock, .. }), "{problem:?}");
    assert_eq!(moves.iter().map(|m| m.thread).collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn a_thread_that_never_runs_is_treated_unfairly() {
    let followed = in_turn(TWO_LOCKS, &[0], 0);
    let Conduct::Wrong(problem, moves) = followed.conduct else { panic!("{followed:?}") };
    assert_eq!(problem, Problem::Unfair { thread: 1, lasso_start: 0 });
    assert_eq!(moves.len(), 4);
    // It is no better if it ran at first.
    let followed = in_turn(TWO_LOCKS, &[1, 1, 1, 1, 0, 0, 0, 0], 4);
    let Conduct::Wrong(problem, moves) = followed.conduct else { panic!("{followed:?}") };
    assert_eq!(problem, Problem::Unfair { thread: 1, lasso_start: 4 });
    assert_eq!(moves.len(), 8);
}

#[test]
fn only_a_thread_may_run_that_cannot() {
    let followed = in_turn(TWO_LOCKS, &[0, 0, 1, 1], 0);
    let Conduct::Wrong(problem, moves) = followed.conduct else { panic!("{followed:?}") };
    assert_eq!(problem, Problem::Stuck { enabled: vec![0] });
    assert_eq!(moves.len(), 2);
}

#[test]
fn a_blocked_thread_may_be_permitted() {
    // The second thread is permitted all the time and runs when it can.
    let text = "var x: int = 0; thread a; thread b;
        proc a() { e: x := 1; x := 2; return; }
        proc b() { e: await x == 2; return; }";
    let followed = followed(text, |_| vec![0, 1], |_, _| Some(0));
    assert_eq!(followed.conduct, Conduct::Fine);
}

#[test]
fn every_permitted_step_needs_an_edge() {
    let followed = followed(TWO_LOCKS, |_| vec![0], |node, _| (node < 2).then_some(node + 1));
    let Conduct::Wrong(Problem::NoEdge { thread, ops, location }, moves) = followed.conduct else {
        panic!("{followed:?}")
    };
    assert_eq!((thread, moves.len()), (0, 2));
    // The release is a section of four ops.
    assert_eq!(ops.iter().map(|op| op.index).collect::<Vec<_>>(), [2, 3, 4, 5]);
    let next = |standing: &Standing| match standing {
        Standing::Running(ops) => ops.iter().map(|op| op.index).collect::<Vec<_>>(),
        Standing::Completed(_) => Vec::new(),
    };
    assert_eq!(location.iter().map(next).collect::<Vec<_>>(), [[6], [0]]);
}

const COUNTED: &str = "var count: int = 0; thread a; thread b;
    proc a() { l: assert count < 2; count := count + 1; goto l; }
    proc b() { l: assert count > 0; count := count - 1; goto l; }";

#[test]
fn assertions_fail_where_they_are_permitted_to() {
    let produce = [0, 0];
    let consume = [1, 1];
    assert_eq!(in_turn(COUNTED, &[produce, consume].concat(), 0).conduct, Conduct::Fine);
    let twice = [produce, produce, consume, consume].concat();
    assert_eq!(in_turn(COUNTED, &twice, 0).conduct, Conduct::Fine);
    let followed = in_turn(COUNTED, &[produce, produce, produce].concat(), 0);
    let problem = problem(followed);
    assert!(matches!(problem, Problem::Violation { kind: ViolationKind::Assertion, .. }), "{problem:?}");
}

#[test]
fn a_schedule_has_to_allow_for_all_values() {
    let text = "var x: bool; var n: int = 0; thread a;
        proc a() { e: branch x then t else f; t: n := 1; return; f: n := 2; return; }";
    let on_the_way = |standing: &[Standing], block: usize| match &standing[0] {
        Standing::Running(ops) => ops[0].block.as_u32() as usize == block,
        Standing::Completed(_) => false,
    };
    // The ops are the same, and the location is not.
    let all = followed(
        text,
        |_| vec![0],
        |node, step| match node {
            0 if on_the_way(step.location, 1) => Some(1),
            0 if on_the_way(step.location, 2) => Some(2),
            1..=4 => Some(node + 2),
            _ => None,
        },
    );
    assert_eq!((all.conduct, all.states), (Conduct::Fine, 7));
    let some = followed(
        text,
        |_| vec![0],
        |node, step| (node > 0 || on_the_way(step.location, 1)).then_some(node + 1),
    );
    assert!(matches!(problem(some), Problem::NoEdge { .. }));
}

#[test]
fn threads_keep_their_numbers() {
    let text = "var x: int = 0; thread main;
        proc main() { local t: task;
          e: t := spawn p(); wait t; t := nil; x := 0; t := spawn p(); wait t; return; }
        proc p() { e: x := 1; return; }";
    let mut seen = Vec::new();
    let followed = followed(
        text,
        |_| vec![0, 1, 2],
        |node, step| {
            seen.push((step.thread, step.location.len()));
            Some(node + 1)
        },
    );
    assert_eq!(followed.conduct, Conduct::Fine);
    // Start, run and complete, wait, clear, start again.
    let expected = [(0, 2), (1, 2), (1, 2), (0, 2), (0, 2), (0, 3), (2, 3), (2, 3), (0, 3), (0, 3)];
    assert_eq!(seen, expected);
}

#[test]
fn after_an_exit_there_are_no_threads() {
    let text = "var x: int = 0; thread a; thread b;
        proc a() { e: x := 1; exit; }
        proc b() { e: await x == 2; return; }";
    let mut last = None;
    let followed = followed(
        text,
        |_| vec![0],
        |_, step| {
            last = Some(step.location.len());
            Some(0)
        },
    );
    assert_eq!((followed.conduct, last), (Conduct::Fine, Some(0)));
}

#[test]
fn what_stays_at_an_assume_is_no_deadlock() {
    let text = "var x: int = 0; thread a; proc a() { e: x := 0; assume x == 1; assert false; return; }";
    assert_eq!(in_turn(text, &[0], 0).conduct, Conduct::Fine);
}

#[test]
fn what_cannot_be_followed_is_not_known() {
    let text = "thread a; proc a() { e: opaque \"something\"; return; }";
    assert!(matches!(in_turn(text, &[0], 0).conduct, Conduct::Cut(_)));
}

#[test]
fn calls_are_a_part_of_the_location() {
    let text = "var x: int = 0; thread a;
        proc a() { e: call p(); return; }
        proc p() { e: x := 1; x := 2; return; }";
    let mut depths = Vec::new();
    let followed = followed(
        text,
        |_| vec![0],
        |node, step| {
            let depth = |standing: &Standing| match standing {
                Standing::Running(ops) => ops.len(),
                Standing::Completed(_) => 0,
            };
            let first: Option<&OpRef> = step.ops.first();
            depths.push((first.map(|op| op.proc.as_u32()), depth(&step.location[0])));
            Some(node + 1)
        },
    );
    assert_eq!(followed.conduct, Conduct::Fine);
    assert_eq!(depths, [(Some(0), 2), (Some(1), 2), (Some(1), 1), (Some(0), 0)]);
}
