//! Building programs with the run-time library, running them, and reading what they recorded.

pub(crate) mod check;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use tempfile::TempDir;
use trace::{Reader, Record};
use wait_timeout::ChildExt;

/// Programs that take longer than this hang.
pub(crate) const PATIENCE: Duration = Duration::from_secs(100);

/// The static library, built as users get it. Tests run as processes of their own; cargo sees to it that only one builds.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rt");
        let output = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--locked", "--package", "rt", "--release", "--target-dir"])
            .arg(&target)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            // What cargo tells this test is not for another cargo.
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("CARGO_BUILD_TARGET")
            .output()
            .expect("cargo runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        target.join("release/librt.a")
    })
}

/// A program that was built, in a folder of its own.
pub(crate) struct Program {
    folder: TempDir,
}

/// What a run left.
pub(crate) struct Run {
    pub(crate) status: ExitStatus,
    pub(crate) output: String,
    pub(crate) errors: String,
}

impl Program {
    /// Builds a program from `tests/programs`.
    pub(crate) fn build(name: &str) -> Self {
        Program::build_file(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name), &[])
    }

    pub(crate) fn build_file(source: &Path, flags: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let cpp = source.extension().is_some_and(|extension| extension == "cpp");
        let output = Command::new(if cpp { "clang++-19" } else { "clang-19" })
            .args(["-O1", "-g", "-pthread", "-Wall", "-Wno-unused-function", "-I"])
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs"))
            .args(flags)
            .arg("-o")
            .arg(folder.path().join("program"))
            .arg(source)
            .arg(library())
            .output()
            .expect("clang-19 runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Program { folder }
    }

    pub(crate) fn trace(&self) -> PathBuf {
        self.folder.path().join("trace")
    }

    /// The program, to be recorded.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.folder.path().join("program"));
        command.args(arguments).env("RADDLE_RECORD", self.trace());
        command
    }

    /// Runs and records the program.
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        run(&mut self.command(arguments))
    }

    /// Runs and records the program under a shell that first runs `limits`.
    pub(crate) fn run_limited(&self, limits: &str) -> Run {
        let program = self.folder.path().join("program");
        let script = format!("{limits}; exec {}", program.display());
        run(Command::new("sh").args(["-c", &script]).env("RADDLE_RECORD", self.trace()))
    }

    /// The whole trace, which has to be right.
    pub(crate) fn records(&self) -> Vec<Record> {
        let reader = Reader::open(&self.trace()).unwrap();
        let records: Vec<_> = reader.map(|record| record.unwrap_or_else(|error| panic!("{error}"))).collect();
        check::check(&records);
        records
    }

    pub(crate) fn header(&self) -> trace::Header {
        Reader::open(&self.trace()).unwrap().header().clone()
    }
}

/// Runs a command to its end, which must come.
pub(crate) fn run(command: &mut Command) -> Run {
    let out = tempfile::tempfile().unwrap();
    let err = tempfile::tempfile().unwrap();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(out.try_clone().unwrap())
        .stderr(err.try_clone().unwrap())
        .spawn()
        .unwrap();
    let Some(status) = child.wait_timeout(PATIENCE).unwrap() else {
        child.kill().unwrap();
        child.wait().unwrap();
        panic!("the program hangs: {command:?}");
    };
    Run { status, output: text(out), errors: text(err) }
}

fn text(mut file: fs::File) -> String {
    use std::io::Seek;
    let mut text = String::new();
    file.rewind().unwrap();
    file.read_to_string(&mut text).unwrap();
    text
}

/// How many events there are of a kind.
pub(crate) fn count(records: &[Record], kind: &str) -> usize {
    records.iter().filter(|record| record.event.kind() == kind).count()
}
