//! Each `tests/print/*.ir` is printed as Boogie and compared with the text beside it; `BLESS=1` writes that text. A case
//! that cannot be printed has the reason there.
//!
//! A comment of a case says what the real Boogie finds out about it: `// boogie: verified`, or `// boogie: fails: MESSAGE`.
//! Our frontend reads the text again, and the explorer finds the same in it and in the case, unless a comment
//! `// explore: WHY` says why it cannot.

use std::path::{Path, PathBuf};

use filetest::verifier::{Answer, verify};
use interp::{Checks, Config, Exploration, Flow, ViolationKind};
use source::SourceMap;

struct Case {
    path: PathBuf,
    text: String,
    program: ir::Program,
}

impl Case {
    fn read(path: PathBuf) -> Case {
        let mut map = SourceMap::default();
        let text = std::fs::read_to_string(&path).expect("a readable case");
        let file = map.add(path.file_name().expect("a file").to_string_lossy(), text.clone());
        let program = ir::text::parse(&map, file).unwrap_or_else(|problems| panic!("{path:?}: {problems:?}"));
        assert_eq!(ir::validate(&program), Ok(()), "{path:?}");
        Case { path, text, program }
    }

    fn directive(&self, name: &str) -> Option<&str> {
        self.text.lines().find_map(|line| line.strip_prefix("// ")?.strip_prefix(name)?.strip_prefix(": "))
    }

    /// The message of the assertion that fails, if one does.
    fn failure(&self) -> Option<&str> {
        self.directive("boogie")?.strip_prefix("fails: ")
    }
}

fn cases() -> Vec<Case> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/print");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(directory)
        .expect("the cases")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "ir"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths.into_iter().map(Case::read).collect()
}

fn print(program: &ir::Program) -> Result<String, String> {
    let note = |op: ir::OpRef| (op.index == 0).then(|| format!("the first of {}", op.block));
    boogie::print(program, &note).map_err(|refused| format!("cannot be printed: {refused}\n"))
}

#[test]
fn texts_are_as_expected() {
    let mut wrong = Vec::new();
    for case in cases() {
        let printed = print(&case.program).unwrap_or_else(|refused| refused);
        let beside = case.path.with_extension("expect");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&beside, &printed).expect("a writable directory");
        } else if std::fs::read_to_string(&beside).unwrap_or_default() != printed {
            wrong.push(format!("{}:\n{printed}", case.path.display()));
        }
    }
    assert!(wrong.is_empty(), "not as expected (BLESS=1 accepts it):\n{}", wrong.join("\n"));
}

#[test]
fn boogie_agrees() {
    let (mut texts, mut asked) = (Vec::new(), Vec::new());
    for case in cases() {
        if let Ok(text) = print(&case.program) {
            texts.push(text);
            asked.push(case);
        }
    }
    let answers = verify(&texts, 10).unwrap_or_else(|error| panic!("{error}"));
    for (case, answer) in asked.iter().zip(answers) {
        let expected = match case.failure() {
            Some(message) => Answer::Fails(message.to_owned()),
            None => Answer::Verified { bound_reached: false },
        };
        assert_eq!(answer, expected, "{:?}", case.path);
        assert!(case.directive("boogie").is_some(), "{:?} does not say what to expect", case.path);
    }
}

#[test]
fn the_frontend_reads_it_and_the_explorer_agrees() {
    for case in cases() {
        let Ok(text) = print(&case.program) else { continue };
        let mut map = SourceMap::default();
        let file = map.add("printed.bpl", text.clone());
        let read = boogie::load(&map, file, None).unwrap_or_else(|problems| {
            panic!("{:?}: {}", case.path, source::render_all(&map, &problems, false))
        });
        assert_eq!(read.warnings, Vec::new(), "{:?}", case.path);
        if case.directive("explore").is_some() {
            continue;
        }
        for program in [&case.program, &read.program] {
            let exploration = explore(program);
            assert!(
                exploration.finished && exploration.cuts.is_empty(),
                "{:?}: {:?}",
                case.path,
                exploration.cuts
            );
            let mut violations = exploration.violations.iter();
            let found = violations.find(|v| v.kind == ViolationKind::Assertion).map(|v| v.message.as_str());
            assert_eq!(found, case.failure(), "{:?}:\n{text}", case.path);
        }
    }
}

fn explore(program: &ir::Program) -> Exploration {
    let checks = Checks { deadlocks: false, ..Checks::default() };
    let config = Config { checks, ..Config::default() };
    interp::explore(program, &config, &mut |_: &interp::Progress| Flow::Continue)
}
