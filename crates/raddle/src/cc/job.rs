//! One of the commands that clang would run, and what becomes of it.

use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The languages, as `-x` names them for the compiler proper, that are instrumented.
const LANGUAGES: &[&str] =
    &["c", "cpp-output", "c++", "c++-cpp-output", "c++-module", "c++-module-cpp-output", "pcm"];

/// What asks the compiler proper for code.
const CODE: &[&str] = &["-emit-obj", "-S", "-emit-llvm-bc", "-emit-llvm"];

/// How options start with which users ask the compiler proper for something else after all (`-Xclang -ast-dump`).
const NO_CODE: &[&str] = &[
    "-ast-",
    "-dump-tokens",
    "-dump-raw-tokens",
    "-emit-codegen-only",
    "-fsyntax-only",
    "-init-only",
    "-plugin",
    "-rewrite-",
];

/// What only matters while the source is read, and must not be done twice.
const READING: &[&str] = &["-v", "-H", "-MP", "-MG", "-sys-header-deps"];

/// The same, followed by a value.
const READING_WITH_VALUE: &[&str] = &[
    "-MT",
    "-dependency-file",
    "-header-include-file",
    "-include",
    "-include-pch",
    "-serialize-diagnostic-file",
];

/// Kinds of debug information that have what the analysis needs.
const FULL: &[&str] = &["constructor", "limited", "standalone", "unused-types"];

/// What tells the linker not to make a program.
const NO_PROGRAM: &[&str] = &["-shared", "--shared", "-Bshareable", "-r", "-i", "--relocatable"];

/// A command that compiles, preprocesses or checks one source file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frontend<'a> {
    words: &'a [OsString],
    /// Where `-x` is, which is followed by the language and the file.
    language: usize,
}

impl<'a> Frontend<'a> {
    /// Nothing if the command is another one, or the language not one of ours.
    pub(super) fn of(words: &'a [OsString]) -> Option<Self> {
        let language = words.iter().rposition(|word| word == "-x")?;
        let ours = words.get(language + 1).is_some_and(|word| LANGUAGES.iter().any(|known| word == known));
        let is_one = words.get(1)? == "-cc1" && ours && words.len() > language + 2;
        is_one.then_some(Frontend { words, language })
    }

    /// The file that it reads.
    pub(super) fn source(self) -> &'a OsStr {
        &self.words[self.language + 2]
    }

    /// Whether code comes out.
    pub(super) fn makes_code(self) -> bool {
        let other = |word: &str| NO_CODE.iter().any(|start| word.starts_with(start));
        self.action().is_some() && !self.words.iter().any(|word| word.to_str().is_some_and(other))
    }

    /// Where it is said what to do.
    fn action(self) -> Option<usize> {
        self.words.iter().position(|word| CODE.iter().any(|action| word == action))
    }

    /// The same, for programs that include `raddle.h`.
    pub(super) fn with_header(self, folder: &Path) -> Vec<OsString> {
        let mut words = self.words.to_vec();
        words.splice(self.language..self.language, header(folder));
        words
    }

    /// The same, but what comes out is the module as it is before any optimization, for the analysis.
    pub(super) fn to_module(self, folder: &Path, module: &Path) -> Vec<OsString> {
        let mut words: Vec<OsString> = Vec::new();
        let action = self.action();
        let mut is_full = false;
        for (at, word) in self.words[..self.language].iter().enumerate() {
            if Some(at) == action {
                words.push("-emit-llvm-bc".into());
            } else if at > 0 && self.words[at - 1] == "-o" {
                words.push(module.into());
            } else if let Some(kind) = word.to_str().and_then(|word| word.strip_prefix("-debug-info-kind=")) {
                is_full = FULL.contains(&kind);
                words.extend(is_full.then(|| word.clone()));
            } else {
                words.push(word.clone());
            }
        }
        if !is_full {
            words.push("-debug-info-kind=constructor".into());
        }
        if !words.iter().any(|word| word.to_string_lossy().starts_with("-dwarf-version=")) {
            // The assembler complains about what newer versions say of files (`-save-temps`).
            words.push("-dwarf-version=4".into());
        }
        // Otherwise functions are marked so that no pass ever touches them.
        words.extend(["-disable-O0-optnone", "-disable-llvm-passes"].map(OsString::from));
        words.extend(header(folder));
        words.extend(self.words[self.language..].iter().cloned());
        words
    }

    /// The same, but a module is read.
    pub(super) fn of_module(self, module: &Path) -> Vec<OsString> {
        let mut words: Vec<OsString> = Vec::new();
        let mut rest = self.words[..self.language].iter();
        while let Some(word) = rest.next() {
            if READING_WITH_VALUE.iter().any(|option| word == option) {
                rest.next();
            } else if !READING.iter().any(|option| word == option) {
                words.push(word.clone());
            }
        }
        // Warnings would be about what was put in: that a function needs a large frame now is no mistake of its author.
        words.extend(["-w".into(), "-x".into(), "ir".into(), module.into()]);
        words.extend(self.words[self.language + 3..].iter().cloned());
        words
    }
}

fn header(folder: &Path) -> [OsString; 3] {
    ["-DRADDLE".into(), "-idirafter".into(), folder.into()]
}

/// The file that a command makes.
pub(super) fn output(words: &[OsString]) -> Option<&OsStr> {
    let at = words.iter().rposition(|word| word == "-o")?;
    words.get(at + 1).map(OsString::as_os_str)
}

/// Whether a command is one of a linker: they alone are told what they emulate.
pub(super) fn is_linker(words: &[OsString]) -> bool {
    words.get(1).is_some_and(|word| word != "-cc1" && word != "-cc1as")
        && words.iter().any(|word| word == "-m")
}

/// The command of a linker with the run-time library, if it makes a program that has a C library.
pub(super) fn with_library(words: &[OsString], library: &Path, exported: &Path) -> Option<Vec<OsString>> {
    let says = |options: &[&str]| words.iter().any(|word| options.iter().any(|option| word == option));
    if says(NO_PROGRAM) || !says(&["-lc"]) {
        return None;
    }
    // Before all that it may need. Nothing that is instrumented insists on it, so it has to be asked for.
    let at = words.iter().position(|word| word.to_string_lossy().starts_with("-L")).unwrap_or(words.len());
    let mut added: Vec<OsString> = ["-u", "__raddle_module"].map(OsString::from).to_vec();
    added.push(library.into());
    let needed = ["--push-state", "--as-needed", "-lpthread", "-ldl", "--pop-state"];
    added.extend(needed.map(OsString::from));
    if !says(&["-static"]) {
        // For shared libraries that are instrumented, and those that start threads.
        let mut list = OsString::from("--dynamic-list=");
        list.push(exported);
        added.push(list);
    }
    let mut made = words.to_vec();
    made.splice(at..at, added);
    Some(made)
}
