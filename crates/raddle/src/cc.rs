//! `raddle cc` and `raddle c++`: clang, but what it compiles is instrumented.
//!
//! clang itself says which commands it would run ([`plan`]); they are run here in its place, and some of them are changed ([`job`]). One that
//! makes code of a source file becomes three: the file becomes a module, which is instrumented and then compiled as the user
//! says; what comes out carries the module as it was, for the analysis. One that links a program, but no shared library, also links
//! the run-time library. Everything else (preprocessing, assembler, questions to the compiler) is clang's own business.
//!
//! Invariant: what clang accepts is accepted, and what it refuses is refused with its words. If something that was changed
//! does not work, the command is run as it was.

mod job;
mod plan;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use engine::fingerprint_bytes;
use llvm::{LoadError, Plan};
use tempfile::TempDir;

use crate::executable::write_library;
use crate::failure::Failure;
use crate::load::compile_failure;
use crate::run::exit_code;
use job::Frontend;
use plan::Line;

/// What shared libraries use of their program.
const EXPORTED: &str = "{ __raddle_*; pthread_create; };\n";

/// Commands that are longer are handed over in a file.
const LONG: usize = 100_000;

/// Compiles and links as clang does. The exit code is that of clang.
pub(crate) fn run(arguments: &[OsString], cxx: bool) -> Result<u8, Failure> {
    let chosen = std::env::var_os("RADDLE_CLANG");
    let clang = llvm::find_clang(chosen.as_deref()).map_err(|error| compile_failure(&error))?;
    let clang = if cxx { llvm::cxx(&clang) } else { clang };
    let scratch = tempfile::tempdir()
        .map_err(|error| Failure::Input(format!("error: cannot make a temporary folder: {error}")))?;
    let unusable = |error| Failure::Input(format!("error: cannot run `{}`: {error}", clang.display()));
    let Some(lines) = plan::of(&clang, arguments, scratch.path()).map_err(unusable)? else {
        let status = Command::new(&clang).args(arguments).status().map_err(unusable)?;
        return Ok(exit_code(status));
    };
    note_commands(&clang, arguments)?;
    let header = header(scratch.path())?;
    let stdin = stdin(&lines, scratch.path())?;
    let verbose = arguments.iter().any(|argument| argument == "-v" || argument == "--verbose");
    Compiler { scratch, header, stdin, verbose }.run(&lines)
}

/// With `-MJ`, clang writes down how files are compiled when it decides what to run, unless it is only to tell.
fn note_commands(clang: &OsStr, arguments: &[OsString]) -> Result<(), Failure> {
    const ONLY: &str = "-fdriver-only";
    let option = arguments.iter().position(|word| word.to_string_lossy().starts_with("-MJ"));
    let Some(at) = option else { return Ok(()) };
    Command::new(clang).arg(ONLY).args(arguments).stderr(Stdio::null()).status()?;
    let joined = arguments[at].to_string_lossy()[3..].to_string();
    let file = if joined.is_empty() { arguments.get(at + 1).cloned() } else { Some(joined.into()) };
    if let Some(file) = file
        && let Ok(text) = std::fs::read_to_string(&file)
    {
        std::fs::write(&file, text.replace(&format!("\"{ONLY}\", "), ""))?;
    }
    Ok(())
}

/// The folder of `raddle.h`. It stays where it is, since dependencies and precompiled headers name it.
fn header(scratch: &Path) -> Result<PathBuf, Failure> {
    let hash = fingerprint_bytes(llvm::HEADER.as_bytes());
    let name = format!("include-{}", hash[..8].iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    let kept = llvm::kept_folder().map(|folder| folder.join(name));
    let write = |folder: &Path| -> std::io::Result<()> {
        let file = folder.join("raddle.h");
        if std::fs::read(&file).is_ok_and(|text| text == llvm::HEADER.as_bytes()) {
            return Ok(());
        }
        std::fs::create_dir_all(folder)?;
        let mut new = tempfile::NamedTempFile::new_in(folder)?;
        new.write_all(llvm::HEADER.as_bytes())?;
        new.persist(file)?;
        Ok(())
    };
    if let Some(folder) = kept.filter(|folder| write(folder).is_ok()) {
        return Ok(folder);
    }
    let folder = scratch.join("include");
    write(&folder)?;
    Ok(folder)
}

/// What comes from the standard input, if it is compiled: it may be read twice.
fn stdin(lines: &[Line], scratch: &Path) -> Result<Option<PathBuf>, Failure> {
    let reads = |line: &Line| match line {
        Line::Job(job) => Frontend::of(job).is_some_and(|frontend| frontend.source() == "-"),
        Line::Said(_) | Line::Heading(_) => false,
    };
    if !lines.iter().any(reads) {
        return Ok(None);
    }
    let file = scratch.join("stdin");
    std::io::copy(&mut std::io::stdin(), &mut File::create(&file)?)?;
    Ok(Some(file))
}

struct Compiler {
    scratch: TempDir,
    header: PathBuf,
    /// A file with what came from the standard input.
    stdin: Option<PathBuf>,
    verbose: bool,
}

impl Compiler {
    /// What is done goes on after a failure as far as it does not need what is missing. The exit code is that of the first one.
    fn run(&self, lines: &[Line]) -> Result<u8, Failure> {
        let mut first = 0;
        let mut missing: Vec<OsString> = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            let job = match line {
                Line::Said(text) => {
                    std::io::stderr().write_all(text)?;
                    continue;
                }
                Line::Heading(text) => {
                    if self.verbose {
                        std::io::stderr().write_all(text)?;
                    }
                    continue;
                }
                Line::Job(job) => job,
            };
            let output = job::output(job).map(OsStr::to_owned);
            if missing.iter().any(|file| job.iter().any(|word| word == file)) {
                missing.extend(output);
                continue;
            }
            if self.verbose {
                std::io::stderr().write_all(&plan::shown(job))?;
            }
            let code = match Frontend::of(job) {
                Some(frontend) if frontend.makes_code() => self.compile(job, frontend, number)?,
                Some(frontend) => self.execute(&frontend.with_header(&self.header))?,
                None if job::is_linker(job) => self.link(job)?,
                None => self.execute(job)?,
            };
            if code != 0 {
                if first == 0 {
                    first = code;
                }
                if let Some(output) = output {
                    remove(Path::new(&output));
                    missing.push(output);
                }
            }
        }
        Ok(first)
    }

    fn command(&self, job: &[OsString]) -> Result<Command, Failure> {
        let Some((program, arguments)) = job.split_first() else {
            return Err(Failure::Internal("clang lists a command without a program".into()));
        };
        let mut command = Command::new(program);
        if arguments.iter().map(|argument| argument.len()).sum::<usize>() > LONG {
            // clang wants to be told at once that it is to be the compiler proper.
            let kept = usize::from(arguments[0].as_encoded_bytes().starts_with(b"-cc1"));
            let mut text = Vec::new();
            for argument in &arguments[kept..] {
                plan::quote(argument.as_encoded_bytes(), &mut text);
                text.push(b'\n');
            }
            let file = self.scratch.path().join("arguments");
            std::fs::write(&file, text)?;
            let mut named = OsString::from("@");
            named.push(file);
            command.args(&arguments[..kept]).arg(named);
        } else {
            command.args(arguments);
        }
        if let Some(stdin) = &self.stdin {
            command.stdin(File::open(stdin)?);
        }
        Ok(command)
    }

    fn execute(&self, job: &[OsString]) -> Result<u8, Failure> {
        let status = self.command(job)?.status().map_err(|error| cannot_run(job, &error))?;
        Ok(exit_code(status))
    }

    /// Runs a command that need not work, and says what it said if it did; whether it did.
    fn attempt(&self, job: &[OsString]) -> Result<bool, Failure> {
        let made = self.command(job)?.output();
        let Output { status, stdout, stderr } = made.map_err(|error| cannot_run(job, &error))?;
        if status.success() {
            std::io::stdout().write_all(&stdout)?;
            std::io::stderr().write_all(&stderr)?;
        }
        Ok(status.success())
    }

    /// Compiles one file to instrumented code.
    fn compile(&self, job: &[OsString], frontend: Frontend<'_>, number: usize) -> Result<u8, Failure> {
        let module = self.scratch.path().join(format!("{number}.bc"));
        let code = self.execute(&frontend.to_module(&self.header, &module))?;
        if code != 0 {
            return Ok(code);
        }
        let bytes = std::fs::read(&module)?;
        let name = frontend.source().to_string_lossy();
        let plan = Plan {
            wrapped: trace::WRAPPED,
            prefix: "__raddle_",
            only: None,
            given: None,
            name: &name,
            hash: fingerprint_bytes(&bytes),
            embed: true,
        };
        let instrumented = self.scratch.path().join(format!("{number}.instrumented.bc"));
        let problem = match llvm::instrument(&[&module], &instrumented, plan) {
            Err(error) => LoadError::Read(error).to_string(),
            Ok(_) if self.attempt(&frontend.of_module(&instrumented))? => return Ok(0),
            Ok(_) => "clang refuses it instrumented".to_string(),
        };
        // What it warns of has been said.
        let mut plain = job.to_vec();
        plain.insert(2, "-w".into());
        let plain = Frontend::of(&plain).map_or(plain.clone(), |frontend| frontend.with_header(&self.header));
        let code = self.execute(&plain)?;
        if code == 0 {
            warn(&format!("`{name}` is compiled as it is, and is not recorded: {problem}"))?;
        }
        Ok(code)
    }

    fn link(&self, job: &[OsString]) -> Result<u8, Failure> {
        let exported = self.scratch.path().join("exported");
        std::fs::write(&exported, EXPORTED)?;
        let library = write_library(self.scratch.path())?;
        let with_library = job::with_library(job, &library, &exported);
        if let Some(with_library) = &with_library
            && self.attempt(with_library)?
        {
            return Ok(0);
        }
        let code = self.execute(job)?;
        if code != 0 {
            let error = format!(
                "clang: error: linker command failed with exit code {code} (use -v to see invocation)\n"
            );
            std::io::stderr().write_all(error.as_bytes())?;
        } else if with_library.is_some() {
            let name = job::output(job).unwrap_or_default().display();
            warn(&format!("`{name}` cannot be linked with the run-time library, so it is not recorded"))?;
        }
        Ok(code)
    }
}

fn warn(text: &str) -> Result<(), Failure> {
    std::io::stderr().write_all(format!("raddle: warning: {text}\n").as_bytes())?;
    Ok(())
}

fn cannot_run(job: &[OsString], error: &std::io::Error) -> Failure {
    let program = job.first().map(OsString::as_os_str).unwrap_or_default();
    Failure::Input(format!("error: cannot run `{}`: {error}", program.display()))
}

/// What a command has failed to make does not stay as it was before, unless it is no plain file.
fn remove(output: &Path) {
    if std::fs::metadata(output).is_ok_and(|file| file.is_file() && !file.permissions().readonly()) {
        // If it cannot be removed, it stays, as with clang.
        let _ = std::fs::remove_file(output);
    }
}
