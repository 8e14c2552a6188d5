//! Runs the program under test, with a limit on time and on output.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use wait_timeout::ChildExt;

/// More output than this from one process is a failure.
const MOST_OUTPUT: u64 = 64 << 20;

/// What a process left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Output {
    pub(crate) exit_code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `binary` in `dir`. Being killed, by us or by a signal, is an error that says so.
pub(crate) fn run(
    binary: &Path,
    arguments: &[String],
    dir: &Path,
    time_limit: Duration,
) -> Result<Output, String> {
    run_as("raddle", binary, arguments, dir, time_limit)
}

/// The same for a program that messages call by another name.
pub(crate) fn run_as(
    name: &str,
    binary: &Path,
    arguments: &[String],
    dir: &Path,
    time_limit: Duration,
) -> Result<Output, String> {
    let shown = || format!("`{}`", joined(name, arguments));
    let cannot_run = |error: io::Error| format!("cannot run {} with {}: {error}", binary.display(), shown());
    let mut child = Command::new(binary)
        .args(arguments)
        .current_dir(dir)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // A group of its own, so that whatever it starts can be ended with it.
        .process_group(0)
        .spawn()
        .map_err(cannot_run)?;
    let stdout = child.stdout.take().map(|stream| thread::spawn(|| read(stream)));
    let stderr = child.stderr.take().map(|stream| thread::spawn(|| read(stream)));
    let status = child.wait_timeout(time_limit).map_err(cannot_run)?;
    if status.is_none() {
        if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
            // The process may just have ended by itself, which is as good.
            let _ = kill_process_group(group, Signal::KILL);
        }
        child.wait().map_err(cannot_run)?;
    }
    let text = |reader: Option<thread::JoinHandle<Result<String, String>>>| match reader {
        Some(reader) => reader.join().unwrap_or_else(|_| Err("the reader of its output panicked".to_owned())),
        None => Ok(String::new()),
    };
    let (stdout, stderr) = (text(stdout), text(stderr));
    let Some(status) = status else {
        return Err(format!("{} was killed after {} s", shown(), time_limit.as_secs_f64()));
    };
    let (stdout, stderr) = (stdout?, stderr?);
    match status.code() {
        Some(exit_code) => Ok(Output { exit_code, stdout, stderr }),
        None => Err(format!("{} died: {status}\n{stdout}{stderr}", shown())),
    }
}

/// The arguments as a person would type them after `raddle`.
pub(crate) fn shlex_join(arguments: &[String]) -> String {
    joined("raddle", arguments)
}

fn joined(program: &str, arguments: &[String]) -> String {
    let words = arguments
        .iter()
        .map(|word| shlex::try_quote(word).map_or_else(|_| word.clone(), std::borrow::Cow::into_owned));
    std::iter::once(program.to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

fn read(stream: impl Read) -> Result<String, String> {
    let mut bytes = Vec::new();
    let mut stream = stream.take(MOST_OUTPUT);
    stream.read_to_end(&mut bytes).map_err(|error| format!("cannot read its output: {error}"))?;
    if bytes.len() as u64 == MOST_OUTPUT {
        // Keep reading, so that the process is not stuck on a full pipe until the time is over.
        let _ = io::copy(&mut stream.into_inner(), &mut io::sink());
        return Err(format!("it printed more than {MOST_OUTPUT} bytes"));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, time_limit: Duration) -> Result<Output, String> {
        run(Path::new("/bin/sh"), &["-c".to_owned(), script.to_owned()], Path::new("/"), time_limit)
    }

    #[test]
    fn exit_code_and_both_channels_are_kept() {
        let output = sh("echo out; echo err >&2; exit 3", Duration::from_secs(10)).unwrap();
        assert_eq!(output, Output { exit_code: 3, stdout: "out\n".to_owned(), stderr: "err\n".to_owned() });
    }

    #[test]
    fn a_process_that_hangs_is_killed_with_its_children() {
        let error = sh("sleep 100 & sleep 100", Duration::from_millis(200)).unwrap_err();
        assert_eq!(error, "`raddle -c 'sleep 100 & sleep 100'` was killed after 0.2 s");
    }

    #[test]
    fn death_by_signal_is_an_error() {
        let error = sh("echo last words; kill -9 $$", Duration::from_secs(10)).unwrap_err();
        assert!(error.contains("died: signal: 9 (SIGKILL)\nlast words\n"), "{error}");
    }
}
