//! Schedule files and drawings.

use ir::Program;
use schedule::{Level, ProgramSchedule, dot, text};
use source::SourceMap;

use crate::program::{FIGURE_5, FIGURE_5_TREE, FIGURE_7, FIGURE_8_TREE, FINGERPRINT, schedule};
use crate::tree::tree;

fn read(program: &Program, text: &str) -> Result<ProgramSchedule, String> {
    let mut map = SourceMap::default();
    let file = map.add("a.schedule", text.to_owned());
    text::parse(&map, file, program).map_err(|errors| {
        let error = &errors[0];
        let line = map.position(error.primary.span).map_or(0, |position| position.line);
        format!("line {line}: {} ({})", error.message, map.text(error.primary.span))
    })
}

#[test]
fn a_file_can_be_read_again() {
    for (source, tree) in [(FIGURE_5, FIGURE_5_TREE), (FIGURE_7, FIGURE_8_TREE)] {
        for level in Level::ALL {
            let (program, schedule) = schedule(source, tree, level);
            let text = text::write(&program, &schedule);
            assert_eq!(read(&program, &text), Ok(schedule), "{text}");
        }
    }
}

#[test]
fn a_whole_file() {
    let (program, schedule) = schedule(FIGURE_7, FIGURE_8_TREE, Level::Sequential);
    let text = text::write(&program, &schedule);
    let expected = format!(
        "raddle-schedule 1
program sha256 {FINGERPRINT}
level 0

point p0
  section
    0: t1:head.0 -> t1:head.1 // acquire m1;
"
    );
    assert!(text.starts_with(&expected), "{text}");
}

/// Names with blanks, colons and quotes survive.
#[test]
fn odd_names() {
    let source = FIGURE_7
        .replace("proc t1", "proc |a b: \\\"c\\\" / d|")
        .replace("thread t1", "thread |a b: \\\"c\\\" / d|");
    let program = crate::tree::program(&source);
    let tree_text = FIGURE_8_TREE;
    let plain = crate::tree::program(FIGURE_7);
    let art = tree(&plain, tree_text);
    let made = ProgramSchedule::new(&program, &art, interp::SwitchAt::Visible, Level::Relaxed, FINGERPRINT);
    let made = made.expect("only names differ");
    let text = text::write(&program, &made);
    assert_eq!(read(&program, &text), Ok(made), "{text}");
}

#[test]
fn mistakes_are_told() {
    let (program, schedule) = schedule(FIGURE_7, FIGURE_8_TREE, Level::Sequential);
    let text = text::write(&program, &schedule);
    let with = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        read(&program, &text.replacen(from, to, 1)).expect_err("a mistake")
    };
    assert_eq!(
        with("raddle-schedule 1", "raddle-schedule 2"),
        "line 1: version `2` of the format is not known (2)"
    );
    assert_eq!(
        with("raddle-schedule 1", "something else"),
        "line 1: a schedule starts with `raddle-schedule` and its version (something)"
    );
    assert_eq!(with("level 0", "level 3"), "line 3: the levels are 0, 1 and 2 (3)");
    assert_eq!(with(FINGERPRINT, "abc"), "line 2: a SHA-256 fingerprint has 64 hexadecimal digits (abc)");
    assert_eq!(
        with("t1:head.0 -> t1:head.1", "t3:head.0 -> t1:head.1"),
        "line 7: the program has no procedure `t3` (t3:head.0)"
    );
    assert_eq!(
        with("t1:head.0 -> t1:head.1", "t1:tail.0 -> t1:head.1"),
        "line 7: the procedure `t1` has no block `tail` (t1:tail.0)"
    );
    assert_eq!(
        with("t1:head.0 -> t1:head.1", "t1:head.9 -> t1:head.1"),
        "line 7: the block `head` has only 6 ops (t1:head.9)"
    );
    assert_eq!(
        with("t1:head.0 -> t1:head.1", "t1 -> t1:head.1"),
        "line 7: an op is expected, as `procedure:block.0` (t1)"
    );
    assert_eq!(with("-> t1:head.1", "t1:head.1"), "line 7: an event does not say where it ends (0:)");
    assert_eq!(with("after 0:5", "after 0:6"), "line 12: thread 0 has 5 events before this one (0:6)");
    assert_eq!(with("after 0:5", "after 1:1"), "line 12: the events of a thread are in order anyway (1:1)");
    assert_eq!(with("after 0:5", "afterwards"), "line 12: nothing is expected here (afterwards)");
    assert_eq!(with("next p0", "next p7"), "line 17: there is no point `p7` (p7)");
    assert_eq!(with("  next p0", ""), "line 6: a section without an end (section)");
    assert_eq!(with("point p0", "point p1"), "line 5: points come in order, and `p0` is next (p1)");
    assert_eq!(
        with("  section", "  selection"),
        "line 6: a line that is no statement of a schedule (selection)"
    );
    assert_eq!(with("level 0\n", ""), "line 17: a schedule says how much it is optimised: `level N` ()");
}

/// Whatever is in a file, reading it ends, and without a panic.
#[test]
fn any_text_can_be_read() {
    let (program, schedule) = schedule(FIGURE_5, FIGURE_5_TREE, Level::Replicated);
    let text = text::write(&program, &schedule);
    let mut random = fastrand::Rng::with_seed(11);
    let parts = [
        "\"",
        "\\",
        ":",
        ".",
        " ",
        "\n",
        "->",
        "after",
        "p0",
        "section",
        "next",
        "//",
        "0:",
        "é",
        "4294967295",
        "-1",
        "when",
    ];
    for _ in 0..5000 {
        let mut chars: Vec<char> = text.chars().collect();
        for _ in 0..random.usize(1..6) {
            let at = random.usize(0..chars.len());
            match random.u32(0..4) {
                0 => {
                    chars.remove(at);
                }
                1 => {
                    let end = (at + random.usize(0..40)).min(chars.len());
                    chars.drain(at..end);
                }
                2 => {
                    let part = parts[random.usize(0..parts.len())];
                    chars.splice(at..at, part.chars());
                }
                _ => {
                    let from = random.usize(0..chars.len());
                    let piece: Vec<char> = chars[from..(from + 30).min(chars.len())].to_vec();
                    chars.splice(at..at, piece);
                }
            }
            if chars.is_empty() {
                chars.push('p');
            }
        }
        let changed: String = chars.into_iter().collect();
        if let Ok(schedule) = read(&program, &changed) {
            // What is accepted can be written and read again.
            let again = text::write(&program, &schedule);
            assert_eq!(read(&program, &again), Ok(schedule), "{changed}");
        }
    }
}

#[test]
fn drawings() {
    let (program, schedule) = schedule(FIGURE_5, FIGURE_5_TREE, Level::Relaxed);
    let drawing = dot::schedule(&program, &schedule);
    assert!(drawing.starts_with("digraph schedule {\n"), "{drawing}");
    assert!(drawing.contains("p0_0_0 -> p0_0_3;"), "{drawing}");
    assert!(drawing.contains("label=\"y == 0\";"), "{drawing}");
    let drawing = dot::art(&program, &tree(&program, FIGURE_5_TREE));
    assert!(drawing.contains("n6 -> n0 [style=dashed, constraint=false];"), "{drawing}");
    assert!(drawing.contains("n0 -> n1 [label=\"0: x := 1;\"];"), "{drawing}");
}

/// The file in the documentation is the one that is written for this program.
#[test]
fn the_example_of_the_documentation() {
    let source = "
        program;
        var m: mutex;
        var count: int = 0;
        thread produce;
        thread consume;
        proc produce() {
        head:
          branch count < 10 then more else full;
        more:
          acquire m;
          count := count + 1;
          release m;
          goto head;
        full:
          return;
        }
        proc consume() {
        head:
          count := count - 1;
          goto head;
        }
    ";
    let tree = "
        n0 produce:head.0 | consume:head.0 { m.owner == 0 }
          0: produce:head.0 -> n1
          0: produce:head.0 -> n5
        n1 produce:more.0 | consume:head.0 { m.owner == 0 }
          0: produce:more.0 -> n2
        n2 produce:more.1 | consume:head.0 { m.owner == 1 }
          0: produce:more.1 -> n3
        n3 produce:more.2 | consume:head.0 { m.owner == 1 }
          0: produce:more.2 produce:more.3 produce:more.4 produce:more.5 produce:more.6 -> n4
        n4 produce:head.0 | consume:head.0 { m.owner == 0 }
          1: consume:head.0 consume:head.1 -> n8
        n5 produce:full.0 | consume:head.0 { }
          0: produce:full.0 -> n6
        n6 done produce | consume:head.0 { }
          1: consume:head.0 consume:head.1 -> n7
        n7 done produce | consume:head.0 { }
          cover n6
        n8 produce:head.0 | consume:head.0 { m.owner == 0 }
          cover n0
    ";
    let (program, schedule) = schedule(source, tree, Level::Relaxed);
    let text = text::write(&program, &schedule);
    let page = include_str!("../../../../docs/schedules.md");
    let example = page.split("```text\n").nth(1).and_then(|rest| rest.split("```").next());
    assert_eq!(example, Some(text.as_str()));
}
