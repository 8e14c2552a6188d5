//! Random programs and random damage, with fixed seeds.

use ir::text::{Printer, parse, print};
use ir::{Program, expand, validate};
use source::{SourceMap, render_all};

use super::generator::{Random, generate};
use super::{assert_valid, program};

fn round_trip(p: &Program) {
    let text = print(p);
    let again = program(&text);
    assert_eq!(print(&again), text);
    assert_valid(&again);
}

#[test]
fn random_programs_are_valid_and_survive_the_text() {
    for seed in 0..150 {
        let p = generate(seed);
        assert_valid(&p);
        round_trip(&p);
    }
}

#[test]
fn random_programs_expand_to_valid_programs() {
    for seed in 0..60 {
        let expanded = expand(&generate(seed)).program;
        assert!(expanded.globals.values().all(|g| g.ty.sync_inside().is_none()));
        assert_valid(&expanded);
        round_trip(&expanded);
    }
}

#[test]
fn some_random_programs_need_names_for_parts() {
    assert!((0..150).any(|seed| print(&generate(seed)).contains("let $")));
}

#[test]
fn parts_are_printed_as_in_the_whole() {
    let p = generate(7);
    let whole = print(&p);
    let printer = Printer::new(&p);
    for (id, proc) in &p.procs {
        for (_, _, stmt) in proc.stmts() {
            assert!(whole.contains(&printer.op(id, &stmt.op)));
            stmt.op.for_each_operand(|e| assert!(whole.contains(&printer.expr(Some(id), e))));
        }
    }
}

const PIECES: [&str; 40] = [
    ";",
    ",",
    ":",
    "::",
    ":=",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "|",
    "\"",
    "\\",
    "-",
    "!",
    "==",
    "&&",
    "==>",
    "0",
    "99999999999",
    "5bv8",
    "0bv0",
    "if ",
    " then ",
    " else ",
    "forall x: int :: ",
    "let y = ",
    " in ",
    "wait ",
    "nil",
    "bound::3",
    "global::",
    "proc ",
    "var ",
    "atomic ",
    "x",
    "ö",
    "const(",
    "\n",
];

/// Damages a text in one place, at a character boundary.
fn damage(random: &mut Random, text: &str) -> String {
    let mut at = |text: &str| {
        let mut at = random.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let (a, b) = (at(text), at(text));
    let near = text.char_indices().map(|(i, _)| i).find(|&i| i > a + 3).unwrap_or(text.len());
    match random.below(9) {
        5.. => another_word(random, text, a),
        0 => format!("{}{}", &text[..a], &text[near..]),
        1 => format!("{}{}{}", &text[..a], random.pick(&PIECES), &text[a..]),
        2 => format!("{}{}{}", &text[..a], random.pick(&PIECES), &text[near..]),
        3 => text[..a].to_owned(),
        _ => {
            let (low, high) = (a.min(b), a.max(b));
            let end = text.char_indices().map(|(i, _)| i).find(|&i| i > low + 40).unwrap_or(text.len());
            format!("{}{}{}", &text[..high], &text[low..end], &text[high..])
        }
    }
}

/// Puts a word from elsewhere in the place of one: this often still parses, and means something else.
fn another_word(random: &mut Random, text: &str, near: usize) -> String {
    let words: Vec<&str> = text.split(|c: char| " ;,()[]".contains(c)).filter(|w| !w.is_empty()).collect();
    if words.is_empty() {
        return "program".to_owned();
    }
    let start = text[..near].rfind([' ', '(', '[']).map_or(0, |at| at + 1);
    let length = text[start..].find([' ', ';', ',', ')', ']', '(', '[']).unwrap_or(0);
    format!("{}{}{}", &text[..start], random.pick(&words), &text[start + length..])
}

#[test]
fn damaged_texts_never_break_anything() {
    let mut random = Random::new(1);
    let (mut read, mut sound) = (0, 0);
    for seed in 0..40 {
        let original = print(&generate(seed));
        for _ in 0..100 {
            let mut text = damage(&mut random, &original);
            for _ in 0..random.below(3) {
                text = damage(&mut random, &text);
            }
            let mut map = SourceMap::default();
            let file = map.add("damaged.ir", text);
            match parse(&map, file) {
                Err(errors) => assert!(!errors.is_empty() && errors.len() <= 20 + 1, "{}", errors.len()),
                Ok(p) => {
                    read += 1;
                    let printed = print(&p);
                    assert_eq!(print(&program(&printed)), printed);
                    match validate(&p) {
                        Ok(()) => {
                            sound += 1;
                            assert_valid(&expand(&p).program);
                        }
                        Err(broken) => {
                            let all: Vec<_> = broken.iter().map(Into::into).collect();
                            assert!(!render_all(&map, &all, false).is_empty());
                        }
                    }
                }
            }
        }
    }
    // Otherwise the damage is too great to test anything but the first error.
    assert!(read > sound && sound > 20, "{read} {sound}");
}
