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

/// Printed and parsed, a program is printed alike and explored alike.
fn survives_printing(program: &Program) -> Finding {
    let ir = to_ir(program);
    let text = ir::text::print(&ir);
    let mut map = SourceMap::default();
    let file = map.add("random.ir", text.clone());
    let parsed = match ir::text::parse(&map, file) {
        Ok(parsed) => parsed,
        Err(problems) => return Finding::Differs(format!("{problems:?}\n{text}")),
    };
    let again = ir::text::print(&parsed);
    if again != text {
        return Finding::Differs(format!("printed as\n{text}\nand then as\n{again}"));
    }
    same(program, &ir, &parsed)
}

#[test]
fn ir_text_is_the_same_program() {
    for style in [Style::Threads, Style::Tasks, Style::Mixed] {
        println!("{style:?}: {} programs", check_all(style, scaled(250), survives_printing));
    }
}

#[test]
fn programs_are_valid() {
    for style in [Style::Threads, Style::Tasks, Style::Mixed] {
        check_all(style, scaled(1500), is_valid);
    }
}

#[test]
fn boogie_text_of_threads_is_the_same_program() {
    println!("{} programs", check_all(Style::Threads, scaled(500), boogie_agrees));
}

#[test]
fn boogie_text_of_tasks_is_the_same_program() {
    println!("{} programs", check_all(Style::Tasks, scaled(500), boogie_agrees));
}

#[test]
fn boogie_text_of_mixed_programs_is_the_same_program() {
    println!("{} programs", check_all(Style::Mixed, scaled(500), boogie_agrees));
}
