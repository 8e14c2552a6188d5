//! A folder to run the binary in.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder of its own for one test.
pub(crate) struct Sandbox {
    dir: tempfile::TempDir,
}

/// What the binary answered.
pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Sandbox { dir: tempfile::tempdir().unwrap() }
    }

    /// A sandbox with one file.
    pub(crate) fn with(name: &str, content: &str) -> Self {
        let sandbox = Sandbox::new();
        sandbox.write(name, content);
        sandbox
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn dir(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The command with arguments that are separated by blanks.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
        command.current_dir(self.dir()).args(arguments.split_whitespace()).stdin(Stdio::null());
        command
    }

    /// Runs the binary.
    pub(crate) fn run(&self, arguments: &str) -> Answer {
        Answer::of(&self.command(arguments).output().unwrap())
    }

    /// Runs the binary, which must answer with an exit code and in JSON.
    pub(crate) fn json(&self, code: i32, arguments: &str) -> serde_json::Value {
        let answer = self.run(&format!("{arguments} --format json"));
        assert_eq!(answer.code, code, "{}{}", answer.stdout, answer.stderr);
        serde_json::from_str(&answer.stdout).unwrap()
    }
}

impl Answer {
    /// The answer of a process that ended by itself and did not panic.
    pub(crate) fn of(output: &Output) -> Self {
        let answer = Answer {
            code: output.status.code().expect("ended by a signal"),
            stdout: String::from_utf8(output.stdout.clone()).unwrap(),
            stderr: String::from_utf8(output.stderr.clone()).unwrap(),
        };
        assert!(!answer.stderr.contains("internal error"), "{}", answer.stderr);
        answer
    }
}
