//! `raddle.toml`: the settings of a project.
//!
//! A setting is an option of the command line under its long name; what is given on the command line comes first. The file is
//! looked for where the program is, and in the folders above.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, CommandFactory, FromArgMatches};
use toml::{Table, Value};

use crate::args::Arguments;
use crate::failure::Failure;
use crate::program::no_option;

/// The name of the file.
const NAME: &str = "raddle.toml";
/// A file with settings that is larger is none.
const MOST_BYTES: u64 = 1 << 20;
/// What runs programs of its own, or names what is to be read, is for the command line only: who looks at the code of others should
/// not run what it says.
const COMMAND_LINE_ONLY: &[&str] =
    &["solver", "cross-check", "dump-smt", "files", "arguments", "no-config", "help"];

/// Why a command line cannot be read.
#[derive(Debug)]
pub(crate) enum Misread {
    /// By itself. The help that was asked for is here, too.
    Arguments(clap::Error),
    /// With the settings.
    Settings(Failure),
}

/// Reads a command line, with the settings of the project that the program is in.
pub(crate) fn parse(mut words: Vec<OsString>) -> Result<Arguments, Misread> {
    let mut command = Arguments::command();
    let matches = command.try_get_matches_from_mut(&words).or_else(|error| {
        let lacks = error.kind() == ErrorKind::MissingRequiredArgument;
        let named_last = named_last(&words).filter(|_| lacks).ok_or_else(|| Misread::Arguments(error))?;
        words = named_last;
        command.try_get_matches_from_mut(&words).map_err(Misread::Arguments)
    })?;
    let Some((name, given)) = matches.subcommand() else { return read(&matches) };
    let Some(file) = find(given) else { return read(&matches) };
    let known = |table: &str| command.find_subcommand(table);
    let Some(subcommand) = known(name) else { return read(&matches) };
    let settings = Settings::read(&file).map_err(Misread::Settings)?;
    settings.check(&known).map_err(Misread::Settings)?;
    let more = settings.words(subcommand, given).map_err(Misread::Settings)?;
    if more.is_empty() {
        return read(&matches);
    }
    let mut all = words;
    all.splice(2..2, more);
    let matches = Arguments::command().try_get_matches_from(all).map_err(|error| {
        let text = error.to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text).trim_end().to_owned();
        Misread::Settings(settings.wrong(&text))
    })?;
    read(&matches)
}

/// What follows `--` is for the program; but if none was named before, it names the program.
fn named_last(words: &[OsString]) -> Option<Vec<OsString>> {
    let end = words.iter().position(|word| word == "--")?;
    let files = words[end + 1..].iter().map(|word| no_option(word.into()).into_os_string());
    Some(words[..end].iter().cloned().chain(files).collect())
}

fn read(matches: &ArgMatches) -> Result<Arguments, Misread> {
    Arguments::from_arg_matches(matches).map_err(Misread::Arguments)
}

/// The file with settings for a program, if there is one.
fn find(given: &ArgMatches) -> Option<PathBuf> {
    if given.try_get_one::<bool>("no_config").ok().flatten() != Some(&false) {
        return None;
    }
    let program = given.try_get_many::<PathBuf>("files").ok().flatten()?.next()?;
    let folder = std::path::absolute(program).ok()?;
    folder.ancestors().skip(1).map(|folder| folder.join(NAME)).find(|file| file.is_file())
}

struct Settings {
    file: PathBuf,
    table: Table,
}

impl Settings {
    fn read(file: &Path) -> Result<Self, Failure> {
        let shown = file.display();
        let cannot = |error: &dyn std::fmt::Display| {
            Failure::Input(format!("error: cannot read the settings in `{shown}`: {error}"))
        };
        let size = std::fs::metadata(file).map_err(|error| cannot(&error))?.len();
        if size > MOST_BYTES {
            return Err(cannot(&format!("it has {size} bytes, which is too many")));
        }
        let text = std::fs::read_to_string(file).map_err(|error| cannot(&error))?;
        let table = text.parse::<Table>().map_err(|error| cannot(&error.to_string().trim_end()))?;
        Ok(Settings { file: file.to_path_buf(), table })
    }

    fn wrong(&self, what: &str) -> Failure {
        Failure::Input(format!("error: `{}`: {what}", self.file.display()))
    }

    /// A setting that no command has is a mistake, and would be overlooked.
    fn check<'a>(&self, known: &dyn Fn(&str) -> Option<&'a clap::Command>) -> Result<(), Failure> {
        let commands: Vec<&clap::Command> =
            ["check", "explore", "verify", "live", "async", "predict", "run", "record", "sequentialize"]
                .iter()
                .filter_map(|name| known(name))
                .collect();
        for (key, value) in &self.table {
            if let Value::Table(table) = value {
                let Some(command) = commands.iter().find(|command| command.get_name() == key) else {
                    let names: Vec<&str> = commands.iter().map(|command| command.get_name()).collect();
                    return Err(self.wrong(&format!(
                        "there is no command `{key}` that has settings\nhelp: those that have some are {}",
                        names.join(", ")
                    )));
                };
                for key in table.keys() {
                    self.is_allowed(key)?;
                    if option(command, key).is_none() {
                        let name = command.get_name();
                        return Err(self.wrong(&format!(
                            "`raddle {name}` has no option `{key}`\nhelp: raddle {name} --help lists them"
                        )));
                    }
                }
            } else {
                self.is_allowed(key)?;
                if !commands.iter().any(|command| option(command, key).is_some()) {
                    return Err(self.wrong(&format!(
                        "no command has an option `{key}`\nhelp: a setting is an option under its long name; raddle check --help lists \
                         those of `raddle check`"
                    )));
                }
            }
        }
        Ok(())
    }

    fn is_allowed(&self, key: &str) -> Result<(), Failure> {
        if COMMAND_LINE_ONLY.contains(&key) {
            return Err(self.wrong(&format!("`{key}` can be given on the command line only")));
        }
        Ok(())
    }

    /// What the settings add to a command line.
    fn words(&self, command: &clap::Command, given: &ArgMatches) -> Result<Vec<OsString>, Failure> {
        let own = self.table.get(command.get_name()).and_then(Value::as_table);
        let mut words = Vec::new();
        let general = self.table.iter().filter(|(key, value)| {
            !value.is_table() && !own.is_some_and(|own| own.contains_key(key.as_str()))
        });
        for (key, value) in own.into_iter().flatten().chain(general) {
            let Some(option) = option(command, key) else { continue };
            if given.value_source(option.get_id().as_str()) == Some(ValueSource::CommandLine) {
                continue;
            }
            self.add(&mut words, option, key, value)?;
        }
        Ok(words)
    }

    fn add(&self, words: &mut Vec<OsString>, option: &Arg, key: &str, value: &Value) -> Result<(), Failure> {
        let flag = match (option.get_long(), option.get_short()) {
            (Some(long), _) => format!("--{long}"),
            (None, Some(short)) => format!("-{short}"),
            (None, None) => return Ok(()),
        };
        if matches!(option.get_action(), ArgAction::SetTrue) {
            let Some(is_set) = value.as_bool() else {
                return Err(self.wrong(&format!("`{key}` is true or false")));
            };
            if is_set {
                words.push(flag.into());
            }
            return Ok(());
        }
        let values = match value {
            Value::Array(values) => values.as_slice(),
            one => std::slice::from_ref(one),
        };
        for value in values {
            let text = match value {
                Value::String(text) => self.placed(key, text),
                Value::Integer(number) => number.to_string(),
                Value::Float(number) => number.to_string(),
                _ => {
                    let text = format!("`{key}` is a text, a number or a list of them");
                    return Err(self.wrong(&text));
                }
            };
            if key == "clang-arg"
                && let Some(flag) = llvm::dangerous_flag(std::slice::from_ref(&text))
            {
                let text =
                    format!("`{flag}` may do more than compile: it can be given on the command line only");
                return Err(self.wrong(&text));
            }
            // Short options have their value right behind them.
            let between = if flag.starts_with("--") { "=" } else { "" };
            words.push(format!("{flag}{between}{text}").into());
        }
        Ok(())
    }

    /// Folders are seen from where the settings are.
    fn placed(&self, key: &str, text: &str) -> String {
        match self.file.parent() {
            Some(folder) if key == "include" => folder.join(text).display().to_string(),
            _ => text.to_owned(),
        }
    }
}

/// The option of a name: the long one, or for those that have none, what it is about.
fn option<'a>(command: &'a clap::Command, key: &str) -> Option<&'a Arg> {
    command.get_arguments().find(|option| match option.get_long() {
        Some(long) => long == key,
        None => option.get_short().is_some() && option.get_id() == key,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Command;

    fn settings(text: &str, words: &str) -> Result<Arguments, Misread> {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("src")).expect("a folder");
        std::fs::write(folder.path().join(NAME), text).expect("a file");
        let program = folder.path().join("src/a.c");
        let mut words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
        words.push(program.into());
        parse(words)
    }

    fn timeout(text: &str, words: &str) -> Option<f64> {
        match settings(text, words).expect("settings").command {
            Command::Explore(options) => options.budget.timeout,
            _ => None,
        }
    }

    #[test]
    fn what_is_nearer_comes_first() {
        assert_eq!(timeout("timeout = 5", "raddle explore"), Some(5.0));
        assert_eq!(timeout("timeout = 5\n[explore]\ntimeout = 6.5", "raddle explore"), Some(6.5));
        assert_eq!(timeout("timeout = 5", "raddle explore --timeout 7"), Some(7.0));
        assert_eq!(timeout("timeout = 5", "raddle explore --no-config"), None);
        assert_eq!(timeout("[live]\ntimeout = 5", "raddle explore"), None);
        // An option of another command is none of ours.
        assert_eq!(timeout("stem = 3", "raddle explore"), None);
    }

    #[test]
    fn lists_and_switches_are_read() {
        let text =
            "check = ['race', 'deadlock']\ninclude = ['include']\n[explore]\nvalues = true\nquiet = false";
        let Command::Explore(options) = settings(text, "raddle explore").expect("settings").command else {
            panic!("another command")
        };
        assert_eq!(options.check.len(), 2);
        assert!(options.values && !options.output.quiet);
        let flags = options.program.flags();
        assert!(flags[0].starts_with("-I/") && flags[0].ends_with("/include"), "{flags:?}");
    }

    #[test]
    fn mistakes_are_told() {
        let wrong = [
            "timout = 5",
            "[exlore]\ntimeout = 5",
            "[explore]\nstem = 5",
            "[explore]\nvalues = 3",
            "solver = '/bin/sh'",
            "cross-check = '/bin/sh'",
            "clang-arg = '-fplugin=x.so'",
            "timeout = 'soon'",
            "timeout = [{}]",
            "timeout =",
        ];
        for text in wrong {
            let result = settings(text, "raddle explore");
            assert!(matches!(result, Err(Misread::Settings(Failure::Input(_)))), "{text}: {result:?}");
        }
        let table = settings("[exlore]\ntimeout = 5", "raddle explore");
        let Err(Misread::Settings(Failure::Input(told))) = table else { panic!("{table:?}") };
        assert!(told.contains("help: those that have some are check, explore,"), "{told}");
    }
}
