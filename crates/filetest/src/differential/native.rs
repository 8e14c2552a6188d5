//! A program as clang compiles it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Printed;
use crate::process;

/// Compiling, and running, may take so long.
pub(super) const TIME_LIMIT: Duration = Duration::from_secs(60);

/// A compiled program.
pub(super) struct Compiled {
    folder: tempfile::TempDir,
    program: PathBuf,
}

/// Compiles a program.
pub(super) fn compile(path: &Path, flags: &[String]) -> Result<Compiled, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("cannot make a folder: {error}"))?;
    let compiler =
        if path.extension().is_some_and(|extension| extension == "cpp") { "clang++-19" } else { "clang-19" };
    let program = folder.path().join("program");
    let mut arguments: Vec<String> = ["-O0", "-w", "-pthread"].map(str::to_owned).to_vec();
    arguments.extend_from_slice(flags);
    let words = [Path::new("-o"), &program, path];
    arguments.extend(words.map(|word| word.display().to_string()));
    // What the mathematical functions are in, after what uses them.
    arguments.push("-lm".to_owned());
    let compiled = process::run_as(compiler, compiler.as_ref(), &arguments, folder.path(), TIME_LIMIT)?;
    if compiled.exit_code != 0 {
        return Err(format!("{compiler} refuses the program:\n{}", compiled.stderr));
    }
    Ok(Compiled { folder, program })
}

impl Compiled {
    /// Runs it; to be killed is an error.
    pub(super) fn run(&self, limit: Duration) -> Result<Printed, String> {
        let ran = process::run_as("program", &self.program, &[], self.folder.path(), limit)?;
        Ok(Printed { text: ran.stdout, exit_code: Some(ran.exit_code) })
    }
}
