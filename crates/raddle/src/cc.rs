//! `raddle cc` and `raddle c++`: clang, but what it compiles is instrumented.
//!
//! Every source file becomes a module, which is instrumented and then compiled as the user says; the object carries the module as
//! it was, for the analysis. Everything else (preprocessing, assembler, questions to the compiler) is clang's own business. A
//! program, but no shared library, is linked with the run-time library; shared libraries use that of their program.

mod arguments;
mod response;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use engine::fingerprint_bytes;
use llvm::{LoadError, Plan};

use crate::executable::write_library;
use crate::failure::Failure;
use crate::load::compile_failure;
use crate::run::exit_code;
use arguments::{Arguments, Stage};

/// Compiles and links as clang does. The exit code is that of clang.
pub(crate) fn run(arguments: &[OsString], cxx: bool) -> Result<u8, Failure> {
    let chosen = std::env::var_os("RADDLE_CLANG");
    let clang = llvm::find_clang(chosen.as_deref()).map_err(|error| compile_failure(&error))?;
    let clang = if cxx { llvm::cxx(&clang) } else { clang };
    let arguments = &response::expanded(arguments);
    let parsed = Arguments::parse(arguments);
    let scratch = tempfile::tempdir()
        .map_err(|error| Failure::Input(format!("error: cannot make a temporary folder: {error}")))?;
    let compiler = Compiler { clang, scratch: scratch.path() };
    compiler.write_header()?;
    if parsed.stage == Stage::Other || parsed.sources().next().is_none() && parsed.stage == Stage::Compile {
        return compiler.run(arguments.iter().cloned());
    }
    let mut objects: Vec<(usize, PathBuf)> = Vec::new();
    for (number, (at, source)) in parsed.sources().enumerate() {
        let object = match parsed.stage {
            Stage::Compile => parsed.object_of(source),
            Stage::Link | Stage::Other => scratch.path().join(format!("{number}.o")),
        };
        match compiler.compile(&parsed, source, &object, number)? {
            0 => objects.push((at, object)),
            code => return Ok(code),
        }
    }
    if parsed.stage == Stage::Compile {
        // What else there is, as assembler, clang compiles.
        return if parsed.has_other_inputs() { compiler.run(parsed.without_sources()) } else { Ok(0) };
    }
    compiler.link(&parsed, &objects)
}

struct Compiler<'a> {
    clang: OsString,
    scratch: &'a Path,
}

impl Compiler<'_> {
    /// Programs that include `raddle.h` find it.
    fn write_header(&self) -> Result<(), Failure> {
        let include = self.scratch.join("include");
        std::fs::create_dir_all(&include)?;
        std::fs::write(include.join("raddle.h"), llvm::HEADER)?;
        Ok(())
    }

    fn run(&self, arguments: impl IntoIterator<Item = OsString>) -> Result<u8, Failure> {
        let mut command = Command::new(&self.clang);
        command.args(arguments).arg("-idirafter").arg(self.scratch.join("include"));
        command.arg("-Wno-unused-command-line-argument");
        let status = command.status().map_err(|error| {
            Failure::Input(format!("error: cannot run `{}`: {error}", self.clang.display()))
        })?;
        Ok(exit_code(status))
    }

    /// Compiles one file to an instrumented object.
    fn compile(
        &self,
        parsed: &Arguments,
        source: &OsStr,
        object: &Path,
        number: usize,
    ) -> Result<u8, Failure> {
        let module = self.scratch.join(format!("{number}.bc"));
        let mut first: Vec<OsString> = parsed.for_module(&parsed.object_of(source));
        first.extend(["-emit-llvm", "-c", "-g", "-Xclang", "-disable-llvm-passes"].map(OsString::from));
        if !parsed.optimizes() {
            // Otherwise functions are marked so that no pass ever touches them.
            first.extend(["-Xclang", "-disable-O0-optnone"].map(OsString::from));
        }
        first.extend(["-DRADDLE", "-o"].map(OsString::from));
        first.push(module.clone().into_os_string());
        first.extend(parsed.language_of(source));
        first.push(source.to_owned());
        let code = self.run(first)?;
        if code != 0 {
            return Ok(code);
        }
        let bytes = std::fs::read(&module)?;
        let name = source.to_string_lossy();
        let plan = Plan {
            wrapped: trace::WRAPPED,
            prefix: "__raddle_",
            only: None,
            given: None,
            name: &name,
            hash: fingerprint_bytes(&bytes),
            embed: true,
        };
        let instrumented = self.scratch.join(format!("{number}.instrumented.bc"));
        llvm::instrument(&[&module], &instrumented, plan)
            .map_err(|error| compile_failure(&LoadError::Read(error)))?;
        let mut second = parsed.for_code();
        second.extend(["-Wno-override-module", "-c", "-o"].map(OsString::from));
        second.push(object.as_os_str().to_owned());
        second.push(instrumented.into_os_string());
        self.run(second)
    }

    fn link(&self, parsed: &Arguments, objects: &[(usize, PathBuf)]) -> Result<u8, Failure> {
        let mut arguments = parsed.with_objects(objects);
        if parsed.makes_program() {
            let library = write_library(self.scratch)?;
            arguments.push(library.into_os_string());
            arguments.extend(["-pthread", "-ldl", "-lm", "-rdynamic"].map(OsString::from));
        }
        self.run(arguments)
    }
}
