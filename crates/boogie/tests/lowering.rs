//! Each `tests/lower/*.bpl` is lowered and compared with the IR text beside it; `BLESS=1` writes that text. The
//! warnings come first, as comments.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use source::SourceMap;

fn lower(path: &Path) -> String {
    let mut map = SourceMap::default();
    let text = std::fs::read_to_string(path).expect("a readable case");
    let file = map.add(path.file_name().expect("a file").to_string_lossy(), text);
    match boogie::load(&map, file, None) {
        Ok(loaded) => {
            let mut out = String::new();
            for warning in &loaded.warnings {
                let line = map.position(warning.primary.span).map_or(0, |p| p.line);
                writeln!(out, "// line {line}: {}", warning.message).expect("strings grow");
            }
            out + &ir::text::print(&loaded.program)
        }
        Err(problems) => source::render_all(&map, &problems, false) + "\n",
    }
}

#[test]
fn cases() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lower");
    let mut cases: Vec<PathBuf> = std::fs::read_dir(directory)
        .expect("the cases")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "bpl"))
        .collect();
    cases.sort();
    assert!(!cases.is_empty());
    let mut wrong = Vec::new();
    for case in cases {
        let found = lower(&case);
        let beside = case.with_extension("expect");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&beside, &found).expect("a writable directory");
        } else if std::fs::read_to_string(&beside).unwrap_or_default() != found {
            wrong.push(format!("{}:\n{found}", case.display()));
        }
    }
    assert!(wrong.is_empty(), "not as expected (BLESS=1 accepts it):\n{}", wrong.join("\n"));
}
