//! Where things are: the repository's root, and what `cargo metadata` says about the packages in it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;
use walkdir::WalkDir;

use crate::process;

/// The repository's root folder.
pub(crate) fn root() -> &'static Path {
    let crate_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    crate_dir.ancestors().nth(2).unwrap_or(crate_dir)
}

/// The `cargo` that runs this task.
pub(crate) fn cargo() -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// The part of `cargo metadata` that the tasks read.
#[derive(Deserialize)]
pub(crate) struct Metadata {
    pub(crate) packages: Vec<Package>,
    pub(crate) target_directory: PathBuf,
}

/// A package of the workspace.
#[derive(Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) manifest_path: PathBuf,
    pub(crate) dependencies: Vec<Dependency>,
}

/// One dependency as the manifest states it.
#[derive(Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// The folder, for a dependency inside the workspace.
    pub(crate) path: Option<PathBuf>,
    /// `dev`, `build`, or nothing for a normal one.
    #[serde(default)]
    pub(crate) kind: Option<String>,
}

impl Dependency {
    /// Whether it makes one crate of the workspace a part of another; what only tests use does not.
    pub(crate) fn is_edge(&self) -> bool {
        self.path.is_some() && self.kind.as_deref() != Some("dev")
    }
}

/// Asks cargo about the workspace.
pub(crate) fn metadata() -> Result<Metadata> {
    let text = process::capture(cargo().args(["metadata", "--no-deps", "--format-version", "1"]))?;
    serde_json::from_str(&text).context("cannot read the output of `cargo metadata`")
}

/// Builds the `raddle` binary with optimizations and returns its path.
pub(crate) fn build_raddle() -> Result<PathBuf> {
    process::run(cargo().args(["build", "--quiet", "--release", "--package", "raddle"]))?;
    Ok(metadata()?.target_directory.join("release").join("raddle"))
}

/// Every file of the repository in a fixed order, without build output and hidden folders.
pub(crate) fn files(under: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    WalkDir::new(under)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| {
            let name = entry.file_name().to_string_lossy();
            entry.depth() == 0 || !(name.starts_with('.') || name == "target")
        })
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file())
        .map(walkdir::DirEntry::into_path)
}
