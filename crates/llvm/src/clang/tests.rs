use tempfile::TempDir;

use super::*;
use crate::module::{Callee, Op};

struct Folder(TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        Folder(folder)
    }

    fn load(&self, files: &[&str], flags: &[&str]) -> (Result<Loaded, LoadError>, SourceMap) {
        let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
        let flags: Vec<String> = flags.iter().map(|&flag| flag.to_owned()).collect();
        let mut map = SourceMap::default();
        let scratch = tempfile::tempdir().unwrap();
        let inputs = Inputs {
            files: &files,
            flags: &flags,
            folder: Some(self.0.path()),
            clang: None,
            scratch: scratch.path(),
            recorded: false,
            patience: Patience::default(),
        };
        (load(inputs, &mut map), map)
    }
}

#[test]
fn files_are_compiled_and_linked() {
    let folder = Folder::new(&[
        ("main.c", "#include \"n.h\"\nint f(void);\nint main(void) { return f() + N + M; }"),
        ("src/f.cpp", "extern \"C\" int f() { return 1; }"),
        ("inc/n.h", "#define N 2"),
    ]);
    let (loaded, map) = folder.load(&["main.c", "src/f.cpp"], &["-Iinc", "-DM=3"]);
    let loaded = loaded.unwrap();
    assert_eq!(loaded.messages, "");
    assert!(
        loaded
            .module
            .funcs
            .values()
            .filter(|func| !func.name.starts_with("llvm."))
            .all(|func| !func.is_declaration())
    );
    let f = loaded.module.funcs.values().find(|func| func.name == "f").unwrap();
    assert_eq!(map.file_of(f.span).unwrap().name(), "src/f.cpp");
}

#[test]
fn errors_of_clang_are_passed_on() {
    let folder = Folder::new(&[("bad.c", "int main(void) { return x; }")]);
    let error = folder.load(&["bad.c"], &[]).0.unwrap_err();
    let LoadError::Refused(messages) = error else { panic!("{error}") };
    assert!(messages.starts_with("bad.c:1:25: error: use of undeclared identifier 'x'"), "{messages}");
    let folder = Folder::new(&[("a.c", "int x = 1;"), ("b.c", "int x = 2;")]);
    let error = folder.load(&["a.c", "b.c"], &[]).0.unwrap_err().to_string();
    assert!(error.starts_with("`b.c` cannot be linked with the other files: "), "{error}");
    assert!(matches!(folder.load(&["bad.txt"], &[]).0, Err(LoadError::UnknownLanguage(_))));
    assert!(matches!(folder.load(&["none.ll"], &[]).0, Err(LoadError::Read(ReadError::Io(..)))));
}

#[test]
fn a_clang_of_another_kind_is_refused() {
    let error = find(Some(OsStr::new("no-such-clang"))).unwrap_err().to_string();
    assert_eq!(error, "C and C++ need clang 19\n  no-such-clang: not found");
    let error = find(Some(OsStr::new("true"))).unwrap_err().to_string();
    assert!(error.ends_with("true: is no clang"), "{error}");
}

#[test]
fn preprocessed_files_are_quoted_themselves() {
    let folder =
        Folder::new(&[("d/p.i", "# 1 \"gone.c\"\nint x;\n# 1 \"gone.h\" 1 3\nvoid f(void) { x = 1; }\n")]);
    let (loaded, map) = folder.load(&["d/p.i"], &[]);
    let module = loaded.unwrap().module;
    let f = module.funcs.values().next().unwrap();
    assert_eq!(map.file_of(f.span).unwrap().name(), "d/p.i");
    assert_eq!(map.position(f.span).unwrap().line, 4);
}

#[test]
fn the_header_marks_atomic_statements() {
    let text = "#include \"raddle.h\"\nint x;\nint f(int n) {\n  RADDLE_ATOMIC { x++; if (n) return 1; x--; }\n  \
                RADDLE_ATOMIC x = 2;\n  raddle_progress();\n  return 0;\n}";
    let folder = Folder::new(&[("p.c", text), ("q.cpp", text)]);
    for file in ["p.c", "q.cpp"] {
        let (loaded, map) =
            folder.load(&[file], &["-std=c++17", "-Wall", "-Wextra"][usize::from(file == "p.c")..]);
        let loaded = loaded.unwrap();
        assert_eq!(loaded.messages, "");
        let f = loaded.module.funcs.values().find(|func| !func.is_declaration()).unwrap();
        let calls: Vec<&str> = f
            .blocks
            .values()
            .flat_map(|block| &block.instrs)
            .filter_map(|instr| match instr.op {
                Op::Call { callee: Callee::Func(func), .. } => {
                    assert_eq!(map.file_of(instr.span).map(source::SourceFile::name), Some(file));
                    Some(loaded.module.funcs[func].name.as_str())
                }
                Op::Alloca { .. } => panic!("the guard is still in memory"),
                _ => None,
            })
            .collect();
        let count = |name: &str| calls.iter().filter(|call| **call == name).count();
        assert_eq!((count("raddle_atomic_begin"), count("raddle_progress")), (2, 1), "{calls:?}");
        assert!(count("raddle_atomic_end") >= 2, "{calls:?}");
    }
}

#[test]
fn without_raddle_the_header_does_nothing() {
    let folder = Folder::new(&[
        ("raddle.h", HEADER),
        (
            "p.c",
            "#include \"raddle.h\"\nint main(void) { int x = 0; RADDLE_ATOMIC { x++; } raddle_progress(); return x - 1; }",
        ),
    ]);
    let program = folder.0.path().join("p");
    let status = Command::new("clang-19")
        .args(["-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&program)
        .arg(folder.0.path().join("p.c"))
        .status()
        .unwrap();
    assert!(status.success());
    assert!(Command::new(program).status().unwrap().success());
}
