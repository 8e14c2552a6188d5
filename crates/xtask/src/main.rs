//! The project's own tasks, run as `cargo xtask TASK`.
//!
//! This crate needs neither LLVM nor Z3, so that `cargo xtask setup` can fetch them on a fresh machine. Each task
//! is a module with one entry function; this file only reads the command line.

mod answer;
mod bench;
mod corpus;
mod demo;
mod fuzz;
mod live;
mod page;
mod process;
mod requirements;
mod setup;
mod test;
mod tidy;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Tasks of the Raddle project.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Install what is missing: clang, LLVM, Z3, spin
    Setup,
    /// Find a bug in a bundled example, and show how it is reported
    Demo,
    /// Check everything: set-up, tidy, format, lints, all tests
    Test(test::Options),
    /// Check the project's own rules: dependency table, file sizes, left-overs, links, names, orphans
    Tidy,
    /// Measure
    Bench(bench::Options),
    /// Compare with the verdicts that public programs come with
    Corpus(corpus::Options),
    /// Run parsers and engines on random input until the time is over
    Fuzz(fuzz::Options),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().task {
        Task::Setup => setup::run(),
        Task::Demo => demo::run(),
        Task::Test(options) => test::run(&options),
        Task::Tidy => tidy::run(),
        Task::Bench(options) => bench::run(&options),
        Task::Corpus(options) => corpus::run(&options),
        Task::Fuzz(options) => fuzz::run(&options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use clap::error::ErrorKind;

    /// The tasks that a document names, as words.
    fn tasks(text: &str) -> impl Iterator<Item = Vec<&str>> {
        text.split("cargo xtask ").skip(1).map(|rest| {
            let end = rest.find(['`', '\n', '#', '"', ';', ')']).unwrap_or(rest.len());
            rest[..end].split_whitespace().collect()
        })
    }

    #[test]
    fn tasks_in_documents_exist() {
        let root = workspace::root();
        let pages =
            walkdir::WalkDir::new(root.join("docs")).into_iter().flatten().map(walkdir::DirEntry::into_path);
        let others = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"].map(|name| root.join(name));
        let mut seen = 0;
        for page in pages.chain(others).filter(|page| page.extension().is_some_and(|end| end == "md")) {
            let text = std::fs::read_to_string(&page).unwrap();
            for words in tasks(&text).filter(|words| !words.is_empty() && words[0] != "TASK") {
                seen += 1;
                let Err(error) = Arguments::try_parse_from(["xtask"].iter().chain(&words)) else { continue };
                let unknown =
                    matches!(error.kind(), ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument);
                assert!(!unknown, "{}: `cargo xtask {}`: {error}", page.display(), words.join(" "));
            }
        }
        assert!(seen > 20, "only {seen} tasks are named");
    }
}
