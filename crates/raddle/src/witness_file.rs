//! Witness files on disk.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use engine::{Compiled, CompiledFile, Config, Finding, Input, MOST_BYTES, Witness, WitnessError};
use report::{Inexpressible, Origin};

use crate::failure::Failure;
use crate::load::{Loaded, Sources};
use crate::output;
use crate::whole_file;

/// Reads a witness.
pub(crate) fn read(path: &Path) -> Result<Witness, Failure> {
    let shown = path.display();
    let cannot = |error: &io::Error| Failure::unreadable(path, error);
    let meta = fs::metadata(path).map_err(|error| cannot(&error))?;
    if meta.is_dir() {
        return Err(Failure::Input(format!("error: `{shown}` is a directory, expected a witness file")));
    }
    if is_for_sv_comp(path) {
        let help = "help: give `--witness` a name that ends in .json for a witness that can be replayed";
        let text =
            format!("error: `{shown}` is a witness for SV-COMP, which has no schedule of threads\n{help}");
        return Err(Failure::Input(text));
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

/// Whether a witness is in the format of SV-COMP, by its name.
fn is_for_sv_comp(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
}

/// Before the work begins: whether a witness for a program could be written after it.
pub(crate) fn check_folder(witness: Option<&Path>, program: &[PathBuf]) -> Result<(), Failure> {
    let Some(witness) = witness else { return Ok(()) };
    let folder = folder(witness);
    if !folder.is_dir() {
        let folder = folder.display();
        return Err(Failure::Input(format!("error: there is no folder `{folder}` to write the witness to")));
    }
    let is_c =
        |file: &PathBuf| file.extension().is_some_and(|extension| extension == "c" || extension == "i");
    if is_for_sv_comp(witness) && !program.iter().all(is_c) {
        let text = "error: witnesses for SV-COMP (.yml, .yaml) are for programs in C\nhelp: use a name that ends in .json";
        return Err(Failure::Input(text.to_owned()));
    }
    Ok(())
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
        if is_for_sv_comp(&path) {
            match for_sv_comp(told.sources, loaded, finding) {
                Ok(text) => {
                    if let Err(error) = whole_file::write(&path, &text) {
                        tell_failure(&path, &error);
                        break;
                    }
                    written.push(path.display().to_string());
                }
                Err(why) => {
                    let help = "a name that ends in .json gives a witness that `raddle replay` shows again";
                    output::error(&format!("warning: no witness `{}`: {why}\nhelp: {help}", path.display()));
                }
            }
            continue;
        }
        let Some(input) = input(&path, told.sources, loaded) else { break };
        let producer = format!("raddle {}", env!("CARGO_PKG_VERSION"));
        let entry = told.sources.entry.map(str::to_owned);
        let mut witness = Witness::new(producer, input, entry, config, finding, &loaded.map);
        witness.responds = told.sources.responds.map(str::to_owned);
        if let Err(error) = write(&path, &witness) {
            tell_failure(&path, &error);
            break;
        }
        written.push(path.display().to_string());
    }
    written
}

fn tell_failure(path: &Path, error: &io::Error) {
    output::error(&format!("error: cannot write the witness `{}`: {error}", path.display()));
}

/// The witness of a violation in the format of SV-COMP.
fn for_sv_comp(sources: Sources<'_>, loaded: &Loaded, finding: &Finding) -> Result<String, Inexpressible> {
    let names = sources.files.iter().map(|file| file.display().to_string());
    let files: Vec<(String, String)> = names.zip(loaded.sha256.iter().cloned()).collect();
    let origin = Origin {
        files: &files,
        narrow: sources.building.flags.iter().any(|flag| flag == "-m32"),
        time: &creation_time(),
        entry: sources.entry.unwrap_or("main"),
    };
    report::sv_witness(&loaded.program, &loaded.map, finding, &origin)
}

/// Now, unless the environment says for reproducible files when that is.
fn creation_time() -> String {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse().ok());
    let now = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    let seconds = fixed.unwrap_or_else(|| i64::try_from(now()).unwrap_or_default());
    let time = chrono::DateTime::from_timestamp(seconds, 0).unwrap_or_default();
    time.to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
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
