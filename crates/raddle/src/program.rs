//! Which program to read, and how, on the command line.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};

use crate::load::{Building, Sources};

/// The heading of what matters for C and C++ only.
const C: &str = "Options for C and C++";

#[derive(Debug, Args)]
pub(crate) struct ProgramOptions {
    /// The program: Boogie (.bpl), Raddle's IR (.ir), or C and C++ files, which are linked
    #[arg(value_name = "FILE", required = true, value_parser = PathBufValueParser::new().map(no_option))]
    pub(crate) files: Vec<PathBuf>,
    /// Start with this procedure
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// Search a folder for included files
    #[arg(short = 'I', value_name = "DIR", help_heading = C)]
    include: Vec<String>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = C)]
    define: Vec<String>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME", help_heading = C)]
    undefine: Vec<String>,
    /// The version of the language, as in c11 or c++20; -std=c11 does the same
    #[arg(long, value_name = "STANDARD", help_heading = C)]
    std: Option<String>,
    /// Another argument for clang; -f..., -W..., -m..., -isystem, -iquote and -include need no --clang-arg
    #[arg(long, value_name = "ARG", allow_hyphen_values = true, help_heading = C)]
    clang_arg: Vec<String>,
    /// Waits on condition variables may end without a signal, also for the question whether there is a deadlock
    #[arg(long, help_heading = C)]
    spurious_wakeups: bool,
    /// Waits on condition variables end only when they are signalled; otherwise what is safe then is looked at again
    #[arg(long, conflicts_with = "spurious_wakeups", help_heading = C)]
    no_spurious_wakeups: bool,
    /// Do not read the settings in raddle.toml
    #[arg(long)]
    no_config: bool,
    /// Arguments of the program, if it is C or C++
    #[arg(last = true, value_name = "ARGS")]
    pub(crate) arguments: Vec<String>,
}

/// A file whose name could be an option of clang, named so that it cannot.
pub(crate) fn no_option(file: PathBuf) -> PathBuf {
    if file.as_os_str().as_encoded_bytes().starts_with(b"-") { Path::new(".").join(file) } else { file }
}

impl ProgramOptions {
    /// What clang is told.
    pub(crate) fn flags(&self) -> Vec<String> {
        let with = |flag: &'static str, values: &[String]| -> Vec<String> {
            values.iter().map(|value| format!("{flag}{value}")).collect()
        };
        let mut flags = with("-I", &self.include);
        flags.extend(with("-D", &self.define));
        flags.extend(with("-U", &self.undefine));
        flags.extend(with("-std=", self.std.as_slice()));
        flags.extend(self.clang_arg.iter().cloned());
        flags
    }

    /// The words that say the same on another command line, but for those that [come last](Self::last_words). `flags` are those of
    /// [`ProgramOptions::flags`].
    pub(crate) fn words(&self, flags: &[String]) -> Vec<OsString> {
        let mut words: Vec<OsString> = self.files.iter().map(OsString::from).collect();
        if let Some(entry) = &self.entry {
            words.extend(["--entry".into(), entry.into()]);
        }
        words.extend(flags.iter().map(|flag| OsString::from(format!("--clang-arg={flag}"))));
        words.extend(self.spurious_wakeups.then(|| "--spurious-wakeups".into()));
        words.extend(self.no_spurious_wakeups.then(|| "--no-spurious-wakeups".into()));
        words.extend(self.no_config.then(|| "--no-config".into()));
        words
    }

    /// The words that end such a command line.
    pub(crate) fn last_words(&self) -> Vec<OsString> {
        let marked = (!self.arguments.is_empty()).then(|| "--".into());
        marked.into_iter().chain(self.arguments.iter().map(OsString::from)).collect()
    }

    /// What to read. `flags` are those of [`ProgramOptions::flags`].
    pub(crate) fn sources<'a>(&'a self, flags: &'a [String], responds: Option<&'a str>) -> Sources<'a> {
        let spurious_wakeups = self.spurious_wakeups;
        let arguments = &self.arguments;
        let building = Building { flags, spurious_wakeups, arguments, ..Building::default() };
        Sources { files: &self.files, entry: self.entry.as_deref(), responds, building }
    }

    /// Whether the user left open whether waits on condition variables may end without a signal.
    pub(crate) fn wakeups_are_open(&self) -> bool {
        self.is_c() && !self.spurious_wakeups && !self.no_spurious_wakeups
    }

    /// Whether it is C or C++.
    pub(crate) fn is_c(&self) -> bool {
        self.files.iter().any(|file| llvm::is_input(file))
    }
}

/// Compilers spell some options in a way that others do not: `-std=c11`, `-include file.h`. Those that say how a program is to
/// be compiled are turned into `--clang-arg`, so that a command line for a compiler can be used here.
pub(crate) fn pass_through(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    const BEGIN: &[&str] =
        &["-std=", "-f", "-W", "-m", "-O", "-l", "-L", "-isystem", "-iquote", "-idirafter", "-include"];
    const WHOLE: &[&str] = &["-ansi", "-g", "-pedantic", "-pthread", "-w"];
    const WITH_VALUE: &[&str] = &["-isystem", "-iquote", "-idirafter", "-include"];
    let mut result = Vec::new();
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        let text = argument.to_string_lossy();
        if text == "--" {
            result.push(argument);
            result.extend(arguments);
            break;
        }
        if text == "--clang-arg" {
            result.push(argument);
            result.extend(arguments.next());
            continue;
        }
        let is_flag = BEGIN.iter().any(|start| text.starts_with(start)) || WHOLE.contains(&&*text);
        if !is_flag {
            result.push(argument);
            continue;
        }
        let has_value = WITH_VALUE.contains(&&*text);
        let mut pass = |flag: OsString| {
            let mut passed = OsString::from("--clang-arg=");
            passed.push(flag);
            result.push(passed);
        };
        pass(argument);
        if has_value && let Some(value) = arguments.next() {
            pass(value);
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_compilers_are_passed_through() {
        let passed = |text: &str| {
            let words = pass_through(text.split(' ').map(OsString::from));
            words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            passed("raddle explore -q a.c --int-range -4..4"),
            "raddle explore -q a.c --int-range -4..4"
        );
        assert_eq!(
            passed("raddle live -std=c11 -include x.h -DN --clang-arg -Wall -- -fx"),
            "raddle live --clang-arg=-std=c11 --clang-arg=-include --clang-arg=x.h -DN --clang-arg -Wall -- -fx"
        );
    }
}
