//! Programs in C and C++: compiled by clang, read and lowered.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::{Observer as _, fingerprint};
use ir::Program;
use llvm::{Inputs, LoadError, LowerError, Options, Patience, ReadError};
use report::FrontendCost;
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, SourceMap};

use super::Sources;
use super::built::Built;
use crate::failure::Failure;
use crate::output;
use crate::outside::{Outside, while_doing};

/// How a program in C or C++ is compiled and read.
#[derive(Clone, Copy, Default)]
pub(crate) struct Building<'a> {
    /// What clang is told.
    pub(crate) flags: &'a [String],
    /// Where clang runs, if not here.
    pub(crate) folder: Option<&'a Path>,
    /// Whether a wait on a condition variable may end without a signal.
    pub(crate) spurious_wakeups: bool,
    /// Whether freed memory is given out again.
    pub(crate) reuse: bool,
    /// Whether atomic sections are only marked.
    pub(crate) transactions: bool,
    /// What the program is called with, besides its name.
    pub(crate) arguments: &'a [String],
    /// How long all of this may take.
    pub(crate) patience: Patience<'a>,
}

impl Building<'_> {
    /// Where a file is, seen from here.
    pub(crate) fn path_of(&self, file: &Path) -> PathBuf {
        self.folder.map_or_else(|| file.to_path_buf(), |folder| folder.join(file))
    }
}

type Lowering = Result<(Program, Vec<Diagnostic>), Vec<Diagnostic>>;

/// What is left of the compilation of a program in C or C++, for those who want to run it.
#[derive(Debug)]
pub(crate) struct Compiled {
    /// Keeps the modules.
    pub(crate) built: Arc<Built>,
    /// A folder for what is made of them, which goes away with this.
    pub(crate) scratch: tempfile::TempDir,
    /// The modules as clang made them, one for each file.
    pub(crate) modules: Vec<PathBuf>,
    /// Which instruction each op of the program comes from.
    pub(crate) origins: FxHashMap<ir::OpRef, llvm::module::Origin>,
    /// The sites of calls that ask for an arbitrary value.
    pub(crate) inputs: FxHashSet<u32>,
    /// Opaque ops of which a recorded run tells all that they did.
    pub(crate) recorded: FxHashSet<ir::OpRef>,
    /// What it took.
    pub(crate) cost: FrontendCost,
}

/// Compiles and lowers a program; also gives the fingerprints of its files.
pub(super) fn load(
    sources: Sources<'_>,
    map: &mut SourceMap,
    quiet: bool,
) -> Result<(Lowering, Vec<String>, Compiled), Failure> {
    let building = sources.building;
    let mut sha256 = Vec::new();
    for file in sources.files {
        sha256.push(fingerprint(&content(file, &building.path_of(file))?));
    }
    let no_folder =
        |error: std::io::Error| Failure::Input(format!("error: cannot make a temporary folder: {error}"));
    let scratch = tempfile::tempdir().map_err(no_folder)?;
    let clang = std::env::var_os("RADDLE_CLANG");
    let inputs = Inputs {
        files: sources.files,
        flags: building.flags,
        folder: building.folder,
        clang: clang.as_deref(),
        scratch: scratch.path(),
        recorded: building.transactions,
        patience: building.patience,
    };
    let built = Built::of(inputs).map_err(no_folder)?;
    let clock = Outside::start();
    let compiled = while_doing("compiling", quiet, || built.compile(inputs));
    let (modules, messages) = compiled.map_err(|error| failure(&error))?;
    let compile = clock.now();
    let mut loaded = while_doing("reading what was compiled", quiet, || built.load(&modules, inputs, map))
        .map_err(|error| failure(&error))?;
    llvm::give_arguments(&mut loaded.module, building.arguments);
    if !quiet && !messages.is_empty() {
        output::error(messages.trim_end());
    }
    let options = Options {
        entry: sources.entry.map(str::to_owned),
        spurious_wakeups: building.spurious_wakeups,
        reuse: building.reuse,
        transactions: building.transactions,
        record_output: false,
    };
    let lower = || llvm::lower(&loaded.module, &options, building.patience);
    let lowered = match while_doing("reading what was compiled", quiet, lower) {
        Ok(lowered) => Ok(lowered),
        Err(LowerError::Refused(diagnostics)) => Err(diagnostics),
        Err(LowerError::OutOfTime) => return Err(Failure::Unread),
    };
    let mut origins = FxHashMap::default();
    let mut nondet = FxHashSet::default();
    let mut recorded = FxHashSet::default();
    let with_libraries = |lowered: llvm::Lowered| {
        origins = lowered.origins;
        nondet = lowered.inputs;
        recorded = lowered.recorded;
        let mut program = lowered.program;
        let libraries = map.files().filter(|(_, file)| is_library(file.name())).map(|(id, _)| id);
        program.presentation.libraries = libraries.collect();
        let warnings = worth_telling(&program, lowered.warnings);
        (program, warnings)
    };
    let lowering = lowered.map(with_libraries);
    let cost = FrontendCost { compile, lower: clock.now().saturating_sub(compile) };
    let compiled =
        Compiled { built, scratch, modules: loaded.modules, origins, inputs: nondet, recorded, cost };
    Ok((lowering, sha256, compiled))
}

/// What is in a file of a program, found at `path`. Clang has thousands of words for a program that somebody gives in place of its
/// source.
pub(crate) fn content(file: &Path, path: &Path) -> Result<Vec<u8>, Failure> {
    let content = std::fs::read(path).map_err(|error| Failure::unreadable(file, &error))?;
    let is_text = file.extension().is_none_or(|end| end != "bc");
    match content.iter().position(|byte| *byte == 0).filter(|_| is_text) {
        Some(at) => Err(Failure::Input(format!(
            "error: `{}` is not a text file: byte {at} is zero\nhelp: give the source, not what was compiled",
            file.display()
        ))),
        None => Ok(content),
    }
}

/// Whether a file is one of the system's headers, or one of our own models of library functions.
fn is_library(name: &str) -> bool {
    name.starts_with("/usr/") || name.starts_with("<raddle>/")
}

/// Of warnings that say the same the first, and none about headers, which the user cannot change.
fn worth_telling(program: &Program, warnings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut told: Vec<Diagnostic> = Vec::new();
    for warning in warnings {
        let own = !program.presentation.is_library(warning.primary.span);
        if own && told.iter().all(|earlier| earlier.message != warning.message) {
            told.push(warning);
        }
    }
    told
}

pub(crate) fn failure(error: &LoadError) -> Failure {
    // On a terminal, Ctrl-C ends clang, too. There is nothing wrong with the program.
    if matches!(error, LoadError::Refused(why) if why.contains("signal: 2 ")) {
        return Failure::Interrupted;
    }
    if matches!(error, LoadError::OutOfTime) {
        return Failure::Unread;
    }
    Failure::Input(match error {
        LoadError::Refused(why) if why.contains("file not found") => {
            format!("{}\nhelp: name the folder that has the file: -I DIR", error.to_string().trim_end())
        }
        // What clang says is complete.
        LoadError::Refused(_) => error.to_string(),
        LoadError::Read(ReadError::Link(..)) => {
            format!("error: {error}\nhelp: give the files of one program only")
        }
        LoadError::NoClang(_) => format!(
            "error: {error}\nhelp: install it (Debian: apt-get install clang-19), or name it in RADDLE_CLANG"
        ),
        LoadError::UnknownLanguage(_) | LoadError::Io(..) | LoadError::Read(_) | LoadError::OutOfTime => {
            format!("error: {error}")
        }
    })
}
