//! `raddle cc` and `raddle c++` beside clang itself: the same exit code, the same words, the same files, whatever they are asked.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

/// What every build starts with.
const FILES: &[(&str, &str)] = &[
    ("main.c", "#include \"sum.h\"\n#include <stdio.h>\nint main(void) { printf(\"%d\\n\", sum(40)); }\n"),
    ("sum.h", "int sum(int x);\n"),
    ("sum.c", "#include \"sum.h\"\nint total;\nint sum(int x) { total += x; return total + 2; }\n"),
    ("a dir/my sum.c", "int sum(int x) { return x + 2; }\n"),
    ("bad.c", "int f( {\n"),
    ("asm.c", "void g(void) { __asm__(\"nonsense\"); }\n"),
    ("warn.c", "#warning hello\nint w(void) { int unused; return 1; }\n"),
    (
        "five.S",
        "#define N 5\n.section .note.GNU-stack,\"\",@progbits\n.text\n.globl five\nfive: movl $N, %eax\nret\n",
    ),
    ("five.c", "int five(void);\nint main(void) { return five(); }\n"),
    ("text.c", "#include <stdio.h>\nint main(void) { puts(S); }\n"),
    ("main.cpp", "#include <memory>\nint main() { return *std::make_unique<int>(3); }\n"),
    ("words", "-O2 main.c\n\"a dir/my sum.c\" @more"),
    ("more", "-o program"),
];

/// Command lines that make programs and libraries.
const LINKED: &[&str] = &[
    "main.c sum.c -o program",
    "bad.c sum.c -o program",
    "main.c sum.c -o missing/program",
    "-Wl,--bogus main.c sum.c -o program",
    "-xc -",
    "-xc main.c sum.c -o program",
    "five.S five.c -o program",
    "@words",
    "-D 'S=\"a  b\"' text.c -o program",
    "-rpath /x main.c sum.c -o program",
    "-save-temps main.c sum.c -o program",
    "--coverage main.c sum.c -o program",
    "--shared -fPIC sum.c -o libsum.so",
    "-shared -fPIC -Wl,-z,defs main.c -o libmain.so",
    "-r main.c sum.c -o program.o",
    "--driver-mode=g++ -std=c++20 main.cpp -o program",
];

/// Those that make objects, assembler or bitcode.
const COMPILED: &[&str] = &[
    "-c sum.c",
    "-c main.c sum.c",
    "-c main.c sum.c -o both.o",
    "-c bad.c",
    "-c bad.c sum.c",
    "-c asm.c",
    "-O2 -c asm.c",
    "-Wall -c warn.c",
    "-Wall -Werror -c warn.c",
    "-Werror -Wframe-larger-than=8 -c warn.c",
    "-c sum.c -lm -L.",
    "-Werror -c sum.c -lm",
    "-c missing.c",
    "-c -fbogus sum.c",
    "-c sum.c -o missing/sum.o",
    "-Wa,--bogus -c sum.c",
    "-Wa,--noexecstack -Xassembler --noexecstack -c sum.c",
    "-H -c main.c",
    "-xc - -c -o stdin.o",
    "-### -c sum.c",
    "-x assembler-with-cpp -c five.S",
    "-c five.S five.c",
    "-include sum.h -isystem . -idirafter . -iquote . -I. -c main.c",
    "-B . -c sum.c",
    "--output sum.o -c sum.c",
    "--output=sum.o -c sum.c",
    "-isystem-after . -c sum.c",
    "-MJ sum.json -c sum.c",
    "-MJsum.json -c sum.c",
    "-Xclang -fno-builtin -Xclang -mframe-pointer=all -c sum.c",
    "-Xclang -ast-print -c sum.c",
    "-emit-llvm -c sum.c",
    "-emit-llvm -S sum.c",
    "-S sum.c",
    "-gsplit-dwarf -c sum.c",
    "--compile sum.c",
    "--assemble sum.c",
    "-fno-integrated-as -c sum.c",
    "-serialize-diagnostics sum.dia -c sum.c",
];

/// Those that do neither.
const OTHERS: &[&str] = &[
    "",
    "-O2",
    "--bogus sum.c",
    "-E sum.c",
    "-M main.c",
    "-MM main.c",
    "-MD -E main.c -o main.i",
    "-fsyntax-only main.c",
    "-fsyntax-only bad.c",
    "-xc - -fsyntax-only",
    "-E -",
    "-dumpmachine",
    "-dumpversion",
    "--version",
    "-v",
    "-print-prog-name=ld",
    "-print-search-dirs",
    "--help",
    "sum.h",
    "-x c-header sum.h -o sum.h.pch",
    "--analyze sum.c",
    "--preprocess sum.c",
];

/// Without what differs in any two calls of clang, names of temporary files, and without places in objects: where clang knows the
/// section only, we know the line.
fn plain(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let lines = text.lines().filter(|line| !line.contains("/ld: "));
    let place = |line: &str| line.find("undefined reference").unwrap_or_default();
    lines.map(|line| line[place(line)..].replace("clang-19: ", "clang: ") + "\n").collect()
}

/// All that comes of a call: the exit code, what is said, and the files afterwards.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    code: Option<i32>,
    out: String,
    error: String,
    files: Vec<String>,
}

/// Runs a compiler in a folder of its own, which has the same name for both.
fn outcome(program: &str, first: &[&str], line: &str) -> Outcome {
    let outer = tempfile::tempdir().expect("a temporary folder");
    let folder = outer.path().join("build");
    write_files(&folder);
    let words = shlex::split(line).expect("a command line");
    let input = outer.path().join("input");
    std::fs::write(&input, "int main(void) { return 3; }\n").expect("a file");
    let output = Command::new(program)
        .args(first)
        .args(words)
        .current_dir(&folder)
        .stdin(Stdio::from(std::fs::File::open(&input).expect("a file")))
        .output()
        .expect("it runs");
    let mut files = BTreeMap::new();
    for entry in
        walkdir::WalkDir::new(&folder).into_iter().flatten().filter(|entry| entry.file_type().is_file())
    {
        let name = entry.path().strip_prefix(&folder).expect("inside").display().to_string();
        let text = std::fs::read(entry.path()).expect("a file");
        // Dependencies and commands are texts that have to be the same; code is not.
        let is_text = name.ends_with(".d") || name.ends_with(".json") || name.ends_with(".i");
        let text = String::from_utf8_lossy(&text).replace(&*outer.path().to_string_lossy(), "");
        files.insert(name.clone(), if is_text { format!("{name}: {text}") } else { name });
    }
    let same = |text: &[u8]| plain(text).replace(&*outer.path().to_string_lossy(), "");
    Outcome {
        code: output.status.code(),
        out: same(&output.stdout),
        error: same(&output.stderr),
        files: files.into_values().collect(),
    }
}

fn write_files(folder: &Path) {
    for (name, text) in FILES {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
}

fn means_the_same(lines: &[&str]) {
    let mut wrong = String::new();
    for line in lines {
        let expected = outcome("clang-19", &[], line);
        let found = outcome(env!("CARGO_BIN_EXE_raddle"), &["cc"], line);
        if found != expected {
            wrong.push_str(&format!("raddle cc {line}\n  clang: {expected:?}\n  ours:  {found:?}\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn programs_and_libraries_are_made_as_clang_makes_them() {
    means_the_same(LINKED);
}

#[test]
fn files_are_compiled_as_clang_compiles_them() {
    means_the_same(COMPILED);
}

#[test]
fn all_else_is_as_with_clang() {
    means_the_same(OTHERS);
}
