//! Builds the run-time library, which the tool carries inside itself and links into the programs that it instruments. Before, makes
//! sure that there is the Z3 that `cargo xtask setup` fetches.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Where it is missing, the linker takes the system's, which may be too old to understand what it is told.
fn look_for_z3() {
    const FOLDER: &str = "Z3_LIBRARY_PATH_OVERRIDE";
    println!("cargo::rerun-if-env-changed={FOLDER}");
    let Some(library) = std::env::var_os(FOLDER).map(|folder| Path::new(&folder).join("libz3.so")) else {
        return;
    };
    println!("cargo::rerun-if-changed={}", library.display());
    assert!(library.exists(), "there is no `{}`; `cargo xtask setup` fetches it", library.display());
}

fn main() {
    look_for_z3();
    let here = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let crates = here.parent().map(Path::to_path_buf).unwrap_or_default();
    for part in ["rt/src", "rt/Cargo.toml", "trace/src", "trace/Cargo.toml"] {
        println!("cargo::rerun-if-changed={}", crates.join(part).display());
    }
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // A folder of its own: the one of the workspace is in use while this runs.
    command.args(["build", "--quiet", "--release", "--package", "rt", "--target-dir"]).arg(out.join("rt"));
    command.arg("--manifest-path").arg(crates.join("rt/Cargo.toml"));
    // Flags and wrappers of the build that this is a part of are not meant for it.
    for name in ["CARGO_ENCODED_RUSTFLAGS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "CLIPPY_ARGS"] {
        command.env_remove(name);
    }
    // Panics must not abort by themselves: then cancellation and `pthread_exit`, which unwind through the wrappers, would abort, too.
    for (name, value) in [("DEBUG", "false"), ("LTO", "fat"), ("CODEGEN_UNITS", "1")] {
        command.env(format!("CARGO_PROFILE_RELEASE_{name}"), value);
    }
    match command.status() {
        Ok(status) if status.success() => {}
        Ok(status) => panic!("the run-time library cannot be built: cargo ended with {status}"),
        Err(error) => panic!("the run-time library cannot be built: cargo cannot be run: {error}"),
    }
    let archive = out.join("rt/release/librt.a");
    println!("cargo::rustc-env=RADDLE_RT={}", archive.display());
}
