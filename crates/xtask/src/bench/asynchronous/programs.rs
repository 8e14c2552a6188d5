//! The programs of the paper, and how many delays each needs.

use std::fmt::Write;

use crate::workspace;

/// The two schedulers under comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scheduler {
    Df,
    Dfw,
}

impl Scheduler {
    /// Its name on raddle's command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Scheduler::Df => "df",
            Scheduler::Dfw => "dfw",
        }
    }
}

/// A program with a violation.
#[derive(Debug)]
pub(super) struct Program {
    /// As the paper calls it.
    pub(super) name: &'static str,
    file: &'static str,
    /// The smallest bounds with which the explorer finds the violation; the file's own test shows that.
    df: u32,
    dfw: u32,
    /// The bound under DFW in the paper, where its text gives one.
    pub(super) paper_dfw: Option<u32>,
}

const FOLDER: &str = "tests/boogie/async";

/// Figures 1, 4 and 8.
pub(super) const PROGRAMS: &[Program] = &[
    Program { name: "Figure 1", file: "fig1.bpl", df: 2, dfw: 1, paper_dfw: None },
    Program { name: "Figure 4", file: "fig4_assertion.bpl", df: 3, dfw: 0, paper_dfw: Some(0) },
    Program { name: "CollectionLoad", file: "collection_load.bpl", df: 4, dfw: 1, paper_dfw: Some(1) },
    Program { name: "MissingAwait", file: "missing_await.bpl", df: 2, dfw: 1, paper_dfw: None },
    Program { name: "StateReset", file: "state_reset.bpl", df: 6, dfw: 1, paper_dfw: None },
];

impl Program {
    pub(super) fn path(&self) -> std::path::PathBuf {
        workspace::root().join(FOLDER).join(self.file)
    }

    /// The smallest bound that suffices.
    pub(super) fn delays(&self, scheduler: Scheduler) -> u32 {
        match scheduler {
            Scheduler::Df => self.df,
            Scheduler::Dfw => self.dfw,
        }
    }
}

/// P(N) of section 7: N calls, each awaited before the next, and then a violation. Under DFW it needs no delay, and
/// under DF it needs N.
pub(super) fn chain(length: u32) -> String {
    let mut text = "procedure p()\n{\n}\n\nprocedure main()\n{\n  var t: task;\n".to_owned();
    for _ in 0..length {
        let _ = writeln!(text, "  async call t := p();\n  wait t;");
    }
    text + "  assert false;\n}\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds_are_those_that_the_tests_show() {
        for program in PROGRAMS {
            let text = std::fs::read_to_string(program.path()).unwrap();
            for scheduler in [Scheduler::Df, Scheduler::Dfw] {
                let run = |name: &str, delays: u32| {
                    let options = format!("--scheduler {} --delays {delays}", scheduler.name());
                    text.contains(&format!("//@ run({name}): explore {options}\n"))
                };
                let enough = program.delays(scheduler);
                assert!(run("found", enough), "{} {scheduler:?}", program.name);
                assert!(enough == 0 || run("missed", enough - 1), "{} {scheduler:?}", program.name);
            }
        }
    }

    #[test]
    fn a_chain_is_the_program_of_the_test() {
        let file = workspace::root().join(FOLDER).join("fig9.bpl");
        let text = std::fs::read_to_string(file).unwrap();
        let code = |text: &str| -> String {
            let lines = text.lines().filter(|line| !line.starts_with("//"));
            lines.map(|line| line.split(" //~").next().unwrap_or(line).to_owned() + "\n").collect()
        };
        assert_eq!(code(&text), chain(5));
    }
}
