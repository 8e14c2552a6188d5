//! Runs with a guide.

use interp::{Config, Ending, Guide, IntRange, Limits, ReplayError, Run, Scheduler, Turn, Unknown};
use ir::OpRef;

fn load(text: &str) -> ir::Program {
    let mut map = source::SourceMap::default();
    let file = map.add("text.ir", text);
    ir::text::parse(&map, file).expect("is a program")
}

/// Delays every so often, and chooses one value for everything.
struct Stubborn {
    value: i64,
    /// The thread that is delayed when it comes to be selected for the first time.
    late: Option<usize>,
}

impl Guide for Stubborn {
    fn started(&mut self, _: usize, _: Option<usize>) -> Result<(), String> {
        Ok(())
    }

    fn turn(&mut self) -> Result<Turn, String> {
        Err("it does not say who runs".to_owned())
    }

    fn delays(&mut self, thread: usize, _: bool) -> Result<bool, String> {
        Ok(self.late.take_if(|late| *late == thread).is_some())
    }

    fn begins(&mut self, _: usize, _: OpRef) -> Result<(), String> {
        Ok(())
    }

    fn stops(&mut self, _: usize, _: bool) {}

    fn choose(&mut self, _: usize, what: Unknown<'_>) -> Result<i64, String> {
        if what == Unknown::Nameless { Err("no value".to_owned()) } else { Ok(self.value) }
    }
}

fn config(scheduler: Scheduler, threads: usize) -> Config {
    Config {
        scheduler,
        limits: Limits { threads, ..Limits::default() },
        int_range: IntRange::new(0, 1).expect("is a range"),
        ..Config::default()
    }
}

fn failing(program: &ir::Program, config: &Config, guide: &mut Stubborn) -> Result<Run, ReplayError> {
    let run = interp::guided(program, config, guide)?;
    let replay = interp::replay(program, config, &run).expect("it replays");
    assert!(matches!(replay.ending, Ending::Failed { .. }), "{:?}", replay.ending);
    Ok(run)
}

const CHAIN: &str = "program;
var x: int = 0;
thread main;

proc main() {
  local i: int;
  local t: task;
  local r: int;
entry:
  i := 0;
  goto head;
head:
  branch i < 5000 then body else end;
body:
  t := spawn next(i);
  r := wait t;
  i := i + r;
  goto head;
end:
  assert x != 5000;
  return;
}

proc next(i: int) returns (r: int) {
entry:
  assume x == i;
  x := x + 1;
  r := 1;
  return;
}
";

/// Tasks that are started and waited for one after the other are far more than there can be threads in a set.
#[test]
fn thousands_of_tasks() {
    let program = load(CHAIN);
    let guide = || Stubborn { value: 0, late: None };
    let run = failing(&program, &config(Scheduler::Dfw(0), 6000), &mut guide()).expect("there is such a run");
    assert!(run.steps.len() > 20_000);
    let refused = failing(&program, &config(Scheduler::Dfw(0), 100), &mut guide()).expect_err("too many");
    assert!(refused.to_string().contains("more than 100 threads"), "{refused}");
}

const ARBITRARY: &str = "program;
var x: int;
thread first;
thread second;

proc first() {
entry:
  x := 2;
  return;
}

proc second() {
  local y: int;
entry:
  assert x + y != 14;
  return;
}
";

#[test]
fn the_guide_chooses_and_delays() {
    let program = load(ARBITRARY);
    let df = config(Scheduler::Df(1), 10);
    let late = Stubborn { value: 7, late: Some(0) };
    let run = failing(&program, &df, &mut { late }).expect("there is such a run");
    assert_eq!(run.steps.iter().flat_map(|step| step.choices.clone()).collect::<Vec<_>>(), [7, 7]);
    assert!(run.steps[0].delay && !run.steps[1].delay);
    let early = failing(&program, &df, &mut Stubborn { value: 7, late: None }).expect_err("none fails");
    assert!(early.to_string().contains("no thread can run"), "{early}");
    let all = failing(&program, &config(Scheduler::All, 10), &mut Stubborn { value: 7, late: None });
    assert!(all.is_err());
}
