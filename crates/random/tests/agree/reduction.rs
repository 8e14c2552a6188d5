//! The partial-order reduction and the order of the search change nothing that they promise to keep.

use std::collections::BTreeSet;

use interp::{Config, SearchOrder};
use random::{Program, Style, to_ir};

use crate::harness::{Finding, check_all, config, explored, found, scaled};

fn agrees(program: &Program) -> Finding {
    let ir = to_ir(program);
    let Some(full) = explored(&ir, &config()) else { return Finding::Skipped };
    let full = found(program, &full);
    for order in [SearchOrder::BreadthFirst, SearchOrder::DepthFirst] {
        for reduction in [false, true] {
            let Some(other) = explored(&ir, &Config { order, reduction, ..config() }) else {
                return Finding::Differs("only one of the searches ends".to_owned());
            };
            let other = found(program, &other);
            if other != full {
                return Finding::Differs(format!(
                    "without reduction {full:?}; {order:?}, reduction {reduction}: {other:?}"
                ));
            }
        }
    }
    Finding::Agrees
}

#[test]
fn reduction_keeps_what_threads_do() {
    println!("{} programs", check_all(Style::Threads, scaled(900), agrees));
}

#[test]
fn reduction_keeps_what_tasks_do() {
    println!("{} programs", check_all(Style::Tasks, scaled(900), agrees));
}

#[test]
fn reduction_keeps_what_mixed_programs_do() {
    println!("{} programs", check_all(Style::Mixed, scaled(900), agrees));
}

/// The assertion of the first thread fails with some values of `x`, and must not hide that of the second.
#[test]
fn a_failure_hides_no_other_failure() {
    let text = "
var x: int;
procedure a() modifies x; { assert {:msg \"a\"} x == 1; }
procedure b() modifies x; { havoc x; }
procedure c() modifies x; { assert {:msg \"c\"} x < 2; }
procedure main() modifies x; { x := 0; async call a(); async call b(); async call c(); }";
    let mut map = source::SourceMap::default();
    let file = map.add("text.bpl", text);
    let program = boogie::load(&map, file, None).expect("is a program").program;
    for reduction in [false, true] {
        let exploration = explored(&program, &Config { reduction, ..config() }).expect("is small");
        let failures: BTreeSet<_> = exploration.violations.iter().map(|v| v.message.as_str()).collect();
        assert_eq!(failures, BTreeSet::from(["a", "c"]), "reduction: {reduction}");
    }
}
