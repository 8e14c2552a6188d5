//! The command line of a compiler.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// How far a compiler is to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// It does not compile: it preprocesses, writes assembler, or answers a question.
    Other,
    /// To objects (`-c`).
    Compile,
    /// To a program or shared library.
    Link,
}

/// Ends of the names of source files that are instrumented.
const SOURCES: &[&str] = &["c", "i", "cc", "cp", "cxx", "cpp", "CPP", "c++", "C", "ii"];

/// Options that are followed by a value of their own.
const WITH_VALUE: &[&str] = &[
    "-A",
    "-D",
    "-F",
    "-I",
    "-L",
    "-MF",
    "-MQ",
    "-MT",
    "-T",
    "-U",
    "-Xassembler",
    "-Xclang",
    "-Xlinker",
    "-Xpreprocessor",
    "-arch",
    "-aux-info",
    "-b",
    "-e",
    "-idirafter",
    "-imacros",
    "-imultilib",
    "-include",
    "-iprefix",
    "-iquote",
    "-isysroot",
    "-isystem",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-l",
    "-mllvm",
    "-o",
    "-target",
    "-u",
    "-x",
    "-z",
    "--param",
    "--sysroot",
    "--target",
];

/// With one of these nothing is compiled.
const QUESTIONS: &[&str] = &[
    "-E",
    "-S",
    "-M",
    "-MM",
    "-fsyntax-only",
    "-dumpversion",
    "-dumpmachine",
    "--version",
    "-###",
    "--help",
    "-cc1",
];

/// What one word of a command line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// A source file that is instrumented, in the language that `-x` said, if it did.
    Source,
    /// Another file: an object, a library, assembler.
    Input,
    /// The file after `-o`, and `-o` itself.
    Output,
    /// Dependencies: only wanted once.
    Dependency,
    /// Only the linker wants it.
    Linker,
    /// An option.
    Option,
}

/// A command line.
#[derive(Debug)]
pub(super) struct Arguments {
    words: Vec<(OsString, Role)>,
    pub(super) stage: Stage,
    output: Option<OsString>,
    /// The language that is said for each source file, by its position.
    languages: Vec<(usize, OsString)>,
}

impl Arguments {
    pub(super) fn parse(arguments: &[OsString]) -> Arguments {
        let mut parsed =
            Arguments { words: Vec::new(), stage: Stage::Link, output: None, languages: Vec::new() };
        let mut language: Option<OsString> = None;
        let mut rest = arguments.iter().cloned();
        while let Some(word) = rest.next() {
            let text = word.to_string_lossy().into_owned();
            if QUESTIONS.contains(&&*text) || text.starts_with("-print-") || text.starts_with("--print-") {
                parsed.stage = Stage::Other;
            } else if text == "-c" && parsed.stage == Stage::Link {
                parsed.stage = Stage::Compile;
            }
            if WITH_VALUE.contains(&&*text) {
                let value = rest.next();
                let role = match &*text {
                    "-o" => {
                        parsed.output.clone_from(&value);
                        Role::Output
                    }
                    "-x" => {
                        language = value.clone().filter(|value| value != "none");
                        Role::Output
                    }
                    "-MF" | "-MT" | "-MQ" => Role::Dependency,
                    "-l" | "-L" | "-Xlinker" | "-T" | "-u" | "-z" | "-e" => Role::Linker,
                    _ => Role::Option,
                };
                parsed.words.push((word, role));
                parsed.words.extend(value.map(|value| (value, role)));
                continue;
            }
            let role = match &*text {
                "-c" => Role::Output,
                "-" => {
                    // What comes from the standard input is clang's own business.
                    parsed.stage = Stage::Other;
                    Role::Input
                }
                _ if is_source(&word, language.as_deref()) => {
                    if let Some(language) = &language {
                        parsed.languages.push((parsed.words.len(), language.clone()));
                    }
                    Role::Source
                }
                _ if !text.starts_with('-') => Role::Input,
                "-MD" | "-MMD" | "-MP" => Role::Dependency,
                _ if ["-l", "-L", "-Wl,"].iter().any(|start| text.starts_with(start)) => Role::Linker,
                _ if text.starts_with("-o") => {
                    parsed.output = Some(text[2..].into());
                    Role::Output
                }
                _ if text.starts_with("-MF") || text.starts_with("-MT") || text.starts_with("-MQ") => {
                    Role::Dependency
                }
                _ => Role::Option,
            };
            parsed.words.push((word, role));
        }
        if !parsed.words.iter().any(|(_, role)| matches!(role, Role::Source | Role::Input | Role::Linker)) {
            parsed.stage = Stage::Other;
        }
        parsed
    }

    /// The source files, and where they stand.
    pub(super) fn sources(&self) -> impl Iterator<Item = (usize, &OsStr)> {
        let sources = self.words.iter().enumerate().filter(|(_, (_, role))| *role == Role::Source);
        sources.map(|(at, (word, _))| (at, word.as_os_str()))
    }

    /// What says the language of a source file, if its name does not.
    pub(super) fn language_of(&self, source: &OsStr) -> Vec<OsString> {
        let at = self.sources().find(|(_, word)| *word == source).map(|(at, _)| at);
        let said = self.languages.iter().find(|(known, _)| Some(*known) == at);
        said.map(|(_, language)| vec![OsString::from("-x"), language.clone()]).unwrap_or_default()
    }

    /// The object of a source file.
    pub(super) fn object_of(&self, source: &OsStr) -> PathBuf {
        match &self.output {
            Some(output) => PathBuf::from(output),
            None => Path::new(Path::new(source).file_stem().unwrap_or(source)).with_extension("o"),
        }
    }

    pub(super) fn has_other_inputs(&self) -> bool {
        self.words.iter().any(|(_, role)| *role == Role::Input)
    }

    /// Whether the user wants it optimized.
    pub(super) fn optimizes(&self) -> bool {
        let last = self.words.iter().rev().map(|(word, _)| word.to_string_lossy());
        last.into_iter().find(|word| word.starts_with("-O")).is_some_and(|word| word != "-O0")
    }

    fn with_roles(&self, roles: &[Role]) -> Vec<OsString> {
        self.words.iter().filter(|(_, role)| roles.contains(role)).map(|(word, _)| word.clone()).collect()
    }

    /// Options for making a module; dependencies are those of the object that clang would make.
    pub(super) fn for_module(&self, object: &Path) -> Vec<OsString> {
        let mut words = self.with_roles(&[Role::Option, Role::Dependency]);
        let has = |start: &str| words.iter().any(|word| word.to_string_lossy().starts_with(start));
        // The preprocessor can be told to write them in another way.
        let told = has("-Wp,-MD,") || has("-Wp,-MMD,");
        let wanted = told || has("-MD") || has("-MMD");
        let (named, target) = (told || has("-MF"), has("-MT") || has("-MQ"));
        if wanted && !named {
            words.push("-MF".into());
            words.push(object.with_extension("d").into_os_string());
        }
        if wanted && !target {
            words.push("-MT".into());
            words.push(object.as_os_str().to_owned());
        }
        // The module has to be one, whatever the linker does.
        words.retain(|word| !word.to_string_lossy().starts_with("-flto"));
        words
    }

    /// Options for making code of a module: all that do not say what is read.
    pub(super) fn for_code(&self) -> Vec<OsString> {
        let mut kept = Vec::new();
        let mut words = self.words.iter().filter(|(_, role)| *role == Role::Option).map(|(word, _)| word);
        while let Some(word) = words.next() {
            let text = word.to_string_lossy();
            let codes = ["-O", "-g", "-f", "-m", "-march", "-target", "--target", "-pthread", "-w"];
            if ["-target", "--target", "-mllvm"].contains(&&*text) {
                kept.push(word.clone());
                kept.extend(words.next().cloned());
            } else if codes.iter().any(|start| text.starts_with(start)) && !text.starts_with("-flto") {
                kept.push(word.clone());
            }
        }
        kept
    }

    /// Everything but the source files.
    pub(super) fn without_sources(&self) -> Vec<OsString> {
        self.words.iter().filter(|(_, role)| *role != Role::Source).map(|(word, _)| word.clone()).collect()
    }

    /// For the linker: objects in the places of their sources.
    pub(super) fn with_objects(&self, objects: &[(usize, PathBuf)]) -> Vec<OsString> {
        let mut arguments = Vec::new();
        let mut said = false;
        for (at, (word, role)) in self.words.iter().enumerate() {
            // Objects are no sources in another language.
            if word == "-x" || said {
                said = word == "-x";
                continue;
            }
            match (role, objects.iter().find(|(place, _)| *place == at)) {
                (_, Some((_, object))) => arguments.push(object.as_os_str().to_owned()),
                (Role::Dependency, None) => {}
                (_, None) => arguments.push(word.clone()),
            }
        }
        arguments
    }

    /// Whether a program is linked, and not a library or a part of one.
    pub(super) fn makes_program(&self) -> bool {
        let no = ["-shared", "-r", "-nostdlib", "-nodefaultlibs", "-Wl,-shared", "-Wl,-r"];
        !self.words.iter().any(|(word, _)| no.iter().any(|no| word == no))
    }
}

fn is_source(word: &OsStr, language: Option<&OsStr>) -> bool {
    if word.to_string_lossy().starts_with('-') {
        return false;
    }
    match language.and_then(OsStr::to_str) {
        Some(language) => ["c", "c++", "cpp-output", "c++-cpp-output"].contains(&language),
        None => Path::new(word).extension().and_then(OsStr::to_str).is_some_and(|end| SOURCES.contains(&end)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Arguments {
        Arguments::parse(&text.split(' ').map(OsString::from).collect::<Vec<_>>())
    }

    fn joined(words: &[OsString]) -> String {
        words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn stages_are_told_apart() {
        assert_eq!(parse("-c a.c").stage, Stage::Compile);
        assert_eq!(parse("a.c -o a").stage, Stage::Link);
        for other in ["-E a.c", "--version", "-S -O2 a.c", "-print-prog-name=ld", "-v", "-x c -"] {
            assert_eq!(parse(other).stage, Stage::Other, "{other}");
        }
    }

    #[test]
    fn objects_take_the_places_of_their_sources() {
        let parsed = parse("-O2 a.c -Iinc b.o -lx -MD -o out");
        let sources: Vec<_> = parsed.sources().collect();
        assert_eq!(sources.len(), 1);
        let linked = parsed.with_objects(&[(sources[0].0, PathBuf::from("/tmp/0.o"))]);
        assert_eq!(joined(&linked), "-O2 /tmp/0.o -Iinc b.o -lx -o out");
        assert!(parsed.makes_program());
        assert!(!parse("-shared a.o -o a.so").makes_program());
    }

    #[test]
    fn dependencies_are_those_of_the_object() {
        let parsed = parse("-MMD -c -o sub/a.o a.c -Dx=1 -D y");
        let object = parsed.object_of(OsStr::new("a.c"));
        assert_eq!(joined(&parsed.for_module(&object)), "-MMD -Dx=1 -D y -MF sub/a.d -MT sub/a.o");
        assert_eq!(parse("-c dir/a.c").object_of(OsStr::new("dir/a.c")), PathBuf::from("a.o"));
    }

    #[test]
    fn only_options_for_code_are_used_again() {
        let parsed = parse("-O2 -fPIC -DX -I inc -std=c11 -g -march=native -Wall -c a.c");
        assert_eq!(joined(&parsed.for_code()), "-O2 -fPIC -g -march=native");
        assert!(parsed.optimizes());
        assert!(!parse("-O2 -O0 -c a.c").optimizes());
    }
}
