//! The judge of response properties: a run shows a broken one only if it is broken in it.

use engine::{Checks, Claim, Config, Disagreement, Fairness, Finding, Run, Step, ViolationKind, confirm};
use source::SourceMap;

/// `x` goes round 0, 1, 2; another thread can do something else.
const PROGRAM: &str = "program;
var x: int = 0;
var y: bool;
thread count;
thread other;

proc count() {
entry:
  await x < 2 then x := x + 1;
  progress;
  choose entry, back;
back:
  x := 0;
  goto entry;
}

proc other() {
entry:
  await x == 2;
  x := 5;
  return;
}
";

/// Judges the run of steps (the thread and its choices) that repeats from a step on.
fn judge(property: &str, steps: &[(usize, &[i64])], start: usize) -> Result<Finding, Disagreement> {
    judge_as(Fairness::None, property, &[], steps, start)
}

fn judge_as(
    fairness: Fairness,
    property: &str,
    initial: &[i64],
    steps: &[(usize, &[i64])],
    start: usize,
) -> Result<Finding, Disagreement> {
    let mut map = SourceMap::default();
    let file = map.add("p.ir", PROGRAM);
    let mut program = ir::text::parse(&map, file).unwrap();
    let file = map.add("property", property);
    let response = Some(ir::text::parse_response(&map, file, &mut program).unwrap());
    assert_eq!(ir::validate(&program), Ok(()));
    let config = Config { checks: Checks { response, ..Checks::default() }, ..Config::default() };
    let step =
        |&(thread, choices): &(usize, &[i64])| Step { thread, delay: false, choices: choices.to_vec() };
    let steps = steps.iter().map(step).collect();
    let run = Run { initial: initial.to_vec(), steps, lasso_start: Some(start) };
    confirm(&program, &config, &run, Claim { kind: ViolationKind::NonTermination, fairness, at: None })
}

const ON: (usize, &[i64]) = (0, &[0]);
const TO_BACK: (usize, &[i64]) = (0, &[1]);
const BACK: (usize, &[i64]) = (0, &[]);

fn message(judged: Result<Finding, Disagreement>) -> String {
    judged.map_or_else(|error| error.message, |finding| finding.message().to_owned())
}

const ANSWERED: &str = "in the infinite execution every request is answered";

#[test]
fn the_step_is_the_one_at_which_the_request_held() {
    let round = [TO_BACK, BACK];
    let judged = message(judge("x == 1 ~> x == 2", &round, 0));
    assert_eq!(judged, "from step 1 on, `x == 1` held and `x == 2` never does");
    let judged = message(judge("x == 0 ~> x == 2", &round, 0));
    assert_eq!(judged, "from the start on, `x == 0` held and `x == 2` never does");
}

#[test]
fn an_answer_in_the_same_state_or_later_will_do() {
    let round = [TO_BACK, BACK];
    assert_eq!(message(judge("x == 1 ~> x > 0", &round, 0)), ANSWERED);
    assert_eq!(message(judge("x == 1 ~> x == 0", &round, 0)), ANSWERED);
    assert_eq!(message(judge("x == 2 ~> false", &round, 0)), ANSWERED);
}

#[test]
fn an_answer_before_the_request_or_before_the_lasso_does_not_count() {
    // 0 1 2 0 1 0 1 0 ...: once there is a 2, and never again.
    let steps = [ON, TO_BACK, BACK, TO_BACK, BACK];
    let judged = message(judge("x == 1 ~> x == 2", &steps, 3));
    assert_eq!(judged, "from step 4 on, `x == 1` held and `x == 2` never does");
    // Of a lasso that goes back to where it began, what comes first comes last, too.
    assert_eq!(message(judge("x == 1 ~> x == 2", &steps, 0)), ANSWERED);
}

#[test]
fn who_could_answer_has_to_be_let_run() {
    // The other thread can set `x` to 5 whenever it is 2, and is not let run.
    let steps = [ON, TO_BACK, BACK];
    let judged = |fairness| message(judge_as(fairness, "x == 1 ~> x == 5", &[], &steps, 0));
    assert_eq!(judged(Fairness::Weak), "from step 1 on, `x == 1` held and `x == 5` never does");
    assert_eq!(judged(Fairness::Strong), "the infinite execution is not as fair as it should be");
}

#[test]
fn arbitrary_values_that_matter_are_choices_of_the_run() {
    let round = [TO_BACK, BACK];
    let judged = |initial: &[i64]| message(judge_as(Fairness::None, "y ~> x == 2", initial, &round, 0));
    assert_eq!(judged(&[1]), "from the start on, `y` held and `x == 2` never does");
    assert_eq!(judged(&[0]), ANSWERED);
    assert!(judged(&[0, 1]).contains("choices that the program does not make"));
}
