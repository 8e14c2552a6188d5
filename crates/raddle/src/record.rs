//! `raddle record`: runs a program and keeps what happened.

use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use llvm::{Embedded, Inputs};
use trace::{Ending, Section};

use crate::args::RecordOptions;
use crate::executable;
use crate::failure::Failure;
use crate::interrupt::leave_to;
use crate::load::{compile_failure, content};
use crate::output;
use crate::outside::while_doing;
use crate::run::exit_code;
use crate::trace_command;

/// What sections with modules are called in traces, before the fingerprint.
pub(crate) const MODULE: &str = "module ";

/// The section with what clang was told; only if the program was built for the trace.
pub(crate) const FLAGS: &str = "flags";

/// Records a run. The exit code is that of the program.
pub(crate) fn run(options: &RecordOptions) -> Result<u8, Failure> {
    // A trace takes the place of what was there; that must not be a device, such as `/dev/null`.
    if std::fs::metadata(&options.output).is_ok_and(|meta| !meta.is_file()) {
        let shown = options.output.display();
        return Err(Failure::Input(format!(
            "error: `{shown}` is there and is no file; a trace needs one of its own"
        )));
    }
    let scratch = tempfile::tempdir()
        .map_err(|error| Failure::Input(format!("error: cannot make a temporary folder: {error}")))?;
    let (program, modules) = program(options, scratch.path())?;
    // Beside the trace, not in the folder for temporary files: it may be large, and is what is left if we are killed.
    let raw = with_end(&options.output, ".raw");
    let mut child = Command::new(&program)
        .args(&options.program.arguments)
        .env("RADDLE_RECORD", std::path::absolute(&raw)?)
        .spawn()
        .map_err(|error| {
            Failure::Input(format!("error: `{}` cannot be started: {error}", program.display()))
        })?;
    // A server runs until somebody ends it.
    leave_to(&child);
    let status = child.wait()?;
    if !raw.exists() {
        return Err(Failure::Input(format!(
            "error: nothing was recorded: `{}` is not instrumented, or could not write `{}`\nhelp: build it with `raddle cc` or \
             `raddle c++`",
            program.display(),
            raw.display()
        )));
    }
    let problem = |error: trace::Error| {
        Failure::Input(format!(
            "error: the trace cannot be packed: {error}\nhelp: what was recorded is in `{}`",
            raw.display()
        ))
    };
    let pack = || trace::pack(&raw, &options.output, &modules).map_err(problem);
    let packed = while_doing("packing the trace", options.quiet, pack)?;
    // The packed one has everything.
    let _ = std::fs::remove_file(&raw);
    if !options.quiet {
        let size = std::fs::metadata(&options.output).map_or(0, |meta| meta.len());
        let lost = if packed.lost > 0 { format!(", {} lost", packed.lost) } else { String::new() };
        output::error(&format!(
            "raddle: recorded {} events of {} threads in {} ({size} bytes{lost})",
            packed.events,
            packed.threads,
            options.output.display()
        ));
        if packed.children > 0 {
            let are = if packed.children == 1 { "child process is" } else { "child processes are" };
            output::error(&format!(
                "raddle: {} {are} not in the trace (`fork`, `system` and the like)",
                packed.children
            ));
        }
    }
    let ending = trace::Reader::open(&options.output).map(|reader| reader.header().ending);
    if let Some(missing) = ending.ok().and_then(|ending| missing(ending, status)) {
        output::error(&format!("raddle: {missing}"));
    }
    Ok(exit_code(status))
}

/// What the trace does not have of the end of a run, and why.
fn missing(ending: Ending, status: ExitStatus) -> Option<String> {
    match ending {
        Ending::Exit(_) | Ending::Signal(_) => None,
        Ending::Stopped(_) => Some(format!("the trace has not all of the run: {}", trace_command::ending(ending))),
        Ending::Unknown => Some(match status.signal() {
            Some(signal) => format!("the trace ends where the program was killed, by signal {signal}"),
            None => "the trace ends where the program became another one (`exec`), or went on as its own child (`fork`, `daemon`): \
                     these are not recorded"
                .to_owned(),
        }),
    }
}

fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(end);
    path.with_file_name(name)
}

/// The modules of a program, and those of the libraries that it is loaded with.
pub(crate) fn modules_of(program: &Path) -> Result<Vec<Embedded>, Failure> {
    let read = |file: &Path| std::fs::read(file).map_err(|error| Failure::unreadable(file, &error));
    let mut modules = llvm::embedded(&read(program)?);
    if modules.is_empty() {
        return Ok(modules);
    }
    // The loader lists what it would load, as it does for `ldd`. Without it, only places in libraries are not known.
    let listed = Command::new(program).env("LD_TRACE_LOADED_OBJECTS", "1").output();
    let text = listed.map(|output| output.stdout).unwrap_or_default();
    for line in String::from_utf8_lossy(&text).lines() {
        let path = line.split(" => ").last().and_then(|rest| rest.trim().split(" (0x").next());
        if let Some(path) = path.map(Path::new).filter(|path| path.is_file()) {
            modules.extend(read(path).map(|bytes| llvm::embedded(&bytes)).unwrap_or_default());
        }
    }
    let mut seen = BTreeSet::new();
    modules.retain(|module| seen.insert(module.hash));
    Ok(modules)
}

/// The program to run, built if it is a source, and its modules.
fn program(options: &RecordOptions, scratch: &Path) -> Result<(PathBuf, Vec<Section>), Failure> {
    let section = |hash: &[u8; 32], bytes: Vec<u8>| {
        let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        Section { name: format!("{MODULE}{hash}"), bytes }
    };
    for file in &options.program.files {
        // Clang would say so in its own words.
        std::fs::metadata(file).map_err(|error| Failure::unreadable(file, &error))?;
    }
    if !options.program.is_c() {
        let [file] = options.program.files.as_slice() else {
            return Err(Failure::Input("error: only one program can be recorded at a time".to_owned()));
        };
        if file.extension().is_some_and(|end| end == "bpl" || end == "ir") {
            let text = "error: only programs in C and C++ can be recorded\nhelp: `raddle predict` makes a run of others, and \
                        predicts from it";
            return Err(Failure::Input(text.to_owned()));
        }
        let path = std::path::absolute(file)?;
        let modules = modules_of(&path)?;
        let sections = modules.into_iter().map(|module| section(&module.hash, module.bitcode)).collect();
        return Ok((path, sections));
    }
    let flags = options.program.flags();
    let clang = std::env::var_os("RADDLE_CLANG");
    let inputs = Inputs {
        files: &options.program.files,
        flags: &flags,
        folder: None,
        clang: clang.as_deref(),
        scratch,
        recorded: false,
        patience: llvm::Patience::default(),
    };
    for file in &options.program.files {
        content(file, file)?;
    }
    let compiled = while_doing("compiling", options.quiet, || llvm::compile(inputs));
    let (modules, messages) = compiled.map_err(|error| compile_failure(&error))?;
    if !options.quiet && !messages.is_empty() {
        output::error(messages.trim_end());
    }
    let build = || executable::build(scratch, &modules, &options.program.files, &flags, None);
    let built = while_doing("building the program", options.quiet, build)?;
    let mut sections = Vec::new();
    for ((hash, _), module) in built.modules.iter().zip(&modules) {
        sections.push(section(hash, std::fs::read(module)?));
    }
    let flags: String = flags.iter().map(|flag| format!("{flag}\0")).collect();
    sections.push(Section { name: FLAGS.to_owned(), bytes: flags.into_bytes() });
    Ok((built.path, sections))
}
