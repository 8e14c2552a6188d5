//! Runs clang 19: from C and C++ files to bitcode.

mod flags;
mod kept;
mod preprocessed;

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use rustc_hash::FxHashSet;
use source::SourceMap;
use wait_timeout::ChildExt;

use crate::input::input;
use crate::models::{self, Model};
use crate::module::Module;
use crate::patience::{OutOfTime, Patience};
use crate::read::{Library, ReadError, read_with};
use crate::{at_exit, exceptions};

use kept::Kept;

pub use flags::dangerous_flag;
pub use kept::folder as kept_folder;

/// The version that everything here is made for: bitcode and debug information differ between versions.
const VERSION: &str = "19";

/// What a program includes to talk to us.
pub const HEADER: &str = include_str!("../include/raddle.h");

/// Ends of the names of files that clang compiles.
const COMPILED: &[&str] = &["c", "cpp", "cc", "cxx", "C", "i", "ii"];

/// Ends of the names of files that are modules already.
const MODULES: &[&str] = &["ll", "bc"];

/// What clang is always told, after what the user says: the last word on optimization is ours, since an optimization that
/// merges or drops accesses to shared memory changes the program.
const ALWAYS: &[&str] = &[
    // No pass runs, but the bodies of inline functions are there, which `-O0` leaves out.
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    // Otherwise loops are marked so that no pass ever unrolls them, when the program is made to run.
    "-funroll-loops",
    // They make ways out of scopes meet, with values that are undefined on some.
    "-Xclang",
    "-disable-lifetime-markers",
    "-U__OPTIMIZE__",
    // Libraries are for those who run the program.
    "-Wno-unused-command-line-argument",
    "-g",
    "-gcolumn-info",
    "-fno-discard-value-names",
    "-emit-llvm",
    "-c",
    "-pthread",
    "-DRADDLE",
];

/// What clang is told first for C: other compilers only warn about these mistakes in old programs.
const LENIENT: &[&str] = &[
    "-Wno-error=int-conversion",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-type",
    "-Wno-error=return-mismatch",
];

/// A program in C or C++.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// Its files, which are linked. Relative names are relative to `folder`.
    pub files: &'a [PathBuf],
    /// What clang is told besides: `-Iinclude`, `-DN=2`, `-std=c11`.
    pub flags: &'a [String],
    /// Where clang runs; where this process runs if not said.
    pub folder: Option<&'a Path>,
    /// The clang to use; otherwise it is searched for.
    pub clang: Option<&'a OsStr>,
    /// A folder for what clang makes: an empty one, or one where the same program was compiled.
    pub scratch: &'a Path,
    /// Whether a recorded run tells what library functions did: then those of which it tells all have no other meaning.
    pub recorded: bool,
    /// How long it may take.
    pub patience: Patience<'a>,
}

/// A program that was compiled and read.
#[derive(Debug)]
pub struct Loaded {
    /// The program.
    pub module: Module,
    /// What clang had to say; mostly empty.
    pub messages: String,
    /// The modules as clang made them, in the scratch folder: one for each file, and then library functions of our own that the
    /// program is to be made of, so that it does what was analysed.
    pub modules: Vec<PathBuf>,
}

/// Why a program could not be loaded.
#[derive(Debug)]
pub enum LoadError {
    /// There is no clang of the right version; with what was tried and came out.
    NoClang(Vec<(OsString, String)>),
    /// The name of the file does not say that it is C, C++ or LLVM.
    UnknownLanguage(PathBuf),
    /// The file cannot be read.
    Io(PathBuf, std::io::Error),
    /// clang refuses the program; with all that it says.
    Refused(String),
    /// The module cannot be used.
    Read(ReadError),
    /// The time was over before the program was compiled and read.
    OutOfTime,
}

impl LoadError {
    /// The same about the files that modules were made of, one of each.
    #[must_use]
    pub fn about(self, modules: &[PathBuf], files: &[PathBuf]) -> Self {
        match self {
            LoadError::Read(error) => LoadError::Read(renamed(error, modules, files)),
            error => error,
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::NoClang(tried) => {
                write!(f, "C and C++ need clang {VERSION}")?;
                for (program, outcome) in tried {
                    write!(f, "\n  {}: {outcome}", program.display())?;
                }
                Ok(())
            }
            LoadError::UnknownLanguage(path) => {
                let ends = [COMPILED, MODULES].concat().join(", .");
                write!(f, "`{}` is no C, C++ or LLVM file; their names end with .{ends}", path.display())
            }
            LoadError::Io(path, error) => write!(f, "cannot read `{}`: {error}", path.display()),
            LoadError::Refused(messages) => f.write_str(messages.trim_end()),
            LoadError::Read(error) => write!(f, "{error}"),
            LoadError::OutOfTime => f.write_str("the time was over before the program was compiled"),
        }
    }
}

impl std::error::Error for LoadError {}

impl From<ReadError> for LoadError {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::OutOfTime => LoadError::OutOfTime,
            error => LoadError::Read(error),
        }
    }
}

impl From<OutOfTime> for LoadError {
    fn from(_: OutOfTime) -> Self {
        LoadError::OutOfTime
    }
}

/// Whether the name of a file says that it is C, C++ or LLVM.
#[must_use]
pub fn is_input(path: &Path) -> bool {
    has_end(path, COMPILED) || has_end(path, MODULES)
}

fn has_end(path: &Path, ends: &[&str]) -> bool {
    path.extension().and_then(OsStr::to_str).is_some_and(|extension| ends.contains(&extension))
}

/// Compiles a program and reads what comes out. The files that its debug information names are added to `map`.
///
/// # Errors
/// When there is no clang, or it refuses the program, or a file cannot be used.
pub fn load(inputs: Inputs<'_>, map: &mut SourceMap) -> Result<Loaded, LoadError> {
    let mut compiler = None;
    let (mut modules, messages) = compile_all(&mut compiler, inputs)?;
    let mut asked: FxHashSet<String> = FxHashSet::default();
    let mut linked: Vec<PathBuf> = Vec::new();
    let needs_model = |name: &str| !inputs.recorded || input(name).is_none();
    let module = read_with(&modules, map, inputs.patience, |undefined| {
        let new: Vec<String> = undefined
            .iter()
            .filter(|name| asked.insert((*name).clone()))
            .filter(|name| needs_model(name))
            .cloned()
            .collect();
        let libraries: Result<Vec<Library>, LoadError> = models::defining(&new)
            .map(|model| started(&mut compiler, inputs)?.compile_model(model))
            .collect();
        for library in libraries.iter().flatten().filter(|library| library.runs) {
            if !linked.contains(&library.path) {
                linked.push(library.path.clone());
            }
        }
        libraries
    });
    let mut module = module.map_err(|error| error.about(&modules, inputs.files))?;
    exceptions::settle(&mut module);
    at_exit::settle(&mut module);
    modules.append(&mut linked);
    Ok(Loaded { module, messages, modules })
}

/// Compiles a program to modules, without reading them; with what clang says.
///
/// # Errors
/// When there is no clang, or it refuses the program.
pub fn compile(inputs: Inputs<'_>) -> Result<(Vec<PathBuf>, String), LoadError> {
    compile_all(&mut None, inputs)
}

fn compile_all<'a>(
    compiler: &mut Option<Compiler<'a>>,
    inputs: Inputs<'a>,
) -> Result<(Vec<PathBuf>, String), LoadError> {
    let mut messages = String::new();
    let mut modules = Vec::new();
    for file in inputs.files {
        if has_end(file, MODULES) {
            modules.push(inputs.folder.map_or_else(|| file.clone(), |folder| folder.join(file)));
        } else if has_end(file, COMPILED) {
            let module = inputs.scratch.join(format!("{}.bc", modules.len()));
            messages.push_str(&started(compiler, inputs)?.compile(file, &module)?);
            modules.push(module);
        } else {
            return Err(LoadError::UnknownLanguage(file.clone()));
        }
    }
    Ok((modules, messages))
}

/// The compiler, which is searched for when it is first needed.
fn started<'c, 'a>(
    compiler: &'c mut Option<Compiler<'a>>,
    inputs: Inputs<'a>,
) -> Result<&'c Compiler<'a>, LoadError> {
    Ok(match compiler {
        Some(compiler) => compiler,
        None => compiler.insert(Compiler::new(inputs)?),
    })
}

/// The error in terms of what the user gave.
fn renamed(error: ReadError, modules: &[PathBuf], files: &[PathBuf]) -> ReadError {
    let file_of = |path: PathBuf| {
        let at = modules.iter().position(|module| *module == path);
        at.and_then(|at| files.get(at)).cloned().unwrap_or(path)
    };
    match error {
        ReadError::Io(path, error) => ReadError::Io(file_of(path), error),
        ReadError::NotAModule(path, message) => ReadError::NotAModule(file_of(path), message),
        ReadError::Link(path, message) => ReadError::Link(file_of(path), message),
        ReadError::Invalid(_) | ReadError::Nothing | ReadError::OutOfTime => error,
    }
}

/// Makes a program of modules. It is linked as C++, and without what it does not need.
///
/// # Errors
/// When there is no clang, or it refuses.
pub fn link(
    clang: Option<&OsStr>,
    modules: &[PathBuf],
    flags: &[String],
    libraries: &[PathBuf],
    output: &Path,
) -> Result<String, LoadError> {
    let program = cxx(&find(clang)?);
    let mut command = Command::new(&program);
    command.args(flags::for_linking(flags)).arg("-Wl,--as-needed").args(modules);
    // What registers threads has to be seen by the C++ library.
    command.args(["-Wno-override-module", "-Wno-unused-command-line-argument", "-pthread", "-rdynamic"]);
    // No module insists on the run-time library.
    command.arg("-Wl,-u,__raddle_module").args(libraries).args(["-ldl", "-lm", "-o"]).arg(output);
    if let Some(scratch) = output.parent() {
        // A clang that is killed leaves its temporary files behind: they go when the program goes.
        command.env("TMPDIR", scratch);
    }
    let made =
        command.output().map_err(|error| LoadError::NoClang(vec![(program.clone(), error.to_string())]))?;
    ended(made.status, &made.stderr, output)
}

/// What a clang that has ended said, and whether it accepts what it was to make a file of.
fn ended(status: ExitStatus, said: &[u8], file: &Path) -> Result<String, LoadError> {
    let messages = String::from_utf8_lossy(said).into_owned();
    if status.success() {
        Ok(messages)
    } else if messages.trim().is_empty() {
        Err(LoadError::Refused(format!("clang failed on `{}`: {status}", file.display())))
    } else {
        Err(LoadError::Refused(messages))
    }
}

/// The compiler for C++ that belongs to one for C.
#[must_use]
pub fn cxx(clang: &OsStr) -> OsString {
    let path = Path::new(clang);
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or("clang");
    let plus = name.replacen("clang", "clang++", 1);
    path.with_file_name(plus).into_os_string()
}

/// A clang of the right version, and what it compiles.
struct Compiler<'a> {
    program: OsString,
    inputs: Inputs<'a>,
}

impl<'a> Compiler<'a> {
    fn new(inputs: Inputs<'a>) -> Result<Self, LoadError> {
        let program = find(inputs.clang)?;
        let include = inputs.scratch.join("include");
        let written =
            std::fs::create_dir_all(&include).and_then(|()| std::fs::write(include.join("raddle.h"), HEADER));
        written.map_err(|error| LoadError::Io(include, error))?;
        Ok(Compiler { program, inputs })
    }

    /// Compiles one file; says what clang says about a program that it accepts.
    fn compile(&self, file: &Path, module: &Path) -> Result<String, LoadError> {
        let mut command = Command::new(&self.program);
        if let Some(folder) = self.inputs.folder {
            command.current_dir(folder);
        }
        if has_end(file, &["c", "i"]) {
            command.args(LENIENT);
        }
        command.args(self.inputs.flags).args(ALWAYS);
        command.arg("-idirafter").arg(self.inputs.scratch.join("include"));
        command.arg("-o").arg(module);
        if preprocessed::is(file) {
            let copy = preprocessed::copy(file, self.inputs.folder, self.inputs.scratch)
                .map_err(|error| LoadError::Io(file.to_path_buf(), error))?;
            command.args(["-w", "--"]).arg(copy);
        } else {
            command.arg("--").arg(file);
        }
        self.run(command, file)
    }

    /// Compiles library functions of our own, for the machine that the program is compiled for.
    fn compile_model(&self, model: &Model) -> Result<Library, LoadError> {
        let scratch = self.inputs.scratch;
        let file = PathBuf::from(model.path());
        let library = Library {
            path: scratch.join(format!("{}.bc", model.name)),
            inlined: model.inlined,
            runs: model.runs,
        };
        if library.path.exists() {
            return Ok(library);
        }
        let written = std::fs::create_dir_all(scratch.join(models::FOLDER))
            .and_then(|()| std::fs::write(scratch.join(&file), model.text()));
        written.map_err(|error| LoadError::Io(file.clone(), error))?;
        let mut command = Command::new(&self.program);
        command.current_dir(scratch);
        command.args(self.inputs.flags.iter().filter(|flag| flags::chooses_machine(flag))).args(ALWAYS);
        // Lines, and no variables: they are none of the program's.
        command.args(["-w", "-g1"]);
        let parts = [command.get_program(), OsStr::new(model.name), OsStr::new(model.text())];
        let kept = Kept::of(&[&parts[..], &command.get_args().collect::<Vec<_>>()].concat());
        if let Some(module) = kept.as_ref().and_then(Kept::get) {
            std::fs::write(&library.path, module).map_err(|error| LoadError::Io(file, error))?;
            return Ok(library);
        }
        let rule = library.path.with_extension("d");
        command.args(["-MD", "-MF"]).arg(&rule).arg("-o").arg(&library.path).arg("--").arg(&file);
        self.run(command, &file)?;
        let headers = std::fs::read_to_string(rule).ok().and_then(|rule| kept::headers(&rule));
        if let (Some(kept), Some(headers), Ok(module)) = (kept, headers, std::fs::read(&library.path)) {
            kept.put(&module, &headers);
        }
        Ok(library)
    }

    fn run(&self, mut command: Command, file: &Path) -> Result<String, LoadError> {
        let cannot_run =
            |error: std::io::Error| LoadError::NoClang(vec![(self.program.clone(), error.to_string())]);
        self.inputs.patience.check()?;
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(cannot_run)?;
        // What clang says may be more than a pipe holds.
        let listener = child.stderr.take().map(|mut stderr| {
            std::thread::spawn(move || {
                let mut said = Vec::new();
                // What was said until then is all there is to tell.
                let _ = stderr.read_to_end(&mut said);
                said
            })
        });
        let status = loop {
            if let Some(status) = child.wait_timeout(LOOK_EVERY).map_err(cannot_run)? {
                break status;
            }
            if self.inputs.patience.check().is_err() {
                child.kill().and_then(|()| child.wait()).map_err(cannot_run)?;
                return Err(LoadError::OutOfTime);
            }
        };
        let said = listener.and_then(|listener| listener.join().ok()).unwrap_or_default();
        ended(status, &said, file)
    }
}

/// How often a running clang is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Finds a clang of the right version: the one that is asked for, or one on the search path.
///
/// # Errors
/// When there is none.
pub fn find(chosen: Option<&OsStr>) -> Result<OsString, LoadError> {
    let candidates = match chosen {
        Some(chosen) => vec![chosen],
        None => vec![OsStr::new("clang-19"), OsStr::new("clang")],
    };
    let mut tried = Vec::new();
    for candidate in candidates {
        match version(candidate) {
            Ok(version) if version.split('.').next() == Some(VERSION) => return Ok(candidate.to_owned()),
            Ok(version) => tried.push((candidate.to_owned(), format!("is version {version}"))),
            Err(problem) => tried.push((candidate.to_owned(), problem)),
        }
    }
    Err(LoadError::NoClang(tried))
}

/// The version of a clang, as in `Debian clang version 19.1.7 (3)`.
fn version(program: &OsStr) -> Result<String, String> {
    let output = Command::new(program).arg("--version").output().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => "not found".to_string(),
        _ => error.to_string(),
    })?;
    let text = String::from_utf8_lossy(&output.stdout);
    let version = text.split_once("clang version ").and_then(|(_, rest)| rest.split_whitespace().next());
    version.map(str::to_owned).ok_or_else(|| "is no clang".to_string())
}

#[cfg(test)]
mod tests;
