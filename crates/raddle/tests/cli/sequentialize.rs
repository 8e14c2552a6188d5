//! `raddle sequentialize`: what it writes, where, and that the real Boogie and the explorer agree about it.

use std::process::Command;

use crate::programs::{LOCKED_UPDATE, LOST_UPDATE};
use crate::sandbox::{Answer, Sandbox};

/// Boogie's answer to a command line.
fn boogie(sandbox: &Sandbox, arguments: &str) -> Answer {
    let mut command = Command::new("boogie");
    Answer::of(&command.current_dir(sandbox.dir()).args(arguments.split_whitespace()).output().unwrap())
}

#[test]
fn the_file_is_what_standard_output_shows() {
    let sandbox = Sandbox::with("p.bpl", LOST_UPDATE);
    for arguments in ["", "--scheduler df", "--delays 0", "--scheduler dfw --delays 3"] {
        let shown = sandbox.run(&format!("sequentialize p.bpl {arguments}"));
        let written = sandbox.run(&format!("sequentialize p.bpl -o out.bpl {arguments}"));
        assert_eq!((shown.code, written.code), (0, 0), "{}{}", shown.stderr, written.stderr);
        assert_eq!((written.stdout.as_str(), written.stderr.as_str()), ("", ""));
        assert_eq!(sandbox.read("out.bpl"), shown.stdout);
    }
    let names = std::fs::read_dir(sandbox.dir()).unwrap().count();
    assert_eq!(names, 2, "nothing else is left in the folder");
}

#[test]
fn what_is_written_is_a_program_again() {
    for (program, delays, code) in [(LOST_UPDATE, 0, 0), (LOST_UPDATE, 1, 1), (LOCKED_UPDATE, 1, 0)] {
        let sandbox = Sandbox::with("p.bpl", program);
        assert_eq!(sandbox.run(&format!("sequentialize p.bpl --delays {delays} -o out.bpl")).code, 0);
        let answer = sandbox.run("explore out.bpl --int-range 0..2");
        assert_eq!(answer.code, code, "{}{}", answer.stdout, answer.stderr);
        let answer = boogie(&sandbox, "/stratifiedInline:1 /extractLoops /useArrayTheory out.bpl");
        let fails = answer.stdout.contains("finished with 0 verified, 1 error");
        let holds = answer.stdout.contains("finished with 1 verified, 0 errors");
        assert_eq!((fails, holds), (code == 1, code == 0), "{}", answer.stdout);
    }
}

#[test]
fn it_begins_with_what_it_is() {
    let sandbox = Sandbox::with("sub/p.bpl", LOST_UPDATE);
    let text = sandbox.run("sequentialize sub/p.bpl --scheduler df --delays 2").stdout;
    let first = text.lines().next().unwrap();
    assert_eq!(
        first,
        "// The sequential program of `sub/p.bpl` under the scheduler DF(2), by raddle sequentialize."
    );
    assert!(text.contains("  // sub/p.bpl:7: counter := seen + 1;"), "{text}");
    assert!(!text.contains(&sandbox.dir().display().to_string()), "{text}");
}

#[test]
fn a_file_that_cannot_be_written_is_told() {
    let sandbox = Sandbox::with("p.bpl", LOST_UPDATE);
    for output in ["no/folder/out.bpl", "."] {
        let answer = sandbox.run(&format!("sequentialize p.bpl -o {output}"));
        assert_eq!(answer.code, 2, "{}", answer.stderr);
        assert!(answer.stderr.starts_with(&format!("error: cannot write `{output}`")), "{}", answer.stderr);
    }
}

/// The page shows parts of a file and of what Boogie prints. They are there, in this order.
#[test]
fn the_page_shows_what_there_is() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let page = std::fs::read_to_string(format!("{root}/docs/sequentialize.md")).unwrap();
    let sandbox = Sandbox::new();
    let example = std::fs::read(format!("{root}/examples/lost_update.bpl")).unwrap();
    sandbox.write("examples/lost_update.bpl", example);
    let blocks: Vec<&str> = page.split("```").skip(1).step_by(2).collect();
    let command = |program: &str| {
        blocks
            .iter()
            .find_map(|block| block.strip_prefix(&format!("\n$ {program} ")))
            .unwrap()
            .split_once('\n')
            .unwrap()
    };
    assert_eq!(sandbox.run(command("raddle").0).code, 0);
    let file = sandbox.read("sequential.bpl");
    let (arguments, shown) = command("boogie");
    in_order(shown, &boogie(&sandbox, arguments).stdout);
    assert!(file.contains("/stratifiedInline:1 /extractLoops /recursionBound:10 /useArrayTheory FILE"));
    assert!(arguments.starts_with("/stratifiedInline:1 /extractLoops /recursionBound:10 /useArrayTheory "));
    let parts = blocks.iter().filter_map(|block| block.strip_prefix("boogie\n"));
    assert_eq!(parts.map(|part| in_order(part, &file)).count(), 2);
}

fn in_order(part: &str, whole: &str) {
    let mut lines = whole.lines();
    for line in part.lines() {
        assert!(
            lines.any(|there| there == line),
            "`{line}` is missing, or not where the page has it, in\n{whole}"
        );
    }
}
