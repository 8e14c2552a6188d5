//! Programs that do what makes recording hard: they start processes, end in all ways, run out of everything, handle signals. Each is
//! recorded and repeated as users do it. Nothing hangs, the output is that of the program, the trace can be read, and what is not
//! in it is said.

mod ends;
mod language;
mod limits;
mod processes;
mod waiting;

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What hangs is ended after so many seconds.
const PATIENCE: &str = "120";

/// A program that `raddle cc` or `raddle c++` has built, in a folder of its own.
struct Program(tempfile::TempDir);

/// What came of a program that was recorded.
struct Recorded {
    output: Output,
    /// `raddle trace`
    trace: String,
}

impl Program {
    fn build(name: &str, flags: &[&str]) -> Self {
        let program = Program(tempfile::tempdir().expect("a temporary folder"));
        let source = source(name);
        let (compiler, standard) =
            if name.ends_with("cpp") { ("c++", "-std=c++20") } else { ("cc", "-std=gnu17") };
        let arguments = [&[compiler, standard, "-O1", "-pthread", &source, "-o", "program"], flags].concat();
        let built = program.raddle(&arguments);
        assert!(built.status.success(), "{name}: {}", said(&built));
        program
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("timeout");
        command.args(["--signal=KILL", PATIENCE, env!("CARGO_BIN_EXE_raddle")]).args(arguments);
        command.current_dir(self.path());
        command
    }

    fn raddle(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("raddle runs")
    }

    /// Records the program, which says and returns what is expected, and reads its trace.
    fn record(&self, arguments: &[&str], expected: &str, code: i32) -> Recorded {
        let output = self.raddle(&[&["record", "./program", "-o", "a.trace", "--"], arguments].concat());
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{arguments:?} {}", said(&output));
        assert_eq!(output.status.code(), Some(code), "{arguments:?} {}", said(&output));
        Recorded { output, trace: self.read("a.trace") }
    }

    /// What is in a trace, which can be read to its end.
    fn read(&self, trace: &str) -> String {
        let listed = self.raddle(&["trace", trace]);
        assert!(listed.status.success(), "{}", said(&listed));
        String::from_utf8_lossy(&listed.stdout).into_owned()
    }

    /// Repeats the run, which is as it was up to where the trace ends.
    fn repeat(&self, trace: &str) -> Output {
        let repeated = self.raddle(&["replay", trace]);
        let text = said(&repeated);
        assert!(text.contains("raddle: reproduced: the run was repeated to its end ("), "{text}");
        repeated
    }

    /// Repeats the run, which may do something else: then it is said where.
    fn repeat_or_leave(&self) {
        let repeated = self.raddle(&["replay", "a.trace"]);
        let text = said(&repeated);
        let left = repeated.status.code() == Some(112) && text.contains("raddle: not reproduced: ");
        assert!(left || text.contains("raddle: reproduced: the run was repeated to its end ("), "{text}");
    }
}

impl Recorded {
    fn says(&self, what: &str) {
        assert!(said(&self.output).contains(what), "{what}: {}", said(&self.output));
    }

    fn has(&self, what: &str) {
        assert!(self.trace.contains(what), "{what}: {}\n{}", said(&self.output), self.trace);
    }
}

fn source(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/robust/programs");
    folder.join(name).display().to_string()
}

fn said(output: &Output) -> String {
    let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    format!("{} {:?}\n{out}{error}", output.status, output.status.signal())
}

/// A program that is recorded with this output and exit code, and repeated with the same.
fn check(name: &str, arguments: &[&str], expected: &str, code: i32) {
    check_with(name, &[], arguments, expected, code);
}

fn check_with(name: &str, flags: &[&str], arguments: &[&str], expected: &str, code: i32) {
    let program = Program::build(name, flags);
    program.record(arguments, expected, code);
    let repeated = program.repeat("a.trace");
    assert_eq!(String::from_utf8_lossy(&repeated.stdout), expected, "{}", said(&repeated));
    assert_eq!(repeated.status.code(), Some(code), "{}", said(&repeated));
}

/// A program whose next run may go another way: what it does depends on time, signals or addresses.
fn check_that_may_leave(name: &str, expected: &str) {
    let program = Program::build(name, &[]);
    program.record(&[], expected, 0);
    program.repeat_or_leave();
}
