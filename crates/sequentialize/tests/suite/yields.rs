//! Tasks that are switched at yields only: how yields get into random programs, which have few of their own, and
//! programs that show what a task does between two yields.

use fastrand::Rng;
use interp::Scheduler;
use random::{Program, Stmt};

use crate::harness::at_yields;
use crate::texts::agreed;

/// Puts a yield before some of the statements, and into each loop: a step is finite.
pub(crate) fn add(program: &mut Program, seed: u64) {
    let mut rng = Rng::with_seed(seed);
    for proc in &mut program.procs {
        add_to_block(&mut proc.body, &mut rng);
    }
}

fn add_to_block(block: &mut Vec<Stmt>, rng: &mut Rng) {
    for mut stmt in std::mem::take(block) {
        let loops = matches!(stmt, Stmt::While(..));
        for inner in stmt.blocks_mut() {
            add_to_block(inner, rng);
            if loops {
                inner.insert(0, Stmt::Yield);
            }
        }
        if rng.u8(0..3) == 0 {
            block.push(Stmt::Yield);
        }
        block.push(stmt);
    }
}

/// Puts a yield before some of the ops.
pub(crate) fn add_to_ir(program: &mut ir::Program, seed: u64) {
    let mut rng = Rng::with_seed(seed);
    for block in program.procs.values_mut().flat_map(|proc| proc.blocks.values_mut()) {
        for stmt in std::mem::take(&mut block.stmts) {
            if rng.u8(0..3) == 0 {
                block.stmts.push(ir::Stmt { op: ir::Op::Yield, span: stmt.span });
            }
            block.stmts.push(stmt);
        }
    }
}

/// Whoever runs while `half` is set sees a task between two yields.
const HALF: &str = "
var half, full, g: bool;
procedure one() returns (r: bool) { r := true; }
procedure A() modifies half, full, g; { var t: task; BODY }
procedure B() modifies half, full, g; { assert !half; full := true; }
procedure main() modifies half, full, g;
{
  half := false; full := false; g := false;
  async call A();
  async call B();
}";

/// Whether the assertion fails under DF(K) and DFW(K), the same both ways.
fn seen(body: &str, delays: u32) -> [bool; 2] {
    let text = HALF.replace("BODY", body);
    let schedulers = [Scheduler::Df(delays), Scheduler::Dfw(delays)];
    schedulers.map(|scheduler| !agreed(&text, at_yields(scheduler), 2).failures.is_empty())
}

#[test]
fn a_task_is_switched_at_a_yield() {
    let body = "half := true; yield; half := false;";
    assert_eq!([0, 1, 2].map(|delays| seen(body, delays)), [[false; 2], [true; 2], [true; 2]]);
}

#[test]
fn a_task_is_switched_where_it_blocks() {
    let body = "half := true; async call t := one(); wait t; half := false;";
    assert_eq!([0, 1].map(|delays| seen(body, delays)), [[false; 2], [true; 2]]);
}

#[test]
fn a_task_is_switched_nowhere_else() {
    let between = [
        "g := !g;",
        "call g := one();",
        "if (*) { assume full; }",
        "atomic { assume !full; yield; }",
        "atomic { assume full; }",
        "assert g ==> !g; async call t := one();",
        "wait t;",
    ];
    for ops in between {
        let body = format!("async call t := one(); yield; wait t; half := true; {ops} half := false;");
        for delays in 0..=2 {
            assert_eq!(seen(&body, delays), [false; 2], "{ops}, {delays} delays");
        }
    }
}

/// A task can be delayed before its first step, though that starts with no yield.
const UNSEEN_START: &str = "
var x: int;
procedure A() modifies x; { x := x + x; }
procedure main() modifies x; { x := 1; async call A(); async call A(); x := x + 1; }";

/// A failing assertion is not put off.
const FAILS_AT_ONCE: &str = "
var x: int;
procedure A() modifies x; { x := 1; assert {:msg \"first\"} false; }
procedure B() { assert {:msg \"second\"} x == 0; }
procedure main() modifies x; { x := 0; async call A(); async call B(); }";

/// One task is blocked for ever, and the others end the program.
const BLOCKED_FOR_EVER: &str = "
var x: int;
var m: mutex;
procedure A() modifies x, m; { x := 1; acquire m; x := 2; }
procedure B() { assert x != 1; }
procedure main() modifies x, m; { x := 0; acquire m; async call A(); async call B(); }";

#[test]
fn tasks_start_fail_and_block_as_under_the_scheduler() {
    for delays in 0..=2 {
        for scheduler in [Scheduler::Df(delays), Scheduler::Dfw(delays)] {
            let schedules = at_yields(scheduler);
            agreed(UNSEEN_START, schedules, 8);
            assert_eq!(agreed(FAILS_AT_ONCE, schedules, 2).failures.len(), 1, "{schedules:?}");
            let blocked = agreed(BLOCKED_FOR_EVER, schedules, 2).failures;
            assert_eq!(blocked.is_empty(), delays == 0, "{schedules:?}");
        }
    }
}
