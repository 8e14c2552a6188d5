//! From a file to a valid program.

mod built;
mod compiled;

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use engine::fingerprint;
use ir::{Program, Response};
use llvm::{OutOfTime, Patience};
use source::{Diagnostic, FileId, ReadError, SourceMap, Span};

use crate::STACK;
use crate::args::ColorName;
use crate::failure::Failure;
use crate::output;
use crate::outside::while_doing;

pub(crate) use compiled::{Building, Compiled, content, failure as compile_failure};

/// A program and where it came from.
pub(crate) struct Loaded {
    pub(crate) map: SourceMap,
    pub(crate) program: Program,
    /// The response property, if one was given.
    pub(crate) response: Option<Response>,
    /// The fingerprints of the files.
    pub(crate) sha256: Vec<String>,
    /// What the program is called with, besides its name.
    pub(crate) arguments: Vec<String>,
    /// What clang made, if it is C or C++.
    pub(crate) compiled: Option<Compiled>,
}

impl Loaded {
    /// One fingerprint for all files, and what the program is called with.
    pub(crate) fn fingerprint(&self) -> String {
        match (self.sha256.as_slice(), self.arguments.as_slice()) {
            ([only], []) => only.clone(),
            (files, []) => fingerprint(files.join("\n").as_bytes()),
            // No argument has a zero byte in it.
            (files, arguments) => fingerprint([files, arguments].concat().join("\0").as_bytes()),
        }
    }
}

/// A language that programs are written in.
#[derive(Clone, Copy)]
enum Language {
    Boogie,
    Ir,
    C,
}

/// How often it is looked at whether the time is over.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// More diagnostics than this help nobody.
const MOST_DIAGNOSTICS: usize = 20;

/// What to read.
#[derive(Clone, Copy)]
pub(crate) struct Sources<'a> {
    /// The program. Only C and C++ have several files.
    pub(crate) files: &'a [PathBuf],
    /// The procedure it starts with, if the user said so.
    pub(crate) entry: Option<&'a str>,
    /// A response property of it.
    pub(crate) responds: Option<&'a str>,
    /// How C and C++ are compiled.
    pub(crate) building: Building<'a>,
}

impl Sources<'_> {
    /// How to name the program to the user.
    pub(crate) fn shown(&self) -> String {
        self.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ")
    }
}

/// Reads a program. Warnings go to standard error, unless `quiet`.
pub(crate) fn load(sources: Sources<'_>, color: ColorName, quiet: bool) -> Result<Loaded, Failure> {
    let language = language(sources)?;
    if !matches!(language, Language::C) && !sources.building.arguments.is_empty() {
        let text = "error: only programs in C and C++ have arguments\nhelp: leave out what follows `--`";
        return Err(Failure::Input(text.to_owned()));
    }
    let mut map = SourceMap::default();
    let mut compiled = None;
    let (frontend, sha256) = match language {
        Language::C => {
            let (frontend, sha256, left) = compiled::load(sources, &mut map, quiet)?;
            compiled = Some(left);
            let property = sources.responds.map(|text| map.add("--responds", text));
            let with_response = |(mut program, warnings)| {
                let response =
                    property.map(|property| ir::text::parse_response(&map, property, &mut program));
                response.transpose().map(|response| (program, response, warnings))
            };
            (frontend.and_then(with_response), sha256)
        }
        Language::Boogie | Language::Ir => {
            let [path] = sources.files else { return Err(several_files(sources)) };
            let file = map.read(path).map_err(|error| unreadable(path, &error))?;
            let sha256 = fingerprint(map.file(file).text().as_bytes());
            let property = sources.responds.map(|text| map.add("--responds", text));
            let (entry, path) = (sources.entry.map(str::to_owned), path.clone());
            let work = move || {
                let entry = entry.as_deref();
                let frontend = match language {
                    Language::Ir => load_ir(&map, file, entry, property, &path),
                    _ => Ok(load_boogie(&map, file, entry, property)),
                };
                (map, frontend)
            };
            let patience = sources.building.patience;
            let done = while_doing("reading the program", quiet, || in_time(patience, work));
            let frontend;
            (map, frontend) = done?;
            let frontend = frontend?;
            (frontend, vec![sha256])
        }
    };
    let (program, response, warnings) =
        frontend.map_err(|errors| Failure::Input(rendered(&map, &errors, color)))?;
    if !quiet && !warnings.is_empty() {
        output::error(&rendered(&map, &warnings, color));
    }
    if let Err(broken) = ir::validate(&program) {
        let first = broken.first().map(ToString::to_string).unwrap_or_default();
        return Err(Failure::Internal(format!("`{}` became an invalid program: {first}", sources.shown())));
    }
    let arguments = sources.building.arguments.to_vec();
    Ok(Loaded { map, program, response, sha256, arguments, compiled })
}

/// Does something that asks nobody whether the time is over. If it is, nobody waits for the end.
fn in_time<T: Send + 'static>(
    patience: Patience<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Failure> {
    let (sender, result) = mpsc::channel();
    let work = move || {
        // Nobody listens any more if the time was over.
        let _ = sender.send(work());
    };
    let started = std::thread::Builder::new().stack_size(STACK).spawn(work);
    started.map_err(|error| Failure::Internal(format!("no thread can be started: {error}")))?;
    loop {
        match result.recv_timeout(LOOK_EVERY) {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) => patience.check().map_err(|OutOfTime| Failure::Unread)?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::Internal("reading the program failed".to_owned()));
            }
        }
    }
}

type Frontend = Result<(Program, Option<Response>, Vec<Diagnostic>), Vec<Diagnostic>>;

fn load_boogie(map: &SourceMap, file: FileId, entry: Option<&str>, property: Option<FileId>) -> Frontend {
    let loaded = boogie::load_with(map, file, entry, property)?;
    Ok((loaded.program, loaded.response, loaded.warnings))
}

/// IR text is what a user writes here, so a rule that it breaks is a mistake in the input.
fn load_ir(
    map: &SourceMap,
    file: FileId,
    entry: Option<&str>,
    property: Option<FileId>,
    path: &Path,
) -> Result<Frontend, Failure> {
    let mut program = match ir::text::parse(map, file) {
        Ok(program) => program,
        Err(errors) => return Ok(Err(errors)),
    };
    if let Some(entry) = entry {
        let Some(proc) = program.proc_named(entry) else {
            let names: Vec<&str> = program.procs.values().map(|proc| proc.name.as_str()).collect();
            return Err(Failure::Input(format!(
                "error: `{}` has no procedure `{entry}`; it has: {}",
                path.display(),
                names.join(", ")
            )));
        };
        program.threads = vec![proc];
    }
    if let Err(broken) = ir::validate(&program) {
        return Ok(Err(broken.iter().map(Diagnostic::from).collect()));
    }
    let response = property.map(|property| ir::text::parse_response(map, property, &mut program));
    Ok(response.transpose().map(|response| (program, response, Vec::new())))
}

/// The language of a program: all its files are there, and either one file of another language or all C, C++ or LLVM.
fn language(sources: Sources<'_>) -> Result<Language, Failure> {
    let mut languages = Vec::new();
    for file in sources.files {
        let path = sources.building.path_of(file);
        if let Err(error) = std::fs::metadata(&path) {
            return Err(unreadable(file, &ReadError::Io(error)));
        }
        if path.is_dir() {
            return Err(unreadable(file, &ReadError::Directory));
        }
        languages.push(language_of(file)?);
    }
    let is_c = |language: &Language| matches!(language, Language::C);
    match languages.as_slice() {
        [Language::C, rest @ ..] if rest.iter().all(is_c) => Ok(Language::C),
        [_] if !sources.building.flags.is_empty() => Err(Failure::Input(format!(
            "error: `{}` is for C and C++ only, and `{}` is neither",
            sources.building.flags[0],
            sources.shown()
        ))),
        [language] => Ok(*language),
        _ => Err(several_files(sources)),
    }
}

fn several_files(sources: Sources<'_>) -> Failure {
    Failure::Input(format!(
        "error: these do not make one program: {}\nhelp: only C and C++ programs can have several files",
        sources.shown()
    ))
}

fn language_of(path: &Path) -> Result<Language, Failure> {
    let shown = path.display();
    if llvm::is_input(path) {
        return Ok(Language::C);
    }
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("bpl") => Ok(Language::Boogie),
        Some("ir") => Ok(Language::Ir),
        Some("json") => Err(Failure::Input(format!(
            "error: `{shown}` is no program\nhelp: programs are C and C++ (.c, .cpp), Boogie (.bpl) or Raddle's IR \
             (.ir); to show a witness again: raddle replay {shown}"
        ))),
        _ => Err(Failure::Input(format!(
            "error: `{shown}` is in no language that is supported\nhelp: programs are C and C++ (.c, .cpp and the \
             like; .i, .ll, .bc), Boogie (.bpl) or Raddle's IR (.ir), told by the end of the file's name"
        ))),
    }
}

fn unreadable(path: &Path, error: &ReadError) -> Failure {
    let shown = path.display();
    match error {
        ReadError::Io(error) => Failure::unreadable(path, error),
        ReadError::Directory | ReadError::NotText(_) | ReadError::TooLarge(_) => {
            Failure::Input(format!("error: `{shown}` {error}"))
        }
    }
}

/// What a search that gave no answer tells; `cannot` says what cannot be done with the program.
pub(crate) fn search_failed(
    loaded: &Loaded,
    color: ColorName,
    cannot: &str,
    failure: search::Failure,
) -> Failure {
    match failure {
        search::Failure::Unsupported { what, span } => {
            let problem = Diagnostic::error(span.unwrap_or(Span::NONE), format!("{cannot}: {what}"));
            Failure::Input(rendered(&loaded.map, &[problem], color))
        }
        search::Failure::Disagreement(disagreement) => Failure::Internal(disagreement.to_string()),
        search::Failure::Solver(error) => Failure::Internal(error.to_string()),
    }
}

/// Diagnostics as standard error shows them.
pub(crate) fn rendered(map: &SourceMap, diagnostics: &[Diagnostic], color: ColorName) -> String {
    let shown = &diagnostics[..diagnostics.len().min(MOST_DIAGNOSTICS)];
    let mut text = source::render_all(map, shown, output::color_on_stderr(color));
    if diagnostics.len() > shown.len() {
        text.push_str(&format!("\n\n... and {} more", diagnostics.len() - shown.len()));
    }
    text
}
