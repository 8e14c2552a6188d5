//! The two renderings of a program, and what comes back from text, are one program.

use random::{Program, Style, to_boogie, to_ir};
use source::SourceMap;

use crate::harness::{Finding, check_all, config, explored, found, scaled};

fn boogie_agrees(program: &Program) -> Finding {
    let mut map = SourceMap::default();
    let file = map.add("random.bpl", to_boogie(program));
    let loaded = match boogie::load(&map, file, None) {
        Ok(loaded) => loaded.program,
        Err(problems) => {
            let messages: Vec<_> = problems.iter().map(|p| format!("{p:?}")).collect();
            return Finding::Differs(messages.join("\n"));
        }
    };
    same(program, &to_ir(program), &loaded)
}

fn same(program: &Program, first: &ir::Program, second: &ir::Program) -> Finding {
    let Some(expected) = explored(first, &config()) else { return Finding::Skipped };
    let Some(actual) = explored(second, &config()) else { return Finding::Skipped };
    let (expected, actual) = (found(program, &expected), found(program, &actual));
    if actual == expected {
        Finding::Agrees
    } else {
        Finding::Differs(format!("expected {expected:?}, found {actual:?}"))
    }
}

fn is_valid(program: &Program) -> Finding {
    match ir::validate(&to_ir(program)) {
        Ok(()) => Finding::Agrees,
        Err(broken) => Finding::Differs(format!("{broken:?}")),
    }
}

#[test]
fn programs_are_valid() {
    for style in [Style::Threads, Style::Tasks, Style::Mixed] {
        check_all(style, scaled(5000), is_valid);
    }
}

#[test]
fn boogie_text_of_threads_is_the_same_program() {
    println!("{} programs", check_all(Style::Threads, scaled(1500), boogie_agrees));
}

#[test]
fn boogie_text_of_tasks_is_the_same_program() {
    println!("{} programs", check_all(Style::Tasks, scaled(1500), boogie_agrees));
}

#[test]
fn boogie_text_of_mixed_programs_is_the_same_program() {
    println!("{} programs", check_all(Style::Mixed, scaled(1500), boogie_agrees));
}
