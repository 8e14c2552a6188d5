//! No run is reported unless it shows what is claimed.

use engine::{
    Budget, Cancel, Checks, Claim, Config, Exhausted, Fairness, Finding, Observer, Outcome, Reason, Run,
    Step, Verdict, ViolationKind, confirm, explore,
};
use ir::Program;
use source::SourceMap;
use std::time::Duration;

/// A clock that moves on a second whenever it is looked at.
#[derive(Default)]
struct Steady(std::cell::Cell<u64>);

impl Observer for Steady {
    fn now(&self) -> Duration {
        self.0.set(self.0.get() + 1);
        Duration::from_secs(self.0.get())
    }

    fn memory(&self) -> Option<u64> {
        Some(1000)
    }
}

fn program(text: &str) -> Program {
    let mut map = SourceMap::default();
    let file = map.add("p.ir", text);
    let program =
        ir::text::parse(&map, file).unwrap_or_else(|e| panic!("{}", source::render_all(&map, &e, false)));
    ir::validate(&program).unwrap();
    program
}

/// One thread that may fail, stop at a lock it holds, or loop.
fn choices() -> Program {
    program(
        "program;
var m: mutex;
var x: int = 0;
thread main;

proc main() {
entry:
  choose fail, block, loop, done;
fail:
  assert x == 1;
  return;
block:
  acquire m;
  acquire m;
  return;
loop:
  x := 0;
  goto loop;
done:
  return;
}
",
    )
}

fn run(program: &Program, config: &Config, budget: Budget, cancel: &Cancel) -> Outcome {
    explore(program, config, &budget, cancel, &mut Steady::default()).unwrap()
}

fn findings(checks: Checks) -> Vec<Finding> {
    let config = Config { checks, most_violations: 10, ..Config::default() };
    run(&choices(), &config, Budget::default(), &Cancel::default()).verdict.findings().to_vec()
}

const NOTHING: Checks = Checks {
    assertions: false,
    memory: false,
    deadlocks: false,
    races: false,
    non_termination: None,
    response: None,
    atomicity: false,
};

fn all_kinds() -> Vec<Finding> {
    let mut all = findings(Checks { assertions: true, ..NOTHING });
    all.extend(findings(Checks { deadlocks: true, ..NOTHING }));
    all.extend(findings(Checks { non_termination: Some(Fairness::Strong), ..NOTHING }));
    all
}

#[test]
fn what_is_true_is_confirmed_and_nothing_else() {
    let program = choices();
    let all = all_kinds();
    let kinds: Vec<ViolationKind> = all.iter().map(Finding::kind).collect();
    assert_eq!(kinds, [ViolationKind::Assertion, ViolationKind::Deadlock, ViolationKind::NonTermination]);
    for finding in &all {
        for &kind in &kinds {
            let claim = Claim { kind, fairness: Fairness::Strong, at: None };
            let confirmed = confirm(&program, &Config::default(), finding.run(), claim);
            assert_eq!(confirmed.is_ok(), kind == finding.kind(), "{:?} as {kind:?}", finding.kind());
        }
    }
}

#[test]
fn another_op_is_a_disagreement() {
    let all = all_kinds();
    let (assertion, deadlock) = (&all[0], &all[1]);
    let claim = Claim {
        kind: ViolationKind::Assertion,
        fairness: Fairness::None,
        at: Some((deadlock.access().at, None)),
    };
    let error = confirm(&choices(), &Config::default(), assertion.run(), claim).unwrap_err();
    assert!(error.to_string().ends_with("the violation is at another op"), "{error}");
}

#[test]
fn runs_that_do_not_exist_are_refused() {
    let claim = Claim { kind: ViolationKind::Assertion, fairness: Fairness::None, at: None };
    let step = |thread, choices: &[i64]| Step { thread, delay: false, choices: choices.to_vec() };
    for steps in [
        vec![],
        vec![step(1, &[])],
        vec![step(0, &[9])],
        vec![step(0, &[-1])],
        vec![step(0, &[3, 3])],
        vec![step(0, &[3]); 5],
        vec![Step { thread: 0, delay: true, choices: vec![] }],
    ] {
        let run = Run { initial: vec![], steps, lasso_start: None };
        assert!(confirm(&choices(), &Config::default(), &run, claim).is_err(), "{run:?}");
    }
}

#[test]
fn an_unfair_lasso_is_not_taken_for_a_fair_one() {
    let program = program(
        "program;
var x: int = 0;
thread spin;
thread idle;

proc spin() {
entry:
  x := 0;
  goto entry;
}

proc idle() {
entry:
  x := 0;
  return;
}
",
    );
    let checks = Checks { non_termination: Some(Fairness::None), ..NOTHING };
    let run = Run {
        initial: vec![],
        steps: vec![Step { thread: 0, delay: false, choices: vec![] }; 2],
        lasso_start: Some(1),
    };
    let config = Config { checks, ..Config::default() };
    let confirmed = |fairness| {
        confirm(&program, &config, &run, Claim { kind: ViolationKind::NonTermination, fairness, at: None })
    };
    assert!(confirmed(Fairness::None).is_ok());
    let error = confirmed(Fairness::Weak).unwrap_err();
    assert!(error.to_string().ends_with("not as fair as it should be"), "{error}");
}

#[test]
fn what_stops_the_search_is_the_reason() {
    let program = program(
        "program;
var x: int;
thread main;

proc main() {
entry:
  havoc x;
  assume x == x;
  goto entry;
}
",
    );
    let config = Config { int_range: engine::IntRange::new(0, 1 << 30).unwrap(), ..Config::default() };
    let reason = |budget: Budget, cancel: &Cancel| match run(&program, &config, budget, cancel).verdict {
        Verdict::Unknown(Reason::Exhausted(reason)) => reason,
        other => panic!("{other:?}"),
    };
    let seconds = Duration::from_secs(5);
    let budget = Budget { time: Some(seconds), memory: None };
    assert_eq!(reason(budget, &Cancel::default()), Exhausted::Time(seconds));
    let budget = Budget { time: None, memory: Some(1000) };
    assert_eq!(reason(budget, &Cancel::default()), Exhausted::Memory(1000));
    let cancel = Cancel::default();
    cancel.cancel();
    assert_eq!(reason(Budget::default(), &cancel), Exhausted::Cancelled);
}
