//! The partial-order reduction and the order of the search change nothing that they promise to keep.

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
    println!("{} programs", check_all(Style::Threads, scaled(3000), agrees));
}

#[test]
fn reduction_keeps_what_tasks_do() {
    println!("{} programs", check_all(Style::Tasks, scaled(3000), agrees));
}

#[test]
fn reduction_keeps_what_mixed_programs_do() {
    println!("{} programs", check_all(Style::Mixed, scaled(3000), agrees));
}
