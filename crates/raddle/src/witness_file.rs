//! Witness files on disk.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use engine::{Compiled, CompiledFile, Config, Finding, Input, MOST_BYTES, Witness, WitnessError};

use crate::failure::Failure;
use crate::load::{Loaded, Sources};
use crate::output;
use crate::whole_file;

/// Reads a witness.
pub(crate) fn read(path: &Path) -> Result<Witness, Failure> {
    let shown = path.display();
    let cannot = |error: &io::Error| Failure::Input(format!("error: cannot read `{shown}`: {error}"));
    let meta = fs::metadata(path).map_err(|error| cannot(&error))?;
    if meta.is_dir() {
        return Err(Failure::Input(format!("error: `{shown}` is a directory, expected a witness file")));
    }
    let damaged = |error: &WitnessError| {
        let help = "help: a witness is what `raddle explore FILE --witness WITNESS` writes";
        Failure::Input(format!("error: `{shown}` {error}\n{help}"))
    };
    if meta.len() > MOST_BYTES {
        return Err(damaged(&WitnessError::TooLarge(meta.len())));
    }
    let bytes = fs::read(path).map_err(|error| cannot(&error))?;
    Witness::parse(&bytes).map_err(|error| damaged(&error))
}

/// Writes a witness.
fn write(path: &Path, witness: &Witness) -> io::Result<()> {
    whole_file::write(path, &witness.to_json())
}

/// Removes a witness that is not needed any more. If that is not possible it does no harm.
pub(crate) fn remove(path: &str) {
    let _ = fs::remove_file(path);
}

/// What a witness tells of the command that found it.
#[derive(Clone, Copy)]
pub(crate) struct Told<'a> {
    /// The file to write to, if any.
    pub(crate) witness: Option<&'a Path>,
    /// What was read.
    pub(crate) sources: Sources<'a>,
}

/// Before the work begins: whether a witness could be written after it.
pub(crate) fn check_folder(witness: Option<&Path>) -> Result<(), Failure> {
    match witness.map(folder) {
        Some(folder) if !folder.is_dir() => {
            let folder = folder.display();
            Err(Failure::Input(format!("error: there is no folder `{folder}` to write the witness to")))
        }
        _ => Ok(()),
    }
}

/// Writes a witness per violation. One that cannot be written does not take away the answer.
pub(crate) fn write_all(
    told: Told<'_>,
    config: &Config,
    loaded: &Loaded,
    findings: &[Finding],
) -> Vec<String> {
    let Some(path) = told.witness else { return Vec::new() };
    let mut written = Vec::new();
    for (at, finding) in findings.iter().enumerate() {
        let path = numbered(path, at);
        let Some(input) = input(&path, told.sources, loaded) else { break };
        let producer = format!("raddle {}", env!("CARGO_PKG_VERSION"));
        let entry = told.sources.entry.map(str::to_owned);
        let mut witness = Witness::new(producer, input, entry, config, finding, &loaded.map);
        witness.responds = told.sources.responds.map(str::to_owned);
        if let Err(error) = write(&path, &witness) {
            output::error(&format!("error: cannot write the witness `{}`: {error}", path.display()));
            break;
        }
        written.push(path.display().to_string());
    }
    written
}

/// What a witness tells of its program.
fn input(witness: &Path, sources: Sources<'_>, loaded: &Loaded) -> Option<Input> {
    let (first, sha256) = sources.files.first().zip(loaded.sha256.first())?;
    let compiled = llvm::is_input(first).then(|| {
        let building = sources.building;
        let files = sources.files.iter().zip(&loaded.sha256);
        Compiled {
            folder: name_of(witness, building.folder.unwrap_or(Path::new("."))),
            files: files
                .map(|(file, sha256)| CompiledFile {
                    file: file.display().to_string(),
                    sha256: sha256.clone(),
                })
                .collect(),
            flags: building.flags.to_vec(),
            spurious_wakeups: building.spurious_wakeups,
            reuse: building.reuse,
            transactions: building.transactions,
        }
    });
    Some(Input { file: name_of(witness, &sources.building.path_of(first)), sha256: sha256.clone(), compiled })
}

/// The file of the witness of the `n`th violation, from 0: `w.json`, `w-2.json`, ...
fn numbered(path: &Path, n: usize) -> PathBuf {
    if n == 0 {
        return path.to_path_buf();
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{}", n + 1));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// The folder that a witness is in.
pub(crate) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// How a witness names a program or folder: relative to the witness if that can be said.
fn name_of(witness: &Path, program: &Path) -> String {
    let relative = || {
        let folder = fs::canonicalize(folder(witness)).ok()?;
        let program = fs::canonicalize(program).ok()?;
        pathdiff::diff_paths(program, folder)
    };
    let name = relative().unwrap_or_else(|| program.to_path_buf()).display().to_string();
    if name.is_empty() { ".".to_owned() } else { name }
}

/// Where the program of a witness is: beside it, or where its name says.
pub(crate) fn find_program(witness: &Path, name: &str) -> Option<PathBuf> {
    let beside = witness.parent().unwrap_or(Path::new("")).join(name);
    [beside, PathBuf::from(name)].into_iter().find(|path| path.is_file())
}

/// Where the compiler ran for the program of a witness; here, if that place is not there any more.
pub(crate) fn find_folder(witness: &Path, name: &str) -> PathBuf {
    let beside = folder(witness).join(name);
    [beside, PathBuf::from(name)].into_iter().find(|path| path.is_dir()).unwrap_or_else(|| PathBuf::from("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_witnesses_are_numbered() {
        assert_eq!(numbered(Path::new("a/w.json"), 0), Path::new("a/w.json"));
        assert_eq!(numbered(Path::new("a/w.json"), 1), Path::new("a/w-2.json"));
        assert_eq!(numbered(Path::new("w"), 2), Path::new("w-3"));
    }
}
