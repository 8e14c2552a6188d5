//! Programs in C and C++ made to run: instrumented, and linked with the run-time library.

use std::path::{Path, PathBuf};

use engine::fingerprint_bytes;
use llvm::{LoadError, Plan};
use rustc_hash::FxHashSet;

use crate::failure::Failure;
use crate::load::compile_failure;

/// The run-time library.
const LIBRARY: &[u8] = include_bytes!(env!("RADDLE_RT"));

/// An instrumented program.
pub(crate) struct Executable {
    /// The file.
    pub(crate) path: PathBuf,
    /// Its modules: fingerprint, and how many sites the modules before have.
    pub(crate) modules: Vec<([u8; 32], u32)>,
}

/// Writes the run-time library into a folder.
pub(crate) fn write_library(folder: &Path) -> Result<PathBuf, Failure> {
    let path = folder.join("libraddle_rt.a");
    if !path.exists() {
        std::fs::write(&path, LIBRARY)
            .map_err(|error| Failure::Input(format!("error: cannot write `{}`: {error}", path.display())))?;
    }
    Ok(path)
}

/// How the message begins about a program that cannot be linked.
pub(crate) const UNLINKED: &str = "the program cannot be linked";

/// What cannot be linked can still be analysed.
fn unlinked(failure: Failure) -> Failure {
    let Failure::Input(text) = failure else { return failure };
    let complains = |line: &str| ["undefined reference", "error: "].iter().find_map(|words| line.find(words));
    let first = text.lines().find_map(|line| complains(line).map(|at| &line[at..]));
    let first = first.or(text.lines().next()).unwrap_or_default();
    Failure::Input(format!(
        "error: {UNLINKED}: {first}\n{}\nhelp: to run a program, all its files and libraries are needed; `raddle \
         explore` needs none of that",
        text.trim_end()
    ))
}

/// What a program asks the run-time library for that is not recorded.
#[derive(Clone, Copy)]
pub(crate) struct Gates<'a> {
    /// The sites at which its threads wait.
    pub(crate) waits: &'a FxHashSet<u32>,
    /// The sites of calls that may give anything, and that are told what.
    pub(crate) given: &'a FxHashSet<u32>,
}

/// Builds a program of modules that clang made. If gates are given, its threads wait there and nowhere else, and nothing is
/// recorded.
pub(crate) fn build(
    scratch: &Path,
    modules: &[PathBuf],
    names: &[PathBuf],
    flags: &[String],
    gates: Option<Gates<'_>>,
) -> Result<Executable, Failure> {
    let mut base = 0;
    let mut known = Vec::new();
    let mut instrumented = Vec::new();
    // What is kept on a schedule is one module, as it was for the analysis.
    let parts = if gates.is_some() { modules.len().max(1) } else { 1 };
    for (at, modules) in modules.chunks(parts).enumerate() {
        let mut bytes = Vec::new();
        for module in modules {
            bytes.extend(std::fs::read(module).map_err(|error| {
                Failure::Input(format!("error: cannot read `{}`: {error}", module.display()))
            })?);
        }
        let hash = fingerprint_bytes(&bytes);
        let name = names.get(at).map(|name| name.display().to_string()).unwrap_or_default();
        let (wrapped, prefix) = match gates {
            Some(_) => (trace::GATED, "__raddle_gate_"),
            None => (trace::WRAPPED, "__raddle_"),
        };
        let plan = Plan {
            wrapped,
            prefix,
            only: gates.map(|gates| gates.waits),
            given: gates.map(|gates| gates.given),
            name: &name,
            hash,
            embed: gates.is_none(),
        };
        let output = scratch.join(format!("{at}.instrumented.bc"));
        let sites = llvm::instrument(modules, &output, plan)
            .map_err(|error| compile_failure(&LoadError::Read(error)))?;
        known.push((hash, base));
        instrumented.push(output);
        base += sites;
    }
    let library = write_library(scratch)?;
    let path = scratch.join("program");
    let clang = std::env::var_os("RADDLE_CLANG");
    llvm::link(clang.as_deref(), &instrumented, flags, &[library], &path)
        .map_err(|error| unlinked(compile_failure(&error)))?;
    Ok(Executable { path, modules: known })
}
