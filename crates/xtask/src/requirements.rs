//! What the project needs from the machine, as one table.
//!
//! A requirement is met when one of its places exists; that is looked at in every run and costs nothing. When the
//! table has changed, or something was just installed, its proof is run as well. To need something new, add a row.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::{process, workspace};

/// One row: something that has to be on the machine.
#[derive(Debug)]
pub(crate) struct Requirement {
    pub(crate) name: &'static str,
    /// What it is for, as the user is told.
    pub(crate) why: &'static str,
    /// It is there when one of these is.
    pub(crate) any_of: &'static [Place],
    /// A command that shows that it works, and a part of what it must print; empty when being there is enough.
    pub(crate) proof: Proof,
    pub(crate) source: Source,
}

/// Where a requirement can be found.
#[derive(Debug)]
pub(crate) enum Place {
    /// A program on the search path.
    Program(&'static str),
    /// An absolute path, or one relative to the repository's root.
    File(&'static str),
    /// A command that succeeds.
    Succeeds(&'static [&'static str]),
}

/// A command and a part of what it must print.
#[derive(Debug)]
pub(crate) struct Proof {
    pub(crate) command: &'static [&'static str],
    pub(crate) prints: &'static str,
}

/// How to get a requirement.
#[derive(Debug)]
pub(crate) enum Source {
    /// Debian packages.
    Apt(&'static [&'static str]),
    /// Library, headers and program of Z3, from the Python wheel of this version, put into this folder.
    Z3Wheel { version: &'static str, folder: &'static str },
}

/// A path inside the folder of Z3, which `.cargo/config.toml` names too.
macro_rules! z3 {
    ($path:literal) => {
        concat!("target/deps/z3-5.3.2", $path)
    };
}

const EXISTS: Proof = Proof { command: &[], prints: "" };

/// The table. Its order is the order of installation.
pub(crate) const REQUIREMENTS: &[Requirement] = &[
    Requirement {
        name: "gcc",
        why: "links Rust programs and compiles spin's verifiers",
        any_of: &[Place::Program("gcc")],
        proof: EXISTS,
        source: Source::Apt(&["gcc", "libc6-dev"]),
    },
    Requirement {
        name: "clang 19",
        why: "compiles C and C++ input to LLVM IR",
        any_of: &[Place::Program("clang-19")],
        proof: Proof { command: &["clang-19", "--version"], prints: "clang version 19." },
        source: Source::Apt(&["clang-19"]),
    },
    Requirement {
        name: "LLVM 19",
        why: "reads and instruments LLVM IR",
        any_of: &[Place::File("/usr/lib/llvm-19/include/llvm-c/Core.h")],
        proof: Proof { command: &["/usr/lib/llvm-19/bin/llvm-config", "--version"], prints: "19.1" },
        source: Source::Apt(&["llvm-19-dev"]),
    },
    Requirement {
        name: "spin",
        why: "the model checker that `cargo xtask bench explore` compares with",
        any_of: &[Place::Program("spin")],
        proof: Proof { command: &["spin", "-V"], prints: "Spin Version" },
        source: Source::Apt(&["spin"]),
    },
    Requirement {
        name: "Boogie",
        why: "checks what `raddle sequentialize` prints, and is what `cargo xtask bench async` compares with",
        any_of: &[Place::Program("boogie")],
        proof: Proof {
            command: &["sh", "-c", "echo 'procedure p() { assert 1 + 1 == 2; }' | boogie stdin.bpl"],
            prints: "finished with 1 verified, 0 errors",
        },
        source: Source::Apt(&["boogie"]),
    },
    Requirement {
        name: "Chromium",
        why: "the browser in which tests look at the pages of `--html`",
        any_of: &[Place::Program("chromium")],
        proof: Proof {
            command: &[
                "sh",
                "-c",
                "chromium --headless --no-sandbox --disable-gpu --dump-dom about:blank 2>/dev/null",
            ],
            prints: "<body></body>",
        },
        source: Source::Apt(&["chromium", "fonts-dejavu-core"]),
    },
    Requirement {
        name: "gdb",
        why: "the debugger under which `raddle replay --gdb` runs programs, also in tests",
        any_of: &[Place::Program("gdb")],
        proof: Proof { command: &["gdb", "--version"], prints: "GNU gdb" },
        source: Source::Apt(&["gdb"]),
    },
    Requirement {
        name: "pip",
        why: "fetches Z3, so it is not needed once Z3 is there",
        any_of: &[Place::File(z3!("/lib/libz3.so")), Place::Succeeds(&["python3", "-m", "pip", "--version"])],
        proof: EXISTS,
        source: Source::Apt(&["python3-pip"]),
    },
    Requirement {
        name: "Z3 5.3.2",
        why: "the SMT solver; Debian's own is too old",
        any_of: &[Place::File(z3!("/lib/libz3.so"))],
        proof: Proof { command: &[z3!("/bin/z3"), "--version"], prints: "Z3 version 5.3.2" },
        source: Source::Z3Wheel { version: "5.3.2.0", folder: z3!("") },
    },
];

impl Requirement {
    /// Whether it is there. Quick.
    pub(crate) fn is_present(&self) -> bool {
        self.any_of.iter().any(Place::exists)
    }

    /// How a person gets it without this program.
    pub(crate) fn by_hand(&self) -> String {
        match self.source {
            Source::Apt(packages) => format!("apt-get install {}", packages.join(" ")),
            Source::Z3Wheel { version, folder } => format!(
                "unpack the wheel `z3-solver=={version}` from PyPI, then put its `z3/lib`, `z3/include` and `bin` \
                 into `{folder}`"
            ),
        }
    }
}

impl Place {
    fn exists(&self) -> bool {
        match self {
            Place::Program(name) => process::find_program(name).is_some(),
            Place::File(path) => in_tree(path).exists(),
            Place::Succeeds(words) => command(words)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .is_ok_and(|status| status.success()),
        }
    }
}

/// A path of the table: absolute, or relative to the repository's root.
pub(crate) fn in_tree(path: &str) -> PathBuf {
    workspace::root().join(path)
}

/// A command of the table; a program with a slash in its name is a path of the table.
pub(crate) fn command(words: &[&str]) -> Command {
    let (program, arguments) = words.split_first().unwrap_or((&"true", &[]));
    let mut command =
        if program.contains('/') { Command::new(in_tree(program)) } else { Command::new(program) };
    command.args(arguments);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_is_told_where_z3_is() {
        let config = std::fs::read_to_string(in_tree(".cargo/config.toml")).unwrap();
        for requirement in REQUIREMENTS {
            if let Source::Z3Wheel { version, folder } = requirement.source {
                let (version, _) = version.rsplit_once('.').unwrap();
                assert!(folder.ends_with(version));
                assert!(config.contains(&format!("Z3_SYS_Z3_VERSION = \"{version}\"")));
                assert_eq!(config.matches("z3-").count(), config.matches(&format!("z3-{version}")).count());
                assert!(config.contains(folder), "`.cargo/config.toml` does not name `{folder}`");
            }
        }
    }

    #[test]
    fn every_requirement_says_why_and_how() {
        for requirement in REQUIREMENTS {
            assert!(!requirement.why.is_empty() && !requirement.any_of.is_empty());
            assert!(!requirement.by_hand().is_empty());
        }
    }

    #[test]
    fn places_are_looked_up() {
        assert!(Place::Program("sh").exists());
        assert!(!Place::Program("no-such-program-anywhere").exists());
        assert!(Place::File("Cargo.toml").exists());
        assert!(!Place::File("/no/such/file").exists());
        assert!(Place::Succeeds(&["true"]).exists());
        assert!(!Place::Succeeds(&["false"]).exists());
    }
}
