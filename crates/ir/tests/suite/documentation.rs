//! `docs/ir.md` is complete, and what it shows is true.

use std::collections::BTreeSet;

use ir::text::print;
use ir::{Op, Rule, SyncKind, expand};

use super::{generator::all_sync_types, valid};

const PAGE: &str = include_str!("../../../../docs/ir.md");

#[test]
fn every_keyword_and_rule_is_mentioned() {
    for kind in SyncKind::ALL {
        assert!(PAGE.contains(&format!("\n| `{}` |", kind.keyword())), "{}", kind.keyword());
    }
    for rule in Rule::ALL {
        assert!(PAGE.contains(&format!("\n| `{rule}` | {} |", rule.sentence())), "{rule}");
    }
    for n in 0..9 {
        assert!(PAGE.contains(&format!("`{}", all_sync_types(n).name())));
    }
}

#[test]
fn examples_are_valid_and_written_as_printed() {
    let examples: Vec<&str> =
        PAGE.split("```ir\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(examples.len(), 3);
    for example in examples {
        let text = print(&valid(example));
        assert_eq!(print(&valid(&text)), text);
        // The printer writes `let` only where it pays.
        if !example.contains("let ") {
            assert_eq!(text, example);
        }
    }
}

/// The cells of a row of a table, without the marks of code.
fn cells(row: &str) -> Option<Vec<String>> {
    let row = row.strip_prefix("| ")?.strip_suffix(" |")?;
    let clean = |cell: &str| cell.trim().trim_matches('`').trim().replace("\\|", "|");
    Some(row.split(" | ").map(clean).collect())
}

#[test]
fn definitions_are_those_of_expand() {
    let section = PAGE.split("### Definitions").nth(1).unwrap().split("### ").next().unwrap();
    let mut seen = BTreeSet::new();
    for row in section.lines().filter_map(cells).filter(|cells| cells.len() == 3 && cells[0] != "type") {
        let (ty, op) = (&row[0], &row[1]);
        let object = op.split(' ').find(|word| ["m", "l", "c", "b", "s", "o", "k"].contains(word)).unwrap();
        let mutex = match (ty.as_str(), row[2].contains("depth")) {
            ("condvar", false) => "var m: mutex;",
            ("condvar", true) => "var m: mutex.recursive;",
            _ => "",
        };
        let p = valid(&format!(
            "program; var {object}: {ty}; {mutex} thread p;
            proc p() {{ local r: bool; local n: int; entry: {op}; return; }}"
        ));
        let (_, _, stmt) = p.procs[p.threads[0]].stmts().next().unwrap();
        let Op::Sync(sync) = &stmt.op else { panic!("{op}") };
        seen.insert((ty.clone(), sync.kind.keyword()));
        let text = print(&expand(&p).program);
        let body = text.split("entry:\n").nth(1).unwrap();
        let ops: Vec<&str> = body.lines().map(str::trim).take_while(|line| *line != "return;").collect();
        assert_eq!(ops.join(" "), row[2], "{ty} {op}");
    }
    for n in 0..9 {
        let ty = all_sync_types(n);
        let name = if ty.name() == "key" { "key(int)" } else { ty.name() };
        for kind in SyncKind::ALL.into_iter().filter(|kind| kind.applies_to(&ty)) {
            assert!(seen.contains(&(name.to_owned(), kind.keyword())), "{name} {}", kind.keyword());
        }
    }
}
