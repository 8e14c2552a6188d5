//! The programs of the paper, what is to be found in them, and how long the paper's tool took.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::live::Verdict;
use crate::workspace;

/// What a program is known to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    /// A fair execution that goes on for ever.
    NonTerminating,
    /// None within the bounds.
    Nothing,
}

impl Expected {
    /// Whether a verdict says so; nothing if it says neither.
    pub(super) fn is_met(self, verdict: &Verdict) -> Option<bool> {
        match verdict {
            Verdict::NonTerminating => Some(self == Expected::NonTerminating),
            Verdict::NoneWithinBounds => Some(self == Expected::Nothing),
            Verdict::Unknown(_) => None,
            Verdict::Refused(_) => Some(false),
        }
    }
}

/// A program in the repository.
struct Program {
    name: &'static str,
    file: &'static str,
    /// For `raddle live`.
    options: &'static [&'static str],
    expected: Expected,
    /// Seconds in the paper.
    paper: f64,
}

const FOLDER: &str = "tests/boogie/nontermination";

/// The paper bounds the rounds of stem and lasso together: `K = 3` for all of these. Two rounds each include that, and four
/// together.
const ROUNDS: &[&str] = &["--stem", "2", "--lasso", "2"];

/// Section 5: the list with optimistic locking, and the concurrent checker of assertions, once correct. The paper does not
/// print the checker and its three versions with a livelock. Ours are like them; which of its times belongs to which is
/// not known.
const PROGRAMS: &[Program] = &[
    Program {
        name: "optimistic list",
        file: "optimistic_list.bpl",
        options: ROUNDS,
        expected: Expected::NonTerminating,
        paper: 44.0,
    },
    // Three rounds together are two before the lasso and one in it, or the other way round.
    Program {
        name: "asserting, correct",
        file: "asserting.bpl",
        options: &["--stem", "2", "--lasso", "1"],
        expected: Expected::Nothing,
        paper: 402.0,
    },
    Program {
        name: "asserting, correct",
        file: "asserting.bpl",
        options: &["--stem", "1", "--lasso", "2"],
        expected: Expected::Nothing,
        paper: 402.0,
    },
    Program {
        name: "asserting, no limit",
        file: "asserting_no_limit.bpl",
        options: ROUNDS,
        expected: Expected::NonTerminating,
        paper: 11.0,
    },
    Program {
        name: "asserting, back off",
        file: "asserting_back_off.bpl",
        options: ROUNDS,
        expected: Expected::NonTerminating,
        paper: 21.0,
    },
    Program {
        name: "asserting, own change",
        file: "asserting_own_change.bpl",
        options: ROUNDS,
        expected: Expected::NonTerminating,
        paper: 36.0,
    },
];

/// How many philosophers, and the seconds in Figure 3 (d), which ends with ten.
const PHILOSOPHERS: &[(u32, Option<f64>)] = &[
    (2, Some(2.1)),
    (3, Some(3.43)),
    (4, Some(6.13)),
    (5, Some(8.94)),
    (6, Some(21.91)),
    (7, Some(15.79)),
    (8, Some(30.77)),
    (9, Some(31.66)),
    (10, Some(43.54)),
    (20, None),
];

/// One round of the stem and one of the lasso suffice, as in the paper (`K = 2`).
const PHILOSOPHERS_OPTIONS: &[&str] = &["--stem", "1", "--lasso", "1"];

/// A program that is measured.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) options: &'static [&'static str],
    pub(super) expected: Expected,
    /// Seconds in the paper.
    pub(super) paper: Option<f64>,
    /// How many philosophers.
    pub(super) size: Option<u32>,
}

/// All programs; those that have to be made are written into the folder.
pub(super) fn all(folder: &Path) -> Result<Vec<Subject>> {
    let mut subjects = Vec::new();
    for &(number, paper) in PHILOSOPHERS {
        let path = folder.join(format!("philosophers{number}.bpl"));
        std::fs::write(&path, philosophers(number)).context("cannot write a program")?;
        subjects.push(Subject {
            name: format!("philosophers, N = {number}"),
            path,
            options: PHILOSOPHERS_OPTIONS,
            expected: Expected::NonTerminating,
            paper,
            size: Some(number),
        });
    }
    subjects.extend(PROGRAMS.iter().map(|program| Subject {
        name: program.name.to_owned(),
        path: workspace::root().join(FOLDER).join(program.file),
        options: program.options,
        expected: program.expected,
        paper: Some(program.paper),
        size: None,
    }));
    Ok(subjects)
}

/// Figure 3 (a): everybody tries to take the left fork and then the right one, and puts the left one back if the right
/// one is taken.
fn philosophers(number: u32) -> String {
    let calls: String = (0..number).map(|at| format!("  async call Philosopher({at});\n")).collect();
    format!(
        "var forks: [int]mutex;

procedure Philosopher(n: int)
  modifies forks;
{{
  var left, right: int;
  var got: bool;
  left := n;
  right := (n + 1) mod {number};
  while (true) {{
    got := tryacquire forks[left];
    if (got) {{
      got := tryacquire forks[right];
      if (got) {{
        break;
      }} else {{
        release forks[left];
      }}
    }}
  }}
  release forks[right];
  release forks[left];
}}

procedure main()
  modifies forks;
{{
{calls}}}
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_philosophers_are_those_of_the_tests() {
        for number in 2..=10 {
            let file = workspace::root().join(FOLDER).join(format!("philosophers{number}.bpl"));
            let text = std::fs::read_to_string(file).unwrap();
            let lines = text.lines().filter(|line| !line.starts_with("//"));
            assert_eq!(lines.map(|line| line.to_owned() + "\n").collect::<String>(), philosophers(number));
        }
    }

    #[test]
    fn every_program_is_there_once() {
        let folder = tempfile::tempdir().unwrap();
        let subjects = all(folder.path()).unwrap();
        assert_eq!(subjects.len(), PHILOSOPHERS.len() + PROGRAMS.len());
        assert!(subjects.iter().filter(|subject| subject.size.is_some()).all(|made| made.path.exists()));
    }

    #[test]
    fn a_verdict_meets_the_expectation_or_not() {
        assert_eq!(Expected::NonTerminating.is_met(&Verdict::NonTerminating), Some(true));
        assert_eq!(Expected::NonTerminating.is_met(&Verdict::NoneWithinBounds), Some(false));
        assert_eq!(Expected::Nothing.is_met(&Verdict::NonTerminating), Some(false));
        assert_eq!(Expected::Nothing.is_met(&Verdict::Unknown(String::new())), None);
    }
}
