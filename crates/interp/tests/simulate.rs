//! Simulations end, whatever the schedule, and tell what the globals are in the end.

use interp::{Config, End, Schedule, Simulation, ViolationKind, simulate};
use source::SourceMap;

const SCHEDULES: [Schedule; 6] = [
    Schedule::Oldest,
    Schedule::Newest,
    Schedule::RoundRobin,
    Schedule::Random(1),
    Schedule::Random(2),
    Schedule::Random(3),
];

fn along(text: &str, schedule: Schedule) -> Simulation {
    let mut map = SourceMap::default();
    let file = map.add("test.ir", format!("program;\n{text}"));
    let program = ir::text::parse(&map, file).expect("the program of the test is right");
    simulate(&program, &Config::default(), schedule, 20_000)
}

/// Main starts a worker, spins until it is done, and writes down what it finds.
const SPIN: &str = r"
var done: bool = false;
var log: [int]int;
var count: int = 0;
thread main;
proc main() {
  local t: task;
entry:
  t := spawn worker(5);
  goto head;
head:
  branch done then end else head;
end:
  log[count] := 7;
  count := count + 1;
  return;
}
proc worker(n: int) {
entry:
  log[count] := n;
  count := count + 1;
  done := true;
  return;
}
";

#[test]
fn every_schedule_comes_to_the_same_end() {
    for schedule in SCHEDULES {
        let simulation = along(SPIN, schedule);
        assert_eq!(simulation.end, End::Completed, "{schedule:?}");
        assert_eq!(simulation.global("count"), Some(&interp::Value::Scalar(2)), "{schedule:?}");
        let log = simulation.global("log").expect("it is there");
        assert_eq!((log.cell(0), log.cell(1), log.cell(2)), (Some(5), Some(7), None), "{schedule:?}");
        assert_eq!(simulation.global("nothing"), None);
    }
}

#[test]
fn what_is_wrong_is_told() {
    let deadlock =
        "var m: mutex;\nthread main;\nproc main() {\nentry:\n  acquire m;\n  acquire m;\n  return;\n}\n";
    let failing = "thread main;\nproc main() {\nentry:\n  assert false \"never\";\n  return;\n}\n";
    let endless = "var g: int = 0;\nthread main;\nproc main() {\nentry:\n  g := 0;\n  goto entry;\n}\n";
    let refused = "var g: int = 0;\nthread main;\nproc main() {\nentry:\n  assume g == 1;\n  return;\n}\n";
    for schedule in SCHEDULES {
        let end = |text| along(text, schedule).end;
        assert!(matches!(end(deadlock), End::Violation(ViolationKind::Deadlock, ..)), "{schedule:?}");
        assert!(matches!(end(failing), End::Violation(ViolationKind::Assertion, ..)), "{schedule:?}");
        assert!(matches!(end(endless), End::TooLong), "{schedule:?}");
        assert!(matches!(end(refused), End::Discarded(_)), "{schedule:?}");
    }
}

#[test]
fn choices_that_block_are_passed_over() {
    let text = "var g: int;\nvar seen: int = 0;\nthread main;\nproc main() {\nentry:\n  begin atomic;\n  havoc g;\n  assume g == 3;\n  seen := g;\n  end atomic;\n  return;\n}\n";
    for schedule in SCHEDULES {
        let simulation = along(text, schedule);
        assert_eq!(simulation.end, End::Completed, "{schedule:?}");
        assert_eq!(simulation.global("seen"), Some(&interp::Value::Scalar(3)), "{schedule:?}");
    }
}
