//! Runs the frontend on every `.bpl` file under the given directories and counts what it accepts (parses and type
//! checks) and what it lowers to the IR.
//!
//! One line per file that is refused (all files with `-v`), then one line per directory. Exits with 1 if the share
//! accepted in any directory is below the one given with `--least PERCENT`.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use boogie::ast::{Program, StmtKind};
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
        let (mut accepted, mut lowered) = (0, 0);
        for file in &files {
            match run(file) {
                Outcome::Lowered => {
                    accepted += 1;
                    lowered += 1;
                    if verbose {
                        println!("ok    {}", file.display());
                    }
                }
                Outcome::Accepted(reason) => {
                    accepted += 1;
                    println!("lower {}: {reason}", file.display());
                }
                Outcome::Refused(reason) => println!("FAIL  {}: {reason}", file.display()),
            }
        }
        enough &= accepted * 100 >= files.len() * least;
        let (name, all) = (directory.display(), files.len());
        summary.push(format!("{name}: {accepted} of {all} accepted, {lowered} lowered"));
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

/// A library has hundreds of procedures that nothing calls; some of them tell enough.
const MOST_ENTRIES: usize = 10;

enum Outcome {
    Lowered,
    Accepted(String),
    Refused(String),
}

fn run(path: &Path) -> Outcome {
    let mut map = SourceMap::default();
    let file = match map.read(path) {
        Ok(file) => file,
        Err(error) => return Outcome::Refused(error.to_string()),
    };
    let program = match boogie::parse(&map, file) {
        Ok(program) => program,
        Err(problems) => return Outcome::Refused(first(&map, &problems)),
    };
    let checked = match boogie::check(&program) {
        Ok(checked) => checked,
        Err(problems) => return Outcome::Refused(first(&map, &problems)),
    };
    drop(checked);
    // A program without a usual entry is started at procedures that no other calls.
    let entries = match boogie::load(&map, file, None) {
        Ok(_) => return Outcome::Lowered,
        Err(problems) if problems.iter().all(|d| d.message.contains("no procedure to start with")) => {
            roots(&program)
        }
        Err(problems) => return Outcome::Accepted(first(&map, &problems)),
    };
    for entry in entries.iter().take(MOST_ENTRIES) {
        if let Err(problems) = boogie::load(&map, file, Some(entry)) {
            return Outcome::Accepted(format!("from {entry}: {}", first(&map, &problems)));
        }
    }
    Outcome::Lowered
}

/// Procedures with a body that nothing calls.
fn roots(program: &Program) -> Vec<String> {
    let implemented = program.implementations.iter().map(|i| (&i.ident.name, &i.body));
    let own = program.procedures.iter().filter_map(|p| Some((&p.ident.name, p.body.as_ref()?)));
    let bodies: Vec<_> = own.chain(implemented).collect();
    let mut called = HashSet::new();
    for (_, body) in &bodies {
        body.for_each_stmt(&mut |stmt| match &stmt.kind {
            StmtKind::Call(call) => drop(called.insert(&call.procedure.name)),
            StmtKind::Fork { procedure, .. } => drop(called.insert(&procedure.name)),
            _ => {}
        });
    }
    bodies.iter().filter(|(name, _)| !called.contains(name)).map(|(name, _)| name.to_string()).collect()
}

fn first(map: &SourceMap, problems: &[Diagnostic]) -> String {
    problems.first().map_or(String::new(), |d| {
        let line = map.position(d.primary.span).map_or(0, |p| p.line);
        format!("line {line}: {} ({} problems)", d.message, problems.len())
    })
}
