//! Runs the frontend on every `.bpl` file under the given directories and counts what it accepts.
//!
//! One line per file that is refused (all files with `-v`), then one line per directory. Exits with 1 if any
//! directory is below the share given with `--least PERCENT`.

use std::path::{Path, PathBuf};

use source::{Diagnostic, SourceMap};

fn main() -> std::process::ExitCode {
    let mut directories = Vec::new();
    let (mut verbose, mut least) = (false, 0usize);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "-v" => verbose = true,
            "--least" => least = args.next().and_then(|n| n.parse().ok()).unwrap_or(least),
            _ => directories.push(PathBuf::from(arg)),
        }
    }
    if directories.is_empty() {
        eprintln!("usage: yardstick [-v] [--least PERCENT] DIRECTORY...");
        return std::process::ExitCode::from(2);
    }
    let mut enough = true;
    let mut summary = Vec::new();
    for directory in &directories {
        let mut files = Vec::new();
        collect(directory, &mut files);
        files.sort();
        let mut accepted = 0;
        for file in &files {
            match run(file) {
                Ok(()) => {
                    accepted += 1;
                    if verbose {
                        println!("ok    {}", file.display());
                    }
                }
                Err(reason) => println!("FAIL  {}: {reason}", file.display()),
            }
        }
        enough &= accepted * 100 >= files.len() * least;
        summary.push(format!("{}: {accepted} of {} accepted", directory.display(), files.len()));
    }
    println!("\n{}", summary.join("\n"));
    if enough { std::process::ExitCode::SUCCESS } else { std::process::ExitCode::from(1) }
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "bpl") {
            files.push(path);
        }
    }
}

fn run(path: &Path) -> Result<(), String> {
    let mut map = SourceMap::default();
    let file = map.read(path).map_err(|e| e.to_string())?;
    let program = boogie::parse(&map, file).map_err(|d| first(&map, &d))?;
    boogie::check(&program).map_err(|d| first(&map, &d))?;
    Ok(())
}

fn first(map: &SourceMap, problems: &[Diagnostic]) -> String {
    problems.first().map_or(String::new(), |d| {
        let line = map.position(d.primary.span).map_or(0, |p| p.line);
        format!("line {line}: {} ({} problems)", d.message, problems.len())
    })
}
