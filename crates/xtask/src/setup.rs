//! `cargo xtask setup`: makes a fresh Debian machine ready to build and test.
//!
//! Everything comes from the table in [`crate::requirements`]. A stamp file holds the table as it was when all
//! proofs last passed; while it is equal and everything is still there, a run does nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::requirements::{self, REQUIREMENTS, Requirement, Source, in_tree};
use crate::{process, workspace};

/// Where fetched libraries go. Built programs look for them in `../deps` and `../../deps` (see `.cargo/config.toml`).
const DEPS: &str = "target/deps";

const STAMP: &str = "target/deps/setup.stamp";

/// Installs what is missing and proves that it works.
pub(crate) fn run() -> Result<()> {
    link_deps()?;
    let missing: Vec<&Requirement> = REQUIREMENTS.iter().filter(|r| !r.is_present()).collect();
    let table = format!("{REQUIREMENTS:#?}\n");
    if missing.is_empty() && fs::read_to_string(in_tree(STAMP)).is_ok_and(|stamp| stamp == table) {
        println!("setup: nothing to do");
        return Ok(());
    }
    for requirement in &missing {
        println!("setup: {} is missing ({})", requirement.name, requirement.why);
    }
    install_packages(&missing)?;
    for requirement in &missing {
        if let Source::Z3Wheel { version, folder } = requirement.source {
            fetch_z3(version, &in_tree(folder)).with_context(|| advice(requirement))?;
        }
    }
    for requirement in REQUIREMENTS {
        prove(requirement).with_context(|| advice(requirement))?;
    }
    write_renamed(&in_tree(STAMP), &table)?;
    println!("setup: ready");
    Ok(())
}

/// The `raddle` to run: the one that is given, or else a fresh one, after what it needs was installed.
pub(crate) fn raddle(given: Option<&Path>) -> Result<PathBuf> {
    let Some(given) = given else {
        run()?;
        return workspace::build_raddle();
    };
    // A bare name would be looked for among the installed programs.
    fs::canonicalize(given).with_context(|| format!("cannot find `{}`", given.display()))
}

/// When cargo builds into another folder than `target`, leads from there to the fetched libraries.
fn link_deps() -> Result<()> {
    let deps = in_tree(DEPS);
    fs::create_dir_all(&deps).with_context(|| format!("cannot create `{}`", deps.display()))?;
    // This program is `TARGET/PROFILE/xtask`.
    let program = std::env::current_exe().context("cannot find out where this program is")?;
    let Some(target) = program.ancestors().nth(2) else { return Ok(()) };
    let link = target.join("deps");
    if link.exists() {
        return Ok(());
    }
    if link.is_symlink() {
        fs::remove_file(&link).with_context(|| format!("cannot replace `{}`", link.display()))?;
    }
    println!("setup: linking {} to {}", link.display(), deps.display());
    std::os::unix::fs::symlink(&deps, &link).with_context(|| format!("cannot create `{}`", link.display()))
}

fn advice(requirement: &Requirement) -> String {
    format!("{} cannot be set up; to do it by hand: {}", requirement.name, requirement.by_hand())
}

fn install_packages(missing: &[&Requirement]) -> Result<()> {
    let packages: Vec<&str> = missing
        .iter()
        .filter_map(|requirement| match requirement.source {
            Source::Apt(packages) => Some(packages),
            Source::Z3Wheel { .. } => None,
        })
        .flatten()
        .copied()
        .collect();
    if packages.is_empty() {
        return Ok(());
    }
    let names = packages.join(" ");
    if process::find_program("apt-get").is_none() {
        bail!("there is no `apt-get` here; get the equivalent of these Debian packages: {names}");
    }
    println!("setup: updating the list of Debian packages");
    if let Err(error) = apt_get(&["update"]) {
        // One unreachable source among many is no reason to stop; what is missing may be known already.
        println!("setup: going on with the old list: {error:#}");
    }
    println!("setup: installing {names}");
    let install = ["install", "--yes", "--no-install-recommends"];
    apt_get(&[&install, packages.as_slice()].concat())
        .with_context(|| format!("cannot install Debian packages; to do it by hand: apt-get install {names}"))
}

/// Runs `apt-get`, as root or through `sudo`. Its output is shown only when it fails.
fn apt_get(arguments: &[&str]) -> Result<()> {
    let mut command = if is_root()? {
        Command::new("apt-get")
    } else if process::find_program("sudo").is_some() {
        let mut sudo = Command::new("sudo");
        sudo.args(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]);
        sudo
    } else {
        bail!("installing packages needs root, and there is no `sudo`");
    };
    command.env("DEBIAN_FRONTEND", "noninteractive").arg("-qq").args(arguments);
    process::capture(&mut command).map(drop)
}

fn is_root() -> Result<bool> {
    Ok(process::capture(Command::new("id").arg("-u"))?.trim() == "0")
}

/// Unpacks the wheel beside `folder`, keeps what programs link with, and renames the result into place.
fn fetch_z3(version: &str, folder: &Path) -> Result<()> {
    println!("setup: fetching the wheel z3-solver {version}");
    let parent = folder.parent().context("the folder for Z3 has no parent")?;
    fs::create_dir_all(parent)?;
    let scratch = tempfile::Builder::new().prefix("z3-").suffix(".tmp").tempdir_in(parent)?;
    let wheel = scratch.path().join("wheel");
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"];
    process::capture(
        Command::new("python3")
            .args(install)
            .args(["--no-compile", "--only-binary", ":all:", "--target"])
            .arg(&wheel)
            .arg(format!("z3-solver=={version}")),
    )?;
    let kept = scratch.path().join("kept");
    fs::create_dir(&kept)?;
    for (from, to) in [("z3/lib", "lib"), ("z3/include", "include"), ("bin", "bin")] {
        fs::rename(wheel.join(from), kept.join(to)).with_context(|| format!("the wheel has no `{from}`"))?;
    }
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::rename(&kept, folder)?;
    println!("setup: Z3 is in {}", folder.display());
    Ok(())
}

fn prove(requirement: &Requirement) -> Result<()> {
    if !requirement.is_present() {
        bail!("{} is still missing after installation", requirement.name);
    }
    let proof = &requirement.proof;
    if proof.command.is_empty() {
        return Ok(());
    }
    let printed = process::capture(&mut requirements::command(proof.command))?;
    if !printed.contains(proof.prints) {
        bail!("`{}` does not print `{}` but: {}", proof.command.join(" "), proof.prints, printed.trim());
    }
    println!("setup: {} works", requirement.name);
    Ok(())
}

/// Writes a file under a temporary name and renames it, so that nobody ever sees half of it.
pub(crate) fn write_renamed(path: &Path, text: &str) -> Result<()> {
    let parent: PathBuf = path.parent().map(Path::to_path_buf).unwrap_or_default();
    fs::create_dir_all(&parent).with_context(|| format!("cannot create `{}`", parent.display()))?;
    let file = tempfile::Builder::new().suffix(".tmp").tempfile_in(&parent)?;
    fs::write(file.path(), text)?;
    file.persist(path).with_context(|| format!("cannot write `{}`", path.display()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_renamed_file_is_whole_and_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("new/file");
        write_renamed(&path, "first").unwrap();
        write_renamed(&path, "second").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "second");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }
}
