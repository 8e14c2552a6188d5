//! The explorer and the reference agree on everything: failures, deadlocks, final valuations.

use std::collections::BTreeSet;

use random::{Program, Style, to_ir};

use crate::harness::{Finding, Found, MOST_REFERENCE_STATES, check_all, config, explored, found, scaled};
use crate::reference;

fn agrees_with_reference(program: &Program) -> Finding {
    let Some(truth) = reference::explore(program, MOST_REFERENCE_STATES) else { return Finding::Skipped };
    let Some(exploration) = explored(&to_ir(program), &config()) else { return Finding::Skipped };
    let expected = Found { failures: truth.failures, deadlock: truth.deadlock, valuations: truth.valuations };
    let actual = found(program, &exploration);
    if actual == expected {
        Finding::Agrees
    } else {
        Finding::Differs(format!("the reference has {expected:?}, the explorer {actual:?}"))
    }
}

#[test]
fn threads_agree_with_reference() {
    let checked = check_all(Style::Threads, scaled(500), agrees_with_reference);
    println!("{checked} programs");
}

#[test]
fn tasks_agree_with_reference() {
    let checked = check_all(Style::Tasks, scaled(500), agrees_with_reference);
    println!("{checked} programs");
}

#[test]
fn mixed_programs_agree_with_reference() {
    let checked = check_all(Style::Mixed, scaled(500), agrees_with_reference);
    println!("{checked} programs");
}

/// Reached in one step with what comes before it, a failure must not hide what others do in between.
#[test]
fn a_failure_after_a_step_hides_no_other() {
    let text = "
var x: int;
procedure a() modifies x; { assert {:msg \"a\"} x == 1; }
procedure b() modifies x; { x := 0; assert {:msg \"b\"} false; }
procedure main() modifies x; { x := 1; async call a(); async call b(); }";
    let mut map = source::SourceMap::default();
    let file = map.add("text.bpl", text);
    let program = boogie::load(&map, file, None).expect("is a program").program;
    let exploration = explored(&program, &config()).expect("is small");
    let failures: BTreeSet<_> = exploration.violations.iter().map(|v| v.message.as_str()).collect();
    assert_eq!(failures, BTreeSet::from(["a", "b"]));
}
