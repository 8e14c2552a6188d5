//! C programs made by csmith (Yang, Chen, Eide and Regehr, PLDI 2011): sequential, well-defined, and with a checksum of all
//! global variables as their output.
//!
//! Some go on for ever, or longer than is worth waiting for; those are left out. Some do what is not supported, which is not wrong.

use std::path::Path;
use std::time::Duration;

use super::model::{self, Problem};
use super::{differs, native};
use crate::process;

/// What csmith is told. Programs are small: they are interpreted.
const OPTIONS: &[&str] = &[
    "--no-argc",
    "--concise",
    "--max-funcs",
    "4",
    "--max-block-size",
    "3",
    "--max-expr-complexity",
    "6",
    "--max-array-len-per-dim",
    "5",
];

/// Where Debian's csmith has its headers.
const HEADERS: &str = "/usr/include/csmith";

const INSTALL: &str = "csmith and its headers are needed; Debian: apt-get install csmith libcsmith-dev";

/// A program that needs longer, compiled, has nothing to say.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// What came of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    /// Both executions print the same.
    Same,
    /// It takes too long.
    TooLong,
    /// It is not supported, for this reason.
    NotFollowed(String),
}

/// Makes a program and compares its two executions.
///
/// # Errors
/// When they differ, or one fails; with the command that makes the program.
pub fn compare_csmith(seed: u64) -> Result<Compared, String> {
    let dir = tempfile::tempdir().map_err(|error| format!("cannot make a folder: {error}"))?;
    let path = dir.path().join("csmith.c");
    let options = options(seed);
    let mut arguments = options.clone();
    arguments.extend(["--output".to_owned(), path.display().to_string()]);
    let made = process::run_as("csmith", "csmith".as_ref(), &arguments, dir.path(), TIME_LIMIT)
        .map_err(|problem| format!("{problem}\n{INSTALL}"))?;
    if !Path::new(HEADERS).is_dir() {
        return Err(format!("there is no folder `{HEADERS}`\n{INSTALL}"));
    }
    if made.exit_code != 0 {
        return Err(format!("csmith ends with the exit code {}: {}", made.exit_code, made.stderr));
    }
    compare(&path)
        .map_err(|problem| format!("{problem}\nthe program: csmith {} > csmith.c", options.join(" ")))
}

/// What makes the program of a seed. For csmith it has 32 bits.
fn options(seed: u64) -> Vec<String> {
    // Bit-fields of packed structs can be parts of integers of more than 64 bits, which the explorer does not have.
    let structs = if seed.is_multiple_of(2) { "--no-packed-struct" } else { "--no-bitfields" };
    let seed = (seed & u64::from(u32::MAX)).to_string();
    let options = OPTIONS.iter().copied().chain([structs, "--seed", &seed]);
    options.map(str::to_owned).collect()
}

fn compare(path: &Path) -> Result<Compared, String> {
    // Its checks of signed arithmetic leave out some of what is done with bit-fields.
    let flags = ["-w", "-fwrapv", "-isystem", HEADERS].map(str::to_owned);
    let program = native::compile(path, &flags)?;
    let Ok(expected) = program.run(TIME_LIMIT) else { return Ok(Compared::TooLong) };
    match model::run(path, &flags, false) {
        Ok(ran) => ran.iter().try_for_each(|ran| differs(&expected, ran)).map(|()| Compared::Same),
        Err(Problem::TooLong) => Ok(Compared::TooLong),
        Err(Problem::NotFollowed(why)) => Ok(Compared::NotFollowed(why)),
        Err(Problem::Other(problem)) => Err(problem),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_what_csmith_can_read() {
        assert_eq!(options(u64::MAX).last().map(String::as_str), Some("4294967295"));
    }
}
